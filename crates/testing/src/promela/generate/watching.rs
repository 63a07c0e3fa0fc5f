//! Monitors: `trace` and `notrace` assertions over the channels that a program has already.
//!
//! A run may end at any of their points, so that an unfinished monitor is not all that is ever found.

use super::super::program::{Channel, Type, Watch, WatchedMessage};
use super::Generator;
use crate::random::Random;

/// So many of the programs with channels have a monitor, in a hundred.
const WATCHED: usize = 24;

impl Generator {
    /// Adds a monitor to some programs. What else is in the program does not depend on it.
    pub(super) fn monitor(&mut self) {
        let mut random = self.random.clone();
        if self.program.channels.is_empty() || !random.chance(WATCHED) {
            return;
        }
        let mut watch = Watch { negated: random.chance(60), stages: Vec::new(), ends: Vec::new() };
        for _ in 0..1 + random.below(3) {
            let repeats = random.chance(50);
            let count = if repeats { 1 + random.below(3) } else { 1 };
            let messages = (0..count).map(|_| watched_message(&mut random, &self.program.channels)).collect();
            watch.stages.push((repeats, messages));
            watch.ends.push(self.fresh("end"));
        }
        self.program.watch = Some(watch);
    }
}

fn watched_message(random: &mut Random, channels: &[Channel]) -> WatchedMessage {
    let channel = random.pick(channels);
    let argument = |ty: &Type, random: &mut Random| match ty {
        Type::Byte | Type::Short | Type::Int if random.chance(50) => Some(random.below(3) as i32),
        Type::Bit | Type::Bool if random.chance(50) => Some(random.below(2) as i32),
        _ => None,
    };
    WatchedMessage {
        channel: channel.name.clone(),
        index: channel.length.map(|length| random.below(usize::from(length)) as u8),
        is_receive: random.chance(40),
        arguments: channel.fields.iter().map(|ty| argument(ty, random)).collect(),
    }
}
