//! Fairness as something whose truth must not depend on the order of independent steps (*equivalence robustness*).
//!
//! Whether a run is fair depends on who can move in its states. A process that moves only finitely often waits at one
//! location from some time on. Steps of two others of which one lets it move and one keeps it from moving may be independent of
//! each other: if `x` is set and reset, and so is `y`, and the process waits for `x || y`, then the order decides whether it
//! is ever kept from moving. So these steps are made to depend on each other.
//!
//! Paper:    [peled93], section 4.2: dependencies between all pairs of operations that can enable or disable an operation.
//! Deviates: fewer are enough. Nothing is added for a location
//!
//! * where the process can always move, or that depends on its own variables alone;
//! * where a single other process decides, or a single variable: the order of such steps is kept anyway;
//! * for a channel from which nobody else receives, or to which nobody else sends: there is a message, or room, from some
//!   time on, or never again. How many processes there are never changes again either, once all have been created.
//!
//! Where the statements of a process are treated fairly one by one, or a process is also moved by others (it receives by
//! rendezvous), it may move infinitely often: then all of its own steps belong to what decides, and nothing is spared.

use reductio_model::{Action, ActionKind, Communication, Expr, Guard, LocationId, Model, Position, Proctype, State};

use super::access::{Accesses, Room, Use};
use super::set::Set;
use super::steps::{Facts, Instance, Reader};
use super::symmetry::{Obstacle, Start};

/// Something that decides whether a process can move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisive {
    /// The process that it is about: its own steps do not matter, unless it is among the movers.
    owner: u8,
    /// Where it waits; nothing if it is about all places of the process.
    at: Option<Position>,
    globals: Set,
    channels: Set,
    /// All that these processes do matters.
    movers: Set,
}

const SENDS: [Use; 3] = [Use::Send, Use::SortedSend, Use::Destroy];
const RECEIVES: [Use; 4] = [Use::Receive, Use::RandomReceive, Use::SortedSend, Use::Destroy];
const CHANGES: [Use; 5] = [Use::Send, Use::SortedSend, Use::Receive, Use::RandomReceive, Use::Destroy];

impl Decisive {
    /// The process that waits, and where.
    pub fn waiting(&self) -> (u8, Option<Position>) {
        (self.owner, self.at)
    }

    /// Does the order of the same steps matter to both?
    fn is_the_same(&self, other: &Decisive) -> bool {
        *self == Decisive { at: self.at, ..other.clone() }
    }

    /// May a step of a process change it that does this?
    pub(super) fn is_affected(&self, instance: &Instance, accesses: &Accesses) -> bool {
        let Some(pid) = instance.pid else { return true };
        self.movers.contains(usize::from(pid))
            || pid != self.owner
                && (accesses.writes.meets(&self.globals)
                    || CHANGES.iter().any(|&kind| accesses.channels(kind).meets(&self.channels)))
    }

    /// Is the order of all steps that affect it kept for another reason?
    fn is_one_variable(&self) -> bool {
        self.movers.is_empty() && self.channels.is_empty() && self.globals.iter().count() == 1
    }
}

/// Whose turn matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    OfProcesses,
    /// Each statement is waited for by itself.
    OfStatements,
}

/// All groups of steps whose order must be kept so that a run stays as fair as it is; or what makes it unknown.
pub fn decisive_steps(model: &Model, turns: Turns) -> Result<Vec<Decisive>, Obstacle> {
    let start = Start::new(model)?;
    let facts = Facts::new(model);
    if facts.has_ranks() {
        let because = "whether a process can move depends on the priorities of others".to_owned();
        return Err(Obstacle { because, at: None });
    }
    let processes = Processes::new(&facts, start.state());
    let mut found: Vec<Decisive> = Vec::new();
    for pid in 0..processes.instances.len() {
        for decisive in processes.decisive_for(pid, turns)? {
            if !found.iter().any(|known| known.is_the_same(&decisive)) {
                found.push(decisive);
            }
        }
    }
    Ok(found)
}

/// All processes, from the state on in which no more are created.
struct Processes<'a> {
    facts: &'a Facts<'a>,
    instances: Vec<Instance>,
    rooms: Vec<Room>,
    /// By pid: the edges that it may ever take, by location, and what they do.
    edges: Vec<Vec<(LocationId, Accesses)>>,
    /// By pid: all that it may ever do.
    futures: Vec<Accesses>,
}

/// Who can move at a location.
enum Ability {
    /// The process, whatever happens.
    Always,
    Depends(Decisive),
}

