//! `reductio simulate`: one run, step by step, by chance or as the user says.

use std::process::ExitCode;

use reductio::System;
use reductio_model::circuit::Simulator;
use reductio_model::{Interpreter, Several, TooLarge};
use reductio_report::Described;
use reductio_report::trace_text::Layout;

use crate::arguments::SimulateArguments;
use crate::failure::Failure;
use crate::load::{is_standard_input, load_to_step};
use crate::menu::{self, Answer};
use crate::output::{self, Reader};
use crate::random::{Random, seed_from_clock};

pub fn run(arguments: &SimulateArguments) -> Result<ExitCode, Failure> {
    if arguments.interactive && is_standard_input(&arguments.model.model) {
        return Err(Failure::ModelAndChoices);
    }
    match load_to_step(&arguments.model)? {
        System::Processes(model) => Guide::new(Interpreter::new(&model), arguments).run(arguments.steps),
        System::Circuit(circuit) => Guide::new(Simulator::new(&circuit), arguments).run(arguments.steps),
    }
}

/// Where a run goes.
struct Guide<S> {
    system: S,
    layout: Layout,
    seed: u64,
    random: Random,
    interactive: bool,
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

impl<S: Described> Guide<S> {
    fn new(system: S, arguments: &SimulateArguments) -> Guide<S> {
        let seed = arguments.seed.unwrap_or_else(seed_from_clock);
        let interactive = arguments.interactive;
        Guide { layout: system.layout(), system, seed, random: Random::new(seed), interactive }
    }

    fn run(&mut self, most_steps: u64) -> Result<ExitCode, Failure> {
        if !self.interactive {
            output::print(&format!("seed {}\n", self.seed))?;
        }
        let mut state = match self.first()? {
            Next::Is(state) => state,
            Next::Nothing => return Err(Failure::NoInitialState),
            Next::Quit => return Ok(ExitCode::SUCCESS),
        };
        let start = self.system.start(&state).map_or(String::new(), |start| self.layout.state(1, &start));
        if output::print(&start)? == Reader::IsGone {
            return Ok(ExitCode::SUCCESS);
        }
        for number in 1..=most_steps {
            let step = match self.step(&state)? {
                Next::Is(step) => step,
                Next::Nothing => return self.end(&state),
                Next::Quit => return Ok(ExitCode::SUCCESS),
            };
            let taken = self.system.follow(state, step);
            let shown = self.layout.step(number as usize, &self.system.taken(&taken));
            if output::print(&shown)? == Reader::IsGone {
                return Ok(ExitCode::SUCCESS);
            }
            if let Some(fault) = taken.outcome.fault {
                output::print(&format!("VIOLATED: {}\n", self.system.fault(&fault)))?;
                return Ok(ExitCode::from(1));
            }
            match taken.outcome.state {
                Some(next) => state = next,
                None => return Ok(ExitCode::from(1)),
            }
        }
        let steps = if most_steps == 1 { "step" } else { "steps" };
        output::print(&format!("stopped after {most_steps} {steps}\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    fn end(&mut self, state: &S::State) -> Result<ExitCode, Failure> {
        output::print(&format!("{}\n", self.system.ending(state)))?;
        Ok(ExitCode::from(if self.system.may_end(state) { 0 } else { 1 }))
    }

    fn first(&mut self) -> Result<Next<S::State>, Failure> {
        let too_large = |TooLarge| Failure::TooMuchToTry { wanted: "an initial state" };
        if self.interactive {
            let several = self.system.initial_states(most_listed::<S>()).map_err(too_large)?;
            // One that must be is not asked for.
            if several.found.len() <= 1 && !several.more {
                return Ok(Next::of(several.found.into_iter().next()));
            }
            let line = |place: usize, state: &S::State| self.layout.state(place, &self.system.contents(state));
            if let Some(chosen) = choose("possible at first:", several, S::MOST_LISTED.is_some(), line)? {
                return Ok(chosen);
            }
        }
        let Guide { system, random, .. } = self;
        system.some_initial_state(&mut |count| random.below(count)).map(Next::of).map_err(too_large)
    }

    fn step(&mut self, state: &S::State) -> Result<Next<S::Step>, Failure> {
        let too_large = |TooLarge| Failure::TooMuchToTry { wanted: "a next state" };
        if self.interactive {
            let several = self.system.steps_from(state, most_listed::<S>()).map_err(too_large)?;
            if several.found.is_empty() {
                return Ok(Next::Nothing);
            }
            let line = |place: usize, step: &S::Step| self.layout.choice(place, &self.system.possible(state, step));
            if let Some(chosen) = choose("possible now:", several, S::MOST_LISTED.is_some(), line)? {
                return Ok(chosen);
            }
        }
        let Guide { system, random, .. } = self;
        system.some_step_from(state, &mut |count| random.below(count)).map(Next::of).map_err(too_large)
    }
}

fn most_listed<S: Described>() -> usize {
    S::MOST_LISTED.unwrap_or(usize::MAX)
}

/// Lets the user choose; `None` if that is left to chance. A line tells one possibility, with its number.
fn choose<T>(
    title: &str,
    several: Several<T>,
    or_any: bool,
    line: impl Fn(usize, &T) -> String,
) -> Result<Option<Next<T>>, Failure> {
    let Several { mut found, more } = several;
    let mut menu = format!("{title}\n");
    for (place, one) in found.iter().enumerate() {
        menu.push_str(&line(place + 1, one));
    }
    if more {
        menu.push_str("      and more, which are not listed\n");
    }
    output::print(&menu)?;
    Ok(match menu::ask(found.len(), or_any)? {
        Answer::Chosen(place) => Some(Next::Is(found.swap_remove(place))),
        Answer::Any => None,
        Answer::Quit => Some(Next::Quit),
    })
}
