//! What a check found, as plain data in the shape of the JSON schema `reductio.result/1`.

use serde::Serialize;

use crate::explanation::ExplanationEntry;
use crate::trace::TraceEntry;

pub const RESULT_SCHEMA: &str = "reductio.result/1";

/// The fields are written in this order. The schema is documented in `docs/guide/json.md`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckReport {
    #[cfg_attr(test, schemars(extend("const" = RESULT_SCHEMA)))]
    pub schema: &'static str,
    pub model: String,
    /// One entry per violation, or one per property that has none.
    pub results: Vec<ResultEntry>,
    /// Violations that are only counted, beside those among the results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<FurtherEntry>,
    pub statistics: StatisticsEntry,
    pub plan: PlanEntry,
    pub unchecked: Vec<UncheckedEntry>,
    pub unreached: Vec<UnreachedEntry>,
    /// Has every property that was checked an answer? (What holds is always a proof.)
    pub complete: bool,
    /// Were all states and steps seen, so that `unreached` is what no run reaches? A property may need fewer.
    pub unreached_complete: bool,
    /// Where it was asked whether properties hold for a poor reason: what that took.
    pub vacuity: Option<VacuityEntry>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResultEntry {
    pub property: String,
    #[cfg_attr(test, schemars(extend("enum" = crate::schema::KINDS.map(reductio_model::PropertyKind::name))))]
    pub kind: &'static str,
    pub verdict: VerdictName,
    /// What went wrong, or the limit that was reached.
    pub reason: Option<String>,
    /// The run that the violation is.
    pub trace: Option<TraceEntry>,
    /// For violations by a state or a step: nobody knows whether there is a shorter run to one.
    #[serde(skip_serializing_if = "is_false")]
    pub may_be_longer: bool,
    /// For claims: how many states of the model together with the claim's automaton were seen.
    pub product_states: Option<u64>,
    /// For claims that are violated: why the run breaks them.
    pub explanation: Option<ExplanationEntry>,
    /// For claims that hold: why that may say less than it seems.
    pub remarks: Vec<RemarkEntry>,
}

impl ResultEntry {
    /// A property that holds, so far.
    pub fn new(property: String, kind: &'static str) -> ResultEntry {
        ResultEntry {
            property,
            kind,
            verdict: VerdictName::Holds,
            reason: None,
            trace: None,
            may_be_longer: false,
            product_states: None,
            explanation: None,
            remarks: Vec::new(),
        }
    }

    /// A property of which nothing is known, and why.
    pub fn inconclusive(property: String, kind: &'static str, reason: String) -> ResultEntry {
        let (verdict, reason) = (VerdictName::Inconclusive, Some(reason));
        ResultEntry { verdict, reason, ..ResultEntry::new(property, kind) }
    }
}

/// So many more violations of a property were found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FurtherEntry {
    pub property: String,
    pub violations: u64,
}

/// A reason for which a property holds that is hardly the one that was meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RemarkEntry {
    pub kind: RemarkKind,
    /// A sentence for people.
    pub text: String,
    /// The part of the formula that does not matter.
    pub part: Option<String>,
    /// A stronger formula, without the part, that holds as well.
    pub stronger: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RemarkKind {
    /// A part of the formula does not matter.
    Vacuous,
    /// The premise of an implication does not matter: more holds than was asked for.
    Stronger,
    /// Nothing was there to break the property.
    Trivial,
}

/// What it took to look for such reasons.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VacuityEntry {
    pub searches: u64,
    pub seconds: f64,
    /// Was everything looked at?
    pub complete: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VerdictName {
    Holds,
    Violated,
    Inconclusive,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatisticsEntry {
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub seconds: f64,
    pub memory_bytes: u64,
    pub threads: u32,
    /// The word for it on the command line.
    pub store: &'static str,
    /// Where the store is lossy: how likely it is, at least, that a state was not passed over.
    pub coverage_estimate: Option<f64>,
    /// How many states depth-first probes have seen besides, which only hunt for violations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probed_states: Option<u64>,
    /// With the symbolic engine: how many nodes the transition relations in use had, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation_nodes: Option<f64>,
    /// With the symbolic engine: the most nodes that were in use at once, as far as that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_nodes: Option<u64>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlanEntry {
    pub engine: &'static str,
    /// Which infinite runs count: the word for it on the command line.
    pub fairness: &'static str,
    /// How infinite runs are looked for, if they are: the word for it on the command line.
    pub cycles: Option<&'static str>,
    pub applied: Vec<Technique>,
    /// What there is to say of a reduction that is applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<DetailEntry>,
    pub refused: Vec<RefusedEntry>,
}

/// A reduction. Programs know it by its short name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Technique {
    pub name: &'static str,
    /// What it is called in the literature.
    #[serde(skip)]
    pub full_name: &'static str,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DetailEntry {
    pub reduction: Technique,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RefusedEntry {
    pub reduction: Technique,
    pub because: String,
    pub at: Option<String>,
    /// Few people want to know it.
    #[serde(skip)]
    pub is_routine: bool,
}

/// A property that was declared and not checked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UncheckedEntry {
    pub property: String,
    pub because: String,
    pub at: Option<String>,
    /// Did the user choose so?
    pub by_choice: bool,
}

/// A statement that was never executed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnreachedEntry {
    pub at: String,
    pub proctype: String,
    pub statement: String,
}

/// What is not said is not so.
fn is_false(value: &bool) -> bool {
    !value
}

impl CheckReport {
    /// One line of JSON, with a line break at its end.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string(self).expect("keys are strings and numbers are finite");
        json.push('\n');
        json
    }

    /// What the model declares and nobody has checked, although the user did not choose other properties.
    pub fn overlooked(&self) -> impl Iterator<Item = &UncheckedEntry> {
        self.unchecked.iter().filter(|entry| !entry.by_choice)
    }

    pub fn count(&self, verdict: VerdictName) -> usize {
        self.results.iter().filter(|result| result.verdict == verdict).count()
    }
}
