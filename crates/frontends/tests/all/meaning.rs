//! What programs mean, one point each: where SPIN is wrong or silent, and where we once were.

use crate::common::{Answer, explore};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::{FaultKind, Model};

fn model(text: &str) -> Model {
    model_with(text, &[])
}

fn model_with(text: &str, invariants: &[&str]) -> Model {
    let invariants = invariants.iter().map(|text| (*text).to_owned()).collect();
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions { invariants, ..LoadOptions::default() }, &NoIncludes);
    loaded.model.unwrap_or_else(|| panic!("{text}\n{}", loaded.diagnostics.render(&loaded.sources)))
}

fn errors(text: &str, invariants: &[&str]) -> String {
    let invariants = invariants.iter().map(|text| (*text).to_owned()).collect();
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions { invariants, ..LoadOptions::default() }, &NoIncludes);
    assert!(loaded.model.is_none(), "{text} is accepted");
    loaded.diagnostics.render(&loaded.sources)
}

fn answer(text: &str) -> Answer {
    explore(&model(text))
}

#[test]
fn assert_takes_the_whole_expression() {
    assert!(answer("active [2] proctype P() { assert _pid == 0 || _pid == 1 }").faults.is_empty());
    assert_eq!(answer("active [2] proctype P() { assert _pid == 0 }").faults, [FaultKind::AssertionViolated]);
}

#[test]
fn values_are_cut_to_their_type() {
    let text = "bit b; byte y; short s; unsigned u : 3; mtype = { m };
                init { b = 3; y = 300; s = 40000; u = 9; assert(b == 1 && y == 44 && s == -25536 && u == 1) }";
    assert!(answer(text).faults.is_empty());
}

#[test]
fn arithmetic_is_that_of_c() {
    let text = "int x = 2147483647; init { assert(-7 / 2 == -3); assert(-7 % 2 == -1); assert(1 << 3 == 8);
                assert((5 & 3 | 8 ^ 1) == 9); assert(!0 == 1 && ~0 == -1); assert(1 + 2 * 3 == 7);
                x++; assert(x == -2147483647 - 1); assert((x < 0 -> 1 : 2) == 1) }";
    assert!(answer(text).faults.is_empty());
}

#[test]
fn what_goes_wrong_ends_the_run() {
    let faults = |text| answer(text).faults;
    assert_eq!(faults("byte a[2], i = 2; init { a[i] = 1 }"), [FaultKind::IndexOutOfRange { index: 2, length: 2 }]);
    assert_eq!(faults("byte z; init { z = 1 / z }"), [FaultKind::DivisionByZero]);
    assert_eq!(faults("byte z; init { if :: 1 % z == 0 -> skip :: else fi }"), [FaultKind::DivisionByZero]);
    assert_eq!(faults("chan c; init { c!1 }"), [FaultKind::NoChannel { value: 0 }]);
    assert_eq!(faults("byte x; init { d_step { x = 1; x == 2 } }"), [FaultKind::BlockedInDStep]);
    assert_eq!(faults("byte x; init { d_step { do :: x = 1 - x od } }"), [FaultKind::EndlessDStep]);
}

#[test]
fn a_provided_clause_that_cannot_be_evaluated_is_found() {
    let text = "byte a[2], i = 5; active proctype P() provided (a[i] == 0) { skip }";
    assert_eq!(answer(text).faults, [FaultKind::IndexOutOfRange { index: 5, length: 2 }]);
}

#[test]
fn a_message_with_too_many_fields_is_found_where_it_is_sent_or_received() {
    let expected = [FaultKind::TooManyFields { given: 2, fields: 1 }];
    let run = |body: &str| {
        format!("chan c = [0] of {{ byte }}; proctype P(chan d) {{ byte x; {body} }} init {{ run P(c); c!1 }}")
    };
    assert_eq!(answer(&run("d?x,x")).faults, expected);
    assert_eq!(answer(&run("d!x,x")).faults, expected);
}

#[test]
fn a_message_with_too_few_fields_is_found_where_it_is_sent_or_taken_out() {
    let expected = [FaultKind::TooFewFields { given: 1, fields: 2 }];
    let buffered = |body: &str| format!("chan c = [1] of {{ byte, byte }}; chan d; byte x; init {{ {body} }}");
    for body in ["c!1", "c!!1", "d_step { x = 1; c!1 }", "d = c; d!1", "c!1,2; c?x", "c!1,2; c??x", "c!3,4; c?3"] {
        assert_eq!(answer(&buffered(body)).faults, expected, "{body}");
    }
    // What cannot be executed does not fail, and neither does what only looks at a message.
    for body in ["c!3,4; end: c?1", "c!3,4; end: c!1", "c!3,4; c?[3]; c??[3]; c?<x>; assert(x == 3)"] {
        assert!(answer(&buffered(body)).faults.is_empty(), "{body}");
    }
    let rendezvous = |sender: &str, receiver: &str| {
        format!(
            "chan c = [0] of {{ byte, byte }}; byte x;
             active proctype S() {{ {sender} }} active proctype R() {{ {receiver} }}"
        )
    };
    assert_eq!(answer(&rendezvous("c!1", "c?x,x")).faults, expected);
    assert_eq!(answer(&rendezvous("c!1,2", "c?x")).faults, expected);
    // SPIN puts the message together before it looks for somebody who receives it.
    assert_eq!(answer(&rendezvous("c!1", "skip")).faults, expected);
    assert!(answer(&rendezvous("end: c!1,2", "end: c?2")).faults.is_empty());
}

