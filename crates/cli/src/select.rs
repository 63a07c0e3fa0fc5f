//! `--property` and `--no-deadlock`: which properties are checked, and how it is told that others are not.

use reductio::selection::{Because, Choice, LeftOut, Selection};
use reductio_model::Subject;
use reductio_report::UncheckedEntry;

use crate::arguments::CheckArguments;
use crate::failure::Failure;

pub fn select(of: &impl Subject, arguments: &CheckArguments) -> Result<Selection, Failure> {
    let choice = Choice { names: &arguments.properties, without_deadlock: arguments.no_deadlock };
    Selection::new(of, choice).map_err(Failure::Choice)
}

pub fn unchecked(of: &impl Subject, selection: &Selection) -> Vec<UncheckedEntry> {
    let entry = |LeftOut { name, because, position, by_choice }: &LeftOut| UncheckedEntry {
        property: name.clone(),
        because: match because {
            Because::WithoutDeadlock => "--no-deadlock".to_owned(),
            Because::NotChosen => "not among the properties asked for".to_owned(),
            Because::CannotBe(why) => why.clone(),
        },
        at: position.map(|position| of.place_name(position)),
        by_choice: *by_choice,
    };
    selection.left_out.iter().map(entry).collect()
}
