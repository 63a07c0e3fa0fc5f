//! The exact store: every state is kept in full, so that two states are never taken for one.
//!
//! The bytes of the states lie one after the other in large chunks; nothing is allocated per state. A table with open
//! addressing finds a state by its hash; a slot holds half of the hash beside the number of the state, so that a
//! comparison that would fail hardly ever touches the state itself.

use reductio_model::hash::hash;

use crate::store::{Memory, OutOfMemory};

/// A state that was stored. States are numbered in the order in which they were first seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What became of a state that was offered to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    New(StateId),
    Known(StateId),
}

impl Insertion {
    pub fn id(self) -> StateId {
        match self {
            Insertion::New(id) | Insertion::Known(id) => id,
        }
    }
}

#[derive(Default)]
pub struct ExactStore {
    table: Vec<u64>,
    chunks: Vec<Vec<u8>>,
    entries: Vec<Vec<Entry>>,
    len: u32,
}

/// Where the bytes of a state are, and the state it was first reached from.
#[derive(Clone, Copy)]
struct Entry {
    chunk: u32,
    start: u32,
    length: u32,
    parent: u32,
}

const EMPTY: u64 = 0;
const NO_PARENT: u32 = u32::MAX;
const FIRST_TABLE: usize = 1 << 6;
const FIRST_CHUNK: usize = 1 << 14;
const LARGEST_CHUNK: usize = 1 << 20;
const ENTRIES_BITS: u32 = 12;
const ENTRIES_PER_BLOCK: usize = 1 << ENTRIES_BITS;

impl ExactStore {
    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn state(&self, id: StateId) -> &[u8] {
        let entry = self.entry(id);
        &self.chunks[entry.chunk as usize][entry.start as usize..][..entry.length as usize]
    }