#[test]
fn nobody_can_look_into_a_rendezvous_channel() {
    let program = |body: &str| format!("chan r = [0] of {{ byte }}; chan d; byte x; init {{ {body} }}");
    for body in ["r?[1]", "r??[x]", "if :: r?[1] :: else fi", "assert(!r?[1])", "x = r?[1]", "d = r; d?[1]"] {
        assert_eq!(answer(&program(body)).faults, [FaultKind::PolledRendezvous], "{body}");
    }
    let copies = "chan r = [0] of { byte }; byte x; active proctype S() { r!1 } active proctype R() { r?<x> }";
    assert_eq!(answer(copies).faults, [FaultKind::PolledRendezvous]);
}

#[test]
fn a_guard_that_fails_does_not_receive_what_another_sends() {
    // The fault of P is P's own; the rendezvous between the others goes on without it.
    let text = "chan c = [0] of { byte }; byte a[1], i = 3;
                active proctype P() { a[i] == 0 } active proctype S() { c!1 } active proctype R() { c?1 }";
    let answer = answer(text);
    assert_eq!(answer.faults, [FaultKind::IndexOutOfRange { index: 3, length: 1 }]);
}

#[test]
fn nested_blocks_continue_behind_the_outermost() {
    let text =
        "byte x; active proctype P() { atomic { x++; { x++; d_step { x = 3; x = 4 } } }; assert(x == 4); x = 9 }";
    let answer = answer(text);
    assert!(answer.faults.is_empty());
    assert_eq!(answer.states, 5);
}

#[test]
fn what_only_an_invariant_mentions_is_part_of_the_state() {
    assert_eq!(model_with("hidden byte h; active proctype P() { h = 1 }", &["h == 0"]).globals.len(), 1);
    assert!(model_with("byte x; active [2] proctype P() { x++ }", &["_last == 0"]).features.last);
    let labelled = "byte x; active proctype P() { x = 1; lab: goto fin; fin: x = 2 }";
    assert_eq!(model_with(labelled, &["!P[0]@lab"]).proctypes[0].labels.len(), 2);
}

#[test]
fn an_invariant_has_no_pid() {
    assert!(errors("active proctype P() { skip }", &["_pid == 0"]).contains("no process"));
}

#[test]
fn a_process_created_by_run_gets_its_arguments_cut_to_their_types() {
    let text = "proctype P(byte b; bool f) { assert(b == 1 && f == 0) } init { run P(257, 2) }";
    assert!(answer(text).faults.is_empty());
}

#[test]
fn enabled_that_depends_on_itself_is_found() {
    for body in ["enabled(_pid)", "assert(enabled(0))", "x = enabled(_pid)", "if :: enabled(0) :: else fi"] {
        let text = format!("byte x; active proctype P() {{ {body} }}");
        assert_eq!(answer(&text).faults, [FaultKind::CircularEnabled], "{body}");
    }
    let two = "active proctype P() { enabled(1) } active proctype Q() { enabled(0) }";
    assert_eq!(answer(two).faults, [FaultKind::CircularEnabled]);
    assert_eq!(answer("active proctype P() provided (enabled(0)) { skip }").faults, [FaultKind::CircularEnabled]);
    let fine = "byte x; active proctype P() { enabled(1) } active proctype Q() { x == 0; x = 1 }";
    assert!(answer(fine).faults.is_empty());
}

#[test]
fn an_initial_value_that_cannot_be_computed_is_an_error() {
    let text = "byte a[2]; active proctype P() { byte i = a[7]; skip }";
    assert!(errors(text, &[]).contains("no initial value: array index 7 out of range"));
}

#[test]
fn bits_in_messages_are_cut_unless_they_travel_alone() {
    let together = "chan c = [1] of { bit, byte }; init { byte x, y; c!2,3; c?x,y; assert(x == 0 && y == 3) }";
    assert!(answer(together).faults.is_empty());
    let alone = "chan c = [1] of { bit }; init { byte x; c!2; c?x; assert(x == 2) }";
    assert!(answer(alone).faults.is_empty());
}

#[test]
fn a_write_to_a_hidden_variable_is_a_step_that_can_fail() {
    assert_eq!(answer("hidden byte h; active proctype P() { if :: skip -> h = 1; skip fi }").states, 5);
    let faults = answer("hidden byte h; byte a[2], i = 7; init { h = a[i] }").faults;
    assert_eq!(faults, [FaultKind::IndexOutOfRange { index: 7, length: 2 }]);
}

#[test]
fn a_poll_is_true_or_false() {
    let text =
        "chan c = [2] of { byte }; byte x; init { c!3; c!4; x = c??[4]; assert(x == 1); x = c?[4]; assert(x == 0) }";
    assert!(answer(text).faults.is_empty());
}
