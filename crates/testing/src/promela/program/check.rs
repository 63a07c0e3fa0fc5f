//! What SPIN refuses, or answers in a way of its own, although it is well-formed otherwise.
//!
//! The generator tries again, and the shrinker goes elsewhere, where a program would run into one of these. Each rule
//! is stricter than SPIN where that makes it simple. They are one piece because they look at the same tree in one walk.

use std::collections::HashSet;

use super::{
    Binary, Channel, EachStatement, Expr, MacroBody, Pattern, Program, Receive, Sequence, Statement, Type, Variable,
    Visitor, WatchedMessage,
};

/// Names that no program declares.
pub const PREDEFINED: [&str; 5] = ["_pid", "_nr_pr", "_last", "true", "false"];

impl Program {
    /// Whether SPIN takes the program and its answer is to be trusted.
    pub fn is_acceptable(&self) -> bool {
        let bodies = self.proctypes.iter().map(|proctype| &proctype.body).chain(&self.init);
        let inlines = self.inlines.iter().map(|inline| &inline.body);
        let macros = self.macros.iter().filter_map(|definition| match &definition.body {
            MacroBody::Statements(body) => Some(body),
            MacroBody::Expr(_) => None,
        });
        self.has_process()
            && self.names_are_declared()
            && !self.meets_a_bug_of_spin()
            && !(self.has_priorities() && (self.has_local_bits() || self.has_rendezvous()))
            && !(self.asks_who_can_move() && (self.has_rendezvous() || self.is_provided_for()))
            && bodies.into_iter().all(|body| self.jumps_are_sound(body) && self.sequence_is_sound(body, Inside::body()))
            && self.never.iter().all(|body| self.claim_is_sound(body))
            && self.remotes_are_sound()
            && self.watch_is_sound()
            && inlines.chain(macros).all(|body| {
                labels(body).is_empty()
                    && self.sequence_is_sound(body, Inside { inline: true, nested: true, ..Inside::body() })
            })
    }

    /// Claims may do nothing but wait for conditions, so that there is little to look at.
    fn claim_is_sound(&self, body: &Sequence) -> bool {
        struct Search<'a>(&'a Program, bool);
        impl Visitor for Search<'_> {
            fn statement(&mut self, step: &mut Statement) {
                self.1 |= match step {
                    Statement::If(options) | Statement::Do(options) => options.is_empty() || self.0.elses_at(step) > 1,
                    _ => false,
                };
            }

