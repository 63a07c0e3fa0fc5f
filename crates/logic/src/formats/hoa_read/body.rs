//! States, edges, labels.

use super::header::Header;
use super::tokens::{Token, Tokens};
use super::{HoaError, MAX_STATES};
use crate::buchi::{Cube, Edge, Guard, Marks, StateId};

/// How deeply labels may nest.
const MAX_NESTING: usize = 200;

/// How many cubes a label may amount to.
const MAX_CUBES: usize = 2000;

pub(super) fn read(tokens: &mut Tokens, header: &Header) -> Result<Vec<Vec<Edge>>, HoaError> {
    let mut edges: Vec<Option<Vec<Edge>>> = vec![None; header.states.unwrap_or(0)];
    while !tokens.take(&Token::End) {
        tokens.expect(&Token::Header("State".to_owned()), "`State:` or `--END--`")?;
        let common = if tokens.peek() == Some(&Token::Sign('[')) { Some(bracketed(tokens, header)?) } else { None };
        let state = state_number(tokens)?;
        if header.states.is_some_and(|states| state.index() >= states) {
            return Err(tokens.error(format!("there is no state {}", state.0)));
        }
        if matches!(tokens.peek(), Some(Token::Text(_))) {
            tokens.next();
        }
        let marks = marks(tokens, header)?;
        let row = Row { header, common, marks }.read(tokens)?;
        if edges.len() <= state.index() {
            edges.resize(state.index() + 1, None);
        }
        if edges[state.index()].replace(row).is_some() {
            return Err(tokens.error(format!("state {} is described twice", state.0)));
        }
    }
    let last = header.start.iter().map(|state| state.index() + 1);
    let targets = edges.iter().flatten().flatten().map(|edge| edge.target.index() + 1);
    let count = last.chain(targets).max().unwrap_or(0);
    if header.states.is_some_and(|states| count > states) {
        return Err(tokens.error("an edge leads to a state that is not one of the automaton's"));
    }
    let count = count.max(edges.len());
    edges.resize(count, None);
    Ok(edges.into_iter().map(Option::unwrap_or_default).collect())
}

/// The edges of one state.
struct Row<'a> {
    header: &'a Header,
    /// The label that all edges share, if the state has one.
    common: Option<Guard>,
    marks: Marks,
}

impl Row<'_> {
    fn read(&self, tokens: &mut Tokens) -> Result<Vec<Edge>, HoaError> {
        let mut edges = Vec::new();
        loop {
            let guard = match tokens.peek() {
                Some(Token::Sign('[')) => {
                    let guard = bracketed(tokens, self.header)?;
                    self.common.as_ref().map_or(guard.clone(), |common| common.and(&guard))
                }
                Some(Token::Number(_)) => match &self.common {
                    Some(common) => common.clone(),
                    None => self.implicit(tokens, edges.len())?,
                },
                _ => return Ok(edges),
            };
            let target = state_number(tokens)?;
            if tokens.peek() == Some(&Token::Sign('&')) {
                return Err(tokens.error("alternating automata are not supported: an edge leads to several states"));
            }
            let marks = marks(tokens, self.header)?.union(self.marks);
            edges.push(Edge { guard, marks, target });
        }
    }

    /// Without labels, the n-th edge is for the n-th valuation.
    fn implicit(&self, tokens: &Tokens, number: usize) -> Result<Guard, HoaError> {
        let places = self.header.atoms.len();
        if places < usize::BITS as usize && number >= 1 << places {
            return Err(tokens.error("a state without labels has more edges than there are valuations"));
        }
        let all = if places >= u64::BITS as usize { u64::MAX } else { (1 << places) - 1 };
        Ok(Guard::from(Cube { positive: number as u64, negative: all & !(number as u64) }))
    }
}

pub(super) fn state_number(tokens: &mut Tokens) -> Result<StateId, HoaError> {
    let number = tokens.number("the number of a state")?;
    if number >= MAX_STATES as u64 {
        return Err(tokens.error(format!("a state with number {number} is one of more than {MAX_STATES}")));
    }
    Ok(StateId(number as u32))
}

