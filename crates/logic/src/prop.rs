//! Atomic propositions: numbers here, texts for people, and which of them are true at a moment.

use std::collections::HashMap;

/// An atomic proposition. What it stands for, an expression over a model's state, is the caller's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prop(pub u32);

/// The texts of propositions, each text once.
#[derive(Clone, Debug, Default)]
pub struct Propositions {
    texts: Vec<String>,
    by_text: HashMap<String, Prop>,
}

impl Propositions {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The proposition with this text, a new one if there was none.
    pub fn intern(&mut self, text: &str) -> Prop {
        if let Some(&prop) = self.by_text.get(text) {
            return prop;
        }
        let prop = Prop(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.by_text.insert(text.to_owned(), prop);
        prop
    }

    /// The text of a proposition; `p7` for one that is not in this table.
    pub fn text(&self, prop: Prop) -> String {
        self.texts.get(prop.0 as usize).cloned().unwrap_or_else(|| format!("p{}", prop.0))
    }

    /// How many propositions there are.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All propositions with their texts.
    pub fn iter(&self) -> impl Iterator<Item = (Prop, &str)> {
        self.texts.iter().enumerate().map(|(number, text)| (Prop(number as u32), text.as_str()))
    }
}

/// Which propositions of an automaton are true: bit `i` stands for the proposition at place `i` of its list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Valuation(pub u64);

/// How many propositions one automaton can have: a valuation is one word.
pub const MAX_PROPOSITIONS: usize = 64;

impl Valuation {
    /// The valuation in which the propositions at these places are true.
    pub fn of(places: impl IntoIterator<Item = usize>) -> Self {
        Valuation(places.into_iter().fold(0, |bits, place| bits | 1 << place))
    }

    /// Whether the proposition at a place is true.
    pub fn holds(self, place: usize) -> bool {
        self.0 >> place & 1 == 1
    }
}
