//! From keys to states: a state is put together of the values of its components.

use std::sync::RwLock;

use reductio_model::{Component, Model, State, Workspace};

use super::components::{ABSENT, Values};
use super::key::Key;
use super::layout::{Layout, Source};

/// A workspace, and which values its state is made of.
pub(crate) struct Loader<'m> {
    model: &'m Model,
    pub workspace: Workspace,
    /// By component.
    loaded: Vec<Option<u32>>,
}

impl<'m> Loader<'m> {
    pub fn new(model: &'m Model) -> Loader<'m> {
        Loader { model, workspace: Workspace::new(State::blank(model)), loaded: Vec::new() }
    }

    /// To be called when the numbers of components have changed.
    pub fn forget(&mut self) {
        self.loaded.clear();
    }

    /// Makes the workspace's state that of the key, changing only the components in which they differ.
    pub fn load<const W: usize>(&mut self, layout: &Layout, values: &[RwLock<Values>], key: &Key<W>) {
        self.loaded.resize(layout.components().len(), None);
        for (index, placed) in layout.components().iter().enumerate() {
            let number = placed.number(key);
            if self.loaded[index] == Some(number) {
                continue;
            }
            self.loaded[index] = Some(number);
            let Source::Model(component) = &placed.source else { continue };
            if let (Some(ty), Component::Globals(slots)) = (placed.plain, component) {
                self.workspace.state_mut().globals[slots.start as usize] = ty.truncate(number as i32);
            } else if number != ABSENT {
                let values = values[index].read().unwrap_or_else(|poisoned| poisoned.into_inner());
                component.read(self.model, values.get(number), self.workspace.state_mut());
            }
        }
    }
}
