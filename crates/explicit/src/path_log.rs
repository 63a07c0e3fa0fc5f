//! How each state of a breadth-first search was first reached, in about one byte a state.
//!
//! States are numbered by level, and within a level in the order in which they were found. Along that order the
//! numbers of their parents only grow, so for each state the log holds how far its parent is from the one before, and
//! the how-manyeth successor it is: both mostly small.

use crate::store::{Memory, OutOfMemory};

/// From the initial state, take this successor, then that one, and so on.
pub(crate) type Path = Vec<u32>;

/// One level, as one thread found it.
#[derive(Default)]
pub(crate) struct Segment {
    bytes: Vec<u8>,
    count: u64,
    last_parent: u64,
}

/// Both numbers fit into half a byte each, unless the byte is this one: then they follow in full.
const IN_FULL: u8 = 0xff;
const HALF: u64 = 0xf;

impl Segment {
    /// Logs the next state: the number of its parent, in the level before, and which of its successors it is.
    #[inline(always)]
    pub fn push(&mut self, parent: u64, child: u32, memory: &Memory) -> Result<(), OutOfMemory> {
        let distance = parent - self.last_parent;
        self.last_parent = parent;
        self.count += 1;
        if distance < HALF && u64::from(child) < HALF {
            return memory.push(&mut self.bytes, (distance << 4) as u8 | child as u8);
        }
        memory.push(&mut self.bytes, IN_FULL)?;
        self.push_number(distance, memory)?;
        self.push_number(u64::from(child), memory)
    }

    fn push_number(&mut self, mut number: u64, memory: &Memory) -> Result<(), OutOfMemory> {
        while number >= 0x80 {
            memory.push(&mut self.bytes, number as u8 | 0x80)?;
            number >>= 7;
        }
        memory.push(&mut self.bytes, number as u8)
    }

    pub fn len(&self) -> u64 {
        self.count
    }

    /// Parent and child number of the state with this number.
    fn get(&self, index: u64) -> (u64, u32) {
        let mut bytes = self.bytes.iter().copied();
        let mut take = || bytes.next().expect("a state that was counted was logged");
        let mut parent = 0;
        let mut child = 0;
        for _ in 0..=index {
            let byte = take();
            let (distance, number) = match byte {
                IN_FULL => (take_number(&mut take), take_number(&mut take)),
                _ => (u64::from(byte) >> 4, u64::from(byte) & HALF),
            };
            parent += distance;
            child = number;
        }
        (parent, child as u32)
    }
}

fn take_number(take: &mut impl FnMut() -> u8) -> u64 {
    let mut number = 0;
    for position in 0.. {
        let byte = take();
        number |= u64::from(byte & 0x7f) << (7 * position);
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

/// Where a state is: in which level, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub level: usize,
    pub number: u64,
}

/// The finished levels. Level zero, the initial state, needs no log.
#[derive(Default)]
pub(crate) struct PathLog {
    levels: Vec<Vec<Segment>>,
}

impl PathLog {
    /// Adds the next level: the states of the first segment come first.
    pub fn push(&mut self, mut segments: Vec<Segment>, memory: &Memory) {
        for segment in &mut segments {
            let before = segment.bytes.capacity();
            segment.bytes.shrink_to_fit();
            memory.release(before - segment.bytes.capacity());
        }
        segments.retain(|segment| segment.count > 0);
        self.levels.push(segments);
    }

    pub fn path_to(&self, position: Position) -> Path {
        let Position { level, mut number } = position;
        let mut path = Vec::with_capacity(level);
        for segments in self.levels[..level].iter().rev() {
            for segment in segments {
                if number < segment.count {
                    let (parent, child) = segment.get(number);
                    path.push(child);
                    number = parent;
                    break;
                }
                number -= segment.count;
            }
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_logged_is_read_back_whatever_its_size() {
        let memory = Memory::new(None);
        let entries =
            [(0, 0), (0, 14), (0, 15), (3, 15), (17, 3), (18, 0), (1000, 70_000), (1 << 40, 200), (1 << 40, 14)];
        let mut segment = Segment::default();
        for (parent, child) in entries {
            segment.push(parent, child, &memory).expect("there is no limit");
        }
        for (index, entry) in entries.into_iter().enumerate() {
            assert_eq!(segment.get(index as u64), entry);
        }
    }

    #[test]
    fn paths_lead_back_through_the_segments_of_several_threads() {
        let memory = Memory::new(None);
        let segment = |entries: &[(u64, u32)]| {
            let mut segment = Segment::default();
            for &(parent, child) in entries {
                segment.push(parent, child, &memory).expect("there is no limit");
            }
            segment
        };
        let mut log = PathLog::default();
        log.push(vec![segment(&[(0, 0), (0, 2)])], &memory);
        log.push(vec![segment(&[(1, 4)]), segment(&[(0, 1), (1, 7)])], &memory);
        let path = |level, number| log.path_to(Position { level, number });
        assert_eq!(path(0, 0), [] as [u32; 0]);
        assert_eq!(path(1, 1), [2]);
        assert_eq!(path(2, 0), [2, 4]);
        assert_eq!(path(2, 1), [0, 1]);
        assert_eq!(path(2, 2), [2, 7]);
    }
}
