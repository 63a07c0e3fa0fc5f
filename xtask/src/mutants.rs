//! Is the fuzzer any good, and are the tests of infinite runs? Deliberately wrong variants of our own code, each of which
//! must be caught.
//!
//! A mutant is a replacement in one source file. The whole project is copied, the replacement made, the copy built, and
//! its fuzzer run on the same few hundred programs each time: SPIN's answers are asked for once and remembered. What the
//! fuzzer does not look at is left to tests. A mutant whose text is not found exactly once is out of date, and that is a
//! failure, too.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Failure;

struct Mutant {
    /// What it gets wrong.
    name: &'static str,
    file: &'static str,
    original: &'static str,
    mutated: &'static str,
}

const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "a short is not cut to sixteen bits",
        file: "crates/model/src/expr.rs",
        original: "ValueType::Short => value as i16 as i32,",
        mutated: "ValueType::Short => value,",
    },
    Mutant {
        name: "unsigned values lose their highest bit",
        file: "crates/model/src/expr.rs",
        original: "(value as u32 & ((1u32 << bits) - 1)) as i32",
        mutated: "(value as u32 & (((1u32 << bits) - 1) >> u32::from(bits > 1))) as i32",
    },
    Mutant {
        name: "else is lost",
        file: "crates/model/src/interpreter.rs",
        original: "Guard::Else => !moved,",
        mutated: "Guard::Else => moved && false,",
    },
    Mutant {
        name: "else does not yield",
        file: "crates/model/src/interpreter.rs",
        original: "Guard::Else => !moved,",
        mutated: "Guard::Else => moved || true,",
    },
    Mutant {
        name: "an atomic does not let go when it blocks",
        file: "crates/model/src/interpreter.rs",
        original: "(atomic && can_go_on()).then_some(pid)",
        mutated: "(atomic && (can_go_on() || true)).then_some(pid)",
    },
    Mutant {
        name: "an atomic lets go after every step",
        file: "crates/model/src/interpreter.rs",
        original: "(atomic && can_go_on()).then_some(pid)",
        mutated: "(atomic && can_go_on() && pid == 255).then_some(pid)",
    },
    Mutant {
        name: "a rendezvous loses its second half",
        file: "crates/model/src/execute.rs",
        original: "self.take(receiver as usize, receiving_edge, mode)?;",
        mutated: "let _ = (receiver, receiving_edge, mode);",
    },
    Mutant {
        name: "only the first receiver of a rendezvous is considered",
        file: "crates/model/src/interpreter.rs",
        original: "for partner in self.receivers(workspace, pid, channel, &message, mode.moment())? {",
        mutated: "for partner in self.receivers(workspace, pid, channel, &message, mode.moment())?.into_iter().take(1) {",
    },
    Mutant {
        name: "timeout never comes",
        file: "crates/model/src/interpreter.rs",
        original: "for timeout in [false, true] {",
        mutated: "for timeout in [false] {",
    },
    Mutant {
        name: "a receive looks past the first message",
        file: "crates/model/src/evaluate.rs",
        original: "let candidates = if random { usize::MAX } else { 1 };",
        mutated: "let candidates = if random { 1 } else { usize::MAX };",
    },
    Mutant {
        name: "a sorted send sorts the other way",
        file: "crates/model/src/execute.rs",
        original: "other > &message[..]",
        mutated: "other < &message[..]",
    },
    Mutant {
        name: "a channel has room for one message more",
        file: "crates/model/src/interpreter.rs",
        original: "message_count(channel) < capacity",
        mutated: "message_count(channel) <= capacity",
    },
    Mutant {
        name: "a d_step takes the last option instead of the first",
        file: "crates/model/src/interpreter.rs",
        original: "proctype.location(location).edges.iter().copied().find(|&id| {",
        mutated: "proctype.location(location).edges.iter().rev().copied().find(|&id| {",
    },
    Mutant {
        name: "an escape has no priority",
        file: "crates/model/src/interpreter.rs",
        original: "if escape > 0 && edge.escape != escape {",
        mutated: "if escape > 0 && edge.escape != escape && workspace.process_count() > 1000 {",
    },
    Mutant {
        name: "processes die in any order",
        file: "crates/model/src/interpreter.rs",
        original: "Ok(yes_if(free && pid + 1 == workspace.process_count()))",
        mutated: "Ok(yes_if(free))",
    },
    Mutant {
        name: "the last step of an atomic keeps the right to move",
        file: "crates/frontends/src/promela/lower/flow.rs",
        original: "                self.elements[last.0].atomic = false;",
        mutated: "                self.elements[last.0].atomic = true;",
    },
    Mutant {
        name: "a jump out of an atomic is followed",
        file: "crates/frontends/src/promela/lower/flow.rs",
        original: "if atomic && !self.elements[next.0].atomic {",
        mutated: "if atomic && !self.elements[next.0].atomic && self.elements.len() > 10_000 {",
    },
    Mutant {
        name: "for stops one short",
        file: "crates/frontends/src/promela/lower/loops.rs",
        original: "binary(Binary::LessEqual, read(&place), high)",
        mutated: "binary(Binary::Less, read(&place), high)",
    },
    Mutant {
        name: "deadlocks are found only in valid end states",
        file: "crates/explicit/src/worker.rs",
        original: "if !shared.space.interpreter.is_valid_end_state(state) {",
        mutated: "if shared.space.interpreter.is_valid_end_state(state) {",
    },
    Mutant {
        name: "the store takes the hash for the state",
        file: "crates/explicit/src/plain/store.rs",
        original: "if value >> 32 == hash >> 32 {",
        mutated: "if value >> 52 == hash >> 52 {\n                return Ok(StateId(value as u32 - 1));\n            }\n            if value >> 32 == hash >> 32 {",
    },
    Mutant {
        name: "a step forgets that it looked into a channel",
        file: "crates/model/src/workspace.rs",
        original: "fn channel(&self, channel: usize) -> &Channel {\n        self.note(Part::Channel(channel as u8));",
        mutated: "fn channel(&self, channel: usize) -> &Channel {",
    },
    Mutant {
        name: "a step forgets that it counted the processes",
        file: "crates/explicit/src/packed/expander.rs",
        original: "if part != Part::Rights {",
        mutated: "if part != Part::Rights && part != Part::Counts {",
    },
    Mutant {
        name: "an atomic depends on its first step only",
        file: "crates/explicit/src/packed/expander.rs",
        original: "*mask = union;",
        mutated: "let _ = union;",
    },
    Mutant {
        name: "a path starts over with every state",
        file: "crates/explicit/src/path_log.rs",
        original: "parent += distance;",
        mutated: "parent = distance;",
    },
];

