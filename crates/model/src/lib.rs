//! The waist of Reductio: models as plain data, what they mean, and what can be said about them.
//!
//! Front ends produce a [`Model`]; reductions map models to models; engines ask what processes do through the [`Door`].
//! The [`Interpreter`] gives a model its meaning. It is slow and obvious on purpose: every faster executor is
//! compared with it, and every counterexample is replayed on it before anyone sees it.

pub mod budget;
pub mod circuit;
pub mod claim;
pub mod component;
pub mod door;
mod evaluate;
mod execute;
pub mod expr;
mod gauge;
pub mod hash;
pub mod interpreter;
pub mod model;
pub mod monitor;
pub mod operation;
pub mod print;
pub mod property;
pub mod replay;
pub mod state;
pub mod state_graph;
pub mod steppable;
pub mod system;
pub mod verdict;
pub mod verify;
pub mod walk;
pub mod watchdog;
pub mod witness;
pub mod workspace;

pub use budget::{Budget, Diagrams, Phase, Progress, ProgressFn, Statistics};
pub use claim::{Automaton, Claim, ClaimEdge, Literal, Origin};
pub use component::Component;
pub use door::{Door, Possible, Tried};
pub use execute::Wrapped;
pub use expr::{Binary, ChannelQuery, Expr, Index, Pattern, Place, Scope, Unary, ValueType};
pub use gauge::{Gauge, Resident};
pub use interpreter::{Interpreter, Outcome, Performed};
pub use model::{
    Action, ActionId, ActionKind, Atom, AtomId, ChannelType, ChannelTypeId, ClaimId, Communication, Conversion, CtlId,
    Edge, EdgeId, Enumeration, Features, FileId, Guard, Initial, InvariantId, Label, Location, LocationId, Model, Op,
    Position, Proctype, ProctypeId, Slot, Start, Unchecked,
};
pub use monitor::{Direction, Event, Monitor, Point};
pub use operation::Operation;
pub use property::{CtlFormula, Invariant, Property, PropertyKind, Subject};
pub use replay::{ReplayError, Replayed, replay};
pub use state::{Channel, Process, State};
pub use state_graph::{Bounds, NoGraph, StateEdge, StateGraph, StateGraphOf};
pub use steppable::{Choose, Several, Steppable, TooLarge};
pub use system::{Fault, FaultKind, Step, Successor, Successors, TransitionSystem};
pub use verdict::{Verdict, Why};
pub use verify::verify;
pub use walk::{Impossible, Taken, Taking, Walk, WalkOf};
pub use watchdog::{Unfinished, Work};
pub use witness::{Branch, Trace, Witness};
pub use workspace::{Part, Workspace};
