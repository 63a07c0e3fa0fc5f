//! Partially dead variables: the condition under which a variable is dead at a location.
//!
//! Paper:    [yorav00] section 3.3.2, definitions 3.16 and 3.17: `dead(l)`, from the end of the program to its beginning.
//! Deviates: on any control-flow graph. Where an edge leads back, a variable is dead if it is [fully dead](super::dead_variables)
//!           there, and else it is not: that is what the second pass through a loop finds out in the paper. Conditions read only what belongs
//!           to the process, so that they stay true until it moves; a test of something else is passed over.

use reductio_model::{
    ActionKind, Binary, Communication, EdgeId, Expr, Guard, LocationId, Op, Pattern, Place, Proctype,
};

use super::elementary::{Substitution, and, cut, test, unary};
use super::process_variables::{ProcessVariables, target};
use super::safe_expressions::cannot_fail;
use super::walk::{each_part, each_part_of_action};
use crate::facts::set::Set;
use crate::facts::written_places;

/// Longer conditions cost more than they gain.
const MOST_PARTS: usize = 24;

const NEVER: Expr = Expr::Const(0);

/// For one variable, what is needed to find out where it is dead.
pub struct Conditions<'m> {
    pub own: &'m ProcessVariables,
    pub proctype: &'m Proctype,
    pub variable: usize,
    /// By location: what is live.
    pub live: &'m [Set],
}

