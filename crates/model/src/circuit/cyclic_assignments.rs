//! Assignments that depend on each other in a circle, which have no meaning.

use std::collections::HashMap;

use super::{Assignment, Circuit, Expr, ExprId, Moment, VariableId};

/// The assignments that apply together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Those to an initial state.
    Initial,
    /// Those to the next state, in a step.
    Step,
}

impl Round {
    fn applies(self, assignment: &Assignment) -> bool {
        match self {
            Round::Initial => assignment.moment != Moment::Next,
            Round::Step => assignment.moment != Moment::Init,
        }
    }
}

impl Circuit {
    /// Variables whose assignments depend on each other in a circle, in this order, if there are such.
    pub fn circle(&self, round: Round) -> Option<Vec<VariableId>> {
        let ahead = self.expressions.looking_ahead();
        let mut depends: HashMap<VariableId, Vec<VariableId>> = HashMap::new();
        for assignment in self.assignments.iter().filter(|assignment| round.applies(assignment)) {
            let mut parts: Vec<ExprId> = Vec::new();
            assignment.choice.expressions(&mut parts);
            // In a step, what is always assigned speaks of the next state.
            let about_next = round == Round::Step && assignment.moment == Moment::Always;
            if round == Round::Step && !about_next {
                // Most values are computed from the state before. There is no need to see from what.
                parts.retain(|part| ahead[part.index()]);
            }
            let support = self.expressions.support(parts);
            let of_that_round =
                support.into_iter().filter(|(_, ahead)| (*ahead || about_next) == (round == Round::Step));
            depends.insert(assignment.target, of_that_round.map(|(id, _)| id).collect());
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

impl super::Expressions {
    /// For each expression, whether it looks at the next state.
    pub(super) fn looking_ahead(&self) -> Vec<bool> {
        let mut ahead: Vec<bool> = Vec::with_capacity(self.len());
        for id in self.ids() {
            let expr = self.get(id);
            let looks = matches!(expr, Expr::Next(_)) || expr.operands().any(|operand| ahead[operand.index()]);
            ahead.push(looks);
        }
        ahead
    }
}
