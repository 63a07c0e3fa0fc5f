//! Trace assertions. What SPIN says of the same programs is written beside them; where it differs, why.

use crate::common::explore;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::FaultKind;

const CHANNELS: &str = "mtype = { a, b }; chan c = [2] of { mtype, byte }; chan r = [0] of { byte };";

/// What goes wrong in a program with a trace, and whether some run ends where it may not.
fn answer(text: &str) -> (Vec<FaultKind>, bool) {
    let text = format!("{CHANNELS} {text}");
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
    let model = loaded.model.unwrap_or_else(|| panic!("{text}\n{}", loaded.diagnostics.render(&loaded.sources)));
    assert!(model.unchecked.is_empty(), "{text}");
    let answer = explore(&model);
    (answer.faults, answer.deadlock)
}

fn errors(text: &str) -> String {
    let text = format!("{CHANNELS} {text}");
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
    assert!(loaded.model.is_none(), "{text} is accepted");
    loaded.diagnostics.render(&loaded.sources)
}

const UNEXPECTED: FaultKind = FaultKind::UnexpectedMessage;
const FORBIDDEN: FaultKind = FaultKind::ForbiddenMessages;

/// As SPIN has it, but for runs that end too early: SPIN finds fault with them only if some process is left.
#[test]
fn every_message_is_the_next_one_of_the_trace() {
    let fine = (vec![], false);
    assert_eq!(answer("trace { c!a,_; c!b,1 } init { c!a,7; c!b,1 }"), fine);
    assert_eq!(answer("trace { c!a,_; c!b,1 } init { c!a,7; c!b,2 }"), (vec![UNEXPECTED], true));
    assert_eq!(answer("trace { c!a,_; c!b,1 } init { c!a,7 }"), (vec![], true), "the trace is not complete");
    assert_eq!(answer("trace { c!a,_ } init { c!a,7; c!a,7 }"), (vec![UNEXPECTED], false), "it is over");
    assert_eq!(answer("trace { end: do :: c!a,_; c!b,_ od } init { c!a,1; c!b,1 }"), fine);
    assert_eq!(answer("trace { do :: c!a,_; c!b,_ od } init { c!a,1; c!b,1 }"), (vec![], true), "no end label");
    let both = "trace { do :: c!a,_ :: c!b,_; break od } init { if :: c!a,1; c!b,1 :: c!b,1; c!b,2 fi }";
    assert_eq!(answer(both), (vec![UNEXPECTED], false));
    let goto = "trace { again: c!a,_; if :: c!b,_; goto again :: c!b,_ ; c!b,_ fi } init { c!a,1; c!b,1 }";
    assert_eq!(answer(goto), (vec![FaultKind::AmbiguousTrace], false));
}

/// As SPIN has it.
#[test]
fn of_other_channels_and_directions_it_does_not_speak() {
    let fine = (vec![], false);
    assert_eq!(answer("trace { c!a,_ } init { c!a,1; c?_,_ }"), fine, "receives are none of its concern");
    assert_eq!(answer("trace { c?a,_ } init { c!a,1; c?a,_; c!b,1 }"), fine, "sends are none of its concern");
    assert_eq!(answer("trace { c?a,_ } init { c!b,1; c?_,_ }"), (vec![UNEXPECTED], true));
    assert_eq!(answer("chan d = [1] of { mtype, byte }; trace { c!a,_ } init { d!b,1; c!a,1 }"), fine);
    let alias = "proctype P(chan e) { e!b,1 } trace { c!a,_ } init { run P(c) }";
    assert_eq!(answer(alias), (vec![UNEXPECTED], true), "the channel counts, not its name");
    assert_eq!(answer("trace { c?a,_ } init { c!a,1; c?<_,_>; c?a,_ }"), fine, "looking is not receiving");
}

/// SPIN tells a rendezvous as a send and then a receive, too, but in a model with a trace on its channel, it never
/// happens: SPIN 6.5.2 finds a deadlock instead.
#[test]
fn handshakes_are_two_events() {
    let both = "active proctype S() { r!3 } active proctype R() { r?_ }";
    assert_eq!(answer(&format!("trace {{ r!3; r?3 }} {both}")), (vec![], false));
    assert_eq!(answer(&format!("trace {{ r?3; r!3 }} {both}")).0, [UNEXPECTED]);
    assert_eq!(answer(&format!("trace {{ r!4 }} {both}")).0, [UNEXPECTED]);
}

/// SPIN matches a send that nobody receives, too, and so finds fault with messages that are never sent.
#[test]
fn a_handshake_that_does_not_happen_is_no_event() {
    let text = "trace { r!1; r?1 } active proctype S() { end: r!2 } active proctype T() { r!1 }
                active proctype R() { r?1 }";
    assert_eq!(answer(text), (vec![], false));
}

/// SPIN matches the message at the end, or in front, and so not always the one that is sent, or received.
#[test]
fn the_message_itself_counts_not_its_place() {
    assert_eq!(answer("trace { c!b,2; c!b,1 } init { c!!b,2; c!!b,1 }"), (vec![], false));
    assert_eq!(answer("trace { c?a,2 } init { c!a,1; c!a,2; c??a,2 }"), (vec![], false));
}

/// SPIN wants the messages of a `notrace` to be complete, or broken off, where a run ends; but nothing bad has happened.
#[test]
fn what_is_forbidden_must_not_happen_in_full() {
    let fine = (vec![], false);
    assert_eq!(answer("notrace { c!a,_; c!b,_ } init { c!a,1; c!b,1 }"), (vec![FORBIDDEN], false));
    assert_eq!(answer("notrace { c!a,_; c!b,_ } init { c!b,1; c!a,1 }"), fine);
    assert_eq!(answer("notrace { c!a,_; c!b,_ } init { c!a,1 }"), fine);
    let later = "notrace { c!a,_; c!b,_ } init { c!b,1; c?_,_; c!a,1; c!b,1 }";
    assert_eq!(answer(later), fine, "only the first messages count");
}

#[test]
fn a_trace_consists_of_messages() {
    assert!(errors("byte x; trace { x = 1 } init { skip }").contains("a trace consists of sends and receives"));
    assert!(errors("trace { c?<a,_> } init { skip }").contains("a trace consists of sends and receives"));
    assert!(errors("trace { skip } init { skip }").contains("a trace consists of sends and receives"));
    assert!(errors("byte x; trace { c!a,x } init { skip }").contains("this must be a constant"));
    assert!(errors("byte x; trace { c?a,eval(x) } init { skip }").contains("this must be a constant"));
    assert!(errors("trace { d_step { c!a,1; c!b,1 } } init { skip }").contains("error"));
}
