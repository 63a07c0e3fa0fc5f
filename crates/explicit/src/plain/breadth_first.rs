//! Breadth-first search: states nearer to the start come first, so the counterexamples are as short as can be.
//!
//! States are numbered as they are first seen, which is the order in which breadth-first search visits them: the
//! queue is the store itself.

use super::explorer::Explorer;
use super::store::StateId;
use crate::run::Stop;

pub(crate) fn explore(explorer: &mut Explorer<'_>) -> Result<(), Stop> {
    let mut next = explorer.start()?;
    let mut level_end = explorer.store.len();
    while next.0 < explorer.store.len() {
        if next.0 == level_end {
            explorer.run.depth += 1;
            level_end = explorer.store.len();
        }
        explorer.expand(next, |_, _| Ok(()))?;
        next = StateId(next.0 + 1);
    }
    Ok(())
}
