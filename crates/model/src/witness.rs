//! What shows that a property is violated: a run, and where one run cannot show everything, the runs that branch off from it.

use reductio_logic::ctl::Formula;

use crate::system::{Fault, Step};

/// A run of processes: from the initial state through `stem`, then `cycle` forever. A finite run has an empty cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub stem: Vec<Step>,
    pub cycle: Vec<Step>,
}

/// A run with what it shows. Runs of processes are a [`Trace`], those of circuits a [`Run`](crate::circuit::Run).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness<R = Trace> {
    pub run: R,
    /// What goes wrong in the last step; `None` where the state that is reached, or the run as a whole, is the violation.
    pub fault: Option<Fault>,
    /// The states from this place on show nothing but that the run can go on fairly.
    pub fair_from: Option<usize>,
    pub branches: Vec<Branch<R>>,
    /// Formulas that hold at places of the run, and that neither the run nor its branches show.
    pub left: Vec<(usize, Formula)>,
}

/// A run that starts in a state of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch<R = Trace> {
    /// Where it branches off.
    pub place: usize,
    /// What it shows there.
    pub formula: Formula,
    pub witness: Witness<R>,
}

impl<R> Witness<R> {
    /// A run that shows everything by itself.
    pub fn of(run: R) -> Witness<R> {
        Witness { run, fault: None, fair_from: None, branches: Vec::new(), left: Vec::new() }
    }

    /// The same with what goes wrong in its last step.
    pub fn ending_in(self, fault: Option<Fault>) -> Witness<R> {
        Witness { fault, ..self }
    }
}
