//! Formulas as text: precedences, spellings, atoms, messages, and back again.

use crate::common::{Random, all_formulas, random_formula};
use reductio_logic::Propositions;
use reductio_logic::ltl::{Formulas, MAX_DEPTH, ParseError, Spelling, parse, print};

fn reprinted(text: &str) -> String {
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let formula = parse(text, &mut formulas, &mut propositions).unwrap_or_else(|error| panic!("{text}: {error}"));
    print(&formulas, &propositions, formula, Spelling::Signs)
}

/// Both texts are read as the same formula.
fn same(text: &str, with_parentheses: &str) {
    let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
    let mut read = |text| parse(text, &mut formulas, &mut propositions).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(read(text), read(with_parentheses), "{text}");
}

fn error(text: &str) -> ParseError {
    let read = parse(text, &mut Formulas::new(), &mut Propositions::new());
    read.expect_err(&format!("`{text}` should not be read"))
}

#[test]
fn precedences_are_those_of_promela() {
    same("a U b U c", "(a U b) U c");
    same("a W b V c U d", "((a W b) V c) U d");
    same("a -> b -> c", "(a -> b) -> c");
    same("a -> b <-> c", "(a -> b) <-> c");
    same("a <-> b -> c", "(a <-> b) -> c");
    same("a || b && c", "a || (b && c)");
    same("a && b || c", "(a && b) || c");
    same("a && b U c", "a && (b U c)");
    same("a U b || c -> d", "((a U b) || c) -> d");
    same("!a U b", "(!a) U b");
    same("[] a U <> b", "([] a) U (<> b)");
    same("[] <> ! X a", "[] (<> (! (X a)))");
}

#[test]
fn every_spelling_is_known() {
    same("always (a implies eventually b)", "[] (a -> <> b)");
    same("G F a", "[] <> a");
    same("a until b stronguntil c", "a U b U c");
    same("a weakuntil b", "a W b");
    same("a release b", "a V b");
    same("a R b", "a V b");
    same("a strongrelease b", "a M b");
    same("next a equivalent not b", "X a <-> !b");
    same("a and b or c", "a && b || c");
    same("a & b | ~c", "a && b || !c");
    same("a /\\ b \\/ c", "a && b || c");
    same("a xor b", "!(a <-> b)");
    same("a ^ b", "!(a <-> b)");
    same("a => b <=> c iff d", "a -> b <-> c <-> d");
    same("1 U 0", "true U false");
}

#[test]
fn atoms_are_texts() {
    let atoms = |text: &str| -> Vec<String> {
        let mut propositions = Propositions::new();
        parse(text, &mut Formulas::new(), &mut propositions).unwrap_or_else(|error| panic!("{text}: {error}"));
        propositions.iter().map(|(_, text)| text.to_owned()).collect()
    };
    assert_eq!(atoms("[] (x > 1)"), ["x > 1"]);
    assert_eq!(atoms("[] (x > 1 && y == 2)"), ["x > 1", "y == 2"]);
    assert_eq!(atoms("[] ((x + 1) * 2 > -y -> len(q) < 3)"), ["(x + 1) * 2 > -y", "len(q) < 3"]);
    assert_eq!(atoms("p@critical U p[1]@done"), ["p@critical", "p[1]@done"]);
    assert_eq!(atoms("a[i + 1].field == b[0]"), ["a[i + 1].field == b[0]"]);
    assert_eq!(atoms("p:x == 1 && !(a && b) == c"), ["p:x == 1", "!(a && b) == c"]);
    assert_eq!(atoms("{ q?[msg] } U \"say \\\"hi\\\"\""), ["q?[msg]", "say \"hi\""]);
    assert_eq!(atoms("{ a { b } }"), ["a { b }"]);
    assert_eq!(atoms("a U b U a"), ["a", "b"]);
    assert_eq!(atoms("(x << 1) % 3 >= y - 1"), ["(x << 1) % 3 >= y - 1"]);
    // A reserved word in quotes is an atom like any other.
    assert_eq!(atoms("\"true\" && {G}"), ["true", "G"]);
}

