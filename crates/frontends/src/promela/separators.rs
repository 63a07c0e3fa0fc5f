//! The last step before parsing: names become keywords, embedded C and invalid text are reported, and the ends of
//! lines that stand for a `;` get a token of their own.
//!
//! Since version 6.5 SPIN takes the end of a line for a `;` if the line ends a statement: inside a body, outside
//! parentheses, after a token that can end one. So `x = a` at the end of a line followed by `-b` are two statements.
//! SPIN does so even if the next line starts with an operator that cannot start a statement, and then reports a
//! syntax error; there we let the expression go on.

use super::token::{Interner, Keyword, Problem, Punct, Token, TokenKind};
use crate::diagnostics::{Diagnostic, Diagnostics};

/// Prepares the tokens that the preprocessor left for the parser. The result is not terminated by an end token.
pub(super) fn prepare(tokens: &[Token], interner: &mut Interner, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut preparation =
        Preparation { interner, diagnostics, output: Vec::new(), brackets: Vec::new(), seen_c: false };
    preparation.run(tokens);
    preparation.output
}

/// What a bracket encloses: only in sequences do line ends count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    Sequence,
    /// Braces around a list or a formula.
    List,
    /// `(` or `[`
    Parenthesis,
}

struct Preparation<'a> {
    interner: &'a mut Interner,
    diagnostics: &'a mut Diagnostics,
    output: Vec<Token>,
    brackets: Vec<Bracket>,
    seen_c: bool,
}

