//! Priorities: what is left out, and what is merged, where only those of the highest priority may move.

use reductio_frontends::promela::LoadOptions;
use reductio_model::{ClaimId, Model, Property};
use reductio_reduce::{Fairness, PlanRequest, ReduceChoice, Reduction, plan};

use crate::partial_orders::{check, everything, is_violated, model};
use crate::static_reductions::{ALL, PATH, side_by_side};
use crate::{partial_orders, static_reductions};

fn plain(text: &str) -> Model {
    model(text, LoadOptions::default())
}

/// Why a reduction cannot be had.
fn refusal(model: &Model, reduction: Reduction, fairness: Fairness, property: Property) -> Option<String> {
    let reductions = ReduceChoice::List(vec![reduction]);
    plan(model, PlanRequest { reductions, fairness, ..PlanRequest::new(vec![property]) })
        .err()
        .map(|error| error.to_string())
}

/// With orders left out, with all reductions and with none: the same verdicts. Answers them, and the states with and without orders left
/// out.
fn verdicts(text: &str) -> (Vec<bool>, (u64, u64)) {
    let model = plain(text);
    let properties = everything(&model);
    for reduction in [Reduction::PartialOrder, Reduction::PathReduction] {
        assert_eq!(refusal(&model, reduction, Fairness::None, Property::Assertions), None, "{text}");
    }
    let states = partial_orders::compare(text, &model, &properties);
    static_reductions::compare(text, &model, &properties);
    for wanted in [PATH, ALL] {
        assert!(side_by_side(&model, wanted, 100_000).is_some(), "{text}");
    }
    let found = check(&model, PlanRequest { reductions: ReduceChoice::None, ..PlanRequest::new(properties) });
    (is_violated(&found).into_iter().map(|(_, is_violated)| is_violated).collect(), states)
}

/// All orders in which they can be declared: the youngest are asked first.
fn in_all_orders(parts: [&str; 3]) -> Vec<String> {
    let [a, b, c] = parts;
    [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]].map(|three| three.join(" ")).to_vec()
}

/// A step that has nothing to do with others may let somebody move who goes before them.
#[test]
fn whoever_is_let_go_first_goes_first() {
    let bell = "active proctype A() priority 2 { x = 1; skip }";
    let other = "active proctype B() priority 2 { y = 1; y = 2 }";
    for (above, ways) in [
        ("active proctype H() priority 5 { x == 1; assert(y != 1) }", true),
        ("active proctype H() priority 5 { x == 1; assert(y != 2) }", true),
        ("active proctype H() priority 5 { (x == 1 && y == 1) -> assert(false) }", true),
        ("active proctype H() priority 5 { (x == 1 && y == 3) -> assert(false) }", false),
        ("active proctype H() priority 5 { end: q?_; assert(y == 0) }", false),
        ("active proctype H() priority 5 provided (x == 1) { assert(y != 1) }", true),
        ("active proctype H() priority 5 { if :: x == 1 -> y = 7 :: y == 2 -> x = 3 fi; assert(x != 3) }", true),
        // Whoever is below comes last.
        ("active proctype L() priority 1 { assert(x == 1 && y == 2) }", false),
        ("active proctype L() priority 1 { x = 0; assert(y == 2) }", false),
        (
            "active proctype L() priority 1 { run H() priority 9; x = 5 } proctype H() { assert(x != 1 || y != 2) }",
            true,
        ),
    ] {
        for text in in_all_orders([bell, other, above]) {
            let text = format!("byte x, y; chan q = [1] of {{ byte }}; {text}");
            assert_eq!(verdicts(&text).0[1], ways, "{text}");
        }
    }
}

