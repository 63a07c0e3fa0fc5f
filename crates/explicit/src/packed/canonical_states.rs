//! Symmetry reduction: canonical keys, the same as those of [states](reductio_reduce::on_the_fly::representative), quickly.
//!
//! To exchange processes is to move numbers between the fields of a key, and to replace the numbers of values that name a process.
//! What a value has to do with columns, and what becomes of it when a column takes another place, is worked out once and remembered by
//! its number. So a key costs a few look-ups for each component, and no permutation needs a table of its own.

use std::collections::HashMap;
use std::sync::Arc;

use reductio_model::component::{blank_channel, blank_process};
use reductio_model::{Component, Part, State};
use reductio_reduce::facts::symmetry::FoundSymmetry;
use reductio_reduce::on_the_fly::canonical_state::{Description, digest};
#[cfg(debug_assertions)]
use reductio_reduce::on_the_fly::symmetry::Symmetry;
use reductio_reduce::on_the_fly::symmetry::{Column, Meaning, Moved, Permutation, Piece, put};

use super::components::ABSENT;
use super::key::Key;
use super::layout::{ComponentId, Source};
use super::space::{Obstacle, Space, read};
use crate::store::{Memory, OutOfMemory};

/// What one thread needs to find representatives.
pub(crate) struct CanonicalStates<const W: usize> {
    found: Arc<FoundSymmetry>,
    /// By component: what is known of its values, by number. `None` where nothing ever moves or is renamed.
    components: Vec<Option<Known>>,
    relations: Vec<Relation>,
    /// Of values that have to do with one column: as many for each as there are columns.
    singles: Vec<Image>,
    /// Some of the keys that were met last, by hash, with their representatives.
    recent: Vec<(Key<W>, Key<W>)>,
    /// A state of which one part at a time matters.
    scratch: State,
    value: Vec<u8>,
    /// Components of the key at hand that move or are renamed.
    moving: Vec<(ComponentId, u32, Entry)>,
    related: Vec<u32>,
    signatures: Vec<u64>,
    images: Permutation,
    bytes: usize,
    #[cfg(debug_assertions)]
    checks: u32,
}

#[derive(Default)]
struct Known {
    entries: Vec<Entry>,
    /// Of values that are not numbered.
    plain: HashMap<u32, Entry>,
}

/// What is known of a value.
#[derive(Clone, Copy, Default)]
enum Entry {
    #[default]
    Unknown,
    /// It has to do with no column.
    Nothing,
    /// It has to do with one, to whose signature it adds this: its images begin with the one with this number, by the
    /// column that it becomes.
    Single(Column, u64, u32),
    /// It relates columns: see the relation with this number.
    Several(u32),
}

/// Where a value goes, and what becomes of it.
#[derive(Clone, Copy)]
struct Image {
    component: ComponentId,
    number: u32,
    digest: u64,
}

impl Image {
    /// Not worked out yet.
    const UNKNOWN: Image = Image { component: ComponentId(u16::MAX), number: 0, digest: 0 };
}

struct Relation {
    description: Description,
    /// By what becomes of its columns.
    images: HashMap<Vec<Column>, Image>,
}

const RECENT: usize = 1 << 12;

impl<const W: usize> CanonicalStates<W> {
    pub fn new(found: Arc<FoundSymmetry>) -> CanonicalStates<W> {
        let columns = found.symmetry.columns.len();
        let scratch =
            State { globals: Vec::new(), processes: Vec::new(), channels: Vec::new(), exclusive: None, last: 0 };
        CanonicalStates {
            components: Vec::new(),
            relations: Vec::new(),
            singles: Vec::new(),
            recent: vec![(Key::ZERO, Key::ZERO); RECENT],
            scratch,
            value: Vec::new(),
            moving: Vec::new(),
            related: Vec::new(),
            signatures: vec![0; columns],
            images: Permutation::identity(columns),
            bytes: 0,
            #[cfg(debug_assertions)]
            checks: 0,
            found,
        }
    }

    #[cfg(debug_assertions)]
    pub fn found(&self) -> &Arc<FoundSymmetry> {
        &self.found
    }

    /// Now and then what is found is compared with the definition.
    #[cfg(debug_assertions)]
    pub fn is_time_to_check(&mut self) -> bool {
        self.checks += 1;
        self.checks.is_multiple_of(16) || self.checks < 16
    }

