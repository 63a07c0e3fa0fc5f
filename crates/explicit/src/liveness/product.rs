//! The product of the model and the automaton of a claim, step by step: the automaton reads the state that the model is about
//! to leave. The automaton's state is one more component of the key.
//!
//! A run that ends stays in its last state forever, and so does the automaton read it forever. In the middle of an
//! `atomic` the automaton does not move.
//!
//! With fairness of processes, a step is marked with the process that takes it and with those that cannot move in the
//! state it leaves: on a weakly fair run every process is marked infinitely often. A rendezvous is a step of the sender:
//! who waits for a message does not move by itself. Of operations there may be too many for marks: steps only tell
//! which operation they are.

use reductio_model::{Claim, Door, Step, Why};
use reductio_reduce::on_the_fly::Processes;
use reductio_reduce::{CycleSearch, Fairness, Plan};

use super::agents::{Agent, Operations};
use super::marks::Marks;
use super::permutation_classes::{Exchange, PermutationClasses};
use super::valuation::{Valuation, Valuations};
use crate::atomic_sequences::RUNS_ON;
use crate::packed::expander::{Expander, Next};
use crate::packed::key::Key;
use crate::packed::layout::Source;
use crate::packed::selector::PartialOrder;
use crate::packed::space::{Obstacle, Space};
use crate::store::{Memory, OutOfMemory};

pub(crate) struct Product<'m, const W: usize> {
    pub space: Space<'m>,
    pub expander: Expander<'m, W>,
    valuations: Valuations<W>,
    automaton: Automaton,
    /// A run that ends stays in its last state.
    stays: bool,
    agents: Agents<'m>,
    /// Where it matters who becomes whom.
    exchanges: Option<PermutationClasses>,
    nexts: Vec<Next<W>>,
    steps: Vec<Step>,
    /// Who can move in the state that was expanded last, if there is fairness: one entry per step of the model.
    able: Vec<Agent>,
}

/// Whom fairness is about.
enum Agents<'m> {
    Nobody,
    /// No more than so many.
    Processes(u32),
    Operations(Box<Operations<'m>>),
}

/// A step of model and automaton.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move<const W: usize> {
    pub key: Key<W>,
    pub marks: Marks,
    /// Which event of the model it is, or [`STAYS`].
    pub event: u32,
    /// Who moves, if there is fairness and somebody does.
    pub agent: Option<Agent>,
    /// The moves of others are enough, if nobody is put off forever.
    pub can_wait: bool,
    /// Who becomes whom, where that matters.
    pub exchange: Exchange,
}

impl<const W: usize> Move<W> {
    /// To where it all begins.
    pub fn to_initial(key: Key<W>) -> Move<W> {
        Move { key, marks: Marks::NONE, event: 0, agent: None, can_wait: false, exchange: Exchange::NONE }
    }

    /// The same move between other keys.
    pub fn repack<const V: usize>(&self, repack: impl Fn(&Key<W>) -> Key<V>) -> Move<V> {
        let &Move { key, marks, event, agent, can_wait, exchange } = self;
        Move { key: repack(&key), marks, event, agent, can_wait, exchange }
    }
}

/// The run has ended: only the automaton moves.
pub(crate) const STAYS: u32 = u32::MAX;

/// What can be said of a state when its moves are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    GoesOn,
    /// Every run that comes by here is accepted.
    Decided,
    /// It cannot be told how the run goes on.
    Limit(Why),
}

/// The automaton with guards that are quick to evaluate.
#[derive(Clone)]
struct Automaton {
    initial: u32,
    edges: Vec<Vec<Edge>>,
    required: Marks,
}

#[derive(Clone)]
struct Edge {
    true_atoms: Valuation,
    false_atoms: Valuation,
    marks: Marks,
    target: u32,
    /// Whatever is read after it is accepted.
    decides: bool,
}