/// The same by messages, by processes that are created, by those that go, in the middle of an `atomic`, and by priorities that are set.
#[test]
fn there_are_many_ways_to_let_others_go_first() {
    let other = "active proctype B() priority 2 { y = 1; y = 2; y = 3 }";
    let above = "active proctype H() priority 5 { q?_; assert(y != 1) }";
    let idle = "active proctype I() priority 2 { z = 1 }";
    for (bell, above) in [
        ("active proctype A() priority 2 { q!1 }", above),
        ("active proctype A() priority 2 { atomic { z = 3; q!1; z = 4 } }", above),
        ("active proctype A() priority 2 { d_step { z = 3; q!1; z = 4 } }", above),
        (
            "active proctype A() priority 2 { atomic { z = 3; x = 1; z = 4 } }",
            "active proctype H() priority 5 { x == 1; assert(y != 1 || z == 4) }",
        ),
        ("active proctype A() priority 2 { run H() priority 5 } proctype H() { assert(y != 1) }", idle),
        (
            "active proctype A() priority 2 { atomic { z = 3; run H() priority 5; z = 4 } } proctype H() { assert(y != 1 || z == 4) }",
            idle,
        ),
        ("active proctype A() priority 2 { set_priority(_pid, 5); assert(y != 1) }", idle),
        ("active proctype A() priority 2 { x = 1; set_priority(_pid, 1); assert(y == 3) }", idle),
        ("active proctype A() priority 2 { x = 1; _priority = 9; assert(y != 2) }", idle),
        (
            "active proctype A() priority 2 { z = 1; (_nr_pr == 2) -> assert(y == 0) }",
            "active proctype H() priority 5 { x == 1 }",
        ),
        (
            "active proctype A() priority 2 { x = 1 }",
            "active proctype H() priority 5 { (x == 1 && timeout) -> assert(y != 3) }",
        ),
        (
            "active proctype A() priority 2 { x = 1 }",
            "active proctype H() priority 5 { do :: x == 1 -> assert(y != 2); break :: y == 3 -> break od }",
        ),
    ] {
        let mut found = Vec::new();
        for text in in_all_orders([bell, other, above]) {
            let text = format!("byte x, y, z; chan q = [1] of {{ byte }}; {text}");
            found.push(verdicts(&text).0);
        }
        assert!(found.len() == 6, "{bell}");
    }
}

/// Infinite runs: somebody of a higher priority may keep others from moving forever.
#[test]
fn formulas_of_models_with_priorities() {
    let text = "bit x, y, z; active proctype A() priority 2 { do :: x = 1; x = 0 od }
                active proctype B() priority 2 { byte i; do :: i < 3 -> i++ :: else -> break od; y = 1 }
                active proctype L() priority 1 { z = 1 } active proctype H() priority 3 { y == 1; do :: x = 1 od }";
    for (formula, holds) in [
        ("<> y", false),
        ("<> z", false),
        ("[] !z", true),
        ("[] (y -> <> [] x)", true),
        ("[] (y -> [] <> !x)", false),
        ("[] <> x", true),
    ] {
        let model = model(text, LoadOptions { ltl: vec![formula.to_owned()], ..LoadOptions::default() });
        let claim = Property::Claim(ClaimId(0));
        partial_orders::compare(formula, &model, &everything(&model));
        static_reductions::compare(formula, &model, &everything(&model));
        let result = check(&model, PlanRequest::new(vec![claim]));
        assert_eq!(is_violated(&result), [(claim, !holds)], "{formula}");
        let fair = refusal(&model, Reduction::PartialOrder, Fairness::Weak, claim);
        let is_regardless = formula == "[] !z";
        assert!(is_regardless || fair.is_some_and(|because| because.contains("the priorities of others")), "{formula}");
    }
}

/// Those of one priority are left out as ever while those above wait and those below do.
#[test]
fn orders_are_left_out_among_those_of_one_priority() {
    let counters = "active [3] proctype C() priority 4 { byte i; do :: i < 4 -> i++ :: else -> break od; end: false }";
    let above = "active proctype H() priority 9 { end: do :: q?x od }";
    let below = "active proctype L() priority 1 { q!1; assert(x == 1) }";
    let (found, (full, reduced)) = verdicts(&format!("byte x; chan q = [1] of {{ byte }}; {counters} {above} {below}"));
    assert_eq!(found, [false, false]);
    assert!(reduced * 10 < full, "{reduced} of {full} states");
}

/// Where all have the same priority, it is as if they had none.
#[test]
fn equal_priorities_change_nothing() {
    let text = |priority: &str| {
        format!(
            "chan r = [0] of {{ bit }}; byte x; active [2] proctype P() {priority} {{ byte i; i++; r!1; x++ }} active proctype Q() {priority} {{ r?_; r?_ }}"
        )
    };
    let states = |priority: &str| {
        let model = plain(&text(priority));
        let refused = refusal(&model, Reduction::SleepSets, Fairness::None, Property::Deadlock);
        assert!(refused.is_some_and(|because| because.contains("breadth-first")), "not for the priorities");
        let result = check(&model, PlanRequest::new(everything(&model)));
        (is_violated(&result), result.statistics.states)
    };
    assert_eq!(states("priority 7"), states(""));
}

