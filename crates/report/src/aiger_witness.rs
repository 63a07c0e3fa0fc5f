//! Runs of circuits in AIGER as witnesses, the format that `aigsim` and model checkers for hardware understand.
//!
//! Paper: [biere-heljanko-wieringa11].
//!
//! ```text
//! 1             the property is violated; 0 if it holds, 2 if that is unknown, both without a run
//! b0            which one: a bad state, or j0 for a justice property; there can be several, as in b0b2j1
//! 00            the latches at first
//! 101           the inputs, step by step; x stands for any value
//! 001
//! .
//! ```
//!
//! A file can have several witnesses. Lines that begin with `c`, `u` or `#` are of no interest here: comments, bounds, and what
//! tools write besides.

use reductio_model::circuit::{Choice, Circuit, Completion, Moment, Run, RunError, Simulator, Valuation, VariableId};

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

/// A witness as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The line with which it begins, counted from one.
    pub line: usize,
    pub properties: Vec<Named>,
    pub said: Said,
}

/// A property by its kind and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Bad(usize),
    Justice(usize),
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Named::Bad(number) => write!(f, "b{number}"),
            Named::Justice(number) => write!(f, "j{number}"),
        }
    }
}

/// What a witness says of its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    Holds,
    Unknown,
    Violated(Bits),
}

/// The values that a run is told by; `None` is any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    pub latches: Vec<Option<bool>>,
    /// Step by step.
    pub inputs: Vec<Vec<Option<bool>>>,
}

/// What is wrong with a file of witnesses, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessError {
    pub line: usize,
    pub problem: WitnessProblem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessProblem {
    NoWitness,
    EndsEarly,
    Expected {
        what: &'static str,
        found: String,
    },
    WrongCount {
        what: &'static str,
        expected: usize,
        found: usize,
    },
    NoSteps,
    NotInitial,
    /// The constraints do not hold in the state of this number.
    Constraint {
        state: usize,
    },
    Run(RunError),
}

impl std::fmt::Display for WitnessError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            WitnessProblem::NoWitness => f.write_str("there is no witness in this file"),
            WitnessProblem::EndsEarly => f.write_str("the file ends before the `.` that ends a witness"),
            WitnessProblem::Expected { what, found } => write!(f, "expected {what}, found `{found}`"),
            WitnessProblem::WrongCount { what, expected, found } => {
                write!(
                    f,
                    "the model has {expected} {what}, here are values for {found}; is this a witness of another one?"
                )
            }
            WitnessProblem::NoSteps => f.write_str("this witness has no line of inputs, so not even a first state"),
            WitnessProblem::NotInitial => {
                f.write_str("the first state of this witness is not initial, or breaks the constraints")
            }
            WitnessProblem::Constraint { state } => {
                write!(f, "state {state} of this witness breaks the constraints")
            }
            WitnessProblem::Run(error) => write!(f, "this witness is no run of the model: {error}"),
        }
    }
}

impl std::error::Error for WitnessError {}

/// Reads the witnesses of a file, for a circuit with so many inputs and latches.
pub fn read(text: &str, inputs: usize, latches: usize) -> Result<Vec<Witness>, WitnessError> {
    let is_meant = |(_, line): &(usize, &str)| !line.starts_with(['c', 'u', '#']);
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines().map(str::trim_end)).filter(is_meant).collect();
    let mut reader = Reader { lines: &lines, last: text.lines().count().max(1), inputs, latches };
    let mut witnesses = Vec::new();
    // Without inputs the lines of a witness are empty, but none between two of them has a meaning.
    while reader.skip_empty() {
        witnesses.push(reader.witness()?);
    }
    if witnesses.is_empty() {
        return Err(WitnessError { line: 1, problem: WitnessProblem::NoWitness });
    }
    Ok(witnesses)
}

struct Reader<'t> {
    /// What is left, with the numbers of the lines.
    lines: &'t [(usize, &'t str)],
    last: usize,
    inputs: usize,
    latches: usize,
}

impl<'t> Reader<'t> {
    /// Is there anything more?
    fn skip_empty(&mut self) -> bool {
        while let [(_, ""), rest @ ..] = self.lines {
            self.lines = rest;
        }
        !self.lines.is_empty()
    }

