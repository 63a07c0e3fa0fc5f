//! Large tables of zeros that cost nothing until they are used: the system hands out zeroed pages one by one.

use std::sync::atomic::{AtomicU32, AtomicU64};

use super::memory::{Memory, OutOfMemory};

mod sealed {
    pub trait Sealed {}
    impl Sealed for std::sync::atomic::AtomicU32 {}
    impl Sealed for std::sync::atomic::AtomicU64 {}
}

/// An atomic number whose zero is all zero bits.
pub(crate) trait Atomic: sealed::Sealed + Default {}

impl Atomic for AtomicU32 {}
impl Atomic for AtomicU64 {}

/// So many zeros, or `OutOfMemory` before anything is taken.
#[allow(unsafe_code)]
pub(crate) fn zeroed<T: Atomic>(count: usize, memory: &Memory) -> Result<Vec<T>, OutOfMemory> {
    let layout = std::alloc::Layout::array::<T>(count).map_err(|_| OutOfMemory)?;
    if layout.size() == 0 {
        return Ok(Vec::new());
    }
    memory.reserve(layout.size())?;
    // SAFETY: the layout is not empty. The block comes from the global allocator with the layout of `count` items,
    // which is that of a vector with this capacity, and all of them are initialised: the types that implement
    // `Atomic` have the bits of an integer, for which zero is a value.
    unsafe {
        let block = std::alloc::alloc_zeroed(layout).cast::<T>();
        if block.is_null() {
            memory.release(layout.size());
            return Err(OutOfMemory);
        }
        Ok(Vec::from_raw_parts(block, count, count))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn a_zeroed_table_is_an_ordinary_vector_of_zeros() {
        let memory = Memory::new(Some(1 << 20));
        for count in [0, 1, 1000] {
            let mut table = zeroed::<AtomicU64>(count, &memory).expect("there is room");
            assert!(table.iter().all(|word| word.load(Ordering::Relaxed) == 0));
            table.push(AtomicU64::new(7));
            assert_eq!(table.len(), count + 1);
        }
        assert!(zeroed::<AtomicU32>(1 << 20, &memory).is_err());
        assert!(zeroed::<AtomicU32>(usize::MAX, &memory).is_err());
    }
}
