//! `reductio simulate`: one run, step by step.

use std::io::BufRead;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use reductio_model::{Interpreter, State, Step};
use reductio_report::StepEntry;
use reductio_report::text::Layout;
use reductio_report::value::changes;

use crate::arguments::SimulateArguments;
use crate::certify::describe_deadlock;
use crate::failure::Failure;
use crate::load::load;
use crate::output::{self, Reader};

pub fn run(arguments: &SimulateArguments) -> Result<ExitCode, Failure> {
    let model = load(&arguments.model)?;
    let interpreter = Interpreter::new(&model);
    let mut chooser = if arguments.interactive {
        Chooser::User
    } else {
        let seed = arguments.seed.unwrap_or_else(seed_from_clock);
        output::print(&format!("seed {seed}\n"))?;
        Chooser::Random(Random { state: seed })
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
        entry.output = (!outcome.output.is_empty()).then_some(outcome.output);
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
            Chooser::Random(random) => Ok(Choice::Step(steps[random.below(steps.len())])),
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
    loop {
        if output::print(&format!("choose 1 to {}, or q to quit: ", steps.len()))? == Reader::IsGone {
            return Ok(Choice::Quit);
        }
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line);
        let count = read.map_err(|error| Failure::CannotRead { path: "standard input".into(), error })?;
        let answer = String::from_utf8_lossy(&line);
        let answer = answer.trim();
        if count == 0 || answer == "q" {
            output::print("\n")?;
            return Ok(Choice::Quit);
        }
        let chosen = answer.parse::<usize>().ok().and_then(|number| steps.get(number.checked_sub(1)?));
        match chosen {
            Some(&step) => return Ok(Choice::Step(step)),
            None => output::print(&format!("`{answer}` is none of them\n"))?,
        };
    }
}

/// The generator SplitMix64 (Steele, Lea and Flood): small, and the same on every machine, so that a seed tells a run.
struct Random {
    state: u64,
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`. The bias is below one in 2^56, since a state has at most some hundreds of steps.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

fn seed_from_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Short enough to be typed again.
    Random { state: now.as_nanos() as u64 }.next() % 1_000_000
}