            fn sequence(&mut self, sequence: &mut Sequence) {
                self.1 |= sequence.iter().skip(1).any(|step| matches!(step, Statement::Else));
            }
        }
        let mut search = Search(self, false);
        body.clone().iter_mut().for_each(|step| step.walk(&mut search));
        !search.1 && self.jumps_are_sound(body)
    }

    /// A monitor speaks of channels as they are declared.
    fn watch_is_sound(&self) -> bool {
        let is_sound = |message: &WatchedMessage| {
            let declared = self.channels.iter().find(|channel| channel.name == message.channel);
            declared.is_some_and(|channel| {
                channel.fields.len() == message.arguments.len()
                    && channel.length.is_some() == message.index.is_some()
                    && message.index < channel.length.or(Some(u8::MAX))
            })
        };
        self.watch.iter().flat_map(|watch| &watch.stages).flat_map(|(_, messages)| messages).all(is_sound)
    }

    fn has_process(&self) -> bool {
        self.init.is_some() || self.proctypes.iter().any(|proctype| proctype.active > 0)
    }

    /// Whether some proctype or some `run` has a priority. SPIN refuses to combine them with rendezvous.
    pub fn has_priorities(&self) -> bool {
        let mut found = self.proctypes.iter().any(|proctype| proctype.priority.is_some());
        self.clone().walk(&mut EachStatement(|step: &mut Statement| {
            found |= matches!(step, Statement::Run(run) | Statement::AssignRun(_, run) if run.priority.is_some());
        }));
        found
    }

    /// Whether there is an `enabled`, which SPIN refuses to combine with rendezvous, too.
    fn asks_who_can_move(&self) -> bool {
        struct Search(bool);
        impl Visitor for Search {
            fn expr(&mut self, expr: &mut Expr) {
                self.0 |= matches!(expr, Expr::Enabled(_));
            }
        }
        let mut search = Search(false);
        self.clone().walk(&mut search);
        search.0
    }

    /// Whether there is a `provided`, which SPIN's `enabled` does not look at.
    fn is_provided_for(&self) -> bool {
        self.proctypes.iter().any(|proctype| proctype.provided.is_some())
    }

    /// Whether some channel has no room for messages.
    pub fn has_rendezvous(&self) -> bool {
        let mut found = self.channels.iter().any(|channel| channel.capacity == 0);
        self.clone().walk(&mut EachStatement(|step: &mut Statement| {
            found |= matches!(step, Statement::DeclareChannel(channel) if channel.capacity == 0);
        }));
        found
    }

    /// With priorities, SPIN does not tell states apart that differ only in the bits that a process owns.
    fn has_local_bits(&self) -> bool {
        struct Search(bool);
        impl Visitor for Search {
            fn statement(&mut self, step: &mut Statement) {
                self.0 |= matches!(step, Statement::Declare(variable) if is_bits(variable));
            }
        }
        let mut search = Search(false);
        self.clone().walk(&mut search);
        search.0 || self.proctypes.iter().flat_map(|proctype| &proctype.parameters).any(is_bits)
    }

    /// Every name is declared once, somewhere.
    fn names_are_declared(&self) -> bool {
        let mut names = Names::default();
        self.clone().walk(&mut names);
        let mut declared = names.declared;
        let variables =
            |variables: &[Variable]| variables.iter().map(|variable| variable.name.clone()).collect::<Vec<_>>();
        declared.extend(self.mtypes.clone());
        for typedef in &self.typedefs {
            declared.push(typedef.name.clone());
            declared.extend(variables(&typedef.fields));
        }
        declared.extend(variables(&self.globals));
        declared.extend(self.channels.iter().map(|channel| channel.name.clone()));
        for definition in &self.macros {
            declared.push(definition.name.clone());
            declared.extend(definition.parameters.iter().flatten().cloned());
        }
        for inline in &self.inlines {
            declared.push(inline.name.clone());
            declared.extend(inline.parameters.clone());
        }
        for proctype in &self.proctypes {
            declared.push(proctype.name.clone());
            declared.extend(variables(&proctype.parameters));
        }
        declared.extend(self.ltl.iter().map(|ltl| ltl.name.clone()));
        declared.extend(self.watch.iter().flat_map(|watch| watch.ends.clone()));
        let once: HashSet<String> = declared.iter().cloned().collect();
        once.len() == declared.len() && names.occurring.is_subset(&once)
    }

    fn sequence_is_sound(&self, sequence: &Sequence, inside: Inside) -> bool {
        let steps = || sequence.iter().filter(|step| !is_declaration(step));
        let first_has_label = matches!(sequence.first(), Some(Statement::Label(..)));
        let arrays_come_first = sequence.iter().skip_while(|step| is_declaration(step)).all(|step| match step {
            Statement::Declare(variable) => variable.length.is_none() && !matches!(variable.ty, Type::Record(_)),
            Statement::DeclareChannel(_) => false,
            _ => true,
        });
        steps().next().is_some()
            && !(first_has_label && inside.nested)
            && arrays_come_first
            && sequence.windows(2).all(|pair| !(matches!(pair[1], Statement::Goto(_)) && self.may_be_true(&pair[0])))
            && steps().zip(steps().skip(1)).all(|(before, step)| {
                // The jump out of the loop would lead into the d_step.
                !(self.starts_with_d_step(step) && self.ends_with_loop(before))
            })
            && sequence.iter().enumerate().all(|(index, step)| {
                let inside = Inside { first: inside.first && index == 0, ..inside };
                self.statement_is_sound(step, inside, index == 0)
            })
    }

    fn statement_is_sound(&self, step: &Statement, inside: Inside, first: bool) -> bool {
        let nested = Inside { nested: true, option: false, ..inside };
        let may_block = !inside.d_step || inside.first;
        match step {
            Statement::Label(_, labelled) => {
                can_have_label(labelled) && self.statement_is_sound(labelled, inside, first)
            }
            Statement::Else => inside.option && first,
            Statement::Break => inside.breakable,
            Statement::Expr(_) => may_block || inside.option && first,
            Statement::Send(_) => may_block,
            // The C text that SPIN writes for `eval` and `?<...>` in the guard of a d_step does not always compile.
            Statement::Receive(receive) => {
                let tests = receive.arguments.iter().any(|pattern| matches!(pattern, Pattern::Eval(_)));
                may_block && !depends_on_what_it_changes(receive) && !(inside.d_step && (tests || receive.peek))
            }
            Statement::Declare(_) => !(inside.option && first),
            Statement::Run(_) | Statement::AssignRun(..) => !inside.d_step,
            Statement::Select(..) => !(inside.inline || inside.option && first),
            // A loop from a number to a smaller one is an error in SPIN.
            Statement::For(_, Expr::Number(low), Expr::Number(high), _) if low > high => false,
            Statement::For(_, _, _, body) | Statement::ForIn(_, _, body) => {
                let inside = Inside { breakable: true, first: false, ..nested };
                labels(body).is_empty() && self.sequence_is_sound(body, inside)
            }
            Statement::If(options) => {
                let open = options.iter().any(|option| is_open(&option[..]));
                (may_block || open) && self.options_are_sound(step, options, nested)
            }
            Statement::Do(options) => {
                (!inside.atomic && !inside.d_step || is_counted(options))
                    && !options.iter().any(|option| self.may_be_one_true(option))
                    && self.options_are_sound(step, options, Inside { breakable: true, ..nested })
            }
            Statement::Atomic(body) => {
                !inside.d_step && self.sequence_is_sound(body, Inside { atomic: true, ..nested })
            }
            Statement::DStep(body) => {
                let inside = Inside { d_step: true, first: true, breakable: false, ..nested };
                !inside_twice(body)
                    && !self.loops_in_a_call(body)
                    && !self.starts_while_offered(body)
                    && self.sequence_is_sound(body, inside)
            }
            Statement::Block(body) => self.sequence_is_sound(body, nested),
            // SPIN has an opinion on an unless that is a guard.
            Statement::Unless(main, escape) => {
                !(inside.d_step || inside.option && first)
                    && escape.first().is_some_and(|step| self.elses_at(step) == 0)
                    && self.sequence_is_sound(main, nested)
                    && self.sequence_is_sound(escape, nested)
            }
            // SPIN loses count of the parentheses of a conditional expression that is an argument.
            Statement::Call(_, arguments) if arguments.iter().any(has_conditional) => false,
            Statement::Call(name, _) => match self.body_of(name) {
                // What is inside has been looked at on its own, but not what depends on where it is used.
                Some(body) => {
                    self.sequence_is_sound(body, Inside { inline: true, nested: true, option: false, ..inside })
                }
                None => false,
            },
            Statement::Skip
            | Statement::DeclareChannel(_)
            | Statement::Goto(_)
            | Statement::Assign(..)
            | Statement::Increment(_)
            | Statement::Decrement(_)
            | Statement::Assert(_)
            | Statement::Printf(_) => true,
        }
    }

    /// The loop of an inline that a d_step uses is sometimes taken by SPIN for a jump out of the d_step.
    fn loops_in_a_call(&self, body: &Sequence) -> bool {
        body.iter().any(|step| match step {
            Statement::Call(name, _) => self
                .body_of(name)
                .is_some_and(|body| body.iter().any(|step| self.ends_with_loop(step)) || self.loops_in_a_call(body)),
            Statement::If(options) | Statement::Do(options) => {
                options.iter().any(|option| self.loops_in_a_call(option))
            }
            Statement::Block(body) | Statement::For(_, _, _, body) | Statement::ForIn(_, _, body) => {
                self.loops_in_a_call(body)
            }
            _ => false,
        })
    }

    /// A d_step that starts with something else than a plain step is executed by SPIN in the middle of a rendezvous.
    fn starts_while_offered(&self, body: &Sequence) -> bool {
        let Some(first) = body.iter().find(|step| !is_declaration(step)) else { return false };
        match first {
            Statement::Printf(_) | Statement::Assert(_) | Statement::If(_) | Statement::Do(_) => {
                self.channels.iter().any(|channel| channel.capacity == 0)
            }
            Statement::Block(body) => self.starts_while_offered(body),
            Statement::Call(name, _) => self.body_of(name).is_some_and(|body| self.starts_while_offered(body)),
            _ => false,
        }
    }

    fn options_are_sound(&self, choice: &Statement, options: &[Sequence], inside: Inside) -> bool {
        let inside = Inside { option: true, first: false, ..inside };
        !options.is_empty()
            && self.elses_at(choice) <= 1
            && options.iter().all(|option| self.sequence_is_sound(option, inside))
    }

    /// How many `else` there are at the place where a statement starts. SPIN refuses more than one.
    fn elses_at(&self, step: &Statement) -> usize {
        let first = |sequence: &Sequence| {
            sequence.iter().find(|step| !is_declaration(step)).map_or(0, |step| self.elses_at(step))
        };
        match step {
            Statement::Else => 1,
            Statement::Label(_, labelled) => self.elses_at(labelled),
            Statement::If(options) | Statement::Do(options) => options.iter().map(first).sum(),
            Statement::Atomic(body) | Statement::DStep(body) | Statement::Block(body) => first(body),
            Statement::Unless(main, _) => first(main),
            Statement::Call(name, _) => self.body_of(name).map_or(0, first),
            _ => 0,
        }
    }

    /// A statement that may be no more than a `true` at its end. SPIN refuses loops that consist of just that.
    fn may_be_true(&self, step: &Statement) -> bool {
        let ends = |sequence: &Sequence| sequence.last().is_some_and(|step| self.may_be_true(step));
        match step {
            Statement::Skip => true,
            Statement::Expr(Expr::Number(number)) => *number == 1,
            Statement::Expr(Expr::Place(place)) => {
                place.name == "true" || self.macros.iter().any(|m| m.name == place.name)
            }
            Statement::Label(_, labelled) => self.may_be_true(labelled),
            Statement::If(options) => options.iter().any(ends),
            Statement::Do(_) => true,
            Statement::Atomic(body) | Statement::Block(body) => ends(body),
            Statement::Unless(main, escape) => ends(main) || ends(escape),
            Statement::Call(name, _) => self.body_of(name).is_some_and(ends),
            _ => false,
        }
    }

    /// An option that may be no more than one `true`, the jumps and joins around it apart.
    fn may_be_one_true(&self, sequence: &Sequence) -> bool {
        let steps: Vec<&Statement> =
            sequence.iter().filter(|step| !is_declaration(step) && !matches!(step, Statement::Goto(_))).collect();
        let [step] = steps[..] else { return steps.is_empty() };
        match step {
            Statement::Label(_, labelled) => self.may_be_one_true(&vec![(**labelled).clone()]),
            Statement::If(options) | Statement::Do(options) => {
                options.iter().any(|option| self.may_be_one_true(option))
            }
            Statement::Atomic(body) | Statement::Block(body) => self.may_be_one_true(body),
            Statement::Unless(main, escape) => self.may_be_one_true(main) || self.may_be_one_true(escape),
            Statement::Call(name, _) => self.body_of(name).is_some_and(|body| self.may_be_one_true(body)),
            basic => self.may_be_true(basic),
        }
    }

    fn starts_with_d_step(&self, step: &Statement) -> bool {
        let starts = |sequence: &Sequence| {
            sequence.iter().find(|step| !is_declaration(step)).is_some_and(|step| self.starts_with_d_step(step))
        };
        match step {
            Statement::DStep(_) => true,
            Statement::Label(_, labelled) => self.starts_with_d_step(labelled),
            Statement::Atomic(body) | Statement::Block(body) | Statement::Unless(body, _) => starts(body),
            Statement::Call(name, _) => self.body_of(name).is_some_and(starts),
            _ => false,
        }
    }

    fn ends_with_loop(&self, step: &Statement) -> bool {
        let ends = |sequence: &Sequence| sequence.last().is_some_and(|step| self.ends_with_loop(step));
        match step {
            Statement::Do(_) | Statement::For(..) | Statement::ForIn(..) | Statement::Select(..) => true,
            Statement::Label(_, labelled) => self.ends_with_loop(labelled),
            Statement::If(options) => options.iter().any(ends),
            Statement::Atomic(body) | Statement::Block(body) => ends(body),
            Statement::Unless(main, escape) => ends(main) || ends(escape),
            Statement::Call(name, _) => self.body_of(name).is_some_and(ends),
            _ => false,
        }
    }

    fn body_of(&self, name: &str) -> Option<&Sequence> {
        let inline = self.inlines.iter().find(|inline| inline.name == name).map(|inline| &inline.body);
        inline.or_else(|| {
            self.macros.iter().find(|definition| definition.name == name).and_then(|definition| {
                match &definition.body {
                    MacroBody::Statements(body) => Some(body),
                    MacroBody::Expr(_) => None,
                }
            })
        })
    }

    /// Every jump has one target; none leads into or out of a `d_step`, or back inside what may not be interrupted.
    fn jumps_are_sound(&self, body: &Sequence) -> bool {
        let mut jumps = Jumps::default();
        body.iter().for_each(|step| jumps.collect(step, false, None));
        let mut names: Vec<&str> = jumps.labels.iter().map(|label| &label.name[..]).collect();
        names.sort_unstable();
        names.dedup();
        names.len() == jumps.labels.len()
            && jumps.gotos.iter().all(|goto| {
                jumps.labels.iter().any(|label| {
                    let forward = label.position > goto.position;
                    let uninterrupted = goto.atomic && label.atomic;
                    label.name == goto.name && label.d_step == goto.d_step && (forward || !uninterrupted)
                })
            })
    }
}

