//! Models that are made smaller before they are searched: dead variables and paths. The same verdicts, and the same
//! behaviour step by step.

use reductio_explicit::ctl::Trees;
use reductio_explicit::{SearchResult, search};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_frontends::whilelang;
use reductio_logic::Prop;
use reductio_logic::ctl::{Formula, Path};
use reductio_model::print::expression;
use reductio_model::{
    ActionKind, Budget, ClaimId, CtlFormula, CtlId, Expr, Interpreter, InvariantId, Model, Place, ProctypeId, Property,
    Verdict, Workspace,
};
use reductio_reduce::model_to_model::elementary::{Meaning, paths_from};
use reductio_reduce::model_to_model::outline::{Leg, outline};
use reductio_reduce::model_to_model::{self, ModelReductions, Sizes, dead_conditions, reduce};
use reductio_reduce::{Fairness, PlanRequest, ReduceChoice, Reduction, plan};
use reductio_testing::certified;
use reductio_testing::random::Random;

const DEAD: ModelReductions = ModelReductions {
    slicing: false,
    dead_variables: true,
    path_reduction: false,
    nobody_leaves: false,
    whole_loops: false,
};
pub const PATH: ModelReductions = ModelReductions {
    slicing: false,
    dead_variables: false,
    path_reduction: true,
    nobody_leaves: false,
    whole_loops: false,
};
const SLICE: ModelReductions = ModelReductions {
    slicing: true,
    dead_variables: false,
    path_reduction: false,
    nobody_leaves: false,
    whole_loops: false,
};
pub const ALL: ModelReductions = ModelReductions { slicing: true, ..BOTH };
const BOTH: ModelReductions = ModelReductions {
    slicing: false,
    dead_variables: true,
    path_reduction: true,
    nobody_leaves: false,
    whole_loops: false,
};

fn model(text: &str, options: LoadOptions) -> Model {
    let loaded = load("model.pml", text.as_bytes(), &options, &NoIncludes);
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}

fn plain(text: &str) -> Model {
    model(text, LoadOptions::default())
}

fn everything(model: &Model) -> Vec<Property> {
    let mut properties = vec![Property::Deadlock, Property::Assertions];
    properties.extend((0..model.claims.len() as u32).map(|claim| Property::Claim(ClaimId(claim))));
    properties
}

fn check(model: &Model, properties: &[Property], reductions: ReduceChoice) -> Option<SearchResult> {
    let request = PlanRequest { reductions, ..PlanRequest::new(properties.to_vec()) };
    let plan = plan(model, request).ok()?;
    Some(search(&Interpreter::new(model), &plan, &Budget::UNLIMITED))
}

/// Which properties are violated. Every counterexample is confirmed on the model that was given.
fn violated(model: &Model, result: &SearchResult) -> Vec<(Property, bool)> {
    let verdict = |entry: &reductio_explicit::PropertyVerdict| match &entry.verdict {
        Verdict::Violated(violation) => {
            let confirmed = certified::of_processes(model, Fairness::None, entry.property, violation);
            assert!(confirmed.is_ok(), "{:?}: {:?}", entry.property, confirmed.err());
            (entry.property, true)
        }
        Verdict::Holds => (entry.property, false),
        Verdict::Inconclusive(limit) => panic!("there is no limit, but {limit:?}"),
    };
    result.verdicts.iter().map(verdict).collect()
}

/// With and without each of the reductions: the same verdicts. Answers the numbers of states: full, dead, path, both.
pub fn compare(name: &str, model: &Model, properties: &[Property]) -> [u64; 4] {
    let full = check(model, properties, ReduceChoice::None).expect("without reductions there is a plan");
    let (dead, path, por) = (Reduction::DeadVariables, Reduction::PathReduction, Reduction::PartialOrder);
    let slice = Reduction::Slicing;
    let mut states = [full.statistics.states; 4];
    let lists = [
        vec![],
        vec![dead],
        vec![path],
        vec![path, dead],
        vec![por, path, dead],
        vec![slice],
        vec![por, slice, path, dead],
    ];
    for (index, list) in lists.into_iter().enumerate().skip(1) {
        let Some(reduced) = check(model, properties, ReduceChoice::List(list.clone())) else { continue };
        assert_eq!(violated(model, &reduced), violated(model, &full), "{name} with {list:?}");
        if index < states.len() {
            states[index] = reduced.statistics.states;
        }
        if full.complete && reduced.complete && full.verdicts.iter().all(|entry| entry.verdict == Verdict::Holds) {
            assert_eq!(reduced.coverage.unreached(model), full.coverage.unreached(model), "{name} with {list:?}");
        }
    }
    let automatic = check(model, properties, ReduceChoice::Auto).expect("nothing is asked for by name");
    assert_eq!(violated(model, &automatic), violated(model, &full), "{name}");
    states
}

