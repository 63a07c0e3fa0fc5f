//! Statements. One piece, as they call each other all around.

use super::super::program::{Binary, Expr, Pattern, Place, Receive, Send, Sequence, Statement, Type, Variable};
use super::expressions::is_number;
use super::{CallKind, ChannelEntry, Entry, Generator, Here, Label};

impl Generator {
    /// About as many statements as the budget says, at least one. What they declare is out of view afterwards.
    pub(super) fn sequence(&mut self, here: Here, budget: usize) -> Sequence {
        let view = (self.scope.len(), self.channels.len());
        let mut sequence = Vec::new();
        let mut left = budget.max(1);
        while left > 0 {
            let steps = self.statement(here, &mut left, sequence.is_empty());
            for step in steps {
                let step = self.label(step, here, sequence.is_empty());
                let leaves = matches!(step, Statement::Goto(_) | Statement::Break);
                sequence.push(step);
                if leaves {
                    left = 0;
                    break;
                }
            }
        }
        // A d_step or atomic of declarations only is no sequence.
        if sequence.iter().all(|step| matches!(step, Statement::Declare(_))) {
            sequence.push(self.assignment());
        }
        self.scope.truncate(view.0);
        self.channels.truncate(view.1);
        sequence
    }

    /// Puts a label before a statement, sometimes: one that a jump asked for, or one to jump back to.
    fn label(&mut self, step: Statement, here: Here, first: bool) -> Statement {
        let unlabelled = matches!(
            step,
            Statement::For(..)
                | Statement::ForIn(..)
                | Statement::Declare(_)
                | Statement::Select(..)
                | Statement::DStep(_)
                | Statement::Unless(..)
                | Statement::Goto(_)
                | Statement::Break
                | Statement::Call(..)
        );
        if unlabelled || first || here.d_step || here.inline {
            return step;
        }
        let wanted = here.depth == 0 || here.atomic;
        if wanted && !self.pending.is_empty() && self.random.chance(50) {
            let name = self.pending.remove(0);
            self.labels.push(Label { name: name.clone(), atomic: here.atomic });
            return Statement::Label(name, Box::new(step));
        }
        if self.random.chance(6) {
            let prefix = if self.random.chance(40) { "end" } else { "L" };
            let name = self.fresh(prefix);
            self.labels.push(Label { name: name.clone(), atomic: here.atomic });
            return Statement::Label(name, Box::new(step));
        }
        step
    }

    /// One statement, with the declaration it may need.
    fn statement(&mut self, here: Here, left: &mut usize, first: bool) -> Vec<Statement> {
        *left -= 1;
        if here.d_step {
            return self.step_that_cannot_block(here, left);
        }
        let inner = Here { depth: here.depth + 1, ..here };
        let deep = here.depth >= 3;
        if !deep && *left > 0 && self.random.chance(45) {
            let mut take = |most: usize| {
                let taken = (1 + self.random.below(most)).min(*left);
                *left -= taken;
                taken
            };
            let budget = take(4);
            match self.random.weighted(&[22, 22, 14, 9, 5, 8, 6]) {
                0 => return vec![self.selection(inner, budget)],
                1 if here.atomic => return self.counted_loop(inner, budget),
                1 => return vec![self.repetition(inner, budget)],
                2 => return vec![Statement::Atomic(self.sequence(Here { atomic: true, ..inner }, budget + 1))],
                3 => return vec![Statement::DStep(self.d_step(inner, budget + 1))],
                4 => return vec![Statement::Block(self.sequence(inner, budget))],
                5 if !here.inline => return vec![self.unless(inner, budget)],
                6 => return self.for_loop(inner, budget),
                _ => {}
            }
        }
        match self.random.weighted(&[40, 12, 16, 6, 4, 3, 5, 4, 6, 3]) {
            1 => vec![Statement::Expr(self.guard())],
            2 => vec![self.communication()],
            3 => vec![Statement::Assert(self.assertion())],
            4 => vec![self.print()],
            5 => vec![Statement::Skip],
            6 => self.call(true).map_or_else(|| vec![self.assignment()], |call| vec![call]),
            7 if !first && !here.inline => self.jump(here).map_or_else(|| vec![Statement::Skip], |step| vec![step]),
            8 if !first => vec![self.declaration()],
            9 if !here.inline => self.select(),
            _ => vec![self.assignment()],
        }
    }

