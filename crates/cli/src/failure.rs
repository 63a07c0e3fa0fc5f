//! What can go wrong outside a search, and the exit code for it.

use std::path::PathBuf;

use reductio::Unconfirmed;
use reductio::selection::NoChoice;
use reductio_explicit::graph::TooManyStates;
use reductio_frontends::aiger::AigerError;
use reductio_logic::formats::HoaError;
use reductio_logic::ltl::ParseError;
use reductio_model::Why;
use reductio_reduce::PlanError;
use reductio_report::{RunFileError, TraceFileError, TrailError, WitnessError};
use reductio_symbolic::NoStates;

use crate::output;

#[derive(Debug)]
pub enum Failure {
    CannotRead {
        path: PathBuf,
        error: std::io::Error,
    },
    CannotWrite {
        path: PathBuf,
        error: std::io::Error,
    },
    /// Standard output, for any reason but that nobody listens any more.
    CannotPrint(std::io::Error),
    UnknownLanguage {
        path: PathBuf,
    },
    /// Standard input cannot be both the model and what the user chooses.
    ModelAndChoices,
    OnlyForPromela {
        option: &'static str,
    },
    /// A command that takes no models in a language which others take.
    OnlyToCheck {
        language: &'static str,
    },
    OnlyForCircuits {
        option: &'static str,
    },
    NotForCircuits {
        option: &'static str,
    },
    NotForAiger {
        option: &'static str,
    },
    Aiger {
        path: PathBuf,
        error: AigerError,
    },
    /// Whether a circuit makes sense could not be told.
    UnclearSense {
        limit: Why,
    },
    TooMuchToTry {
        wanted: &'static str,
    },
    /// Nothing satisfies what is said of initial states.
    NoInitialState,
    Plan(PlanError),
    Choice(NoChoice),
    Trace {
        path: PathBuf,
        error: TraceFileError,
    },
    Trail {
        path: PathBuf,
        error: TrailError,
    },
    Run {
        path: PathBuf,
        error: RunFileError,
    },
    Witness {
        path: PathBuf,
        error: WitnessError,
    },
    /// A witness names a property that the model does not have.
    NoSuchProperty {
        path: PathBuf,
        line: usize,
        name: String,
    },
    /// A run does not show what it is said to show.
    ShowsNothing {
        path: PathBuf,
        line: Option<usize>,
        what: String,
    },
    TooManyStates(TooManyStates),
    /// What there is so many of that a picture of it is of no use.
    TooManyToDraw {
        limit: usize,
        what: &'static str,
    },
    Formula {
        text: String,
        error: ParseError,
    },
    FormulaTooLarge(String),
    Hoa {
        path: PathBuf,
        error: HoaError,
    },
    /// A file does not tell which states can be reached.
    States {
        path: PathBuf,
        problem: NoStates,
    },
    /// Two automata cannot be compared.
    Automata(String),
    CannotCatchInterrupts(ctrlc::Error),
    CannotCatchSignals(std::io::Error),
    CannotStartThread(std::io::Error),
    /// The model is wrong, and its diagnostics have been printed.
    Model,
    Unconfirmed(Unconfirmed),
}

impl Failure {
    /// Tells the user, and answers the exit code.
    pub fn tell(&self) -> u8 {
        let message = self.to_string();
        if !message.is_empty() {
            output::complain(&format!("error: {message}"));
        }
        match self {
            Failure::Unconfirmed(_) => 101,
            _ => 2,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::CannotRead { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            Failure::CannotWrite { path, error } => write!(f, "cannot write {}: {error}", path.display()),
            Failure::CannotPrint(error) => write!(f, "cannot write to standard output: {error}"),
            Failure::UnknownLanguage { path } => write!(
                f,
                "cannot tell the language of {}: expected a name that ends in .pml, .prom, .promela, .pr, .while, .smv, \
                 .aag or .aig, or --language",
                path.display()
            ),
            Failure::ModelAndChoices => f.write_str("--interactive needs a model from a file, not from standard input"),
            Failure::OnlyForPromela { option } => write!(f, "{option} is for models in Promela only"),
            Failure::OnlyToCheck { language } => {
                write!(f, "this command takes Promela and while-programs; a model in {language} can be checked")
            }
            Failure::OnlyForCircuits { option } => write!(f, "{option} is for models in SMV only"),
            Failure::NotForCircuits { option } => write!(f, "{option} is not for models in SMV or AIGER"),
            Failure::NotForAiger { option } => write!(f, "{option} is not for models in AIGER"),
            Failure::Aiger { path, error } => write!(f, "{}:{error}", path.display()),
            Failure::UnclearSense { limit } => {
                write!(f, "whether every expression of the model always has a value could not be told: {limit}")
            }
            Failure::TooMuchToTry { wanted } => {
                write!(f, "there are too many values to try one by one to find {wanted}")
            }
            Failure::NoInitialState => f.write_str(
                "the model has no initial state: what it says of initial states and its invariants contradict each other",
            ),
            Failure::States { path, problem } => write!(f, "{}: {problem}", path.display()),
            Failure::CannotStartThread(error) => write!(f, "cannot start a thread: {error}"),
            Failure::Plan(error) => error.fmt(f),
            Failure::Choice(NoChoice::Unknown { name, known }) => {
                write!(f, "there is no property `{name}`; there are: {}", known.join(", "))
            }
            Failure::Choice(NoChoice::CannotBe { name, why }) => write!(f, "property `{name}` cannot be checked: {why}"),
            Failure::Choice(NoChoice::BothWays) => f.write_str("--property deadlock and --no-deadlock contradict each other"),
            Failure::Trace { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::Trail { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::Run { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::Witness { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::NoSuchProperty { path, line, name } => {
                write!(f, "{}: line {line}: the model has no {name}; is this a witness of another one?", path.display())
            }
            Failure::ShowsNothing { path, line, what } => {
                let place = line.map_or(String::new(), |line| format!("line {line}: "));
                write!(f, "{}: {place}this is a run of the model, but does not show a violation of {what}", path.display())
            }
            Failure::TooManyStates(TooManyStates { limit }) => {
                write!(f, "the model has more than {limit} states, too many for a picture")
            }
            Failure::TooManyToDraw { limit, what } => {
                write!(f, "the model has more than {limit} {what}, too many for a picture")
            }
            Failure::Formula { text, error } => {
                let column = text[..error.offset.min(text.len())].chars().count();
                write!(f, "{}\n  {text}\n  {}^", error.message, " ".repeat(column))?;
                error.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
            }
            Failure::FormulaTooLarge(why) | Failure::Automata(why) => f.write_str(why),
            Failure::Hoa { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::CannotCatchInterrupts(error) => write!(f, "cannot prepare for Ctrl-C: {error}"),
            Failure::CannotCatchSignals(error) => write!(f, "cannot prepare for signals: {error}"),
            Failure::Model => Ok(()),
            Failure::Unconfirmed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Unconfirmed> for Failure {
    fn from(error: Unconfirmed) -> Failure {
        Failure::Unconfirmed(error)
    }
}
