//! Declarations of variables and channels.

use super::super::ast::{
    ChannelInitializer, Declaration, Declarator, Exclusive, Expr, Field, Initializer, Type, Visibility,
};
use super::super::token::{Keyword, Punct, TokenKind};
use super::{Parse, Parser};
use crate::diagnostics::Diagnostic;

impl Parser<'_> {
    pub(super) fn at_declaration(&self) -> bool {
        match self.peek().kind {
            TokenKind::Keyword(Keyword::Hidden | Keyword::Show | Keyword::Local) => true,
            TokenKind::Keyword(keyword) => basic_type(keyword).is_some(),
            TokenKind::Name => {
                self.names.typedefs.contains(&self.peek().text) && self.peek_at(1).kind == TokenKind::Name
            }
            _ => false,
        }
    }

    pub(super) fn declaration(&mut self) -> Parse<Declaration> {
        let start = self.peek().span;
        let visibility = self.visibility();
        let ty = self.declared_type()?;
        let variables = self.comma_separated(Self::declarator)?;
        Ok(Declaration { span: self.since(start), visibility, ty, variables })
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match self.peek().kind {
            TokenKind::Keyword(Keyword::Hidden) => Visibility::Hidden,
            TokenKind::Keyword(Keyword::Show) => Visibility::Show,
            TokenKind::Keyword(Keyword::Local) => Visibility::Local,
            _ => return None,
        };
        self.bump();
        Some(visibility)
    }

    fn declared_type(&mut self) -> Parse<Type> {
        let token = self.peek();
        let ty = match token.kind {
            TokenKind::Keyword(keyword) => basic_type(keyword),
            TokenKind::Name if self.names.typedefs.contains(&token.text) => Some(Type::User(self.name(token))),
            _ => None,
        };
        let Some(ty) = ty else {
            return Err(self.unexpected("a type"));
        };
        self.bump();
        if !self.at(Punct::Colon) {
            return Ok(ty);
        }
        let colon = self.bump();
        if !matches!(ty, Type::Mtype(_)) {
            let error = Diagnostic::error("only `mtype` has kinds: `mtype:name`", colon.span);
            return Err(self.report(error.help("the width of an `unsigned` stands behind the name: `unsigned x : 3`")));
        }
        Ok(Type::Mtype(Some(self.expect_name("the name of a kind of mtype")?)))
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        if self.at_declaration() && self.peek().kind != TokenKind::Name {
            let word = self.describe(self.peek());
            let error = Diagnostic::error(format!("expected the name of a variable, found {word}"), self.peek().span);
            return Err(self.report(error.help("declarations of different types are separated by `;`")));
        }
        let name = self.expect_name("the name of a variable")?;
        let (mut width, mut length) = (None, None);
        if self.take(Punct::Colon) {
            width = Some(self.constant_operand()?);
        } else if self.at(Punct::OpenBracket) {
            let open = self.bump();
            length = Some(self.expression()?);
            self.expect_closing(Punct::CloseBracket, open)?;
            if self.at(Punct::OpenBracket) {
                let error = Diagnostic::error("arrays have one dimension only", self.peek().span);
                return Err(self.report(error.help("put an array into a typedef, and declare an array of that type")));
            }
        }
        if self.at(Punct::OpenParen) {
            return Err(self.no_functions());
        }
        let initial = if self.take(Punct::Assign) { Some(self.initializer()?) } else { None };
        Ok(Declarator { name, width, length, initial })
    }

    fn initializer(&mut self) -> Parse<Initializer> {
        if self.at(Punct::OpenBracket) {
            return Ok(Initializer::Channel(self.channel_initializer()?));
        }
        if self.at(Punct::OpenBrace) {
            let open = self.bump();
            let values = self.comma_separated(Self::expression)?;
            self.expect_closing(Punct::CloseBrace, open)?;
            return Ok(Initializer::List(values));
        }
        Ok(Initializer::Expr(self.expression()?))
    }

    /// `[capacity] of { type, type }`
    fn channel_initializer(&mut self) -> Parse<ChannelInitializer> {
        let open = self.bump();
        let capacity = self.expression()?;
        self.expect_closing(Punct::CloseBracket, open)?;
        if !self.take_keyword(Keyword::Of) {
            return Err(self.unexpected("`of`, as in `chan c = [2] of { byte }`"));
        }
        let brace = self.expect(Punct::OpenBrace)?;
        let fields = self.comma_separated(Self::field)?;
        self.expect_closing(Punct::CloseBrace, brace)?;
        Ok(ChannelInitializer { span: self.since(open.span), capacity, fields })
    }

    fn field(&mut self) -> Parse<Field> {
        let start = self.peek();
        if start.kind == TokenKind::Name && !self.names.typedefs.contains(&start.text) {
            let text = self.interner.text(start.text);
            let message = format!("there is no type `{text}`");
            return Err(self.error(message, start.span));
        }
        let ty = self.declared_type()?;
        Ok(Field { ty, span: self.since(start.span) })
    }

    /// `priority 5`
    pub(super) fn optional_priority(&mut self) -> Parse<Option<Expr>> {
        if !self.take_keyword(Keyword::Priority) {
            return Ok(None);
        }
        Ok(Some(self.constant_operand()?))
    }

    /// `xr c, d` and `xs c`
    pub(super) fn exclusive(&mut self) -> Parse<Exclusive> {
        let word = self.bump();
        let channels = self.comma_separated(Self::reference)?;
        Ok(Exclusive { span: self.since(word.span), sends: word.is_keyword(Keyword::Xs), channels })
    }
}

fn basic_type(keyword: Keyword) -> Option<Type> {
    Some(match keyword {
        Keyword::Bit => Type::Bit,
        Keyword::Bool => Type::Bool,
        Keyword::Byte => Type::Byte,
        Keyword::Pid => Type::Pid,
        Keyword::Short => Type::Short,
        Keyword::Int => Type::Int,
        Keyword::Unsigned => Type::Unsigned,
        Keyword::Chan => Type::Chan,
        Keyword::Mtype => Type::Mtype(None),
        _ => return None,
    })
}
