//! Expressions: values from a small set, arithmetic, conditions.

use super::super::program::{Binary, Expr, Pattern, Place, Poll, Query, Type, Unary};
use super::{CallKind, ChannelEntry, Entry, Generator, Parameter};

impl Generator {
    /// A value below the range, as a rule: nothing that grows each time it is stored.
    pub(super) fn value(&mut self, range: i32, depth: u32) -> Expr {
        match self.random.weighted(&[40, 20, 20, 6, 6, 6, 6]) {
            1 => self.variable_below(range).unwrap_or(Expr::Number(0)),
            2 if depth > 0 => Expr::binary(Binary::Remainder, self.arithmetic(depth), Expr::Number(range)),
            3 if depth > 0 => self.condition(depth - 1),
            4 if depth > 0 => {
                let condition = self.condition(depth - 1);
                let (yes, no) = (self.value(range, depth - 1), self.value(range, depth - 1));
                Expr::Conditional(Box::new(condition), Box::new(yes), Box::new(no))
            }
            5 if depth > 0 => Expr::binary(Binary::BitAnd, self.arithmetic(depth), Expr::Number(1)),
            6 => self.macro_value(range).unwrap_or(Expr::Number(1)),
            _ => Expr::Number(self.random.below(range as usize) as i32),
        }
    }

    fn macro_value(&mut self, range: i32) -> Option<Expr> {
        let kind = if range > 2 && self.random.chance(60) { CallKind::Value } else { CallKind::Number };
        let call = self.calls.iter().find(|call| call.kind == kind && (kind != CallKind::Number || range > 2))?.clone();
        if kind == CallKind::Number {
            return Some(Expr::name(call.name));
        }
        let arguments = self.arguments(&call.parameters);
        arguments.map(|arguments| Expr::Call(call.name, arguments))
    }

    /// What to hand to an inline or a macro.
    pub(super) fn arguments(&mut self, parameters: &[Parameter]) -> Option<Vec<Expr>> {
        let argument = |parameter: &Parameter| match parameter {
            Parameter::Target => self.target().map(Expr::Place),
            Parameter::Value => Some(self.argument()),
        };
        parameters.iter().map(argument).collect()
    }

    /// No conditional expression: SPIN loses count of its parentheses.
    fn argument(&mut self) -> Expr {
        let value = self.variable_below(3).unwrap_or(Expr::Number(2));
        match self.random.below(3) {
            0 => value,
            1 => Expr::Number(self.random.below(3) as i32),
            _ => Expr::binary(Binary::Add, value, Expr::Number(1)),
        }
    }

    /// A number's place that can be assigned to, and that is the same however often its text is evaluated.
    pub(super) fn target(&mut self) -> Option<Place> {
        let entry = self.pick_entry(|entry| entry.writable && is_number(&entry.ty))?;
        Some(self.fixed_place(&entry))
    }

    pub(super) fn pick_entry(&mut self, suits: impl Fn(&Entry) -> bool) -> Option<Entry> {
        let suitable: Vec<usize> = (0..self.scope.len()).filter(|&index| suits(&self.scope[index])).collect();
        (!suitable.is_empty()).then(|| self.scope[*self.random.pick(&suitable)].clone())
    }

    fn variable_below(&mut self, range: i32) -> Option<Expr> {
        let entry = self.pick_entry(|entry| is_number(&entry.ty) && entry.range <= range)?;
        Some(Expr::Place(self.place(&entry)))
    }

    pub(super) fn place(&mut self, entry: &Entry) -> Place {
        let index = entry.length.map(|length| self.index(length));
        self.place_at(entry, index, false)
    }

    /// A place whose indices are constants.
    pub(super) fn fixed_place(&mut self, entry: &Entry) -> Place {
        let index = entry.length.map(|length| Expr::Number(self.random.below(length.into()) as i32));
        self.place_at(entry, index, true)
    }

    fn place_at(&mut self, entry: &Entry, index: Option<Expr>, fixed: bool) -> Place {
        let field = entry.field.clone().map(|(name, length)| {
            let index = length.map(|length| match fixed {
                true => Expr::Number(self.random.below(length.into()) as i32),
                false => self.index(length),
            });
            Box::new(Place { name, index: index.map(Box::new), field: None })
        });
        Place { name: entry.name.clone(), index: index.map(Box::new), field }
    }

