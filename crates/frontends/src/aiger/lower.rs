//! And-inverter graphs to circuits.

use std::collections::{HashMap, HashSet};

use reductio_logic::Prop;
use reductio_logic::ltl::Formulas;
use reductio_model::circuit::{Choice, Circuit, Domain, ExprId, Moment, Variable, VariableKind, verify};
use reductio_model::{Claim, Invariant};

use super::read::{Aiger, Literal};
use super::{AigerError, Place};
use crate::claims::circuit_claim;

pub fn lower(name: &str, aiger: &Aiger) -> Result<Circuit, AigerError> {
    let circuit = Circuit { name: name.to_owned(), files: vec![name.to_owned()], ..Circuit::default() };
    let mut lowering = Lowering { aiger, circuit, known: HashMap::new() };
    lowering.declare()?;
    lowering.lower_latches()?;
    for literal in &aiger.constraints {
        let condition = lowering.expr(*literal)?;
        lowering.circuit.invar.push(condition);
    }
    lowering.specifications()?;
    debug_assert_eq!(verify(&lowering.circuit), Ok(()), "what is wrong with a file has been reported");
    Ok(lowering.circuit)
}

struct Lowering<'a> {
    aiger: &'a Aiger,
    circuit: Circuit,
    /// By variable.
    known: HashMap<u32, ExprId>,
}

fn error(message: String) -> AigerError {
    AigerError { message, place: Place::Line(1) }
}

impl Lowering<'_> {
    fn name(&self, kind: u8, number: usize) -> String {
        let known = self.aiger.names.get(&(kind, number)).cloned();
        known.unwrap_or_else(|| format!("{}{number}", char::from(kind)))
    }

    fn declare(&mut self) -> Result<(), AigerError> {
        self.known.insert(0, self.circuit.expressions.truth(false));
        let inputs = self.aiger.inputs.iter().map(|variable| (*variable, b'i')).enumerate();
        let latches = self.aiger.latches.iter().map(|latch| (latch.variable, b'l')).enumerate();
        let mut taken: HashSet<String> = HashSet::new();
        for (number, (variable, kind)) in inputs.chain(latches) {
            let mut name = self.name(kind, number);
            // A file may give one name to several, but variables are known by their names.
            if taken.contains(&name) {
                name = format!("{name}_{}{number}", char::from(kind));
            }
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            let declared = Variable { name, kind: VariableKind::State, domain: Domain::Boolean, hidden: false };
            let id = self.circuit.add_variable(declared);
            let read = self.circuit.read(id, false);
            if self.known.insert(variable, read).is_some() || self.aiger.ands.contains_key(&variable) {
                return Err(error(format!("{} is defined twice", 2 * variable)));
            }
        }
        Ok(())
    }

    fn lower_latches(&mut self) -> Result<(), AigerError> {
        for (number, latch) in self.aiger.latches.iter().enumerate() {
            let id = reductio_model::circuit::VariableId((self.aiger.inputs.len() + number) as u32);
            if latch.reset.0 <= 1 {
                let value = self.circuit.expressions.truth(latch.reset.0 == 1);
                self.circuit.assign(id, Moment::Init, Choice::Value(value));
            }
            let next = self.expr(latch.next)?;
            self.circuit.assign(id, Moment::Next, Choice::Value(next));
        }
        Ok(())
    }

    /// What a literal stands for. Graphs are deep, so what is needed first is kept on a stack.
    fn expr(&mut self, literal: Literal) -> Result<ExprId, AigerError> {
        let mut pending = vec![literal.variable()];
        let mut open: HashMap<u32, Place> = HashMap::new();
        while let Some(variable) = pending.last().copied() {
            if self.known.contains_key(&variable) {
                pending.pop();
                continue;
            }
            let Some((one, other, place)) = self.aiger.ands.get(&variable).copied() else {
                return Err(error(format!("{} is used and not defined", 2 * variable)));
            };
            let unknown: Vec<u32> = [one, other]
                .iter()
                .map(|literal| literal.variable())
                .filter(|needed| !self.known.contains_key(needed))
                .collect();
            if unknown.is_empty() {
                let (one, other) = (self.signed(one), self.signed(other));
                let both = self.circuit.expressions.and(one, other);
                self.known.insert(variable, both);
                pending.pop();
            } else if open.insert(variable, place).is_some() {
                return Err(AigerError { message: format!("{} depends on itself", 2 * variable), place });
            } else {
                pending.extend(unknown);
            }
        }
        Ok(self.signed(literal))
    }

    /// A literal whose variable is known.
    fn signed(&mut self, literal: Literal) -> ExprId {
        let expr = self.known[&literal.variable()];
        if literal.is_negated() { self.circuit.expressions.not(expr) } else { expr }
    }

    /// No bad state is reached. Files of the old format have outputs for that.
    fn specifications(&mut self) -> Result<(), AigerError> {
        let aiger = self.aiger;
        let old = aiger.bad.is_empty() && aiger.justice.is_empty();
        let (bad, kind) = if old { (&aiger.outputs, b'o') } else { (&aiger.bad, b'b') };
        for (number, literal) in bad.iter().enumerate() {
            let name = self.name(kind, number);
            let expr = self.expr(*literal)?;
            let good = self.circuit.expressions.not(expr);
            let atom = self.circuit.atom(good, &format!("!{name}"));
            self.circuit.ask_invariant(Invariant { name, atom, position: None });
        }
        for (number, literals) in aiger.justice.iter().enumerate() {
            let name = self.name(b'j', number);
            let mut formulas = Formulas::new();
            let mut met = formulas.truth(true);
            for literal in literals.iter().chain(&aiger.fairness) {
                let expr = self.expr(*literal)?;
                let again = match self.circuit.expressions.constant_value(expr) {
                    Some(value) => formulas.truth(value != 0),
                    None => {
                        let atom = self.circuit.atom(expr, &literal.0.to_string());
                        let atom = formulas.atom(Prop(atom.0));
                        let eventually = formulas.eventually(atom);
                        formulas.always(eventually)
                    }
                };
                met = formulas.and(met, again);
            }
            let wanted = formulas.not(met);
            let claim = circuit_claim(&mut formulas, wanted).map_err(|problem| error(format!("{name}: {problem}")))?;
            self.circuit.ask_claim(Claim { name, of_infinite_runs_only: true, ..claim });
        }
        Ok(())
    }
}
