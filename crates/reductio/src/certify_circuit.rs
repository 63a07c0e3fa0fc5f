//! No counterexample is shown before the simulator has confirmed it: the run is taken step by step on the circuit as it
//! was read, and must show what it is said to show.

use std::collections::HashMap;

use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Quantifier};
use reductio_logic::evaluate::{Shape, Values};
use reductio_model::circuit::{Circuit, Reached, Run, Simulator, Valuation};
use reductio_model::{Claim, Origin, Property, Verdict, Witness};
use reductio_reduce::cone_of_influence::Cone;

use crate::Unconfirmed;
use crate::circuit_trees::{Tree, entry, lift, shows};
use crate::engines::{Claimed, Finding};
use crate::outcome::{Answer, Counterexample, Evidence};

/// What is said of a run of a part of the circuit.
const ONLY_A_PART: &str = "variables that are not shown are not relevant for this property";

/// What an engine says of a circuit, once it is confirmed: runs of a part become runs of the whole, where that is possible.
pub(crate) fn certify_circuit(circuit: &Circuit, finding: Finding) -> Result<Answer, Unconfirmed> {
    let property = finding.property;
    let verdict = match finding.verdict {
        Verdict::Holds => Verdict::Holds,
        Verdict::Inconclusive(why) => Verdict::Inconclusive(why),
        Verdict::Violated(Claimed::Circuit { witness, part, shows_why }) => {
            let certifier = Certifier { circuit, cone: &part, property };
            Verdict::Violated(match property {
                Property::Ctl(id) if shows_why => certifier.tree(witness, &circuit.ctl_formula(id).formula)?,
                _ => certifier.run(witness.run)?,
            })
        }
        Verdict::Violated(_) => unreachable!("circuits have runs of circuits"),
    };
    Ok(Answer::new(property, circuit, verdict))
}

struct Certifier<'c> {
    circuit: &'c Circuit,
    cone: &'c Cone,
    property: Property,
}

impl Certifier<'_> {
    fn run(&self, run: Run) -> Result<Counterexample, Unconfirmed> {
        let (circuit, property) = (self.circuit, self.property);
        let name = &property.name(circuit);
        if property == Property::Deadlock {
            // That there is no successor can be seen in the part, without trying values for the rest.
            certify(&self.cone.circuit, name, &run, Reached::DeadEnd)?;
        }
        let lifted = self.cone.lift(&run, circuit).map_err(|_| too_much_to_lift(name))?;
        let (whole, run) = match lifted {
            Some(lifted) => (circuit, lifted.run),
            None => (&self.cone.circuit, run),
        };
        let reason = match property {
            Property::Deadlock => {
                certify(whole, name, &run, Reached::Anything)?;
                "the last state has no successor".to_owned()
            }
            Property::Invariant(id) => {
                let condition = circuit.atoms[circuit.invariant(id).atom.index()].expr;
                certify(whole, name, &run, Reached::Without(condition))?;
                false_at_the_end(&run)
            }
            Property::Claim(id) => {
                certify_claim(whole, circuit.claim(id), &run)?;
                "the states of the cycle repeat forever".to_owned()
            }
            Property::Ctl(_) => {
                certify(whole, name, &run, Reached::Anything)?;
                "false in the initial state; the symbolic engine shows why".to_owned()
            }
            Property::Assertions => unreachable!("no step of a circuit goes wrong"),
        };
        Ok(self.counterexample(&reason, Witness::of(run), std::ptr::eq(whole, circuit)))
    }

    fn tree(&self, tree: Tree, formula: &Formula) -> Result<Counterexample, Unconfirmed> {
        let name = &self.property.name(self.circuit);
        let shown = formula.normal_form(true);
        let lifted = lift(self.cone, self.circuit, &tree, &shown).map_err(|_| too_much_to_lift(name))?;
        let is_whole = lifted.is_some();
        let circuit = if is_whole { self.circuit } else { &self.cone.circuit };
        let tree = lifted.unwrap_or(tree);
        certify_ctl(circuit, name, &tree, &shown)?;
        Ok(self.counterexample("false in the initial state", tree, is_whole))
    }

    /// A run of the part is no run of the whole circuit, and none to be written down as one.
    fn counterexample(&self, reason: &str, witness: Tree, is_whole: bool) -> Counterexample {
        let mut run = entry(if is_whole { self.circuit } else { &self.cone.circuit }, &witness);
        if !is_whole {
            run.unshown.push(ONLY_A_PART.to_owned());
        }
        Counterexample {
            reason: reason.to_owned(),
            evidence: is_whole.then_some(Evidence::Circuit(witness)),
            explanation: None,
            trace: None,
            run: Some(run),
        }
    }
}

