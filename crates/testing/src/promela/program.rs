//! Promela programs as the fuzzer sees them: a small tree that is generated, shrunk, transformed and printed.
//!
//! It is not the front end's syntax tree: that one is what is under test. This tree has exactly what the generator
//! can produce, knows macros and inlines, which the front end's tree does not, and prints as text that SPIN accepts.
//! Names are plain text and unique in the whole program but for the locals and parameters of proctypes, inlines and
//! macros, so that a transformation need not know about scopes.

mod check;
mod print;
mod remote;
mod spin_bugs;
#[cfg(test)]
mod tests;
mod walk;

pub use check::{PREDEFINED, can_have_label, is_declaration};
pub use reductio_model::{Binary, ChannelQuery as Query, Unary};
pub use walk::{EachStatement, Visitor};

/// The steps of a body, a block or an option.
pub type Sequence = Vec<Statement>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub mtypes: Vec<String>,
    pub typedefs: Vec<Typedef>,
    pub globals: Vec<Variable>,
    pub channels: Vec<Channel>,
    pub macros: Vec<Macro>,
    pub inlines: Vec<Inline>,
    pub proctypes: Vec<Proctype>,
    pub init: Option<Sequence>,
    pub ltl: Option<Ltl>,
    pub never: Option<Sequence>,
    pub watch: Option<Watch>,
}

/// `trace { ... }` or `notrace { ... }`: messages in the order in which they are to come, or not to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub negated: bool,
    /// One of these messages, or any number of them, one after the other, up to the last one.
    pub stages: Vec<(bool, Vec<WatchedMessage>)>,
    /// A label for each stage, at which a run may end.
    pub ends: Vec<String>,
}

/// `c!1,_` or `c[1]?_`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedMessage {
    pub channel: String,
    pub index: Option<u8>,
    pub is_receive: bool,
    pub arguments: Vec<Option<i32>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typedef {
    pub name: String,
    pub fields: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Pid,
    Short,
    Int,
    /// `unsigned x : 3`
    Unsigned(u8),
    Mtype,
    Chan,
    /// A typedef's name.
    Record(String),
}

/// A variable, a field or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub hidden: bool,
    pub ty: Type,
    pub name: String,
    pub length: Option<u8>,
    /// One value, or one for each element.
    pub initial: Vec<Expr>,
}

impl Variable {
    pub fn new(ty: Type, name: impl Into<String>) -> Self {
        Variable { hidden: false, ty, name: name.into(), length: None, initial: Vec::new() }
    }
}

/// `chan c[2] = [1] of { byte, mtype }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    pub name: String,
    pub length: Option<u8>,
    pub capacity: u8,
    pub fields: Vec<Type>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Macro {
    pub name: String,
    /// `None` is a macro that is used without parentheses.
    pub parameters: Option<Vec<String>>,
    pub body: MacroBody,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroBody {
    Expr(Expr),
    Statements(Sequence),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    pub name: String,
    pub parameters: Vec<String>,
    pub body: Sequence,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proctype {
    pub name: String,
    /// `active [n]`; zero is a proctype that only `run` starts.
    pub active: u8,
    pub parameters: Vec<Variable>,
    pub priority: Option<u8>,
    pub provided: Option<Expr>,
    pub body: Sequence,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ltl {
    pub name: String,
    pub formula: Formula,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Atom(Expr),
    Not(Box<Formula>),
    Always(Box<Formula>),
    Eventually(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Until(Box<Formula>, Box<Formula>),
    WeakUntil(Box<Formula>, Box<Formula>),
    /// SPIN's `V`.
    Release(Box<Formula>, Box<Formula>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// A declaration where it stands; with an initial value it is an assignment.
    Declare(Variable),
    DeclareChannel(Channel),
    Label(String, Box<Statement>),
    Skip,
    Break,
    Goto(String),
    /// Only as the first statement of an option.
    Else,
    Expr(Expr),
    Assign(Place, Expr),
    /// `x++`
    Increment(Place),
    /// `x--`
    Decrement(Place),
    /// `x = run P()`
    AssignRun(Place, Run),
    Run(Run),
    Assert(Expr),
    Printf(Vec<Expr>),
    Send(Send),
    Receive(Receive),
    If(Vec<Sequence>),
    Do(Vec<Sequence>),
    /// `for (i : low .. high) { ... }`
    For(Place, Expr, Expr, Sequence),
    /// `for (i in a) { ... }`, with an array or a channel.
    ForIn(Place, Place, Sequence),
    /// `select (i : low .. high)`
    Select(Place, Expr, Expr),
    Atomic(Sequence),
    DStep(Sequence),
    Block(Sequence),
    Unless(Sequence, Sequence),
    /// A use of an inline, or of a macro that stands for statements.
    Call(String, Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub proctype: String,
    pub arguments: Vec<Expr>,
    /// `run P() priority 3`
    pub priority: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    pub channel: Place,
    /// `!!`
    pub sorted: bool,
    /// `c!a(b)` rather than `c!a,b`
    pub parenthesised: bool,
    pub arguments: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receive {
    pub channel: Place,
    /// `??`
    pub random: bool,
    /// `?<...>`
    pub peek: bool,
    pub arguments: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// `_`
    Any,
    /// A number or the name of a constant.
    Constant(Expr),
    Eval(Expr),
    Store(Place),
}

/// `x`, `a[i]`, `r.f`, `r[i].f[j]`; also a channel, a constant, `_pid` and other predefined names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    pub index: Option<Box<Expr>>,
    pub field: Option<Box<Place>>,
}

impl Place {
    pub fn named(name: impl Into<String>) -> Self {
        Place { name: name.into(), index: None, field: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Number(i32),
    Place(Place),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len(c)` and the like. SPIN's grammar takes all but `len` only below `&&` and `||` of a condition.
    Query(Query, Place),
    /// `c?[1, x]`
    Poll(Poll),
    Timeout,
    /// `enabled(1)`
    Enabled(Box<Expr>),
    /// `pc_value(1)`
    PcValue(Box<Expr>),
    /// Only in claims.
    Remote(Remote),
    /// A use of a macro with parameters.
    Call(String, Vec<Expr>),
}

impl Expr {
    pub fn name(name: impl Into<String>) -> Self {
        Expr::Place(Place::named(name))
    }

    pub fn binary(operator: Binary, left: Expr, right: Expr) -> Self {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    #[expect(clippy::should_implement_trait, reason = "as of the other operators, this is a constructor")]
    pub fn not(self) -> Self {
        Expr::Unary(Unary::Not, Box::new(self))
    }

    /// Whether SPIN's grammar takes it only as a condition or below the `&&` and `||` of one.
    pub fn is_probe(&self) -> bool {
        match self {
            Expr::Query(query, _) => *query != Query::Len,
            Expr::Binary(Binary::And | Binary::Or, left, right) => left.is_probe() || right.is_probe(),
            _ => false,
        }
    }
}

/// What a claim says of one process: `P[0]@label`, `P[0]:x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    pub proctype: String,
    pub pid: u8,
    pub part: RemotePart,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemotePart {
    Label(String),
    Variable(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poll {
    pub channel: Place,
    pub random: bool,
    pub arguments: Vec<Pattern>,
}
