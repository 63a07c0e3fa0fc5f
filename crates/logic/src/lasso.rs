//! Words that become periodic: the slow and obvious way to tell whether a formula holds or an automaton accepts. All
//! else is compared with this.

use crate::buchi::Tgba;
use crate::buchi::components::Components;
use crate::evaluate::{Shape, Values};
use crate::ltl::{Formula, Formulas};
use crate::prop::{Prop, Valuation};

/// An infinite word: a stem, then a cycle that is repeated forever. The cycle is not empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lasso {
    letters: Vec<Valuation>,
    /// Where the cycle starts.
    back: usize,
}

impl Lasso {
    /// The word, unless the cycle is empty.
    pub fn new(stem: &[Valuation], cycle: &[Valuation]) -> Option<Lasso> {
        let letters = stem.iter().chain(cycle).copied().collect();
        (!cycle.is_empty()).then_some(Lasso { letters, back: stem.len() })
    }

    /// What is read once.
    pub fn stem(&self) -> &[Valuation] {
        &self.letters[..self.back]
    }

    /// What is read repeatedly.
    pub fn cycle(&self) -> &[Valuation] {
        &self.letters[self.back..]
    }

    fn after(&self, position: usize) -> usize {
        if position + 1 < self.letters.len() { position + 1 } else { self.back }
    }
}

/// Whether a word satisfies a formula. Bit `i` of a letter is the proposition at place `i` of the list; propositions that
/// are not in it are false.
pub fn satisfies(formulas: &Formulas, formula: Formula, propositions: &[Prop], word: &Lasso) -> bool {
    let holds = |prop: Prop, position: usize| {
        let place = propositions.iter().position(|&other| other == prop);
        place.is_some_and(|place| word.letters[position].holds(place))
    };
    let shape = Shape { count: word.letters.len(), back: Some(word.back) };
    Values::new(formulas, formula, shape, holds).at(formula, 0) == Some(true)
}

/// Whether an automaton accepts a word. Bit `i` of a letter is the proposition at place `i` of the automaton's list.
pub fn accepts(automaton: &Tgba, word: &Lasso) -> bool {
    // The nodes are pairs of a state and a position.
    let length = word.letters.len();
    let states = automaton.state_count();
    let steps = |node: usize| {
        let (state, position) = (crate::buchi::StateId::of(node / length), node % length);
        let next = word.after(position);
        let taken = automaton.successors(state, word.letters[position]);
        taken.map(move |edge| (edge.target.index() * length + next, edge.marks))
    };
    let components =
        Components::of_graph(states * length, |node| steps(node).map(|(next, _)| next).collect::<Vec<_>>());
    let mut seen = vec![None; components.count()];
    let mut reached = vec![false; states * length];
    let start = automaton.initial.index() * length;
    reached[start] = true;
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for (next, marks) in steps(node) {
            let component = components.of_node(node);
            if component == components.of_node(next) {
                let together = seen[component].get_or_insert(crate::buchi::Marks::NONE);
                *together = together.union(marks);
            }
            if !std::mem::replace(&mut reached[next], true) {
                open.push(next);
            }
        }
    }
    seen.into_iter().flatten().any(|marks| marks.includes(automaton.all_marks()))
}
