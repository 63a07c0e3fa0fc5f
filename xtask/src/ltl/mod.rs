//! `cargo xtask ltl`: our automata and those of `spin -f` must accept the same words, and SPIN must accept our never
//! claims.

pub mod claim;
pub mod lbt;
pub mod sets;

use std::path::Path;
use std::process::Command;

use reductio_logic::buchi::{Limits, Tgba, Translation, is_empty, product, translate};
use reductio_logic::formats::to_never_claim;
use reductio_logic::lasso::{Lasso, accepts};
use reductio_logic::ltl::{Formula, Formulas, Node, Spelling, print};
use reductio_logic::{Prop, Propositions, Valuation};
use reductio_testing::random::Random;

use crate::{Failure, spin};

/// How many propositions random formulas have.
const ATOMS: usize = 3;

pub fn run(count: usize, seed: u64) -> Result<(), Failure> {
    spin::install()?;
    let (mut compared, mut given_up) = (0, 0);
    let mut count_one = |agreed: Agreed| match agreed {
        Agreed::Yes => compared += 1,
        Agreed::SpinGaveUp => given_up += 1,
    };
    for set in sets::all()? {
        for text in &set.formulas {
            let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
            let formula = sets::read(text, &mut formulas, &mut propositions)?;
            // SPIN is built without X.
            if !formulas.has_next(formula) {
                count_one(Comparison { formulas, propositions, formula }.run(seed)?);
            }
        }
    }
    let mut random = Random::new(seed);
    for round in 0..count {
        let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
        (0..ATOMS).for_each(|atom| {
            propositions.intern(&format!("p{atom}"));
        });
        let formula = random_formula(&mut formulas, &mut random, 3 + round % 7);
        count_one(Comparison { formulas, propositions, formula }.run(random.next())?);
    }
    println!("ltl: SPIN and we agree on {compared} formulas (seed {seed}); {given_up} took SPIN too long");
    if given_up * 10 > compared {
        return Err(Failure("SPIN gave up too often for this to be a comparison".to_owned()));
    }
    Ok(())
}

/// A formula without `X` of so many operators and operands.
fn random_formula(formulas: &mut Formulas, random: &mut Random, size: usize) -> Formula {
    let unary: [fn(Formula) -> Node; 3] = [Node::Not, Node::Always, Node::Eventually];
    let node = match size {
        1 => Node::Atom(Prop(random.below(ATOMS) as u32)),
        _ if size == 2 || random.chance(35) => random.pick(&unary)(random_formula(formulas, random, size - 1)),
        _ => {
            let left = 1 + random.below(size - 2);
            let f = random_formula(formulas, random, left);
            let g = random_formula(formulas, random, size - 1 - left);
            random.pick(&Node::BINARY)(f, g)
        }
    };
    formulas.make(node)
}

enum Agreed {
    Yes,
    SpinGaveUp,
}

struct Comparison {
    formulas: Formulas,
    propositions: Propositions,
    formula: Formula,
}

impl Comparison {
    fn run(mut self, seed: u64) -> Result<Agreed, Failure> {
        let text = print(&self.formulas, &self.propositions, self.formula, Spelling::Spin);
        let negation = self.formulas.not(self.formula);
        let (ours, our_negation) = (self.translate(self.formula)?, self.translate(negation)?);
        let Some(theirs) = claim::by_spin(&text, &mut self.propositions)? else { return Ok(Agreed::SpinGaveUp) };
        let both = product(theirs.as_tgba(), &our_negation.tgba).map_err(|error| Failure(error.to_string()))?;
        if !is_empty(&both) {
            return Err(Failure(format!("SPIN's automaton accepts a word that violates {text}")));
        }
        let mut random = Random::new(seed);
        for _ in 0..100 {
            let word = random_word(&mut random, self.propositions.len());
            let ours = accepts(&ours.tgba, &self.seen_by(&ours.tgba, &word)?);
            let theirs = accepts(theirs.as_tgba(), &self.seen_by(theirs.as_tgba(), &word)?);
            if ours != theirs {
                return Err(Failure(format!("SPIN says {theirs} and we say {ours} of {text} on {word:?}")));
            }
        }
        // Running SPIN's parser takes longest: one formula in four must do.
        if seed.is_multiple_of(4) {
            self.is_accepted_by_spin(&ours, &text)?;
        }
        Ok(Agreed::Yes)
    }

    fn translate(&mut self, formula: Formula) -> Result<Translation, Failure> {
        translate(&mut self.formulas, formula, &Limits::default()).map_err(|error| Failure(error.to_string()))
    }

    /// The letters of a word are over all propositions, those of an automaton over its own.
    fn seen_by(&self, automaton: &Tgba, word: &Lasso) -> Result<Lasso, Failure> {
        let letter = |letter: &Valuation| {
            let places = automaton.propositions.iter().enumerate();
            Valuation::of(places.filter(|(_, prop)| letter.holds(prop.0 as usize)).map(|(place, _)| place))
        };
        let letters = |letters: &[Valuation]| letters.iter().map(letter).collect::<Vec<Valuation>>();
        let seen = Lasso::new(&letters(word.stem()), &letters(word.cycle()));
        seen.ok_or_else(|| Failure("a word has no cycle".to_owned()))
    }

    fn is_accepted_by_spin(&self, automata: &Translation, text: &str) -> Result<(), Failure> {
        let directory = Path::new("target/ltl");
        let model = directory.join("claim.pml");
        std::fs::create_dir_all(directory)?;
        let names: Vec<String> = self.propositions.iter().map(|(_, name)| format!("bool {name};\n")).collect();
        let claim = to_never_claim(&automata.buchi, &self.propositions, Some(text));
        std::fs::write(&model, format!("{}active proctype main() {{ skip }}\n{claim}", names.concat()))?;
        let _ = std::fs::remove_file(directory.join("pan.c"));
        let output = Command::new("spin").args(["-a", "claim.pml"]).current_dir(directory).output()?;
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() || told.contains("rror") || !directory.join("pan.c").exists() {
            return Err(Failure(format!("SPIN does not accept our never claim of {text}: {told}\n{claim}")));
        }
        Ok(())
    }
}

fn random_word(random: &mut Random, atoms: usize) -> Lasso {
    let (stem, cycle) = (random.below(4), 1 + random.below(4));
    let letters: Vec<Valuation> = (0..stem + cycle).map(|_| Valuation(random.next() & ((1 << atoms) - 1))).collect();
    Lasso::new(&letters[..stem], &letters[stem..]).expect("a cycle has at least one letter")
}
