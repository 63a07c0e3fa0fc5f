//! Keeping account of memory, so that a limit is honoured before memory is taken and not after.
//!
//! What grows with the search is accounted for, byte by byte. There is more than that: the model, what the allocator
//! keeps for itself, many small things. So the account is compared now and then with what the system says the
//! program uses, and what is missing in the account counts, too.

use std::sync::atomic::{AtomicU64, Ordering};

use reductio_model::Resident;

/// How much may be used, and how much is. Several threads may ask at once.
#[derive(Debug)]
pub struct Memory {
    limit: u64,
    used: AtomicU64,
    /// What the program used beyond the account when that was last looked at.
    unaccounted: AtomicU64,
    peak: AtomicU64,
    resident: Option<Resident>,
}

/// Before so much is taken at once, the account is compared with the system's.
const MUCH: usize = 1 << 20;

/// The limit would have been passed, or the system has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl Memory {
    pub fn new(limit: Option<u64>) -> Self {
        Memory::measured(limit, None)
    }

    /// An account that is compared with what the system says.
    pub fn measured(limit: Option<u64>, resident: Option<Resident>) -> Self {
        let [used, unaccounted, peak] = [0; 3].map(AtomicU64::new);
        Memory { limit: limit.unwrap_or(u64::MAX), used, unaccounted, peak, resident }
    }

    /// Compares the account with what the system says.
    pub fn measure(&self) -> Result<(), OutOfMemory> {
        let Some(resident) = self.resident.and_then(|resident| resident()) else { return Ok(()) };
        self.unaccounted.store(resident.saturating_sub(self.used.load(Ordering::Relaxed)), Ordering::Relaxed);
        self.peak.fetch_max(resident, Ordering::Relaxed);
        if resident <= self.limit { Ok(()) } else { Err(OutOfMemory) }
    }

    /// The most that was in use at one time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// The most that may be in use at one time.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// What is left to take.
    pub fn available(&self) -> u64 {
        let taken = self.used.load(Ordering::Relaxed).saturating_add(self.unaccounted.load(Ordering::Relaxed));
        self.limit.saturating_sub(taken)
    }

    /// An account for something beside what this one is for, which may take a quarter of what is left.
    pub fn share(&self) -> Memory {
        let [used, unaccounted] = [&self.used, &self.unaccounted].map(|bytes| bytes.load(Ordering::Relaxed));
        let limit = self.limit.saturating_sub(self.available() / 4 * 3);
        let peak = AtomicU64::new(used);
        Memory { limit, used: used.into(), unaccounted: unaccounted.into(), peak, resident: self.resident }
    }

    /// Notes that so much was in use at one time, by whoever shared it.
    pub fn has_been(&self, bytes: u64) {
        self.peak.fetch_max(bytes, Ordering::Relaxed);
    }

    /// Asks for `bytes` more. Whoever gets them gives them back with [`Memory::release`].
    pub fn reserve(&self, bytes: usize) -> Result<(), OutOfMemory> {
        if bytes >= MUCH {
            self.measure()?;
        }
        let limit = self.limit.saturating_sub(self.unaccounted.load(Ordering::Relaxed));
        let more = |used: u64| used.checked_add(bytes as u64).filter(|&used| used <= limit);
        let before = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).map_err(|_| OutOfMemory)?;
        self.peak.fetch_max(before + bytes as u64, Ordering::Relaxed);
        Ok(())
    }

    pub fn release(&self, bytes: usize) {
        self.used.fetch_sub(bytes as u64, Ordering::Relaxed);
    }

    /// An empty vector with room for exactly `capacity` items.
    pub fn vector<T>(&self, capacity: usize) -> Result<Vec<T>, OutOfMemory> {
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
    pub fn push<T>(&self, items: &mut Vec<T>, item: T) -> Result<(), OutOfMemory> {
        if items.len() == items.capacity() {
            self.grow(items, 1)?;
        }
        items.push(item);
        Ok(())
    }

    /// Appends many, like [`Memory::push`].
    pub fn extend<T: Copy>(&self, items: &mut Vec<T>, more: &[T]) -> Result<(), OutOfMemory> {
        if items.capacity() - items.len() < more.len() {
            self.grow(items, more.len())?;
        }
        items.extend_from_slice(more);
        Ok(())
    }

    fn grow<T>(&self, items: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
        let before = items.capacity();
        let after = (before * 2).max(64).max(items.len() + more);
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
        let memory = Memory::new(Some(1000));
        assert_eq!(memory.reserve(600), Ok(()));
        assert_eq!(memory.reserve(401), Err(OutOfMemory));
        assert_eq!(memory.reserve(400), Ok(()));
        memory.release(1000);
        assert_eq!(memory.reserve(1000), Ok(()));
        assert_eq!(memory.peak(), 1000);
    }

    #[test]
    fn what_the_account_does_not_know_counts_when_it_was_measured() {
        let memory = Memory::measured(Some(1000), Some(|| Some(700)));
        assert_eq!(memory.reserve(400), Ok(()));
        assert_eq!(memory.measure(), Ok(()));
        assert_eq!(memory.available(), 300);
        assert_eq!(memory.reserve(301), Err(OutOfMemory));
        assert_eq!(memory.reserve(300), Ok(()));
        assert_eq!(memory.peak(), 700);
        let full = Memory::measured(Some(600), Some(|| Some(700)));
        assert_eq!(full.measure(), Err(OutOfMemory));
        assert_eq!(full.peak(), 700);
        assert_eq!(Memory::measured(Some(600), Some(|| None)).measure(), Ok(()));
    }

    #[test]
    fn what_is_shared_leaves_most_of_the_rest() {
        let memory = Memory::new(Some(1000));
        assert_eq!(memory.reserve(200), Ok(()));
        let share = memory.share();
        assert_eq!(share.reserve(201), Err(OutOfMemory));
        assert_eq!(share.reserve(200), Ok(()));
        memory.has_been(share.peak());
        assert_eq!((memory.peak(), memory.available()), (400, 800));
        assert_eq!(Memory::new(None).share().reserve(1 << 40), Ok(()));
    }

    #[test]
    fn a_vector_stops_growing_at_the_limit_and_keeps_what_it_has() {
        let memory = Memory::new(Some(2000));
        let mut items: Vec<u64> = Vec::new();
        while memory.push(&mut items, 7).is_ok() {}
        // 64 items take 512 bytes; 128 take 1024 beside them; 256 would not fit.
        assert_eq!(items.len(), 128);
        assert_eq!(memory.peak(), 1536);
    }
}
