//! Divergence inside an `atomic`: can it go on forever? Its states are not read by the automaton, so a run that never leaves it is read only
//! in part, and nothing can be said about it.

use super::product::{Move, Product};
use crate::packed::key::Key;
use crate::packed::space::Obstacle;
use crate::store::numbered::Numbered;
use crate::store::{Memory, OutOfMemory};

/// The states in the middle of an `atomic` that were looked at.
pub(crate) struct EndlessAtomics<const W: usize> {
    seen: Numbered<W>,
    pub found: bool,
}

const ON_PATH: u64 = 0;
const DONE: u64 = 1;

impl<const W: usize> EndlessAtomics<W> {
    pub fn new(found: bool, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(EndlessAtomics { seen: Numbered::new(memory)?, found })
    }

    /// Looks, from a state in the middle of an `atomic`, for a cycle of such states. What a search that met an obstacle
    /// has left undone is looked at again after the keys were packed anew.
    pub fn look(&mut self, product: &mut Product<'_, W>, from: &Key<W>, memory: &Memory) -> Result<(), Obstacle> {
        let mut path: Vec<(Key<W>, Vec<Key<W>>)> = Vec::new();
        let mut moves: Vec<Move<W>> = Vec::new();
        let mut next = Some(*from);
        loop {
            if let Some(key) = next.take() {
                match self.seen.get_or_insert(&key, ON_PATH, memory).map_err(|_| Obstacle::OutOfMemory)? {
                    Some(ON_PATH) => self.found = true,
                    Some(_) => {}
                    None => {
                        product.expand(&key, memory, &mut moves)?;
                        let keys = moves.iter().map(|next| next.key).collect();
                        path.push((key, keys));
                    }
                }
            }
            let Some((key, onward)) = path.last_mut() else { return Ok(()) };
            match onward.pop() {
                Some(key) if !product.is_read(&key) => next = Some(key),
                Some(_) => {}
                None => {
                    self.seen.set(key, DONE);
                    path.pop();
                }
            }
        }
    }

    /// The same for other keys: what was looked at is looked at again.
    pub fn repack<const V: usize>(self, memory: &Memory) -> Result<EndlessAtomics<V>, OutOfMemory> {
        self.seen.release(memory);
        EndlessAtomics::new(self.found, memory)
    }
}
