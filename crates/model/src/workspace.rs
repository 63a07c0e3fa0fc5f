//! The state that the interpreter works on, and the only way in which its rules see one.
//!
//! Whatever a rule reads or changes passes through an accessor of [`Workspace`], because its fields are private. Two
//! things come of it:
//!
//! * **Footprints.** While a workspace [observes](Workspace::observe), it notes each [`Part`] of the state that is read
//!   or written. What a process can do, and what its steps do, depends on no other part.
//! * **Undo.** A step is executed in place. Each change is journaled with what it takes to take it back, so that nobody
//!   has to copy a state for each of its steps.
//!
//! For engines there are [`Workspace::state`] and [`Workspace::state_mut`], which note nothing. A rule of the interpreter
//! must never use them.

use std::cell::{Ref, RefCell};
use std::ops::Range;

use crate::model::{ChannelTypeId, LocationId, ProctypeId};
use crate::state::{Channel, Process, State};

/// A part of a state that is read and changed as a whole. Parts of processes and channels that do not exist (yet, or any
/// more) can be named, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A global slot.
    Global(u32),
    /// Type, location and priority of the process with this pid.
    Process(u8),
    /// A local slot of the process with this pid.
    Local(u8, u32),
    /// Type, owner and messages of the channel at this index.
    Channel(u8),
    /// Who alone may move: [`State::exclusive`].
    Rights,
    /// How many processes and how many channels there are, and so which exist.
    Counts,
    /// Who moved last: [`State::last`].
    Last,
}

/// A state that is being worked on.
pub struct Workspace {
    state: State,
    observing: bool,
    /// Reading notes, and whoever reads has no more than a shared reference.
    touched: RefCell<Vec<Part>>,
    journal: Vec<Undo>,
    /// What was removed from the state, last of all what was removed last. The journal tells how much belongs to what.
    removed: Removed,
}

#[derive(Default)]
struct Removed {
    fields: Vec<i32>,
    processes: Vec<Process>,
    channels: Vec<Channel>,
}

/// What it takes to take one change back. A long `d_step` makes many changes: what is large is kept in [`Removed`].
enum Undo {
    Global { slot: u32, old: i32 },
    Local { pid: u8, slot: u32, old: i32 },
    Location { pid: u8, old: LocationId },
    Priority { pid: u8, old: u8 },
    ProcessPushed { pid: u8, locals: u32 },
    ProcessPopped { pid: u8, locals: u32 },
    ChannelPushed { channel: u8 },
    ChannelPopped { channel: u8 },
    MessageInserted { channel: u8, at: u32, width: u32 },
    MessageRemoved { channel: u8, at: u32, width: u32 },
    Exclusive { old: Option<u8> },
    Last { old: u8 },
}

impl Workspace {
    pub fn new(state: State) -> Workspace {
        let touched = RefCell::new(Vec::new());
        Workspace { state, observing: false, touched, journal: Vec::new(), removed: Removed::default() }
    }

    /// The state as it is now. Nothing is noted: this is for engines, not for the interpreter's rules.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// For engines, to load another state between steps. Nothing is noted, and nothing of it can be undone.
    pub fn state_mut(&mut self) -> &mut State {
        debug_assert!(self.journal.is_empty(), "a step is neither undone nor kept");
        &mut self.state
    }

    pub fn into_state(self) -> State {
        self.state
    }

    /// Forgets what was noted; from here on, parts are noted or they are not.
    pub fn observe(&mut self, on: bool) {
        self.observing = on;
        self.touched.get_mut().clear();
    }

    /// The parts that were read or written since [`Workspace::observe`], some of them more than once. Undoing a step
    /// touches nothing. To be let go before the interpreter is asked again.
    pub fn touched(&self) -> Ref<'_, [Part]> {
        Ref::map(self.touched.borrow(), Vec::as_slice)
    }

    /// The parts that were written since the last [`Workspace::undo`] or [`Workspace::keep`], whether or not they have
    /// another value now, some of them more than once.
    pub fn written(&self) -> impl Iterator<Item = Part> {
        self.journal.iter().flat_map(Undo::parts)
    }

    /// Takes back every change since the journal was last empty.
    pub fn undo(&mut self) {
        let Workspace { state, journal, removed, .. } = self;
        while let Some(change) = journal.pop() {
            change.take_back(state, removed);
        }
    }

    /// Lets the changes stand: they cannot be undone any more.
    pub fn keep(&mut self) {
        self.journal.clear();
        self.removed.fields.clear();
        self.removed.processes.clear();
        self.removed.channels.clear();
    }

    fn note(&self, part: Part) {
        if self.observing {
            let mut touched = self.touched.borrow_mut();
            // The same part is often looked at several times in a row, the mover's location above all.
            if touched.last() != Some(&part) {
                touched.push(part);
            }
        }
    }

    fn record(&mut self, change: Undo) {
        if self.observing {
            change.parts().for_each(|part| self.note(part));
        }
        self.journal.push(change);
    }
}

