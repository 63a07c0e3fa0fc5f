//! `reductio contains`: is every word that one automaton accepts accepted by another?

use std::path::Path;
use std::process::ExitCode;

use reductio::Unconfirmed;
use reductio_logic::buchi::{Tgba, Witness, not_contained};
use reductio_logic::formats::from_hoa;
use reductio_logic::lasso::accepts;
use reductio_logic::{Propositions, Valuation};
use reductio_report::{ContainmentReport, WordEntry};

use crate::arguments::{ContainsArguments, Format};
use crate::failure::Failure;
use crate::output;

pub fn run(arguments: &ContainsArguments) -> Result<ExitCode, Failure> {
    let mut propositions = Propositions::new();
    let [small, large] = [&arguments.small, &arguments.large].map(|path| read(path, &mut propositions));
    let (small, large) = (small?, large?);
    let found = not_contained(&small, &large).map_err(|error| Failure::Automata(error.to_string()))?;
    if let Some(witness) = &found
        && !(accepts(&small, &witness.as_read_by(&small)) && !accepts(&large, &witness.as_read_by(&large)))
    {
        let story = format!("{witness:?} is not a word that only the first accepts");
        return Err(Unconfirmed { property: "containment".to_owned(), story }.into());
    }
    let [first, second] = [&arguments.small, &arguments.large].map(|path| path.display().to_string());
    let report = ContainmentReport::new(first, second, found.as_ref().map(|witness| entry(witness, &propositions)));
    let shown = match arguments.format {
        Format::Text => report.text(),
        Format::Json => report.to_json(),
    };
    output::print(&shown)?;
    Ok(if found.is_some() { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn read(path: &Path, propositions: &mut Propositions) -> Result<Tgba, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::CannotRead { path: path.to_owned(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    from_hoa(&text, propositions).map_err(|error| Failure::Hoa { path: path.to_owned(), error })
}

/// The word for people.
fn entry(Witness { propositions, word }: &Witness, names: &Propositions) -> WordEntry {
    let letter = |letter: &Valuation| {
        let props = propositions.iter().enumerate();
        props.map(|(place, prop)| (names.text(*prop), letter.holds(place))).collect()
    };
    let letters = |letters: &[Valuation]| letters.iter().map(letter).collect();
    WordEntry { stem: letters(word.stem()), cycle: letters(word.cycle()) }
}
