//! The formulas that translators are compared on, from `testdata/ltl/`.

use std::path::Path;

use reductio_logic::Propositions;
use reductio_logic::ltl::{Formula, Formulas, parse};

use crate::Failure;

const NAMES: [&str; 3] = ["etessami-holzmann", "somenzi-bloem", "dwyer-avrunin-corbett"];

/// The formulas of one paper.
pub struct Set {
    pub name: &'static str,
    pub formulas: Vec<String>,
}

pub fn all() -> Result<Vec<Set>, Failure> {
    NAMES
        .into_iter()
        .map(|name| {
            let text = std::fs::read_to_string(Path::new("testdata/ltl").join(name).with_extension("txt"))?;
            let formulas = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned);
            Ok(Set { name, formulas: formulas.collect() })
        })
        .collect()
}

pub fn read(text: &str, formulas: &mut Formulas, propositions: &mut Propositions) -> Result<Formula, Failure> {
    parse(text, formulas, propositions).map_err(|error| Failure(format!("{text}: {error}")))
}
