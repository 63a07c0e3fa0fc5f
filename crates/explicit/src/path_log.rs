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

    fn push_number(&mut self, number: u64, memory: &Memory) -> Result<(), OutOfMemory> {
        digits(number).try_for_each(|digit| memory.push(&mut self.bytes, digit))
    }

    pub fn len(&self) -> u64 {
        self.count
    }
}

/// A number, seven bits at a time, the lowest first. All but the last byte have the top bit set.
fn digits(number: u64) -> impl Iterator<Item = u8> {
    let rest = |number: &u64| Some(number >> 7).filter(|&rest| rest > 0);
    std::iter::successors(Some(number), rest).map(move |rest| rest as u8 & 0x7f | u8::from(rest >= 0x80) << 7)
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
///
/// There may be as many levels as states, so they lie one behind the other, in chunks that never move.
#[derive(Default)]
pub(crate) struct PathLog {
    /// Of each level, the segments: how many states, how many bytes, and the bytes.
    bytes: Chunks<u8>,
    /// Where each level begins among them.
    starts: Chunks<u64>,
    /// The levels after those, if there was no memory left to put them there.
    rest: Vec<Vec<Segment>>,
}

impl PathLog {
    /// Adds the next level: the states of the first segment come first. The level is there even if there is no memory left
    /// for another one.
    pub fn push(&mut self, mut segments: Vec<Segment>, memory: &Memory) -> Result<(), OutOfMemory> {
        segments.retain(|segment| segment.count > 0);
        self.rest.push(segments);
        while let Some(level) = self.rest.first() {
            append(&mut self.bytes, &mut self.starts, level, memory)?;
            let capacity = |segment: &Segment| segment.bytes.capacity();
            memory.release(self.rest.remove(0).iter().map(capacity).sum());
        }
        Ok(())
    }

    /// The paths to several states. Each level is read once for all of them.
    pub fn paths_to(&self, positions: &[Position]) -> Vec<Path> {
        let mut paths: Vec<Path> = positions.iter().map(|position| Vec::with_capacity(position.level)).collect();
        // The deepest ones last, to be taken from there.
        let mut ahead: Vec<usize> = (0..positions.len()).collect();
        ahead.sort_by_key(|&path| positions[path].level);
        let deepest = ahead.last().map_or(0, |&path| positions[path].level);
        let mut ancestors: Vec<Ancestor> = Vec::new();
        for level in (0..deepest).rev() {
            while let Some(path) = ahead.pop_if(|path| positions[*path].level > level) {
                ancestors.push(Ancestor { number: positions[path].number, child: 0, path });
            }
            ancestors.sort_unstable_by_key(|ancestor| ancestor.number);
            self.step_back(level, &mut ancestors);
            ancestors.iter().for_each(|ancestor| paths[ancestor.path].push(ancestor.child));
        }
        paths.iter_mut().for_each(|path| path.reverse());
        paths
    }

    /// From states of the level after this one, by increasing number, to their parents.
    fn step_back(&self, level: usize, mut ancestors: &mut [Ancestor]) {
        let mut first = 0;
        let Some(start) = self.starts.get(level) else {
            for segment in &self.rest[level - self.starts.len()] {
                let (here, later) = split(ancestors, first + segment.count);
                let mut bytes = segment.bytes.iter();
                step_back_in_segment(here, first, || *bytes.next().expect(LOGGED));
                first += segment.count;
                ancestors = later;
            }
            return;
        };
        let mut reader = Reader { bytes: &self.bytes, place: start as usize };
        while !ancestors.is_empty() {
            let (count, bytes) = (reader.number(), reader.number());
            let end = reader.place + bytes as usize;
            let (here, later) = split(ancestors, first + count);
            step_back_in_segment(here, first, || reader.byte());
            reader.place = end;
            first += count;
            ancestors = later;
        }
    }
}

/// A state on the way to one that a path is looked for to.
struct Ancestor {
    number: u64,
    /// Which child of this one is on the path.
    child: u32,
    /// Which of the paths it is on.
    path: usize,
}

/// Those whose numbers are below this one, and the others.
fn split(ancestors: &mut [Ancestor], end: u64) -> (&mut [Ancestor], &mut [Ancestor]) {
    let count = ancestors.partition_point(|ancestor| ancestor.number < end);
    ancestors.split_at_mut(count)
}

/// From states of a segment, whose first one has this number, to their parents. The segment's bytes are handed out by `take`.
fn step_back_in_segment(ancestors: &mut [Ancestor], first: u64, mut take: impl FnMut() -> u8) {
    let mut next = first;
    let (mut parent, mut child) = (0, 0);
    for ancestor in ancestors {
        while next <= ancestor.number {
            let byte = take();
            let (distance, number) = match byte {
                IN_FULL => (take_number(&mut take), take_number(&mut take)),
                _ => (u64::from(byte) >> 4, u64::from(byte) & HALF),
            };
            parent += distance;
            child = number as u32;
            next += 1;
        }
        (ancestor.number, ancestor.child) = (parent, child);
    }
}

/// Reads bytes from some place on.
struct Reader<'a> {
    bytes: &'a Chunks<u8>,
    place: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.place += 1;
        self.bytes.get(self.place - 1).expect(LOGGED)
    }

    fn number(&mut self) -> u64 {
        take_number(&mut || self.byte())
    }
}

