//! `reductio graph`: pictures of a model, in the language of Graphviz.

use std::process::ExitCode;

use reductio_explicit::graph::{StateGraph, state_graph};
use reductio_model::{Interpreter, TransitionSystem};
use reductio_report::StepEntry;
use reductio_report::dot::{self, Arrow, Node, StateGraphView};

use crate::arguments::GraphArguments;
use crate::failure::Failure;
use crate::load::load;
use crate::output;

/// Graphviz takes minutes for more, and nobody can read the picture.
const MOST_STATES: usize = 2000;

pub fn run(arguments: &GraphArguments) -> Result<ExitCode, Failure> {
    let model = load(&arguments.model)?;
    let drawn = if arguments.states {
        let interpreter = Interpreter::new(&model);
        let graph = state_graph(&interpreter, MOST_STATES).map_err(Failure::TooManyStates)?;
        dot::state_graph(&view(&interpreter, &graph))
    } else {
        dot::control_flow(&model)
    };
    output::print(&drawn)?;
    Ok(ExitCode::SUCCESS)
}

fn view(interpreter: &Interpreter<'_>, graph: &StateGraph) -> StateGraphView {
    let model = interpreter.model();
    let mut can_move = vec![false; graph.states.len()];
    graph.edges.iter().for_each(|edge| can_move[edge.from] = true);
    let nodes = graph.states.iter().zip(can_move).map(|(bytes, can_move)| {
        let state = interpreter.decode(bytes);
        Node {
            label: dot::state_label(model, &state),
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
