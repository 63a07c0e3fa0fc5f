//! Runs of circuits in AIGER as witnesses, the format that `aigsim` and model checkers for hardware understand.
//!
//! Paper: [biere-heljanko-wieringa11].
//!
//! ```text
//! 1             the property is violated
//! b0            which one: a bad state, or j0 for a justice property
//! 00            the latches at first
//! 101           the inputs, step by step
//! 001
//! .
//! ```

use reductio_model::circuit::{Run, Valuation};

/// The witness of a run for the property of that name. The first `inputs` variables are inputs, the others latches.
pub fn witness(property: &str, run: &Run, inputs: usize) -> String {
    let bits = |values: &[i64]| -> String { values.iter().map(|value| if *value == 0 { '0' } else { '1' }).collect() };
    let latches = run.states.first().map_or(String::new(), |state: &Valuation| bits(&state[inputs..]));
    let mut text = format!("1\n{property}\n{latches}\n");
    for state in &run.states {
        text += &bits(&state[..inputs]);
        text.push('\n');
    }
    text + ".\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latches_come_first_and_then_inputs_step_by_step() {
        let run = Run { states: vec![vec![1, 0, 0], vec![0, 1, 1]], cycle_start: None };
        assert_eq!(witness("b0", &run, 2), "1\nb0\n0\n10\n01\n.\n");
        assert_eq!(witness("j1", &run, 0), "1\nj1\n100\n\n\n.\n");
    }
}
