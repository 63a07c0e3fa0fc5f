//! Expressions.

use reductio_model::{Binary, Expr, Pattern, Place, Scope};

use super::Lowering;
use crate::diagnostics::Diagnostic;
use crate::promela::ast::{self, ExprKind, ReceiveArgument};
use crate::promela::symbols::Scopes;
use crate::source::Span;

/// What it means to give fewer fields than a message has.
pub enum Incomplete {
    SendFails,
    ReceiveFails,
    /// To look at a message without taking it out is no error.
    MatchesAny,
}

/// So many operators are not written by hand: a macro stands for them.
const MANY: usize = 256;

/// Has an expression at least so many operators? Counts no further, in no particular order.
fn has_many_operators(expr: &ast::Expr) -> bool {
    let mut left = vec![expr];
    let mut count = 0;
    while let Some(expr) = left.pop()
        && count < MANY
    {
        if let ExprKind::Binary(_, one, other) = &expr.kind {
            count += 1;
            left.extend([&**one, &**other]);
        }
    }
    count >= MANY
}

impl Lowering<'_> {
    /// Lowers an expression over the variables in `scopes` (none: globals only). After an error the answer is any
    /// expression: the model will not be used.
    pub fn expression(&mut self, expr: &ast::Expr, scopes: Option<&Scopes>) -> Expr {
        match &expr.kind {
            ExprKind::Number(value) => Expr::Const(*value),
            ExprKind::Reference(reference) => self.reference(reference, scopes),
            ExprKind::Unary(operator, operand) => Expr::Unary(*operator, Box::new(self.expression(operand, scopes))),
            ExprKind::Binary(operator, left, right) => {
                let is_outermost = !self.works_out_constants && has_many_operators(expr);
                self.works_out_constants |= is_outermost;
                let left = self.expression(left, scopes);
                let right = self.expression(right, scopes);
                let expr = self.binary(*operator, left, right);
                self.works_out_constants &= !is_outermost;
                expr
            }
            ExprKind::Conditional(condition, yes, no) => {
                let parts = [condition, yes, no].map(|part| self.expression(part, scopes));
                Expr::Conditional(Box::new(parts))
            }
            ExprKind::Run { .. } => {
                let help = "write `run P()` as a statement, or assign its pid to a variable: `p = run P()`";
                self.error_with_help("`run` cannot be part of an expression", expr.span, help);
                Expr::TRUE
            }
            ExprKind::Query(query, channel) => Expr::Query(*query, Box::new(self.channel(channel, scopes).0)),
            ExprKind::Poll { channel, random, arguments } => {
                let (channel, width) = self.channel(channel, scopes);
                let patterns = self.patterns(arguments, scopes);
                self.check_width(patterns.len(), width, Incomplete::MatchesAny, expr.span);
                Expr::Poll { channel: Box::new(channel), random: *random, patterns }
            }
            ExprKind::Timeout => Expr::Timeout,
            ExprKind::NonProgress => Expr::NonProgress,
            ExprKind::Enabled(pid) => Expr::Enabled(Box::new(self.expression(pid, scopes))),
            ExprKind::PcValue(pid) => Expr::PcValue(Box::new(self.expression(pid, scopes))),
            ExprKind::GetPriority(pid) => {
                self.model.features.priorities = true;
                Expr::PriorityOf(Box::new(self.expression(pid, scopes)))
            }
            ExprKind::RemoteLabel { proctype, pid, label } => {
                self.remote_label(proctype, pid.as_deref(), label, scopes)
            }
            ExprKind::RemoteVariable { proctype, pid, variable } => {
                self.remote_variable(proctype, pid.as_deref(), variable, scopes)
            }
            ExprKind::Temporal1(..) | ExprKind::Temporal2(..) | ExprKind::Runs(..) => {
                self.error("temporal operators belong in an `ltl` block", expr.span);
                Expr::TRUE
            }
        }
    }

    /// Where there are very many operators, those between constants are worked out once, and not at each step. Elsewhere they
    /// stay as they were written, since a number is not the same as a sum everywhere: `select` and loops look at it. A
    /// division by zero stays, too: it is an error only where it is met.
    fn binary(&self, operator: Binary, left: Expr, right: Expr) -> Expr {
        match (&left, &right) {
            (Expr::Const(one), Expr::Const(other)) if self.works_out_constants => Expr::apply(operator, *one, *other),
            _ => None,
        }
        .map_or_else(|| Expr::Binary(operator, Box::new(left), Box::new(right)), Expr::Const)
    }

    fn reference(&mut self, reference: &ast::VarRef, scopes: Option<&Scopes>) -> Expr {
        let first = &reference.parts[0];
        if reference.parts.len() == 1
            && first.index.is_none()
            && self.find_variable(&first.name.text, scopes).is_none()
            && let Some(expr) = self.predefined(&first.name)
        {
            return expr;
        }
        let Some(resolved) = self.resolve(reference, scopes) else { return Expr::TRUE };
        self.scalar(reference, resolved).map_or(Expr::TRUE, |place| Expr::Read(Box::new(place)))
    }

    /// Symbolic constants and predefined variables.
    fn predefined(&mut self, name: &ast::Name) -> Option<Expr> {
        if let Some((_, value)) = self.constants.get(&name.text) {
            return Some(Expr::Const(*value));
        }
        Some(match name.text.as_str() {
            "_pid" => Expr::Pid,
            "_nr_pr" => Expr::ProcessCount,
            "_last" => Expr::Last,
            "_priority" => {
                self.model.features.priorities = true;
                Expr::PriorityOf(Box::new(Expr::Pid))
            }
            "_" => {
                self.error("`_` has no value: it can only be written to", name.span);
                Expr::TRUE
            }
            _ => return None,
        })
    }

    fn proctype_named(&mut self, name: &ast::Name) -> Option<reductio_model::ProctypeId> {
        let id = self.proctypes.get(&name.text).copied();
        if id.is_none() {
            self.error(format!("there is no proctype `{}`", name.text), name.span);
        }
        id
    }

    fn remote_label(
        &mut self,
        proctype: &ast::Name,
        pid: Option<&ast::Expr>,
        label: &ast::Name,
        scopes: Option<&Scopes>,
    ) -> Expr {
        let pid = pid.map(|pid| Box::new(self.expression(pid, scopes)));
        let Some(id) = self.proctype_named(proctype) else { return Expr::TRUE };
        if !self.signatures[id.index()].labels.contains(&label.text) {
            self.error(format!("proctype `{}` has no label `{}`", proctype.text, label.text), label.span);
        }
        Expr::At { proctype: id, pid, label: label.text.clone() }
    }

    fn remote_variable(
        &mut self,
        proctype: &ast::Name,
        pid: Option<&ast::Expr>,
        reference: &ast::VarRef,
        scopes: Option<&Scopes>,
    ) -> Expr {
        let pid = pid.map(|pid| Box::new(self.expression(pid, scopes)));
        let Some(id) = self.proctype_named(proctype) else { return Expr::TRUE };
        let name = &reference.parts[0].name;
        let variables = &self.signatures[id.index()].variables;
        let Some(variable) = variables.iter().find(|variable| variable.name == name.text).cloned() else {
            self.error(format!("proctype `{}` has no variable `{}`", proctype.text, name.text), name.span);
            return Expr::TRUE;
        };
        let Some(resolved) = self.resolve_in(reference, Scope::Local, variable, scopes) else { return Expr::TRUE };
        match self.scalar(reference, resolved) {
            Some(place) => Expr::Remote { proctype: id, pid, place: Box::new(place) },
            None => Expr::TRUE,
        }
    }

    /// The arguments of a send or a `run`: structures are passed field by field.
    pub fn arguments(&mut self, arguments: &[ast::Expr], scopes: Option<&Scopes>) -> Vec<Expr> {
        let mut values = Vec::new();
        for argument in arguments {
            if let ExprKind::Reference(reference) = &argument.kind
                && self.find_variable(&reference.parts[0].name.text, scopes).is_some()
            {
                let Some(resolved) = self.resolve(reference, scopes) else { continue };
                let places = self.scalars(reference, resolved);
                values.extend(places.into_iter().map(|place| Expr::Read(Box::new(place))));
            } else {
                values.push(self.expression(argument, scopes));
            }
        }
        values
    }

    pub fn patterns(&mut self, arguments: &[ReceiveArgument], scopes: Option<&Scopes>) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for argument in arguments {
            match argument {
                ReceiveArgument::Constant(value, _) => patterns.push(Pattern::Match(Expr::Const(*value))),
                ReceiveArgument::Eval(expr) => patterns.push(Pattern::Match(self.expression(expr, scopes))),
                ReceiveArgument::Plain(reference) => self.plain_pattern(reference, scopes, &mut patterns),
            }
        }
        patterns
    }

    /// A variable to store into, a symbolic constant to match, or `_`.
    fn plain_pattern(&mut self, reference: &ast::VarRef, scopes: Option<&Scopes>, out: &mut Vec<Pattern>) {
        let first = &reference.parts[0];
        if self.find_variable(&first.name.text, scopes).is_none() && first.index.is_none() {
            if first.name.text == "_" {
                out.push(Pattern::Discard);
                return;
            }
            if first.name.text == "_pid" || first.name.text == "_nr_pr" {
                let help = format!("write `eval({})` to match its value", first.name.text);
                self.error_with_help(format!("`{}` cannot be received into", first.name.text), first.name.span, help);
                return;
            }
            if let Some(expr) = self.predefined(&first.name) {
                out.push(Pattern::Match(expr));
                return;
            }
        }
        let Some(resolved) = self.resolve(reference, scopes) else { return };
        let dropped = resolved.dropped;
        let places = self.scalars(reference, resolved);
        out.extend(places.into_iter().map(|place| if dropped { Pattern::Discard } else { Pattern::Store(place) }));
    }

    /// A message with too many fields is a mistake. One with too few may stand in the text.
    pub fn check_width(&mut self, given: usize, expected: Option<usize>, incomplete: Incomplete, span: Span) {
        let Some(expected) = expected.filter(|&expected| expected != given) else { return };
        let fields = if expected == 1 { "1 field".to_owned() } else { format!("{expected} fields") };
        let message = format!("a message of this channel has {fields}, not {given}");
        if given > expected {
            self.error(message, span);
        } else {
            let help = match incomplete {
                Incomplete::SendFails => "it is an error to execute this: give a value for every field",
                Incomplete::ReceiveFails => {
                    "it is an error to execute this: write `_` for a field whose value is not wanted"
                }
                Incomplete::MatchesAny => "a field that is not given matches any value",
            };
            self.diagnostics.add(Diagnostic::warning(message, span).help(help));
        }
    }

    /// Where an assignment goes: `None` when it goes nowhere (`_`, a dropped variable) or after an error.
    pub fn target(&mut self, reference: &ast::VarRef, scopes: Option<&Scopes>) -> Option<Place> {
        let name = &reference.parts[0].name;
        if self.find_variable(&name.text, scopes).is_none() {
            match name.text.as_str() {
                "_" => return None,
                "_pid" | "_nr_pr" | "_last" => {
                    self.error(format!("`{}` cannot be assigned to", name.text), name.span);
                    return None;
                }
                _ if self.constants.contains_key(&name.text) => {
                    self.error(format!("`{}` is a constant", name.text), name.span);
                    return None;
                }
                _ => {}
            }
        }
        let resolved = self.resolve(reference, scopes)?;
        let dropped = resolved.dropped;
        self.scalar(reference, resolved).filter(|_| !dropped)
    }
}
