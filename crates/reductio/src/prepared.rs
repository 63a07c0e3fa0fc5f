//! A system with a plan for what is asked of it. The plan belongs to these properties and to no others.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use reductio_model::circuit::Circuit;
use reductio_model::{Budget, Model, Phase, Property, Unfinished, Why, Work};
use reductio_reduce::circuit_plan::{CircuitPlan, plan_circuit};
use reductio_reduce::{Ledger, Plan, PlanRequest, plan};

use crate::job::{CheckError, Job, LoadedSystem, System};
use crate::outcome::{Answer, Outcome};
use crate::pipeline;
use crate::selection::Selection;
use crate::settings::Settings;

/// A system, what is checked of it, and the plan for that.
pub struct Prepared {
    planned: Planned,
    selection: Selection,
    settings: Settings,
    diagnostics: String,
    /// How long it took to prepare.
    taken: Duration,
}

/// A system with its plan.
pub enum Planned {
    /// Promela, while-programs.
    Processes {
        /// As it was read.
        model: Model,
        /// For what is asked of it, with what was made of it.
        plan: Plan,
    },
    /// SMV, AIGER.
    Circuit {
        /// As it was read.
        circuit: Circuit,
        /// For what is asked of it, with the parts of it that matter.
        plan: CircuitPlan,
    },
}

/// Why nothing is prepared.
#[derive(Debug)]
pub enum NotPrepared {
    /// There is nothing to report.
    Error(CheckError),
    /// A limit was reached. All that can be reported is in the outcome.
    Limit(Box<Outcome>),
}

impl From<CheckError> for NotPrepared {
    fn from(error: CheckError) -> NotPrepared {
        NotPrepared::Error(error)
    }
}

impl Prepared {
    pub(crate) fn new(job: Job, budget: &Budget) -> Result<Prepared, NotPrepared> {
        let started = Instant::now();
        let Job { source, questions, choice, settings } = job;
        settings.refuse_for(source.language).map_err(CheckError::from)?;
        let (name, engine) = (source.name.clone(), settings.engine);
        let read = {
            let questions = questions.clone();
            budget.during(Phase::Reading).watch(Work::Blind, move |_| source.load_for(&questions, engine))
        };
        let LoadedSystem { system, diagnostics } = match read {
            Ok(loaded) => loaded?,
            Err(Unfinished::NoThread(error)) => return Err(CheckError::CannotStartThread(error).into()),
            Err(Unfinished::Limit(why, phase)) => {
                let outcome = Outcome::unread(&name, &questions, &choice, &settings, why);
                return Err(NotPrepared::Limit(Box::new(outcome.cut_off(phase, started.elapsed()))));
            }
        };
        let selection = Selection::new(system.subject(), &choice).map_err(CheckError::Choice)?;
        if let System::Processes(_) = &system {
            settings.refuse_idle(&selection.properties).map_err(CheckError::from)?;
        }
        // A plan, with the reductions it takes, cannot be interrupted.
        let system = Arc::new(system);
        let plan = {
            let (system, settings, properties) = (system.clone(), settings.clone(), selection.properties.clone());
            let plan = move |budget: &Budget| SystemPlan::new(&system, &settings, &properties, budget);
            budget.during(Phase::Planning).watch(Work::Blind, plan)
        };
        match plan {
            Ok(plan) => {
                let system = Arc::into_inner(system).expect("the work that shared it has ended");
                let taken = started.elapsed();
                Ok(Prepared { planned: plan?.with(system), selection, settings, diagnostics, taken })
            }
            Err(Unfinished::NoThread(error)) => Err(CheckError::CannotStartThread(error).into()),
            Err(Unfinished::Limit(why, phase)) => {
                let unplanned = Unplanned { system: &system, selection: &selection, settings: &settings };
                let outcome = unplanned.outcome(why).cut_off(phase, started.elapsed());
                Err(NotPrepared::Limit(Box::new(Outcome { diagnostics, ..outcome })))
            }
        }
    }

