//! Programs to which SPIN 6.5.2 is known to give wrong answers; see `docs/spin-differences.md`.

use super::{
    Binary, Channel, Expr, Pattern, Place, Program, Query, Receive, Send, Sequence, Statement, Type, Variable, Visitor,
};

impl Program {
    /// Whether SPIN's answer cannot be trusted, for a reason that the other checks of programs do not know.
    pub fn meets_a_bug_of_spin(&self) -> bool {
        let rendezvous = self.channels.iter().filter(|channel| channel.capacity == 0).map(|channel| &channel.name);
        let parameters = self.proctypes.iter().flat_map(|proctype| &proctype.parameters);
        let channels = parameters.filter(|parameter| parameter.ty == Type::Chan).map(|parameter| &parameter.name);
        let bits = |channel: &Channel| channel.fields.iter().any(|field| matches!(field, Type::Bit | Type::Bool));
        let mut search = Search {
            signed: self
                .types()
                .variables
                .iter()
                .filter(|variable| is_signed(variable))
                .map(|one| one.name.clone())
                .collect(),
            rendezvous: rendezvous.chain(channels).cloned().collect(),
            // Channels of processes may be meant, too, wherever there are any.
            largest: if self.channels.iter().all(|channel| !bits(channel)) { 127 } else { 1 },
            found: false,
        };
        self.clone().walk(&mut search);
        search.found || self.receives_into_less()
    }

    /// All variables, fields and parameters, and what is done with channels.
    fn types(&self) -> Types {
        let mut types = Types::default();
        self.clone().walk(&mut types);
        types.variables.extend(self.globals.iter().cloned());
        types.variables.extend(self.typedefs.iter().flat_map(|typedef| typedef.fields.clone()));
        types.variables.extend(self.proctypes.iter().flat_map(|proctype| proctype.parameters.clone()));
        types.channels.extend(self.channels.iter().map(|channel| channel.fields.clone()));
        types
    }

    /// Taking back a receive, SPIN puts back what fitted into the variable, not what was in the channel.
    fn receives_into_less(&self) -> bool {
        let collect = self.types();
        collect.stores.iter().any(|(position, fields, place)| {
            let name = place.field.as_ref().map_or(&place.name, |field| &field.name);
            let variables = || collect.variables.iter().filter(|variable| variable.name == *name);
            let room = variables().map(bits).min();
            let is_record = |ty: &Type| matches!(ty, Type::Record(_));
            let wants_record = variables().any(|variable| is_record(&variable.ty));
            // Which channel a parameter holds is not known, so any with as many fields may be meant.
            let alike = collect
                .channels
                .iter()
                .filter(|channel| channel.len() == *fields && is_record(&channel[*position]) == wants_record);
            let sent = alike.map(|channel| sent_bits(&channel[*position], channel.len() == 1)).max();
            room < sent
        })
    }
}

/// What is declared where, and what is received into what.
#[derive(Default)]
struct Types {
    variables: Vec<Variable>,
    channels: Vec<Vec<Type>>,
    /// The position of the field, the number of fields, the variable.
    stores: Vec<(usize, usize, Place)>,
}

impl Visitor for Types {
    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Declare(variable) => self.variables.push(variable.clone()),
            Statement::DeclareChannel(channel) => self.channels.push(channel.fields.clone()),
            Statement::Receive(receive) => {
                for (position, pattern) in receive.arguments.iter().enumerate() {
                    if let Pattern::Store(place) = pattern {
                        self.stores.push((position, receive.arguments.len(), place.clone()));
                    }
                }
            }
            _ => {}
        }
    }
}

/// How many bits of a value a variable keeps, a sign counting as one of them.
fn bits(variable: &Variable) -> u8 {
    match variable.ty {
        Type::Bit | Type::Bool if variable.length.is_none() => 1,
        Type::Unsigned(bits) => bits,
        ref other => sent_bits(other, true),
    }
}

/// How many bits of a value a message field keeps: a bit that travels alone is a byte.
fn sent_bits(ty: &Type, alone: bool) -> u8 {
    match ty {
        Type::Bit | Type::Bool if !alone => 1,
        Type::Short => 16,
        Type::Int | Type::Record(_) => 32,
        _ => 8,
    }
}

struct Search {
    /// Channels that are a rendezvous, or may be.
    rendezvous: Vec<String>,
    /// Variables that may be negative, or very large.
    signed: Vec<String>,
    /// The largest number that fits into every field.
    largest: i32,
    found: bool,
}