    fn line(&mut self) -> Result<(usize, &'t str), WitnessError> {
        let ends_early = WitnessError { line: self.last, problem: WitnessProblem::EndsEarly };
        let (first, rest) = self.lines.split_first().ok_or(ends_early)?;
        self.lines = rest;
        Ok(*first)
    }

    fn witness(&mut self) -> Result<Witness, WitnessError> {
        let (line, status) = self.line()?;
        if !["0", "1", "2"].contains(&status) {
            return Err(expected(line, "`0`, `1` or `2` at the start of a witness", status));
        }
        let properties = self.properties()?;
        let said = match status {
            "1" => Said::Violated(self.bits()?),
            _ => {
                let (line, end) = self.line()?;
                if end != "." {
                    return Err(expected(line, "`.` after a property without a run", end));
                }
                if status == "0" { Said::Holds } else { Said::Unknown }
            }
        };
        Ok(Witness { line, properties, said })
    }

    fn properties(&mut self) -> Result<Vec<Named>, WitnessError> {
        let (line, text) = self.line()?;
        let wrong = || expected(line, "properties such as `b0` or `j1`", text);
        let mut properties = Vec::new();
        let mut rest = text;
        while let Some(kind) = rest.chars().next() {
            let digits = rest.get(1..).ok_or_else(wrong)?;
            let end = digits.find(|next: char| !next.is_ascii_digit()).unwrap_or(digits.len());
            let number: usize = digits[..end].parse().map_err(|_| wrong())?;
            properties.push(match kind {
                'b' => Named::Bad(number),
                'j' => Named::Justice(number),
                _ => return Err(wrong()),
            });
            rest = digits[end..].trim_start();
        }
        if properties.is_empty() { Err(wrong()) } else { Ok(properties) }
    }

    fn bits(&mut self) -> Result<Bits, WitnessError> {
        let first = self.line()?;
        let latches = values(first, "latches", self.latches)?;
        let mut inputs = Vec::new();
        loop {
            match self.line()? {
                (_, ".") => return Ok(Bits { latches, inputs }),
                line => inputs.push(values(line, "inputs", self.inputs)?),
            }
        }
    }
}

fn expected(line: usize, what: &'static str, found: &str) -> WitnessError {
    WitnessError { line, problem: WitnessProblem::Expected { what, found: found.to_owned() } }
}

/// The values of a line, of which there must be this many.
fn values((line, text): (usize, &str), what: &'static str, count: usize) -> Result<Vec<Option<bool>>, WitnessError> {
    let value = |character| match character {
        '0' => Ok(Some(false)),
        '1' => Ok(Some(true)),
        'x' | 'X' => Ok(None),
        _ => Err(expected(line, "a line of `0`, `1` and `x`, or `.`", text)),
    };
    let values = text.chars().map(value).collect::<Result<Vec<_>, _>>()?;
    if values.len() != count {
        let problem = WitnessProblem::WrongCount { what, expected: count, found: values.len() };
        return Err(WitnessError { line, problem });
    }
    Ok(values)
}

impl Bits {
    /// Is some value not given?
    pub fn leaves_open(&self) -> bool {
        self.inputs.iter().chain([&self.latches]).flatten().any(Option::is_none)
    }

    /// The run of the circuit, taken step by step. A latch that may be anything at first has the value that the circuit gives to it,
    /// and whatever else may be anything is false, as `aigsim` has it.
    pub fn run(&self, circuit: &Circuit, inputs: usize, line: usize) -> Result<Run, WitnessError> {
        let failed = |problem: WitnessProblem| WitnessError { line, problem };
        let values = |inputs: &[Option<bool>], latches: &[i64]| -> Valuation {
            let inputs = inputs.iter().map(|value| i64::from(*value == Some(true)));
            inputs.chain(latches.iter().copied()).collect()
        };
        let (first, others) = self.inputs.split_first().ok_or(failed(WitnessProblem::NoSteps))?;
        let mut state = values(first, &self.first_latches(circuit, inputs));
        if !Simulator::new(circuit).is_initial(&state) {
            return Err(failed(WitnessProblem::NotInitial));
        }
        let known: Vec<bool> = (0..circuit.variables.len()).map(|place| place < inputs).collect();
        let mut completion = Completion::new(circuit, &known);
        let mut states = Vec::new();
        for next in others {
            let next = values(next, &state[inputs..]);
            let step =
                completion.step(&state, &state, &next).map_err(|_| failed(WitnessProblem::Run(RunError::TooLarge)))?;
            let step = step.ok_or_else(|| failed(WitnessProblem::Constraint { state: states.len() + 2 }))?;
            states.push(step.from);
            state = step.to;
        }
        states.push(state);
        Ok(Run { states, cycle_start: None })
    }

