//! One walk through all of a program, for every transformation of it.

use super::{
    Channel, Expr, Formula, Inline, Macro, MacroBody, Pattern, Place, Program, Remote, RemotePart, Run, Sequence,
    Statement, Type, Variable,
};

/// What is done at each node: before its parts are visited, which are then those of the changed node.
pub trait Visitor {
    /// A body, a block, the statements of an option.
    fn sequence(&mut self, _sequence: &mut Sequence) {}
    fn statement(&mut self, _statement: &mut Statement) {}
    fn expr(&mut self, _expr: &mut Expr) {}
    fn place(&mut self, _place: &mut Place) {}
    /// Anything that is named, where it is declared and where it is used; predefined names too.
    fn name(&mut self, _name: &mut String) {}
}

/// Visits statements only.
pub struct EachStatement<F>(pub F);

impl<F: FnMut(&mut Statement)> Visitor for EachStatement<F> {
    fn statement(&mut self, step: &mut Statement) {
        (self.0)(step);
    }
}

impl Program {
    pub fn walk(&mut self, visitor: &mut dyn Visitor) {
        let mut walk = Walk { visitor };
        self.mtypes.iter_mut().for_each(|name| walk.visitor.name(name));
        for typedef in &mut self.typedefs {
            walk.visitor.name(&mut typedef.name);
            typedef.fields.iter_mut().for_each(|field| walk.variable(field));
        }
        self.globals.iter_mut().for_each(|variable| walk.variable(variable));
        self.channels.iter_mut().for_each(|channel| walk.channel(channel));
        self.macros.iter_mut().for_each(|definition| walk.definition(definition));
        self.inlines.iter_mut().for_each(|inline| walk.inline(inline));
        for proctype in &mut self.proctypes {
            walk.visitor.name(&mut proctype.name);
            proctype.parameters.iter_mut().for_each(|parameter| walk.variable(parameter));
            proctype.provided.iter_mut().for_each(|condition| walk.expr(condition));
            walk.sequence(&mut proctype.body);
        }
        self.init.iter_mut().for_each(|body| walk.sequence(body));
        if let Some(ltl) = &mut self.ltl {
            walk.visitor.name(&mut ltl.name);
            walk.formula(&mut ltl.formula);
        }
        self.never.iter_mut().for_each(|body| walk.sequence(body));
        if let Some(watch) = &mut self.watch {
            watch.ends.iter_mut().for_each(|end| walk.visitor.name(end));
            let messages = watch.stages.iter_mut().flat_map(|(_, messages)| messages);
            messages.for_each(|message| walk.visitor.name(&mut message.channel));
        }
    }

    /// How often each name occurs, declarations included.
    pub fn count_name(&self, name: &str) -> usize {
        struct Count<'a>(&'a str, usize);
        impl Visitor for Count<'_> {
            fn name(&mut self, name: &mut String) {
                self.1 += usize::from(name == self.0);
            }
        }
        let mut count = Count(name, 0);
        self.clone().walk(&mut count);
        count.1
    }
}

impl Statement {
    /// Visits the statement and all that is inside.
    pub fn walk(&mut self, visitor: &mut dyn Visitor) {
        Walk { visitor }.statement(self);
    }
}

impl Expr {
    /// Visits the expression and all that is inside.
    pub fn walk(&mut self, visitor: &mut dyn Visitor) {
        Walk { visitor }.expr(self);
    }
}

struct Walk<'a> {
    visitor: &'a mut dyn Visitor,
}

