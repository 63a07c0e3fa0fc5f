//! `reductio simulate` on circuits: one run, state by state, by trying values.

use std::process::ExitCode;

use reductio_model::circuit::{Circuit, Several, Simulator, Transition, Valuation};
use reductio_report::circuit::{StateEntry, difference, inputs_line};

use crate::arguments::SimulateArguments;
use crate::failure::Failure;
use crate::menu::{self, Answer};
use crate::obligations::load_sensible_circuit;
use crate::output::{self, Reader};
use crate::random::{Random, seed_from_clock};

/// So many possibilities are listed; who wants one of the others leaves it to chance.
const MOST_LISTED: usize = 40;

pub fn run(arguments: &SimulateArguments) -> Result<ExitCode, Failure> {
    let circuit = load_sensible_circuit(&arguments.model)?;
    let seed = arguments.seed.unwrap_or_else(seed_from_clock);
    if !arguments.interactive {
        output::print(&format!("seed {seed}\n"))?;
    }
    let mut guide = Guide {
        circuit: &circuit,
        simulator: Simulator::new(&circuit),
        random: Random::new(seed),
        interactive: arguments.interactive,
    };
    let mut state = match guide.initial()? {
        Next::Is(state) => state,
        Next::Nothing => return Err(Failure::NoInitialState),
        Next::Quit => return Ok(ExitCode::SUCCESS),
    };
    if show(&circuit, 0, None, &state)? == Reader::IsGone {
        return Ok(ExitCode::SUCCESS);
    }
    for number in 1..=arguments.steps {
        let Transition { from, to } = match guide.step(&state)? {
            Next::Is(step) => step,
            Next::Nothing => return end_of_run(!circuit.may_not_end()),
            Next::Quit => return Ok(ExitCode::SUCCESS),
        };
        if show(&circuit, number, Some(&from), &to)? == Reader::IsGone {
            return Ok(ExitCode::SUCCESS);
        }
        state = to;
    }
    let steps = if arguments.steps == 1 { "step" } else { "steps" };
    output::print(&format!("stopped after {} {steps}\n", arguments.steps))?;
    Ok(ExitCode::SUCCESS)
}

/// Shows a state after so many steps, and the inputs that led to it.
fn show(circuit: &Circuit, steps: u64, from: Option<&Valuation>, state: &Valuation) -> Result<Reader, Failure> {
    let from = from.map(|from| StateEntry::new(circuit, from));
    let inputs = from.as_ref().map_or(String::new(), |from| inputs_line(&from.inputs));
    let before = from.as_ref().map(|from| from.values.as_slice());
    let changed = difference(before, &StateEntry::new(circuit, state).values);
    output::print(&format!("{inputs}{:>4}  {changed}\n", steps + 1))
}

/// In AIGER a run may end, where constraints cannot be met.
fn end_of_run(may_end: bool) -> Result<ExitCode, Failure> {
    if may_end {
        output::print("the run ends: no inputs meet the constraints in the next state\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    output::print("the last state has no successor\n")?;
    Ok(ExitCode::from(1))
}

/// What comes next.
enum Next<T> {
    Is(T),
    /// There is nothing that could.
    Nothing,
    Quit,
}

impl<T> Next<T> {
    fn of(possible: Option<T>) -> Next<T> {
        possible.map_or(Next::Nothing, Next::Is)
    }
}

/// Where a run goes.
struct Guide<'c> {
    circuit: &'c Circuit,
    simulator: Simulator<'c>,
    random: Random,
    interactive: bool,
}

impl Guide<'_> {
    fn initial(&mut self) -> Result<Next<Valuation>, Failure> {
        let too_large = |_| Failure::TooMuchToTry { wanted: "an initial state" };
        if self.interactive {
            let several = self.simulator.first_initial(MOST_LISTED).map_err(too_large)?;
            let line = |state: &Valuation| difference(None, &StateEntry::new(self.circuit, state).values);
            // One that must be is not asked for.
            if several.found.len() <= 1 && !several.more {
                return Ok(Next::of(several.found.into_iter().next()));
            }
            if let Some(chosen) = choose("possible at first:", several, line)? {
                return Ok(chosen);
            }
        }
        let Guide { simulator, random, .. } = self;
        simulator.some_initial(&mut |count| random.below(count)).map(Next::of).map_err(too_large)
    }

    fn step(&mut self, state: &Valuation) -> Result<Next<Transition>, Failure> {
        let too_large = |_| Failure::TooMuchToTry { wanted: "a next state" };
        if self.interactive {
            let several = self.simulator.first_steps(state, MOST_LISTED).map_err(too_large)?;
            if several.found.is_empty() {
                return Ok(Next::Nothing);
            }
            if let Some(chosen) = choose("possible now:", several, |step| step_line(self.circuit, step))? {
                return Ok(chosen);
            }
        }
        let Guide { simulator, random, .. } = self;
        simulator.some_step(state, &mut |count| random.below(count)).map(Next::of).map_err(too_large)
    }
}

/// What a step changes, and with which inputs.
fn step_line(circuit: &Circuit, step: &Transition) -> String {
    let from = StateEntry::new(circuit, &step.from);
    let changed = difference(Some(&from.values), &StateEntry::new(circuit, &step.to).values);
    match inputs_line(&from.inputs).trim() {
        "" => changed,
        inputs => format!("{inputs}: {changed}"),
    }
}

/// Lets the user choose; `None` if that is left to chance.
fn choose<T>(title: &str, several: Several<T>, line: impl Fn(&T) -> String) -> Result<Option<Next<T>>, Failure> {
    let Several { mut found, more } = several;
    let mut menu = format!("{title}\n");
    for (place, one) in found.iter().enumerate() {
        menu.push_str(&format!("{:>4}  {}\n", place + 1, line(one)));
    }
    if more {
        menu.push_str("      and more, which are not listed\n");
    }
    output::print(&menu)?;
    Ok(match menu::ask(found.len(), true)? {
        Answer::Chosen(place) => Some(Next::Is(found.swap_remove(place))),
        Answer::Any => None,
        Answer::Quit => Some(Next::Quit),
    })
}
