//! A transition system given as data: a graph whose nodes are the states.

use reductio_explicit::{SearchResult, plain};
use reductio_model::{
    ActionId, AtomId, Budget, EdgeId, Fault, FaultKind, InvariantId, Model, ProctypeId, Step, Successors,
    TransitionSystem,
};
use reductio_reduce::{PlanRequest, plan};

/// Node zero is the initial state. Sets of nodes and edges are given bit by bit.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub edges: Vec<Arrow>,
    pub valid_ends: u32,
    pub unstable: u32,
    /// Where the one atom does not hold.
    pub bad: u32,
    /// All edges are of one and the same statement, instead of one each.
    pub one_statement: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    pub from: u8,
    /// `None`: the run ends in a fault.
    pub to: Option<u8>,
    pub faulty: bool,
}

impl Graph {
    /// The graph with `nodes` nodes whose edge from `a` to `b` is bit `a * nodes + b` of `matrix`.
    pub fn from_matrix(nodes: u8, matrix: u32, faulty: u32) -> Graph {
        let bits = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
        let arrows = bits.enumerate().filter(|(bit, _)| matrix >> bit & 1 == 1);
        let arrow = |(bit, (from, to)): (usize, (u8, u8))| Arrow { from, to: Some(to), faulty: faulty >> bit & 1 == 1 };
        Graph { edges: arrows.map(arrow).collect(), ..Graph::default() }
    }

    pub fn is_bad(&self, node: u8) -> bool {
        self.bad >> node & 1 == 1 && !self.is_unstable(node)
    }

    pub fn is_unstable(&self, node: u8) -> bool {
        self.unstable >> node & 1 == 1
    }

    pub fn is_deadlock(&self, node: u8) -> bool {
        self.valid_ends >> node & 1 == 0 && self.edges.iter().all(|arrow| arrow.from != node)
    }

    /// The least number of steps to each node, by the simplest method there is.
    pub fn distances(&self) -> Vec<Option<usize>> {
        let mut distances = vec![None; 32];
        distances[0] = Some(0);
        // No shortest path is longer than the number of edges.
        for _ in &self.edges {
            for arrow in &self.edges {
                let Some(to) = arrow.to else { continue };
                if let Some(distance) = distances[arrow.from as usize] {
                    let shorter = distances[to as usize].is_none_or(|known| distance + 1 < known);
                    if shorter {
                        distances[to as usize] = Some(distance + 1);
                    }
                }
            }
        }
        distances
    }

    pub fn search(&self, request: &PlanRequest) -> SearchResult {
        self.search_within(request, &Budget::UNLIMITED)
    }

    pub fn search_within(&self, request: &PlanRequest, budget: &Budget) -> SearchResult {
        let plan = plan(&Model::default(), request.clone()).expect("tests ask only for what there is");
        plain::search(self, &plan, budget)
    }
}

impl TransitionSystem for Graph {
    fn initial(&self) -> Vec<u8> {
        vec![0]
    }

    fn successors(&self, state: &[u8], out: &mut Successors) {
        out.clear();
        for (index, arrow) in self.edges.iter().enumerate().filter(|(_, arrow)| arrow.from == state[0]) {
            let step = Step { process: 0, edge: EdgeId(index as u32), partner: None };
            let fault = arrow.faulty.then_some(Fault {
                kind: FaultKind::AssertionViolated,
                proctype: ProctypeId(0),
                action: ActionId(if self.one_statement { 0 } else { index as u32 }),
            });
            let executed = [(ProctypeId(0), ActionId(index as u32))];
            match (arrow.to, fault) {
                (Some(to), fault) => out.push(step, fault, !self.is_unstable(to), &executed, |bytes| bytes.push(to)),
                (None, Some(fault)) => out.push_end(step, fault, &executed),
                (None, None) => panic!("a run ends only in a fault"),
            }
        }
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.valid_ends >> state[0] & 1 == 1
    }

    fn atom_of(&self, invariant: InvariantId) -> AtomId {
        AtomId(invariant.0)
    }

    fn holds(&self, _atom: AtomId, state: &[u8]) -> Result<bool, FaultKind> {
        Ok(self.bad >> state[0] & 1 == 0)
    }
}
