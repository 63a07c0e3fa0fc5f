//! What is put into a program that is there already: questions of who moved last and of who can move, priorities that `run`
//! gives, and loops over the messages of a channel.

use super::super::program::{
    Binary, EachStatement, Expr, Formula, Place, Proctype, Program, Sequence, Statement, Type, Typedef, Variable,
    Visitor, is_declaration,
};
use super::Generator;
use super::pieces::{declare, equal, into, number, receive, send, set, when};

impl Generator {
    pub(super) fn additions(&mut self) {
        if self.program.ltl.is_some() || self.program.never.is_some() {
            let alike = self.program.pairs_that_stay();
            match self.random.below(3) {
                0 | 1 if !alike.is_empty() => {
                    let pair = *self.random.pick(&alike);
                    self.watch_places(pair);
                }
                1 | 2 if !self.program.has_rendezvous() => self.watch_who_can_move(),
                _ => self.watch_who_moved(),
            }
        }
        const KINDS: [fn(&mut Generator); 4] = [
            Generator::ask_who_moved,
            Generator::ask_who_can_move,
            Generator::go_through_messages,
            Generator::run_with_priorities,
        ];
        let first = self.random.below(KINDS.len());
        let second = (first + 1 + self.random.below(KINDS.len() - 1)) % KINDS.len();
        KINDS[first](self);
        if self.random.chance(50) {
            KINDS[second](self);
        }
    }

    /// `_last == 1`
    fn last(&mut self) -> Expr {
        let operator = *self.random.pick(&[Binary::Equal, Binary::Equal, Binary::NotEqual, Binary::Less]);
        let other = match self.random.below(4) {
            0 if self.in_process => Expr::name("_pid"),
            _ => number(self.random.below(3)),
        };
        Expr::binary(operator, Expr::name("_last"), other)
    }

    /// Some guards of processes ask who moved last, and somebody writes it down.
    fn ask_who_moved(&mut self) {
        self.in_process = true;
        let mut chosen = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let (number, last, is_and) = (self.random.below(8), self.last(), self.random.chance(60));
            chosen.push((number, last, is_and));
        }
        self.in_process = false;
        for (mut left, last, is_and) in chosen {
            let operator = if is_and { Binary::And } else { Binary::Or };
            let mut change = EachStatement(|step: &mut Statement| {
                let Statement::Expr(expr) = step else { return };
                if left == 0 && *expr != Expr::Timeout {
                    *expr = Expr::binary(operator, expr.clone(), last.clone());
                }
                left = left.wrapping_sub(1);
            });
            self.program.walk_processes(&mut change);
        }
        if self.random.chance(60) {
            let name = self.global(Type::Byte);
            let step = match self.random.chance(50) {
                true => set(&name, Expr::name("_last")),
                false => when(self.last()),
            };
            self.insert_somewhere(step);
        }
    }

    /// Puts a statement behind the declarations of a process.
    fn insert_somewhere(&mut self, step: Statement) {
        let chosen = self.random.below(self.program.proctypes.len().max(1));
        let Some(Proctype { body, .. }) = self.program.proctypes.get_mut(chosen) else { return };
        let first = body.iter().take_while(|step| is_declaration(step)).count();
        let place = first + self.random.below(body.len() + 1 - first);
        body.insert(place, step);
    }

    /// One process asks whether another can move. No two do: SPIN's verifier would ask in circles.
    fn ask_who_can_move(&mut self) {
        let alone: Vec<usize> =
            (0..self.program.proctypes.len()).filter(|&index| self.program.proctypes[index].active == 1).collect();
        if alone.is_empty() || self.program.has_rendezvous() {
            return;
        }
        let asking = *self.random.pick(&alone);
        let instances = self.program.instances();
        let others: Vec<usize> = (0..instances.len()).filter(|&pid| instances[pid] != asking).collect();
        if others.is_empty() {
            return;
        }
        let mut question = Expr::Enabled(Box::new(number(*self.random.pick(&others))));
        if self.random.chance(40) {
            question = question.not();
        }
        let body = &mut self.program.proctypes[asking].body;
        let first = body.iter().take_while(|step| is_declaration(step)).count();
        let place = first + self.random.below(body.len() + 1 - first);
        body.insert(place, when(question));
    }

    /// Somebody sends messages of several fields, and looks at all that are under way.
    fn go_through_messages(&mut self) {
        let (record, first, second) = (self.fresh("Rec"), self.fresh("f"), self.fresh("f"));
        let fields = vec![Variable::new(Type::Byte, &first), Variable::new(Type::Byte, &second)];
        self.program.typedefs.push(Typedef { name: record.clone(), fields });
        let capacity = 2 + self.random.below(2);
        let channel = self.global_channel(None, capacity, &[Type::Record(record.clone())]);
        let sum = self.global(Type::Byte);
        let field =
            |message: &str, field: &str| Place { field: Some(Box::new(Place::named(field))), ..Place::named(message) };
        let mut bodies = Vec::new();
        for is_sender in [true, false] {
            let message = self.fresh("t");
            let mut body = vec![declare(Type::Record(record.clone()), &message)];
            if is_sender {
                for value in 1..=1 + self.random.below(2) {
                    body.push(Statement::Assign(field(&message, &first), number(value)));
                    body.push(send(Place::named(&channel), vec![Expr::name(&message)]));
                }
            } else if self.random.chance(50) {
                body.push(receive(Place::named(&channel), vec![into(&message)]));
            }
            if !is_sender || self.random.chance(50) {
                let both = Expr::binary(Binary::Add, Expr::name(&sum), Expr::Place(field(&message, &first)));
                let mut inside = vec![set(&sum, Expr::binary(Binary::Remainder, both, number(3)))];
                if self.random.chance(30) {
                    inside.push(Statement::Break);
                } else if self.random.chance(30) {
                    inside.push(when(equal(Expr::name(&sum), number(1))));
                }
                let each = Statement::ForIn(Place::named(&message), Place::named(&channel), inside);
                let steps = self.perhaps_atomic(vec![each], 25);
                body.extend(steps);
            }
            bodies.push(body);
        }
        if self.random.chance(50) {
            bodies.reverse();
        }
        for body in bodies {
            self.process(1, Vec::new(), body);
        }
    }

    fn run_with_priorities(&mut self) {
        if self.program.has_rendezvous() {
            return;
        }
        let mut priorities: Vec<Option<u8>> = Vec::new();
        for _ in 0..8 {
            priorities.push(self.random.chance(70).then(|| 1 + self.random.below(3) as u8));
        }
        let mut priorities = priorities.into_iter().cycle();
        self.program.walk(&mut EachStatement(|step: &mut Statement| {
            if let Statement::Run(run) | Statement::AssignRun(_, run) = step {
                run.priority = priorities.next().flatten();
            }
        }));
    }

    /// The claim speaks of who moved last.
    fn watch_who_moved(&mut self) {
        let last = self.last();
        self.put_into_claim(last);
    }

    /// The claim speaks of who can move.
    fn watch_who_can_move(&mut self) {
        let pid = self.random.below(self.program.instances().len() + 1);
        self.put_into_claim(Expr::Enabled(Box::new(number(pid))));
    }

    /// The claim speaks of two processes that are in the same place.
    fn watch_places(&mut self, (one, other): (usize, usize)) {
        let place = |pid: usize| Expr::PcValue(Box::new(number(pid)));
        self.put_into_claim(equal(place(one), place(other)));
    }

    /// Beside one of the conditions of the claim.
    fn put_into_claim(&mut self, question: Expr) {
        let operator = if self.random.chance(50) { Binary::And } else { Binary::Or };
        let mut left = self.random.below(3);
        let mut join = |expr: &mut Expr| {
            if left == 0 && *expr != Expr::Timeout {
                *expr = Expr::binary(operator, expr.clone(), question.clone());
            }
            left = left.wrapping_sub(1);
        };
        if let Some(ltl) = &mut self.program.ltl {
            each_atom(&mut ltl.formula, &mut join);
        }
        for step in self.program.never.iter_mut().flatten() {
            step.walk(&mut EachStatement(|step: &mut Statement| {
                if let Statement::Expr(expr) = step {
                    join(expr);
                }
            }));
        }
    }
}

