//! Runs of circuits are taken step by step on the circuit as it was read, and must show what they are said to show. Runs of a part
//! become runs of the whole, where that is possible.

use std::collections::HashMap;
use std::sync::Arc;

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Quantifier};
use reductio_logic::evaluate::{Shape, Values};
use reductio_model::circuit::{Circuit, Reached, Run, RunError, Simulator, Valuation};
use reductio_model::{Claim, Origin, Property, Witness};
use reductio_reduce::cone_of_influence::Cone;

use crate::Unconfirmed;
use crate::certify::{Certified, ConfirmedRun};
use crate::circuit_trees::{Tree, lift, shows};

/// What an engine says of a circuit, or of a part of it.
pub fn certify(
    circuit: &Circuit,
    cone: &Arc<Cone>,
    property: Property,
    witness: Tree,
    shows_why: bool,
) -> Result<Certified, Unconfirmed> {
    let certifier = Certifier { circuit, cone, property };
    match property {
        Property::Ctl(id) if shows_why => certifier.tree(witness, &circuit.ctl_formula(id).formula),
        _ => certifier.run(witness.run),
    }
}

struct Certifier<'c> {
    circuit: &'c Circuit,
    cone: &'c Arc<Cone>,
    property: Property,
}

impl Certifier<'_> {
    fn run(&self, run: Run) -> Result<Certified, Unconfirmed> {
        let none = |error: RunError| self.our_bug(format!("it is none: {error}"));
        if self.property == Property::Deadlock {
            // That there is no successor can be seen in the part, without trying values for the rest.
            run.confirm(&mut Simulator::new(&self.cone.circuit), Reached::DeadEnd).map_err(none)?;
        }
        let lifted = self.cone.lift(&run, self.circuit).map_err(|_| self.too_much_to_lift())?;
        let (whole, run, is_whole) = match lifted {
            Some(lifted) => (self.circuit, lifted.run, true),
            None => (&self.cone.circuit, run, false),
        };
        let reason = match self.property {
            Property::Deadlock => run.confirm(&mut Simulator::new(whole), Reached::Anything).map(|()| no_successor()),
            Property::Ctl(_) => run
                .confirm(&mut Simulator::new(whole), Reached::Anything)
                .map(|()| "false in the initial state; the symbolic engine shows why".to_owned()),
            _ => breaks_as(self.circuit, whole, self.property, &run),
        };
        Ok(self.certified(&reason.map_err(none)?, Witness::of(run), is_whole))
    }

    fn tree(&self, tree: Tree, formula: &Formula) -> Result<Certified, Unconfirmed> {
        let shown = formula.normal_form(true);
        let lifted = lift(self.cone, self.circuit, &tree, &shown).map_err(|_| self.too_much_to_lift())?;
        let is_whole = lifted.is_some();
        let circuit = if is_whole { self.circuit } else { &self.cone.circuit };
        let tree = lifted.unwrap_or(tree);
        shows_formula(circuit, &tree, &shown).map_err(|story| self.our_bug(story))?;
        Ok(self.certified("false in the initial state", tree, is_whole))
    }

    fn certified(&self, reason: &str, witness: Tree, is_whole: bool) -> Certified {
        let part = || ConfirmedRun::Part(witness.clone(), Arc::clone(self.cone));
        Certified::new(reason, if is_whole { ConfirmedRun::Circuit(witness) } else { part() })
    }

    fn our_bug(&self, story: String) -> Unconfirmed {
        Unconfirmed { property: self.property.name(self.circuit), story }
    }

    fn too_much_to_lift(&self) -> Unconfirmed {
        self.our_bug("there are too many values to try for the variables that were left out".to_owned())
    }
}

fn no_successor() -> String {
    "the last state has no successor".to_owned()
}

/// What a run to a violation of an invariant shows. States are numbered from one.
fn false_at_the_end(run: &Run) -> String {
    match run.states.len() {
        0 | 1 => "false in the initial state".to_owned(),
        count => format!("false in state {count}"),
    }
}

