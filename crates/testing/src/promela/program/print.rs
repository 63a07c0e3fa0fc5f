//! Programs as text that SPIN accepts.

use std::fmt::{self, Display, Formatter};

use super::{
    Channel, Expr, Formula, Inline, Macro, MacroBody, Pattern, Place, Proctype, Program, Remote, RemotePart, Run,
    Sequence, Statement, Type, Typedef, Unary, Variable, Watch, WatchedMessage,
};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for definition in &self.macros {
            writeln!(f, "{definition}")?;
        }
        if !self.mtypes.is_empty() {
            writeln!(f, "mtype = {{ {} }};", self.mtypes.join(", "))?;
        }
        for typedef in &self.typedefs {
            writeln!(f, "{typedef}")?;
        }
        for variable in &self.globals {
            writeln!(f, "{variable};")?;
        }
        for channel in &self.channels {
            writeln!(f, "{channel};")?;
        }
        for inline in &self.inlines {
            write!(f, "{inline}")?;
        }
        for proctype in &self.proctypes {
            write!(f, "{proctype}")?;
        }
        if let Some(watch) = &self.watch {
            write!(f, "{watch}")?;
        }
        if let Some(body) = &self.init {
            writeln!(f, "init {{")?;
            sequence(f, body, 1)?;
            writeln!(f, "}}")?;
        }
        if let Some(ltl) = &self.ltl {
            writeln!(f, "ltl {} {{ {} }}", ltl.name, ltl.formula)?;
        }
        if let Some(body) = &self.never {
            writeln!(f, "never {{")?;
            sequence(f, body, 1)?;
            writeln!(f, "}}")?;
        }
        Ok(())
    }
}

impl Display for Watch {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {{", if self.negated { "notrace" } else { "trace" })?;
        for ((repeats, messages), end) in self.stages.iter().zip(&self.ends) {
            write!(f, "  {end}: ")?;
            match (&messages[..], repeats) {
                ([others @ .., last], true) => {
                    write!(f, "do ")?;
                    others.iter().try_for_each(|message| write!(f, ":: {message} "))?;
                    writeln!(f, ":: {last} -> break od;")?;
                }
                (messages, _) => messages.iter().try_for_each(|message| writeln!(f, "{message};"))?,
            }
        }
        writeln!(f, "}}")
    }
}

impl Display for WatchedMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.channel)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        f.write_str(if self.is_receive { "?" } else { "!" })?;
        for (place, argument) in self.arguments.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "," })?;
            match argument {
                Some(value) => write!(f, "{value}")?,
                None => f.write_str("_")?,
            }
        }
        Ok(())
    }
}

impl Display for Typedef {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "typedef {} {{ {} }};", self.name, Separated(&self.fields, "; "))
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Bit => "bit",
            Type::Bool => "bool",
            Type::Byte => "byte",
            Type::Pid => "pid",
            Type::Short => "short",
            Type::Int => "int",
            Type::Unsigned(_) => "unsigned",
            Type::Mtype => "mtype",
            Type::Chan => "chan",
            Type::Record(name) => name,
        })
    }
}

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.hidden {
            f.write_str("hidden ")?;
        }
        write!(f, "{} {}", self.ty, self.name)?;
        if let Type::Unsigned(width) = self.ty {
            write!(f, " : {width}")?;
        }
        if let Some(length) = self.length {
            write!(f, "[{length}]")?;
        }
        match &self.initial[..] {
            [] => Ok(()),
            [value] => write!(f, " = {value}"),
            values => write!(f, " = {{ {} }}", Separated(values, ", ")),
        }
    }
}

impl Display for Channel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "chan {}", self.name)?;
        if let Some(length) = self.length {
            write!(f, "[{length}]")?;
        }
        write!(f, " = [{}] of {{ {} }}", self.capacity, Separated(&self.fields, ", "))
    }
}

impl Display for Macro {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "#define {}", self.name)?;
        if let Some(parameters) = &self.parameters {
            write!(f, "({})", parameters.join(", "))?;
        }
        match &self.body {
            MacroBody::Expr(expr) => write!(f, " {}", Operand(expr)),
            MacroBody::Statements(body) => {
                let mut text = String::new();
                body.iter().try_for_each(|step| statement(&mut text, step, 0, ";"))?;
                write!(f, " {}", text.trim_end().trim_end_matches(';').replace('\n', " "))
            }
        }
    }
}

impl Display for Inline {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "inline {}({}) {{", self.name, self.parameters.join(", "))?;
        sequence(f, &self.body, 1)?;
        writeln!(f, "}}")
    }
}

