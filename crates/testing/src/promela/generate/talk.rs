//! Programs that are all conversation: several messages under way, several processes that could take them, and a
//! variable that tells in which order they were taken. Elsewhere that is too rare to show what goes wrong in it.

use super::super::program::{
    Binary, Channel, Expr, Pattern, Place, Proctype, Receive, Send, Sequence, Statement, Type, Variable,
};
use super::Generator;

/// Messages are numbers below this.
const VALUES: usize = 3;

impl Generator {
    pub(super) fn conversation(&mut self) {
        let channel = Channel {
            name: self.fresh("c"),
            length: None,
            capacity: self.random.below(4) as u8,
            fields: vec![Type::Byte; 1 + self.random.below(2)],
        };
        let heard = Variable::new(Type::Byte, self.fresh("g"));
        for _ in 0..1 + self.random.below(2) {
            let body = self.talk(&channel);
            self.talking_process(body, 1);
        }
        for _ in 0..1 + self.random.below(2) {
            let body = self.listen(&channel, &heard.name);
            let count = 1 + self.random.below(2);
            self.talking_process(body, count);
        }
        self.program.channels.push(channel);
        self.program.globals.push(heard);
    }

    fn talking_process(&mut self, body: Sequence, count: usize) {
        let name = self.fresh("P");
        let (parameters, priority, provided) = (Vec::new(), None, None);
        self.program.proctypes.push(Proctype { name, active: count as u8, parameters, priority, provided, body });
    }

    fn talk(&mut self, channel: &Channel) -> Sequence {
        let sends: Sequence = (0..2 + self.random.below(2)).map(|_| self.say(channel)).collect();
        if self.random.chance(25) { vec![Statement::Atomic(sends)] } else { sends }
    }

    fn say(&mut self, channel: &Channel) -> Statement {
        Statement::Send(Send {
            channel: Place::named(&channel.name),
            sorted: channel.capacity > 0 && self.random.chance(40),
            parenthesised: false,
            arguments: channel.fields.iter().map(|_| Expr::Number(self.random.below(VALUES) as i32)).collect(),
        })
    }

    /// A few receives, each of which leaves its mark: `heard = (heard * 3 + got + 1) % 27`.
    fn listen(&mut self, channel: &Channel, heard: &str) -> Sequence {
        let got = self.fresh("t");
        let mut body = vec![Statement::Declare(Variable::new(Type::Byte, &got))];
        let mark = |value: Expr| {
            let earlier = Expr::binary(Binary::Multiply, Expr::name(heard), Expr::Number(3));
            let sum = Expr::binary(Binary::Add, Expr::binary(Binary::Add, earlier, value), Expr::Number(1));
            Statement::Assign(Place::named(heard), Expr::binary(Binary::Remainder, sum, Expr::Number(27)))
        };
        for _ in 0..1 + self.random.below(3) {
            if self.random.chance(30) {
                let options = (0..2).map(|_| vec![self.hear(channel, &got), mark(Expr::name(&got))]).collect();
                body.push(Statement::If(options));
            } else {
                body.extend([self.hear(channel, &got), mark(Expr::name(&got))]);
            }
        }
        body
    }

    fn hear(&mut self, channel: &Channel, got: &str) -> Statement {
        let mut stored = false;
        let mut pattern = |generator: &mut Self| match generator.random.below(4) {
            0 => Pattern::Constant(Expr::Number(generator.random.below(VALUES) as i32)),
            1 => Pattern::Any,
            _ if stored => Pattern::Any,
            _ => {
                stored = true;
                Pattern::Store(Place::named(got))
            }
        };
        let arguments = channel.fields.iter().map(|_| pattern(self)).collect();
        let buffered = channel.capacity > 0;
        Statement::Receive(Receive {
            channel: Place::named(&channel.name),
            random: buffered && self.random.chance(30),
            peek: buffered && self.random.chance(10),
            arguments,
        })
    }
}
