//! What the keys of a search mean: the components of its states, and the values that they take.

use std::sync::RwLock;

use reductio_model::component::variable;
use reductio_model::{Component, Door, State, ValueType};

use super::components::{ABSENT, Values};
use super::key::Key;
use super::layout::{ComponentId, Layout, Repacking, Source, plain_number, width};
use crate::store::{Memory, OutOfMemory};

/// What all threads of a search share besides the states: which components there are, and their values.
pub(crate) struct Space<'m> {
    pub system: &'m dyn Door,
    pub layout: Layout,
    /// By component.
    pub values: Vec<RwLock<Values>>,
    /// Must the numbers of values stay what they are? Stores that keep only fingerprints need that.
    numbers_stay: bool,
}

/// Why a state cannot be expanded now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// A component has more values than its field can number.
    TooNarrow,
    /// A process or channel was created that the layout does not have yet.
    Missing(Source),
    OutOfMemory,
}

impl From<OutOfMemory> for Obstacle {
    fn from(_: OutOfMemory) -> Obstacle {
        Obstacle::OutOfMemory
    }
}

/// So many keys are quickly packed anew.
const FEW_STATES: usize = 1 << 12;

/// A variable with more values than this is not worth numbering.
const MANY_VALUES: u32 = 1 << 12;

impl<'m> Space<'m> {
    /// For the components of this state, without fields yet: [`Space::pack`] comes next.
    pub fn new(system: &'m dyn Door, state: &State, numbers_stay: bool) -> Space<'m> {
        let layout = Layout::new(system.model(), state.processes.len(), state.channels.len());
        let values = layout.ids().map(|_| RwLock::new(Values::new())).collect();
        Space { system, layout, values, numbers_stay }
    }

    /// Adds the component that a new process or channel needs, if it was not added already. The layout must be packed
    /// before it is used again.
    pub fn add(&mut self, source: Source) {
        if self.layout.components().iter().all(|component| component.source != source) {
            self.layout.add(source);
            self.values.push(RwLock::new(Values::new()));
        }
    }

    /// Prepares for the layout that takes an obstacle out of the way, if one does.
    pub fn prepare_for(&mut self, obstacle: Obstacle) -> Result<(), OutOfMemory> {
        match obstacle {
            Obstacle::OutOfMemory => return Err(OutOfMemory),
            Obstacle::TooNarrow => {}
            Obstacle::Missing(source) => self.add(source),
        }
        Ok(())
    }

    /// Would the components fit into keys of so many words, and for some time? With many states stored it is not worth
    /// while to pack them anew for a few values more.
    pub fn fits(&self, words: usize, stored: usize) -> bool {
        let spare = if words == 1 && stored > FEW_STATES { self.layout.components().len() as u32 / 8 } else { 0 };
        self.next_layout(words, spare).is_some()
    }

    /// Gives every component a field in keys of so many words, and tells how keys change. `None`: the fields do not
    /// fit, and stay as they are.
    pub fn pack(&mut self, words: usize) -> Option<Repacking> {
        let next = self.next_layout(words, 0)?;
        let old = std::mem::replace(&mut self.layout, next);
        let values = |id: ComponentId| {
            let ty = self.layout.component(id).plain.expect("only asked for those");
            let values = read(&self.values[id.index()]);
            let value = |number| plain_number(ty, variable(values.get(number)));
            // Number zero is not used.
            std::iter::once(0).chain((1..=values.count()).map(value)).collect()
        };
        Some(Repacking::new(&old, &self.layout, values))
    }

    /// The way to longer keys when the fields do not fit yet.
    pub fn same_fields(&self) -> Repacking {
        Repacking::new(&self.layout, &self.layout, |_| unreachable!("nothing changes"))
    }

    /// A layout for the values that there are, in keys of so many words of which so many bits are to spare.
    fn next_layout(&self, words: usize, spare: u32) -> Option<Layout> {
        let mut layout = self.layout.clone();
        // A component without values will have one as soon as it is used.
        let counts: Vec<u32> = self.values.iter().map(|values| read(values).count().max(1)).collect();
        for id in layout.ids().filter(|_| !self.numbers_stay) {
            if let Some(ty) = self.better_plain(id, counts[id.index()]) {
                layout.make_plain(id, ty);
            }
        }
        layout.pack(&counts, words, spare).then_some(layout)
    }

    /// The type of a variable that takes most of the values of its type, or a great many: it is better not numbered.
    fn better_plain(&self, id: ComponentId, count: u32) -> Option<ValueType> {
        let component = self.layout.component(id);
        let Source::Model(Component::Globals(slots)) = &component.source else { return None };
        let ty = self.system.model().globals[slots.start as usize].ty;
        let many = count > MANY_VALUES || (width(ty) > 1 && count > 1 << (width(ty) - 1));
        (slots.len() == 1 && component.plain.is_none() && many).then_some(ty)
    }

    /// The key of the initial state. It gives every component its first value, and fields hold at least that.
    pub fn first_key<const W: usize>(&self, state: &State, memory: &Memory) -> Result<Key<W>, OutOfMemory> {
        let mut key = Key::ZERO;
        for id in self.layout.ids() {
            match self.number(id, state, &mut Vec::new(), memory) {
                Ok(number) => self.layout.component(id).fill(&mut key, number),
                Err(Obstacle::OutOfMemory) => return Err(OutOfMemory),
                Err(obstacle) => unreachable!("{obstacle:?} in the initial state"),
            }
        }
        Ok(key)
    }

    /// The number of the value that a component has in a state.
    pub fn number(
        &self,
        id: ComponentId,
        state: &State,
        value: &mut Vec<u8>,
        memory: &Memory,
    ) -> Result<u32, Obstacle> {
        let placed = self.layout.component(id);
        let Source::Model(component) = &placed.source else { return Ok(ABSENT) };
        if let (Some(ty), Component::Globals(slots)) = (placed.plain, component) {
            return Ok(plain_number(ty, state.globals[slots.start as usize]));
        }
        value.clear();
        if !component.write(self.system.model(), state, value) {
            return Ok(ABSENT);
        }
        let values = &self.values[id.index()];
        let known = read(values).find(value);
        let number = match known {
            Some(number) => number,
            None => write(values).intern(value, memory)?,
        };
        if placed.holds(number) { Ok(number) } else { Err(Obstacle::TooNarrow) }
    }
}

/// A lock is poisoned only if a thread panicked, and then the panic goes on anyway.
pub(crate) fn read(values: &RwLock<Values>) -> std::sync::RwLockReadGuard<'_, Values> {
    values.read().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn write(values: &RwLock<Values>) -> std::sync::RwLockWriteGuard<'_, Values> {
    values.write().unwrap_or_else(|poisoned| poisoned.into_inner())
}
