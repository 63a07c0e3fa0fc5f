//! Small protocols of several rounds: requests with replies, a ring with a token, commitment in two phases, alternating bits
//! over channels that lose messages, barriers. In random statements the steps of several processes seldom fit together for so
//! long. Some have one statement too few or too many, so that they go wrong after a while.

use super::super::program::{
    Binary, Channel, Expr, Pattern, Place, Run, Sequence, Statement, Type, Variable, Visitor, is_declaration,
};
use super::Generator;
use super::pieces::{cell, choose, count, declare, equal, flip, into, number, own_cell, receive, send, set, when};

/// What is said about a common decision.
const NO: &str = "red";
const YES: &str = "green";
const ASK: &str = "blue";

impl Generator {
    pub(super) fn protocol(&mut self) {
        self.program.mtypes = ["red", "green", "blue"].map(str::to_owned).to_vec();
        match self.random.below(5) {
            0 => self.requests(),
            1 => self.token_ring(),
            2 => self.two_phases(),
            3 => self.alternating_bit(),
            _ => self.barrier(),
        }
        if self.random.chance(30) {
            self.disturb();
        }
        if self.random.chance(50) {
            // Processes that `run` starts may stand anywhere, and of the others nobody knows the number but themselves.
            self.program.proctypes.reverse();
        }
    }

    /// Clients send a value and the channel for the answer; the server answers there, or has somebody else answer.
    fn requests(&mut self) {
        let clients = 1 + self.random.below(2);
        let served = self.global(Type::Byte);
        let capacity = self.random.below(3);
        let servers = 1 + self.random.below(2);
        let fields = [Type::Byte, Type::Chan];
        let requests = self.global_channel((servers > 1).then_some(servers), capacity, &fields);
        let at = |requests: &str| match servers {
            1 => Place::named(requests),
            _ => own_cell(requests, 0, servers),
        };
        let room = self.random.below(2);
        let replies = self.random.chance(50).then(|| self.global_channel(Some(2), room, &[Type::Byte]));
        let (asked, got) = (self.fresh("t"), self.fresh("t"));
        let mut body = vec![declare(Type::Byte, &asked), declare(Type::Byte, &got)];
        let mut parameters = Vec::new();
        let reply = self.fresh("p");
        match replies {
            Some(_) => parameters.push(Variable::new(Type::Chan, &reply)),
            None => body.insert(0, Statement::DeclareChannel(self.reply_channel(&reply, room))),
        }
        let mut round = vec![
            count(&asked, 2),
            send(at(&requests), vec![Expr::name(&asked), Expr::name(&reply)]),
            receive(Place::named(&reply), vec![into(&got)]),
        ];
        if self.random.chance(60) {
            round.push(Statement::Assert(equal(Expr::name(&got), Expr::name(&asked))));
        }
        let body = self.in_rounds(body, round);
        let client = self.process(if replies.is_some() { 0 } else { clients }, parameters, body);
        self.servers(&requests, servers, capacity, &served);
        if let Some(replies) = replies {
            let arguments = (0..clients).map(|client| vec![Expr::Place(cell(&replies, number(client)))]).collect();
            self.start(&client, arguments, Vec::new());
        }
    }

    fn reply_channel(&mut self, name: &str, room: usize) -> Channel {
        Channel { name: name.to_owned(), length: None, capacity: room as u8, fields: vec![Type::Byte] }
    }

