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
//! * What a claim remembers in variables of its own is part of where it is: the automaton's states are pairs of a
//!   location and the values of its variables. Where a value comes from the processes, there is an edge for every one
//!   that it can have.
//!
//! What has effects on the processes cannot be told as an automaton over their states and is left unchecked.

use std::collections::HashMap;

use reductio_logic::MAX_PROPOSITIONS;
use reductio_logic::buchi::is_closed_under_stuttering;
use reductio_model::{
    Action, ActionKind, Automaton, Binary, Claim, ClaimEdge, EdgeId, Expr, Guard, Literal, LocationId, Op, Origin,
    Place, Position, Proctype, PropertyKind, Scope, Unary,
};

use super::own_variables::{self as own, Values};
use super::{Lowering, Watcher};
use crate::promela::ast::{self, ExprKind};
use crate::promela::visit;

/// A claim that counts has a state for every number.
const MAX_STATES: usize = 10_000;
/// There are short claims with many ways through nested choices; none that was written by hand has this many edges.
/// One that remembers bytes of the processes may have more, and would take longer to check than anyone waits.
const MAX_EDGES: usize = 10_000;
/// Every state has its values.
const MAX_VARIABLES: usize = 256;
/// An `atomic` that counts is followed in one go.
const LONGEST_ATOMIC: usize = 1_000;

