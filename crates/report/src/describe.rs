//! States, steps and runs of any system, in the words of its user. Reports, files, pictures and simulations have the same
//! description: what is told of a step is told everywhere alike.

mod circuits;
mod processes;

use std::collections::VecDeque;

use reductio_model::{Fault, Impossible, Steppable, Taken, WalkOf};

use crate::trace::{FIRST_SHOWN, LAST_SHOWN, LeftOut, StepEntry, TraceEntry};
use crate::trace_text::Layout;
use crate::value::Change;

/// A system whose states and steps can be put into words.
pub trait Described: Steppable {
    /// So many possibilities are listed for people; who wants one of the others leaves it to chance. `None`: all are listed.
    const MOST_LISTED: Option<usize>;

    /// In a picture, do all steps from one state to another share an arrow?
    const SHARES_ARROWS: bool;

    /// The columns for steps that are shown as they happen.
    fn layout(&self) -> Layout;

    /// What a state holds.
    fn contents(&self, state: &Self::State) -> Vec<Change>;

    /// What is to be told of the state in which a run starts; `None` where that is nothing.
    fn start(&self, state: &Self::State) -> Option<Vec<Change>>;

    /// A step that is possible in a state, as far as it is known before it is taken.
    fn possible(&self, state: &Self::State, step: &Self::Step) -> StepEntry;

    /// A step that was taken, and what it did.
    fn taken(&self, taken: &Taken<Self::State, Self::Step>) -> StepEntry;

    /// What went wrong in a step, and where.
    fn fault(&self, fault: &Fault) -> String;

    /// What there is to say of a state in which a run ends, because nothing more is possible.
    fn ending(&mut self, state: &Self::State) -> String;

    /// A state in a few lines, for a picture.
    fn state_label(&self, state: &Self::State) -> String;

    /// Does one process hold the right to move, so that the state does not count as one?
    fn is_passed_through(&self, state: &Self::State) -> bool;

    /// The label of an arrow in a picture: of all steps from this state to another, or of one, where steps do not share arrows.
    fn arrow_label(&self, state: &Self::State, steps: &[&Self::Step]) -> String;
}

impl TraceEntry {
    /// Describes a run that is known to be one of the system.
    pub fn of<S: Described>(system: &mut S, walk: &WalkOf<'_, S>) -> TraceEntry {
        TraceEntry::within(system, walk, u64::MAX)
    }

    /// The same, as far as people are shown it.
    pub fn for_people<S: Described>(system: &mut S, walk: &WalkOf<'_, S>) -> TraceEntry {
        let left_out = LeftOut::of_long(walk.length());
        let is_kept = |index: usize| !left_out.is_some_and(|left_out| left_out.contains(index));
        let mut steps = Vec::new();
        let mut index = 0;
        each_taken(system, walk, |system, taken| {
            if is_kept(index) {
                steps.push(system.taken(taken));
            }
            index += 1;
        });
        TraceEntry { steps, left_out, ..TraceEntry::without_steps(system, walk) }
    }

    /// The same, without the middle if the whole takes more than so many bytes.
    pub fn within<S: Described>(system: &mut S, walk: &WalkOf<'_, S>, most_bytes: u64) -> TraceEntry {
        let mut bytes = 0;
        let mut first = Vec::new();
        // Once there is too much, only so many of the last steps are kept.
        let mut last: VecDeque<StepEntry> = VecDeque::new();
        let mut dropped = 0;
        each_taken(system, walk, |system, taken| {
            let step = system.taken(taken);
            bytes += step.bytes();
            if first.len() < FIRST_SHOWN {
                first.push(step);
                return;
            }
            last.push_back(step);
            while bytes > most_bytes && last.len() > LAST_SHOWN {
                bytes -= last.pop_front().map_or(0, |step| step.bytes());
                dropped += 1;
            }
        });
        let left_out = (dropped > 0).then_some(LeftOut { after: first.len(), steps: dropped });
        first.extend(last);
        TraceEntry { steps: first, left_out, ..TraceEntry::without_steps(system, walk) }
    }

    fn without_steps<S: Described>(system: &S, walk: &WalkOf<'_, S>) -> TraceEntry {
        TraceEntry { initial: system.start(&walk.start), cycle_start: walk.cycle_start(), ..TraceEntry::default() }
    }
}

fn each_taken<S: Described>(system: &mut S, walk: &WalkOf<'_, S>, mut tell: impl FnMut(&S, &Taken<S::State, S::Step>)) {
    let mut taking = walk.taken(system);
    while let Some(taken) = taking.next() {
        match taken {
            Ok(taken) => tell(taking.system(), &taken),
            Err(Impossible { index }) => panic!("step {} of a run that was confirmed cannot be taken", index + 1),
        }
    }
}
