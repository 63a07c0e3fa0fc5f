//! Is there a run that a claim's automaton accepts? Answered from the whole graph of model and automaton, built by the
//! interpreter and looked at in the simplest way: the oracle of the searches for infinite runs.
//!
//! With strong fairness, each set of those who can move is tried as the set of those who do forever.

use std::collections::HashMap;

use reductio_logic::strong_components;
use reductio_model::{Claim, Interpreter, Literal, ProctypeId, State, Step, Successors, TransitionSystem};
use reductio_reduce::Fairness;
use reductio_reduce::facts::{KnownOperation, StaticDependence};

/// Whether some run breaks the claim. `None` if there are more nodes than `most`, more who are to be treated fairly than
/// can be told apart, more sets of them than can be tried, or a step that goes wrong.
pub fn has_accepted_run(interpreter: &Interpreter<'_>, claim: &Claim, fairness: Fairness, most: usize) -> Option<bool> {
    let graph = Graph::new(interpreter, claim, fairness, most)?;
    let is_strong = matches!(fairness, Fairness::Strong | Fairness::OperationFairness);
    (!is_strong || graph.work_for_all_sets() <= MOST_WORK).then(|| graph.has_accepted_run(fairness))
}

/// The whole graph is looked at for each set of agents: so many nodes may be looked at.
const MOST_WORK: u64 = 10_000_000;

/// Who is to be treated fairly.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Agent {
    Process(u8),
    /// A step of a process of this type, in a rendezvous with one of that type.
    Operation(Step, ProctypeId, Option<ProctypeId>),
    /// An operation of which it is known on which others it depends.
    Known(Box<KnownOperation>),
}

impl Agent {
    fn new(step: Step, state: &State, fairness: Fairness, dependence: &StaticDependence<'_>) -> Agent {
        let proctype = |pid: u8| state.processes[pid as usize].proctype;
        match fairness {
            Fairness::None | Fairness::Weak | Fairness::Strong => Agent::Process(step.process),
            Fairness::Maximal => Agent::Known(Box::new(dependence.operation(step, state))),
            Fairness::OperationJustice | Fairness::OperationFairness => {
                Agent::Operation(step, proctype(step.process), step.partner.map(|(pid, _)| proctype(pid)))
            }
        }
    }

    fn process(&self) -> u8 {
        match self {
            Agent::Process(pid) => *pid,
            Agent::Operation(step, ..) => step.process,
            Agent::Known(known) => known.operation().process(),
        }
    }
}

/// Model and automaton, as a graph whose edges bear marks.
struct Graph {
    nodes: Vec<Node>,
    required: u128,
}

#[derive(Default)]
struct Node {
    edges: Vec<Edge>,
    /// Who can move here.
    able: u128,
    /// The process in whose `atomic` it is.
    exclusive: Option<u8>,
}

struct Edge {
    target: usize,
    marks: u128,
    mover: u128,
}

/// The automaton reads a state.
const READS: u128 = 1 << 32;
const FIRST_AGENT: usize = 33;
const ALL_AGENTS: u128 = u128::MAX << FIRST_AGENT;

impl Graph {
    fn new(interpreter: &Interpreter<'_>, claim: &Claim, fairness: Fairness, most: usize) -> Option<Graph> {
        let automaton = &claim.violations;
        let dependence = StaticDependence::new(interpreter.model());
        let mut states = vec![(interpreter.initial(), automaton.initial)];
        let mut numbers = HashMap::from([(states[0].clone(), 0)]);
        let mut agents: Vec<Agent> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        let mut successors = Successors::default();
        while let Some((bytes, place)) = states.get(nodes.len()).cloned() {
            interpreter.successors(&bytes, &mut successors);
            let state = interpreter.decode(&bytes);
            let mut steps: Vec<(Vec<u8>, u128)> = Vec::new();
            for (successor, next) in successors.iter() {
                let agent = Agent::new(successor.step, &state, fairness, &dependence);
                let number = agents.iter().position(|known| *known == agent).unwrap_or(agents.len());
                if number == agents.len() {
                    agents.push(agent);
                }
                steps.push((next?.to_vec(), 1u128.checked_shl((FIRST_AGENT + number) as u32)?));
            }
            if steps.is_empty() && !claim.of_infinite_runs_only {
                steps.push((bytes.clone(), 0));
            }
            let mut node = Node { exclusive: state.exclusive, ..Node::default() };
            for (next, mover) in &steps {
                node.able |= mover;
                let holds = |literal: &Literal| interpreter.holds(literal.atom, &bytes) == Ok(literal.value);
                let enabled = automaton.edges[place as usize].iter().filter(|edge| edge.guard.iter().all(holds));
                let onward: Vec<(u32, u128)> = match state.exclusive {
                    Some(_) => vec![(place, 0)],
                    None => enabled.map(|edge| (edge.target, u128::from(edge.marks) | READS)).collect(),
                };
                for (place, marks) in onward {
                    let next = (next.clone(), place);
                    let target = *numbers.entry(next.clone()).or_insert(states.len());
                    if target == states.len() {
                        states.push(next);
                    }
                    node.edges.push(Edge { target, marks: marks | mover, mover: *mover });
                }
            }
            nodes.push(node);
            if states.len() > most {
                return None;
            }
        }
        let mut graph = Graph { nodes, required: u128::from(automaton.all_marks()) | READS };
        if fairness != Fairness::None {
            graph.mark_who_rests(&agents);
            graph.mark_who_is_served(&agents);
            graph.required |= ALL_AGENTS;
        }
        Some(graph)
    }

