//! Symmetry detection: which values of variables and messages are process ids?
//!
//! Variables, fields of messages and dimensions of arrays between which values go, or whose values are compared, have the same
//! kind of values. A kind is known to name processes when something belongs to it that is different for each process of a
//! type and never changes: its pid, a number that it was given, or what it works out of these. A channel is a process's own if
//! it was given to that one of its type alone, as the so-and-so-many-th of its parameters.
//!
//! Kinds that name no processes may be mere data: values that are only handed on and compared with each other. Constants that
//! occur equally often are taken for such.
//!
//! What is found here is a guess, if a good one: it is [checked](super::terms) afterwards.

use std::collections::{BTreeMap, HashMap};

use reductio_model::{
    ActionKind, ChannelTypeId, Communication, EdgeId, Expr, Guard, Initial, Op, Pattern, Place, ProctypeId, Scope,
    ValueType,
};

use super::loops::Loops;
use super::start::Start;
use super::{MOST_COLUMNS, Obstacle};
use crate::facts::steps::each_slot;
use crate::model_to_model::walk::each_part;
use crate::on_the_fly::symmetry::{Column, Coordinate, Home, Meaning, Name, Naming, Slots, Symmetry};

/// Whose variables they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Owner {
    Globals,
    Locals(ProctypeId),
}

/// A dimension of an array: its first slot, which of its dimensions it is, the slots from one cell to the next, the number of cells.
pub(super) type Dimension = (Owner, u32, usize, u32, u32);

/// What is known of a model's values.
pub(super) struct Meanings {
    /// Without blocks yet.
    pub symmetry: Symmetry,
    pub dimensions: HashMap<Dimension, Meaning>,
    /// What the counter of each loop means during a round.
    pub counters: Vec<Meaning>,
}

/// Something whose values are of one kind.
type Node = usize;

/// Where the values of an expression come from.
#[derive(Clone)]
enum Source {
    /// By pid: always this one.
    Known(Vec<(u8, i32)>),
    Node(Node),
    Elsewhere,
}

struct Unification<'a> {
    start: &'a Start<'a>,
    parents: Vec<Node>,
    dimensions: HashMap<Dimension, Node>,
    /// Values that go to a node, one for each process of a type.
    samples: Vec<(Node, Vec<(u8, i32)>)>,
    /// Constants that go to a node, as often as they do.
    constants: Vec<(Node, i32)>,
    /// Nodes whose values are calculated with.
    numbers: Vec<Node>,
    channels: Node,
    pids: Node,
    first_local: Vec<Node>,
    first_field: Vec<Node>,
    /// What the counters of loops mean during a round, loop by loop.
    first_counter: Node,
    loops: usize,
    /// The counters of the loops in which the statement is that is looked at.
    counters: Vec<(usize, Place)>,
}

/// Guesses what values mean.
pub(super) fn find<'a>(start: &'a Start<'a>, loops: &Loops, atoms: &[&Expr]) -> Result<Meanings, Obstacle> {
    let mut unification = Unification::new(start, loops.found.len());
    for instance in &start.instances {
        let state = start.state();
        // Processes of one type do the same: it is enough to look at the first.
        let proctype = state.processes[usize::from(instance.pid)].proctype;
        let is_first = state.processes[..usize::from(instance.pid)].iter().all(|process| process.proctype != proctype);
        if is_first {
            unification.add_process(proctype, &instance.reached, loops);
        }
    }
    for atom in atoms {
        unification.number(None, atom);
    }
    unification.resolve()
}

