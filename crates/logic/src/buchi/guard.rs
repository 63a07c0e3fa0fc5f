//! Guards of edges: disjunctions of cubes, and cubes are conjunctions of literals.

use crate::prop::Valuation;

/// A conjunction of literals over the propositions of an automaton. No proposition is in both sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// The propositions that must be true.
    pub positive: u64,
    /// The propositions that must be false.
    pub negative: u64,
}

impl Cube {
    /// The empty conjunction.
    pub const TRUE: Cube = Cube { positive: 0, negative: 0 };

    /// The cube that demands one proposition to be true or false.
    pub fn literal(place: usize, value: bool) -> Cube {
        let bit = 1 << place;
        if value { Cube { positive: bit, negative: 0 } } else { Cube { positive: 0, negative: bit } }
    }

    /// Whether all literals are true if just these propositions are.
    pub fn is_satisfied(self, valuation: Valuation) -> bool {
        self.positive & !valuation.0 == 0 && self.negative & valuation.0 == 0
    }

    /// Both cubes together, unless they contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube { positive: self.positive | other.positive, negative: self.negative | other.negative };
        (both.positive & both.negative == 0).then_some(both)
    }

    /// Whether each valuation that satisfies this cube satisfies the other one.
    pub fn implies(self, other: Cube) -> bool {
        other.positive & !self.positive == 0 && other.negative & !self.negative == 0
    }

    /// The places of the propositions it speaks of.
    pub fn places(self) -> impl Iterator<Item = usize> {
        let bits = self.positive | self.negative;
        (0..u64::BITS as usize).filter(move |place| bits >> place & 1 == 1)
    }

    /// The cube without its literal of the proposition at a place.
    pub fn without(self, place: usize) -> Cube {
        Cube { positive: self.positive & !(1 << place), negative: self.negative & !(1 << place) }
    }

    /// Whether each valuation that satisfies this cube satisfies one of the others: by cases over the propositions that
    /// these speak of and this does not.
    fn is_covered_by(self, others: &[Cube]) -> bool {
        // Most that are not covered are not even where all open propositions are false, or true.
        let extremes = [Valuation(self.positive), Valuation(!self.negative)];
        if !extremes.into_iter().all(|extreme| others.iter().any(|other| other.is_satisfied(extreme))) {
            return false;
        }
        let compatible: Vec<Cube> = others.iter().copied().filter(|&other| self.and(other).is_some()).collect();
        if compatible.iter().any(|&other| self.implies(other)) {
            return true;
        }
        let open = compatible.first().and_then(|other| other.places().find(|&place| self.without(place) == self));
        open.is_some_and(|place| {
            [false, true]
                .into_iter()
                .all(|value| self.and(Cube::literal(place, value)).is_none_or(|case| case.is_covered_by(&compatible)))
        })
    }
}

/// A condition on the propositions: one of its cubes must be satisfied. Without cubes it is false.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guard {
    cubes: Vec<Cube>,
}

impl From<Cube> for Guard {
    fn from(cube: Cube) -> Self {
        Guard { cubes: vec![cube] }
    }
}

impl Guard {
    /// The guard that always holds, or never.
    pub fn truth(value: bool) -> Guard {
        Guard { cubes: if value { vec![Cube::TRUE] } else { Vec::new() } }
    }

    /// The disjunction of cubes, as few and as short ones as are easily found.
    pub fn of(cubes: Vec<Cube>) -> Guard {
        let mut guard = Guard { cubes };
        guard.minimize();
        guard
    }

    /// The cubes of which one must be satisfied.
    pub fn cubes(&self) -> &[Cube] {
        &self.cubes
    }

    /// Whether the condition holds if just these propositions are true.
    pub fn is_satisfied(&self, valuation: Valuation) -> bool {
        self.cubes.iter().any(|cube| cube.is_satisfied(valuation))
    }

    /// Whether it holds for no valuation.
    pub fn is_false(&self) -> bool {
        self.cubes.is_empty()
    }

    /// Whether it holds for every valuation.
    pub fn is_true(&self) -> bool {
        Cube::TRUE.is_covered_by(&self.cubes)
    }

    /// The guard that holds where both do.
    pub fn and(&self, other: &Guard) -> Guard {
        let pairs = self.cubes.iter().flat_map(|&left| other.cubes.iter().filter_map(move |&right| left.and(right)));
        Guard::of(pairs.collect())
    }

    /// The guard that holds where one of the two does.
    pub fn or(&self, other: &Guard) -> Guard {
        Guard::of(self.cubes.iter().chain(&other.cubes).copied().collect())
    }

    /// The guard that holds where this one does not.
    pub fn not(&self) -> Guard {
        self.cubes.iter().fold(Guard::truth(true), |rest, cube| {
            let outside = cube.places().map(|place| Cube::literal(place, cube.negative >> place & 1 == 1));
            rest.and(&Guard::of(outside.collect()))
        })
    }

    /// Whether a valuation exists that satisfies both.
    pub fn meets(&self, other: &Guard) -> bool {
        self.cubes.iter().any(|&left| other.cubes.iter().any(|&right| left.and(right).is_some()))
    }

    /// Whether each valuation that satisfies this guard satisfies one of the others.
    pub fn implies_one_of<'a>(&self, others: impl IntoIterator<Item = &'a Guard>) -> bool {
        let cubes: Vec<Cube> = others.into_iter().flat_map(|other| other.cubes.iter().copied()).collect();
        self.cubes.iter().all(|cube| cube.is_covered_by(&cubes))
    }

    /// Whether each cube implies one cube of the other: quickly found, and enough, but not necessary, for implication.
    pub(crate) fn plainly_implies(&self, other: &Guard) -> bool {
        self.cubes.iter().all(|&cube| other.cubes.iter().any(|&wider| cube.implies(wider)))
    }

    /// Whether each valuation that satisfies this guard satisfies the other.
    pub fn implies(&self, other: &Guard) -> bool {
        self.implies_one_of([other])
    }

    /// What is left of a guard where another one does not hold, at least: cubes that the other covers are dropped.
    pub(crate) fn drop_covered(&mut self, other: &Guard) {
        self.cubes.retain(|cube| !cube.is_covered_by(&other.cubes));
    }

    /// The same guard with the propositions at other places.
    pub(crate) fn moved(&self, place_of: &[usize]) -> Guard {
        let moved = |bits: u64| {
            let places = (0..u64::BITS as usize).filter(|place| bits >> place & 1 == 1);
            places.fold(0, |moved, place| moved | 1 << place_of[place])
        };
        let cube = |cube: &Cube| Cube { positive: moved(cube.positive), negative: moved(cube.negative) };
        let mut cubes: Vec<Cube> = self.cubes.iter().map(cube).collect();
        cubes.sort_unstable();
        Guard { cubes }
    }

    /// Shortens cubes as long as they stay within the guard, then drops those that the others cover.
    fn minimize(&mut self) {
        if self.cubes.len() > 1 {
            for at in 0..self.cubes.len() {
                for place in self.cubes[at].places() {
                    let shorter = self.cubes[at].without(place);
                    if shorter.is_covered_by(&self.cubes) {
                        self.cubes[at] = shorter;
                    }
                }
            }
        }
        self.cubes.sort_unstable();
        self.cubes.dedup();
        let mut at = 0;
        while at < self.cubes.len() {
            let candidate = self.cubes.remove(at);
            if !candidate.is_covered_by(&self.cubes) {
                self.cubes.insert(at, candidate);
                at += 1;
            }
        }
    }
}