/// Takes a run on a circuit, and looks whether it breaks a property. Answers how, in words. That a formula of computation trees is
/// false is nothing that a run can show by itself.
pub fn breaks(circuit: &Circuit, property: Property, run: &Run) -> Result<String, RunError> {
    breaks_as(circuit, circuit, property, run)
}

/// The same for a run of a part of a circuit, in which atoms are what they are in the whole.
fn breaks_as(whole: &Circuit, part: &Circuit, property: Property, run: &Run) -> Result<String, RunError> {
    let mut simulator = Simulator::new(part);
    match property {
        Property::Deadlock => run.confirm(&mut simulator, Reached::DeadEnd).map(|()| no_successor()),
        Property::Invariant(id) => {
            let condition = whole.atoms[whole.invariant(id).atom.index()].expr;
            run.confirm(&mut simulator, Reached::Without(condition)).map(|()| false_at_the_end(run))
        }
        Property::Claim(id) => {
            breaks_claim(&mut simulator, whole.claim(id), run)?;
            Ok("the states of the cycle repeat forever".to_owned())
        }
        Property::Ctl(_) | Property::Assertions => Err(RunError::LeadsNowhere),
    }
}

/// Takes the run to a violation of a claim: it must be fair, the automaton must accept it, and if the claim is a formula, that must be
/// false of it, whatever the automaton says.
fn breaks_claim(simulator: &mut Simulator<'_>, claim: &Claim, run: &Run) -> Result<(), RunError> {
    run.confirm(simulator, Reached::FairCycle(Some(&claim.violations)))?;
    let Origin::Formula { formulas, formula } = &claim.origin else { return Ok(()) };
    let circuit = simulator.circuit();
    let mut values: HashMap<Prop, Vec<bool>> = HashMap::new();
    for prop in formulas.propositions(*formula) {
        let condition = circuit.atoms[prop.0 as usize].expr;
        values.insert(prop, run.states.iter().map(|state| simulator.holds(condition, state)).collect());
    }
    let shape = Shape { count: run.states.len(), back: run.cycle_start };
    let holds = |prop: Prop, place: usize| values[&prop][place];
    match Values::new(formulas, *formula, shape, holds).at(*formula, 0) {
        Some(false) => Ok(()),
        _ => Err(RunError::FormulaHolds),
    }
}

/// Looks whether a tree shows a formula in negation normal form, but for what is said to be left open: each of its runs is
/// taken step by step, must be fair if not all runs are, and must show what it is there for.
fn shows_formula(circuit: &Circuit, tree: &Tree, formula: &Formula) -> Result<(), String> {
    look_through(&mut Simulator::new(circuit), None, tree, formula)
}

