//! Mutants of what a model means and how its states are kept.

use crate::mutants::Mutant;
use crate::mutants::judge::Judge::{self, Programs, Test};

/// What generated programs are to notice: the interpreter, the front end, the stores.
pub const PROGRAMS: &[Mutant] = &[
    Mutant {
        name: "a short is not cut to sixteen bits",
        file: "crates/model/src/expr.rs",
        original: "ValueType::Short => ‹value as i16 as i32›,",
        mutated: "value",
        caught_by: Test("reductio-frontends", "spin_micro::states_and_errors_are_those_of_spin"),
    },
    Mutant {
        name: "unsigned values lose their highest bit",
        file: "crates/model/src/expr.rs",
        original: "(value as u32 & ((1u32 << bits) - 1)) as i32",
        mutated: "(value as u32 & (((1u32 << bits) - 1) >> u32::from(bits > 1))) as i32",
        caught_by: Programs,
    },
    Mutant {
        name: "else is lost",
        file: "crates/model/src/interpreter.rs",
        original: "Guard::Else => ‹!moved›,",
        mutated: "false",
        caught_by: Programs,
    },
    Mutant {
        name: "else does not yield",
        file: "crates/model/src/interpreter.rs",
        original: "Guard::Else => ‹!moved›,",
        mutated: "true",
        caught_by: Programs,
    },
    Mutant {
        name: "an atomic does not let go when it blocks",
        file: "crates/model/src/interpreter.rs",
        original: "(‹atomic && can_go_on()›).then_some(pid)",
        mutated: "atomic",
        caught_by: Programs,
    },
    Mutant {
        name: "an atomic lets go after every step",
        file: "crates/model/src/interpreter.rs",
        original: "(‹atomic && can_go_on()›).then_some(pid)",
        mutated: "false",
        caught_by: Programs,
    },
    Mutant {
        name: "a rendezvous loses its second half",
        file: "crates/model/src/execute.rs",
        original: "self.take(receiver as usize, receiving_edge, mode)?;",
        mutated: "",
        caught_by: Programs,
    },
    Mutant {
        name: "only the first receiver of a rendezvous is considered",
        file: "crates/model/src/interpreter.rs",
        original: "for partner in ‹self.receivers(workspace, pid, channel, &message, mode.moment())?› {",
        mutated: "self.receivers(workspace, pid, channel, &message, mode.moment())?.into_iter().take(1).collect()",
        caught_by: Programs,
    },
    Mutant {
        name: "timeout never comes",
        file: "crates/model/src/interpreter.rs",
        original: "for timeout in ‹[false, true]› {",
        mutated: "[false, false]",
        caught_by: Programs,
    },
    Mutant {
        name: "a receive looks past the first message",
        file: "crates/model/src/evaluate.rs",
        original: "let candidates = if ‹random› { usize::MAX } else { 1 };",
        mutated: "!random",
        caught_by: Programs,
    },
    Mutant {
        name: "a sorted send sorts the other way",
        file: "crates/model/src/execute.rs",
        original: "other > &message[..]",
        mutated: "other < &message[..]",
        caught_by: Programs,
    },
    Mutant {
        name: "a channel has room for one message more",
        file: "crates/model/src/interpreter.rs",
        original: "yes_if(‹context.message_count(channel) < capacity›)",
        mutated: "context.message_count(channel) <= capacity",
        caught_by: Programs,
    },
    Mutant {
        name: "a d_step takes the last option instead of the first",
        file: "crates/model/src/interpreter.rs",
        original: r#"proctype.location(location).edges.iter().copied().find(|&id| {
            let action = proctype.action_of(id);
            matches!(self.executable(workspace, pid, proctype, action, mode, false), Err(_) | Ok(Executable::Yes))
        })"#,
        mutated: r#"proctype.location(location).edges.iter().copied().rfind(|&id| {
            let action = proctype.action_of(id);
            matches!(self.executable(workspace, pid, proctype, action, mode, false), Err(_) | Ok(Executable::Yes))
        })"#,
        caught_by: Programs,
    },
    Mutant {
        name: "an escape has no priority",
        file: "crates/model/src/interpreter.rs",
        original: "if ‹escape > 0 && edge.escape != escape› {",
        mutated: "false",
        caught_by: Programs,
    },
    Mutant {
        name: "a process that is started forgets its priority",
        file: "crates/frontends/src/promela/lower/statements.rs",
        original: "let priority = ‹self.lowering.priority(priority)›;\n        let Some(&proctype)",
        mutated: "self.lowering.priority(priority).min(1)",
        caught_by: Programs,
    },
    Mutant {
        name: "a loop over messages begins with the second",
        file: "crates/frontends/src/promela/lower/loops.rs",
        original: "let first = self.assign_constant(sequence, &place, ‹Expr::Const(0)›, format!",
        mutated: "Expr::Const(1)",
        caught_by: Programs,
    },
    Mutant {
        name: "processes die in any order",
        file: "crates/model/src/interpreter.rs",
        original: "yes_if(‹free && pid + 1 == workspace.process_count()›)",
        mutated: "free",
        caught_by: Programs,
    },
    Mutant {
        name: "the last step of an atomic keeps the right to move",
        file: "crates/frontends/src/promela/lower/flow.rs",
        original: "self.elements[last.0].atomic = ‹false›;",
        mutated: "true",
        caught_by: Programs,
    },
    Mutant {
        name: "a jump out of an atomic is followed",
        file: "crates/frontends/src/promela/lower/flow.rs",
        original: "if ‹atomic && !self.elements[next.0].atomic› {",
        mutated: "false",
        caught_by: Programs,
    },
    Mutant {
        name: "for stops one short",
        file: "crates/frontends/src/promela/lower/loops.rs",
        original: "binary(Binary::LessEqual, read(&place), high)",
        mutated: "binary(Binary::Less, read(&place), high)",
        caught_by: Programs,
    },
    Mutant {
        name: "deadlocks are found only in valid end states",
        file: "crates/explicit/src/worker.rs",
        original: "if ‹!self.expander.may_end(shared.space, key)› {",
        mutated: "self.expander.may_end(shared.space, key)",
        caught_by: Programs,
    },
    Mutant {
        name: "the store takes the hash for the state",
        file: "crates/explicit/src/plain/store.rs",
        original: "if ‹value >> 32 == hash >> 32› {",
        mutated: "{ if value >> 52 == hash >> 52 { return Ok(StateId(value as u32 - 1)); } false }",
        caught_by: Programs,
    },
    Mutant {
        name: "a step forgets that it looked into a channel",
        file: "crates/model/src/workspace.rs",
        original: "fn channel(&self, channel: usize) -> &Channel {\n        ‹self.note(Part::Channel(channel as u8));›",
        mutated: "",
        caught_by: Programs,
    },
    Mutant {
        name: "a step forgets that it counted the processes",
        file: "crates/explicit/src/packed/expander.rs",
        original: "if ‹part != Part::Rights› {",
        mutated: "part != Part::Rights && part != Part::Counts",
        caught_by: Programs,
    },
    Mutant {
        name: "an atomic depends on its first step only",
        file: "crates/explicit/src/packed/expander.rs",
        original: "*mask = union;",
        mutated: "",
        caught_by: Programs,
    },
    Mutant {
        name: "a path starts over with every state",
        file: "crates/explicit/src/path_log.rs",
        original: "parent += distance;",
        mutated: "parent = distance;",
        caught_by: Programs,
    },
    Mutant {
        name: "door: a step that ends the run leads into an atomic",
        file: "crates/model/src/door.rs",
        original: "let stable = ‹ends || workspace.state().exclusive.is_none()›;",
        mutated: "workspace.state().exclusive.is_none()",
        caught_by: DOOR,
    },
    Mutant {
        name: "door: whoever waits for a timeout need not have waited",
        file: "crates/model/src/door.rs",
        original: "return ‹timeout›;",
        mutated: "false",
        caught_by: DOOR,
    },
    Mutant {
        name: "door: nobody knows on another machine whose channel it is",
        file: "crates/model/src/component.rs",
        original: "put(out, ‹channel.owner.map_or(0, |pid| u32::from(pid) + 1)›);",
        mutated: "0",
        caught_by: DOOR,
    },
];

/// The test of what the door promises to engines.
const DOOR: Judge = Test("reductio-frontends", "door::the_door_keeps_its_promises_on_all_models");
