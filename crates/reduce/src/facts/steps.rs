//! What an edge looks at and changes, read off the model: indices and channels are resolved as far as they are known.

use reductio_model::{
    Action, ActionKind, Binary, ChannelQuery, Communication, Direction, Door, Edge, EdgeId, Expr, Guard, Index,
    Initial, LocationId, Model, Op, Pattern, Place, Proctype, ProctypeId, Scope, Slot, ValueType, Workspace,
};

use super::access::{Accesses, Room, Use};
use super::fairness::Decisive;
use super::pid_visibility;
use super::priorities;
use super::set::Set;
use super::uninterrupted_atomics;
use super::visibility::Part;
use super::watched_messages::Watch;

/// There are never more channels.
const MOST_CHANNELS: usize = 255;

/// What is known of a model before anything runs.
pub struct Facts<'m> {
    pub(crate) model: &'m Model,
    /// By slot: the channel that the variable holds forever.
    global_channels: Vec<Option<usize>>,
    /// The room in the channels that are there from the start.
    rooms: Vec<Room>,
    /// By type and slot: is it set when the process is created, and never after?
    constant_locals: Vec<Vec<bool>>,
    /// By type and location: it matters there what is *not* possible.
    cautious: Vec<Set>,
    /// It may be told whether a process is gone already when another is created.
    numbers_matter: bool,
    /// Processes have different priorities. Then it is a step like any other that a process goes.
    has_ranks: bool,
    /// The parts of the property: see [`Accesses::reads`].
    parts: Vec<Part>,
    /// What decides whether processes can move, where fairness asks for it: in the same way, after the parts.
    decisive: Vec<Decisive>,
    static_dependence: bool,
    /// The messages that monitors see.
    watches: Vec<Watch>,
}

impl<'m> Facts<'m> {
    pub fn new(model: &'m Model) -> Facts<'m> {
        let written = Written::by_any_step_of(model);
        let mut rooms = Vec::new();
        let mut global_channels = Vec::new();
        for (slot, global) in model.globals.iter().enumerate() {
            let channel = match global.initial {
                Initial::Channel(ty) => {
                    rooms.push(Room::of_capacity(model.channel_type(ty).capacity));
                    Some(rooms.len() - 1)
                }
                Initial::Value(_) | Initial::Expr(_) => None,
            };
            global_channels.push(channel.filter(|_| !written.globals.contains(slot)));
        }
        let constant = |(proctype, locals): (&Proctype, &Set)| {
            (0..proctype.locals.len()).map(|slot| !locals.contains(slot)).collect()
        };
        let has_ranks = priorities::matter(model);
        let facts = Facts {
            model,
            global_channels,
            rooms,
            constant_locals: model.proctypes.iter().zip(&written.locals).map(constant).collect(),
            cautious: model.proctypes.iter().map(|proctype| cautious_locations(model, proctype)).collect(),
            numbers_matter: has_ranks || pid_visibility::are_looked_at(model),
            has_ranks,
            parts: Vec::new(),
            decisive: Vec::new(),
            static_dependence: false,
            watches: Vec::new(),
        };
        Facts { watches: Watch::all_of(&facts), ..facts }
    }

    /// Does this global variable hold the same channel forever?
    pub(super) fn holds_one_channel(&self, slot: usize) -> bool {
        self.global_channels.get(slot).is_some_and(Option::is_some)
    }

    /// The same, with a property of these parts: the order of steps that affect one part matters.
    pub fn with_property(self, parts: Vec<Part>) -> Facts<'m> {
        Facts { parts, ..self }
    }

