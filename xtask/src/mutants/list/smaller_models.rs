//! Mutants of the reductions from model to model.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::{Test, Whiles};

/// Models that are made smaller are compared with what they were by tests of their own.
pub const SMALLER_MODELS: &[Mutant] = &[
    Mutant {
        name: "smaller: the next state is asked for where paths are merged",
        file: "crates/reduce/src/plan.rs",
        original: "let path_reduction = on_the_model.path_reduction && ‹self != Ctl::WithNext›;",
        mutated: "true",
        caught_by: Test("reductio-cli", "computation_trees::"),
    },
    Mutant {
        name: "smaller: a read does not keep a variable alive",
        file: "crates/reduce/src/model_to_model/dead_variables.rs",
        original: "live.join(&self.own.variables(place).0);",
        mutated: "",
        caught_by: Test("reductio-reduce", "static_reductions::variables_are_partially_dead_as_printed"),
    },
    Mutant {
        name: "smaller: whatever may be written is taken to be",
        file: "crates/reduce/src/model_to_model/dead_variables.rs",
        original: "        if ‹exactly› {",
        mutated: "exactly || !variables.is_empty()",
        caught_by: Test("reductio-reduce", "static_reductions::what_is_dead_stays_dead"),
    },
    Mutant {
        name: "smaller: a variable that a property looks at is dead",
        file: "crates/reduce/src/model_to_model/process_variables.rs",
        original: "users[*slot] == [id] && ‹!seen.globals.contains(*slot)›",
        mutated: "true",
        caught_by: Test("reductio-reduce", "static_reductions::what_a_property_sees_is_not_dead"),
    },
    Mutant {
        name: "smaller: what several processes share is one's own",
        file: "crates/reduce/src/model_to_model/process_variables.rs",
        original: "let is_single = ‹has_one_process(model, id, 0)›;",
        mutated: "has_one_process(model, id, 0) || !model.initial.is_empty()",
        caught_by: Test("reductio-reduce", "static_reductions::paths_end_where_something_can_be_seen"),
    },
    Mutant {
        name: "smaller: a free choice is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "some_holds && pairs.all(|(one, other)| ‹exclude_each_other(one, other)›)",
        mutated: "exclude_each_other(one, other) || one != other",
        caught_by: Test("reductio-reduce", "static_reductions::paths_end_where_something_can_be_seen"),
    },
    Mutant {
        name: "smaller: what may block is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "[Expr::Const(value)] => *value != 0,\n            [one, other] => one_must_hold(one, other),\n            _ => ‹false›,",
        mutated: "conditions.len() == 1",
        caught_by: Test("reductio-reduce", "static_reductions::paths_end_where_something_can_be_seen"),
    },
    Mutant {
        name: "smaller: a label that somebody looks at is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "all.filter(|id| ‹is_unseen(id)› && self.is_quiet(*id))",
        mutated: "is_unseen(id) || id.0 > 0",
        caught_by: Test("reductio-reduce", "static_reductions::what_comes_between_is_seen"),
    },
    Mutant {
        name: "smaller: a local variable that a property looks at is dead",
        file: "crates/reduce/src/model_to_model/process_variables.rs",
        original: "each_slot(place, &|_| None, &mut |slot| ‹seen.locals[proctype.index()].insert(slot)›);",
        mutated: "seen.locals[proctype.index()].insert(slot + 1)",
        caught_by: Test("reductio-cli", "atoms::no_reduction_overlooks_what_a_property_asks_for"),
    },
    Mutant {
        name: "smaller: only the first label of a process is looked at",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "let named = ‹self.proctype.labels.iter()›.filter(|known| known.name == *label);",
        mutated: "self.proctype.labels[..self.proctype.labels.len().min(1)].iter()",
        caught_by: Test("reductio-cli", "atoms::no_reduction_overlooks_what_a_property_asks_for"),
    },
    Mutant {
        name: "smaller: what may go wrong is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "!more && ‹cannot_fail(expr)› && variables",
        mutated: "true",
        caught_by: Test("reductio-reduce", "static_reductions::paths_end_where_something_can_be_seen"),
    },
    Mutant {
        name: "smaller: a path begins with an else that does not see the others",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "Some((id, ‹Some(self.without_else(id)?)›))",
        mutated: "None",
        caught_by: Test("reductio-reduce", "static_reductions::loops_are_broken"),
    },
    Mutant {
        name: "smaller: who is ready to receive does not matter",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "let at = ‹model.proctypes.iter().find_map(|proctype| looks_for_a_receiver(model, proctype))›?;",
        mutated: "None",
        caught_by: Test("reductio-reduce", "static_reductions::what_comes_between_is_seen"),
    },
    Mutant {
        name: "smaller: a formula that counts steps is checked on paths",
        file: "crates/reduce/src/model_to_model/mod.rs",
        original: "        if ‹!claim.stutters› {",
        mutated: "false",
        caught_by: Test("reductio-reduce", "static_reductions::paths_are_refused_where_they_can_be_told"),
    },
    Mutant {
        name: "smaller: fairness does not matter to paths",
        file: "crates/reduce/src/model_to_model/mod.rs",
        original: "if ‹request.fairness != Fairness::None› {",
        mutated: "false",
        caught_by: Test("reductio-reduce", "static_reductions::paths_are_refused_where_they_can_be_told"),
    },
    Mutant {
        name: "smaller: what others may change tells that a variable is dead",
        file: "crates/reduce/src/model_to_model/partially_dead.rs",
        original: "!reads.more && cannot_fail(condition) && ‹reads.variables.iter().all(is_own)›",
        mutated: "reads.variables.iter().all(is_own) || !self.live.is_empty()",
        caught_by: Test("reductio-reduce", "static_reductions::what_is_dead_stays_dead"),
    },
    Mutant {
        name: "smaller: whatever is received, a variable stays dead",
        file: "crates/reduce/src/model_to_model/partially_dead.rs",
        original: "if ‹self.own.reads(&condition).variables.meets(&written)› { NEVER } else { condition }",
        mutated: "false",
        caught_by: Test("reductio-reduce", "static_reductions::what_is_dead_stays_dead"),
    },
    Mutant {
        name: "smaller: a cycle is closed without looking at dead variables",
        file: "crates/reduce/src/model_to_model/lift.rs",
        original: "turns.iter().find(|(state, _)| ‹*state == self.here›)",
        mutated: "state.is_some()",
        caught_by: Test("reductio-reduce", "static_reductions::cycles_close_on_the_model_as_it_was_written"),
    },
    Mutant {
        name: "smaller: nobody sees that a process comes to a label",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "let is_unseen = |id: &LocationId| !seen.contains(id) && ‹!leads_to_seen(id)›;",
        mutated: "!leads_to_seen(id) || !seen.is_empty()",
        caught_by: Test("reductio-reduce", "static_reductions::what_comes_between_is_seen"),
    },
];