impl Preparation<'_> {
    fn run(&mut self, tokens: &[Token]) {
        let mut at = 0;
        let mut starts_line = false;
        while at < tokens.len() {
            starts_line |= tokens[at].starts_line;
            let Some(mut token) = self.classified(tokens[at]) else {
                at += 1;
                continue;
            };
            token.starts_line = std::mem::take(&mut starts_line);
            at += 1;
            if is_embedded_c(token.kind) {
                self.report_embedded_c(token);
                at += embedded_c_length(&tokens[at..]);
                token.kind = TokenKind::EmbeddedC;
            }
            if self.line_end_counts(&token)
                && let Some(last) = self.output.last().copied()
            {
                let mut line_end = Token { kind: TokenKind::LineEnd, starts_line: false, ..last };
                line_end.span.start = last.span.end;
                self.output.push(line_end);
            }
            let forgotten = self.forgotten_parenthesis(tokens[at - 1]);
            self.track_brackets(&token);
            self.output.push(token);
            if let Some(parenthesis) = forgotten {
                self.track_brackets(&parenthesis);
                self.output.push(parenthesis);
            }
        }
    }

    /// The token as the parser sees it; `None` if it was reported and is better left out.
    fn classified(&mut self, token: Token) -> Option<Token> {
        let kind = match token.kind {
            TokenKind::Name => self.interner.keyword(token.text).map_or(TokenKind::Name, TokenKind::Keyword),
            TokenKind::Invalid(Problem::StrayCommentEnd) => {
                let warning = Diagnostic::warning("this `*/` ends no comment and is ignored, as by SPIN", token.span);
                self.diagnostics.add(warning.help("comments do not nest: the first `*/` ends one"));
                return None;
            }
            TokenKind::Invalid(problem) => {
                self.report(problem, token);
                // Whoever wrote single quotes or forgot the closing one meant a string.
                match problem {
                    Problem::LongCharacter | Problem::UnterminatedString => {
                        return Some(Token { kind: TokenKind::String, text: self.interner.intern("\"\""), ..token });
                    }
                    Problem::UnterminatedCharacter | Problem::EmptyCharacter => {
                        return Some(Token { kind: TokenKind::Number, text: self.interner.intern("0"), ..token });
                    }
                    _ => return None,
                }
            }
            TokenKind::Punct(Punct::Hash | Punct::HashHash) => {
                let error = Diagnostic::error("`#` has a meaning only at the start of a line", token.span);
                self.diagnostics.add(error);
                return None;
            }
            kind => kind,
        };
        Some(Token { kind, ..token })
    }

    /// A string without its closing quote swallows the parenthesis behind it.
    fn forgotten_parenthesis(&self, token: Token) -> Option<Token> {
        let swallows = token.kind == TokenKind::Invalid(Problem::UnterminatedString)
            && self.brackets.last() == Some(&Bracket::Parenthesis);
        swallows.then_some(Token { kind: TokenKind::Punct(Punct::CloseParen), starts_line: false, ..token })
    }

    fn report(&mut self, problem: Problem, token: Token) {
        let (message, help) = match problem {
            // Reported by the preprocessor, which sees the whole file.
            Problem::UnterminatedComment | Problem::StrayCommentEnd => return,
            Problem::StrayCharacter => ("this is not Promela: no token starts with this character", None),
            Problem::UnterminatedString => ("this string does not end on its line: `\"` is missing", None),
            Problem::UnterminatedCharacter => ("this character constant does not end: `'` is missing", None),
            Problem::EmptyCharacter => ("there is no character between the quotes", None),
            Problem::LongCharacter => {
                ("single quotes hold one character", Some("a string is written in double quotes: \"...\""))
            }
        };
        let mut error = Diagnostic::error(message, token.span);
        error.help = help.map(str::to_string);
        self.diagnostics.add(error);
    }

    fn report_embedded_c(&mut self, token: Token) {
        // One error says it all: a model with embedded C usually has a lot of it.
        if !self.seen_c {
            let text = self.interner.text(token.text);
            let error = Diagnostic::error(format!("embedded C is not supported: `{text}`"), token.span);
            self.diagnostics.add(error.help("express what the C code does in Promela"));
        }
        self.seen_c = true;
    }

    fn line_end_counts(&self, next: &Token) -> bool {
        next.starts_line
            && self.brackets.last() == Some(&Bracket::Sequence)
            && self.output.last().is_some_and(|last| can_end_statement(last.kind))
            && !continues_statement(next.kind)
    }

    fn track_brackets(&mut self, token: &Token) {
        match token.kind {
            TokenKind::Punct(Punct::OpenParen | Punct::OpenBracket) => self.brackets.push(Bracket::Parenthesis),
            TokenKind::Punct(Punct::OpenBrace) => {
                let bracket = if self.brace_opens_list() { Bracket::List } else { Bracket::Sequence };
                self.brackets.push(bracket);
            }
            // A stray `)` must not close a body.
            TokenKind::Punct(Punct::CloseParen | Punct::CloseBracket)
                if self.brackets.last() == Some(&Bracket::Parenthesis) =>
            {
                self.brackets.pop();
            }
            TokenKind::Punct(Punct::CloseBrace) => {
                self.drop_parentheses();
                self.brackets.pop();
            }
            // Nor must a missing `)` change what the ends of all further lines mean.
            TokenKind::Punct(Punct::Semicolon | Punct::ColonColon) | TokenKind::Keyword(Keyword::Fi | Keyword::Od) => {
                self.drop_parentheses();
            }
            TokenKind::Keyword(Keyword::Proctype | Keyword::DProctype | Keyword::Init | Keyword::Never) => {
                // These stand at the top only, so whatever seems open was forgotten.
                self.brackets.clear();
            }
            _ => {}
        }
    }

    fn drop_parentheses(&mut self) {
        while self.brackets.last() == Some(&Bracket::Parenthesis) {
            self.brackets.pop();
        }
    }

    /// `= { 1, 2 }`, `mtype { a }`, `of { byte }`, `ltl name { ... }`
    fn brace_opens_list(&self) -> bool {
        let before = |back: usize| self.output.len().checked_sub(back).map(|at| self.output[at].kind);
        let is_list_word = |kind| {
            use TokenKind::{Keyword as Word, Punct as Sign};
            matches!(kind, Some(Sign(Punct::Assign) | Word(Keyword::Of | Keyword::Mtype | Keyword::Ltl)))
        };
        is_list_word(before(1))
            || (before(1) == Some(TokenKind::Name) && before(2) == Some(TokenKind::Keyword(Keyword::Ltl)))
    }
}