    fn step_that_cannot_block(&mut self, here: Here, left: &mut usize) -> Vec<Statement> {
        let inner = Here { depth: here.depth + 1, ..here };
        match self.random.weighted(&[55, 14, 8, 5, 6, 4, 5, 3]) {
            1 if here.depth < 4 => {
                let budget = 1 + (*left > 1) as usize;
                *left = left.saturating_sub(budget);
                let mut options = Vec::new();
                for _ in 0..1 + self.random.below(2) {
                    let mut option = vec![Statement::Expr(self.guard())];
                    option.extend(self.sequence(inner, budget));
                    options.push(option);
                }
                options.push(vec![Statement::Else]);
                if self.random.chance(50) {
                    let sequence = self.sequence(inner, 1);
                    options.last_mut().into_iter().for_each(|option| option.extend(sequence.clone()));
                }
                vec![Statement::If(options)]
            }
            2 if here.depth < 4 => self.for_loop(inner, 1),
            3 => vec![self.print()],
            4 => vec![Statement::Assert(self.assertion())],
            5 => vec![Statement::Skip],
            6 => self.call(false).map_or_else(|| vec![self.assignment()], |call| vec![call]),
            7 if here.depth < 4 => self.counted_loop(inner, 1),
            _ => vec![self.assignment()],
        }
    }

    /// What may block comes first. A jump stays inside.
    fn d_step(&mut self, here: Here, budget: usize) -> Sequence {
        let mut sequence = Vec::new();
        if self.random.chance(30) {
            sequence.push(Statement::Expr(self.guard()));
        } else if self.random.chance(15)
            && let Some(channel) = self.buffered()
        {
            let sends = self.random.chance(50);
            let mut step = if sends { self.send(&channel) } else { self.receive(&channel) };
            if let Statement::Receive(receive) = &mut step {
                receive.peek = false;
            }
            sequence.push(step);
        }
        let inside = Here { d_step: true, breakable: false, ..here };
        if self.random.chance(8) {
            let label = self.fresh("L");
            let option = vec![Statement::Expr(self.guard()), Statement::Goto(label.clone())];
            sequence.push(self.assignment());
            sequence.push(Statement::If(vec![option, vec![Statement::Else]]));
            sequence.push(self.assignment());
            sequence.push(Statement::Label(label, Box::new(self.assignment())));
        }
        if self.random.chance(6) {
            // The first option that can be taken is taken.
            let options = (0..2).map(|_| vec![self.assignment()]).collect();
            sequence.push(Statement::If(options));
        }
        sequence.extend(self.sequence(inside, budget));
        sequence
    }

    pub(super) fn assignment(&mut self) -> Statement {
        if self.random.chance(3)
            && let Some(hidden) = self.program.globals.iter().find(|variable| variable.hidden)
        {
            return Statement::Assign(Place::named(&hidden.name), Expr::Number(1));
        }
        let Some(entry) = self.pick_entry(|entry| entry.writable) else { return Statement::Skip };
        let place = self.place(&entry);
        if wraps_soon(&entry) && self.random.chance(30) {
            return if self.random.chance(60) { Statement::Increment(place) } else { Statement::Decrement(place) };
        }
        let value = match entry.ty {
            Type::Mtype => match self.pick_entry(|other| other.ty == Type::Mtype) {
                Some(other) if self.random.chance(30) => Expr::Place(self.place(&other)),
                _ => self.constant(&Type::Mtype),
            },
            Type::Bool if self.random.chance(60) => self.condition(1),
            _ if self.random.chance(6) => {
                Expr::Number(*self.random.pick(&[-1, 255, 256, 257, 300, -300, 32768, 65537, -32769, 70000]))
            }
            _ if self.random.chance(4) => {
                Expr::binary(Binary::Add, self.value(entry.range, 1), Expr::Number(*self.random.pick(&[254, 65534])))
            }
            _ => self.value(entry.range, 2),
        };
        Statement::Assign(place, value)
    }

    /// Often one that holds.
    fn assertion(&mut self) -> Expr {
        let entry = self.pick_entry(|entry| is_number(&entry.ty));
        match entry {
            Some(entry) if self.random.chance(70) => {
                let place = Expr::Place(self.place(&entry));
                Expr::binary(Binary::LessEqual, place, Expr::Number(entry.range + 3))
            }
            _ => self.guard(),
        }
    }