    /// Gives its memory back.
    pub fn forget(self, memory: &Memory) -> Arc<FoundSymmetry> {
        memory.release(self.bytes);
        self.found
    }

    /// The key that stands for all that permutations make of this one, in a state with so many processes.
    #[inline(always)]
    pub fn get(&mut self, space: &Space<'_>, key: &Key<W>, processes: u8, memory: &Memory) -> Result<Key<W>, Obstacle> {
        if usize::from(processes) < self.found.symmetry.processes {
            return Ok(*key);
        }
        let place = key.hash() as usize % RECENT;
        let (known, representative) = &self.recent[place];
        if known == key {
            return Ok(*representative);
        }
        let representative = self.find(space, key, memory)?;
        self.recent[place] = (*key, representative);
        Ok(representative)
    }

    /// The same, and the permutation that makes it, if it is another.
    pub fn get_exchanged(
        &mut self,
        space: &Space<'_>,
        key: &Key<W>,
        processes: u8,
        memory: &Memory,
    ) -> Result<(Key<W>, Option<Permutation>), Obstacle> {
        if usize::from(processes) < self.found.symmetry.processes {
            return Ok((*key, None));
        }
        let representative = self.find(space, key, memory)?;
        Ok((representative, (!self.images.is_identity()).then(|| self.images.clone())))
    }

    fn find(&mut self, space: &Space<'_>, key: &Key<W>, memory: &Memory) -> Result<Key<W>, Obstacle> {
        if self.components.len() != space.layout.components().len() {
            self.watch(space);
        }
        self.look_at(space, key, memory)?;
        if self.related.is_empty() && self.found.symmetry.turns.is_empty() {
            self.sort();
        } else {
            self.choose(space, memory)?;
        }
        if self.images.is_identity() {
            return Ok(*key);
        }
        let mut representative = *key;
        for &(component, ..) in &self.moving {
            representative.clear(space.layout.field(component));
        }
        for index in 0..self.moving.len() {
            let (component, number, entry) = self.moving[index];
            let image = self.image(space, component, number, entry, memory)?;
            let target = space.layout.component(image.component);
            if !target.holds(image.number) {
                return Err(Obstacle::TooNarrow);
            }
            target.fill(&mut representative, image.number);
        }
        Ok(representative)
    }

    /// Which components can have to do with columns at all?
    fn watch(&mut self, space: &Space<'_>) {
        let symmetry = &self.found.symmetry;
        let model = space.system.model();
        let means = |meaning: &Meaning| *meaning != Meaning::Number;
        let is_watched = |source: &Source| match source {
            Source::Claim(_) | Source::Model(Component::Counts | Component::Last) => false,
            Source::Model(Component::Globals(slots)) => slots.clone().any(|slot| {
                let slot = slot as usize;
                means(&symmetry.globals.meanings[slot]) || !symmetry.globals.coordinates[slot].is_empty()
            }),
            Source::Model(Component::Rights | Component::Process(_) | Component::Channel(_)) => true,
        };
        let components = space.layout.components();
        self.components.clear();
        self.components.extend(components.iter().map(|component| is_watched(&component.source).then(Known::default)));
        self.scratch.globals.resize(model.globals.len(), 0);
        self.scratch.processes.resize_with(components.len(), blank_process);
        self.scratch.channels.resize_with(components.len(), blank_channel);
    }

    /// Adds up signatures, and collects what moves and what is related.
    fn look_at(&mut self, space: &Space<'_>, key: &Key<W>, memory: &Memory) -> Result<(), Obstacle> {
        self.signatures.fill(0);
        self.moving.clear();
        self.related.clear();
        for index in 0..self.components.len() {
            let Some(known) = &self.components[index] else { continue };
            let component = &space.layout.components()[index];
            let number = component.number(key);
            let entry = match component.plain {
                None => known.entries.get(number as usize).copied().unwrap_or_default(),
                Some(_) => known.plain.get(&number).copied().unwrap_or_default(),
            };
            let entry = match entry {
                Entry::Unknown => self.learn(space, ComponentId(index as u16), number, memory)?,
                known => known,
            };
            match entry {
                Entry::Unknown | Entry::Nothing => continue,
                Entry::Single(column, weight, _) => {
                    let signature = &mut self.signatures[usize::from(column)];
                    *signature = signature.wrapping_add(weight);
                }
                Entry::Several(relation) => {
                    self.related.push(self.moving.len() as u32);
                    let description = &self.relations[relation as usize].description;
                    for (&column, &weight) in description.columns.iter().zip(&description.weights) {
                        let signature = &mut self.signatures[usize::from(column)];
                        *signature = signature.wrapping_add(weight);
                    }
                }
            }
            self.moving.push((ComponentId(index as u16), number, entry));
        }
        Ok(())
    }