fn can_end_statement(kind: TokenKind) -> bool {
    match kind {
        TokenKind::Name | TokenKind::Number | TokenKind::Character | TokenKind::String | TokenKind::EmbeddedC => true,
        TokenKind::Punct(punct) => matches!(
            punct,
            Punct::CloseBrace | Punct::CloseParen | Punct::CloseBracket | Punct::PlusPlus | Punct::MinusMinus
        ),
        TokenKind::Keyword(keyword) => matches!(
            keyword,
            Keyword::Od
                | Keyword::Fi
                | Keyword::Else
                | Keyword::Break
                | Keyword::Skip
                | Keyword::True
                | Keyword::False
                | Keyword::Timeout
                | Keyword::NonProgress
        ),
        _ => false,
    }
}

fn continues_statement(kind: TokenKind) -> bool {
    match kind {
        // `-`, `!`, `~`, `(` and `{` can start a statement; `++` and `--` cannot, but belong to no other line.
        TokenKind::Punct(punct) => !matches!(
            punct,
            Punct::Minus
                | Punct::Not
                | Punct::NotNot
                | Punct::Tilde
                | Punct::OpenParen
                | Punct::OpenBrace
                | Punct::CloseBrace
                | Punct::ColonColon
                | Punct::Semicolon
                | Punct::Arrow
        ),
        TokenKind::Keyword(keyword) => matches!(keyword, Keyword::Unless | Keyword::Priority | Keyword::Provided),
        _ => false,
    }
}

fn is_embedded_c(kind: TokenKind) -> bool {
    use Keyword::{CCode, CDecl, CExpr, CState, CTrack};
    matches!(kind, TokenKind::Keyword(CCode | CDecl | CExpr | CState | CTrack))
}

/// How many tokens after `c_code` and its kin belong to it: strings, a `[condition]`, a block in braces.
fn embedded_c_length(tokens: &[Token]) -> usize {
    let mut at = 0;
    while tokens.get(at).is_some_and(|token| token.kind == TokenKind::String) {
        at += 1;
    }
    if tokens.get(at).is_some_and(|token| token.is(Punct::OpenBracket)) {
        at += balanced_length(&tokens[at..], Punct::OpenBracket, Punct::CloseBracket);
    }
    if tokens.get(at).is_some_and(|token| token.is(Punct::OpenBrace)) {
        at += balanced_length(&tokens[at..], Punct::OpenBrace, Punct::CloseBrace);
    }
    at
}

/// The number of tokens from an opening bracket to the one that closes it, or to the end.
pub(super) fn balanced_length(tokens: &[Token], open: Punct, close: Punct) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.is(open) {
            depth += 1;
        } else if token.is(close) {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promela::lexer;
    use crate::source::FileId;

    /// The tokens' texts, with a `%` for each line end that counts.
    fn prepared(text: &str) -> String {
        let (mut interner, mut diagnostics) = (Interner::default(), Diagnostics::default());
        let tokens = lexer::tokens(FileId(0), text, &mut interner);
        let tokens = prepare(&tokens, &mut interner, &mut diagnostics);
        let words = tokens.iter().map(|token| match token.kind {
            TokenKind::LineEnd => "%",
            _ => interner.text(token.text),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn line_ends_count_in_bodies_after_what_can_end_a_statement() {
        assert_eq!(prepared("byte x\ninit\n{\nx = a\n-b\nfi\n}\n"), "byte x init { x = a % - b % fi % }");
        assert_eq!(prepared("{ x = (a\n&& b)\nf(\n1\n)\n}"), "{ x = ( a && b ) % f ( 1 ) % }");
        assert_eq!(prepared("{ x = a\n+ b\n}\nunless"), "{ x = a + b % } unless");
    }

    #[test]
    fn line_ends_do_not_count_in_lists_and_formulas() {
        assert_eq!(prepared("mtype = { a\nb }"), "mtype = { a b }");
        assert_eq!(prepared("{ chan c = [1] of { byte\n}\n}"), "{ chan c = [ 1 ] of { byte } % }");
        assert_eq!(prepared("ltl p { a\n-> b }"), "ltl p { a -> b }");
    }

    #[test]
    fn embedded_c_becomes_one_token() {
        assert_eq!(prepared("c_decl { int x; { $ } }\ninit { c_code [a] { ' } }"), "c_decl init { c_code");
        assert_eq!(prepared("c_state \"int x\" \"Global\"\nbyte y"), "c_state byte y");
    }
}