    fn print(&mut self) -> Statement {
        let count = self.random.below(2);
        Statement::Printf((0..count).map(|_| self.arithmetic(1)).collect())
    }

    fn call(&mut self, may_block: bool) -> Option<Statement> {
        let suits = |call: &&super::Call| call.kind == CallKind::Statements && (may_block || !call.blocking);
        let calls: Vec<_> = self.calls.iter().filter(suits).cloned().collect();
        if calls.is_empty() {
            return None;
        }
        let call = self.random.pick(&calls).clone();
        let arguments = self.arguments(&call.parameters)?;
        Some(Statement::Call(call.name, arguments))
    }

    fn declaration(&mut self) -> Statement {
        let mut variable = Variable::new(self.scalar_type(), self.fresh("t"));
        if self.random.chance(60) {
            let value = match variable.ty {
                Type::Mtype => self.constant(&Type::Mtype),
                _ => self.value(3, 1),
            };
            variable.initial = vec![value];
        }
        self.show(&variable);
        Statement::Declare(variable)
    }

    /// A variable for loops, which nothing else assigns to.
    fn counter(&mut self) -> (Statement, Place) {
        let name = self.fresh("i");
        let variable = Variable::new(Type::Byte, name.clone());
        self.show(&variable);
        self.scope.iter_mut().filter(|entry| entry.name == name).for_each(|entry| entry.writable = false);
        (Statement::Declare(variable), Place::named(name))
    }

    fn select(&mut self) -> Vec<Statement> {
        let scalar = |entry: &Entry| {
            entry.writable
                && entry.length.is_none()
                && entry.field.is_none()
                && matches!(entry.ty, Type::Byte | Type::Int)
        };
        let Some(entry) = self.pick_entry(scalar) else { return vec![self.assignment()] };
        let high = match self.variable_for_bound() {
            Some(place) if self.random.chance(25) => Expr::binary(Binary::BitAnd, Expr::Place(place), Expr::Number(1)),
            _ => Expr::Number(1 + self.random.below(2) as i32),
        };
        let low = Expr::Number(self.random.below(2) as i32);
        vec![Statement::Select(Place::named(entry.name), low, high)]
    }

    fn variable_for_bound(&mut self) -> Option<Place> {
        let entry = self.pick_entry(|entry| entry.unsigned && entry.length.is_none() && entry.field.is_none())?;
        Some(Place::named(entry.name))
    }

    fn for_loop(&mut self, here: Here, budget: usize) -> Vec<Statement> {
        let (declaration, index) = self.counter();
        let inside = Here { breakable: true, ..here };
        // Nothing may jump into the loop from elsewhere, where the counter has not been set.
        let array = self.pick_entry(|entry| entry.length.is_some() && entry.field.is_none());
        let body = self.sequence(Here { inline: true, ..inside }, budget);
        let step = match array {
            Some(entry) if self.random.chance(40) => Statement::ForIn(index, Place::named(entry.name), body),
            _ => {
                let low = self.random.below(2) as i32;
                let high = low + self.random.below(3) as i32;
                Statement::For(index, Expr::Number(low), Expr::Number(high), body)
            }
        };
        vec![declaration, step]
    }

    /// `do :: i < 2 -> ...; i++ :: else -> break od`: a loop that ends even if nothing else can move.
    fn counted_loop(&mut self, here: Here, budget: usize) -> Vec<Statement> {
        let (declaration, index) = self.counter();
        let limit = Expr::Number(1 + self.random.below(2) as i32);
        let test = Expr::binary(Binary::Less, Expr::Place(index.clone()), limit);
        let inside = Here { breakable: true, inline: true, ..here };
        let mut option = vec![Statement::Expr(test)];
        option.extend(self.sequence(inside, budget));
        if !matches!(option.last(), Some(Statement::Break | Statement::Goto(_))) {
            option.push(Statement::Increment(index));
        }
        vec![declaration, Statement::Do(vec![option, vec![Statement::Else, Statement::Break]])]
    }

    fn selection(&mut self, here: Here, budget: usize) -> Statement {
        let count = 1 + self.random.below(3);
        let mut options: Vec<Sequence> = (0..count).map(|_| self.option(here, budget.div_ceil(count))).collect();
        self.add_default(&mut options, here, 45);
        Statement::If(options)
    }

