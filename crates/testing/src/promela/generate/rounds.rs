//! Programs of processes that are all alike and go through all of them in loops: a maximum, a count, a broadcast, a reset; and loops that
//! look like these and depend on the order in which they go.

use reductio_model::ChannelQuery as Query;

use super::super::program::{
    Binary, Channel, Expr, Pattern, Place, Proctype, Receive, Send, Sequence, Statement, Type, Variable,
};
use super::Generator;

/// The names of what there is.
struct Names {
    /// Arrays with a cell for each process.
    numbers: String,
    flags: String,
    channels: String,
    /// A variable for all.
    result: String,
    who: String,
    /// Variables of each process.
    counter: String,
    value: String,
    mine: String,
    size: u8,
    capacity: u8,
}

impl Generator {
    pub(super) fn rounds(&mut self) {
        let names = Names {
            numbers: self.fresh("g"),
            flags: self.fresh("g"),
            channels: self.fresh("c"),
            result: self.fresh("g"),
            who: self.fresh("g"),
            counter: self.fresh("t"),
            value: self.fresh("t"),
            mine: self.fresh("t"),
            size: 2 + self.random.below(2) as u8,
            capacity: 1 + self.random.below(2) as u8,
        };
        let nobody = vec![Expr::Number(9)];
        let array = |ty, name: &String| Variable { length: Some(names.size), ..Variable::new(ty, name) };
        let globals = &mut self.program.globals;
        globals.push(array(Type::Byte, &names.numbers));
        globals.push(array(Type::Bit, &names.flags));
        globals.push(Variable::new(Type::Byte, &names.result));
        globals.push(Variable { initial: nobody, ..Variable::new(Type::Byte, &names.who) });
        for variable in self.program.globals.clone() {
            self.show(&variable);
        }
        let (length, fields) = (Some(names.size), vec![Type::Byte]);
        self.program.channels.push(Channel { name: names.channels.clone(), length, capacity: names.capacity, fields });
        let mut body = vec![
            Statement::Declare(Variable::new(Type::Byte, &names.counter)),
            Statement::Declare(Variable::new(Type::Byte, &names.value)),
            Statement::Declare(Variable { length: Some(names.size), ..Variable::new(Type::Bit, &names.mine) }),
        ];
        let mut options: Vec<Sequence> = (0..1 + self.random.below(2)).map(|_| self.going_round(&names)).collect();
        options.push(self.own_deed(&names));
        if self.random.chance(30) {
            options[0].push(Statement::Break);
        }
        body.push(Statement::Do(options));
        let name = self.fresh("P");
        let (parameters, priority, provided) = (Vec::new(), None, None);
        self.program.proctypes.push(Proctype { name, active: names.size, parameters, priority, provided, body });
    }

    fn at(&self, array: &str, index: Expr) -> Place {
        Place { name: array.to_owned(), index: Some(Box::new(index)), field: None }
    }

    /// What a process does with its own cells.
    fn own_deed(&mut self, names: &Names) -> Sequence {
        let own =
            |array: &str| Place { name: array.to_owned(), index: Some(Box::new(Expr::name("_pid"))), field: None };
        let set = |place: Place, value: Expr| Statement::Assign(place, value);
        match self.random.below(6) {
            0 | 1 => {
                let flag = own(&names.flags);
                let other = Expr::binary(Binary::Subtract, Expr::Number(1), Expr::Place(flag.clone()));
                vec![set(flag, other)]
            }
            2 => {
                let number = own(&names.numbers);
                let next = Expr::binary(Binary::Add, Expr::Place(number.clone()), Expr::Number(1));
                vec![set(number, Expr::binary(Binary::Remainder, next, Expr::Number(3)))]
            }
            3 => vec![
                Statement::Receive(Receive {
                    channel: own(&names.channels),
                    random: false,
                    peek: false,
                    arguments: vec![Pattern::Store(Place::named(&names.value))],
                }),
                set(Place::named(&names.value), Expr::Number(0)),
            ],
            4 => vec![set(Place::named(&names.who), Expr::name("_pid")), set(own(&names.flags), Expr::Number(1))],
            _ => {
                let few = Expr::binary(Binary::Less, Expr::name(&names.result), Expr::Number(2));
                vec![set(own(&names.numbers), Expr::Number(1)), Statement::Assert(few)]
            }
        }
    }

    /// A loop, with what comes before and after it.
    fn going_round(&mut self, names: &Names) -> Sequence {
        let own_only = self.random.chance(20);
        let set = |name: &str, value: Expr| Statement::Assign(Place::named(name), value);
        let start = *self.random.pick(&[0, 0, 1, 9]);
        let mut steps = vec![set(&names.value, Expr::Number(start))];
        let round = if own_only { self.private_round(names) } else { self.round(names) };
        steps.extend(self.looping(names, round));
        if self.random.chance(70) {
            steps.push(set(&names.result, Expr::name(&names.value)));
        }
        steps.push(set(&names.value, Expr::Number(0)));
        if self.random.chance(30) {
            steps.push(set(&names.counter, Expr::Number(0)));
        }
        match self.random.below(10) {
            0..4 => vec![Statement::DStep(steps)],
            4..8 => vec![Statement::Atomic(steps)],
            _ => steps,
        }
    }

