//! Top-level items: processes, claims, formulas, types, inlines.

use super::super::ast::{
    Active, Block, Claim, Declaration, Init, Ltl, MtypeDeclaration, Name, Proctype, Program, Trace, Typedef, Unit,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::{Failed, Parse, Parser};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

impl Parser<'_> {
    pub(super) fn program(&mut self) -> Program {
        let mut program = Program::default();
        let mut body_was_cut_short = false;
        while self.peek().kind != TokenKind::End {
            let before = self.position;
            if self.at_separator() || self.peek().kind == TokenKind::EmbeddedC {
                self.bump();
                continue;
            }
            // The end of a body that was given up at something that cannot be in one has been complained about.
            if body_was_cut_short && self.take(Punct::CloseBrace) {
                body_was_cut_short = false;
                continue;
            }
            match self.unit() {
                Ok(Some(unit)) => program.units.push(unit),
                Ok(None) => {}
                Err(Failed) => {
                    body_was_cut_short = self.starts_unit();
                    self.recover_to_unit(before);
                }
            }
        }
        program
    }

    /// `None` for an inline, whose uses appear in its stead.
    fn unit(&mut self) -> Parse<Option<Unit>> {
        let TokenKind::Keyword(keyword) = self.peek().kind else {
            if self.at_declaration() {
                return self.declaration().map(|declaration| Some(Unit::Variables(declaration)));
            }
            return Err(self.not_a_unit());
        };
        Ok(Some(match keyword {
            Keyword::Active | Keyword::Proctype | Keyword::DProctype => Unit::Proctype(self.proctype()?),
            Keyword::Init => Unit::Init(self.init()?),
            Keyword::Never => Unit::Never(self.claim()?),
            Keyword::Trace | Keyword::Notrace => Unit::Trace(self.trace()?),
            Keyword::Ltl => Unit::Ltl(self.ltl()?),
            Keyword::Typedef => Unit::Typedef(self.typedef()?),
            Keyword::Inline => {
                self.inline_definition()?;
                return Ok(None);
            }
            Keyword::Mtype if self.at_mtype_declaration() => Unit::Mtype(self.mtype_declaration()?),
            _ if self.at_declaration() => Unit::Variables(self.declaration()?),
            _ => return Err(self.not_a_unit()),
        }))
    }

    fn proctype(&mut self) -> Parse<Proctype> {
        let active = self.active()?;
        let deterministic = self.at_keyword(Keyword::DProctype);
        if !deterministic && !self.at_keyword(Keyword::Proctype) {
            return Err(self.unexpected("`proctype`"));
        }
        self.bump();
        let symbol = self.peek().text;
        let name = self.expect_name("the name of the proctype")?;
        self.proctypes_seen.insert(symbol);
        let header = self.proctype_header();
        // Even behind a wrong header the body is worth reading.
        let (parameters, priority, provided) = match header {
            Ok(header) => header,
            Err(Failed) if self.skip_to_body() => (Vec::new(), None, None),
            Err(Failed) => return Err(Failed),
        };
        let body = self.body()?;
        Ok(Proctype { name, active, deterministic, parameters, priority, provided, body })
    }

    fn active(&mut self) -> Parse<Option<Active>> {
        let word = self.peek();
        if !self.take_keyword(Keyword::Active) {
            return Ok(None);
        }
        let mut count = None;
        if self.at(Punct::OpenBracket) {
            let open = self.bump();
            count = Some(self.expression()?);
            self.expect_closing(Punct::CloseBracket, open)?;
        }
        Ok(Some(Active { count, span: self.since(word.span) }))
    }

    #[allow(clippy::type_complexity, reason = "used once, right where it is taken apart")]
    fn proctype_header(&mut self) -> Parse<(Vec<Declaration>, Option<super::Expr>, Option<super::Expr>)> {
        let open = self.expect(Punct::OpenParen)?;
        let mut parameters = Vec::new();
        while !self.at(Punct::CloseParen) {
            if !self.at_declaration() {
                return Err(self.not_a_parameter());
            }
            parameters.push(self.declaration()?);
            if !self.take(Punct::Semicolon) {
                break;
            }
        }
        if self.at(Punct::Comma) || self.at_declaration() {
            let error = Diagnostic::error("parameters of different types are separated by `;`", self.peek().span);
            return Err(self.report(error.help("as in `proctype P(byte x, y; chan c)`")));
        }
        self.expect_closing(Punct::CloseParen, open)?;
        let priority = self.optional_priority()?;
        let mut provided = None;
        if self.take_keyword(Keyword::Provided) {
            let open = self.expect(Punct::OpenParen)?;
            provided = Some(self.expression()?);
            self.expect_closing(Punct::CloseParen, open)?;
        }
        Ok((parameters, priority, provided))
    }

    /// Moves to a `{` that comes before anything else that could be a unit.
    fn skip_to_body(&mut self) -> bool {
        while !self.at(Punct::OpenBrace) {
            if self.peek().kind == TokenKind::End || self.starts_unit() {
                return false;
            }
            self.bump();
        }
        true
    }

    fn init(&mut self) -> Parse<Init> {
        let span = self.bump().span;
        if self.at(Punct::OpenParen) {
            let error = Diagnostic::error("`init` has no parameters", self.peek().span);
            self.report(error.help("write `init { ... }`"));
            self.skip_balanced();
        }
        let priority = self.optional_priority()?;
        let body = self.body()?;
        Ok(Init { span, priority, body })
    }

    fn claim(&mut self) -> Parse<Claim> {
        let span = self.bump().span;
        let name = self.optional_name();
        let body = self.body()?;
        Ok(Claim { span, name, body })
    }

    fn trace(&mut self) -> Parse<Trace> {
        let word = self.bump();
        let body = self.body()?;
        Ok(Trace { span: word.span, negated: word.is_keyword(Keyword::Notrace), body })
    }

    fn ltl(&mut self) -> Parse<Ltl> {
        let span = self.bump().span;
        let name = self.optional_name();
        let open = self.expect(Punct::OpenBrace)?;
        self.temporal = true;
        let formula = self.expression();
        self.temporal = false;
        let formula = formula?;
        self.skip_separators();
        let close = self.expect_closing(Punct::CloseBrace, open)?;
        let text = self.text_between(open.span, close.span);
        Ok(Ltl { span, name, formula, text })
    }

    fn optional_name(&mut self) -> Option<Name> {
        let token = self.peek();
        (token.kind == TokenKind::Name).then(|| {
            self.bump();
            self.name(token)
        })
    }

    /// The text between two places as written, comments left out and white space folded.
    fn text_between(&self, open: Span, close: Span) -> String {
        let whole = self.sources.join(open, close);
        let text = self.sources.text(whole);
        let text = text.strip_prefix('{').unwrap_or(text);
        let text = text.strip_suffix('}').unwrap_or(text);
        let mut interner = super::Interner::default();
        let mut result = String::new();
        for (number, token) in super::super::lexer::tokens(open.file, text, &mut interner).iter().enumerate() {
            if number > 0 && (token.space_before || token.starts_line) {
                result.push(' ');
            }
            result.push_str(&text[token.span.start as usize..token.span.end as usize]);
        }
        result
    }

    fn typedef(&mut self) -> Parse<Typedef> {
        self.bump();
        let name = self.expect_name("the name of the type")?;
        let open = self.expect(Punct::OpenBrace)?;
        let mut fields = Vec::new();
        while !self.at(Punct::CloseBrace) {
            if !self.at_declaration() {
                return Err(self.unexpected("the declaration of a field"));
            }
            fields.push(self.declaration()?);
            if !self.at(Punct::CloseBrace) && !self.at_separator() {
                return Err(self.unexpected("`;` between fields"));
            }
            self.skip_separators();
        }
        self.expect_closing(Punct::CloseBrace, open)?;
        if fields.is_empty() {
            return Err(self.error(format!("type `{}` has no fields", name.text), name.span));
        }
        Ok(Typedef { name, fields })
    }

    /// At `mtype = {`, `mtype {` or `mtype : name = {`, rather than a variable of type `mtype`.
    pub(super) fn at_mtype_declaration(&self) -> bool {
        let after = if self.peek_at(1).is(Punct::Colon) { 3 } else { 1 };
        let (first, second) = (self.peek_at(after), self.peek_at(after + 1));
        self.at_keyword(Keyword::Mtype)
            && (first.is(Punct::OpenBrace) || (first.is(Punct::Assign) && second.is(Punct::OpenBrace)))
    }

    pub(super) fn mtype_declaration(&mut self) -> Parse<MtypeDeclaration> {
        let word = self.bump();
        let mut subtype = None;
        if self.take(Punct::Colon) {
            subtype = Some(self.expect_name("the name of the kind of mtype")?);
        }
        self.take(Punct::Assign);
        let open = self.expect(Punct::OpenBrace)?;
        let mut members = Vec::new();
        while !self.at(Punct::CloseBrace) {
            members.push(self.expect_name("a name for a value")?);
            // Commas are optional.
            while self.take(Punct::Comma) {}
        }
        self.expect_closing(Punct::CloseBrace, open)?;
        if members.is_empty() {
            return Err(self.error("an mtype declaration needs at least one name", open.span));
        }
        Ok(MtypeDeclaration { span: self.since(word.span), subtype, members })
    }

    /// `{ ... }` of a process or claim.
    fn body(&mut self) -> Parse<Block> {
        if !self.at(Punct::OpenBrace) {
            return Err(self.unexpected("`{`"));
        }
        self.block()
    }
}
