//! No counterexample is shown before the simulator has confirmed it: the run is taken step by step on the circuit as it
//! was read, and must show what it is said to show.

use reductio_logic::ctl::{Formula, Path, Quantifier};
use reductio_model::circuit::{Circuit, Reached, Run, Simulator};

use crate::failure::Failure;

/// Takes the run, and looks whether it leads where it should.
pub fn certify(circuit: &Circuit, property: &str, run: &Run, reached: Reached<'_>) -> Result<(), Failure> {
    let story = match run.confirm(&mut Simulator::new(circuit), reached) {
        Ok(()) => return Ok(()),
        Err(error) => format!("it is none: {error}"),
    };
    Err(Failure::OurBug { property: property.to_owned(), story })
}

/// Looks whether a run shows a formula in negation normal form, but for what is said to be left open.
pub fn certify_ctl(
    circuit: &Circuit,
    property: &str,
    run: &Run,
    formula: &Formula,
    left: &[(usize, Formula)],
) -> Result<(), Failure> {
    certify(circuit, property, run, Reached::Anything)?;
    let mut simulator = Simulator::new(circuit);
    let is_fair = run.cycle_start.is_none() || run.is_fair(&mut simulator);
    let mut showing = Showing { run, left, simulator };
    if is_fair && showing.shows(formula, 0) {
        return Ok(());
    }
    Err(Failure::OurBug { property: property.to_owned(), story: "its run does not show it".to_owned() })
}

struct Showing<'r> {
    run: &'r Run,
    left: &'r [(usize, Formula)],
    simulator: Simulator<'r>,
}

impl Showing<'_> {
    /// Does the run from a place on show a formula?
    fn shows(&mut self, formula: &Formula, place: usize) -> bool {
        if self.left.iter().any(|(at, left)| *at == place && left == formula) {
            return true;
        }
        match formula {
            Formula::Truth(value) => *value,
            Formula::Atom(prop) => {
                let condition = self.simulator.circuit().atoms[prop.0 as usize].expr;
                self.simulator.holds(condition, &self.run.states[place])
            }
            Formula::Not(inner) => !self.shows(inner, place),
            Formula::And(one, other) => self.shows(one, place) && self.shows(other, place),
            Formula::Or(one, other) => self.shows(one, place) || self.shows(other, place),
            Formula::Runs(Quantifier::All, _) => false,
            Formula::Runs(Quantifier::Some, path) => self.follows(path, place),
        }
    }

    fn follows(&mut self, path: &Path, place: usize) -> bool {
        let places: Vec<usize> = (place..self.run.states.len()).collect();
        match path {
            Path::Next(f) => {
                let next = if place + 1 < self.run.states.len() { Some(place + 1) } else { self.run.cycle_start };
                next.is_some_and(|next| self.shows(f, next))
            }
            Path::Eventually(f) => places.into_iter().any(|place| self.shows(f, place)),
            Path::Always(f) => self.run.cycle_start.is_some() && places.into_iter().all(|place| self.shows(f, place)),
            Path::Until(f, g) => places.into_iter().any(|end| {
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
