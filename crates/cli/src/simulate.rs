//! `reductio simulate`: one run, step by step.

use std::process::ExitCode;

use reductio::certify::describe_deadlock;
use reductio_model::{Interpreter, State, Step};
use reductio_report::StepEntry;
use reductio_report::text::Layout;
use reductio_report::value::changes;

use crate::arguments::{Language, SimulateArguments};
use crate::failure::Failure;
use crate::load::{is_standard_input, language, load};
use crate::menu::{self, Answer};
use crate::output::{self, Reader};
use crate::random::{Random, seed_from_clock};
use crate::simulate_circuit;

pub fn run(arguments: &SimulateArguments) -> Result<ExitCode, Failure> {
    if arguments.interactive && is_standard_input(&arguments.model.model) {
        return Err(Failure::ModelAndChoices);
    }
    match language(&arguments.model)? {
        Language::Smv | Language::Aiger => return simulate_circuit::run(arguments),
        Language::Promela | Language::While => {}
    }
    let model = load(&arguments.model)?;
    let interpreter = Interpreter::new(&model);
    let mut chooser = if arguments.interactive {
        Chooser::User
    } else {
        let seed = arguments.seed.unwrap_or_else(seed_from_clock);
        output::print(&format!("seed {seed}\n"))?;
        Chooser::Random(Random::new(seed))
    };
    let layout = Layout::for_model(&model);
    let mut state = interpreter.initial_state();
    for number in 1..=arguments.steps {
        let steps = interpreter.steps(&state);
        if steps.is_empty() {
            return end_of_run(&interpreter, &state);
        }
        let step = match chooser.choose(&interpreter, &state, &steps, layout)? {
            Choice::Step(step) => step,
            Choice::Quit => return Ok(ExitCode::SUCCESS),
        };
        let outcome = interpreter.execute(&state, step);
        let mut entry = StepEntry::new(&model, &state, step);
        entry.tell(&outcome);
        if let Some(next) = &outcome.state {
            entry.changes = changes(&model, &state, next);
        }
        if output::print(&layout.step(number as usize, &entry))? == Reader::IsGone {
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(fault) = outcome.fault {
            let action = model.proctype(fault.proctype).action(fault.action);
            output::print(&format!("{}: {} ({})\n", fault.kind, action.text, model.place_name(action.position)))?;
            return Ok(ExitCode::from(1));
        }
        match outcome.state {
            Some(next) => state = next,
            None => return Ok(ExitCode::from(1)),
        }
    }
    output::print(&format!("stopped after {} steps\n", arguments.steps))?;
    Ok(ExitCode::SUCCESS)
}

fn end_of_run(interpreter: &Interpreter<'_>, state: &State) -> Result<ExitCode, Failure> {
    if interpreter.is_valid_end_state(state) {
        output::print("the run ends\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    output::print(&format!("{}\n", describe_deadlock(interpreter, state)))?;
    Ok(ExitCode::from(1))
}

enum Choice {
    Step(Step),
    Quit,
}

enum Chooser {
    Random(Random),
    User,
}

impl Chooser {
    fn choose(
        &mut self,
        interpreter: &Interpreter<'_>,
        state: &State,
        steps: &[Step],
        layout: Layout,
    ) -> Result<Choice, Failure> {
        match self {
            Chooser::Random(random) => Ok(Choice::Step(steps[random.below(steps.len() as u64) as usize])),
            Chooser::User => ask(interpreter, state, steps, layout),
        }
    }
}

/// Shows the steps that are possible and reads the number of one.
fn ask(interpreter: &Interpreter<'_>, state: &State, steps: &[Step], layout: Layout) -> Result<Choice, Failure> {
    let mut menu = String::from("possible now:\n");
    for (index, &step) in steps.iter().enumerate() {
        menu.push_str(&layout.step(index + 1, &StepEntry::new(interpreter.model(), state, step)));
    }
    output::print(&menu)?;
    Ok(match menu::ask(steps.len(), false)? {
        Answer::Chosen(place) => Choice::Step(steps[place]),
        Answer::Any | Answer::Quit => Choice::Quit,
    })
}