    /// The same under fairness: the order of steps that decide about the same matters.
    pub fn with_fairness(self, decisive: Vec<Decisive>) -> Facts<'m> {
        Facts { decisive, ..self }
    }

    /// Do processes have different priorities?
    pub fn has_ranks(&self) -> bool {
        self.has_ranks
    }

    /// The same where no step is chosen without all that [depend on it](super::StaticDependence) whatever the state.
    pub fn with_static_dependence(self) -> Facts<'m> {
        Facts { static_dependence: true, ..self }
    }

    pub(super) fn keeps_static_dependence(&self) -> bool {
        self.static_dependence
    }

    pub fn numbers_matter(&self) -> bool {
        self.numbers_matter
    }

    /// The same, where states are told apart by the numbers of their processes and channels.
    pub fn with_numbers(self) -> Facts<'m> {
        Facts { numbers_matter: true, ..self }
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The number of the first part of the property among the things that are read and written.
    pub(crate) fn first_part(&self) -> usize {
        self.model.globals.len()
    }

    /// Does it affect a part of the property?
    pub(crate) fn is_visible(&self, accesses: &Accesses) -> bool {
        let numbers = self.first_part()..self.first_part() + self.parts.len();
        accesses.writes.iter().any(|number| numbers.contains(&number))
    }

    /// The room in a channel, as far as it is known before anything runs.
    fn room(&self, channel: usize) -> Room {
        self.rooms.get(channel).copied().unwrap_or(Room::Unknown)
    }

    pub(crate) fn is_cautious(&self, proctype: ProctypeId, location: LocationId) -> bool {
        self.cautious[proctype.index()].contains(location.index())
    }

    /// What is known of a process for as long as it lives.
    pub(crate) fn instance(&self, proctype: ProctypeId, pid: u8, locals: &[i32]) -> Instance {
        let constant = &self.constant_locals[proctype.index()];
        let constants =
            constant.iter().zip(locals).map(|(constant, &value)| constant.then_some(Constant::Value(value)));
        Instance { proctype, pid: Some(pid), constants: constants.collect() }
    }

    /// One of which nothing is known.
    pub(crate) fn any_instance(&self, proctype: ProctypeId) -> Instance {
        Instance { proctype, pid: None, constants: vec![None; self.model.proctype(proctype).locals.len()] }
    }

    /// What is known of a process that is yet to be created, by one of which this is known: the channels that it keeps
    /// forever.
    pub(crate) fn created_instance(&self, creator: &Instance, proctype: ProctypeId, arguments: &[Expr]) -> Instance {
        let reader = Reader::new(self, creator, None);
        let constant = |(slot, local): (usize, &Slot)| match (&local.initial, arguments.get(slot)) {
            _ if !self.constant_locals[proctype.index()][slot] || local.ty != ValueType::Chan => None,
            (_, Some(argument)) => reader.constant_channel(argument),
            (Initial::Channel(_), None) => Some(Constant::NewChannel),
            (Initial::Value(_) | Initial::Expr(_), None) => None,
        };
        let locals = &self.model.proctype(proctype).locals;
        Instance { proctype, pid: None, constants: locals.iter().enumerate().map(constant).collect() }
    }
}

/// The slots that some step writes.
struct Written {
    globals: Set,
    /// By process type.
    locals: Vec<Set>,
}

impl Written {
    fn by_any_step_of(model: &Model) -> Written {
        let mut written = Written { globals: Set::default(), locals: vec![Set::default(); model.proctypes.len()] };
        for (proctype, locals) in model.proctypes.iter().zip(&mut written.locals) {
            for place in proctype.actions.iter().flat_map(written_places) {
                let slots = match place.scope {
                    Scope::Global => &mut written.globals,
                    Scope::Local => &mut *locals,
                };
                each_slot(place, &|_| None, &mut |slot| slots.insert(slot));
            }
        }
        written
    }
}

/// The places that an action writes to.
pub(crate) fn written_places(action: &Action) -> Vec<&Place> {
    let ActionKind::Step { communication, effect, .. } = &action.kind else { return Vec::new() };
    let mut places = Vec::new();
    if let Some(Communication::Receive { patterns, .. }) = communication {
        places.extend(patterns.iter().filter_map(|pattern| match pattern {
            Pattern::Store(place) => Some(place),
            Pattern::Match(_) | Pattern::Discard => None,
        }));
    }
    places.extend(effect.iter().filter_map(|op| match op {
        Op::Assign(place, _) => Some(place),
        Op::Run { result, .. } => result.as_ref(),
        Op::Evaluate(_) | Op::Assert(_) | Op::Print { .. } | Op::SetPriority { .. } => None,
    }));
    places
}

