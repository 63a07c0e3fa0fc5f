//! Tokens: what the lexer makes, the preprocessor rearranges and the parser reads.

use std::collections::HashMap;
use std::rc::Rc;

use crate::source::Span;

/// A text that an [`Interner`] knows; two are equal exactly if their texts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Symbol(u32);

/// Small and `Copy`, because macros and inlines copy tokens by the thousand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    /// The text as written. A string keeps its quotes.
    pub text: Symbol,
    pub span: Span,
    /// The first token of its line: Promela takes the end of some lines for a `;`.
    pub starts_line: bool,
    pub space_before: bool,
    /// A macro's name that stands in that macro's own expansion, which C never expands again.
    pub never_expand: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Keywords too, until the preprocessor is done: to a macro they are names like any other.
    Name,
    Keyword(Keyword),
    Number,
    Character,
    String,
    Punct(Punct),
    /// The end of a line that stands for a `;`.
    LineEnd,
    /// `c_code { ... }` and its kin, already reported.
    EmbeddedC,
    Invalid(Problem),
    End,
}

/// Text that is no token. It is reported only where it matters: not in the parts that `#if` leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    StrayCharacter,
    UnterminatedString,
    UnterminatedCharacter,
    EmptyCharacter,
    LongCharacter,
    /// `*/` outside a comment.
    StrayCommentEnd,
    UnterminatedComment,
}

macro_rules! words {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident $text:literal)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name { $($variant,)* }

        impl $name {
            #[allow(dead_code, reason = "of the operators only the tests want all")]
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }
    };
}

words! {
    /// The reserved words. `in` is one only inside the header of a `for`, and the words of temporal logic only
    /// inside formulas, so those are not here.
    Keyword {
        Active "active" Assert "assert" Atomic "atomic" Bit "bit" Bool "bool" Break "break" Byte "byte"
        CCode "c_code" CDecl "c_decl" CExpr "c_expr" CState "c_state" CTrack "c_track"
        DProctype "D_proctype" DStep "d_step" Do "do" Chan "chan" Else "else" Empty "empty" Enabled "enabled"
        Eval "eval" False "false" Fi "fi" For "for" Full "full" GetPriority "get_priority" Goto "goto"
        Hidden "hidden" If "if" Init "init" Inline "inline" Int "int" Len "len" Local "local" Ltl "ltl"
        Mtype "mtype" Nempty "nempty" Never "never" Nfull "nfull" Notrace "notrace" NonProgress "np_" Od "od"
        Of "of" PcValue "pc_value" Pid "pid" Printf "printf" Printm "printm" Priority "priority"
        Proctype "proctype" Provided "provided" Return "return" Run "run" Select "select"
        SetPriority "set_priority" Short "short" Show "show" Skip "skip" Timeout "timeout" Trace "trace"
        True "true" Typedef "typedef" Unless "unless" Unsigned "unsigned" Xr "xr" Xs "xs"
    }
}

words! {
    /// Operators and punctuation, and what C has beyond Promela, so that a hint can be given.
    Punct {
        OpenBrace "{" CloseBrace "}" OpenParen "(" CloseParen ")" OpenBracket "[" CloseBracket "]"
        Semicolon ";" Comma "," Dot "." DotDot ".." Colon ":" ColonColon "::" Arrow "->" At "@" Assign "="
        Plus "+" Minus "-" Star "*" Slash "/" Percent "%" PlusPlus "++" MinusMinus "--"
        And "&" Or "|" Xor "^" Tilde "~" AndAnd "&&" OrOr "||" Not "!" NotNot "!!" Question "?"
        QuestionQuestion "??" EqualEqual "==" NotEqual "!=" Less "<" LessEqual "<=" Greater ">"
        GreaterEqual ">=" ShiftLeft "<<" ShiftRight ">>" Hash "#" HashHash "##" Ellipsis "..."
        PlusAssign "+=" MinusAssign "-=" StarAssign "*=" SlashAssign "/=" PercentAssign "%=" AndAssign "&="
        OrAssign "|=" XorAssign "^=" ShiftLeftAssign "<<=" ShiftRightAssign ">>=" ColonAssign ":="
    }
}

impl Token {
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == TokenKind::Punct(punct)
    }

    pub fn is_keyword(&self, keyword: Keyword) -> bool {
        self.kind == TokenKind::Keyword(keyword)
    }
}

