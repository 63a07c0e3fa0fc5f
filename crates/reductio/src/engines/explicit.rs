//! Processes state by state: properties of states and of infinite runs.

use reductio_explicit::{PropertyVerdict as Found, search};
use reductio_model::{Budget, Interpreter, Property};
use reductio_reduce::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};
use reductio_reduce::{EngineChoice, Plan};

use super::{Engine, Finding, Summary, Tell, UnconfirmedEvidence};
use crate::job::CheckError;

pub struct Explicit<'p> {
    pub interpreter: &'p Interpreter<'p>,
    pub plan: &'p Plan,
}

impl Engine for Explicit<'_> {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn can(&self, property: Property) -> Result<(), Unavailable> {
        match property {
            Property::Ctl(_) => {
                let symbolic = Alternative::Setting(Setting::Engine(EngineChoice::Symbolic));
                let explicit = Setting::Engine(EngineChoice::Explicit);
                Err(Unavailable::new(explicit, Conflict::For(Topic::Ctl), &[symbolic]))
            }
            Property::Deadlock | Property::Assertions | Property::Invariant(_) | Property::Claim(_) => Ok(()),
        }
    }

    fn answer(&self, properties: &[Property], budget: &Budget, tell: Tell<'_>) -> Result<Summary, CheckError> {
        let plan = self.plan.narrowed(|property| properties.contains(&property));
        let result = search(self.interpreter, &plan, budget);
        for found in result.verdicts {
            let claimed = |witness| UnconfirmedEvidence::Processes { witness, implied: Vec::new() };
            let verdict = found.verdict.map(claimed);
            let Found { property, statistics, may_be_longer, .. } = found;
            tell(Finding { property, verdict, product: statistics, may_be_longer })?;
        }
        Ok(Summary {
            statistics: result.statistics,
            violations: result.violations,
            coverage: Some(result.coverage),
            complete: result.complete,
            limit: result.limit,
            plain: result.plain,
            states: None,
        })
    }
}
