//! Mutants of loops over all processes, as symmetry reduction sees them.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::Test;

const NOT_ALIKE: crate::mutants::judge::Judge = Test("reductio-reduce", "loops::not_all_are_alike_in_those");

pub const LOOPS: &[Mutant] = &[
    Mutant {
        name: "loops: rounds can always change places",
        file: "crates/reduce/src/facts/symmetry/rounds.rs",
        original: "if let Some(edge) = ‹in_conflict(one, other)› {",
        mutated: "None",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: what is updated may be looked at",
        file: "crates/reduce/src/facts/symmetry/rounds.rs",
        original: "let only_updates = |uses: &Uses| ‹!uses.changes && !uses.reads›;",
        mutated: "!uses.changes",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: all updates are of the same sort",
        file: "crates/reduce/src/facts/symmetry/rounds.rs",
        original: "updates.all(|update| ‹Some(update) == first›)",
        mutated: "Some(update) == first || true",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: a maximum may be cut off",
        file: "crates/reduce/src/facts/symmetry/rounds.rs",
        original: "Expr::Read(other) => ‹is_wide_enough(other.ty, place.ty)›,",
        mutated: "is_wide_enough(other.ty, place.ty) || true",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: what follows a maximum does not matter",
        file: "crates/reduce/src/facts/symmetry/rounds.rs",
        original: "if ‹end != target(second)› {",
        mutated: "end == target(second) && false",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: what the rounds do does not matter",
        file: "crates/reduce/src/facts/symmetry/loops.rs",
        original: "out.extend(each.concat());",
        mutated: "",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: a counter may hold process ids before and after",
        file: "crates/reduce/src/facts/symmetry/loops.rs",
        original: "self.counter_is_a_number(pid, rounds)?;",
        mutated: "",
        caught_by: Test("reductio-reduce", "loops::a_counter_is_a_number_outside_of_its_loop"),
    },
    Mutant {
        name: "loops: they may be left early",
        file: "crates/reduce/src/facts/counting_loops.rs",
        original: "} else if ‹!found.inside.contains(&to)› {",
        mutated: "!found.inside.contains(&to) && next.is_some_and(|next| next < 0)",
        caught_by: Test("reductio-reduce", "loops::the_statement_that_is_in_the_way_is_named"),
    },
    Mutant {
        name: "loops: an atomic may wait inside",
        file: "crates/reduce/src/model_to_model/whole_loops.rs",
        original: "if ‹!flow.goes_one_way(steps.iter().map(|step| &step.kind))› || has",
        mutated: "!flow.goes_one_way(steps.iter().map(|step| &step.kind)) && false",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: those that are not atomic may use what others see",
        file: "crates/reduce/src/model_to_model/whole_loops.rs",
        original: "is_atomic || ‹flow.depends_on_own_alone(&step.kind)›;",
        mutated: "flow.depends_on_own_alone(&step.kind) || true",
        caught_by: NOT_ALIKE,
    },
    Mutant {
        name: "loops: a run ends with the step in which something goes wrong",
        file: "crates/reduce/src/model_to_model/lift.rs",
        original: "if ‹self.there.as_ref().is_some_and(|there| location(here) == location(there))› {",
        mutated: "self.there.as_ref().is_none_or(|there| location(here) == location(there))",
        caught_by: Test("reductio-reduce", "loops::what_goes_wrong_inside_is_found"),
    },
];
