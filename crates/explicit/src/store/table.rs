//! The exact store: keys of a fixed number of words in one table with open addressing.
//!
//! A key lives at or after its *home*, which grows with its hash: home = hash * homes / 2^64. So the keys of the table
//! are almost sorted by hash, and the table grows *in place*: stretch by stretch, the last one first, keys move up to
//! their new homes, which are behind the stretch. No second table is needed, and growing by little is cheap: the
//! table can fill the memory it is given.
//!
//! Several threads may insert at once. A slot whose first word is zero is free; a thread takes it by exchanging
//! the first word, with the top bit set until the other words are written.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Inserted;
use super::memory::{Memory, OutOfMemory};
use super::pages::Pages;
use super::prefetch::prefetch;
use crate::packed::key::Key;

pub(crate) struct Table<const W: usize> {
    words: Pages<AtomicU64>,
    homes: usize,
}

const FIRST_HOMES: usize = 1 << 10;
const SMALL: usize = 1 << 22;
const BUSY: u64 = 1 << 63;
/// So many slots are not worth several threads.
const LONG: usize = 1 << 16;
/// So many slots are not worth moving stretch by stretch.
const SHORT: usize = 1 << 10;

impl<const W: usize> Table<W> {
    pub fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        Table::with_homes(FIRST_HOMES, memory)
    }

    /// A table for at least so many keys.
    pub fn with_room_for(keys: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        Table::with_homes((keys / 5 * 8).max(FIRST_HOMES), memory)
    }

    fn with_homes(homes: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Table { words: Pages::zeroed(slots(homes) * W, memory)?, homes })
    }

    /// So many keys may be in the table; more would make it slow.
    pub fn capacity(&self) -> usize {
        self.homes / 20 * 17
    }

    /// Asks the processor to fetch the place of a key that will be inserted soon.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.words[self.home(hash) * W]);
    }

    /// Adds a key. Without `SHARED`, no other thread may insert at the same time.
    #[inline(always)]
    pub fn insert<const SHARED: bool>(&self, hash: u64, key: &Key<W>) -> Inserted {
        debug_assert!(key.0[0] != 0 && key.0[0] & BUSY == 0);
        let mut slot = self.home(hash) * W;
        while let Some(words) = self.words.get(slot..slot + W) {
            match put::<W, SHARED>(words, key) {
                Put::Inserted => return Inserted::New,
                Put::Found => return Inserted::Known,
                Put::Other => slot += W,
            }
        }
        Inserted::Full
    }

    /// Makes the table larger, by half if memory allows it, or twice as large while it is small. So many threads move
    /// the keys.
    pub fn grow(&mut self, threads: usize, memory: &Memory) -> Result<(), OutOfMemory> {
        let affordable = memory.available() as usize / (8 * W);
        let wanted = if self.bytes() < SMALL { self.homes } else { self.homes / 2 };
        // Less than this would have to be repeated too soon.
        let least = self.homes / 32 + 1;
        // What is behind the last home grows, too.
        let more = wanted.min(affordable.saturating_sub(affordable / 32 + slots(0)));
        if more < least {
            return Err(OutOfMemory);
        }
        let homes = self.homes + more;
        let old = std::mem::replace(&mut self.homes, homes);
        let end = self.words.len() / W;
        self.words.grow((slots(homes) * W).max(self.words.len()), memory)?;
        self.spread(old, end, threads, memory)
    }

    /// Moves every key to its place for the new number of homes: the keys of one stretch after the other, up to `end`.
    ///
    /// A stretch begins after a free slot, so none of its keys has its home before it. It is as long as can be without
    /// a key's new place being in the stretch itself, where keys are that have yet to move.
    fn spread(&mut self, old_homes: usize, mut end: usize, threads: usize, memory: &Memory) -> Result<(), OutOfMemory> {
        while end > 0 {
            // The new home of a key whose home is here, or after this, is at `end` or after it.
            let clear = (end as u128 * old_homes as u128).div_ceil(self.homes as u128) as usize + 1;
            let (start, stretch) = match (clear..end).find(|&slot| self.is_free(slot - 1)) {
                Some(start) if end > SHORT => (start, self.move_up(start..end, threads)),
                // Hardly ever is there no such place. Then, and in the end, the keys are taken out before they go back.
                _ => {
                    let most = if end > SHORT { clear.min(end) } else { 0 };
                    let start = (1..most).rev().find(|&slot| self.is_free(slot - 1)).unwrap_or(0);
                    (start, (start..end).filter_map(|slot| self.take(slot)).collect())
                }
            };
            for key in stretch {
                while self.insert::<false>(key.hash(), &key) == Inserted::Full {
                    // Hardly ever do so many keys crowd at the end.
                    self.words.grow(self.words.len() + 64 * W, memory)?;
                }
            }
            end = start;
        }
        Ok(())
    }

    /// Moves the keys of a stretch to their new places, which are behind it. The answer is those for which there is
    /// no room at the end.
    fn move_up(&self, stretch: Range<usize>, threads: usize) -> Vec<Key<W>> {
        if threads < 2 || stretch.len() < LONG {
            return self.move_all::<false>(stretch);
        }
        let share = stretch.len().div_ceil(threads);
        std::thread::scope(|scope| {
            let shares = stretch.clone().step_by(share).map(|start| start..stretch.end.min(start + share));
            let movers: Vec<_> = shares.map(|share| scope.spawn(|| self.move_all::<true>(share))).collect();
            movers.into_iter().flat_map(|mover| joined(mover.join())).collect()
        })
    }

    fn move_all<const SHARED: bool>(&self, slots: Range<usize>) -> Vec<Key<W>> {
        let keys = slots.filter_map(|slot| self.take(slot));
        keys.filter(|key| self.insert::<SHARED>(key.hash(), key) == Inserted::Full).collect()
    }

    fn is_free(&self, slot: usize) -> bool {
        self.words[slot * W].load(Ordering::Relaxed) == 0
    }

    /// Takes a key out. No other thread may use the slot at the same time.
    #[inline(always)]
    fn take(&self, slot: usize) -> Option<Key<W>> {
        let words = &self.words[slot * W..][..W];
        let key = Key(std::array::from_fn(|index| words[index].load(Ordering::Relaxed)));
        (key.0[0] != 0).then(|| {
            words.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            key
        })
    }

    /// The same states under other keys, of which there are so many. So many threads work on it.
    pub fn repack<const V: usize>(
        self,
        stored: usize,
        threads: usize,
        memory: &Memory,
        repack: impl Fn(&Key<W>) -> Key<V> + Copy + Send,
    ) -> Result<Table<V>, OutOfMemory> {
        // Where memory is short, a full table is better than none.
        let table = Table::with_room_for(stored, memory)
            .or_else(|OutOfMemory| Table::with_homes(stored / 17 * 20 + FIRST_HOMES, memory))?;
        let slots = self.words.len() / W;
        if threads < 2 || slots < LONG {
            table.insert_all::<false>(keys(&self.words).map(|key| repack(&key)))?;
        } else {
            let table = &table;
            let shares = self.words.chunks(slots.div_ceil(threads) * W);
            std::thread::scope(|scope| {
                let insert = |share| move || table.insert_all::<true>(keys(share).map(|key| repack(&key)));
                let inserters: Vec<_> = shares.map(|share| scope.spawn(insert(share))).collect();
                inserters.into_iter().try_for_each(|inserter| joined(inserter.join()))
            })?;
        }
        memory.release(self.bytes());
        Ok(table)
    }

    /// Adds keys that are not in the table, fetching their places ahead.
    fn insert_all<const SHARED: bool>(&self, keys: impl Iterator<Item = Key<W>>) -> Result<(), OutOfMemory> {
        let mut batch: Vec<(u64, Key<W>)> = Vec::with_capacity(BATCH);
        let mut keys = keys.map(|key| (key.hash(), key)).peekable();
        while keys.peek().is_some() {
            batch.clear();
            batch.extend(keys.by_ref().take(BATCH).inspect(|(hash, _)| self.prefetch(*hash)));
            for (hash, key) in &batch {
                if self.insert::<SHARED>(*hash, key) == Inserted::Full {
                    return Err(OutOfMemory);
                }
            }
        }
        Ok(())
    }

    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.homes as u128) >> 64) as usize
    }
}

