//! Programs that hand channels on: in messages, and in variables that hold now this channel and now that. Which channel a
//! statement is about is known only when it is executed, and everybody may come to know the channels of others.

use reductio_model::ChannelQuery as Query;

use super::super::program::{Binary, Channel, Expr, Pattern, Place, Poll, Receive, Send, Sequence, Statement, Type};
use super::Generator;
use super::pieces::{cell, count, declare, equal, into, number, own_cell, set, when};

const FIELDS: [Type; 2] = [Type::Byte, Type::Chan];
/// Messages are numbers below this.
const VALUES: usize = 2;

/// What a process knows.
struct Known {
    /// An array of buffered channels that all know.
    array: String,
    /// A channel that all know, perhaps without room.
    single: String,
    /// A channel of the process itself.
    own: Option<String>,
    /// Its variable that holds a channel, and one for values.
    held: String,
    value: String,
    heard: String,
}

impl Generator {
    pub(super) fn references(&mut self) {
        let heard = self.global(Type::Byte);
        let (room, other_room) = (1 + self.random.below(2), self.random.below(2));
        let array = self.global_channel(Some(2), room, &FIELDS);
        let single = self.global_channel(None, other_room, &FIELDS);
        for _ in 0..2 + self.random.below(2) {
            let own = self.random.chance(40).then(|| self.fresh("c"));
            let (held, value) = (self.fresh("t"), self.fresh("t"));
            let known = Known { array: array.clone(), single: single.clone(), own, held, value, heard: heard.clone() };
            let body = self.correspondent(&known);
            let count = 1 + usize::from(self.random.chance(15));
            self.process(count, Vec::new(), body);
        }
    }

    fn correspondent(&mut self, known: &Known) -> Sequence {
        let mut body = Vec::new();
        if let Some(own) = &known.own {
            let channel = Channel { name: own.clone(), length: None, capacity: 1, fields: FIELDS.to_vec() };
            body.push(Statement::DeclareChannel(channel));
        }
        body.extend([declare(Type::Chan, &known.held), declare(Type::Byte, &known.value)]);
        // Nobody sends to a channel that there is not.
        let first = match &known.own {
            Some(own) if self.random.chance(50) => Place::named(own),
            _ => cell(&known.array, number(self.random.below(2))),
        };
        body.push(set(&known.held, Expr::Place(first)));
        if self.random.chance(35) {
            body.extend((0..3).map(|_| self.letter(known)));
            return body;
        }
        let mut options: Vec<Sequence> = (0..2 + self.random.below(2)).map(|_| self.correspondence(known)).collect();
        if self.random.chance(25) {
            options[0].push(Statement::Break);
        }
        body.push(Statement::Do(options));
        body
    }

    fn correspondence(&mut self, known: &Known) -> Sequence {
        let mut steps: Sequence = (0..1 + self.random.below(2)).map(|_| self.letter(known)).collect();
        if self.random.chance(40) {
            steps.insert(0, when(self.curiosity(known)));
        }
        self.perhaps_atomic(steps, 15)
    }

    fn some_channel(&mut self, known: &Known) -> Place {
        match (self.random.below(6), &known.own) {
            (0, Some(own)) => Place::named(own),
            (0 | 1, _) => cell(&known.array, number(self.random.below(2))),
            (2, _) => own_cell(&known.array, self.random.below(2), 2),
            (3, _) => Place::named(&known.single),
            _ => Place::named(&known.held),
        }
    }

    fn letter(&mut self, known: &Known) -> Statement {
        match self.random.below(10) {
            0..4 => {
                let value = match self.random.below(3) {
                    0 => Expr::name(&known.value),
                    _ => number(self.random.below(VALUES)),
                };
                let arguments = vec![value, Expr::Place(self.some_channel(known))];
                let channel = self.some_channel(known);
                Statement::Send(Send { channel, sorted: false, parenthesised: self.random.chance(20), arguments })
            }
            4..8 => {
                let channel = self.some_channel(known);
                let value = match self.random.below(3) {
                    0 => Pattern::Constant(number(self.random.below(VALUES))),
                    _ => into(&known.value),
                };
                let sender = match self.random.below(5) {
                    0 => Pattern::Any,
                    1 if channel.name != known.held => Pattern::Eval(Expr::name(&known.held)),
                    // SPIN would not find back to the channel.
                    _ if channel.name == known.held => Pattern::Any,
                    _ => into(&known.held),
                };
                let buffered = channel.name == known.array;
                let random = buffered && self.random.chance(20);
                let peek = buffered && self.random.chance(15);
                Statement::Receive(Receive { channel, random, peek, arguments: vec![value, sender] })
            }
            8 => set(&known.held, Expr::Place(self.some_channel(known))),
            _ => match self.random.below(3) {
                0 => count(&known.heard, 3),
                1 => Statement::Assert(self.curiosity(known)),
                _ => set(&known.heard, Expr::name(&known.value)),
            },
        }
    }

    /// What one asks of channels and of what comes in them.
    fn curiosity(&mut self, known: &Known) -> Expr {
        match self.random.below(6) {
            0 | 1 => {
                let operator = *self.random.pick(&[Binary::Equal, Binary::NotEqual]);
                Expr::binary(operator, Expr::name(&known.held), Expr::Place(self.some_channel(known)))
            }
            2 => {
                let query = Expr::Query(Query::Len, Place::named(&known.held));
                Expr::binary(Binary::Less, query, number(1))
            }
            3 => {
                let query = *self.random.pick(&[Query::Empty, Query::NotEmpty]);
                Expr::Query(query, self.some_channel(known))
            }
            4 => {
                let sender = match self.random.below(2) {
                    0 => Pattern::Any,
                    _ => Pattern::Eval(Expr::name(&known.held)),
                };
                let arguments = vec![Pattern::Constant(number(self.random.below(VALUES))), sender];
                let random = self.random.chance(30);
                let channel = cell(&known.array, number(self.random.below(2)));
                Expr::Poll(Poll { channel, random, arguments })
            }
            _ => equal(Expr::name(&known.heard), number(self.random.below(2))),
        }
    }
}