    fn first_latches(&self, circuit: &Circuit, inputs: usize) -> Vec<i64> {
        let reset = |latch: VariableId| {
            let assigned = circuit.assignments.iter().find(|one| one.target == latch && one.moment == Moment::Init)?;
            let Choice::Value(value) = assigned.choice else { return None };
            circuit.expressions.constant_value(value)
        };
        let latches = circuit.variable_ids().skip(inputs).zip(&self.latches);
        latches.map(|(latch, value)| value.map_or_else(|| reset(latch).unwrap_or(0), i64::from)).collect()
    }
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

    fn problem(text: &str) -> (usize, WitnessProblem) {
        let error = read(text, 2, 1).expect_err("it is wrong");
        (error.line, error.problem)
    }

    #[test]
    fn witnesses_of_other_tools_are_read() {
        let text = "c by hand\nu3\n0\nb1\n.\n\n2\r\nj0\r\n.\r\n1\nb0b2j11\nx\n1x\nc inside\n01\n.\n# done\n";
        let witnesses = read(text, 2, 1).expect("it is right");
        assert_eq!(witnesses.iter().map(|one| one.line).collect::<Vec<_>>(), [3, 7, 10]);
        assert_eq!((&witnesses[0].said, &witnesses[1].said), (&Said::Holds, &Said::Unknown));
        assert_eq!(witnesses[2].properties, [Named::Bad(0), Named::Bad(2), Named::Justice(11)]);
        let inputs = vec![vec![Some(true), None], vec![Some(false), Some(true)]];
        assert_eq!(witnesses[2].said, Said::Violated(Bits { latches: vec![None], inputs }));
        // Without inputs, each empty line is a step.
        let Said::Violated(bits) = &read("1\nb0\n1\n\n\n.\n", 0, 1).expect("it is right")[0].said else { panic!() };
        assert_eq!(bits.inputs.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong = |line: usize, text: &str, found: &str| match problem(text) {
            (place, WitnessProblem::Expected { found: told, .. }) => assert_eq!((place, told.as_str()), (line, found)),
            other => panic!("{text:?}: {other:?}"),
        };
        wrong(1, "3\nb0\n.\n", "3");
        wrong(2, "1\n0\n00\n.\n", "0");
        wrong(2, "1\nb\n", "b");
        wrong(2, "1\nb99999999999999999999\n", "b99999999999999999999");
        wrong(2, "1\nb0é\n", "b0é");
        wrong(2, "1\né0\n", "é0");
        wrong(3, "0\nb0\n1\n", "1");
        wrong(4, "1\nb0\n0\n0y\n.\n", "0y");
        assert_eq!(problem(""), (1, WitnessProblem::NoWitness));
        assert_eq!(problem("c nothing\n\n"), (1, WitnessProblem::NoWitness));
        for text in ["1", "1\nb0", "1\nb0\n0\n11\n01\n", "0\nb0\n"] {
            assert_eq!(problem(text), (text.lines().count(), WitnessProblem::EndsEarly), "{text:?}");
        }
        let count = |what, expected, found| WitnessProblem::WrongCount { what, expected, found };
        assert_eq!(problem("1\nb0\n00\n11\n.\n"), (3, count("latches", 1, 2)));
        assert_eq!(problem("1\nb0\n0\n11\n1\n.\n"), (5, count("inputs", 2, 1)));
    }
}
