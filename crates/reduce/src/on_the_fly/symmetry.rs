//! Symmetry reduction: permutations of processes, and how they act on states.
//!
//! Paper: [bosnacki03], section 2.3: a permutation of the processes is lifted to the states.
//!
//! What is permuted are *columns*: a process, or several that belong together, such as a client and its
//! server. With a column go the cells of arrays that are indexed by it, the channels that it owns, and every value that
//! names it, in variables and in messages. Which values name a column depends on where they stand: a variable may hold pids,
//! another one numbers that the processes were given. A column without a process is a value that is interchangeable with others.
//!
//! Whether a permutation is a symmetry of the model is not known here: see [`facts::symmetry`](crate::facts::symmetry).

use reductio_model::{Channel, ChannelTypeId, Process, ProctypeId, State, ValueType};

/// An index into the columns.
pub type Column = u8;

/// Where each column goes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Permutation(pub Vec<Column>);

impl Permutation {
    pub fn identity(columns: usize) -> Permutation {
        Permutation((0..columns as u8).collect())
    }

    pub fn transposition(columns: usize, one: Column, other: Column) -> Permutation {
        let mut images = Permutation::identity(columns);
        images.0.swap(usize::from(one), usize::from(other));
        images
    }

    pub fn image(&self, column: Column) -> Column {
        self.0[usize::from(column)]
    }

    pub fn inverse(&self) -> Permutation {
        let mut images = self.clone();
        for (column, &image) in (0..).zip(&self.0) {
            images.0[usize::from(image)] = column;
        }
        images
    }

    /// This one after another.
    pub fn after(&self, first: &Permutation) -> Permutation {
        Permutation(first.0.iter().map(|&column| self.image(column)).collect())
    }

    /// Does with the columns that another one moves what that one does.
    pub fn take_from(&mut self, other: &Permutation) {
        for (column, (own, &image)) in (0..).zip(self.0.iter_mut().zip(&other.0)) {
            if image != column {
                *own = image;
            }
        }
    }

    pub fn is_identity(&self) -> bool {
        (0..).zip(&self.0).all(|(column, &image)| column == image)
    }
}

/// What the values of a variable or of a message's field mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Meaning {
    /// Themselves.
    #[default]
    Number,
    /// Some of them name columns, by the naming with this index.
    Member(u16),
    /// Channels.
    Channel,
}

/// Which values name which columns, somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    pub names: Vec<Name>,
}

/// A value that names the process in a row of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    pub value: i32,
    pub row: u16,
    pub column: Column,
}

impl Naming {
    fn find(&self, value: i32) -> Option<&Name> {
        self.names.iter().find(|name| name.value == value)
    }

    pub fn column(&self, value: i32) -> Option<Column> {
        self.find(value).map(|name| name.column)
    }

    /// What a value becomes: it names the process in the same row of another column.
    pub fn image(&self, permutation: &Permutation, value: i32) -> i32 {
        let Some(name) = self.find(value) else { return value };
        let column = permutation.image(name.column);
        let image = self.names.iter().find(|other| other.column == column && other.row == name.row);
        image.map_or(value, |image| image.value)
    }

    /// Does every name become another one?
    pub fn is_permuted(&self, permutation: &Permutation) -> bool {
        let inverse = permutation.inverse();
        let is_back = |name: &Name| {
            let image = self.image(permutation, name.value);
            self.image(&inverse, image) == name.value && self.column(image) == Some(permutation.image(name.column))
        };
        self.names.iter().all(is_back)
    }

    /// The least value that some permutation may make of a value.
    pub fn least_like(&self, value: i32) -> i32 {
        let Some(name) = self.find(value) else { return value };
        self.names.iter().filter(|other| other.row == name.row).map(|other| other.value).min().unwrap_or(value)
    }

    /// How many names has a column?
    pub fn count(&self, column: Column) -> usize {
        self.names.iter().filter(|name| name.column == column).count()
    }

    /// Does the permutation give another meaning to some value?
    pub fn is_moved(&self, permutation: &Permutation) -> bool {
        self.names.iter().any(|name| permutation.image(name.column) != name.column)
    }
}

/// A slot is the cell of an array for what this value names: the cell of the next value is so many slots on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinate {
    pub naming: u16,
    pub value: i32,
    pub stride: u32,
}

/// What is known of variables, by slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots {
    pub meanings: Vec<Meaning>,
    pub coordinates: Vec<Vec<Coordinate>>,
}

impl Slots {
    pub fn new(count: usize) -> Slots {
        Slots { meanings: vec![Meaning::Number; count], coordinates: vec![Vec::new(); count] }
    }
}

/// Where a channel belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// It was created with this global variable.
    Global(u32),
    /// It is the so-and-so-many-th of a process.
    Process(u8, u32),
}

