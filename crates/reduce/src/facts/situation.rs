//! Dependence of a process in a state: which steps of others are not independent of those it can take, or could
//! make those possible that it cannot take.
//!
//! Paper:    [valmari89], [laarman13]: a stubborn set holds, with a step that is possible, all that are not independent of it, and with
//!           one that is not, all that could make it possible: a *necessary enabling set*. Of a condition that is a
//!           conjunction, one conjunct that does not hold is enough.
//! Deviates: the steps of a process are taken together. Which slots and channels a step uses is known exactly, for as
//!           long as nobody changes what it read to find out, it will be these.

use reductio_model::{
    Action, ActionKind, Binary, ChannelQuery, Communication, EdgeId, Expr, Guard, LocationId, Pattern, Proctype, Step,
    Workspace,
};

use super::access::{Accesses, Dependencies, Room, Use};
use super::set::Set;
use super::steps::{Facts, Instance, ProcessState, Reader};

const SENDS: [Use; 2] = [Use::Send, Use::SortedSend];
const RECEIVES: [Use; 2] = [Use::Receive, Use::RandomReceive];

impl Facts<'_> {
    /// What matters to a process that can take these steps, and to those who receive what it sends by rendezvous: the step
    /// is theirs, too. What matters after those that go on at once in an `atomic`, by their index, is told elsewhere.
    pub fn concerns(&self, here: ProcessState<'_>, steps: &[Step], goes_on: &dyn Fn(usize) -> bool) -> Dependencies {
        let mut concerns = self.concerns_of(here, steps, goes_on);
        for (receiver, _) in steps.iter().filter_map(|step| step.partner) {
            concerns.join(&self.concerns_of(ProcessState { pid: receiver, ..here }, &[], &|_| false));
        }
        if self.has_ranks() {
            concerns.own = Some(self.done_by(here, steps));
        }
        concerns
    }

    /// What these steps of a process do, which are no rendezvous.
    fn done_by(&self, here: ProcessState<'_>, steps: &[Step]) -> Accesses {
        let process = &here.workspace.state().processes[usize::from(here.pid)];
        let instance = self.instance(process.proctype, here.pid, &process.locals);
        let mut done = Accesses::default();
        for step in steps {
            let mut reader = Reader::new(self, &instance, Some(here));
            reader.edge(self.model.proctype(process.proctype).edge(step.edge), false);
            done.join(&reader.accesses);
        }
        done
    }

    /// The same, with what the process can do itself. Where it was ready to receive by rendezvous it is so no more, and
    /// where it comes to it may be: that, too, is something that it does to others.
    pub fn concerns_and_own(&self, here: ProcessState<'_>, steps: &[Step]) -> Dependencies {
        let mut concerns = self.concerns(here, steps, &|_| false);
        let mut own = Accesses::default();
        let mut add = |pid: u8, edge: EdgeId| {
            let process = &here.workspace.state().processes[pid as usize];
            let instance = self.instance(process.proctype, pid, &process.locals);
            let proctype = self.model.proctype(process.proctype);
            let edge = proctype.edge(edge);
            let mut step = Reader::new(self, &instance, Some(ProcessState { pid, ..here }));
            step.edge(edge, true);
            // Whoever is new may be ready for anything.
            step.accesses.looks_around |= step.accesses.creates;
            own.join(&step.accesses);
            let is_near = |location: LocationId| location == edge.from || location == edge.to;
            let is_long = matches!(proctype.action(edge.action).kind, ActionKind::DStep { .. });
            for other in proctype.edges.iter().filter(|other| is_long || is_near(other.from)) {
                let mut answer = Reader::new(self, &instance, None);
                if may_answer(&answer, proctype, proctype.action(other.action)) {
                    answer.edge(other, true);
                    own.join(&answer.accesses);
                }
            }
        };
        for step in steps {
            add(step.process, step.edge);
            step.partner.iter().for_each(|&(receiver, edge)| add(receiver, edge));
        }
        concerns.own = Some(own);
        concerns
    }

    fn concerns_of(&self, here: ProcessState<'_>, steps: &[Step], goes_on: &dyn Fn(usize) -> bool) -> Dependencies {
        let process = &here.workspace.state().processes[usize::from(here.pid)];
        let instance = self.instance(process.proctype, here.pid, &process.locals);
        let asked = Question { facts: self, instance: &instance, here };
        let proctype = self.model.proctype(process.proctype);
        let mut concerns = Dependencies::default();
        for &id in &proctype.location(process.location).edges {
            let action = proctype.action_of(id);
            let is_possible = steps.iter().any(|step| step.edge == id);
            if !is_possible {
                asked.add_impossible(action, &mut concerns);
            }
            if is_possible || may_answer(&asked.reader(), proctype, action) {
                let mut taken = steps.iter().enumerate().filter(|(_, step)| step.edge == id);
                let may_stop = !is_possible || taken.any(|(index, step)| step.partner.is_some() || !goes_on(index));
                asked.add_possible(id, may_stop, &mut concerns);
            }
        }
        concerns
    }

    /// What is known of a process that may still do anything from this location on.
    pub fn future_of(&self, workspace: &Workspace, pid: u8) -> Accesses {
        let process = &workspace.state().processes[pid as usize];
        self.future(&self.instance(process.proctype, pid, &process.locals), process.location)
    }
}

/// A process in a state.
struct Question<'a> {
    facts: &'a Facts<'a>,
    instance: &'a Instance,
    here: ProcessState<'a>,
}

