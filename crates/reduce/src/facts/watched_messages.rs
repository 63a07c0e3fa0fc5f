//! What `trace` and `notrace` assertions watch: a monitor is a variable that some messages read and write, and nothing else does.
//!
//! Every message on a channel that a monitor names, in the direction that it names, moves the monitor or breaks the property, whatever is
//! in the message. So the steps that send or receive these messages depend on each other, by whichever processes and on whichever of the
//! channels, and no other step depends on them for the monitor's sake. Looking at a message without taking it is no event.
//! Where the monitor is matters where a run ends, too: but that is a part of the state, and states in which nobody can move are all kept.

use reductio_model::{Direction, Event, Expr, Model, Monitor, Pattern, Position, Scope};

use super::access::Accesses;
use super::set::Set;
use super::steps::{Facts, Reader, each_slot};
use super::symmetry::Obstacle;

/// Messages in one direction that a monitor speaks of.
pub(super) struct Watch {
    direction: Direction,
    /// The global variable that is the monitor's.
    slot: usize,
    channels: Set,
    /// What it reads to find out which channel is meant.
    reads: Accesses,
}

impl Watch {
    /// All that the monitors of the model watch.
    pub(super) fn all_of(facts: &Facts<'_>) -> Vec<Watch> {
        let watch = |monitor: &Monitor| {
            let slot = monitor.slot as usize;
            let events = monitor.events().map(|event| {
                let mut reader = Reader::of_the_whole_state(facts);
                reader.expr(&event.channel);
                let channels = reader.channels(&event.channel);
                Watch { direction: event.direction, slot, channels, reads: reader.accesses }
            });
            events.collect::<Vec<Watch>>()
        };
        facts.model.monitors.iter().flat_map(watch).collect()
    }

    /// Adds what the monitor does when a message goes through one of these channels, if it watches that.
    pub(super) fn note(&self, direction: Direction, channels: &Set, accesses: &mut Accesses) {
        if self.direction == direction && self.channels.meets(channels) {
            accesses.join(&self.reads);
            accesses.reads.insert(self.slot);
            accesses.writes.insert(self.slot);
        }
    }
}

/// For each message that a monitor speaks of, that one like it is in front of its channel: a condition that is the same for two messages if the
/// monitor cannot tell them apart.
pub(crate) fn as_conditions(model: &Model) -> Vec<(&Monitor, Expr)> {
    let condition = |event: &Event| {
        let pattern = |value: &Option<i32>| value.map_or(Pattern::Discard, |value| Pattern::Match(Expr::Const(value)));
        let patterns = event.fields.iter().map(pattern).collect();
        Expr::Poll { channel: Box::new(event.channel.clone()), random: false, patterns }
    };
    let conditions = |monitor: &'_ Monitor| monitor.events().map(condition).collect::<Vec<Expr>>();
    let all = model.monitors.iter().flat_map(|monitor| conditions(monitor).into_iter().map(move |one| (monitor, one)));
    all.collect()
}

/// A monitor that names a channel by a variable that is assigned to: it cannot be told which messages it watches, and the numbers of
/// channels that come and go may matter to it.
pub(crate) fn changing_channel(model: &Model) -> Option<Obstacle> {
    let facts = Facts::new(model);
    let is_fixed = |channel: &Expr| {
        let Expr::Read(place) = channel else { return false };
        let mut is_fixed = place.scope == Scope::Global;
        if is_fixed {
            each_slot(place, &|_| None, &mut |slot| is_fixed &= facts.holds_one_channel(slot));
        }
        is_fixed
    };
    let changes = |monitor: &&Monitor| !monitor.events().all(|event| is_fixed(&event.channel));
    let monitor = model.monitors.iter().find(changes)?;
    Some(obstacle(&monitor.name, monitor.position))
}

fn obstacle(name: &str, at: Position) -> Obstacle {
    Obstacle { because: format!("the {name} assertion names a channel by a variable that changes"), at: Some(at) }
}
