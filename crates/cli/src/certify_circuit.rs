//! No counterexample is shown before the simulator has confirmed it: the run is taken step by step on the circuit as it
//! was read, and must show what it is said to show.

use reductio_logic::Prop;
use reductio_logic::ctl::Formula;
use reductio_model::circuit::{Circuit, Reached, Run, Simulator};

use crate::failure::Failure;
use crate::showing::Showing;

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
    let mut holds = |prop: Prop, place: usize| {
        let condition = circuit.atoms[prop.0 as usize].expr;
        simulator.holds(condition, &run.states[place])
    };
    let places = run.states.len();
    let mut showing = Showing { places, cycle_start: run.cycle_start, left, holds: &mut holds };
    if is_fair && showing.shows(formula, 0) {
        return Ok(());
    }
    Err(Failure::OurBug { property: property.to_owned(), story: "its run does not show it".to_owned() })
}