/// Follows both models through all pairs of states. `None` if there are too many.
pub fn side_by_side(model: &Model, wanted: ModelReductions, limit: usize) -> Option<Sizes> {
    let reduced = reduce(model, wanted).model;
    model_to_model::side_by_side(model, &reduced, limit)
        .unwrap_or_else(|what| panic!("{what}, with {wanted:?} of\n{model}"))
}

fn small_models() -> Vec<(String, Model)> {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/spin-micro");
    let mut models = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the models are there") {
        let path = entry.expect("an entry can be read").path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            let text = std::fs::read(&path).expect("a model can be read");
            let loaded = load("model.pml", &text, &LoadOptions::default(), &NoIncludes);
            models.extend(loaded.model.map(|model| (path.display().to_string(), model)));
        }
    }
    assert!(models.len() > 100);
    models
}

#[test]
fn no_verdict_changes() {
    let mut total = [0; 4];
    for (name, model) in small_models() {
        let states = compare(&name, &model, &everything(&model));
        total.iter_mut().zip(states).for_each(|(total, states)| *total += states);
    }
    let [full, dead, path, both] = total;
    assert!(dead < full && path < full && both < path && both < dead, "{total:?}");
}

#[test]
fn every_step_has_its_counterpart() {
    let mut compared = 0;
    for (name, model) in small_models() {
        for wanted in [DEAD, PATH, BOTH, SLICE, ALL] {
            let request = PlanRequest { reductions: ReduceChoice::Auto, ..PlanRequest::new(everything(&model)) };
            let plan = plan(&model, request).expect("nothing is asked for by name");
            let is_sound = !wanted.path_reduction || plan.on_the_model().path_reduction;
            if is_sound && let Some(Sizes { full, reduced }) = side_by_side(&model, wanted, 3000) {
                assert!(reduced <= full, "{name}: {reduced} of {full} states");
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

/// What only other properties ask for is left out; what is asked is kept, whatever kind of property asks.
#[test]
fn what_is_not_asked_is_not_kept() {
    let text = "byte g; bit h; active proctype A() { do :: g++ od } active proctype B() { do :: h = 1 - h :: L: h = h od } \
                ltl counts { [] (g < 200) } ltl other { [] <> h } ltl label { [] !B@L } ltl both { [] (g < 200) || [] <> h }";
    let options = LoadOptions {
        invariants: vec!["g < 200".to_owned(), "h < 2".to_owned()],
        ctl: vec!["AG (g < 200)".to_owned()],
        ..LoadOptions::default()
    };
    let model = model(text, options);
    let claim = |number| Property::Claim(ClaimId(number));
    let invariant = |number| Property::Invariant(InvariantId(number));
    let states = |properties: &[Property]| {
        let full = check(&model, properties, ReduceChoice::None).expect("without reductions there is a plan");
        let sliced = vec![Reduction::Slicing];
        let reduced = check(&model, properties, ReduceChoice::List(sliced)).expect("there is such a plan");
        assert_eq!(violated(&model, &reduced), violated(&model, &full), "{properties:?}");
        reduced.statistics.states
    };
    for few in [claim(1), claim(2), invariant(1), Property::Deadlock] {
        assert!(states(&[few]) < 10, "{few:?}");
    }
    for many in [claim(0), claim(3), invariant(0)] {
        assert!(states(&[many]) > 200, "{many:?}");
        assert!(states(&[claim(1), many, Property::Deadlock]) > 200, "{many:?} beside others");
    }
    let asked = plan(&model, PlanRequest::new(vec![Property::Ctl(CtlId(0))])).expect("there is such a plan");
    let kept = &asked.reduced().expect("the other variable is left out").model;
    let atom = model.ctl[0].formula.atoms().first().map(|prop| prop.0 as usize).expect("the formula has an atom");
    assert_eq!(kept.atoms[atom], model.atoms[atom]);
}

/// Whatever is read later is kept.
#[test]
fn what_is_dead_is_forgotten() {
    for (text, gains) in [
        // Read no more.
        ("active proctype A() { byte x, y; select(x : 0 .. 3); y = x % 2; do :: y > 0 -> y-- od }", true),
        // A value that stays after the process has ended, since another is younger.
        ("active proctype A() { byte x; select(x : 0 .. 3) } active proctype B() { skip }", true),
        // Of one element it is known, of the other it is not.
        ("active proctype A() { byte x, a[2]; select(x : 0 .. 3); a[0] = x; a[1] = a[0]; assert(a[1] < 4) }", true),
        // A variable of all that only one uses.
        ("byte x; active proctype A() { select(x : 0 .. 3); assert(x < 4) } active proctype B() { skip }", true),
        // One that somebody looks at.
        (
            "active proctype A() { byte x; x = 1; x = 2; end: false } active proctype B() { byte y = A:x; y == 5 }",
            false,
        ),
        // One that the other reads.
        ("byte x; active proctype A() { x = 1; x = 2 } active proctype B() { assert(x < 3) }", false),
        // Two processes of one type.
        ("byte x; active [2] proctype A() { x = x + 1; x = x + 2 }", false),
    ] {
        let model = plain(text);
        let [full, dead, ..] = compare(text, &model, &everything(&model));
        assert_eq!(dead < full, gains, "{dead} of {full} states: {text}");
        side_by_side(&model, BOTH, 10_000).expect("they are small");
    }
}

/// A formula or an invariant that looks at a variable keeps it alive.
#[test]
fn what_a_property_sees_is_not_dead() {
    let text = "byte x; active proctype A() { x = 1; x = 2; x = 1 }";
    let formula = |text: &str| LoadOptions { ltl: vec![text.to_owned()], ..LoadOptions::default() };
    let holds = model(text, formula("<> [] (x == 1)"));
    compare("x stays 1", &holds, &everything(&holds));
    let result = check(&holds, &everything(&holds), ReduceChoice::Auto).expect("there is a plan");
    assert!(violated(&holds, &result).iter().all(|(_, violated)| !violated));
    let options = LoadOptions { invariants: vec!["x != 2".to_owned()], ..LoadOptions::default() };
    let seen = model(text, options);
    compare("x is never 2", &seen, &[Property::Invariant(InvariantId(0))]);
    let result = check(&seen, &[Property::Invariant(InvariantId(0))], ReduceChoice::Auto).expect("there is a plan");
    assert_eq!(violated(&seen, &result), [(Property::Invariant(InvariantId(0)), true)]);
}

/// What nothing depends on leaves no trace, whoever writes it.
#[test]
fn what_nothing_depends_on_is_sliced() {
    for text in [
        // Written by two, read by none.
        "byte g; active proctype A() { do :: g = 1 :: g = 2 od } active proctype B() { do :: g = 3 :: g = 4 od }",
        // A counter that feeds only itself; two variables that feed each other.
        "byte g; active proctype A() { do :: g < 0 -> skip :: else -> skip od } active proctype B() { byte n; do :: n++ od }",
        "byte x, y; active proctype A() { x = 1; do :: y = x + 1 :: x = y od }",
        // An array, written where the index may be out of range: that can still go wrong.
        "byte a[2]; active [2] proctype A() { do :: a[_pid] = 1 - a[_pid] od }",
        // Messages of which only the number counts; one field that nobody looks at.
        "chan c = [2] of { byte }; active proctype A() { byte n; do :: c!n; n++ od } active proctype B() { do :: c?_ od }",
        "chan c = [2] of { byte, bit }; active proctype A() { byte n; do :: c!n,0; n++ od }
         active proctype B() { byte x; bit y; do :: c?x,y; assert(y == 0) od }",
        // Parameters, and the number of a process that was created.
        "proctype P(byte x) { byte y; y = x } init { pid p; byte n; select(n : 0 .. 3); p = run P(n) }",
        // What is only printed.
        "active proctype A() { byte n; do :: n < 0 -> skip :: else -> printf(\"x\") od } byte m; active proctype B() { do :: m++; printf(\"%d\", m) od }",
    ] {
        let model = plain(text);
        compare(text, &model, &everything(&model));
        let Some(Sizes { full, reduced }) = side_by_side(&model, SLICE, 100_000) else {
            panic!("they are small: {text}")
        };
        assert!(reduced < full, "{reduced} of {full} states: {text}");
    }
}

/// Each of these is violated, and would not be, or not found, if what is read in some place were taken not to be.
#[test]
fn what_something_depends_on_is_not_sliced() {
    for text in [
        // In a guard, an assertion, an index, a divisor, where that may go wrong; by way of others.
        "byte x; active proctype A() { x = 1 } active proctype B() { end: x == 1; assert(false) }",
        "byte x; active proctype A() { x = 1; assert(x == 0) }",
        "byte x, y; active proctype A() { x = 1; y = x; assert(y == 0) }",
        "byte x, a[2]; active proctype A() { x = 2; a[x] = 1 }",
        "byte x, a[2]; active proctype A() { x = 1; a[x] = 1; assert(a[1] == 0) }",
        "byte x, y; active proctype A() { x = 0; y = 1 / x }",
        "byte x, y, z, a[2]; active proctype A() { x = 2; y = (z == 0 && a[x] == 0) }",
        "byte x, y, a[2]; active proctype A() { x = 2; y = a[x] }",
        "byte x, y, a[2]; active proctype A() { x = 1; y = (x == 1 -> a[x + 1] : 0) }",
        // In a message, a match, a poll, a sorted message, the index of a channel, a received index.
        "chan c = [1] of { byte }; byte x, y; active proctype A() { x = 1; c!x; c?y; assert(y == 0) }",
        "chan c = [1] of { byte }; byte x; active proctype A() { x = 1; c!1; end: c?eval(x); assert(false) }",
        "chan c = [1] of { byte }; byte x; active proctype A() { x = 1; c!x; end: c?[1]; assert(false) }",
        "chan c = [2] of { byte, byte }; byte x, y; active proctype A() { x = 1; c!!x,0; c!!0,1; c?_,y; assert(y == 0) }",
        "chan c[2] = [1] of { byte }; byte x; active proctype A() { x = 1; c[x]!0; assert(len(c[1]) == 0) }",
        "chan c = [1] of { byte }; byte a[2]; active proctype A() { byte x; c!2; c?x; a[x] = 1 }",
        "chan c = [1] of { byte }; byte x, a[2]; active proctype A() { x = 2; c!0; c?a[x] }",
        "proctype P() { end: false } byte x, a[2]; init { x = 2; a[x] = run P() }",
        "chan c = [1] of { byte }; chan d = [0] of { byte }; byte y;
         active proctype A() { chan e; e = c; e!1 } active proctype B() { c?y; assert(y == 0) }",
        "chan c = [0] of { byte }; byte x; active proctype A() { x = 1; c!x } active proctype B() { end: c?1; assert(false) }",
        // In another process; handed over; where processes start.
        "active proctype A() { byte x; x = 1 } active proctype B() { end: A:x == 1; assert(false) }",
        "proctype P(byte x) { assert(x == 0) } init { byte n; n = 1; run P(n) }",
        "byte g; proctype P() { byte x = g; assert(x == 0) } init { g = 1; run P() }",
        "proctype P() { end: false } init { pid p; p = run P(); assert(p == 0) }",
        "byte x; active proctype A() provided (x == 0) { end: false } active proctype B() { x = 1; assert(!enabled(0) && x == 0) }",
        // In a `trace`.
        "mtype = { a, b }; chan c = [1] of { mtype }; trace { c!a } active proctype A() { mtype m = a; m = b; c!m }",
    ] {
        let model = plain(text);
        compare(text, &model, &everything(&model));
        let sliced = check(&model, &everything(&model), ReduceChoice::List(vec![Reduction::Slicing]));
        let sliced = sliced.expect("slicing is always sound");
        assert!(violated(&model, &sliced).contains(&(Property::Assertions, true)), "{text}");
    }
    // In a formula.
    let text = "byte x, y; active proctype A() { x = 1; y = x }";
    let seen = model(text, LoadOptions { ltl: vec!["[] (y == 0)".to_owned()], ..LoadOptions::default() });
    let sliced = check(&seen, &[Property::Claim(ClaimId(0))], ReduceChoice::List(vec![Reduction::Slicing]));
    let sliced = sliced.expect("slicing is always sound");
    assert_eq!(violated(&seen, &sliced), [(Property::Claim(ClaimId(0)), true)]);
}

/// What may be done in one step with what comes before, and what may not.
#[test]
fn paths_end_where_something_can_be_seen() {
    for (text, gains) in [
        ("byte g; active [2] proctype A() { byte x; g++; x = 1; x = x + 1; g++ }", true),
        // A choice that depends on what is the process's own.
        ("byte g; active [2] proctype A() { byte x; x = g; if :: x > 0 -> x = 3 :: else -> x = 4 fi; g = x }", true),
        // After a receive.
        (
            "chan c = [0] of { byte }; active proctype A() { byte x; c?x; x++; x++; c?x } active proctype B() { c!1; c!2 }",
            true,
        ),
        // A choice that is free.
        ("byte g; active [2] proctype A() { byte x; g++; if :: g = 1 :: g = 2 fi }", false),
        ("byte g; active [2] proctype A() { byte x; g++; if :: x < 2 -> g = 1 :: x < 3 -> g = 2 :: else fi }", false),
        // Variables of all.
        ("byte g; active [2] proctype A() { g = 1; g = 2; g = 3 }", false),
        // What may go wrong.
        ("byte g; active [2] proctype A() { byte x, a[3]; g++; a[x] = 1; g++ }", false),
        ("byte g, h; active [2] proctype A() { byte x; g++; x = 1 / h; g++ }", false),
        // What may block.
        ("byte g; active [2] proctype A() { byte x; g++; x > 1; g++ }", false),
        // A label that somebody looks at.
        ("byte g; active proctype A() { byte x; g++; here: x = 1; g++ } active proctype B() { A@here; g = 3 }", false),
    ] {
        let model = plain(text);
        let [full, _, path, _] = compare(text, &model, &everything(&model));
        assert_eq!(path < full, gains, "{path} of {full} states: {text}");
        side_by_side(&model, BOTH, 10_000).expect("they are small");
    }
}

/// A circle of steps that nobody sees still has somewhere to stop.
#[test]
fn loops_are_broken() {
    for text in [
        "active proctype A() { byte x; do :: x = 1 - x od }",
        "active proctype A() { byte x, y; do :: x < 3 -> x++ :: else -> y = 1 - y od }",
        "active proctype A() { byte x; again: x = 1; x = 2; goto again }",
    ] {
        let model = plain(text);
        compare(text, &model, &everything(&model));
        side_by_side(&model, BOTH, 10_000).expect("they are small");
    }
}

/// What would be seen if a path were merged is not lost: each of these is violated only because of what happens between the
/// first step of a path and those that follow.
#[test]
fn what_comes_between_is_seen() {
    let fault_after = "byte g, h; active proctype A() { byte x; g = 1; x = 1 / h; g = 0 }
                       active proctype B() { assert(g == 0) }";
    let label = "byte g; active proctype A() { byte x; do :: x = 1; progress: x = 2; x = 3 od }";
    let model_ = plain(fault_after);
    compare("a fault after", &model_, &[Property::Assertions]);
    for (text, properties) in [(fault_after, vec![Property::Deadlock, Property::Assertions]), (label, vec![])] {
        let model = plain(text);
        let properties = if properties.is_empty() { everything(&model) } else { properties };
        compare(text, &model, &properties);
    }
    // To come to a label that somebody looks at is seen.
    for text in [
        "proctype Busy() { bit b; do :: b = 1 - b od } init { run Busy(); skip; progress: false }",
        "byte g; active proctype A() { byte x; g = 1; x = 1; here: g = 0 }
         active proctype B() { g == 1 && !A@here; assert(false) }",
    ] {
        let model = plain(text);
        compare(text, &model, &everything(&model));
        let path = check(&model, &everything(&model), ReduceChoice::List(vec![Reduction::PathReduction]));
        let is_violated = path.is_some_and(|result| violated(&model, &result).iter().any(|(_, violated)| *violated));
        assert!(is_violated, "{text}");
    }
    // A rendezvous that is possible or not decides what happens instead.
    let instead = "chan c = [0] of { bit }; byte g;
                   active proctype A() { if :: c!1 :: else -> assert(g == 0) fi }
                   active proctype B() { byte x; g = 1; x = 1; c?_ }";
    let model_ = plain(instead);
    compare("instead of a rendezvous", &model_, &everything(&model_));
    let refused = check(&model_, &everything(&model_), ReduceChoice::List(vec![Reduction::PathReduction]));
    assert!(refused.is_none(), "it matters whether somebody is ready to receive");
}

fn while_program(text: &str) -> Model {
    let loaded = whilelang::load("model.while", text.as_bytes(), &whilelang::LoadOptions::default());
    loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics))
}

/// [yorav00], figure 3.8: the condition and the transformation of both paths.
#[test]
fn paths_mean_what_is_printed() {
    let model = while_program(include_str!("../../../../testdata/models/steps.while"));
    let reduced = reduce(&model, PATH);
    let [outline] = &outline(&model, &reduced)[..] else { panic!("there is one process") };
    // The beginning and the end.
    assert_eq!(outline.places, (5, 2));
    let proctype = &reduced.model.proctypes[0];
    let shown = |leg: &Leg| {
        let Meaning { condition, transformation } = leg.meaning.as_ref().expect("it can be said in expressions");
        let name = |place: &Place| proctype.locals[place.base as usize].name.clone();
        let condition = expression(&model, proctype, condition);
        let results = transformation.iter().map(|(to, value)| (name(to), expression(&model, proctype, value)));
        (condition, results.collect::<Vec<_>>())
    };
    let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let legs: Vec<_> = outline.stops[0].1.iter().map(shown).collect();
    assert_eq!(
        legs,
        [
            ("(1 > y)".to_owned(), vec![of("x", "1"), of("y", "(y + z)")]),
            ("!(1 > y)".to_owned(), vec![of("x", "(1 + z)")]),
        ]
    );
}

/// What a merged path is said to mean is what it does, for all values of its variables.
#[test]
fn paths_do_what_they_mean() {
    let program = |x: i32, y: i32| {
        format!(
            "int x, y, a[3]; int:3 s; {{ x := {x}; y := {y}; label go; x := x + y; a[1] := x; s := x + 6;
             if a[1] > y then y := a[1] - s; else if x = 2 then a[1] := s; x := y; else y := 0 - y; fi; x := x + 1; fi;
             a[y - y] := x; label stop; }}"
        )
    };
    let mut compared = 0;
    for (x, y) in (-3..4).flat_map(|x| (-3..4).map(move |y| (x, y))) {
        let model = while_program(&program(x, y));
        let reduced = reduce(&model, PATH);
        let interpreter = Interpreter::new(&reduced.model);
        let proctype = &reduced.model.proctypes[0];
        let mut state = interpreter.initial_state();
        while let [step] = interpreter.steps(&state)[..] {
            let next = interpreter.execute(&state, step).state.expect("nothing goes wrong");
            let workspace = Workspace::new(state.clone());
            let value = |expr: &Expr| interpreter.value(&workspace, 0, expr).expect("it has a value");
            if let ActionKind::DStep { entry } = proctype.action_of(step.edge).kind {
                let paths = paths_from(proctype, entry).expect("they are few");
                let meanings = paths.iter().map(|path| (path, path.meaning.as_ref().expect("it can be said")));
                let taken: Vec<_> = meanings.filter(|(_, meaning)| value(&meaning.condition) != 0).collect();
                let [(path, meaning)] = &taken[..] else { panic!("exactly one path is taken") };
                assert_eq!(path.end, next.processes[0].location);
                let mut locals = state.processes[0].locals.clone();
                for (place, result) in &meaning.transformation {
                    let offset: i32 = place.indices.iter().map(|index| value(&index.value)).sum();
                    locals[place.base as usize + offset as usize] = value(result);
                }
                assert_eq!(locals, next.processes[0].locals);
                compared += 1;
            }
            state = next;
        }
    }
    assert!(compared >= 49, "{compared}");
}

