//! A hash of states.
//!
//! Paper:    the multiply-and-fold construction of wyhash (Wang Yi), as used by many hash tables today.
//! Deviates: one lane instead of three, since states are mostly shorter than a hundred bytes.

const KEY_FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const KEY_SECOND: u64 = 0xa076_1d64_78bd_642f;
const KEY_LAST: u64 = 0xe703_7ed1_a0b4_28db;

/// Sixty-four bits that depend on every bit of `bytes`.
pub fn hash(bytes: &[u8]) -> u64 {
    let mut accumulator = KEY_FIRST ^ bytes.len() as u64;
    let mut pairs = bytes.chunks_exact(16);
    for pair in &mut pairs {
        accumulator = fold(word(&pair[..8]) ^ KEY_SECOND, word(&pair[8..]) ^ accumulator);
    }
    let rest = pairs.remainder();
    let (low, high) = rest.split_at(rest.len().min(8));
    accumulator = fold(word(low) ^ KEY_SECOND, word(high) ^ accumulator);
    fold(accumulator ^ KEY_LAST, KEY_SECOND)
}

/// Up to eight bytes as a number. The length of the whole is hashed too, so padding cannot make states collide.
fn word(bytes: &[u8]) -> u64 {
    let mut padded = [0; 8];
    padded[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(padded)
}

/// Both halves of the product: the high bits carry what a plain multiplication loses.
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

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
}
