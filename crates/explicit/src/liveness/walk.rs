//! What all searches of the product have in common: the moves of a state, an account of what was seen, and how what was
//! found is told.

use reductio_model::{Claim, Door, Property, Statistics, Why};

use super::endless_atomic::EndlessAtomics;
use super::lasso::{self, Goal, Lasso};
use super::product::{Expansion, Move, Product};
use crate::packed::key::Key;
use crate::packed::layout::Repacking;
use crate::packed::selector::PartialOrder;
use crate::run::{End, Pause, Run, Stop, Trouble};
use crate::store::Memory;
use crate::store::numbered::Numbered;

/// A walk over the states of the product.
pub(crate) struct Walk<'m, const W: usize> {
    property: Property,
    pub product: Product<'m, W>,
    /// What each search keeps of the states that it has seen.
    pub seen: Numbered<W>,
    endless_atomics: EndlessAtomics<W>,
    /// What can wait is left out at once: the claim is decided by how a run begins.
    leaves_out: bool,
    /// The moves of the state that was expanded last.
    pub moves: Vec<Move<W>>,
    /// The components of the key need longer keys.
    pub outgrown: bool,
}

/// What becomes of a search that has paused.
pub(crate) enum Turn {
    Done,
    /// It goes on with keys of the same length and other fields, or with longer keys.
    Repack,
    Outgrown,
}

impl<'m, const W: usize> Walk<'m, W> {
    /// With fairness of processes there can be `most_processes`.
    pub fn new(
        system: &'m dyn Door,
        order: Option<&'m PartialOrder<'m>>,
        claim: &Claim,
        property: Property,
        most_processes: u32,
        run: &mut Run<'_, Lasso>,
    ) -> Result<Self, End> {
        run.clock.look(&run.memory, Statistics::default)?;
        let mut product = Product::new(system, order, claim, run.plan, most_processes);
        let outgrown = product.space.pack(W).is_none();
        Ok(Walk {
            property,
            product,
            seen: Numbered::new(&run.memory)?,
            endless_atomics: EndlessAtomics::new(false, &run.memory)?,
            leaves_out: order.is_some_and(|order| !order.unseen_only),
            moves: Vec::new(),
            outgrown,
        })
    }

    /// What to do now that the search has paused.
    pub fn turn(&mut self, run: &mut Run<'_, Lasso>, paused: Result<Pause, End>) -> Result<Turn, End> {
        run.coverage.join(&self.product.expander.coverage);
        match paused? {
            Pause::NoMoreStates if self.endless_atomics.found => Err(Why::EndlessAtomic.into()),
            Pause::NoMoreStates => Ok(Turn::Done),
            Pause::NewLayout if self.product.space.fits(W, self.seen.len()) => Ok(Turn::Repack),
            Pause::NewLayout => {
                self.outgrown = true;
                Ok(Turn::Outgrown)
            }
        }
    }

    /// Works out the moves of a state. Is it decided that every run that comes by here is accepted?
    pub fn expand(&mut self, run: &mut Run<'_, Lasso>, key: &Key<W>) -> Result<bool, Trouble> {
        run.tick().map_err(|limit| Trouble::End(limit.into()))?;
        if !self.product.is_read(key) {
            self.endless_atomics.look(&mut self.product, key, &run.memory).map_err(Trouble::Obstacle)?;
        }
        let expansion = self.product.expand(key, &run.memory, &mut self.moves).map_err(Trouble::Obstacle)?;
        if self.leaves_out {
            let all = self.moves.len();
            self.moves.retain(|next| !next.can_wait);
            run.totals.reduced += u64::from(self.moves.len() < all);
        }
        match expansion {
            Expansion::GoesOn => Ok(false),
            Expansion::Decided => Ok(true),
            Expansion::Limit(limit) => Err(Trouble::End(limit.into())),
        }
    }

    /// There is a cycle that is accepted.
    pub fn found(&mut self, run: &mut Run<'_, Lasso>, goal: Goal<W>) -> Result<(), End> {
        let lasso = lasso::through(&mut self.product, &mut self.seen, goal, run)?;
        self.record(run, lasso)
    }

    /// Every run that begins with these events is accepted.
    pub fn found_decision(&mut self, run: &mut Run<'_, Lasso>, path: Vec<u32>) -> Result<(), End> {
        let stem = lasso::shortest_decision(&mut self.product, &mut self.seen, path, run)?;
        self.record(run, Lasso { stem, cycle: Vec::new() })
    }

    pub fn record(&self, run: &mut Run<'_, Lasso>, lasso: Lasso) -> Result<(), End> {
        let bytes = (lasso.stem.len() + lasso.cycle.len()) * size_of::<u32>();
        run.findings.record(self.property, None, &run.memory, bytes, || lasso)?;
        // One run is enough.
        Err(Stop::EverythingFound.into())
    }

    /// The same walk with keys of another length, or of the same with other fields; and how keys change.
    pub fn repack<const V: usize>(mut self, memory: &Memory) -> Result<(Walk<'m, V>, Repacking), End> {
        let packed = self.product.space.pack(V);
        let outgrown = packed.is_none();
        // If even these keys are too short, the fields stay as they are until the keys are long enough.
        let repacking = packed.unwrap_or_else(|| self.product.space.same_fields());
        let walk = Walk {
            property: self.property,
            seen: self.seen.repack(memory, |key| repacking.key(key))?,
            endless_atomics: self.endless_atomics.repack(memory)?,
            product: self.product.repack(memory),
            leaves_out: self.leaves_out,
            moves: Vec::new(),
            outgrown,
        };
        Ok((walk, repacking))
    }
}
