//! Local variables in the sense of path reduction: what belongs to one process alone: neither other processes nor properties look at it or change it.

use reductio_model::{
    ActionKind, EdgeId, Expr, Initial, LocationId, Model, Monitor, Op, Place, Proctype, ProctypeId, Scope,
};

use super::walk::{each_part, each_part_of_action, each_part_of_model};
use crate::facts::set::Set;
use crate::facts::{each_slot, written_places};

/// The variables of a process, by number: its local slots, and after them the global ones.
pub struct ProcessVariables {
    locals: usize,
    /// Nobody else can see or change these.
    pub private: Set,
    /// Some step writes these; the others keep the values that they have at the start.
    pub written: Set,
    /// Nobody writes these: whoever reads them always reads the same.
    pub constant: Set,
}

impl ProcessVariables {
    /// What belongs to the processes of each type, in the order of the types.
    pub fn of_all(model: &Model) -> Vec<ProcessVariables> {
        let seen = Seen::from_outside(model);
        let users = users_of_globals(model);
        let written: Vec<Set> = model.proctypes.iter().map(written_by).collect();
        let constant = constant_globals(model, &written);
        let types = (0..).map(ProctypeId).zip(&model.proctypes);
        types
            .map(|(id, proctype)| {
                let locals = proctype.locals.len();
                let is_seen = |slot: &usize| !seen.locals[id.index()].contains(*slot);
                let mut private = Set::default();
                private.extend((0..locals).filter(is_seen));
                let is_single = has_one_process(model, id, 0);
                let is_own = |slot: &usize| is_single && users[*slot] == [id] && !seen.globals.contains(*slot);
                private.extend((0..model.globals.len()).filter(is_own).map(|slot| locals + slot));
                let constant = constant.iter().map(|slot| locals + slot).collect();
                ProcessVariables { locals, private, written: written[id.index()].clone(), constant }
            })
            .collect()
    }

    /// The variables that a place may mean, and whether it means exactly one, whatever the state.
    pub fn variables(&self, place: &Place) -> (Set, bool) {
        variables(self.locals, place)
    }

    /// The variables that an expression reads, if it depends on nothing else.
    pub fn reads(&self, expr: &Expr) -> Reads {
        let mut reads = Reads::default();
        each_part(expr, &mut |part| self.note(part, &mut reads));
        reads
    }

    /// Adds what one part of an expression reads by itself.
    pub fn note(&self, part: &Expr, reads: &mut Reads) {
        match part {
            Expr::Read(place) => reads.variables.join(&self.variables(place).0),
            Expr::Const(_) | Expr::Pid | Expr::Unary(..) | Expr::Binary(..) | Expr::Conditional(_) => {}
            _ => reads.more = true,
        }
    }

    /// Which slot a number stands for.
    pub fn slot(&self, number: usize) -> (Scope, usize) {
        if number < self.locals { (Scope::Local, number) } else { (Scope::Global, number - self.locals) }
    }
}

/// What an expression depends on.
#[derive(Default)]
pub struct Reads {
    pub variables: Set,
    /// Not only on variables: on channels, on other processes, on what is possible.
    pub more: bool,
}

fn variables(locals: usize, place: &Place) -> (Set, bool) {
    let first = match place.scope {
        Scope::Local => 0,
        Scope::Global => locals,
    };
    let value = |index: &Expr| match index {
        Expr::Const(value) => Some(*value),
        _ => None,
    };
    let mut slots = Set::default();
    let mut count = 0;
    each_slot(place, &value, &mut |slot| {
        slots.insert(first + slot);
        count += 1;
    });
    (slots, count == 1)
}

/// The variables that some step of a process may write, by number.
fn written_by(proctype: &Proctype) -> Set {
    let mut written = Set::default();
    for place in proctype.actions.iter().flat_map(written_places) {
        written.join(&variables(proctype.locals.len(), place).0);
    }
    written
}

/// The global slots that no process writes, of what those of each type write.
fn constant_globals(model: &Model, written: &[Set]) -> Vec<usize> {
    let mut is_constant = vec![true; model.globals.len()];
    for (proctype, written) in model.proctypes.iter().zip(written) {
        let globals = written.iter().filter_map(|number| number.checked_sub(proctype.locals.len()));
        globals.for_each(|slot| is_constant[slot] = false);
    }
    (0..model.globals.len()).filter(|&slot| is_constant[slot]).collect()
}

/// What somebody looks at who is not the process that it may belong to.
struct Seen {
    globals: Set,
    /// By type.
    locals: Vec<Set>,
}

