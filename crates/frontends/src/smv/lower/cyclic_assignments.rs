//! Assignments that depend on each other in a circle, which have no meaning.

use reductio_model::circuit::Round;

use super::Lowering;
use crate::diagnostics::Diagnostic;

impl Lowering<'_> {
    /// Reports a circle among the assignments of initial states, and one among those of steps.
    pub fn refuse_circles(&mut self) {
        for (round, which) in [(Round::Initial, "initial"), (Round::Step, "next")] {
            if let Some(circle) = self.circuit.circle(round) {
                let names: Vec<&str> = circle.iter().map(|id| self.circuit.variable(*id).name.as_str()).collect();
                let message = format!("{which} values depend on each other in a circle: {}", names.join(", "));
                self.diagnostics.add(Diagnostic::error(message, None));
            }
        }
    }
}
