//! Counterexamples to formulas of computation trees on circuits: from a part of the circuit to the whole, and what they leave
//! open, in words.

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Quantifier, Showing};
use reductio_model::circuit::{Circuit, Run, Simulator, TooLarge, Valuation};
use reductio_model::{Branch, Witness};
use reductio_reduce::cone_of_influence::{Cone, Lifted};

/// A run with those that branch off from it.
pub type Tree = Witness<Run>;

/// So many numbers in a row are told by the first and the last.
const LONG_ROW: usize = 4;

/// So many states of branches are still read.
const MOST_STATES: usize = 120;

/// The tree that shows a formula, with values for what was left out of the cone. `None` if the whole does not repeat itself
/// soon where one of its runs does, or if it takes the branches so long that nobody would read them.
pub fn lift(cone: &Cone, whole: &Circuit, tree: &Tree, formula: &Formula) -> Result<Option<Tree>, TooLarge> {
    let lifted = lift_from(cone, whole, tree, formula, None)?;
    let limit = states_of_branches(tree).max(MOST_STATES);
    Ok(lifted.filter(|lifted| states_of_branches(lifted) <= limit))
}

/// Without those that only show that a branch can go on fairly.
fn states_of_branches(tree: &Tree) -> usize {
    let shown = |branch: &Tree| branch.fair_from.unwrap_or(branch.run.states.len());
    tree.branches.iter().map(|branch| shown(&branch.witness) + states_of_branches(&branch.witness)).sum()
}

fn lift_from(
    cone: &Cone,
    whole: &Circuit,
    tree: &Tree,
    formula: &Formula,
    start: Option<Valuation>,
) -> Result<Option<Tree>, TooLarge> {
    let lifted = match start {
        None => cone.lift(&tree.run, whole)?,
        Some(state) => cone.lift_from(&tree.run, whole, state)?,
    };
    let Some(Lifted { run, places }) = lifted else { return Ok(None) };
    let places = &places;
    // A cycle may have been gone through more than once: where the run first comes to a place, and where it comes again.
    let first = |place: usize| places.iter().position(|old| *old == place).expect("it comes to every place");
    let further = |place: usize| (first(place) + 1..places.len()).filter(move |new| places[*new] == place);
    let mut lifted = Tree::of(run);
    lifted.fair_from = tree.fair_from.map(first);
    let mut again = Vec::new();
    for (place, formula) in &tree.left {
        lifted.left.push((first(*place), formula.clone()));
        again.extend(further(*place).map(|place| (place, formula.clone())));
    }
    for Branch { place, formula, witness } in &tree.branches {
        let start = lifted.run.states[first(*place)].clone();
        let Some(witness) = lift_from(cone, whole, witness, formula, Some(start))? else { return Ok(None) };
        lifted.branches.push(Branch { place: first(*place), formula: formula.clone(), witness });
        again.extend(further(*place).map(|place| (place, formula.clone())));
    }
    if !shows(&mut Simulator::new(whole), &lifted, formula, 0) {
        leave_what_is_not_shown(whole, &mut lifted, again);
    }
    Ok(Some(lifted))
}

/// Formulas hold in further places. Those that the run does not show there with the branches it has are left open.
fn leave_what_is_not_shown(circuit: &Circuit, tree: &mut Tree, mut further: Vec<(usize, Formula)>) {
    further.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    let mut simulator = Simulator::new(circuit);
    for (place, formula) in further {
        if !shows(&mut simulator, tree, &formula, place) {
            tree.left.push((place, formula));
        }
    }
    tree.left.sort_by_key(|(place, _)| *place);
}

/// Does the run of a tree show a formula in a place, if its branches show what they are said to and what is left holds?
pub fn shows(simulator: &mut Simulator<'_>, tree: &Tree, formula: &Formula, place: usize) -> bool {
    let circuit = simulator.circuit();
    let mut given = tree.left.clone();
    given.extend(tree.branches.iter().map(|branch| (branch.place, branch.formula.clone())));
    let mut holds = |prop: Prop, place: usize| {
        let condition = circuit.atoms[prop.0 as usize].expr;
        simulator.holds(condition, &tree.run.states[place])
    };
    let (places, cycle_start) = (tree.run.states.len(), tree.run.cycle_start);
    Showing { places, cycle_start, given: &given, holds: &mut holds }.shows(formula, place)
}

/// How a formula reads.
pub fn text(circuit: &Circuit, formula: &Formula) -> String {
    formula.text(&|prop: Prop| circuit.atoms[prop.0 as usize].text.clone())
}

/// What else is true of a run, formula by formula.
pub fn unshown_texts(circuit: &Circuit, left: &[(usize, Formula)]) -> Vec<String> {
    let mut formulas: Vec<(&Formula, Vec<usize>)> = Vec::new();
    for (place, formula) in left {
        let number = place + 1;
        match formulas.iter_mut().find(|(known, _)| *known == formula) {
            Some((_, places)) => places.push(number),
            None => formulas.push((formula, vec![number])),
        }
    }
    let told = |(formula, places): (&Formula, Vec<usize>)| {
        let state = if places.len() == 1 { "state" } else { "states" };
        let why = match formula {
            Formula::Runs(Quantifier::Some, _) => "for which no branch is shown",
            _ => "which this run does not show",
        };
        format!("in {state} {}, {} holds, {why}", in_rows(&places), text(circuit, formula))
    };
    formulas.into_iter().map(told).collect()
}

/// Numbers in ascending order, long rows of them by their ends.
fn in_rows(numbers: &[usize]) -> String {
    let rows = numbers.chunk_by(|one, next| one + 1 == *next);
    let told = rows.flat_map(|row| match row {
        [first, .., last] if row.len() >= LONG_ROW => vec![format!("{first} to {last}")],
        row => row.iter().map(usize::to_string).collect(),
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::in_rows;

    #[test]
    fn long_rows_are_told_by_their_ends() {
        assert_eq!(in_rows(&[1, 2, 3, 5, 7, 8, 9, 10]), "1, 2, 3, 5, 7 to 10");
        assert_eq!(in_rows(&[4]), "4");
    }
}
