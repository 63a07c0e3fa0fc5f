//! Large tables of zeros that grow where they are.
//!
//! A table is read at random. With small pages the processor would have to look up the page of almost every access in
//! memory first, so tables ask the system for huge ones. Those would fall apart if a growing table were moved.
//! Therefore a table reserves as many *addresses* as it may ever need, which costs nothing, and takes memory for them
//! as it grows. The system hands out that memory page by page, zeroed, when it is first touched.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, AtomicU64};

use super::memory::{Memory, OutOfMemory};

mod sealed {
    pub trait Sealed {}
    impl Sealed for std::sync::atomic::AtomicU32 {}
    impl Sealed for std::sync::atomic::AtomicU64 {}
}

/// An atomic number whose zero is all zero bits.
pub(crate) trait Atomic: sealed::Sealed + Default + Send + Sync {}

impl Atomic for AtomicU32 {}
impl Atomic for AtomicU64 {}

/// A slice of numbers that are zero at first.
pub(crate) struct Pages<T: Atomic> {
    block: system::Block<T>,
}

impl<T: Atomic> Pages<T> {
    /// So many zeros, or `OutOfMemory` before anything is taken.
    pub fn zeroed(count: usize, memory: &Memory) -> Result<Pages<T>, OutOfMemory> {
        let bytes = count.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
        memory.reserve(bytes)?;
        let most = usize::try_from(memory.available()).unwrap_or(usize::MAX).saturating_add(bytes);
        match system::Block::new(count, most) {
            Some(block) => Ok(Pages { block }),
            None => {
                memory.release(bytes);
                Err(OutOfMemory)
            }
        }
    }

    /// Appends zeros until there are `count`. When there is no memory for that, nothing changes.
    pub fn grow(&mut self, count: usize, memory: &Memory) -> Result<(), OutOfMemory> {
        let more = count.checked_sub(self.len()).ok_or(OutOfMemory)?;
        let bytes = more.checked_mul(size_of::<T>()).ok_or(OutOfMemory)?;
        memory.reserve(bytes)?;
        if !self.block.grow(count) {
            memory.release(bytes);
            return Err(OutOfMemory);
        }
        Ok(())
    }
}

impl<T: Atomic> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.block.items()
    }
}