/// What generated while-programs are to notice.
pub const WHILES: &[Mutant] = &[
    Mutant {
        name: "while: what is assigned does not change what is dead",
        file: "crates/reduce/src/model_to_model/partially_dead.rs",
        original: "Op::Assign(place, value) => ‹Substitution { place, value: cut(value, place.ty)? }.apply(&condition)?›,",
        mutated: "condition",
        caught_by: Whiles,
    },
    Mutant {
        name: "while: a variable that a formula looks at is one's own",
        file: "crates/reduce/src/model_to_model/process_variables.rs",
        original: "let is_seen = |slot: &usize| ‹!seen.locals[id.index()].contains(*slot)›;",
        mutated: "true",
        caught_by: Whiles,
    },
    Mutant {
        name: "smaller: a variable that is sent is sliced",
        file: "crates/reduce/src/model_to_model/slicing.rs",
        original: "self.value(argument, ‹self.relevant.has_field(&types, field)›);",
        mutated: "false",
        caught_by: Test("reductio-reduce", "static_reductions::what_something_depends_on_is_not_sliced"),
    },
    Mutant {
        name: "smaller: a variable that is read in an index is sliced",
        file: "crates/reduce/src/model_to_model/slicing.rs",
        original: "Expr::Read(place) => place.indices.iter().for_each(|index| ‹self.expr(&index.value)›),",
        mutated: "()",
        caught_by: Test("reductio-reduce", "static_reductions::what_something_depends_on_is_not_sliced"),
    },
    Mutant {
        name: "smaller: a variable that another process looks at is sliced",
        file: "crates/reduce/src/model_to_model/slicing.rs",
        original: "let id = ‹Some(*proctype)›;",
        mutated: "self.id.or(Some(*proctype))",
        caught_by: Test("reductio-reduce", "static_reductions::what_something_depends_on_is_not_sliced"),
    },
    Mutant {
        name: "smaller: a message that is matched is sliced",
        file: "crates/reduce/src/model_to_model/slicing.rs",
        original: "matched.for_each(|(field, _)| ‹self.relevant.add_field(&types, field)›);",
        mutated: "()",
        caught_by: Test("reductio-reduce", "static_reductions::what_something_depends_on_is_not_sliced"),
    },
];