/// Tells what is wrong with a tree, if something is. It starts in a state of the run that it branches off from, if it does.
fn look_through(
    simulator: &mut Simulator<'_>,
    start: Option<&Valuation>,
    tree: &Tree,
    formula: &Formula,
) -> Result<(), String> {
    let (run, circuit) = (&tree.run, simulator.circuit());
    let confirmed = match start {
        None => run.confirm(simulator, Reached::Anything),
        Some(start) => run.confirm_from(simulator, start, Reached::Anything),
    };
    let whose = if start.is_none() { "it" } else { "a branch of it" };
    confirmed.map_err(|error| format!("{whose} is none: {error}"))?;
    let all_are_fair = circuit.justice.is_empty() && circuit.compassion.is_empty();
    if !all_are_fair && !run.is_fair(simulator) {
        return Err(format!("{whose} is not fair"));
    }
    let is_about_some_run = matches!(formula, Formula::Runs(Quantifier::Some, _));
    if is_about_some_run && tree.left.iter().any(|(place, left)| *place == 0 && left == formula) {
        return Err(format!("{whose} leaves open what it is to show"));
    }
    if !shows(simulator, tree, formula, 0) {
        return Err("its run does not show it".to_owned());
    }
    for branch in &tree.branches {
        let start = tree.run.states.get(branch.place).ok_or("a branch of it comes from nowhere")?;
        look_through(simulator, Some(start), &branch.witness, &branch.formula)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use reductio_model::Verdict;
    use reductio_model::circuit::{ExprId, with_automaton};
    use reductio_reduce::cone_of_influence::cones;
    use reductio_symbolic::{Direction, Engine, Options, broken_obligations};
    use reductio_testing::smv::{LIMITS, OF_STATES, Writer, loaded, with_more};

    use super::*;

    /// A module with its first formula in negation normal form, and the tree that shows it.
    fn shown(text: &str) -> (Circuit, Formula, Tree) {
        let circuit = loaded(text);
        let formula = &circuit.ctl[0].formula;
        let engine = Engine::new(&circuit, &LIMITS, Options::default()).expect("it is small");
        let Verdict::Violated(tree) = engine.ctl(formula) else { panic!("it is violated") };
        let formula = formula.normal_form(true);
        assert!(shows_formula(&circuit, &tree, &formula).is_ok());
        (circuit, formula, tree)
    }

    fn story(circuit: &Circuit, tree: &Tree, formula: &Formula) -> String {
        shows_formula(circuit, tree, formula).expect_err("it is wrong")
    }

    #[test]
    fn a_formula_that_was_mistranslated_is_not_violated() {
        let circuit = loaded(
            "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x; \
             LTLSPEC G x LTLSPEC G F x LTLSPEC F X x LTLSPEC F G x",
        );
        let run_of = |claim: &Claim| {
            let product = with_automaton(&circuit, &claim.violations);
            let engine = Engine::new(&product, &LIMITS, Options::default()).expect("it is small");
            let Verdict::Violated(mut run) = engine.no_fair_run() else { return None };
            run.states.iter_mut().for_each(|state| state.truncate(circuit.variables.len()));
            Some(run)
        };
        let mut confirmed = Vec::new();
        for translated in &circuit.claims {
            for formula in &circuit.claims {
                let claim = Claim { violations: translated.violations.clone(), ..formula.clone() };
                let Some(run) = run_of(&claim) else { continue };
                confirmed
                    .push((formula.name.as_str(), breaks_claim(&mut Simulator::new(&circuit), &claim, &run).is_ok()));
            }
        }
        // There are runs for two of them, and each is one for the other, too.
        let each = [("G x", true), ("G F x", false), ("F X x", false), ("F G x", true)];
        assert_eq!(confirmed, [each, each].concat());
    }

    const TWO_WAYS: &str = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; \
        next(x) := case x = 0 : {0, 1, 2}; x = 1 : 3; TRUE : x; esac; SPEC !(EF x = 3 & EF x = 2)";

    #[test]
    fn two_formulas_are_shown_by_two_runs_from_one_state() {
        let (_, _, tree) = shown(TWO_WAYS);
        assert_eq!(tree.run.states, [[0], [1], [3]]);
        assert_eq!((tree.branches.len(), tree.branches[0].place), (1, 0));
        assert_eq!(tree.branches[0].witness.run.states, [[0], [2]]);
        assert!(tree.left.is_empty());
    }

    #[test]
    fn wrong_trees_are_told() {
        let (circuit, formula, tree) = shown(TWO_WAYS);
        let wrong = "a branch of it is none: it does not start in the state that it branches off from";
        let mut elsewhere = tree.clone();
        elsewhere.branches[0].place = 1;
        assert_eq!(story(&circuit, &elsewhere, &formula), wrong);
        let mut elsewhere = tree.clone();
        elsewhere.branches[0].witness.run.states[0] = vec![2];
        assert_eq!(story(&circuit, &elsewhere, &formula), wrong);
        let mut no_step = tree.clone();
        no_step.branches[0].witness.run.states.insert(1, vec![1]);
        let wrong = "a branch of it is none: there is no step from state 2 to the next";
        assert_eq!(story(&circuit, &no_step, &formula), wrong);
        let mut missing = tree.clone();
        missing.branches.clear();
        assert_eq!(story(&circuit, &missing, &formula), "its run does not show it");
        let mut too_short = tree.clone();
        too_short.branches[0].witness.run.states.pop();
        assert_eq!(story(&circuit, &too_short, &formula), "its run does not show it");
        let mut nowhere = tree.clone();
        let further = reductio_model::Branch { place: 9, ..tree.branches[0].clone() };
        nowhere.branches.push(further);
        assert_eq!(story(&circuit, &nowhere, &formula), "a branch of it comes from nowhere");
        let mut open = tree.clone();
        let branch = &mut open.branches[0];
        branch.witness.run.states.pop();
        branch.witness.left.push((0, branch.formula.clone()));
        assert_eq!(story(&circuit, &open, &formula), "a branch of it leaves open what it is to show");
    }

    #[test]
    fn a_branch_late_in_a_run_does_for_all_states_before() {
        // Only from 0, 1 and 2, which repeat, can 4 be reached.
        let (_, _, tree) = shown(
            "MODULE main VAR x : 0..5; ASSIGN init(x) := 0; \
             next(x) := case x = 0 : 1; x = 1 : {2, 4}; x = 2 : 0; x = 4 : 5; TRUE : x; esac; SPEC AF AG x != 4",
        );
        assert_eq!((tree.run.states.len(), tree.run.cycle_start, tree.left.len()), (3, Some(0), 0));
        assert_eq!(tree.branches.len(), 1, "{tree:?}");
        assert_eq!(tree.branches[0].witness.run.states.last(), Some(&vec![4]));
    }

    #[test]
    fn with_fairness_every_run_is_fair() {
        let (circuit, formula, tree) =
            shown("MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; FAIRNESS !x SPEC AG !x");
        assert_eq!((tree.run.states[1][0], tree.fair_from), (1, Some(2)));
        assert!(tree.run.cycle_start.is_some());
        let mut unfair = tree.clone();
        unfair.run.states.truncate(2);
        unfair.run.cycle_start = None;
        assert_eq!(story(&circuit, &unfair, &formula), "it is not fair");
        unfair.run.cycle_start = Some(1);
        assert_eq!(story(&circuit, &unfair, &formula), "it is not fair", "x stays");
    }

    #[test]
    fn where_there_are_too_many_branches_it_is_told() {
        let (_, _, tree) = shown(
            "MODULE main VAR n : 0..19; bad : boolean; ASSIGN init(n) := 0; next(n) := n = 19 ? 0 : n + 1; \
             init(bad) := FALSE; next(bad) := bad ? TRUE : {TRUE, FALSE}; SPEC AF (bad | AX !bad)",
        );
        assert_eq!(tree.run.states.len(), 20);
        assert_eq!(tree.branches.len(), 4);
        assert_eq!(tree.left.len(), 16);
    }

    /// How often something was seen.
    #[derive(Default, Debug)]
    struct Tally {
        trees: usize,
        branches: usize,
        of_branches: usize,
        fair: usize,
        complete: usize,
        lifted: usize,
        in_part: usize,
        missed: usize,
        moved: usize,
    }

    /// Some modules, or as many as `REDUCTIO_MODULES` says.
    #[test]
    fn trees_of_random_modules_show_what_they_are_said_to() {
        let mut tally = Tally::default();
        let asked_for = std::env::var("REDUCTIO_MODULES").ok();
        let modules = asked_for.map_or(400, |count| count.parse().expect("REDUCTIO_MODULES is a number"));
        for seed in 0..modules.max(400) {
            let mut writer = Writer::new(seed);
            let module = writer.module();
            let mut more = String::new();
            for _ in 0..2 {
                let mut atom = || writer.boolean(1, OF_STATES);
                more += &format!("SPEC !(EF {} & EX {} & EG (EF {}))\n", atom(), atom(), atom());
                more += &format!("SPEC AF (AX {} | A [AG {} U {}])\n", atom(), atom(), atom());
                more += &format!("SPEC A [AX {} U EG {}] & AG AX {}\n", atom(), atom(), atom());
            }
            if seed % 2 == 0 {
                more += "VAR t : 0..2; u : boolean; ASSIGN next(t) := t = 2 ? 0 : t + 1; next(u) := b ? {TRUE, FALSE} : !u;\n";
            }
            let text = with_more(&module, &more);
            let direction = if seed % 3 == 0 { Direction::Backward } else { Direction::Forward };
            try_all(&text, Options { direction, ..Options::default() }, &mut tally);
        }
        let Tally { trees, branches, of_branches, fair, complete, lifted, in_part, missed, moved } = tally;
        assert!(trees > 500 && branches > 200 && of_branches > 10 && fair > 50 && complete > 200, "{tally:?}");
        assert!(lifted > 50 && missed > 100 && moved > 100, "{tally:?}");
        assert!(in_part < trees, "{tally:?}");
    }

    fn try_all(text: &str, options: Options, tally: &mut Tally) {
        let whole = loaded(text);
        if !broken_obligations(&whole, &LIMITS).expect("it is small").is_empty() {
            return;
        }
        let formulas: Vec<Formula> = whole.ctl.iter().map(|asked| asked.formula.clone()).collect();
        let atoms = |formula: &Formula| -> Vec<ExprId> {
            formula.atoms().into_iter().map(|prop| whole.atoms[prop.0 as usize].expr).collect()
        };
        for (cone, numbers) in cones(&whole, &formulas.iter().map(atoms).collect::<Vec<_>>()) {
            let engine = Engine::new(&cone.circuit, &LIMITS, options).expect("it is small");
            for number in numbers {
                let Verdict::Violated(tree) = engine.ctl(&formulas[number]) else { continue };
                let formula = formulas[number].normal_form(true);
                let lifted = lift(&cone, &whole, &tree, &formula).expect("it is small");
                tally.lifted += usize::from(lifted.is_some() && !cone.is_whole());
                tally.in_part += usize::from(lifted.is_none());
                let (branches, states) = size(&tree);
                look_at_what_is_cut(&tree, branches >= 12 || states >= 60);
                let trees = lifted.map(|lifted| (&whole, lifted)).into_iter().chain([(&cone.circuit, tree)]);
                for (circuit, tree) in trees {
                    if let Err(failure) = shows_formula(circuit, &tree, &formula) {
                        panic!("{failure}\n{tree:?}\n{text}");
                    }
                    count(&tree, tally);
                    break_it(circuit, &tree, &formula, tally, text);
                }
            }
        }
    }

    /// How many branches, and how many states of them.
    fn size(tree: &Tree) -> (usize, usize) {
        tree.branches.iter().fold((0, 0), |(branches, states), branch| {
            let further = size(&branch.witness);
            let shown = branch.witness.fair_from.unwrap_or(branch.witness.run.states.len());
            (branches + 1 + further.0, states + shown + further.1)
        })
    }

    /// Branches are left out only where there are enough.
    fn look_at_what_is_cut(tree: &Tree, is_large: bool) {
        for (_, formula) in tree.left.iter().filter(|(_, left)| matches!(left, Formula::Runs(Quantifier::Some, _))) {
            let alike = tree.branches.iter().filter(|branch| branch.formula == *formula).count();
            assert!(is_large || alike == 4, "{tree:?}");
        }
        tree.branches.iter().for_each(|branch| look_at_what_is_cut(&branch.witness, is_large));
    }

    fn count(tree: &Tree, tally: &mut Tally) {
        tally.trees += 1;
        tally.branches += tree.branches.len();
        tally.of_branches += tree.branches.iter().map(|branch| branch.witness.branches.len()).sum::<usize>();
        tally.fair += usize::from(tree.fair_from.is_some());
        tally.complete += usize::from(tree.left.is_empty());
    }

    /// A tree whose branches start elsewhere shows nothing, and one without branches rarely does.
    fn break_it(circuit: &Circuit, tree: &Tree, formula: &Formula, tally: &mut Tally, text: &str) {
        let simulator = Simulator::new(circuit);
        let state = |place: usize| simulator.without_inputs(&tree.run.states[place]);
        for number in 0..tree.branches.len() {
            let mut without = tree.clone();
            without.branches.remove(number);
            tally.missed += usize::from(shows_formula(circuit, &without, formula).is_err());
            let mut moved = tree.clone();
            let place = (tree.branches[number].place + 1) % tree.run.states.len();
            moved.branches[number].place = place;
            if state(place) != state(tree.branches[number].place) {
                assert!(shows_formula(circuit, &moved, formula).is_err(), "{moved:?}\n{text}");
                tally.moved += 1;
            }
        }
    }
}