    pub(super) fn channel_place(&mut self, channel: &ChannelEntry) -> Place {
        let index = channel.length.map(|length| Box::new(self.index(length)));
        Place { name: channel.name.clone(), index, field: None }
    }

    /// An index below the length.
    fn index(&mut self, length: u8) -> Expr {
        let number = Expr::Number(self.random.below(length.into()) as i32);
        let scalar = |entry: &Entry| entry.unsigned && entry.length.is_none() && entry.field.is_none();
        match self.random.below(10) {
            0..=2 => {
                let Some(entry) = self.pick_entry(scalar) else { return number };
                let place = Expr::Place(self.place(&entry));
                if self.features.risky && self.random.chance(20) {
                    return place;
                }
                Expr::binary(Binary::Remainder, place, Expr::Number(length.into()))
            }
            3 if self.in_process => Expr::binary(Binary::Remainder, Expr::name("_pid"), Expr::Number(length.into())),
            _ => number,
        }
    }

    /// Any number.
    pub(super) fn arithmetic(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.random.chance(30) {
            return self.operand();
        }
        let left = self.arithmetic(depth - 1);
        match self.random.below(14) {
            0 | 1 => Expr::binary(Binary::Add, left, self.arithmetic(depth - 1)),
            2 | 3 => Expr::binary(Binary::Subtract, left, self.arithmetic(depth - 1)),
            4 => Expr::binary(Binary::Multiply, left, Expr::Number(2 + self.random.below(3) as i32)),
            5 => {
                let divisor = self.divisor(depth - 1);
                Expr::binary(*self.random.pick(&[Binary::Divide, Binary::Remainder]), left, divisor)
            }
            6 => {
                let distance = Expr::Number(self.random.below(3) as i32);
                Expr::binary(*self.random.pick(&[Binary::ShiftLeft, Binary::ShiftRight]), left, distance)
            }
            7 => {
                let distance = Expr::binary(Binary::BitAnd, self.arithmetic(depth - 1), Expr::Number(3));
                Expr::binary(*self.random.pick(&[Binary::ShiftLeft, Binary::ShiftRight]), left, distance)
            }
            8 | 9 => {
                let sign = *self.random.pick(&[Binary::BitAnd, Binary::BitOr, Binary::BitXor]);
                Expr::binary(sign, left, self.arithmetic(depth - 1))
            }
            10 => Expr::Unary(*self.random.pick(&[Unary::Negate, Unary::Complement, Unary::Not]), Box::new(left)),
            11 => {
                let condition = self.condition(depth - 1);
                Expr::Conditional(Box::new(condition), Box::new(left), Box::new(self.arithmetic(depth - 1)))
            }
            12 => self.condition(depth - 1),
            _ => left,
        }
    }

    /// A divisor that is not zero: whatever has its lowest bit set.
    fn divisor(&mut self, depth: u32) -> Expr {
        if self.random.chance(50) {
            return Expr::Number(2 + self.random.below(3) as i32);
        }
        let divisor = self.arithmetic(depth);
        if self.features.risky && self.random.chance(20) {
            return divisor;
        }
        Expr::binary(Binary::BitOr, divisor, Expr::Number(1))
    }

    fn operand(&mut self) -> Expr {
        match self.random.below(12) {
            0..=6 => {
                let entry = self.pick_entry(|entry| is_number(&entry.ty));
                entry.map_or(Expr::Number(1), |entry| Expr::Place(self.place(&entry)))
            }
            7 if self.in_process => Expr::name("_pid"),
            8 if self.in_process => self.length(),
            9 => Expr::Number(-1 - self.random.below(3) as i32),
            _ => Expr::Number(self.random.below(6) as i32),
        }
    }

    fn length(&mut self) -> Expr {
        if self.channels.is_empty() {
            return Expr::Number(1);
        }
        let channel = self.random.pick(&self.channels).clone();
        Expr::Query(Query::Len, self.channel_place(&channel))
    }

