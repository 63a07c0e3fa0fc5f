//! Walks through a counterexample: what each step does, and what it changes.

use reductio::{Budget, CheckError, Job, Language, Source, Verdict};

const MODEL: &str = "
    byte count;
    active [2] proctype Counter() { byte read; read = count; count = read + 1; end: count == 2; assert(false) }
    active proctype Check() { timeout; assert(count == 2) }";

fn main() -> Result<(), CheckError> {
    let outcome = Job::new(Source::text(Language::Promela, "count.pml", MODEL)).check(&Budget::UNLIMITED)?;
    let violated = outcome.answers.iter().find_map(|answer| match &answer.verdict {
        Verdict::Violated(counterexample) => Some((answer, counterexample)),
        Verdict::Holds | Verdict::Inconclusive(_) => None,
    });
    let Some((answer, counterexample)) = violated else { return Ok(()) };
    println!("{}: {}", answer.name, counterexample.reason);
    for (number, step) in counterexample.trace.iter().flat_map(|trace| trace.numbered()) {
        let changes: Vec<String> = step.changes().iter().map(|change| change.to_string()).collect();
        let process = step.of_process().map_or(String::new(), |step| format!("{}[{}]", step.process, step.pid));
        println!("{} {process}: {}", number + 1, changes.join(", "));
    }
    Ok(())
}
