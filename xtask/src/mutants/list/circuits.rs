//! Mutants of the symbolic engine and of SMV.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::Test;

/// Wrong relations, fixpoints and files, for the tests that compare diagrams with states one by one.
pub const CIRCUITS: &[Mutant] = &[
    Mutant {
        name: "a part of a relation is used without what it looks at",
        file: "crates/symbolic/src/dynamic_relations.rs",
        original: "pending.extend(&self.needs[part]);",
        mutated: "",
        caught_by: Test("reductio-symbolic", "cone_of_influence::cones_answer_for_the_whole"),
    },
    Mutant {
        name: "constraints are left out of a relation",
        file: "crates/symbolic/src/dynamic_relations.rs",
        original: "filter(|part| ‹parts[*part].defines.is_none()›)",
        mutated: "false",
        caught_by: Test("reductio-symbolic", "cone_of_influence::constraints_stay_even_if_nobody_asks_for_them"),
    },
    Mutant {
        name: "an image is free where it is not looked at",
        file: "crates/symbolic/src/dynamic_relations.rs",
        original: "        ‹manager.and(&here, &elsewhere)›\n",
        mutated: "Ok(here)",
        caught_by: Test("reductio-symbolic", "random_aiger::engines_agree_on_random_circuits"),
    },
    Mutant {
        name: "a bit is quantified while it is still looked at",
        file: "crates/symbolic/src/relation.rs",
        original: "last[bit.index()] = Some(products.len());",
        mutated: "last[bit.index()].get_or_insert(products.len());",
        caught_by: Test("reductio-symbolic", "dynamic_relations::pred_d_equals_pred_and_exact_equals_succ"),
    },
    Mutant {
        name: "compassion is forgotten",
        file: "crates/symbolic/src/fair_ctl.rs",
        original: "left = manager.or(&manager.minus(&left, often)?, &meets)?;",
        mutated: "",
        caught_by: Test("reductio-symbolic", "cone_of_influence::cones_answer_for_the_whole"),
    },
    Mutant {
        name: "fair runs are looked for once",
        file: "crates/symbolic/src/fair_ctl.rs",
        original: "if ‹left == before› {",
        mutated: "left == before || !before.is_false()",
        caught_by: Test("reductio-symbolic", "agreement::engines_agree_on_random_modules"),
    },
    Mutant {
        name: "a next state need not be fair",
        file: "crates/symbolic/src/ctl.rs",
        original: "self.space.pred(&manager.and(set, &self.fair)?)?",
        mutated: "self.space.pred(set)?",
        caught_by: Test("reductio-symbolic", "agreement::the_next_state_is_a_fair_one"),
    },
    Mutant {
        name: "bits stand for values that there are not",
        file: "crates/symbolic/src/expressions.rs",
        original: "if ‹size == 1 << bits.len()› {",
        mutated: "size <= 1 << bits.len()",
        caught_by: Test("reductio-symbolic", "files::more_states_than_can_be_reached_do_not_change_an_answer"),
    },
    Mutant {
        name: "states from a file need not hold the initial ones",
        file: "crates/symbolic/src/space.rs",
        original: "if ‹!self.manager().minus(&self.initial, set)?.is_false()› {",
        mutated: "false",
        caught_by: Test("reductio-symbolic", "files::states_that_a_run_leaves_are_refused"),
    },
    Mutant {
        name: "a run may leave the states from a file",
        file: "crates/symbolic/src/space.rs",
        original: "(‹!outside.is_false()›).then_some(NoStates::NotClosed)",
        mutated: "false",
        caught_by: Test("reductio-symbolic", "files::states_that_a_run_leaves_are_refused"),
    },
    Mutant {
        name: "the opposite of a node is read as the node",
        file: "crates/symbolic/src/bdd/files.rs",
        original: ".map(|node| (node, ‹number < 0›))",
        mutated: "false",
        caught_by: Test("reductio-symbolic", "files::states_that_a_run_leaves_are_refused"),
    },
    Mutant {
        name: "the past begins with what was not",
        file: "crates/frontends/src/smv/lower/past.rs",
        original: "matches!(operator, Ltl1::WeakPrevious | Ltl1::Historically)",
        mutated: "matches!(operator, Ltl1::WeakPrevious | Ltl1::Once)",
        caught_by: Test("reductio-symbolic", "temporal::both_sides_have_the_same_answer"),
    },
];