    fn servers(&mut self, requests: &str, servers: usize, capacity: usize, served: &str) {
        let helper = self.random.chance(30).then(|| self.global_channel(None, capacity, &[Type::Byte, Type::Chan]));
        let answering = |generator: &mut Self, from: Place, to: Option<&str>| {
            let (what, who) = (generator.fresh("t"), generator.fresh("t"));
            let mut round = vec![receive(from, vec![into(&what), into(&who)])];
            match to {
                Some(helper) => round.push(send(Place::named(helper), vec![Expr::name(&what), Expr::name(&who)])),
                None => round.extend([count(served, 3), send(Place::named(&who), vec![Expr::name(&what)])]),
            }
            let round = generator.perhaps_atomic(round, 20);
            vec![declare(Type::Byte, &what), declare(Type::Chan, &who), Statement::Do(vec![round])]
        };
        let from = if servers > 1 { own_cell(requests, 0, servers) } else { Place::named(requests) };
        let body = answering(self, from, helper.as_deref());
        self.process(servers, Vec::new(), body);
        if let Some(helper) = helper {
            let body = answering(self, Place::named(&helper), None);
            self.process(1, Vec::new(), body);
        }
    }

    /// `run` with these arguments, one after the other or at once, and what else `init` does.
    fn start(&mut self, name: &str, arguments: Vec<Vec<Expr>>, then: Sequence) {
        let has_priorities = self.random.chance(20) && self.program.channels.iter().all(|channel| channel.capacity > 0);
        let mut runs = Vec::new();
        for arguments in arguments {
            let priority = has_priorities.then(|| 1 + self.random.below(3) as u8);
            runs.push(Statement::Run(Run { proctype: name.to_owned(), arguments, priority }));
        }
        let mut body = self.perhaps_atomic(runs, 60);
        body.extend(then);
        self.program.init = Some(body);
    }

    /// Whoever has the token is alone.
    fn token_ring(&mut self) {
        let size = 2 + self.random.below(2);
        let capacity = self.random.below(2);
        let links = self.global_channel(Some(size), capacity, &[Type::Byte]);
        let (inside, holder) = (self.global(Type::Byte), self.global(Type::Pid));
        let by_run = self.random.chance(60);
        let (me, from, to, token) = (self.fresh("p"), self.fresh("p"), self.fresh("p"), self.fresh("t"));
        let (from_place, to_place) = match by_run {
            true => (Place::named(&from), Place::named(&to)),
            false => (own_cell(&links, 0, size), own_cell(&links, 1, size)),
        };
        let name = if by_run { Expr::name(&me) } else { Expr::name("_pid") };
        let next = Expr::binary(Binary::Remainder, Expr::binary(Binary::Add, Expr::name(&token), number(1)), number(3));
        let mut round =
            vec![receive(from_place, vec![into(&token)]), set(&inside, number(1)), set(&holder, name.clone())];
        if self.random.chance(60) {
            round.push(Statement::Assert(equal(Expr::name(&holder), name)));
        }
        let passed = if self.random.chance(50) { Expr::name(&token) } else { next };
        round.extend([set(&inside, number(0)), send(to_place, vec![passed])]);
        let mut body = vec![declare(Type::Byte, &token)];
        if !by_run {
            let first = equal(Expr::name("_pid"), number(0));
            body.push(choose(first, vec![send(own_cell(&links, 0, size), vec![number(0)])], Vec::new()));
        }
        let body = self.in_rounds(body, round);
        if !by_run {
            self.process(size, Vec::new(), body);
            return;
        }
        let parameters =
            vec![Variable::new(Type::Pid, &me), Variable::new(Type::Chan, &from), Variable::new(Type::Chan, &to)];
        let node = self.process(0, parameters, body);
        let link = |number_of: usize| Expr::Place(cell(&links, number(number_of % size)));
        let arguments = (0..size).map(|index| vec![number(index), link(index), link(index + 1)]).collect();
        self.start(&node, arguments, vec![send(cell(&links, number(0)), vec![number(0)])]);
        if self.random.chance(40) {
            self.hand_on_pids(&node);
        }
    }

