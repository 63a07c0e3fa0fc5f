//! The tree of an SMV text.

use crate::source::Span;

#[derive(Debug, Default)]
pub struct Program {
    pub modules: Vec<Module>,
}

#[derive(Debug)]
pub struct Module {
    pub name: Name,
    pub parameters: Vec<Name>,
    pub elements: Vec<Element>,
}

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Debug)]
pub enum Element {
    Variables(Section, Vec<(Name, TypeExpr)>),
    Defines(Vec<Define>),
    /// `ISA`: everything that is in another module, as if it were written here.
    Include(Name),
    Constants(Vec<Name>),
    Assign(Vec<Assign>),
    Constraint(Constraint, Expr),
    Compassion(Expr, Expr),
    Spec(Spec),
    Compute(Compute),
}

#[derive(Debug)]
pub struct Define {
    /// In `a.b.name := value`, the instance `a.b` that gets the definition.
    pub owner: Option<Expr>,
    pub name: Name,
    pub value: Expr,
}

/// `COMPUTE MIN [from, to]`: how long it takes. That is no question with yes and no.
#[derive(Debug)]
pub struct Compute {
    pub name: Option<Name>,
    pub from: Expr,
    pub to: Expr,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Var,
    Ivar,
    FrozenVar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    Init,
    Trans,
    Invar,
    Justice,
}

#[derive(Debug)]
pub struct Assign {
    pub moment: AssignMoment,
    pub target: Expr,
    pub value: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignMoment {
    Init,
    Next,
    Always,
}

#[derive(Debug)]
pub struct Spec {
    pub kind: SpecKind,
    pub name: Option<Name>,
    pub formula: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecKind {
    Invariant,
    Ctl,
    Ltl,
}

#[derive(Debug)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum TypeKind {
    Boolean,
    Word { signed: bool, width: Expr },
    Enumeration(Vec<Expr>),
    Range(Expr, Expr),
    Array(Expr, Expr, Box<TypeExpr>),
    Instance { process: bool, module: Name, arguments: Vec<Expr> },
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Truth(bool),
    Number(i64),
    Word {
        width: u32,
        signed: bool,
        value: i64,
    },
    Name(String),
    SelfReference,
    Member(Box<Expr>, Name),
    Index(Box<Expr>, Box<Expr>),
    /// Bits from the first down to the second.
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Case(Vec<(Expr, Expr)>),
    Set(Vec<Expr>),
    Range(Box<Expr>, Box<Expr>),
    /// `[a, b, c]`, in definitions.
    Array(Vec<Expr>),
    Next(Box<Expr>),
    Call(Function, Vec<Expr>),
    /// `EX f` and its kin.
    Ctl1(Ctl1, Box<Expr>),
    /// `EBF 1..3 f` and its kin.
    CtlBounded(Ctl1, Box<Bounds>, Box<Expr>),
    /// `A [f U g]` or `E [f U g]`, or `A [f BU 1..3 g]`.
    CtlUntil {
        all: bool,
        bounds: Option<Box<Bounds>>,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Ltl1(Ltl1, Box<Expr>),
    /// `F [1, 3] f` and its kin.
    LtlBounded(Ltl1, Box<Bounds>, Box<Expr>),
    Ltl2(Ltl2, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    And,
    Or,
    Xor,
    Xnor,
    Implies,
    Iff,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Union,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Concatenate,
}

impl Binary {
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "xor",
            Binary::Xnor => "xnor",
            Binary::Implies => "->",
            Binary::Iff => "<->",
            Binary::Equal => "=",
            Binary::NotEqual => "!=",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::In => "in",
            Binary::Union => "union",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "mod",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Concatenate => "::",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Word1,
    Bool,
    ToInt,
    Signed,
    Unsigned,
    Extend,
    Resize,
    UwConst,
    SwConst,
    SizeOf,
    Count,
    Abs,
    Min,
    Max,
}

impl Function {
    pub fn from_name(name: &str) -> Option<Function> {
        Some(match name {
            "word1" => Function::Word1,
            "bool" => Function::Bool,
            "toint" => Function::ToInt,
            "signed" => Function::Signed,
            "unsigned" => Function::Unsigned,
            "extend" => Function::Extend,
            "resize" => Function::Resize,
            "uwconst" => Function::UwConst,
            "swconst" => Function::SwConst,
            "sizeof" => Function::SizeOf,
            "count" => Function::Count,
            "abs" => Function::Abs,
            "min" => Function::Min,
            "max" => Function::Max,
            _ => return None,
        })
    }

    /// How many arguments it takes; `None` for any number but none.
    pub fn arity(self) -> Option<usize> {
        match self {
            Function::Count => None,
            Function::Extend | Function::Resize | Function::UwConst | Function::SwConst => Some(2),
            Function::Min | Function::Max => Some(2),
            _ => Some(1),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ctl1 {
    Ex,
    Ax,
    Ef,
    Af,
    Eg,
    Ag,
}

/// How many steps ahead, or back, a temporal operator looks.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub low: Expr,
    pub high: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ltl1 {
    Next,
    Always,
    Eventually,
    /// `Y`: in the state before, and there is one.
    Previous,
    /// `Z`: in the state before, if there is one.
    WeakPrevious,
    /// `O`: in this state or in one before.
    Once,
    /// `H`: in this state and in all before.
    Historically,
}

impl Ltl1 {
    pub fn is_of_the_past(self) -> bool {
        !matches!(self, Ltl1::Next | Ltl1::Always | Ltl1::Eventually)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ltl2 {
    Until,
    Release,
    Since,
    Triggered,
}

impl Ltl2 {
    pub fn is_of_the_past(self) -> bool {
        matches!(self, Ltl2::Since | Ltl2::Triggered)
    }
}