    fn repetition(&mut self, here: Here, budget: usize) -> Statement {
        let inside = Here { breakable: true, ..here };
        let count = 1 + self.random.below(3);
        let mut options: Vec<Sequence> = (0..count).map(|_| self.option(inside, budget.div_ceil(count))).collect();
        if self.random.chance(85) {
            let mut exit = match self.random.below(4) {
                0 => vec![],
                1 => vec![Statement::Else],
                _ => vec![Statement::Expr(self.guard())],
            };
            exit.push(Statement::Break);
            options.push(exit);
        } else {
            self.add_default(&mut options, inside, 30);
        }
        Statement::Do(options)
    }

    /// `else` or `timeout`, anywhere among the options.
    fn add_default(&mut self, options: &mut Vec<Sequence>, here: Here, percent: usize) {
        if !self.random.chance(percent) {
            return;
        }
        let first = if self.random.chance(88) { Statement::Else } else { Statement::Expr(Expr::Timeout) };
        let mut option = vec![first];
        if self.random.chance(50) {
            option.extend(self.sequence(here, 1));
        }
        let place = if self.random.chance(70) { options.len() } else { self.random.below(options.len() + 1) };
        options.insert(place, option);
    }

    fn option(&mut self, here: Here, budget: usize) -> Sequence {
        let view = self.scope.len();
        let mut option = match self.random.weighted(&[35, 20, 15, 8, 5, 3, 3, 2]) {
            0 => vec![Statement::Expr(self.guard())],
            1 => self.counting(),
            2 => vec![self.communication()],
            3 => vec![self.assignment()],
            4 => vec![self.compound_guard(here)],
            5 if !here.inline => vec![self.jump(here).unwrap_or(Statement::Skip)],
            6 => vec![Statement::Skip],
            _ if here.breakable => vec![Statement::Break],
            _ => vec![Statement::Expr(self.guard())],
        };
        if !matches!(option.last(), Some(Statement::Goto(_) | Statement::Break)) && self.random.chance(75) {
            let rest = self.sequence(here, budget);
            // The guard has been the first statement, so the next one may have a label.
            option.extend(rest);
        }
        if !here.inline
            && !matches!(option.last(), Some(Statement::Goto(_) | Statement::Break))
            && self.random.chance(10)
        {
            option.extend(self.jump(here));
        }
        self.scope.truncate(view);
        option
    }

    /// `x < 3 -> x++`
    fn counting(&mut self) -> Sequence {
        let Some(entry) = self.pick_entry(|entry| entry.writable && is_number(&entry.ty)) else {
            return vec![self.assignment()];
        };
        let place = self.fixed_place(&entry);
        let read = Expr::Place(place.clone());
        let limit = 1 + self.random.below(entry.range as usize) as i32;
        if self.random.chance(65) {
            vec![Statement::Expr(Expr::binary(Binary::Less, read, Expr::Number(limit))), Statement::Increment(place)]
        } else {
            vec![Statement::Expr(Expr::binary(Binary::Greater, read, Expr::Number(0))), Statement::Decrement(place)]
        }
    }

    fn compound_guard(&mut self, here: Here) -> Statement {
        let inner = Here { depth: here.depth + 1, ..here };
        match self.random.below(4) {
            0 => Statement::Atomic(self.sequence(Here { atomic: true, ..inner }, 2)),
            1 => Statement::DStep(self.d_step(inner, 2)),
            2 => Statement::Block(self.sequence(inner, 2)),
            3 if here.depth < 3 => self.selection(inner, 2),
            _ => Statement::Expr(self.guard()),
        }
    }

    fn unless(&mut self, here: Here, budget: usize) -> Statement {
        let mut main = self.sequence(here, budget + 1);
        if self.random.chance(15) {
            let escape = self.escape(here);
            main = vec![Statement::Unless(main, escape)];
        }
        let escape = self.escape(here);
        Statement::Unless(main, escape)
    }

    fn escape(&mut self, here: Here) -> Sequence {
        let mut escape = match self.random.below(10) {
            0..=3 => vec![self.communication()],
            4 => vec![Statement::Expr(Expr::Timeout)],
            _ => vec![Statement::Expr(self.guard())],
        };
        if self.random.chance(60) {
            escape.extend(self.sequence(here, 1));
        }
        escape
    }