#[test]
fn while_programs_are_reduced_too() {
    for (name, text) in [
        ("sort", include_str!("../../../../testdata/models/sort.while")),
        ("simple", include_str!("../../../../testdata/models/simple.while")),
    ] {
        let model = while_program(text);
        let [full, dead, path, both] = compare(name, &model, &everything(&model));
        assert!(dead < full && path < full && both < path && both < dead, "{name}: {full} {dead} {path} {both}");
        side_by_side(&model, BOTH, 100_000).expect("they are small");
    }
}

/// A sliding window protocol: its specification holds, and does not if acknowledgements come from nowhere. All states are too many
/// for a test.
#[test]
fn a_protocol_is_reduced() {
    let text = include_str!("../../../../testdata/models/slide.while");
    let wrong = text.replace("if lost then message := 4; fi;", "if lost then message := 0; fi;");
    for (text, is_right) in [(text, true), (wrong.as_str(), false)] {
        let model = while_program(text);
        let list = vec![Reduction::PathReduction, Reduction::DeadVariables];
        for reductions in [ReduceChoice::Auto, ReduceChoice::List(list)] {
            let result = check(&model, &everything(&model), reductions).expect("there is a plan");
            let spec = (Property::Claim(ClaimId(0)), !is_right);
            assert!(violated(&model, &result).contains(&spec));
            assert!(!is_right || result.statistics.states < 50_000, "{}", result.statistics.states);
        }
    }
}