/// These are about infinite runs.
const CLAIM_MUTANTS: &[Mutant] = &[
    Mutant {
        name: "claim: marks of acceptance are lost in the product",
        file: "crates/explicit/src/liveness/product.rs",
        original: "marks: Marks::of_edge(edge.marks),",
        mutated: "marks: Marks::of_edge(edge.marks & 0),",
    },
    Mutant {
        name: "claim: a run that ends does not stay where it is",
        file: "crates/explicit/src/liveness/product.rs",
        original: "match nexts.is_empty() && self.stays {",
        mutated: "match nexts.is_empty() && self.stays && matches!(self.agents, Agents::Nobody) {",
    },
    Mutant {
        name: "claim: weak fairness forgets who cannot move",
        file: "crates/explicit/src/liveness/product.rs",
        original: "resting = Marks::of_all_processes().without(moving.fold(Marks::NONE, Marks::union));",
        mutated: "resting = Marks::NONE.without(moving.fold(Marks::NONE, Marks::union));",
    },
    Mutant {
        name: "claim: the automaton reads the state after the first step",
        file: "crates/explicit/src/liveness/product.rs",
        original: "self.valuations.get(&mut self.expander, &self.space, key)?",
        mutated: "self.valuations.get(&mut self.expander, &self.space, nexts.first().map_or(key, |next| &next.key))?",
    },
];

