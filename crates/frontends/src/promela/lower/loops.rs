//! `for` and `select`: loops that the language writes for the user.

use reductio_model::{
    Binary, ChannelQuery, Communication, Expr, Guard, Initial, Op, Pattern, Place, Scope, Slot, ValueType,
};

use super::body::Body;
use super::expressions::Incomplete;
use super::flow::{ElementId, ElementKind, SequenceId, TargetId};
use super::statements::{binary, read, step};
use crate::promela::ast::{self, Block, VarRef};
use crate::promela::symbols::DeclaredType;
use crate::promela::text;
use crate::source::Span;

impl Body<'_, '_> {
    /// `i = low; do :: i <= high -> body; i++ :: else -> break od`
    pub fn for_range(
        &mut self,
        index: &VarRef,
        (low, high): (Expr, Expr),
        (low_text, high_text): (String, String),
        body: &Block,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let Some(place) = self.lowering.target(index, Some(&self.scopes)) else {
            return self.add_effect(sequence, Vec::new(), "for".to_owned(), span);
        };
        let name = text::reference(index);
        let first = self.assign_constant(sequence, &place, low, format!("{name} = {low_text}"), span);
        let condition = binary(Binary::LessEqual, read(&place), high);
        let option = self.flow.open_sequence();
        let after = self.flow.new_target();
        let guard = step(Guard::When(condition), None, Vec::new());
        self.add(option, guard, format!("{name} <= {high_text}"), span);
        self.finish_loop(place, name, option, body, after, sequence, span);
        first
    }

    /// The body of a `for`, the increment, and the option that ends the loop.
    #[expect(clippy::too_many_arguments, reason = "the parts of one loop, each used once")]
    fn finish_loop(
        &mut self,
        counter: Place,
        counter_name: String,
        option: SequenceId,
        body: &Block,
        after: TargetId,
        sequence: SequenceId,
        span: Span,
    ) {
        self.breaks.push(after);
        self.at_start = false;
        self.scopes.enter();
        self.steps(body, option);
        self.scopes.leave();
        self.breaks.pop();
        let next = binary(Binary::Add, read(&counter), Expr::Const(1));
        self.assign_constant(option, &counter, next, format!("{counter_name} = {counter_name} + 1"), span);
        self.flow.close_sequence(option);
        let done = self.flow.open_sequence();
        self.add(done, step(Guard::Else, None, Vec::new()), "else".to_owned(), span);
        let position = self.lowering.position(span);
        self.flow.add(done, ElementKind::Jump { target: after, text: "break".to_owned() }, position, span);
        self.flow.close_sequence(done);
        self.flow.add_choice(sequence, vec![option, done], Some(after), position, span);
    }

    pub fn for_in(
        &mut self,
        index: &VarRef,
        collection: &VarRef,
        body: &Block,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let nothing = |body: &mut Self| body.add_effect(sequence, Vec::new(), "for".to_owned(), span);
        let Some(resolved) = self.lowering.resolve(collection, Some(&self.scopes)) else { return nothing(self) };
        if let Some(length) = resolved.whole_array {
            let bounds = (Expr::Const(0), Expr::Const(length as i32 - 1));
            let texts = ("0".to_owned(), (length - 1).to_string());
            return self.for_range(index, bounds, texts, body, sequence, span);
        }
        if resolved.ty != DeclaredType::Scalar(ValueType::Chan) {
            let message = format!("`{}` is neither an array nor a channel", text::reference(collection));
            self.lowering.error(message, collection.span);
            return nothing(self);
        }
        self.for_in_channel(index, collection, body, sequence, span)
    }