    /// The state from which this one was first reached; `None` for the initial state.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let parent = self.entry(id).parent;
        (parent != NO_PARENT).then_some(StateId(parent))
    }

    /// Stores a state unless it is there already.
    pub fn insert(&mut self, state: &[u8], parent: Option<StateId>, memory: &Memory) -> Result<Insertion, OutOfMemory> {
        let hash = hash(state);
        let mut slot = match self.find(state, hash) {
            Ok(id) => return Ok(Insertion::Known(id)),
            Err(slot) => slot,
        };
        if self.make_room(memory)? == Room::Moved {
            slot = self.free_slot(hash);
        }
        let id = StateId(self.len);
        self.append(state, parent, memory)?;
        self.table[slot] = slot_value(hash, id);
        self.len += 1;
        Ok(Insertion::New(id))
    }

    /// The number of a stored state, or else the free slot where it belongs.
    fn find(&self, state: &[u8], hash: u64) -> Result<StateId, usize> {
        if self.table.is_empty() {
            return Err(0);
        }
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let value = self.table[slot];
            if value == EMPTY {
                return Err(slot);
            }
            if value >> 32 == hash >> 32 {
                let id = StateId(value as u32 - 1);
                if self.state(id) == state {
                    return Ok(id);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn append(&mut self, state: &[u8], parent: Option<StateId>, memory: &Memory) -> Result<(), OutOfMemory> {
        let fits = |chunk: &Vec<u8>| chunk.capacity() - chunk.len() >= state.len();
        if !self.chunks.last().is_some_and(fits) {
            let usual = LARGEST_CHUNK.min(FIRST_CHUNK << self.chunks.len().min(16));
            let chunk = memory.vector(usual.max(state.len()))?;
            memory.push(&mut self.chunks, chunk)?;
        }
        if self.entries.len() * ENTRIES_PER_BLOCK == self.len as usize {
            let block = memory.vector(ENTRIES_PER_BLOCK)?;
            memory.push(&mut self.entries, block)?;
        }
        let chunk_number = self.chunks.len() as u32 - 1;
        let (Some(chunk), Some(block)) = (self.chunks.last_mut(), self.entries.last_mut()) else {
            unreachable!("both were made above where they were missing");
        };
        block.push(Entry {
            chunk: chunk_number,
            start: chunk.len() as u32,
            length: state.len() as u32,
            parent: parent.map_or(NO_PARENT, |parent| parent.0),
        });
        chunk.extend_from_slice(state);
        Ok(())
    }

    fn entry(&self, id: StateId) -> Entry {
        self.entries[id.index() >> ENTRIES_BITS][id.index() & (ENTRIES_PER_BLOCK - 1)]
    }

    /// Sees to it that one more state fits into the table and leaves a free slot, where searches for a state end.
    fn make_room(&mut self, memory: &Memory) -> Result<Room, OutOfMemory> {
        let (len, slots) = (self.len as usize, self.table.len());
        if len < slots / 4 * 3 {
            return Ok(Room::AsBefore);
        }
        if self.len >= u32::MAX - 1 {
            return Err(OutOfMemory);
        }
        match empty_table((slots * 2).max(FIRST_TABLE), memory) {
            Ok(table) => {
                self.rebuild(table, memory);
                Ok(Room::Moved)
            }
            // A fuller table is slower, but better than to give up early.
            Err(OutOfMemory) if len < slots / 16 * 15 => Ok(Room::AsBefore),
            Err(OutOfMemory) => Err(OutOfMemory),
        }
    }

    fn rebuild(&mut self, table: Vec<u64>, memory: &Memory) {
        let old = std::mem::replace(&mut self.table, table);
        memory.release(old.len() * size_of::<u64>());
        // In the order of their numbers, so that the states are read from memory in a row.
        for id in (0..self.len).map(StateId) {
            let hash = hash(self.state(id));
            let slot = self.free_slot(hash);
            self.table[slot] = slot_value(hash, id);
        }
    }

    fn free_slot(&self, hash: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        while self.table[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

#[derive(PartialEq, Eq)]
enum Room {
    AsBefore,
    /// The table is another one now, and every state has another slot.
    Moved,
}

fn slot_value(hash: u64, id: StateId) -> u64 {
    hash >> 32 << 32 | u64::from(id.0 + 1)
}

fn empty_table(slots: usize, memory: &Memory) -> Result<Vec<u64>, OutOfMemory> {
    let mut table = memory.vector(slots)?;
    table.resize(slots, EMPTY);
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of many lengths, some longer than a chunk at first.
    fn state(number: u32) -> Vec<u8> {
        let length = if number == 3 { 40_000 } else { 4 + number as usize % 37 };
        let mut bytes = vec![0; length];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        bytes
    }

    #[test]
    fn states_are_numbered_as_they_come_and_found_again() {
        let memory = Memory::new(None);
        let mut store = ExactStore::default();
        for round in 0..2 {
            for number in 0..20_000u32 {
                let parent = number.checked_sub(1).map(StateId);
                let inserted = store.insert(&state(number), parent, &memory).expect("there is no limit");
                let id = StateId(number);
                let expected = if round == 0 { Insertion::New(id) } else { Insertion::Known(id) };
                assert_eq!(inserted, expected);
            }
        }
        assert_eq!(store.len(), 20_000);
        for number in 0..20_000u32 {
            assert_eq!(store.state(StateId(number)), state(number));
            assert_eq!(store.parent(StateId(number)), number.checked_sub(1).map(StateId));
        }
    }

    #[test]
    fn a_prefix_of_a_state_is_another_state() {
        let memory = Memory::new(None);
        let mut store = ExactStore::default();
        for length in 0..100 {
            let inserted = store.insert(&vec![0; length], None, &memory);
            assert_eq!(inserted, Ok(Insertion::New(StateId(length as u32))));
        }
    }

    #[test]
    fn the_limit_is_never_passed_and_nothing_is_lost_at_it() {
        for limit in [0, 5_000, 50_000, 300_000, 2_000_000] {
            let memory = Memory::new(Some(limit));
            let mut store = ExactStore::default();
            let mut stored = 0;
            while store.insert(&state(stored + 4), None, &memory).is_ok() {
                stored += 1;
            }
            assert!(memory.peak() <= limit);
            assert_eq!(store.len(), stored);
            for number in 0..stored {
                assert_eq!(store.state(StateId(number)), state(number + 4));
            }
        }
    }
}