impl Conditions<'_> {
    /// `dead(l)` for every location. Only for variables that are no elements of arrays.
    pub fn of_all_locations(&self) -> Vec<Expr> {
        let mut conditions: Vec<Option<Expr>> = vec![None; self.proctype.locations.len()];
        for location in self.last_first() {
            let condition = if self.is_dead(location) { Expr::TRUE } else { self.at(location, &conditions) };
            conditions[location.index()] = Some(condition);
        }
        conditions.into_iter().map(|condition| condition.unwrap_or(NEVER)).collect()
    }

    /// Is it no element of an array, and is it always clear when it is meant?
    pub fn is_scalar(&self) -> bool {
        let mut scalar = true;
        let mut note = |place: &Place| {
            let (variables, _) = self.own.variables(place);
            scalar &= place.indices.is_empty() || !variables.contains(self.variable);
        };
        for action in &self.proctype.actions {
            written_places(action).into_iter().for_each(&mut note);
            each_part_of_action(&action.kind, &mut |part| {
                if let Expr::Read(place) = part {
                    note(place);
                }
            });
        }
        scalar
    }

    fn is_dead(&self, location: LocationId) -> bool {
        !self.live[location.index()].contains(self.variable)
    }

    /// All locations, each after those that it leads to, as far as that is possible.
    fn last_first(&self) -> Vec<LocationId> {
        let mut order = Vec::new();
        let mut seen = Set::default();
        let mut stack = vec![(self.proctype.entry, 0)];
        seen.insert(self.proctype.entry.index());
        while let Some((location, next)) = stack.last_mut() {
            match self.proctype.location(*location).edges.get(*next) {
                Some(&edge) => {
                    *next += 1;
                    if let Some(target) = target(self.proctype, edge).filter(|target| !seen.contains(target.index())) {
                        seen.insert(target.index());
                        stack.push((target, 0));
                    }
                }
                None => {
                    order.push(*location);
                    stack.pop();
                }
            }
        }
        order
    }

    /// Whatever is done next, it is dead then: for each edge, its guard does not hold or it is dead before what the edge does.
    fn at(&self, location: LocationId, known: &[Option<Expr>]) -> Expr {
        let mut all = Expr::TRUE;
        for &edge in &self.proctype.location(location).edges {
            let guard = match &self.proctype.action_of(edge).kind {
                ActionKind::Step { guard, .. } => self.guard(edge, guard),
                ActionKind::DStep { .. } | ActionKind::End => Ok(Expr::TRUE),
            };
            let Ok(guard) = guard else { return NEVER };
            let before = self.before(edge, known).unwrap_or(NEVER);
            all = and(all, or(unary(reductio_model::Unary::Not, guard), before));
        }
        let mut parts = 0;
        each_part(&all, &mut |_| parts += 1);
        if parts > MOST_PARTS || !self.can_be_asked(&all) { NEVER } else { all }
    }

    /// What holds if the edge is taken. To look at the variable is an error.
    fn guard(&self, edge: EdgeId, guard: &Guard) -> Result<Expr, Used> {
        if let Guard::When(condition) = guard
            && self.uses(condition)
        {
            return Err(Used);
        }
        Ok(test(self.proctype, edge, guard).filter(|test| self.can_be_asked(test)).unwrap_or(Expr::TRUE))
    }

    fn can_be_asked(&self, condition: &Expr) -> bool {
        let reads = self.own.reads(condition);
        let is_own = |variable: usize| self.own.private.contains(variable) || self.own.constant.contains(variable);
        !reads.more && cannot_fail(condition) && reads.variables.iter().all(is_own)
    }

    fn uses(&self, expr: &Expr) -> bool {
        self.own.reads(expr).variables.contains(self.variable)
    }

    /// Where the variable is dead before what an edge does. `None` if that cannot be said.
    fn before(&self, edge: EdgeId, known: &[Option<Expr>]) -> Option<Expr> {
        let kind = &self.proctype.action_of(edge).kind;
        let Some(target) = target(self.proctype, edge) else { return Some(Expr::TRUE) };
        let is_dead = if self.is_dead(target) { Expr::TRUE } else { NEVER };
        let mut condition = known[target.index()].clone().unwrap_or(is_dead);
        let ActionKind::Step { communication, effect, .. } = kind else { return Some(condition) };
        for op in effect.iter().rev() {
            condition = match op {
                Op::Assign(place, value) if self.uses(value) || self.uses_index(place) => return None,
                Op::Assign(place, _) if self.is_it(place) => Expr::TRUE,
                Op::Assign(place, value) => Substitution { place, value: cut(value, place.ty)? }.apply(&condition)?,
                Op::Evaluate(expr) | Op::Assert(expr) if self.uses(expr) => return None,
                Op::Print { arguments, .. } if arguments.iter().any(|(_, argument)| self.uses(argument)) => {
                    return None;
                }
                Op::Evaluate(_) | Op::Assert(_) | Op::Print { .. } => condition,
                Op::Run { .. } | Op::SetPriority { .. } => return None,
            };
        }
        match communication {
            None => Some(condition),
            Some(Communication::Send { channel, arguments, .. }) => {
                let is_used = self.uses(channel) || arguments.iter().any(|argument| self.uses(argument));
                (!is_used).then_some(condition)
            }
            Some(Communication::Receive { channel, patterns, .. }) => {
                let is_used = self.uses(channel) || patterns.iter().any(|pattern| self.pattern_uses(pattern));
                if is_used { None } else { Some(self.before_receive(patterns, condition)) }
            }
        }
    }

    /// Whatever arrives: for all values of what is written.
    fn before_receive(&self, patterns: &[Pattern], condition: Expr) -> Expr {
        let stores = patterns.iter().filter_map(|pattern| match pattern {
            Pattern::Store(place) => Some(place),
            Pattern::Match(_) | Pattern::Discard => None,
        });
        let mut written = Set::default();
        for place in stores {
            if self.is_it(place) {
                return Expr::TRUE;
            }
            written.join(&self.own.variables(place).0);
        }
        if self.own.reads(&condition).variables.meets(&written) { NEVER } else { condition }
    }

    fn pattern_uses(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Store(place) => self.uses_index(place),
            Pattern::Match(expr) => self.uses(expr),
            Pattern::Discard => false,
        }
    }

    fn uses_index(&self, place: &Place) -> bool {
        place.indices.iter().any(|index| self.uses(&index.value))
    }

    fn is_it(&self, place: &Place) -> bool {
        self.own.variables(place).0.contains(self.variable)
    }
}

/// The variable is looked at.
struct Used;

fn or(one: Expr, other: Expr) -> Expr {
    match (one, other) {
        (Expr::Const(0), other) => other,
        (one, Expr::Const(0)) => one,
        (Expr::Const(_), _) | (_, Expr::Const(_)) => Expr::TRUE,
        (one, other) => Expr::Binary(Binary::Or, Box::new(one), Box::new(other)),
    }
}
