//! What a check comes to.

use std::time::Duration;

use reductio_model::circuit::Run;
use reductio_model::{Phase, Property, PropertyKind, Subject, Verdict, Why, Witness};
use reductio_report::result::RESULT_SCHEMA;
use reductio_report::{
    CheckReport, ExplanationEntry, FurtherEntry, PlanEntry, RemarkEntry, ResultEntry, StatisticsEntry, TraceEntry,
    UncheckedEntry, UnreachedEntry, VacuityEntry, VerdictName,
};

use crate::job::Questions;
use crate::selection::Choice;
use crate::settings::Settings;

/// What a check comes to: an answer for each property, what was done for that, and what was not.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The name of the model.
    pub model: String,
    /// One per violation, or one per property that has none, in the order of the properties.
    pub answers: Vec<Answer>,
    /// Violations that are only counted, beside those among the answers.
    pub further: Vec<FurtherEntry>,
    /// How much was seen, and what that took.
    pub statistics: StatisticsEntry,
    /// The engine, and which reductions were applied: the ledger.
    pub plan: PlanEntry,
    /// What is asked and was not checked.
    pub unchecked: Vec<UncheckedEntry>,
    /// Statements that were never executed.
    pub unreached: Vec<UnreachedEntry>,
    /// Were all states and steps seen, so that `unreached` is what no run reaches?
    pub unreached_complete: bool,
    /// Where it was asked whether properties hold for a poor reason: what that took.
    pub vacuity: Option<VacuityEntry>,
    /// The reachable states as a BDD in the format DDDMP, if they were to be kept and are known.
    pub states: Option<String>,
    /// Warnings about the text, each with its place.
    pub diagnostics: String,
    /// What ended the check before its time, if something did.
    pub limit: Option<Why>,
    /// What was being done when a limit was reached and the work could not stop in order.
    pub cut_off_in: Option<Phase>,
}

/// What is known of a property.
#[derive(Clone, Debug)]
pub struct Answer {
    /// `None` if the model could not be read in time, so that only the name is known.
    pub property: Option<Property>,
    /// The name by which reports know the property.
    pub name: String,
    /// The word for its kind.
    pub kind: &'static str,
    /// The answer.
    pub verdict: Verdict<Counterexample>,
    /// For claims: how many states of the model together with the claim's automaton were seen.
    pub product_states: Option<u64>,
    /// For violations by a state or a step: nobody knows whether there is a shorter run to one.
    pub may_be_longer: bool,
    /// For claims that hold: why that may say less than it seems.
    pub remarks: Vec<RemarkEntry>,
}

/// A violation that was replayed on the model as it was read.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What goes wrong, in a sentence.
    pub reason: String,
    /// The run itself; `None` where no run of the whole model shows what is wrong.
    pub evidence: Option<Evidence>,
    /// For claims: why the run breaks them.
    pub explanation: Option<ExplanationEntry>,
    /// The run that is shown, described: of a circuit, it may be one of the part that matters.
    pub trace: Option<TraceEntry>,
}

/// A run that shows a violation, of the model as it was read.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// Steps of processes.
    Processes(Witness),
    /// States of a circuit, with the inputs between them.
    Circuit(Witness<Run>),
}

impl Answer {
    /// A property of which nothing is known yet.
    pub(crate) fn unknown(property: Property, of: &dyn Subject) -> Answer {
        let verdict = Verdict::Inconclusive(Why::Interrupted);
        Answer::new(property, of, verdict)
    }

    pub(crate) fn new(property: Property, of: &dyn Subject, verdict: Verdict<Counterexample>) -> Answer {
        Answer {
            property: Some(property),
            name: property.name(of),
            kind: property.kind(of).name(),
            verdict,
            product_states: None,
            may_be_longer: false,
            remarks: Vec::new(),
        }
    }

    fn entry(self, cut_off_in: Option<Phase>, advice: &dyn Fn(&Answer, Why) -> Option<String>) -> ResultEntry {
        let reason = if let Verdict::Inconclusive(why) = &self.verdict {
            let during = cut_off_in.map_or(String::new(), |phase| format!(", while {}", phase.name()));
            let advice = advice(&self, *why).map_or(String::new(), |advice| format!("; {advice}"));
            Some(format!("{why}{during}{advice}"))
        } else {
            None
        };
        let entry = ResultEntry {
            product_states: self.product_states,
            may_be_longer: self.may_be_longer,
            remarks: self.remarks,
            ..ResultEntry::new(self.name, self.kind)
        };
        match self.verdict {
            Verdict::Holds => entry,
            Verdict::Inconclusive(_) => ResultEntry { verdict: VerdictName::Inconclusive, reason, ..entry },
            Verdict::Violated(counterexample) => ResultEntry {
                verdict: VerdictName::Violated,
                reason: Some(counterexample.reason),
                trace: counterexample.trace,
                explanation: counterexample.explanation,
                ..entry
            },
        }
    }
}

