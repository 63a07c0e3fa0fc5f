//! Inlines: their definitions are only checked, their uses are replaced by their bodies.
//!
//! As in SPIN an argument is text: its tokens stand in for the parameter wherever that is named, with no parentheses
//! around them. They take the place of the parameter in the body, so that a statement lies where the body has it even
//! if it starts and ends with arguments; the arguments themselves are seen where the inline is used. Unlike SPIN there is no limit of 16 levels, and a definition may follow its use.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::ast::{Statement, StatementKind, VarRef};
use super::super::preprocess::MAX_TOKENS;
use super::super::token::{Punct, Symbol, Token, TokenKind};
use super::names::Inline;
use super::{ActiveInline, Failed, Parse, Parser, cursor};
use crate::diagnostics::Diagnostic;
use crate::source::{ExpansionId, ExpansionKind, Span};

impl Parser<'_> {
    /// `inline name(parameters) { body }`
    pub(super) fn inline_definition(&mut self) -> Parse<()> {
        self.bump();
        let token = self.peek();
        let name = self.expect_name("the name of the inline")?;
        let open = self.expect(Punct::OpenParen)?;
        let mut parameters: Vec<Symbol> = Vec::new();
        if !self.at(Punct::CloseParen) {
            self.comma_separated(|this| {
                let parameter = this.peek();
                if this.at_declaration() {
                    let error = Diagnostic::error("parameters of an inline have no types", parameter.span);
                    return Err(this.report(error.help("write only the names: `inline f(a, b) { ... }`")));
                }
                let name = this.expect_name("the name of a parameter")?;
                if parameters.contains(&parameter.text) {
                    return Err(this.error(format!("parameter `{}` appears twice", name.text), name.span));
                }
                parameters.push(parameter.text);
                Ok(())
            })?;
        }
        self.expect_closing(Punct::CloseParen, open)?;
        if !self.at(Punct::OpenBrace) {
            return Err(self.unexpected("`{` and the body of the inline"));
        }
        let brace = self.peek();
        self.skip_balanced();
        let is_known = self.names.inlines.contains_key(&token.text);
        if !is_known || !self.previous().is(Punct::CloseBrace) {
            let error = Diagnostic::error("the body of this inline never ends: `}` is missing", brace.span);
            return Err(self.report(error));
        }
        if let Some(known) = self.names.inlines.get(&token.text)
            && known.defined_at != name.span
        {
            let error = Diagnostic::error(format!("inline `{}` is defined twice", name.text), name.span);
            return Err(self.report(error.note("the first definition", known.defined_at)));
        }
        Ok(())
    }

    /// At the name of an inline and a `(`. With a target, `return` assigns to it.
    pub(super) fn inline_statement(&mut self, result: Option<VarRef>) -> Parse<Statement> {
        let token = self.bump();
        let start = result.as_ref().map_or(token.span, |target| target.span);
        let inline: Rc<Inline> = match self.names.inlines.get(&token.text) {
            Some(inline) => inline.clone(),
            None => return Err(self.unexpected("the name of an inline")),
        };
        let arguments = self.inline_arguments(token)?;
        let used_at = self.since(token.span);
        if self.inlines.iter().any(|active| active.name == token.text) {
            let text = self.interner.text(token.text);
            let error = Diagnostic::error(format!("inline `{text}` uses itself"), used_at);
            let error = error.help("the body of an inline replaces its use, so this would never end");
            return Err(self.report(error.note("defined here", inline.defined_at)));
        }
        self.check_argument_count(&inline, arguments.len(), used_at)?;

        let text = self.interner.text(token.text);
        let expansion = self.sources.add_expansion(ExpansionKind::Inline, text, used_at);
        let mut known = HashMap::new();
        let mut tokens = Vec::with_capacity(inline.body.len() + 1);
        for body_token in &inline.body {
            let origin = self.rebased(body_token.span.expansion, expansion, &mut known);
            let span = Span { expansion: Some(origin), ..body_token.span };
            let position = inline.parameters.iter().position(|name| *name == body_token.text);
            match position.filter(|_| body_token.kind == TokenKind::Name) {
                Some(position) => tokens.extend(arguments[position].iter().map(|token| Token { span, ..*token })),
                None => tokens.push(Token { span, ..*body_token }),
            }
        }
        self.spend_inline_tokens(tokens.len(), used_at)?;
        let end = tokens.last().map_or(used_at, |last| last.span);
        tokens.push(cursor::end_token(end, self.interner));

        let name = self.name(token);
        let body = self.block_of(tokens, ActiveInline { name: token.text, result })?;
        let span = self.sources.join(start, used_at);
        Ok(Statement { span, kind: StatementKind::Inline { name, body } })
    }

    /// A macro in an inline's body was expanded once, but is used anew in each use of the inline: the expansions that
    /// a token came through are copied, with the use of the inline as the outermost.
    fn rebased(
        &mut self,
        expansion: Option<ExpansionId>,
        inline_use: ExpansionId,
        known: &mut HashMap<ExpansionId, ExpansionId>,
    ) -> ExpansionId {
        let Some(id) = expansion else { return inline_use };
        if let Some(copy) = known.get(&id) {
            return *copy;
        }
        let original = self.sources.expansion(id).clone();
        let outer = self.rebased(original.used_at.expansion, inline_use, known);
        let used_at = Span { expansion: Some(outer), ..original.used_at };
        let copy = self.sources.add_expansion(original.kind, &original.name, used_at);
        known.insert(id, copy);
        copy
    }

    fn block_of(&mut self, tokens: Vec<Token>, inline: ActiveInline) -> Parse<super::super::ast::Block> {
        let outer_tokens = std::mem::replace(&mut self.tokens, tokens);
        let outer_position = std::mem::replace(&mut self.position, 0);
        let outer_enclosing = std::mem::take(&mut self.enclosing);
        self.inlines.push(inline);
        let body = self.block();
        if body.is_ok() && self.peek().kind != TokenKind::End {
            self.unexpected("the end of the inline");
        }
        self.inlines.pop();
        self.tokens = outer_tokens;
        self.position = outer_position;
        self.enclosing = outer_enclosing;
        body
    }

    /// The tokens of each argument between `(` and `)`.
    fn inline_arguments(&mut self, name: Token) -> Parse<Vec<Vec<Token>>> {
        let open = self.expect(Punct::OpenParen)?;
        let mut arguments = vec![Vec::new()];
        let mut brackets = 0;
        loop {
            let token = self.peek();
            match token.kind {
                TokenKind::Punct(Punct::OpenParen | Punct::OpenBracket | Punct::OpenBrace) => brackets += 1,
                TokenKind::Punct(Punct::CloseParen) if brackets == 0 => break,
                TokenKind::Punct(Punct::CloseParen | Punct::CloseBracket | Punct::CloseBrace) if brackets > 0 => {
                    brackets -= 1;
                }
                TokenKind::Punct(Punct::Comma) if brackets == 0 => {
                    self.bump();
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::End | TokenKind::Punct(Punct::CloseBrace | Punct::Semicolon) => {
                    self.expect_closing(Punct::CloseParen, open)?;
                    return Err(Failed);
                }
                _ => {}
            }
            self.bump();
            if let Some(argument) = arguments.last_mut() {
                argument.push(token);
            }
        }
        self.bump();
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if arguments.iter().any(Vec::is_empty) {
            return Err(self.error("an argument is missing here", self.since(name.span)));
        }
        Ok(arguments)
    }

    fn check_argument_count(&mut self, inline: &Inline, given: usize, used_at: Span) -> Parse<()> {
        let expected = inline.parameters.len();
        if given == expected {
            return Ok(());
        }
        let name = self.interner.text(inline.name);
        let error =
            Diagnostic::error(format!("inline `{name}` takes {}", cursor::argument_counts(expected, given)), used_at);
        Err(self.report(error.note("defined here", inline.defined_at)))
    }

    fn spend_inline_tokens(&mut self, tokens: usize, used_at: Span) -> Parse<()> {
        self.inline_tokens += tokens;
        if self.inline_tokens <= MAX_TOKENS {
            return Ok(());
        }
        let error = Diagnostic::error(format!("inlines make more than {MAX_TOKENS} tokens"), used_at);
        Err(self.give_up(error.help("does each inline use another one several times?")))
    }
}