    /// What [`Symmetry::sorted`] answers, without taking memory: there are few columns, and most are in order.
    fn sort(&mut self) {
        for block in &self.found.symmetry.blocks {
            let images = &mut self.images.0;
            for (place, &column) in block.iter().enumerate() {
                let signature = self.signatures[usize::from(column)];
                // So many come before it.
                let mut rank = place;
                for &earlier in &block[..place] {
                    if self.signatures[usize::from(earlier)] > signature {
                        rank -= 1;
                        images[usize::from(earlier)] += 1;
                    }
                }
                images[usize::from(column)] = rank as u8;
            }
            for &column in block {
                images[usize::from(column)] = block[usize::from(images[usize::from(column)])];
            }
        }
        debug_assert_eq!(self.images, self.found.symmetry.sorted(&self.signatures));
    }

    /// What signatures leave open, the relations between columns decide.
    #[cold]
    fn choose(&mut self, space: &Space<'_>, memory: &Memory) -> Result<(), Obstacle> {
        let found = self.found.clone();
        let related: Vec<(ComponentId, u32, u32)> = self
            .related
            .iter()
            .filter_map(|&place| match self.moving[place as usize] {
                (component, number, Entry::Several(relation)) => Some((component, number, relation)),
                _ => None,
            })
            .collect();
        let descriptions: Vec<Description> =
            related.iter().map(|(.., relation)| self.relations[*relation as usize].description.clone()).collect();
        let descriptions: Vec<&Description> = descriptions.iter().collect();
        let mut signatures = std::mem::take(&mut self.signatures);
        let chosen = found.symmetry.choose(&mut signatures, &descriptions, |permutation, index| {
            let (component, number, relation) = related[index];
            self.images.clone_from(permutation);
            self.image(space, component, number, Entry::Several(relation), memory).map(|image| image.digest)
        });
        self.signatures = signatures;
        self.images = chosen?;
        Ok(())
    }

    /// What becomes of a value by the permutation at hand.
    fn image(
        &mut self,
        space: &Space<'_>,
        component: ComponentId,
        number: u32,
        entry: Entry,
        memory: &Memory,
    ) -> Result<Image, Obstacle> {
        match entry {
            Entry::Unknown | Entry::Nothing => Ok(Image { component, number, digest: 0 }),
            Entry::Single(column, _, first) => {
                let place = first as usize + usize::from(self.images.image(column));
                if self.singles[place].component == Image::UNKNOWN.component {
                    self.singles[place] = self.work_out(space, component, number, memory)?;
                }
                Ok(self.singles[place])
            }
            Entry::Several(relation) => {
                let Relation { description, images } = &self.relations[relation as usize];
                let key: Vec<Column> = description.columns.iter().map(|&column| self.images.image(column)).collect();
                if let Some(known) = images.get(&key) {
                    return Ok(*known);
                }
                let image = self.work_out(space, component, number, memory)?;
                reserve(&mut self.bytes, 2 * size_of::<(Vec<Column>, Image)>() + key.len(), memory)?;
                self.relations[relation as usize].images.insert(key, image);
                Ok(image)
            }
        }
    }

    #[cold]
    fn work_out(
        &mut self,
        space: &Space<'_>,
        component: ComponentId,
        number: u32,
        memory: &Memory,
    ) -> Result<Image, Obstacle> {
        let found = self.found.clone();
        self.load(space, component, number);
        let moved = found.symmetry.image(&self.images, piece(&space.layout.component(component).source, &self.scratch));
        let digest = digest(&moved);
        let part = match &moved {
            Moved::Rights(_) => Part::Rights,
            Moved::Global(slot, _) => Part::Global(*slot),
            Moved::Process(pid, _) => Part::Process(*pid),
            Moved::Channel(index, _) => Part::Channel(*index),
        };
        put(&mut self.scratch, moved);
        let target = space.layout.of_part(part).map_err(Obstacle::Missing)?;
        let image = space.number(target, &self.scratch, &mut self.value, memory)?;
        Ok(Image { component: target, number: image, digest })
    }

