//! Whether the language of one automaton is contained in that of another.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::result::VerdictName;

pub const CONTAINMENT_SCHEMA: &str = "reductio.containment/1";

/// The fields are written in this order. The schema is documented in `docs/guide/ltl.md`.
#[derive(Clone, Debug, Serialize)]
pub struct ContainmentReport {
    pub schema: &'static str,
    pub kind: &'static str,
    pub first: String,
    pub second: String,
    pub verdict: VerdictName,
    /// One that only the first accepts, if there is one.
    pub word: Option<WordEntry>,
}

/// An infinite word. Letters tell which propositions are true.
#[derive(Clone, Debug, Serialize)]
pub struct WordEntry {
    pub stem: Vec<BTreeMap<String, bool>>,
    pub cycle: Vec<BTreeMap<String, bool>>,
}

impl ContainmentReport {
    pub fn new(first: String, second: String, word: Option<WordEntry>) -> ContainmentReport {
        let verdict = if word.is_some() { VerdictName::Violated } else { VerdictName::Holds };
        ContainmentReport { schema: CONTAINMENT_SCHEMA, kind: "containment", first, second, verdict, word }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("keys are strings") + "\n"
    }

    pub fn text(&self) -> String {
        let ContainmentReport { first, second, word, .. } = self;
        let Some(word) = word else { return format!("{first} in {second}  holds\n") };
        let mut text = format!("{first} in {second}  VIOLATED\n\nA word that only {first} accepts:\n");
        for (index, letter) in word.stem.iter().chain(&word.cycle).enumerate() {
            if index == word.stem.len() {
                text.push_str("      and then forever:\n");
            }
            let literal = |(name, holds): (&String, &bool)| if *holds { name.clone() } else { format!("!{name}") };
            let literals: Vec<String> = letter.iter().map(literal).collect();
            let letter = if literals.is_empty() { "true".to_owned() } else { literals.join(" && ") };
            text.push_str(&format!("{:4}  {letter}\n", index + 1));
        }
        text
    }
}