impl<'a> Unification<'a> {
    fn new(start: &'a Start<'a>, loops: usize) -> Unification<'a> {
        let model = start.model;
        let mut next = model.globals.len();
        let mut counted = |count: usize| {
            next += count;
            next - count
        };
        let first_local = model.proctypes.iter().map(|proctype| counted(proctype.locals.len())).collect();
        let first_field = model.channel_types.iter().map(|ty| counted(ty.fields.len())).collect();
        let channels = counted(1);
        let pids = counted(1);
        let first_counter = counted(loops);
        let mut unification = Unification {
            start,
            parents: (0..next).collect(),
            dimensions: HashMap::new(),
            samples: Vec::new(),
            constants: Vec::new(),
            numbers: Vec::new(),
            channels,
            pids,
            first_local,
            first_field,
            first_counter,
            loops,
            counters: Vec::new(),
        };
        unification.add_channels();
        let by_type = processes_by_type(start);
        for pids in by_type.values() {
            unification.samples.push((unification.pids, pids.iter().map(|&pid| (pid, i32::from(pid))).collect()));
            unification.add_constants(pids);
        }
        unification
    }

    /// What processes of a type were given names them, even if they do nothing with it.
    fn add_constants(&mut self, pids: &[u8]) {
        let proctype = self.start.state().processes[usize::from(pids[0])].proctype;
        for local in 0..self.start.model.proctype(proctype).locals.len() {
            let value = |&pid: &u8| Some((pid, self.start.instances[usize::from(pid)].constant(local)?));
            if let Some(values) = pids.iter().map(value).collect::<Option<Vec<_>>>() {
                self.unify(Source::Node(self.first_local[proctype.index()] + local), Source::Known(values));
            }
        }
    }

    /// All channels are of one kind.
    fn add_channels(&mut self) {
        let model = self.start.model;
        let is_channel = |ty: ValueType| ty == ValueType::Chan;
        let mut nodes: Vec<Node> = Vec::new();
        nodes.extend((0..model.globals.len()).filter(|&slot| is_channel(model.globals[slot].ty)));
        for (first, proctype) in self.first_local.iter().zip(&model.proctypes) {
            nodes.extend(
                (0..proctype.locals.len())
                    .filter(|&slot| is_channel(proctype.locals[slot].ty))
                    .map(|slot| first + slot),
            );
        }
        for (first, ty) in self.first_field.iter().zip(&model.channel_types) {
            nodes.extend((0..ty.fields.len()).filter(|&field| is_channel(ty.fields[field])).map(|field| first + field));
        }
        nodes.into_iter().for_each(|node| self.join(node, self.channels));
    }

    fn find(&self, mut node: Node) -> Node {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    fn join(&mut self, one: Node, other: Node) {
        let (one, other) = (self.find(one), self.find(other));
        self.parents[one] = other;
    }

    /// Values go from one to the other, or are compared.
    fn unify(&mut self, one: Source, other: Source) {
        match (one, other) {
            (Source::Node(one), Source::Node(other)) => self.join(one, other),
            (Source::Node(node), Source::Known(values)) | (Source::Known(values), Source::Node(node)) => {
                let is_varying = values.iter().any(|(_, value)| *value != values[0].1);
                match is_varying {
                    true => self.samples.push((node, values)),
                    false => self.constants.push((node, values[0].1)),
                }
            }
            _ => {}
        }
    }

    /// An expression whose value is calculated with, or asked whether it is zero.
    fn number(&mut self, who: Option<ProctypeId>, expr: &Expr) {
        if let Source::Node(node) = self.expr(who, expr) {
            self.numbers.push(node);
        }
    }

    fn add_process(&mut self, proctype: ProctypeId, reached: &[bool], loops: &Loops) {
        let declaration = self.start.model.proctype(proctype);
        let who = Some(proctype);
        if let Some(provided) = &declaration.provided {
            self.number(who, provided);
        }
        for (id, edge) in (0..).map(EdgeId).zip(&declaration.edges) {
            if reached[edge.from.index()] {
                let counters = loops.counters(self.start, proctype, id);
                self.counters = counters.map(|(number, counter)| (number, counter.clone())).collect();
                self.add_action(proctype, &declaration.action(edge.action).kind);
                self.counters.clear();
            }
        }
    }

    fn add_action(&mut self, proctype: ProctypeId, kind: &ActionKind) {
        let who = Some(proctype);
        let ActionKind::Step { guard, communication, effect } = kind else { return };
        if let Guard::When(condition) = guard
            && !self.only_counts(condition)
        {
            self.number(who, condition);
        }
        match communication {
            Some(Communication::Send { channel, arguments, .. }) => {
                self.expr(who, channel);
                for (field, argument) in arguments.iter().enumerate() {
                    let source = self.expr(who, argument);
                    self.field(who, channel, field, source);
                }
            }
            Some(Communication::Receive { channel, patterns, .. }) => self.patterns(who, channel, patterns),
            None => {}
        }
        for op in effect {
            let counts = |place: &Place| self.counters.iter().any(|(_, counter)| counter == place);
            match op {
                // Outside of rounds, a counter is a number.
                Op::Assign(place, _) if counts(place) => {
                    let counter = self.place(who, who, place);
                    self.numbers.push(counter);
                }
                _ => self.op(who, op),
            }
        }
    }

    /// Does a condition ask for nothing but counters? In a round, the answer is known.
    fn only_counts(&self, condition: &Expr) -> bool {
        let is_counter = |place: &Place| self.counters.iter().any(|(_, counter)| counter == place);
        let mut only = !self.counters.is_empty();
        each_part(condition, &mut |part| {
            only &= match part {
                Expr::Read(place) => is_counter(place),
                Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) => true,
                _ => false,
            };
        });
        only
    }

    fn op(&mut self, who: Option<ProctypeId>, op: &Op) {
        match op {
            Op::Assign(place, expr) => {
                let source = self.expr(who, expr);
                let target = self.place(who, who, place);
                self.unify(Source::Node(target), source);
            }
            Op::Evaluate(expr) | Op::Assert(expr) => self.number(who, expr),
            Op::SetPriority { pid, priority } => {
                let pid = self.expr(who, pid);
                self.unify(Source::Node(self.pids), pid);
                self.number(who, priority);
            }
            // Nothing depends on what is printed, and no process is created any more.
            Op::Print { .. } | Op::Run { .. } => {}
        }
    }

    fn patterns(&mut self, who: Option<ProctypeId>, channel: &Expr, patterns: &[Pattern]) {
        self.expr(who, channel);
        for (field, pattern) in patterns.iter().enumerate() {
            let source = match pattern {
                Pattern::Store(place) => Source::Node(self.place(who, who, place)),
                Pattern::Match(expr) => self.expr(who, expr),
                Pattern::Discard => continue,
            };
            self.field(who, channel, field, source);
        }
    }

    /// A value goes into a field of a channel's messages, or comes from there.
    fn field(&mut self, who: Option<ProctypeId>, channel: &Expr, field: usize, source: Source) {
        for ty in channel_types(self.start, who, channel) {
            if field < self.start.model.channel_type(ty).fields.len() {
                let node = self.first_field[ty.index()] + field;
                self.unify(Source::Node(node), source.clone());
            }
        }
    }

    /// The node of the variables that a place may mean. `owner` is the process type whose variable it is, `who` asks.
    fn place(&mut self, who: Option<ProctypeId>, owner: Option<ProctypeId>, place: &Place) -> Node {
        let (owner, first) = match (place.scope, owner) {
            (Scope::Local, Some(proctype)) => (Owner::Locals(proctype), self.first_local[proctype.index()]),
            _ => (Owner::Globals, 0),
        };
        for (number, index) in place.indices.iter().enumerate() {
            let source = self.expr(who, &index.value);
            let dimension = (owner, place.base, number, index.stride, index.length);
            let node = match self.dimensions.get(&dimension) {
                Some(&node) => node,
                None => {
                    self.parents.push(self.parents.len());
                    self.dimensions.insert(dimension, self.parents.len() - 1);
                    self.parents.len() - 1
                }
            };
            self.unify(Source::Node(node), source);
        }
        let node = first + place.base as usize;
        each_slot(place, &|_| None, &mut |slot| self.join(first + slot, node));
        node
    }

    fn expr(&mut self, who: Option<ProctypeId>, expr: &Expr) -> Source {
        if let Some(known) = who.and_then(|proctype| self.known(proctype, expr)) {
            return self.source(who, expr, known);
        }
        match expr {
            Expr::Const(value) => return Source::Known(vec![(0, *value)]),
            Expr::Read(place) => {
                let counter = self.counters.iter().find(|(_, counter)| *counter == **place);
                return Source::Node(match counter {
                    Some((number, _)) => self.first_counter + number,
                    None => self.place(who, who, place),
                });
            }
            Expr::Remote { proctype, pid, place } => {
                self.pid(who, pid.as_deref());
                return Source::Node(self.place(who, Some(*proctype), place));
            }
            Expr::Binary(reductio_model::Binary::Equal | reductio_model::Binary::NotEqual, left, right) => {
                let (left, right) = (self.expr(who, left), self.expr(who, right));
                self.unify(left, right);
            }
            Expr::Binary(_, left, right) => {
                self.number(who, left);
                self.number(who, right);
            }
            Expr::Unary(_, operand) => self.number(who, operand),
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.number(who, condition);
                return match (self.expr(who, yes), self.expr(who, no)) {
                    (Source::Node(one), other) | (other, Source::Node(one)) => {
                        self.unify(Source::Node(one), other);
                        Source::Node(one)
                    }
                    _ => Source::Elsewhere,
                };
            }
            Expr::Query(_, channel) => {
                self.expr(who, channel);
            }
            Expr::Poll { channel, patterns, .. } => self.patterns(who, channel, patterns),
            Expr::Enabled(pid) | Expr::PcValue(pid) | Expr::PriorityOf(pid) => self.pid(who, Some(pid)),
            Expr::At { pid, .. } => self.pid(who, pid.as_deref()),
            Expr::Pid | Expr::ProcessCount | Expr::Last | Expr::Timeout | Expr::NonProgress | Expr::Accepting => {}
        }
        Source::Elsewhere
    }

    /// What is known may still be in a variable, which has a meaning, too.
    fn source(&mut self, who: Option<ProctypeId>, expr: &Expr, known: Vec<(u8, i32)>) -> Source {
        let Expr::Read(place) = expr else { return Source::Known(known) };
        let node = self.place(who, who, place);
        self.unify(Source::Node(node), Source::Known(known));
        Source::Node(node)
    }

    fn pid(&mut self, who: Option<ProctypeId>, pid: Option<&Expr>) {
        if let Some(pid) = pid {
            let source = self.expr(who, pid);
            self.unify(Source::Node(self.pids), source);
        }
    }

    /// The values of an expression for each process of a type, if they never change.
    fn known(&self, proctype: ProctypeId, expr: &Expr) -> Option<Vec<(u8, i32)>> {
        let processes = &self.start.state().processes;
        let instances = self.start.instances.iter();
        let mut members = instances.filter(|instance| processes[usize::from(instance.pid)].proctype == proctype);
        members.by_ref().map(|instance| Some((instance.pid, instance.value(expr)?))).collect()
    }

    fn resolve(mut self) -> Result<Meanings, Obstacle> {
        let names = self.names()?;
        let columns = columns(self.start, &names)?;
        let mut symmetry = Symmetry {
            processes: self.start.state().processes.len(),
            columns: columns.clone(),
            globals: Slots::new(self.start.model.globals.len()),
            locals: self.start.model.proctypes.iter().map(|proctype| Slots::new(proctype.locals.len())).collect(),
            channels: homes(self.start),
            channel_types: self.start.state().channels.iter().map(|channel| channel.ty).collect(),
            ..Symmetry::default()
        };
        let mut namings: HashMap<Node, u16> = HashMap::new();
        for (&node, names) in &names {
            let name = |&(pid, value): &(u8, i32)| {
                let (column, row) = symmetry.place_of(pid)?;
                Some(Name { value, row: row as u16, column })
            };
            let mut names: Vec<Name> = names.iter().filter_map(name).collect();
            // Processes of several rows may be named alike: they are in one column then.
            names.sort_unstable();
            names.dedup_by_key(|name| name.value);
            namings.insert(node, symmetry.namings.len() as u16);
            symmetry.namings.push(Naming { names });
        }
        let channels = self.find(self.channels);
        let mut data = self.data();
        data.retain(|node, _| !namings.contains_key(node));
        for (node, values) in data {
            let first = symmetry.columns.len();
            if first + values.len() > MOST_COLUMNS {
                break;
            }
            symmetry.columns.resize_with(first + values.len(), Vec::new);
            let names = (first as Column..).zip(values).map(|(column, value)| Name { value, row: 0, column });
            namings.insert(node, symmetry.namings.len() as u16);
            symmetry.namings.push(Naming { names: names.collect() });
        }
        let meaning = |unification: &Unification<'_>, node: Node| match unification.find(node) {
            node if node == channels => Meaning::Channel,
            node => namings.get(&node).map_or(Meaning::Number, |&naming| Meaning::Member(naming)),
        };
        for slot in 0..self.start.model.globals.len() {
            symmetry.globals.meanings[slot] = meaning(&self, slot);
        }
        for (slots, &first) in symmetry.locals.iter_mut().zip(&self.first_local) {
            for slot in 0..slots.meanings.len() {
                slots.meanings[slot] = meaning(&self, first + slot);
            }
        }
        for (ty, &first) in self.start.model.channel_types.iter().zip(&self.first_field) {
            symmetry.fields.push((0..ty.fields.len()).map(|field| meaning(&self, first + field)).collect());
        }
        let counters = (0..self.loops).map(|number| meaning(&self, self.first_counter + number)).collect();
        let dimensions = std::mem::take(&mut self.dimensions);
        let dimensions: HashMap<Dimension, Meaning> =
            dimensions.into_iter().map(|(dimension, node)| (dimension, meaning(&self, node))).collect();
        add_coordinates(&mut symmetry, &dimensions)?;
        add_given_channels(self.start, &mut symmetry, &dimensions);
        Ok(Meanings { symmetry, dimensions, counters })
    }

    /// By kind: values that may be mere data.
    fn data(&self) -> BTreeMap<Node, Vec<i32>> {
        let mut counts: BTreeMap<Node, BTreeMap<i32, usize>> = BTreeMap::new();
        for &(node, value) in &self.constants {
            *counts.entry(self.find(node)).or_default().entry(value).or_default() += 1;
        }
        let others = self.numbers.iter().chain([&self.channels, &self.pids]);
        others.for_each(|&node| drop(counts.remove(&self.find(node))));
        let often = |counts: &BTreeMap<i32, usize>| {
            let is_shared = |count: usize| counts.values().filter(|other| **other == count).count() > 1;
            counts.iter().filter(|(_, count)| is_shared(**count)).map(|(value, _)| *value).collect::<Vec<i32>>()
        };
        counts
            .into_iter()
            .map(|(node, counts)| (node, often(&counts)))
            .filter(|(_, values)| !values.is_empty())
            .collect()
    }

    /// By kind: the values that name processes.
    fn names(&self) -> Result<BTreeMap<Node, Vec<(u8, i32)>>, Obstacle> {
        let mut names: BTreeMap<Node, Vec<(u8, i32)>> = BTreeMap::new();
        let is_increasing = |values: &[(u8, i32)]| values.windows(2).all(|pair| pair[0].1 < pair[1].1);
        // Numbers in the order of the processes come first: what is worked out of them may be in any order.
        let (first, then): (Vec<_>, Vec<_>) = self.samples.iter().partition(|(_, values)| is_increasing(values));
        let are_numbers = |(node, _): &&(Node, Vec<(u8, i32)>)| self.find(*node) != self.find(self.channels);
        for (node, values) in first.into_iter().chain(then).filter(are_numbers) {
            let known = names.entry(self.find(*node)).or_default();
            let is_known = |(pid, _): &(u8, i32)| known.iter().any(|(other, _)| other == pid);
            if !values.iter().any(is_known) {
                let mut sorted: Vec<i32> = values.iter().map(|(_, value)| *value).collect();
                sorted.sort_unstable();
                sorted.dedup();
                if sorted.len() == values.len() {
                    known.extend(values);
                }
            }
        }
        Ok(names)
    }
}

