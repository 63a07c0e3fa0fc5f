//! The printed form of a model, for golden tests and for people who want to see what the front end made of a text.

use std::fmt::{self, Display, Formatter};

use reductio_logic::Prop;

use crate::claim::{Claim, Literal};
use crate::expr::{Binary, ChannelQuery, Expr, Pattern, Place, Scope, Unary, ValueType};
use crate::model::{ActionKind, Communication, Guard, Initial, LocationId, Model, Op, Proctype, Slot};
use crate::monitor::{Direction, Monitor};
use crate::property::CtlFormula;

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "model {}", self.name)?;
        for enumeration in &self.enumerations {
            let members: Vec<String> =
                enumeration.members.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let name = enumeration.name.as_ref().map_or(String::new(), |name| format!(":{name}"));
            writeln!(f, "mtype{name} {{ {} }}", members.join(", "))?;
        }
        for (index, channel) in self.channel_types.iter().enumerate() {
            let fields: Vec<String> = channel.fields.iter().map(ValueType::to_string).collect();
            writeln!(
                f,
                "channel type {index}, {}: [{}] of {{ {} }}",
                channel.name,
                channel.capacity,
                fields.join(", ")
            )?;
        }
        let names = Names { model: self, proctype: None };
        for slot in &self.globals {
            writeln!(f, "global {}", names.slot(slot))?;
        }
        for (index, atom) in self.atoms.iter().enumerate() {
            writeln!(f, "atom {index}: {}", names.expr(&atom.expr))?;
        }
        for claim in &self.claims {
            print_claim(f, claim)?;
        }
        for CtlFormula { name, formula, .. } in &self.ctl {
            let atom = |prop: Prop| format!("atom {}", prop.0);
            writeln!(f, "ctl {name}: {}", formula.text(&atom))?;
        }
        for monitor in &self.monitors {
            print_monitor(f, &names, monitor)?;
        }
        for (pid, start) in self.initial.iter().enumerate() {
            writeln!(f, "process {pid}: {}, priority {}", self.proctype(start.proctype).name, start.priority)?;
        }
        for unchecked in &self.unchecked {
            writeln!(f, "unchecked {}: {}", unchecked.name, unchecked.why)?;
        }
        for proctype in &self.proctypes {
            writeln!(f)?;
            print_proctype(f, self, proctype)?;
        }
        Ok(())
    }
}

/// An expression of a process, as in the printed form of its model.
pub fn expression(model: &Model, proctype: &Proctype, expr: &Expr) -> String {
    Names { model, proctype: Some(proctype) }.expr(expr)
}

/// A place of a process, as in the printed form of its model.
pub fn place(model: &Model, proctype: &Proctype, place: &Place) -> String {
    Names { model, proctype: Some(proctype) }.place(place)
}

fn print_claim(f: &mut Formatter<'_>, claim: &Claim) -> fmt::Result {
    let automaton = &claim.violations;
    writeln!(f, "claim {}, {}: {}", claim.name, claim.kind.name(), claim.text)?;
    writeln!(f, "  violations: start {}, acceptance sets {}", automaton.initial, automaton.sets)?;
    for (state, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            let literal = |literal: &Literal| format!("{}{}", if literal.value { "" } else { "!" }, literal.atom.0);
            let guard: Vec<String> = edge.guard.iter().map(literal).collect();
            let guard = if guard.is_empty() { "true".to_owned() } else { guard.join(" && ") };
            let marks: Vec<String> =
                (0..automaton.sets).filter(|set| edge.marks >> set & 1 == 1).map(|set| set.to_string()).collect();
            let marks = if marks.is_empty() { String::new() } else { format!(" in {}", marks.join(", ")) };
            writeln!(f, "  {state} -> {}: {guard}{marks}", edge.target)?;
        }
    }
    Ok(())
}

fn print_monitor(f: &mut Formatter<'_>, names: &Names<'_>, monitor: &Monitor) -> fmt::Result {
    writeln!(f, "{}", monitor.name)?;
    for (index, point) in monitor.points.iter().enumerate() {
        writeln!(f, "  {index}{}", if point.end { " end" } else { "" })?;
        for (event, to) in &point.events {
            let sign = match event.direction {
                Direction::Send => "!",
                Direction::Receive => "?",
            };
            let field = |field: &Option<i32>| field.map_or("_".to_owned(), |value| value.to_string());
            let fields: Vec<String> = event.fields.iter().map(field).collect();
            writeln!(f, "    -> {to}: {}{sign}{}", names.expr(&event.channel), fields.join(", "))?;
        }
    }
    Ok(())
}

