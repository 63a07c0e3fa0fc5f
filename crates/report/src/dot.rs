//! Graphs in the language of Graphviz: the control flow of each process type, the state graph of a small system.

use std::collections::BTreeMap;

use reductio_model::{Model, Proctype, StateEdge, StateGraphOf};

use crate::describe::Described;

/// The control-flow graph of every process type, each in a box of its own.
pub fn control_flow(model: &Model) -> String {
    let mut out = String::from("digraph control_flow {\n  node [shape=circle, fontsize=10];\n  edge [fontsize=10];\n");
    for (index, proctype) in model.proctypes.iter().enumerate() {
        out.push_str(&format!("  subgraph cluster_{index} {{\n    label={};\n", quoted(&proctype.name)));
        proctype_graph(&mut out, index, proctype);
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn proctype_graph(out: &mut String, index: usize, proctype: &Proctype) {
    for (number, location) in proctype.locations.iter().enumerate() {
        let labels = proctype.labels.iter().filter(|label| label.location.index() == number);
        let mut name = location.position.line.to_string();
        labels.for_each(|label| name.push_str(&format!("\n{}", label.name)));
        if location.module {
            name.push_str("\nmodule");
        }
        let mut attributes = format!("label={}", quoted(&name));
        if number == proctype.entry.index() {
            attributes.push_str(", style=bold");
        }
        if location.end {
            attributes.push_str(", shape=doublecircle");
        }
        if location.interior {
            attributes.push_str(", style=dashed");
        }
        out.push_str(&format!("    p{index}_{number} [{attributes}];\n"));
    }
    for edge in &proctype.edges {
        let text = &proctype.action(edge.action).text;
        let style = if edge.atomic { ", style=bold" } else { "" };
        let (from, to) = (edge.from.0, edge.to.0);
        out.push_str(&format!("    p{index}_{from} -> p{index}_{to} [label={}{style}];\n", quoted(text)));
    }
}

/// An arrow between two states, or into a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: usize,
    /// `None`: the run ends in a fault.
    pub to: Option<usize>,
    pub label: String,
    pub faulty: bool,
}

/// The place of a step where it has an arrow of its own, where it leads, and whether it is faulty.
type OneArrow = (usize, Option<usize>, bool);

/// The arrows of a state graph, in the order of its steps, or of the states that shared arrows lead to.
pub fn arrows<S: Described>(system: &S, graph: &StateGraphOf<S>) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for edges in graph.edges.chunk_by(|one, next| one.from == next.from) {
        let mut together: BTreeMap<OneArrow, Vec<&S::Step>> = BTreeMap::new();
        for (place, StateEdge { to, faulty, step, .. }) in edges.iter().enumerate() {
            let place = if S::SHARES_ARROWS { 0 } else { place };
            together.entry((place, *to, *faulty)).or_default().push(step);
        }
        let from = edges[0].from;
        let arrow = |((_, to, faulty), steps): (_, Vec<&S::Step>)| Arrow {
            from,
            to,
            label: system.arrow_label(&graph.states[from], &steps),
            faulty,
        };
        arrows.extend(together.into_iter().map(arrow));
    }
    arrows
}

/// A state graph with its arrows.
pub fn state_graph<S: Described>(system: &mut S, graph: &StateGraphOf<S>, arrows: &[Arrow]) -> String {
    let mut can_move = vec![false; graph.states.len()];
    arrows.iter().for_each(|arrow| can_move[arrow.from] = true);
    let mut out = String::from("digraph states {\n  node [shape=box, fontsize=10];\n  edge [fontsize=10];\n");
    for (number, (state, can_move)) in graph.states.iter().zip(can_move).enumerate() {
        let mut attributes = format!("label={}", quoted(&system.state_label(state)));
        if number < graph.initial {
            attributes.push_str(", style=bold");
        }
        if system.is_passed_through(state) {
            attributes.push_str(", style=dashed");
        }
        if !can_move && !system.may_end(state) {
            attributes.push_str(", color=red");
        }
        out.push_str(&format!("  s{number} [{attributes}];\n"));
    }
    for (number, arrow) in arrows.iter().enumerate() {
        let color = if arrow.faulty { ", color=red" } else { "" };
        let target = match arrow.to {
            Some(to) => format!("s{to}"),
            None => {
                out.push_str(&format!("  fault{number} [label=\"fault\", shape=octagon, color=red];\n"));
                format!("fault{number}")
            }
        };
        out.push_str(&format!("  s{} -> {target} [label={}{color}];\n", arrow.from, quoted(&arrow.label)));
    }
    out.push_str("}\n");
    out
}

pub(crate) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn labels_cannot_break_out_of_their_quotes() {
        assert_eq!(quoted("printf(\"a\\n\")"), "\"printf(\\\"a\\\\n\\\")\"");
        assert_eq!(quoted("a\nb"), "\"a\\nb\"");
    }
}
