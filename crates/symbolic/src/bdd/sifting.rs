//! Sifting: dynamic variable reordering. Each bit in turn is moved through all places, and left at the best.
//!
//! Paper:    [rudell93], with bits that stay together as in [panda-somenzi95].
//! Deviates: places are tried on a copy of the diagrams, which is safe code and counts exactly; the library then takes each
//!           bit the straight way to its best place. So it never has more nodes on the way than the copy had, and a move
//!           that does not pay costs the library nothing.

use std::collections::HashMap;

use reductio_model::hash::FoldMap;

/// A place at which the diagrams have grown by this factor is not worth going on from.
const MOST_GROWTH: f64 = 1.2;

/// A pass ends when so many times as many nodes have been changed as there were: the largest blocks come first, and what
/// is left gains little.
const EFFORT: usize = 8;
/// Where there are few nodes, a pass is cheap anyway.
const LEAST_EFFORT: usize = 10_000;

/// A node, or its complement: the number of the node twice, and one more for the complement.
type Edge = u32;

/// The set of everything; its complement is the empty set.
pub const EVERYTHING: Edge = 0;

#[derive(Clone, Copy)]
struct Node {
    bit: u32,
    /// Where the bit is set; never a complement.
    high: Edge,
    low: Edge,
    references: u32,
}

/// Diagrams as a graph of our own.
pub struct Copy {
    /// The first stands for [`EVERYTHING`].
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// By bit, the nodes with their edges.
    tables: Vec<Table>,
    /// The bits, from the top on.
    order: Vec<u32>,
    live: usize,
    /// How many nodes have been changed.
    changed: usize,
}

type Table = FoldMap<(Edge, Edge), u32>;

/// Bits that stay together, in their order.
type Block = Vec<u32>;

impl Copy {
    /// No diagrams yet, of bits in this order.
    pub fn new(order: Vec<u32>) -> Copy {
        let everything = Node { bit: u32::MAX, high: EVERYTHING, low: EVERYTHING, references: 1 };
        let tables = order.iter().map(|_| Table::default()).collect();
        Copy { nodes: vec![everything], free: Vec::new(), tables, order, live: 0, changed: 0 }
    }

    /// The node with these edges, one reference more to it, and none more to the edges.
    pub fn node(&mut self, bit: u32, high: Edge, low: Edge) -> Edge {
        if high == low {
            self.release(low);
            return high;
        }
        let complement = high & 1;
        let key = (high ^ complement, low ^ complement);
        if let Some(&known) = self.tables[bit as usize].get(&key) {
            self.nodes[known as usize].references += 1;
            self.release(high);
            self.release(low);
            return known << 1 | complement;
        }
        let node = Node { bit, high: key.0, low: key.1, references: 1 };
        let index = match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.tables[bit as usize].insert(key, index);
        self.live += 1;
        index << 1 | complement
    }

    /// One reference more.
    pub fn keep(&mut self, edge: Edge) -> Edge {
        self.nodes[(edge >> 1) as usize].references += 1;
        edge
    }

    /// One reference less; what has none is gone.
    pub fn release(&mut self, edge: Edge) {
        let index = edge >> 1;
        let node = &mut self.nodes[index as usize];
        node.references -= 1;
        if node.references == 0 {
            let Node { bit, high, low, .. } = *node;
            self.tables[bit as usize].remove(&(high, low));
            self.free.push(index);
            self.live -= 1;
            self.release(high);
            self.release(low);
        }
    }

    /// The two halves of a diagram by a bit that is not below its top.
    fn halves(&self, edge: Edge, bit: u32) -> (Edge, Edge) {
        let node = self.nodes[(edge >> 1) as usize];
        if node.bit == bit { (node.high ^ (edge & 1), node.low ^ (edge & 1)) } else { (edge, edge) }
    }

