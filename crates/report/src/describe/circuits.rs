//! Circuits in words: what the variables hold at first, and of each step the inputs and what changes. Hidden variables are not
//! told of.

use reductio_model::circuit::{Circuit, Simulator, Transition, Valuation, Variable, VariableKind};
use reductio_model::{Fault, Steppable, Taken};

use crate::describe::Described;
use crate::trace::{CircuitStep, StepEntry};
use crate::trace_text::Layout;
use crate::value::{Change, Value};

/// So many inputs of an arrow are written beside it.
const MOST_INPUTS: usize = 4;

impl Described for Simulator<'_> {
    const MOST_LISTED: Option<usize> = Some(40);
    const SHARES_ARROWS: bool = true;

    fn layout(&self) -> Layout {
        Layout::default()
    }

    fn contents(&self, state: &Valuation) -> Vec<Change> {
        values(self.circuit(), state, |variable, _| variable.kind != VariableKind::Input)
    }

    fn start(&self, state: &Valuation) -> Option<Vec<Change>> {
        Some(self.contents(state))
    }

    fn possible(&self, _: &Valuation, step: &Transition) -> StepEntry {
        let Transition { from, to } = step;
        let is_new =
            |variable: &Variable, index: usize| variable.kind != VariableKind::Input && from[index] != to[index];
        let changes = values(self.circuit(), to, is_new);
        StepEntry::Circuit(CircuitStep { inputs: inputs(self.circuit(), from), changes })
    }

    fn taken(&self, taken: &Taken<Valuation, Transition>) -> StepEntry {
        self.possible(&taken.before, &taken.step)
    }

    fn fault(&self, fault: &Fault) -> String {
        fault.kind.to_string()
    }

    fn ending(&mut self, state: &Valuation) -> String {
        if self.may_end(state) {
            return "the run ends: no inputs meet the constraints in the next state".to_owned();
        }
        "the last state has no successor".to_owned()
    }

    fn state_label(&self, state: &Valuation) -> String {
        joined(&self.contents(state), "\n")
    }

    fn is_passed_through(&self, _: &Valuation) -> bool {
        false
    }

    /// The inputs with which a step is taken, or those of some steps.
    fn arrow_label(&self, _: &Valuation, steps: &[&Transition]) -> String {
        let told = steps.iter().map(|step| joined(&inputs(self.circuit(), &step.from), ", "));
        let mut label: Vec<String> = told.take(MOST_INPUTS).filter(|inputs| !inputs.is_empty()).collect();
        if steps.len() > MOST_INPUTS {
            label.push(format!("and {} more", steps.len() - MOST_INPUTS));
        }
        label.join("\n")
    }
}

fn inputs(circuit: &Circuit, state: &Valuation) -> Vec<Change> {
    values(circuit, state, |variable, _| variable.kind == VariableKind::Input)
}

/// What some of the variables hold, chosen by themselves and by their place.
fn values(circuit: &Circuit, state: &Valuation, is_meant: impl Fn(&Variable, usize) -> bool) -> Vec<Change> {
    let variables = circuit.variables.iter().zip(state).enumerate();
    let shown = variables.filter(|(index, (variable, _))| !variable.hidden && is_meant(variable, *index));
    let value = |text: String| text.parse().map_or(Value::Word(text), Value::Number);
    shown
        .map(|(_, (variable, number))| Change {
            name: variable.name.clone(),
            value: value(variable.domain.text(*number)),
        })
        .collect()
}

fn joined(values: &[Change], separator: &str) -> String {
    values.iter().map(Change::to_string).collect::<Vec<_>>().join(separator)
}
