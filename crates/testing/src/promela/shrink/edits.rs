//! The edits that make programs smaller, in passes from the coarse to the fine.

use std::collections::{HashMap, HashSet};

use super::super::program::{
    Channel, EachStatement, Expr, MacroBody, Pattern, Place, Program, Run, Sequence, Statement, Type, Variable, Visitor,
};

/// The program after the edit of this number, or `None` if there are not that many.
type Pass = fn(&Program, usize) -> Option<Program>;

pub const PASSES: &[Pass] = &[
    drop_proctype,
    drop_init,
    fewer_instances,
    drop_statements,
    drop_option,
    simplify_statement,
    drop_attribute,
    simplify_expr,
    drop_unused,
    drop_parameter,
    simplify_declaration,
    simplify_channel,
];

fn drop_proctype(program: &Program, number: usize) -> Option<Program> {
    let name = program.proctypes.get(number)?.name.clone();
    let mut edited = program.clone();
    edited.proctypes.remove(number);
    edited.walk(&mut EachSequence(|sequence: &mut Sequence| {
        sequence
            .retain(|step| !matches!(step, Statement::Run(run) | Statement::AssignRun(_, run) if run.proctype == name));
        fill(sequence);
    }));
    Some(edited)
}

/// Without `init`, what it started without arguments is active.
fn drop_init(program: &Program, number: usize) -> Option<Program> {
    if number > 0 || program.init.is_none() {
        return None;
    }
    let mut edited = program.clone();
    edited.init = None;
    for proctype in &mut edited.proctypes {
        if proctype.parameters.is_empty() {
            proctype.active = proctype.active.max(1);
        }
    }
    Some(edited)
}

fn fewer_instances(program: &Program, number: usize) -> Option<Program> {
    let mut edited = program.clone();
    let proctype = edited.proctypes.get_mut(number)?;
    proctype.active = proctype.active.min(2) - u8::from(proctype.active == 2);
    Some(edited)
}

/// Edit n leaves out the statements of a range; the ranges of all sequences are counted through, long ones first.
fn drop_statements(program: &Program, number: usize) -> Option<Program> {
    let mut edited = program.clone();
    let mut left = Some(number);
    edited.walk(&mut EachSequence(|sequence: &mut Sequence| {
        let Some(n) = left else { return };
        let count = sequence.len();
        let ranges = if count > 2 { count + 2 } else { count };
        if n >= ranges {
            left = Some(n - ranges);
            return;
        }
        left = None;
        let range = match n {
            0 if count > 2 => 0..count / 2,
            1 if count > 2 => count / 2..count,
            n if count > 2 => n - 2..n - 1,
            n => n..n + 1,
        };
        sequence.drain(range);
        fill(sequence);
    }));
    left.is_none().then_some(edited)
}

fn drop_option(program: &Program, number: usize) -> Option<Program> {
    let mut edited = program.clone();
    let mut left = Some(number);
    edited.walk(&mut EachStatement(|step: &mut Statement| {
        let (Some(n), Statement::If(options) | Statement::Do(options)) = (left, step) else { return };
        if n < options.len() {
            options.remove(n);
            left = None;
        } else {
            left = Some(n - options.len());
        }
    }));
    left.is_none().then_some(edited)
}

fn simplify_statement(program: &Program, number: usize) -> Option<Program> {
    let mut edited = program.clone();
    let mut left = Some(number);
    edited.walk(&mut EachSequence(|sequence: &mut Sequence| {
        for place in 0..sequence.len() {
            let Some(n) = left else { return };
            let mut simpler = simpler_statements(&sequence[place], program);
            if n < simpler.len() {
                sequence.splice(place..=place, simpler.swap_remove(n));
                fill(sequence);
                left = None;
            } else {
                left = Some(n - simpler.len());
            }
        }
    }));
    left.is_none().then_some(edited)
}

