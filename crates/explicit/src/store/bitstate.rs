//! The bitstate store: of each state only three bits, in a table of fixed size.
//!
//! Paper:    [holzmann98], supertrace or bit-state hashing; [bloom70] for the filter.
//! Deviates: the three bits of a state lie in one 64-bit word. That costs one access to memory instead of three, and
//!           several threads agree on which of them was first. In exchange, states are confused somewhat more often.
//!
//! A state whose bits are all set by others is passed over. So the store can miss states; a search that uses it never
//! proves anything.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Inserted;
use super::memory::{Memory, OutOfMemory};
use super::pages::Pages;
use super::prefetch::prefetch;

pub(crate) struct Bitstate {
    words: Pages<AtomicU64>,
}

const SAMPLE: usize = 1 << 14;
/// How many hash functions there are.
const BITS: i32 = 3;

impl Bitstate {
    pub fn new(bytes: usize, memory: &Memory) -> Result<Bitstate, OutOfMemory> {
        Ok(Bitstate { words: Pages::zeroed((bytes / size_of::<AtomicU64>()).max(1 << 10), memory)? })
    }

    #[inline(always)]
    pub fn prefetch(&self, fingerprint: u64) {
        prefetch(&self.words[self.home(fingerprint)]);
    }

    #[inline(always)]
    pub fn insert(&self, fingerprint: u64) -> Inserted {
        let bits = bits(fingerprint);
        let before = self.words[self.home(fingerprint)].fetch_or(bits, Ordering::Relaxed);
        if before & bits == bits { Inserted::Known } else { Inserted::New }
    }

    fn home(&self, fingerprint: u64) -> usize {
        ((u128::from(fingerprint) * self.words.len() as u128) >> 64) as usize
    }

    /// How likely it is that a state that was never seen is taken for one that was: that three random bits of a
    /// random word are set.
    pub fn confusion(&self) -> f64 {
        let chance = |word: &AtomicU64| (f64::from(word.load(Ordering::Relaxed).count_ones()) / 64.0).powi(BITS);
        // Some words tell enough about all: their places are random.
        let sample = self.words.iter().step_by((self.words.len() / SAMPLE).max(1));
        let count = sample.len();
        sample.map(chance).sum::<f64>() / count as f64
    }
}

/// Three bits, told by the low bits of the fingerprint: the high ones tell the word.
fn bits(fingerprint: u64) -> u64 {
    1 << (fingerprint & 63) | 1 << (fingerprint >> 6 & 63) | 1 << (fingerprint >> 12 & 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::key::Key;

    #[test]
    fn what_was_stored_is_known_and_little_else() {
        let memory = Memory::new(None);
        let store = Bitstate::new(1 << 17, &memory).expect("there is no limit");
        let states = 1 << 15;
        let new = (0..states).filter(|&number| store.insert(Key([number]).hash()) == Inserted::New).count();
        assert!((0..states).all(|number| store.insert(Key([number]).hash()) == Inserted::Known));
        let missed = states as usize - new;
        assert!((1..200).contains(&missed), "{missed} of {states} passed over with 32 bits for each");
        let strangers = 1 << 18;
        let confused = (states..states + strangers)
            .map(|number| Key([number]).hash())
            .filter(|&fingerprint| {
                store.words[store.home(fingerprint)].load(Ordering::Relaxed) & bits(fingerprint) == bits(fingerprint)
            })
            .count();
        let ratio = confused as f64 / strangers as f64 / store.confusion();
        assert!((0.8..1.25).contains(&ratio), "confusion is off by {ratio}");
    }
}