fn processes_by_type(start: &Start<'_>) -> BTreeMap<u32, Vec<u8>> {
    let mut by_type: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    for (pid, process) in (0..).zip(&start.state().processes) {
        by_type.entry(process.proctype.0).or_default().push(pid);
    }
    by_type.retain(|_, pids| pids.len() > 1);
    by_type
}

/// Processes of one type are in different columns. Processes of different types are in the same column if somewhere they
/// are named alike.
fn columns(start: &Start<'_>, names: &BTreeMap<Node, Vec<(u8, i32)>>) -> Result<Vec<Vec<Option<u8>>>, Obstacle> {
    let by_type = processes_by_type(start);
    let mut column_of: HashMap<u8, usize> = HashMap::new();
    let mut columns: Vec<Vec<u8>> = Vec::new();
    for &pid in by_type.values().flatten() {
        column_of.insert(pid, columns.len());
        columns.push(vec![pid]);
    }
    for names in names.values() {
        for (index, &(pid, value)) in names.iter().enumerate() {
            for &(other, _) in names[..index].iter().filter(|(_, name)| *name == value) {
                let (Some(&one), Some(&two)) = (column_of.get(&pid), column_of.get(&other)) else { continue };
                if one != two {
                    let moved = std::mem::take(&mut columns[two]);
                    moved.iter().for_each(|&pid| {
                        column_of.insert(pid, one);
                    });
                    columns[one].extend(moved);
                }
            }
        }
    }
    columns.retain(|column| !column.is_empty());
    let rows: Vec<u32> = by_type.keys().copied().collect();
    let type_of = |pid: u8| start.state().processes[usize::from(pid)].proctype.0;
    let mut placed = Vec::new();
    for column in columns {
        let mut row = vec![None; rows.len()];
        for pid in column {
            let place = rows.iter().position(|&row| row == type_of(pid)).unwrap_or_default();
            if row[place].replace(pid).is_some() {
                return Err(Obstacle::nowhere("two processes of one type have the same id"));
            }
        }
        placed.push(row);
    }
    placed.sort_by_key(|row| row.iter().copied().flatten().min());
    Ok(placed)
}

