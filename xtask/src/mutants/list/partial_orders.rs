//! Mutants of partial order reduction.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::{Programs, Test};

/// Mistakes about what may be left out.
pub const PARTIAL_ORDERS: &[Mutant] = &[
    Mutant {
        name: "orders: any automaton is read on the fly",
        file: "crates/reduce/src/partial_order.rs",
        original: "if ‹!decides_early && !claim.violations.tgba().is_some_and(|tgba| has_normal_form(&tgba))› {",
        mutated: "false",
        caught_by: Test("reductio-explicit", "on_the_fly::the_engine_loses_no_run"),
    },
    Mutant {
        name: "orders: no letter need be read twice",
        file: "crates/logic/src/buchi/normal_form.rs",
        original: "‹closure.may_be_two(state, edge)› && closure.may_be_one(state, edge)",
        mutated: "true",
        caught_by: Test("reductio-frontends", "claims::claims_that_do_not_count_stutter"),
    },
    Mutant {
        name: "orders: no repetition need be left out",
        file: "crates/logic/src/buchi/normal_form.rs",
        original: "closure.may_be_two(state, edge) && ‹closure.may_be_one(state, edge)›",
        mutated: "true",
        caught_by: Test("reductio-frontends", "claims::claims_that_do_not_count_stutter"),
    },
    Mutant {
        name: "orders: a process is ignored forever",
        file: "crates/explicit/src/proviso.rs",
        original: "if ‹!self.exchanges && root.movers.is_within(root.chosen)› {",
        mutated: "true",
        caught_by: Test("reductio-reduce", "partial_orders::formulas_keep_what_they_see"),
    },
    Mutant {
        name: "orders: steps depend only on what others write",
        file: "crates/reduce/src/facts/access.rs",
        original: "own.reads.join(&step.writes);",
        mutated: "",
        caught_by: Test("reductio-reduce", "partial_orders::readers_and_writers_keep_their_order"),
    },
    Mutant {
        name: "orders: what could make a step possible is forgotten",
        file: "crates/reduce/src/facts/situation.rs",
        original: "concerns.add_uses(&SENDS, &channels);",
        mutated: "concerns.add_uses(&[], &channels);",
        caught_by: Test("reductio-reduce", "partial_orders::questions_to_channels_keep_their_order"),
    },
    Mutant {
        name: "orders: what makes room is forgotten",
        file: "crates/reduce/src/facts/situation.rs",
        original: "concerns.add_uses(‹uses›, &channels);",
        mutated: "&uses[..0]",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_asked_long_ago_may_wait"),
    },
    Mutant {
        name: "orders: nobody can tell who has gone",
        file: "crates/reduce/src/facts/pid_visibility.rs",
        original: "‹result.is_some()› || flows.any(",
        mutated: "false",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_ended_goes_when_nobody_can_tell"),
    },
    Mutant {
        name: "orders: nobody can tell how many there are",
        file: "crates/reduce/src/facts/pid_visibility.rs",
        original: "            | Expr::At { .. }\n            | Expr::Remote { .. } => ‹true›,",
        mutated: "!matches!(expr, Expr::ProcessCount)",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_ended_goes_when_nobody_can_tell"),
    },
    Mutant {
        name: "orders: whoever ends takes no channel along",
        file: "crates/reduce/src/facts/steps.rs",
        original: "own.iter().for_each(|own| self.accesses.use_channels(Use::Destroy, own));",
        mutated: "",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_ended_goes_when_nobody_can_tell"),
    },
    Mutant {
        name: "orders: a channel is as good as new",
        file: "crates/reduce/src/facts/steps.rs",
        original: "(_, Some(argument)) => ‹reader.constant_channel(argument)›,",
        mutated: "Some(Constant::NewChannel)",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_is_to_come_knows_channels"),
    },
    Mutant {
        name: "orders: whoever goes does not wait for those who use its channels",
        file: "crates/explicit/src/packed/selector.rs",
        original: "if row.vanishes && ‹!others.is_empty()› { Processes::ALL } else { others }",
        mutated: "{ others = Processes::NONE; false }",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_ended_goes_when_nobody_can_tell"),
    },
    Mutant {
        name: "orders: a send does not spoil the room",
        file: "crates/reduce/src/facts/access.rs",
        original: "Use::SpoiltBySend => ‹&[Use::Send, Use::SortedSend, Use::Destroy]›,",
        mutated: "&[Use::Destroy]",
        caught_by: Test("reductio-reduce", "partial_orders::questions_to_channels_keep_their_order"),
    },
    Mutant {
        name: "orders: what is known lasts where others move",
        file: "crates/reduce/src/facts/uninterrupted_atomics.rs",
        original: "let mut known = if ‹self.goes_on(proctype, edge.from)› { self.clone() } else { Knowledge::default() };",
        mutated: "true",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_asked_long_ago_may_wait"),
    },
    Mutant {
        name: "orders: a message can be taken twice",
        file: "crates/reduce/src/facts/uninterrupted_atomics.rs",
        original: "Some(Communication::Receive { .. }) => ‹known.with_message.clear()›,",
        mutated: "()",
        caught_by: Test("reductio-reduce", "partial_orders::whoever_asked_long_ago_may_wait"),
    },
    Mutant {
        name: "orders: a step that a formula sees is chosen alone",
        file: "crates/reduce/src/on_the_fly/ample.rs",
        original: "        ‹!self.movers.meets(seen)›\n",
        mutated: "!self.movers.meets(seen) || self.movers.len() == 1",
        caught_by: Test("reductio-reduce", "partial_orders::formulas_keep_what_they_see"),
    },
    Mutant {
        name: "orders: a choice closes a cycle",
        file: "crates/explicit/src/liveness/components.rs",
        original: "if !moves.iter().any(|next| ‹!next.can_wait && is_live(&next.key)›) {",
        mutated: "false",
        caught_by: Test("reductio-reduce", "partial_orders::formulas_keep_what_they_see"),
    },
    Mutant {
        name: "orders: who sleeps is not woken by what depends on it",
        file: "crates/reduce/src/on_the_fly/sleep.rs",
        original: "self.sleep.union(self.explored).without(‹dependent.union(self.unreliable)›)",
        mutated: "if dependent.len() > 1 { self.unreliable } else { dependent }",
        caught_by: Test("reductio-reduce", "partial_orders::readers_and_writers_keep_their_order"),
    },
    Mutant {
        name: "orders: a state that is reached again is not expanded again",
        file: "crates/reduce/src/on_the_fly/sleep.rs",
        original: "        if ‹self.sleep.is_within(sleep)› {",
        mutated: "self.sleep.is_within(sleep) || !self.open",
        caught_by: Test("reductio-reduce", "partial_orders::the_pipeline_is_as_small_as_printed"),
    },
    Mutant {
        name: "orders: one label of a property is as good as another",
        file: "crates/reduce/src/facts/visibility.rs",
        original: "if ‹!carriers.is_empty() && !self.labels[proctype].contains(&carriers)› {",
        mutated: "{
            match self.labels[proctype].first_mut() {
                Some(all) => all.join(&carriers),
                None => self.labels[proctype].push(carriers.clone()),
            }
            false
        }",
        caught_by: Programs,
    },
    Mutant {
        name: "orders: only the first label of a property is seen",
        file: "crates/reduce/src/facts/visibility.rs",
        original: "if !carriers.is_empty() && ‹!self.labels[proctype].contains(&carriers)› {",
        mutated: "self.labels[proctype].is_empty()",
        caught_by: Programs,
    },
    Mutant {
        name: "orders: local variables of a property are not seen",
        file: "crates/reduce/src/facts/visibility.rs",
        original: "each_slot(place, &|_| None, &mut |slot| self.locals[proctype.index()].insert(slot));",
        mutated: "",
        caught_by: Programs,
    },
    Mutant {
        name: "orders: channels of a property are not seen",
        file: "crates/reduce/src/facts/visibility.rs",
        original: "self.channels.join(&Reader::of_the_whole_state(facts).channels(channel));",
        mutated: "",
        caught_by: Programs,
    },
    Mutant {
        name: "orders: progress is not seen",
        file: "crates/reduce/src/facts/visibility.rs",
        original: "_ => ‹proctype.locations[*index].progress›,",
        mutated: "false",
        caught_by: Programs,
    },
];
