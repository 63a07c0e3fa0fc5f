//! Programs of processes that are all alike, or nearly: they name each other in variables, in messages and by indices.
//! Elsewhere that is too rare to show what goes wrong when processes are exchanged.

use super::super::program::{
    Binary, Channel, Expr, Pattern, Place, Proctype, Receive, Send, Sequence, Statement, Type, Variable,
};
use super::Generator;

/// Values that are only handed on and compared.
const THINGS: [i32; 3] = [4, 5, 6];
/// A value that is the name of nobody.
const NOBODY: i32 = 9;
/// What counts is counted up to this.
const MOST: i32 = 2;

/// The names of what there is in a crowd.
struct Crowd {
    who: String,
    count: String,
    own: String,
    channel: String,
    other: String,
    thing: String,
    kept: String,
    size: u8,
    /// Everybody has a neighbour.
    is_ring: bool,
}

impl Generator {
    pub(super) fn crowd(&mut self) {
        let crowd = Crowd {
            who: self.fresh("g"),
            count: self.fresh("g"),
            own: self.fresh("g"),
            channel: self.fresh("c"),
            other: self.fresh("t"),
            thing: self.fresh("g"),
            kept: self.fresh("g"),
            size: 2 + self.random.below(2) as u8,
            is_ring: self.random.chance(40),
        };
        let first = if self.random.chance(60) { NOBODY } else { 0 };
        let globals = &mut self.program.globals;
        globals.push(Variable { initial: vec![Expr::Number(first)], ..Variable::new(Type::Byte, &crowd.who) });
        globals.extend([&crowd.thing, &crowd.kept].map(|name| Variable::new(Type::Byte, name)));
        globals.push(Variable::new(Type::Byte, &crowd.count));
        globals.push(Variable { length: Some(crowd.size), ..Variable::new(Type::Bit, &crowd.own) });
        for variable in self.program.globals.clone() {
            self.show(&variable);
        }
        let capacity = self.random.below(3) as u8;
        let channel = Channel { name: crowd.channel.clone(), length: None, capacity, fields: vec![Type::Byte] };
        self.program.channels.push(channel);
        let other = Variable { initial: vec![Expr::Number(NOBODY)], ..Variable::new(Type::Byte, &crowd.other) };
        let mut options: Vec<Sequence> = (0..2 + self.random.below(3)).map(|_| self.habit(&crowd)).collect();
        if self.random.chance(30) {
            options[0].push(Statement::Break);
        }
        let body = vec![Statement::Declare(other), Statement::Do(options)];
        let name = self.fresh("P");
        let (parameters, priority, provided) = (Vec::new(), None, None);
        self.program.proctypes.push(Proctype { name, active: crowd.size, parameters, priority, provided, body });
    }

    /// Something that somebody does repeatedly.
    fn habit(&mut self, crowd: &Crowd) -> Sequence {
        let mut steps: Sequence = (0..1 + self.random.below(2)).map(|_| self.deed(crowd)).collect();
        if self.random.chance(60) {
            steps.insert(0, Statement::Expr(self.doubt(crowd)));
        }
        if self.random.chance(25) { vec![Statement::Atomic(steps)] } else { steps }
    }

    /// Oneself, or the next one in the ring.
    fn close(&mut self, crowd: &Crowd) -> Expr {
        if crowd.is_ring && self.random.chance(40) {
            let next = Expr::binary(Binary::Add, Expr::name("_pid"), Expr::Number(1));
            return Expr::binary(Binary::Remainder, next, Expr::Number(i32::from(crowd.size)));
        }
        Expr::name("_pid")
    }

    fn member(&mut self, crowd: &Crowd) -> Expr {
        match self.random.below(8) {
            0..4 => self.close(crowd),
            4 => Expr::name(&crowd.other),
            5 => Expr::name(&crowd.who),
            6 => Expr::Number(NOBODY),
            // Now and then somebody is singled out.
            _ if self.random.chance(30) => Expr::Number(self.random.below(2) as i32),
            _ => Expr::Number(NOBODY),
        }
    }

    /// A cell that is there, whoever it belongs to.
    fn cell(&mut self, crowd: &Crowd) -> Place {
        let index = if self.random.chance(15) { Expr::Number(0) } else { self.close(crowd) };
        Place { name: crowd.own.clone(), index: Some(Box::new(index)), field: None }
    }

    fn doubt(&mut self, crowd: &Crowd) -> Expr {
        let count = || Expr::name(&crowd.count);
        match self.random.below(7) {
            0 | 1 => {
                let operator = if self.random.chance(50) { Binary::Equal } else { Binary::NotEqual };
                Expr::binary(operator, Expr::name(&crowd.who), self.member(crowd))
            }
            2 => Expr::binary(Binary::NotEqual, Expr::name(&crowd.other), self.member(crowd)),
            3 => Expr::Place(self.cell(crowd)),
            4 => Expr::binary(Binary::Equal, Expr::name(&crowd.thing), Expr::name(&crowd.kept)),
            5 => Expr::binary(Binary::Less, count(), Expr::Number(1 + self.random.below(2) as i32)),
            _ => {
                let cell = |index: u8| {
                    let index = Some(Box::new(Expr::Number(i32::from(index))));
                    Expr::Place(Place { name: crowd.own.clone(), index, field: None })
                };
                let sum = (1..crowd.size).fold(cell(0), |sum, index| Expr::binary(Binary::Add, sum, cell(index)));
                Expr::binary(Binary::Equal, sum, Expr::Number(self.random.below(3) as i32))
            }
        }
    }

    fn deed(&mut self, crowd: &Crowd) -> Statement {
        let set = |name: &str, value: Expr| Statement::Assign(Place::named(name), value);
        match self.random.below(12) {
            0 | 1 => set(&crowd.who, self.member(crowd)),
            2 => set(&crowd.other, self.member(crowd)),
            3 | 4 => {
                let cell = self.cell(crowd);
                Statement::Assign(cell.clone(), Expr::binary(Binary::Subtract, Expr::Number(1), Expr::Place(cell)))
            }
            5 => {
                let next = Expr::binary(Binary::Add, Expr::name(&crowd.count), Expr::Number(1));
                set(&crowd.count, Expr::binary(Binary::Remainder, next, Expr::Number(MOST + 1)))
            }
            6 => Statement::Send(Send {
                channel: Place::named(&crowd.channel),
                sorted: false,
                parenthesised: false,
                arguments: vec![self.member(crowd)],
            }),
            7 => {
                let random = self.random.chance(30);
                let argument = match self.random.below(3) {
                    0 => Pattern::Eval(Expr::name("_pid")),
                    1 => Pattern::Store(Place::named(&crowd.other)),
                    _ => Pattern::Store(Place::named(&crowd.who)),
                };
                let channel = Place::named(&crowd.channel);
                Statement::Receive(Receive { channel, random, peek: false, arguments: vec![argument] })
            }
            8 => Statement::Assert(self.doubt(crowd)),
            9 => {
                let count = 2 + self.random.below(2);
                let options = THINGS[..count].iter();
                Statement::If(options.map(|&thing| vec![set(&crowd.thing, Expr::Number(thing))]).collect())
            }
            10 => set(&crowd.kept, Expr::name(&crowd.thing)),
            _ => set(&crowd.who, Expr::Number(NOBODY)),
        }
    }
}