/// A path is not merged where its beginning lets somebody go first: what follows may never come.
#[test]
fn a_path_is_not_merged_where_others_go_first() {
    let above = "active proctype H() priority 5 { if :: x == 1 :: q?_ fi; do :: y = 1; y = 0 od }";
    for (bell, is_wrong) in [
        // Nobody below moves while others go on forever.
        ("byte i; x = 1; i = 1; assert(i == 0)", false),
        ("byte i; q!1; i = 1; assert(i == 0)", false),
        ("byte i; q!1; x = 1; i = 1; assert(i == 0)", false),
        ("byte i; i = 1; assert(i == 0); x = 1", true),
        ("byte i; y = 3; i = 1; assert(i == 0); x = 1", true),
    ] {
        let text =
            format!("byte x, y; chan q = [1] of {{ byte }}; {above} active proctype A() priority 2 {{ {bell} }}");
        assert_eq!(verdicts(&text).0[1], is_wrong, "{text}");
    }
    // What follows is merged all the same.
    let text = "byte x; active proctype H() priority 5 { end: do :: x == 1 -> x = 0 od }
                active proctype A() priority 2 { byte i, k; i = 1; k = 2; i = 3; x = 1; i = k; k = i; x = 1; i = 0; k = 0; i = x }";
    let model = plain(text);
    let [full, _, path, _] = static_reductions::compare(text, &model, &everything(&model));
    assert!(path + 4 <= full, "{path} of {full} states");
}

/// Where it is not known to be sound, it is refused, with the place.
#[test]
fn what_priorities_do_not_allow_is_refused_by_name() {
    let rendezvous = "byte x;\nchan r = [0] of { bit };\nactive proctype S() priority 3 { r!1 } active [2] proctype R() priority 2 { r?_ } active proctype T() { r?_ }";
    let model = plain(rendezvous);
    for reduction in [Reduction::PartialOrder, Reduction::PathReduction] {
        let because =
            refusal(&model, reduction, Fairness::None, Property::Deadlock).expect("it depends on who is ready");
        assert!(
            because.contains("who is ready for a rendezvous may keep others from receiving (model.pml:2)"),
            "{because}"
        );
    }
    let text = "byte x; active proctype A() priority 3 {\natomic { x = 1;\nset_priority(1, 5);\nx = 2 } } active proctype B() priority 2 { x = 3; x = 4 }";
    let because = refusal(&plain(text), Reduction::PathReduction, Fairness::None, Property::Deadlock);
    assert!(because.is_some_and(|because| because.contains("may interrupt an `atomic` (model.pml:3)")));
    partial_orders::compare(text, &plain(text), &everything(&plain(text)));
    let sleep = PlanRequest {
        reductions: ReduceChoice::List(vec![Reduction::SleepSets]),
        search: reductio_reduce::SearchOrder::DepthFirst,
        ..PlanRequest::new(vec![Property::Deadlock])
    };
    assert!(
        plan(&plain(text), sleep).expect_err("who sleeps may have to wait").to_string().contains("higher priority")
    );
}

/// Statements of small programs: all that has to do with priorities, and little else.
const STATEMENTS: &[&str] = &[
    "x = 1",
    "y = 1 - y",
    "(x == 1)",
    "(y == 1 || x == 2)",
    "x = (x + 1) % 3",
    "i = 1; j = i; i = j + 1",
    "i = 2; assert(i == 2 || x < 2); i = 0",
    "q!1",
    "q!x",
    "q?_",
    "q?i",
    "if :: x == 0 -> y = 1 :: else -> i = 1; i = 2 fi",
    "if :: q?1 -> y = 0 :: nfull(q) -> q!2 :: y == 1 fi",
    "atomic { x = 2; q!0; y = 0 }",
    "atomic { y == 0; y = 1; x = 0 }",
    "d_step { x = (x + 2) % 3; y = 1 }",
    "assert(x != 2 || y == 0)",
    "set_priority(0, 3)",
    "set_priority(_pid, 1 + x)",
    "_priority = 2",
    "atomic { x = 1; set_priority(1, 4); y = 1; x = 0 }",
    "i = get_priority(0)",
    "run T() priority 1",
    "run T() priority 3",
    "(timeout) -> x = 1",
    "{ x = 1; i = 1; i = 0 } unless { y == 1 }",
    "printf(\"%d\", _priority); i = 1; i = 2",
];

