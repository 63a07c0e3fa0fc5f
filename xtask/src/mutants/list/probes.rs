//! Mutants of the searches that hunt for violations: probes, and the search that ends with the first one.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::Test;

/// Mistakes about what is known when something was found, and what is not.
pub const PROBES: &[Mutant] = &[
    Mutant {
        name: "probes: what they find is called shortest",
        file: "crates/explicit/src/search.rs",
        original: "entry.may_be_longer = ‹!shortest.contains(&entry.property)›;",
        mutated: "false",
        caught_by: Test("reductio-explicit", "probe::tests::probes_find_what_lies_deep"),
    },
    Mutant {
        name: "probes: what is found where steps are left out is called shortest",
        file: "crates/explicit/src/search.rs",
        original: "if ‹!self.reduced && plan.store() == StoreChoice::Exact› {",
        mutated: "true",
        caught_by: Test("reductio-explicit", "probe::tests::answers_are_those_of_a_breadth_first_search"),
    },
    Mutant {
        name: "probes: a violation of one property settles the others",
        file: "crates/explicit/src/breadth_first.rs",
        original: "match ‹run.plan.properties().iter().all(is_done)› {",
        mutated: "run.plan.properties().iter().any(is_done)",
        caught_by: Test("reductio-explicit", "probe::tests::answers_are_those_of_a_breadth_first_search"),
    },
    Mutant {
        name: "probes: one violation is enough for who asks for all",
        file: "crates/explicit/src/breadth_first.rs",
        original: "let is_enough = ‹run.plan.max_violations() == Some(NonZeroU32::MIN)›;",
        mutated: "true",
        caught_by: Test("reductio-explicit", "probe::tests::probes_do_not_end_a_search_for_more"),
    },
    Mutant {
        name: "probes: more than their share",
        file: "crates/explicit/src/probe.rs",
        original: "let states = ‹self.due() / PART_OF_DUE›;",
        mutated: "self.due()",
        caught_by: Test("reductio-explicit", "probe::tests::a_complete_search_counts_what_it_counts_without_probes"),
    },
    Mutant {
        name: "probes: what they find is forgotten",
        file: "crates/explicit/src/search.rs",
        original: "explored.add_found_by(probes);",
        mutated: "",
        caught_by: Test("reductio-explicit", "probe::tests::probes_find_what_lies_deep"),
    },
    Mutant {
        name: "first: what was not searched to the end holds",
        file: "crates/explicit/src/run.rs",
        original: "Some(Stop::FirstFound) => ‹Some(Why::FirstFound)›,",
        mutated: "None",
        caught_by: Test("reductio-explicit", "probe::tests::the_first_violation_is_the_end"),
    },
    Mutant {
        name: "first: one look is an answer",
        file: "crates/explicit/src/run.rs",
        original: "Some(Stop::EnoughSeen) => ‹Some(Why::EnoughSeen)›,",
        mutated: "None",
        caught_by: Test("reductio-cli", "first::claims_take_turns_with_states"),
    },
    Mutant {
        name: "first: the others are searched all the same",
        file: "crates/explicit/src/findings.rs",
        original: "true if ‹self.plan.is_first_only()› && self.counts",
        mutated: "false",
        caught_by: Test("reductio-explicit", "probe::tests::the_first_violation_is_the_end"),
    },
];
