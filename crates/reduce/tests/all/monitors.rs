//! `trace` and `notrace`: the messages that a monitor watches keep their order, and nothing else does for its sake.

use reductio_frontends::promela::LoadOptions;
use reductio_model::{Interpreter, Model, Property};
use reductio_reduce::{PlanRequest, ReduceChoice, Reduction, plan};

use crate::partial_orders::{check, everything, is_violated, model};
use crate::static_reductions::{ALL, side_by_side};
use crate::{partial_orders, static_reductions};

fn plain(text: &str) -> Model {
    model(text, LoadOptions::default())
}

/// With orders left out, with all reductions and with none: the same verdicts. Answers whether a run may end badly and whether a step
/// goes wrong, and the states with and without orders left out.
fn verdicts(text: &str) -> ([bool; 2], (u64, u64)) {
    let model = plain(text);
    let properties = everything(&model);
    for list in [vec![Reduction::PartialOrder], vec![Reduction::PathReduction, Reduction::Slicing]] {
        let request =
            PlanRequest { reductions: ReduceChoice::List(list.clone()), ..PlanRequest::new(properties.clone()) };
        assert!(plan(&model, request).is_ok(), "{list:?} can be used\n{text}");
    }
    let states = partial_orders::compare(text, &model, &properties);
    static_reductions::compare(text, &model, &properties);
    side_by_side(&model, ALL, 100_000);
    let found =
        is_violated(&check(&model, PlanRequest { reductions: ReduceChoice::None, ..PlanRequest::new(properties) }));
    ([found[0].1, found[1].1], states)
}

/// Two processes that have nothing to do with each other but what a monitor makes of their messages, whoever comes first.
#[test]
fn watched_messages_keep_their_order() {
    let (mut broken, mut kept) = (0, 0);
    for channels in ["[1]", "[0]"] {
        for (one, other) in [("a!1", "b!1"), ("atomic { a!1; x = 1 }", "d_step { b!1; y = 1 }"), ("a!1; a!2", "b!1")] {
            for monitor in [
                "trace { a!1; b!1; a!2 }",
                "notrace { b!_; a!_ }",
                "notrace { a!1; b!1 }",
                "trace { a?1; b?1 }",
                "notrace { b?1; a?1 }",
                "notrace { b?1; a!1 }",
                "trace { do :: a!1 :: a!2 :: b!1 -> break od; end: do :: a!_ od }",
                "trace { end: do :: a!1 -> b?1 od }",
                "trace { end: do :: if :: a!_ :: a!1 fi od }",
            ] {
                let text = format!(
                    "chan a = {channels} of {{ byte }}; chan b = {channels} of {{ byte }}; bit x, y; {monitor}
                     active proctype P() {{ {one} }} active proctype Q() {{ {other} }}
                     active proctype R() {{ end: do :: a?_ od }} active proctype S() {{ end: do :: b?_ od }}"
                );
                let Some(text) = acceptable(text, channels, one) else { continue };
                let ([ends_badly, goes_wrong], _) = verdicts(&text);
                let is_broken = ends_badly || goes_wrong;
                (broken, kept) = (broken + u32::from(is_broken), kept + u32::from(!is_broken));
            }
        }
    }
    assert!(broken > 15 && kept > 3, "{broken} broken, {kept} kept");
}

/// A `d_step` does not send by rendezvous.
fn acceptable(text: String, channels: &str, one: &str) -> Option<String> {
    (channels != "[0]" || !one.contains("atomic")).then_some(text)
}

/// A message is watched by whatever statement it is sent or received, however its channel is reached. Each of these breaks the `notrace`
/// in one order only.
#[test]
fn a_message_is_watched_however_it_is_sent() {
    for (first, second) in [
        ("q[1]!1", "q[0]!1"),
        ("c = q[1]; c!1", "q[0]!!1"),
        ("atomic { x = 1; q[1]!1 }", "c = q[0]; c!!1"),
        ("d_step { x = 1; q[1]!1; x = 2 }", "q[0]!1"),
        ("{ q[1]!1 } unless { x == 7 }", "if :: q[0]!1 :: x == 7 fi"),
        ("run T(q[1])", "q[0]!1"),
        ("m!q[1]", "q[0]!1"),
    ] {
        for order in [[first, second], [second, first]] {
            let text = format!(
                "chan q[2] = [2] of {{ byte }}; chan m = [1] of {{ chan }}; byte x; notrace {{ q[0]!_; q[1]!_ }}
                 proctype T(chan t) {{ t!1 }} active proctype U() {{ chan u; end: m?u; u!1 }}
                 active proctype P() {{ chan c; {} }} active proctype Q() {{ chan c; {} }}",
                order[0], order[1]
            );
            assert_eq!(verdicts(&text).0, [false, true], "{text}");
        }
    }
    // The same for receives. The message that is looked at first, or not taken from the front, is no other.
    for (first, second) in
        [("q[1]?_", "q[0]?_"), ("q[1]??1", "q[0]?1"), ("q[1]?<_>; q[1]?_", "atomic { q[0]?_; x = 1 }")]
    {
        for order in [[first, second], [second, first]] {
            let text = format!(
                "chan q[2] = [2] of {{ byte }}; byte x; notrace {{ q[0]?1; q[1]?1 }}
                 init {{ atomic {{ q[0]!1; q[1]!1; run P(); run Q() }} }}
                 proctype P() {{ {} }} proctype Q() {{ {} }}",
                order[0], order[1]
            );
            assert_eq!(verdicts(&text).0, [false, true], "{text}");
        }
    }
}