impl Display for Proctype {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.active {
            0 => {}
            1 => f.write_str("active ")?,
            count => write!(f, "active [{count}] ")?,
        }
        write!(f, "proctype {}({})", self.name, Separated(&self.parameters, "; "))?;
        if let Some(priority) = self.priority {
            write!(f, " priority {priority}")?;
        }
        if let Some(condition) = &self.provided {
            write!(f, " provided ({condition})")?;
        }
        writeln!(f, " {{")?;
        sequence(f, &self.body, 1)?;
        writeln!(f, "}}")
    }
}

fn sequence(f: &mut dyn fmt::Write, steps: &Sequence, depth: usize) -> fmt::Result {
    steps.iter().enumerate().try_for_each(|(index, step)| {
        indent(f, depth)?;
        statement(f, step, depth, if index + 1 < steps.len() { ";" } else { "" })
    })
}

fn indent(f: &mut dyn fmt::Write, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

/// One statement, what separates it from the next, and the end of the line.
fn statement(f: &mut dyn fmt::Write, step: &Statement, depth: usize, separator: &str) -> fmt::Result {
    match step {
        Statement::Label(name, labelled) => {
            write!(f, "{name}: ")?;
            return statement(f, labelled, depth, separator);
        }
        Statement::If(options) => choice(f, "if", options, "fi", depth)?,
        Statement::Do(options) => choice(f, "do", options, "od", depth)?,
        Statement::For(index, low, high, body) => {
            braced(f, &format!("for ({index} : {} .. {}) ", Operand(low), Operand(high)), body, depth)?;
        }
        Statement::ForIn(index, array, body) => braced(f, &format!("for ({index} in {array}) "), body, depth)?,
        Statement::Atomic(body) => braced(f, "atomic ", body, depth)?,
        Statement::DStep(body) => braced(f, "d_step ", body, depth)?,
        Statement::Block(body) => braced(f, "", body, depth)?,
        Statement::Unless(main, escape) => {
            braced(f, "", main, depth)?;
            braced(f, " unless ", escape, depth)?;
        }
        basic => write!(f, "{}", Basic(basic))?,
    }
    writeln!(f, "{separator}")
}

fn choice(f: &mut dyn fmt::Write, open: &str, options: &[Sequence], close: &str, depth: usize) -> fmt::Result {
    writeln!(f, "{open}")?;
    for option in options {
        indent(f, depth)?;
        f.write_str(":: ")?;
        let arrow = if option.len() > 1 { " ->" } else { "" };
        statement(f, &option[0], depth + 1, arrow)?;
        sequence(f, &option[1..].to_vec(), depth + 1)?;
    }
    indent(f, depth)?;
    f.write_str(close)
}

fn braced(f: &mut dyn fmt::Write, before: &str, body: &Sequence, depth: usize) -> fmt::Result {
    writeln!(f, "{before}{{")?;
    sequence(f, body, depth + 1)?;
    indent(f, depth)?;
    f.write_str("}")
}

/// A statement without statements inside.
struct Basic<'a>(&'a Statement);

impl Display for Basic<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Statement::Declare(variable) => write!(f, "{variable}"),
            Statement::DeclareChannel(channel) => write!(f, "{channel}"),
            Statement::Skip => f.write_str("skip"),
            Statement::Break => f.write_str("break"),
            Statement::Goto(label) => write!(f, "goto {label}"),
            Statement::Else => f.write_str("else"),
            Statement::Expr(expr) => write!(f, "{expr}"),
            Statement::Assign(place, value) => write!(f, "{place} = {value}"),
            Statement::Increment(place) => write!(f, "{place}++"),
            Statement::Decrement(place) => write!(f, "{place}--"),
            Statement::AssignRun(place, run) => write!(f, "{place} = {run}"),
            Statement::Run(run) => write!(f, "{run}"),
            Statement::Assert(expr) => write!(f, "assert({expr})"),
            Statement::Printf(values) => {
                write!(f, "printf(\"{}\\n\"", vec!["%d"; values.len()].join(" "))?;
                values.iter().try_for_each(|value| write!(f, ", {}", Operand(value)))?;
                f.write_str(")")
            }
            Statement::Send(send) => {
                write!(f, "{}{}", send.channel, if send.sorted { "!!" } else { "!" })?;
                match &send.arguments[..] {
                    [first, rest @ ..] if send.parenthesised && !rest.is_empty() => {
                        write!(f, "{}({})", Operand(first), Operands(rest))
                    }
                    arguments => write!(f, "{}", Operands(arguments)),
                }
            }
            Statement::Receive(receive) => {
                write!(f, "{}{}", receive.channel, if receive.random { "??" } else { "?" })?;
                let (open, close) = if receive.peek { ("<", ">") } else { ("", "") };
                write!(f, "{open}{}{close}", Separated(&receive.arguments, ","))
            }
            Statement::Select(place, low, high) => {
                write!(f, "select ({place} : {} .. {})", Operand(low), Operand(high))
            }
            Statement::Call(name, arguments) => write!(f, "{name}({})", Operands(arguments)),
            compound => unreachable!("{compound:?} contains statements"),
        }
    }
}