impl Outcome {
    /// Nothing is known but the name of the model.
    pub(crate) fn nothing(model: &str, settings: &Settings) -> Outcome {
        Outcome {
            model: model.to_owned(),
            answers: Vec::new(),
            further: Vec::new(),
            statistics: StatisticsEntry { threads: settings.threads, ..StatisticsEntry::default() },
            plan: PlanEntry {
                engine: "none",
                fairness: settings.fairness.name(),
                cycles: None,
                applied: Vec::new(),
                details: Vec::new(),
                refused: Vec::new(),
            },
            unchecked: Vec::new(),
            unreached: Vec::new(),
            unreached_complete: false,
            vacuity: None,
            states: None,
            diagnostics: String::new(),
            limit: None,
            cut_off_in: None,
        }
    }

    /// The model could not be read in time: nothing is known but what is asked besides.
    pub(crate) fn unread(
        model: &str,
        questions: &Questions,
        choice: &Choice,
        settings: &Settings,
        why: Why,
    ) -> Outcome {
        let mut all = Vec::new();
        if !choice.without_deadlock {
            all.push(("deadlock", PropertyKind::Deadlock.name()));
        }
        all.push(("assertion", PropertyKind::Assertion.name()));
        let asked = [
            (&questions.invariants, PropertyKind::Invariant),
            (&questions.ltl, PropertyKind::Ltl),
            (&questions.ctl, PropertyKind::Ctl),
        ];
        for (texts, kind) in asked {
            all.extend(texts.iter().map(|text| (text.as_str(), kind.name())));
        }
        if !choice.names.is_empty() {
            let known = |name: &String| all.iter().find(|(known, _)| known == name).copied();
            all = choice.names.iter().map(|name| known(name).unwrap_or((name, "unknown"))).collect();
        }
        let answer = |(name, kind): (&str, &'static str)| Answer {
            property: None,
            name: name.to_owned(),
            kind,
            verdict: Verdict::Inconclusive(why),
            product_states: None,
            may_be_longer: false,
            remarks: Vec::new(),
        };
        let answers = all.into_iter().map(answer).collect();
        Outcome { answers, limit: Some(why), ..Outcome::nothing(model, settings) }
    }

    /// With an answer for every property. Those that have none yet are inconclusive for this reason.
    pub(crate) fn completed(mut self, properties: Vec<Answer>, why: Option<Why>) -> Outcome {
        let place = |answer: &Answer| properties.iter().position(|other| other.property == answer.property);
        self.answers.sort_by_key(place);
        let limit = why.or(self.limit);
        let why = limit.unwrap_or(Why::Interrupted);
        let mut answers = Vec::with_capacity(properties.len());
        let mut known = self.answers.into_iter().peekable();
        for property in &properties {
            let before = answers.len();
            while let Some(answer) = known.next_if(|answer| answer.property == property.property) {
                answers.push(answer);
            }
            if answers.len() == before {
                answers.push(Answer { verdict: Verdict::Inconclusive(why), ..property.clone() });
            }
        }
        Outcome { answers, limit, ..self }
    }

    /// With the time that was taken.
    pub(crate) fn after(mut self, taken: Duration) -> Outcome {
        let elsewhere = self.vacuity.map_or(0.0, |vacuity| vacuity.seconds);
        self.statistics.seconds = (taken.as_secs_f64() - elsewhere).max(self.statistics.seconds);
        self
    }

    /// The same if the work had to be left behind in this phase.
    pub(crate) fn cut_off(self, phase: Phase, taken: Duration) -> Outcome {
        Outcome { cut_off_in: Some(phase), ..self.after(taken) }
    }

    /// Has every property that was checked an answer?
    pub fn is_complete(&self) -> bool {
        self.count(|verdict| matches!(verdict, Verdict::Inconclusive(_))) == 0
    }

    /// Is there a violation?
    pub fn is_violated(&self) -> bool {
        self.count(|verdict| matches!(verdict, Verdict::Violated(_))) > 0
    }

    /// Did somebody end the check?
    pub fn is_interrupted(&self) -> bool {
        self.limit == Some(Why::Interrupted)
    }

    fn count(&self, is_meant: impl Fn(&Verdict<Counterexample>) -> bool) -> usize {
        self.answers.iter().filter(|answer| is_meant(&answer.verdict)).count()
    }

    /// The same as plain data that can be printed, and written as JSON. `advice` says what may help where there is no answer.
    pub fn report(self, advice: &dyn Fn(&Answer, Why) -> Option<String>) -> CheckReport {
        let complete = self.is_complete();
        // That an engine was searching goes without saying.
        let cut_off_in = self.cut_off_in.filter(|phase| *phase != Phase::Searching);
        CheckReport {
            schema: RESULT_SCHEMA,
            model: self.model,
            results: self.answers.into_iter().map(|answer| answer.entry(cut_off_in, advice)).collect(),
            further: self.further,
            statistics: self.statistics,
            plan: self.plan,
            unchecked: self.unchecked,
            unreached: self.unreached,
            complete,
            unreached_complete: self.unreached_complete,
            vacuity: self.vacuity,
        }
    }
}
