//! What is said of infinite runs: formulas, never claims, labels of processes.

use super::super::program::{
    Binary, EachStatement, Expr, Formula, Ltl, Place, Program, RemotePart, Sequence, Statement, Type, Variable,
    can_have_label,
};
use super::{ClaimKind, Generator};

impl Program {
    /// What is said of its infinite runs.
    pub fn claim_kind(&self) -> Option<ClaimKind> {
        let has_label = |prefix: &str| {
            let mut found = false;
            self.clone().walk(&mut EachStatement(|step: &mut Statement| {
                found |= matches!(step, Statement::Label(name, _) if name.starts_with(prefix));
            }));
            found
        };
        match self {
            Program { ltl: Some(_), .. } => Some(ClaimKind::Ltl),
            Program { never: Some(_), .. } => Some(ClaimKind::Never),
            _ if has_label("accept") => Some(ClaimKind::Acceptance),
            _ if has_label("progress") => Some(ClaimKind::Progress),
            _ => None,
        }
    }

    /// Whether SPIN and we mean the same by the claim. With a claim, SPIN counts one process more, and it may notice an
    /// acceptance label in the middle of an `atomic`.
    pub fn has_sound_claim(&self) -> bool {
        self.claim_kind().is_some() && self.count_name("_nr_pr") == 0 && !self.accepts_inside_atomic()
    }

    fn accepts_inside_atomic(&self) -> bool {
        let mut found = false;
        self.clone().walk(&mut EachStatement(|step: &mut Statement| {
            let Statement::Atomic(body) = step else { return };
            let mut labels = EachStatement(|step: &mut Statement| {
                found |= matches!(step, Statement::Label(name, _) if name.starts_with("accept"));
            });
            body.iter_mut().for_each(|step| step.walk(&mut labels));
        }));
        found
    }
}

impl Generator {
    pub(super) fn claim(&mut self, kind: ClaimKind) {
        // What goes wrong in a step would end the run, and SPIN's search.
        self.program.walk(&mut EachStatement(|step: &mut Statement| {
            if matches!(step, Statement::Assert(_)) {
                *step = Statement::Printf(Vec::new());
            }
        }));
        if matches!(kind, ClaimKind::Ltl | ClaimKind::Never) && self.random.chance(70) {
            self.label_neighbours();
        }
        match kind {
            ClaimKind::Ltl => {
                let depth = 2 + self.random.below(2) as u32;
                let formula = self.formula(depth);
                self.program.ltl = Some(Ltl { name: "property".to_owned(), formula });
            }
            ClaimKind::Never => self.never(),
            ClaimKind::Acceptance => self.label_statements("accept"),
            ClaimKind::Progress => self.label_statements("progress"),
        }
    }

    fn formula(&mut self, depth: u32) -> Formula {
        if depth == 0 || depth < 3 && self.random.chance(10) {
            // Nothing with a minus: SPIN prints the formula and reads it again, and takes `0 - -2` for a decrement.
            return Formula::Atom(self.observation());
        }
        let mut part = || Box::new(self.formula(depth - 1));
        let (left, right) = (part(), part());
        match self.random.below(11) {
            0 => Formula::Not(left),
            1 | 2 => Formula::Always(left),
            3 | 4 => Formula::Eventually(left),
            5 => Formula::And(left, right),
            6 => Formula::Or(left, right),
            7 => Formula::Implies(left, right),
            8 => Formula::WeakUntil(left, right),
            9 => Formula::Release(left, right),
            _ => Formula::Until(left, right),
        }
    }

    /// A few states, each a loop that waits for one of its conditions. A `break` leads to the next one, or to the end.
    fn never(&mut self) {
        if self.random.chance(40) {
            self.program.never = Some(self.remembering());
            return;
        }
        let count = 1 + self.random.below(3);
        let prefixes: Vec<&str> = (0..count).map(|_| *self.random.pick(&["S", "S", "accept_S", "accept_S"])).collect();
        let names: Vec<String> = prefixes.into_iter().map(|prefix| self.fresh(prefix)).collect();
        let mut body = Vec::new();
        for name in &names {
            let mut options: Vec<Sequence> = (0..1 + self.random.below(3)).map(|_| self.watch(&names)).collect();
            if self.random.chance(15) {
                options.push(vec![Statement::Else, Statement::Goto(self.random.pick(&names).clone())]);
            }
            body.push(Statement::Label(name.clone(), Box::new(Statement::Do(options))));
        }
        self.program.never = Some(body);
    }

    /// One option of a claim: it reads one state, seldom two.
    fn watch(&mut self, names: &[String]) -> Sequence {
        let condition = if self.random.chance(30) { Expr::Number(1) } else { self.observation() };
        let mut option = vec![Statement::Expr(condition)];
        match self.random.below(10) {
            0 => option.push(Statement::Break),
            1 => option.extend([Statement::Skip, Statement::Goto(self.random.pick(names).clone())]),
            2 | 3 => {}
            4 => {
                let assertion = Statement::Assert(self.condition(0));
                option = vec![Statement::Atomic(vec![option.remove(0), assertion])];
            }
            _ => option.push(Statement::Goto(self.random.pick(names).clone())),
        }
        option
    }

