//! The hash-compact store: of each state four bytes of its fingerprint, in a table of fixed size.
//!
//! Paper:    [wolper-leroy93], as improved by [stern-dill95]: where a fingerprint stands in the table is part of what
//!           is known about the state, so fewer bits have to be stored.
//! Deviates: linear probing, since neighbouring slots come with the same access to memory.
//!
//! Two states that agree in what is kept are taken for one, and the second is passed over. So the store can miss
//! states; a search that uses it never proves anything.

use std::sync::atomic::{AtomicU32, Ordering};

use super::Inserted;
use super::memory::{Memory, OutOfMemory};
use super::pages::Pages;
use super::prefetch::prefetch;

pub(crate) struct Compact {
    slots: Pages<AtomicU32>,
}

const LONGEST_PROBE: usize = 1 << 10;

impl Compact {
    pub fn new(bytes: usize, memory: &Memory) -> Result<Compact, OutOfMemory> {
        Ok(Compact { slots: Pages::zeroed((bytes / size_of::<AtomicU32>()).max(LONGEST_PROBE), memory)? })
    }

    pub fn capacity(&self) -> usize {
        self.slots.len() / 10 * 9
    }

    #[inline(always)]
    pub fn prefetch(&self, fingerprint: u64) {
        prefetch(&self.slots[self.home(fingerprint)]);
    }

    #[inline(always)]
    pub fn insert(&self, fingerprint: u64) -> Inserted {
        // The high bits tell the slot, so the low ones are kept. Zero is for slots that are free.
        let kept = (fingerprint as u32).max(1);
        let home = self.home(fingerprint);
        for distance in 0..LONGEST_PROBE {
            let slot = &self.slots[(home + distance) % self.slots.len()];
            let seen = match slot.load(Ordering::Relaxed) {
                0 => match slot.compare_exchange(0, kept, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => return Inserted::New,
                    Err(other) => other,
                },
                other => other,
            };
            if seen == kept {
                return Inserted::Known;
            }
        }
        Inserted::Full
    }

    fn home(&self, fingerprint: u64) -> usize {
        ((u128::from(fingerprint) * self.slots.len() as u128) >> 64) as usize
    }

    /// How likely it is that a state that was never seen is taken for one that was, when so many are stored.
    pub fn confusion(&self, stored: usize) -> f64 {
        let load = stored as f64 / self.slots.len() as f64;
        // Knuth's count of the slots that an unsuccessful search looks at; all but the last are taken.
        let looked_at = (1.0 + 1.0 / (1.0 - load).powi(2)) / 2.0 - 1.0;
        looked_at / f64::from(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::key::Key;

    #[test]
    fn what_was_stored_is_known_until_the_table_is_full() {
        let memory = Memory::new(None);
        let store = Compact::new(40_000, &memory).expect("there is no limit");
        for round in 0..2 {
            for number in 0..store.capacity() as u64 {
                let expected = if round == 0 { Inserted::New } else { Inserted::Known };
                assert_eq!(store.insert(Key([number]).hash()), expected);
            }
        }
        let mut full = 0;
        for number in store.capacity() as u64..2 * store.capacity() as u64 {
            full += (store.insert(Key([number]).hash()) == Inserted::Full) as u32;
        }
        assert!(full > 0);
    }

    #[test]
    fn states_that_agree_in_what_is_kept_are_taken_for_one() {
        let memory = Memory::new(None);
        let store = Compact::new(40_000, &memory).expect("there is no limit");
        assert_eq!(store.insert(5 << 40 | 7), Inserted::New);
        assert_eq!(store.insert(6 << 40 | 7), Inserted::Known, "same slot, same low bits");
        assert_eq!(store.insert(5 << 40 | 8), Inserted::New);
        assert_eq!(store.insert(1 << 63 | 7), Inserted::New, "another slot");
    }
}
