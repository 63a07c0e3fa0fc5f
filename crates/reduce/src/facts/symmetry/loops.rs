//! Symmetry detection: loops over all processes, inside a `d_step`.
//!
//! Such a loop goes through the processes in one order, and a permutation makes another order of it. If the rounds can be made in
//! [any order](super::rounds), that is the same: so it is not the statements of the loop that are compared under a permutation, with a
//! counter that is used as a process id and as a number, but the *rounds*, each with the counter's value in its place. The permutation
//! must make the rounds of a process the rounds of the process that takes its place, in some order.
//!
//! The loop runs within one step, so nobody sees the counter on the way. Before and after the loop it is a plain number, the same for
//! all. Loops inside an `atomic`, and loops with local effects only, are made steps [first](crate::model_to_model).
//!
//! Papers:   [ip-dill96] has loops over all members of a type in the language, and restricts their bodies so that the order makes no
//!           difference. Here such loops are recognised.

use std::collections::HashMap;

use reductio_model::{ActionId, ActionKind, EdgeId, Expr, LocationId, Place, Position, ProctypeId, Scope};

use super::Obstacle;
use super::rounds::{self, InOrder};
use super::start::Start;
use super::terms::{Why, Writer};
use crate::facts::counting_loops::{self, CountingLoop, Rounds, Stop, first_value, unroll};

/// The loops of a model that are compared round by round.
#[derive(Default)]
pub(super) struct Loops {
    pub found: Vec<FoundLoop>,
    /// Why others are not, and the places of their statements.
    pub refused: Vec<(Obstacle, Vec<Position>)>,
}

pub(super) struct FoundLoop {
    pub proctype: ProctypeId,
    pub counting: CountingLoop,
    pub position: Position,
    /// By pid.
    pub rounds: HashMap<u8, Rounds>,
}

/// What the rounds of a loop do, in normal form and in an order of their own, and how the loop goes on.
pub(super) type Written = Vec<Vec<(String, ActionId)>>;

impl Loops {
    pub fn find(start: &Start<'_>) -> Loops {
        let mut loops = Loops::default();
        for (id, proctype) in (0..).map(ProctypeId).zip(&start.model.proctypes) {
            let candidates = counting_loops::find(proctype);
            // The largest first: what is inside another one is a part of its rounds.
            for counting in candidates.iter().rev() {
                let is_inside = proctype.location(counting.head).interior;
                if !is_inside || loops.of(id, counting.head).is_some() {
                    continue;
                }
                let head = proctype.location(counting.head);
                match loops.rounds(start, id, counting, &candidates) {
                    Some(Ok(rounds)) => loops.found.push(FoundLoop {
                        proctype: id,
                        counting: counting.clone(),
                        position: head.position,
                        rounds,
                    }),
                    Some(Err((because, edge))) => {
                        let name = counter_name(start, id, &counting.counter);
                        let at = edge.map_or(head.position, |edge| proctype.action_of(edge).position);
                        let because = format!("the loop over `{name}` {because}");
                        loops.refused.push((Obstacle { because, at: Some(at) }, counting.places(proctype)));
                    }
                    None => {}
                }
            }
        }
        loops
    }

    /// The rounds of each process, if there are any; or why there are not.
    #[expect(
        clippy::type_complexity,
        reason = "three answers: no loop of constants, one that is in the way, or its rounds"
    )]
    fn rounds(
        &self,
        start: &Start<'_>,
        id: ProctypeId,
        counting: &CountingLoop,
        candidates: &[CountingLoop],
    ) -> Option<Result<HashMap<u8, Rounds>, (String, Option<EdgeId>)>> {
        let proctype = start.model.proctype(id);
        let mut found = HashMap::new();
        for instance in &start.instances {
            let is_one = start.state().processes[usize::from(instance.pid)].proctype == id;
            if !is_one || !instance.reached[counting.head.index()] {
                continue;
            }
            let value = |expr: &Expr| instance.value(expr);
            let first = first_value(proctype, counting, &value)?;
            let rounds = match unroll(proctype, counting, candidates, first, &value) {
                Ok(rounds) => rounds,
                Err(why) => return Some(Err((why.because.to_owned(), why.edge))),
            };
            if let Err(InOrder { because, edge }) = rounds::any_order(start, instance, &rounds) {
                return Some(Err((format!("does not treat all alike: {because}"), edge)));
            }
            found.insert(instance.pid, rounds);
        }
        (!found.is_empty()).then_some(Ok(found))
    }

    /// The loop to which a location belongs.
    pub fn of(&self, proctype: ProctypeId, location: LocationId) -> Option<&FoundLoop> {
        self.found.iter().find(|found| found.proctype == proctype && found.counting.contains(location))
    }

    /// The counters by which a statement is repeated, each with a number of its own.
    pub fn counters<'l>(
        &'l self,
        start: &'l Start<'_>,
        id: ProctypeId,
        edge: EdgeId,
    ) -> impl Iterator<Item = (usize, &'l Place)> {
        let proctype = start.model.proctype(id);
        let all = self.found.iter().enumerate().filter(move |(_, found)| found.proctype == id);
        all.filter(move |(_, found)| found.counting.has_edge(proctype, edge))
            .map(|(number, found)| (number, &found.counting.counter))
    }

    /// A loop that is in the way, where the symmetry is broken at this place.
    pub fn refused_at(&self, at: Position) -> Option<&Obstacle> {
        self.refused.iter().find(|(_, places)| places.contains(&at)).map(|(obstacle, _)| obstacle)
    }
}