/// Reading.
impl Workspace {
    pub fn global(&self, slot: usize) -> i32 {
        self.note(Part::Global(slot as u32));
        self.state.globals[slot]
    }

    pub fn process_count(&self) -> usize {
        self.note(Part::Counts);
        self.state.processes.len()
    }

    pub fn has_process(&self, pid: usize) -> bool {
        pid < self.process_count()
    }

    /// Of a process that exists: who does not know asks [`Workspace::has_process`] first.
    pub fn proctype(&self, pid: usize) -> ProctypeId {
        self.process(pid).proctype
    }

    pub fn location(&self, pid: usize) -> LocationId {
        self.process(pid).location
    }

    pub fn priority(&self, pid: usize) -> u8 {
        self.process(pid).priority
    }

    fn process(&self, pid: usize) -> &Process {
        self.note(Part::Process(pid as u8));
        &self.state.processes[pid]
    }

    pub fn local(&self, pid: usize, slot: usize) -> i32 {
        self.note(Part::Local(pid as u8, slot as u32));
        self.state.processes[pid].locals[slot]
    }

    pub fn channel_count(&self) -> usize {
        self.note(Part::Counts);
        self.state.channels.len()
    }

    /// Of a channel that exists: who does not know asks [`Workspace::channel_count`] first.
    pub fn channel_type(&self, channel: usize) -> ChannelTypeId {
        self.channel(channel).ty
    }

    pub fn channel_owner(&self, channel: usize) -> Option<u8> {
        self.channel(channel).owner
    }

    /// The fields of all messages, oldest message first.
    pub fn messages(&self, channel: usize) -> &[i32] {
        &self.channel(channel).messages
    }

    fn channel(&self, channel: usize) -> &Channel {
        self.note(Part::Channel(channel as u8));
        &self.state.channels[channel]
    }

    pub fn exclusive(&self) -> Option<u8> {
        self.note(Part::Rights);
        self.state.exclusive
    }

    pub fn last(&self) -> u8 {
        self.note(Part::Last);
        self.state.last
    }
}

/// Writing. Each change is noted and journaled, even if the new value is the old one.
impl Workspace {
    pub fn set_global(&mut self, slot: usize, value: i32) {
        let old = std::mem::replace(&mut self.state.globals[slot], value);
        self.record(Undo::Global { slot: slot as u32, old });
    }

    pub fn set_local(&mut self, pid: usize, slot: usize, value: i32) {
        let old = std::mem::replace(&mut self.state.processes[pid].locals[slot], value);
        self.record(Undo::Local { pid: pid as u8, slot: slot as u32, old });
    }

    pub fn set_location(&mut self, pid: usize, location: LocationId) {
        let old = std::mem::replace(&mut self.state.processes[pid].location, location);
        self.record(Undo::Location { pid: pid as u8, old });
    }

    pub fn set_priority(&mut self, pid: usize, priority: u8) {
        let old = std::mem::replace(&mut self.state.processes[pid].priority, priority);
        self.record(Undo::Priority { pid: pid as u8, old });
    }

    pub fn push_process(&mut self, process: Process) {
        let (pid, locals) = (self.state.processes.len() as u8, process.locals.len() as u32);
        self.state.processes.push(process);
        self.record(Undo::ProcessPushed { pid, locals });
    }

    /// Removes the youngest process, if there is one.
    pub fn pop_process(&mut self) {
        match self.state.processes.pop() {
            Some(process) => {
                let (pid, locals) = (self.state.processes.len() as u8, process.locals.len() as u32);
                self.removed.processes.push(process);
                self.record(Undo::ProcessPopped { pid, locals });
            }
            None => self.note(Part::Counts),
        }
    }

    pub fn push_channel(&mut self, channel: Channel) {
        let index = self.state.channels.len() as u8;
        self.state.channels.push(channel);
        self.record(Undo::ChannelPushed { channel: index });
    }

    /// Removes the youngest channel, if there is one.
    pub fn pop_channel(&mut self) {
        match self.state.channels.pop() {
            Some(channel) => {
                self.removed.channels.push(channel);
                self.record(Undo::ChannelPopped { channel: self.state.channels.len() as u8 });
            }
            None => self.note(Part::Counts),
        }
    }

    /// Inserts the fields of a message in front of the field that is at `at` now.
    pub fn insert_message(&mut self, channel: usize, at: usize, message: &[i32]) {
        self.state.channels[channel].messages.splice(at..at, message.iter().copied());
        let width = message.len() as u32;
        self.record(Undo::MessageInserted { channel: channel as u8, at: at as u32, width });
    }

