//! Arithmetic on vectors of bits, the lowest bit first. It is the arithmetic of adders and shifters in hardware.
//!
//! Signed numbers are in two's complement: their last bit is the sign.

use crate::bit_algebra::BitAlgebra;

pub type Bits<A> = Vec<<A as BitAlgebra>::Bit>;

/// What becomes of an operation on the bits of an algebra.
pub type Outcome<T, A> = Result<T, <A as BitAlgebra>::Error>;

pub struct Arithmetic<'m, A> {
    pub algebra: &'m A,
}

impl<A: BitAlgebra> Arithmetic<'_, A> {
    pub fn constant(&self, value: i64, width: usize) -> Bits<A> {
        (0..width).map(|place| self.algebra.truth(value >> place.min(63) & 1 == 1)).collect()
    }

    /// The lowest bits, and copies of the sign where there are not enough.
    pub fn signed_to(&self, bits: &[A::Bit], width: usize) -> Bits<A> {
        (0..width).map(|place| bits[place.min(bits.len() - 1)].clone()).collect()
    }

    /// The lowest bits, and zeros where there are not enough.
    pub fn unsigned_to(&self, bits: &[A::Bit], width: usize) -> Bits<A> {
        let zero = || self.algebra.truth(false);
        (0..width).map(|place| bits.get(place).cloned().unwrap_or_else(zero)).collect()
    }

    pub fn each(
        &self,
        a: &[A::Bit],
        b: &[A::Bit],
        operation: impl Fn(&A::Bit, &A::Bit) -> Outcome<A::Bit, A>,
    ) -> Outcome<Bits<A>, A> {
        a.iter().zip(b).map(|(a, b)| operation(a, b)).collect()
    }

    pub fn not(&self, a: &[A::Bit]) -> Outcome<Bits<A>, A> {
        a.iter().map(|bit| self.algebra.not(bit)).collect()
    }

    pub fn choose(&self, condition: &A::Bit, then: &[A::Bit], otherwise: &[A::Bit]) -> Outcome<Bits<A>, A> {
        self.each(then, otherwise, |then, otherwise| self.algebra.choose(condition, then, otherwise))
    }

    pub fn equal(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<A::Bit, A> {
        let mut all = self.algebra.truth(true);
        for (a, b) in a.iter().zip(b).rev() {
            all = self.algebra.and(&all, &self.algebra.equal(a, b)?)?;
            if self.algebra.is_false(&all) {
                break;
            }
        }
        Ok(all)
    }

    pub fn less_unsigned(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<A::Bit, A> {
        let mut less = self.algebra.truth(false);
        for (a, b) in a.iter().zip(b) {
            // The higher bits decide, unless they are the same.
            let same = self.algebra.equal(a, b)?;
            less = self.algebra.choose(&same, &less, b)?;
        }
        Ok(less)
    }

    /// With the signs exchanged, larger is larger.
    pub fn less_signed(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<A::Bit, A> {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if let (Some(a), Some(b)) = (a.last_mut(), b.last_mut()) {
            std::mem::swap(a, b);
        }
        self.less_unsigned(&a, &b)
    }

    /// As many bits as the operands have; what does not fit is lost.
    pub fn add(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<Bits<A>, A> {
        self.add_with(a, b, self.algebra.truth(false))
    }

    pub fn subtract(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<Bits<A>, A> {
        self.add_with(a, &self.not(b)?, self.algebra.truth(true))
    }

    fn add_with(&self, a: &[A::Bit], b: &[A::Bit], mut carry: A::Bit) -> Outcome<Bits<A>, A> {
        let m = self.algebra;
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let differ = m.xor(a, b)?;
            sum.push(m.xor(&differ, &carry)?);
            carry = m.choose(&differ, &carry, a)?;
        }
        Ok(sum)
    }

    pub fn multiply(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<Bits<A>, A> {
        let mut product = self.constant(0, a.len());
        for (place, bit) in b.iter().enumerate() {
            let shifted: Bits<A> =
                self.unsigned_to(&[], place).into_iter().chain(a.iter().cloned()).take(a.len()).collect();
            let sum = self.add(&product, &shifted)?;
            product = self.choose(bit, &sum, &product)?;
        }
        Ok(product)
    }

    /// Quotient and remainder, by long division. Both are zero if the divisor is.
    pub fn divide_unsigned(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<(Bits<A>, Bits<A>), A> {
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
            quotient.push(self.algebra.not(&too_small)?);
        }
        quotient.reverse();
        remainder.truncate(width);
        Ok((self.choose(&by_zero, &zero, &quotient)?, self.choose(&by_zero, &zero, &remainder)?))
    }

    /// Towards zero; the remainder has the sign of the dividend.
    pub fn divide_signed(&self, a: &[A::Bit], b: &[A::Bit]) -> Outcome<(Bits<A>, Bits<A>), A> {
        let width = a.len() + 1;
        let (a, b) = (self.signed_to(a, width), self.signed_to(b, width));
        let (a_sign, b_sign) = (a[width - 1].clone(), b[width - 1].clone());
        let (quotient, remainder) = self.divide_unsigned(&self.absolute(&a)?, &self.absolute(&b)?)?;
        let differ = self.algebra.xor(&a_sign, &b_sign)?;
        Ok((self.negate_if(&differ, &quotient)?, self.negate_if(&a_sign, &remainder)?))
    }

    fn absolute(&self, a: &[A::Bit]) -> Outcome<Bits<A>, A> {
        self.negate_if(&a[a.len() - 1], a)
    }

    fn negate_if(&self, condition: &A::Bit, a: &[A::Bit]) -> Outcome<Bits<A>, A> {
        let negated = self.subtract(&self.constant(0, a.len()), a)?;
        self.choose(condition, &negated, a)
    }

    /// Shifts by a number that is not negative; `fill` comes in.
    pub fn shift(&self, a: &[A::Bit], amount: &[A::Bit], left: bool, fill: &A::Bit) -> Outcome<Bits<A>, A> {
        let width = a.len();
        let mut bits = a.to_vec();
        for (place, bit) in amount.iter().enumerate() {
            let distance = if place < 32 { (1_usize << place).min(width) } else { width };
            let filling = vec![fill.clone(); distance];
            let shifted: Bits<A> = if left {
                filling.into_iter().chain(bits.iter().cloned()).take(width).collect()
            } else {
                bits.iter().skip(distance).cloned().chain(filling).collect()
            };
            bits = self.choose(bit, &shifted, &bits)?;
        }
        Ok(bits)
    }
}