/// What generated programs seldom tell is left to tests.
const MUTANTS_OF_INFINITE_RUNS: &[Mutant] = &[
    Mutant {
        name: "cycles: no nested search where an accepting step leads to a known state",
        file: "crates/explicit/src/liveness/nested.rs",
        original: "Colour::Blue if accepting => self.dfs_red(run, place, next.event),",
        mutated: "Colour::Blue if accepting => Ok(()),",
    },
    Mutant {
        name: "cycles: a step passes one copy too many",
        file: "crates/explicit/src/liveness/choueka.rs",
        original: "Some(passed) => (CopyId((from + passed) as u8), false),",
        mutated: "Some(passed) => (CopyId(((from + passed + 1) % self.conditions.len()) as u8), false),",
    },
    Mutant {
        name: "cycles: an atomic makes the operations of others impossible",
        file: "crates/explicit/src/liveness/operation_justice.rs",
        original: "able.contains(agent) || product.is_kept(*agent, key)",
        mutated: "able.contains(agent) || (product.is_kept(*agent, key) && component.is_empty())",
    },
    Mutant {
        name: "cycles: with fairness, a failed assertion in an atomic ends the run",
        file: "crates/explicit/src/packed/expander.rs",
        original: "ends || (self.runs_on && !stable)",
        mutated: "ends || !stable",
    },
    Mutant {
        name: "cycles: strong fairness is weak",
        file: "crates/explicit/src/liveness/components.rs",
        original: "matches!(fairness, Fairness::None | Fairness::Weak)",
        mutated: "matches!(fairness, Fairness::None | Fairness::Weak | Fairness::Strong)",
    },
];

/// Models that are made smaller are compared with what they were by tests of their own.
const MUTANTS_OF_SMALLER_MODELS: &[Mutant] = &[
    Mutant {
        name: "smaller: a read does not keep a variable alive",
        file: "crates/reduce/src/model_to_model/dead_variables.rs",
        original: "            live.join(&self.own.variables(place).0);",
        mutated: "            live.join(&Set::from(0..usize::from(place.base > 1_000_000)));",
    },
    Mutant {
        name: "smaller: whatever may be written is taken to be",
        file: "crates/reduce/src/model_to_model/dead_variables.rs",
        original: "        if exactly {",
        mutated: "        if exactly || !variables.is_empty() {",
    },
    Mutant {
        name: "smaller: a variable that a property looks at is dead",
        file: "crates/reduce/src/model_to_model/own.rs",
        original: "users[*slot] == [id] && !seen.globals.contains(*slot)",
        mutated: "users[*slot] == [id]",
    },
    Mutant {
        name: "smaller: what several processes share is one's own",
        file: "crates/reduce/src/model_to_model/own.rs",
        original: "let is_single = has_one_process(model, id, 0);",
        mutated: "let is_single = has_one_process(model, id, 0) || !model.initial.is_empty();",
    },
    Mutant {
        name: "smaller: a free choice is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "some_holds && pairs.all(|(one, other)| exclude_each_other(one, other))",
        mutated: "some_holds && pairs.all(|(one, other)| exclude_each_other(one, other) || one != other)",
    },
    Mutant {
        name: "smaller: what may block is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "            [Expr::Const(value)] => *value != 0,",
        mutated: "            [_] => true,",
    },
    Mutant {
        name: "smaller: a label that somebody looks at is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "all.filter(|id| is_unseen(id) && self.is_quiet(*id))",
        mutated: "all.filter(|id| (is_unseen(id) || id.0 > 0) && self.is_quiet(*id))",
    },
    Mutant {
        name: "smaller: what may go wrong is passed",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "!more && cannot_fail(expr) && variables",
        mutated: "!more && variables",
    },
    Mutant {
        name: "smaller: a path begins with an else that does not see the others",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "Some((id, Some(self.without_else(id)?)))",
        mutated: "Some((id, None))",
    },
    Mutant {
        name: "smaller: who is ready to receive does not matter",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "    let at = model.proctypes.iter().find_map(|proctype| looks_for_a_receiver(model, proctype))?;",
        mutated: "    let at = model.proctypes.iter().skip(255).find_map(|proctype| looks_for_a_receiver(model, proctype))?;",
    },
    Mutant {
        name: "smaller: a formula that counts steps is checked on paths",
        file: "crates/reduce/src/model_to_model/mod.rs",
        original: "        if !claim.stutters {",
        mutated: "        if !claim.stutters && claim.name.is_empty() {",
    },
    Mutant {
        name: "smaller: fairness does not matter to paths",
        file: "crates/reduce/src/model_to_model/mod.rs",
        original: "if request.fairness != Fairness::None {",
        mutated: "if request.fairness != Fairness::None && claim.name.is_empty() {",
    },
    Mutant {
        name: "smaller: what others may change tells that a variable is dead",
        file: "crates/reduce/src/model_to_model/partially_dead.rs",
        original: "!reads.more && cannot_fail(condition) && reads.variables.iter().all(is_own)",
        mutated: "!reads.more && cannot_fail(condition) && (reads.variables.iter().all(is_own) || !self.live.is_empty())",
    },
    Mutant {
        name: "smaller: whatever is received, a variable stays dead",
        file: "crates/reduce/src/model_to_model/partially_dead.rs",
        original: "if self.own.reads(&condition).variables.meets(&written) { NEVER } else { condition }",
        mutated: "condition",
    },
    Mutant {
        name: "smaller: a cycle is closed without looking at dead variables",
        file: "crates/reduce/src/model_to_model/lift.rs",
        original: "turns.iter().find(|(state, _)| *state == self.here)",
        mutated: "turns.iter().find(|(state, _)| state.is_some())",
    },
    Mutant {
        name: "smaller: nobody sees that a process comes to a label",
        file: "crates/reduce/src/model_to_model/path_reduction.rs",
        original: "        let is_unseen = |id: &LocationId| !seen.contains(id) && !leads_to_seen(id);",
        mutated: "        let is_unseen = |id: &LocationId| !seen.contains(id) && (!leads_to_seen(id) || seen.len() > 0);",
    },
];