impl<'a> Processes<'a> {
    fn new(facts: &'a Facts<'a>, state: &State) -> Processes<'a> {
        let model = facts.model;
        let instance = |(pid, process): (usize, &reductio_model::Process)| {
            facts.instance(process.proctype, pid as u8, &process.locals)
        };
        let instances: Vec<Instance> = state.processes.iter().enumerate().map(instance).collect();
        let room = |channel: &reductio_model::Channel| Room::of_capacity(model.channel_type(channel.ty).capacity);
        let mut processes = Processes {
            facts,
            rooms: state.channels.iter().map(room).collect(),
            edges: Vec::new(),
            futures: Vec::new(),
            instances,
        };
        for (instance, process) in processes.instances.iter().zip(&state.processes) {
            processes.futures.push(facts.future(instance, process.location));
            let edges = facts.reachable_edges(instance, process.location);
            processes.edges.push(edges);
        }
        processes
    }

    fn proctype(&self, pid: usize) -> &'a Proctype {
        self.facts.model.proctype(self.instances[pid].proctype)
    }

    /// What decides whether a process can move, at each location where that is to be told.
    fn decisive_for(&self, pid: usize, turns: Turns) -> Result<Vec<Decisive>, Obstacle> {
        let proctype = self.proctype(pid);
        let mut locations: Vec<LocationId> = self.edges[pid].iter().map(|(location, _)| *location).collect();
        locations.dedup();
        let locations = locations.into_iter().filter(|&location| !proctype.location(location).interior);
        let moves_often = turns == Turns::OfStatements || self.is_moved_by_others(pid);
        let mut found = Vec::new();
        if moves_often {
            let mut all = Decisive { owner: pid as u8, ..Decisive::default() };
            for location in locations {
                if let Ability::Depends(decisive) = self.ability(pid, location, moves_often)? {
                    all.globals.join(&decisive.globals);
                    all.channels.join(&decisive.channels);
                    all.movers.join(&decisive.movers);
                }
            }
            if !self.others_who_decide(&all).is_empty() {
                all.movers.insert(pid);
                found.push(all);
            }
            return Ok(found);
        }
        for location in locations {
            if let Ability::Depends(decisive) = self.ability(pid, location, moves_often)?
                && !decisive.is_one_variable()
                && self.others_who_decide(&decisive).iter().nth(1).is_some()
            {
                found.push(Decisive { at: Some(proctype.location(location).position), ..decisive });
            }
        }
        Ok(found)
    }

    /// Does it receive by rendezvous? Then it is the sender who moves.
    fn is_moved_by_others(&self, pid: usize) -> bool {
        let mut receives = self.futures[pid].channels(Use::Receive).clone();
        receives.join(self.futures[pid].channels(Use::RandomReceive));
        receives.join(self.futures[pid].channels(Use::Peek));
        receives.iter().any(|channel| self.rooms.get(channel) == Some(&Room::Rendezvous))
    }

    /// The processes other than the owner that have a step which may change it.
    fn others_who_decide(&self, decisive: &Decisive) -> Set {
        let mut others = Set::default();
        for (pid, instance) in self.instances.iter().enumerate().filter(|(pid, _)| *pid != usize::from(decisive.owner))
        {
            if self.edges[pid].iter().any(|(_, accesses)| decisive.is_affected(instance, accesses)) {
                others.insert(pid);
            }
        }
        others
    }

    /// On what it depends whether a process at a location can move; `in_detail`, whether each of its statements can be executed.
    fn ability(&self, pid: usize, location: LocationId, in_detail: bool) -> Result<Ability, Obstacle> {
        let proctype = self.proctype(pid);
        let mut asked = Asked {
            processes: self,
            pid,
            in_detail,
            reader: Reader::new(self.facts, &self.instances[pid], None),
            decisive: Decisive { owner: pid as u8, ..Decisive::default() },
            always: false,
        };
        for &edge in &proctype.location(location).edges {
            asked.add(proctype.action_of(edge));
        }
        let always = asked.always && !in_detail;
        if !always || proctype.provided.is_some() {
            if always {
                // The clause alone decides.
                asked.reader.accesses = Accesses::default();
                asked.decisive = Decisive { owner: pid as u8, ..Decisive::default() };
            }
            asked.reader.provided();
        } else {
            return Ok(Ability::Always);
        }
        let Asked { reader, mut decisive, .. } = asked;
        let read = &reader.accesses;
        let at = Some(proctype.location(location).position);
        if read.looks_around {
            let because = "whether a process can move here depends on where others are".to_owned();
            return Err(Obstacle { because, at });
        }
        decisive.globals.join(&read.reads);
        for kind in Use::ALL {
            decisive.channels.join(read.channels(kind));
        }
        if read.on_timeout && decisive != (Decisive { owner: pid as u8, ..Decisive::default() }) {
            let because = "whether a process can move here depends on `timeout` and on what others do".to_owned();
            return Err(Obstacle { because, at });
        }
        Ok(Ability::Depends(decisive))
    }
}