/// [yorav00], figure 3.11: at the test, `x` is dead if the test fails.
#[test]
fn variables_are_partially_dead_as_printed() {
    let text = "int x, y; { x := {1, 2}; y := {-1, 0}; if (y < 0) then y := x; else y := 0; fi; x := 0; label end; }";
    let model = while_program(text);
    let conditions = dead_conditions(&model, ProctypeId(0), 0).expect("x is a variable of its own");
    let proctype = &model.proctypes[0];
    let at = |column: usize| {
        let is_there = |id: &usize| proctype.locations[*id].position.column as usize == column + 1;
        let id = (0..proctype.locations.len()).find(is_there).expect("a statement begins there");
        expression(&model, proctype, &conditions[id])
    };
    let begins = |statement: &str| at(text.find(statement).expect("it is there"));
    assert_eq!(begins("if (y"), "!(y < 0)");
    assert_eq!(begins("y := x"), "0");
    assert_eq!(begins("y := 0"), "1");
    assert_eq!(begins("x := 0"), "1");
    // Of the choice it is not known before which value it will be.
    assert_eq!(begins("y := {"), "0");
    let [full, dead, ..] = compare("figure 3.11", &model, &everything(&model));
    assert!(dead < full, "{dead} of {full}");
    side_by_side(&model, BOTH, 10_000).expect("it is small");
}

