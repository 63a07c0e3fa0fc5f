//! Promela: from text to a syntax tree, and from there to a model.
//!
//! The text passes through [`lexer`], [`preprocess`] and [`separators`] as tokens, and through [`parser`] into the
//! tree of [`ast`]. None of them ever fails: what is wrong with a text is in the diagnostics, and there is always a
//! tree, which is worth looking at only if there are no errors.

pub mod ast;
mod lexer;
mod lower;
mod parser;
mod preprocess;
mod separators;
mod symbols;
mod text;
mod token;
mod visit;

use crate::Loaded;
use crate::decode::read;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::SourceMap;
use parser::Names;
use preprocess::{Macros, Preprocessor};
use reductio_model::Model;
use token::Interner;

pub use crate::decode::MAX_FILE_SIZE;

#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Macros from the command line, `-D NAME` as `("NAME", "1")`.
    pub defines: Vec<(String, String)>,
}

/// Finds the files that `#include` names. The crate itself reads no files.
pub trait IncludeLoader {
    /// Returns the file's name for messages, by which it is told from others, and its contents.
    fn load(&self, including_file: &str, name: &str) -> Result<(String, Vec<u8>), IncludeError>;
}

/// Why a file cannot be included, to be shown to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IncludeError {
    pub reason: String,
}

/// For texts that stand alone.
pub struct NoIncludes;

impl IncludeLoader for NoIncludes {
    fn load(&self, _including_file: &str, _name: &str) -> Result<(String, Vec<u8>), IncludeError> {
        Err(IncludeError { reason: "files cannot be included here".to_string() })
    }
}

#[derive(Debug, Default)]
pub struct Parsed {
    pub program: ast::Program,
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
    pub vocabulary: Vocabulary,
}

/// What a program's text defines beyond its tree: macros, and the names that decide how a text is to be read.
/// With it, an expression from the command line can use what the program's own expressions can.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    interner: Interner,
    macros: Macros,
    names: Names,
}

/// Parses a program. The caller asks the diagnostics whether the tree is worth anything.
pub fn parse(name: &str, text: &[u8], options: &ParseOptions, includes: &dyn IncludeLoader) -> Parsed {
    let mut parsed = Parsed::default();
    let text = match read(name, text) {
        Ok(text) => text,
        Err(problem) => {
            parsed.diagnostics.add(problem);
            return parsed;
        }
    };
    let Parsed { sources, diagnostics, vocabulary, .. } = &mut parsed;
    let Vocabulary { interner, macros, names } = vocabulary;
    let file = sources.add_file(name, text);
    let command_line = (!options.defines.is_empty()).then(|| {
        let directives =
            options.defines.iter().map(|(name, value)| format!("#define {name} {value}").replace('\n', " "));
        sources.add_file("<command line>", directives.collect::<Vec<_>>().join("\n"))
    });
    let mut preprocessor = Preprocessor::new(sources, diagnostics, interner, macros, includes);
    if let Some(command_line) = command_line {
        preprocessor.run(command_line);
    }
    let tokens = preprocessor.run(file);
    if diagnostics.has_errors() {
        // A macro or an included file is missing, so most of what the parser could say would be beside the point.
        return parsed;
    }
    let tokens = separators::prepare(&tokens, interner, diagnostics);
    parsed.program = parser::program(tokens, file, sources, diagnostics, interner, names);
    parsed
}

/// What an expression from outside the program may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// An ordinary expression, as in a guard.
    State,
    /// A formula as in an `ltl` block, with temporal operators; `->` is implication.
    Temporal,
    /// A formula of computation trees: the same with operators such as `AG` and `E [f U g]` instead.
    Branching,
}

/// Parses an expression given outside the program, under a name such as `--invariant` that messages can use. `None`
/// if it has errors, which are added to the diagnostics.
pub fn parse_expression(
    name: &str,
    text: &str,
    kind: ExpressionKind,
    vocabulary: &mut Vocabulary,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<ast::Expr> {
    if text.len() > MAX_FILE_SIZE {
        diagnostics.add(Diagnostic::error(format!("{name}: the text is too long"), None));
        return None;
    }
    let file = sources.add_file(name, text.to_string());
    let Vocabulary { interner, macros, names } = vocabulary;
    // Errors of the program, or of another expression, must not hide whether this one is right.
    let mut own = Diagnostics::default();
    let preprocessor = Preprocessor::new(sources, &mut own, interner, macros, &NoIncludes);
    let tokens = preprocessor.of_formula(kind != ExpressionKind::State).run(file);
    let tokens = separators::prepare(&tokens, interner, &mut own);
    let expression = parser::expression(tokens, file, kind, sources, &mut own, interner, names);
    let expression = expression.filter(|_| !own.has_errors());
    diagnostics.append(own);
    expression
}

/// What is asked of a program besides what it says itself.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Macros from the command line, `-D NAME` as `("NAME", "1")`.
    pub defines: Vec<(String, String)>,
    /// Conditions that are to hold in every state. They become the first atoms of the model, in this order.
    pub invariants: Vec<String>,
    /// Formulas of linear temporal logic that every run is to satisfy, as in an `ltl` block. They become claims.
    pub ltl: Vec<String>,
    /// Formulas of computation tree logic that are to hold in the initial state.
    pub ctl: Vec<String>,
}

/// From text to model.
pub fn load(name: &str, text: &[u8], options: &LoadOptions, includes: &dyn IncludeLoader) -> Loaded<Model> {
    let parse_options = ParseOptions { defines: options.defines.clone() };
    let Parsed { program, mut sources, mut diagnostics, mut vocabulary } = parse(name, text, &parse_options, includes);
    let mut ask = |name: &str, texts: &[String], kind: ExpressionKind| -> Vec<lower::Question> {
        let mut questions = Vec::new();
        for text in texts {
            let expr = parse_expression(name, text, kind, &mut vocabulary, &mut sources, &mut diagnostics);
            questions.extend(expr.map(|expr| lower::Question { text: text.clone(), expr }));
        }
        questions
    };
    let questions = lower::Questions {
        invariants: ask("<invariant>", &options.invariants, ExpressionKind::State),
        formulas: ask("<ltl>", &options.ltl, ExpressionKind::Temporal),
        trees: ask("<ctl>", &options.ctl, ExpressionKind::Branching),
    };
    if diagnostics.has_errors() {
        return Loaded { model: None, sources, diagnostics };
    }
    let model = lower::lower(name, &program, &questions, &sources, &mut diagnostics);
    Loaded { model, sources, diagnostics }
}
