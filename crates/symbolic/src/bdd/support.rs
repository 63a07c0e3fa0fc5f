//! The bits that a diagram depends on.

use std::collections::{BTreeSet, HashSet};

use oxidd::util::Ref;
use oxidd::{Function, HasLevel, InnerNode, Manager, Node, NodeID};

use super::{Bdd, Bit};

impl Bdd {
    /// The bits that it depends on, by number.
    pub fn support(&self) -> BTreeSet<Bit> {
        self.0.with_manager_shared(|manager, edge| {
            let mut bits = BTreeSet::new();
            collect(manager, edge, &mut HashSet::new(), &mut bits);
            bits
        })
    }
}

fn collect<M: Manager>(manager: &M, edge: Ref<'_, M::Edge>, seen: &mut HashSet<NodeID>, bits: &mut BTreeSet<Bit>)
where
    M::InnerNode: HasLevel,
{
    let Node::Inner(node) = manager.get_node(edge) else { return };
    if seen.insert(edge.node_id()) {
        bits.insert(Bit(manager.level_to_var(node.level())));
        for child in node.children() {
            collect(manager, child, seen, bits);
        }
    }
}