/// What looks as if it were watched and is not: the other direction, other channels, messages that are only looked at.
#[test]
fn what_is_not_watched_is_left_out() {
    let others = |a: &str, b: &str| {
        format!(
            "chan a = [4] of {{ byte }}; chan b = [4] of {{ byte }}; chan c = [4] of {{ byte }}; end_of_all: skip;
             active proctype P() {{ {a} }} active proctype Q() {{ {b} }}"
        )
        .replace("end_of_all: skip;", "")
    };
    let talk = |channel: &str| format!("{channel}!1; {channel}!2; {channel}!3");
    for (monitor, is_independent) in [
        ("notrace { c!1; c!2 }", true),
        ("notrace { a?1; b?1 }", true),
        ("trace { end: do :: a!_ od }", true),
        ("trace { end: do :: a!_ :: b?_ od }", true),
        ("trace { end: do :: a!_ :: b!_ od }", false),
        ("notrace { a!7; b!7 }", false),
    ] {
        let text = format!("{} {monitor}", others(&talk("a"), &talk("b")));
        let (_, (full, reduced)) = verdicts(&text);
        assert_eq!(reduced <= 9, is_independent, "{monitor}: {reduced} of {full} states");
    }
}

/// Where a run ends, a `trace` must have seen all that it speaks of.
#[test]
fn a_trace_that_is_not_finished_is_a_bad_end() {
    for (monitor, ends_badly) in [
        ("trace { a!1; b!1 }", true),
        ("trace { end: a!1; b!1 }", false),
        ("trace { do :: b!1 :: a!1 -> break od }", true),
        ("notrace { a!1; b!1 }", false),
    ] {
        let text = format!(
            "chan a = [1] of {{ byte }}; chan b = [1] of {{ byte }}; bit x; {monitor}
             active proctype P() {{ if :: x == 1 -> a!1 :: else fi; if :: x == 0 -> skip :: b!1 fi }} active proctype Q() {{ x = 0 }}"
        );
        assert_eq!(verdicts(&text).0[0], ends_badly, "{text}");
    }
}

/// Formulas do not see monitors, and monitors do not see formulas.
#[test]
fn formulas_and_monitors_do_not_meet() {
    let text = "chan a = [1] of { byte }; chan b = [1] of { byte }; bit x, y; notrace { a!1; b!1 }
                active proctype P() { do :: a!1; x = 1; a?_; x = 0 od } active proctype Q() { do :: b!1; y = 1; b?_; y = 0 od }
                active [2] proctype C() { byte i; do :: i < 3 -> i++ :: else -> break od }";
    for (formula, holds) in [("[] !(x && y)", false), ("[] (x -> <> !x)", false), ("[] x || <> !x", true)] {
        let model = model(text, LoadOptions { ltl: vec![formula.to_owned()], ..LoadOptions::default() });
        let (full, reduced) = partial_orders::compare(formula, &model, &everything(&model));
        static_reductions::compare(formula, &model, &everything(&model));
        let result = check(&model, PlanRequest::new(everything(&model)));
        assert_eq!(is_violated(&result)[2].1, !holds, "{formula}");
        assert!(!holds || reduced * 3 < full, "{formula}: {reduced} of {full} states");
    }
}

/// The number in a variable may come to mean another channel.
#[test]
fn a_monitor_of_a_variable_that_changes_is_refused() {
    let text = "chan a = [1] of { byte }; chan b = [1] of { byte }; chan v = [1] of { byte };\nnotrace { v!1; b!1 }
                active proctype P() { v = a; a!1 } active proctype Q() { b!1 }";
    let model = plain(text);
    for reduction in [Reduction::PartialOrder, Reduction::SleepSets] {
        let request = PlanRequest {
            reductions: ReduceChoice::List(vec![reduction]),
            search: reductio_reduce::SearchOrder::DepthFirst,
            ..PlanRequest::new(vec![Property::Assertions])
        };
        let error = plan(&model, request).expect_err("it is not known what is watched").to_string();
        assert!(error.contains("names a channel by a variable that changes (model.pml:2)"), "{error}");
    }
    let automatic = check(&model, PlanRequest::new(everything(&model)));
    let full = check(&model, PlanRequest { reductions: ReduceChoice::None, ..PlanRequest::new(everything(&model)) });
    assert_eq!(is_violated(&automatic), is_violated(&full));
    assert!(Interpreter::new(&model).model().monitors.len() == 1);
}

/// What no pattern asks for is no reason to tell messages apart.
#[test]
fn fields_that_a_monitor_ignores_are_sliced() {
    let text = |monitor: &str| {
        format!(
            "chan a = [1] of {{ byte, byte }}; {monitor}
             active proctype P() {{ byte i; do :: i < 5 -> a!1,i; i++ :: else -> break od }}
             active proctype Q() {{ end: do :: a?_,_ od }}"
        )
    };
    let states = |monitor: &str| {
        let model = plain(&text(monitor));
        let request = PlanRequest {
            reductions: ReduceChoice::List(vec![Reduction::Slicing]),
            ..PlanRequest::new(everything(&model))
        };
        let sliced = check(&model, request);
        let full =
            check(&model, PlanRequest { reductions: ReduceChoice::None, ..PlanRequest::new(everything(&model)) });
        assert_eq!(is_violated(&sliced), is_violated(&full), "{monitor}");
        assert!(side_by_side(&model, ALL, 100_000).is_some(), "{monitor}");
        sliced.coverage.unreached(&model);
        reductio_reduce::model_to_model::reduce(&model, ALL).gain.sliced
    };
    assert!(states("trace { end: do :: a!1,_ od }") > 0);
    assert_eq!(states("notrace { a!1,3; a!1,4; a!1,5 }"), 0);
}