    /// Works out what a value has to do with columns.
    #[cold]
    fn learn(&mut self, space: &Space<'_>, id: ComponentId, number: u32, memory: &Memory) -> Result<Entry, Obstacle> {
        let component = space.layout.component(id);
        let description = match component.plain.is_none() && number == ABSENT {
            // Who is not there has nothing to do with anybody.
            true => Description::default(),
            false => {
                self.load(space, id, number);
                self.found.symmetry.describe(piece(&component.source, &self.scratch))
            }
        };
        let columns = self.signatures.len();
        let entry = match (&description.columns[..], &description.weights[..]) {
            ([], _) => Entry::Nothing,
            ([column], [weight]) => Entry::Single(*column, *weight, self.singles.len() as u32),
            _ => Entry::Several(self.relations.len() as u32),
        };
        let bytes = match entry {
            Entry::Single(..) => columns * size_of::<Image>(),
            Entry::Several(_) => size_of::<Relation>() + 9 * description.columns.len(),
            Entry::Unknown | Entry::Nothing => 0,
        };
        reserve(&mut self.bytes, 2 * (size_of::<Entry>() + bytes), memory)?;
        match entry {
            Entry::Single(..) => self.singles.resize(self.singles.len() + columns, Image::UNKNOWN),
            Entry::Several(_) => self.relations.push(Relation { description, images: HashMap::new() }),
            Entry::Unknown | Entry::Nothing => {}
        }
        if let Some(known) = &mut self.components[id.index()] {
            if component.plain.is_some() {
                known.plain.insert(number, entry);
            } else {
                if known.entries.len() <= number as usize {
                    known.entries.resize(number as usize + 1, Entry::Unknown);
                }
                known.entries[number as usize] = entry;
            }
        }
        Ok(entry)
    }

    /// Makes a component of the scratch state what a value says.
    fn load(&mut self, space: &Space<'_>, id: ComponentId, number: u32) {
        let placed = space.layout.component(id);
        let Source::Model(component) = &placed.source else { return };
        if let (Some(ty), Component::Globals(slots)) = (placed.plain, component) {
            self.scratch.globals[slots.start as usize] = ty.truncate(number as i32);
            return;
        }
        let values = read(&space.values[id.index()]);
        component.read(space.system.model(), values.get(number), &mut self.scratch);
    }
}

/// The part of a state that a component is.
fn piece<'s>(source: &Source, state: &'s State) -> Piece<'s> {
    match source {
        Source::Model(Component::Globals(slots)) => Piece::Global(slots.start, state.globals[slots.start as usize]),
        Source::Model(Component::Process(pid)) => Piece::Process(*pid, &state.processes[usize::from(*pid)]),
        Source::Model(Component::Channel(index)) => Piece::Channel(*index, &state.channels[usize::from(*index)]),
        Source::Model(_) | Source::Claim(_) => Piece::Rights(state.exclusive),
    }
}

fn reserve(account: &mut usize, bytes: usize, memory: &Memory) -> Result<(), OutOfMemory> {
    memory.reserve(bytes)?;
    *account += bytes;
    Ok(())
}

/// In debug builds: is it the same state that the slow way leads to, and do the permutations that were used take steps to
/// steps? A look at the definition itself.
#[cfg(debug_assertions)]
pub(crate) fn check(
    interpreter: &reductio_model::Interpreter<'_>,
    symmetry: &Symmetry,
    state: &State,
    representative: &State,
) {
    let (expected, permutation) = symmetry.representative(state);
    assert_eq!(*representative, expected, "the fast way leads to another representative of {state:?}");
    let successors = |state: &State, rename: &dyn Fn(State) -> State| {
        let steps = interpreter.steps(state).into_iter();
        let mut reached: Vec<String> = steps
            .map(|step| {
                let outcome = interpreter.execute(state, step);
                format!("{:?} {:?}", outcome.state.map(rename), outcome.fault.is_some())
            })
            .collect();
        reached.sort();
        reached
    };
    // Where a process has ended, states are stored as they are, but the permutation still takes steps to steps.
    let here = successors(state, &|next| symmetry.put_together(&permutation, &next));
    let there = successors(representative, &|next| next);
    assert_eq!(here, there, "{permutation:?} is no symmetry in {state:?}");
}
