//! Which atoms hold in a state: worked out once for the components that the atoms read, and remembered.

use reductio_model::AtomId;
use reductio_model::hash::FoldMap;

use crate::packed::expander::Expander;
use crate::packed::key::Key;
use crate::packed::space::{Obstacle, Space};

/// Atom `i` of the list holds if bit `i` is set.
pub(crate) type Valuation = u64;

/// So many atoms fit into a valuation.
pub(crate) const MOST_ATOMS: usize = Valuation::BITS as usize;

pub(crate) struct Valuations<const W: usize> {
    atoms: Vec<AtomId>,
    /// The components that were ever looked at.
    mask: Key<W>,
    known: FoldMap<Key<W>, Valuation>,
}

/// So many are remembered before all are forgotten.
const MOST_KNOWN: usize = 1 << 16;

impl<const W: usize> Valuations<W> {
    pub fn new(atoms: Vec<AtomId>) -> Self {
        debug_assert!(atoms.len() <= MOST_ATOMS);
        Valuations { atoms, mask: Key::ZERO, known: FoldMap::default() }
    }

    pub fn get<'m>(
        &mut self,
        expander: &mut Expander<'m, W>,
        space: &Space<'m>,
        key: &Key<W>,
    ) -> Result<Valuation, Obstacle> {
        if self.atoms.is_empty() {
            return Ok(0);
        }
        if let Some(known) = self.known.get(&key.masked(&self.mask)) {
            return Ok(*known);
        }
        let (valuation, mask) = expander.valuation(space, key, &self.atoms)?;
        let mask = self.mask.union(&mask);
        if mask != self.mask || self.known.len() >= MOST_KNOWN {
            self.known.clear();
            self.mask = mask;
        }
        self.known.insert(key.masked(&mask), valuation);
        Ok(valuation)
    }

    /// The same atoms, for keys of another layout.
    pub fn repack<const V: usize>(self) -> Valuations<V> {
        Valuations::new(self.atoms)
    }
}
