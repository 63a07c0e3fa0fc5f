//! Expressions over the state, the places they read, and the types of values.

use crate::model::ProctypeId;

/// The type of a scalar: which values it can hold, and what happens to one that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// An unsigned number of 1 to 32 bits. `bit` and `bool` are one bit wide, `byte` and `pid` eight.
    Unsigned(u8),
    Short,
    Int,
    /// A symbolic constant of the enumeration with this index.
    Mtype(u32),
    /// The number of a channel, counted from one; zero is no channel.
    Chan,
}

impl ValueType {
    pub const BIT: ValueType = ValueType::Unsigned(1);
    pub const BYTE: ValueType = ValueType::Unsigned(8);

    /// The value that a variable of this type holds after `value` was assigned to it.
    pub fn truncate(self, value: i32) -> i32 {
        match self {
            ValueType::Unsigned(32) | ValueType::Int => value,
            ValueType::Unsigned(bits) => (value as u32 & ((1u32 << bits) - 1)) as i32,
            ValueType::Short => value as i16 as i32,
            ValueType::Mtype(_) | ValueType::Chan => value as u8 as i32,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    Global,
    /// Of the process that evaluates.
    Local,
}

/// A scalar of the state: slot `base` plus what the indices select, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub scope: Scope,
    pub base: u32,
    pub indices: Vec<Index>,
    pub ty: ValueType,
}

/// One array index of a place: `value` must lie in `0..length` and selects `value * stride` slots on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    pub value: Expr,
    pub length: u32,
    pub stride: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Const(i32),
    Read(Box<Place>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    Query(ChannelQuery, Box<Expr>),
    /// Could a message be received now that matches? A rendezvous channel never holds one.
    Poll {
        channel: Box<Expr>,
        random: bool,
        patterns: Vec<Pattern>,
    },
    /// The pid of the process that evaluates.
    Pid,
    ProcessCount,
    /// The pid of the process that moved last.
    Last,
    /// No process can move otherwise.
    Timeout,
    /// No process is at a progress label.
    NonProgress,
    /// Some process is at an acceptance label.
    Accepting,
    /// Can the process with this pid move?
    Enabled(Box<Expr>),
    /// The location of the process with this pid, as a number.
    PcValue(Box<Expr>),
    PriorityOf(Box<Expr>),
    /// Is the process at this label? False when there is no such process. Without a pid: the oldest instance.
    At {
        proctype: ProctypeId,
        pid: Option<Box<Expr>>,
        label: String,
    },
    /// The value of a local variable of another process. Zero when there is no such process.
    /// The place's indices are evaluated by the process that asks.
    Remote {
        proctype: ProctypeId,
        pid: Option<Box<Expr>>,
        place: Box<Place>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Not,
    Negate,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl Binary {
    /// Is the value zero or one, whatever the operands are?
    pub fn is_truth(self) -> bool {
        use Binary::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
        matches!(self, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual | And | Or)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelQuery {
    Len,
    Empty,
    Full,
    NotEmpty,
    NotFull,
}

/// What one field of a message must be, or where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    Store(Place),
    Match(Expr),
    Discard,
}

impl Expr {
    pub const TRUE: Expr = Expr::Const(1);

    /// Arithmetic of two constants as C does it, `None` for a division by zero. The right operand of `&&` and `||`
    /// is taken as given; whoever must not evaluate it has to look first.
    pub fn apply(operator: Binary, left: i32, right: i32) -> Option<i32> {
        Some(match operator {
            Binary::Multiply => left.wrapping_mul(right),
            Binary::Divide if right == 0 => return None,
            Binary::Divide => left.wrapping_div(right),
            Binary::Remainder if right == 0 => return None,
            Binary::Remainder => left.wrapping_rem(right),
            Binary::Add => left.wrapping_add(right),
            Binary::Subtract => left.wrapping_sub(right),
            Binary::ShiftLeft => left.wrapping_shl(right as u32),
            Binary::ShiftRight => left.wrapping_shr(right as u32),
            Binary::Less => (left < right) as i32,
            Binary::LessEqual => (left <= right) as i32,
            Binary::Greater => (left > right) as i32,
            Binary::GreaterEqual => (left >= right) as i32,
            Binary::Equal => (left == right) as i32,
            Binary::NotEqual => (left != right) as i32,
            Binary::BitAnd => left & right,
            Binary::BitXor => left ^ right,
            Binary::BitOr => left | right,
            Binary::And => (left != 0 && right != 0) as i32,
            Binary::Or => (left != 0 || right != 0) as i32,
        })
    }

    pub fn apply_unary(operator: Unary, value: i32) -> i32 {
        match operator {
            Unary::Not => (value == 0) as i32,
            Unary::Negate => value.wrapping_neg(),
            Unary::Complement => !value,
        }
    }
}
