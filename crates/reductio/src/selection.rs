//! What is checked of a model, and what is not: all that its text asks and its user asks besides, or a choice of it.

use reductio_model::{Position, Property, Subject};
use reductio_report::UncheckedEntry;

/// What the user wants to be checked.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The names of properties; none of them stands for all.
    pub names: Vec<String>,
    /// Is nobody to look for a deadlock?
    pub without_deadlock: bool,
}

/// What is checked, and what is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// What is checked, in the order of reports.
    pub properties: Vec<Property>,
    /// What is not.
    pub left_out: Vec<LeftOut>,
}

/// A property that is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The name by which reports know it.
    pub name: String,
    /// Why it is not checked.
    pub because: UncheckedReason,
    /// Where it is declared, if the model's text does so.
    pub position: Option<Position>,
    /// Did the user choose so?
    pub by_choice: bool,
}

/// Why a property is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UncheckedReason {
    /// Nobody is to look for a deadlock.
    WithoutDeadlock,
    /// Other properties were asked for.
    NotChosen,
    /// Nobody can check it.
    CannotBe(String),
}

/// What is wrong with a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoChoice {
    /// There is no property of this name, but there are these.
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// It cannot be checked.
    CannotBe {
        /// What was asked for.
        name: String,
        /// Why it cannot.
        why: String,
    },
    /// It is asked for, and asked to be left out.
    BothWays,
}

impl Selection {
    /// Applies a choice to all that is asked of a system.
    pub fn new(of: &dyn Subject, choice: &Choice) -> Result<Selection, NoChoice> {
        let all = of.properties();
        let known: Vec<String> = all.iter().map(|property| property.name(of)).collect();
        if let Some(name) = choice.names.iter().find(|name| !known.contains(name)) {
            let unchecked = of.unchecked().iter().find(|unchecked| unchecked.name == *name);
            return Err(match unchecked {
                Some(unchecked) => NoChoice::CannotBe { name: name.clone(), why: unchecked.why.clone() },
                None => NoChoice::Unknown { name: name.clone(), known },
            });
        }
        if choice.without_deadlock && choice.names.iter().any(|name| name == "deadlock") {
            return Err(NoChoice::BothWays);
        }
        let is_chosen = |name: &String| choice.names.is_empty() || choice.names.contains(name);
        // A formula of computation tree logic says something only where no step goes wrong.
        let is_ctl = |(property, name): (&Property, &String)| matches!(property, Property::Ctl(_)) && is_chosen(name);
        let needs_assertions = all.iter().zip(&known).any(is_ctl);
        let mut selection = Selection { properties: Vec::new(), left_out: Vec::new() };
        for (property, name) in all.into_iter().zip(known) {
            let is_needed = property == Property::Assertions && needs_assertions;
            let because = if choice.without_deadlock && property == Property::Deadlock {
                UncheckedReason::WithoutDeadlock
            } else if !is_chosen(&name) && !is_needed {
                UncheckedReason::NotChosen
            } else {
                selection.properties.push(property);
                continue;
            };
            let position = property.position(of);
            selection.left_out.push(LeftOut { name, because, position, by_choice: true });
        }
        selection.left_out.extend(of.unchecked().iter().map(|unchecked| LeftOut {
            name: unchecked.name.clone(),
            because: UncheckedReason::CannotBe(unchecked.why.clone()),
            position: Some(unchecked.position),
            by_choice: !choice.names.is_empty(),
        }));
        Ok(selection)
    }

    /// What is not checked, in the words of reports.
    pub fn unchecked(&self, of: &dyn Subject) -> Vec<UncheckedEntry> {
        let entry = |LeftOut { name, because, position, by_choice }: &LeftOut| UncheckedEntry {
            property: name.clone(),
            because: because.to_string(),
            at: position.map(|position| of.place_name(position)),
            by_choice: *by_choice,
        };
        self.left_out.iter().map(entry).collect()
    }
}

impl std::fmt::Display for UncheckedReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            UncheckedReason::WithoutDeadlock => "not asked for",
            UncheckedReason::NotChosen => "not among the properties asked for",
            UncheckedReason::CannotBe(why) => why,
        })
    }
}

impl std::fmt::Display for NoChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoChoice::Unknown { name, known } => {
                write!(f, "there is no property `{name}`; there are: {}", known.join(", "))
            }
            NoChoice::CannotBe { name, why } => write!(f, "property `{name}` cannot be checked: {why}"),
            NoChoice::BothWays => f.write_str("a search for deadlocks is asked for, and asked to be left out"),
        }
    }
}

#[cfg(test)]
mod tests {
    use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
    use reductio_model::Model;

    use super::*;

    fn model() -> Model {
        let text = "byte x; active proctype P() { x = 1 } ltl p { <> (x == 1) } never { x = 2 }";
        let options = LoadOptions { ctl: vec!["EF (x == 1)".to_owned()], ..LoadOptions::default() };
        load("m.pml", text.as_bytes(), &options, &NoIncludes).model.expect("it is a model")
    }

    fn chosen(names: &[&str]) -> Result<(Vec<String>, Vec<String>), NoChoice> {
        let (model, names) = (model(), names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        let selection = Selection::new(&model, &Choice { names, without_deadlock: false })?;
        let checked = selection.properties.iter().map(|property| property.name(&model)).collect();
        Ok((checked, selection.left_out.into_iter().map(|left_out| left_out.name).collect()))
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn without_a_choice_everything_is_checked_that_can_be() {
        assert_eq!(chosen(&[]), Ok((words(&["deadlock", "assertion", "p", "EF (x == 1)"]), words(&["never"]))));
    }

    #[test]
    fn formulas_of_trees_need_steps_that_do_not_go_wrong() {
        assert_eq!(chosen(&["p"]), Ok((words(&["p"]), words(&["deadlock", "assertion", "EF (x == 1)", "never"]))));
        let tree = Ok((words(&["assertion", "EF (x == 1)"]), words(&["deadlock", "p", "never"])));
        assert_eq!(chosen(&["EF (x == 1)"]), tree);
    }

    #[test]
    fn wrong_choices_are_told() {
        assert!(matches!(chosen(&["q"]), Err(NoChoice::Unknown { known, .. }) if known.len() == 4));
        assert!(matches!(chosen(&["never"]), Err(NoChoice::CannotBe { .. })));
        let names = words(&["deadlock"]);
        let both = Selection::new(&model(), &Choice { names, without_deadlock: true });
        assert_eq!(both, Err(NoChoice::BothWays));
    }
}
