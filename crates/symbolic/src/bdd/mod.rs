//! Binary decision diagrams, as far as model checking needs them: all that this crate knows of the library underneath.
//!
//! Every operation can run out of memory or time, which ends whatever needed it with a [`Stop`].

mod files;
mod reorder;
mod sifting;
mod support;

use std::cell::Cell;
use std::time::Instant;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OptBool, SatCountCache, num::F64};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager as _, ManagerRef, Subst,
};
use reductio_model::{Budget, Gauge, Why};

pub use files::NoDiagram;

/// A node takes at most about this many bytes, an entry of the cache this many: sixteen for the node itself, and its place in a
/// table that may be three eighths full and in two places while it grows. Tables that have become too large stay so.
const BYTES_PER_NODE: u64 = 56;
const BYTES_PER_CACHE_ENTRY: u64 = 28;
/// Collecting garbage looks at every entry of the cache, so a larger one does not pay.
const LARGEST_CACHE: u64 = 1 << 20;
/// With fewer nodes than this, there is no garbage worth collecting, unless orders are looked for earlier.
const FIRST_COLLECTION: usize = 1 << 18;
/// How often there may be as many nodes as were in use after the last collection.
const GARBAGE: usize = 4;
/// However much is in use already, there is room for some nodes.
const SMALLEST_PART: u64 = 16;
/// The library numbers nodes with 31 bits.
const MOST_NODES: u64 = 1 << 30;

/// A variable of the diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit(u32);

impl Bit {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of assignments to the bits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

/// Why a computation was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop(pub Why);

pub type Computed<T> = Result<T, Stop>;

/// Makes diagrams and combines them. Several managers have nothing to do with each other.
pub struct Manager<'a> {
    library: BCDDManagerRef,
    budget: &'a Budget,
    /// What of it is for all managers together.
    memory: u64,
    gauge: Gauge,
    deadline: Option<Instant>,
    bits: u32,
    /// How many nodes there is room for.
    capacity: usize,
    growth: Cell<Growth>,
    /// Bits that stay together when the order changes.
    pairs: Vec<(u32, u32)>,
    truth: Bdd,
    falsehood: Bdd,
}

/// How many nodes there were, and at how many something has to be done.
#[derive(Clone, Copy)]
struct Growth {
    /// The most that were in use whenever that was counted.
    most: usize,
    collect_at: usize,
    /// With fewer nodes, there is no garbage worth collecting.
    first_collection: usize,
    /// With fewer nodes in use, no order is bad enough to look for another.
    first_reordering: usize,
    /// `None` if the order stays as it is.
    reorder_at: Option<usize>,
}

/// Bits in the place of other bits.
pub struct Renaming(Subst<BCDDFunction>);