#[test]
fn messages_tell_where_and_what_to_do() {
    let told = |text: &str| error(text).to_string();
    assert_eq!(
        told("a &&"),
        "at byte 4: expected a formula, found the end; the formula ends too early: complete it or remove the last \
         operator"
    );
    assert_eq!(
        told("a b"),
        "at byte 2: expected an operator or the end, found `b`; write `&&`, `||`, `->` or a temporal operator between \
         two formulas"
    );
    assert_eq!(
        told("GF a"),
        "at byte 3: expected an operator or the end, found `a`; `GF` is read as a name: write `G F`"
    );
    assert_eq!(
        told("[] x > 1"),
        "at byte 5: `>` cannot be applied to a formula; temporal operators bind tightly: write `[] (a == b)` rather \
         than `[] a == b`"
    );
    assert_eq!(told("(a U b) == c").split(';').next(), Some("at byte 8: `==` cannot be applied to a formula"));
    assert_eq!(
        told("{a} == c"),
        "at byte 4: `==` cannot be applied to a formula; braces and quotes hold whole atoms: put the whole comparison \
         into them"
    );
    assert_eq!(told("-[] a").split(';').next(), Some("at byte 0: `-` cannot be applied to a formula"));
    assert_eq!(told("a && (b || c"), "at byte 5: this `(` is never closed; add a `)`");
    assert_eq!(told("a && {b"), "at byte 5: this `{` is never closed; add a `}`");
    assert_eq!(told("\"b"), "at byte 0: this `\"` is never closed; add a `\"`");
    assert_eq!(told("a[1"), "at byte 1: this `[` is never closed; add a `]`");
    assert_eq!(
        told("a)"),
        "at byte 1: expected an operator or the end, found `)`; remove this `)` or add a `(` before"
    );
    assert_eq!(
        told("a U U"),
        "at byte 4: expected a formula, found `U`; `U` is an operator; put an atom of that name in quotes"
    );
    assert_eq!(
        told("a && ) b"),
        "at byte 5: expected a formula, found `)`; an operand is a name, an expression such as `x > 1`, or a formula \
         in parentheses"
    );
    assert_eq!(told("p@1 && {}"), "at byte 7: an atom has no text; write an expression between the marks");
    assert_eq!(told("a.").split(';').next(), Some("at byte 2: expected a name, found the end"));
    assert_eq!(
        told("a € b"),
        "at byte 2: `€` is not part of any formula; put an expression of another language in double quotes"
    );
    assert_eq!(error("").offset, 0);
}

#[test]
fn what_is_printed_is_read_back() {
    for text in [
        "a U b U c",
        "a U (b U c)",
        "[] (a -> <> b)",
        "(a -> b) V (c <-> !d)",
        "a -> (b -> c)",
        "a && b && c || d",
        "a && (b && c)",
        "X X a W b M c",
        "!(a && b)",
        "{x > 1} U {len(q) < 3}",
        "\"}\" && {true}",
        "!!a",
    ] {
        assert_eq!(reprinted(text), text);
    }
}

#[test]
fn all_small_and_some_large_formulas_are_read_back() {
    let mut propositions = Propositions::new();
    for text in ["a", "x > 1", "true", "\"}\\"] {
        propositions.intern(text);
    }
    let mut formulas = Formulas::new();
    let mut all = all_formulas(&mut formulas, 4);
    let mut random = Random::new(7);
    all.extend((0..2000).map(|round| random_formula(&mut formulas, &mut random, 5 + round % 30, 4)));
    for formula in all {
        for spelling in [Spelling::Signs, Spelling::Spin] {
            let text = print(&formulas, &propositions, formula, spelling);
            let read = parse(&text, &mut formulas, &mut propositions).unwrap_or_else(|e| panic!("{text}: {e}"));
            // SPIN's spelling has no W and no M.
            let is_exact = spelling == Spelling::Signs || !text.contains(" V ") && !text.contains(" U ");
            assert!(read == formula || !is_exact, "{text}");
        }
    }
}

#[test]
fn deep_formulas_are_refused_and_no_text_panics() {
    let deep = |open: &str, close: &str| format!("{}a{}", open.repeat(100_000), close.repeat(100_000));
    for text in [deep("(", ")"), deep("!", ""), deep("[] ", ""), deep("a U (", ")"), deep("a -> ", ""), deep("-", "")] {
        let error = error(&text);
        assert_eq!(error.message, "the formula nests too deeply", "{}", &text[..20]);
    }
    let chain = |length: usize| vec!["a"; length].join(" && ");
    assert_eq!(error(&chain(MAX_DEPTH as usize + 1)).message, "the formula nests too deeply");
    assert!(parse(&chain(MAX_DEPTH as usize), &mut Formulas::new(), &mut Propositions::new()).is_ok());
    let pieces = [
        "a", "(", ")", "[]", "<>", "U", "!", "&&", "->", "<", ">", "[", "]", "{", "}", "\"", "\\", "@", ".", ":", " ",
        "1", "X", "é", "-", "=", "==", "true", "GF",
    ];
    let mut random = Random::new(3);
    let mut read = 0;
    for _ in 0..30_000 {
        let text: String = (0..1 + random.below(9)).map(|_| pieces[random.below(pieces.len())]).collect();
        match parse(&text, &mut Formulas::new(), &mut Propositions::new()) {
            Ok(_) => read += 1,
            Err(error) => assert!(error.offset <= text.len() && text.is_char_boundary(error.offset), "{text}"),
        }
    }
    assert!(read > 1000, "only {read} texts were formulas");
}
