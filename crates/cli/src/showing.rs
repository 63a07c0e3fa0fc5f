//! Does a run show a formula of computation tree logic? A second look at what an engine says, with nothing of its own.

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Path, Quantifier};

/// A run, seen place by place.
pub struct Showing<'r> {
    /// How many places it has.
    pub places: usize,
    /// The place that follows the last one, if the run goes on for ever.
    pub cycle_start: Option<usize>,
    /// What is said to hold in some places, and is not shown.
    pub left: &'r [(usize, Formula)],
    /// Does an atom hold in a place?
    pub holds: &'r mut dyn FnMut(Prop, usize) -> bool,
}

impl Showing<'_> {
    /// Does the run from a place on show a formula in negation normal form, but for what is left?
    pub fn shows(&mut self, formula: &Formula, place: usize) -> bool {
        if self.left.iter().any(|(at, left)| *at == place && left == formula) {
            return true;
        }
        match formula {
            Formula::Truth(value) => *value,
            Formula::Atom(prop) => (self.holds)(*prop, place),
            Formula::Not(inner) => !self.shows(inner, place),
            Formula::And(one, other) => self.shows(one, place) && self.shows(other, place),
            Formula::Or(one, other) => self.shows(one, place) || self.shows(other, place),
            Formula::Runs(Quantifier::All, _) => false,
            Formula::Runs(Quantifier::Some, path) => self.follows(path, place),
        }
    }

    fn follows(&mut self, path: &Path, place: usize) -> bool {
        let ahead: Vec<usize> = (place..self.places).collect();
        match path {
            Path::Next(f) => {
                let next = if place + 1 < self.places { Some(place + 1) } else { self.cycle_start };
                next.is_some_and(|next| self.shows(f, next))
            }
            Path::Eventually(f) => ahead.into_iter().any(|place| self.shows(f, place)),
            Path::Always(f) => self.cycle_start.is_some() && ahead.into_iter().all(|place| self.shows(f, place)),
            Path::Until(f, g) => ahead.into_iter().any(|end| {
                let before = place..end;
                self.shows(g, end) && before.into_iter().all(|place| self.shows(f, place))
            }),
            Path::Release(f, g) => {
                self.follows(&Path::Always(g.clone()), place)
                    || self.follows(&Path::Until(g.clone(), f.clone().and(g.clone())), place)
            }
        }
    }
}