    /// Each message is taken from the channel and put back, as often as there are messages.
    fn for_in_channel(
        &mut self,
        index: &VarRef,
        collection: &VarRef,
        body: &Block,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let (channel, width) = self.lowering.channel(collection, Some(&self.scopes));
        let name = "counter of for".to_owned();
        let base = self.slots.len() as u32;
        self.slots.push(Slot { name: name.clone(), ty: ValueType::BYTE, initial: Initial::Value(0) });
        let place = Place { scope: Scope::Local, base, indices: Vec::new(), ty: ValueType::BYTE };
        let Some(resolved) = self.lowering.resolve(index, Some(&self.scopes)) else {
            return self.add_effect(sequence, Vec::new(), "for".to_owned(), span);
        };
        let fields = self.lowering.scalars(index, resolved);
        self.lowering.check_width(fields.len(), width, Incomplete::ReceiveFails, index.span);
        let first = self.assign_constant(sequence, &place, Expr::Const(0), format!("{name} = 0"), span);
        let length = Expr::Query(ChannelQuery::Len, Box::new(channel.clone()));
        let option = self.flow.open_sequence();
        let after = self.flow.new_target();
        let (loop_variable, channel_name) = (text::reference(index), text::reference(collection));
        let guard = step(Guard::When(binary(Binary::Less, read(&place), length)), None, Vec::new());
        self.add(option, guard, format!("{name} < len({channel_name})"), span);
        let patterns = fields.iter().cloned().map(Pattern::Store).collect();
        let receive = Communication::Receive { channel: channel.clone(), random: false, peek: false, patterns };
        let text = format!("{channel_name}?{loop_variable}");
        self.add(option, step(Guard::When(Expr::TRUE), Some(receive), Vec::new()), text, span);
        let arguments = fields.iter().map(read).collect();
        let send = Communication::Send { channel, sorted: false, arguments };
        let text = format!("{channel_name}!{loop_variable}");
        self.add(option, step(Guard::When(Expr::TRUE), Some(send), Vec::new()), text, span);
        self.finish_loop(place, name, option, body, after, sequence, span);
        first
    }

    /// `i = low; do :: break :: i < high -> i++ od`; but of few constants SPIN makes a choice in one step,
    /// `if :: i = low :: ... :: i = high fi`, outside inlines and for names without `_`, and so the states that can be
    /// observed in between are not there.
    pub fn select(
        &mut self,
        index: &VarRef,
        low: &ast::Expr,
        high: &ast::Expr,
        sequence: SequenceId,
        span: Span,
    ) -> ElementId {
        let (low_text, high_text) = (text::top(low), text::top(high));
        let (low, high) = (self.expression(low), self.expression(high));
        let Some(place) = self.lowering.target(index, Some(&self.scopes)) else {
            return self.add_effect(sequence, Vec::new(), "select".to_owned(), span);
        };
        let position = self.lowering.position(span);
        let name = text::reference(index);
        if let (Expr::Const(low), Expr::Const(high)) = (&low, &high)
            && low > high
        {
            self.lowering.error(format!("there is nothing to select from {low} to {high}"), span);
        }
        if let (Expr::Const(low @ 0..), Expr::Const(high)) = (&low, &high)
            && self.inside.is_empty()
            && high - low <= 32
            && name.chars().all(|character| character.is_ascii_alphanumeric())
        {
            let choose = |value: i32| {
                let option = self.flow.open_sequence();
                self.assign_constant(option, &place, Expr::Const(value), format!("{name} = {value}"), span);
                self.flow.close_sequence(option);
                option
            };
            let options = (*low..=*high).map(choose).collect();
            return self.flow.add_choice(sequence, options, None, position, span);
        }
        let first = self.assign_constant(sequence, &place, low, format!("{name} = {low_text}"), span);
        let after = self.flow.new_target();
        let option = self.flow.open_sequence();
        let condition = binary(Binary::Less, read(&place), high);
        self.add(option, step(Guard::When(condition), None, Vec::new()), format!("{name} < {high_text}"), span);
        let next = binary(Binary::Add, read(&place), Expr::Const(1));
        self.assign_constant(option, &place, next, format!("{name} = {name} + 1"), span);
        self.flow.close_sequence(option);
        let done = self.flow.open_sequence();
        self.flow.add(done, ElementKind::Jump { target: after, text: "break".to_owned() }, position, span);
        self.flow.close_sequence(done);
        self.flow.add_choice(sequence, vec![done, option], Some(after), position, span);
        first
    }

    fn assign_constant(
        &mut self,
        sequence: SequenceId,
        place: &Place,
        value: Expr,
        text: String,
        span: Span,
    ) -> ElementId {
        self.add_effect(sequence, vec![Op::Assign(place.clone(), value)], text, span)
    }
}