/// Mistakes about what may be left out.
const MUTANTS_OF_PARTIAL_ORDERS: &[Mutant] = &[
    Mutant {
        name: "orders: a process is ignored for ever",
        file: "crates/explicit/src/ignoring.rs",
        original: "        if !self.exchanges && root.movers.is_within(root.chosen) {",
        mutated: "        if root.movers.is_within(root.chosen) || root.number < 1_000_000 {",
    },
    Mutant {
        name: "orders: steps depend only on what others write",
        file: "crates/reduce/src/facts/access.rs",
        original: "        own.reads.join(&step.writes);",
        mutated: "        own.reads.join(&Set::default());",
    },
    Mutant {
        name: "orders: what could make a step possible is forgotten",
        file: "crates/reduce/src/facts/situation.rs",
        original: "                    concerns.add_uses(&SENDS, &channels);",
        mutated: "                    concerns.add_uses(&[], &channels);",
    },
    Mutant {
        name: "orders: what makes room is forgotten",
        file: "crates/reduce/src/facts/situation.rs",
        original: "            concerns.add_uses(uses, &channels);",
        mutated: "            concerns.add_uses(&uses[..0], &channels);",
    },
    Mutant {
        name: "orders: nobody can tell who has gone",
        file: "crates/reduce/src/facts/numbers.rs",
        original: "            result.is_some() || flows.any(",
        mutated: "            flows.any(",
    },
    Mutant {
        name: "orders: nobody can tell how many there are",
        file: "crates/reduce/src/facts/numbers.rs",
        original: "            Expr::ProcessCount\n            | Expr::Last",
        mutated: "            Expr::ProcessCount => false,\n            Expr::Last",
    },
    Mutant {
        name: "orders: whoever ends takes no channel along",
        file: "crates/reduce/src/facts/steps.rs",
        original: "own.iter().for_each(|own| self.accesses.use_channels(Use::Destroy, own));",
        mutated: "own.iter().for_each(|_| {});",
    },
    Mutant {
        name: "orders: a channel is as good as new",
        file: "crates/reduce/src/facts/steps.rs",
        original: "            (_, Some(argument)) => reader.constant_channel(argument),",
        mutated: "            (_, Some(_)) => Some(Constant::NewChannel),",
    },
    Mutant {
        name: "orders: whoever goes does not wait for those who use its channels",
        file: "crates/explicit/src/packed/selector.rs",
        original: "    if row.vanishes && !others.is_empty() { Processes::ALL } else { others }",
        mutated: "    if row.vanishes { Processes::NONE } else { others }",
    },
    Mutant {
        name: "orders: a send does not spoil the room",
        file: "crates/reduce/src/facts/access.rs",
        original: "            Use::SpoiltBySend => &[Use::Send, Use::SortedSend, Use::Destroy],",
        mutated: "            Use::SpoiltBySend => &[Use::Destroy],",
    },
    Mutant {
        name: "orders: what is known lasts where others move",
        file: "crates/reduce/src/facts/assured.rs",
        original: "        let mut known = if self.goes_on(proctype, edge.from) { self.clone() } else { Knowledge::default() };",
        mutated: "        let mut known = self.clone();",
    },
    Mutant {
        name: "orders: a message can be taken twice",
        file: "crates/reduce/src/facts/assured.rs",
        original: "            Some(Communication::Receive { .. }) => known.with_message.clear(),",
        mutated: "            Some(Communication::Receive { .. }) => {}",
    },
    Mutant {
        name: "orders: a step that a formula sees is chosen alone",
        file: "crates/reduce/src/on_the_fly/stubborn.rs",
        original: "        !self.movers.meets(seen)",
        mutated: "        !self.movers.meets(seen) || self.movers.len() == 1",
    },
    Mutant {
        name: "orders: a choice closes a cycle",
        file: "crates/explicit/src/liveness/components.rs",
        original: "if !moves.iter().any(|next| !next.can_wait && is_live(&next.key)) {",
        mutated: "if !moves.iter().any(|next| next.can_wait && !next.can_wait && is_live(&next.key)) {",
    },
    Mutant {
        name: "orders: who sleeps is not woken by what depends on it",
        file: "crates/reduce/src/on_the_fly/sleep.rs",
        original: "self.sleep.union(self.explored).without(dependent.union(self.unreliable))",
        mutated: "self.sleep.union(self.explored).without(if dependent.len() > 1 { self.unreliable } else { dependent })",
    },
    Mutant {
        name: "orders: a state that is reached again is not expanded again",
        file: "crates/reduce/src/on_the_fly/sleep.rs",
        original: "        if self.sleep.is_within(sleep) {",
        mutated: "        if self.sleep.is_within(sleep) || !self.open {",
    },
];

