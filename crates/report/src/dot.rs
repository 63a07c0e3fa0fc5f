//! Graphs in the language of Graphviz: the control flow of each process type, the state graph of a small model.

use reductio_model::{Model, Proctype, State};

use crate::value::{Change, contents, process_name};

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

/// A state graph, ready to be drawn.
#[derive(Clone, Debug, Default)]
pub struct StateGraphView {
    pub nodes: Vec<Node>,
    pub arrows: Vec<Arrow>,
}

#[derive(Clone, Debug)]
pub struct Node {
    pub label: String,
    pub initial: bool,
    /// In the middle of an `atomic`.
    pub unstable: bool,
    pub deadlock: bool,
}

#[derive(Clone, Debug)]
pub struct Arrow {
    pub from: usize,
    /// `None`: the run ends in a fault.
    pub to: Option<usize>,
    pub label: String,
    pub faulty: bool,
}

pub fn state_graph(graph: &StateGraphView) -> String {
    let mut out = String::from("digraph states {\n  node [shape=box, fontsize=10];\n  edge [fontsize=10];\n");
    for (number, node) in graph.nodes.iter().enumerate() {
        let mut attributes = format!("label={}", quoted(&node.label));
        if node.initial {
            attributes.push_str(", style=bold");
        }
        if node.unstable {
            attributes.push_str(", style=dashed");
        }
        if node.deadlock {
            attributes.push_str(", color=red");
        }
        out.push_str(&format!("  s{number} [{attributes}];\n"));
    }
    for (number, arrow) in graph.arrows.iter().enumerate() {
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

/// A state in a few lines: where each process is, and what the variables and channels hold.
pub fn state_label(model: &Model, state: &State) -> String {
    let mut lines = Vec::new();
    for (pid, process) in state.processes.iter().enumerate() {
        let location = model.proctype(process.proctype).location(process.location);
        let name = process_name(model, state, pid as u8);
        lines.push(format!("{name} at line {}", location.position.line));
    }
    lines.extend(contents(model, state).iter().map(Change::to_string));
    lines.join("\n")
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
