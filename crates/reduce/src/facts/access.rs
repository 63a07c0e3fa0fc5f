//! Dependence of steps: what they read and write, and which steps of other processes are not independent of them.
//!
//! Two steps that are both possible are *independent* if neither makes the other impossible and both orders lead to the
//! same state. One may make the other possible: a send and a receive on one channel are independent.

use super::set::Set;

/// What can be done with a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Send,
    SortedSend,
    Receive,
    RandomReceive,
    /// A receive that leaves the message where it is.
    Peek,
    /// How many messages are there, or could one be received? Also a receive or send on which it depends whether
    /// something *else* is possible.
    Look,
    /// Goes on only if there is room, or no message: a send may spoil that, a receive cannot.
    SpoiltBySend,
    /// Goes on only if there is a message, or no room: a receive may spoil that, a send cannot.
    SpoiltByReceive,
    /// The channel goes away with its process.
    Destroy,
}

impl Use {
    pub const ALL: [Use; 9] = [
        Use::Send,
        Use::SortedSend,
        Use::Receive,
        Use::RandomReceive,
        Use::Peek,
        Use::Look,
        Use::SpoiltBySend,
        Use::SpoiltByReceive,
        Use::Destroy,
    ];

    /// The uses by others that are not independent of this one, where both are possible, on a channel with room for
    /// messages.
    fn dependent(self) -> &'static [Use] {
        match self {
            Use::Send => &[Use::Send, Use::SortedSend, Use::Look, Use::SpoiltBySend, Use::Destroy],
            Use::SortedSend | Use::Destroy => &Use::ALL,
            Use::Receive | Use::RandomReceive => &[
                Use::Receive,
                Use::RandomReceive,
                Use::SortedSend,
                Use::Peek,
                Use::Look,
                Use::SpoiltByReceive,
                Use::Destroy,
            ],
            Use::Peek => &[Use::Receive, Use::RandomReceive, Use::SortedSend, Use::Destroy],
            Use::Look => &[Use::Send, Use::SortedSend, Use::Receive, Use::RandomReceive, Use::Destroy],
            Use::SpoiltBySend => &[Use::Send, Use::SortedSend, Use::Destroy],
            Use::SpoiltByReceive => &[Use::Receive, Use::RandomReceive, Use::Destroy],
        }
    }

    /// On a rendezvous channel a step of two processes is one of both: who sends depends on whoever receives, and the
    /// other way round.
    fn partners(self) -> &'static [Use] {
        match self {
            Use::Send | Use::SortedSend => &[Use::Receive, Use::RandomReceive, Use::Peek, Use::Destroy],
            Use::Receive | Use::RandomReceive | Use::Peek => &[Use::Send, Use::SortedSend, Use::Destroy],
            Use::Look | Use::SpoiltBySend | Use::SpoiltByReceive => &[Use::Destroy],
            Use::Destroy => &Use::ALL,
        }
    }
}

/// How many messages a channel has room for, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Rendezvous,
    Buffered,
    Unknown,
}

impl Room {
    pub fn of_capacity(capacity: u32) -> Room {
        if capacity == 0 { Room::Rendezvous } else { Room::Buffered }
    }
}

/// What some steps look at and change, apart from what belongs to their process alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Accesses {
    /// Global slots. The parts of the property come after them, and what decides whether processes can move after these:
    /// whatever affects one both reads and writes it, for the order of such steps matters.
    pub reads: Set,
    pub writes: Set,
    /// By use, the channels that are used so.
    channels: [Set; Use::ALL.len()],
    pub creates: bool,
    /// The highest priority that a process is created with; zero if none is.
    pub highest_created: u8,
    pub dies: bool,
    /// Asks how many processes there are.
    pub counts: bool,
    /// Depends on where other processes are, or what their variables hold.
    pub looks_around: bool,
    /// Asks whether nobody can move otherwise. Then all steps are taken in any case.
    pub on_timeout: bool,
}

impl Accesses {
    pub fn channels(&self, kind: Use) -> &Set {
        &self.channels[kind as usize]
    }

    pub fn use_channels(&mut self, kind: Use, channels: &Set) {
        self.channels[kind as usize].join(channels);
    }

    pub fn join(&mut self, other: &Accesses) {
        self.reads.join(&other.reads);
        self.writes.join(&other.writes);
        self.channels.iter_mut().zip(&other.channels).for_each(|(one, other)| one.join(other));
        self.creates |= other.creates;
        self.highest_created = self.highest_created.max(other.highest_created);
        self.dies |= other.dies;
        self.counts |= other.counts;
        self.looks_around |= other.looks_around;
        self.on_timeout |= other.on_timeout;
    }
}