impl Walk<'_> {
    fn variable(&mut self, variable: &mut Variable) {
        self.ty(&mut variable.ty);
        self.visitor.name(&mut variable.name);
        variable.initial.iter_mut().for_each(|value| self.expr(value));
    }

    fn ty(&mut self, ty: &mut Type) {
        if let Type::Record(name) = ty {
            self.visitor.name(name);
        }
    }

    fn channel(&mut self, channel: &mut Channel) {
        self.visitor.name(&mut channel.name);
        channel.fields.iter_mut().for_each(|field| self.ty(field));
    }

    fn definition(&mut self, definition: &mut Macro) {
        self.visitor.name(&mut definition.name);
        definition.parameters.iter_mut().flatten().for_each(|name| self.visitor.name(name));
        match &mut definition.body {
            MacroBody::Expr(expr) => self.expr(expr),
            MacroBody::Statements(body) => self.sequence(body),
        }
    }

    fn inline(&mut self, inline: &mut Inline) {
        self.visitor.name(&mut inline.name);
        inline.parameters.iter_mut().for_each(|name| self.visitor.name(name));
        self.sequence(&mut inline.body);
    }

    fn formula(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Atom(expr) => self.expr(expr),
            Formula::Not(inner) | Formula::Always(inner) | Formula::Eventually(inner) => self.formula(inner),
            Formula::And(left, right)
            | Formula::Or(left, right)
            | Formula::Implies(left, right)
            | Formula::Until(left, right)
            | Formula::WeakUntil(left, right)
            | Formula::Release(left, right) => {
                self.formula(left);
                self.formula(right);
            }
        }
    }

    fn sequence(&mut self, sequence: &mut Sequence) {
        self.visitor.sequence(sequence);
        sequence.iter_mut().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &mut Statement) {
        self.visitor.statement(statement);
        match statement {
            Statement::Declare(variable) => self.variable(variable),
            Statement::DeclareChannel(channel) => self.channel(channel),
            Statement::Label(name, labelled) => {
                self.visitor.name(name);
                self.statement(labelled);
            }
            Statement::Skip | Statement::Break | Statement::Else => {}
            Statement::Goto(label) => self.visitor.name(label),
            Statement::Expr(expr) | Statement::Assert(expr) => self.expr(expr),
            Statement::Assign(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Statement::Increment(place) | Statement::Decrement(place) => self.place(place),
            Statement::AssignRun(place, run) => {
                self.place(place);
                self.run(run);
            }
            Statement::Run(run) => self.run(run),
            Statement::Printf(values) => values.iter_mut().for_each(|value| self.expr(value)),
            Statement::Send(send) => {
                self.place(&mut send.channel);
                send.arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
            Statement::Receive(receive) => {
                self.place(&mut receive.channel);
                receive.arguments.iter_mut().for_each(|pattern| self.pattern(pattern));
            }
            Statement::If(options) | Statement::Do(options) => {
                options.iter_mut().for_each(|option| self.sequence(option));
            }
            Statement::For(index, low, high, body) => {
                self.place(index);
                self.expr(low);
                self.expr(high);
                self.sequence(body);
            }
            Statement::ForIn(index, array, body) => {
                self.place(index);
                self.place(array);
                self.sequence(body);
            }
            Statement::Select(index, low, high) => {
                self.place(index);
                self.expr(low);
                self.expr(high);
            }
            Statement::Atomic(body) | Statement::DStep(body) | Statement::Block(body) => self.sequence(body),
            Statement::Unless(main, escape) => {
                self.sequence(main);
                self.sequence(escape);
            }
            Statement::Call(name, arguments) => {
                self.visitor.name(name);
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
        }
    }

    fn run(&mut self, run: &mut Run) {
        self.visitor.name(&mut run.proctype);
        run.arguments.iter_mut().for_each(|argument| self.expr(argument));
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Any => {}
            Pattern::Constant(expr) | Pattern::Eval(expr) => self.expr(expr),
            Pattern::Store(place) => self.place(place),
        }
    }

    fn place(&mut self, place: &mut Place) {
        self.visitor.place(place);
        self.visitor.name(&mut place.name);
        place.index.iter_mut().for_each(|index| self.expr(index));
        place.field.iter_mut().for_each(|field| self.place(field));
    }

    fn expr(&mut self, expr: &mut Expr) {
        self.visitor.expr(expr);
        match expr {
            Expr::Number(_) | Expr::Timeout => {}
            Expr::Place(place) | Expr::Query(_, place) => self.place(place),
            Expr::Unary(_, operand) | Expr::Enabled(operand) | Expr::PcValue(operand) => self.expr(operand),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Conditional(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            Expr::Poll(poll) => {
                self.place(&mut poll.channel);
                poll.arguments.iter_mut().for_each(|pattern| self.pattern(pattern));
            }
            Expr::Remote(Remote { proctype, part, .. }) => {
                self.visitor.name(proctype);
                let (RemotePart::Label(name) | RemotePart::Variable(name)) = part;
                self.visitor.name(name);
            }
            Expr::Call(name, arguments) => {
                self.visitor.name(name);
                arguments.iter_mut().for_each(|argument| self.expr(argument));
            }
        }
    }
}