#[derive(Default)]
struct Names {
    occurring: HashSet<String>,
    /// In bodies; what is declared elsewhere is easy to find.
    declared: Vec<String>,
}

impl Visitor for Names {
    fn name(&mut self, name: &mut String) {
        if !PREDEFINED.contains(&&name[..]) {
            self.occurring.insert(name.clone());
        }
    }

    fn statement(&mut self, step: &mut Statement) {
        match step {
            Statement::Declare(Variable { name, .. })
            | Statement::DeclareChannel(Channel { name, .. })
            | Statement::Label(name, _) => self.declared.push(name.clone()),
            _ => {}
        }
    }
}

/// What surrounds a statement, as far as the rules ask for it.
#[derive(Clone, Copy)]
struct Inside {
    /// Not directly in a body.
    nested: bool,
    /// Directly in an option.
    option: bool,
    breakable: bool,
    atomic: bool,
    d_step: bool,
    /// Nothing of the `d_step` comes before.
    first: bool,
    inline: bool,
}

impl Inside {
    fn body() -> Self {
        Inside {
            nested: false,
            option: false,
            breakable: false,
            atomic: false,
            d_step: false,
            first: false,
            inline: false,
        }
    }
}

pub fn is_declaration(step: &Statement) -> bool {
    matches!(step, Statement::Declare(_) | Statement::DeclareChannel(_))
}