/// Conditions that depend on what others do, or on what arrives, are none.
#[test]
fn what_is_dead_stays_dead() {
    for text in [
        "byte g; active proctype A() { byte x; select(x : 1 .. 3); if :: g > 0 -> assert(x > 0) :: else fi; x = 0 }
         active proctype B() { g = 1 }",
        "chan c = [1] of { byte }; active proctype A() { byte x, y; select(x : 1 .. 3); c?y; if :: y > 0 -> assert(x > 0)
         :: else fi; x = 0 } active proctype B() { if :: c!0 :: c!1 fi }",
        "active proctype A() { byte x, y, i; do :: i < 3 -> i++; select(x : 0 .. 2); if :: i > 1 -> y = y + x :: else fi
         :: else -> break od; assert(y < 9) } active proctype B() { skip; skip }",
        "active proctype A() { short x, y; select(x : 0 .. 2); y = 0 - x; if :: y < 0 -> y = x :: else -> y = 1 fi; x = y;
         assert(x > 0) } active proctype B() { skip }",
        "byte i; active proctype A() { byte a[2]; a[0] = 1; skip; a[i] = 2; assert(a[0] > 0) } active proctype B() { i = 1 }",
    ] {
        let model = plain(text);
        compare(text, &model, &everything(&model));
        side_by_side(&model, BOTH, 10_000).expect("they are small");
        side_by_side(&model, DEAD, 10_000).expect("they are small");
    }
}