/// What a run to a violation of an invariant shows. States are numbered from one.
pub fn false_at_the_end(run: &Run) -> String {
    match run.states.len() {
        0 | 1 => "false in the initial state".to_owned(),
        count => format!("false in state {count}"),
    }
}

fn too_much_to_lift(property: &str) -> Unconfirmed {
    let story = "there are too many values to try for the variables that were left out".to_owned();
    Unconfirmed { property: property.to_owned(), story }
}

/// Takes the run, and looks whether it leads where it should.
pub fn certify(circuit: &Circuit, property: &str, run: &Run, reached: Reached<'_>) -> Result<(), Unconfirmed> {
    let story = match run.confirm(&mut Simulator::new(circuit), reached) {
        Ok(()) => return Ok(()),
        Err(error) => format!("it is none: {error}"),
    };
    Err(Unconfirmed { property: property.to_owned(), story })
}

/// Takes the run to a violation of a claim: it must be fair, the automaton must accept it, and if the claim is a formula, that must be
/// false of it, whatever the automaton says.
pub fn certify_claim(circuit: &Circuit, claim: &Claim, run: &Run) -> Result<(), Unconfirmed> {
    certify(circuit, &claim.name, run, Reached::FairCycle(Some(&claim.violations)))?;
    let Origin::Formula { formulas, formula } = &claim.origin else { return Ok(()) };
    let mut simulator = Simulator::new(circuit);
    let mut values: HashMap<Prop, Vec<bool>> = HashMap::new();
    for prop in formulas.propositions(*formula) {
        let condition = circuit.atoms[prop.0 as usize].expr;
        values.insert(prop, run.states.iter().map(|state| simulator.holds(condition, state)).collect());
    }
    let shape = Shape { count: run.states.len(), back: run.cycle_start };
    let holds = |prop: Prop, place: usize| values[&prop][place];
    match Values::new(formulas, *formula, shape, holds).at(*formula, 0) {
        Some(false) => Ok(()),
        _ => {
            let story = "the formula is not false of its run".to_owned();
            Err(Unconfirmed { property: claim.name.clone(), story })
        }
    }
}

/// Looks whether a tree shows a formula in negation normal form, but for what is said to be left open: each of its runs is
/// taken step by step, must be fair if not all runs are, and must show what it is there for.
pub fn certify_ctl(circuit: &Circuit, property: &str, tree: &Tree, formula: &Formula) -> Result<(), Unconfirmed> {
    let looked = look_through(&mut Simulator::new(circuit), None, tree, formula);
    looked.map_err(|story| Unconfirmed { property: property.to_owned(), story })
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
        assert!(certify_ctl(&circuit, "it", &tree, &formula).is_ok());
        (circuit, formula, tree)
    }

    fn story(circuit: &Circuit, tree: &Tree, formula: &Formula) -> String {
        match certify_ctl(circuit, "it", tree, formula) {
            Err(Unconfirmed { story, .. }) => story,
            other => panic!("it is wrong: {other:?}"),
        }
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
                confirmed.push((formula.name.as_str(), certify_claim(&circuit, &claim, &run).is_ok()));
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
                    if let Err(failure) = certify_ctl(circuit, "it", &tree, &formula) {
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
            tally.missed += usize::from(certify_ctl(circuit, "it", &without, formula).is_err());
            let mut moved = tree.clone();
            let place = (tree.branches[number].place + 1) % tree.run.states.len();
            moved.branches[number].place = place;
            if state(place) != state(tree.branches[number].place) {
                assert!(certify_ctl(circuit, "it", &moved, formula).is_err(), "{moved:?}\n{text}");
                tally.moved += 1;
            }
        }
    }
}
