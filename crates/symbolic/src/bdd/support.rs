//! The bits that a diagram depends on.

use std::collections::BTreeSet;

use oxidd::util::Ref;
use oxidd::{Function, HasLevel, InnerNode, Manager, Node};
use oxidd_core::util::NodeSet;

use super::{Bdd, Bit};

impl Bdd {
    /// The bits that it depends on, by number.
    pub fn support(&self) -> BTreeSet<Bit> {
        self.0.with_manager_shared(|manager, edge| {
            let mut levels = vec![false; manager.num_levels() as usize];
            collect(manager, edge, &mut Default::default(), &mut levels);
            let used = (0..).zip(levels).filter(|(_, used)| *used);
            used.map(|(level, _)| Bit(manager.level_to_var(level))).collect()
        })
    }
}

fn collect<M: Manager>(manager: &M, edge: Ref<'_, M::Edge>, seen: &mut M::NodeSet, levels: &mut [bool])
where
    M::InnerNode: HasLevel,
{
    let Node::Inner(node) = manager.get_node(edge) else { return };
    if seen.insert(edge) {
        levels[node.level() as usize] = true;
        for child in node.children() {
            collect(manager, child, seen, levels);
        }
    }
}
