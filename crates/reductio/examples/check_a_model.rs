//! Checks a model from a string and prints a verdict for each property.

use reductio::{Budget, CheckError, Job, Language, Source, Verdict};

const MODEL: &str = "
    bool wants[2]; byte inside;
    active [2] proctype P() { do :: wants[_pid] = true; !wants[1 - _pid]; inside++; inside--; wants[_pid] = false od }";

fn main() -> Result<(), CheckError> {
    let source = Source::text(Language::Promela, "mutex.pml", MODEL);
    let outcome = Job::new(source).invariant("inside < 2").ltl("[] <> (inside == 1)").check(&Budget::UNLIMITED)?;
    for answer in &outcome.answers {
        let verdict = match &answer.verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Violated(counterexample) => format!("violated, {}", counterexample.reason),
            Verdict::Inconclusive(why) => format!("not known, {why}"),
        };
        println!("{}: {verdict}", answer.name);
    }
    println!("{} states", outcome.statistics.states);
    Ok(())
}
