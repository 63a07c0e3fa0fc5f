//! The entry: a circuit in, answers out.

use std::collections::{HashSet, VecDeque};

use reductio_logic::ctl::Formula;
use reductio_model::circuit::{Circuit, Obligation, Run, Simulator, TooLarge, Valuation};
use reductio_model::{AtomId, Budget, Verdict, Why};

use super::ctl::Labelling;
use super::graph::Graph;

pub struct Engine<'a> {
    simulator: Simulator<'a>,
    graph: Graph,
}

impl<'a> Engine<'a> {
    /// Explores all reachable states, or as many as the limits allow.
    pub fn new(circuit: &'a Circuit, budget: &Budget) -> Engine<'a> {
        let mut simulator = Simulator::new(circuit);
        let graph = Graph::explore(&mut simulator, budget);
        Engine { simulator, graph }
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// How many states there are. Those that differ in hidden variables only are one to the user.
    pub fn state_count(&self) -> u64 {
        let variables = &self.simulator.circuit().variables;
        if variables.iter().all(|variable| !variable.hidden) {
            return self.graph.states.len() as u64;
        }
        let shown = |state: &Valuation| -> Vec<i64> {
            variables.iter().zip(state).filter(|(variable, _)| !variable.hidden).map(|(_, value)| *value).collect()
        };
        self.graph.states.iter().map(shown).collect::<HashSet<_>>().len() as u64
    }

    pub fn has_initial_state(&self) -> bool {
        self.graph.initial > 0 || self.graph.stopped.is_some()
    }

    /// The obligations that the circuit does not meet, each with values for which it does not.
    pub fn broken_obligations(&mut self) -> Result<Vec<(&'a Obligation, String)>, TooLarge> {
        self.simulator.broken_obligations()
    }

    /// Does every reachable state have a successor?
    pub fn deadlock(&mut self) -> Verdict<Run> {
        // States that were not expanded have no edges either.
        let is_dead_end = |state: usize, engine: &mut Self| {
            let expanded = engine.graph.stopped.is_none();
            engine.graph.edges[state].is_empty()
                && (expanded || engine.simulator.steps(&engine.graph.states[state]).is_ok_and(|steps| steps.is_empty()))
        };
        self.never(is_dead_end)
    }

    /// Does an atom hold in every reachable state?
    pub fn invariant(&mut self, atom: AtomId) -> Verdict<Run> {
        let expr = self.simulator.circuit().atoms[atom.index()].expr;
        self.never(|state, engine| !engine.simulator.holds(expr, &engine.graph.states[state]))
    }

    fn never(&mut self, is_bad: impl Fn(usize, &mut Self) -> bool) -> Verdict<Run> {
        match ((0..self.graph.states.len()).find(|state| is_bad(*state, self)), self.graph.stopped) {
            (Some(state), _) => found(self.graph.run_to(state, &mut self.simulator)),
            (None, Some(why)) => Verdict::Inconclusive(why),
            (None, None) => Verdict::Holds,
        }
    }

    /// Does a formula hold in every initial state from which there is a fair run? If not, the run is such a state alone.
    pub fn ctl(&mut self, formula: &Formula) -> Verdict<Run> {
        if let Some(why) = self.obstacle() {
            return Verdict::Inconclusive(why);
        }
        let labelling = Labelling::of_circuit(&self.graph, &mut self.simulator);
        let labels = match labelling.label(formula) {
            Ok(labels) => labels,
            Err(limit) => return Verdict::Inconclusive(limit),
        };
        match (0..self.graph.initial).find(|state| labelling.fair[*state] && !labels[*state]) {
            Some(state) => found(self.graph.run_to(state, &mut self.simulator)),
            None => Verdict::Holds,
        }
    }

    /// Whether answers about runs that go on forever make sense, and if not, why.
    pub fn obstacle(&mut self) -> Option<Why> {
        if self.graph.stopped.is_some() {
            return self.graph.stopped;
        }
        if self.graph.edges.iter().any(Vec::is_empty) {
            return Some(Why::RunsThatEnd);
        }
        let labelling = Labelling::of_circuit(&self.graph, &mut self.simulator);
        let has_fair_run = labelling.fair[..self.graph.initial].contains(&true);
        (!has_fair_run).then_some(Why::NoFairRun)
    }

    /// Is there no fair run? If there is, it violates that.
    pub fn no_fair_run(&mut self) -> Verdict<Run> {
        if let Some(why) = self.graph.stopped {
            return Verdict::Inconclusive(why);
        }
        let labelling = Labelling::of_circuit(&self.graph, &mut self.simulator);
        match labelling.fair_component() {
            None => Verdict::Holds,
            Some(component) => {
                let compassion = labelling.compassion;
                found(self.lasso(&component, &compassion))
            }
        }
    }

    /// The way to a fair component, and a cycle in it that meets every constraint.
    fn lasso(&mut self, component: &[usize], compassion: &[(Vec<bool>, Vec<bool>)]) -> Result<Run, Why> {
        let graph = &self.graph;
        let mut inside = vec![false; graph.states.len()];
        component.iter().for_each(|state| inside[*state] = true);
        let first = component[0];
        let mut path = shortest(graph, 0..graph.initial, |_| true, |state| state == first).expect("it is reachable");
        let start = path.len() - 1;
        // The justice constraints that the step from each state of the path is to meet.
        let mut wanted = vec![0u128; path.len()];
        let walk = |path: &mut Vec<usize>, wanted: &mut Vec<u128>, goal: &dyn Fn(usize) -> bool| {
            let last = path[path.len() - 1];
            let way = shortest(graph, last..last + 1, |state| inside[state], goal).expect("components are connected");
            path.extend(&way[1..]);
            wanted.resize(path.len(), 0);
        };
        for constraint in 0..self.simulator.circuit().justice.len() {
            let edge_from = |state: usize| {
                graph.edges[state].iter().find(|edge| inside[edge.to] && edge.justice >> constraint & 1 == 1)
            };
            walk(&mut path, &mut wanted, &|state| edge_from(state).is_some());
            let edge = edge_from(path[path.len() - 1]).expect("the walk ends at one");
            *wanted.last_mut().expect("a path has states") |= 1 << constraint;
            path.push(edge.to);
            wanted.push(0);
        }
        for (often, then) in compassion {
            if component.iter().any(|state| often[*state]) {
                walk(&mut path, &mut wanted, &|state| then[state]);
            }
        }
        walk(&mut path, &mut wanted, &|state| graph.edges[state].iter().any(|edge| edge.to == first));
        graph.run_along(&path, Some((start, &wanted)), &mut self.simulator)
    }
}

fn found(run: Result<Run, Why>) -> Verdict<Run> {
    run.map_or_else(Verdict::Inconclusive, Verdict::Violated)
}

/// The shortest path from one of some states to a goal, over states that are allowed.
fn shortest(
    graph: &Graph,
    from: std::ops::Range<usize>,
    is_allowed: impl Fn(usize) -> bool,
    is_goal: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; graph.states.len()];
    let mut pending: VecDeque<usize> = from.collect();
    pending.iter().for_each(|state| parents[*state] = Some(*state));
    while let Some(state) = pending.pop_front() {
        if is_goal(state) {
            let mut path = vec![state];
            while let Some(parent) = parents[path[path.len() - 1]].filter(|parent| *parent != path[path.len() - 1]) {
                path.push(parent);
            }
            path.reverse();
            return Some(path);
        }
        for edge in &graph.edges[state] {
            if is_allowed(edge.to) && parents[edge.to].is_none() {
                parents[edge.to] = Some(state);
                pending.push_back(edge.to);
            }
        }
    }
    None
}