/// Where labels are treated in ways of SPIN's own, or not allowed, they are not used. The label of an `unless` is, in
/// SPIN's grammar, one of the first statement of its main sequence.
pub fn can_have_label(step: &Statement) -> bool {
    !is_declaration(step)
        && !matches!(
            step,
            Statement::For(..)
                | Statement::ForIn(..)
                | Statement::Select(..)
                | Statement::DStep(_)
                | Statement::Goto(_)
                | Statement::Break
                | Statement::Else
                | Statement::Label(..)
                | Statement::Unless(..)
                | Statement::Call(..)
        )
}

/// An option that can be taken whatever the others are: an `else`, or nothing that has to wait.
fn is_open(option: &[Statement]) -> bool {
    matches!(
        option.iter().find(|step| !is_declaration(step)),
        Some(
            Statement::Else
                | Statement::Skip
                | Statement::Assign(..)
                | Statement::Increment(_)
                | Statement::Decrement(_)
        )
    )
}

/// `do :: i < 2 -> ...; i++ :: else -> break od`, where nothing else changes the counter.
fn is_counted(options: &[Sequence]) -> bool {
    let [again, exit] = options else { return false };
    let leaves = matches!(exit[..], [Statement::Else, Statement::Break]);
    let [Statement::Expr(Expr::Binary(Binary::Less, counter, limit)), .., last] = &again[..] else { return false };
    let (Expr::Place(counter), Expr::Number(_)) = (&**counter, &**limit) else { return false };
    let counts = match last {
        Statement::Increment(place) => place == counter,
        Statement::Break => true,
        _ => false,
    };
    leaves && counts
}

