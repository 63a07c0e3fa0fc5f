//! What bits can be that expressions are encoded in: decision diagrams today, plain truth values in tests.
//!
//! [`arithmetic`](crate::arithmetic) and [`expressions`](crate::expressions) know nothing else of bits. They are compiled anew
//! for each algebra, so an algebra costs what its operations cost.

use crate::bdd::{Bdd, Computed, Manager, Stop};

/// Makes bits and combines them. Whatever combines bits may reach a limit.
pub trait BitAlgebra {
    type Bit: Clone;
    /// Why an operation was given up.
    type Error;

    fn truth(&self, value: bool) -> Self::Bit;
    fn not(&self, a: &Self::Bit) -> Result<Self::Bit, Self::Error>;
    fn and(&self, a: &Self::Bit, b: &Self::Bit) -> Result<Self::Bit, Self::Error>;
    fn or(&self, a: &Self::Bit, b: &Self::Bit) -> Result<Self::Bit, Self::Error>;
    fn xor(&self, a: &Self::Bit, b: &Self::Bit) -> Result<Self::Bit, Self::Error>;
    fn choose(&self, condition: &Self::Bit, then: &Self::Bit, otherwise: &Self::Bit) -> Result<Self::Bit, Self::Error>;

    fn equal(&self, a: &Self::Bit, b: &Self::Bit) -> Result<Self::Bit, Self::Error> {
        self.not(&self.xor(a, b)?)
    }

    /// Is the bit known to be false? Nobody relies on that, but work can be saved.
    fn is_false(&self, _: &Self::Bit) -> bool {
        false
    }
}

impl BitAlgebra for Manager<'_> {
    type Bit = Bdd;
    type Error = Stop;

    fn truth(&self, value: bool) -> Bdd {
        Manager::truth(self, value)
    }

    fn not(&self, a: &Bdd) -> Computed<Bdd> {
        Manager::not(self, a)
    }

    fn and(&self, a: &Bdd, b: &Bdd) -> Computed<Bdd> {
        Manager::and(self, a, b)
    }

    fn or(&self, a: &Bdd, b: &Bdd) -> Computed<Bdd> {
        Manager::or(self, a, b)
    }

    fn xor(&self, a: &Bdd, b: &Bdd) -> Computed<Bdd> {
        Manager::xor(self, a, b)
    }

    fn choose(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Computed<Bdd> {
        Manager::choose(self, condition, then, otherwise)
    }

    fn equal(&self, a: &Bdd, b: &Bdd) -> Computed<Bdd> {
        Manager::equal(self, a, b)
    }

    fn is_false(&self, a: &Bdd) -> bool {
        a.is_false()
    }
}