/// What exchanges processes, which its own tests look at.
const MUTANTS_OF_SYMMETRY: &[Mutant] = &[
    Mutant {
        name: "symmetry: constants are not renamed",
        file: "crates/reduce/src/facts/symmetry/terms.rs",
        original: "            let image = self.image(meaning, ty.truncate(constant));",
        mutated: "            let image = ty.truncate(constant);",
    },
    Mutant {
        name: "symmetry: constants do not matter",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "        compared(&self.start.constants_of(last), &self.start.constants_of(&image))?;",
        mutated: "        let _ = compared(&self.start.constants_of(last), &self.start.constants_of(&image));",
    },
    Mutant {
        name: "symmetry: the least turn is not taken",
        file: "crates/reduce/src/on_the_fly/representative.rs",
        original: "            match least.is_empty() || sequence < found {",
        mutated: "            match least.is_empty() {",
    },
    Mutant {
        name: "symmetry: programs do not matter",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "                    if text != other {",
        mutated: "                    if text.len() != other.len() {",
    },
    Mutant {
        name: "symmetry: properties do not matter",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "        self.check_atoms(permutation)?;",
        mutated: "        let _ = self.check_atoms(permutation);",
    },
    Mutant {
        name: "symmetry: one may calculate with names",
        file: "crates/reduce/src/facts/symmetry/terms.rs",
        original: "        if self.is_moved(term.meaning) {
            return Err(\"calculates",
        mutated: "        if self.is_moved(term.meaning) && term.total && !term.total {
            return Err(\"calculates",
    },
    Mutant {
        name: "symmetry: whoever can end can be exchanged",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "            if let Some(broken) = self.end_of(column) {",
        mutated: "            if let Some(broken) = self.end_of(column).filter(|_| column == Column::MAX) {",
    },
    Mutant {
        name: "symmetry: messages keep their names",
        file: "crates/reduce/src/on_the_fly/symmetry.rs",
        original: "fields.map(|(&value, meaning)| self.value_image(meaning, permutation, value));",
        mutated: "fields.map(|(&value, _)| value);",
    },
    Mutant {
        name: "symmetry: variables of a process keep their names",
        file: "crates/reduce/src/on_the_fly/symmetry.rs",
        original: "let value = self.value_image(slots.meanings[slot as usize], permutation, value);",
        mutated: "let _ = slots.meanings[slot as usize];",
    },
    Mutant {
        name: "symmetry: ties are not broken",
        file: "crates/reduce/src/on_the_fly/representative.rs",
        original: "            if best.as_ref().is_none_or(|(least, _)| sum < *least) {",
        mutated: "            if best.as_ref().is_none_or(|(least, _)| sum < *least && number > orders) {",
    },
    Mutant {
        name: "symmetry: exchanged too early",
        file: "crates/reduce/src/on_the_fly/symmetry.rs",
        original: "        state.processes.len() >= self.processes",
        mutated: "        state.processes.len() + 1 >= self.processes",
    },
    Mutant {
        name: "symmetry: runs are not renamed",
        file: "crates/explicit/src/exchanged.rs",
        original: "permutation: self.permutation.after(&exchange.inverse())",
        mutated: "permutation: self.permutation.after(&exchange)",
    },
    Mutant {
        name: "symmetry: options that are alike are not both reached",
        file: "crates/explicit/src/search.rs",
        original: "            coverage.share(&found.alike);\n        }\n        let limit = match plan.store() {",
        mutated: "            coverage.share(&found.alike[..0]);\n        }\n        let limit = match plan.store() {",
    },
    Mutant {
        name: "symmetry: nobody becomes another",
        file: "crates/explicit/src/liveness/exchanges.rs",
        original: "        self.images[exchange.0 as usize].get(",
        mutated: "        self.images[exchange.0.min(0) as usize].get(",
    },
    Mutant {
        name: "symmetry: one is served for all",
        file: "crates/explicit/src/liveness/exchanges.rs",
        original: "        (0..processes).all(|process| {",
        mutated: "        processes == 0 || (0..processes).any(|process| {",
    },
    Mutant {
        name: "symmetry: atoms change places whatever the claim says of them",
        file: "crates/reduce/src/facts/symmetry/mod.rs",
        original: "            Some(claim) if is_left_alone(claim, &images) => Ok(()),",
        mutated: "            Some(claim) if is_left_alone(claim, &images) || !images.is_empty() => Ok(()),",
    },
];

/// What generated while-programs are to notice.
const WHILE_MUTANTS: &[Mutant] = &[
    Mutant {
        name: "while: what is assigned does not change what is dead",
        file: "crates/reduce/src/model_to_model/partially_dead.rs",
        original: "Op::Assign(place, value) => Substitution { place, value: cut(value, place.ty)? }.apply(&condition)?,",
        mutated: "Op::Assign(place, value) => {
                    let _ = Substitution { place, value: cut(value, place.ty)? };
                    condition
                }",
    },
    Mutant {
        name: "while: a variable that a formula looks at is one's own",
        file: "crates/reduce/src/model_to_model/own.rs",
        original: "let is_seen = |slot: &usize| !seen.locals[id.index()].contains(*slot);",
        mutated: "let is_seen = |slot: &usize| !seen.locals[id.index()].contains(*slot + 1_000_000);",
    },
];

/// Answers what was found out about the mutant in a copy of the project.
type Judge = fn(&Path) -> Result<Option<String>, Failure>;

/// The same programs for every mutant.
/// Wrong relations, fixpoints and files, for the tests that compare diagrams with states one by one.
const MUTANTS_OF_CIRCUITS: &[Mutant] = &[
    Mutant {
        name: "a part of a relation is used without what it looks at",
        file: "crates/symbolic/src/dynamic_relations.rs",
        original: "pending.extend(&self.needs[part]);",
        mutated: "let _ = &self.needs[part];",
    },
    Mutant {
        name: "constraints are left out of a relation",
        file: "crates/symbolic/src/dynamic_relations.rs",
        original: "filter(|part| parts[*part].defines.is_none())",
        mutated: "filter(|part| parts[*part].defines.is_none() && false)",
    },
    Mutant {
        name: "an image is free where it is not looked at",
        file: "crates/symbolic/src/dynamic_relations.rs",
        original: "        manager.and(&here, &elsewhere)\n",
        mutated: "        let _ = elsewhere;\n        Ok(here)\n",
    },
    Mutant {
        name: "a bit is quantified while it is still looked at",
        file: "crates/symbolic/src/relation.rs",
        original: "last[bit.index()] = Some(products.len());",
        mutated: "last[bit.index()].get_or_insert(products.len());",
    },
    Mutant {
        name: "compassion is forgotten",
        file: "crates/symbolic/src/fair_ctl.rs",
        original: "left = manager.or(&manager.minus(&left, often)?, &meets)?;",
        mutated: "let _ = (often, meets);",
    },
    Mutant {
        name: "fair runs are looked for once",
        file: "crates/symbolic/src/fair_ctl.rs",
        original: "if left == before {",
        mutated: "if left == before || !before.is_false() {",
    },
    Mutant {
        name: "a next state need not be fair",
        file: "crates/symbolic/src/ctl.rs",
        original: "self.space.pred(&manager.and(set, &self.fair)?)?",
        mutated: "self.space.pred(set)?",
    },
    Mutant {
        name: "bits stand for values that there are not",
        file: "crates/symbolic/src/encode.rs",
        original: "if size == 1 << bits.len() {",
        mutated: "if size <= 1 << bits.len() {",
    },
    Mutant {
        name: "states from a file need not hold the initial ones",
        file: "crates/symbolic/src/space.rs",
        original: "if !self.manager().minus(&self.initial, set)?.is_false() {",
        mutated: "if set.is_false() && set.is_true() {",
    },
    Mutant {
        name: "a run may leave the states from a file",
        file: "crates/symbolic/src/space.rs",
        original: "(!outside.is_false()).then_some(NoStates::NotClosed)",
        mutated: "(!outside.is_false() && outside.is_true()).then_some(NoStates::NotClosed)",
    },
    Mutant {
        name: "the opposite of a node is read as the node",
        file: "crates/symbolic/src/bdd/files.rs",
        original: ".map(|node| (node, number < 0))",
        mutated: ".map(|node| (node, false))",
    },
    Mutant {
        name: "the past begins with what was not",
        file: "crates/frontends/src/smv/lower/past.rs",
        original: "matches!(operator, Ltl1::WeakPrevious | Ltl1::Historically)",
        mutated: "matches!(operator, Ltl1::WeakPrevious | Ltl1::Once)",
    },
];

const PROGRAMS: &[&str] = &["--count", "600", "--seed", "20000"];
const WHILE_PROGRAMS: &[&str] = &["while", "--count", "1000", "--seed", "20000"];
const CLAIMS: &[&str] = &["claims", "--count", "150", "--seed", "20000"];

/// Which mutants to look at.
pub enum Choice<'a> {
    /// Those whose names contain the word.
    Named(&'a str),
    /// Every eighth, others every day.
    OfToday,
}

impl Choice<'_> {
    fn includes(&self, number: usize, mutant: &Mutant) -> bool {
        match self {
            Choice::Named(word) => mutant.name.contains(word),
            Choice::OfToday => number as u64 % 8 == today() % 8,
        }
    }
}