/// The dimensions of an array: which it is, the slots from one cell to the next, the number of cells, what the index means.
type Shape = Vec<(usize, u32, u32, Meaning)>;

/// Cells of arrays belong to what their indices name.
fn add_coordinates(symmetry: &mut Symmetry, dimensions: &HashMap<Dimension, Meaning>) -> Result<(), Obstacle> {
    let mut arrays: HashMap<(Owner, u32), Shape> = HashMap::new();
    for (&(owner, base, number, stride, length), &meaning) in dimensions {
        arrays.entry((owner, base)).or_default().push((number, stride, length, meaning));
    }
    for ((owner, base), mut shape) in arrays {
        shape.sort_by_key(|(number, ..)| *number);
        if shape.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(Obstacle::nowhere("an array is indexed in two different ways"));
        }
        let mut cells: Vec<(u32, Vec<Coordinate>)> = vec![(base, Vec::new())];
        for (_, stride, length, meaning) in shape {
            let mut next = Vec::new();
            for (slot, coordinates) in cells {
                for value in 0..length {
                    let mut coordinates = coordinates.clone();
                    if let Meaning::Member(naming) = meaning
                        && symmetry.namings[usize::from(naming)].column(value as i32).is_some()
                    {
                        coordinates.push(Coordinate { naming, value: value as i32, stride });
                    }
                    next.push((slot + value * stride, coordinates));
                }
            }
            cells = next;
        }
        let slots = match owner {
            Owner::Globals => &mut symmetry.globals,
            Owner::Locals(proctype) => &mut symmetry.locals[proctype.index()],
        };
        for (slot, coordinates) in cells {
            let known = &mut slots.coordinates[slot as usize];
            if !known.is_empty() && *known != coordinates {
                return Err(Obstacle::nowhere("an array is indexed in two different ways"));
            }
            *known = coordinates;
        }
    }
    Ok(())
}

