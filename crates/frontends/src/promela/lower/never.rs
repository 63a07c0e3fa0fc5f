//! Never claims: a body that watches the processes, as the automaton of the runs that it matches.
//!
//! The control flow is that of a process body, by the same rules. What a claim adds to them is the verifier's doing:
//!
//! * At every state of a run the claim makes one step, before the processes make theirs: each edge reads a state. A
//!   jump that is an option of its own reads one, too, and so does every `skip`.
//! * If the claim can make no step, it no longer watches: what the run goes on to do breaks nothing.
//! * The steps of an `atomic` up to its last all read the same state. If it blocks inside, the claim does.
//! * A cycle through a label that begins with `accept` breaks the property: all edges that leave it are marked.
//! * To come to the closing brace or to a label that begins with `end` breaks the property at once.
//! * So does an assertion that fails, since nothing but the claim can be blamed for it.
//!
//! What has effects cannot be told as an automaton over the states of the processes and is left unchecked.

use std::collections::HashMap;

use reductio_logic::MAX_PROPOSITIONS;
use reductio_model::{
    ActionKind, Automaton, Claim, ClaimEdge, EdgeId, Expr, Guard, Literal, LocationId, Op, Position, Proctype,
    PropertyKind, Unary,
};

use super::{Lowering, Watcher};
use crate::origin::Origin;
use crate::promela::ast::{self, ExprKind};
use crate::promela::visit;

/// There are short claims with many ways through nested choices; none that was written by hand has this many edges.
const MAX_EDGES: usize = 10_000;

impl Lowering<'_> {
    pub fn lower_never(&mut self, claim: &ast::Claim) {
        let name = claim.name.as_ref().map_or_else(|| self.free_name("never"), |name| name.text.clone());
        let body = self.watching_body(claim.span, &claim.body, Watcher::Never);
        if self.diagnostics.has_errors() {
            return;
        }
        let automaton = match self.obstacle(&claim.body, &body) {
            Some(obstacle) => Err(obstacle),
            None => Builder::new(self, &body).build(),
        };
        match automaton {
            Err(obstacle) => self.unchecked(&name, &obstacle.why(), claim.span),
            Ok((violations, states)) => {
                let (kind, text) = (PropertyKind::Never, "no run matches the claim".to_owned());
                let claim_of_text =
                    Claim { name, kind, text, position: None, violations, stutters: false, parts: Vec::new() };
                self.declare_claim(claim_of_text, Origin::Never { states }, claim.span);
            }
        }
    }

    /// A name that no claim has yet.
    fn free_name(&self, stem: &str) -> String {
        let names = std::iter::once(stem.to_owned()).chain((1..).map(|number| format!("{stem}_{number}")));
        let taken = |name: &String| {
            self.model.claims.iter().any(|claim| claim.name == *name)
                || self.model.unchecked.iter().any(|unchecked| unchecked.name == *name)
        };
        names.into_iter().find(|name| !taken(name)).expect("there are more names than claims")
    }

    /// What makes the whole of a claim impossible to check.
    fn obstacle(&self, block: &ast::Block, body: &Proctype) -> Option<Obstacle> {
        if let Some(variable) = body.locals.first() {
            let what = format!("the claim has a variable of its own, `{}`", variable.name);
            return Some(Obstacle { what, at: None });
        }
        let mut at = None;
        visit::in_block(block, &mut |expr| {
            if let ExprKind::Reference(reference) = &expr.kind
                && matches!(reference.parts[0].name.text.as_str(), "_pid" | "_priority")
            {
                at.get_or_insert(reference.span);
            }
        });
        at.map(|span| Obstacle { what: "a claim has no pid".to_owned(), at: Some(self.position(span)) })
    }
}

/// Why a claim is not checked.
struct Obstacle {
    what: String,
    at: Option<Position>,
}

impl Obstacle {
    fn why(&self) -> String {
        match self.at {
            Some(position) => format!("{} (line {})", self.what, position.line),
            None => self.what.clone(),
        }
    }
}

/// A condition: one of its conjunctions of literals must hold.
#[derive(Clone)]
struct Condition(Vec<Vec<Literal>>);

impl Condition {
    fn truth(value: bool) -> Condition {
        Condition(if value { vec![Vec::new()] } else { Vec::new() })
    }