/// Days since some day.
fn today() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs() / 86_400)
}

pub fn run(choice: &Choice<'_>) -> Result<(), Failure> {
    let tree = Path::new("target/mutants/tree");
    copy_project(tree)?;
    let (mut caught, mut survivors) = (0, Vec::new());
    let judges: [(&[Mutant], Judge); 8] = [
        (MUTANTS, |tree| fuzz(tree, PROGRAMS)),
        (CLAIM_MUTANTS, |tree| fuzz(tree, CLAIMS)),
        (WHILE_MUTANTS, |tree| fuzz(tree, WHILE_PROGRAMS)),
        (MUTANTS_OF_INFINITE_RUNS, test_infinite_runs),
        (MUTANTS_OF_PARTIAL_ORDERS, test_partial_orders),
        (MUTANTS_OF_SYMMETRY, test_symmetry),
        (MUTANTS_OF_SMALLER_MODELS, test_smaller_models),
        (MUTANTS_OF_CIRCUITS, test_circuits),
    ];
    for (mutants, judge) in judges {
        let chosen = mutants.iter().enumerate().filter(|(number, mutant)| choice.includes(*number, mutant));
        let chosen: Vec<&Mutant> = chosen.map(|(_, mutant)| mutant).collect();
        if chosen.is_empty() {
            continue;
        }
        println!("mutants: the unchanged project first");
        if let Some(finding) = judge(tree)? {
            return Err(Failure(format!("the unchanged project does not pass: {finding}")));
        }
        for mutant in chosen {
            match mutate(mutant, tree, judge)? {
                Some(finding) => {
                    println!("caught: {} ({finding})", mutant.name);
                    caught += 1;
                }
                None => {
                    println!("SURVIVED: {}", mutant.name);
                    survivors.push(mutant.name);
                }
            }
        }
    }
    println!("mutants: {caught} caught, {} survived", survivors.len());
    if survivors.is_empty() { Ok(()) } else { Err(Failure(format!("survived: {}", survivors.join("; ")))) }
}