/// The columns of a model, and all that belongs to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    /// The processes of each column, by row: two processes in one row are of the same type.
    pub columns: Vec<Vec<Option<u8>>>,
    /// Columns that can be exchanged with each other in any way, at least two each.
    pub blocks: Vec<Vec<Column>>,
    /// All permutations of columns that are in no block, with the identity; none at all if there is nothing but that.
    pub turns: Vec<Permutation>,
    /// With fewer processes than this, nothing can be exchanged yet.
    pub processes: usize,
    pub namings: Vec<Naming>,
    pub globals: Slots,
    /// By process type.
    pub locals: Vec<Slots>,
    /// By channel type, then by field.
    pub fields: Vec<Vec<Meaning>>,
    /// By number of the channel, less one.
    pub channels: Vec<Home>,
    /// The same.
    pub channel_types: Vec<ChannelTypeId>,
}

/// One part of a state, as it stands there.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'s> {
    /// Who alone may move.
    Rights(Option<u8>),
    Global(u32, i32),
    Process(u8, &'s Process),
    Channel(u8, &'s Channel),
}

/// Where a part of a state goes, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    Rights(Option<u8>),
    Global(u32, i32),
    Process(u8, Process),
    Channel(u8, Channel),
}

impl Symmetry {
    /// The number of permutations, if it can be told.
    pub fn order(&self) -> Option<u64> {
        let factorial = |block: &Vec<Column>| (1..=block.len() as u64).try_fold(1u64, u64::checked_mul);
        let turns = self.turns.len().max(1) as u64;
        self.blocks.iter().map(factorial).try_fold(turns, |order, block| order.checked_mul(block?))
    }

    /// Does some permutation move a column?
    pub fn moves(&self, column: Column) -> bool {
        self.blocks.iter().flatten().any(|&one| one == column)
            || self.turns.iter().any(|turn| turn.image(column) != column)
    }

    /// Columns that always stay where they are are not told apart from what was never a column.
    pub fn forget_the_others(&mut self) {
        let moves: Vec<bool> = (0..self.columns.len() as Column).map(|column| self.moves(column)).collect();
        let moves = |column: Column| moves[usize::from(column)];
        let columns = (0..).zip(&mut self.columns);
        columns.filter(|(column, _)| !moves(*column)).for_each(|(_, processes)| processes.clear());
        self.namings.iter_mut().for_each(|naming| naming.names.retain(|name| moves(name.column)));
        let namings = &self.namings;
        for slots in self.locals.iter_mut().chain([&mut self.globals]) {
            for coordinates in &mut slots.coordinates {
                coordinates
                    .retain(|coordinate| namings[usize::from(coordinate.naming)].column(coordinate.value).is_some());
            }
        }
    }

    /// May permutations be applied to the state? Before all processes are there, they may not.
    pub fn acts_on(&self, state: &State) -> bool {
        state.processes.len() >= self.processes
    }

    /// The column and the row of a process, if it has any.
    pub fn place_of(&self, pid: u8) -> Option<(Column, usize)> {
        (0..).zip(&self.columns).find_map(|(column, processes)| {
            processes.iter().position(|process| *process == Some(pid)).map(|row| (column, row))
        })
    }

    pub fn process_image(&self, permutation: &Permutation, pid: u8) -> u8 {
        let image = self.place_of(pid).and_then(|(column, row)| {
            let column = permutation.image(column);
            self.columns[usize::from(column)].get(row).copied().flatten()
        });
        image.unwrap_or(pid)
    }

    pub fn slot_image(&self, slots: &Slots, permutation: &Permutation, slot: u32) -> u32 {
        let coordinates = slots.coordinates[slot as usize].iter();
        coordinates.fold(slot, |image, coordinate| {
            let value = self.namings[usize::from(coordinate.naming)].image(permutation, coordinate.value);
            image.wrapping_add_signed((value - coordinate.value).wrapping_mul(coordinate.stride as i32))
        })
    }

    /// What becomes of the number of a channel. Zero is no channel.
    pub fn channel_image(&self, permutation: &Permutation, number: i32) -> i32 {
        let home = usize::try_from(number).ok().and_then(|number| self.channels.get(number.checked_sub(1)?));
        let image = home.map(|home| match *home {
            Home::Global(slot) => Home::Global(self.slot_image(&self.globals, permutation, slot)),
            Home::Process(pid, place) => Home::Process(self.process_image(permutation, pid), place),
        });
        let found = image.and_then(|image| self.channels.iter().position(|home| *home == image));
        found.map_or(number, |index| index as i32 + 1)
    }

