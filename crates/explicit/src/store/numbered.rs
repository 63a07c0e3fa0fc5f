//! An exact store that keeps a number with every key.

use std::sync::atomic::AtomicU64;

use super::memory::{Memory, OutOfMemory};
use super::pages::Pages;
use crate::packed::key::Key;

/// Open addressing, one thread. A slot holds the words of a key and then its number.
pub(crate) struct Numbered<const W: usize> {
    words: Pages<AtomicU64>,
    slots: usize,
    len: usize,
}

const FIRST_SLOTS: usize = 1 << 10;

impl<const W: usize> Numbered<W> {
    /// Words in a slot.
    const WIDTH: usize = W + 1;

    pub fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        Numbered::with_slots(FIRST_SLOTS, memory)
    }

    fn with_slots(slots: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Numbered { words: Pages::zeroed(slots * Self::WIDTH, memory)?, slots, len: 0 })
    }

    /// The number of a key, if it is known.
    pub fn get(&mut self, key: &Key<W>) -> Option<u64> {
        self.find(key).ok()
    }

    /// The number of a key that is known; or else it is known from now on, by this number.
    pub fn get_or_insert(&mut self, key: &Key<W>, number: u64, memory: &Memory) -> Result<Option<u64>, OutOfMemory> {
        if self.len >= self.slots / 4 * 3 {
            self.grow(memory)?;
        }
        match self.find(key) {
            Ok(known) => Ok(Some(known)),
            Err(slot) => {
                self.fill(slot, key, number);
                Ok(None)
            }
        }
    }

    /// Changes the number of a key that is known.
    pub fn set(&mut self, key: &Key<W>, number: u64) {
        if let Ok(slot) = self.slot(key) {
            *self.words[slot * Self::WIDTH + W].get_mut() = number;
        }
    }

    /// Gives its memory back.
    pub fn release(self, memory: &Memory) {
        memory.release(self.bytes());
    }

    /// The number of the key, or else the slot where it belongs.
    fn find(&mut self, key: &Key<W>) -> Result<u64, usize> {
        let slot = self.slot(key)?;
        Ok(*self.words[slot * Self::WIDTH + W].get_mut())
    }

    /// The slot of the key, or else the slot where it belongs.
    fn slot(&mut self, key: &Key<W>) -> Result<usize, usize> {
        debug_assert!(key.0[0] != 0);
        let mut slot = ((u128::from(key.hash()) * self.slots as u128) >> 64) as usize;
        loop {
            let words = &mut self.words[slot * Self::WIDTH..][..Self::WIDTH];
            if *words[0].get_mut() == 0 {
                return Err(slot);
            }
            if words.iter_mut().zip(&key.0).all(|(stored, word)| *stored.get_mut() == *word) {
                return Ok(slot);
            }
            slot = if slot + 1 == self.slots { 0 } else { slot + 1 };
        }
    }

    fn fill(&mut self, slot: usize, key: &Key<W>, number: u64) {
        let words = &mut self.words[slot * Self::WIDTH..][..Self::WIDTH];
        for (stored, word) in words.iter_mut().zip(key.0.iter().chain([&number])) {
            *stored.get_mut() = *word;
        }
        self.len += 1;
    }

    fn grow(&mut self, memory: &Memory) -> Result<(), OutOfMemory> {
        let larger = self.copied(self.slots * 2, memory, |key| *key)?;
        memory.release(self.bytes());
        *self = larger;
        Ok(())
    }

    /// The same numbers for other keys.
    pub fn repack<const V: usize>(
        mut self,
        memory: &Memory,
        repack: impl Fn(&Key<W>) -> Key<V>,
    ) -> Result<Numbered<V>, OutOfMemory> {
        let packed = self.copied(self.slots, memory, repack)?;
        memory.release(self.bytes());
        Ok(packed)
    }

    fn copied<const V: usize>(
        &mut self,
        slots: usize,
        memory: &Memory,
        repack: impl Fn(&Key<W>) -> Key<V>,
    ) -> Result<Numbered<V>, OutOfMemory> {
        let mut copy = Numbered::with_slots(slots, memory)?;
        for words in self.words.chunks_exact_mut(Self::WIDTH) {
            let key = Key(std::array::from_fn(|index| *words[index].get_mut()));
            if key.0[0] != 0 {
                let key = repack(&key);
                if let Err(slot) = copy.find(&key) {
                    copy.fill(slot, &key, *words[W].get_mut());
                }
            }
        }
        Ok(copy)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key<const W: usize>(number: u64) -> Key<W> {
        // Neighbours share words, so that comparing only one of them would show.
        Key(std::array::from_fn(|index| (number >> (3 * index)) + 1))
    }

    fn keeps_numbers<const W: usize>() {
        const KEYS: u64 = 20_000;
        let memory = Memory::new(None);
        let mut store = Numbered::<W>::new(&memory).expect("there is no limit");
        for number in 0..KEYS {
            assert_eq!(store.get(&key(number)), None);
            assert_eq!(store.get_or_insert(&key(number), number, &memory), Ok(None));
        }
        let other = |key: &Key<W>| Key([key.0[0], key.0[W - 1]]);
        let known = (0..KEYS).all(|number| store.get_or_insert(&key(number), 7, &memory) == Ok(Some(number)));
        assert!(known && store.len() == KEYS as usize);
        if W <= 2 {
            let mut packed = store.repack::<2>(&memory, other).expect("there is no limit");
            assert!((0..KEYS).all(|number| packed.get(&other(&key(number))) == Some(number)));
        }
    }

    #[test]
    fn keys_keep_their_numbers() {
        keeps_numbers::<1>();
        keeps_numbers::<2>();
        keeps_numbers::<4>();
    }

    #[test]
    fn a_full_memory_changes_nothing() {
        let memory = Memory::new(Some(100_000));
        let mut store = Numbered::<1>::new(&memory).expect("the first table is small");
        let stored = (0..).find(|&number| store.get_or_insert(&key(number), number, &memory).is_err());
        let stored = stored.expect("memory ends");
        assert!(stored > 1000 && memory.peak() <= 100_000);
        assert!((0..stored).all(|number| store.get(&key(number)) == Some(number)));
    }
}