/// What is found out about one.
fn mutate(mutant: &Mutant, tree: &Path, judge: Judge) -> Result<Option<String>, Failure> {
    let path = tree.join(mutant.file);
    let original = fs::read_to_string(mutant.file)?;
    if original.matches(mutant.original).count() != 1 {
        let message = format!("mutant `{}` is out of date: its text is not once in {}", mutant.name, mutant.file);
        return Err(Failure(message));
    }
    fs::write(&path, original.replace(mutant.original, mutant.mutated))?;
    let finding = judge(tree);
    fs::write(&path, original)?;
    finding
}

/// Copies what is needed to build, leaving files alone that have not changed, so that little is built anew.
fn copy_project(tree: &Path) -> Result<(), Failure> {
    for name in ["Cargo.toml", "Cargo.lock"] {
        copy(Path::new(name), &tree.join(name))?;
    }
    for name in [".cargo", "crates", "testdata", "xtask"] {
        copy_directory(Path::new(name), &tree.join(name))?;
    }
    Ok(())
}

fn copy_directory(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() { copy_directory(&source, &target)? } else { copy(&source, &target)? }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let contents = fs::read(from)?;
    if fs::read(to).ok().as_ref() != Some(&contents) {
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(to, contents)?;
    }
    Ok(())
}