impl Visitor for Search {
    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Receive(receive) => self.found |= moves_what_it_indexes(receive),
            Statement::Send(send) => {
                self.found |= self.sorts_what_is_cut(send) || send.arguments.iter().any(is_random_poll);
            }
            Statement::Assign(_, value) => self.found |= is_random_poll(value),
            Statement::Run(run) | Statement::AssignRun(_, run) => {
                self.found |= run.arguments.iter().any(is_random_poll);
            }
            Statement::Unless(main, _) => self.found |= starts_with_unless(main),
            // It may come to hold any channel.
            Statement::Declare(Variable { ty: Type::Chan, name, .. }) => self.rendezvous.push(name.clone()),
            Statement::DeclareChannel(channel) => {
                self.largest = 1;
                if channel.capacity == 0 {
                    self.rendezvous.push(channel.name.clone());
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            // SPIN's verifier finds a rendezvous channel not full, its simulator finds it full.
            Expr::Query(Query::Full | Query::NotFull, channel) => self.found |= self.rendezvous.contains(&channel.name),
            // SPIN forgets the parentheses around a poll that it compiles to several conditions.
            Expr::Binary(operator, left, right) if !matches!(operator, Binary::And | Binary::Or) => {
                self.found |= [left, right].into_iter().any(|operand| matches!(**operand, Expr::Poll(_)));
            }
            Expr::Unary(_, operand) => self.found |= matches!(**operand, Expr::Poll(_)),
            Expr::Conditional(_, yes, no) => self.found |= is_random_poll(yes) || is_random_poll(no),
            _ => {}
        }
    }
}

/// Taking back a receive, SPIN evaluates indices in the state after it, and takes back something else. The same goes for the
/// variable that holds the channel.
fn moves_what_it_indexes(receive: &Receive) -> bool {
    let mut read = Names(Vec::new());
    let mut stored = Vec::new();
    let mut indices: Vec<Expr> = receive.channel.index.iter().map(|index| (**index).clone()).collect();
    for pattern in &receive.arguments {
        if let Pattern::Store(place) = pattern.clone() {
            stored.push(place.name);
            indices
                .extend(place.index.into_iter().chain(place.field.and_then(|field| field.index)).map(|index| *index));
        }
    }
    indices.iter_mut().for_each(|index| index.walk(&mut read));
    read.0.iter().chain([&receive.channel.name]).any(|name| stored.contains(name))
}

/// The value of a random poll is the position of the message, unless there is a rendezvous channel somewhere.
fn is_random_poll(expr: &Expr) -> bool {
    matches!(expr, Expr::Poll(poll) if poll.random)
}

impl Search {
    /// A sorted send compares what is given, not what fits into the field.
    fn sorts_what_is_cut(&self, send: &Send) -> bool {
        let fits = |argument: &Expr| match argument {
            Expr::Number(value) => (0..=self.largest).contains(value),
            Expr::Binary(Binary::BitAnd, _, mask) => matches!(**mask, Expr::Number(0..=1)),
            // Names of constants and of variables: those of mtype fields fit, and the others are seldom out of range.
            Expr::Place(place) => {
                let name = place.field.as_ref().map_or(&place.name, |field| &field.name);
                !self.signed.contains(name)
            }
            _ => false,
        };
        send.sorted && !send.arguments.iter().all(fits)
    }
}

fn is_signed(variable: &Variable) -> bool {
    matches!(variable.ty, Type::Short | Type::Int)
}

/// Where an unless starts with another one, whether the outer escape comes before the inner one depends on whether
/// there is a block or a label around it.
fn starts_with_unless(main: &Sequence) -> bool {
    main.iter().find(|step| !super::check::is_declaration(step)).is_some_and(|first| match first {
        Statement::Unless(..) => true,
        Statement::Label(_, labelled) => starts_with_unless(&vec![(**labelled).clone()]),
        Statement::Atomic(body) | Statement::Block(body) | Statement::DStep(body) => starts_with_unless(body),
        Statement::If(options) | Statement::Do(options) => options.iter().any(starts_with_unless),
        _ => false,
    })
}

struct Names(Vec<String>);

impl Visitor for Names {
    fn name(&mut self, name: &mut String) {
        self.0.push(name.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receive_into_what_selects_its_channel_is_seen() {
        let receive = |stored: &str| Receive {
            channel: Place { index: Some(Box::new(Expr::name("x"))), ..Place::named("c") },
            random: false,
            peek: false,
            arguments: vec![Pattern::Any, Pattern::Store(Place::named(stored))],
        };
        assert!(moves_what_it_indexes(&receive("x")));
        assert!(moves_what_it_indexes(&receive("c")));
        assert!(!moves_what_it_indexes(&receive("y")));
    }
}