/// What is asked of the actions of a location.
struct Asked<'a> {
    processes: &'a Processes<'a>,
    pid: usize,
    in_detail: bool,
    /// Notes what conditions read.
    reader: Reader<'a>,
    decisive: Decisive,
    always: bool,
}

impl Asked<'_> {
    fn add(&mut self, action: &Action) {
        let proctype = self.processes.proctype(self.pid);
        match &action.kind {
            // Whether younger processes are alive: that does not change for ever.
            ActionKind::End => {}
            ActionKind::DStep { entry } => {
                for &edge in &proctype.location(*entry).edges {
                    self.add(proctype.action_of(edge));
                }
            }
            ActionKind::Step { guard, communication, .. } => {
                match guard {
                    // It is possible where the others are not.
                    Guard::Else => self.always = true,
                    Guard::When(condition) => {
                        let is_true = matches!(condition, Expr::Const(value) if *value != 0);
                        self.always |= is_true && communication.is_none();
                        self.reader.expr(condition);
                    }
                }
                if let Some(communication) = communication {
                    self.communicates(communication);
                }
            }
        }
    }

    fn communicates(&mut self, communication: &Communication) {
        let (Communication::Send { channel, .. } | Communication::Receive { channel, .. }) = communication;
        self.reader.expr(channel);
        let channels = self.reader.channels(channel);
        // There are no others, and will be none.
        let existing = channels.iter().filter(|&channel| channel < self.processes.rooms.len());
        let (rendezvous, buffered): (Vec<usize>, Vec<usize>) =
            existing.partition(|&channel| self.processes.rooms[channel] == Room::Rendezvous);
        match communication {
            Communication::Send { arguments, .. } => {
                self.decisive.channels.extend(self.unsettled(&buffered, &SENDS));
                if !rendezvous.is_empty() {
                    arguments.iter().for_each(|argument| self.reader.expr(argument));
                    self.add_receivers(&rendezvous);
                }
            }
            Communication::Receive { patterns, .. } => {
                // By rendezvous it is the sender who moves.
                self.decisive.channels.extend(self.unsettled(&buffered, &RECEIVES));
                self.reader.matches(patterns);
            }
        }
    }

    /// Those of the channels that others may use so: what others do to the rest can only ever be of help.
    fn unsettled(&self, channels: &[usize], uses: &[Use]) -> Vec<usize> {
        let Asked { processes, pid, in_detail, .. } = *self;
        let uses_it =
            |channel: usize, future: &Accesses| uses.iter().any(|&kind| future.channels(kind).contains(channel));
        let by_others = |&channel: &usize| {
            let mut others = processes.futures.iter().enumerate().filter(|(other, _)| *other != pid);
            in_detail || others.any(|(_, future)| uses_it(channel, future))
        };
        channels.iter().copied().filter(by_others).collect()
    }

    /// Who may receive what the process sends by rendezvous: it depends on where they are, and on what they ask for.
    fn add_receivers(&mut self, channels: &[usize]) {
        let processes = self.processes;
        let is_used = |used: &Set| channels.iter().any(|&channel| used.contains(channel));
        for (pid, future) in processes.futures.iter().enumerate().filter(|(pid, _)| *pid != self.pid) {
            if [Use::Receive, Use::RandomReceive, Use::Peek].iter().any(|&kind| is_used(future.channels(kind))) {
                self.decisive.movers.insert(pid);
                let proctype = processes.proctype(pid);
                let mut reader = Reader::new(processes.facts, &processes.instances[pid], None);
                for action in &proctype.actions {
                    if let ActionKind::Step {
                        guard,
                        communication: Some(Communication::Receive { patterns, .. }),
                        ..
                    } = &action.kind
                    {
                        if let Guard::When(condition) = guard {
                            reader.expr(condition);
                        }
                        reader.matches(patterns);
                    }
                }
                reader.provided();
                self.decisive.globals.join(&reader.accesses.reads);
                self.reader.accesses.looks_around |= reader.accesses.looks_around;
                for kind in Use::ALL {
                    self.decisive.channels.join(reader.accesses.channels(kind));
                }
            }
        }
    }
}
