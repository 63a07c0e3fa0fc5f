//! Does a run show a formula of computation tree logic? This says what showing means, with nothing of any engine.
//!
//! A run shows that there is a run. What there is from one of its places on may be shown by another run, which branches off
//! there, or may be left open: either is given as a formula that holds in a place. A run that comes to such a place shows what
//! follows: where `EF p` holds in a place, it holds in all places before.

use super::{Formula, Path, Quantifier};
use crate::prop::Prop;

/// A run, seen place by place.
pub struct Showing<'r> {
    /// How many places it has.
    pub places: usize,
    /// The place that follows the last one, if the run goes on forever.
    pub cycle_start: Option<usize>,
    /// What holds in some places and is not to be shown by the run itself.
    pub given: &'r [(usize, Formula)],
    /// Does an atom hold in a place?
    pub holds: &'r mut dyn FnMut(Prop, usize) -> bool,
}

impl Showing<'_> {
    /// Does the run from a place on show a formula in negation normal form?
    pub fn shows(&mut self, formula: &Formula, place: usize) -> bool {
        self.places_with(formula).get(place) == Some(&true)
    }

    /// For each place, whether the run from there on shows a formula.
    fn places_with(&mut self, formula: &Formula) -> Vec<bool> {
        let both = |one: Vec<bool>, other: Vec<bool>, join: fn(bool, bool) -> bool| {
            one.into_iter().zip(other).map(|(one, other)| join(one, other)).collect()
        };
        let mut shown: Vec<bool> = match formula {
            Formula::Truth(value) => vec![*value; self.places],
            Formula::Atom(prop) => (0..self.places).map(|place| (self.holds)(*prop, place)).collect(),
            // In negation normal form, only atoms are negated.
            Formula::Not(inner) if inner.is_of_now() => {
                self.places_with(inner).into_iter().map(|holds| !holds).collect()
            }
            Formula::And(one, other) => both(self.places_with(one), self.places_with(other), |one, other| one && other),
            Formula::Or(one, other) => both(self.places_with(one), self.places_with(other), |one, other| one || other),
            Formula::Not(_) | Formula::Runs(Quantifier::All, _) => vec![false; self.places],
            Formula::Runs(Quantifier::Some, path) => return self.places_before(formula, path),
        };
        self.add_given(formula, &mut shown);
        shown
    }

    fn add_given(&self, formula: &Formula, shown: &mut [bool]) {
        for (place, _) in self.given.iter().filter(|(_, given)| given == formula) {
            if let Some(shown) = shown.get_mut(*place) {
                *shown = true;
            }
        }
    }

    /// The places from which the run is as told, itself or with one that is given further on.
    fn places_before(&mut self, formula: &Formula, path: &Path) -> Vec<bool> {
        let mut given = vec![false; self.places];
        self.add_given(formula, &mut given);
        match path {
            Path::Next(f) => {
                let f = self.places_with(f);
                (0..self.places).map(|place| given[place] || self.next(place).is_some_and(|next| f[next])).collect()
            }
            Path::Eventually(f) => {
                let f = self.places_with(f);
                self.fixpoint(false, |place, next| given[place] || f[place] || next)
            }
            Path::Always(f) => {
                let f = self.places_with(f);
                self.fixpoint(true, |place, next| given[place] || (f[place] && next))
            }
            Path::Until(f, g) => {
                let (f, g) = (self.places_with(f), self.places_with(g));
                self.fixpoint(false, |place, next| given[place] || g[place] || (f[place] && next))
            }
            Path::Release(f, g) => {
                let (f, g) = (self.places_with(f), self.places_with(g));
                self.fixpoint(true, |place, next| given[place] || (g[place] && (f[place] || next)))
            }
        }
    }

    fn next(&self, place: usize) -> Option<usize> {
        if place + 1 < self.places { Some(place + 1) } else { self.cycle_start }
    }

    /// The least or the greatest solution of what a place has to do with the next one. Where there is no next one, nothing
    /// is shown of it.
    fn fixpoint(&self, greatest: bool, at: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut shown = vec![greatest; self.places];
        loop {
            let mut changed = false;
            for place in (0..self.places).rev() {
                let next = self.next(place).is_some_and(|next| shown[next]);
                let value = at(place, next);
                changed |= std::mem::replace(&mut shown[place], value) != value;
            }
            if !changed {
                return shown;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Formula = Formula::Atom(Prop(0));
    const Q: Formula = Formula::Atom(Prop(1));

    /// Whether a run shows a formula from its start. Its places are words of the atoms that hold in them.
    fn shows(places: &[&str], cycle_start: Option<usize>, given: &[(usize, Formula)], formula: &Formula) -> bool {
        let mut holds = |prop: Prop, place: usize| places[place].contains(["p", "q"][prop.0 as usize]);
        Showing { places: places.len(), cycle_start, given, holds: &mut holds }.shows(formula, 0)
    }

    #[test]
    fn a_run_shows_what_it_does() {
        let until = Formula::some(Path::Until(P, Q));
        assert!(shows(&["p", "p", "q"], None, &[], &until));
        assert!(!shows(&["p", "", "q"], None, &[], &until));
        let always = Formula::some(Path::Always(P));
        assert!(shows(&["p", "p"], Some(1), &[], &always));
        assert!(!shows(&["p", "p"], None, &[], &always), "nothing is known of what follows");
        assert!(!shows(&["p", ""], Some(0), &[], &always));
        let release = Formula::some(Path::Release(P, Q));
        assert!(shows(&["q", "pq", ""], None, &[], &release));
        assert!(shows(&["q", "q"], Some(0), &[], &release));
        assert!(!shows(&["q", "q"], None, &[], &release));
        assert!(!shows(&["q", "p"], Some(0), &[], &release));
        let next = Formula::some(Path::Next(P));
        assert!(shows(&["", "p"], None, &[], &next) && !shows(&["p"], None, &[], &next));
        assert!(shows(&["p"], Some(0), &[], &next));
        assert!(!shows(&["p"], Some(0), &[], &Formula::all(Path::Always(P))), "no run shows what all runs do");
    }

    #[test]
    fn a_cycle_comes_round() {
        let again = Formula::some(Path::Always(Formula::some(Path::Eventually(P))));
        assert!(shows(&["", "p", ""], Some(1), &[], &again));
        assert!(!shows(&["", "p", ""], Some(2), &[], &again));
        assert!(shows(&["", "p", ""], Some(2), &[(2, Formula::some(Path::Eventually(P)))], &again), "by a branch");
    }

    #[test]
    fn what_is_given_in_a_place_helps_those_before() {
        let until = Formula::some(Path::Until(P, Q));
        let given = [(1, until.clone())];
        assert!(shows(&["p", "", ""], None, &given, &until));
        assert!(!shows(&["", "", ""], None, &given, &until));
        assert!(!shows(&["p", "p", "p"], None, &[(7, until.clone())], &until), "there is no such place");
        let always = Formula::some(Path::Always(P));
        assert!(shows(&["p", ""], None, &[(1, always.clone())], &always));
    }
}