    /// The second process that is started gets the number of the first, rather than its place.
    fn hand_on_pids(&mut self, node: &str) {
        let first = self.fresh("t");
        let Some(body) = &mut self.program.init else { return };
        let runs = match body.first_mut() {
            Some(Statement::Atomic(runs)) => runs,
            _ => &mut *body,
        };
        let [first_run, second_run, ..] = &mut runs[..] else { return };
        let (Statement::Run(run), Statement::Run(second)) = (first_run.clone(), second_run) else { return };
        debug_assert_eq!(run.proctype, node);
        second.arguments[0] = Expr::name(&first);
        *first_run = Statement::AssignRun(Place::named(&first), run);
        body.insert(0, declare(Type::Pid, &first));
    }

    /// Somebody asks all the others, who say yes or no, and tells them what comes of it.
    fn two_phases(&mut self) {
        let size = 2;
        let orders = self.random.below(2);
        let capacity = self.random.below(3);
        let to = self.global_channel(Some(size), orders, &[Type::Mtype]);
        let back = self.global_channel(None, capacity, &[Type::Mtype]);
        let (done, undone) = (self.global(Type::Byte), self.global(Type::Byte));
        let me = self.fresh("p");
        let order = self.fresh("t");
        let place = || Place {
            index: Some(Box::new(Expr::binary(Binary::Remainder, Expr::name(&me), number(size)))),
            ..Place::named(&to)
        };
        let mut obey = vec![set(&done, number(1))];
        if self.random.chance(60) {
            obey.push(Statement::Assert(equal(Expr::name(&undone), number(0))));
        }
        let constant = |name: &str| Pattern::Constant(Expr::name(name));
        let vote = |name: &str| vec![send(Place::named(&back), vec![Expr::name(name)])];
        let mut round = vec![receive(place(), vec![constant(ASK)]), Statement::If(vec![vote(YES), vote(NO)])];
        round.push(receive(place(), vec![into(&order)]));
        let refuse = vec![set(&undone, number(1))];
        round.push(choose(equal(Expr::name(&order), Expr::name(YES)), obey, refuse));
        round.extend([set(&done, number(0)), set(&undone, number(0))]);
        let body = self.in_rounds(vec![declare(Type::Mtype, &order)], round);
        let member = self.process(0, vec![Variable::new(Type::Byte, &me)], body);
        let (index, bad, answer) = (self.fresh("i"), self.fresh("t"), self.fresh("t"));
        let each = |body: Sequence| Statement::For(Place::named(&index), number(0), number(size - 1), body);
        let tell = |what: &str| {
            let place = Expr::binary(Binary::Remainder, Expr::name(&index), number(size));
            send(cell(&to, place), vec![Expr::name(what)])
        };
        let is_no = equal(Expr::name(&answer), Expr::name(NO));
        let listen = vec![
            receive(Place::named(&back), vec![into(&answer)]),
            choose(is_no, vec![set(&bad, number(1))], Vec::new()),
        ];
        let decide = choose(equal(Expr::name(&bad), number(1)), vec![tell(NO)], vec![tell(YES)]);
        let round = vec![each(vec![tell(ASK)]), set(&bad, number(0)), each(listen), each(vec![decide])];
        let locals = vec![declare(Type::Byte, &index), declare(Type::Byte, &bad), declare(Type::Mtype, &answer)];
        let body = self.in_rounds(locals, round);
        self.process(1, Vec::new(), body);
        self.start(&member, (0..size).map(|index| vec![number(index)]).collect(), Vec::new());
    }

