//! Variables as bits of BDDs, and expressions as BDDs.
//!
//! How values and expressions become bits is in [`expressions`](crate::expressions). The bits of a variable now and in the next
//! state are neighbours in the order, and the variables are in the order of the text, inputs included. What is frozen
//! has the same bits in both states.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use reductio_model::Budget;
use reductio_model::circuit::{Circuit, Domain, ExprId, Type, Valuation, VariableId, VariableKind};
use reductio_reduce::circuit_plan::InitialOrder;

use crate::bdd::{Bdd, Bit, Computed, Manager};
use crate::expressions::{Encoded, Encoder, code_of, width_of};
use crate::force::force;
use crate::selectors::selectors_first;

/// With fewer nodes in use, no order is bad enough to look for another.
const FIRST_REORDERING: usize = 100_000;

pub struct Encoding<'a> {
    pub circuit: &'a Circuit,
    pub manager: Manager<'a>,
    variables: Vec<VariableBits>,
    encoded: Encoded<Manager<'a>>,
}

struct VariableBits {
    now: Vec<Bit>,
    /// For inputs none, for what is frozen the same ones.
    next: Vec<Bit>,
}

impl<'a> Encoding<'a> {
    pub fn new(circuit: &'a Circuit, budget: &'a Budget) -> Encoding<'a> {
        let widths: Vec<u32> = circuit.variables.iter().map(|variable| width_of(&variable.domain)).collect();
        let is_state = |index: usize| circuit.variables[index].kind == VariableKind::State;
        let total = widths.iter().enumerate().map(|(index, width)| width << u32::from(is_state(index))).sum();
        let manager = Manager::new(total, budget);
        let mut first = 0;
        let variables = widths.iter().enumerate().map(|(index, width)| {
            let step = if is_state(index) { 2 } else { 1 };
            let bits = |offset: u32| (0..*width).map(|place| manager.bit_at(first + place * step + offset)).collect();
            let now: Vec<Bit> = bits(0);
            let next = match circuit.variables[index].kind {
                VariableKind::State => bits(1),
                VariableKind::Frozen => now.clone(),
                VariableKind::Input => Vec::new(),
            };
            first += width * step;
            VariableBits { now, next }
        });
        let variables = variables.collect();
        Encoding { circuit, manager, variables, encoded: RefCell::default() }
    }

    pub fn order_bits(&self, order: InitialOrder) {
        let now = self.circuit.variable_ids().flat_map(|id| self.bits(id, false).iter().copied());
        let next = self.changing_bits().into_iter().rev().map(|(_, next)| next);
        let mut all: Vec<Bit> = now.chain(next).collect();
        match order {
            InitialOrder::Text => {
                let variables: Vec<VariableId> = self.circuit.variable_ids().collect();
                let better = selectors_first(self.circuit, variables.clone());
                if better == variables {
                    return;
                }
                all = self.bits_of(better);
            }
            InitialOrder::Worst => {}
            InitialOrder::Scattered => {
                all.sort_by_key(|bit| (bit.index() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
        }
        self.manager.set_order(&all);
    }

    /// From now on, the order of the bits may change. Unless it is that of the text, it is made better at once.
    pub fn reorder_when_large(&mut self, order: InitialOrder) {
        if order != InitialOrder::Text {
            let mut owner: HashMap<Bit, VariableId> = HashMap::new();
            for id in self.circuit.variable_ids() {
                owner.extend(self.bits(id, false).iter().map(|bit| (*bit, id)));
            }
            // A variable is where its first bit is; one without bits is anywhere.
            let mut variables: Vec<VariableId> = Vec::new();
            let in_order = self.manager.order().into_iter().filter_map(|bit| owner.get(&bit).copied());
            for id in in_order.chain(self.circuit.variable_ids()) {
                if !variables.contains(&id) {
                    variables.push(id);
                }
            }
            let variables = selectors_first(self.circuit, force(self.circuit, variables));
            self.manager.set_order(&self.bits_of(variables));
        }
        let pairs = self.changing_bits();
        self.manager.reorder_when_large(&pairs, FIRST_REORDERING);
    }

    /// The bits of variables one after the other, each with its next value behind it.
    fn bits_of(&self, variables: Vec<VariableId>) -> Vec<Bit> {
        let mut bits: Vec<Bit> = Vec::new();
        for id in variables {
            let (now, next) = (self.bits(id, false), self.bits(id, true));
            let changes = self.circuit.variable(id).kind == VariableKind::State;
            for (place, bit) in now.iter().enumerate() {
                bits.push(*bit);
                bits.extend(changes.then(|| next[place]));
            }
        }
        bits
    }

    pub fn bits(&self, id: VariableId, next: bool) -> &[Bit] {
        let bits = &self.variables[id.index()];
        if next { &bits.next } else { &bits.now }
    }

    /// All bits of the state now.
    pub fn state_bits(&self) -> Vec<Bit> {
        self.circuit.state_variables().flat_map(|id| self.bits(id, false).iter().copied()).collect()
    }

    /// A name for each bit of the state now: that of its variable, with the place of the bit if there are several. Nothing
    /// in a name is white, and no two are the same.
    pub fn bit_names(&self) -> HashMap<Bit, String> {
        let mut names: HashMap<Bit, String> = HashMap::new();
        let mut taken: HashSet<String> = HashSet::new();
        for id in self.circuit.state_variables() {
            let variable: String = self.circuit.variable(id).name.split_whitespace().collect::<Vec<_>>().join("_");
            let bits = self.bits(id, false);
            for (place, bit) in bits.iter().enumerate() {
                let mut name = if bits.len() == 1 { variable.clone() } else { format!("{variable}.{place}") };
                while !taken.insert(name.clone()) {
                    name.push('_');
                }
                names.insert(*bit, name);
            }
        }
        names
    }

    /// The bits of the state now that the user does not see.
    pub fn hidden_bits(&self) -> Vec<Bit> {
        let hidden = |id: &VariableId| self.circuit.variable(*id).hidden;
        self.circuit.state_variables().filter(hidden).flat_map(|id| self.bits(id, false).iter().copied()).collect()
    }

    pub fn input_bits(&self) -> Vec<Bit> {
        self.circuit.inputs().flat_map(|id| self.bits(id, false).iter().copied()).collect()
    }

    /// The bits that change, now and in the next state.
    pub fn changing_bits(&self) -> Vec<(Bit, Bit)> {
        let changes = |id: &VariableId| self.circuit.variable(*id).kind == VariableKind::State;
        let of = |id: VariableId| self.bits(id, false).iter().copied().zip(self.bits(id, true).iter().copied());
        self.circuit.variable_ids().filter(changes).flat_map(of).collect()
    }

    /// That the bits of a variable stand for a value.
    pub fn is_valid(&self, id: VariableId, next: bool) -> Computed<Bdd> {
        self.encoder().is_valid(id, next)
    }

    /// A condition as a set.
    pub fn condition(&self, expr: ExprId) -> Computed<Bdd> {
        self.encoder().condition(expr)
    }

    /// The values that an assignment of bits stands for, now or in the next state. Inputs are read now.
    pub fn decode(&self, bits: &[bool], next: bool) -> Valuation {
        let value = |id: VariableId| {
            let domain = &self.circuit.variable(id).domain;
            let is_input = self.circuit.variable(id).kind == VariableKind::Input;
            let numbers = self.bits(id, next && !is_input).iter().enumerate();
            let code =
                numbers.fold(0u64, |code, (place, bit)| code | u64::from(self.manager.value(*bit, bits)) << place);
            match domain {
                Domain::Word { width, signed } => Type::Word { width: *width, signed: *signed }.wrap(code.into()),
                _ => domain.value(code.min(domain.size() - 1)),
            }
        };
        self.circuit.variable_ids().map(value).collect()
    }

    /// The set of one state.
    pub fn state(&self, valuation: &Valuation) -> Computed<Bdd> {
        let mut values = Vec::new();
        for id in self.circuit.state_variables() {
            let code = code_of(&self.circuit.variable(id).domain, valuation[id.index()]);
            values.extend(self.bits(id, false).iter().enumerate().map(|(place, bit)| (*bit, code >> place & 1 == 1)));
        }
        self.manager.point(values)
    }

    fn encoder(&self) -> Encoder<'_, Manager<'a>, impl Fn(VariableId, bool) -> Computed<Vec<Bdd>>> {
        let read = |id, next| self.bits(id, next).iter().map(|bit| self.manager.bit(*bit)).collect();
        Encoder { circuit: self.circuit, algebra: &self.manager, read, encoded: &self.encoded }
    }
}
