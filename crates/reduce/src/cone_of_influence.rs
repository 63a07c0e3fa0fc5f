//! The cone of influence: variables of a circuit that nothing asked depends on are left out.
//!
//! Paper:     [clarke-grumberg-peled] section 13.1.
//! Preserves: everything about the variables that are left: initial states, steps, deadlocks, fair runs.
//! Needs:     assignments that always have a value, which the circuit's obligations say.
//! Deviates:  circuits of the book are made of next-state functions. ProcessState there are constraints that could forbid a step
//!            (`INIT`, `TRANS`, `INVAR`) or a run (fairness): whatever these look at stays.
//!
//! What is left out becomes a constant, so that variables and expressions keep their numbers. It always has a value: its
//! assignments do not depend on each other in a circle, and each has one whatever the others are. So every run of the cone is
//! part of a run of the whole circuit, which [`Cone::lift`] finds.

use reductio_model::circuit::{
    Assignment, Circuit, Completion, Domain, ExprId, Expressions, Moment, Run, Simulator, TooLarge, Valuation,
    VariableId, VariableKind, verify,
};

/// How often a cycle is gone through until the variables that were left out repeat, too.
const MOST_ROUNDS: usize = 64;

/// Why a run of the cone is part of one of the whole.
const ALWAYS: &str = "what was left out always has a value";

pub struct Cone {
    pub circuit: Circuit,
    /// Which variables are in it.
    pub kept: Vec<bool>,
}

/// A run of the whole circuit, and for each of its states the place of the state that it was in the cone.
pub struct Lifted {
    pub run: Run,
    pub places: Vec<usize>,
}

/// The cones of some questions, each given as the expressions that it is about, with the numbers of the questions that each
/// cone serves. Questions whose cones are nearly the same share one, because what can be reached in it is computed once.
pub fn cones(circuit: &Circuit, questions: &[Vec<ExprId>]) -> Vec<(Cone, Vec<usize>)> {
    let size = |kept: &[bool]| {
        let sizes = circuit.variables.iter().zip(kept).filter(|(_, kept)| **kept);
        sizes.map(|(variable, _)| u64::from(variable.domain.size().next_power_of_two().ilog2())).sum::<u64>()
    };
    let mut groups: Vec<(Vec<bool>, Vec<usize>)> = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let kept = kept_variables(circuit, question.iter().copied());
        let joined = groups.iter_mut().find_map(|(other, numbers)| {
            let both: Vec<bool> = kept.iter().zip(&*other).map(|(one, other)| *one || *other).collect();
            let smaller = size(&kept).min(size(other));
            (size(&both) * 4 <= smaller * 5).then_some((both, other, numbers))
        });
        match joined {
            Some((both, other, numbers)) => {
                *other = both;
                numbers.push(number);
            }
            None => groups.push((kept, vec![number])),
        }
    }
    groups.into_iter().map(|(kept, numbers)| (Cone::of(circuit, kept), numbers)).collect()
}

impl Cone {
    /// The part of a circuit that some expressions depend on.
    pub fn new(circuit: &Circuit, roots: impl IntoIterator<Item = ExprId>) -> Cone {
        Cone::of(circuit, kept_variables(circuit, roots))
    }

    /// Everything.
    pub fn whole(circuit: &Circuit) -> Cone {
        Cone::of(circuit, vec![true; circuit.variables.len()])
    }

    fn of(circuit: &Circuit, kept: Vec<bool>) -> Cone {
        let mut cone = Cone { circuit: circuit.clone(), kept };
        cone.circuit.assignments.retain(|assignment| cone.kept[assignment.target.index()]);
        // They speak of the whole, and are met.
        cone.circuit.obligations.clear();
        if !cone.is_whole() {
            cone.forget();
        }
        debug_assert_eq!(verify(&cone.circuit), Ok(()), "a cone keeps the rules of circuits");
        cone
    }