fn is_bits(variable: &Variable) -> bool {
    matches!(variable.ty, Type::Bit | Type::Bool | Type::Unsigned(_))
}

/// Whether a receive depends on a value that it changes itself: one of the variables it stores to, or what is in a
/// channel. SPIN takes such a receive back by evaluating the test, or the index of the channel, again.
fn depends_on_what_it_changes(receive: &Receive) -> bool {
    struct Search<'a>(Vec<&'a str>, bool);
    impl Visitor for Search<'_> {
        fn name(&mut self, name: &mut String) {
            self.1 |= self.0.contains(&&name[..]);
        }

        fn expr(&mut self, expr: &mut Expr) {
            self.1 |= matches!(expr, Expr::Query(..) | Expr::Poll(_));
        }
    }
    let stored = receive.arguments.iter().filter_map(|pattern| match pattern {
        Pattern::Store(place) => Some(&place.name[..]),
        _ => None,
    });
    let mut search = Search(stored.collect(), false);
    if let Some(index) = &receive.channel.index {
        index.clone().walk(&mut search);
    }
    for pattern in &receive.arguments {
        if let Pattern::Eval(expr) = pattern {
            expr.clone().walk(&mut search);
        }
    }
    search.1
}

fn has_conditional(expr: &Expr) -> bool {
    struct Search(bool);
    impl Visitor for Search {
        fn expr(&mut self, expr: &mut Expr) {
            self.0 |= matches!(expr, Expr::Conditional(..));
        }
    }
    let mut search = Search(false);
    expr.clone().walk(&mut search);
    search.0
}