impl Seen {
    fn from_outside(model: &Model) -> Seen {
        let mut seen = Seen { globals: Set::default(), locals: vec![Set::default(); model.proctypes.len()] };
        each_part_of_model(model, &mut |part| {
            if let Expr::Remote { proctype, place, .. } = part {
                each_slot(place, &|_| None, &mut |slot| seen.locals[proctype.index()].insert(slot));
            }
        });
        let mut note = |part: &Expr| {
            if let Expr::Read(place) = part
                && place.scope == Scope::Global
            {
                each_slot(place, &|_| None, &mut |slot| seen.globals.insert(slot));
            }
        };
        model.atoms.iter().for_each(|atom| each_part(&atom.expr, &mut note));
        for event in model.monitors.iter().flat_map(Monitor::events) {
            each_part(&event.channel, &mut note);
        }
        // These are evaluated by whoever creates the process.
        for slot in model.proctypes.iter().flat_map(|proctype| &proctype.locals) {
            if let Initial::Expr(expr) = &slot.initial {
                each_part(expr, &mut note);
            }
        }
        // A clause is looked at everywhere.
        for (proctype, locals) in model.proctypes.iter().zip(&mut seen.locals) {
            if let Some(clause) = &proctype.provided {
                each_part(clause, &mut |part| {
                    if let Expr::Read(place) = part {
                        let slots = match place.scope {
                            Scope::Local => &mut *locals,
                            Scope::Global => &mut seen.globals,
                        };
                        each_slot(place, &|_| None, &mut |slot| slots.insert(slot));
                    }
                });
            }
        }
        seen
    }
}

/// By global slot: the types whose processes read or write it.
fn users_of_globals(model: &Model) -> Vec<Vec<ProctypeId>> {
    let mut users: Vec<Vec<ProctypeId>> = vec![Vec::new(); model.globals.len()];
    for (id, proctype) in (0..).map(ProctypeId).zip(&model.proctypes) {
        let mut used = Set::default();
        let mut note = |place: &Place| {
            if place.scope == Scope::Global {
                each_slot(place, &|_| None, &mut |slot| used.insert(slot));
            }
        };
        proctype.actions.iter().flat_map(written_places).for_each(&mut note);
        for action in &proctype.actions {
            each_part_of_action(&action.kind, &mut |part| {
                if let Expr::Read(place) = part {
                    note(place);
                }
            });
        }
        used.iter().for_each(|slot| users[slot].push(id));
    }
    users
}

/// Is there never more than one process of this type, from the beginning to the end? Either it is there at the start and
/// nobody creates another, or somebody who is alone creates it at a place that is passed at most once.
fn has_one_process(model: &Model, id: ProctypeId, depth: usize) -> bool {
    let mut sites = Vec::new();
    for (creator, proctype) in (0..).map(ProctypeId).zip(&model.proctypes) {
        for (edge, _) in (0..).map(EdgeId).zip(&proctype.edges) {
            if let ActionKind::Step { effect, .. } = &proctype.action_of(edge).kind {
                let creates = |op: &&Op| matches!(op, Op::Run { proctype, .. } if *proctype == id);
                sites.extend(effect.iter().filter(creates).map(|_| (creator, edge)));
            }
        }
    }
    let at_the_start = model.initial.iter().filter(|start| start.proctype == id).count();
    match (at_the_start, &sites[..]) {
        (1, []) => true,
        (0, &[(creator, edge)]) => {
            let is_passed_once = !is_on_a_cycle(model.proctype(creator), edge);
            // Types that only create each other have no processes at all.
            is_passed_once && depth < model.proctypes.len() && has_one_process(model, creator, depth + 1)
        }
        _ => false,
    }
}

/// Where an edge leads: a `d_step` goes inside first.
pub fn target(proctype: &Proctype, edge: EdgeId) -> Option<LocationId> {
    match proctype.action_of(edge).kind {
        ActionKind::Step { .. } => Some(proctype.edge(edge).to),
        ActionKind::DStep { entry } => Some(entry),
        ActionKind::End => None,
    }
}

fn is_on_a_cycle(proctype: &Proctype, edge: EdgeId) -> bool {
    let mut seen = Set::default();
    let mut pending: Vec<LocationId> = target(proctype, edge).into_iter().collect();
    while let Some(location) = pending.pop() {
        if location == proctype.edge(edge).from {
            return true;
        }
        if !seen.contains(location.index()) {
            seen.insert(location.index());
            pending.extend(proctype.location(location).edges.iter().filter_map(|&edge| target(proctype, edge)));
        }
    }
    false
}