impl Punct {
    /// The longest of them that the text starts with.
    pub fn at_start_of(text: &str) -> Option<Punct> {
        use Punct::*;
        let bytes = text.as_bytes();
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
        Some(match (byte(0), byte(1), byte(2)) {
            (b'<', b'<', b'=') => ShiftLeftAssign,
            (b'>', b'>', b'=') => ShiftRightAssign,
            (b'.', b'.', b'.') => Ellipsis,
            (b'.', b'.', _) => DotDot,
            (b':', b':', _) => ColonColon,
            (b':', b'=', _) => ColonAssign,
            (b'-', b'>', _) => Arrow,
            (b'-', b'-', _) => MinusMinus,
            (b'-', b'=', _) => MinusAssign,
            (b'+', b'+', _) => PlusPlus,
            (b'+', b'=', _) => PlusAssign,
            (b'*', b'=', _) => StarAssign,
            (b'/', b'=', _) => SlashAssign,
            (b'%', b'=', _) => PercentAssign,
            (b'&', b'&', _) => AndAnd,
            (b'&', b'=', _) => AndAssign,
            (b'|', b'|', _) => OrOr,
            (b'|', b'=', _) => OrAssign,
            (b'^', b'=', _) => XorAssign,
            (b'!', b'!', _) => NotNot,
            (b'!', b'=', _) => NotEqual,
            (b'?', b'?', _) => QuestionQuestion,
            (b'=', b'=', _) => EqualEqual,
            (b'<', b'=', _) => LessEqual,
            (b'<', b'<', _) => ShiftLeft,
            (b'>', b'=', _) => GreaterEqual,
            (b'>', b'>', _) => ShiftRight,
            (b'#', b'#', _) => HashHash,
            (b'{', ..) => OpenBrace,
            (b'}', ..) => CloseBrace,
            (b'(', ..) => OpenParen,
            (b')', ..) => CloseParen,
            (b'[', ..) => OpenBracket,
            (b']', ..) => CloseBracket,
            (b';', ..) => Semicolon,
            (b',', ..) => Comma,
            (b'.', ..) => Dot,
            (b':', ..) => Colon,
            (b'@', ..) => At,
            (b'=', ..) => Assign,
            (b'+', ..) => Plus,
            (b'-', ..) => Minus,
            (b'*', ..) => Star,
            (b'/', ..) => Slash,
            (b'%', ..) => Percent,
            (b'&', ..) => And,
            (b'|', ..) => Or,
            (b'^', ..) => Xor,
            (b'~', ..) => Tilde,
            (b'!', ..) => Not,
            (b'?', ..) => Question,
            (b'<', ..) => Less,
            (b'>', ..) => Greater,
            (b'#', ..) => Hash,
            _ => return None,
        })
    }
}

/// Gives every distinct text a small number. The keywords come first, so a symbol tells whether it is one.
#[derive(Clone, Debug)]
pub(super) struct Interner {
    numbers: HashMap<Rc<str>, u32>,
    texts: Vec<Rc<str>>,
}

impl Default for Interner {
    fn default() -> Interner {
        let mut interner = Interner { numbers: HashMap::new(), texts: Vec::new() };
        for keyword in Keyword::ALL {
            interner.intern(keyword.text());
        }
        interner
    }
}

impl Interner {
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(number) = self.numbers.get(text) {
            return Symbol(*number);
        }
        let number = u32::try_from(self.texts.len()).expect("the number of tokens is limited");
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        Symbol(number)
    }

    /// Some symbol, for tokens whose text does not matter.
    pub fn first(&self) -> Symbol {
        Symbol(0)
    }

    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    pub fn keyword(&self, symbol: Symbol) -> Option<Keyword> {
        Keyword::ALL.get(symbol.0 as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_found_by_its_own_text() {
        for punct in Punct::ALL {
            assert_eq!(Punct::at_start_of(punct.text()), Some(*punct));
        }
    }

    #[test]
    fn keywords_are_known_by_symbol() {
        let mut interner = Interner::default();
        let word = interner.intern("unless");
        assert_eq!(interner.keyword(word), Some(Keyword::Unless));
        let word = interner.intern("unlessy");
        assert_eq!(interner.keyword(word), None);
    }
}
