//! Short ways to write the pieces that whole protocols are made of.

use super::super::program::{
    Binary, Channel, Expr, Pattern, Place, Proctype, Receive, Send, Sequence, Statement, Type, Variable,
};
use super::Generator;

pub(super) fn number(value: usize) -> Expr {
    Expr::Number(value as i32)
}

pub(super) fn cell(array: &str, index: Expr) -> Place {
    Place { name: array.to_owned(), index: Some(Box::new(index)), field: None }
}

/// `array[_pid % length]`, or that of the next process in the ring.
pub(super) fn own_cell(array: &str, distance: usize, length: usize) -> Place {
    let pid = Expr::name("_pid");
    let place = if distance == 0 { pid } else { Expr::binary(Binary::Add, pid, number(distance)) };
    cell(array, Expr::binary(Binary::Remainder, place, number(length)))
}

pub(super) fn set(name: &str, value: Expr) -> Statement {
    Statement::Assign(Place::named(name), value)
}

/// `name = (name + 1) % bound`
pub(super) fn count(name: &str, bound: usize) -> Statement {
    let next = Expr::binary(Binary::Add, Expr::name(name), number(1));
    set(name, Expr::binary(Binary::Remainder, next, number(bound)))
}

/// `name = 1 - name`
pub(super) fn flip(name: &str) -> Statement {
    set(name, Expr::binary(Binary::Subtract, number(1), Expr::name(name)))
}

pub(super) fn equal(left: Expr, right: Expr) -> Expr {
    Expr::binary(Binary::Equal, left, right)
}

pub(super) fn when(condition: Expr) -> Statement {
    Statement::Expr(condition)
}

pub(super) fn send(channel: Place, arguments: Vec<Expr>) -> Statement {
    Statement::Send(Send { channel, sorted: false, parenthesised: false, arguments })
}

pub(super) fn receive(channel: Place, arguments: Vec<Pattern>) -> Statement {
    Statement::Receive(Receive { channel, random: false, peek: false, arguments })
}

pub(super) fn into(name: &str) -> Pattern {
    Pattern::Store(Place::named(name))
}

pub(super) fn declare(ty: Type, name: &str) -> Statement {
    Statement::Declare(Variable::new(ty, name))
}

/// `if :: condition -> then :: else -> otherwise fi`
pub(super) fn choose(condition: Expr, then: Sequence, otherwise: Sequence) -> Statement {
    let option = |first, mut rest: Sequence| {
        rest.insert(0, first);
        rest
    };
    Statement::If(vec![option(when(condition), then), option(Statement::Else, otherwise)])
}

impl Generator {
    /// A global variable that claims and assertions may speak of.
    pub(super) fn global(&mut self, ty: Type) -> String {
        let variable = Variable::new(ty, self.fresh("g"));
        self.show(&variable);
        self.program.globals.push(variable.clone());
        variable.name
    }

    pub(super) fn global_channel(&mut self, length: Option<usize>, capacity: usize, fields: &[Type]) -> String {
        let name = self.fresh("c");
        let length = length.map(|length| length as u8);
        let channel = Channel { name: name.clone(), length, capacity: capacity as u8, fields: fields.to_vec() };
        self.program.channels.push(channel);
        name
    }

    pub(super) fn process(&mut self, active: usize, parameters: Vec<Variable>, body: Sequence) -> String {
        let name = self.fresh("P");
        let (priority, provided) = (None, None);
        let proctype = Proctype { name: name.clone(), active: active as u8, parameters, priority, provided, body };
        self.program.proctypes.push(proctype);
        name
    }

    /// A few rounds of the same, or rounds without end. What is declared first stays in front.
    pub(super) fn in_rounds(&mut self, mut body: Sequence, round: Sequence) -> Sequence {
        if self.random.chance(50) {
            body.push(Statement::Do(vec![round]));
            return body;
        }
        let counter = self.fresh("k");
        let limit = 2 + self.random.below(2);
        let test = when(Expr::binary(Binary::Less, Expr::name(&counter), number(limit)));
        let again = [vec![test], round, vec![Statement::Increment(Place::named(&counter))]].concat();
        body.insert(0, declare(Type::Byte, &counter));
        body.push(Statement::Do(vec![again, vec![Statement::Else, Statement::Break]]));
        body
    }

    /// The steps as they are, or as one that is not interrupted.
    pub(super) fn perhaps_atomic(&mut self, steps: Sequence, percent: usize) -> Sequence {
        if self.random.chance(percent) { vec![Statement::Atomic(steps)] } else { steps }
    }
}
