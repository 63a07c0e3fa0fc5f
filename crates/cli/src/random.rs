//! Chance that a seed can repeat.

use std::time::{SystemTime, UNIX_EPOCH};

/// The generator SplitMix64 (Steele, Lea and Flood): small, and the same on every machine, so that a seed tells a run.
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`. Small numbers are more likely by at most `bound` in 2^64, which nobody will notice.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

pub fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Short enough to be typed again.
    Random::new(now.as_nanos() as u64).next() % 1_000_000
}
