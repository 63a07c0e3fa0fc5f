//! The reachable states of a circuit, and the steps between them.

use std::collections::HashMap;

use reductio_model::circuit::{Run, Simulator, Valuation};
use reductio_model::{Budget, Why};

/// A step, without its inputs: the state it leads to, and the justice constraints that are met with some inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub to: usize,
    pub justice: u128,
}

/// So many justice constraints fit the bits of an edge.
const MOST_JUSTICE: usize = 128;

/// However little memory there is, so many values are tried to find the steps from a state.
const FEWEST_TRIED: u64 = 1 << 12;

pub struct Graph {
    pub states: Vec<Valuation>,
    /// The initial states come first.
    pub initial: usize,
    pub edges: Vec<Vec<Edge>>,
    /// How each state was reached first: `None` for initial states.
    parents: Vec<Option<usize>>,
    pub depth: u64,
    pub stopped: Option<Why>,
}

impl Graph {
    /// Explores breadth-first until all is seen or a limit is met.
    pub fn explore(simulator: &mut Simulator<'_>, budget: &Budget) -> Graph {
        let mut graph =
            Graph { states: Vec::new(), initial: 0, edges: Vec::new(), parents: Vec::new(), depth: 0, stopped: None };
        graph.stopped = graph.explore_further(simulator, budget).err();
        graph
    }

    fn explore_further(&mut self, simulator: &mut Simulator<'_>, budget: &Budget) -> Result<(), Why> {
        let justice = &simulator.circuit().justice;
        if justice.len() > MOST_JUSTICE {
            return Err(Why::TooLarge);
        }
        let bytes_per_state = simulator.circuit().variables.len() as u64 * 16 + 200;
        let (gauge, memory) = (budget.gauge(), budget.memory_or_some());
        // Half of the memory for what is looked at, half for what is known.
        simulator.allow((memory / 2 / bytes_per_state).max(FEWEST_TRIED));
        let mut known: HashMap<Valuation, usize> = HashMap::new();
        for state in simulator.initial().map_err(|_| Why::TooLarge)? {
            known.insert(state.clone(), self.states.len());
            self.add(state, None);
        }
        self.initial = self.states.len();
        let mut level_end = self.initial;
        let mut stored_edges = 0;
        let mut at = 0;
        while at < self.states.len() {
            if at == level_end {
                self.depth += 1;
                level_end = self.states.len();
            }
            budget.go_on()?;
            gauge.look()?;
            if self.states.len() as u64 * bytes_per_state + stored_edges * 32 > memory {
                return Err(Why::Memory { bytes: memory });
            }
            let mut edges = Vec::new();
            let state = self.states[at].clone();
            for step in simulator.steps(&state).map_err(|_| Why::TooLarge)? {
                let met = (0..).zip(justice).filter(|(_, condition)| simulator.holds(**condition, &step.from));
                let met = met.fold(0, |met, (place, _)| met | 1 << place);
                let next = self.states.len();
                let to = *known.entry(step.to.clone()).or_insert(next);
                if to == next {
                    self.add(step.to, Some(at));
                }
                edges.push(Edge { to, justice: met });
            }
            edges.sort_unstable();
            edges.dedup();
            stored_edges += edges.len() as u64;
            self.edges[at] = edges;
            at += 1;
        }
        Ok(())
    }

    fn add(&mut self, state: Valuation, parent: Option<usize>) {
        self.states.push(state);
        self.edges.push(Vec::new());
        self.parents.push(parent);
    }

    /// The shortest run to a state.
    pub fn run_to(&self, state: usize, simulator: &mut Simulator<'_>) -> Result<Run, Why> {
        let mut path = vec![state];
        while let Some(parent) = self.parents[path[path.len() - 1]] {
            path.push(parent);
        }
        path.reverse();
        self.run_along(&path, None, simulator)
    }

    /// The run through states given by number; `inputs` may ask for more of some steps.
    pub fn run_along(
        &self,
        path: &[usize],
        cycle: Option<(usize, &[u128])>,
        simulator: &mut Simulator<'_>,
    ) -> Result<Run, Why> {
        let justice = &simulator.circuit().justice;
        let mut states = Vec::new();
        for (place, number) in path.iter().enumerate() {
            let mut state = self.states[*number].clone();
            let next = match (path.get(place + 1), cycle) {
                (Some(next), _) => Some(*next),
                (None, Some((start, _))) => Some(path[start]),
                (None, None) => None,
            };
            if let Some(next) = next {
                let wanted = cycle.map_or(0, |(_, wanted)| wanted[place]);
                let steps = simulator.steps(&state).map_err(|_| Why::TooLarge)?;
                let step = steps.into_iter().find(|step| {
                    let mut meets = (0..).zip(justice).filter(|(place, _)| wanted >> place & 1 == 1);
                    step.to == self.states[next] && meets.all(|(_, condition)| simulator.holds(*condition, &step.from))
                });
                state = step.expect("the graph has this step").from;
            }
            states.push(state);
        }
        Ok(Run { states, cycle_start: cycle.map(|(start, _)| start) })
    }
}