/// So many keys are fetched ahead while a table is filled.
const BATCH: usize = 64;

/// The keys in some slots, in their order.
fn keys<const W: usize>(words: &[AtomicU64]) -> impl Iterator<Item = Key<W>> + '_ {
    words.chunks_exact(W).filter_map(|words| {
        let key = Key(std::array::from_fn(|index| words[index].load(Ordering::Relaxed)));
        (key.0[0] != 0).then_some(key)
    })
}

/// What a thread returned. If it panicked, so does this one.
fn joined<T>(ended: std::thread::Result<T>) -> T {
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Keys whose homes are the last ones go on after them.
fn slots(homes: usize) -> usize {
    homes + (homes / 64).clamp(256, 4096)
}

enum Put {
    Inserted,
    Found,
    Other,
}

#[inline(always)]
fn put<const W: usize, const SHARED: bool>(slot: &[AtomicU64], key: &Key<W>) -> Put {
    let first = &slot[0];
    let mut seen = first.load(Ordering::Acquire);
    if seen == 0 {
        if !SHARED || W == 1 {
            let taken = match SHARED {
                true => first.compare_exchange(0, key.0[0], Ordering::AcqRel, Ordering::Acquire),
                false => {
                    first.store(key.0[0], Ordering::Relaxed);
                    Ok(0)
                }
            };
            match taken {
                Ok(_) => {
                    store_rest(slot, key);
                    return Put::Inserted;
                }
                Err(other) => seen = other,
            }
        } else {
            match first.compare_exchange(0, key.0[0] | BUSY, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => {
                    store_rest(slot, key);
                    first.store(key.0[0], Ordering::Release);
                    return Put::Inserted;
                }
                Err(other) => seen = other,
            }
        }
    }
    if seen & !BUSY != key.0[0] {
        return Put::Other;
    }
    while SHARED && seen & BUSY != 0 {
        std::hint::spin_loop();
        seen = first.load(Ordering::Acquire);
    }
    let mut rest = slot[1..].iter().zip(&key.0[1..]);
    let equal = rest.all(|(stored, word)| stored.load(Ordering::Relaxed) == *word);
    if equal { Put::Found } else { Put::Other }
}

#[inline(always)]
fn store_rest<const W: usize>(slot: &[AtomicU64], key: &Key<W>) {
    for (stored, word) in slot[1..].iter().zip(&key.0[1..]) {
        stored.store(*word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn key<const W: usize>(number: u64) -> Key<W> {
        // Neighbouring numbers share words, so that comparing only one of them would show.
        Key(std::array::from_fn(|index| (number >> (3 * index)) + 1))
    }

    /// Enough for several threads to move them.
    const KEYS: u64 = 4 * LONG as u64;

    fn grows_and_finds_everything_again<const W: usize>(threads: usize) {
        let memory = Memory::new(None);
        let mut table = Table::<W>::new(&memory).expect("there is no limit");
        for number in 0..KEYS {
            while number as usize >= table.capacity() {
                table.grow(threads, &memory).expect("there is no limit");
            }
            let key = key(number);
            assert_eq!(table.insert::<false>(key.hash(), &key), Inserted::New);
        }
        for number in 0..KEYS {
            let key = key(number);
            assert_eq!(table.insert::<false>(key.hash(), &key), Inserted::Known);
        }
        assert_eq!(keys::<W>(&table.words).collect::<HashSet<_>>(), (0..KEYS).map(key).collect());
    }

    #[test]
    fn tables_grow_in_place() {
        for threads in [1, 3] {
            grows_and_finds_everything_again::<1>(threads);
            grows_and_finds_everything_again::<2>(threads);
            grows_and_finds_everything_again::<4>(threads);
        }
    }

    #[test]
    fn a_table_fills_the_memory_it_is_given_and_not_more() {
        for limit in [20_000, 100_000, 1_000_000, 3_000_000] {
            let memory = Memory::new(Some(limit));
            let mut table = Table::<1>::new(&memory).expect("the first table is small");
            let mut stored = 0;
            loop {
                if stored as usize >= table.capacity() && table.grow(1, &memory).is_err() {
                    break;
                }
                let key = key(stored);
                assert_eq!(table.insert::<false>(key.hash(), &key), Inserted::New);
                stored += 1;
            }
            assert!(memory.peak() <= limit);
            assert!(stored * 8 * 100 >= limit * 60, "{stored} keys in {limit} bytes");
        }
    }

    fn threads_agree_on_what_is_new<const W: usize>() {
        let memory = Memory::new(None);
        let table = Table::<W>::with_room_for(KEYS as usize, &memory).expect("there is no limit");
        let insert_all = |step: u64| {
            let inserted = |number: &u64| {
                let key = key(number * step % KEYS);
                table.insert::<true>(key.hash(), &key) == Inserted::New
            };
            (0..KEYS).filter(inserted).count() as u64
        };
        let new: u64 = std::thread::scope(|scope| {
            // Every thread comes by every key, each in another order.
            let threads: Vec<_> = [1, 3, 7, 9].into_iter().map(|step| scope.spawn(move || insert_all(step))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no thread panics")).sum()
        });
        assert_eq!(new, KEYS);
        assert_eq!(keys::<W>(&table.words).collect::<HashSet<_>>().len() as u64, KEYS);
    }

    #[test]
    fn what_several_threads_insert_is_new_to_one_of_them() {
        threads_agree_on_what_is_new::<1>();
        threads_agree_on_what_is_new::<2>();
    }
}
