//! A state of a model.

/// A process that is alive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    pub proctype: crate::model::ProctypeId,
    pub location: crate::model::LocationId,
    pub priority: u8,
    pub locals: Vec<i32>,
}

/// A channel that exists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    pub ty: crate::model::ChannelTypeId,
    /// The process it was created with; `None` for global channels.
    pub owner: Option<u8>,
    /// The fields of all messages, oldest message first.
    pub messages: Vec<i32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub globals: Vec<i32>,
    /// Indexed by pid.
    pub processes: Vec<Process>,
    /// Channel number `n` is at index `n - 1`.
    pub channels: Vec<Channel>,
    /// The process that holds the right to move, in the middle of an `atomic`.
    pub exclusive: Option<u8>,
    /// The process that moved last, kept only where the model can observe it.
    pub last: u8,
}
