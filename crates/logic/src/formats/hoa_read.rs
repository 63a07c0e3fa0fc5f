//! Reading automata in the Hanoi omega-automata format, version 1.
//!
//! Paper:  [babiak-et-al15].
//! Reads:  Büchi, generalised Büchi and trivial acceptance on states or edges, explicit and implicit labels, aliases,
//!         several initial states.
//! Refuses: alternation and every other acceptance condition, with a message that names it.

mod body;
mod header;
mod tokens;

use crate::buchi::{Edge, Marks, StateId, Tgba};
use crate::prop::Propositions;
use tokens::Tokens;

/// How many states an automaton that is read may have.
const MAX_STATES: usize = 1_000_000;

/// Why a text is not an automaton that can be used here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoaError {
    /// Where, in lines from 1.
    pub line: usize,
    /// What is wrong, and what is supported.
    pub message: String,
}

impl std::fmt::Display for HoaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for HoaError {}

/// Reads the first automaton of a text. The texts of its propositions are added to the table.
pub fn from_hoa(text: &str, propositions: &mut Propositions) -> Result<Tgba, HoaError> {
    let mut tokens = Tokens::of(text)?;
    let header = header::read(&mut tokens)?;
    let mut edges = body::read(&mut tokens, &header)?;
    let initial = match header.start[..] {
        [initial] => initial,
        [] => return Ok(Tgba::empty(header.atoms.iter().map(|atom| propositions.intern(atom)).collect())),
        _ => joint_start(&header.start, &mut edges),
    };
    let propositions = header.atoms.iter().map(|atom| propositions.intern(atom)).collect();
    Ok(Tgba { propositions, sets: header.sets.len() as u32, initial, edges })
}

/// A new state with the edges of several initial ones. No run comes back to it, so its edges need no marks.
fn joint_start(start: &[StateId], edges: &mut Vec<Vec<Edge>>) -> StateId {
    let row = start.iter().flat_map(|state| edges[state.index()].clone());
    let row = row.map(|edge| Edge { marks: Marks::NONE, ..edge }).collect();
    edges.push(row);
    StateId(edges.len() as u32 - 1)
}