    /// A jump to somewhere: back to a label of this body, or forward to one that is still to come.
    fn jump(&mut self, here: Here) -> Option<Statement> {
        if here.d_step || here.inline || !self.in_process {
            return None;
        }
        // A cycle inside an atomic sequence would never let go.
        let back = |label: &&Label| !here.atomic || !label.atomic;
        let known: Vec<String> = self.labels.iter().filter(back).map(|label| label.name.clone()).collect();
        if self.may_jump_back && !known.is_empty() && self.random.chance(60) {
            return Some(Statement::Goto(self.random.pick(&known).clone()));
        }
        if self.pending.is_empty() || self.random.chance(30) {
            let prefix = if self.random.chance(15) { "end" } else { "L" };
            let name = self.fresh(prefix);
            self.pending.push(name);
        }
        Some(Statement::Goto(self.random.pick(&self.pending).clone()))
    }

    fn communication(&mut self) -> Statement {
        if self.channels.is_empty() {
            return self.assignment();
        }
        let channel = self.random.pick(&self.channels).clone();
        if self.random.chance(50) { self.send(&channel) } else { self.receive(&channel) }
    }

    pub(super) fn send(&mut self, channel: &ChannelEntry) -> Statement {
        let arguments: Vec<Expr> = {
            let alone = channel.fields.len() == 1;
            channel.fields.iter().map(|field| self.message_value(field, alone)).collect()
        };
        Statement::Send(Send {
            channel: self.channel_place(channel),
            sorted: !channel.rendezvous && self.random.chance(15),
            parenthesised: self.random.chance(25),
            arguments,
        })
    }

    fn message_value(&mut self, field: &Type, alone: bool) -> Expr {
        match field {
            Type::Mtype => match self.pick_entry(|entry| entry.ty == Type::Mtype) {
                Some(entry) if self.random.chance(25) => Expr::Place(self.place(&entry)),
                _ => self.constant(field),
            },
            // A bit that travels alone is not cut, and so nothing is sent that does not fit: see `holds`.
            Type::Bit | Type::Bool if !alone && self.random.chance(20) => Expr::Number(2 + self.random.below(2) as i32),
            Type::Bit | Type::Bool => match self.random.below(3) {
                0 => self.condition(1),
                1 => Expr::binary(Binary::BitAnd, self.arithmetic(1), Expr::Number(1)),
                _ => self.constant(field),
            },
            _ if self.random.chance(3) => Expr::Number(*self.random.pick(&[256, 300, -1])),
            _ => self.value(3, 1),
        }
    }

    pub(super) fn receive(&mut self, channel: &ChannelEntry) -> Statement {
        let mut taken: Vec<String> = Vec::new();
        let arguments = channel.fields.iter().map(|field| self.pattern(field, &mut taken)).collect();
        Statement::Receive(Receive {
            channel: self.channel_place(channel),
            random: !channel.rendezvous && self.random.chance(20),
            peek: !channel.rendezvous && self.random.chance(12),
            arguments,
        })
    }

    /// No two fields go to the same variable, for which of them is stored last is nowhere said.
    fn pattern(&mut self, field: &Type, taken: &mut Vec<String>) -> Pattern {
        if self.random.chance(40) {
            return self.test_pattern(field);
        }
        let suits = |entry: &Entry| entry.writable && !taken.contains(&entry.name) && holds(entry, field);
        match self.pick_entry(suits) {
            Some(entry) => {
                taken.push(entry.name.clone());
                Pattern::Store(self.fixed_place(&entry))
            }
            None => Pattern::Any,
        }
    }
}

/// Whether the variable can hold every value of the field. Where it cannot, SPIN is not to be trusted: to take a
/// receive back it puts the variable's value, cut to its size, into the channel.
fn holds(entry: &Entry, field: &Type) -> bool {
    // What an inline is given may be of any type.
    let known = entry.unsigned == super::is_unsigned(&entry.ty);
    known
        && match field {
            Type::Mtype => entry.ty == Type::Mtype,
            Type::Bit | Type::Bool => is_number(&entry.ty),
            Type::Byte => matches!(entry.ty, Type::Byte | Type::Pid | Type::Short | Type::Int),
            Type::Short => matches!(entry.ty, Type::Short | Type::Int),
            _ => entry.ty == Type::Int,
        }
}

/// Few values, so that counting on and on is harmless. (Elements of an array of bits are bytes.)
fn wraps_soon(entry: &Entry) -> bool {
    matches!(entry.ty, Type::Bit | Type::Unsigned(_)) && entry.length.is_none() && entry.field.is_none()
}
