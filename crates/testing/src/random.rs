//! A small generator of pseudo-random numbers.

/// SplitMix64 [steele-lea-flood14]: one addition and a few mixing steps, and any seed is as good as any other.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random { state: seed }
    }

    #[expect(clippy::should_implement_trait, reason = "there is no end to these numbers")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound that is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several things, of which there must be one.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// The same for things that are copied.
    pub fn one_of<T: Copy>(&mut self, from: &[T]) -> T {
        *self.pick(from)
    }

    /// The index of one of several weights, each as likely as it is heavy.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut point = self.below(weights.iter().sum());
        weights
            .iter()
            .position(|&weight| {
                let here = point < weight;
                point = point.wrapping_sub(weight);
                here
            })
            .unwrap_or(0)
    }
}
