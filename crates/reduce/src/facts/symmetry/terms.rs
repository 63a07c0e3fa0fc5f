//! Symmetry detection: is a permutation an automorphism of the program? It is if it makes the program of each process the program of the process
//! that takes its place.
//!
//! Programs are compared in a normal form: what never changes for a process is worked out, operands are sorted where their order
//! makes no difference, and so are the options of a choice. The permutation is applied on the way: to variables, channels, processes,
//! and to constants that name processes. Where it cannot be applied, because a value that names a process is used for
//! something else, that is what breaks the symmetry.

use reductio_model::print::expression;
use reductio_model::{
    ActionId, ActionKind, Binary, ChannelTypeId, Communication, EdgeId, Expr, Guard, LocationId, Op, Pattern, Place,
    ProctypeId, Scope, Unary, ValueType,
};

use super::Obstacle;
use super::meanings::{Dimension, Meanings, Owner, channel_types};
use super::start::Start;
use crate::on_the_fly::symmetry::{Home, Meaning, Permutation, Slots};

/// Why a permutation cannot be applied.
pub(super) enum Why {
    /// What a statement or a condition does.
    Does(&'static str),
    /// An expression has such values, and they are used as numbers.
    Calculates { value: String, meaning: Meaning },
}

impl Why {
    /// The reason as a sentence about a statement or a condition.
    pub fn of(self, subject: &str) -> String {
        match self {
            Why::Does(what) => format!("{subject} {what}"),
            Why::Calculates { value, meaning } => {
                let names = if meaning == Meaning::Channel { "channels" } else { "process ids" };
                format!("`{value}` holds {names} and is used in arithmetic or in an order comparison")
            }
        }
    }
}

/// Applies a permutation to programs.
pub(super) struct Writer<'a> {
    pub start: &'a Start<'a>,
    pub meanings: &'a Meanings,
    pub permutation: &'a Permutation,
}

/// An expression in normal form.
struct Term {
    text: String,
    meaning: Meaning,
    constant: Option<i32>,
    /// It always has a value.
    total: bool,
    /// The type of the variable, if it is one.
    ty: Option<ValueType>,
}

impl Term {
    fn constant(value: i32) -> Term {
        Term { text: value.to_string(), meaning: Meaning::Number, constant: Some(value), total: true, ty: None }
    }

    fn number(text: String, total: bool) -> Term {
        Term { text, meaning: Meaning::Number, constant: None, total, ty: None }
    }

    fn wrapped(self, name: &str) -> Term {
        Term::number(format!("{name} {}", self.text), self.total)
    }
}

/// What a process can do at a location, in normal form. Within a group the order makes no difference.
pub(super) type Groups = Vec<Vec<(String, ActionId)>>;

