//! What can go wrong outside a search, and the exit code for it.

use std::path::{Path, PathBuf};

use reductio::selection::NoChoice;
use reductio::{CheckError, Unconfirmed};
use reductio_logic::formats::HoaError;
use reductio_logic::ltl::ParseError;
use reductio_report::{TraceFileError, TrailError, WitnessError};

use crate::{output, refusals};

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
    /// A command that takes no circuits.
    OnlyForProcesses,
    NotForCircuits {
        option: &'static str,
    },
    OnlyForText {
        option: &'static str,
    },
    TooMuchToTry {
        wanted: &'static str,
    },
    /// Nothing satisfies what is said of initial states.
    NoInitialState,
    Trace {
        path: PathBuf,
        error: TraceFileError,
    },
    Trail {
        path: PathBuf,
        error: TrailError,
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
    /// Two automata cannot be compared.
    Automata(String),
    CannotCatchInterrupts(ctrlc::Error),
    CannotCatchSignals(std::io::Error),
    /// A model that cannot be read or checked.
    Check {
        model: PathBuf,
        /// Where the reachable states were to be read.
        states: Option<PathBuf>,
        error: CheckError,
    },
    Unconfirmed(Unconfirmed),
}

impl Failure {
    /// A model, and maybe its states, that cannot be read or checked.
    pub fn check(model: &Path, states: Option<&Path>, error: CheckError) -> Failure {
        Failure::Check { model: model.to_owned(), states: states.map(Path::to_owned), error }
    }

    /// Tells the user, and answers the exit code.
    pub fn tell(&self) -> u8 {
        match self {
            // Diagnostics say themselves that they are errors.
            Failure::Check { error: CheckError::NotAModel { .. } | CheckError::NoValues { .. }, .. } => {
                output::complain(&self.to_string());
            }
            _ => output::complain(&format!("error: {self}")),
        }
        match self {
            Failure::Unconfirmed(_) | Failure::Check { error: CheckError::Unconfirmed(_), .. } => 101,
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
            Failure::OnlyForProcesses => f.write_str("this command takes Promela and while-programs; a model in SMV or AIGER can be checked (`reductio check`)"),
            Failure::OnlyForText { option } => write!(f, "{option} is for --format text only"),
            Failure::NotForCircuits { option } => write!(f, "{option} is not for models in SMV or AIGER"),
            Failure::TooMuchToTry { wanted } => {
                write!(f, "there are too many values to try one by one to find {wanted}")
            }
            Failure::NoInitialState => CheckError::NoInitialState.fmt(f),
            Failure::Check { error: CheckError::CannotRead(error), model, .. } => {
                write!(f, "cannot read {}: {error}", model.display())
            }
            Failure::Check { error: CheckError::Aiger(error), model, .. } => write!(f, "{}:{error}", model.display()),
            Failure::Check { error: CheckError::States(problem), states, .. } => {
                let path = states.as_deref().unwrap_or(Path::new("")).display();
                write!(f, "{path}: {problem}")
            }
            Failure::Check { error: CheckError::Plan(error), .. } => f.write_str(&refusals::text(error)),
            Failure::Check { error: CheckError::Choice(NoChoice::BothWays), .. } => {
                f.write_str("--property deadlock and --no-deadlock contradict each other")
            }
            Failure::Check { error, .. } => error.fmt(f),
            Failure::Trace { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::Trail { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::Witness { path, error } => write!(f, "{}: {error}", path.display()),
            Failure::NoSuchProperty { path, line, name } => {
                write!(f, "{}: line {line}: the model has no {name}; is this a witness of another one?", path.display())
            }
            Failure::ShowsNothing { path, line, what } => {
                let place = line.map_or(String::new(), |line| format!("line {line}: "));
                write!(
                    f,
                    "{}: {place}this is a run of the model, but does not show a violation of {what}",
                    path.display()
                )
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
