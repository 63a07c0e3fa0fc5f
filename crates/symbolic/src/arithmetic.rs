//! Arithmetic on vectors of diagrams, the lowest bit first. It is the arithmetic of adders and shifters in hardware.
//!
//! Signed numbers are in two's complement: their last bit is the sign.

use crate::bdd::{Bdd, Computed, Manager};

pub type Bits = Vec<Bdd>;

pub struct Arithmetic<'m, 'a> {
    pub manager: &'m Manager<'a>,
}

impl Arithmetic<'_, '_> {
    pub fn constant(&self, value: i64, width: usize) -> Bits {
        (0..width).map(|place| self.manager.truth(value >> place.min(63) & 1 == 1)).collect()
    }

    /// The lowest bits, and copies of the sign where there are not enough.
    pub fn signed_to(&self, bits: &[Bdd], width: usize) -> Bits {
        (0..width).map(|place| bits[place.min(bits.len() - 1)].clone()).collect()
    }

    /// The lowest bits, and zeros where there are not enough.
    pub fn unsigned_to(&self, bits: &[Bdd], width: usize) -> Bits {
        let zero = || self.manager.truth(false);
        (0..width).map(|place| bits.get(place).cloned().unwrap_or_else(zero)).collect()
    }

    pub fn each(&self, a: &[Bdd], b: &[Bdd], operation: impl Fn(&Bdd, &Bdd) -> Computed<Bdd>) -> Computed<Bits> {
        a.iter().zip(b).map(|(a, b)| operation(a, b)).collect()
    }

    pub fn not(&self, a: &[Bdd]) -> Computed<Bits> {
        a.iter().map(|bit| self.manager.not(bit)).collect()
    }

    pub fn choose(&self, condition: &Bdd, then: &[Bdd], otherwise: &[Bdd]) -> Computed<Bits> {
        self.each(then, otherwise, |then, otherwise| self.manager.choose(condition, then, otherwise))
    }

    pub fn equal(&self, a: &[Bdd], b: &[Bdd]) -> Computed<Bdd> {
        let mut all = self.manager.truth(true);
        for (a, b) in a.iter().zip(b).rev() {
            all = self.manager.and(&all, &self.manager.equal(a, b)?)?;
            if all.is_false() {
                break;
            }
        }
        Ok(all)
    }

    pub fn less_unsigned(&self, a: &[Bdd], b: &[Bdd]) -> Computed<Bdd> {
        let mut less = self.manager.truth(false);
        for (a, b) in a.iter().zip(b) {
            // The higher bits decide, unless they are the same.
            let same = self.manager.equal(a, b)?;
            less = self.manager.choose(&same, &less, b)?;
        }
        Ok(less)
    }

    /// With the signs exchanged, larger is larger.
    pub fn less_signed(&self, a: &[Bdd], b: &[Bdd]) -> Computed<Bdd> {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if let (Some(a), Some(b)) = (a.last_mut(), b.last_mut()) {
            std::mem::swap(a, b);
        }
        self.less_unsigned(&a, &b)
    }

    /// As many bits as the operands have; what does not fit is lost.
    pub fn add(&self, a: &[Bdd], b: &[Bdd]) -> Computed<Bits> {
        self.add_with(a, b, self.manager.truth(false))
    }

    pub fn subtract(&self, a: &[Bdd], b: &[Bdd]) -> Computed<Bits> {
        self.add_with(a, &self.not(b)?, self.manager.truth(true))
    }

    fn add_with(&self, a: &[Bdd], b: &[Bdd], mut carry: Bdd) -> Computed<Bits> {
        let m = self.manager;
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let differ = m.xor(a, b)?;
            sum.push(m.xor(&differ, &carry)?);
            carry = m.choose(&differ, &carry, a)?;
        }
        Ok(sum)
    }

    pub fn multiply(&self, a: &[Bdd], b: &[Bdd]) -> Computed<Bits> {
        let mut product = self.constant(0, a.len());
        for (place, bit) in b.iter().enumerate() {
            let shifted: Bits =
                self.unsigned_to(&[], place).into_iter().chain(a.iter().cloned()).take(a.len()).collect();
            let sum = self.add(&product, &shifted)?;
            product = self.choose(bit, &sum, &product)?;
        }
        Ok(product)
    }

    /// Quotient and remainder, by long division. Both are zero if the divisor is.
    pub fn divide_unsigned(&self, a: &[Bdd], b: &[Bdd]) -> Computed<(Bits, Bits)> {
        let width = a.len();
        let zero = self.constant(0, width);
        let by_zero = self.equal(b, &zero)?;
        // The remainder is below the divisor before a bit is brought down, so one more bit is enough.
        let divisor = self.unsigned_to(b, width + 1);
        let mut remainder = self.constant(0, width + 1);
        let mut quotient = Vec::with_capacity(width);
        for bit in a.iter().rev() {
            remainder.insert(0, bit.clone());
            remainder.truncate(width + 1);
            let too_small = self.less_unsigned(&remainder, &divisor)?;
            let rest = self.subtract(&remainder, &divisor)?;
            remainder = self.choose(&too_small, &remainder, &rest)?;
            quotient.push(self.manager.not(&too_small)?);
        }
        quotient.reverse();
        remainder.truncate(width);
        Ok((self.choose(&by_zero, &zero, &quotient)?, self.choose(&by_zero, &zero, &remainder)?))
    }

    /// Towards zero; the remainder has the sign of the dividend.
    pub fn divide_signed(&self, a: &[Bdd], b: &[Bdd]) -> Computed<(Bits, Bits)> {
        let width = a.len() + 1;
        let (a, b) = (self.signed_to(a, width), self.signed_to(b, width));
        let (a_sign, b_sign) = (a[width - 1].clone(), b[width - 1].clone());
        let (quotient, remainder) = self.divide_unsigned(&self.absolute(&a)?, &self.absolute(&b)?)?;
        let differ = self.manager.xor(&a_sign, &b_sign)?;
        Ok((self.negate_if(&differ, &quotient)?, self.negate_if(&a_sign, &remainder)?))
    }

    fn absolute(&self, a: &[Bdd]) -> Computed<Bits> {
        self.negate_if(&a[a.len() - 1], a)
    }

    fn negate_if(&self, condition: &Bdd, a: &[Bdd]) -> Computed<Bits> {
        let negated = self.subtract(&self.constant(0, a.len()), a)?;
        self.choose(condition, &negated, a)
    }

    /// Shifts by a number that is not negative; `fill` comes in.
    pub fn shift(&self, a: &[Bdd], amount: &[Bdd], left: bool, fill: &Bdd) -> Computed<Bits> {
        let width = a.len();
        let mut bits = a.to_vec();
        for (place, bit) in amount.iter().enumerate() {
            let distance = if place < 32 { (1_usize << place).min(width) } else { width };
            let filling = vec![fill.clone(); distance];
            let shifted: Bits = if left {
                filling.into_iter().chain(bits.iter().cloned()).take(width).collect()
            } else {
                bits.iter().skip(distance).cloned().chain(filling).collect()
            };
            bits = self.choose(bit, &shifted, &bits)?;
        }
        Ok(bits)
    }
}