/// Global channels that were given to one process each, all in the same way, belong to it: their variables are named by their
/// slots, unless they are cells that are named already or that somebody asks for by number.
fn add_given_channels(start: &Start<'_>, symmetry: &mut Symmetry, dimensions: &HashMap<Dimension, Meaning>) {
    let naming = symmetry.namings.len() as u16;
    let mut names: Vec<Name> = Vec::new();
    let asked_for = |slot: u32| {
        let mut globals = dimensions.keys().filter(|(owner, ..)| *owner == Owner::Globals);
        globals.any(|&(_, base, _, stride, length)| (base..base + stride * length).contains(&slot))
    };
    let mut row = 0;
    for (&proctype, pids) in &processes_by_type(start) {
        let locals = start.model.proctype(ProctypeId(proctype)).locals.iter().enumerate();
        for (local, _) in locals.filter(|(_, slot)| slot.ty == ValueType::Chan) {
            let given = |&pid: &u8| {
                let number = start.instances[usize::from(pid)].constant(local)?;
                let index = usize::try_from(number).ok()?.checked_sub(1)?;
                match symmetry.channels.get(index)? {
                    &Home::Global(slot) if !asked_for(slot) => Some((slot, symmetry.place_of(pid)?.0)),
                    _ => None,
                }
            };
            let Some(given) = pids.iter().map(given).collect::<Option<Vec<(u32, Column)>>>() else { continue };
            let is_new = |slot: u32| names.iter().all(|name| name.value != slot as i32);
            let slots: std::collections::BTreeSet<u32> = given.iter().map(|(slot, _)| *slot).collect();
            if slots.len() == given.len() && slots.into_iter().all(is_new) {
                names.extend(given.into_iter().map(|(slot, column)| Name { value: slot as i32, row, column }));
                row += 1;
            }
        }
    }
    for name in &names {
        let coordinate = Coordinate { naming, value: name.value, stride: 1 };
        symmetry.globals.coordinates[name.value as usize].push(coordinate);
    }
    symmetry.namings.push(Naming { names });
}

