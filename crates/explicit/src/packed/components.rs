//! The values that the components of states take, each stored once and numbered.

use reductio_model::hash::hash;

use crate::store::{Memory, OutOfMemory};

/// The distinct values of one component. Numbers start at one; zero means that the component is absent, like the
/// frame of a process that does not exist.
pub(crate) struct Values {
    /// Open addressing; zero is free.
    table: Vec<u32>,
    /// Where each value ends in `bytes`; it starts where the one before ends.
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

pub(crate) const ABSENT: u32 = 0;

const FIRST_TABLE: usize = 1 << 4;

impl Values {
    pub fn new() -> Values {
        Values { table: Vec::new(), ends: Vec::new(), bytes: Vec::new() }
    }

    /// How many there are; the largest number in use.
    pub fn count(&self) -> u32 {
        self.ends.len() as u32
    }

    pub fn get(&self, number: u32) -> &[u8] {
        let index = number as usize - 1;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[index] as usize]
    }

    pub fn find(&self, value: &[u8]) -> Option<u32> {
        if self.table.is_empty() { None } else { self.probe(value).ok() }
    }

    /// The number of a value, a new one if it was never seen.
    pub fn intern(&mut self, value: &[u8], memory: &Memory) -> Result<u32, OutOfMemory> {
        if self.ends.len() + 1 > self.table.len() / 4 * 3 {
            self.grow(memory)?;
        }
        let slot = match self.probe(value) {
            Ok(number) => return Ok(number),
            Err(slot) => slot,
        };
        // Offsets are 32 bits wide, so more than that is as good as out of memory.
        let end = u32::try_from(self.bytes.len() + value.len()).map_err(|_| OutOfMemory)?;
        memory.extend(&mut self.bytes, value)?;
        memory.push(&mut self.ends, end)?;
        self.table[slot] = self.count();
        Ok(self.count())
    }

    /// The number of a value, or else the free slot where it belongs.
    fn probe(&self, value: &[u8]) -> Result<u32, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash(value) as usize & mask;
        loop {
            match self.table[slot] {
                0 => return Err(slot),
                number if self.get(number) == value => return Ok(number),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self, memory: &Memory) -> Result<(), OutOfMemory> {
        let slots = (self.table.len() * 2).max(FIRST_TABLE);
        let mut table = memory.vector(slots)?;
        table.resize(slots, 0);
        memory.release(self.table.len() * size_of::<u32>());
        self.table = table;
        for number in 1..=self.count() {
            if let Err(slot) = self.probe(self.get(number)) {
                self.table[slot] = number;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_as_they_come_and_found_again() {
        let memory = Memory::new(None);
        let mut values = Values::new();
        let value = |number: u32| vec![(number % 251) as u8; number as usize / 251 + 1];
        for round in 0..2 {
            for number in 1..=5000 {
                assert_eq!(values.find(&value(number)).is_some(), round == 1);
                assert_eq!(values.intern(&value(number), &memory), Ok(number));
            }
        }
        for number in 1..=5000 {
            assert_eq!(values.get(number), value(number));
        }
    }

    #[test]
    fn the_empty_value_is_a_value() {
        let memory = Memory::new(None);
        let mut values = Values::new();
        assert_eq!(values.intern(&[], &memory), Ok(1));
        assert_eq!(values.intern(&[7], &memory), Ok(2));
        assert_eq!(values.find(&[]), Some(1));
        assert_eq!(values.get(1), &[] as &[u8]);
    }
}