fn inside_twice(body: &Sequence) -> bool {
    body.iter().any(|step| matches!(step, Statement::DStep(_) | Statement::Atomic(_)))
}

fn labels(body: &Sequence) -> Vec<String> {
    let mut jumps = Jumps::default();
    body.iter().for_each(|step| jumps.collect(step, false, None));
    jumps.labels.into_iter().map(|label| label.name).collect()
}

#[derive(Default)]
struct Jumps {
    labels: Vec<Jump>,
    gotos: Vec<Jump>,
    position: usize,
}

struct Jump {
    name: String,
    position: usize,
    atomic: bool,
    /// Where the `d_step` around it starts.
    d_step: Option<usize>,
}

impl Jumps {
    fn collect(&mut self, step: &Statement, atomic: bool, d_step: Option<usize>) {
        self.position += 1;
        let jump = |name: &String, position| Jump { name: name.clone(), position, atomic, d_step };
        let mut all = |sequence: &Sequence, atomic, d_step| {
            sequence.iter().for_each(|step| self.collect(step, atomic, d_step));
        };
        match step {
            Statement::Label(name, labelled) => {
                let jump = jump(name, self.position);
                self.labels.push(jump);
                self.collect(labelled, atomic, d_step);
            }
            Statement::Goto(name) => {
                let jump = jump(name, self.position);
                self.gotos.push(jump);
            }
            Statement::If(options) | Statement::Do(options) => {
                options.iter().for_each(|option| all(option, atomic, d_step));
            }
            Statement::For(_, _, _, body) | Statement::ForIn(_, _, body) | Statement::Block(body) => {
                all(body, atomic, d_step);
            }
            Statement::Atomic(body) => all(body, true, d_step),
            Statement::DStep(body) => {
                let start = self.position;
                body.iter().for_each(|step| self.collect(step, true, Some(start)));
            }
            Statement::Unless(main, escape) => {
                all(main, atomic, d_step);
                all(escape, atomic, d_step);
            }
            _ => {}
        }
    }
}