/// Where the channels belong.
fn homes(start: &Start<'_>) -> Vec<Home> {
    let globals = (0..).zip(&start.model.globals).filter(|(_, slot)| matches!(slot.initial, Initial::Channel(_)));
    let mut globals = globals.map(|(slot, _)| slot);
    let mut counts = [0; 256];
    let home = |channel: &reductio_model::Channel| match channel.owner {
        None => Home::Global(globals.next().expect("global channels are created with variables")),
        Some(pid) => {
            counts[usize::from(pid)] += 1;
            Home::Process(pid, counts[usize::from(pid)] - 1)
        }
    };
    start.state().channels.iter().map(home).collect()
}

/// The types that the channel may have which an expression means.
pub(super) fn channel_types(start: &Start<'_>, who: Option<ProctypeId>, channel: &Expr) -> Vec<ChannelTypeId> {
    let state = start.state();
    let all = || (0..start.model.channel_types.len() as u32).map(ChannelTypeId).collect();
    let by_number = |number: i32| {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        state.channels.get(index).map(|channel| channel.ty)
    };
    let mut instances = start.instances.iter();
    if let Some(proctype) = who {
        let is_known =
            |instance: &&super::start::Instance| state.processes[usize::from(instance.pid)].proctype == proctype;
        let numbers: Option<Vec<i32>> =
            instances.by_ref().filter(is_known).map(|instance| instance.value(channel)).collect();
        let types: Option<Vec<ChannelTypeId>> =
            numbers.and_then(|numbers| numbers.into_iter().map(by_number).collect());
        if let Some(mut types) = types {
            types.sort_unstable();
            types.dedup();
            return types;
        }
    }
    let Expr::Read(place) = channel else { return all() };
    if place.scope == Scope::Local {
        return all();
    }
    let mut types = Some(Vec::new());
    each_slot(place, &|_| None, &mut |slot| match start.model.globals[slot].initial {
        Initial::Channel(ty) if !start.written[slot] => types.iter_mut().for_each(|types| types.push(ty)),
        _ => types = None,
    });
    types.map_or_else(all, |mut types| {
        types.sort_unstable();
        types.dedup();
        types
    })
}