    /// A condition that can stand anywhere in an expression.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        match self.random.weighted(&[50, 12, 8, 8, 8, 4, 5, 5]) {
            1 => self.mtype_condition(),
            2 => self.flag(),
            3 if depth > 0 => {
                let sign = *self.random.pick(&[Binary::And, Binary::Or]);
                Expr::binary(sign, self.condition(depth - 1), self.condition(depth - 1))
            }
            4 if depth > 0 => self.condition(depth - 1).not(),
            5 if self.in_process => {
                let sign = *self.random.pick(&[Binary::Equal, Binary::NotEqual, Binary::Less]);
                let name = *self.random.pick(&["_pid", "_pid", "_nr_pr"]);
                Expr::binary(sign, Expr::name(name), Expr::Number(self.random.below(4) as i32))
            }
            6 if self.in_process => self.poll().unwrap_or(Expr::name("true")),
            7 => self.macro_condition().unwrap_or(Expr::Number(1)),
            _ => self.comparison(depth),
        }
    }

    fn comparison(&mut self, depth: u32) -> Expr {
        use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let sign = *self.random.pick(&[Equal, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual]);
        if depth > 0 && self.random.chance(25) {
            return Expr::binary(sign, self.arithmetic(depth), self.arithmetic(depth - 1));
        }
        let Some(entry) = self.pick_entry(|entry| is_number(&entry.ty)) else { return Expr::name("true") };
        let place = Expr::Place(self.place(&entry));
        Expr::binary(sign, place, Expr::Number(self.random.below(entry.range as usize) as i32))
    }

    fn mtype_condition(&mut self) -> Expr {
        let Some(entry) = self.pick_entry(|entry| entry.ty == Type::Mtype) else { return self.comparison(0) };
        let place = Expr::Place(self.place(&entry));
        let other = self.constant(&Type::Mtype);
        Expr::binary(*self.random.pick(&[Binary::Equal, Binary::NotEqual]), place, other)
    }

    fn flag(&mut self) -> Expr {
        match self.pick_entry(|entry| matches!(entry.ty, Type::Bool | Type::Bit)) {
            Some(entry) => {
                let place = Expr::Place(self.place(&entry));
                if self.random.chance(40) { place.not() } else { place }
            }
            None => self.comparison(0),
        }
    }

    fn macro_condition(&mut self) -> Option<Expr> {
        let call = self.calls.iter().find(|call| call.kind == CallKind::Condition)?.clone();
        let arguments = self.arguments(&call.parameters)?;
        Some(Expr::Call(call.name, arguments))
    }

    /// `c?[...]`. Only on buffered channels: a rendezvous cannot be tested for.
    fn poll(&mut self) -> Option<Expr> {
        let channel = self.buffered()?;
        let arguments = channel.fields.iter().map(|field| self.test_pattern(field)).collect();
        let random = self.random.chance(40);
        Some(Expr::Poll(Poll { channel: self.channel_place(&channel), random, arguments }))
    }

    pub(super) fn buffered(&mut self) -> Option<ChannelEntry> {
        let buffered: Vec<&ChannelEntry> = self.channels.iter().filter(|channel| !channel.rendezvous).collect();
        (!buffered.is_empty()).then(|| (*self.random.pick(&buffered)).clone())
    }

    /// A pattern that stores nothing.
    pub(super) fn test_pattern(&mut self, field: &Type) -> Pattern {
        match self.random.below(4) {
            0 => Pattern::Any,
            1 if *field == Type::Mtype => match self.pick_entry(|entry| entry.ty == Type::Mtype) {
                Some(entry) => Pattern::Eval(Expr::Place(self.place(&entry))),
                None => Pattern::Any,
            },
            1 => Pattern::Eval(self.value(3, 1)),
            _ => Pattern::Constant(self.constant(field)),
        }
    }

    /// A condition as a statement or in an assertion, where the tests of channels may stand too.
    pub(super) fn guard(&mut self) -> Expr {
        let condition = self.condition(1);
        if self.channels.is_empty() || !self.random.chance(12) {
            return condition;
        }
        let channel = self.random.pick(&self.channels).clone();
        let query = *self.random.pick(&[Query::Empty, Query::Full, Query::NotEmpty, Query::NotFull]);
        let probe = Expr::Query(query, self.channel_place(&channel));
        match self.random.below(4) {
            0 => Expr::binary(Binary::And, probe, condition),
            1 => Expr::binary(Binary::Or, condition, probe),
            _ => probe,
        }
    }
}

pub(super) fn is_number(ty: &Type) -> bool {
    !matches!(ty, Type::Mtype | Type::Chan | Type::Record(_))
}
