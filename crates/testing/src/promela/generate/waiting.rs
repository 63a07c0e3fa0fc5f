//! Programs in which some processes turn switches on and off forever, and others wait for several switches at once: whether a
//! run is fair to those who wait depends on the order of steps that have nothing else to do with each other.

use reductio_model::ChannelQuery as Query;

use super::super::program::{
    Binary, Channel, Expr, Pattern, Place, Proctype, Receive, Send, Sequence, Statement, Type, Variable,
};
use super::Generator;

/// What is waited for.
struct Switches {
    bits: Vec<String>,
    /// Messages come and go in it, if there is room for any.
    channel: String,
    capacity: u8,
}

impl Generator {
    pub(super) fn waiting(&mut self) {
        let bits: Vec<String> = (0..2 + self.random.below(2)).map(|_| self.fresh("g")).collect();
        let done = self.fresh("g");
        let switches = Switches { bits, channel: self.fresh("c"), capacity: self.random.below(2) as u8 };
        for bit in &switches.bits {
            self.program.globals.push(Variable::new(Type::Bit, bit));
        }
        let flag = Variable::new(Type::Byte, &done);
        self.program.globals.push(flag.clone());
        // The claim is about what those do who wait: the order of all steps that it speaks of is kept anyway.
        self.show(&flag);
        let (capacity, fields) = (switches.capacity, vec![Type::Byte]);
        self.program.channels.push(Channel { name: switches.channel.clone(), length: None, capacity, fields });
        let mut bodies = Vec::new();
        for _ in 0..2 + self.random.below(2) {
            bodies.push((self.switching(&switches), None));
        }
        for _ in 0..1 + self.random.below(2) {
            bodies.push(self.waiter(&switches, &done));
        }
        // Who comes first is chosen last where several are as good.
        if self.random.chance(50) {
            bodies.reverse();
        }
        for (body, provided) in bodies {
            let name = self.fresh("P");
            let (active, parameters, priority) = (1, Vec::new(), None);
            self.program.proctypes.push(Proctype { name, active, parameters, priority, provided, body });
        }
    }

    /// Somebody who turns one or two switches on and off.
    fn switching(&mut self, switches: &Switches) -> Sequence {
        let mut options = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let name = self.random.pick(&switches.bits).clone();
            let bit = || Place::named(&name);
            let set = |value| Statement::Assign(bit(), Expr::Number(value));
            let message = Place::named(&switches.channel);
            let mut steps = match self.random.below(8) {
                0..4 => vec![set(1), set(0)],
                4 => {
                    vec![Statement::Assign(bit(), Expr::binary(Binary::Subtract, Expr::Number(1), Expr::Place(bit())))]
                }
                5 => {
                    let arguments = vec![Expr::Number(1)];
                    vec![Statement::Send(Send { channel: message, sorted: false, parenthesised: false, arguments })]
                }
                6 => {
                    let arguments = vec![Pattern::Any];
                    vec![Statement::Receive(Receive { channel: message, random: false, peek: false, arguments })]
                }
                _ => vec![set(1), Statement::Skip, set(0)],
            };
            if self.random.chance(20) {
                steps.insert(0, Statement::Expr(self.is_on(switches)));
            }
            options.push(if self.random.chance(10) { vec![Statement::Atomic(steps)] } else { steps });
        }
        if self.random.chance(15) {
            options[0].push(Statement::Break);
        }
        vec![Statement::Do(options)]
    }

    /// Somebody who waits, and whether that one may move at all.
    fn waiter(&mut self, switches: &Switches, done: &str) -> (Sequence, Option<Expr>) {
        let report = Statement::Assign(Place::named(done), Expr::Number(1 + self.random.below(2) as i32));
        let mut body = match self.random.below(6) {
            0 => {
                let (channel, arguments) = (Place::named(&switches.channel), vec![Expr::Number(2)]);
                vec![Statement::Send(Send { channel, sorted: false, parenthesised: false, arguments })]
            }
            1 => {
                let (channel, arguments) = (Place::named(&switches.channel), vec![Pattern::Any]);
                vec![Statement::Receive(Receive { channel, random: false, peek: false, arguments })]
            }
            2 => vec![Statement::If(vec![
                vec![Statement::Expr(self.switched(switches))],
                vec![Statement::Expr(self.switched(switches)), Statement::Skip],
            ])],
            _ => vec![Statement::Expr(self.switched(switches))],
        };
        body.push(report);
        if self.random.chance(40) {
            body.push(Statement::Assign(Place::named(done), Expr::Number(0)));
            body = vec![Statement::Do(vec![body])];
        }
        let provided =
            self.random.chance(15).then(|| Expr::binary(Binary::Equal, self.is_on(switches), Expr::Number(1)));
        (body, provided)
    }

    /// Several switches at once.
    fn switched(&mut self, switches: &Switches) -> Expr {
        let operator = if self.random.chance(65) { Binary::And } else { Binary::Or };
        let first = self.is_on(switches);
        let second = if switches.capacity > 0 && self.random.chance(25) {
            let query = *self.random.pick(&[Query::NotEmpty, Query::NotFull, Query::Empty]);
            Expr::Query(query, Place::named(&switches.channel))
        } else {
            self.is_on(switches)
        };
        Expr::binary(operator, first, second)
    }

    fn is_on(&mut self, switches: &Switches) -> Expr {
        let bit = Expr::name(self.random.pick(&switches.bits));
        Expr::binary(Binary::Equal, bit, Expr::Number(i32::from(self.random.chance(70))))
    }
}
