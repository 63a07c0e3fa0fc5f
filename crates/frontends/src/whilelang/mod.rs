//! While-programs: from text to a model and what is asked of it.
//!
//! Paper: [yorav00] section 5.2 for the language as printed, section 3.1 for processes that send and receive.
//!
//! The text passes through [`lexer`] and [`parser`] into the tree of [`ast`]; [`lower`] makes a control-flow graph of each
//! process, [`formulas`] claims of what is asked.

mod ast;
mod expressions;
mod formulas;
mod lexer;
mod lower;
mod parser;

use reductio_model::{Model, verify};

use crate::Loaded;
use crate::decode::read;
use crate::diagnostics::Diagnostics;
use crate::source::SourceMap;

pub use crate::decode::MAX_FILE_SIZE;

/// What is asked of a program besides what it says itself.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Conditions that are to hold in every state. They become the first atoms of the model, in this order.
    pub invariants: Vec<String>,
    /// Formulas of linear temporal logic that every run is to satisfy.
    pub ltl: Vec<String>,
    /// Formulas of computation tree logic, as after `SPEC`.
    pub ctl: Vec<String>,
    /// Do formulas of computation trees stay what they are, even if they mean the same in linear time?
    pub keep_trees: bool,
}

/// From text to model.
pub fn load(name: &str, text: &[u8], options: &LoadOptions) -> Loaded<Model> {
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
    let mut ask = |option: &str, texts: &[String]| -> Vec<ast::Expr> {
        let parse = |text: &String| {
            let file = sources.add_file(option, text.clone());
            parser::formula(&lexer::tokens(file, text), &mut diagnostics)
        };
        texts.iter().filter_map(parse).collect()
    };
    let questions = formulas::Questions {
        invariants: ask("<invariant>", &options.invariants),
        ltl: ask("<ltl>", &options.ltl),
        ctl: ask("<ctl>", &options.ctl),
        keep_trees: options.keep_trees,
    };
    if diagnostics.has_errors() {
        return nothing(sources, diagnostics);
    }
    let mut lowering = lower::Lowering::new(name, &sources, &mut diagnostics);
    lowering.processes(&program);
    lowering.questions(&program, &questions);
    let model = lowering.model;
    if diagnostics.has_errors() {
        return nothing(sources, diagnostics);
    }
    debug_assert_eq!(verify(&model), Ok(()), "what is wrong with a program has been reported");
    Loaded { model: Some(model), sources, diagnostics }
}