fn print_proctype(f: &mut Formatter<'_>, model: &Model, proctype: &Proctype) -> fmt::Result {
    let names = Names { model, proctype: Some(proctype) };
    writeln!(f, "proctype {}, entry {}", proctype.name, proctype.entry)?;
    if let Some(provided) = &proctype.provided {
        writeln!(f, "  provided {}", names.expr(provided))?;
    }
    for (index, slot) in proctype.locals.iter().enumerate() {
        let word = if index < proctype.parameters as usize { "parameter" } else { "local" };
        writeln!(f, "  {word} {}", names.slot(slot))?;
    }
    for label in &proctype.labels {
        writeln!(f, "  label {} at {}", label.name, label.location)?;
    }
    for (index, location) in proctype.locations.iter().enumerate() {
        let flags = [
            (location.end, " end"),
            (location.accept, " accept"),
            (location.progress, " progress"),
            (location.interior, " interior"),
            (location.module, " module"),
        ];
        let flags: String = flags.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
        writeln!(f, "  {}, line {}{flags}", LocationId(index as u32), location.position.line)?;
        for &id in &location.edges {
            let edge = proctype.edge(id);
            let atomic = if edge.atomic { " atomic" } else { "" };
            let escape = if edge.escape > 0 { format!(" escape {}", edge.escape) } else { String::new() };
            writeln!(f, "    -> {}{atomic}{escape}: {}", edge.to, names.action(&proctype.action(edge.action).kind))?;
        }
    }
    Ok(())
}

impl Display for LocationId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.0)
    }
}

impl Display for ValueType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ValueType::Unsigned(1) => f.write_str("bit"),
            ValueType::Unsigned(8) => f.write_str("byte"),
            ValueType::Unsigned(bits) => write!(f, "unsigned:{bits}"),
            ValueType::Short => f.write_str("short"),
            ValueType::Int => f.write_str("int"),
            ValueType::Mtype(_) => f.write_str("mtype"),
            ValueType::Chan => f.write_str("chan"),
        }
    }
}

/// What slots and constants are called, here.
struct Names<'m> {
    model: &'m Model,
    proctype: Option<&'m Proctype>,
}