    /// In one of the ways to write it; not always to the end.
    fn looping(&mut self, names: &Names, mut round: Sequence) -> Sequence {
        let counter = || Place::named(&names.counter);
        let size = i32::from(names.size);
        let (low, high) = match self.random.below(12) {
            0 => (1, size - 1),
            1 => (0, size - 2),
            _ => (0, size - 1),
        };
        if self.random.chance(8) {
            round.push(Statement::If(vec![
                vec![Statement::Expr(Expr::Place(self.at(&names.flags, Expr::name(&names.counter)))), Statement::Break],
                vec![Statement::Else],
            ]));
        }
        match self.random.below(4) {
            0 => vec![Statement::ForIn(counter(), Place::named(&names.flags), round)],
            1 => {
                let asks = Expr::binary(Binary::Less, Expr::name(&names.counter), Expr::Number(high + 1));
                let mut option = vec![Statement::Expr(asks)];
                option.extend(round);
                option.push(Statement::Increment(counter()));
                let done = vec![Statement::Else, Statement::Break];
                vec![Statement::Assign(counter(), Expr::Number(low)), Statement::Do(vec![option, done])]
            }
            _ => vec![Statement::For(counter(), Expr::Number(low), Expr::Number(high), round)],
        }
    }

    /// What is done for each process with variables of one's own.
    fn private_round(&mut self, names: &Names) -> Sequence {
        let cell = self.at(&names.mine, Expr::name(&names.counter));
        match self.random.below(3) {
            0 => vec![Statement::Assign(cell, Expr::Number(0))],
            1 => vec![self.add(&names.value, Expr::Place(cell))],
            _ => vec![Statement::Assign(cell, Expr::Number(1)), self.add(&names.value, Expr::Number(1))],
        }
    }

    fn add(&self, name: &str, value: Expr) -> Statement {
        Statement::Assign(Place::named(name), Expr::binary(Binary::Add, Expr::name(name), value))
    }

    /// What is done for each process.
    fn round(&mut self, names: &Names) -> Sequence {
        let k = || Expr::name(&names.counter);
        let number = self.at(&names.numbers, k());
        let flag = self.at(&names.flags, k());
        let set = |name: &str, value: Expr| Statement::Assign(Place::named(name), value);
        let when = |condition: Expr, mut then: Sequence| {
            then.insert(0, Statement::Expr(condition));
            vec![Statement::If(vec![then, vec![Statement::Else]])]
        };
        let round = match self.random.below(16) {
            0 | 1 => {
                let operator = if self.random.chance(70) { Binary::Greater } else { Binary::LessEqual };
                let better = Expr::binary(operator, Expr::Place(number.clone()), Expr::name(&names.value));
                let mut then = vec![set(&names.value, Expr::Place(number))];
                if self.random.chance(15) {
                    then.push(set(&names.who, k()));
                }
                when(better, then)
            }
            2 | 3 => when(Expr::Place(flag), vec![self.add(&names.value, Expr::Number(1))]),
            4 => vec![Statement::Assign(flag, Expr::Number(self.random.below(2) as i32))],
            5 => vec![self.add(&names.value, Expr::Place(number))],
            6 => {
                let operator = if self.random.chance(50) { Binary::And } else { Binary::Or };
                let both = Expr::binary(operator, Expr::name(&names.value), Expr::Place(flag));
                vec![set(&names.value, both)]
            }
            7 | 8 => {
                let channel = self.at(&names.channels, k());
                let value = if self.random.chance(80) { Expr::Number(1) } else { k() };
                let send = |channel| {
                    Statement::Send(Send { channel, sorted: false, parenthesised: false, arguments: vec![value] })
                };
                let room = Expr::Query(Query::NotFull, channel.clone());
                if self.random.chance(60) {
                    let full = Expr::Query(Query::Full, channel.clone());
                    vec![Statement::If(vec![vec![Statement::Expr(room), send(channel)], vec![Statement::Expr(full)]])]
                } else {
                    vec![send(channel)]
                }
            }
            9 => when(Expr::binary(Binary::Equal, Expr::name(&names.who), k()), vec![set(&names.who, Expr::Number(9))]),
            10 => vec![Statement::Assert(Expr::binary(Binary::Less, Expr::Place(number), Expr::Number(2)))],
            // The order of these matters, or the counter is a number.
            11 => when(Expr::Place(flag), vec![set(&names.who, k())]),
            12 => vec![set(&names.value, Expr::Place(number))],
            13 => vec![self.add(&names.value, k())],
            14 => {
                let change = Expr::binary(Binary::Subtract, Expr::Place(number), Expr::name(&names.value));
                vec![set(&names.value, Expr::binary(Binary::BitAnd, change, Expr::Number(3)))]
            }
            _ => vec![
                Statement::Assign(
                    number.clone(),
                    Expr::binary(Binary::BitAnd, Expr::name(&names.value), Expr::Number(1)),
                ),
                set(&names.value, Expr::binary(Binary::Add, Expr::Place(number), Expr::Number(1))),
            ],
        };
        match self.random.below(8) {
            0 | 1 => {
                let others = Expr::binary(Binary::NotEqual, k(), Expr::name("_pid"));
                when(others, round)
            }
            2 => {
                let flag = Expr::Place(self.at(&names.flags, k()));
                when(flag, round)
            }
            _ => round,
        }
    }
}