/// Where it matters what is not possible: an `else` yields to the edges before it, an escape goes before all others,
/// a `d_step` takes the first edge it can, and an `atomic` is interrupted where it cannot go on, unless it can for
/// [sure](uninterrupted_atomics).
fn cautious_locations(model: &Model, proctype: &Proctype) -> Set {
    let mut cautious = Set::default();
    for (index, location) in proctype.locations.iter().enumerate() {
        let is_else = |edge: &EdgeId| match &proctype.action_of(*edge).kind {
            ActionKind::Step { guard, .. } => *guard == Guard::Else,
            ActionKind::DStep { .. } | ActionKind::End => false,
        };
        let has_escape = location.edges.iter().any(|&edge| proctype.edge(edge).escape > 0);
        let chooses = location.interior && location.edges.len() > 1;
        if chooses || has_escape || location.edges.iter().any(is_else) {
            cautious.insert(index);
        }
    }
    let assured = uninterrupted_atomics::locations(model, proctype);
    let in_atomic = proctype.edges.iter().filter(|edge| edge.atomic).map(|edge| edge.to.index());
    cautious.extend(in_atomic.filter(|&location| !assured.contains(location)));
    cautious
}

/// Calls `visit` with every slot that the place may mean.
pub(crate) fn each_slot(place: &Place, value: &dyn Fn(&Expr) -> Option<i32>, visit: &mut dyn FnMut(usize)) {
    each_slot_from(place.base, &place.indices, value, visit);
}

fn each_slot_from(slot: u32, indices: &[Index], value: &dyn Fn(&Expr) -> Option<i32>, visit: &mut dyn FnMut(usize)) {
    let Some((index, others)) = indices.split_first() else { return visit(slot as usize) };
    let known = value(&index.value).and_then(|value| u32::try_from(value).ok()).filter(|&value| value < index.length);
    for chosen in known.map_or(0..index.length, |value| value..value + 1) {
        each_slot_from(slot + chosen * index.stride, others, value, visit);
    }
}

/// What is known of a process for as long as it lives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instance {
    pub proctype: ProctypeId,
    pub pid: Option<u8>,
    /// By slot: its value, if it never changes.
    constants: Vec<Option<Constant>>,
}

/// What a variable holds forever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Constant {
    Value(i32),
    /// A channel that is not there yet: whoever uses it later does nothing to those that are.
    NewChannel,
}

impl Instance {
    fn value(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Pid => self.pid.map(i32::from),
            Expr::Read(place) => match self.constant(place)? {
                Constant::Value(value) => Some(value),
                Constant::NewChannel => None,
            },
            Expr::Unary(operator, operand) => Some(Expr::apply_unary(*operator, self.value(operand)?)),
            Expr::Binary(operator, left, right) => Expr::apply(*operator, self.value(left)?, self.value(right)?),
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.value(if self.value(condition)? != 0 { yes } else { no })
            }
            _ => None,
        }
    }

    fn constant(&self, place: &Place) -> Option<Constant> {
        if place.scope == Scope::Global {
            return None;
        }
        let mut slots = Vec::new();
        each_slot(place, &|index| self.value(index), &mut |slot| slots.push(slot));
        match slots[..] {
            [slot] => self.constants.get(slot).copied().flatten(),
            _ => None,
        }
    }
}

/// A process in a state.
#[derive(Clone, Copy)]
pub struct ProcessState<'a> {
    pub system: &'a dyn Door,
    pub workspace: &'a Workspace,
    pub pid: u8,
}

/// Reads off what one edge looks at and changes.
pub(crate) struct Reader<'a> {
    facts: &'a Facts<'a>,
    pub instance: &'a Instance,
    /// The state in which it is asked, as long as nothing has been changed in it.
    here: Option<ProcessState<'a>>,
    pub accesses: Accesses,
}