/// Values that are dead need not be the same when a cycle of the smaller model closes.
#[test]
fn cycles_close_on_the_model_as_it_was_written() {
    let text = "bit p; active proctype A() { byte x; do :: p = 1 - p; x = x + 1; x = 5 od }";
    let model = model(text, LoadOptions { ltl: vec!["<> [] p".to_owned()], ..LoadOptions::default() });
    compare("a cycle with a dead variable", &model, &everything(&model));
    let result = check(&model, &everything(&model), ReduceChoice::Auto).expect("there is a plan");
    assert!(violated(&model, &result).contains(&(Property::Claim(ClaimId(0)), true)));
}

/// Where steps are counted, or it matters who can move when, paths are left as they are.
#[test]
fn paths_are_refused_where_they_can_be_told() {
    let text = "bit p; active proctype A() { byte x; x = 1; x = 2; p = 1 }";
    let options = |formula: &str| LoadOptions { ltl: vec![formula.to_owned()], ..LoadOptions::default() };
    let is_planned = |model: &Model, fairness: Fairness| {
        let reductions = ReduceChoice::List(vec![Reduction::PathReduction]);
        plan(model, PlanRequest { reductions, fairness, ..PlanRequest::new(everything(model)) }).is_ok()
    };
    let counting = model(text, options("X X !p"));
    compare("steps are counted", &counting, &everything(&counting));
    assert!(!is_planned(&counting, Fairness::None));
    let plain = model(text, options("<> p"));
    assert!(is_planned(&plain, Fairness::None));
    assert!(!is_planned(&plain, Fairness::Weak) && !is_planned(&plain, Fairness::Strong));
}

