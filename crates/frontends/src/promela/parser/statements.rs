//! Single statements.

use super::super::ast::{Statement, StatementKind, VarRef};
use super::super::token::{Keyword, Punct, Token, TokenKind};
use super::{Parse, Parser};
use crate::diagnostics::Diagnostic;

impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parse<Statement> {
        let start = self.peek();
        let kind = match start.kind {
            TokenKind::Name => return self.statement_with_name(),
            TokenKind::Punct(Punct::OpenBrace) => StatementKind::Block(self.block()?),
            TokenKind::EmbeddedC => {
                self.bump();
                StatementKind::Skip
            }
            TokenKind::Keyword(keyword) => return self.statement_with_keyword(start, keyword),
            _ => return self.expression_statement(),
        };
        Ok(Statement { span: self.since(start.span), kind })
    }

    fn statement_with_keyword(&mut self, start: Token, keyword: Keyword) -> Parse<Statement> {
        let kind = match keyword {
            Keyword::If => self.if_statement()?,
            Keyword::Do => self.do_statement()?,
            Keyword::For => self.for_statement()?,
            Keyword::Select => self.select_statement()?,
            Keyword::Atomic => {
                self.bump();
                StatementKind::Atomic(self.block()?)
            }
            Keyword::DStep => {
                self.bump();
                StatementKind::DStep(self.block()?)
            }
            Keyword::Goto => {
                self.bump();
                StatementKind::Goto(self.expect_name("the name of a label")?)
            }
            Keyword::Break => {
                self.bump();
                StatementKind::Break
            }
            Keyword::Else => {
                self.bump();
                StatementKind::Else
            }
            Keyword::Skip if !self.peek_at(1).kind_is_operator() => {
                self.bump();
                StatementKind::Skip
            }
            Keyword::Assert => {
                self.bump();
                StatementKind::Assert(self.expression()?)
            }
            Keyword::Printf => self.printf()?,
            Keyword::Printm => {
                self.bump();
                StatementKind::Printm(self.parenthesized(Self::expression)?)
            }
            Keyword::SetPriority => self.set_priority()?,
            Keyword::Return => self.return_statement()?,
            _ => return self.expression_statement(),
        };
        Ok(Statement { span: self.since(start.span), kind })
    }

    fn expression_statement(&mut self) -> Parse<Statement> {
        let expression = self.expression_or("a statement")?;
        Ok(Statement { span: expression.span, kind: StatementKind::Expression(expression) })
    }

    /// A label, an assignment, a message sent or received, an inline, or an expression.
    fn statement_with_name(&mut self) -> Parse<Statement> {
        let start = self.peek();
        let next = self.peek_at(1);
        let is_proctype = self.names.proctypes.contains(&start.text);
        if next.is(Punct::Colon) && !self.proctypes_seen.contains(&start.text) {
            return self.nested(Self::labeled);
        }
        if next.is(Punct::OpenParen) && self.names.inlines.contains_key(&start.text) {
            return self.inline_statement(None);
        }
        if is_proctype && (next.is(Punct::At) || next.is(Punct::Colon) || next.is(Punct::OpenBracket)) {
            return self.expression_statement();
        }
        if let Some(failed) = self.c_statement() {
            return Err(failed);
        }
        let target = self.reference()?;
        let kind = match self.peek().kind {
            TokenKind::Punct(Punct::Assign) => return self.assignment(target),
            TokenKind::Punct(sign @ (Punct::PlusPlus | Punct::MinusMinus)) => {
                self.bump();
                let by = if sign == Punct::PlusPlus { 1 } else { -1 };
                StatementKind::Increment { target, by }
            }
            TokenKind::Punct(Punct::Not | Punct::NotNot) => self.send(target)?,
            TokenKind::Punct(Punct::Question | Punct::QuestionQuestion) if !self.peek_at(1).is(Punct::OpenBracket) => {
                self.receive(target)?
            }
            TokenKind::Punct(punct) if is_compound_assignment(punct) => return Err(self.compound_assignment(&target)),
            _ => {
                let expression = self.expression_from_reference(target)?;
                return Ok(Statement { span: expression.span, kind: StatementKind::Expression(expression) });
            }
        };
        Ok(Statement { span: self.since(start.span), kind })
    }

    fn labeled(&mut self) -> Parse<Statement> {
        let token = self.bump();
        let label = self.name(token);
        self.bump();
        let is_declaration = self.at_declaration() || self.at_keyword(Keyword::Xr) || self.at_keyword(Keyword::Xs);
        if is_declaration {
            let error = Diagnostic::error("a label cannot stand before a declaration", label.span);
            return Err(self.report(error.help("put the declaration first")));
        }
        let statement = if self.at_nothing() {
            Statement { span: label.span, kind: StatementKind::Skip }
        } else {
            self.statement()?
        };
        let span = self.sources.join(label.span, statement.span);
        Ok(Statement { span, kind: StatementKind::Labeled { label, statement: Box::new(statement) } })
    }

    /// At something that follows a statement, so there is none.
    fn at_nothing(&self) -> bool {
        self.at_separator()
            || self.starts_unit()
            || matches!(
                self.peek().kind,
                TokenKind::End
                    | TokenKind::Punct(Punct::CloseBrace | Punct::ColonColon)
                    | TokenKind::Keyword(Keyword::Fi | Keyword::Od | Keyword::Unless)
            )
    }

    fn assignment(&mut self, target: VarRef) -> Parse<Statement> {
        self.bump();
        let start = target.span;
        let token = self.peek();
        if token.kind == TokenKind::Name
            && self.peek_at(1).is(Punct::OpenParen)
            && self.names.inlines.contains_key(&token.text)
        {
            return self.inline_statement(Some(target));
        }
        let value = self.expression()?;
        Ok(Statement { span: self.since(start), kind: StatementKind::Assign { target, value } })
    }

    /// In an inline used as in `x = f()`, SPIN takes `return e` for `x = e`: it does not leave the inline.
    fn return_statement(&mut self) -> Parse<StatementKind> {
        let word = self.bump();
        let Some(inline) = self.inlines.last() else {
            let error = Diagnostic::error("`return` outside an inline", word.span);
            return Err(
                self.report(error.help("a process ends at its closing brace; `goto` a label there to end early"))
            );
        };
        let name = self.interner.text(inline.name);
        let Some(target) = inline.result.clone() else {
            let error = Diagnostic::error(format!("inline `{name}` returns a value that is not used"), word.span);
            return Err(self.report(error.help(format!("use it as in `x = {name}(...)`"))));
        };
        let value = self.expression()?;
        Ok(StatementKind::Assign { target, value })
    }

    fn printf(&mut self) -> Parse<StatementKind> {
        self.bump();
        let open = self.expect(Punct::OpenParen)?;
        let token = self.peek();
        if token.kind != TokenKind::String {
            return Err(self.unexpected("a string in double quotes"));
        }
        self.bump();
        let text = self.interner.text(token.text);
        let text = text.strip_prefix('"').unwrap_or(text);
        let format = text.strip_suffix('"').unwrap_or(text).to_string();
        let arguments = if self.take(Punct::Comma) { self.comma_separated(Self::expression)? } else { Vec::new() };
        self.expect_closing(Punct::CloseParen, open)?;
        Ok(StatementKind::Printf { format, arguments })
    }

    fn set_priority(&mut self) -> Parse<StatementKind> {
        self.bump();
        let open = self.expect(Punct::OpenParen)?;
        let pid = self.expression()?;
        self.expect(Punct::Comma)?;
        let priority = self.expression()?;
        self.expect_closing(Punct::CloseParen, open)?;
        Ok(StatementKind::SetPriority { pid, priority })
    }

    pub(super) fn parenthesized<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let open = self.expect(Punct::OpenParen)?;
        let result = inside(self)?;
        self.expect_closing(Punct::CloseParen, open)?;
        Ok(result)
    }
}

impl Token {
    /// `skip` stands for 1, so someone may compute with it.
    fn kind_is_operator(&self) -> bool {
        let TokenKind::Punct(punct) = self.kind else {
            return false;
        };
        super::expressions::binary_operator(punct).is_some()
    }
}

pub(super) fn is_compound_assignment(punct: Punct) -> bool {
    use Punct::*;
    matches!(
        punct,
        PlusAssign
            | MinusAssign
            | StarAssign
            | SlashAssign
            | PercentAssign
            | AndAssign
            | OrAssign
            | XorAssign
            | ShiftLeftAssign
            | ShiftRightAssign
            | ColonAssign
    )
}
