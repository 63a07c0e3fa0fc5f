//! Random Promela programs that SPIN accepts and whose state spaces are finite and small.
//!
//! Finite, because every value that is stored comes from a small set: it is a constant, or reduced by `%` or `&`, or
//! counted up behind a guard. Small, because [`Size`] bounds the number of processes and of statements. Sequences that
//! may not be interrupted always end: inside `atomic` and `d_step` there are only counted loops and jumps forward.
//!
//! Some programs are avoided because SPIN itself has no clear answer for them: indices out of range and division by
//! zero (but see [`Features::risky`]), channels without initialiser, labels before the first statement of a block or
//! before `for`, arrays declared after the first statement.

mod additions;
mod bodies;
mod claims;
mod crowd;
mod expressions;
mod pieces;
mod protocols;
mod references;
mod rounds;
mod statements;
mod talk;
#[cfg(test)]
mod tests;
mod waiting;
mod watching;

use super::program::{Binary, Expr, Statement};
use super::program::{Channel, Inline, Macro, MacroBody, Place, Program, Type, Typedef, Variable};
use crate::random::Random;

/// About how many states a program should have. The actual number varies by a factor of a hundred both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    states: u32,
}

impl Size {
    pub const SMALLEST: Size = Size { states: 10 };
    pub const LARGEST: Size = Size { states: 100_000 };

    pub fn states(states: u32) -> Self {
        Size { states: states.clamp(Self::SMALLEST.states, Self::LARGEST.states) }
    }

    /// The order of magnitude, 1 to 5.
    fn level(self) -> u32 {
        self.states.ilog10().max(1)
    }
}

impl Default for Size {
    fn default() -> Self {
        Size { states: 1000 }
    }
}

/// Parts of the language that are generated only on request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// Something to be said of infinite runs, and nothing that goes wrong in a step.
    pub claim: Option<ClaimKind>,
    /// Indices and divisors that may be wrong when they are used.
    pub risky: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// An `ltl` block over the global variables.
    Ltl,
    /// A never claim over the global variables.
    Never,
    /// Labels of processes that begin with `accept`.
    Acceptance,
    /// Labels of processes that begin with `progress`.
    Progress,
}

/// The program of this seed: always the same one, until the generator changes.
pub fn generate(seed: u64, size: Size) -> Program {
    generate_with(seed, size, Features::default())
}

pub fn generate_with(seed: u64, size: Size, features: Features) -> Program {
    let mut random = Random::new(seed);
    // What SPIN refuses is rare, so that one looks for another program rather than avoiding it with great care.
    loop {
        let program = attempt(Random::new(random.next()), size, features);
        if program.is_acceptable() && (features.claim.is_none() || program.has_sound_claim()) {
            return program;
        }
    }
}

/// A program with something to be said of its infinite runs. The kinds of claims take turns.
pub fn generate_with_claim(seed: u64, size: Size) -> Program {
    use ClaimKind::{Acceptance, Ltl, Never, Progress};
    let kinds = [Ltl, Never, Ltl, Never, Acceptance, Progress];
    let claim = kinds[(seed % kinds.len() as u64) as usize];
    generate_with(seed, size, Features { claim: Some(claim), risky: false })
}

/// To so many percent of the programs something is added.
const ADDED_TO: usize = 25;

