//! Programs to which SPIN 6.5.2 is known to give wrong answers; see `docs/spin-differences.md`.

use super::{
    Binary, Expr, Pattern, Place, Program, Query, Receive, Send, Sequence, Statement, Type, Variable, Visitor,
};

impl Program {
    /// Whether SPIN's answer cannot be trusted.
    pub fn meets_a_bug_of_spin(&self) -> bool {
        let rendezvous = self.channels.iter().filter(|channel| channel.capacity == 0).map(|channel| &channel.name);
        let mut search = Search { rendezvous: rendezvous.cloned().collect(), ..Search::default() };
        for parameter in self.proctypes.iter().flat_map(|proctype| &proctype.parameters) {
            search.variable(parameter);
            if parameter.ty == Type::Chan {
                search.rendezvous.push(parameter.name.clone());
            }
        }
        self.clone().walk(&mut search);
        let narrowing = self.receives_into_less();
        let priorities = self.proctypes.iter().any(|proctype| proctype.priority.is_some());
        search.found || narrowing || (priorities && search.bit_locals)
    }

    /// Taking back a receive, SPIN puts back what fitted into the variable, not what was in the channel.
    fn receives_into_less(&self) -> bool {
        let mut collect = Types::default();
        self.clone().walk(&mut collect);
        collect.variables.extend(self.globals.iter().cloned());
        collect.variables.extend(self.typedefs.iter().flat_map(|typedef| typedef.fields.clone()));
        collect.variables.extend(self.proctypes.iter().flat_map(|proctype| proctype.parameters.clone()));
        collect.channels.extend(self.channels.iter().map(|channel| channel.fields.clone()));
        collect.stores.iter().any(|(position, fields, place)| {
            let name = place.field.as_ref().map_or(&place.name, |field| &field.name);
            let room = collect.variables.iter().filter(|variable| variable.name == *name).map(bits).min();
            // Which channel a parameter holds is not known, so any with as many fields may be meant.
            let alike = collect.channels.iter().filter(|channel| channel.len() == *fields);
            let sent = alike.map(|channel| sent_bits(&channel[*position])).max();
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
        ref other => sent_bits(other),
    }
}

/// How many bits of a value a message field keeps: bits travel as bytes.
fn sent_bits(ty: &Type) -> u8 {
    match ty {
        Type::Short => 16,
        Type::Int | Type::Record(_) => 32,
        _ => 8,
    }
}

#[derive(Default)]
struct Search {
    /// Channels that are a rendezvous, or may be.
    rendezvous: Vec<String>,
    bit_locals: bool,
    found: bool,
}

impl Search {
    /// With priorities, SPIN takes bits that stand first among the locals for padding and forgets them.
    fn variable(&mut self, variable: &Variable) {
        self.bit_locals |= matches!(variable.ty, Type::Bit | Type::Bool | Type::Unsigned(_));
    }
}

impl Visitor for Search {
    fn statement(&mut self, statement: &mut Statement) {
        match statement {
            Statement::Receive(receive) => self.found |= receives_what_it_tests(receive),
            Statement::Send(send) => self.found |= sorts_what_is_cut(send),
            Statement::Unless(main, _) => self.found |= starts_with_unless(main),
            // SPIN lets a d_step that starts with a choice or a print run in the middle of a rendezvous of others.
            Statement::DStep(body) => {
                let plain = matches!(
                    body.first(),
                    Some(
                        Statement::Assign(..)
                            | Statement::Increment(_)
                            | Statement::Decrement(_)
                            | Statement::Expr(_)
                            | Statement::Send(_)
                            | Statement::Receive(_)
                    )
                );
                self.found |= !self.rendezvous.is_empty() && !plain;
            }
            Statement::Declare(variable) => self.variable(variable),
            Statement::DeclareChannel(channel) if channel.capacity == 0 => self.rendezvous.push(channel.name.clone()),
            _ => {}
        }
    }

    /// SPIN's verifier finds a rendezvous channel not full, its simulator finds it full.
    fn expr(&mut self, expr: &mut Expr) {
        if let Expr::Query(Query::Full | Query::Nfull, channel) = expr {
            self.found |= self.rendezvous.contains(&channel.name);
        }
    }
}

/// Taking back a receive, SPIN evaluates what was tested in the state after it, and puts another message back.
fn receives_what_it_tests(receive: &Receive) -> bool {
    let mut read = Names(Vec::new());
    let mut stored = Vec::new();
    for pattern in &receive.arguments {
        match pattern.clone() {
            Pattern::Eval(mut expr) => expr.walk(&mut read),
            Pattern::Store(place) => {
                stored.push(place.name);
                for mut index in place.index.into_iter().chain(place.field.and_then(|field| field.index)) {
                    index.walk(&mut read);
                }
            }
            Pattern::Any | Pattern::Constant(_) => {}
        }
    }
    if let Some(mut index) = receive.channel.index.clone() {
        index.walk(&mut read);
    }
    read.0.iter().any(|name| stored.contains(name))
}

/// A sorted send compares what is given, not what fits into the field.
fn sorts_what_is_cut(send: &Send) -> bool {
    let fits = |argument: &Expr| match argument {
        Expr::Number(value) => (0..=1).contains(value),
        Expr::Binary(Binary::BitAnd, _, mask) => matches!(**mask, Expr::Number(0..=1)),
        // Names of constants and of variables: those of mtype fields fit, and the others are seldom out of range.
        Expr::Place(_) => true,
        _ => false,
    };
    send.sorted && !send.arguments.iter().all(fits)
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
    fn a_receive_into_what_it_tests_is_seen() {
        let receive = |tested: &str| Receive {
            channel: Place::named("c"),
            random: false,
            peek: false,
            arguments: vec![Pattern::Eval(Expr::name(tested)), Pattern::Store(Place::named("x"))],
        };
        assert!(receives_what_it_tests(&receive("x")));
        assert!(!receives_what_it_tests(&receive("y")));
    }
}
