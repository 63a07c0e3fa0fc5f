//! Assignments that depend on each other in a circle, which have no meaning.

use std::collections::HashMap;

use reductio_model::circuit::{Assignment, ExprId, Moment, VariableId};

use super::Lowering;
use crate::diagnostics::Diagnostic;

impl Lowering<'_> {
    /// Reports a circle among the assignments of initial states, and one among those of steps.
    pub fn refuse_circles(&mut self) {
        let initial = |assignment: &&Assignment| assignment.moment != Moment::Next;
        let of_steps = |assignment: &&Assignment| assignment.moment != Moment::Init;
        let circles = [(self.circle(initial, false), "initial"), (self.circle(of_steps, true), "next")];
        for (circle, which) in circles {
            if let Some(circle) = circle {
                let names: Vec<&str> = circle.iter().map(|id| self.circuit.variable(*id).name.as_str()).collect();
                let message = format!("{which} values depend on each other in a circle: {}", names.join(", "));
                self.diagnostics.add(Diagnostic::error(message, None));
            }
        }
    }

    fn circle(&self, applies: impl Fn(&&Assignment) -> bool, next: bool) -> Option<Vec<VariableId>> {
        let mut depends: HashMap<VariableId, Vec<VariableId>> = HashMap::new();
        for assignment in self.circuit.assignments.iter().filter(applies) {
            let mut parts: Vec<ExprId> = Vec::new();
            assignment.choice.expressions(&mut parts);
            // In a step, what is always assigned speaks of the next state.
            let about_next = next && assignment.moment == Moment::Always;
            let support = self.circuit.expressions.support(parts);
            let at_that_moment = support.into_iter().filter(|(_, ahead)| (*ahead || about_next) == next);
            depends.insert(assignment.target, at_that_moment.map(|(id, _)| id).collect());
        }
        // Whatever depends on nothing that is left is no part of a circle.
        loop {
            let free: Vec<VariableId> = depends
                .iter()
                .filter(|(_, others)| !others.iter().any(|other| depends.contains_key(other)))
                .map(|(id, _)| *id)
                .collect();
            if free.is_empty() {
                break;
            }
            for id in free {
                depends.remove(&id);
            }
        }
        // From anything that is left, dependencies lead into a circle.
        let mut path: Vec<VariableId> = vec![*depends.keys().min()?];
        loop {
            let last = path[path.len() - 1];
            let following = *depends[&last].iter().find(|other| depends.contains_key(other))?;
            if let Some(start) = path.iter().position(|id| *id == following) {
                return Some(path.split_off(start));
            }
            path.push(following);
        }
    }
}
