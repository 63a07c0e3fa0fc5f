//! Loops over all processes as single steps: a part of symmetry reduction.
//!
//! A loop that counts through the processes visits them in one order. While it runs, a permutation of the processes makes something of a
//! state that the loop never comes to, so symmetry needs loops that run within one step, as those in a `d_step` do. Two more kinds
//! of loops can be made such steps without anybody noticing:
//!
//! * loops in an `atomic` in which the process never waits. Nobody else moves, and the states on the way are not seen;
//! * loops that look at and change nothing but what belongs to the process alone. That is [path reduction](super::path_reduction),
//!   which otherwise stops at the head of every loop, for a cycle might never be left. These are, for they count by constants.
//!
//! In both there is exactly one thing to do at a time, so the loop does the same as a `d_step`. What goes wrong in an `atomic` goes wrong in
//! the step; with local effects, nothing that ends the run can.
//! What is asked must not depend on the number of steps, as with path reduction.

use reductio_model::{
    Action, ActionId, ActionKind, Binary, Edge, EdgeId, Expr, Guard, Location, LocationId, Model, Op, Position,
    Proctype, ProctypeId, Scope,
};

use super::Origins;
use super::path_reduction::Flow;
use super::process_variables::ProcessVariables;
use super::safe_expressions::cannot_fail;
use super::walk::{each_part, each_part_of_op};
use crate::facts::counting_loops::{self, CountingLoop, RoundStep, Rounds, first_value, unroll};
use crate::facts::priorities;

/// A loop that can be a step.
struct WholeLoop {
    counting: CountingLoop,
    /// The edges that lead to its head from outside.
    entries: Vec<EdgeId>,
    /// An edge that leaves it.
    exit: EdgeId,
}

/// Makes steps of the loops of a model. Answers how many.
pub fn make_steps(model: &mut Model, origins: &mut Origins) -> usize {
    let owns = ProcessVariables::of_all(model);
    let mut made = 0;
    for (index, own) in owns.iter().enumerate() {
        let id = ProctypeId(index as u32);
        let flow = Flow::new(model, own, id);
        let loops = whole_loops(&flow).0;
        made += loops.len();
        for found in loops {
            let (proctype, actions) = (&mut model.proctypes[index], &mut origins.actions[index]);
            Making { proctype, actions }.make_step(&found);
        }
    }
    made
}

/// Are there loops of which steps can be made?
pub fn has_some(model: &Model) -> bool {
    let owns = ProcessVariables::of_all(model);
    owns.iter().enumerate().any(|(index, own)| {
        let id = ProctypeId(index as u32);
        !whole_loops(&Flow::new(model, own, id)).0.is_empty()
    })
}

/// Loops that count, of which no steps can be made: what is in the way, and where.
pub fn refused(model: &Model) -> Vec<RefusedLoop> {
    let owns = ProcessVariables::of_all(model);
    let of_type = |(index, own): (usize, &ProcessVariables)| {
        let id = ProctypeId(index as u32);
        whole_loops(&Flow::new(model, own, id)).1
    };
    owns.iter().enumerate().flat_map(of_type).collect()
}

/// The loops of a process type that can be steps, outermost first and none inside another, and why others cannot.
fn whole_loops(flow: &Flow<'_>) -> (Vec<WholeLoop>, Vec<RefusedLoop>) {
    let proctype = flow.proctype;
    let (mut whole, mut refused): (Vec<WholeLoop>, _) = (Vec::new(), Vec::new());
    if priorities::matter(flow.model) {
        // A step in the middle may let somebody go first.
        return (whole, refused);
    }
    let all = counting_loops::find(proctype);
    let value = |expr: &Expr| constant(expr);
    for counting in all.iter().rev() {
        let is_known = whole.iter().any(|known| known.counting.contains(counting.head));
        if proctype.location(counting.head).interior || is_known {
            continue;
        }
        let Some(first) = first_value(proctype, counting, &value) else { continue };
        let found = unroll(proctype, counting, &all, first, &value).map_err(|why| (why.because, why.edge));
        match found.and_then(|rounds| whole_loop(flow, counting, &rounds)) {
            Ok(found) => whole.push(found),
            Err((because, edge)) => {
                let head = proctype.location(counting.head).position;
                let at = edge.map_or(head, |edge| proctype.action_of(edge).position);
                let counter = &counting.counter;
                let slots = if counter.scope == Scope::Local { &proctype.locals } else { &flow.model.globals };
                let name = &slots[counter.base as usize].name;
                let because = format!("the loop over `{name}` is not one step: it {because}");
                refused.push(RefusedLoop { because, at, places: counting.places(proctype) });
            }
        }
    }
    (whole, refused)
}