fn attempt(mut random: Random, size: Size, features: Features) -> Program {
    let priorities = random.chance(28);
    let mut generator = Generator {
        random,
        features,
        level: size.level(),
        priorities,
        program: Program::default(),
        scope: Vec::new(),
        channels: Vec::new(),
        calls: Vec::new(),
        labels: Vec::new(),
        pending: Vec::new(),
        may_jump_back: true,
        in_process: false,
        fresh: 0,
    };
    if features.claim.is_none() && generator.random.chance(15) {
        generator.conversation();
        generator.monitor();
        return generator.program;
    }
    // Draws from a copy: the programs of all other seeds stay what they are.
    let mut copy = generator.random.clone();
    let (draw, second_draw, third_draw) = (copy.below(100), copy.below(100), copy.below(100));
    let is_ordinary = draw >= 28 || features.claim.is_none() && draw >= 8;
    if draw < 8 {
        generator.crowd();
    } else if (28..36).contains(&draw) {
        generator.rounds();
    } else if !is_ordinary {
        generator.waiting();
    } else if second_draw < 12 {
        generator.protocol();
    } else if second_draw < 20 {
        generator.references();
    } else {
        generator.declarations();
        generator.definitions();
        generator.processes();
    }
    if let Some(kind) = features.claim {
        generator.claim(kind);
    }
    generator.monitor();
    if third_draw < ADDED_TO {
        generator.additions();
    }
    generator.program
}

/// A variable in view, or one field of it.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    length: Option<u8>,
    field: Option<(String, Option<u8>)>,
    ty: Type,
    /// Values below this are stored in it, as a rule.
    range: i32,
    writable: bool,
    /// Its type has no negative values, so that it can be an index.
    unsigned: bool,
}

#[derive(Clone, Debug)]
struct ChannelEntry {
    name: String,
    length: Option<u8>,
    rendezvous: bool,
    fields: Vec<Type>,
}

/// An inline or a macro, and what its parameters are for.
#[derive(Clone, Debug)]
struct Call {
    name: String,
    parameters: Vec<Parameter>,
    kind: CallKind,
    blocking: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CallKind {
    /// An inline or a macro of statements.
    Statements,
    /// A macro with parameters whose value is below 3.
    Value,
    /// A macro with parameters that is a condition.
    Condition,
    /// A macro without parameters that is a number.
    Number,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    Target,
    Value,
}

/// How a proctype can be started.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    parameters: Vec<SignatureParameter>,
}

#[derive(Clone, Debug)]
enum SignatureParameter {
    Value(Type),
    Channel(ChannelEntry),
}

#[derive(Clone, Debug)]
struct Label {
    name: String,
    atomic: bool,
}

/// Where in a body a statement stands.
#[derive(Clone, Copy, Debug, Default)]
struct Here {
    depth: u32,
    /// There is a loop that `break` can leave.
    breakable: bool,
    atomic: bool,
    d_step: bool,
    inline: bool,
}

struct Generator {
    random: Random,
    features: Features,
    level: u32,
    /// Some processes have priorities, and so there are no rendezvous.
    priorities: bool,
    program: Program,
    scope: Vec<Entry>,
    channels: Vec<ChannelEntry>,
    calls: Vec<Call>,
    /// Labels of this body so far.
    labels: Vec<Label>,
    /// Labels that jumps of this body need and that are still to be placed.
    pending: Vec<String>,
    may_jump_back: bool,
    in_process: bool,
    fresh: u32,
}

impl Generator {
    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    fn declarations(&mut self) {
        self.program.mtypes = ["red", "green", "blue"].map(str::to_owned).to_vec();
        if self.random.chance(20) {
            self.record();
        }
        let count = 1 + self.random.below(2 + self.level as usize / 2);
        for _ in 0..count {
            let variable = self.variable("g", true);
            self.show(&variable);
            self.program.globals.push(variable);
        }
        if self.random.chance(4) {
            // Never read: hidden variables are no part of the state.
            let name = self.fresh("h");
            let mut variable = Variable::new(Type::Byte, name.clone());
            variable.hidden = true;
            self.program.globals.push(variable);
        }
        let count = if self.random.chance(70) { 1 + self.random.below(2) } else { 0 };
        for _ in 0..count {
            let channel = self.channel("c");
            self.show_channel(&channel);
            self.program.channels.push(channel);
        }
    }

