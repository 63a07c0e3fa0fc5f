//! Random while-programs: a few processes that talk in an order that often works out, with variables of all types.
//!
//! All numbers are between 0 and 3, so that nothing goes wrong and there are few states, except in programs that are *risky*:
//! there, values leave their ranges, indices their arrays, and divisors may be zero.

use super::program::{Process, Program, Statement};
use crate::random::Random;

/// The same seed is the same program until this file changes.
pub fn generate(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let count = 1 + random.weighted(&[20, 50, 30]);
    let scopes: Vec<Scope> = (0..count).map(|number| Scope::new(number, &mut random)).collect();
    let is_risky = random.chance(15);
    let talks = if count == 1 { Vec::new() } else { talks(count, &mut random) };
    let is_endless = random.chance(50);
    let mut processes = Vec::new();
    let mut labels = Vec::new();
    for scope in &scopes {
        let mut writer = Writer { random: &mut random, scope, count, is_risky, labels: 0 };
        let mut body = writer.body(&talks);
        if writer.random.chance(if is_endless { 90 } else { 10 }) {
            body = vec![Statement::While("TRUE".to_owned(), body)];
        }
        labels.extend((0..writer.labels).map(|label| format!("label({}.l{label})", scope.name())));
        processes.push(Process { name: scope.name(), declarations: scope.declarations(), body });
    }
    let mut asking = Asking { random: &mut random, atoms: Vec::new() };
    asking.choose_atoms(&scopes, &labels);
    let ctl = (0..asking.random.below(5)).map(|_| asking.formula()).collect();
    let ltl = (0..asking.random.below(2)).map(|_| asking.line(3)).collect();
    Program { processes, ctl, ltl }
}

/// Who sends to whom, in an order that everybody keeps to.
fn talks(count: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let talk = |random: &mut Random| {
        let from = random.below(count);
        (from, (from + 1 + random.below(count - 1)) % count)
    };
    (0..1 + random.below(4)).map(|_| talk(random)).collect()
}

/// A process and its variables.
struct Scope {
    number: usize,
    booleans: Vec<&'static str>,
    numbers: Vec<&'static str>,
    /// With their lengths.
    arrays: Vec<(&'static str, usize)>,
}

impl Scope {
    fn new(number: usize, random: &mut Random) -> Scope {
        let mut some = |of: &[&'static str]| of.iter().copied().filter(|_| random.chance(50)).collect::<Vec<_>>();
        let booleans = some(&["p", "q"]);
        let mut numbers = some(&["r", "s", "w", "n"]);
        if numbers.is_empty() {
            numbers.push("w");
        }
        let mut arrays = Vec::new();
        if random.chance(35) {
            arrays.push(("a", 2 + random.below(2)));
        }
        Scope { number, booleans, numbers, arrays }
    }

    fn name(&self) -> String {
        format!("P{}", self.number)
    }

    fn declarations(&self) -> Vec<String> {
        let booleans = self.booleans.iter().map(|name| format!("boolean {name};"));
        let numbers = self.numbers.iter().map(|name| match *name {
            "w" => "int:2 w;".to_owned(),
            "n" => "int n;".to_owned(),
            range => format!("int[0..3] {range};"),
        });
        let arrays = self.arrays.iter().map(|(name, length)| format!("int:2 {name}[{length}];"));
        booleans.chain(numbers).chain(arrays).collect()
    }
}

/// Writes the body of one process.
struct Writer<'r> {
    random: &'r mut Random,
    scope: &'r Scope,
    /// How many processes there are.
    count: usize,
    is_risky: bool,
    labels: usize,
}

impl Writer<'_> {
    fn body(&mut self, talks: &[(usize, usize)]) -> Vec<Statement> {
        let mut body = self.sequence(2, 3);
        for &(from, to) in talks {
            if from == self.scope.number {
                body.push(self.send(to));
            } else if to == self.scope.number {
                let (target, is_boolean) = self.target();
                body.push(Statement::Simple(format!("receive(P{from}, {target})")));
                if !is_boolean && self.random.chance(40) {
                    body.extend(self.needed_perhaps(&target));
                }
            } else {
                continue;
            }
            body.extend(self.sequence(2, 3));
        }
        body
    }

