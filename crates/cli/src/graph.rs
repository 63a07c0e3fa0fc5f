//! `reductio graph`: pictures of a model, in the language of Graphviz.

use std::process::ExitCode;

use reductio_explicit::graph::{StateGraph, state_graph};
use reductio_model::{Interpreter, Model, TransitionSystem};
use reductio_reduce::facts::symmetry::{Break, Found};
use reductio_reduce::on_the_fly::symmetry::Slots;
use reductio_reduce::symmetry::find_at_all;
use reductio_report::StepEntry;
use reductio_report::dot::{self, Arrow, Node, StateGraphView};

use crate::arguments::{GraphArguments, Language};
use crate::failure::Failure;
use crate::graph_circuit;
use crate::load::{language, load};
use crate::output;

/// Graphviz takes minutes for more, and nobody can read the picture.
pub const MOST_STATES: usize = 2000;

pub fn run(arguments: &GraphArguments) -> Result<ExitCode, Failure> {
    match language(&arguments.model)? {
        Language::Smv | Language::Aiger => return graph_circuit::run(arguments),
        Language::Promela | Language::While => {}
    }
    let model = load(&arguments.model)?;
    let drawn = if arguments.symmetry {
        symmetry(&model)
    } else if arguments.states {
        let interpreter = Interpreter::new(&model);
        let graph = state_graph(&interpreter, MOST_STATES).map_err(Failure::TooManyStates)?;
        dot::state_graph(&view(&interpreter, &graph))
    } else {
        dot::control_flow(&model)
    };
    output::print(&drawn)?;
    Ok(ExitCode::SUCCESS)
}

/// Which processes are interchangeable, what is permuted with them, and the obstacles.
fn symmetry(model: &Model) -> String {
    let mut lines = Vec::new();
    let (found, nobody_leaves) = find_at_all(model);
    let breaks = match found {
        Ok(found) => {
            lines.push(found.text());
            lines.extend(nobody_leaves.then(|| "terminated processes are kept in the state".to_owned()));
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
    for Break { because, at } in breaks {
        let at = at.map_or(String::new(), |at| format!(" ({})", model.place_name(at)));
        lines.push(format!("obstacle: {because}{at}"));
    }
    lines.join("\n") + "\n"
}

/// The variables of which something is true, if there are any.
fn listed(what: &str, model: &Model, is_meant: impl Fn(&Slots, usize) -> bool, found: &Found) -> Option<String> {
    let symmetry = &found.symmetry;
    let globals = (0..model.globals.len()).filter(|&slot| is_meant(&symmetry.globals, slot));
    let mut names: Vec<String> = globals.map(|slot| model.globals[slot].name.clone()).collect();
    for (proctype, slots) in model.proctypes.iter().zip(&symmetry.locals) {
        let locals = (0..proctype.locals.len()).filter(|&slot| is_meant(slots, slot));
        names.extend(locals.map(|slot| format!("{}:{}", proctype.name, proctype.locals[slot].name)));
    }
    (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
}

fn view(interpreter: &Interpreter<'_>, graph: &StateGraph) -> StateGraphView {
    let model = interpreter.model();
    let mut can_move = vec![false; graph.states.len()];
    graph.edges.iter().for_each(|edge| can_move[edge.from] = true);
    let nodes = graph.states.iter().zip(can_move).enumerate().map(|(number, (bytes, can_move))| {
        let state = interpreter.decode(bytes);
        Node {
            label: dot::state_label(model, &state),
            initial: number == 0,
            unstable: state.exclusive.is_some(),
            deadlock: !can_move && !interpreter.is_valid_end(bytes),
        }
    });
    let arrows = graph.edges.iter().map(|edge| {
        let state = interpreter.decode(&graph.states[edge.from]);
        let step = StepEntry::new(model, &state, edge.step);
        let mut label = format!("{}[{}] {}", step.process, step.pid, step.statement);
        if let Some(partner) = step.partner {
            label.push_str(&format!("\n{}[{}] {}", partner.process, partner.pid, partner.statement));
        }
        Arrow { from: edge.from, to: edge.to, label, faulty: edge.faulty }
    });
    StateGraphView { nodes: nodes.collect(), arrows: arrows.collect() }
}
