//! What is said of infinite runs: formulas, never claims, labels of processes.

use super::super::program::{EachStatement, Expr, Formula, Ltl, Program, Sequence, Statement, can_have_label};
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

    /// Whether SPIN and we mean the same by the claim. With a claim, SPIN counts one process more.
    pub fn has_sound_claim(&self) -> bool {
        self.claim_kind().is_some() && self.count_name("_nr_pr") == 0
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
            return Formula::Atom(self.condition(0));
        }
        let mut part = || Box::new(self.formula(depth - 1));
        let (left, right) = (part(), part());
        match self.random.below(9) {
            0 => Formula::Not(left),
            1 | 2 => Formula::Always(left),
            3 | 4 => Formula::Eventually(left),
            5 => Formula::And(left, right),
            6 => Formula::Or(left, right),
            7 => Formula::Implies(left, right),
            _ => Formula::Until(left, right),
        }
    }

    /// A few states, each a loop that waits for one of its conditions. A `break` leads to the next one, or to the end.
    fn never(&mut self) {
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
        let condition = if self.random.chance(30) { Expr::Number(1) } else { self.condition(0) };
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