    /// A variable is read if another one is large, and then written: before that, it is dead under a condition.
    fn needed_perhaps(&mut self, deciding: &str) -> [Statement; 2] {
        let (needed, bound) = (*self.random.pick(&self.scope.numbers), self.random.below(3));
        let (target, is_boolean) = self.target();
        let value = if is_boolean { format!("({needed} > 1)") } else { needed.to_owned() };
        let read = Statement::Simple(format!("{target} := {value}"));
        let write = Statement::Simple(format!("{needed} := {}", self.random.below(4)));
        [Statement::If(format!("({deciding} > {bound})"), vec![read], Vec::new()), write]
    }

    fn sequence(&mut self, depth: usize, most: usize) -> Vec<Statement> {
        (0..self.random.below(most + 1)).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let nested = if depth == 0 { 0 } else { 14 };
        let talk = if self.count > 1 { 4 } else { 0 };
        match self.random.weighted(&[40, 14, nested, nested / 2, 4, 6, 4, talk]) {
            0 => self.assignment(),
            1 => self.choice(),
            2 => Statement::If(self.condition(2), self.sequence(depth - 1, 3), self.sequence(depth - 1, 2)),
            3 => self.repetition(depth),
            4 => Statement::Simple("skip".to_owned()),
            5 => {
                self.labels += 1;
                Statement::Simple(format!("label l{}", self.labels - 1))
            }
            6 => Statement::Simple(format!("assert {}", self.assertion())),
            _ => {
                let other = (self.scope.number + 1 + self.random.below(self.count - 1)) % self.count;
                if self.random.chance(50) { self.send(other) } else { self.receive(other) }
            }
        }
    }

    /// Most hold always, for a violation hides others.
    fn assertion(&mut self) -> String {
        let number = self.number(1);
        if self.random.chance(80) { format!("{number} < 4") } else { self.condition(1) }
    }

    fn assignment(&mut self) -> Statement {
        let (target, is_boolean) = self.target();
        let value = if is_boolean { self.condition(2) } else { self.number(2) };
        Statement::Simple(format!("{target} := {value}"))
    }

    fn choice(&mut self) -> Statement {
        let (target, is_boolean) = self.target();
        let values = match (is_boolean, self.random.below(3)) {
            (true, _) => "TRUE, FALSE".to_owned(),
            (false, 0) => "0 .. 2".to_owned(),
            (false, _) => format!("{}, {}", self.number(1), self.number(1)),
        };
        Statement::Simple(format!("{target} := {{{values}}}"))
    }

    /// Half of the loops count, so that they end.
    fn repetition(&mut self, depth: usize) -> Statement {
        let mut body = self.sequence(depth - 1, 3);
        if self.random.chance(50) {
            return Statement::While(self.condition(1), body);
        }
        let counter = *self.random.pick(&self.scope.numbers);
        body.push(Statement::Simple(format!("{counter} := {counter} + 1")));
        Statement::While(format!("{counter} < {}", 1 + self.random.below(3)), body)
    }

    fn send(&mut self, to: usize) -> Statement {
        let value = if self.random.chance(15) { self.condition(1) } else { self.number(1) };
        Statement::Simple(format!("send(P{to}, {value})"))
    }

    fn receive(&mut self, from: usize) -> Statement {
        let (target, _) = self.target();
        Statement::Simple(format!("receive(P{from}, {target})"))
    }

    /// What can be assigned to, and whether it is boolean.
    fn target(&mut self) -> (String, bool) {
        let Scope { booleans, numbers, arrays, .. } = self.scope;
        match self.random.weighted(&[3 * numbers.len(), 2 * booleans.len(), 3 * arrays.len()]) {
            0 => ((*self.random.pick(numbers)).to_owned(), false),
            1 => ((*self.random.pick(booleans)).to_owned(), true),
            _ => (self.element(), false),
        }
    }

    fn element(&mut self) -> String {
        let (name, length) = *self.random.pick(&self.scope.arrays);
        match self.random.below(3) {
            0 => format!("{name}[{}]", self.random.below(length)),
            // A constant that is out of range would not be accepted.
            _ if self.is_risky => format!("{name}[{}]", self.random.pick(&self.scope.numbers)),
            _ => format!("{name}[({}) % {length}]", self.number(1)),
        }
    }

