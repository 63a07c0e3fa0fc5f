//! Mutants of the searches for infinite runs.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::{Claims, Test};

/// What generated programs with claims are to notice.
pub const CLAIMS: &[Mutant] = &[
    Mutant {
        name: "claim: what it remembers of the processes is always zero",
        file: "crates/frontends/src/promela/lower/never.rs",
        original: "Ok(vec![(holds.not(), 0), (holds, ‹1›)]);",
        mutated: "0",
        caught_by: Test("reductio-frontends", "claims::claims_remember_what_they_like"),
    },
    Mutant {
        name: "claim: what it remembers is not cut off to its type",
        file: "crates/frontends/src/promela/lower/never.rs",
        original: "return Ok(vec![(Condition::truth(true), ‹place.ty.truncate(value)›)]);",
        mutated: "value",
        caught_by: Test("reductio-frontends", "claims::claims_remember_what_they_like"),
    },
    Mutant {
        name: "claim: marks of acceptance are lost in the product",
        file: "crates/explicit/src/liveness/product.rs",
        original: "marks: ‹Marks::of_edge(edge.marks)›,",
        mutated: "Marks::NONE",
        caught_by: Claims,
    },
    Mutant {
        name: "claim: a run that ends does not stay where it is",
        file: "crates/explicit/src/liveness/product.rs",
        original: "match ‹nexts.is_empty() && self.stays› {",
        mutated: "nexts.is_empty() && self.stays && matches!(self.agents, Agents::Nobody)",
        caught_by: Claims,
    },
    Mutant {
        name: "claim: weak fairness forgets who cannot move",
        file: "crates/explicit/src/liveness/product.rs",
        original: "resting = ‹Marks::of_all_processes()›.without(moving.fold(Marks::NONE, Marks::union));",
        mutated: "Marks::NONE",
        caught_by: Claims,
    },
    Mutant {
        name: "claim: the automaton reads the state after the first step",
        file: "crates/explicit/src/liveness/product.rs",
        original: "self.valuations.get(&mut self.expander, &self.space, ‹key›)?",
        mutated: "nexts.first().map_or(key, |next| &next.key)",
        caught_by: Claims,
    },
];

/// What generated programs seldom tell is left to tests.
pub const INFINITE_RUNS: &[Mutant] = &[
    Mutant {
        name: "cycles: no nested search where an accepting step leads to a known state",
        file: "crates/explicit/src/liveness/nested.rs",
        original: "Colour::Blue if accepting => ‹self.dfs_red(run, place, next.event)›,",
        mutated: "Ok(())",
        caught_by: Test("reductio-explicit", "infinite_runs::engine_and_interpreter_agree_on_infinite_runs"),
    },
    Mutant {
        name: "cycles: a step passes one copy too many",
        file: "crates/explicit/src/liveness/choueka.rs",
        original: "Some(passed) => (CopyId((‹from + passed›) as u8), false),",
        mutated: "(from + passed + 1) % self.conditions.len()",
        caught_by: Test(
            "reductio-explicit",
            "infinite_runs::more_processes_than_can_be_told_apart_leave_the_verdict_open",
        ),
    },
    Mutant {
        name: "cycles: an atomic makes the operations of others impossible",
        file: "crates/explicit/src/liveness/operation_justice.rs",
        original: "able.contains(agent) || ‹product.is_kept(*agent, key)›",
        mutated: "product.is_kept(*agent, key) && component.is_empty()",
        caught_by: Test("reductio-explicit", "infinite_runs::engine_and_interpreter_agree_on_infinite_runs"),
    },
    Mutant {
        name: "cycles: with fairness, a failed assertion in an atomic ends the run",
        file: "crates/explicit/src/packed/expander.rs",
        original: "ends || (‹self.runs_on && !stable›)",
        mutated: "!stable",
        caught_by: Test("reductio-explicit", "infinite_runs::engine_and_interpreter_agree_on_infinite_runs"),
    },
    Mutant {
        name: "cycles: strong fairness is weak",
        file: "crates/explicit/src/liveness/components.rs",
        original: "matches!(fairness, Fairness::None | Fairness::Weak)",
        mutated: "matches!(fairness, Fairness::None | Fairness::Weak | Fairness::Strong)",
        caught_by: Test("reductio-explicit", "infinite_runs::engine_and_interpreter_agree_on_infinite_runs"),
    },
    Mutant {
        name: "runs: what is violated without fairness is taken for an answer",
        file: "crates/explicit/src/search.rs",
        original: "Verdict::Violated(witness) => ‹plain::is_fair(interpreter, plan.fairness(), &witness.run)›,",
        mutated: "!witness.run.stem.is_empty() || !witness.run.cycle.is_empty()",
        caught_by: Test("reductio-explicit", "infinite_runs::"),
    },
];
