//! The syntax tree of a Promela program, as written: names unresolved, macros and inlines already expanded.
//!
//! Every node that a message may point at carries a [`Span`]. A span knows the macro or inline expansion it came
//! from, so nothing else in the tree needs to.

pub use reductio_model::{Binary, ChannelQuery as Query, Unary};

use crate::source::Span;

/// A name with the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub units: Vec<Unit>,
}

/// One top-level item. `inline` definitions do not appear: the parser expands their uses.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a program has few units, and almost all are of the large kind")]
pub enum Unit {
    Proctype(Proctype),
    Init(Init),
    Never(Claim),
    Trace(Trace),
    Ltl(Ltl),
    Variables(Declaration),
    Mtype(MtypeDeclaration),
    Typedef(Typedef),
}

#[derive(Clone, Debug)]
pub struct Proctype {
    pub name: Name,
    /// `active [n]`: the expression is `None` for a bare `active`.
    pub active: Option<Active>,
    /// `D_proctype`: the author promises determinism.
    pub deterministic: bool,
    pub parameters: Vec<Declaration>,
    pub priority: Option<Expr>,
    pub provided: Option<Expr>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Active {
    pub count: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Init {
    /// The word `init`.
    pub span: Span,
    pub priority: Option<Expr>,
    pub body: Block,
}

/// `never name { ... }`
#[derive(Clone, Debug)]
pub struct Claim {
    pub span: Span,
    pub name: Option<Name>,
    pub body: Block,
}

/// `trace { ... }` or `notrace { ... }`
#[derive(Clone, Debug)]
pub struct Trace {
    pub span: Span,
    pub negated: bool,
    pub body: Block,
}

/// `ltl name { formula }`. The formula is kept as an expression tree: temporal operators appear as
/// [`ExprKind::Temporal1`] and [`ExprKind::Temporal2`], and only here.
#[derive(Clone, Debug)]
pub struct Ltl {
    pub span: Span,
    pub name: Option<Name>,
    pub formula: Expr,
    /// The formula as written, white space folded, for reports.
    pub text: String,
}

/// `mtype = { a, b }` or `mtype:fruit = { apple, pear }`
#[derive(Clone, Debug)]
pub struct MtypeDeclaration {
    pub span: Span,
    pub subtype: Option<Name>,
    pub members: Vec<Name>,
}

#[derive(Clone, Debug)]
pub struct Typedef {
    pub name: Name,
    pub fields: Vec<Declaration>,
}

/// `hidden byte x = 1, y[3]`: one type, several variables.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub span: Span,
    pub visibility: Option<Visibility>,
    pub ty: Type,
    pub variables: Vec<Declarator>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    Hidden,
    Show,
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    Unsigned,
    Chan,
    /// `mtype` or `mtype:fruit`
    Mtype(Option<Name>),
    /// A typedef's name.
    User(Name),
}

#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Name,
    /// `unsigned x : 3`
    pub width: Option<Expr>,
    pub length: Option<Expr>,
    pub initial: Option<Initializer>,
}

#[derive(Clone, Debug)]
pub enum Initializer {
    Expr(Expr),
    /// `= { 1, 2, 3 }`
    List(Vec<Expr>),
    /// `= [2] of { byte, mtype }`
    Channel(ChannelInitializer),
}

#[derive(Clone, Debug)]
pub struct ChannelInitializer {
    pub span: Span,
    pub capacity: Expr,
    pub fields: Vec<Field>,
}

/// One field of a channel's message type.
#[derive(Clone, Debug)]
pub struct Field {
    pub ty: Type,
    pub span: Span,
}

/// The steps between a pair of braces, or of one option.
#[derive(Clone, Debug)]
pub struct Block {
    pub span: Span,
    pub steps: Vec<Step>,
    /// The closing brace (or, for an option, the end of its last statement): a process dies here.
    pub end: Span,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "almost all steps are statements")]
pub enum Step {
    Declaration(Declaration),
    /// `xr c, d` and `xs c`
    Exclusive(Exclusive),
    Statement(Statement),
}

