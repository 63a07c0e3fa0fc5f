//! What stands before the body: states, propositions, acceptance, aliases.

use std::collections::HashMap;

use super::tokens::{Token, Tokens};
use super::{HoaError, MAX_STATES};
use crate::buchi::{Guard, MAX_SETS, StateId};
use crate::prop::MAX_PROPOSITIONS;

#[derive(Default)]
pub(super) struct Header {
    pub states: Option<usize>,
    pub start: Vec<StateId>,
    pub atoms: Vec<String>,
    /// The sets that acceptance depends on, by the numbers they have in the text.
    pub sets: Vec<u64>,
    pub aliases: HashMap<String, Guard>,
}

pub(super) fn read(tokens: &mut Tokens) -> Result<Header, HoaError> {
    tokens.expect(&Token::Header("HOA".to_owned()), "`HOA: v1` at the start")?;
    if !tokens.take(&Token::Name("v1".to_owned())) {
        return Err(tokens.expected("version `v1`"));
    }
    let mut header = Header::default();
    let mut acceptance_is_known = false;
    // Aliases and the initial states may be named before the propositions and states they speak of.
    let mut later = Vec::new();
    loop {
        match tokens.next() {
            Some(Token::Body) => break,
            Some(Token::Header(name)) => match name.as_str() {
                "States" => header.states = Some(bounded_states(tokens)?),
                "Start" => header.start.push(start(tokens)?),
                "AP" => header.atoms = atoms(tokens)?,
                "Acceptance" => {
                    header.sets = acceptance(tokens)?;
                    acceptance_is_known = true;
                }
                "Alias" => later.push(alias(tokens)?),
                // Headers with a capital letter matter to what the automaton means.
                _ if name.starts_with(|first: char| first.is_uppercase()) => {
                    return Err(tokens.error(format!("the header `{name}:` is not known here")));
                }
                _ => skip_values(tokens),
            },
            _ => return Err(tokens.error("expected a header or `--BODY--`")),
        }
    }
    if !acceptance_is_known {
        return Err(tokens.error("there is no header `Acceptance:`"));
    }
    for (name, mut definition) in later {
        let guard = super::body::label(&mut definition, &header)?;
        header.aliases.insert(name, guard);
    }
    let states = header.states;
    if header.start.iter().any(|state| states.is_some_and(|states| state.index() >= states)) {
        return Err(tokens.error("an initial state is not one of the automaton's"));
    }
    Ok(header)
}

fn bounded_states(tokens: &mut Tokens) -> Result<usize, HoaError> {
    let states = tokens.number("the number of states")?;
    if states > MAX_STATES as u64 {
        return Err(tokens.error(format!("{states} states are more than {MAX_STATES}")));
    }
    Ok(states as usize)
}

fn start(tokens: &mut Tokens) -> Result<StateId, HoaError> {
    let state = super::body::state_number(tokens)?;
    if tokens.peek() == Some(&Token::Sign('&')) {
        return Err(tokens.error("alternating automata are not supported: several states start at once"));
    }
    Ok(state)
}

fn atoms(tokens: &mut Tokens) -> Result<Vec<String>, HoaError> {
    let count = tokens.number("the number of propositions")?;
    if count > MAX_PROPOSITIONS as u64 {
        return Err(tokens.error(format!("{count} propositions are more than {MAX_PROPOSITIONS}")));
    }
    let mut atoms = Vec::new();
    for _ in 0..count {
        match tokens.peek().cloned() {
            Some(Token::Text(text)) if atoms.contains(&text) => {
                return Err(tokens.error(format!("the proposition {text:?} is named twice")));
            }
            Some(Token::Text(text)) => atoms.push(text),
            _ => return Err(tokens.expected("the name of a proposition in quotes")),
        }
        tokens.next();
    }
    Ok(atoms)
}

/// The sets of a condition `Inf(i) & Inf(j) & ...`; none for `t`.
fn acceptance(tokens: &mut Tokens) -> Result<Vec<u64>, HoaError> {
    let count = tokens.number("the number of acceptance sets")?;
    let refused = "only Büchi and generalised Büchi acceptance is supported, such as `2 Inf(0)&Inf(1)`";
    let mut sets = Vec::new();
    if tokens.take(&Token::Name("t".to_owned())) {
        return Ok(sets);
    }
    loop {
        if !tokens.take(&Token::Name("Inf".to_owned())) || !tokens.take(&Token::Sign('(')) {
            return Err(tokens.expected(&format!("`Inf(SET)`: {refused}")));
        }
        let set = tokens.number(&format!("a set: {refused}"))?;
        if set >= count {
            return Err(tokens.error(format!("there is no acceptance set {set}")));
        }
        tokens.expect(&Token::Sign(')'), "`)`")?;
        if !sets.contains(&set) {
            sets.push(set);
        }
        if sets.len() > MAX_SETS as usize {
            return Err(tokens.error(format!("there are more than {MAX_SETS} acceptance sets")));
        }
        if !tokens.take(&Token::Sign('&')) {
            break;
        }
    }
    if tokens.peek() == Some(&Token::Sign('|')) {
        return Err(tokens.error(refused));
    }
    Ok(sets)
}

/// An alias and the tokens that it stands for.
fn alias(tokens: &mut Tokens) -> Result<(String, Tokens), HoaError> {
    let Some(Token::Alias(name)) = tokens.peek().cloned() else { return Err(tokens.expected("the name of an alias")) };
    tokens.next();
    Ok((name, tokens.rest_of_header()))
}

fn skip_values(tokens: &mut Tokens) {
    while !matches!(tokens.peek(), None | Some(Token::Header(_) | Token::Body)) {
        tokens.next();
    }
}