/// What can stand in a statement's place.
fn simpler_statements(step: &Statement, program: &Program) -> Vec<Sequence> {
    let option = |option: &Sequence| -> Sequence {
        option.iter().filter(|step| !matches!(step, Statement::Else | Statement::Break)).cloned().collect()
    };
    match step {
        Statement::Label(name, labelled) => {
            let single = |sequence: Sequence| (sequence.len() == 1).then(|| sequence[0].clone());
            let simpler = simpler_statements(labelled, program).into_iter().filter_map(single);
            let relabelled = simpler.map(|step| vec![Statement::Label(name.clone(), Box::new(step))]);
            [vec![(**labelled).clone()]].into_iter().chain(relabelled).collect()
        }
        Statement::If(options) => options.iter().map(option).collect(),
        Statement::Do(options) => {
            let once = [vec![Statement::If(options.iter().map(option).filter(|option| !option.is_empty()).collect())]];
            options.iter().map(option).chain(once).collect()
        }
        Statement::Atomic(body) | Statement::DStep(body) | Statement::Block(body) => {
            vec![body.clone(), vec![Statement::Block(body.clone())]]
        }
        Statement::For(_, _, _, body) | Statement::ForIn(_, _, body) => vec![option(body)],
        Statement::Unless(main, escape) => vec![main.clone(), escape.clone()],
        Statement::Call(name, arguments) => vec![expanded(name, arguments, program)],
        Statement::Select(place, low, _) => vec![vec![Statement::Assign(place.clone(), low.clone())]],
        Statement::AssignRun(_, run) => vec![vec![Statement::Run(run.clone())]],
        Statement::Send(send) => {
            let mut plain = send.clone();
            plain.sorted = false;
            plain.parenthesised = false;
            vec![vec![Statement::Send(plain)], vec![Statement::Skip]]
        }
        Statement::Receive(receive) => {
            let mut simpler = Vec::new();
            for (random, peek) in [(false, false), (false, receive.peek), (receive.random, false)] {
                let mut plain = receive.clone();
                (plain.random, plain.peek) = (random, peek);
                simpler.push(vec![Statement::Receive(plain)]);
            }
            for field in 0..receive.arguments.len() {
                let mut plain = receive.clone();
                plain.arguments[field] = Pattern::Any;
                simpler.push(vec![Statement::Receive(plain)]);
            }
            simpler.push(vec![Statement::Skip]);
            simpler
        }
        Statement::Assign(..)
        | Statement::Increment(_)
        | Statement::Decrement(_)
        | Statement::Expr(_)
        | Statement::Assert(_)
        | Statement::Printf(_)
        | Statement::Goto(_) => vec![vec![Statement::Skip]],
        Statement::Run(run) if run.priority.is_some() => {
            vec![vec![Statement::Run(Run { priority: None, ..run.clone() })]]
        }
        Statement::Skip
        | Statement::Break
        | Statement::Else
        | Statement::Run(_)
        | Statement::Declare(_)
        | Statement::DeclareChannel(_) => Vec::new(),
    }
}

/// The body of an inline or macro with the arguments in place.
fn expanded(name: &str, arguments: &[Expr], program: &Program) -> Sequence {
    let inline = program.inlines.iter().find(|inline| inline.name == name);
    let definition = program.macros.iter().find(|definition| definition.name == name);
    let (parameters, body) = match (inline, definition.map(|definition| (&definition.parameters, &definition.body))) {
        (Some(inline), _) => (inline.parameters.clone(), inline.body.clone()),
        (None, Some((parameters, MacroBody::Statements(body)))) => {
            (parameters.clone().unwrap_or_default(), body.clone())
        }
        _ => return Vec::new(),
    };
    let mut block = Statement::Block(body);
    for (parameter, argument) in parameters.iter().zip(arguments) {
        block.walk(&mut Substitute { parameter, argument });
    }
    match block {
        Statement::Block(body) if body.len() == 1 => body,
        block => vec![block],
    }
}

struct Substitute<'a> {
    parameter: &'a str,
    argument: &'a Expr,
}

impl Visitor for Substitute<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if matches!(expr, Expr::Place(place) if place.name == self.parameter) {
            *expr = self.argument.clone();
        }
    }

    fn place(&mut self, place: &mut Place) {
        if let Expr::Place(argument) = self.argument
            && place.name == self.parameter
        {
            *place = argument.clone();
        }
    }
}

fn drop_attribute(program: &Program, number: usize) -> Option<Program> {
    let mut edited = program.clone();
    if number == 2 * program.proctypes.len() + 2 {
        edited.watch = None;
        return Some(edited);
    }
    if number / 2 == program.proctypes.len() {
        if number.is_multiple_of(2) {
            edited.ltl = None;
        } else {
            edited.never = None;
        }
        return Some(edited);
    }
    let proctype = edited.proctypes.get_mut(number / 2)?;
    if number.is_multiple_of(2) {
        proctype.priority = None;
    } else {
        proctype.provided = None;
    }
    Some(edited)
}

fn simplify_expr(program: &Program, number: usize) -> Option<Program> {
    let fixed = names_that_are_no_numbers(program);
    let mut edited = program.clone();
    let mut left = Some(number);
    edited.walk(&mut EachExpr(|expr: &mut Expr| {
        let Some(n) = left else { return };
        let mut simpler = simpler_exprs(expr, &fixed, program);
        if n < simpler.len() {
            *expr = simpler.swap_remove(n);
            left = None;
        } else {
            left = Some(n - simpler.len());
        }
    }));
    left.is_none().then_some(edited)
}

