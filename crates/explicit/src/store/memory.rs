//! Keeping account of memory, so that a limit is honoured before memory is taken and not after.

/// How much may be used, and how much is.
#[derive(Clone, Debug)]
pub struct Memory {
    limit: u64,
    used: u64,
    peak: u64,
}

/// The limit would have been passed, or the system has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl Memory {
    pub fn new(limit: Option<u64>) -> Self {
        Memory { limit: limit.unwrap_or(u64::MAX), used: 0, peak: 0 }
    }

    /// The most that was in use at one time.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Asks for `bytes` more. Whoever gets them gives them back with [`Memory::release`].
    pub fn reserve(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        let used = self.used.checked_add(bytes as u64).ok_or(OutOfMemory)?;
        if used > self.limit {
            return Err(OutOfMemory);
        }
        self.used = used;
        self.peak = self.peak.max(used);
        Ok(())
    }

    pub fn release(&mut self, bytes: usize) {
        self.used -= bytes as u64;
    }

    /// An empty vector with room for exactly `capacity` items.
    pub fn vector<T>(&mut self, capacity: usize) -> Result<Vec<T>, OutOfMemory> {
        let bytes = capacity.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
        self.reserve(bytes)?;
        let mut items = Vec::new();
        if items.try_reserve_exact(capacity).is_err() {
            self.release(bytes);
            return Err(OutOfMemory);
        }
        Ok(items)
    }

    /// Appends to a vector that only ever grows here, and keeps account of its room.
    pub fn push<T>(&mut self, items: &mut Vec<T>, item: T) -> Result<(), OutOfMemory> {
        if items.len() == items.capacity() {
            self.grow(items)?;
        }
        items.push(item);
        Ok(())
    }

    fn grow<T>(&mut self, items: &mut Vec<T>) -> Result<(), OutOfMemory> {
        let before = items.capacity();
        let after = (before * 2).max(64);
        // While it grows, the old and the new place exist side by side.
        self.reserve(after * size_of::<T>())?;
        if items.try_reserve_exact(after - items.len()).is_err() {
            self.release(after * size_of::<T>());
            return Err(OutOfMemory);
        }
        self.release(before * size_of::<T>());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_before_it_is_taken() {
        let mut memory = Memory::new(Some(1000));
        assert_eq!(memory.reserve(600), Ok(()));
        assert_eq!(memory.reserve(401), Err(OutOfMemory));
        assert_eq!(memory.reserve(400), Ok(()));
        memory.release(1000);
        assert_eq!(memory.reserve(1000), Ok(()));
        assert_eq!(memory.peak(), 1000);
    }

    #[test]
    fn a_vector_stops_growing_at_the_limit_and_keeps_what_it_has() {
        let mut memory = Memory::new(Some(2000));
        let mut items: Vec<u64> = Vec::new();
        while memory.push(&mut items, 7).is_ok() {}
        // 64 items take 512 bytes; 128 take 1024 beside them; 256 would not fit.
        assert_eq!(items.len(), 128);
        assert_eq!(memory.peak(), 1536);
    }
}