impl Names<'_> {
    fn slot(&self, slot: &Slot) -> String {
        let initial = match &slot.initial {
            Initial::Value(value) => value.to_string(),
            Initial::Expr(expr) => self.expr(expr),
            Initial::Channel(ty) => format!("channel of type {}", ty.0),
        };
        format!("{} {} = {initial}", slot.ty, slot.name)
    }

    fn action(&self, kind: &ActionKind) -> String {
        let (guard, communication, effect) = match kind {
            ActionKind::End => return "end".to_owned(),
            ActionKind::DStep { entry } => return format!("d_step from {entry}"),
            ActionKind::Step { guard, communication, effect } => (guard, communication, effect),
        };
        let mut parts = Vec::new();
        match guard {
            Guard::Else => parts.push("else".to_owned()),
            Guard::When(Expr::Const(1)) if communication.is_some() || !effect.is_empty() => {}
            Guard::When(condition) => parts.push(format!("when {}", self.expr(condition))),
        }
        match communication {
            None => {}
            Some(Communication::Send { channel, sorted, arguments }) => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
                let operator = if *sorted { "!!" } else { "!" };
                parts.push(format!("{}{operator}{}", self.expr(channel), arguments.join(",")));
            }
            Some(Communication::Receive { channel, random, peek, patterns }) => {
                let operator = if *random { "??" } else { "?" };
                let patterns = self.patterns(patterns);
                let patterns = if *peek { format!("<{patterns}>") } else { patterns };
                parts.push(format!("{}{operator}{patterns}", self.expr(channel)));
            }
        }
        parts.extend(effect.iter().map(|op| self.op(op)));
        parts.join("; ")
    }

    fn op(&self, op: &Op) -> String {
        match op {
            Op::Assign(place, expr) => format!("{} = {}", self.place(place), self.expr(expr)),
            Op::Evaluate(expr) => format!("evaluate {}", self.expr(expr)),
            Op::Assert(condition) => format!("assert {}", self.expr(condition)),
            Op::Print { literals, arguments } => {
                let arguments: String =
                    arguments.iter().map(|(_, argument)| format!(", {}", self.expr(argument))).collect();
                format!("print {:?}{arguments}", literals.join("%"))
            }
            Op::Run { proctype, arguments, priority, result } => {
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
                let result = result.as_ref().map_or(String::new(), |place| format!("{} = ", self.place(place)));
                let name = &self.model.proctype(*proctype).name;
                format!("{result}run {name}({}) priority {priority}", arguments.join(", "))
            }
            Op::SetPriority { pid, priority } => {
                format!("set_priority({}, {})", self.expr(pid), self.expr(priority))
            }
        }
    }

    fn patterns(&self, patterns: &[Pattern]) -> String {
        let patterns: Vec<String> = patterns
            .iter()
            .map(|pattern| match pattern {
                Pattern::Store(place) => self.place(place),
                Pattern::Match(expr) => format!("eval({})", self.expr(expr)),
                Pattern::Discard => "_".to_owned(),
            })
            .collect();
        patterns.join(",")
    }

    /// The name of the first slot the place can mean, and what is added to it.
    fn place(&self, place: &Place) -> String {
        let slots = match (place.scope, self.proctype) {
            (Scope::Global, _) => &self.model.globals[..],
            (Scope::Local, Some(proctype)) => &proctype.locals[..],
            (Scope::Local, None) => &[],
        };
        self.place_in(place, slots)
    }

    fn place_in(&self, place: &Place, slots: &[Slot]) -> String {
        let mut name = slots.get(place.base as usize).map_or("?", |slot| slot.name.as_str()).to_owned();
        for index in &place.indices {
            let stride = if index.stride == 1 { String::new() } else { format!("*{}", index.stride) };
            name += &format!("+[{}]{stride}", self.expr(&index.value));
        }
        name
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const(value) => value.to_string(),
            Expr::Read(place) => self.place(place),
            Expr::Unary(operator, operand) => format!("{operator}{}", self.expr(operand)),
            Expr::Binary(operator, left, right) => {
                format!("({} {} {})", self.expr(left), operator, self.expr(right))
            }
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                format!("({} -> {} : {})", self.expr(condition), self.expr(yes), self.expr(no))
            }
            Expr::Query(query, channel) => format!("{query}({})", self.expr(channel)),
            Expr::Poll { channel, random, patterns } => {
                let operator = if *random { "??" } else { "?" };
                format!("{}{operator}[{}]", self.expr(channel), self.patterns(patterns))
            }
            Expr::Pid => "_pid".to_owned(),
            Expr::ProcessCount => "_nr_pr".to_owned(),
            Expr::Last => "_last".to_owned(),
            Expr::Timeout => "timeout".to_owned(),
            Expr::NonProgress => "np_".to_owned(),
            Expr::Accepting => "accepting".to_owned(),
            Expr::Enabled(pid) => format!("enabled({})", self.expr(pid)),
            Expr::PcValue(pid) => format!("pc_value({})", self.expr(pid)),
            Expr::PriorityOf(pid) => format!("get_priority({})", self.expr(pid)),
            Expr::At { proctype, pid, label } => {
                format!("{}{}@{label}", self.model.proctype(*proctype).name, self.pid(pid.as_deref()))
            }
            Expr::Remote { proctype, pid, place } => {
                let proctype = self.model.proctype(*proctype);
                format!("{}{}:{}", proctype.name, self.pid(pid.as_deref()), self.place_in(place, &proctype.locals))
            }
        }
    }

    fn pid(&self, pid: Option<&Expr>) -> String {
        pid.map_or(String::new(), |pid| format!("[{}]", self.expr(pid)))
    }
}

impl Display for Unary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unary::Not => "!",
            Unary::Negate => "-",
            Unary::Complement => "~",
        })
    }
}

impl Display for Binary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::BitAnd => "&",
            Binary::BitXor => "^",
            Binary::BitOr => "|",
            Binary::And => "&&",
            Binary::Or => "||",
        })
    }
}

impl Display for ChannelQuery {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChannelQuery::Len => "len",
            ChannelQuery::Empty => "empty",
            ChannelQuery::Full => "full",
            ChannelQuery::NotEmpty => "nempty",
            ChannelQuery::NotFull => "nfull",
        })
    }
}