fn marks(tokens: &mut Tokens, header: &Header) -> Result<Marks, HoaError> {
    let mut marks = Marks::NONE;
    if !tokens.take(&Token::Sign('{')) {
        return Ok(marks);
    }
    while !tokens.take(&Token::Sign('}')) {
        let number = tokens.number("an acceptance set or `}`")?;
        // Sets that acceptance does not depend on have no place.
        let place = header.sets.iter().position(|&set| set == number);
        marks = place.map_or(marks, |place| marks.union(Marks::one(place as u32)));
    }
    Ok(marks)
}

fn bracketed(tokens: &mut Tokens, header: &Header) -> Result<Guard, HoaError> {
    tokens.expect(&Token::Sign('['), "`[`")?;
    let guard = Labels { tokens, header, nesting: 0 }.disjunction()?;
    tokens.expect(&Token::Sign(']'), "`]`, `&` or `|`")?;
    Ok(guard)
}

/// A label that takes all tokens there are.
pub(super) fn label(tokens: &mut Tokens, header: &Header) -> Result<Guard, HoaError> {
    let guard = Labels { tokens, header, nesting: 0 }.disjunction()?;
    if tokens.peek().is_some() { Err(tokens.expected("`&` or `|`")) } else { Ok(guard) }
}

struct Labels<'a> {
    tokens: &'a mut Tokens,
    header: &'a Header,
    nesting: usize,
}

impl Labels<'_> {
    fn disjunction(&mut self) -> Result<Guard, HoaError> {
        let mut guard = self.conjunction()?;
        while self.tokens.take(&Token::Sign('|')) {
            let next = self.conjunction()?;
            guard = self.bounded(&guard, &next, |one, other| one + other, Guard::or)?;
        }
        Ok(guard)
    }

    fn conjunction(&mut self) -> Result<Guard, HoaError> {
        let mut guard = self.literal()?;
        while self.tokens.take(&Token::Sign('&')) {
            let next = self.literal()?;
            guard = self.bounded(&guard, &next, |one, other| one * other, Guard::and)?;
        }
        Ok(guard)
    }

    fn bounded(
        &self,
        one: &Guard,
        other: &Guard,
        size: fn(usize, usize) -> usize,
        join: fn(&Guard, &Guard) -> Guard,
    ) -> Result<Guard, HoaError> {
        if size(one.cubes().len(), other.cubes().len()) > MAX_CUBES {
            return Err(self.tokens.error("a label is too complicated; split the edge"));
        }
        Ok(join(one, other))
    }

    fn literal(&mut self) -> Result<Guard, HoaError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.tokens.error("a label nests too deeply"));
        }
        let guard = self.literal_within()?;
        self.nesting -= 1;
        Ok(guard)
    }

    fn literal_within(&mut self) -> Result<Guard, HoaError> {
        match self.tokens.peek().cloned() {
            Some(Token::Sign('!')) => {
                self.tokens.next();
                let operand = self.literal()?;
                self.negation(&operand)
            }
            Some(Token::Sign('(')) => {
                self.tokens.next();
                let guard = self.disjunction()?;
                self.tokens.expect(&Token::Sign(')'), "`)`, `&` or `|`")?;
                Ok(guard)
            }
            Some(Token::Number(number)) if (number as usize) < self.header.atoms.len() => {
                self.tokens.next();
                Ok(Guard::from(Cube::literal(number as usize, true)))
            }
            Some(Token::Number(number)) => Err(self.tokens.error(format!("there is no proposition {number}"))),
            Some(Token::Name(name)) if name == "t" || name == "f" => {
                self.tokens.next();
                Ok(Guard::truth(name == "t"))
            }
            Some(Token::Alias(name)) => {
                let guard = self.header.aliases.get(&name).cloned();
                let guard = guard.ok_or_else(|| self.tokens.error(format!("there is no alias `@{name}`")))?;
                self.tokens.next();
                Ok(guard)
            }
            _ => Err(self.tokens.expected("a proposition, `t`, `f`, `!`, `(` or an alias")),
        }
    }

    /// Cube by cube, so that it can be bounded.
    fn negation(&self, guard: &Guard) -> Result<Guard, HoaError> {
        guard.cubes().iter().try_fold(Guard::truth(true), |rest, &cube| {
            self.bounded(&rest, &Guard::from(cube).not(), |one, other| one * other, Guard::and)
        })
    }
}
