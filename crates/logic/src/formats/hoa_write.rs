//! Automata in the Hanoi omega-automata format, version 1.
//!
//! Paper: [babiak-et-al15].

use std::fmt::Write;

use super::label::Notation;
use crate::buchi::{Buchi, Classes, Edge, Marks, Tgba};
use crate::prop::Propositions;

/// An automaton with its acceptance on edges.
pub fn tgba_to_hoa(automaton: &Tgba, propositions: &Propositions, name: Option<&str>) -> String {
    Writer { automaton, propositions, name, state_based: None }.text()
}

/// An automaton with its acceptance on states.
pub fn buchi_to_hoa(automaton: &Buchi, propositions: &Propositions, name: Option<&str>) -> String {
    Writer { automaton: automaton.as_tgba(), propositions, name, state_based: Some(automaton) }.text()
}

struct Writer<'a> {
    automaton: &'a Tgba,
    propositions: &'a Propositions,
    name: Option<&'a str>,
    state_based: Option<&'a Buchi>,
}

impl Writer<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.header(&mut text);
        let _ = self.body(&mut text);
        text
    }

    fn header(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "HOA: v1")?;
        if let Some(name) = self.name {
            writeln!(out, "name: {}", quoted(name))?;
        }
        writeln!(out, "States: {}", self.automaton.state_count())?;
        writeln!(out, "Start: {}", self.automaton.initial.0)?;
        write!(out, "AP: {}", self.automaton.propositions.len())?;
        for &prop in &self.automaton.propositions {
            write!(out, " {}", quoted(&self.propositions.text(prop)))?;
        }
        let sets = self.automaton.sets;
        match sets {
            0 => writeln!(out, "\nacc-name: all")?,
            1 => writeln!(out, "\nacc-name: Buchi")?,
            _ => writeln!(out, "\nacc-name: generalized-Buchi {sets}")?,
        }
        let conditions: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
        let condition = if sets == 0 { "t".to_owned() } else { conditions.join("&") };
        writeln!(out, "Acceptance: {sets} {condition}")?;
        writeln!(out, "properties: {}", self.properties().join(" "))
    }

    fn properties(&self) -> Vec<&'static str> {
        let classes = Classes::of(self.automaton);
        let mut properties = vec!["trans-labels", "explicit-labels"];
        properties.push(if self.state_based.is_some() { "state-acc" } else { "trans-acc" });
        let told = [
            ("complete", self.automaton.is_complete()),
            ("deterministic", self.automaton.is_deterministic()),
            ("weak", classes.is_weak()),
            ("terminal", classes.is_terminal()),
        ];
        properties.extend(told.into_iter().filter(|(_, holds)| *holds).map(|(property, _)| property));
        properties
    }

    fn body(&self, out: &mut String) -> std::fmt::Result {
        let notation = Notation { name: |place| place.to_string(), and: "&", or: " | ", truth: "t", falsity: "f" };
        writeln!(out, "--BODY--")?;
        for state in self.automaton.states() {
            let accepting = self.state_based.is_some_and(|automaton| automaton.is_accepting(state));
            writeln!(out, "State: {}{}", state.0, if accepting { " {0}" } else { "" })?;
            for Edge { guard, marks, target } in self.automaton.edges_of(state) {
                let marks = if self.state_based.is_some() { Marks::NONE } else { *marks };
                writeln!(out, "[{}] {}{}", notation.guard(guard), target.0, in_braces(marks))?;
            }
        }
        writeln!(out, "--END--")
    }
}

fn in_braces(marks: Marks) -> String {
    if marks == Marks::NONE {
        return String::new();
    }
    let sets: Vec<String> = marks.iter().map(|set| set.to_string()).collect();
    format!(" {{{}}}", sets.join(" "))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
