//! Dead variables: a variable whose value will not be read any more is reset, so that states that differ only in it become
//! one state.
//!
//! Paper:     [yorav00] section 3.3.2, definitions 3.13, 3.15 and 3.17. For variables that are dead under a condition, see
//!            [`partially_dead`](super::partially_dead).
//! Preserves: CTL*, deadlocks, faults, fairness of any kind: full and reduced graph are bisimilar, step by step the same
//!            edges. Not the number of states in which something goes wrong.
//! Needs:     to know which variables belong to a process alone: see [`ProcessVariables`].
//! Deviates:  elements of arrays are variables of their own. An element that is reached through an index that is not a
//!            constant may be any of them: such a read uses all, such a write defines none.
//!            Global variables count if only one process ever uses them. A reset is added to every edge on which a variable
//!            becomes dead, also to the statement that defines it.
//!            Channels and what never changes are left alone: there is nothing to gain, and others rely on it.

use reductio_model::{
    Action, ActionId, ActionKind, Communication, Expr, Guard, Initial, LocationId, Model, Op, Pattern, Place, Proctype,
    ProctypeId, Scope, Slot, ValueType,
};

use super::Origins;
use super::partially_dead::Conditions;
use super::process_variables::{ProcessVariables, target};
use super::walk::{each_part, each_part_of_op};
use crate::facts::set::Set;
use crate::facts::written_places;

/// Resets variables where they become dead. Answers how many resets there are.
pub fn reset_dead_variables(model: &mut Model, origins: &mut Origins) -> usize {
    let owns = ProcessVariables::of_all(model);
    let mut count = 0;
    for (index, own) in owns.iter().enumerate() {
        let Model { globals, proctypes, .. } = &mut *model;
        let mut resets = Resets { own, proctype: &mut proctypes[index], globals, actions: &mut origins.actions[index] };
        count += resets.add();
    }
    count
}

/// The condition `dead(l)` at each location of a process type, for one of its local slots that is no element of an array and that
/// nobody else looks at.
pub fn dead_conditions(model: &Model, proctype: ProctypeId, slot: usize) -> Option<Vec<Expr>> {
    let own = &ProcessVariables::of_all(model)[proctype.index()];
    let proctype = model.proctype(proctype);
    let live = Liveness::of(own, proctype).live;
    let conditions = Conditions { own, proctype, variable: slot, live: &live };
    (own.private.contains(slot) && conditions.is_scalar()).then(|| conditions.of_all_locations())
}

/// Which variables are read before they are written again, by location. The other ones are dead there.
pub struct Liveness<'m> {
    own: &'m ProcessVariables,
    proctype: &'m Proctype,
    pub live: Vec<Set>,
}

impl<'m> Liveness<'m> {
    pub fn of(own: &'m ProcessVariables, proctype: &'m Proctype) -> Liveness<'m> {
        let live = vec![Set::default(); proctype.locations.len()];
        let mut liveness = Liveness { own, proctype, live };
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for location in (0..proctype.locations.len()).rev() {
                let live = liveness.before(LocationId(location as u32));
                has_changed |= live != liveness.live[location];
                liveness.live[location] = live;
            }
        }
        liveness
    }

    /// Live at a location is what some edge uses, or what is live after it and not defined by it.
    fn before(&self, location: LocationId) -> Set {
        let mut live = Set::default();
        for &edge in &self.proctype.location(location).edges {
            if let Some(target) = target(self.proctype, edge) {
                let after = self.live[target.index()].clone();
                live.join(&self.before_action(&self.proctype.action_of(edge).kind, after));
            }
        }
        live
    }

    /// Backwards through all that an action does.
    fn before_action(&self, kind: &ActionKind, after: Set) -> Set {
        let mut live = after;
        let ActionKind::Step { guard, communication, effect } = kind else { return live };
        effect.iter().rev().for_each(|op| self.before_op(op, &mut live));
        match communication {
            None => {}
            Some(Communication::Send { channel, arguments, .. }) => {
                self.add_uses(channel, &mut live);
                arguments.iter().for_each(|argument| self.add_uses(argument, &mut live));
            }
            Some(Communication::Receive { channel, patterns, .. }) => {
                for pattern in patterns.iter().rev() {
                    match pattern {
                        Pattern::Store(place) => self.before_write(place, &mut live),
                        Pattern::Match(_) | Pattern::Discard => {}
                    }
                }
                self.add_uses(channel, &mut live);
                for pattern in patterns {
                    if let Pattern::Match(expr) = pattern {
                        self.add_uses(expr, &mut live);
                    }
                }
            }
        }
        if let Guard::When(condition) = guard {
            self.add_uses(condition, &mut live);
        }
        live
    }

    fn before_op(&self, op: &Op, live: &mut Set) {
        match op {
            Op::Assign(place, _) => self.before_write(place, live),
            Op::Run { result: Some(place), .. } => self.before_write(place, live),
            Op::Run { .. } | Op::Evaluate(_) | Op::Assert(_) | Op::Print { .. } | Op::SetPriority { .. } => {}
        }
        each_part_of_op(op, &mut |part| self.add_use(part, live));
    }

    /// A place that is certainly written is defined; its indices are used.
    fn before_write(&self, place: &Place, live: &mut Set) {
        let (variables, exactly) = self.own.variables(place);
        if exactly {
            variables.iter().for_each(|variable| live.remove(variable));
        }
        place.indices.iter().for_each(|index| self.add_uses(&index.value, live));
    }

    fn add_uses(&self, expr: &Expr, live: &mut Set) {
        each_part(expr, &mut |part| self.add_use(part, live));
    }

    fn add_use(&self, part: &Expr, live: &mut Set) {
        if let Expr::Read(place) = part {
            live.join(&self.own.variables(place).0);
        }
    }
}