/// A formula over the first atoms of a model, without `X`.
fn some_formula(random: &mut Random, depth: u32, atoms: usize) -> Formula {
    let (kind, atom) = (if depth == 0 { 0 } else { random.below(9) }, random.below(atoms));
    let mut part = || some_formula(random, depth - 1, atoms);
    match kind {
        0 => Formula::Atom(Prop(atom as u32)),
        1 => part().not(),
        2 => part().and(part()),
        3 => Formula::all(Path::Always(part())),
        4 => Formula::some(Path::Always(part())),
        5 => Formula::all(Path::Eventually(part())),
        6 => Formula::some(Path::Eventually(part())),
        7 => Formula::all(Path::Until(part(), part())),
        _ => Formula::some(Path::Until(part(), part())),
    }
}

/// Formulas of computation trees without `X` have the same values on full and reduced models.
#[test]
fn computation_trees_stay_the_same() {
    let conditions = "SPEC AG (A.x = 1) SPEC AG (B.x > 1) SPEC AG label(A.here) SPEC AG (A.x = 2 || B.y = 1)";
    let programs = [
        "process A int x, t; { t := {1, 2}; t := t + 0; label here; x := t; t := 3; if t > 2 then t := 1; fi; x := t; send(B, x) }
         process B int x, y, u; { u := {0, 1}; if u = 1 then receive(A, x); y := x; else y := 2; fi; u := 5; x := 3; }",
        "process A int x, i; { while i < 2 do i := i + 1; label here; x := {0, 1}; send(B, x); od; x := 2; }
         process B int x, y, n; { while n < 2 do receive(A, y); n := n + 1; if y = 1 then x := x + 1; else skip; fi; y := 0; od; n := 0; }",
    ];
    let (mut random, mut values) = (Random::new(7), [0, 0]);
    for program in programs {
        let model = while_program(&format!("{program} {conditions}"));
        assert_eq!(model.atoms.len(), 4);
        for wanted in [DEAD, PATH, BOTH, SLICE, ALL] {
            let reduced = reduce(&model, wanted).model;
            let answer =
                |model: &Model, formula: &Formula| Trees::of(&Interpreter::new(model), 10_000)?.satisfy(formula);
            for _ in 0..150 {
                let formula = some_formula(&mut random, 4, 4);
                let expected = answer(&model, &formula).expect("it is small");
                assert_eq!(answer(&reduced, &formula), Ok(expected), "{formula:?} with {wanted:?} on\n{program}");
                values[usize::from(expected)] += 1;
            }
        }
    }
    assert!(values[0] > 100 && values[1] > 100, "{values:?}");
}