/// The value of an expression of constants.
fn constant(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Const(value) => Some(*value),
        Expr::Unary(operator, operand) => Some(Expr::apply_unary(*operator, constant(operand)?)),
        Expr::Binary(Binary::And, left, right) => match constant(left)? {
            0 => Some(0),
            _ => constant(right).map(|right| (right != 0) as i32),
        },
        Expr::Binary(Binary::Or, left, right) => match constant(left)? {
            0 => constant(right).map(|right| (right != 0) as i32),
            _ => Some(1),
        },
        Expr::Binary(operator, left, right) => Expr::apply(*operator, constant(left)?, constant(right)?),
        _ => None,
    }
}

/// What is in the way of a loop, where, and the places of the loop's statements.
pub struct RefusedLoop {
    pub because: String,
    pub at: Position,
    pub places: Vec<Position>,
}

type InTheWay = (&'static str, Option<EdgeId>);

/// Can it be a step? Then nobody sees that a process is inside, and the process never stops there.
fn whole_loop(flow: &Flow<'_>, counting: &CountingLoop, rounds: &Rounds) -> Result<WholeLoop, InTheWay> {
    let proctype = flow.proctype;
    if proctype.provided.is_some() {
        return Err(("can be stopped by a `provided` clause", None));
    }
    let seen = flow.seen_locations();
    let places = || counting.inside.iter().copied().chain([counting.head]);
    let Some(exit) = rounds.exits.first().map(|step| step.edge) else { return Err(("never ends", None)) };
    if places().any(|at| seen.contains(&at)) || seen.contains(&proctype.edge(exit).to) {
        return Err(("has a label that is asked for", None));
    }
    if rounds.exits.iter().any(|step| proctype.edge(step.edge).to != proctype.edge(exit).to) || rounds.exits.len() > 1 {
        return Err(("ends in several ways", Some(exit)));
    }
    // All statements inside are, or are not, in the same `atomic`.
    let inner = |edge: &Edge| counting.contains(edge.from) && counting.contains(edge.to);
    let entering = |edge: &Edge| edge.to == counting.head && !counting.contains(edge.from);
    let all = || (0..proctype.edges.len() as u32).map(EdgeId);
    let entries: Vec<EdgeId> = all().filter(|&id| entering(proctype.edge(id))).collect();
    let arriving = || all().filter(|&id| inner(proctype.edge(id)) || entering(proctype.edge(id)));
    let is_atomic = arriving().all(|id| proctype.edge(id).atomic);
    if !is_atomic && arriving().any(|id| proctype.edge(id).atomic) {
        return Err(("is only in part in an `atomic`", None));
    }
    for &id in &entries {
        let is_plain =
            matches!(proctype.action_of(id).kind, ActionKind::Step { guard: Guard::When(_), communication: None, .. });
        if !is_plain || proctype.edge(id).escape > 0 {
            return Err(("begins behind a communication, an `else` or an `unless`", Some(id)));
        }
    }
    let found = WholeLoop { counting: counting.clone(), entries, exit };
    in_rounds(flow, is_atomic, rounds)?;
    Ok(found)
}

/// In every round, there is one thing to do at a time, and others neither see nor change what is done.
fn in_rounds(flow: &Flow<'_>, is_atomic: bool, rounds: &Rounds) -> Result<(), InTheWay> {
    let is_quiet = |step: &RoundStep| is_atomic || flow.depends_on_own_alone(&step.kind);
    if !is_atomic && !flow.is_own(&rounds.counter) {
        return Err(("is not atomic, and others may see or change its counter", None));
    }
    let one_way = |steps: &[RoundStep]| -> Result<(), InTheWay> {
        let first = steps.first().map(|step| step.edge);
        if !flow.goes_one_way(steps.iter().map(|step| &step.kind)) || has_doubtful_conditions(steps) {
            return Err(("may wait or choose inside", first));
        }
        steps.iter().try_for_each(|step| match (is_safe(&step.kind), is_quiet(step)) {
            (false, _) => Err(("communicates inside, or asks for more than values", Some(step.edge))),
            (true, false) => Err(("is not atomic and uses what others may see or change", Some(step.edge))),
            (true, true) => Ok(()),
        })
    };
    for stop in rounds.rounds.iter().flat_map(|round| &round.stops) {
        match &stop.rounds {
            Some(inner) => in_rounds(flow, is_atomic, inner)?,
            None => one_way(&stop.steps)?,
        }
    }
    one_way(&rounds.exits)
}

/// It does not communicate, and it asks for nothing but values: not for where processes are, for a `d_step` comes to no place in between.
fn is_safe(kind: &ActionKind) -> bool {
    let ActionKind::Step { guard, communication: None, effect } = kind else { return false };
    let mut is_safe = true;
    let mut note = |part: &Expr| {
        is_safe &= matches!(
            part,
            Expr::Const(_)
                | Expr::Read(_)
                | Expr::Pid
                | Expr::ProcessCount
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Conditional(_)
                | Expr::Query(..)
        );
    };
    if let Guard::When(condition) = guard {
        each_part(condition, &mut note);
    }
    effect.iter().for_each(|op| each_part_of_op(op, &mut note));
    is_safe && !effect.iter().any(|op| matches!(op, Op::Run { .. } | Op::SetPriority { .. }))
}

/// Where a condition that goes wrong would make two of them possible, each must always have a value.
fn has_doubtful_conditions(steps: &[RoundStep]) -> bool {
    let conditions = steps.iter().filter_map(|step| match &step.kind {
        ActionKind::Step { guard: Guard::When(condition), .. } => Some(condition),
        _ => None,
    });
    conditions.clone().count() > 1 && conditions.into_iter().any(|condition| !cannot_fail(condition))
}

/// Steps of one process type in the making.
struct Making<'m> {
    proctype: &'m mut Proctype,
    /// By action of the model: that of the unreduced model.
    actions: &'m mut Vec<ActionId>,
}