fn each_atom(formula: &mut Formula, visit: &mut dyn FnMut(&mut Expr)) {
    match formula {
        Formula::Atom(expr) => visit(expr),
        Formula::Not(inner) | Formula::Always(inner) | Formula::Eventually(inner) => each_atom(inner, visit),
        Formula::And(left, right)
        | Formula::Or(left, right)
        | Formula::Implies(left, right)
        | Formula::Until(left, right)
        | Formula::WeakUntil(left, right)
        | Formula::Release(left, right) => {
            each_atom(left, visit);
            each_atom(right, visit);
        }
    }
}

impl Program {
    /// The proctype of each process that is there from the start, by pid.
    fn instances(&self) -> Vec<usize> {
        let counts = self.proctypes.iter().map(|proctype| usize::from(proctype.active)).enumerate();
        counts.flat_map(|(index, count)| vec![index; count]).collect()
    }

    /// Processes of one type that never end: in which place somebody is who has gone, or has not come yet, SPIN and we do not
    /// say alike.
    fn pairs_that_stay(&self) -> Vec<(usize, usize)> {
        let instances = self.instances();
        let pairs = instances.windows(2).enumerate().filter(|(_, pair)| pair[0] == pair[1]);
        pairs.filter(|(_, pair)| stays(&self.proctypes[pair[0]].body)).map(|(pid, _)| (pid, pid + 1)).collect()
    }

    fn walk_processes(&mut self, visitor: &mut dyn Visitor) {
        let bodies = self.proctypes.iter_mut().map(|proctype| &mut proctype.body).chain(&mut self.init);
        bodies.flatten().for_each(|step| step.walk(visitor));
    }
}

/// The last statement is a loop that nothing leaves.
fn stays(body: &Sequence) -> bool {
    let Some(last @ Statement::Do(_)) = body.last() else { return false };
    let mut leaves = false;
    last.clone().walk(&mut EachStatement(|step: &mut Statement| {
        leaves |= matches!(step, Statement::Break | Statement::Unless(..));
    }));
    !leaves
}