    pub fn value_image(&self, meaning: Meaning, permutation: &Permutation, value: i32) -> i32 {
        match meaning {
            Meaning::Number => value,
            Meaning::Member(naming) => self.namings[usize::from(naming)].image(permutation, value),
            Meaning::Channel => self.channel_image(permutation, value),
        }
    }

    /// Does the permutation change what a value means?
    pub fn is_moved(&self, meaning: Meaning, permutation: &Permutation) -> bool {
        match meaning {
            Meaning::Number => false,
            Meaning::Member(naming) => self.namings[usize::from(naming)].is_moved(permutation),
            Meaning::Channel => {
                (1..=self.channels.len() as i32).any(|number| self.channel_image(permutation, number) != number)
            }
        }
    }

    /// Can variables of a type hold all names that the permutation moves, as far as they hold names?
    pub fn fits(&self, meaning: Meaning, permutation: &Permutation, ty: ValueType) -> bool {
        let Meaning::Member(naming) = meaning else { return true };
        let is_moved = |name: &&Name| permutation.image(name.column) != name.column;
        let names = self.namings[usize::from(naming)].names.iter().filter(is_moved);
        names.map(|name| name.value).all(|value| ty.truncate(value) == value)
    }

    pub fn locals_of(&self, proctype: ProctypeId) -> &Slots {
        &self.locals[proctype.index()]
    }

    pub fn field_meaning(&self, ty: ChannelTypeId, field: usize) -> Meaning {
        self.fields[ty.index()].get(field).copied().unwrap_or_default()
    }

    /// The meanings of the fields of a channel's messages, repeated.
    pub fn message_meanings(&self, ty: ChannelTypeId) -> impl Iterator<Item = Meaning> {
        self.fields[ty.index()].iter().copied().cycle()
    }

    /// Where a piece goes, and what becomes of it.
    pub fn image(&self, permutation: &Permutation, piece: Piece<'_>) -> Moved {
        match piece {
            Piece::Rights(pid) => Moved::Rights(pid.map(|pid| self.process_image(permutation, pid))),
            Piece::Global(slot, value) => {
                let meaning = self.globals.meanings[slot as usize];
                let slot = self.slot_image(&self.globals, permutation, slot);
                Moved::Global(slot, self.value_image(meaning, permutation, value))
            }
            Piece::Process(pid, process) => {
                let slots = self.locals_of(process.proctype);
                let mut image = process.clone();
                for (slot, &value) in (0..).zip(&process.locals) {
                    let value = self.value_image(slots.meanings[slot as usize], permutation, value);
                    image.locals[self.slot_image(slots, permutation, slot) as usize] = value;
                }
                Moved::Process(self.process_image(permutation, pid), image)
            }
            Piece::Channel(index, channel) => {
                let meanings = self.message_meanings(channel.ty);
                let fields = channel.messages.iter().zip(meanings);
                let messages = fields.map(|(&value, meaning)| self.value_image(meaning, permutation, value));
                let target = self.channel_image(permutation, i32::from(index) + 1) - 1;
                let image = Channel {
                    ty: self.channel_types.get(target as usize).copied().unwrap_or(channel.ty),
                    owner: channel.owner.map(|pid| self.process_image(permutation, pid)),
                    messages: messages.collect(),
                };
                Moved::Channel(target as u8, image)
            }
        }
    }

    /// The state that a permutation makes of a state.
    pub fn permuted(&self, permutation: &Permutation, state: &State) -> State {
        match self.acts_on(state) {
            true => self.put_together(permutation, state),
            false => state.clone(),
        }
    }

    /// All that a permutation makes of the pieces of a state, even if processes have ended since. Those that are moved cannot
    /// end, so they are there.
    pub fn put_together(&self, permutation: &Permutation, state: &State) -> State {
        let mut image = state.clone();
        pieces(state).for_each(|piece| put(&mut image, self.image(permutation, piece)));
        image
    }
}

/// All parts of a state that a permutation may change.
pub fn pieces(state: &State) -> impl Iterator<Item = Piece<'_>> {
    let globals = (0..).zip(&state.globals).map(|(slot, &value)| Piece::Global(slot, value));
    let processes = (0..).zip(&state.processes).map(|(pid, process)| Piece::Process(pid, process));
    let channels = (0..).zip(&state.channels).map(|(index, channel)| Piece::Channel(index, channel));
    std::iter::once(Piece::Rights(state.exclusive)).chain(globals).chain(processes).chain(channels)
}

/// Puts a part of a state where it belongs.
pub fn put(state: &mut State, moved: Moved) {
    match moved {
        Moved::Rights(exclusive) => state.exclusive = exclusive,
        Moved::Global(slot, value) => state.globals[slot as usize] = value,
        Moved::Process(pid, process) => state.processes[usize::from(pid)] = process,
        Moved::Channel(index, channel) => state.channels[usize::from(index)] = channel,
    }
}