impl Writer<'_> {
    /// A condition on states, in normal form.
    pub fn condition(&self, expr: &Expr) -> Result<String, Why> {
        self.truth(None, expr)
    }

    /// What a process can do at a location.
    pub fn location(&self, pid: u8, location: LocationId) -> Result<Groups, Obstacle> {
        let proctype = self.start.proctype(pid);
        let is_ordered = proctype.location(location).interior;
        let mut groups: Groups = vec![Vec::new()];
        let mut escape = 0;
        for &id in &proctype.location(location).edges {
            let edge = proctype.edge(id);
            let action = proctype.action(edge.action);
            let text = self.edge(pid, id).map_err(|why| Obstacle {
                because: why.of(&format!("`{}`", action.text)),
                at: Some(action.position),
            })?;
            let is_else = matches!(action.kind, ActionKind::Step { guard: Guard::Else, .. });
            if is_ordered || is_else || edge.escape != escape {
                groups.push(Vec::new());
                escape = edge.escape;
            }
            groups.last_mut().expect("there is a group").push((text, edge.action));
            if is_else {
                groups.push(Vec::new());
            }
        }
        groups.iter_mut().for_each(|group| group.sort());
        Ok(groups)
    }

    /// The condition under which a process may move at all.
    pub fn provided(&self, pid: u8) -> Result<Option<String>, Obstacle> {
        let proctype = self.start.proctype(pid);
        let provided = proctype.provided.as_ref().map(|expr| self.truth(Some(pid), expr)).transpose();
        provided.map_err(|why| Obstacle {
            because: why.of(&format!("the `provided` clause of `{}`", proctype.name)),
            at: Some(proctype.position),
        })
    }

    fn edge(&self, pid: u8, id: EdgeId) -> Result<String, Why> {
        let proctype = self.start.proctype(pid);
        self.step(pid, id, &proctype.action_of(id).kind)
    }

    /// What is done on an edge, if it is this.
    pub fn step(&self, pid: u8, id: EdgeId, kind: &ActionKind) -> Result<String, Why> {
        let edge = self.start.proctype(pid).edge(id);
        let head = format!("to {} {} {}", edge.to.0, edge.escape > 0, edge.atomic);
        let who = Some(pid);
        Ok(match kind {
            ActionKind::End => format!("{head} end"),
            ActionKind::DStep { entry } => format!("{head} d_step {}", entry.0),
            ActionKind::Step { guard, communication, effect } => {
                let guard = match guard {
                    Guard::Else => "else".to_owned(),
                    Guard::When(condition) => self.truth(who, condition)?,
                };
                let communication = communication.as_ref().map(|communication| self.communication(pid, communication));
                let effect = effect.iter().map(|op| self.op(pid, op)).collect::<Result<Vec<_>, _>>()?;
                format!("{head} if {guard} {} do {}", communication.transpose()?.unwrap_or_default(), effect.join("; "))
            }
        })
    }

    fn communication(&self, pid: u8, communication: &Communication) -> Result<String, Why> {
        let who = Some(pid);
        match communication {
            Communication::Send { channel, sorted, arguments } => {
                let types = self.types(pid, channel);
                let mut fields = Vec::new();
                let widths = types.iter().map(|&ty| self.start.model.channel_type(ty).fields.len());
                // Fields that are not given are zero.
                for field in 0..widths.max().unwrap_or(0).max(arguments.len()) {
                    let given = arguments.get(field).map(|argument| self.term(who, argument));
                    let term = given.unwrap_or(Ok(Term::constant(0)))?;
                    for &ty in &types {
                        let meaning = self.meanings.symmetry.field_meaning(ty, field);
                        if *sorted && self.is_moved(meaning) {
                            return Err(Why::Does("sorts messages by process ids or channels"));
                        }
                        let declared = self.start.model.channel_type(ty).fields.get(field);
                        fields.push(match declared {
                            Some(&declared) => self.stored(&term, meaning, declared)?,
                            None => "too many".to_owned(),
                        });
                    }
                }
                Ok(format!("{}!{sorted} {}", self.channel(who, channel)?.text, fields.join(",")))
            }
            Communication::Receive { channel, random, peek, patterns } => {
                let fields = self.patterns(who, channel, patterns)?;
                Ok(format!("{}?{random} {peek} {fields}", self.channel(who, channel)?.text))
            }
        }
    }

    fn patterns(&self, who: Option<u8>, channel: &Expr, patterns: &[Pattern]) -> Result<String, Why> {
        let types = match who {
            Some(pid) => self.types(pid, channel),
            None => channel_types(self.start, None, channel),
        };
        let mut texts = Vec::new();
        for (field, pattern) in patterns.iter().enumerate() {
            for &ty in &types {
                let meaning = self.meanings.symmetry.field_meaning(ty, field);
                let declared = self.start.model.channel_type(ty).fields.get(field).copied();
                let received = Term { meaning, ty: declared, ..Term::number(format!("field {field}"), true) };
                texts.push(match pattern {
                    Pattern::Discard => "_".to_owned(),
                    Pattern::Match(expr) => self.same(&received, &self.term(who, expr)?)?,
                    Pattern::Store(place) => {
                        let target = self.place(who, self.owner(who, place.scope), place)?;
                        format!("{} := {}", target.text, self.stored(&received, target.meaning, place.ty)?)
                    }
                });
            }
        }
        Ok(texts.join(","))
    }

    fn types(&self, pid: u8, channel: &Expr) -> Vec<ChannelTypeId> {
        let value = self.start.instances[usize::from(pid)].value(channel);
        let index = value.and_then(|number| usize::try_from(number).ok()?.checked_sub(1));
        match index.and_then(|index| self.start.state().channels.get(index)) {
            Some(known) => vec![known.ty],
            None => channel_types(self.start, Some(self.start.state().processes[usize::from(pid)].proctype), channel),
        }
    }

    fn op(&self, pid: u8, op: &Op) -> Result<String, Why> {
        let who = Some(pid);
        Ok(match op {
            Op::Assign(place, expr) => {
                let target = self.place(who, self.owner(who, place.scope), place)?;
                let value = self.term(who, expr)?;
                format!("{} := {}", target.text, self.stored(&value, target.meaning, place.ty)?)
            }
            Op::Evaluate(expr) => format!("evaluate {}", self.term(who, expr)?.text),
            Op::Assert(expr) => format!("assert {}", self.truth(who, expr)?),
            Op::Print { .. } => "print".to_owned(),
            Op::Run { .. } => return Err(Why::Does("creates a process")),
            Op::SetPriority { pid, priority } => {
                format!("priority {} := {}", self.pid(who, pid)?.text, self.number(who, priority)?)
            }
        })
    }

    /// A value on its way to where values have a meaning and a type.
    fn stored(&self, value: &Term, meaning: Meaning, ty: ValueType) -> Result<String, Why> {
        if let Some(constant) = value.constant {
            let image = self.image(meaning, ty.truncate(constant));
            if ty.truncate(image) != image {
                return Err(Why::Does("truncates a process id to a smaller type"));
            }
            return Ok(image.to_string());
        }
        if !self.is_moved(meaning) && !self.is_moved(value.meaning) {
            return Ok(value.text.clone());
        }
        if meaning != value.meaning {
            return Err(Why::Does("mixes process ids or channels with plain numbers"));
        }
        if !value.ty.is_some_and(|from| is_wide_enough(from, ty)) {
            return Err(Why::Does("may truncate a process id to a smaller type"));
        }
        Ok(value.text.clone())
    }

    fn image(&self, meaning: Meaning, value: i32) -> i32 {
        self.meanings.symmetry.value_image(meaning, self.permutation, value)
    }

    fn is_moved(&self, meaning: Meaning) -> bool {
        self.meanings.symmetry.is_moved(meaning, self.permutation)
    }

    fn known(&self, who: Option<u8>, expr: &Expr) -> Option<i32> {
        match who {
            Some(pid) => self.start.instances[usize::from(pid)].value(expr),
            None => {
                if let Expr::Const(value) = expr {
                    Some(*value)
                } else {
                    None
                }
            }
        }
    }

    fn term(&self, who: Option<u8>, expr: &Expr) -> Result<Term, Why> {
        if let Some(value) = self.known(who, expr) {
            return Ok(Term::constant(value));
        }
        Ok(match expr {
            Expr::Const(value) => Term::constant(*value),
            Expr::Read(place) => self.place(who, self.owner(who, place.scope), place)?,
            Expr::Unary(Unary::Not, operand) => {
                let operand = self.truth_term(who, operand)?;
                match operand.constant {
                    Some(value) => Term::constant((value == 0) as i32),
                    None => Term::number(format!("!{}", operand.text), operand.total),
                }
            }
            Expr::Unary(operator, operand) => {
                let operand = self.number_term(who, operand)?;
                Term::number(format!("{operator:?}({})", operand.text), operand.total)
            }
            Expr::Binary(operator @ (Binary::And | Binary::Or), ..) => self.connective(who, *operator, expr)?,
            Expr::Binary(operator @ (Binary::Equal | Binary::NotEqual), left, right) => {
                let (left, right) = (self.term(who, left)?, self.term(who, right)?);
                Term::number(format!("{operator:?}({})", self.same(&left, &right)?), left.total && right.total)
            }
            Expr::Binary(
                operator @ (Binary::Add | Binary::Multiply | Binary::BitAnd | Binary::BitOr | Binary::BitXor),
                ..,
            ) => self.commutative(who, *operator, expr)?,
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.number_term(who, left)?, self.number_term(who, right)?);
                let is_partial = matches!(operator, Binary::Divide | Binary::Remainder);
                let total = left.total && right.total && !is_partial;
                Term::number(format!("{operator:?}({},{})", left.text, right.text), total)
            }
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = self.truth_term(who, condition)?;
                if let Some(value) = condition.constant {
                    return self.term(who, if value != 0 { yes } else { no });
                }
                let (yes, no) = (self.term(who, yes)?, self.term(who, no)?);
                let meaning = if yes.constant.is_none() { yes.meaning } else { no.meaning };
                let part = |term: &Term| match term.constant {
                    Some(value) => Ok(self.image(meaning, value).to_string()),
                    None if term.meaning == meaning || !self.is_moved(meaning) && !self.is_moved(term.meaning) => {
                        Ok(term.text.clone())
                    }
                    None => Err(Why::Does("mixes process ids or channels with plain numbers")),
                };
                let text = format!("{}?({}):({})", condition.text, part(&yes)?, part(&no)?);
                Term { meaning, ..Term::number(text, condition.total && yes.total && no.total) }
            }
            Expr::Query(query, channel) => {
                let channel = self.channel(who, channel)?;
                Term::number(format!("{query:?}({})", channel.text), channel.total)
            }
            Expr::Poll { channel, random, patterns } => {
                let fields = self.patterns(who, channel, patterns)?;
                Term::number(format!("{}?{random} [{fields}]", self.channel(who, channel)?.text), false)
            }
            Expr::Pid => return Err(Why::Does("uses `_pid` outside of a process")),
            Expr::Last => return Err(Why::Does("reads `_last`")),
            Expr::ProcessCount | Expr::Timeout | Expr::NonProgress | Expr::Accepting => {
                Term::number(format!("{expr:?}"), true)
            }
            // Questions may go round in a circle.
            Expr::Enabled(pid) => Term::number(format!("enabled {}", self.pid(who, pid)?.text), false),
            Expr::PcValue(pid) => self.pid(who, pid)?.wrapped("pc_value"),
            Expr::PriorityOf(pid) => self.pid(who, pid)?.wrapped("priority"),
            Expr::At { proctype, pid, label } => {
                let pid = self.instance(who, *proctype, pid.as_deref())?;
                Term::number(format!("{} of {} at {label}", pid.text, proctype.0), pid.total)
            }
            Expr::Remote { proctype, pid, place } => {
                let pid = self.instance(who, *proctype, pid.as_deref())?;
                let place = self.place(who, Owner::Locals(*proctype), place)?;
                let text = format!("{} of {}: {}", pid.text, proctype.0, place.text);
                Term { text, total: pid.total && place.total, ..place }
            }
        })
    }

    /// Both sides of a comparison, in an order of their own.
    fn same(&self, left: &Term, right: &Term) -> Result<String, Why> {
        let meaning = if left.constant.is_none() { left.meaning } else { right.meaning };
        let side = |term: &Term| match term.constant {
            Some(value) => Ok(self.image(meaning, value).to_string()),
            None if term.meaning == meaning => Ok(term.text.clone()),
            None if !self.is_moved(meaning) && !self.is_moved(term.meaning) => Ok(term.text.clone()),
            None => Err(Why::Does("compares a process id or a channel with a plain number")),
        };
        let mut sides = [side(left)?, side(right)?];
        sides.sort();
        Ok(sides.join(","))
    }

    /// A conjunction or a disjunction. The order of operands makes a difference only where one may have no value.
    fn connective(&self, who: Option<u8>, operator: Binary, expr: &Expr) -> Result<Term, Why> {
        let mut operands = Vec::new();
        flatten(operator, expr, &mut operands);
        let neutral = operator == Binary::And;
        let mut terms = Vec::new();
        for operand in operands {
            let term = self.truth_term(who, operand)?;
            match term.constant.map(|value| value != 0) {
                Some(value) if value == neutral => {}
                // What comes behind it is never looked at.
                Some(value) if terms.iter().all(|term: &Term| term.total) => {
                    return Ok(Term::constant(value as i32));
                }
                _ => terms.push(term),
            }
        }
        let total = terms.iter().all(|term| term.total);
        let mut texts: Vec<String> = terms.into_iter().map(|term| term.text).collect();
        if total {
            texts.sort();
            texts.dedup();
        }
        Ok(match texts.len() {
            0 => Term::constant(neutral as i32),
            _ => Term::number(format!("{operator:?}({})", texts.join(",")), total),
        })
    }

    fn commutative(&self, who: Option<u8>, operator: Binary, expr: &Expr) -> Result<Term, Why> {
        let mut operands = Vec::new();
        flatten(operator, expr, &mut operands);
        let mut constant: Option<i32> = None;
        let mut texts = Vec::new();
        let mut total = true;
        for operand in operands {
            let term = self.number_term(who, operand)?;
            match (term.constant, constant) {
                (Some(value), Some(other)) => constant = Expr::apply(operator, other, value),
                (Some(value), None) => constant = Some(value),
                (None, _) => {
                    total &= term.total;
                    texts.push(term.text);
                }
            }
        }
        texts.sort();
        Ok(Term::number(format!("{operator:?}({};{constant:?})", texts.join(",")), total))
    }

    fn truth(&self, who: Option<u8>, expr: &Expr) -> Result<String, Why> {
        let term = self.truth_term(who, expr)?;
        Ok(term.constant.map_or(term.text, |value| (value != 0).to_string()))
    }

    fn truth_term(&self, who: Option<u8>, expr: &Expr) -> Result<Term, Why> {
        let term = self.term(who, expr)?;
        if self.is_moved(term.meaning) {
            return Err(Why::Does("uses the name of a process as a truth value"));
        }
        Ok(term)
    }

    fn number(&self, who: Option<u8>, expr: &Expr) -> Result<String, Why> {
        Ok(self.number_term(who, expr)?.text)
    }

    fn number_term(&self, who: Option<u8>, expr: &Expr) -> Result<Term, Why> {
        let term = self.term(who, expr)?;
        if self.is_moved(term.meaning) {
            return Err(Why::Calculates { value: self.text(who, expr), meaning: term.meaning });
        }
        Ok(term)
    }

    /// An expression as its users know it.
    fn text(&self, who: Option<u8>, expr: &Expr) -> String {
        let model = self.start.model;
        // What nobody asks is about global variables only.
        let proctype = who.map_or(&model.proctypes[0], |pid| self.start.proctype(pid));
        expression(model, proctype, expr)
    }

    fn channel(&self, who: Option<u8>, expr: &Expr) -> Result<Term, Why> {
        let term = self.term(who, expr)?;
        match term.constant {
            Some(number) => {
                let home = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                let home = home.and_then(|index| self.meanings.symmetry.channels.get(index));
                // Others go with their process.
                let total = matches!(home, Some(Home::Global(_)));
                Ok(Term::number(format!("channel {}", self.image(Meaning::Channel, number)), total))
            }
            None if term.meaning == Meaning::Channel || !self.is_moved(Meaning::Channel) => {
                Ok(Term::number(term.text, false))
            }
            None => Err(Why::Does("uses a plain number as a channel")),
        }
    }

    /// The process that an expression means.
    fn pid(&self, who: Option<u8>, expr: &Expr) -> Result<Term, Why> {
        let symmetry = &self.meanings.symmetry;
        let term = self.term(who, expr)?;
        if let Some(value) = term.constant {
            let image = u8::try_from(value).map_or(value, |pid| symmetry.process_image(self.permutation, pid).into());
            return Ok(Term::number(format!("process {image}"), true));
        }
        let is_named_by_pid = |pid: u8| {
            let value = self.image(term.meaning, i32::from(pid));
            value == i32::from(symmetry.process_image(self.permutation, pid))
        };
        match (0..symmetry.processes as u8).all(is_named_by_pid) {
            true => Ok(Term::number(format!("process ({})", term.text), term.total)),
            false => Err(Why::Does("uses a plain number as a process id")),
        }
    }

    /// The process of a type that an expression means; without one, the oldest.
    fn instance(&self, who: Option<u8>, proctype: ProctypeId, pid: Option<&Expr>) -> Result<Term, Why> {
        let processes = &self.start.state().processes;
        let oldest = processes.iter().position(|process| process.proctype == proctype).map(|pid| pid as u8);
        match (pid, oldest) {
            (Some(pid), _) => self.pid(who, pid),
            (None, Some(oldest)) => {
                let image = self.meanings.symmetry.process_image(self.permutation, oldest);
                Ok(Term::number(format!("process {image}"), true))
            }
            (None, None) => Ok(Term::number("nobody".to_owned(), true)),
        }
    }

    fn owner(&self, who: Option<u8>, scope: Scope) -> Owner {
        match (scope, who) {
            (Scope::Local, Some(pid)) => Owner::Locals(self.start.state().processes[usize::from(pid)].proctype),
            _ => Owner::Globals,
        }
    }

    /// A variable of `owner`, whose indices `who` works out.
    fn place(&self, who: Option<u8>, owner: Owner, place: &Place) -> Result<Term, Why> {
        let symmetry = &self.meanings.symmetry;
        let (slots, name): (&Slots, char) = match owner {
            Owner::Globals => (&symmetry.globals, 'g'),
            Owner::Locals(proctype) => (symmetry.locals_of(proctype), 'l'),
        };
        let meaning = slots.meanings[place.base as usize];
        let constants: Option<Vec<i32>> = place.indices.iter().map(|index| self.known(who, &index.value)).collect();
        if let Some(constants) = constants {
            let indices = constants.iter().zip(&place.indices);
            if !indices.clone().all(|(&value, index)| (0..index.length as i32).contains(&value)) {
                return Ok(Term { total: false, ..Term::number("out of range".to_owned(), false) });
            }
            let slot = indices.fold(place.base, |slot, (&value, index)| slot + value as u32 * index.stride);
            let meaning = slots.meanings[slot as usize];
            let slot = symmetry.slot_image(slots, self.permutation, slot);
            return Ok(Term { meaning, ty: Some(place.ty), ..Term::number(format!("{name}{slot}"), true) });
        }
        let mut text = format!("{name}{}", place.base);
        for (number, index) in place.indices.iter().enumerate() {
            let dimension: Dimension = (owner, place.base, number, index.stride, index.length);
            let expected = self.meanings.dimensions.get(&dimension).copied().unwrap_or_default();
            let term = self.term(who, &index.value)?;
            let value = match term.constant {
                Some(value) => self.image(expected, value).to_string(),
                None if term.meaning == expected => term.text,
                None if !self.is_moved(expected) && !self.is_moved(term.meaning) => term.text,
                None => return Err(Why::Does("indexes an array of one cell per process with a plain number")),
            };
            self.check_cells(expected, index.length)?;
            text.push_str(&format!("[{value}]*{}<{}", index.stride, index.length));
        }
        Ok(Term { meaning, ty: Some(place.ty), ..Term::number(text, false) })
    }

    /// Is there a cell for each process that is moved?
    fn check_cells(&self, meaning: Meaning, length: u32) -> Result<(), Why> {
        let Meaning::Member(naming) = meaning else { return Ok(()) };
        let names = &self.meanings.symmetry.namings[usize::from(naming)].names;
        let is_moved = |column: u8| self.permutation.image(column) != column;
        match names.iter().all(|name| !is_moved(name.column) || (0..length as i32).contains(&name.value)) {
            true => Ok(()),
            false => Err(Why::Does("uses an array that has no cell for some process")),
        }
    }
}

/// Can every value of one type be stored in a variable of another?
pub(super) fn is_wide_enough(from: ValueType, to: ValueType) -> bool {
    match (from, to) {
        (ValueType::Unsigned(from), ValueType::Unsigned(to)) => from <= to,
        (ValueType::Unsigned(from), ValueType::Short) => from < 16,
        (ValueType::Unsigned(from), ValueType::Int) => from < 32,
        (ValueType::Short, ValueType::Int) => true,
        _ => from == to,
    }
}

/// The operands of an operator whose operands may be grouped in any way.
pub(super) fn flatten<'e>(operator: Binary, expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(other, left, right) if *other == operator => {
            flatten(operator, left, out);
            flatten(operator, right, out);
        }
        _ => out.push(expr),
    }
}
