//! Circuits of any size, as SMV texts, with properties that look at a few parts of them or at all.

use std::fmt::Write;

/// A family of circuits, each made in a size and with the properties that are asked for.
pub struct Family {
    pub name: &'static str,
    /// The sizes that are measured with properties of each reach, so that the slower way takes about a second and more: below,
    /// reading the text is most of it.
    pub near: [usize; 2],
    pub far: [usize; 2],
    /// The sizes whose reachable states are computed.
    pub reached: [usize; 2],
    pub circuit: fn(usize) -> String,
    pub properties: fn(usize, Reach) -> String,
}

/// How much of a circuit decides a property.
#[derive(Clone, Copy)]
pub enum Reach {
    /// A few neighbours, as with most of what is claimed of a part of a large circuit.
    Near,
    /// Everything, sooner or later.
    Far,
}

pub const FAMILIES: [Family; 6] = [
    Family {
        name: "arbiter",
        near: [200, 300],
        far: [12, 14],
        reached: [20, 30],
        circuit: arbiter,
        properties: of_arbiter,
    },
    Family {
        name: "philosophers",
        near: [800, 1600],
        far: [10, 12],
        reached: [20, 24],
        circuit: philosophers,
        properties: of_philosophers,
    },
    Family { name: "fifo", near: [1600, 3200], far: [60, 120], reached: [18, 20], circuit: fifo, properties: of_fifo },
    Family {
        name: "counters",
        near: [400, 800],
        far: [400, 800],
        reached: [400, 800],
        circuit: counters,
        properties: of_counters,
    },
    Family {
        name: "pipeline",
        near: [2400, 4800],
        far: [300, 600],
        reached: [160, 320],
        circuit: pipeline,
        properties: of_pipeline,
    },
    Family { name: "cache", near: [160, 320], far: [160, 320], reached: [7, 8], circuit: cache, properties: of_cache },
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
    text
}

fn of_arbiter(size: usize, reach: Reach) -> String {
    let (last, middle) = (size - 1, size / 2);
    match reach {
        Reach::Near => format!(
            "SPEC AG (c{middle}.state = idle -> AX c{middle}.state != using)\n\
            SPEC AG (c{middle}.state = waiting & token[{middle}] -> AX c{middle}.state = using)\n\
            SPEC AG (c0.state = using & token[0] -> AX token[0])\n"
        ),
        Reach::Far => format!(
            "INVARSPEC !(c0.state = using & c{middle}.state = using)\nSPEC AG EF c0.state = using\n\
            SPEC AG (c{last}.state = waiting -> AF c{last}.state = using)\n"
        ),
    }
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
    text
}

fn of_philosophers(size: usize, reach: Reach) -> String {
    let (one, other) = (size / 2, size / 2 + 1);
    match reach {
        Reach::Near => format!(
            "INVARSPEC p{one}.state != thinking -> f{one} = left\n\
            SPEC AG (f{other} = free & p{one}.state = hungry -> EX p{one}.state = eating)\n\
            SPEC AG (p{one}.state = eating -> AX p{one}.state != hungry)\n"
        ),
        Reach::Far => "SPEC AG (p0.state = thinking -> EF p0.state = eating)\n\
            SPEC AG (p0.state = hungry -> EF p0.state = eating)\n"
            .to_owned(),
    }
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
    text
}

fn of_fifo(size: usize, reach: Reach) -> String {
    let (last, middle, before) = (size - 1, size / 2, size / 2 - 1);
    match reach {
        Reach::Near => format!(
            "SPEC AG (full{before} & data{before} = 0ud4_9 & !full{middle} -> AX (full{middle} & data{middle} = 0ud4_9))\n\
            SPEC AG (full{middle} & data{middle} = 0ud4_9 -> AX data{middle} = 0ud4_9)\n\
            SPEC AG (full{last} -> EX !full{last})\n"
        ),
        Reach::Far => format!(
            "SPEC AG (full0 & data0 = 0ud4_9 -> EF (full{last} & data{last} = 0ud4_9))\nSPEC AG EF !full{last}\n"
        ),
    }
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
    text
}

fn of_counters(size: usize, reach: Reach) -> String {
    match reach {
        Reach::Near => "SPEC AG (c0.value = 3 -> EF c0.value = 5)\nSPEC AG EF c1.value = 6\n".to_owned(),
        Reach::Far => format!("SPEC AG EF c{}.value = 0\nSPEC EF c{}.value = 6\n", size - 1, size / 2),
    }
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
    text
}

fn of_pipeline(size: usize, reach: Reach) -> String {
    let (last, middle, before) = (size - 1, size / 2, size / 2 - 1);
    match reach {
        Reach::Near => format!(
            "SPEC AG (s{middle}.age <= 1)\nSPEC AG (s0.busy -> AF !hold)\n\
            SPEC AG (s{before}.busy & s{before}.held = 2 & !hold -> AX (s{middle}.busy & s{middle}.held = 2))\n"
        ),
        Reach::Far => format!("SPEC AG (s0.busy & s0.held = 2 -> EF (s{last}.busy & s{last}.held = 2))\n"),
    }
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
    text
}

fn of_cache(_: usize, reach: Reach) -> String {
    match reach {
        Reach::Near => "INVARSPEC !(state0 = owned & state1 != invalid)\nSPEC AG EF state0 = owned\n\
            SPEC AG (state0 = shared -> AX (state0 = shared -> state1 != owned))\n"
            .to_owned(),
        Reach::Far => "SPEC AG (state0 = shared & state1 = shared -> value0 = value1)\n\
            SPEC AG EF (state0 = shared & state1 = shared & value0 = 3)\n"
            .to_owned(),
    }
}
