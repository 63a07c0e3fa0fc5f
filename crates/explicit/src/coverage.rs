//! Which statements of a model were executed in some run: what never was deserves suspicion.

use std::collections::HashSet;

use reductio_model::{ActionId, ActionKind, Model, ProctypeId};

/// The actions that were executed at least once, per process type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    executed: Vec<Vec<bool>>,
}

impl Coverage {
    pub fn is_executed(&self, proctype: ProctypeId, action: ActionId) -> bool {
        let actions = self.executed.get(proctype.index());
        actions.and_then(|actions| actions.get(action.index())).copied().unwrap_or(false)
    }

    /// The statements that no run executed, in the order of the text.
    pub fn unreached(&self, model: &Model) -> Vec<(ProctypeId, ActionId)> {
        let ids = (0..model.proctypes.len() as u32).map(ProctypeId);
        ids.flat_map(|id| self.unreached_in(model, id)).collect()
    }

    /// An inline that is used twice stands behind several actions. Its statement is reached when one of them was.
    fn unreached_in(&self, model: &Model, id: ProctypeId) -> Vec<(ProctypeId, ActionId)> {
        let proctype = model.proctype(id);
        let statement = |action: ActionId| {
            let action = proctype.action(action);
            (action.position, action.text.as_str())
        };
        let actions = || (0..proctype.actions.len() as u32).map(ActionId);
        let executed = actions().filter(|&action| self.is_executed(id, action));
        let mut seen: HashSet<_> = executed.map(statement).collect();
        let mut unreached: Vec<ActionId> = Vec::new();
        for action in actions() {
            // What the user did not write, the user need not hear about.
            let implicit = proctype.action(action).kind == ActionKind::End || proctype.action(action).text.is_empty();
            if !implicit && seen.insert(statement(action)) {
                unreached.push(action);
            }
        }
        unreached.sort_by_key(|&action| statement(action));
        unreached.into_iter().map(|action| (id, action)).collect()
    }

    /// The same, for the model of which this one was made: `origin` tells what its actions were there.
    pub(crate) fn lifted(&self, origin: impl Fn(ProctypeId, ActionId) -> ActionId) -> Coverage {
        let mut lifted = Coverage::default();
        for (proctype, actions) in self.executed.iter().enumerate() {
            let proctype = ProctypeId(proctype as u32);
            let executed = actions.iter().enumerate().filter(|(_, executed)| **executed);
            let origins = executed.map(|(action, _)| (proctype, origin(proctype, ActionId(action as u32))));
            lifted.mark(&origins.collect::<Vec<_>>());
        }
        lifted
    }

    /// Notes what another search, or another thread of this one, has executed.
    pub(crate) fn join(&mut self, other: &Coverage) {
        for (proctype, actions) in other.executed.iter().enumerate() {
            let executed = actions.iter().enumerate().filter(|(_, executed)| **executed);
            let ids = executed.map(|(action, _)| (ProctypeId(proctype as u32), ActionId(action as u32)));
            self.mark(&ids.collect::<Vec<_>>());
        }
    }

    /// Where one of two actions that are alike was executed, so could the other have been.
    pub(crate) fn share(&mut self, alike: &[(ProctypeId, ActionId, ActionId)]) {
        loop {
            let missing = |&&(proctype, one, other): &&(ProctypeId, ActionId, ActionId)| {
                self.is_executed(proctype, one) != self.is_executed(proctype, other)
            };
            let Some(&(proctype, one, other)) = alike.iter().find(missing) else { return };
            self.mark(&[(proctype, one), (proctype, other)]);
        }
    }

    /// Notes actions that a step executed.
    pub fn mark(&mut self, executed: &[(ProctypeId, ActionId)]) {
        for &(proctype, action) in executed {
            if self.executed.len() <= proctype.index() {
                self.executed.resize(proctype.index() + 1, Vec::new());
            }
            let actions = &mut self.executed[proctype.index()];
            if actions.len() <= action.index() {
                actions.resize(action.index() + 1, false);
            }
            actions[action.index()] = true;
        }
    }
}