impl<'a> Reader<'a> {
    pub fn new(facts: &'a Facts<'a>, instance: &'a Instance, here: Option<ProcessState<'a>>) -> Reader<'a> {
        Reader { facts, instance, here, accesses: Accesses::default() }
    }

    /// For conditions on states, which belong to no process.
    pub fn of_the_whole_state(facts: &'a Facts<'a>) -> Reader<'a> {
        const NOBODY: &Instance = &Instance { proctype: ProctypeId(0), pid: None, constants: Vec::new() };
        Reader::new(facts, NOBODY, None)
    }

    fn proctype(&self) -> &'a Proctype {
        self.facts.model.proctype(self.instance.proctype)
    }

    fn value(&self, expr: &Expr) -> Option<i32> {
        match self.here {
            Some(here) => here.system.value(here.workspace, here.pid, expr).ok(),
            None => self.instance.value(expr),
        }
    }

    pub fn room(&self, channel: usize) -> Room {
        match self.here {
            Some(ProcessState { system, workspace, .. }) if channel < workspace.channel_count() => {
                Room::of_capacity(system.model().channel_type(workspace.channel_type(channel)).capacity)
            }
            _ => self.facts.room(channel),
        }
    }

    /// The channels that an expression may mean.
    pub fn channels(&self, expr: &Expr) -> Set {
        let all = || Set::from(0..MOST_CHANNELS);
        let number = |value: i32| match usize::try_from(value) {
            Ok(number @ 1..=MOST_CHANNELS) => Set::from(number - 1..number),
            _ => all(),
        };
        if let Some(value) = self.value(expr) {
            return number(value);
        }
        let Expr::Read(place) = expr else { return all() };
        if place.scope == Scope::Local {
            let is_new = self.here.is_none() && self.instance.constant(place) == Some(Constant::NewChannel);
            return if is_new { Set::default() } else { all() };
        }
        let mut channels = Some(Set::default());
        each_slot(place, &|index| self.value(index), &mut |slot| match self.facts.global_channels[slot] {
            Some(channel) => channels.iter_mut().for_each(|channels| channels.insert(channel)),
            None => channels = None,
        });
        channels.unwrap_or_else(all)
    }

    /// The channel that an expression means forever, if that is known.
    fn constant_channel(&self, expr: &Expr) -> Option<Constant> {
        let channels = self.channels(expr);
        let mut numbers = channels.iter();
        match (numbers.next(), numbers.next()) {
            (None, _) => Some(Constant::NewChannel),
            (Some(number), None) => Some(Constant::Value(number as i32 + 1)),
            (Some(_), Some(_)) => None,
        }
    }

    /// The edge with all that it does. Where it is cautious, it matters whether its channels let it communicate, and not
    /// only when it does.
    pub fn edge(&mut self, edge: &Edge, cautious: bool) {
        let proctype = self.proctype();
        let mut ends = vec![edge.to];
        self.provided();
        match &proctype.action(edge.action).kind {
            ActionKind::End => {
                ends.clear();
                let own = self.own_channels();
                // Those who use its channels can tell.
                self.accesses.dies = self.facts.numbers_matter || own.is_some();
                own.iter().for_each(|own| self.accesses.use_channels(Use::Destroy, own));
            }
            ActionKind::DStep { entry } => ends = self.d_step(*entry, cautious),
            ActionKind::Step { .. } => self.action(proctype.action(edge.action), cautious),
        }
        let mut locals = Set::default();
        for place in self.actions_of(edge).into_iter().flat_map(written_places) {
            if place.scope == Scope::Local {
                each_slot(place, &|_| None, &mut |slot| locals.insert(slot));
            }
        }
        let Reader { facts, instance, accesses, .. } = self;
        let is_affected = |part: &Part| part.is_affected(instance.proctype, edge.from, &ends, accesses, &locals);
        let parts = facts.parts.iter().map(is_affected);
        let decisive = facts.decisive.iter().map(|decisive| decisive.is_affected(instance, accesses));
        let affected = (facts.first_part()..).zip(parts.chain(decisive)).filter(|(_, is_affected)| *is_affected);
        let numbers: Vec<usize> = affected.map(|(number, _)| number).collect();
        accesses.reads.extend(numbers.iter().copied());
        accesses.writes.extend(numbers);
    }

    /// The channels that go with the process, if it has any. Those that are not there yet are none of them.
    fn own_channels(&self) -> Option<Set> {
        let locals = self.proctype().locals.iter().zip(&self.instance.constants);
        let mut own = None;
        for (_, constant) in locals.filter(|(local, _)| matches!(local.initial, Initial::Channel(_))) {
            let own = own.get_or_insert_with(Set::default);
            match constant {
                Some(Constant::NewChannel) => {}
                Some(Constant::Value(number @ 1..=255)) => own.insert(*number as usize - 1),
                _ => own.join(&Set::from(self.facts.rooms.len()..MOST_CHANNELS)),
            }
        }
        own
    }

    /// The clause that every step of the process needs.
    pub fn provided(&mut self) {
        if let Some(clause) = &self.proctype().provided {
            self.expr(clause);
        }
    }

    /// The edge's action, or all those of its `d_step`.
    fn actions_of(&self, edge: &Edge) -> Vec<&'a Action> {
        let proctype = self.proctype();
        let action = proctype.action(edge.action);
        match action.kind {
            ActionKind::DStep { entry } => {
                let edges = interior_edges(proctype, entry);
                edges.into_iter().map(|edge| proctype.action_of(edge)).collect()
            }
            ActionKind::Step { .. } | ActionKind::End => vec![action],
        }
    }

    /// All of a `d_step`, and where it may end.
    fn d_step(&mut self, entry: LocationId, cautious: bool) -> Vec<LocationId> {
        let proctype = self.proctype();
        let mut ends = Vec::new();
        let edges = interior_edges(proctype, entry);
        let comes_back = edges.iter().any(|&edge| proctype.edge(edge).to == entry);
        for id in edges {
            let edge = proctype.edge(id);
            // What comes first happens in this state, and only if it does not happen again; the rest in others.
            if edge.from != entry || comes_back {
                self.here = None;
            }
            let cautious = cautious || self.facts.is_cautious(self.instance.proctype, edge.from);
            self.action(proctype.action(edge.action), cautious);
            if !proctype.location(edge.to).interior {
                ends.push(edge.to);
            }
        }
        ends
    }

    /// Guard, communication and effect.
    pub fn action(&mut self, action: &Action, cautious: bool) {
        let ActionKind::Step { guard, communication, effect } = &action.kind else { return };
        let here = self.here;
        match guard {
            Guard::When(condition) if cautious => self.expr(condition),
            Guard::When(condition) => self.guard(condition),
            Guard::Else => {}
        }
        if let Some(communication) = communication {
            self.communication(communication, cautious);
        }
        for op in effect {
            self.op(op);
        }
        // Other actions of this place begin where this one did.
        self.here = here;
    }

    /// A condition that has to hold, and nobody minds when it does not: it matters only what may spoil it.
    fn guard(&mut self, condition: &Expr) {
        match condition {
            Expr::Binary(Binary::And, left, right) => {
                self.guard(left);
                self.guard(right);
            }
            Expr::Query(query, channel) => match query {
                ChannelQuery::Len => self.look(channel),
                ChannelQuery::NotFull | ChannelQuery::Empty => self.ask(Use::SpoiltBySend, channel),
                ChannelQuery::NotEmpty | ChannelQuery::Full => self.ask(Use::SpoiltByReceive, channel),
            },
            _ => self.expr(condition),
        }
    }

    /// Whether an action is possible, and not what it does.
    pub fn condition(&mut self, action: &Action) {
        self.provided();
        match &action.kind {
            ActionKind::Step { guard, communication, .. } => {
                if let Guard::When(condition) = guard {
                    self.expr(condition);
                }
                match communication {
                    Some(Communication::Send { channel, arguments, .. }) => {
                        self.look(channel);
                        arguments.iter().for_each(|argument| self.expr(argument));
                        let channels = self.channels(channel);
                        self.accesses.looks_around |= self.may_be_rendezvous(&channels);
                    }
                    Some(Communication::Receive { channel, patterns, .. }) => {
                        self.look(channel);
                        self.matches(patterns);
                    }
                    None => {}
                }
            }
            ActionKind::DStep { entry } => {
                let proctype = self.proctype();
                for &edge in &proctype.location(*entry).edges {
                    self.condition(proctype.action_of(edge));
                }
            }
            ActionKind::End => self.accesses.counts = true,
        }
    }

    /// Then it depends on where the others are whether one can send. Of channels that are not there yet it is not known.
    fn may_be_rendezvous(&self, channels: &Set) -> bool {
        channels.is_empty() || channels.iter().any(|channel| self.room(channel) != Room::Buffered)
    }

    pub fn matches(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            if let Pattern::Match(expr) = pattern {
                self.expr(expr);
            }
        }
    }

    pub fn communication(&mut self, communication: &Communication, cautious: bool) {
        match communication {
            Communication::Send { channel, sorted, arguments } => {
                self.expr(channel);
                arguments.iter().for_each(|argument| self.expr(argument));
                let channels = self.channels(channel);
                self.accesses.looks_around |= cautious && self.may_be_rendezvous(&channels);
                self.use_channels(if *sorted { Use::SortedSend } else { Use::Send }, &channels, cautious);
                self.watch(Direction::Send, &channels);
            }
            Communication::Receive { channel, random, peek, patterns } => {
                self.expr(channel);
                let channels = self.channels(channel);
                let kind = match (peek, random) {
                    (true, _) => Use::Peek,
                    (false, true) => Use::RandomReceive,
                    (false, false) => Use::Receive,
                };
                self.use_channels(kind, &channels, cautious);
                if !peek {
                    self.watch(Direction::Receive, &channels);
                }
                self.matches(patterns);
                for pattern in patterns {
                    if let Pattern::Store(place) = pattern {
                        self.write(place);
                    }
                }
            }
        }
    }

    /// What monitors do when there is a message.
    fn watch(&mut self, direction: Direction, channels: &Set) {
        self.facts.watches.iter().for_each(|watch| watch.note(direction, channels, &mut self.accesses));
    }

    fn use_channels(&mut self, kind: Use, channels: &Set, cautious: bool) {
        self.accesses.use_channels(kind, channels);
        if cautious {
            self.accesses.use_channels(Use::Look, channels);
        }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Assign(place, expr) => {
                self.expr(expr);
                self.write(place);
            }
            Op::Evaluate(expr) | Op::Assert(expr) => self.expr(expr),
            Op::Print { arguments, .. } => arguments.iter().for_each(|(_, expr)| self.expr(expr)),
            Op::Run { proctype, arguments, priority, result } => {
                arguments.iter().for_each(|argument| self.expr(argument));
                self.accesses.creates = true;
                self.accesses.highest_created = self.accesses.highest_created.max(*priority);
                let other = self.facts.created_instance(self.instance, *proctype, arguments);
                for slot in &self.facts.model.proctype(*proctype).locals {
                    if let Initial::Expr(expr) = &slot.initial {
                        // Evaluated by the new process, of which only its channels are known.
                        let mut reader = Reader::new(self.facts, &other, None);
                        reader.expr(expr);
                        self.accesses.join(&reader.accesses);
                    }
                }
                self.here = None;
                if let Some(place) = result {
                    self.write(place);
                }
            }
            Op::SetPriority { pid, priority } => {
                self.expr(pid);
                self.expr(priority);
                self.accesses.looks_around = true;
            }
        }
    }

    fn write(&mut self, place: &Place) {
        place.indices.iter().for_each(|index| self.expr(&index.value));
        if place.scope == Scope::Global {
            let mut slots = Set::default();
            each_slot(place, &|index| self.value(index), &mut |slot| slots.insert(slot));
            self.accesses.writes.join(&slots);
        }
        // Whatever comes after may depend on what was written.
        self.here = None;
    }

    pub fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) | Expr::Pid => {}
            Expr::Timeout => self.accesses.on_timeout = true,
            Expr::Read(place) => {
                place.indices.iter().for_each(|index| self.expr(&index.value));
                if place.scope == Scope::Global {
                    let mut slots = Set::default();
                    each_slot(place, &|index| self.value(index), &mut |slot| slots.insert(slot));
                    self.accesses.reads.join(&slots);
                }
            }
            Expr::Unary(_, operand) => self.expr(operand),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Conditional(parts) => parts.iter().for_each(|part| self.expr(part)),
            Expr::Query(_, channel) => self.look(channel),
            Expr::Poll { channel, patterns, .. } => {
                self.look(channel);
                self.matches(patterns);
            }
            Expr::ProcessCount => self.accesses.counts = true,
            Expr::Last
            | Expr::NonProgress
            | Expr::Accepting
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::PriorityOf(_)
            | Expr::At { .. }
            | Expr::Remote { .. } => self.accesses.looks_around = true,
        }
    }

    fn look(&mut self, channel: &Expr) {
        self.ask(Use::Look, channel);
    }

    fn ask(&mut self, kind: Use, channel: &Expr) {
        self.expr(channel);
        let channels = self.channels(channel);
        self.accesses.use_channels(kind, &channels);
    }
}

/// The edges that a `d_step` may take.
fn interior_edges(proctype: &Proctype, entry: LocationId) -> Vec<EdgeId> {
    let mut seen = Set::default();
    let mut edges = Vec::new();
    let mut pending = vec![entry];
    while let Some(location) = pending.pop() {
        if seen.contains(location.index()) || !proctype.location(location).interior {
            continue;
        }
        seen.insert(location.index());
        for &edge in &proctype.location(location).edges {
            edges.push(edge);
            pending.push(proctype.edge(edge).to);
        }
    }
    edges
}
