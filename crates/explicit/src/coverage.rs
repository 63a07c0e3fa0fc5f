//! Which edges of a model were taken by some run: what was never taken deserves suspicion.

use std::collections::HashSet;

use reductio_model::{ActionId, ActionKind, EdgeId, Model, ProctypeId, Step};

/// The edges that were taken at least once, per process type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    taken: Vec<Vec<bool>>,
}

impl Coverage {
    pub fn is_taken(&self, proctype: ProctypeId, edge: EdgeId) -> bool {
        let edges = self.taken.get(proctype.index());
        edges.and_then(|edges| edges.get(edge.index())).copied().unwrap_or(false)
    }

    /// The statements that no run executed, in the order of the text. A statement that stands behind several edges
    /// is reached when one of them was taken.
    pub fn unreached(&self, model: &Model) -> Vec<(ProctypeId, ActionId)> {
        let ids = (0..model.proctypes.len() as u32).map(ProctypeId);
        ids.flat_map(|id| self.unreached_in(model, id)).collect()
    }

    fn unreached_in(&self, model: &Model, id: ProctypeId) -> Vec<(ProctypeId, ActionId)> {
        let proctype = model.proctype(id);
        let statement = |action: ActionId| {
            let action = proctype.action(action);
            (action.position, action.text.as_str())
        };
        // Searches see a `d_step` as one edge and do not know which of the edges inside were taken, so these are
        // never reported.
        let visible = |edge: &EdgeId| !proctype.location(proctype.edge(*edge).from).interior;
        let edges = || (0..proctype.edges.len() as u32).map(EdgeId).filter(visible);
        let taken = edges().filter(|&edge| self.is_taken(id, edge));
        let mut seen: HashSet<_> = taken.map(|edge| statement(proctype.edge(edge).action)).collect();
        let mut unreached: Vec<ActionId> = Vec::new();
        for edge in edges() {
            let action = proctype.edge(edge).action;
            let implicit = proctype.action(action).kind == ActionKind::End || proctype.action(action).text.is_empty();
            if !implicit && seen.insert(statement(action)) {
                unreached.push(action);
            }
        }
        unreached.sort_by_key(|&action| statement(action));
        unreached.into_iter().map(|action| (id, action)).collect()
    }

    /// Notes the edges of a step that is possible where the processes are of these types.
    pub(crate) fn mark_step(&mut self, proctypes: &[ProctypeId], step: Step) {
        for (process, edge) in std::iter::once((step.process, step.edge)).chain(step.partner) {
            self.mark(proctypes[process as usize], edge);
        }
    }

    fn mark(&mut self, proctype: ProctypeId, edge: EdgeId) {
        if self.taken.len() <= proctype.index() {
            self.taken.resize(proctype.index() + 1, Vec::new());
        }
        let edges = &mut self.taken[proctype.index()];
        if edges.len() <= edge.index() {
            edges.resize(edge.index() + 1, false);
        }
        edges[edge.index()] = true;
    }
}