/// A formula of computation trees that is checked as one of linear time has the value that labelling gives it.
#[test]
fn trees_and_lines_agree() {
    let program = "int x, y; { x := {0, 1}; y := {0, 1, 2}; while y > 0 do y := y - 1; od; x := 2; }";
    let specs = [
        "AG x < 2",
        "AF x = 2",
        "AG (y = 2 -> AF y = 1)",
        "A[x < 2 U x = 2]",
        "AX x = 1",
        "AX (x = 1 || x = 0)",
        "AG (x = 1 -> AG x > 0)",
        "AG (y = 1 -> AX y = 0)",
        "x = 1 || AF x = 2",
    ];
    let mut held = 0;
    for spec in specs {
        let line = while_program(&format!("{program} SPEC {spec}"));
        let full = check(&line, &everything(&line), ReduceChoice::Auto).expect("there is a plan");
        let is_broken =
            violated(&line, &full).iter().any(|(property, broken)| matches!(property, Property::Claim(_)) && *broken);
        // The same formula, made one that is not known to be of linear time.
        let text = format!("{program} SPEC !!({spec}) && (EF TRUE)");
        let loaded = whilelang::load("model.while", text.as_bytes(), &whilelang::LoadOptions::default());
        let model = loaded.model.expect("it is a program");
        let [CtlFormula { formula, .. }] = &model.ctl[..] else { panic!("it is a tree") };
        let interpreter = Interpreter::new(&model);
        assert_eq!(Trees::of(&interpreter, 1000).and_then(|trees| trees.satisfy(formula)), Ok(!is_broken), "{spec}");
        held += usize::from(!is_broken);
    }
    assert!(held > 3 && held < specs.len());
}