impl Automaton {
    fn new(claim: &Claim) -> Automaton {
        let automaton = &claim.violations;
        let atoms = automaton.atoms();
        let bits = |edge: &reductio_model::ClaimEdge, value: bool| {
            let literals = edge.guard.iter().filter(|literal| literal.value == value);
            literals.fold(0, |bits, literal| match atoms.binary_search(&literal.atom) {
                Ok(place) => bits | 1 << place,
                Err(_) => bits,
            })
        };
        let edge = |edge: &reductio_model::ClaimEdge| Edge {
            true_atoms: bits(edge, true),
            false_atoms: bits(edge, false),
            marks: Marks::of_edge(edge.marks),
            target: edge.target,
            decides: automaton.accepts_all_from(edge.target),
        };
        Automaton {
            initial: automaton.initial,
            edges: automaton.edges.iter().map(|edges| edges.iter().map(edge).collect()).collect(),
            required: Marks::of_edge(automaton.all_marks()),
        }
    }
}

impl Edge {
    fn is_enabled(&self, valuation: Valuation) -> bool {
        self.true_atoms & !valuation == 0 && self.false_atoms & valuation == 0
    }
}

impl<'m, const W: usize> Product<'m, W> {
    /// Keys have no fields yet: [`Space::pack`] comes next. With fairness of processes there can be `most_processes`.
    pub fn new(
        system: &'m dyn Door,
        order: Option<&'m PartialOrder<'m>>,
        claim: &Claim,
        plan: &Plan,
        most_processes: u32,
    ) -> Product<'m, W> {
        let mut space = Space::new(system, &system.initial_state(), false);
        space.add(Source::Claim(claim.violations.edges.len() as u32));
        let agents = match plan.fairness() {
            Fairness::None => Agents::Nobody,
            Fairness::Weak | Fairness::Strong => Agents::Processes(most_processes),
            Fairness::OperationJustice | Fairness::OperationFairness => Agents::Operations(Box::default()),
            Fairness::Maximal => Agents::Operations(Box::new(Operations::with_dependence(system.model()))),
        };
        // A hunt goes on from states as they are.
        let symmetry = plan.symmetry().filter(|_| plan.cycle_search() != CycleSearch::Hunt);
        // With fairness it matters who becomes whom.
        let exchanges =
            symmetry.filter(|_| !matches!(agents, Agents::Nobody)).map(|found| PermutationClasses::new(found.clone()));
        Product {
            space,
            // With fairness it matters who moves in the middle of an `atomic`.
            expander: match agents {
                Agents::Nobody => Expander::new(system, false).choosing(order).exchanging(symmetry),
                Agents::Processes(_) | Agents::Operations(_) => {
                    let expander = Expander::stepwise(system).choosing(order).exchanging(symmetry);
                    if exchanges.is_some() { expander.noting_exchanges() } else { expander }
                }
            },
            valuations: Valuations::new(claim.violations.atoms()),
            automaton: Automaton::new(claim),
            stays: !claim.of_infinite_runs_only,
            agents,
            exchanges,
            nexts: Vec::new(),
            steps: Vec::new(),
            able: Vec::new(),
        }
    }

    /// What a cycle must be marked with to be accepted. Of processes that are exchanged, marks do not tell whose they are.
    pub fn required(&self) -> Marks {
        match self.agents {
            Agents::Processes(_) => {
                let exchanged = self.exchanges.as_ref().map_or(0, PermutationClasses::processes);
                self.accepting().union(Marks::of_processes_from(exchanged))
            }
            Agents::Nobody | Agents::Operations(_) => self.accepting(),
        }
    }

    /// Who becomes whom, where it matters.
    pub fn exchanges(&self) -> Option<&PermutationClasses> {
        self.exchanges.as_ref()
    }

    /// What a cycle must be marked with to be accepted by the automaton alone.
    pub fn accepting(&self) -> Marks {
        self.automaton.required
    }

    /// Does the automaton read this state? It does not in the middle of an `atomic`.
    pub fn is_read(&mut self, key: &Key<W>) -> bool {
        self.expander.is_free(&self.space, key)
    }

    /// Who can move in the state that was expanded last, if there is fairness; some of them more than once.
    pub fn able(&self) -> &[Agent] {
        &self.able
    }

    /// Does one of two operations depend on the other, whatever the state?
    pub fn depend(&self, one: Agent, other: Agent) -> bool {
        match &self.agents {
            Agents::Operations(operations) => operations.depend(one, other),
            Agents::Nobody | Agents::Processes(_) => one == other,
        }
    }

    /// Is an operation that is not possible in this state only kept from being so, by the `atomic` of another process?
    pub fn is_kept(&mut self, agent: Agent, key: &Key<W>) -> bool {
        let Agents::Operations(operations) = &self.agents else { return false };
        let exclusive = self.expander.exclusive(&self.space, key);
        exclusive.is_some_and(|pid| pid != operations.process_of(agent))
    }

    pub fn initial(&self, memory: &Memory) -> Result<Key<W>, OutOfMemory> {
        let mut key = self.space.first_key(&self.space.system.initial_state(), memory)?;
        key.fill(self.space.layout.claim_field(), self.automaton.initial);
        Ok(key)
    }

    /// Replaces `out` by what can happen next.
    pub fn expand(&mut self, key: &Key<W>, memory: &Memory, out: &mut Vec<Move<W>>) -> Result<Expansion, Obstacle> {
        out.clear();
        let mut nexts = std::mem::take(&mut self.nexts);
        let expanded = self.expander.expand(&self.space, key, memory, &mut nexts);
        let answer = expanded.and_then(|()| self.follow(key, &nexts, out));
        self.nexts = nexts;
        answer
    }

    /// Tells again which of the moves of the state that was expanded last can wait, where these processes may not be among
    /// those whose moves are enough. Can any?
    pub fn choose_without(&mut self, barred: Processes, key: &Key<W>, moves: &mut [Move<W>]) -> bool {
        let chosen = self.expander.chosen_without(barred, &self.space, key, &self.nexts);
        for next in &mut *moves {
            next.can_wait = !chosen.contains(self.nexts[next.event as usize].pid);
        }
        chosen != Processes::ALL
    }

    /// Those whose moves of the state that was expanded last cannot wait, and [lead](Product::leads_to) to a state that meets a condition.
    pub fn who_leads_to(
        &mut self,
        moves: &[Move<W>],
        memory: &Memory,
        mut meets: impl FnMut(&Key<W>) -> bool,
    ) -> Result<Processes, Obstacle> {
        let mut processes = Processes::NONE;
        for next in moves.iter().filter(|next| !next.can_wait) {
            let pid = self.nexts[next.event as usize].pid;
            if !processes.contains(pid) && self.leads_to(&next.key, memory, &mut meets)? {
                processes.insert(usize::from(pid));
            }
        }
        Ok(processes)
    }

    /// Does a move to this state, or on through the `atomic` that it is in, lead to one that meets a condition? Also if the
    /// `atomic` is too long to be told.
    pub fn leads_to(
        &mut self,
        key: &Key<W>,
        memory: &Memory,
        meets: &mut impl FnMut(&Key<W>) -> bool,
    ) -> Result<bool, Obstacle> {
        if self.is_read(key) {
            return Ok(meets(key));
        }
        let situations = self.expander.keep_situations();
        let mut pending = vec![*key];
        let mut onward = Vec::new();
        let mut budget = RUNS_ON;
        let mut found = Ok(false);
        while let (Ok(false), Some(key)) = (&found, pending.pop()) {
            if self.is_read(&key) {
                found = Ok(meets(&key));
                continue;
            }
            if budget == 0 {
                found = Ok(true);
                break;
            }
            budget -= 1;
            match self.expander.expand(&self.space, &key, memory, &mut onward) {
                Ok(()) => pending.extend(onward.iter().map(|next| next.key)),
                Err(obstacle) => found = Err(obstacle),
            }
        }
        self.expander.restore_situations(situations);
        found
    }

    pub fn process_count(&mut self, key: &Key<W>) -> u8 {
        self.expander.process_count(&self.space, key)
    }

    fn follow(&mut self, key: &Key<W>, nexts: &[Next<W>], out: &mut Vec<Move<W>>) -> Result<Expansion, Obstacle> {
        let is_read = self.is_read(key);
        let mut resting = Marks::NONE;
        self.able.clear();
        match &mut self.agents {
            Agents::Nobody => {}
            Agents::Processes(most) => {
                if nexts.iter().any(|next| u32::from(next.pid) >= *most) {
                    return Ok(Expansion::Limit(Why::TooManyProcesses { most: *most }));
                }
                self.able.extend(nexts.iter().map(|next| Agent::of_process(next.pid)));
                // In the middle of an `atomic` the others do not rest: they are kept from moving.
                if is_read {
                    let moving = nexts.iter().map(|next| Marks::of_process(next.pid));
                    resting = Marks::of_all_processes().without(moving.fold(Marks::NONE, Marks::union));
                }
            }
            Agents::Operations(operations) => {
                // What is remembered of steps does not tell which they are.
                self.expander.possible_steps(&self.space, key, &mut self.steps);
                operations.append(&self.steps, self.expander.state(&self.space, key), &mut self.able);
                debug_assert_eq!(self.able.len(), nexts.len(), "every step is an event");
            }
        }
        let chosen = self.expander.chosen(&self.space, key, nexts);
        let stays = Next { key: *key, note: Default::default(), pid: 0 };
        let (nexts, first_event) = match nexts.is_empty() && self.stays {
            true => (std::slice::from_ref(&stays), STAYS),
            false => (nexts, 0),
        };
        let valuation = if is_read { self.valuations.get(&mut self.expander, &self.space, key)? } else { 0 };
        let field = self.space.layout.claim_field();
        let state = key.get(field);
        let edges = &self.automaton.edges[state as usize];
        let enabled = || edges.iter().filter(|edge| edge.is_enabled(valuation));
        if is_read && enabled().any(|edge| edge.decides) {
            return Ok(Expansion::Decided);
        }
        for (number, next) in nexts.iter().enumerate() {
            if next.note.is_fault() {
                let faulty = self.expander.fault(next.note);
                if let Some(limit) = faulty.fault.kind.limit() {
                    return Ok(Expansion::Limit(limit));
                }
                if faulty.leads_nowhere {
                    continue;
                }
            }
            let event = first_event.saturating_add(number as u32);
            let agent = self.able.get(number).copied();
            let exchange = match (&mut self.exchanges, self.expander.exchanges()) {
                (Some(exchanges), Some(noted)) if event != STAYS => exchanges.number(noted[number].as_ref()),
                _ => Exchange::NONE,
            };
            let fairness = match self.agents {
                Agents::Processes(_) if agent.is_some() => resting.union(Marks::of_process(next.pid)),
                _ => resting,
            };
            if !is_read {
                out.push(Move { key: next.key, marks: fairness, event, agent, can_wait: false, exchange });
                continue;
            }
            out.extend(enabled().map(|edge| {
                let mut key = next.key;
                key.change(field, state, edge.target);
                let (marks, can_wait) = (edge.marks.union(fairness), !chosen.contains(next.pid));
                Move { key, marks, event, agent, can_wait, exchange }
            }));
        }
        Ok(Expansion::GoesOn)
    }

    /// The same product with other keys.
    pub fn repack<const V: usize>(self, memory: &Memory) -> Product<'m, V> {
        Product {
            space: self.space,
            expander: self.expander.repack(memory),
            valuations: self.valuations.repack(),
            automaton: self.automaton,
            stays: self.stays,
            agents: self.agents,
            exchanges: self.exchanges,
            nexts: Vec::new(),
            steps: Vec::new(),
            able: Vec::new(),
        }
    }
}