fn simpler_exprs(expr: &Expr, fixed: &HashSet<String>, program: &Program) -> Vec<Expr> {
    let numbers = [Expr::Number(0), Expr::Number(1)];
    match expr {
        Expr::Number(0 | 1) => Vec::new(),
        Expr::Number(number) => numbers.into_iter().chain([Expr::Number(number / 2)]).collect(),
        Expr::Place(place) if fixed.contains(&place.name) && place.field.is_none() => Vec::new(),
        Expr::Place(_)
        | Expr::Query(..)
        | Expr::Poll(_)
        | Expr::Timeout
        | Expr::Enabled(_)
        | Expr::PcValue(_)
        | Expr::Remote(_) => numbers.to_vec(),
        Expr::Unary(_, operand) => numbers.into_iter().chain([(**operand).clone()]).collect(),
        Expr::Binary(_, left, right) => numbers.into_iter().chain([(**left).clone(), (**right).clone()]).collect(),
        Expr::Conditional(condition, yes, no) => {
            numbers.into_iter().chain([(**condition).clone(), (**yes).clone(), (**no).clone()]).collect()
        }
        Expr::Call(name, arguments) => {
            let definition = program.macros.iter().find(|definition| definition.name == *name);
            let expanded = definition.and_then(|definition| match &definition.body {
                MacroBody::Expr(body) => {
                    let mut body = body.clone();
                    for (parameter, argument) in definition.parameters.iter().flatten().zip(arguments) {
                        body.walk(&mut Substitute { parameter, argument });
                    }
                    Some(body)
                }
                MacroBody::Statements(_) => None,
            });
            numbers.into_iter().chain(expanded).collect()
        }
    }
}

/// Channels, records, mtype constants, and what inlines and macros assign to.
fn names_that_are_no_numbers(program: &Program) -> HashSet<String> {
    #[derive(Default)]
    struct Names(HashSet<String>);
    impl Visitor for Names {
        fn statement(&mut self, step: &mut Statement) {
            match step {
                Statement::DeclareChannel(Channel { name, .. })
                | Statement::Declare(Variable { ty: Type::Chan | Type::Record(_), name, .. }) => {
                    self.0.insert(name.clone());
                }
                Statement::Call(_, arguments) => {
                    for argument in arguments {
                        if let Expr::Place(place) = argument {
                            self.0.insert(place.name.clone());
                        }
                    }
                }
                _ => {}
            }
        }
    }
    let mut names = Names::default();
    program.clone().walk(&mut names);
    names.0.extend(program.mtypes.iter().cloned());
    names.0.extend(program.channels.iter().map(|channel| channel.name.clone()));
    let parameters = program.proctypes.iter().flat_map(|proctype| &proctype.parameters);
    names.0.extend(parameters.filter(|parameter| parameter.ty == Type::Chan).map(|parameter| parameter.name.clone()));
    names.0
}

/// Declarations and labels whose names occur nowhere else: first all of them, then each.
fn drop_unused(program: &Program, number: usize) -> Option<Program> {
    let mut occurrences = Occurrences::default();
    program.clone().walk(&mut occurrences);
    let mut once: Vec<&String> = occurrences.0.iter().filter(|(_, count)| **count == 1).map(|(name, _)| name).collect();
    once.sort();
    let unused = |name: &String| match number {
        0 => once.contains(&name),
        number => once.get(number - 1) == Some(&name),
    };
    if number > once.len() {
        return None;
    }
    let mut edited = program.clone();
    edited.globals.retain(|variable| !unused(&variable.name));
    edited.channels.retain(|channel| !unused(&channel.name));
    edited.macros.retain(|definition| !unused(&definition.name));
    edited.inlines.retain(|inline| !unused(&inline.name));
    edited.typedefs.retain(|typedef| !unused(&typedef.name));
    edited.proctypes.retain(|proctype| proctype.active > 0 || !unused(&proctype.name));
    if program.mtypes.iter().all(|name| once.contains(&name)) && program.mtypes.iter().any(unused) {
        edited.mtypes.clear();
    }
    edited.walk(&mut EachSequence(|sequence: &mut Sequence| {
        sequence.retain(|step| match step {
            Statement::Declare(Variable { name, .. }) | Statement::DeclareChannel(Channel { name, .. }) => {
                !unused(name)
            }
            _ => true,
        });
        for step in sequence.iter_mut() {
            while let Statement::Label(name, labelled) = step
                && unused(name)
            {
                *step = (**labelled).clone();
            }
        }
        fill(sequence);
    }));
    Some(edited)
}