impl<T: Atomic> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.block.items_mut()
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod system {
    //! Invariants of a [`Block`]:
    //!
    //! * `start` is the first address of `reserved` bytes that were mapped by [`reserve`] and belong to this block
    //!   alone; it is aligned to a huge page, hence to any `T`.
    //! * The first `len * size_of::<T>()` of them can be read and written. They were zero at first, which is a value of
    //!   every [`Atomic`], and are only changed as values of `T`.

    use std::marker::PhantomData;
    use std::ptr::NonNull;

    use libc::{
        MADV_HUGEPAGE, MAP_ANONYMOUS, MAP_FAILED, MAP_NORESERVE, MAP_PRIVATE, PROT_NONE, PROT_READ, PROT_WRITE,
        madvise, mmap, mprotect, munmap,
    };

    use super::Atomic;

    const HUGE_PAGE: usize = 2 << 20;
    /// More addresses than any table needs; a process has a hundred times as many.
    const MOST_ADDRESSES: usize = 1 << 40;

    pub struct Block<T> {
        start: NonNull<u8>,
        reserved: usize,
        len: usize,
        items: PhantomData<T>,
    }

    // SAFETY: a block owns its memory like a vector does, so it is as safe to send and to share as its items.
    unsafe impl<T: Atomic> Send for Block<T> {}
    // SAFETY: as above.
    unsafe impl<T: Atomic> Sync for Block<T> {}

    impl<T: Atomic> Block<T> {
        /// Room for `count` items now and for `most` bytes at some time. `None`: the system refuses.
        pub fn new(count: usize, most: usize) -> Option<Block<T>> {
            let reserved = most.clamp(HUGE_PAGE, MOST_ADDRESSES).next_multiple_of(HUGE_PAGE);
            let mut block = Block { start: reserve(reserved)?, reserved, len: 0, items: PhantomData };
            block.grow(count).then_some(block)
        }

        /// Makes it `count` items long, if the system has memory and the block addresses for that.
        pub fn grow(&mut self, count: usize) -> bool {
            let Some(bytes) = count.checked_mul(size_of::<T>()) else { return false };
            if count < self.len || bytes > self.reserved {
                return false;
            }
            // SAFETY: the range is within what was reserved for this block. Pages that could be read before keep their
            // contents; the others are zero.
            let granted = unsafe { mprotect(self.start.as_ptr().cast(), bytes, PROT_READ | PROT_WRITE) } == 0;
            if granted {
                self.len = count;
            }
            granted
        }

        #[inline(always)]
        pub fn items(&self) -> &[T] {
            // SAFETY: by the invariants, that many items are there and valid; they live as long as the block.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr().cast(), self.len) }
        }

        pub fn items_mut(&mut self) -> &mut [T] {
            // SAFETY: as in `items`, and the block is borrowed exclusively.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().cast(), self.len) }
        }
    }

    impl<T> Drop for Block<T> {
        fn drop(&mut self) {
            // SAFETY: the range was mapped for this block, and nobody can refer to it any more.
            unsafe { munmap(self.start.as_ptr().cast(), self.reserved) };
        }
    }

    /// Takes addresses that cannot be used yet, beginning with a huge page.
    fn reserve(bytes: usize) -> Option<NonNull<u8>> {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        // SAFETY: a new mapping at an address of the system's choice touches nothing that exists. What is cut off at
        // both ends to align it was mapped just now and is used by nobody. Advice changes no contents.
        unsafe {
            let mapped = mmap(std::ptr::null_mut(), bytes + HUGE_PAGE, PROT_NONE, flags, -1, 0);
            if mapped == MAP_FAILED {
                return None;
            }
            let mapped = mapped.cast::<u8>();
            let before = mapped.align_offset(HUGE_PAGE);
            let start = mapped.add(before);
            if before > 0 {
                munmap(mapped.cast(), before);
            }
            munmap(start.add(bytes).cast(), HUGE_PAGE - before);
            madvise(start.cast(), bytes, MADV_HUGEPAGE);
            NonNull::new(start)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::Atomic;

    /// Elsewhere a vector does.
    pub struct Block<T>(Vec<T>);

    impl<T: Atomic> Block<T> {
        pub fn new(count: usize, _most: usize) -> Option<Block<T>> {
            let mut block = Block(Vec::new());
            block.grow(count).then_some(block)
        }

        pub fn grow(&mut self, count: usize) -> bool {
            let more = count.saturating_sub(self.0.len());
            if self.0.try_reserve_exact(more).is_err() {
                return false;
            }
            self.0.resize_with(count, T::default);
            true
        }

        pub fn items(&self) -> &[T] {
            &self.0
        }

        pub fn items_mut(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn pages_are_zero_at_first_and_keep_what_is_written_when_they_grow() {
        let memory = Memory::new(Some(64 << 20));
        for counts in [[0, 1, 2], [1, 1000, 1_000_000], [700_000, 700_001, 4_000_000]] {
            let mut pages = Pages::<AtomicU64>::zeroed(counts[0], &memory).expect("there is room");
            let mut written = 0;
            for count in counts {
                pages.grow(count, &memory).expect("there is room");
                assert_eq!(pages.len(), count);
                for (index, word) in pages.iter().enumerate() {
                    let expected = if index < written { index as u64 + 1 } else { 0 };
                    assert_eq!(word.swap(index as u64 + 1, Ordering::Relaxed), expected);
                }
                written = count;
            }
            memory.release(counts[2] * 8);
        }
    }

    #[test]
    fn what_is_too_much_is_refused_and_changes_nothing() {
        let memory = Memory::new(Some(1 << 20));
        assert!(Pages::<AtomicU32>::zeroed(1 << 20, &memory).is_err());
        assert!(Pages::<AtomicU32>::zeroed(usize::MAX, &memory).is_err());
        let mut pages = Pages::<AtomicU64>::zeroed(100, &memory).expect("there is room");
        pages[99] = AtomicU64::new(7);
        assert!(pages.grow(1 << 20, &memory).is_err());
        assert!(pages.grow(usize::MAX, &memory).is_err());
        assert_eq!((pages.len(), pages[99].load(Ordering::Relaxed)), (100, 7));
        assert_eq!(memory.peak(), 800);
    }

    #[test]
    fn without_a_limit_there_are_addresses_enough() {
        let memory = Memory::new(None);
        let mut pages = Pages::<AtomicU64>::zeroed(10, &memory).expect("there is no limit");
        let other = Pages::<AtomicU64>::zeroed(10, &memory).expect("there is no limit");
        pages.grow(1 << 20, &memory).expect("there is no limit");
        pages[(1 << 20) - 1] = AtomicU64::new(1);
        assert!(other.iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }
}
