//! The engines as the pipeline sees them: each says what it can answer, answers within a budget, and hands back witnesses.
//!
//! Whatever is true for all of them (limits, the ledger, certification, explanation, vacuity) is done around them.

pub(crate) mod circuit;
mod explicit;
mod labelling;
mod symbolic;

use std::sync::Arc;

use reductio_explicit::Coverage;
use reductio_logic::ctl::Formula;
use reductio_model::circuit::Run;
use reductio_model::{Budget, Interpreter, Property, Statistics, Verdict, Why, Witness};
use reductio_reduce::cone_of_influence::Cone;
use reductio_reduce::refusal::Unavailable;
use reductio_reduce::{EngineChoice, Plan};

use crate::job::CheckError;

/// What can answer questions about a system.
pub trait Engine {
    /// The word for it in reports.
    fn name(&self) -> &'static str;

    /// Can it answer this? If not, why not.
    fn can(&self, property: Property) -> Result<(), Unavailable>;

    /// Answers all of them, as far as the budget allows, and tells each answer as soon as it is known.
    fn answer(&self, properties: &[Property], budget: &Budget, tell: Tell<'_>) -> Result<Summary, CheckError>;
}

/// Takes the answers of an engine, one by one. A counterexample that is none ends everything.
pub type Tell<'t> = &'t mut dyn FnMut(Finding) -> Result<(), CheckError>;

/// What an engine says of a property, before anybody has confirmed it.
pub struct Finding {
    /// The property.
    pub property: Property,
    /// The answer.
    pub verdict: Verdict<UnconfirmedEvidence>,
    /// What was seen for this property alone: states of the product with its automaton.
    pub product: Option<Statistics>,
    /// For violations by a state or a step: nobody knows whether a shorter run shows one.
    pub may_be_longer: bool,
}

impl Finding {
    /// What is said of a property without more.
    pub fn new(property: Property, verdict: Verdict<UnconfirmedEvidence>) -> Finding {
        Finding { property, verdict, product: None, may_be_longer: false }
    }
}

/// What is said to show a violation.
pub enum UnconfirmedEvidence {
    /// A run of the processes as they were read.
    Processes {
        /// The run.
        witness: Witness,
        /// Formulas that hold at further places of the run, because nothing visible happens between those and places where they
        /// are said to hold.
        implied: Vec<(usize, Formula)>,
    },
    /// A run of the part of a circuit, or of the whole.
    Circuit {
        /// The run, or the tree of runs.
        witness: Witness<Run>,
        /// The part of which it is a run.
        part: Arc<Cone>,
        /// Of a CTL formula: does the run show why the formula is false in its first state?
        shows_why: bool,
    },
    /// The initial state, without anything that would show why.
    InitialState,
}

/// What an engine has done.
#[derive(Default)]
pub struct Summary {
    /// How much it has seen, and what that took.
    pub statistics: Statistics,
    /// How many violations there are of each property that is violated, where they were counted.
    pub violations: Vec<(Property, u64)>,
    /// Which statements were executed, where that is known.
    pub coverage: Option<Coverage>,
    /// Were all reachable states seen?
    pub complete: bool,
    /// The limit that ended it, if one did.
    pub limit: Option<Why>,
    /// States too long to be packed were searched by the plain engine, with one thread and an exact store.
    pub plain: bool,
    /// The reachable states as text, if they were to be kept and are known.
    pub states: Option<String>,
}

/// The engines for processes that a plan allows, those to be preferred first.
pub fn of_processes<'p>(interpreter: &'p Interpreter<'p>, plan: &'p Plan) -> Vec<Box<dyn Engine + 'p>> {
    let explicit = || Box::new(explicit::Explicit { interpreter, plan });
    match plan.engine() {
        EngineChoice::Auto => vec![explicit(), Box::new(symbolic::Symbolic::for_ctl(interpreter, plan))],
        EngineChoice::Explicit => {
            let first_only = plan.is_first_only();
            vec![explicit(), Box::new(labelling::Labelling { interpreter, first_only })]
        }
        EngineChoice::Symbolic => vec![Box::new(symbolic::Symbolic::new(interpreter, plan))],
    }
}

/// An engine, and what it is to answer.
pub type Assignment<'e> = (&'e dyn Engine, Vec<Property>);

/// Which engine answers what, in the order of the engines.
pub fn assigned<'e>(
    engines: &'e [Box<dyn Engine + 'e>],
    properties: &[Property],
) -> Result<Vec<Assignment<'e>>, Unavailable> {
    let mut assigned: Vec<Assignment<'e>> = engines.iter().map(|engine| (engine.as_ref(), Vec::new())).collect();
    for &property in properties {
        let mut refusal = None;
        let able = assigned.iter_mut().find(|(engine, _)| match engine.can(property) {
            Ok(()) => true,
            Err(why) => {
                refusal = Some(why);
                false
            }
        });
        match (able, refusal) {
            (Some((_, properties)), _) => properties.push(property),
            (None, Some(refusal)) => return Err(refusal),
            (None, None) => unreachable!("there is at least one engine"),
        }
    }
    assigned.retain(|(_, properties)| !properties.is_empty());
    Ok(assigned)
}
