//! Circuits of any size, as SMV texts.

use std::fmt::Write;

/// A family of circuits, and the sizes that are measured.
pub struct Family {
    pub name: &'static str,
    pub sizes: &'static [usize],
    pub text: fn(usize) -> String,
}

pub const FAMILIES: [Family; 6] = [
    Family { name: "arbiter", sizes: &[8, 10, 12], text: arbiter },
    Family { name: "philosophers", sizes: &[8, 9, 10], text: philosophers },
    Family { name: "fifo", sizes: &[10, 13, 16], text: fifo },
    Family { name: "counters", sizes: &[100, 200, 400], text: counters },
    Family { name: "pipeline", sizes: &[40, 80, 160], text: pipeline },
    Family { name: "cache", sizes: &[5, 6, 7], text: cache },
];

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    writeln!(text, "{words}").expect("strings take everything");
}

/// A token goes round a ring of cells that ask for a resource and hold it for a while.
fn arbiter(size: usize) -> String {
    let mut text = "MODULE cell(token)\nIVAR ask : boolean; done : boolean;\nVAR state : {idle, waiting, using};\nASSIGN\n  \
        init(state) := idle;\n  next(state) := case\n    state = idle & ask : waiting;\n    state = waiting & token : using;\n    \
        state = using & done : idle;\n    TRUE : state;\n  esac;\nFAIRNESS done\nMODULE main\nVAR\n"
        .to_owned();
    line(&mut text, format_args!("  token : array 0..{} of boolean;", size - 1));
    for cell in 0..size {
        line(&mut text, format_args!("  c{cell} : cell(token[{cell}]);"));
    }
    text += "ASSIGN\n";
    for cell in 0..size {
        let before = (cell + size - 1) % size;
        line(&mut text, format_args!("  init(token[{cell}]) := {};", if cell == 0 { "TRUE" } else { "FALSE" }));
        // It stays with whoever uses the resource or is about to.
        line(
            &mut text,
            format_args!(
                "  next(token[{cell}]) := token[{cell}] & c{cell}.state != idle | token[{before}] & c{before}.state = idle;"
            ),
        );
    }
    line(&mut text, format_args!("INVARSPEC !(c0.state = using & c{}.state = using)", size / 2));
    line(&mut text, format_args!("SPEC AG (c{}.state = waiting -> AF c{}.state = using)", size - 1, size - 1));
    text += "SPEC AG EF c0.state = using\n";
    text
}

/// Philosophers that take the left fork first, one at a time, by an input that tells who moves.
fn philosophers(size: usize) -> String {
    let mut text = "MODULE philosopher(left, right, moves)\nVAR state : {thinking, hungry, eating};\nASSIGN\n  \
        init(state) := thinking;\n  next(state) := case\n    !moves : state;\n    state = thinking & left = free : hungry;\n    \
        state = hungry & right = free : eating;\n    state = eating : thinking;\n    TRUE : state;\n  esac;\nMODULE main\n"
        .to_owned();
    line(&mut text, format_args!("IVAR mover : 0..{};\nVAR", size - 1));
    for number in 0..size {
        line(&mut text, format_args!("  f{number} : {{free, left, right}};"));
        line(
            &mut text,
            format_args!("  p{number} : philosopher(f{number}, f{}, mover = {number});", (number + 1) % size),
        );
    }
    text += "ASSIGN\n";
    for number in 0..size {
        let other = (number + size - 1) % size;
        line(&mut text, format_args!("  init(f{number}) := free;\n  next(f{number}) := case"));
        line(&mut text, format_args!("    f{number} = free & mover = {number} & p{number}.state = thinking : left;"));
        line(&mut text, format_args!("    f{number} = free & mover = {other} & p{other}.state = hungry : right;"));
        line(&mut text, format_args!("    f{number} = left & mover = {number} & p{number}.state = eating : free;"));
        line(&mut text, format_args!("    f{number} = right & mover = {other} & p{other}.state = eating : free;"));
        line(&mut text, format_args!("    TRUE : f{number};\n  esac;"));
    }
    text += "INVARSPEC !(p0.state = eating & p1.state = eating)\nSPEC EF p0.state = eating\n";
    text += "SPEC AG (p0.state = hungry -> EF p0.state = eating)\n";
    text
}

