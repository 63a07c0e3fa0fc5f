//! `reductio graph`: pictures of a model, in the language of Graphviz.

use std::process::ExitCode;

use reductio::System;
use reductio_model::circuit::{Circuit, Simulator};
use reductio_model::{Bounds, Interpreter, Model, NoGraph, StateGraph};
use reductio_reduce::facts::symmetry::{FoundSymmetry, Obstacle};
use reductio_reduce::on_the_fly::symmetry::Slots;
use reductio_reduce::symmetry::find_at_all;
use reductio_report::{Described, dependencies, dot};

use crate::arguments::GraphArguments;
use crate::failure::Failure;
use crate::load::load_to_step;
use crate::output;

/// Graphviz takes minutes for more, and nobody can read the picture. Steps that share an arrow are all tried.
const MOST: Bounds = Bounds { states: 2000, steps: 200_000 };
const MOST_ARROWS: usize = 20_000;
const MOST_VARIABLES: usize = 2000;

pub fn run(arguments: &GraphArguments) -> Result<ExitCode, Failure> {
    let drawn = match load_to_step(&arguments.model)? {
        System::Processes(model) if arguments.symmetry => symmetry(&model),
        System::Circuit(_) if arguments.symmetry => return Err(Failure::NotForCircuits { option: "--symmetry" }),
        System::Processes(model) if arguments.states => states(&mut Interpreter::new(&model))?,
        System::Circuit(circuit) if arguments.states => states(&mut Simulator::new(&circuit))?,
        System::Processes(model) => dot::control_flow(&model),
        System::Circuit(circuit) => variables(&circuit)?,
    };
    output::print(&drawn)?;
    Ok(ExitCode::SUCCESS)
}

/// All states, and the steps between them.
fn states<S: Described>(system: &mut S) -> Result<String, Failure> {
    let graph = StateGraph::of(system, MOST).map_err(|why| match why {
        NoGraph::TooManyStates => Failure::TooManyToDraw { limit: MOST.states, what: "states" },
        NoGraph::TooManySteps => Failure::TooManyToDraw { limit: MOST.steps, what: "steps" },
        NoGraph::TooLarge => Failure::TooMuchToTry { wanted: "all states" },
    })?;
    if graph.states.is_empty() {
        return Err(Failure::NoInitialState);
    }
    let arrows = dot::arrows(system, &graph);
    if arrows.len() > MOST_ARROWS {
        return Err(Failure::TooManyToDraw { limit: MOST_ARROWS, what: "arrows between its states" });
    }
    Ok(dot::state_graph(system, &graph, &arrows))
}

/// Which variables of a circuit depend on which.
fn variables(circuit: &Circuit) -> Result<String, Failure> {
    if circuit.variables.len() > MOST_VARIABLES {
        return Err(Failure::TooManyToDraw { limit: MOST_VARIABLES, what: "variables" });
    }
    Ok(dependencies::graph(circuit))
}

/// Which processes are interchangeable, what is permuted with them, and the obstacles.
fn symmetry(model: &Model) -> String {
    let mut lines = Vec::new();
    let (found, prepared) = find_at_all(model);
    let breaks = match found {
        Ok(found) => {
            lines.push(found.text());
            lines.extend(prepared.nobody_leaves.then(|| "terminated processes are kept in the state".to_owned()));
            lines.extend(found.loops_text(model));
            let names = |of_values: bool| {
                let found = &found;
                move |slots: &Slots, slot: usize| found.are_values(slots.meanings[slot]) == Some(of_values)
            };
            lines.extend(listed("process ids are in", model, names(false), &found));
            lines.extend(listed("interchangeable values are in", model, names(true), &found));
            let is_cell = |slots: &Slots, slot: usize| !slots.coordinates[slot].is_empty();
            lines.extend(listed("permuted together with a process", model, is_cell, &found));
            found.restrictions
        }
        Err(breaks) => {
            lines.push("no processes are interchangeable".to_owned());
            breaks
        }
    };
    for Obstacle { because, at } in breaks {
        let at = at.map_or(String::new(), |at| format!(" ({})", model.place_name(at)));
        lines.push(format!("obstacle: {because}{at}"));
    }
    lines.join("\n") + "\n"
}

/// The variables of which something is true, if there are any.
fn listed(
    what: &str,
    model: &Model,
    is_meant: impl Fn(&Slots, usize) -> bool,
    found: &FoundSymmetry,
) -> Option<String> {
    let symmetry = &found.symmetry;
    let globals = (0..model.globals.len()).filter(|&slot| is_meant(&symmetry.globals, slot));
    let mut names: Vec<String> = globals.map(|slot| model.globals[slot].name.clone()).collect();
    for (proctype, slots) in model.proctypes.iter().zip(&symmetry.locals) {
        let locals = (0..proctype.locals.len()).filter(|&slot| is_meant(slots, slot));
        names.extend(locals.map(|slot| format!("{}:{}", proctype.name, proctype.locals[slot].name)));
    }
    (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
}
