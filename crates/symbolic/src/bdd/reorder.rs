//! Variable reordering. BDDs stay valid: it is only their size that changes.

use std::collections::{HashMap, HashSet};

use oxidd::{InnerNode, Manager as _, ManagerRef, Node, NodeID};
use oxidd_core::LevelView;
use oxidd_reorder::set_var_order_seq;
use reductio_model::hash::FoldMap;

use super::sifting::{Copy, EVERYTHING};
use super::{Bit, Manager};

/// The library cannot do without room while it moves a bit, and ends the program if there is none.
const ROOM: usize = 3;

impl Manager<'_> {
    /// The bits in this order, from the top on.
    pub fn set_order(&self, order: &[Bit]) {
        let order: Vec<u32> = order.iter().map(|bit| bit.0).collect();
        self.library.with_manager_exclusive(|manager| set_var_order_seq(manager, &order));
    }

    /// The order of the bits, from the top on.
    pub fn order(&self) -> Vec<Bit> {
        self.library.with_manager_shared(|manager| {
            (0..manager.num_levels()).map(|level| Bit(manager.level_to_var(level))).collect()
        })
    }

    /// From now on, the order changes when the diagrams have grown, at so many nodes for the first time. Pairs become
    /// neighbours, and stay so.
    pub fn reorder_when_large(&mut self, pairs: &[(Bit, Bit)], first: usize) {
        let partners: HashMap<Bit, Bit> = pairs.iter().copied().collect();
        let second: HashSet<Bit> = pairs.iter().map(|(_, second)| *second).collect();
        let firsts = self.order().into_iter().filter(|bit| !second.contains(bit));
        let order: Vec<Bit> = firsts.flat_map(|bit| [Some(bit), partners.get(&bit).copied()]).flatten().collect();
        self.set_order(&order);
        self.pairs = pairs.iter().map(|(one, other)| (one.0, other.0)).collect();
        let growth = self.growth.get_mut();
        (growth.first_reordering, growth.reorder_at) = (first, Some(first));
        growth.first_collection = growth.first_collection.min(first.saturating_mul(3));
        growth.collect_at = growth.collect_at.min(growth.first_collection);
    }

    /// Two more bits that stay together, below the given one, or at the top.
    pub fn add_pair(&mut self, below: Option<Bit>) -> (Bit, Bit) {
        let mut order = self.order();
        let added = self.library.with_manager_exclusive(|manager| manager.add_vars(2));
        let pair = (Bit(added.start), Bit(added.start + 1));
        self.bits = added.end;
        self.pairs.push((pair.0.0, pair.1.0));
        let place = below.and_then(|bit| order.iter().position(|other| *other == bit)).map_or(0, |place| place + 1);
        order.splice(place..place, [pair.0, pair.1]);
        self.set_order(&order);
        pair
    }

    pub(super) fn reorder_if_large(&self, in_use: usize) {
        if self.growth.get().reorder_at.is_some_and(|limit| in_use >= limit) {
            self.reorder();
        }
    }

    /// Looks for a better order of the bits.
    pub fn reorder(&self) {
        let in_use = self.collect();
        if in_use.saturating_mul(ROOM) > self.capacity {
            return;
        }
        let mut copy = self.copy();
        let orders = copy.sift(&self.pairs, &|| self.check().is_ok());
        self.library.with_manager_exclusive(|manager| {
            // One preparation for all of them.
            manager.reorder(|manager| orders.iter().for_each(|order| set_var_order_seq(manager, order)));
        });
        let in_use = self.collect();
        let mut growth = self.growth.get();
        growth.reorder_at = growth.reorder_at.map(|_| growth.first_reordering.max(in_use * 2));
        self.growth.set(growth);
    }

    /// All diagrams that are in use.
    fn copy(&self) -> Copy {
        self.library.with_manager_shared(|manager| {
            let mut copy = Copy::new((0..manager.num_levels()).map(|level| manager.level_to_var(level)).collect());
            // Each node of the library with its copy, and how often others refer to it.
            let mut copies: FoldMap<NodeID, (u32, usize)> = FoldMap::default();
            for level in manager.levels().rev() {
                let bit = manager.level_to_var(level.level_no());
                for edge in level.iter() {
                    let Node::Inner(node) = manager.get_node(edge) else { continue };
                    let mut child = |number| {
                        let edge = node.child(number);
                        let complement = u32::from(edge.tag() != Default::default());
                        let target = match manager.get_node(edge) {
                            Node::Terminal(_) => EVERYTHING,
                            Node::Inner(_) => {
                                let (copy, references) =
                                    copies.get_mut(&edge.node_id()).expect("levels are visited from below");
                                *references += 1;
                                *copy
                            }
                        };
                        copy.keep(target ^ complement)
                    };
                    let (high, low) = (child(0), child(1));
                    let new = copy.node(bit, high, low);
                    copies.insert(edge.node_id(), (new, 0));
                }
            }
            // What nobody else refers to is kept by the copies of those that refer to it.
            for level in manager.levels() {
                for edge in level.iter() {
                    let (Node::Inner(node), Some((new, references))) =
                        (manager.get_node(edge), copies.get(&edge.node_id()))
                    else {
                        continue;
                    };
                    if node.ref_count() <= *references {
                        copy.release(*new);
                    }
                }
            }
            copy
        })
    }
}
