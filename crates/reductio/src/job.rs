//! What is to be checked: a model's text, what is asked of it, and how.

use reductio_frontends::aiger::AigerError;
use reductio_frontends::promela::{self, IncludeLoader, NoIncludes};
use reductio_frontends::{Loaded, aiger, smv, whilelang};
use reductio_model::circuit::Circuit;
use reductio_model::{Budget, Model, Subject, Why};
use reductio_reduce::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};
use reductio_reduce::{EngineChoice, PlanError};
use reductio_symbolic::NoStates;

use crate::Unconfirmed;
use crate::outcome::Outcome;
use crate::prepared::{NotPrepared, Prepared};
use crate::selection::{Choice, NoChoice};
use crate::settings::Settings;

/// The languages of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Promela, as SPIN understands it.
    Promela,
    /// While-programs.
    While,
    /// The language of NuSMV.
    Smv,
    /// Circuits of gates and latches.
    Aiger,
}

impl Language {
    /// The language of files whose names have this ending, in any case.
    pub fn of_ending(ending: &str) -> Option<Language> {
        match ending.to_ascii_lowercase().as_str() {
            "pml" | "prom" | "promela" | "pr" => Some(Language::Promela),
            "while" => Some(Language::While),
            "smv" => Some(Language::Smv),
            "aag" | "aig" => Some(Language::Aiger),
            _ => None,
        }
    }

    /// Do all variables of its models change at once?
    pub fn is_of_circuits(self) -> bool {
        matches!(self, Language::Smv | Language::Aiger)
    }
}

type Reader = Box<dyn FnOnce() -> std::io::Result<Vec<u8>> + Send>;

/// A model's text. Reading it is part of the work that has limits, so it may be given as the way to get it.
pub struct Source {
    /// What messages and reports call it.
    pub name: String,
    /// What it is written in.
    pub language: Language,
    /// Macros of Promela that are defined at the top of the text.
    pub defines: Vec<(String, String)>,
    includes: Box<dyn IncludeLoader + Send>,
    read: Reader,
}

impl Source {
    /// A text that is at hand.
    pub fn text(language: Language, name: &str, text: impl Into<Vec<u8>>) -> Source {
        let text = text.into();
        Source::reading(language, name, move || Ok(text))
    }

    /// A text that has yet to be read.
    pub fn reading(
        language: Language,
        name: &str,
        read: impl FnOnce() -> std::io::Result<Vec<u8>> + Send + 'static,
    ) -> Source {
        Source {
            name: name.to_owned(),
            language,
            defines: Vec::new(),
            includes: Box::new(NoIncludes),
            read: Box::new(read),
        }
    }

    /// The same with files that the text may include.
    pub fn including(self, includes: impl IncludeLoader + Send + 'static) -> Source {
        Source { includes: Box::new(includes), ..self }
    }

    /// The same with macros.
    pub fn defining(self, defines: Vec<(String, String)>) -> Source {
        Source { defines, ..self }
    }

    /// Reads the text together with what is asked besides.
    pub fn load(self, questions: &Questions) -> Result<LoadedSystem, CheckError> {
        self.load_for(questions, EngineChoice::Auto)
    }

    /// The same for an engine: a CTL formula that means the same in linear time becomes one of linear time, unless the engine knows CTL
    /// better.
    pub(crate) fn load_for(self, questions: &Questions, engine: EngineChoice) -> Result<LoadedSystem, CheckError> {
        self.refuse_what_makes_no_sense(questions)?;
        let text = (self.read)().map_err(CheckError::CannotRead)?;
        let Questions { invariants, ltl, ctl } = questions.clone();
        let name = &self.name;
        match self.language {
            Language::Promela => {
                let options = promela::LoadOptions { defines: self.defines, invariants, ltl, ctl };
                finished(promela::load(name, &text, &options, self.includes.as_ref()), System::Processes)
            }
            Language::While => {
                let keep_trees = engine == EngineChoice::Symbolic;
                let options = whilelang::LoadOptions { invariants, ltl, ctl, keep_trees };
                finished(whilelang::load(name, &text, &options), System::Processes)
            }
            Language::Smv => {
                let options = smv::LoadOptions { invariants, ctl, ltl };
                finished(smv::load(name, &text, &options), System::Circuit)
            }
            Language::Aiger => {
                let circuit = aiger::load(name, &text).map_err(CheckError::Aiger)?;
                Ok(LoadedSystem { system: System::Circuit(circuit), diagnostics: String::new() })
            }
        }
    }

    fn refuse_what_makes_no_sense(&self, questions: &Questions) -> Result<(), Unavailable> {
        let refuse = |setting, topic| Err(Unavailable::new(setting, Conflict::For(topic), &[Alternative::Default]));
        if self.language == Language::While && !self.defines.is_empty() {
            return Err(Unavailable::new(Setting::Definitions, Conflict::Without(Topic::Promela), &[]));
        }
        if self.language.is_of_circuits() && !self.defines.is_empty() {
            return refuse(Setting::Definitions, Topic::Circuits);
        }
        let asked = [
            (&questions.invariants, Setting::Invariant),
            (&questions.ctl, Setting::Ctl),
            (&questions.ltl, Setting::Ltl),
        ];
        let is_aiger = self.language == Language::Aiger;
        match asked.into_iter().find(|(texts, _)| is_aiger && !texts.is_empty()) {
            Some((_, setting)) => refuse(setting, Topic::Aiger),
            None => Ok(()),
        }
    }
}

