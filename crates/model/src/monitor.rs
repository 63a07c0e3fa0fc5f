//! Which messages may be sent and received, and in which order: an automaton that watches every step.
//!
//! Where it is, is a global variable like any other, so that every engine carries it along with the state.

use crate::expr::Expr;
use crate::model::Position;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    /// `trace` or `notrace`.
    pub name: String,
    pub position: Position,
    /// The global that tells at which of the points it is.
    pub slot: u32,
    /// The last one is where everything has happened that it speaks of.
    pub points: Vec<Point>,
    /// To get to the last point breaks the property. Otherwise it is broken by a message that fits nowhere.
    pub forbids: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Point {
    /// A run may end here.
    pub end: bool,
    /// What may happen next, and the point it leads to.
    pub events: Vec<(Event, u32)>,
}

/// Sending or receiving one of several messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub direction: Direction,
    /// Over globals only.
    pub channel: Expr,
    /// The values of the fields. Where there is none, and beyond the last, any will do.
    pub fields: Vec<Option<i32>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Send,
    Receive,
}

impl Monitor {
    /// Where everything has happened.
    pub fn last(&self) -> u32 {
        self.points.len() as u32 - 1
    }

    /// Everything that it speaks of. What happens on other channels, or in the other direction, is none of its concern.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.points.iter().flat_map(|point| &point.events).map(|(event, _)| event)
    }
}

impl Event {
    pub fn fits(&self, message: &[i32]) -> bool {
        self.fields.iter().zip(message).all(|(field, value)| field.is_none_or(|field| field == *value))
    }
}