    fn and(&self, other: &Condition) -> Condition {
        let pairs = self.0.iter().flat_map(|left| other.0.iter().map(move |right| [&left[..], &right[..]].concat()));
        let both = pairs.map(|mut literals| {
            literals.sort_unstable();
            literals.dedup();
            literals
        });
        let consistent = |literals: &Vec<Literal>| !literals.windows(2).any(|pair| pair[0].atom == pair[1].atom);
        Condition(both.filter(consistent).collect())
    }

    fn not(&self) -> Condition {
        let negated = |literal: &Literal| vec![Literal { value: !literal.value, ..*literal }];
        self.0
            .iter()
            .fold(Condition::truth(true), |rest, literals| rest.and(&Condition(literals.iter().map(negated).collect())))
    }
}

/// A step of the claim, and where it leads: `None` to its end.
struct Move {
    condition: Condition,
    target: Option<LocationId>,
}

fn add(moves: &mut Vec<Move>, step: Move) {
    if !step.condition.0.is_empty() {
        moves.push(step);
    }
}

struct Builder<'l, 'a, 'c> {
    lowering: &'l mut Lowering<'a>,
    claim: &'c Proctype,
    /// The states of the automaton, by the locations that they are; `None` is the claim's end.
    states: HashMap<Option<LocationId>, u32>,
    order: Vec<Option<LocationId>>,
}

impl<'l, 'a, 'c> Builder<'l, 'a, 'c> {
    fn new(lowering: &'l mut Lowering<'a>, claim: &'c Proctype) -> Self {
        Builder { lowering, claim, states: HashMap::new(), order: Vec::new() }
    }

    /// The automaton, and what its states are called.
    fn build(mut self) -> Result<(Automaton, Vec<String>), Obstacle> {
        let entry = self.unless_end(self.claim.entry);
        let initial = self.state(entry);
        let mut edges: Vec<Vec<ClaimEdge>> = Vec::new();
        let mut count = 0;
        while let Some(&location) = self.order.get(edges.len()) {
            let leaving = self.edges_of(location)?;
            count += leaving.len();
            if count > MAX_EDGES {
                return Err(Obstacle {
                    what: format!("the claim's automaton has more than {MAX_EDGES} edges"),
                    at: None,
                });
            }
            edges.push(leaving);
        }
        let automaton = Automaton { initial, sets: 1, edges };
        if automaton.atoms().len() > MAX_PROPOSITIONS {
            let what = format!("the claim has more than {MAX_PROPOSITIONS} different conditions");
            return Err(Obstacle { what, at: None });
        }
        let states = self.order.iter().map(|&location| self.place(location)).collect();
        Ok((automaton, states))
    }

    /// What a user calls a place in the claim: its label if it has one, and its line.
    fn place(&self, location: Option<LocationId>) -> String {
        let Some(location) = location else { return "its end".to_owned() };
        let at = self.lowering.model.place_name(self.claim.location(location).position);
        match self.claim.labels.iter().find(|label| label.location == location) {
            Some(label) => format!("{} ({at})", label.name),
            None => at,
        }
    }

    fn state(&mut self, location: Option<LocationId>) -> u32 {
        *self.states.entry(location).or_insert_with(|| {
            self.order.push(location);
            self.order.len() as u32 - 1
        })
    }

    fn edges_of(&mut self, location: Option<LocationId>) -> Result<Vec<ClaimEdge>, Obstacle> {
        let Some(location) = location else {
            return Ok(vec![ClaimEdge { guard: Vec::new(), marks: 1, target: self.state(None) }]);
        };
        let marks = self.claim.location(location).accept as u32;
        let mut edges = Vec::new();
        for step in self.moves(location, &mut Vec::new())? {
            let target = self.state(step.target);
            edges.extend(step.condition.0.into_iter().map(|guard| ClaimEdge { guard, marks, target }));
        }
        Ok(edges)
    }

    fn unless_end(&self, location: LocationId) -> Option<LocationId> {
        Some(location).filter(|&location| !self.claim.location(location).end)
    }