impl<'a> Question<'a> {
    fn reader(&self) -> Reader<'a> {
        Reader::new(self.facts, self.instance, Some(self.here))
    }

    /// An edge that can be taken.
    fn add_possible(&self, id: EdgeId, may_stop: bool, concerns: &mut Dependencies) {
        let proctype = self.facts.model.proctype(self.instance.proctype);
        let edge = proctype.edge(id);
        let mut reader = self.reader();
        reader.edge(edge, false);
        if edge.atomic && may_stop {
            // It would go on at once if it could.
            for &next in &proctype.location(edge.to).edges {
                let mut looks = Reader::new(self.facts, self.instance, None);
                looks.condition(proctype.action_of(next));
                reader.accesses.join(&looks.accesses);
            }
        }
        if proctype.action(edge.action).kind == ActionKind::End && !self.facts.numbers_matter() {
            reader.accesses.dies = false;
            concerns.vanishes = true;
        }
        if self.facts.keeps_static_dependence() {
            let possible = self.facts.static_accesses(self.instance, id);
            concerns.possible.get_or_insert_default().join(&possible);
        }
        let accesses = &reader.accesses;
        concerns.add_possible(accesses, |channel| self.reader().room(channel));
        concerns.visible |= self.facts.is_visible(accesses);
    }

    /// An action that is not possible: what could make it so?
    fn add_impossible(&self, action: &Action, concerns: &mut Dependencies) {
        let proctype = self.facts.model.proctype(self.instance.proctype);
        if let Some(clause) = &proctype.provided
            && self.add_condition(clause, concerns)
        {
            return;
        }
        match &action.kind {
            // The processes that are younger have to die first, the youngest before all others.
            ActionKind::End => {
                let youngest = self.here.workspace.process_count().saturating_sub(1);
                concerns.join(&Dependencies::with(youngest as u8));
            }
            ActionKind::DStep { entry } => {
                for &edge in &proctype.location(*entry).edges {
                    self.add_impossible_step(proctype.action_of(edge), concerns);
                }
            }
            ActionKind::Step { .. } => self.add_impossible_step(action, concerns),
        }
    }

    fn add_impossible_step(&self, action: &Action, concerns: &mut Dependencies) {
        let ActionKind::Step { guard, communication, .. } = &action.kind else { return };
        match guard {
            // Something else of the same process is possible: it is in the set already.
            Guard::Else => return,
            Guard::When(condition) if self.add_condition(condition, concerns) => return,
            Guard::When(_) => {}
        }
        match communication {
            Some(Communication::Send { channel, .. }) => {
                let channels = self.add_channel(channel, concerns);
                concerns.add_uses(&[Use::Receive, Use::RandomReceive, Use::Peek], &channels);
            }
            Some(Communication::Receive { channel, random, patterns, .. }) => {
                let channels = self.add_channel(channel, concerns);
                let messages = |channel| match channel < self.here.workspace.channel_count() {
                    true => self.here.workspace.messages(channel).len(),
                    false => 0,
                };
                let is_empty = channels.iter().all(|channel| messages(channel) == 0);
                if is_empty || *random {
                    concerns.add_uses(&SENDS, &channels);
                } else {
                    // The message in front is not wanted: it has to go, or another to be put before it.
                    concerns.add_uses(&[Use::Receive, Use::RandomReceive, Use::SortedSend], &channels);
                }
                for pattern in patterns {
                    if let Pattern::Match(expr) = pattern {
                        self.add_false(expr, concerns);
                    }
                }
            }
            // It is not the guard and not the communication: an escape goes before it, which is in the set already.
            None => {}
        }
    }

    fn add_channel(&self, channel: &Expr, concerns: &mut Dependencies) -> Set {
        self.add_false(channel, concerns);
        self.reader().channels(channel)
    }

    /// If the condition does not hold: what could make it hold?
    fn add_condition(&self, condition: &Expr, concerns: &mut Dependencies) -> bool {
        if let Expr::Binary(Binary::And, left, right) = condition {
            return self.add_condition(left, concerns) || self.add_condition(right, concerns);
        }
        let ProcessState { system, workspace, pid } = self.here;
        let holds = system.value(workspace, pid, condition).is_ok_and(|value| value != 0);
        if !holds {
            let (uses, channel) = match condition {
                Expr::Query(ChannelQuery::NotFull | ChannelQuery::Empty, channel) => (&RECEIVES, channel),
                Expr::Query(ChannelQuery::NotEmpty | ChannelQuery::Full, channel) => (&SENDS, channel),
                _ => {
                    self.add_false(condition, concerns);
                    return true;
                }
            };
            let channels = self.add_channel(channel, concerns);
            concerns.add_uses(uses, &channels);
        }
        !holds
    }

    fn add_false(&self, condition: &Expr, concerns: &mut Dependencies) {
        let mut reader = self.reader();
        reader.expr(condition);
        concerns.add_false(&reader.accesses);
    }
}

/// May a process complete a rendezvous by this action? Then the step is the sender's, but what it does is done here.
fn may_answer(reader: &Reader<'_>, proctype: &Proctype, action: &Action) -> bool {
    let receives = |action: &Action| match &action.kind {
        ActionKind::Step { communication: Some(Communication::Receive { channel, .. }), .. } => {
            reader.channels(channel).iter().any(|channel| reader.room(channel) != Room::Buffered)
        }
        _ => false,
    };
    match action.kind {
        ActionKind::DStep { entry } => {
            proctype.location(entry).edges.iter().any(|&edge| receives(proctype.action_of(edge)))
        }
        ActionKind::Step { .. } | ActionKind::End => receives(action),
    }
}
