//! SMV, the language of NuSMV in its widely used part: from text to a circuit and what is asked of it.
//!
//! The text passes through [`lexer`] and [`parser`] into the tree of [`ast`]; [`lower`] makes the instances of modules,
//! checks types, and builds the circuit. What is wrong with a text is in the diagnostics.

mod ast;
mod lexer;
mod lower;
mod parser;
mod words;

use reductio_model::circuit::{Circuit, verify};

use crate::Loaded;
use crate::decode::read;
use crate::diagnostics::Diagnostics;
use crate::source::SourceMap;

pub use crate::decode::MAX_FILE_SIZE;

/// What is asked of a model besides what it says itself.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Conditions that are to hold in every state.
    pub invariants: Vec<String>,
    /// Formulas of computation tree logic.
    pub ctl: Vec<String>,
    /// Formulas of linear temporal logic.
    pub ltl: Vec<String>,
}

/// From text to circuit.
pub fn load(name: &str, text: &[u8], options: &LoadOptions) -> Loaded<Circuit> {
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let nothing = |sources, diagnostics| Loaded { model: None, sources, diagnostics };
    let text = match read(name, text) {
        Ok(text) => text,
        Err(problem) => {
            diagnostics.add(problem);
            return nothing(sources, diagnostics);
        }
    };
    let file = sources.add_file(name, text.clone());
    let program = parser::program(&lexer::tokens(file, &text), &mut diagnostics);
    let questions = ask(options, &mut sources, &mut diagnostics);
    if diagnostics.has_errors() {
        return nothing(sources, diagnostics);
    }
    let circuit = lower::lower(name, &program, &questions, &sources, &mut diagnostics);
    let circuit = circuit.filter(|_| !diagnostics.has_errors());
    debug_assert_eq!(circuit.as_ref().map_or(Ok(()), verify), Ok(()), "what is wrong with a text has been reported");
    Loaded { model: circuit, sources, diagnostics }
}

/// Parses the questions from outside the text.
fn ask(options: &LoadOptions, sources: &mut SourceMap, diagnostics: &mut Diagnostics) -> Vec<ast::Spec> {
    let kinds = [
        ("<invariant>", ast::SpecKind::Invariant, &options.invariants),
        ("<ctl>", ast::SpecKind::Ctl, &options.ctl),
        ("<ltl>", ast::SpecKind::Ltl, &options.ltl),
    ];
    let mut questions = Vec::new();
    for (option, kind, texts) in kinds {
        for text in texts {
            let file = sources.add_file(option, text.clone());
            let formula = parser::expression(&lexer::tokens(file, text), diagnostics);
            questions.extend(formula.map(|formula| ast::Spec { kind, name: None, formula }));
        }
    }
    questions
}