    /// Warnings about the text, each with its place.
    pub fn diagnostics(&self) -> &str {
        &self.diagnostics
    }

    /// The system with its plan.
    pub fn planned(&self) -> &Planned {
        &self.planned
    }

    /// What is checked, in the order of reports.
    pub fn properties(&self) -> &[Property] {
        &self.selection.properties
    }

    /// What is checked, and what is not.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// How it is done.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Which reductions are applied, and why others are not.
    pub fn ledger(&self) -> &Ledger {
        match &self.planned {
            Planned::Processes { plan, .. } => plan.ledger(),
            Planned::Circuit { plan, .. } => plan.ledger(),
        }
    }

    /// Answers all that is asked, as far as the limits allow. Every counterexample was replayed on the model as it was read.
    pub fn check(self, budget: &Budget) -> Result<Outcome, CheckError> {
        let (started, prepared_in) = (Instant::now(), self.taken);
        let known = Arc::new(Known(Mutex::new(pipeline::nothing_known(&self))));
        let properties = self.selection.properties.clone();
        let names: Vec<Answer> = properties.iter().map(|property| Answer::unknown(*property, self.subject())).collect();
        let done = {
            let known = known.clone();
            budget.watch(Work::Attentive, move |budget| pipeline::check(&self, budget, &known))
        };
        let limit = match done {
            Ok(done) => {
                done?;
                None
            }
            Err(Unfinished::Limit(why, phase)) => Some((why, phase)),
            Err(Unfinished::NoThread(error)) => return Err(CheckError::CannotStartThread(error)),
        };
        let outcome = known.now().clone().completed(names, limit.map(|(why, _)| why));
        let taken = prepared_in + started.elapsed();
        Ok(match limit {
            Some((_, phase)) => outcome.cut_off(phase, taken),
            None => outcome.after(taken),
        })
    }

    pub(crate) fn subject(&self) -> &dyn reductio_model::Subject {
        match &self.planned {
            Planned::Processes { model, .. } => model,
            Planned::Circuit { circuit, .. } => circuit,
        }
    }
}

/// What is known so far, for whoever has to report while the rest is being found out.
pub(crate) struct Known(Mutex<Outcome>);

impl Known {
    /// To be looked at or added to. A thread that panics while it holds it says so itself.
    pub fn now(&self) -> MutexGuard<'_, Outcome> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A plan, whatever it is for.
enum SystemPlan {
    Processes(Plan),
    Circuit(CircuitPlan),
}

impl SystemPlan {
    fn new(
        system: &System,
        settings: &Settings,
        properties: &[Property],
        budget: &Budget,
    ) -> Result<SystemPlan, CheckError> {
        match system {
            System::Processes(model) => {
                let request = PlanRequest { budget: budget.clone(), ..settings.plan_request(properties) };
                plan(model, request).map(SystemPlan::Processes).map_err(CheckError::Plan)
            }
            System::Circuit(circuit) => plan_circuit(circuit, &settings.circuit_request(properties))
                .map(SystemPlan::Circuit)
                .map_err(CheckError::Plan),
        }
    }

    fn with(self, system: System) -> Planned {
        match (self, system) {
            (SystemPlan::Processes(plan), System::Processes(model)) => Planned::Processes { model, plan },
            (SystemPlan::Circuit(plan), System::Circuit(circuit)) => Planned::Circuit { circuit, plan },
            _ => unreachable!("a plan is of the kind of its system"),
        }
    }
}

/// A system for which there was no time to plan.
struct Unplanned<'a> {
    system: &'a System,
    selection: &'a Selection,
    settings: &'a Settings,
}

impl Unplanned<'_> {
    fn outcome(&self, why: Why) -> Outcome {
        let subject = self.system.subject();
        let properties = self.selection.properties.iter();
        let answers = properties.map(|property| Answer::unknown(*property, subject)).collect();
        let outcome = Outcome::nothing(self.system.name(), self.settings);
        Outcome { unchecked: self.selection.unchecked(subject), ..outcome }.completed(answers, Some(why))
    }
}