/// Which steps of others matter to what a process can do next: those that are not independent of what it can do,
/// and those that could make something possible that is not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dependencies {
    accesses: Accesses,
    everything: bool,
    /// The process goes, and nobody can tell when, if nothing matters to it; otherwise everything does.
    pub vanishes: bool,
    /// Whatever this process does matters.
    pub process: Option<u8>,
    /// Some step that is possible affects the property.
    pub visible: bool,
    /// What it can do next itself, where anybody wants to know: sleep sets do, and priorities.
    pub own: Option<Accesses>,
    /// What it can do next, whatever the state, where the order of all steps matters that [depend on each other](super::StaticDependence).
    pub possible: Option<Accesses>,
}

impl Dependencies {
    pub fn everything() -> Dependencies {
        Dependencies { everything: true, ..Dependencies::default() }
    }

    /// Whatever this process does matters.
    pub fn with(pid: u8) -> Dependencies {
        Dependencies { process: Some(pid), ..Dependencies::default() }
    }

    /// Does it matter what another does, if it can do this?
    pub fn are_met_by(&self, others: &Accesses) -> bool {
        let own = &self.accesses;
        self.everything
            || own.reads.meets(&others.reads)
            || own.writes.meets(&others.writes)
            || own.channels.iter().zip(&others.channels).any(|(one, other)| one.meets(other))
            || own.creates && others.creates
            || own.dies && others.dies
            || own.counts && others.counts
            || own.looks_around && others.looks_around
            || self.possible.as_ref().is_some_and(|possible| possible.may_conflict(others))
    }

    /// Is something that this process can do next not independent of something that another can?
    pub fn conflict_with(&self, other: &Dependencies) -> bool {
        let met =
            |concerns: &Dependencies, by: &Dependencies| by.own.as_ref().is_none_or(|own| concerns.are_met_by(own));
        met(self, other) || met(other, self)
    }

    /// May what another process can do next let this one move, which cannot? It is not known of those who have not said what they do.
    pub fn may_be_woken_by(&self, pid: u8, other: &Dependencies) -> bool {
        self.everything || self.process == Some(pid) || other.own.as_ref().is_none_or(|own| self.are_met_by(own))
    }

    /// Does what it can do next create processes of a higher priority than this?
    pub fn may_create_above(&self, priority: u8) -> bool {
        self.own.as_ref().is_none_or(|own| own.highest_created > priority)
    }

    pub fn join(&mut self, other: &Dependencies) {
        self.accesses.join(&other.accesses);
        self.everything |= other.everything;
        self.vanishes |= other.vanishes;
        self.visible |= other.visible;
        match (&mut self.own, &other.own) {
            (Some(own), Some(other)) => own.join(other),
            (own, other) => own.clone_from(other),
        }
        if let Some(possible) = &other.possible {
            self.possible.get_or_insert_default().join(possible);
        }
        match (self.process, other.process) {
            (Some(one), Some(another)) if one != another => self.everything = true,
            (None, process) => self.process = process,
            _ => {}
        }
    }

    /// A step that is possible: what others do must be independent of it.
    pub fn add_possible(&mut self, step: &Accesses, room: impl Fn(usize) -> Room) {
        self.everything |= step.looks_around;
        let own = &mut self.accesses;
        own.looks_around = true;
        own.writes.join(&step.reads);
        own.writes.join(&step.writes);
        own.reads.join(&step.writes);
        own.creates |= step.creates | step.dies | step.counts;
        own.dies |= step.creates | step.counts;
        own.counts |= step.creates | step.dies;
        for kind in Use::ALL {
            for channel in step.channels(kind).iter() {
                self.add_channel(kind, channel, room(channel));
            }
        }
    }

    fn add_channel(&mut self, kind: Use, channel: usize, room: Room) {
        let (buffered, rendezvous) = (room != Room::Rendezvous, room != Room::Buffered);
        let dependent = kind.dependent().iter().filter(|_| buffered);
        for &other in dependent.chain(kind.partners().iter().filter(|_| rendezvous)) {
            self.accesses.channels[other as usize].insert(channel);
        }
    }

    /// A condition that does not hold: others may make it hold.
    pub fn add_false(&mut self, condition: &Accesses) {
        self.everything |= condition.looks_around;
        let own = &mut self.accesses;
        own.writes.join(&condition.reads);
        own.creates |= condition.counts;
        own.dies |= condition.counts;
        for kind in Use::ALL {
            // Whatever was looked at in a channel: all that changes what is in it.
            self.add_uses(&[Use::Send, Use::SortedSend, Use::Receive, Use::RandomReceive], condition.channels(kind));
        }
    }

    /// These uses of the channels could make something possible.
    pub fn add_uses(&mut self, uses: &[Use], channels: &Set) {
        for &kind in uses {
            self.accesses.use_channels(kind, channels);
        }
    }
}
