//! The models that are timed, with what SPIN finds in them.

use std::path::PathBuf;

use crate::compare::EXAMPLES;

/// Where our own models are, from the root of the workspace.
const OURS: &str = "testdata/bench";

pub struct Benchmark {
    pub name: &'static str,
    source: Source,
    /// `NAME=VALUE`, for `-D`.
    pub defines: &'static [&'static str],
    /// The full state space, by SPIN's count.
    pub states: u64,
    /// The depth that SPIN's search reaches. Its stack is made to fit, for SPIN allocates all of it at the start.
    depth: u64,
    /// Models with deadlocks are searched by both without looking for these: finding counterexamples is not timed.
    pub deadlocks: bool,
}

enum Source {
    Ours(&'static str),
    /// A model of Debian's package, which stays where it is.
    Package(&'static str),
}

const fn ours(name: &'static str, file: &'static str, states: u64, depth: u64) -> Benchmark {
    Benchmark { name, source: Source::Ours(file), defines: &[], states, depth, deadlocks: false }
}

const fn package(name: &'static str, file: &'static str, states: u64, depth: u64) -> Benchmark {
    Benchmark { name, source: Source::Package(file), defines: &[], states, depth, deadlocks: false }
}

impl Benchmark {
    const fn with(self, defines: &'static [&'static str]) -> Self {
        Benchmark { defines, ..self }
    }

    const fn with_deadlocks(self) -> Self {
        Benchmark { deadlocks: true, ..self }
    }

    pub fn is_ours(&self) -> bool {
        matches!(self.source, Source::Ours(_))
    }

    pub fn path(&self) -> PathBuf {
        match self.source {
            Source::Ours(file) => PathBuf::from(OURS).join(file),
            Source::Package(file) => PathBuf::from(EXAMPLES).join(file),
        }
    }

    /// For `pan -m`: a little more than what is needed.
    pub fn stack_size(&self) -> u64 {
        self.depth + self.depth / 10 + 100
    }

    /// For `pan -w`: SPIN is at its best with about as many slots as there are states. Below 2^20 the table costs nothing.
    pub fn hash_bits(&self) -> u32 {
        self.states.next_power_of_two().trailing_zeros().max(20)
    }
}

pub const BENCHMARKS: &[Benchmark] = &[
    ours("leader_5", "leader.pml", 11_559, 137).with(&["N=5"]),
    ours("leader_6", "leader.pml", 60_679, 122).with(&["N=6"]),
    ours("leader_7", "leader.pml", 418_977, 187).with(&["N=7"]),
    ours("filter_lock_3", "filter_lock.pml", 2_973, 1_004).with(&["N=3"]),
    ours("filter_lock_4", "filter_lock.pml", 76_407, 14_612).with(&["N=4"]),
    ours("filter_lock_5", "filter_lock.pml", 2_270_321, 284_462).with(&["N=5"]),
    package("snoopy", "snoopy.pml", 91_920, 12_226).with_deadlocks(),
    package("pftp", "LTL/pftp.pml", 439_895, 5_780),
    package("cambridge", "cambridge.pml", 1_252_655, 17_117),
    package("sort", "sort.pml", 659_683, 202),
    ours("sliding_window", "sliding_window.pml", 2_804_240, 262_603),
    ours("sorters", "sorters.pml", 1_372_584, 618),
    ours("torus", "torus.pml", 611_827, 549_535),
    ours("generations", "generations.pml", 423_267, 69),
    ours("long_queues", "long_queues.pml", 1_180_960, 251_062),
    ours("philosophers", "philosophers.pml", 1_049_600, 2_622_944),
    ours("handshakes", "handshakes.pml", 784_404, 617_022),
    ours("scramble", "scramble.pml", 2_434_136, 15),
    ours("barrier", "barrier.pml", 1_062_880, 173),
];

/// More than SPIN can hold on most machines. The count is arithmetic, see the model.
pub const HUGE: &Benchmark = &ours("hundred_million", "hundred_million.pml", 116_220_258, 500);

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

    use crate::bench::first;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn every_model_is_accepted() {
        for benchmark in BENCHMARKS.iter().chain([HUGE]) {
            let path = root().join(benchmark.path());
            if matches!(benchmark.source, Source::Package(_)) && !path.exists() {
                println!("{}: skipped, SPIN's examples are not installed", benchmark.name);
                continue;
            }
            let text = std::fs::read(&path).expect("the model is there");
            let define = |define: &&str| {
                let (name, value) = define.split_once('=').expect("a name and a value");
                (name.to_owned(), value.to_owned())
            };
            let defines = benchmark.defines.iter().map(define).collect();
            let options = LoadOptions { defines, ..LoadOptions::default() };
            let loaded = load(benchmark.name, &text, &options, &NoIncludes);
            assert!(loaded.model.is_some(), "{}", loaded.diagnostics.render(&loaded.sources));
        }
    }

    #[test]
    fn every_model_of_ours_is_timed() {
        let timed: BTreeSet<PathBuf> = BENCHMARKS.iter().chain([HUGE]).map(Benchmark::path).collect();
        for entry in std::fs::read_dir(root().join(OURS)).expect("there are models") {
            let name = entry.expect("it can be listed").file_name();
            let is_of_first = first::MODELS.iter().any(|model| name == *format!("{model}.pml"));
            if is_of_first {
                continue;
            }
            assert!(timed.contains(&Path::new(OURS).join(&name)), "{name:?} is in no row of the table");
        }
    }

    #[test]
    fn the_hash_table_fits_the_states() {
        let small = ours("small", "small.pml", 10, 5);
        assert_eq!((small.hash_bits(), small.stack_size()), (20, 105));
        let large = ours("large", "large.pml", (1 << 22) + 1, 1_000);
        assert_eq!((large.hash_bits(), large.stack_size()), (23, 1_200));
        assert_eq!(ours("exact", "exact.pml", 1 << 22, 0).hash_bits(), 22);
    }
}