fn finished<M>(loaded: Loaded<M>, system: impl Fn(M) -> System) -> Result<LoadedSystem, CheckError> {
    let diagnostics = loaded.diagnostics.render(&loaded.sources);
    match loaded.model {
        Some(model) => Ok(LoadedSystem { system: system(model), diagnostics }),
        None => Err(CheckError::NotAModel { diagnostics }),
    }
}

/// What a text describes: processes that take turns, or a circuit whose variables all change at once.
pub enum System {
    /// Promela, while-programs.
    Processes(Model),
    /// SMV, AIGER.
    Circuit(Circuit),
}

impl System {
    /// Of what properties are asked.
    pub fn subject(&self) -> &dyn Subject {
        match self {
            System::Processes(model) => model,
            System::Circuit(circuit) => circuit,
        }
    }

    /// What reports call it.
    pub fn name(&self) -> &str {
        match self {
            System::Processes(model) => &model.name,
            System::Circuit(circuit) => &circuit.name,
        }
    }
}

/// A system, and what there is to say about its text.
pub struct LoadedSystem {
    /// What the text describes.
    pub system: System,
    /// Warnings, each with its place in the text.
    pub diagnostics: String,
}

/// What is asked of a model besides what its text asks itself.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Conditions that must hold in every state.
    pub invariants: Vec<String>,
    /// Formulas of linear temporal logic.
    pub ltl: Vec<String>,
    /// Formulas of computation tree logic.
    pub ctl: Vec<String>,
}

/// A check to be done.
pub struct Job {
    /// The model's text.
    pub source: Source,
    /// What is asked besides what the text asks.
    pub questions: Questions,
    /// Which of the properties are checked.
    pub choice: Choice,
    /// How it is done.
    pub settings: Settings,
}

impl Job {
    /// All that the text asks.
    pub fn new(source: Source) -> Job {
        Job { source, questions: Questions::default(), choice: Choice::default(), settings: Settings::default() }
    }

    /// Asks for a condition in every state.
    pub fn invariant(mut self, condition: &str) -> Job {
        self.questions.invariants.push(condition.to_owned());
        self
    }

    /// Asks for a formula of linear temporal logic.
    pub fn ltl(mut self, formula: &str) -> Job {
        self.questions.ltl.push(formula.to_owned());
        self
    }

    /// Asks for a formula of computation tree logic.
    pub fn ctl(mut self, formula: &str) -> Job {
        self.questions.ctl.push(formula.to_owned());
        self
    }

    /// Checks only properties that are named so.
    pub fn property(mut self, name: &str) -> Job {
        self.choice.names.push(name.to_owned());
        self
    }

    /// The same, done in another way.
    pub fn with(self, settings: Settings) -> Job {
        Job { settings, ..self }
    }

    /// Reads the text, and decides how what is asked will be answered.
    pub fn prepare(self, budget: &Budget) -> Result<Prepared, NotPrepared> {
        Prepared::new(self, budget)
    }

    /// Does all of it. Where a limit is reached, properties are inconclusive.
    pub fn check(self, budget: &Budget) -> Result<Outcome, CheckError> {
        match self.prepare(budget) {
            Ok(prepared) => prepared.check(budget),
            Err(NotPrepared::Limit(outcome)) => Ok(*outcome),
            Err(NotPrepared::Error(error)) => Err(error),
        }
    }
}

/// Why there is no outcome at all.
#[derive(Debug)]
pub enum CheckError {
    /// The text could not be read.
    CannotRead(std::io::Error),
    /// The text is no model. The diagnostics say why, and where.
    NotAModel {
        /// Errors and warnings, each with its place in the text.
        diagnostics: String,
    },
    /// The text is no AIGER file.
    Aiger(AigerError),
    /// Some expressions of a circuit have no value. The diagnostics say which.
    NoValues {
        /// One per expression, with its place in the text.
        diagnostics: Vec<String>,
    },
    /// Whether every expression of a circuit has a value could not be found out.
    UnknownValues(Why),
    /// Nothing satisfies what is said of initial states.
    NoInitialState,
    /// There is no such property, or it cannot be checked.
    Choice(NoChoice),
    /// What is asked cannot be had in this way.
    Plan(PlanError),
    /// What was given as the reachable states is not.
    States(NoStates),
    /// The system gives no thread.
    CannotStartThread(std::io::Error),
    /// A counterexample was found that is none: the fault is ours.
    Unconfirmed(Unconfirmed),
}

impl From<Unavailable> for CheckError {
    fn from(unavailable: Unavailable) -> CheckError {
        CheckError::Plan(unavailable.into())
    }
}

impl From<Unconfirmed> for CheckError {
    fn from(unconfirmed: Unconfirmed) -> CheckError {
        CheckError::Unconfirmed(unconfirmed)
    }
}

impl std::fmt::Display for CheckError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckError::CannotRead(error) => write!(f, "the model cannot be read: {error}"),
            CheckError::NotAModel { diagnostics } => f.write_str(diagnostics.trim_end()),
            CheckError::Aiger(error) => error.fmt(f),
            CheckError::NoValues { diagnostics } => f.write_str(&diagnostics.join("\n")),
            CheckError::UnknownValues(why) => {
                write!(f, "it could not be decided whether every expression of the model always has a value: {why}")
            }
            CheckError::NoInitialState => f.write_str(
                "the model has no initial state: what it says of initial states and its invariants contradict each other",
            ),
            CheckError::Choice(choice) => choice.fmt(f),
            CheckError::Plan(error) => error.fmt(f),
            CheckError::States(problem) => problem.fmt(f),
            CheckError::CannotStartThread(error) => write!(f, "cannot start a thread: {error}"),
            CheckError::Unconfirmed(unconfirmed) => unconfirmed.fmt(f),
        }
    }
}

impl std::error::Error for CheckError {}