    /// Has nothing look at what was left out. What is asked and what is kept does not depend on it, but atoms of other
    /// questions may, and so may the text of a choice that comes to the same whatever it is.
    fn forget(&mut self) {
        let Cone { circuit, kept } = self;
        let Circuit { expressions, atoms, assignments, variables, .. } = circuit;
        let constant = |id: VariableId| (!kept[id.index()]).then(|| variables[id.index()].domain.value(0));
        let depends = |expressions: &Expressions, ids: &[ExprId]| {
            expressions.support(ids.iter().copied()).iter().any(|(id, _)| !kept[id.index()])
        };
        for atom in atoms {
            if depends(expressions, &[atom.expr]) {
                atom.expr = expressions.substituted(atom.expr, &constant);
            }
        }
        for Assignment { choice, .. } in assignments {
            let mut parts = Vec::new();
            choice.expressions(&mut parts);
            if depends(expressions, &parts) {
                *choice = choice.map(&mut |expr| expressions.substituted(expr, &constant));
            }
        }
        for (variable, _) in variables.iter_mut().zip(&*kept).filter(|(_, kept)| !**kept) {
            variable.kind = VariableKind::Frozen;
            variable.domain = Domain::Range { low: 0, high: 0 };
            variable.hidden = true;
        }
    }

    pub fn is_whole(&self) -> bool {
        self.kept.iter().all(|kept| *kept)
    }

    /// The run with values for what was left out. `None` if the whole does not repeat itself soon where the run does.
    pub fn lift(&self, run: &Run, whole: &Circuit) -> Result<Option<Lifted>, TooLarge> {
        let mut completion = Completion::new(whole, &self.kept);
        let Some(first) = run.states.first() else { return Ok(None) };
        let state = completion.initial(first)?.expect(ALWAYS);
        self.lift_from(run, whole, state)
    }

    /// The same for a run that starts in a state of the cone of which the values in the whole are known.
    pub fn lift_from(&self, run: &Run, whole: &Circuit, mut state: Valuation) -> Result<Option<Lifted>, TooLarge> {
        let simulator = Simulator::new(whole);
        let mut completion = Completion::new(whole, &self.kept);
        let mut lifted = Lifted { run: Run { states: Vec::new(), cycle_start: None }, places: Vec::new() };
        // The states in which the cycle began anew.
        let mut beginnings: Vec<(Valuation, usize)> = Vec::new();
        let mut place = 0;
        loop {
            if run.cycle_start == Some(place) {
                let here = simulator.without_inputs(&state);
                if let Some((_, start)) = beginnings.iter().find(|(known, _)| *known == here) {
                    lifted.run.cycle_start = Some(*start);
                    return Ok(Some(lifted));
                }
                if beginnings.len() == MOST_ROUNDS {
                    return Ok(None);
                }
                beginnings.push((here, lifted.places.len()));
            }
            lifted.places.push(place);
            let Some(next) = (if place + 1 < run.states.len() { Some(place + 1) } else { run.cycle_start }) else {
                lifted.run.states.push(state);
                return Ok(Some(lifted));
            };
            let step = completion.step(&state, &run.states[place], &run.states[next])?;
            let step = step.expect(ALWAYS);
            lifted.run.states.push(step.from);
            state = step.to;
            place = next;
        }
    }
}

fn kept_variables(circuit: &Circuit, roots: impl IntoIterator<Item = ExprId>) -> Vec<bool> {
    let mut kept = vec![false; circuit.variables.len()];
    let constraints = circuit.init.iter().chain(&circuit.trans).chain(&circuit.invar).chain(&circuit.justice);
    let pairs = circuit.compassion.iter().flat_map(|(often, then)| [*often, *then]);
    // What is frozen and always assigned cannot follow its assignment: that is a constraint.
    let is_constraint = |assignment: &&Assignment| {
        assignment.moment == Moment::Always && circuit.variable(assignment.target).kind != VariableKind::State
    };
    let assigned = circuit.assignments.iter().filter(is_constraint).map(|assignment| assignment.constraint);
    let all = roots.into_iter().chain(constraints.copied()).chain(pairs).chain(assigned);
    let mut pending: Vec<VariableId> = circuit.expressions.support(all).into_iter().map(|(id, _)| id).collect();
    while let Some(id) = pending.pop() {
        if !std::mem::replace(&mut kept[id.index()], true) {
            let own = circuit.assignments.iter().filter(|assignment| assignment.target == id);
            let looks_at = circuit.expressions.support(own.map(|assignment| assignment.constraint));
            pending.extend(looks_at.into_iter().map(|(id, _)| id));
        }
    }
    kept
}
