//! Mutants of symmetry reduction.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::Test;

/// What exchanges processes, which its own tests look at.
pub const SYMMETRY: &[Mutant] = &[
    Mutant {
        name: "symmetry: constants are not renamed",
        file: "crates/reduce/src/facts/symmetry/terms.rs",
        original: "let image = ‹self.image(meaning, ty.truncate(constant))›;",
        mutated: "ty.truncate(constant)",
        caught_by: Test("reductio-reduce", "symmetry::what_is_in_the_way_is_told"),
    },
    Mutant {
        name: "symmetry: constants do not matter",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "compared(&self.start.constants_of(last), &self.start.constants_of(&image))?;",
        mutated: "",
        caught_by: Test("reductio-reduce", "symmetry::a_permutation_takes_runs_to_runs"),
    },
    Mutant {
        name: "symmetry: the least turn is not taken",
        file: "crates/reduce/src/on_the_fly/canonical_state.rs",
        original: "match ‹least.is_empty() || sequence < found› {",
        mutated: "least.is_empty()",
        caught_by: Test("reductio-reduce", "symmetry::no_verdict_changes"),
    },
    Mutant {
        name: "symmetry: programs do not matter",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "if ‹text != other› {",
        mutated: "text.len() != other.len()",
        caught_by: Test("reductio-reduce", "symmetry::what_is_in_the_way_is_told"),
    },
    Mutant {
        name: "symmetry: properties do not matter",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "self.check_atoms(permutation)?;",
        mutated: "",
        caught_by: Test("reductio-reduce", "symmetry::properties_restrict_what_can_be_exchanged"),
    },
    Mutant {
        name: "symmetry: whose label a property looks at does not matter",
        file: "crates/reduce/src/facts/symmetry/terms.rs",
        original: "Term::number(format!(\"{} of {} at {label}\", ‹pid.text›, proctype.0), pid.total)",
        mutated: "\"somebody\".to_owned()",
        caught_by: Test("reductio-cli", "atoms::steps_from_one_label_to_another_are_seen"),
    },
    Mutant {
        name: "symmetry: a run is not renamed after a process has ended",
        file: "crates/explicit/src/permuted_runs.rs",
        original: "outcome.state.as_ref().map(|state| ‹symmetry.put_together(permutation, state)›);",
        mutated: "symmetry.permuted(permutation, state)",
        caught_by: Test("reductio-reduce", "symmetry::what_goes_wrong_is_found"),
    },
    Mutant {
        name: "symmetry: one may calculate with names",
        file: "crates/reduce/src/facts/symmetry/terms.rs",
        original: "if ‹self.is_moved(term.meaning)› {\n            return Err(Why::Calculates",
        mutated: "false",
        caught_by: Test("reductio-reduce", "symmetry::what_is_in_the_way_is_told"),
    },
    Mutant {
        name: "symmetry: whoever can end can be exchanged",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "if let Some(broken) = ‹self.end_of(column)› {",
        mutated: "None",
        caught_by: Test("reductio-reduce", "symmetry::what_is_in_the_way_is_told"),
    },
    Mutant {
        name: "symmetry: messages keep their names",
        file: "crates/reduce/src/on_the_fly/symmetry.rs",
        original: "fields.map(|(&value, meaning)| ‹self.value_image(meaning, permutation, value)›);",
        mutated: "value",
        caught_by: Test("reductio-reduce", "symmetry::what_goes_wrong_is_found"),
    },
    Mutant {
        name: "symmetry: variables of a process keep their names",
        file: "crates/reduce/src/on_the_fly/symmetry.rs",
        original: "let value = ‹self.value_image(slots.meanings[slot as usize], permutation, value)›;",
        mutated: "value",
        caught_by: Test("reductio-reduce", "symmetry::who_has_come_to_the_end_stays"),
    },
    Mutant {
        name: "symmetry: ties are not broken",
        file: "crates/reduce/src/on_the_fly/canonical_state.rs",
        original: "best.as_ref().is_none_or(|(least, _)| ‹sum < *least›)",
        mutated: "false",
        caught_by: Test("reductio-reduce", "symmetry::one_state_stands_for_its_orbit"),
    },
    Mutant {
        name: "symmetry: exchanged too early",
        file: "crates/reduce/src/on_the_fly/symmetry.rs",
        original: "‹state.processes.len() >= self.processes›\n",
        mutated: "state.processes.len() + 1 >= self.processes",
        caught_by: Test("reductio-reduce", "symmetry::one_state_stands_for_its_orbit"),
    },
    Mutant {
        name: "symmetry: runs are not renamed",
        file: "crates/explicit/src/permuted_runs.rs",
        original: "permutation: self.permutation.after(&‹exchange.inverse()›)",
        mutated: "exchange",
        caught_by: Test("reductio-reduce", "symmetry::who_has_come_to_the_end_stays"),
    },
    Mutant {
        name: "symmetry: options that are alike are not both reached",
        file: "crates/explicit/src/search.rs",
        original: "‹coverage.share(&found.alike);›\n        }\n        let limit = match plan.store() {",
        mutated: "",
        caught_by: Test("reductio-reduce", "symmetry::no_verdict_changes"),
    },
    Mutant {
        name: "symmetry: nobody becomes another",
        file: "crates/explicit/src/liveness/permutation_classes.rs",
        original: "self.images[‹exchange.0 as usize›].get(",
        mutated: "0",
        caught_by: Test("reductio-reduce", "symmetry::no_verdict_on_a_formula_changes"),
    },
    Mutant {
        name: "symmetry: one is served for all",
        file: "crates/explicit/src/liveness/permutation_classes.rs",
        original: r#"(0..processes).all(|process| {
            let class = self.find(state as usize * processes + process);
            self.is_served[class]
        })"#,
        mutated: r#"processes == 0
            || (0..processes).any(|process| {
                let class = self.find(state as usize * processes + process);
                self.is_served[class]
            })"#,
        caught_by: Test("reductio-reduce", "symmetry::no_verdict_on_a_formula_changes"),
    },
    Mutant {
        name: "symmetry: atoms change places whatever the claim says of them",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "Some(claim) if ‹is_left_alone(claim, &images)› => Ok(()),",
        mutated: "is_left_alone(claim, &images) || !images.is_empty()",
        caught_by: Test("reductio-reduce", "symmetry::no_verdict_on_a_formula_changes"),
    },
    Mutant {
        name: "symmetry: monitors name nobody",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "if ‹!is_same› {\n                let because = format!(\"the {} assertion distinguishes",
        mutated: "false",
        caught_by: Test("reductio-reduce", "symmetry::monitors_that_tell_processes_apart_are_in_the_way"),
    },
];