    /// The bit at this level changes places with the one below.
    fn swap(&mut self, level: usize) {
        let (upper, lower) = (self.order[level], self.order[level + 1]);
        self.order.swap(level, level + 1);
        let is_lower = |edge: Edge| self.nodes[(edge >> 1) as usize].bit == lower;
        let affected = self.tables[upper as usize].iter().filter(|((high, low), _)| is_lower(*high) || is_lower(*low));
        let affected: Vec<u32> = affected.map(|(_, index)| *index).collect();
        self.changed += affected.len();
        for index in affected {
            let Node { high, low, .. } = self.nodes[index as usize];
            self.tables[upper as usize].remove(&(high, low));
            let ((high_high, high_low), (low_high, low_low)) = (self.halves(high, lower), self.halves(low, lower));
            for edge in [high_high, high_low, low_high, low_low] {
                self.keep(edge);
            }
            // The first of the four is no complement, so neither is the new edge.
            let new_high = self.node(upper, high_high, low_high);
            let new_low = self.node(upper, high_low, low_low);
            let node = &mut self.nodes[index as usize];
            (node.bit, node.high, node.low) = (lower, new_high, new_low);
            self.tables[lower as usize].insert((new_high, new_low), index);
            self.release(high);
            self.release(low);
        }
    }

    /// Sifts every block once, the largest first, as long as `go_on` says so. Answers the orders on the way from the one now to the
    /// best: from each to the next, one block has moved.
    pub fn sift(&mut self, pairs: &[(u32, u32)], go_on: &dyn Fn() -> bool) -> Vec<Vec<u32>> {
        let mut blocks = self.blocks(pairs);
        let size = |block: &Block| block.iter().map(|bit| self.tables[*bit as usize].len()).sum::<usize>();
        let mut turns: Vec<(usize, Block)> = blocks.iter().map(|block| (size(block), block.clone())).collect();
        turns.retain(|(size, _)| *size > 0);
        turns.sort_by(|one, other| other.cmp(one));
        let mut orders = Vec::new();
        let enough = self.changed + EFFORT * self.live.max(LEAST_EFFORT);
        for (_, block) in turns {
            if self.changed > enough || !go_on() {
                break;
            }
            let start = blocks.iter().position(|other| *other == block).expect("blocks only move");
            if self.sift_block(&mut blocks, start) != start {
                orders.push(self.order.clone());
            }
        }
        orders
    }

