//! Automata as never claims, which SPIN accepts.

use std::fmt::Write;

use super::label::Notation;
use crate::buchi::{Buchi, Classes, StateId};
use crate::prop::Propositions;

/// The never claim of an automaton: SPIN reports an error for runs that it accepts. The texts of propositions must be
/// Promela expressions.
pub fn to_never_claim(automaton: &Buchi, propositions: &Propositions, comment: Option<&str>) -> String {
    let mut text = String::from("never {");
    if let Some(comment) = comment {
        // The end of a comment inside it would end it.
        text.push_str(&format!(" /* {} */", comment.replace("*/", "* /")));
    }
    text.push('\n');
    let claim = Claim { automaton, propositions, sink: sink(automaton) };
    // SPIN starts a claim at its first state.
    let others = automaton.states().filter(|&state| state != automaton.initial());
    for state in std::iter::once(automaton.initial()).chain(others) {
        // Writing to a string cannot fail.
        let _ = claim.state(&mut text, state);
    }
    text.push_str("}\n");
    text
}

struct Claim<'a> {
    automaton: &'a Buchi,
    propositions: &'a Propositions,
    /// The state that accepts every word. A claim that reaches its end there is an error at once.
    sink: Option<StateId>,
}

impl Claim<'_> {
    fn state(&self, out: &mut String, state: StateId) -> std::fmt::Result {
        writeln!(out, "{}:", self.label(state))?;
        if Some(state) == self.sink {
            return writeln!(out, "\tskip");
        }
        let edges = self.automaton.edges_of(state);
        if edges.is_empty() {
            return writeln!(out, "\tfalse;");
        }
        let name = |place: usize| format!("({})", self.propositions.text(self.automaton.propositions()[place]));
        let notation = Notation { name, and: " && ", or: " || ", truth: "1", falsity: "0" };
        writeln!(out, "\tdo")?;
        for edge in edges {
            writeln!(out, "\t:: ({}) -> goto {}", notation.guard(&edge.guard), self.label(edge.target))?;
        }
        writeln!(out, "\tod;")
    }

    fn label(&self, state: StateId) -> String {
        let prefix = if self.automaton.is_accepting(state) { "accept" } else { "T0" };
        if state == self.automaton.initial() {
            format!("{prefix}_init")
        } else if Some(state) == self.sink {
            "accept_all".to_owned()
        } else {
            format!("{prefix}_S{}", state.0)
        }
    }
}

/// A state that loops on every valuation and accepts, and is not the first one.
fn sink(automaton: &Buchi) -> Option<StateId> {
    let classes = Classes::of(automaton.as_tgba());
    let loops = |state: StateId| matches!(automaton.edges_of(state), [edge] if edge.target == state);
    automaton.states().find(|&state| state != automaton.initial() && classes.accepts_all(state) && loops(state))
}