const LOGGED: &str = "a state that was counted was logged";

/// Appends a level.
fn append(
    bytes: &mut Chunks<u8>,
    starts: &mut Chunks<u64>,
    level: &[Segment],
    memory: &Memory,
) -> Result<(), OutOfMemory> {
    let start = bytes.len() as u64;
    for segment in level {
        let head: Vec<u8> = digits(segment.count).chain(digits(segment.bytes.len() as u64)).collect();
        bytes.extend(&head, memory)?;
        bytes.extend(&segment.bytes, memory)?;
    }
    starts.extend(&[start], memory)
}

/// A long list in pieces: unlike a vector, it is never in two places while it grows.
struct Chunks<T>(Vec<Vec<T>>);

const ITEMS_IN_CHUNK: usize = 1 << 12;

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Chunks(Vec::new())
    }
}

impl<T: Copy> Chunks<T> {
    fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * ITEMS_IN_CHUNK + last.len())
    }

    fn get(&self, index: usize) -> Option<T> {
        self.0.get(index / ITEMS_IN_CHUNK)?.get(index % ITEMS_IN_CHUNK).copied()
    }

    fn extend(&mut self, mut items: &[T], memory: &Memory) -> Result<(), OutOfMemory> {
        while !items.is_empty() {
            if self.0.last().is_none_or(|chunk| chunk.len() == ITEMS_IN_CHUNK) {
                let chunk = memory.vector(ITEMS_IN_CHUNK)?;
                memory.push(&mut self.0, chunk)?;
            }
            let Some(chunk) = self.0.last_mut() else { break };
            let (now, later) = items.split_at(items.len().min(ITEMS_IN_CHUNK - chunk.len()));
            chunk.extend_from_slice(now);
            items = later;
        }
        Ok(())
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
        let ancestor = |number| Ancestor { number, child: 0, path: 0 };
        let parents_of = |mut ancestors: Vec<Ancestor>| -> Vec<(u64, u32)> {
            let mut bytes = segment.bytes.iter();
            step_back_in_segment(&mut ancestors, 0, || *bytes.next().expect(LOGGED));
            ancestors.iter().map(|ancestor| (ancestor.number, ancestor.child)).collect()
        };
        for (index, entry) in entries.into_iter().enumerate() {
            assert_eq!(parents_of(vec![ancestor(index as u64)]), [entry]);
        }
        assert_eq!(parents_of((0..entries.len() as u64).map(ancestor).collect()), entries);
    }

    #[test]
    fn paths_lead_back_through_the_segments_of_several_threads() {
        paths_lead_back(false);
    }

    #[test]
    fn paths_lead_back_from_a_level_for_which_there_was_no_memory() {
        paths_lead_back(true);
    }

    fn paths_lead_back(is_short: bool) {
        let [memory, short] = [None, Some(0)].map(Memory::new);
        let segment = |entries: &[(u64, u32)]| {
            let mut segment = Segment::default();
            for &(parent, child) in entries {
                segment.push(parent, child, &memory).expect("there is no limit");
            }
            segment
        };
        let mut log = PathLog::default();
        let mut push = |level| log.push(level, if is_short { &short } else { &memory });
        // Even if there is no memory for them, the levels are there.
        assert_eq!(push(vec![segment(&[(0, 0), (0, 2)])]).is_err(), is_short);
        let last = vec![segment(&[(1, 4)]), Segment::default(), segment(&[(0, 1), (1, 7)])];
        assert_eq!(push(last).is_err(), is_short);
        // In any order, one of them twice.
        let expected: [(usize, u64, &[u32]); 6] =
            [(2, 2, &[2, 7]), (0, 0, &[]), (1, 1, &[2]), (2, 0, &[2, 4]), (2, 1, &[0, 1]), (1, 1, &[2])];
        let positions = expected.map(|(level, number, _)| Position { level, number });
        assert_eq!(log.paths_to(&positions), expected.map(|(_, _, path)| path));
    }

    /// As many levels as states: each takes a dozen bytes, and all of them can be read.
    #[test]
    fn levels_of_one_state_take_little() {
        let memory = Memory::new(None);
        let mut log = PathLog::default();
        let child = |level: u32| if level.is_multiple_of(1000) { 7_000 } else { level % 5 };
        let levels = 100_000;
        for level in 0..levels {
            let mut segment = Segment::default();
            segment.push(0, child(level), &memory).expect("there is no limit");
            log.push(vec![segment], &memory).expect("there is no limit");
        }
        let paths = log.paths_to(&[Position { level: levels as usize, number: 0 }]);
        assert_eq!(paths, [(0..levels).map(child).collect::<Vec<_>>()]);
        assert!(memory.peak() < 16 * u64::from(levels), "{} bytes", memory.peak());
    }
}