/// A queue of data that moves up by one cell at a time.
fn fifo(size: usize) -> String {
    let mut text = "MODULE main\nIVAR put : boolean; data : word[4]; get : boolean;\nVAR\n".to_owned();
    for cell in 0..size {
        line(&mut text, format_args!("  full{cell} : boolean; data{cell} : word[4];"));
    }
    text += "ASSIGN\n";
    for cell in 0..size {
        let (arrives, value) = if cell == 0 {
            ("put".to_owned(), "data".to_owned())
        } else {
            (format!("full{}", cell - 1), format!("data{}", cell - 1))
        };
        let leaves = if cell + 1 == size { "get".to_owned() } else { format!("!full{}", cell + 1) };
        line(&mut text, format_args!("  init(full{cell}) := FALSE;\n  init(data{cell}) := 0ud4_0;"));
        line(&mut text, format_args!("  next(full{cell}) := full{cell} ? !({leaves}) : {arrives};"));
        line(&mut text, format_args!("  next(data{cell}) := !full{cell} & {arrives} ? {value} : data{cell};"));
    }
    line(
        &mut text,
        format_args!("SPEC AG (full0 & data0 = 0ud4_9 -> EF (full{} & data{} = 0ud4_9))", size - 1, size - 1),
    );
    line(&mut text, format_args!("SPEC AG EF !full{}", size - 1));
    text
}

/// Counters of three bits in a chain: each counts when all before it overflow.
fn counters(size: usize) -> String {
    let mut text =
        "MODULE counter(carry)\nVAR value : 0..7;\nDEFINE out := carry & value = 7;\nASSIGN\n  init(value) := 0;\n  \
        next(value) := carry ? (value + 1) mod 8 : value;\nMODULE main\nIVAR tick : boolean;\nVAR enabled : boolean;\n"
            .to_owned();
    for number in 0..size {
        let carry = if number == 0 { "enabled".to_owned() } else { format!("c{}.out", number - 1) };
        line(&mut text, format_args!("  c{number} : counter({carry});"));
    }
    // The second never overflows, and only the first two are ever looked at.
    text += "ASSIGN init(enabled) := FALSE; next(enabled) := tick & !enabled & !(c1.value = 6 & c0.value = 7);\n";
    text += "SPEC AG (c0.value = 3 -> EF c0.value = 5)\nSPEC AG EF c1.value = 6\n";
    text
}

/// Stages of a bus that pass requests on; what comes back is the number of the stage that answers.
fn pipeline(size: usize) -> String {
    let mut text = "MODULE stage(valid, address, stall)\nVAR busy : boolean; held : 0..3; age : 0..3;\nASSIGN\n  init(busy) := FALSE;\n  \
        init(held) := 0;\n  init(age) := 0;\n  next(busy) := stall ? busy : valid;\n  next(held) := stall ? held : address;\n  \
        next(age) := case !stall : 0; age < 3 : age + 1; TRUE : age; esac;\nMODULE main\nIVAR request : boolean; address : 0..3; stall : boolean;\nVAR\n"
        .to_owned();
    line(&mut text, format_args!("  hold : boolean;"));
    for number in 0..size {
        let (valid, address) = if number == 0 {
            ("request".to_owned(), "address".to_owned())
        } else {
            (format!("s{}.busy", number - 1), format!("s{}.held", number - 1))
        };
        line(&mut text, format_args!("  s{number} : stage({valid}, {address}, hold);"));
    }
    text += "ASSIGN init(hold) := FALSE; next(hold) := stall & !hold;\n";
    line(
        &mut text,
        format_args!("SPEC AG (s0.busy & s0.held = 2 -> EF (s{}.busy & s{}.held = 2))", size - 1, size - 1),
    );
    text += "SPEC AG (s0.age <= 1)\nSPEC AG (s0.busy -> AF !hold)\n";
    text
}

/// Caches that keep one line coherent: one owner, or several that share.
fn cache(size: usize) -> String {
    let mut text = "MODULE main\nIVAR write : boolean;\n".to_owned();
    line(&mut text, format_args!("  who : 0..{};\nVAR\n  memory : 0..3;", size - 1));
    for number in 0..size {
        line(&mut text, format_args!("  state{number} : {{invalid, shared, owned}}; value{number} : 0..3;"));
    }
    let owner = |field: &str, otherwise: &str| {
        (0..size)
            .fold(otherwise.to_owned(), |rest, number| format!("state{number} = owned ? {field}{number} : ({rest})"))
    };
    line(&mut text, format_args!("DEFINE latest := {};\nASSIGN", owner("value", "memory")));
    text += "  init(memory) := 0;\n  next(memory) := write ? memory : latest;\n";
    for number in 0..size {
        line(&mut text, format_args!("  init(state{number}) := invalid;\n  init(value{number}) := 0;"));
        line(
            &mut text,
            format_args!(
                "  next(state{number}) := case\n    who = {number} : write ? owned : shared;\n    write : invalid;\n    state{number} = owned : shared;\n    TRUE : state{number};\n  esac;"
            ),
        );
        line(
            &mut text,
            format_args!(
                "  next(value{number}) := case\n    who != {number} : value{number};\n    write : (latest + 1) mod 4;\n    TRUE : latest;\n  esac;"
            ),
        );
    }
    text += "INVARSPEC !(state0 = owned & state1 != invalid)\nSPEC AG (state0 = shared & state1 = shared -> value0 = value1)\n";
    text += "SPEC AG EF state0 = owned\n";
    text
}