/// The resets of one process type.
struct Resets<'m> {
    own: &'m ProcessVariables,
    proctype: &'m mut Proctype,
    globals: &'m [Slot],
    /// By action of the model: that of the unreduced model.
    actions: &'m mut Vec<ActionId>,
}

impl Resets<'_> {
    fn add(&mut self) -> usize {
        let candidates: Vec<usize> = self.own.private.iter().filter(|&variable| self.is_candidate(variable)).collect();
        if candidates.is_empty() {
            return 0;
        }
        let live = Liveness::of(self.own, self.proctype).live;
        let partially: Vec<(usize, Vec<Expr>)> =
            candidates.iter().filter_map(|&variable| Some((variable, self.conditions(variable, &live)?))).collect();
        let mut count = 0;
        for index in 0..self.proctype.edges.len() {
            let edge = &self.proctype.edges[index];
            let (from, to, action) = (edge.from, edge.to, edge.action);
            let is_plain = matches!(self.proctype.action(action).kind, ActionKind::Step { .. });
            // Inside a `d_step` nobody sees the difference.
            if !is_plain || self.proctype.location(to).interior {
                continue;
            }
            let mut written = Set::default();
            let places = written_places(self.proctype.action(action));
            let writes_anything = !places.is_empty();
            for place in places {
                written.join(&self.own.variables(place).0);
            }
            let becomes_dead = |&variable: &usize| {
                let was_reset = !live[from.index()].contains(variable) && !self.is_dirty(from, variable);
                !live[to.index()].contains(variable) && !(was_reset && !written.contains(variable))
            };
            let dead = candidates.iter().copied().filter(becomes_dead).map(|variable| (variable, Expr::TRUE));
            // A variable may also have become dead by what happened to others.
            let conditional = partially.iter().filter_map(|(variable, conditions)| {
                let (before, after) = (&conditions[from.index()], &conditions[to.index()]);
                let is_of_now = !matches!(after, Expr::Const(_));
                let is_news = before != after || writes_anything || self.is_dirty(from, *variable);
                (is_of_now && is_news).then(|| (*variable, after.clone()))
            });
            let resets: Vec<(usize, Expr)> = dead.chain(conditional).collect();
            if !resets.is_empty() {
                count += resets.len();
                self.proctype.edges[index].action = self.with_resets(action, &resets);
            }
        }
        count
    }

    /// Is there anything to be gained?
    fn is_candidate(&self, variable: usize) -> bool {
        self.own.written.contains(variable) && self.slot(variable).ty != ValueType::Chan
    }

    fn slot(&self, variable: usize) -> &Slot {
        match self.own.slot(variable) {
            (Scope::Local, slot) => &self.proctype.locals[slot],
            (Scope::Global, slot) => &self.globals[slot],
        }
    }

    /// The value that a dead variable has: the one that it starts with, if that is known.
    fn representative(&self, variable: usize) -> i32 {
        match self.slot(variable).initial {
            Initial::Value(value) if !self.is_parameter(variable) => value,
            Initial::Value(_) | Initial::Expr(_) | Initial::Channel(_) => 0,
        }
    }

    fn is_parameter(&self, variable: usize) -> bool {
        let (scope, slot) = self.own.slot(variable);
        scope == Scope::Local && slot < self.proctype.parameters as usize
    }

    /// May a dead variable have another value than its representative here? At the start, if it is not set to it, and inside a
    /// `d_step`.
    fn is_dirty(&self, location: LocationId, variable: usize) -> bool {
        let starts_otherwise = self.is_parameter(variable) || !matches!(self.slot(variable).initial, Initial::Value(_));
        self.proctype.location(location).interior || location == self.proctype.entry && starts_otherwise
    }

    /// Under which condition a variable is dead, by location, if it may be anywhere without being so for sure.
    fn conditions(&self, variable: usize, live: &[Set]) -> Option<Vec<Expr>> {
        let conditions = Conditions { own: self.own, proctype: self.proctype, variable, live };
        let of_all = conditions.is_scalar().then(|| conditions.of_all_locations())?;
        of_all.iter().any(|condition| !matches!(condition, Expr::Const(_))).then_some(of_all)
    }

    /// The same action, and after it the variables are reset where they are dead.
    fn with_resets(&mut self, action: ActionId, resets: &[(usize, Expr)]) -> ActionId {
        let Action { position, text, number, kind } = self.proctype.action(action).clone();
        let ActionKind::Step { guard, communication, mut effect } = kind else {
            unreachable!("only plain steps are given resets")
        };
        effect.extend(resets.iter().map(|(variable, condition)| {
            let (scope, slot) = self.own.slot(*variable);
            let place = Place { scope, base: slot as u32, indices: Vec::new(), ty: self.slot(*variable).ty };
            let representative = Expr::Const(self.representative(*variable));
            let value = match condition {
                Expr::Const(_) => representative,
                condition => {
                    let kept = Expr::Read(Box::new(place.clone()));
                    Expr::Conditional(Box::new([condition.clone(), representative, kept]))
                }
            };
            Op::Assign(place, value)
        }));
        let kind = ActionKind::Step { guard, communication, effect };
        self.actions.push(self.actions[action.index()]);
        self.proctype.actions.push(Action { position, text, number, kind });
        ActionId(self.proctype.actions.len() as u32 - 1)
    }
}