fn counter_name(start: &Start<'_>, id: ProctypeId, counter: &Place) -> String {
    let slots = match counter.scope {
        Scope::Global => &start.model.globals,
        Scope::Local => &start.model.proctype(id).locals,
    };
    slots[counter.base as usize].name.clone()
}

impl Writer<'_> {
    /// What a loop does, from its head on.
    pub fn repeated(&self, pid: u8, found: &FoundLoop) -> Result<Written, Obstacle> {
        let Some(rounds) = found.rounds.get(&pid) else { return Ok(Vec::new()) };
        let mut lines = Vec::new();
        self.write_rounds(pid, rounds, &mut lines)?;
        Ok(vec![lines])
    }

    fn write_rounds(&self, pid: u8, rounds: &Rounds, out: &mut Vec<(String, ActionId)>) -> Result<(), Obstacle> {
        self.counter_is_a_number(pid, rounds)?;
        let mut each: Vec<Vec<(String, ActionId)>> = Vec::new();
        for round in &rounds.rounds {
            let mut lines = Vec::new();
            for stop in &round.stops {
                self.write_stop(pid, stop, &mut lines)?;
            }
            each.push(lines);
        }
        each.sort();
        let proctype = self.start.proctype(pid);
        let action = rounds.exits.first().map_or(ActionId(0), |step| proctype.edge(step.edge).action);
        out.push((format!("from {} to {}, {} rounds", rounds.first, rounds.end, each.len()), action));
        out.extend(each.concat());
        let exits = Stop { at: LocationId(u32::MAX), rounds: None, steps: rounds.exits.clone() };
        self.write_stop(pid, &exits, out)
    }

    /// Before and after its loop, a counter must mean the same under every permutation: its first value may be known from the states
    /// that can be reached, and its last one is not written here.
    fn counter_is_a_number(&self, pid: u8, rounds: &Rounds) -> Result<(), Obstacle> {
        let proctype = self.start.state().processes[usize::from(pid)].proctype;
        let symmetry = &self.meanings.symmetry;
        let (slots, slot) = match rounds.counter.scope {
            Scope::Global => (&symmetry.globals, rounds.counter.base),
            Scope::Local => (symmetry.locals_of(proctype), rounds.counter.base),
        };
        let stays = symmetry.slot_image(slots, self.permutation, slot) == slot;
        if stays && !symmetry.is_moved(slots.meanings[slot as usize], self.permutation) {
            return Ok(());
        }
        let name = counter_name(self.start, proctype, &rounds.counter);
        let position = rounds.exits.first().map(|step| self.start.proctype(pid).action_of(step.edge).position);
        let because = format!("the counter `{name}` of a loop holds process ids elsewhere");
        Err(Obstacle { because, at: position })
    }

    fn write_stop(&self, pid: u8, stop: &Stop, out: &mut Vec<(String, ActionId)>) -> Result<(), Obstacle> {
        let proctype = self.start.proctype(pid);
        if let Some(rounds) = &stop.rounds {
            self.write_rounds(pid, rounds, out)?;
            return Ok(());
        }
        for step in &stop.steps {
            let edge = proctype.edge(step.edge);
            let action = proctype.action(edge.action);
            let text = self.step(pid, step.edge, &step.kind).map_err(|why: Why| Obstacle {
                because: why.of(&format!("`{}`", action.text)),
                at: Some(action.position),
            })?;
            debug_assert!(matches!(step.kind, ActionKind::Step { .. }), "rounds are made of steps");
            out.push((format!("{} {}: {text}", stop.at.0, step.edge.0), edge.action));
        }
        Ok(())
    }
}
