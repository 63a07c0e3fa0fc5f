//! Symmetry detection: the state from which on all processes exist, and what is known of each of them from then on.

use reductio_model::{
    Action, ActionKind, Binary, Expr, Interpreter, LocationId, Model, Op, Place, Position, Proctype, Scope, State,
};

use super::Obstacle;
use crate::facts::steps::{each_slot, written_places};

/// A model creates its processes in so many steps, or else it is not looked at any closer.
const MOST_STEPS: usize = 10_000;

/// How a model starts.
pub(in crate::facts) struct Start<'m> {
    pub model: &'m Model,
    /// The states on the only way to the one from which on no process is created any more; that one is the last.
    pub way: Vec<State>,
    /// By pid.
    pub instances: Vec<Instance>,
    /// By slot: may the global variable ever be assigned?
    pub written: Vec<bool>,
}

/// What is known of a process as long as it lives.
pub(in crate::facts) struct Instance {
    pub pid: u8,
    /// By slot: its value, if it never changes.
    constants: Vec<Option<i32>>,
    /// By location: may it ever be there?
    pub reached: Vec<bool>,
}

impl<'m> Start<'m> {
    pub fn new(model: &'m Model) -> Result<Start<'m>, Obstacle> {
        let interpreter = Interpreter::new(model);
        let mut way = vec![
            interpreter
                .find_initial_state()
                .map_err(|_| Obstacle::nowhere("the initial state of the model cannot be computed"))?,
        ];
        while let Some(state) = way.last()
            && let Some(position) = creates(model, state)
        {
            let in_the_way = |because: &str| Err(Obstacle { because: because.to_owned(), at: Some(position) });
            let steps = interpreter.steps(state);
            let [step] = steps[..] else { return in_the_way("processes are created while others already run") };
            match interpreter.execute(state, step).state {
                Some(next) if way.len() < MOST_STEPS => way.push(next),
                _ => return in_the_way("processes are still being created after the first steps"),
            }
        }
        let mut written = vec![false; model.globals.len()];
        let actions = model.proctypes.iter().flat_map(|proctype| &proctype.actions);
        for place in actions.flat_map(written_places).filter(|place| place.scope == Scope::Global) {
            each_slot(place, &|_| None, &mut |slot| written[slot] = true);
        }
        let mut start = Start { model, way, instances: Vec::new(), written };
        start.instances = (0..start.state().processes.len()).map(|pid| start.instance(pid)).collect();
        Ok(start)
    }

    /// The state from which on no process is created.
    pub fn state(&self) -> &State {
        self.way.last().expect("there is an initial state")
    }

    pub fn proctype(&self, pid: u8) -> &'m Proctype {
        self.model.proctype(self.state().processes[usize::from(pid)].proctype)
    }

    fn instance(&self, pid: usize) -> Instance {
        let process = &self.state().processes[pid];
        let proctype = self.model.proctype(process.proctype);
        let reached = reachable(proctype, process.location);
        let mut constants: Vec<Option<i32>> = process.locals.iter().copied().map(Some).collect();
        each_action(proctype, &reached, |action| {
            for place in written_places(action).into_iter().filter(|place| place.scope == Scope::Local) {
                each_slot(place, &|_| None, &mut |slot| constants[slot] = None);
            }
        });
        Instance { pid: pid as u8, constants, reached }
    }

    /// A state that follows, with zero for all that may change on the way there, but for the places where processes are.
    pub fn constants_of(&self, state: &State) -> State {
        let mut rest = state.clone();
        let globals = rest.globals.iter_mut().zip(&self.written);
        globals.filter(|(_, written)| **written).for_each(|(value, _)| *value = 0);
        for (process, instance) in rest.processes.iter_mut().zip(&self.instances) {
            let locals = process.locals.iter_mut().zip(&instance.constants);
            locals.filter(|(_, constant)| constant.is_none()).for_each(|(value, _)| *value = 0);
        }
        rest.channels.iter_mut().for_each(|channel| channel.messages.clear());
        rest
    }

    /// Where a process of this kind may come to its end, if it may.
    pub fn end_of(&self, pid: u8) -> Option<Position> {
        let reached = &self.instances[usize::from(pid)].reached;
        let proctype = self.proctype(pid);
        let ends = |location: &usize| {
            let edges = proctype.locations[*location].edges.iter();
            edges.clone().any(|&edge| proctype.action_of(edge).kind == ActionKind::End)
        };
        let found = (0..reached.len()).filter(|location| reached[*location]).find(ends);
        found.map(|location| proctype.locations[location].position)
    }
}

impl Instance {
    /// The value of a variable, if it never changes.
    pub fn constant(&self, slot: usize) -> Option<i32> {
        self.constants[slot]
    }

    /// The value of an expression, if it is always the same for this process.
    pub fn value(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Pid => Some(i32::from(self.pid)),
            Expr::Read(place) if place.scope == Scope::Local => self.constants[self.slot(place)?],
            Expr::Unary(operator, operand) => Some(Expr::apply_unary(*operator, self.value(operand)?)),
            Expr::Binary(Binary::And, left, right) => match self.value(left)? {
                0 => Some(0),
                _ => self.value(right).map(|right| (right != 0) as i32),
            },
            Expr::Binary(Binary::Or, left, right) => match self.value(left)? {
                0 => self.value(right).map(|right| (right != 0) as i32),
                _ => Some(1),
            },
            Expr::Binary(operator, left, right) => Expr::apply(*operator, self.value(left)?, self.value(right)?),
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.value(if self.value(condition)? != 0 { yes } else { no })
            }
            _ => None,
        }
    }

    /// The slot that a place always means.
    fn slot(&self, place: &Place) -> Option<usize> {
        place.indices.iter().try_fold(place.base as usize, |slot, index| {
            let value = u32::try_from(self.value(&index.value)?).ok().filter(|&value| value < index.length)?;
            Some(slot + (value * index.stride) as usize)
        })
    }
}

/// Where some process may still create another, if one may.
fn creates(model: &Model, state: &State) -> Option<Position> {
    state.processes.iter().find_map(|process| {
        let proctype = model.proctype(process.proctype);
        let reached = reachable(proctype, process.location);
        proctype.edges.iter().filter(|edge| reached[edge.from.index()]).find_map(|edge| {
            let action = proctype.action(edge.action);
            let ActionKind::Step { effect, .. } = &action.kind else { return None };
            effect.iter().any(|op| matches!(op, Op::Run { .. })).then_some(action.position)
        })
    })
}

/// By location: may a process come there from a location?
fn reachable(proctype: &Proctype, from: LocationId) -> Vec<bool> {
    let mut reached = vec![false; proctype.locations.len()];
    let mut pending = vec![from];
    while let Some(location) = pending.pop() {
        if std::mem::replace(&mut reached[location.index()], true) {
            continue;
        }
        for &edge in &proctype.location(location).edges {
            pending.push(proctype.edge(edge).to);
            if let ActionKind::DStep { entry } = proctype.action_of(edge).kind {
                pending.push(entry);
            }
        }
    }
    reached
}

/// Visits what a process may do.
pub(super) fn each_action<'m>(proctype: &'m Proctype, reached: &[bool], mut visit: impl FnMut(&'m Action)) {
    for edge in proctype.edges.iter().filter(|edge| reached[edge.from.index()]) {
        visit(proctype.action(edge.action));
    }
}
