//! `reductio ltl`: a formula's automaton, to look at or for other tools.

use std::process::ExitCode;

use reductio_logic::Propositions;
use reductio_logic::buchi::{Classes, Limits, is_stutter_invariant, translate};
use reductio_logic::formats::dot::{Drawing, to_dot};
use reductio_logic::formats::{buchi_to_hoa, tgba_to_hoa, to_never_claim};
use reductio_logic::ltl::{Formulas, Spelling, parse, print, simplify};

use crate::arguments::LtlArguments;
use crate::failure::Failure;
use crate::output;

pub fn run(arguments: &LtlArguments) -> Result<ExitCode, Failure> {
    let text = &arguments.formula;
    let mut formulas = Formulas::new();
    let mut propositions = Propositions::new();
    let formula = parse(text, &mut formulas, &mut propositions)
        .map_err(|error| Failure::Formula { text: text.clone(), error })?;
    let too_large = |error: &dyn std::fmt::Display| Failure::FormulaTooLarge(error.to_string());
    let limits = Limits::default();
    let automata = translate(&mut formulas, formula, &limits).map_err(|error| too_large(&error))?;
    let shown = if arguments.hoa && arguments.state_based {
        buchi_to_hoa(&automata.buchi, &propositions, Some(text))
    } else if arguments.hoa {
        tgba_to_hoa(&automata.tgba, &propositions, Some(text))
    } else if arguments.never {
        to_never_claim(&automata.buchi, &propositions, Some(text))
    } else if arguments.dot && arguments.state_based {
        to_dot(Drawing::Buchi(&automata.buchi), &propositions, text)
    } else if arguments.dot {
        to_dot(Drawing::Tgba(&automata.tgba), &propositions, text)
    } else {
        let simple = simplify(&mut formulas, formula).map_err(|error| too_large(&error))?;
        let insensitive = is_stutter_invariant(&mut formulas, formula, &limits).map_err(|error| too_large(&error))?;
        let (tgba, classes) = (&automata.tgba, Classes::of(&automata.tgba));
        let strength = match (classes.accepts_every_run(), classes.is_terminal(), classes.is_weak()) {
            (true, _, _) => "safety: every violation shows after finitely many steps",
            (_, true, _) => "guarantee: every satisfying run shows it after finitely many steps",
            (_, _, true) => {
                "weak: no strongly connected component of its automaton has both accepting and rejecting cycles"
            }
            _ => "general",
        };
        let yes = |value: bool| if value { "yes" } else { "no" };
        format!(
            "formula            {}\nsimplified         {}\nautomaton          {}, {}, {}\n  state-based      {}, {}\n\
             deterministic      {}\nstutter-invariant  {}\nkind               {strength}\n",
            print(&formulas, &propositions, formula, Spelling::Signs),
            print(&formulas, &propositions, simple, Spelling::Signs),
            count(tgba.state_count(), "state"),
            count(tgba.edge_count(), "edge"),
            count(tgba.sets as usize, "acceptance set"),
            count(automata.buchi.state_count(), "state"),
            count(automata.buchi.edge_count(), "edge"),
            yes(tgba.is_deterministic()),
            if insensitive { "yes" } else { "no: repeating a state can change its truth" },
        )
    };
    output::print(&shown)?;
    Ok(ExitCode::SUCCESS)
}

fn count(number: usize, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}
