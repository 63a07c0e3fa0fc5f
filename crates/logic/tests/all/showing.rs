//! What a run shows of a formula of computation tree logic is true: on random graphs, of random runs, with random truths given
//! in some places, compared with the textbook's labelling.

use crate::common::Random;
use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Path, Quantifier, Showing};

/// States with two propositions, and successors of each, at least one.
struct Graph {
    propositions: Vec<[bool; 2]>,
    successors: Vec<Vec<usize>>,
}

impl Graph {
    fn random(random: &mut Random) -> Graph {
        let count = 1 + random.below(5);
        let proposition = |random: &mut Random| [random.below(2) == 0, random.below(2) == 0];
        let propositions = (0..count).map(|_| proposition(random)).collect();
        let successors = (0..count).map(|_| (0..1 + random.below(2)).map(|_| random.below(count)).collect()).collect();
        Graph { propositions, successors }
    }

    /// The states in which a formula holds.
    fn satisfy(&self, formula: &Formula) -> Vec<bool> {
        let states = 0..self.propositions.len();
        match formula {
            Formula::Truth(value) => states.map(|_| *value).collect(),
            Formula::Atom(prop) => states.map(|state| self.propositions[state][prop.0 as usize]).collect(),
            Formula::Not(inner) => self.satisfy(inner).into_iter().map(|holds| !holds).collect(),
            Formula::And(one, other) => {
                let (one, other) = (self.satisfy(one), self.satisfy(other));
                states.map(|state| one[state] && other[state]).collect()
            }
            Formula::Or(one, other) => {
                let (one, other) = (self.satisfy(one), self.satisfy(other));
                states.map(|state| one[state] || other[state]).collect()
            }
            Formula::Runs(quantifier, path) => {
                let operands: Vec<Vec<bool>> = path.operands().map(|operand| self.satisfy(operand)).collect();
                let next = |known: &[bool], state: usize| {
                    let mut successors = self.successors[state].iter();
                    match quantifier {
                        Quantifier::Some => successors.any(|next| known[*next]),
                        Quantifier::All => successors.all(|next| known[*next]),
                    }
                };
                if let Path::Next(_) = **path {
                    return states.map(|state| next(&operands[0], state)).collect();
                }
                let at = |known: &[bool], state: usize| match **path {
                    Path::Eventually(_) => operands[0][state] || next(known, state),
                    Path::Always(_) => operands[0][state] && next(known, state),
                    Path::Until(..) => operands[1][state] || (operands[0][state] && next(known, state)),
                    _ => operands[1][state] && (operands[0][state] || next(known, state)),
                };
                let mut known = vec![matches!(**path, Path::Always(_) | Path::Release(..)); self.propositions.len()];
                loop {
                    let better: Vec<bool> = states.clone().map(|state| at(&known, state)).collect();
                    if better == known {
                        return known;
                    }
                    known = better;
                }
            }
        }
    }

    /// States one after the other, and the place that the last one leads back to, if it does and the run is to go on.
    fn run(&self, random: &mut Random) -> (Vec<usize>, Option<usize>) {
        let mut states = vec![random.below(self.propositions.len())];
        for _ in 0..random.below(6) {
            let successors = &self.successors[states[states.len() - 1]];
            states.push(successors[random.below(successors.len())]);
        }
        let last = states[states.len() - 1];
        let back = states.iter().position(|state| self.successors[last].contains(state));
        (states, back.filter(|_| random.below(4) > 0))
    }
}

fn formula(random: &mut Random, depth: usize) -> Formula {
    if depth == 0 {
        let atom = Formula::Atom(Prop(random.below(2) as u32));
        return if random.below(2) == 0 { atom } else { atom.not() };
    }
    let (one, other) = (formula(random, depth - 1), formula(random, depth - 1));
    let path = match random.below(7) {
        0 => return one.and(other),
        1 => return one.or(other),
        2 => Path::Next(one),
        3 => Path::Eventually(one),
        4 => Path::Always(one),
        5 => Path::Until(one, other),
        _ => Path::Release(one, other),
    };
    if random.below(4) == 0 { Formula::all(path) } else { Formula::some(path) }
}

fn parts(formula: &Formula, out: &mut Vec<Formula>) {
    out.push(formula.clone());
    match formula {
        Formula::And(one, other) | Formula::Or(one, other) => [one, other].into_iter().for_each(|one| parts(one, out)),
        Formula::Runs(_, path) => path.operands().for_each(|operand| parts(operand, out)),
        _ => {}
    }
}

#[test]
fn what_is_shown_is_true() {
    let mut random = Random::new(1);
    let (mut shown, mut with_help, mut for_ever) = (0, 0, 0);
    for _ in 0..20_000 {
        let graph = Graph::random(&mut random);
        let formula = formula(&mut random, 3);
        let (states, cycle_start) = graph.run(&mut random);
        let mut all = Vec::new();
        parts(&formula, &mut all);
        let mut given = Vec::new();
        for (place, state) in states.iter().enumerate() {
            let part = &all[random.below(all.len())];
            if random.below(3) == 0 && *part != formula && graph.satisfy(part)[*state] {
                given.push((place, part.clone()));
            }
        }
        let mut holds = |prop: Prop, place: usize| graph.propositions[states[place]][prop.0 as usize];
        let mut showing = Showing { places: states.len(), cycle_start, given: &given, holds: &mut holds };
        let truth = graph.satisfy(&formula);
        for (place, state) in states.iter().enumerate() {
            if showing.shows(&formula, place) {
                let text = formula.text(&|prop| ["p", "q"][prop.0 as usize].to_owned());
                let successors = &graph.successors;
                assert!(truth[*state], "{text} at {place} of {states:?}, {cycle_start:?}: {successors:?}, {given:?}");
                shown += 1;
                with_help += usize::from(!given.is_empty());
                for_ever += usize::from(cycle_start.is_some());
            }
        }
    }
    assert!(shown > 5_000 && with_help > 1_000 && for_ever > 1_000, "{shown} {with_help} {for_ever}");
}
