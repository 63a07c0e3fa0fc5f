//! CTL by labelling, state by state.
//!
//! Paper: [clarke-emerson-sistla86]: labelling.

use reductio_logic::ctl::{Formula, Path, Quantifier};
use reductio_model::circuit::Simulator;
use reductio_model::{Budget, Why};

use super::components::{Compassion, fair_components};
use super::graph::{Edge, Graph};

/// A graph with what is needed to label it.
pub struct Labelling<'g> {
    edges: &'g [Vec<Edge>],
    backwards: Vec<Vec<usize>>,
    /// For each atom, where it holds.
    atoms: Vec<Vec<bool>>,
    justice: u128,
    pub compassion: Compassion,
    /// Where a fair run begins.
    pub fair: Vec<bool>,
    /// How long it may take.
    pub budget: &'g Budget,
}

impl<'g> Labelling<'g> {
    pub fn new(edges: &'g [Vec<Edge>], atoms: Vec<Vec<bool>>, justice: u128, compassion: Compassion) -> Labelling<'g> {
        let mut backwards = vec![Vec::new(); edges.len()];
        for (from, edges) in edges.iter().enumerate() {
            edges.iter().for_each(|edge| backwards[edge.to].push(from));
        }
        let mut labelling =
            Labelling { edges, backwards, atoms, justice, compassion, fair: Vec::new(), budget: &Budget::UNLIMITED };
        labelling.fair = labelling.always(&labelling.everywhere());
        labelling
    }

    /// The graph of a circuit.
    pub fn of_circuit(graph: &'g Graph, simulator: &mut Simulator<'_>) -> Labelling<'g> {
        let circuit = simulator.circuit();
        let mut holds = |expr| graph.states.iter().map(|state| simulator.holds(expr, state)).collect::<Vec<bool>>();
        // Atoms of inputs are in formulas of linear time only, which are checked otherwise.
        let atoms = circuit.atoms.iter().map(|atom| holds(atom.expr)).collect();
        let compassion = circuit.compassion.iter().map(|(often, then)| (holds(*often), holds(*then))).collect();
        let justice = circuit.justice.iter().fold(0, |all, _| all << 1 | 1);
        Labelling::new(&graph.edges, atoms, justice, compassion)
    }

    fn everywhere(&self) -> Vec<bool> {
        vec![true; self.edges.len()]
    }

    /// Where a formula holds, if there is time to find out.
    pub fn label(&self, formula: &Formula) -> Result<Vec<bool>, Why> {
        self.budget.go_on()?;
        let each = |left: Vec<bool>, right: Vec<bool>, operation: fn(bool, bool) -> bool| {
            left.into_iter().zip(right).map(|(left, right)| operation(left, right)).collect()
        };
        Ok(match formula {
            Formula::Truth(value) => vec![*value; self.edges.len()],
            Formula::Atom(prop) => self.atoms[prop.0 as usize].clone(),
            Formula::Not(inner) => negated(self.label(inner)?),
            Formula::And(left, right) => each(self.label(left)?, self.label(right)?, |left, right| left && right),
            Formula::Or(left, right) => each(self.label(left)?, self.label(right)?, |left, right| left || right),
            Formula::Runs(Quantifier::Some, path) => self.some_run(path)?,
            Formula::Runs(Quantifier::All, path) => negated(self.some_run(&path.opposite())?),
        })
    }

    fn some_run(&self, path: &Path) -> Result<Vec<bool>, Why> {
        let fair =
            |set: Vec<bool>| -> Vec<bool> { set.into_iter().zip(&self.fair).map(|(set, fair)| set && *fair).collect() };
        Ok(match path {
            Path::Next(f) => {
                let target = fair(self.label(f)?);
                let steps_there = |edges: &Vec<Edge>| edges.iter().any(|edge| target[edge.to]);
                self.edges.iter().map(steps_there).collect()
            }
            Path::Eventually(f) => self.until(&self.everywhere(), fair(self.label(f)?)),
            Path::Always(f) => self.always(&self.label(f)?),
            Path::Until(f, g) => self.until(&self.label(f)?, fair(self.label(g)?)),
            Path::Release(f, g) => {
                let (f, g) = (self.label(f)?, self.label(g)?);
                let both = f.iter().zip(&g).map(|(f, g)| *f && *g).collect();
                let forever = self.always(&g);
                self.until(&g, fair(both)).into_iter().zip(forever).map(|(until, always)| until || always).collect()
            }
        })
    }

    /// From where the target is reached through `within`.
    fn until(&self, within: &[bool], target: Vec<bool>) -> Vec<bool> {
        let mut reached = target;
        let mut pending: Vec<usize> = (0..reached.len()).filter(|state| reached[*state]).collect();
        while let Some(state) = pending.pop() {
            for before in &self.backwards[state] {
                if within[*before] && !std::mem::replace(&mut reached[*before], true) {
                    pending.push(*before);
                }
            }
        }
        reached
    }

    /// From where a fair run stays in `within`.
    fn always(&self, within: &[bool]) -> Vec<bool> {
        let mut target = vec![false; self.edges.len()];
        for component in fair_components(self.edges, within, self.justice, &self.compassion) {
            component.iter().for_each(|state| target[*state] = true);
        }
        self.until(within, target)
    }

    /// Some fair component, if there is one.
    pub fn fair_component(&self) -> Option<Vec<usize>> {
        fair_components(self.edges, &self.everywhere(), self.justice, &self.compassion).pop()
    }
}

fn negated(set: Vec<bool>) -> Vec<bool> {
    set.into_iter().map(|value| !value).collect()
}