    /// Messages are sent again until they are acknowledged, and told apart by a bit.
    fn alternating_bit(&mut self) {
        let capacity = self.random.below(3);
        let (data, acks) = (
            self.global_channel(None, capacity, &[Type::Byte, Type::Byte]),
            self.global_channel(None, capacity, &[Type::Byte]),
        );
        let (wanted, received) = (self.global(Type::Byte), self.global(Type::Byte));
        let values = 2 + self.random.below(2);
        let (value, bit, ack) = (self.fresh("t"), self.fresh("t"), self.fresh("t"));
        let again = send(Place::named(&data), vec![Expr::name(&value), Expr::name(&bit)]);
        let is_acknowledged = equal(Expr::name(&ack), Expr::name(&bit));
        let go_on = choose(is_acknowledged, vec![flip(&bit), count(&value, values)], Vec::new());
        let listen = vec![receive(Place::named(&acks), vec![into(&ack)]), go_on];
        let repeat = match self.random.below(2) {
            0 => vec![again.clone()],
            _ => vec![when(Expr::Timeout), again.clone()],
        };
        let locals = [&value, &bit, &ack].map(|name| declare(Type::Byte, name)).to_vec();
        let mut sender = locals;
        sender.push(again);
        sender.push(Statement::Do(vec![listen, repeat]));
        self.process(1, Vec::new(), sender);
        let (got, with, expected) = (self.fresh("t"), self.fresh("t"), self.fresh("t"));
        let mut accept = vec![flip(&expected), set(&received, Expr::name(&got))];
        if self.random.chance(60) {
            accept.insert(0, Statement::Assert(equal(Expr::name(&got), Expr::name(&wanted))));
        }
        accept.push(count(&wanted, values));
        let accept = self.perhaps_atomic(accept, 40);
        let round = vec![
            receive(Place::named(&data), vec![into(&got), into(&with)]),
            choose(equal(Expr::name(&with), Expr::name(&expected)), accept, Vec::new()),
            send(Place::named(&acks), vec![Expr::name(&with)]),
        ];
        let mut receiver = [&got, &with, &expected].map(|name| declare(Type::Byte, name)).to_vec();
        receiver.push(Statement::Do(vec![round]));
        self.process(1, Vec::new(), receiver);
        if self.random.chance(60) {
            let lose = |channel: &str, fields| vec![receive(Place::named(channel), vec![Pattern::Any; fields])];
            let mut losses = vec![lose(&data, 2), lose(&acks, 1)];
            if self.random.chance(40) {
                losses.remove(0);
            }
            self.process(1, Vec::new(), vec![Statement::Do(losses)]);
        }
    }

    /// Nobody begins a round before all have ended the one before.
    fn barrier(&mut self) {
        let size = 2 + self.random.below(2);
        let (arrived, sense, work) = (self.global(Type::Byte), self.global(Type::Byte), self.global(Type::Byte));
        let mine = self.fresh("t");
        let last = vec![set(&arrived, number(0)), set(&sense, Expr::name(&mine))];
        let is_last = equal(Expr::name(&arrived), number(size));
        let arrive = vec![count(&arrived, size + 1), choose(is_last, last, Vec::new())];
        let mut round = vec![count(&work, size + 1), flip(&mine)];
        if self.random.chance(40) {
            round.remove(0);
        }
        round.extend(self.perhaps_atomic(arrive, 80));
        round.push(when(equal(Expr::name(&sense), Expr::name(&mine))));
        if self.random.chance(40) {
            round.push(Statement::Assert(Expr::binary(Binary::Less, Expr::name(&arrived), number(size))));
        }
        let body = self.in_rounds(vec![declare(Type::Byte, &mine)], round);
        self.process(size, Vec::new(), body);
    }

    /// Leaves out a statement, or has one twice.
    fn disturb(&mut self) {
        let (left, twice) = (self.random.below(20), self.random.chance(40));
        self.program.walk(&mut Disturb { left, twice, is_done: false });
    }
}

struct Disturb {
    /// So many statements come before the one that is meant.
    left: usize,
    twice: bool,
    is_done: bool,
}

impl Visitor for Disturb {
    fn sequence(&mut self, body: &mut Sequence) {
        if self.is_done {
            return;
        }
        let Some(step) = body.get(self.left).cloned() else {
            self.left -= body.len();
            return;
        };
        self.is_done = true;
        match step {
            // Without these, it would be no program.
            Statement::Else | Statement::Break => {}
            ref step if is_declaration(step) => {}
            step if self.twice => body.insert(self.left, step),
            _ => body[self.left] = Statement::Skip,
        }
    }
}
