//! Automata as graphs for Graphviz.

use std::fmt::Write;

use super::label::Notation;
use crate::buchi::{Buchi, Tgba};
use crate::prop::Propositions;

/// What can be drawn.
#[derive(Clone, Copy, Debug)]
pub enum Drawing<'a> {
    /// The sets of an edge are written beside it.
    Tgba(&'a Tgba),
    /// Accepting states have two circles.
    Buchi(&'a Buchi),
}

/// A graph in Graphviz's language.
pub fn to_dot(drawing: Drawing, propositions: &Propositions, name: &str) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = draw(&mut text, drawing, propositions, name);
    text
}

fn draw(out: &mut String, drawing: Drawing, propositions: &Propositions, name: &str) -> std::fmt::Result {
    let (automaton, buchi) = match drawing {
        Drawing::Tgba(automaton) => (automaton, None),
        Drawing::Buchi(automaton) => (automaton.as_tgba(), Some(automaton)),
    };
    let text = |place: usize| in_parentheses(propositions.text(automaton.propositions[place]));
    let notation = Notation { name: text, and: " && ", or: " || ", truth: "true", falsity: "false" };
    writeln!(out, "digraph {} {{", quoted(name))?;
    writeln!(out, "  rankdir=LR;\n  start [shape=point];\n  start -> {};", automaton.initial.0)?;
    for state in automaton.states() {
        let accepting = buchi.is_some_and(|automaton| automaton.is_accepting(state));
        let shape = if accepting { "doublecircle" } else { "circle" };
        writeln!(out, "  {} [shape={shape}];", state.0)?;
        for edge in automaton.edges_of(state) {
            let sets: Vec<String> = edge.marks.iter().map(|set| set.to_string()).collect();
            let shown = buchi.is_none() && !sets.is_empty();
            let marks = if shown { format!("\n{{{}}}", sets.join(", ")) } else { String::new() };
            let label = quoted(&format!("{}{marks}", notation.guard(&edge.guard)));
            writeln!(out, "  {} -> {} [label={label}];", state.0, edge.target.0)?;
        }
    }
    writeln!(out, "}}")
}

/// All but names, so that a `!` before it speaks of all of it.
fn in_parentheses(text: String) -> String {
    let is_name = text.chars().all(|character| character.is_alphanumeric() || character == '_');
    if is_name { text } else { format!("({text})") }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