    fn record(&mut self) {
        let name = self.fresh("Rec");
        let mut fields = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let field = self.fresh("f");
            let ty = self.scalar_type();
            let mut variable = Variable::new(ty, field);
            if !matches!(variable.ty, Type::Unsigned(_)) && self.random.chance(30) {
                variable.length = Some(2);
            }
            fields.push(variable);
        }
        self.program.typedefs.push(Typedef { name, fields });
    }

    fn scalar_type(&mut self) -> Type {
        match self.random.below(12) {
            // See what the check of programs says about bits and priorities.
            0..=2 | 9 if self.priorities => Type::Byte,
            0 => Type::Bit,
            1 | 2 => Type::Bool,
            3..=6 => Type::Byte,
            7 => Type::Short,
            8 => Type::Int,
            9 => Type::Unsigned(1 + self.random.below(3) as u8),
            _ => Type::Mtype,
        }
    }

    /// A scalar, or where these are allowed an array or a record.
    fn variable(&mut self, prefix: &str, aggregate: bool) -> Variable {
        if aggregate && !self.program.typedefs.is_empty() && self.random.chance(40) {
            let mut variable = Variable::new(Type::Record(self.program.typedefs[0].name.clone()), self.fresh(prefix));
            variable.length = self.random.chance(30).then_some(2);
            return variable;
        }
        let mut variable = Variable::new(self.scalar_type(), self.fresh(prefix));
        if aggregate && !matches!(variable.ty, Type::Unsigned(_)) && self.random.chance(20) {
            variable.length = Some(2 + self.random.below(2) as u8);
        }
        if self.random.chance(40) {
            let values = match variable.length {
                Some(length) if self.random.chance(40) => length,
                _ => 1,
            };
            variable.initial = (0..values).map(|_| self.constant(&variable.ty)).collect();
        }
        variable
    }

    /// A constant that suits a type; seldom one that does not fit.
    fn constant(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Mtype => Expr::name(*self.random.pick(&["red", "green", "blue"])),
            Type::Bool if self.random.chance(60) => Expr::name(*self.random.pick(&["true", "false"])),
            Type::Bit | Type::Bool => Expr::Number(self.random.below(2) as i32),
            _ => Expr::Number(self.random.below(range_of(ty) as usize) as i32),
        }
    }

    fn channel(&mut self, prefix: &str) -> Channel {
        let name = self.fresh(prefix);
        let length = self.random.chance(15).then_some(2);
        let capacity = if self.priorities {
            1 + self.random.below(2) as u8
        } else {
            *self.random.pick(&[0, 0, 0, 1, 1, 2, if self.level > 2 { 3 } else { 1 }])
        };
        let count = *self.random.pick(&[1, 1, 1, 2, 2, 3]);
        let fields = (0..count).map(|_| self.field_type()).collect();
        Channel { name, length, capacity, fields }
    }

    fn field_type(&mut self) -> Type {
        let types = [Type::Byte, Type::Byte, Type::Mtype, Type::Mtype, Type::Bit, Type::Bool, Type::Short, Type::Int];
        self.random.pick(&types).clone()
    }

    /// Brings a variable into view.
    fn show(&mut self, variable: &Variable) {
        let entry = |field, ty: &Type| Entry {
            name: variable.name.clone(),
            length: variable.length,
            field,
            ty: ty.clone(),
            range: range_of(ty),
            writable: true,
            unsigned: is_unsigned(ty),
        };
        if let Type::Record(name) = &variable.ty {
            let typedef = self.program.typedefs.iter().find(|typedef| typedef.name == *name);
            let fields = typedef.map(|typedef| typedef.fields.clone()).unwrap_or_default();
            for field in fields {
                self.scope.push(entry(Some((field.name.clone(), field.length)), &field.ty));
            }
        } else {
            self.scope.push(entry(None, &variable.ty));
        }
    }

    fn show_channel(&mut self, channel: &Channel) {
        self.channels.push(ChannelEntry {
            name: channel.name.clone(),
            length: channel.length,
            rendezvous: channel.capacity == 0,
            fields: channel.fields.clone(),
        });
    }

    /// Macros and inlines.
    fn definitions(&mut self) {
        if self.random.chance(25) {
            let name = self.fresh("K");
            let body = MacroBody::Expr(Expr::Number(1 + self.random.below(2) as i32));
            self.define(name, None, body, CallKind::Number);
        }
        if self.random.chance(15) {
            let (name, v) = (self.fresh("NEXT"), self.fresh("v"));
            let sum = Expr::binary(Binary::Add, Expr::name(&v), Expr::Number(1 + self.random.below(2) as i32));
            let body = MacroBody::Expr(Expr::binary(Binary::Remainder, sum, Expr::Number(3)));
            self.define(name, Some(vec![v]), body, CallKind::Value);
        }
        if self.random.chance(15) {
            let (name, v, w) = (self.fresh("TEST"), self.fresh("v"), self.fresh("w"));
            let sign = *self.random.pick(&[Binary::Less, Binary::Equal, Binary::NotEqual, Binary::GreaterEqual]);
            let body = MacroBody::Expr(Expr::binary(sign, Expr::name(&v), Expr::name(&w)));
            self.define(name, Some(vec![v, w]), body, CallKind::Condition);
        }
        if self.random.chance(12) {
            let (name, v) = (self.fresh("DO"), self.fresh("v"));
            let sum = Expr::binary(Binary::Add, Expr::name(&v), Expr::Number(1));
            let value = Expr::binary(Binary::Remainder, sum, Expr::Number(3));
            let mut body = vec![Statement::Assign(Place::named(&v), value)];
            if self.random.chance(40) {
                body.push(Statement::Printf(vec![Expr::name(&v)]));
            }
            self.program.macros.push(Macro {
                name: name.clone(),
                parameters: Some(vec![v]),
                body: MacroBody::Statements(body),
            });
            let parameters = vec![Parameter::Target];
            self.calls.push(Call { name, parameters, kind: CallKind::Statements, blocking: false });
        }
        while self.random.chance(25) && self.program.inlines.len() < 2 {
            self.inline();
        }
    }

    fn define(&mut self, name: String, parameters: Option<Vec<String>>, body: MacroBody, kind: CallKind) {
        let count = parameters.as_ref().map_or(0, Vec::len);
        self.program.macros.push(Macro { name: name.clone(), parameters, body });
        self.calls.push(Call { name, parameters: vec![Parameter::Value; count], kind, blocking: false });
    }

    fn inline(&mut self) {
        let name = self.fresh("step");
        let (view, mut names, mut parameters) = (self.scope.len(), Vec::new(), Vec::new());
        for _ in 0..self.random.below(3) {
            let parameter = if self.random.chance(50) { Parameter::Target } else { Parameter::Value };
            let parameter_name = self.fresh("v");
            self.scope.push(Entry {
                name: parameter_name.clone(),
                length: None,
                field: None,
                ty: Type::Byte,
                range: 3,
                writable: parameter == Parameter::Target,
                unsigned: false,
            });
            names.push(parameter_name);
            parameters.push(parameter);
        }
        let blocking = self.random.chance(40);
        // What must not block can also be used in a `d_step`.
        let here = Here { depth: 2, d_step: !blocking, inline: true, ..Here::default() };
        self.in_process = true;
        let count = 1 + self.random.below(3);
        let body = self.sequence(here, count);
        self.in_process = false;
        self.scope.truncate(view);
        self.program.inlines.push(Inline { name: name.clone(), parameters: names, body });
        self.calls.push(Call { name, parameters, kind: CallKind::Statements, blocking });
    }
}

fn range_of(ty: &Type) -> i32 {
    match ty {
        Type::Bit | Type::Bool | Type::Unsigned(1) => 2,
        Type::Unsigned(_) => 4,
        _ => 3,
    }
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Bit | Type::Bool | Type::Byte | Type::Pid | Type::Unsigned(_))
}