    /// Everybody rests who cannot move; in an `atomic` only those do of the process whose it is.
    fn mark_who_rests(&mut self, agents: &[Agent]) {
        for node in &mut self.nodes {
            let of_process = |pid: u8| {
                let bits = agents.iter().enumerate().filter(|(_, agent)| agent.process() == pid);
                bits.fold(0, |bits, (number, _)| bits | 1 << (FIRST_AGENT + number))
            };
            let resting = node.exclusive.map_or(ALL_AGENTS, of_process) & !node.able;
            node.edges.iter_mut().for_each(|edge| edge.marks |= resting);
        }
    }

    /// With (*), whoever moves serves all that depend on it.
    fn mark_who_is_served(&mut self, agents: &[Agent]) {
        let served = |mover: &Agent| {
            let depends = |other: &Agent| match (mover, other) {
                (Agent::Known(mover), Agent::Known(other)) => other.depends_on(mover),
                _ => false,
            };
            let bits = agents.iter().enumerate().filter(|(_, other)| depends(other));
            bits.fold(0, |bits, (number, _)| bits | 1 << (FIRST_AGENT + number))
        };
        let served: Vec<u128> = agents.iter().map(served).collect();
        for edge in self.nodes.iter_mut().flat_map(|node| &mut node.edges).filter(|edge| edge.mover != 0) {
            edge.marks |= served[edge.mover.trailing_zeros() as usize - FIRST_AGENT];
        }
    }

    /// So many nodes are looked at if each set of agents is tried.
    fn work_for_all_sets(&self) -> u64 {
        let agents = self.everybody().count_ones();
        1u64.checked_shl(agents).map_or(u64::MAX, |sets| sets.saturating_mul(self.nodes.len() as u64))
    }

    /// All who can move somewhere.
    fn everybody(&self) -> u128 {
        self.nodes.iter().fold(0, |all, node| all | node.able)
    }

    /// Is there a cycle that bears all marks? With strong fairness, there are some who move on it, and in all its
    /// states only they can.
    fn has_accepted_run(&self, fairness: Fairness) -> bool {
        match fairness {
            Fairness::None | Fairness::Maximal | Fairness::Weak | Fairness::OperationJustice => {
                self.has_component(|_| true, 0)
            }
            Fairness::Strong | Fairness::OperationFairness => {
                (0..=self.everybody()).step_by(1 << FIRST_AGENT).any(|movers| {
                    let only_they_can = |node: usize| self.nodes[node].able & !movers == 0;
                    self.has_component(only_they_can, movers)
                })
            }
        }
    }

    /// Are there nodes among those kept that reach each other, by edges that bear all marks and by which all movers move?
    fn has_component(&self, keep: impl Fn(usize) -> bool, movers: u128) -> bool {
        let kept = (0..self.nodes.len()).filter(|&node| keep(node));
        let moved = kept.flat_map(|node| &self.nodes[node].edges).fold(0, |moved, edge| moved | edge.mover);
        if moved & movers != movers {
            return false;
        }
        let component = self.components(&keep);
        let mut met = vec![(0, 0); self.nodes.len()];
        for (source, node) in self.nodes.iter().enumerate() {
            let Some(number) = component[source] else { continue };
            for edge in node.edges.iter().filter(|edge| component[edge.target] == Some(number)) {
                let (marks, moved) = &mut met[number];
                *marks |= edge.marks;
                *moved |= edge.mover;
            }
        }
        met.iter().any(|(marks, moved)| marks & self.required == self.required && moved & movers == movers)
    }

    /// For each node that is kept one of those that it reaches and that reach it, the same for all of them.
    fn components(&self, keep: &impl Fn(usize) -> bool) -> Vec<Option<usize>> {
        let count = self.nodes.len();
        let mut component = vec![None; count];
        let successors = |node: usize| self.nodes[node].edges.iter().map(|edge| edge.target).filter(|to| keep(*to));
        strong_components(count, (0..count).filter(|node| keep(*node)), successors, |members| {
            members.iter().for_each(|member| component[*member] = Some(members[0]));
        });
        component
    }
}