    /// Removes the message that has these fields.
    pub fn remove_message(&mut self, channel: usize, fields: Range<usize>) {
        let (at, width) = (fields.start as u32, fields.len() as u32);
        self.removed.fields.extend(self.state.channels[channel].messages.drain(fields));
        self.record(Undo::MessageRemoved { channel: channel as u8, at, width });
    }

    pub fn set_exclusive(&mut self, exclusive: Option<u8>) {
        let old = std::mem::replace(&mut self.state.exclusive, exclusive);
        self.record(Undo::Exclusive { old });
    }

    pub fn set_last(&mut self, last: u8) {
        let old = std::mem::replace(&mut self.state.last, last);
        self.record(Undo::Last { old });
    }
}

impl Undo {
    /// The parts that the change has written.
    fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let (part, counts, locals) = match *self {
            Undo::Global { slot, .. } => (Part::Global(slot), false, 0..0),
            Undo::Local { pid, slot, .. } => (Part::Local(pid, slot), false, 0..0),
            Undo::Location { pid, .. } | Undo::Priority { pid, .. } => (Part::Process(pid), false, 0..0),
            Undo::ProcessPushed { pid, locals } | Undo::ProcessPopped { pid, locals } => {
                (Part::Process(pid), true, 0..locals)
            }
            Undo::ChannelPushed { channel } | Undo::ChannelPopped { channel } => (Part::Channel(channel), true, 0..0),
            Undo::MessageInserted { channel, .. } | Undo::MessageRemoved { channel, .. } => {
                (Part::Channel(channel), false, 0..0)
            }
            Undo::Exclusive { .. } => (Part::Rights, false, 0..0),
            Undo::Last { .. } => (Part::Last, false, 0..0),
        };
        let locals = locals.map(move |slot| match part {
            Part::Process(pid) => Part::Local(pid, slot),
            _ => unreachable!("only processes have locals"),
        });
        counts.then_some(Part::Counts).into_iter().chain([part]).chain(locals)
    }

    /// Takes the change back. It is the last one that has not been taken back yet.
    fn take_back(self, state: &mut State, removed: &mut Removed) {
        match self {
            Undo::Global { slot, old } => state.globals[slot as usize] = old,
            Undo::Local { pid, slot, old } => state.processes[pid as usize].locals[slot as usize] = old,
            Undo::Location { pid, old } => state.processes[pid as usize].location = old,
            Undo::Priority { pid, old } => state.processes[pid as usize].priority = old,
            Undo::ProcessPushed { .. } => {
                state.processes.pop();
            }
            Undo::ProcessPopped { .. } => state.processes.extend(removed.processes.pop()),
            Undo::ChannelPushed { .. } => {
                state.channels.pop();
            }
            Undo::ChannelPopped { .. } => state.channels.extend(removed.channels.pop()),
            Undo::MessageInserted { channel, at, width } => {
                let (at, width) = (at as usize, width as usize);
                state.channels[channel as usize].messages.drain(at..at + width);
            }
            Undo::MessageRemoved { channel, at, width } => {
                let fields = removed.fields.drain(removed.fields.len() - width as usize..);
                state.channels[channel as usize].messages.splice(at as usize..at as usize, fields);
            }
            Undo::Exclusive { old } => state.exclusive = old,
            Undo::Last { old } => state.last = old,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> State {
        let process = |location| Process {
            proctype: ProctypeId(0),
            location: LocationId(location),
            priority: 1,
            locals: vec![location as i32, 20],
        };
        let channel = |messages: &[i32]| Channel { ty: ChannelTypeId(0), owner: None, messages: messages.to_vec() };
        State {
            globals: vec![1, 2, 3],
            processes: vec![process(1), process(2)],
            channels: vec![channel(&[1, 2, 3, 4, 5, 6]), channel(&[])],
            exclusive: None,
            last: 0,
        }
    }

    /// A change, and the parts it writes.
    type Write = (fn(&mut Workspace), &'static [Part]);

    const WRITES: &[Write] = &[
        (|workspace| workspace.set_global(1, 7), &[Part::Global(1)]),
        (|workspace| workspace.set_global(1, 8), &[Part::Global(1)]),
        (|workspace| workspace.set_local(0, 1, 7), &[Part::Local(0, 1)]),
        (|workspace| workspace.set_location(1, LocationId(9)), &[Part::Process(1)]),
        (|workspace| workspace.set_priority(0, 9), &[Part::Process(0)]),
        (|workspace| workspace.insert_message(0, 6, &[7, 8]), &[Part::Channel(0)]),
        (|workspace| workspace.insert_message(0, 2, &[8, 9]), &[Part::Channel(0)]),
        (|workspace| workspace.remove_message(0, 0..2), &[Part::Channel(0)]),
        (|workspace| workspace.remove_message(0, 2..4), &[Part::Channel(0)]),
        (|workspace| workspace.pop_channel(), &[Part::Counts, Part::Channel(1)]),
        (|workspace| workspace.pop_channel(), &[Part::Counts, Part::Channel(1)]),
        (
            |workspace| workspace.push_channel(Channel { ty: ChannelTypeId(1), owner: Some(1), messages: Vec::new() }),
            &[Part::Counts, Part::Channel(2)],
        ),
        (|workspace| workspace.pop_process(), &[Part::Counts, Part::Process(1), Part::Local(1, 0), Part::Local(1, 1)]),
        (|workspace| workspace.pop_process(), &[Part::Counts, Part::Process(1), Part::Local(1, 0), Part::Local(1, 1)]),
        (
            |workspace| {
                let (proctype, location) = (ProctypeId(1), LocationId(0));
                workspace.push_process(Process { proctype, location, priority: 2, locals: vec![5] });
            },
            &[Part::Counts, Part::Process(2), Part::Local(2, 0)],
        ),
        (|workspace| workspace.set_exclusive(Some(1)), &[Part::Rights]),
        (|workspace| workspace.set_last(1), &[Part::Last]),
    ];

    #[test]
    fn every_change_is_noted_and_undone() {
        for (index, (write, parts)) in WRITES.iter().enumerate() {
            let mut workspace = Workspace::new(sample());
            workspace.observe(true);
            write(&mut workspace);
            assert_ne!(*workspace.state(), sample(), "write {index} changes nothing");
            assert_eq!(workspace.written().collect::<Vec<_>>(), *parts, "write {index}");
            assert_eq!(*workspace.touched(), **parts, "write {index}");
            workspace.undo();
            assert_eq!(*workspace.state(), sample(), "write {index} is not undone");
            assert_eq!(workspace.written().count(), 0);
            assert_eq!(*workspace.touched(), **parts, "undoing write {index} touches something");
        }
    }

    #[test]
    fn all_changes_together_are_undone() {
        let mut workspace = Workspace::new(sample());
        for round in 0..2 {
            WRITES.iter().for_each(|(write, _)| write(&mut workspace));
            workspace.undo();
            assert_eq!(*workspace.state(), sample(), "round {round}");
        }
        assert!(workspace.touched().is_empty(), "what is not observed is not noted");
    }

    #[test]
    fn what_is_kept_is_not_undone() {
        let mut workspace = Workspace::new(sample());
        WRITES[..9].iter().for_each(|(write, _)| write(&mut workspace));
        let after = workspace.state().clone();
        workspace.keep();
        assert_eq!(workspace.written().count(), 0);
        workspace.remove_message(0, 0..2);
        workspace.undo();
        assert_eq!(*workspace.state(), after);
        assert_eq!(workspace.into_state(), after);
    }

    #[test]
    fn every_read_is_noted() {
        type Read = (fn(&Workspace), Part);
        let reads: &[Read] = &[
            (|workspace| assert_eq!(workspace.global(2), 3), Part::Global(2)),
            (|workspace| assert_eq!(workspace.process_count(), 2), Part::Counts),
            (|workspace| assert!(!workspace.has_process(2)), Part::Counts),
            (|workspace| assert_eq!(workspace.proctype(1), ProctypeId(0)), Part::Process(1)),
            (|workspace| assert_eq!(workspace.location(1), LocationId(2)), Part::Process(1)),
            (|workspace| assert_eq!(workspace.priority(0), 1), Part::Process(0)),
            (|workspace| assert_eq!(workspace.local(1, 1), 20), Part::Local(1, 1)),
            (|workspace| assert_eq!(workspace.channel_count(), 2), Part::Counts),
            (|workspace| assert_eq!(workspace.channel_type(1), ChannelTypeId(0)), Part::Channel(1)),
            (|workspace| assert_eq!(workspace.channel_owner(0), None), Part::Channel(0)),
            (|workspace| assert_eq!(workspace.messages(0).len(), 6), Part::Channel(0)),
            (|workspace| assert_eq!(workspace.exclusive(), None), Part::Rights),
            (|workspace| assert_eq!(workspace.last(), 0), Part::Last),
        ];
        let mut workspace = Workspace::new(sample());
        for (index, (read, part)) in reads.iter().enumerate() {
            workspace.observe(true);
            read(&workspace);
            read(&workspace);
            assert_eq!(*workspace.touched(), [*part], "read {index}");
        }
        workspace.observe(false);
        workspace.global(0);
        assert!(workspace.touched().is_empty());
    }
}
