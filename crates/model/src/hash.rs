//! The one place for hash functions. Everything that is looked up in a hot path is hashed by these: states and their parts, keys
//! of states, nodes of decision diagrams.
//!
//! Paper:    the multiply-and-fold construction of wyhash (Wang Yi), as used by many hash tables today.
//! Deviates: one lane instead of three, since states are mostly shorter than a hundred bytes.
//!
//! None of them resists somebody who looks for collisions. What comes from outside, such as names, is hashed by the standard
//! library.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Odd, and about half of the bits are set.
pub const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
pub const SECOND: u64 = 0xa076_1d64_78bd_642f;
const LAST: u64 = 0xe703_7ed1_a0b4_28db;

/// A map whose keys are hashed by [`FoldHasher`].
pub type FoldMap<K, V> = HashMap<K, V, BuildHasherDefault<FoldHasher>>;

/// Both halves of the product: the high bits carry what a plain multiplication loses.
#[inline(always)]
pub fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

/// Sixty-four bits that depend on every bit of `bytes`.
#[inline]
pub fn hash(bytes: &[u8]) -> u64 {
    let mut accumulator = FIRST ^ bytes.len() as u64;
    let mut pairs = bytes.chunks_exact(16);
    for pair in &mut pairs {
        accumulator = fold(word(&pair[..8]) ^ SECOND, word(&pair[8..]) ^ accumulator);
    }
    let rest = pairs.remainder();
    let (low, high) = rest.split_at(rest.len().min(8));
    accumulator = fold(word(low) ^ SECOND, word(high) ^ accumulator);
    fold(accumulator ^ LAST, SECOND)
}

/// Up to eight bytes as a number. The length of the whole is hashed too, so padding cannot make states collide.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    let mut padded = [0; 8];
    padded[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(padded)
}

/// Sixty-four bits that depend on every bit of some words, of which there is at least one. High and low bits are equally good.
#[inline(always)]
pub fn hash_words(words: &[u64]) -> u64 {
    let mut accumulator = fold(words[0] ^ FIRST, SECOND);
    for word in &words[1..] {
        accumulator = fold(word ^ FIRST, accumulator ^ SECOND);
    }
    accumulator
}

/// Sixty-four bits that depend on every bit of both, also where one of them is zero: the finalizer of splitmix64.
#[inline]
pub fn mix(left: u64, right: u64) -> u64 {
    let mut bits = left.wrapping_mul(FIRST).wrapping_add(right ^ SECOND);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// For keys that are rows of words.
#[derive(Clone, Copy, Default)]
pub struct FoldHasher(u64);

impl Hasher for FoldHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(8).for_each(|bytes| self.write_u64(word(bytes)));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word, FIRST);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    use super::*;

    #[test]
    fn every_bit_and_the_length_matter() {
        for length in [0, 1, 7, 8, 9, 15, 16, 17, 40] {
            let state = vec![0; length];
            let plain = hash(&state);
            assert_ne!(plain, hash(&vec![0; length + 1]));
            for bit in 0..length * 8 {
                let mut changed = state.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                let difference = (plain ^ hash(&changed)).count_ones();
                assert!((10..=54).contains(&difference), "length {length}, bit {bit}: {difference} bits differ");
            }
        }
    }

    #[test]
    fn states_that_count_up_spread_over_a_table() {
        let slots = 1 << 12;
        let used: HashSet<u64> = (0..slots).map(|n: u64| hash(&n.to_le_bytes()) & (slots - 1)).collect();
        // A random function hits 1 - 1/e of the slots, about 2589.
        assert!((2450..2730).contains(&used.len()), "{} slots used", used.len());
    }

    #[test]
    fn rows_of_words_spread_over_a_table_by_their_high_bits_and_by_their_low_bits() {
        let slots: u64 = 1 << 12;
        let hash = |pair: (u32, u32)| BuildHasherDefault::<FoldHasher>::default().hash_one(pair);
        for shift in [0, 52] {
            let used = (0..slots as u32).map(|n| hash((n, n / 7)) >> shift & (slots - 1)).collect::<HashSet<u64>>();
            assert!((2450..2730).contains(&used.len()), "{} slots used", used.len());
        }
    }

    #[test]
    fn words_are_hashed_like_their_bytes() {
        let of = |write: &dyn Fn(&mut FoldHasher)| {
            let mut hasher = FoldHasher::default();
            write(&mut hasher);
            hasher.finish()
        };
        assert_eq!(of(&|hasher| hasher.write_u32(77)), of(&|hasher| hasher.write(&77u32.to_le_bytes())));
        assert_eq!(of(&|hasher| hasher.write_usize(77)), of(&|hasher| hasher.write(&77u64.to_le_bytes())));
        let both = [1u64.to_le_bytes(), 2u64.to_le_bytes()].concat();
        assert_eq!(of(&|hasher| (1..=2).for_each(|word| hasher.write_u64(word))), of(&|hasher| hasher.write(&both)));
    }
}