/// Builds the copy and runs its fuzzer; answers what it found. Panics and endless loops are findings, too.
fn fuzz(tree: &Path, campaign: &[&str]) -> Result<Option<String>, Failure> {
    crate::spin::install()?;
    crate::run(Command::new("cargo").args(["build", "--quiet", "--package", "xtask"]).current_dir(tree))?;
    let output = Command::new("timeout")
        .args(["300", "target/debug/xtask", "fuzz"])
        .args(campaign)
        .args(["--first-only", "1"])
        .current_dir(tree)
        .output()?;
    if output.status.success() {
        return Ok(None);
    }
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = complaint.lines().find(|line| line.starts_with("xtask: ")).or(complaint.lines().next());
    Ok(Some(first.unwrap_or(NO_ANSWER).trim_start_matches("xtask: ").to_owned()))
}

const NO_ANSWER: &str = "no answer in five minutes";

fn test_infinite_runs(tree: &Path) -> Result<Option<String>, Failure> {
    test(tree, "reductio", &["emptiness::", "infinite_runs::"])
}

fn test_partial_orders(tree: &Path) -> Result<Option<String>, Failure> {
    test(tree, "reductio", &["partial_orders::"])
}

fn test_symmetry(tree: &Path) -> Result<Option<String>, Failure> {
    test(tree, "reductio", &["symmetry::"])
}

fn test_smaller_models(tree: &Path) -> Result<Option<String>, Failure> {
    test(tree, "reductio", &["static_reductions::"])
}

fn test_circuits(tree: &Path) -> Result<Option<String>, Failure> {
    test(tree, "reductio-symbolic", &[])
}

/// Builds the copy and runs some of the tests of a package; answers which of them fail.
fn test(tree: &Path, package: &str, which: &[&str]) -> Result<Option<String>, Failure> {
    let tests = ["test", "--quiet", "--package", package, "--test", "all"];
    crate::run(Command::new("cargo").args(tests).arg("--no-run").current_dir(tree))?;
    let run = ["300", "cargo"].iter().chain(&tests).chain(&["--no-fail-fast", "--"]).chain(which);
    let output = Command::new("timeout").args(run).current_dir(tree).output()?;
    if output.status.success() {
        return Ok(None);
    }
    let report = String::from_utf8_lossy(&output.stdout).into_owned();
    // The names of those that fail are listed at the end, each on a line of its own.
    let mut failed: Vec<&str> = report.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    failed.retain(|name| {
        !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "_:".contains(letter))
    });
    Ok(Some(if failed.is_empty() { NO_ANSWER.to_owned() } else { failed.join(", ") }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is to be replaced is there, once.
    #[test]
    fn mutants_are_of_this_code() {
        let groups = [
            MUTANTS,
            CLAIM_MUTANTS,
            WHILE_MUTANTS,
            MUTANTS_OF_INFINITE_RUNS,
            MUTANTS_OF_PARTIAL_ORDERS,
            MUTANTS_OF_SYMMETRY,
            MUTANTS_OF_SMALLER_MODELS,
            MUTANTS_OF_CIRCUITS,
        ];
        for mutant in groups.into_iter().flatten() {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(mutant.file);
            let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", mutant.file));
            assert_eq!(text.matches(mutant.original).count(), 1, "{}, in {}", mutant.name, mutant.file);
        }
    }
}
