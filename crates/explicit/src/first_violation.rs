//! The search that ends with the first violation, whatever it violates.
//!
//! What is asked takes several searches, one for all properties of states and one for each claim. Nobody knows which of them finds
//! something, or soon. So each looks at some states first, those that are likely to be cheap before the others: with the claims, the
//! smaller the automaton, the fewer states its product has. What that does not answer is searched again without an end.

use std::time::Instant;

use reductio_model::{Budget, Interpreter, Verdict, Why};
use reductio_reduce::Plan;

use crate::search::{Question, SearchResult, ask, inconclusive, questions};

/// So many states are seen of everything that is asked, before more are seen of anything.
const FIRST_LOOK: u64 = 1 << 17;

/// The result for each question, in the order of the plan. Where something else is violated, there may be no answer.
pub(crate) fn search(
    interpreter: &Interpreter<'_>,
    plan: &Plan,
    started: Instant,
    budget: &Budget,
) -> Vec<SearchResult> {
    let questions = questions(plan);
    let mut order: Vec<usize> = (0..questions.len()).collect();
    order.sort_by_key(|&place| cost(interpreter, questions[place]));
    let mut results: Vec<Option<SearchResult>> = questions.iter().map(|_| None).collect();
    let looks: &[u64] = if questions.len() > 1 { &[FIRST_LOOK, u64::MAX] } else { &[u64::MAX] };
    'search: for &enough in looks {
        for &place in &order {
            if results[place].as_ref().is_none_or(is_unfinished) {
                let result = ask(interpreter, plan, questions[place], started, budget, enough);
                let is_violated = has_violation(&result);
                results[place] = Some(result);
                if is_violated {
                    break 'search;
                }
            }
        }
    }
    let result = |(result, question): (Option<SearchResult>, &Question)| {
        let mut result = result.unwrap_or_else(|| unasked(question));
        for entry in &mut result.verdicts {
            if entry.verdict == Verdict::Inconclusive(Why::EnoughSeen) {
                entry.verdict = Verdict::Inconclusive(Why::FirstFound);
            }
        }
        result.limit = if result.limit == Some(Why::EnoughSeen) { Some(Why::FirstFound) } else { result.limit };
        result
    };
    results.into_iter().zip(&questions).map(result).collect()
}

/// Those that come first cost less, as far as can be told: one search for all properties of states, then claims that a finite run
/// breaks, then the others.
fn cost(interpreter: &Interpreter<'_>, question: Question) -> (u8, usize) {
    match question {
        Question::States => (0, 0),
        Question::Runs(_, claim) => {
            let violations = &interpreter.model().claim(claim).violations;
            (if violations.decides_early() { 1 } else { 2 }, violations.edges.len())
        }
    }
}

/// Another look may tell more.
fn is_unfinished(result: &SearchResult) -> bool {
    result.limit == Some(Why::EnoughSeen)
}

fn has_violation(result: &SearchResult) -> bool {
    result.verdicts.iter().any(|entry| matches!(entry.verdict, Verdict::Violated(_)))
}

/// What was not even looked at.
fn unasked(question: &Question) -> SearchResult {
    match question {
        Question::Runs(property, _) => inconclusive(*property, Why::FirstFound),
        Question::States => unreachable!("it costs least, and so it was asked before anything was found"),
    }
}