impl<'a> Manager<'a> {
    /// A manager with so many bits, ordered by number.
    pub fn new(bits: u32, budget: &'a Budget) -> Manager<'a> {
        let most = budget.memory_or_some();
        let gauge = Gauge::new(most, budget.resident);
        let memory = gauge.left().max(most / SMALLEST_PART);
        let cache = (memory / 4 / BYTES_PER_CACHE_ENTRY).clamp(1 << 8, LARGEST_CACHE);
        let nodes = memory.saturating_sub(cache * BYTES_PER_CACHE_ENTRY) / BYTES_PER_NODE;
        let capacity = nodes.clamp(1 << 10, MOST_NODES) as usize;
        let library = new_manager(capacity, cache as usize, 1);
        library.with_manager_exclusive(|manager| {
            manager.add_vars(bits);
        });
        let constant = |value| {
            library.with_manager_shared(|manager| {
                Bdd(if value { BCDDFunction::t(manager) } else { BCDDFunction::f(manager) })
            })
        };
        let (truth, falsehood) = (constant(true), constant(false));
        let deadline = budget.time.and_then(|(time, start)| start.checked_add(time));
        let first = Growth {
            most: 0,
            collect_at: FIRST_COLLECTION,
            first_collection: FIRST_COLLECTION,
            first_reordering: usize::MAX,
            reorder_at: None,
        };
        let growth = Cell::new(first);
        Manager {
            library,
            budget,
            memory: most,
            gauge,
            deadline,
            bits,
            capacity,
            growth,
            pairs: Vec::new(),
            truth,
            falsehood,
        }
    }

    pub fn bit_count(&self) -> u32 {
        self.bits
    }

    pub fn bit_at(&self, number: u32) -> Bit {
        assert!(number < self.bits, "there are {} bits", self.bits);
        Bit(number)
    }

    pub fn truth(&self, value: bool) -> Bdd {
        if value { self.truth.clone() } else { self.falsehood.clone() }
    }

    pub fn bit(&self, bit: Bit) -> Computed<Bdd> {
        self.retry(|| self.library.with_manager_shared(|manager| BCDDFunction::var(manager, bit.0)))
    }

    pub fn not(&self, f: &Bdd) -> Computed<Bdd> {
        self.retry(|| f.0.not())
    }

    pub fn and(&self, f: &Bdd, g: &Bdd) -> Computed<Bdd> {
        self.retry(|| f.0.and(&g.0))
    }

    pub fn or(&self, f: &Bdd, g: &Bdd) -> Computed<Bdd> {
        self.retry(|| f.0.or(&g.0))
    }

    pub fn xor(&self, f: &Bdd, g: &Bdd) -> Computed<Bdd> {
        self.retry(|| f.0.xor(&g.0))
    }

    pub fn equal(&self, f: &Bdd, g: &Bdd) -> Computed<Bdd> {
        self.retry(|| f.0.equiv(&g.0))
    }

    /// What is in the first and not in the second.
    pub fn minus(&self, f: &Bdd, g: &Bdd) -> Computed<Bdd> {
        self.retry(|| g.0.imp_strict(&f.0))
    }

    pub fn choose(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Computed<Bdd> {
        self.retry(|| condition.0.ite(&then.0, &otherwise.0))
    }

    pub fn all<'b>(&self, parts: impl IntoIterator<Item = &'b Bdd>) -> Computed<Bdd> {
        self.by_halves(&parts.into_iter().collect::<Vec<_>>(), true, &|f, g| self.and(f, g))
    }

    pub fn any<'b>(&self, parts: impl IntoIterator<Item = &'b Bdd>) -> Computed<Bdd> {
        self.by_halves(&parts.into_iter().collect::<Vec<_>>(), false, &|f, g| self.or(f, g))
    }

    /// Halves are combined with halves: one after the other, a long result would be made anew for each part.
    fn by_halves(&self, parts: &[&Bdd], none: bool, combine: &dyn Fn(&Bdd, &Bdd) -> Computed<Bdd>) -> Computed<Bdd> {
        match parts {
            [] => Ok(self.truth(none)),
            [one] => Ok((*one).clone()),
            _ => {
                let (one, other) = parts.split_at(parts.len() / 2);
                combine(&self.by_halves(one, none, combine)?, &self.by_halves(other, none, combine)?)
            }
        }
    }

    /// The conjunction of bits: how sets of bits are given to what quantifies them.
    pub fn cube(&self, bits: impl IntoIterator<Item = Bit>) -> Computed<Bdd> {
        self.point(bits.into_iter().map(|bit| (bit, true)))
    }

    pub fn exists(&self, f: &Bdd, cube: &Bdd) -> Computed<Bdd> {
        self.retry(|| f.0.exists(&cube.0))
    }

    /// The conjunction without some bits, in one go.
    pub fn and_exists(&self, f: &Bdd, g: &Bdd, cube: &Bdd) -> Computed<Bdd> {
        self.retry(|| f.0.apply_exists(BooleanOperator::And, &g.0, &cube.0))
    }

    pub fn renaming(&self, pairs: &[(Bit, Bit)]) -> Computed<Renaming> {
        let from: Vec<u32> = pairs.iter().map(|(from, _)| from.0).collect();
        let to: Computed<Vec<BCDDFunction>> = pairs.iter().map(|(_, to)| self.bit(*to).map(|bit| bit.0)).collect();
        Ok(Renaming(Subst::new(from, to?)))
    }

