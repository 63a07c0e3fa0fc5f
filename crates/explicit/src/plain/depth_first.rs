//! Depth-first search, with a stack of its own: a run of a million steps must not overflow the machine's.
//!
//! Successors are stored as soon as they are generated, but visited only when their turn comes. So the stack holds
//! four bytes per successor instead of states, and the order is still that of the textbook's recursion.

use super::explorer::Explorer;
use super::store::StateId;
use crate::run::Stop;
use crate::store::{Memory, OutOfMemory};

/// One activation record of the recursion: its successors are those of `pending` from here on.
struct Frame {
    first_pending: usize,
}

#[derive(Default)]
struct Stack {
    frames: Vec<Frame>,
    /// The successors still to be visited, those of the innermost frame last, and the next one at the very end.
    pending: Vec<StateId>,
    visited: BitSet,
}

pub(crate) fn explore(explorer: &mut Explorer<'_>) -> Result<(), Stop> {
    let mut stack = Stack::default();
    let initial = explorer.start()?;
    enter(explorer, &mut stack, initial)?;
    while let Some(frame) = stack.frames.last() {
        if stack.pending.len() == frame.first_pending {
            stack.frames.pop();
            continue;
        }
        if let Some(next) = stack.pending.pop()
            && !stack.visited.contains(next)
        {
            enter(explorer, &mut stack, next)?;
        }
    }
    Ok(())
}

fn enter(explorer: &mut Explorer<'_>, stack: &mut Stack, state: StateId) -> Result<(), Stop> {
    let first_pending = stack.pending.len();
    stack.visited.insert(state, &explorer.run.memory)?;
    explorer.run.memory.push(&mut stack.frames, Frame { first_pending })?;
    explorer.run.depth = explorer.run.depth.max(stack.frames.len() as u64 - 1);
    let Stack { pending, visited, .. } = stack;
    explorer.expand(state, |successor, memory| {
        if visited.contains(successor) {
            return Ok(());
        }
        memory.push(pending, successor)
    })?;
    pending[first_pending..].reverse();
    Ok(())
}

/// A set of states.
#[derive(Default)]
struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn contains(&self, id: StateId) -> bool {
        let word = self.words.get(id.index() / 64);
        word.is_some_and(|word| word >> (id.index() % 64) & 1 == 1)
    }

    fn insert(&mut self, id: StateId, memory: &Memory) -> Result<(), OutOfMemory> {
        while self.words.len() <= id.index() / 64 {
            memory.push(&mut self.words, 0)?;
        }
        self.words[id.index() / 64] |= 1 << (id.index() % 64);
        Ok(())
    }
}
