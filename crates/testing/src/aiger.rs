//! Random circuits in AIGER, small enough to be checked state by state.

use std::fmt::Write;

use crate::random::Random;

/// Two inputs, three latches, and gates of what came before; asked for are bad states and justice.
pub fn circuit(random: &mut Random) -> String {
    let (inputs, latches, ands) = (2, 3, 5 + random.below(6));
    let most = inputs + latches + ands;
    let mut any = |below: usize| random.below(2 * below);
    let constraint = usize::from(any(2) == 0);
    let mut text = format!("aag {most} {inputs} {latches} 0 {ands} 1 {constraint} 1 1\n2\n4\n");
    for latch in 0..latches {
        let literal = 2 * (inputs + latch + 1);
        let reset = [0, 1, literal][any(3) % 3];
        let _ = writeln!(text, "{literal} {} {reset}", any(most + 1));
    }
    let _ = writeln!(text, "{}", any(most + 1));
    if constraint == 1 {
        let _ = writeln!(text, "{}", any(most + 1));
    }
    let _ = writeln!(text, "2\n{}\n{}\n{}", any(most + 1), any(most + 1), any(most + 1));
    for and in 0..ands {
        let variable = inputs + latches + and + 1;
        let _ = writeln!(text, "{} {} {}", 2 * variable, any(variable), any(variable));
    }
    text
}