/// A small program, the same for the same number.
fn some_program(random: &mut reductio_testing::random::Random, monitor: &str) -> String {
    let mut text = format!("byte x, y; chan q = [2] of {{ byte }}; {monitor}\n");
    let priorities = [[1, 2, 3], [2, 2, 1], [2, 2, 3], [1, 3, 3]][random.below(4)];
    // Programs whose priorities change are another kind.
    let (is_static, runs) = (random.chance(60), random.chance(30));
    for (number, priority) in priorities.into_iter().enumerate() {
        let provided = if random.chance(8) { "provided (x != 1)" } else { "" };
        text.push_str(&format!("active proctype P{number}() priority {priority} {provided} {{ byte i, j;\n"));
        let mut body = Vec::new();
        while body.len() < 2 + random.below(3) {
            let statement = *random.pick(STATEMENTS);
            let is_allowed = !(is_static && statement.contains("_priority") && !statement.contains("printf"))
                && !(is_static && statement.contains("set_prio"))
                && (runs || !statement.contains("run"));
            if is_allowed {
                body.push(statement);
            }
        }
        let body = body.join(";\n");
        let is_loop = random.chance(25) && !body.contains("run");
        text.push_str(&if is_loop { format!("end: do :: {body} od") } else { body });
        text.push_str("\n}\n");
    }
    text + "proctype T() { byte i; x = 2; i = 1; i = 2; y = 0 }"
}

/// Small programs in which everybody is in everybody's way: everything beside nothing.
#[test]
fn small_programs_with_priorities() {
    let mut random = reductio_testing::random::Random::new(7);
    let (mut reduced, mut merged, mut wrong) = ((0, 0), (0, 0), 0);
    for number in 0..1500 {
        let monitor = match number % 3 {
            0 => "notrace { do :: q!1 -> break od; q?_; q!_ }",
            1 => "trace { end: do :: q!_ -> end1: q!_; end2: q?_ od }",
            _ => "",
        };
        let text = some_program(&mut random, monitor);
        let model = plain(&text);
        if !reductio_testing::contenders::has_at_most(&model, 2_000) {
            continue;
        }
        let properties = everything(&model);
        let has_orders = refusal(&model, Reduction::PartialOrder, Fairness::None, Property::Deadlock).is_none();
        let (full, left) = partial_orders::compare(&text, &model, &properties);
        if has_orders && left < full {
            reduced = (reduced.0 + 1, reduced.1 + full - left);
        }
        let states = static_reductions::compare(&text, &model, &properties);
        if refusal(&model, Reduction::PathReduction, Fairness::None, Property::Deadlock).is_none() {
            side_by_side(&model, ALL, 20_000);
            side_by_side(&model, PATH, 20_000);
            merged = (merged.0 + u64::from(states[2] < states[0]), merged.1 + states[0] - states[2]);
        }
        let found = check(&model, PlanRequest { reductions: ReduceChoice::None, ..PlanRequest::new(properties) });
        wrong += u64::from(is_violated(&found).iter().any(|(_, is_violated)| *is_violated));
    }
    println!("orders left out in {reduced:?}, paths merged in {merged:?}, {wrong} with violations");
    assert!(reduced.0 > 100 && merged.0 > 100 && wrong > 100, "{reduced:?}, {merged:?}, {wrong}");
}

/// Priorities that all begin alike and are set later make as much of a difference.
#[test]
fn priorities_that_are_only_set() {
    let text = "byte x, y; active proctype A() { set_priority(1, 5); x = 1; assert(y == 2) }
                active proctype B() { x == 1; y = 1; y = 2 } active proctype C() { byte i; i = 1; y = 3; i = 2 }";
    let found = verdicts(text).0;
    assert_eq!(found, [false, true]);
    assert!(refusal(&plain(text), Reduction::PartialOrder, Fairness::Weak, Property::Deadlock).is_none());
    let text = format!("chan r = [0] of {{ bit }}; {text}");
    let because = refusal(&plain(&text), Reduction::PartialOrder, Fairness::None, Property::Deadlock);
    assert!(because.is_some_and(|because| because.contains("rendezvous")));
}