    /// What the claim can do in one state of the run, in the order in which it is tried. `inside` are the locations of
    /// an `atomic` that it has passed in this state.
    fn moves(&mut self, location: LocationId, inside: &mut Vec<LocationId>) -> Result<Vec<Move>, Obstacle> {
        let claim = self.claim;
        let mut moves = Vec::new();
        let mut before: Vec<(u32, Condition)> = Vec::new();
        for &edge in &claim.location(location).edges {
            let escape = claim.edge(edge).escape;
            let own = self.guard(edge)?;
            // An `else` yields to all before it, whatever follows an escape to the escape.
            let is_else = own.is_none();
            let own = own.unwrap_or(Condition::truth(true));
            let yields_to = before.iter().filter(|(other, _)| is_else || (*other > 0 && *other != escape));
            let condition = yields_to.fold(own, |condition, (_, other)| condition.and(&other.not()));
            before.push((escape, condition.clone()));
            self.step(edge, condition, location, inside, &mut moves)?;
            if moves.len() > MAX_EDGES {
                return Err(self.obstacle("there are too many ways to go on", edge));
            }
        }
        Ok(moves)
    }

    /// When a step can be made as far as it alone is concerned; `None` for an `else`.
    fn guard(&mut self, edge: EdgeId) -> Result<Option<Condition>, Obstacle> {
        let action = self.claim.action_of(edge);
        match &action.kind {
            ActionKind::Step { communication: Some(_), .. } => {
                Err(self.obstacle("a claim that sends or receives cannot be checked", edge))
            }
            ActionKind::DStep { .. } => Err(self.obstacle("a d_step in a claim cannot be checked", edge)),
            ActionKind::Step { guard: Guard::Else, .. } => Ok(None),
            ActionKind::Step { guard: Guard::When(expr), .. } => Ok(Some(self.condition(expr, &action.text))),
            ActionKind::End => Ok(Some(Condition::truth(true))),
        }
    }

    /// Adds what comes of a step that is made when `condition` holds.
    fn step(
        &mut self,
        edge: EdgeId,
        mut condition: Condition,
        from: LocationId,
        inside: &mut Vec<LocationId>,
        moves: &mut Vec<Move>,
    ) -> Result<(), Obstacle> {
        let action = self.claim.action_of(edge);
        if let ActionKind::Step { effect, .. } = &action.kind {
            for op in effect {
                let what = match op {
                    Op::Print { .. } => continue,
                    Op::Assert(expr) => {
                        let inner = action.text.strip_prefix("assert(").and_then(|text| text.strip_suffix(')'));
                        let holds = self.condition(expr, inner.unwrap_or(&action.text));
                        add(moves, Move { condition: condition.and(&holds.not()), target: None });
                        condition = condition.and(&holds);
                        continue;
                    }
                    Op::Assign(..) | Op::Evaluate(_) => "a claim that assigns to a variable cannot be checked",
                    Op::Run { .. } => "a claim that runs a process cannot be checked",
                    Op::SetPriority { .. } => "a claim that sets priorities cannot be checked",
                };
                return Err(self.obstacle(what, edge));
            }
        }
        let (to, atomic) = (self.claim.edge(edge).to, self.claim.edge(edge).atomic);
        match self.unless_end(to) {
            Some(to) if atomic => {
                inside.push(from);
                if inside.contains(&to) {
                    return Err(self.obstacle("a loop inside an atomic of a claim cannot be checked", edge));
                }
                for onward in self.moves(to, inside)? {
                    add(moves, Move { condition: condition.and(&onward.condition), ..onward });
                }
                inside.pop();
            }
            target => add(moves, Move { condition, target }),
        }
        Ok(())
    }

    /// An expression as a condition on an atom. Negations do not make another atom of it.
    fn condition(&mut self, expr: &Expr, text: &str) -> Condition {
        let (mut expr, mut text, mut value) = (expr, text, true);
        while let Expr::Unary(Unary::Not, operand) = expr {
            value = !value;
            expr = operand;
            text = text.strip_prefix('!').unwrap_or(text);
            if matches!(expr, Expr::Binary(..)) {
                text = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
            }
        }
        match expr {
            Expr::Const(constant) => Condition::truth((*constant != 0) == value),
            _ => Condition(vec![vec![Literal { atom: self.lowering.atom(expr.clone(), text), value }]]),
        }
    }

    fn obstacle(&self, what: &str, edge: EdgeId) -> Obstacle {
        Obstacle { what: what.to_owned(), at: Some(self.claim.action_of(edge).position) }
    }
}
