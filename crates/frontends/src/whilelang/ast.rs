//! The tree of a while-program.

use crate::source::Span;

#[derive(Clone, Debug, Default)]
pub struct Program {
    /// A program without `process` is one process, called `main`.
    pub processes: Vec<Process>,
    pub specs: Vec<Spec>,
}

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: Name,
    pub variables: Vec<Variable>,
    pub body: Vec<Statement>,
    /// Where it ends.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub ty: Type,
    /// For an array: how many elements.
    pub length: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Boolean,
    /// 32 bits, with a sign.
    Int,
    /// So many bits, no sign: what does not fit is cut off.
    Bits(u8),
    /// What does not fit is a mistake of the program.
    Range(i32, i32),
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
    /// `#MODULE#` stands before it.
    pub module: bool,
}

#[derive(Clone, Debug)]
pub enum StatementKind {
    Skip,
    Label(Name),
    /// One of the values; which one is free.
    Assign {
        target: Target,
        values: Vec<Expr>,
    },
    If {
        condition: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Expr,
        body: Vec<Statement>,
    },
    Send {
        to: Name,
        value: Expr,
    },
    Receive {
        from: Name,
        target: Target,
    },
    Assert(Expr),
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub struct Target {
    pub name: Name,
    pub index: Option<Expr>,
}

/// What is asked of the program.
#[derive(Clone, Debug)]
pub struct Spec {
    pub formula: Expr,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i32),
    Truth(bool),
    Variable {
        process: Option<Name>,
        name: Name,
        index: Option<Box<Expr>>,
    },
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Is the process at a label? In formulas only.
    At {
        process: Option<Name>,
        label: Name,
    },
    /// In formulas only.
    Temporal(Temporal, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// An operator of time. Without a quantifier it is one of linear time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temporal {
    pub runs: Option<Runs>,
    pub when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    All,
    Some,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Next,
    Eventually,
    Always,
    Until,
}
