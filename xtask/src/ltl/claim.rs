//! Reading the never claims that `spin -f` prints.

use std::collections::HashMap;
use std::process::Command;

use reductio_logic::Propositions;
use reductio_logic::buchi::{Buchi, Cube, Edge, Guard, Marks, StateId, Tgba};
use reductio_logic::ltl::{Formula, Formulas, Node, parse};

use crate::Failure;

/// How long SPIN may take for a formula. Most take it milliseconds, some minutes.
const SECONDS: &str = "5";

/// What `timeout` exits with when time is up.
const TIME_IS_UP: i32 = 124;

/// SPIN's automaton of a formula in its own spelling, unless that takes too long.
pub fn by_spin(formula: &str, propositions: &mut Propositions) -> Result<Option<Buchi>, Failure> {
    let output = Command::new("timeout").args([SECONDS, "spin", "-f", formula]).output()?;
    if output.status.code() == Some(TIME_IS_UP) {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let automaton = read(&text, propositions);
    automaton.map(Some).map_err(|failure| Failure(format!("spin -f '{formula}': {failure}\n{text}")))
}

/// A never claim as SPIN prints it, one label or option in a line.
pub fn read(text: &str, propositions: &mut Propositions) -> Result<Buchi, Failure> {
    let mut claim = Claim::default();
    for line in text.lines().map(str::trim) {
        claim.line(line).map_err(|Failure(reason)| Failure(format!("`{line}`: {reason}")))?;
    }
    claim.automaton(propositions)
}

#[derive(Default)]
struct Claim {
    states: Vec<State>,
    by_label: HashMap<String, usize>,
    /// Labels stand before a state, and there may be several.
    labels_just_read: bool,
}

#[derive(Default)]
struct State {
    accepting: bool,
    /// Guards and labels.
    options: Vec<(String, String)>,
    /// The claim ends here, which SPIN reports as an error, whatever comes.
    ends: bool,
}

/// Where a claim goes to end.
const END: &str = "accept_all";

impl Claim {
    fn line(&mut self, line: &str) -> Result<(), Failure> {
        let is_label = line.strip_suffix(':').is_some();
        if let Some(label) = line.strip_suffix(':') {
            if !self.labels_just_read {
                self.states.push(State::default());
            }
            let number = self.states.len() - 1;
            self.by_label.insert(label.to_owned(), number);
            self.states[number].accepting |= label.starts_with("accept");
        } else if let Some(option) = line.strip_prefix(":: ") {
            let option = match option.strip_prefix("atomic { ") {
                // A failing assertion ends the claim.
                Some(assertion) => (up_to(assertion, " -> assert(")?, END.to_owned()),
                None => (up_to(option, " -> goto ")?, after(option, " -> goto ")?),
            };
            self.last()?.options.push(option);
        } else if line == "skip" {
            self.last()?.ends = true;
        } else if !matches!(line, "do" | "od;" | "if" | "fi;" | "}" | "false;" | "") && !line.starts_with("never") {
            return Err(Failure("not a part of a never claim that is known here".to_owned()));
        }
        self.labels_just_read = is_label;
        Ok(())
    }

    fn last(&mut self) -> Result<&mut State, Failure> {
        self.states.last_mut().ok_or_else(|| Failure("there is no label before".to_owned()))
    }

    fn automaton(&self, propositions: &mut Propositions) -> Result<Buchi, Failure> {
        if self.states.is_empty() {
            return Err(Failure("there is no never claim".to_owned()));
        }
        let mut guards = Vec::new();
        for (guard, label) in self.states.iter().flat_map(|state| &state.options) {
            let mut formulas = Formulas::new();
            let formula =
                parse(guard, &mut formulas, propositions).map_err(|error| Failure(format!("{guard}: {error}")))?;
            let target = self.by_label.get(label).ok_or_else(|| Failure(format!("there is no label {label}")))?;
            guards.push((guard_of(&formulas, formula)?, *target));
        }
        let mut guards = guards.into_iter();
        let mut edges = Vec::new();
        for (number, state) in self.states.iter().enumerate() {
            let options = guards.by_ref().take(state.options.len());
            let ends = state.ends.then_some((Guard::truth(true), number));
            let edge = |(guard, target)| Edge { guard, marks: Marks::NONE, target: StateId(target as u32) };
            edges.push(options.chain(ends).map(edge).collect());
        }
        let accepting = self.states.iter().map(|state| state.accepting).collect();
        let all = propositions.iter().map(|(prop, _)| prop).collect();
        Ok(Buchi::new(Tgba { propositions: all, sets: 1, initial: StateId(0), edges }, accepting))
    }
}

fn up_to(text: &str, sign: &str) -> Result<String, Failure> {
    let found = text.split_once(sign).ok_or_else(|| Failure(format!("there is no `{}`", sign.trim())))?;
    Ok(found.0.to_owned())
}

fn after(text: &str, sign: &str) -> Result<String, Failure> {
    let found = text.split_once(sign).ok_or_else(|| Failure(format!("there is no `{}`", sign.trim())))?;
    Ok(found.1.trim().to_owned())
}

/// A formula without temporal operators as a guard. Propositions are at the places of their numbers.
fn guard_of(formulas: &Formulas, formula: Formula) -> Result<Guard, Failure> {
    Ok(match formulas.node(formula) {
        Node::True => Guard::truth(true),
        Node::False => Guard::truth(false),
        Node::Atom(prop) => Guard::from(Cube::literal(prop.0 as usize, true)),
        Node::Not(f) => guard_of(formulas, f)?.not(),
        Node::And(f, g) => guard_of(formulas, f)?.and(&guard_of(formulas, g)?),
        Node::Or(f, g) => guard_of(formulas, f)?.or(&guard_of(formulas, g)?),
        other => return Err(Failure(format!("{other:?} is no part of a guard"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reductio_logic::Valuation;
    use reductio_logic::lasso::{Lasso, accepts};

    #[test]
    fn a_claim_of_spin_is_read() {
        let text = "never  {    /* !(a U b) */\naccept_init:\nT0_init:\n\tdo\n\t:: (! ((b))) -> goto T0_init\n\t:: \
                    atomic { (! ((a)) && ! ((b))) -> assert(!(! ((a)) && ! ((b)))) }\n\tod;\naccept_all:\n\tskip\n}\n";
        let mut propositions = Propositions::new();
        let (a, b) = (propositions.intern("a"), propositions.intern("b"));
        let automaton = read(text, &mut propositions).expect("it is a claim");
        assert_eq!((automaton.state_count(), automaton.edge_count()), (2, 3));
        assert_eq!(automaton.propositions(), [a, b]);
        assert!(automaton.is_accepting(StateId(0)) && automaton.is_accepting(StateId(1)));
        let word = |stem: &[u64], cycle: u64| {
            let stem: Vec<Valuation> = stem.iter().copied().map(Valuation).collect();
            Lasso::new(&stem, &[Valuation(cycle)]).expect("it has a cycle")
        };
        assert!(accepts(automaton.as_tgba(), &word(&[], 1)), "a forever");
        assert!(accepts(automaton.as_tgba(), &word(&[0], 2)), "neither, then b");
        assert!(!accepts(automaton.as_tgba(), &word(&[1], 2)), "a, then b");
    }

    #[test]
    fn what_is_no_claim_is_refused() {
        for text in ["", "tl_spin: syntax error", ":: (a) -> goto x", "x:\n:: (a) -> goto y", "x:\n:: (a -> goto x"] {
            assert!(read(text, &mut Propositions::new()).is_err(), "{text}");
        }
    }
}