    pub fn rename(&self, f: &Bdd, renaming: &Renaming) -> Computed<Bdd> {
        self.retry(|| f.0.substitute(&renaming.0))
    }

    /// How many assignments to `bits` bits, among which are all that it looks at. Infinite if there are too many to tell.
    pub fn count(&self, f: &Bdd, bits: u32) -> f64 {
        let mut cache: SatCountCache<F64, std::hash::RandomState> = SatCountCache::default();
        f.0.sat_count(bits, &mut cache).0
    }

    /// One assignment; a bit that does not matter is false. `None` if there is none.
    pub fn pick(&self, f: &Bdd) -> Option<Vec<bool>> {
        let cube = f.0.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// The value of a bit in an assignment.
    pub fn value(&self, bit: Bit, assignment: &[bool]) -> bool {
        assignment[bit.0 as usize]
    }

    /// The set of one assignment to some bits.
    pub fn point(&self, values: impl IntoIterator<Item = (Bit, bool)>) -> Computed<Bdd> {
        let mut values: Vec<(Bit, bool)> = values.into_iter().collect();
        // From below, so that each bit takes one node.
        self.library.with_manager_shared(|manager| {
            values.sort_by_key(|(bit, _)| std::cmp::Reverse(manager.var_to_level(bit.0)));
        });
        let mut point = self.truth(true);
        for (bit, value) in values {
            let bit = self.bit(bit)?;
            point = if value { self.and(&point, &bit)? } else { self.minus(&point, &bit)? };
        }
        Ok(point)
    }

    pub fn node_count(&self, f: &Bdd) -> usize {
        f.0.node_count()
    }

    /// How many nodes there are in all, garbage included.
    fn nodes(&self) -> usize {
        self.library.with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    /// The most nodes that were in use whenever that was counted, and now.
    pub fn most_nodes(&self) -> usize {
        let in_use = self.collect();
        self.growth.get().most.max(in_use)
    }

    /// Drops what is not in use any more, and answers how many nodes are left.
    fn collect(&self) -> usize {
        self.library.with_manager_shared(|manager| manager.gc());
        let in_use = self.nodes();
        let growth = self.growth.get();
        let collect_at = growth.first_collection.max(in_use.saturating_mul(GARBAGE));
        self.growth.set(Growth { most: growth.most.max(in_use), collect_at, ..growth });
        in_use
    }

    /// About how much memory so many nodes take.
    pub fn memory_of(&self, nodes: usize) -> u64 {
        nodes as u64 * BYTES_PER_NODE
    }

    /// Has the time come to stop? Asked before every operation, because there is no way to interrupt one.
    pub fn check(&self) -> Computed<()> {
        self.gauge.look().map_err(Stop)?;
        if self.budget.is_cancelled() {
            return Err(Stop(Why::Interrupted));
        }
        match (self.deadline, self.budget.time) {
            (Some(deadline), Some((limit, _))) if Instant::now() >= deadline => Err(Stop(Why::Time { limit })),
            _ => Ok(()),
        }
    }

    /// Is there room for so many bytes besides the diagrams?
    pub fn reserve(&self, bytes: u64) -> Computed<()> {
        if bytes == 0 { Ok(()) } else { self.gauge.reserve(bytes).map_err(Stop) }
    }

    /// The library may say that memory is short when there is only garbage. A better order may help, too.
    fn retry(&self, mut operation: impl FnMut() -> AllocResult<BCDDFunction>) -> Computed<Bdd> {
        self.check()?;
        if self.nodes() >= self.growth.get().collect_at {
            let in_use = self.collect();
            self.reorder_if_large(in_use);
        }
        if let Ok(result) = operation() {
            return Ok(Bdd(result));
        }
        self.collect();
        if let Ok(result) = operation() {
            return Ok(Bdd(result));
        }
        if self.growth.get().reorder_at.is_some() {
            self.reorder();
        }
        operation().map(Bdd).map_err(|_| Stop(Why::Memory { bytes: self.memory }))
    }
}

impl Bdd {
    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    pub fn is_true(&self) -> bool {
        self.0.valid()
    }
}