    /// A number from 0 to 3, but in risky programs.
    fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(40) {
            return match self.random.below(10) {
                0..3 => self.random.below(4).to_string(),
                3 | 4 if depth > 0 && !self.scope.arrays.is_empty() => self.element(),
                _ => (*self.random.pick(&self.scope.numbers)).to_owned(),
            };
        }
        let (one, other) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(if self.is_risky { 8 } else { 5 }) {
            0 | 1 => format!("(({one} + {other}) % 4)"),
            2 => format!("(3 - {one})"),
            3 => format!("({one} * {other} % 4)"),
            4 => format!("({one} / {})", 1 + self.random.below(2)),
            5 => format!("({one} + 1)"),
            6 => format!("({one} - {other})"),
            _ => format!("({one} / {other})"),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(40) {
            if !self.scope.booleans.is_empty() && self.random.chance(40) {
                return (*self.random.pick(&self.scope.booleans)).to_owned();
            }
            let operator = *self.random.pick(&["=", "!=", "<", "<=", ">", ">="]);
            return format!("({} {operator} {})", self.number(depth.min(1)), self.number(0));
        }
        let (one, other) = (self.condition(depth - 1), self.condition(depth - 1));
        match self.random.below(7) {
            0 | 1 => format!("({one} && {other})"),
            2 | 3 => format!("({one} || {other})"),
            4 => format!("({one} -> {other})"),
            5 => format!("!{one}"),
            _ => (*self.random.pick(&["TRUE", "FALSE"])).to_owned(),
        }
    }
}

/// Writes formulas. They look at few things, for what nobody looks at is what can be reduced.
struct Asking<'r> {
    random: &'r mut Random,
    atoms: Vec<String>,
}

impl Asking<'_> {
    fn choose_atoms(&mut self, scopes: &[Scope], labels: &[String]) {
        for _ in 0..1 + self.random.below(2) {
            let scope = self.random.pick(scopes);
            let atom = if !labels.is_empty() && self.random.chance(35) {
                self.random.pick(labels).clone()
            } else if !scope.booleans.is_empty() && self.random.chance(30) {
                format!("{}.{}", scope.name(), self.random.pick(&scope.booleans))
            } else if !scope.arrays.is_empty() && self.random.chance(20) {
                format!("({}.a[{}] = 1)", scope.name(), self.random.below(2))
            } else {
                let operator = *self.random.pick(&["=", "<", "!="]);
                let variable = *self.random.pick(&scope.numbers);
                format!("({}.{variable} {operator} {})", scope.name(), 1 + self.random.below(2))
            };
            self.atoms.push(atom);
        }
    }

    /// A formula of computation trees. Some of those that speak of all runs are ones of linear time.
    fn formula(&mut self) -> String {
        let quantifiers: &[&str] = if self.random.chance(60) { &["A"] } else { &["A", "E"] };
        self.tree(3, quantifiers)
    }

    fn tree(&mut self, depth: usize, quantifiers: &[&str]) -> String {
        if depth == 0 || depth < 3 && self.random.chance(20) {
            return self.random.pick(&self.atoms).clone();
        }
        let (one, other) = (self.tree(depth - 1, quantifiers), self.tree(depth - 1, quantifiers));
        let quantifier = *self.random.pick(quantifiers);
        match self.random.weighted(&[20, 20, 16, 2, 8, 8, 8, 8]) {
            0 => format!("{quantifier}G {one}"),
            1 => format!("{quantifier}F {one}"),
            2 => format!("{quantifier}[{one} U {other}]"),
            3 => format!("{quantifier}X {one}"),
            4 => format!("({one} && {other})"),
            5 => format!("({one} || {other})"),
            6 => format!("({one} -> {other})"),
            _ => format!("!{one}"),
        }
    }

    /// A formula of linear time.
    fn line(&mut self, depth: usize) -> String {
        if depth == 0 || depth < 3 && self.random.chance(20) {
            return self.random.pick(&self.atoms).clone();
        }
        let (one, other) = (self.line(depth - 1), self.line(depth - 1));
        match self.random.weighted(&[20, 20, 14, 2, 8, 8, 8, 8]) {
            0 => format!("([] {one})"),
            1 => format!("(<> {one})"),
            2 => format!("({one} U {other})"),
            3 => format!("(X {one})"),
            4 => format!("({one} && {other})"),
            5 => format!("({one} || {other})"),
            6 => format!("({one} -> {other})"),
            _ => format!("!{one}"),
        }
    }
}
