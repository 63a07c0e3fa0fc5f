//! Which variables of a circuit depend on which, for Graphviz.
//!
//! An arrow leads from what an assignment looks at to what it assigns. Constraints say nothing about who depends on whom, so each
//! is a box with lines to all that it looks at.

use std::collections::BTreeMap;

use reductio_model::circuit::{Assignment, Circuit, ExprId, Moment, VariableId, VariableKind};

use crate::dot::quoted;

/// The dependency graph of a circuit.
pub fn graph(circuit: &Circuit) -> String {
    let mut out = String::from("digraph dependencies {\n  node [shape=ellipse, fontsize=10];\n  edge [fontsize=10];\n");
    for id in circuit.variable_ids() {
        let variable = circuit.variable(id);
        let style = match variable.kind {
            VariableKind::State => "",
            VariableKind::Input => ", shape=plaintext",
            VariableKind::Frozen => ", shape=box",
        };
        out.push_str(&format!("  v{} [label={}{style}];\n", id.0, quoted(&variable.name)));
    }
    for ((from, to), only_at_first) in arrows(circuit) {
        let style = if only_at_first { " [style=dashed]" } else { "" };
        out.push_str(&format!("  v{} -> v{}{style};\n", from.0, to.0));
    }
    let sections = [("INIT", &circuit.init), ("TRANS", &circuit.trans), ("INVAR", &circuit.invar)];
    let constraints = sections.iter().flat_map(|(section, all)| all.iter().map(move |one| (*section, *one)));
    for (number, (section, condition)) in constraints.enumerate() {
        constraint(circuit, &mut out, number, section, condition);
    }
    out.push_str("}\n");
    out
}

/// Who is looked at by an assignment to whom, and whether only one of the initial value looks.
fn arrows(circuit: &Circuit) -> BTreeMap<(VariableId, VariableId), bool> {
    let mut arrows = BTreeMap::new();
    for Assignment { target, moment, choice, .. } in &circuit.assignments {
        let mut parts = Vec::new();
        choice.expressions(&mut parts);
        let is_first = *moment == Moment::Init;
        for (read, _) in circuit.expressions.support(parts) {
            let only_at_first = arrows.entry((read, *target)).or_insert(true);
            *only_at_first &= is_first;
        }
    }
    arrows
}

fn constraint(circuit: &Circuit, out: &mut String, number: usize, section: &str, condition: ExprId) {
    out.push_str(&format!("  c{number} [label={}, shape=note];\n", quoted(section)));
    let mut read: Vec<VariableId> = circuit.support(condition).into_iter().map(|(id, _)| id).collect();
    read.dedup();
    for id in read {
        out.push_str(&format!("  v{} -> c{number} [dir=none];\n", id.0));
    }
}
