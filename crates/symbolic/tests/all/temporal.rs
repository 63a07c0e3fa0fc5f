//! Operators of the past and bounded ones, against formulas without them that mean the same by the textbook.

use reductio_explicit::circuit::Engine;
use reductio_model::circuit::with_automaton;
use reductio_model::{Budget, Property, Verdict};
use reductio_testing::smv::{OF_STATES, Speech, Writer, loaded, with_more};

const CONTROL: Budget = Budget { memory: Some(1 << 30), ..Budget::UNLIMITED };

const LTL: [[&str; 2]; 10] = [
    ["G (q -> O p)", "p V (!q | p)"],
    ["F (q & H p)", "p U (p & q)"],
    ["F (r & (p S q))", "F (q & (r | X (p U (p & r))))"],
    ["G (r -> (p T q))", "!F (!q & (r | X (!p U (!p & r))))"],
    ["G (q -> Y p)", "!q & G (X q -> p)"],
    ["G (q -> Z p)", "G (X q -> p)"],
    ["F (q & O [1, 2] p)", "F (p & (X q | X X q))"],
    ["G (q -> H [1, 2] p)", "G (X q | X X q -> p)"],
    ["F [1, 2] p", "X p | X X p"],
    ["G [0, 1] p", "p & X p"],
];

const CTL: [[&str; 2]; 6] = [
    ["EBF 1..2 p", "EX p | EX EX p"],
    ["ABF 0..1 p", "p | AX p"],
    ["EBG 0..1 p", "p & EX p"],
    ["ABG 1..2 p", "AX p & AX AX p"],
    ["A [p BU 1..2 q]", "p & AX (q | p & AX q)"],
    ["E [p BU 0..1 q]", "q | p & EX q"],
];

/// A formula with conditions for its letters.
fn with_letters(formula: &str, letters: &[String; 3]) -> String {
    let letter = |character: char| match character {
        'p'..='r' => format!("({})", letters[character as usize - 'p' as usize]),
        other => other.to_string(),
    };
    formula.chars().map(letter).collect()
}

/// The two sides of a pair, with conditions for the letters.
fn questions(writer: &mut Writer, number: usize) -> String {
    let is_ltl = number < LTL.len();
    let speech = Speech { inputs: is_ltl, ..OF_STATES };
    let letters = [(); 3].map(|()| writer.boolean(1, speech));
    let sides = if is_ltl { LTL[number] } else { CTL[number - LTL.len()] };
    let [one, other] = sides.map(|side| with_letters(side, &letters));
    let section = if is_ltl { "LTLSPEC" } else { "SPEC" };
    format!("{section} NAME one := {one};\n{section} NAME other := {other};\n")
}

#[test]
fn both_sides_have_the_same_answer() {
    let (mut holds, mut violated) = (0, 0);
    for seed in 0..320 {
        let mut writer = Writer::new(seed);
        let text = writer.module();
        let questions = questions(&mut writer, seed as usize % (LTL.len() + CTL.len()));
        // What else the module asks would have to remember the past, too.
        let lines = text.lines().filter(|line| !line.starts_with("LTLSPEC")).map(|line| format!("{line}\n"));
        let text = with_more(&lines.collect::<String>(), &questions);
        let circuit = loaded(&text);
        let mut engine = Engine::new(&circuit, &CONTROL);
        if !engine.broken_obligations().expect("it is small").is_empty() || !engine.has_initial_state() {
            continue;
        }
        let mut answer = |name: &str| {
            let asked = circuit.properties.iter().find(|one| one.name(&circuit) == name);
            match *asked.expect("it was asked") {
                Property::Ctl(id) => engine.ctl(&circuit.ctl_formula(id).formula),
                Property::Claim(id) => {
                    let product = with_automaton(&circuit, &circuit.claim(id).violations);
                    Engine::new(&product, &CONTROL).no_fair_run()
                }
                _ => panic!("only formulas were asked for"),
            }
        };
        match (answer("one"), answer("other")) {
            (Verdict::Holds, Verdict::Holds) => holds += 1,
            (Verdict::Violated(_), Verdict::Violated(_)) => violated += 1,
            (Verdict::Inconclusive(_), Verdict::Inconclusive(_)) => {}
            (one, other) => panic!("{one:?} and {other:?}\n{text}"),
        }
    }
    assert!(holds > 40 && violated > 40, "{holds} hold, {violated} do not");
}