    /// A claim with a variable of its own: it remembers something of the processes, for a while, and goes on or not by what it
    /// remembers.
    fn remembering(&mut self) -> Sequence {
        let types = [Type::Bit, Type::Bit, Type::Bool, Type::Byte];
        let mut own = Variable::new(self.random.pick(&types).clone(), self.fresh("own"));
        if self.random.chance(40) {
            own.initial = vec![self.constant(&own.ty)];
        }
        let (first, second) = (self.fresh("S"), self.fresh("accept_S"));
        let mut options: Vec<Sequence> = (0..1 + self.random.below(2)).map(|_| self.note(&own)).collect();
        options.push(vec![self.recall(&own), Statement::Goto(second.clone())]);
        if self.random.chance(70) {
            options.push(self.watch(std::slice::from_ref(&first)));
        }
        let mut last = vec![vec![self.recall(&own)]];
        if self.random.chance(50) {
            last.push(self.note(&own));
        }
        let [first, second] = [(first, options), (second, last)]
            .map(|(name, options)| Statement::Label(name, Box::new(Statement::Do(options))));
        vec![Statement::Declare(own), first, second]
    }

    /// Remembers something: what is so in a state, or one more than before.
    fn note(&mut self, own: &Variable) -> Sequence {
        let place = || Place::named(&own.name);
        let note = match self.random.below(4) {
            0 if own.ty == Type::Byte => {
                let next = Expr::binary(Binary::Add, Expr::name(&own.name), Expr::Number(1));
                Statement::Assign(place(), Expr::binary(Binary::Remainder, next, Expr::Number(3)))
            }
            0 => Statement::Increment(place()),
            1 => Statement::Assign(place(), self.value(3, 2)),
            _ => Statement::Assign(place(), self.observation()),
        };
        match self.random.below(3) {
            0 => vec![note],
            1 => vec![Statement::Expr(self.observation()), note],
            _ => vec![Statement::Atomic(vec![Statement::Expr(self.observation()), note])],
        }
    }

    fn recall(&mut self, own: &Variable) -> Statement {
        let operator = *self.random.pick(&[Binary::Equal, Binary::Equal, Binary::NotEqual, Binary::Less]);
        let remembered = Expr::binary(operator, Expr::name(&own.name), Expr::Number(self.random.below(3) as i32));
        match self.random.below(4) {
            0 => Statement::Expr(Expr::binary(Binary::And, remembered, self.observation())),
            1 => Statement::Expr(Expr::binary(Binary::Or, self.observation(), remembered)),
            _ => Statement::Expr(remembered),
        }
    }

    /// What can be seen in a state: something of the variables, of where single processes are, of what they keep, or several
    /// of these at once.
    fn observation(&mut self) -> Expr {
        let seen = self.sight();
        match self.random.below(10) {
            0..3 => Expr::binary(Binary::And, seen, self.sight()),
            3 => Expr::binary(Binary::Or, seen, self.sight()),
            4 => seen.not(),
            _ => seen,
        }
    }

    fn sight(&mut self) -> Expr {
        let remotes = self.program.remotes();
        if remotes.is_empty() || self.random.chance(40) {
            return self.condition(0);
        }
        // As many labels as variables, however many there are of each.
        let wants_label = self.random.chance(65);
        let is_label = |part: &RemotePart| matches!(part, RemotePart::Label(_));
        let mut suitable: Vec<_> = remotes.iter().filter(|remote| is_label(&remote.part) == wants_label).collect();
        if suitable.is_empty() {
            suitable = remotes.iter().collect();
        }
        let chosen = Expr::Remote((*self.random.pick(&suitable)).clone());
        match &chosen {
            Expr::Remote(remote) if is_label(&remote.part) => chosen,
            _ => {
                let operator = *self.random.pick(&[Binary::Equal, Binary::NotEqual, Binary::Less]);
                Expr::binary(operator, chosen, Expr::Number(self.random.below(3) as i32))
            }
        }
    }

    /// Labels two statements of a proctype that stand side by side: a step can lead from one label to the other.
    fn label_neighbours(&mut self) {
        let names = [self.fresh("L"), self.fresh("L")];
        let chosen = self.random.below(self.program.proctypes.len().max(1));
        let Some(proctype) = self.program.proctypes.get_mut(chosen) else { return };
        let mut count = 0;
        let mut places = EachStatement(|step: &mut Statement| count += usize::from(can_have_label(step)));
        proctype.body.iter_mut().for_each(|step| step.walk(&mut places));
        let first = self.random.below(count.max(1));
        let mut number = 0;
        let mut is_labelled = false;
        let mut label = EachStatement(|step: &mut Statement| {
            // What gets a label is visited once more, inside it.
            if !can_have_label(step) || std::mem::take(&mut is_labelled) {
                return;
            }
            if let Some(name) = usize::checked_sub(number, first).and_then(|index| names.get(index)) {
                *step = Statement::Label(name.clone(), Box::new(step.clone()));
                is_labelled = true;
            }
            number += 1;
        });
        proctype.body.iter_mut().for_each(|step| step.walk(&mut label));
    }

    /// Labels one or two statements of processes. Where that is not allowed, another program is generated.
    fn label_statements(&mut self, prefix: &str) {
        for _ in 0..1 + self.random.below(2) {
            let name = self.fresh(prefix);
            let bodies = self.program.proctypes.iter_mut().map(|proctype| &mut proctype.body);
            let mut bodies: Vec<&mut Sequence> = bodies.chain(&mut self.program.init).collect();
            let chosen = self.random.below(bodies.len());
            let mut count = 0;
            let mut places = EachStatement(|step: &mut Statement| count += usize::from(can_have_label(step)));
            bodies[chosen].iter_mut().for_each(|step| step.walk(&mut places));
            let mut left = self.random.below(count.max(1));
            let mut label = EachStatement(|step: &mut Statement| {
                if can_have_label(step) {
                    if left == 0 {
                        *step = Statement::Label(name.clone(), Box::new(step.clone()));
                    }
                    left = left.wrapping_sub(1);
                }
            });
            bodies[chosen].iter_mut().for_each(|step| step.walk(&mut label));
        }
    }
}