#[derive(Default)]
struct Occurrences(HashMap<String, usize>);

impl Visitor for Occurrences {
    fn name(&mut self, name: &mut String) {
        *self.0.entry(name.clone()).or_default() += 1;
    }
}

/// A parameter of a proctype that is not used, with its arguments.
fn drop_parameter(program: &Program, number: usize) -> Option<Program> {
    let parameters = program
        .proctypes
        .iter()
        .enumerate()
        .flat_map(|(index, proctype)| (0..proctype.parameters.len()).map(move |parameter| (index, parameter)));
    let (index, parameter) = parameters.into_iter().nth(number)?;
    let mut edited = program.clone();
    let removed = edited.proctypes[index].parameters.remove(parameter);
    if program.count_name(&removed.name) > 1 {
        return Some(program.clone());
    }
    let name = edited.proctypes[index].name.clone();
    edited.walk(&mut EachStatement(|step: &mut Statement| {
        if let Statement::Run(run) | Statement::AssignRun(_, run) = step
            && run.proctype == name
        {
            run.arguments.remove(parameter);
        }
    }));
    Some(edited)
}

/// No initial value, or `byte` for the type.
fn simplify_declaration(program: &Program, number: usize) -> Option<Program> {
    let mut edited = program.clone();
    let mut left = Some(number);
    let mut simplify = |variable: &mut Variable| {
        match left {
            Some(0) => variable.initial.clear(),
            // Not from a wider type: see what the generator says about receiving into a variable that is too small.
            Some(1) if matches!(variable.ty, Type::Bit | Type::Bool | Type::Unsigned(_)) => variable.ty = Type::Byte,
            _ => {}
        }
        left = left.and_then(|n| n.checked_sub(2));
    };
    edited.globals.iter_mut().for_each(&mut simplify);
    edited.walk(&mut EachStatement(|step: &mut Statement| {
        if let Statement::Declare(variable) = step {
            simplify(variable);
        }
    }));
    left.is_none().then_some(edited)
}

/// A smaller capacity, no array, one field less.
fn simplify_channel(program: &Program, number: usize) -> Option<Program> {
    let mut edited = program.clone();
    let channel = edited.channels.get_mut(number / 4)?;
    let name = channel.name.clone();
    match number % 4 {
        0 => channel.capacity = channel.capacity.min(1),
        1 => channel.length = None,
        last => {
            let field = last - 2;
            if channel.fields.len() <= 1 || field >= channel.fields.len() || passes_channels_on(program) {
                return Some(program.clone());
            }
            channel.fields.remove(field);
            edited.walk(&mut DropField { name: &name, field });
        }
    }
    if number % 4 == 1 {
        edited.walk(&mut DropIndex(&name));
    }
    Some(edited)
}

/// Whether a channel can have several names, as a parameter or a variable.
fn passes_channels_on(program: &Program) -> bool {
    let mut found = program.proctypes.iter().flat_map(|proctype| &proctype.parameters).any(|p| p.ty == Type::Chan);
    program.clone().walk(&mut EachStatement(|step: &mut Statement| {
        found |= matches!(step, Statement::Declare(variable) if variable.ty == Type::Chan);
    }));
    found
}

struct DropField<'a> {
    name: &'a str,
    field: usize,
}

impl Visitor for DropField<'_> {
    fn statement(&mut self, step: &mut Statement) {
        match step {
            Statement::Send(send) if send.channel.name == self.name => drop(send.arguments.remove(self.field)),
            Statement::Receive(receive) if receive.channel.name == self.name => {
                drop(receive.arguments.remove(self.field));
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        if let Expr::Poll(poll) = expr
            && poll.channel.name == self.name
        {
            poll.arguments.remove(self.field);
        }
    }
}

struct DropIndex<'a>(&'a str);

impl Visitor for DropIndex<'_> {
    fn place(&mut self, place: &mut Place) {
        if place.name == self.0 {
            place.index = None;
        }
    }
}

/// A sequence must have a statement.
fn fill(sequence: &mut Sequence) {
    if sequence.iter().all(|step| matches!(step, Statement::Declare(_) | Statement::DeclareChannel(_))) {
        sequence.push(Statement::Skip);
    }
}

struct EachSequence<F>(F);

impl<F: FnMut(&mut Sequence)> Visitor for EachSequence<F> {
    fn sequence(&mut self, sequence: &mut Sequence) {
        (self.0)(sequence);
    }
}

struct EachExpr<F>(F);

impl<F: FnMut(&mut Expr)> Visitor for EachExpr<F> {
    fn expr(&mut self, expr: &mut Expr) {
        (self.0)(expr);
    }
}
