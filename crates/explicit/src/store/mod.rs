//! Where the states that were seen are kept: exactly, or with less memory and some risk.

mod bitstate;
mod compact;
pub mod memory;
pub(crate) mod numbered;
mod pages;
pub(crate) mod prefetch;
mod table;

pub use memory::{Memory, OutOfMemory};
use reductio_model::hash::{FIRST, SECOND, fold};
use reductio_reduce::StoreChoice;

use self::bitstate::Bitstate;
use self::compact::Compact;
use self::table::Table;
use crate::packed::key::Key;
use crate::packed::layout::Layout;

/// What became of a state that was offered to a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inserted {
    New,
    Known,
    /// There is no room for it.
    Full,
}

pub(crate) enum Store<const W: usize> {
    Exact(Table<W>),
    Compact(Compact),
    Bitstate(Bitstate),
}

/// Of four parts of the memory, stores of fixed size take so many: the search needs the rest.
const SHARE_OF_FIXED_STORES: u64 = 3;

/// Who sets no limit does not mean everything.
const MOST_FOR_FIXED_STORES: u64 = 1 << 36;

impl<const W: usize> Store<W> {
    pub fn new(choice: StoreChoice, memory: &Memory) -> Result<Store<W>, OutOfMemory> {
        let fixed = (memory.available().min(MOST_FOR_FIXED_STORES) / 4 * SHARE_OF_FIXED_STORES) as usize;
        Ok(match choice {
            StoreChoice::Exact => Store::Exact(Table::new(memory)?),
            StoreChoice::Compact => Store::Compact(Compact::new(fixed, memory)?),
            StoreChoice::Bitstate => Store::Bitstate(Bitstate::new(fixed, memory)?),
        })
    }

    /// What is to be given to [`Store::prefetch`] and [`Store::insert`] for a key.
    #[inline(always)]
    pub fn hash(&self, layout: &Layout, key: &Key<W>) -> u64 {
        match self {
            Store::Exact(_) => key.hash(),
            Store::Compact(_) | Store::Bitstate(_) => fingerprint(layout, key),
        }
    }

    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        match self {
            Store::Exact(table) => table.prefetch(hash),
            Store::Compact(store) => store.prefetch(hash),
            Store::Bitstate(store) => store.prefetch(hash),
        }
    }

    /// Stores a key unless it is there. `in_parallel` says that other threads may do the same now.
    #[inline(always)]
    pub fn insert(&self, hash: u64, key: &Key<W>, in_parallel: bool) -> Inserted {
        match self {
            Store::Exact(table) if in_parallel => table.insert::<true>(hash, key),
            Store::Exact(table) => table.insert::<false>(hash, key),
            Store::Compact(store) => store.insert(hash),
            Store::Bitstate(store) => store.insert(hash),
        }
    }

    /// So many keys may be stored before it has to grow.
    pub fn capacity(&self) -> usize {
        match self {
            Store::Exact(table) => table.capacity(),
            Store::Compact(store) => store.capacity(),
            Store::Bitstate(_) => usize::MAX,
        }
    }

    pub fn grow(&mut self, threads: usize, memory: &Memory) -> Result<(), OutOfMemory> {
        match self {
            Store::Exact(table) => table.grow(threads, memory),
            Store::Compact(_) | Store::Bitstate(_) => Err(OutOfMemory),
        }
    }

    /// The same states under other keys.
    pub fn repack<const V: usize>(
        self,
        stored: usize,
        threads: usize,
        memory: &Memory,
        repack: impl Fn(&Key<W>) -> Key<V> + Copy + Send,
    ) -> Result<Store<V>, OutOfMemory> {
        Ok(match self {
            Store::Exact(table) => Store::Exact(table.repack(stored, threads, memory, repack)?),
            // Fingerprints do not depend on how keys are packed.
            Store::Compact(store) => Store::Compact(store),
            Store::Bitstate(store) => Store::Bitstate(store),
        })
    }

    /// How likely it is that a state that was never seen is taken for one that was, when so many are stored.
    /// `None`: that cannot happen.
    pub fn confusion(&self, stored: usize) -> Option<f64> {
        match self {
            Store::Exact(_) => None,
            Store::Compact(store) => Some(store.confusion(stored)),
            Store::Bitstate(store) => Some(store.confusion()),
        }
    }
}

/// Sixty-four bits that depend on the numbers of all components, but not on where their fields are: stores that
/// forget the keys cannot pack them anew.
fn fingerprint<const W: usize>(layout: &Layout, key: &Key<W>) -> u64 {
    let mut sum: u64 = 0;
    for (index, component) in layout.components().iter().enumerate() {
        // A zero adds nothing, so that components can be added later: until then they are zero.
        let number = u64::from(key.get(component.field));
        sum = sum.wrapping_add(fold(number.wrapping_mul(FIRST), FIRST ^ (index as u64 + 1) << 32));
    }
    fold(sum ^ FIRST, SECOND)
}