impl Display for Run {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "run {}({})", self.proctype, Operands(&self.arguments))?;
        match self.priority {
            Some(priority) => write!(f, " priority {priority}"),
            None => Ok(()),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pattern::Any => f.write_str("_"),
            Pattern::Constant(expr) => write!(f, "{expr}"),
            Pattern::Eval(expr) => write!(f, "eval({expr})"),
            Pattern::Store(place) => write!(f, "{place}"),
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(index) = &self.index {
            write!(f, "[{index}]")?;
        }
        match &self.field {
            Some(field) => write!(f, ".{field}"),
            None => Ok(()),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Number(number) => write!(f, "{number}"),
            Expr::Place(place) => write!(f, "{place}"),
            Expr::Unary(operator, operand) => {
                let sign = match operator {
                    Unary::Not => "!",
                    Unary::Negate => "-",
                    Unary::Complement => "~",
                };
                // Two signs in a row could be read as one token.
                match **operand {
                    Expr::Unary(..) => write!(f, "{sign}({operand})"),
                    _ => write!(f, "{sign}{}", Operand(operand)),
                }
            }
            Expr::Binary(operator, left, right) => {
                write!(f, "{} {} {}", Operand(left), operator, Operand(right))
            }
            Expr::Conditional(condition, yes, no) => {
                write!(f, "({} -> {} : {})", Operand(condition), Operand(yes), Operand(no))
            }
            Expr::Query(query, channel) => write!(f, "{query}({channel})"),
            Expr::Poll(poll) => {
                let sign = if poll.random { "??" } else { "?" };
                write!(f, "{}{sign}[{}]", poll.channel, Separated(&poll.arguments, ","))
            }
            Expr::Timeout => f.write_str("timeout"),
            Expr::Enabled(pid) => write!(f, "enabled({pid})"),
            Expr::PcValue(pid) => write!(f, "pc_value({pid})"),
            Expr::Remote(Remote { proctype, pid, part }) => match part {
                RemotePart::Label(label) => write!(f, "{proctype}[{pid}]@{label}"),
                RemotePart::Variable(variable) => write!(f, "{proctype}[{pid}]:{variable}"),
            },
            Expr::Call(name, arguments) => write!(f, "{name}({})", Operands(arguments)),
        }
    }
}

/// An expression where only an operand may stand: in parentheses if it is not one.
struct Operand<'a>(&'a Expr);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let simple = match self.0 {
            Expr::Number(number) => *number >= 0,
            Expr::Place(_)
            | Expr::Conditional(..)
            | Expr::Query(..)
            | Expr::Timeout
            | Expr::Enabled(_)
            | Expr::PcValue(_)
            | Expr::Remote(_)
            | Expr::Call(..) => true,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Poll(_) => false,
        };
        if simple { write!(f, "{}", self.0) } else { write!(f, "({})", self.0) }
    }
}

/// Arguments. They are text to inlines and macros, so they need their parentheses.
struct Operands<'a>(&'a [Expr]);

impl Display for Operands<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, expr)| {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}", Operand(expr))
        })
    }
}

struct Separated<'a, T>(&'a [T], &'static str);

impl<T: Display> Display for Separated<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, item)| {
            let separator = if index == 0 { "" } else { self.1 };
            write!(f, "{separator}{item}")
        })
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Atom(expr) => write!(f, "({expr})"),
            Formula::Not(inner) => write!(f, "!({inner})"),
            Formula::Always(inner) => write!(f, "[]({inner})"),
            Formula::Eventually(inner) => write!(f, "<>({inner})"),
            Formula::And(left, right) => write!(f, "({left} && {right})"),
            Formula::Or(left, right) => write!(f, "({left} || {right})"),
            Formula::Implies(left, right) => write!(f, "({left} -> {right})"),
            Formula::Until(left, right) => write!(f, "({left} U {right})"),
            Formula::WeakUntil(left, right) => write!(f, "({left} W {right})"),
            Formula::Release(left, right) => write!(f, "({left} V {right})"),
        }
    }
}
