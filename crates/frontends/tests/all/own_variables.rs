//! Random never claims with variables of their own, against the same claims with the variables multiplied out in the
//! text: a label for every place and all values, and a guard for every value that can be assigned.

use std::fmt::Write;

use crate::common::product::is_violated;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};
use reductio_model::ClaimId;
use reductio_testing::random::Random;

const PROGRAMS: [&str; 3] = [
    "byte x; active proctype A() { x = 1; x = 2; x = 1; x = 3 }",
    "byte x; active proctype A() { do :: x = (x + 1) % 3 od }",
    "byte x; active proctype A() { do :: x < 2 -> x++ :: x > 0 -> x-- od }",
];
const GUARDS: [&str; 10] = [
    "x == S",
    "x != S",
    "B",
    "!B",
    "S == 1 && x > 0",
    "B || x == 1",
    "(B -> x == S : S < 2)",
    "x + S > 2",
    "x / (S + 1) == B",
    "!(S == 2 && !B) && x < 3",
];
/// All of them are less than three.
const SMALL: [&str; 7] = ["S", "(S + 1) % 3", "x % 3", "(x + S) % 3", "x == S", "B + 1", "(B -> S : x % 2)"];
const BITS: [&str; 6] = ["B", "!B", "x == S", "x > 1", "S == 1 || x == 0", "x & 1"];

/// A guard (none for `else`), what the variables become, where it leads, and whether all this reads one state.
struct Choice {
    guard: Option<&'static str>,
    small: &'static str,
    bit: &'static str,
    target: Option<usize>,
    at_once: bool,
}

struct RandomClaim {
    places: Vec<Vec<Choice>>,
    accepting: Vec<bool>,
}

fn random_claim(random: &mut Random) -> RandomClaim {
    let count = 1 + random.below(3);
    let choice = |random: &mut Random, guard| Choice {
        guard,
        small: random.one_of(&SMALL),
        bit: random.one_of(&BITS),
        target: (random.below(6) > 0).then(|| random.below(count)),
        at_once: random.below(2) == 0,
    };
    let place = |random: &mut Random| {
        let mut choices: Vec<Choice> = Vec::new();
        for _ in 0..1 + random.below(3) {
            let guard = random.one_of(&GUARDS);
            choices.push(choice(random, Some(guard)));
        }
        if random.below(2) == 0 {
            choices.push(choice(random, None));
        }
        choices
    };
    let places = (0..count).map(|_| place(random)).collect();
    RandomClaim { places, accepting: (0..count).map(|_| random.below(3) == 0).collect() }
}

fn with(text: &str, small: &str, bit: &str) -> String {
    format!("({})", text.replace('S', small).replace('B', bit))
}

impl RandomClaim {
    fn label(&self, place: Option<usize>, values: &str) -> String {
        match place {
            Some(place) if self.accepting[place] => format!("accept_{place}{values}"),
            Some(place) => format!("place_{place}{values}"),
            None => "done".to_owned(),
        }
    }

    fn with_variables(&self) -> String {
        let mut text = "never { unsigned s : 2; bit b;\n".to_owned();
        for (place, choices) in self.places.iter().enumerate() {
            let _ = writeln!(text, "{}: if", self.label(Some(place), ""));
            for choice in choices {
                let own = |text: &str| with(text, "s", "b");
                let guard = choice.guard.map_or("else".to_owned(), own);
                let (small, bit) = (own(choice.small), own(choice.bit));
                let target = self.label(choice.target, "");
                let _ = match choice.at_once {
                    true => writeln!(text, ":: atomic {{ {guard} -> s = {small}; b = {bit} }}; goto {target}"),
                    false => writeln!(text, ":: {guard} -> s = {small}; b = {bit}; goto {target}"),
                };
            }
            text += "fi;\n";
        }
        text + "done: true }\n"
    }

    fn multiplied_out(&self) -> String {
        let mut text = "never {\n".to_owned();
        for (place, choices) in self.places.iter().enumerate() {
            for (s, b) in all_values() {
                let _ = writeln!(text, "{}: if", self.label(Some(place), &format!("_{s}_{b}")));
                let known = |text: &str| with(text, &s.to_string(), &b.to_string());
                let guards: Vec<String> = choices.iter().filter_map(|choice| choice.guard).map(known).collect();
                for choice in choices {
                    let guard = choice.guard.map_or_else(|| format!("!({})", guards.join(" || ")), known);
                    self.write_choice(&mut text, choice, &guard, (s, b));
                }
                text += "fi;\n";
            }
        }
        text + "done: true }\n"
    }

    fn write_choice(&self, text: &mut String, choice: &Choice, guard: &str, (s, b): (usize, usize)) {
        let small = with(choice.small, &s.to_string(), &b.to_string());
        let bit = |new: usize| with(choice.bit, &new.to_string(), &b.to_string());
        let target = |new: usize, bit: usize| self.label(choice.target, &format!("_{new}_{bit}"));
        if choice.at_once {
            for (new, value) in all_values() {
                let becomes = format!("{small} == {new} && {} == {value}", bit(new));
                let _ = writeln!(text, ":: {guard} && {becomes} -> goto {}", target(new, value));
            }
            return;
        }
        let _ = writeln!(text, ":: {guard} -> if");
        for new in 0..3 {
            let _ = writeln!(text, "  :: {small} == {new} -> if");
            for value in 0..2 {
                let _ = writeln!(text, "    :: {} == {value} -> goto {}", bit(new), target(new, value));
            }
            text.push_str("    fi\n");
        }
        text.push_str("  fi\n");
    }
}

fn all_values() -> impl Iterator<Item = (usize, usize)> {
    (0..3).flat_map(|small| (0..2).map(move |bit| (small, bit)))
}

/// `None` if the claim is too large to be checked.
fn is_broken(program: &str, claim: &str) -> Option<bool> {
    let text = format!("{program}\n{claim}");
    let loaded = load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
    let model = loaded.model.unwrap_or_else(|| panic!("{text}\n{}", loaded.diagnostics.render(&loaded.sources)));
    assert!(model.unchecked.iter().all(|unchecked| unchecked.why.contains("more than")), "{text}");
    model.unchecked.is_empty().then(|| is_violated(&model, ClaimId(0)))
}

#[test]
fn variables_of_claims_mean_what_they_do_multiplied_out() {
    let mut random = Random::new(20_261_118);
    let (mut holding, mut broken) = (0, 0);
    for _ in 0..1000 {
        let claim = random_claim(&mut random);
        let program = random.one_of(&PROGRAMS);
        let (with_variables, multiplied_out) = (claim.with_variables(), claim.multiplied_out());
        let answers = (is_broken(program, &with_variables), is_broken(program, &multiplied_out));
        let (Some(answer), Some(expected)) = answers else { continue };
        assert_eq!(answer, expected, "{program}\n{with_variables}\n{multiplied_out}");
        *if answer { &mut broken } else { &mut holding } += 1;
    }
    assert!(holding > 100 && broken > 100, "{holding} claims hold, {broken} are broken: the test shows little");
}