#[derive(Clone, Debug)]
pub struct Exclusive {
    pub span: Span,
    pub sends: bool,
    pub channels: Vec<VarRef>,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub span: Span,
    pub kind: StatementKind,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `L: statement`; a label at the end of a block labels a `skip` that the parser supplies.
    Labeled {
        label: Name,
        statement: Box<Statement>,
    },
    /// `main unless { escape }`
    Unless {
        main: Box<Statement>,
        escape: Box<Statement>,
    },
    If(Vec<Block>),
    Do(Vec<Block>),
    /// `for (i : low .. high) { body }`
    ForRange {
        index: VarRef,
        low: Expr,
        high: Expr,
        body: Block,
    },
    /// `for (i in a) { body }`: an array, or a channel with a typedef for its messages.
    ForIn {
        index: VarRef,
        collection: VarRef,
        body: Block,
    },
    /// `select (i : low .. high)`
    Select {
        index: VarRef,
        low: Expr,
        high: Expr,
    },
    Atomic(Block),
    DStep(Block),
    /// `{ ... }`
    Block(Block),
    /// A use of an inline: its body with the arguments in place. A scope of its own.
    Inline {
        name: Name,
        body: Block,
    },
    Goto(Name),
    Break,
    Skip,
    Else,
    Assign {
        target: VarRef,
        value: Expr,
    },
    /// `x++` and `x--`
    Increment {
        target: VarRef,
        by: i32,
    },
    Send {
        channel: VarRef,
        sorted: bool,
        arguments: Vec<Expr>,
    },
    Receive {
        channel: VarRef,
        random: bool,
        peek: bool,
        arguments: Vec<ReceiveArgument>,
    },
    Assert(Expr),
    /// The format is what stands between the quotes, with escapes such as `\n` as written.
    Printf {
        format: String,
        arguments: Vec<Expr>,
    },
    Printm(Expr),
    SetPriority {
        pid: Expr,
        priority: Expr,
    },
    /// An expression that must become true. `run P()` as a statement is one too.
    Expression(Expr),
}

#[derive(Clone, Debug)]
pub enum ReceiveArgument {
    /// A variable to receive into, a constant to match, or `_`; which one is for the checker to say.
    Plain(VarRef),
    /// `eval(e)`: match the value of e.
    Eval(Expr),
    /// A number, possibly negative, `true`, `false`.
    Constant(i32, Span),
}

impl ReceiveArgument {
    pub fn span(&self) -> Span {
        match self {
            ReceiveArgument::Plain(reference) => reference.span,
            ReceiveArgument::Eval(expr) => expr.span,
            ReceiveArgument::Constant(_, span) => *span,
        }
    }
}

/// `a`, `a[i]`, `a[i].b.c[j]`: a variable, an mtype constant, or a predefined name such as `_pid`.
#[derive(Clone, Debug)]
pub struct VarRef {
    pub span: Span,
    pub parts: Vec<RefPart>,
}

#[derive(Clone, Debug)]
pub struct RefPart {
    pub name: Name,
    pub index: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i32),
    Reference(VarRef),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Run {
        proctype: Name,
        arguments: Vec<Expr>,
        priority: Option<Box<Expr>>,
    },
    /// `len(c)`, `empty(c)`, ...
    Query(Query, VarRef),
    /// `c?[a, b]` and `c??[a, b]`
    Poll {
        channel: VarRef,
        random: bool,
        arguments: Vec<ReceiveArgument>,
    },
    Timeout,
    /// `np_`
    NonProgress,
    Enabled(Box<Expr>),
    PcValue(Box<Expr>),
    GetPriority(Box<Expr>),
    /// `P[pid]@label` and `P@label`
    RemoteLabel {
        proctype: Name,
        pid: Option<Box<Expr>>,
        label: Name,
    },
    /// `P[pid]:x` and `P:x`
    RemoteVariable {
        proctype: Name,
        pid: Option<Box<Expr>>,
        variable: VarRef,
    },
    /// Only inside `ltl`.
    Temporal1(Temporal1, Box<Expr>),
    /// Only inside `ltl`.
    Temporal2(Temporal2, Box<Expr>, Box<Expr>),
    /// `AG f`, `E [f U g]` and the like, only in formulas of computation trees: which runs are as told.
    Runs(Runs, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    All,
    Some,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporal1 {
    Always,
    Eventually,
    Next,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporal2 {
    Until,
    WeakUntil,
    Release,
    Implies,
    Equivalent,
}