impl Making<'_> {
    /// Every edge that leads to the head becomes a `d_step` of what it does and the whole loop.
    fn make_step(&mut self, found: &WholeLoop) {
        let places: Vec<LocationId> = found.counting.inside.iter().copied().chain([found.counting.head]).collect();
        let copies: Vec<LocationId> =
            places.iter().map(|&id| self.add_interior(self.proctype.location(id).position)).collect();
        let copy = |id: LocationId| places.iter().position(|&place| place == id).map_or(id, |index| copies[index]);
        for (&id, &from) in places.iter().zip(&copies) {
            for edge in self.proctype.location(id).edges.clone() {
                let Edge { to, action, .. } = *self.proctype.edge(edge);
                self.add_edge(from, copy(to), action);
            }
        }
        let Edge { to: end, atomic, .. } = *self.proctype.edge(found.exit);
        for &id in &found.entries {
            let Edge { from, to, action, .. } = *self.proctype.edge(id);
            let entry = self.add_interior(self.proctype.location(from).position);
            self.add_edge(entry, copy(to), action);
            let Action { position, text, number, .. } = self.proctype.action(action).clone();
            self.actions.push(self.actions[action.index()]);
            self.proctype.actions.push(Action { position, text, number, kind: ActionKind::DStep { entry } });
            let whole = ActionId(self.proctype.actions.len() as u32 - 1);
            let edge = &mut self.proctype.edges[id.index()];
            (edge.action, edge.to, edge.atomic) = (whole, end, atomic);
        }
    }

    fn add_interior(&mut self, position: Position) -> LocationId {
        let (end, accept, progress, module) = (false, false, false, false);
        let (edges, interior) = (Vec::new(), true);
        self.proctype.locations.push(Location { position, edges, end, accept, progress, interior, module });
        LocationId(self.proctype.locations.len() as u32 - 1)
    }

    fn add_edge(&mut self, from: LocationId, to: LocationId, action: ActionId) {
        let id = EdgeId(self.proctype.edges.len() as u32);
        self.proctype.edges.push(Edge { from, to, action, escape: 0, atomic: false });
        self.proctype.locations[from.index()].edges.push(id);
    }
}
