//! `reductio graph` on circuits: which variables depend on which, or the states, in the language of Graphviz.

use std::process::ExitCode;

use reductio_explicit::circuit::{Arrow as Steps, Bounds, NoPicture, Picture};
use reductio_explicit::graph::TooManyStates;
use reductio_model::circuit::{Circuit, Simulator, Valuation};
use reductio_report::circuit::StateEntry;
use reductio_report::dot::{self, Arrow, Node, StateGraphView};
use reductio_report::{Change, dependencies};

use crate::arguments::GraphArguments;
use crate::failure::Failure;
use crate::graph::MOST_STATES;
use crate::obligations::load_sensible_circuit;
use crate::output;

/// Steps that differ only by inputs are one arrow, but all have to be tried.
const MOST_STEPS: usize = 200_000;
const MOST_ARROWS: usize = 20_000;
/// So many inputs of an arrow are written beside it.
const MOST_INPUTS: usize = 4;
const MOST_VARIABLES: usize = 2000;

pub fn run(arguments: &GraphArguments) -> Result<ExitCode, Failure> {
    if arguments.symmetry {
        return Err(Failure::NotForCircuits { option: "--symmetry" });
    }
    let circuit = load_sensible_circuit(&arguments.model)?;
    let drawn = if arguments.states {
        dot::state_graph(&view(&circuit, &picture(&circuit)?, !circuit.may_not_end()))
    } else if circuit.variables.len() > MOST_VARIABLES {
        return Err(Failure::TooManyToDraw { limit: MOST_VARIABLES, what: "variables" });
    } else {
        dependencies::graph(&circuit)
    };
    output::print(&drawn)?;
    Ok(ExitCode::SUCCESS)
}

fn picture(circuit: &Circuit) -> Result<Picture, Failure> {
    let bounds = Bounds { states: MOST_STATES, steps: MOST_STEPS };
    let picture = Picture::draw(&mut Simulator::new(circuit), bounds).map_err(|why| match why {
        NoPicture::TooManyStates => Failure::TooManyStates(TooManyStates { limit: MOST_STATES }),
        NoPicture::TooManySteps => Failure::TooManyToDraw { limit: MOST_STEPS, what: "steps" },
        NoPicture::TooLarge => Failure::TooMuchToTry { wanted: "all states" },
    })?;
    if picture.states.is_empty() {
        return Err(Failure::NoInitialState);
    }
    if picture.arrows.len() > MOST_ARROWS {
        return Err(Failure::TooManyToDraw { limit: MOST_ARROWS, what: "arrows between its states" });
    }
    Ok(picture)
}

fn view(circuit: &Circuit, picture: &Picture, may_end: bool) -> StateGraphView {
    let mut can_move = vec![false; picture.states.len()];
    picture.arrows.iter().for_each(|arrow| can_move[arrow.from] = true);
    let nodes = picture.states.iter().zip(can_move).enumerate().map(|(number, (state, can_move))| Node {
        label: lines(&StateEntry::new(circuit, state).values, "\n"),
        initial: number < picture.initial,
        unstable: false,
        deadlock: !can_move && !may_end,
    });
    let arrows = picture.arrows.iter().map(|Steps { from, to, steps }| Arrow {
        from: *from,
        to: Some(*to),
        label: arrow_label(circuit, steps),
        faulty: false,
    });
    StateGraphView { nodes: nodes.collect(), arrows: arrows.collect() }
}

/// The inputs with which a step is taken, or those of some steps.
fn arrow_label(circuit: &Circuit, steps: &[Valuation]) -> String {
    let inputs = steps.iter().map(|from| lines(&StateEntry::new(circuit, from).inputs, ", "));
    let mut label: Vec<String> = inputs.take(MOST_INPUTS).filter(|inputs| !inputs.is_empty()).collect();
    if steps.len() > MOST_INPUTS {
        label.push(format!("and {} more", steps.len() - MOST_INPUTS));
    }
    label.join("\n")
}

fn lines(values: &[Change], separator: &str) -> String {
    values.iter().map(Change::to_string).collect::<Vec<_>>().join(separator)
}