impl Lowering<'_> {
    pub fn lower_never(&mut self, claim: &ast::Claim) {
        let name = claim.name.as_ref().map_or_else(|| self.free_name("never"), |name| name.text.clone());
        let body = self.watching_body(claim.span, &claim.body, Watcher::Never);
        if self.diagnostics.has_errors() {
            return;
        }
        let atoms = self.model.atoms.len();
        let automaton = match self.obstacle(&claim.body) {
            Some(obstacle) => Err(obstacle),
            None => Builder::new(self, &body).build(),
        };
        match automaton {
            Err(obstacle) => {
                self.model.atoms.truncate(atoms);
                self.unchecked(&name, &obstacle.why(), claim.span);
            }
            Ok((violations, states)) => {
                let (kind, text) = (PropertyKind::Never, "no run matches the claim".to_owned());
                // Those that are made of formulas mostly can, and so can many that people write.
                let stutters = violations.tgba().is_some_and(|tgba| is_closed_under_stuttering(&tgba));
                let claim_of_text = Claim {
                    name,
                    kind,
                    text,
                    position: None,
                    of_infinite_runs_only: false,
                    origin: Origin::Never { states },
                    violations,
                    stutters,
                    parts: Vec::new(),
                };
                self.declare_claim(claim_of_text, claim.span);
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
    fn obstacle(&self, block: &ast::Block) -> Option<Obstacle> {
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

fn too_many_conditions() -> Obstacle {
    Obstacle { what: format!("the claim has more than {MAX_PROPOSITIONS} different conditions"), at: None }
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

/// Where a claim is, and what its own variables are.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Point {
    location: LocationId,
    values: Values,
}

/// A step of the claim, and where it leads: `None` to its end.
struct Move {
    condition: Condition,
    target: Option<Point>,
}

fn add(moves: &mut Vec<Move>, step: Move) {
    if !step.condition.0.is_empty() {
        moves.push(step);
    }
}

struct Builder<'l, 'a, 'c> {
    lowering: &'l mut Lowering<'a>,
    claim: &'c Proctype,
    /// The states of the automaton, by the points that they are; `None` is the claim's end.
    states: HashMap<Option<Point>, u32>,
    order: Vec<Option<Point>>,
    /// How many atoms there were before those of the claim.
    atoms_before: usize,
}

impl<'l, 'a, 'c> Builder<'l, 'a, 'c> {
    fn new(lowering: &'l mut Lowering<'a>, claim: &'c Proctype) -> Self {
        let atoms_before = lowering.model.atoms.len();
        Builder { lowering, claim, states: HashMap::new(), order: Vec::new(), atoms_before }
    }

    /// The automaton, and what its states are called.
    fn build(mut self) -> Result<(Automaton, Vec<String>), Obstacle> {
        if self.claim.locals.len() > MAX_VARIABLES {
            let what = format!("the claim has more than {MAX_VARIABLES} variables of its own");
            return Err(Obstacle { what, at: None });
        }
        let values = own::initial_values(self.claim).map_err(|what| Obstacle { what, at: None })?;
        let entry = self.unless_end(self.claim.entry, values);
        let initial = self.state(entry);
        let mut edges: Vec<Vec<ClaimEdge>> = Vec::new();
        let mut count = 0;
        while let Some(point) = self.order.get(edges.len()).cloned() {
            let leaving = self.edges_of(point)?;
            count += leaving.len();
            edges.push(leaving);
            self.check_size(count)?;
        }
        let automaton = Automaton { initial, sets: 1, edges };
        if automaton.atoms().len() > MAX_PROPOSITIONS {
            return Err(too_many_conditions());
        }
        let states = self.order.iter().map(|point| self.place(point.as_ref())).collect();
        Ok((automaton, states))
    }

    fn check_size(&self, edges: usize) -> Result<(), Obstacle> {
        let (count, limit, what) = match edges > MAX_EDGES {
            true => (edges, MAX_EDGES, "edges"),
            false => (self.order.len(), MAX_STATES, "states"),
        };
        if count > limit {
            let what = format!("the claim's automaton has more than {limit} {what}");
            return Err(Obstacle { what, at: None });
        }
        // Many of them need not be in one automaton, but nearly always are; and to find out would take long.
        if self.lowering.model.atoms.len() > self.atoms_before + MAX_PROPOSITIONS {
            return Err(too_many_conditions());
        }
        Ok(())
    }

    /// What a user calls a place in the claim: its label if it has one, its line, and what the claim remembers.
    fn place(&self, point: Option<&Point>) -> String {
        let Some(Point { location, values }) = point else { return "its end".to_owned() };
        let at = self.lowering.model.place_name(self.claim.location(*location).position);
        let place = match self.claim.labels.iter().find(|label| label.location == *location) {
            Some(label) => format!("{} ({at})", label.name),
            None => at,
        };
        let variables = self.claim.locals.iter().zip(values);
        let remembered: String = variables.map(|(slot, value)| format!(", {} = {value}", slot.name)).collect();
        place + &remembered
    }

    fn state(&mut self, point: Option<Point>) -> u32 {
        let number = self.order.len() as u32;
        *self.states.entry(point).or_insert_with_key(|point| {
            self.order.push(point.clone());
            number
        })
    }

    fn edges_of(&mut self, point: Option<Point>) -> Result<Vec<ClaimEdge>, Obstacle> {
        let Some(point) = point else {
            return Ok(vec![ClaimEdge { guard: Vec::new(), marks: 1, target: self.state(None) }]);
        };
        let marks = self.claim.location(point.location).accept as u32;
        let mut edges = Vec::new();
        for step in self.moves(&point, &mut Vec::new())? {
            let target = self.state(step.target);
            edges.extend(step.condition.0.into_iter().map(|guard| ClaimEdge { guard, marks, target }));
        }
        Ok(edges)
    }

    fn unless_end(&self, location: LocationId, values: Values) -> Option<Point> {
        (!self.claim.location(location).end).then_some(Point { location, values })
    }

    /// What the claim can do in one state of the run, in the order in which it is tried. `inside` are the points of
    /// an `atomic` that it has passed in this state.
    fn moves(&mut self, point: &Point, inside: &mut Vec<Point>) -> Result<Vec<Move>, Obstacle> {
        let claim = self.claim;
        let mut moves = Vec::new();
        let mut before: Vec<(u32, Condition)> = Vec::new();
        for &edge in &claim.location(point.location).edges {
            let escape = claim.edge(edge).escape;
            let own = self.guard(edge, &point.values)?;
            // An `else` yields to all before it, whatever follows an escape to the escape.
            let is_else = own.is_none();
            let own = own.unwrap_or(Condition::truth(true));
            let yields_to = before.iter().filter(|(other, _)| is_else || (*other > 0 && *other != escape));
            let condition = yields_to.fold(own, |condition, (_, other)| condition.and(&other.not()));
            before.push((escape, condition.clone()));
            self.step(edge, condition, point, inside, &mut moves)?;
            if moves.len() > MAX_EDGES {
                return Err(self.obstacle("there are too many ways to go on", edge));
            }
        }
        Ok(moves)
    }

    /// When a step can be made as far as it alone is concerned; `None` for an `else`.
    fn guard(&mut self, edge: EdgeId, values: &[i32]) -> Result<Option<Condition>, Obstacle> {
        let action = self.claim.action_of(edge);
        match &action.kind {
            ActionKind::Step { communication: Some(_), .. } => {
                Err(self.obstacle("a claim that sends or receives cannot be checked", edge))
            }
            ActionKind::DStep { .. } => Err(self.obstacle("a d_step in a claim cannot be checked", edge)),
            ActionKind::Step { guard: Guard::Else, .. } => Ok(None),
            ActionKind::Step { guard: Guard::When(expr), .. } => {
                self.condition(expr, &action.text, values, edge).map(Some)
            }
            ActionKind::End => Ok(Some(Condition::truth(true))),
        }
    }

    /// Adds what comes of a step that is made when `condition` holds.
    fn step(
        &mut self,
        edge: EdgeId,
        condition: Condition,
        from: &Point,
        inside: &mut Vec<Point>,
        moves: &mut Vec<Move>,
    ) -> Result<(), Obstacle> {
        if condition.0.is_empty() {
            return Ok(());
        }
        let mut ways = vec![(condition, from.values.clone())];
        if let ActionKind::Step { effect, .. } = &self.claim.action_of(edge).kind {
            for op in effect {
                ways = self.after(op, ways, edge, moves)?;
            }
        }
        let (to, atomic) = (self.claim.edge(edge).to, self.claim.edge(edge).atomic);
        for (condition, values) in ways {
            match self.unless_end(to, values) {
                Some(to) if atomic => {
                    inside.push(from.clone());
                    if inside.contains(&to) {
                        return Err(self.obstacle("a loop inside an atomic of a claim cannot be checked", edge));
                    }
                    if inside.len() > LONGEST_ATOMIC {
                        return Err(self.obstacle("an atomic of the claim has too many steps", edge));
                    }
                    for onward in self.moves(&to, inside)? {
                        add(moves, Move { condition: condition.and(&onward.condition), ..onward });
                    }
                    inside.pop();
                }
                target => add(moves, Move { condition, target }),
            }
        }
        Ok(())
    }

    /// In which ways the claim goes on after one effect of a step, from those in which it came to it: when, and with which
    /// values of its variables. A failed assertion leads to its end.
    fn after(
        &mut self,
        op: &Op,
        ways: Vec<(Condition, Values)>,
        edge: EdgeId,
        moves: &mut Vec<Move>,
    ) -> Result<Vec<(Condition, Values)>, Obstacle> {
        let text = &self.claim.action_of(edge).text;
        let mut onward = Vec::new();
        for (condition, values) in ways {
            let what = match op {
                Op::Print { .. } => {
                    onward.push((condition, values));
                    continue;
                }
                Op::Assert(expr) => {
                    let inner = text.strip_prefix("assert(").and_then(|text| text.strip_suffix(')'));
                    let holds = self.condition(expr, inner.unwrap_or(text), &values, edge)?;
                    add(moves, Move { condition: condition.and(&holds.not()), target: None });
                    onward.push((condition.and(&holds), values));
                    continue;
                }
                Op::Assign(place, expr) if place.scope == Scope::Local => {
                    let slot = own::slot(place, &values).map_err(|what| self.obstacle(&what, edge))?;
                    for (when, value) in self.assigned(place, expr, &values, edge)? {
                        let mut values = values.clone();
                        values[slot] = value;
                        onward.push((condition.and(&when), values));
                    }
                    continue;
                }
                Op::Assign(..) | Op::Evaluate(_) => "a claim that assigns to a variable of the model cannot be checked",
                Op::Run { .. } => "a claim that runs a process cannot be checked",
                Op::SetPriority { .. } => "a claim that sets priorities cannot be checked",
            };
            return Err(self.obstacle(what, edge));
        }
        onward.retain(|(condition, _)| !condition.0.is_empty());
        Ok(onward)
    }

    /// The values that an own variable can get, and when it gets them. Where the value comes from the processes, it is
    /// read bit by bit: so there are as few conditions as can be.
    fn assigned(
        &mut self,
        place: &Place,
        expr: &Expr,
        values: &[i32],
        edge: EdgeId,
    ) -> Result<Vec<(Condition, i32)>, Obstacle> {
        let Action { text, .. } = self.claim.action_of(edge);
        let text = text.split_once(" = ").map_or(text.as_str(), |(_, value)| value);
        let rest = own::known(expr, values).map_err(|what| self.obstacle(&what, edge))?;
        if let Expr::Const(value) = rest {
            return Ok(vec![(Condition::truth(true), place.ty.truncate(value))]);
        }
        if own::is_truth(&rest) {
            let holds = self.condition(expr, text, values, edge)?;
            return Ok(vec![(holds.not(), 0), (holds, 1)]);
        }
        let Some(bits) = own::bits_that_matter(&rest, place.ty) else {
            let what = "the claim remembers a number that can have too many values";
            return Err(self.obstacle(what, edge));
        };
        let mut ways = vec![(Condition::truth(true), 0)];
        for bit in 0..bits {
            let mask = 1 << bit;
            let one = Expr::Binary(Binary::BitAnd, Box::new(rest.clone()), Box::new(Expr::Const(mask)));
            let text = format!("({text}) & {mask}");
            let set = self.condition(&one, &text, values, edge)?;
            let unset = set.not();
            let split = |(when, value): (Condition, i32)| [(when.and(&unset), value), (when.and(&set), value | mask)];
            ways = ways.into_iter().flat_map(split).collect();
        }
        Ok(ways)
    }

    /// An expression as a condition on what its own variables leave open of it.
    fn condition(&mut self, expr: &Expr, text: &str, values: &[i32], edge: EdgeId) -> Result<Condition, Obstacle> {
        let rest = own::known(expr, values).map_err(|what| self.obstacle(&what, edge))?;
        if rest == *expr {
            return Ok(self.literal(expr, text));
        }
        let with = own::read_by(expr, self.claim, values);
        let with: Vec<String> = with.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        // The text is that of the whole, so a negation of what is left is not one of the text.
        match rest {
            Expr::Const(value) => Ok(Condition::truth(value != 0)),
            rest => {
                let text = format!("{text} (with {})", with.join(", "));
                Ok(Condition(vec![vec![Literal { atom: self.lowering.atom(rest, text), value: true }]]))
            }
        }
    }

    /// An expression as a condition on an atom. Negations do not make another atom of it.
    fn literal(&mut self, expr: &Expr, text: &str) -> Condition {
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
