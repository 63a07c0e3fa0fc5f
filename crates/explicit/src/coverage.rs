//! Which edges of a model were taken by some run: what was never taken deserves suspicion.

use reductio_model::{EdgeId, ProctypeId, Step};

/// The edges that were taken at least once, per process type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    taken: Vec<Vec<bool>>,
}

impl Coverage {
    pub fn is_taken(&self, proctype: ProctypeId, edge: EdgeId) -> bool {
        let edges = self.taken.get(proctype.index());
        edges
            .and_then(|edges| edges.get(edge.index()))
            .copied()
            .unwrap_or(false)
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
