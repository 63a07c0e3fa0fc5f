//! Keys: what a state is to the search. A key is a row of 64-bit words in which every component of the state has a
//! field that holds the number of its value.
//!
//! The top bit of the first word is never part of a field: it belongs to the table that stores the key. No key is
//! zero in its first word, see [`Layout`](super::layout::Layout).

use reductio_model::hash::hash_words;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key<const W: usize>(pub [u64; W]);

/// Where the number of one component stands: bits `shift..shift + bits` of one word. A field never straddles words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub word: u16,
    pub shift: u8,
    pub bits: u8,
}

impl Field {
    pub fn ones(self) -> u64 {
        (1 << self.bits) - 1
    }

    /// Can the field hold this number?
    pub fn holds(self, number: u32) -> bool {
        u64::from(number) <= self.ones()
    }
}

impl<const W: usize> Key<W> {
    pub const ZERO: Key<W> = Key([0; W]);

    #[inline(always)]
    pub fn get(&self, field: Field) -> u32 {
        // Spares the shortest keys, which are the most frequent ones, the look at which word it is.
        let word = if W == 1 { 0 } else { field.word as usize };
        (self.0[word] >> field.shift & field.ones()) as u32
    }

    /// Fills a field that is zero.
    pub fn fill(&mut self, field: Field, number: u32) {
        debug_assert!(self.get(field) == 0 && field.holds(number));
        self.0[field.word as usize] |= u64::from(number) << field.shift;
    }

    /// Makes the field zero.
    pub fn clear(&mut self, field: Field) {
        self.0[field.word as usize] &= !(field.ones() << field.shift);
    }

    /// Makes the field all ones: a mask is a key of which one wants some fields.
    pub fn cover(&mut self, field: Field) {
        self.0[field.word as usize] |= field.ones() << field.shift;
    }

    /// Adds to a difference of keys that the field changes from one number to another.
    pub fn change(&mut self, field: Field, from: u32, to: u32) {
        let word = &mut self.0[field.word as usize];
        *word = word.wrapping_add(u64::from(to).wrapping_sub(u64::from(from)) << field.shift);
    }

    #[inline(always)]
    pub fn masked(&self, mask: &Key<W>) -> Key<W> {
        let mut words = self.0;
        for (word, mask) in words.iter_mut().zip(&mask.0) {
            *word &= mask;
        }
        Key(words)
    }

    /// The key that differs from this one by `difference`. Fields neither overflow nor borrow in the end, so that
    /// what they do to each other on the way cancels out.
    #[inline(always)]
    pub fn plus(&self, difference: &Key<W>) -> Key<W> {
        let mut words = self.0;
        for (word, difference) in words.iter_mut().zip(&difference.0) {
            *word = word.wrapping_add(*difference);
        }
        Key(words)
    }

    pub fn union(&self, other: &Key<W>) -> Key<W> {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(&other.0) {
            *word |= other;
        }
        Key(words)
    }

    /// Sixty-four bits that depend on every bit of the key: high and low ones are equally good.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        hash_words(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: Field = Field { word: 0, shift: 0, bits: 3 };
    const MIDDLE: Field = Field { word: 0, shift: 3, bits: 30 };
    const HIGH: Field = Field { word: 1, shift: 60, bits: 4 };

    #[test]
    fn differences_of_keys_add_up_whatever_the_fields_do() {
        for (from, to) in [([0, 0, 0], [7, 1 << 29, 15]), ([7, 5, 15], [0, 6, 0]), ([3, 9, 1], [4, 8, 2])] {
            let mut key = Key::<2>::ZERO;
            let mut expected = Key::<2>::ZERO;
            let mut difference = Key::<2>::ZERO;
            for (index, field) in [LOW, MIDDLE, HIGH].into_iter().enumerate() {
                key.fill(field, from[index]);
                expected.fill(field, to[index]);
                difference.change(field, from[index], to[index]);
            }
            assert_eq!(key.plus(&difference), expected);
        }
    }

    #[test]
    fn a_mask_keeps_whole_fields() {
        let mut key = Key::<2>::ZERO;
        key.fill(LOW, 5);
        key.fill(MIDDLE, 1234);
        key.fill(HIGH, 9);
        let mut mask = Key::<2>::ZERO;
        mask.cover(MIDDLE);
        let masked = key.masked(&mask);
        assert_eq!((masked.get(LOW), masked.get(MIDDLE), masked.get(HIGH)), (0, 1234, 0));
        assert!(MIDDLE.holds((1 << 30) - 1) && !MIDDLE.holds(1 << 30));
    }

    #[test]
    fn hashes_spread_over_a_table_by_their_high_bits_and_by_their_low_bits() {
        let slots = 1 << 12;
        for shift in [0, 52] {
            let used = |n: u64| (Key([n, n / 7]).hash() >> shift & (slots - 1)) as usize;
            let mut seen = vec![false; slots as usize];
            (0..slots).for_each(|n| seen[used(n)] = true);
            let count = seen.iter().filter(|seen| **seen).count();
            // A random function hits 1 - 1/e of the slots, about 2589.
            assert!((2450..2730).contains(&count), "{count} slots used");
        }
    }
}