    /// Pairs of bits stay together if they are neighbours.
    fn blocks(&self, pairs: &[(u32, u32)]) -> Vec<Block> {
        let partners: HashMap<u32, u32> =
            pairs.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]).collect();
        let mut blocks: Vec<Block> = Vec::new();
        for bit in &self.order {
            match blocks.last_mut() {
                Some(block) if block.len() == 1 && partners.get(&block[0]) == Some(bit) => block.push(*bit),
                _ => blocks.push(vec![*bit]),
            }
        }
        blocks
    }

    /// Moves a block to its best place, and answers which that is.
    fn sift_block(&mut self, blocks: &mut [Block], start: usize) -> usize {
        let (mut at, mut best, mut best_size) = (start, start, self.live);
        let last = blocks.len() - 1;
        let nearer_end = if start > last / 2 { [last, 0] } else { [0, last] };
        for end in nearer_end {
            while at != end {
                at = self.move_towards(blocks, at, end);
                if self.live < best_size {
                    (best, best_size) = (at, self.live);
                } else if self.live as f64 > best_size as f64 * MOST_GROWTH {
                    break;
                }
            }
        }
        while at != best {
            at = self.move_towards(blocks, at, best);
        }
        best
    }

    /// Moves a block by one place.
    fn move_towards(&mut self, blocks: &mut [Block], at: usize, end: usize) -> usize {
        let upper = if at < end { at } else { at - 1 };
        let level: usize = blocks[..upper].iter().map(Vec::len).sum();
        let (above, below) = (blocks[upper].len(), blocks[upper + 1].len());
        for distance in (0..above).rev() {
            for place in 0..below {
                self.swap(level + distance + place);
            }
        }
        blocks.swap(upper, upper + 1);
        if at < end { at + 1 } else { at - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: u32 = 6;

    /// `x0 & y0 | x1 & y1 | ...`: linear if partners are neighbours, exponential if all `x` come before all `y`.
    fn some_pair(copy: &mut Copy, bits: &[(u32, u32)]) -> Edge {
        let nothing = copy.keep(EVERYTHING ^ 1);
        bits.iter().fold(nothing, |sum, (x, y)| {
            let both = [*x, *y].map(|bit| {
                let (high, low) = (copy.keep(EVERYTHING), copy.keep(EVERYTHING ^ 1));
                copy.node(bit, high, low)
            });
            let both = and(copy, both[0], both[1]);
            // By De Morgan.
            and(copy, sum ^ 1, both ^ 1) ^ 1
        })
    }

    /// Takes over a reference to both.
    fn and(copy: &mut Copy, one: Edge, other: Edge) -> Edge {
        let result = if one == EVERYTHING ^ 1 || other == EVERYTHING ^ 1 {
            copy.keep(EVERYTHING ^ 1)
        } else if one == EVERYTHING {
            copy.keep(other)
        } else if other == EVERYTHING {
            copy.keep(one)
        } else {
            let level = |copy: &Copy, edge: Edge| {
                let bit = copy.nodes[(edge >> 1) as usize].bit;
                copy.order.iter().position(|other| *other == bit).expect("every bit has a place")
            };
            let bit = copy.order[level(copy, one).min(level(copy, other))];
            let halves = (copy.halves(one, bit), copy.halves(other, bit));
            let [high, low] = [(halves.0.0, halves.1.0), (halves.0.1, halves.1.1)].map(|(one, other)| {
                copy.keep(one);
                copy.keep(other);
                and(copy, one, other)
            });
            copy.node(bit, high, low)
        };
        copy.release(one);
        copy.release(other);
        result
    }

    fn value(copy: &Copy, edge: Edge, assignment: u32) -> bool {
        let mut edge = edge;
        while edge > 1 {
            let node = copy.nodes[(edge >> 1) as usize];
            edge = (if assignment >> node.bit & 1 == 1 { node.high } else { node.low }) ^ (edge & 1);
        }
        edge == EVERYTHING
    }

    /// All that must be true of the graph: every node is in its table, once, below those that refer to it, and counted.
    fn check(copy: &Copy, roots: &[Edge]) {
        let mut references = vec![0; copy.nodes.len()];
        roots.iter().for_each(|root| references[(root >> 1) as usize] += 1);
        let level = |bit: u32| copy.order.iter().position(|other| *other == bit);
        for (bit, table) in copy.tables.iter().enumerate() {
            for ((high, low), index) in table {
                let node = copy.nodes[*index as usize];
                assert_eq!((node.bit as usize, node.high, node.low), (bit, *high, *low));
                assert!(high != low && high & 1 == 0);
                for edge in [high, low] {
                    references[(edge >> 1) as usize] += 1;
                    let below = copy.nodes[(edge >> 1) as usize].bit;
                    assert!(below == u32::MAX || level(below) > level(node.bit));
                }
            }
        }
        let live = copy.tables.iter().map(Table::len).sum::<usize>();
        assert_eq!(copy.live, live);
        for table in &copy.tables {
            table
                .values()
                .for_each(|index| assert_eq!(copy.nodes[*index as usize].references, references[*index as usize]));
        }
    }

    #[test]
    fn partners_find_each_other_and_nothing_else_changes() {
        // All `x`, then all `y` backwards.
        let bits: Vec<(u32, u32)> = (0..PAIRS).map(|x| (x, 2 * PAIRS - 1 - x)).collect();
        let order = (0..PAIRS).chain((PAIRS..2 * PAIRS).rev()).collect();
        let mut copy = Copy::new(order);
        let root = some_pair(&mut copy, &bits);
        check(&copy, &[root]);
        let before: Vec<bool> = (0..1 << (2 * PAIRS)).map(|assignment| value(&copy, root, assignment)).collect();
        let size = copy.live;
        let orders = copy.sift(&[], &|| true);
        check(&copy, &[root]);
        assert_eq!(copy.live, 2 * PAIRS as usize, "{size} before");
        assert!(size > 60 && orders.last() == Some(&copy.order));
        let after: Vec<bool> = (0..1 << (2 * PAIRS)).map(|assignment| value(&copy, root, assignment)).collect();
        assert_eq!(before, after);
    }

    #[test]
    fn neighbours_stay_together_and_a_stop_is_obeyed() {
        let partners = [(0, 1), (2, 3), (4, 5), (6, 7)];
        let mut copy = Copy::new((0..8).collect());
        let root = some_pair(&mut copy, &[(0, 6), (1, 7), (2, 4), (3, 5)]);
        assert!(copy.sift(&partners, &|| false).is_empty());
        let orders = copy.sift(&partners, &|| true);
        check(&copy, &[root]);
        assert!(!orders.is_empty());
        for order in orders {
            for (one, other) in partners {
                let place = |bit: u32| order.iter().position(|other| *other == bit).expect("every bit has a place");
                assert_eq!(place(one).abs_diff(place(other)), 1, "{order:?}");
            }
        }
    }
}
