//! No text makes the parser panic, hang or overflow its stack: it answers with a tree or with a message.

use reductio_frontends::promela::{ExpressionKind, MAX_FILE_SIZE, NoIncludes, ParseOptions, parse, parse_expression};

/// The first message.
fn message(text: &str) -> String {
    message_of_bytes(text.as_bytes())
}

fn message_of_bytes(text: &[u8]) -> String {
    let parsed = parse("m.pml", text, &ParseOptions::default(), &NoIncludes);
    // Rendering must survive as well.
    parsed.diagnostics.render(&parsed.sources);
    parsed.diagnostics.iter().next().map(|first| first.message.clone()).unwrap_or_default()
}

#[test]
fn nothing_and_nonsense() {
    assert_eq!(message(""), "");
    assert_eq!(message("\n\n  \t"), "");
    assert_eq!(message_of_bytes(b"\x7fELF\0\0\x01"), "m.pml: the file is not text: it contains zero bytes");
    assert_eq!(message_of_bytes(b"\xff\xfei\0n\0"), "m.pml: the file is encoded in UTF-16; save it as UTF-8");
    assert_eq!(message_of_bytes(b"\x80\x81\x82\xfe"), "this is not Promela: no token starts with this character");
    assert_eq!(message_of_bytes(b"/* caf\xe9 */ init { printf(\"\xe9\") }"), "");
    let noise: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect();
    assert!(!message_of_bytes(&noise).is_empty());
}

#[test]
fn every_prefix_of_a_program() {
    let program = "#define N 2\nmtype = { a, b }; chan c = [N] of { mtype, byte };\ninline f(x) { x = x + 1 }\n\
        active [N] proctype P(byte q; chan d) provided (q > 0) { byte i; do :: c?a(i) -> f(i); if :: i > N fi \
        :: timeout -> break od unless { c!b,(i -> 1 : 2) }; for (i : 1 .. N) { select (i : 0 .. 3) } }\n\
        ltl p { [] (len(c) < N -> <> P[0]@end) }\n";
    for length in 0..program.len() {
        message(&program[..length]);
        message(&program[length..]);
    }
}

#[test]
fn deep_nesting() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
    let too_deep = "brackets, blocks and inlines nest more than 1000 deep";
    assert_eq!(message(&format!("byte x = {};", deep("(", ")"))), too_deep);
    assert_eq!(message(&format!("byte x = {};", "(".repeat(10_000))), too_deep);
    assert_eq!(message(&format!("byte x = {};", deep("- ", ""))), too_deep);
    assert_eq!(message(&format!("byte x = {};", deep("! ", ""))), too_deep);
    assert_eq!(message(&format!("byte x = {};", deep("a[", "]"))), too_deep);
    assert_eq!(message(&format!("init {{ {} }}", deep("{ ", " }"))), too_deep);
    assert_eq!(message(&format!("init {{ {} }}", deep("if :: ", " fi"))), too_deep);
    assert_eq!(message(&format!("init {{ {} }}", deep("L: ", ""))), too_deep);
    assert_eq!(message(&format!("init {{ c?{} }}", deep("a(", ")"))), too_deep);
    assert_eq!(message(&format!("init {{ {} }}", deep("if (x) ", ""))), "expected `::` after `if`");
    assert_eq!(message(&format!("ltl {{ {} }}", deep("[] ", ""))), too_deep);
    assert_eq!(message(&format!("ltl {{ {} }}", deep("(p -> ", ")"))), too_deep);
    message(&"{".repeat(100_000));
    message(&"}".repeat(100_000));
    message(&"init {".repeat(10_000));
    message(&"if".repeat(10_000));
}

#[test]
fn nesting_within_the_limit_is_accepted() {
    let nested = format!("byte x = {}1{};", "(".repeat(900), ")".repeat(900));
    assert_eq!(message(&nested), "");
    // Every precedence between two parentheses: the most stack that one level can take.
    let tower = "1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (";
    let nested = format!("byte x = {}1{};", tower.repeat(400), ")".repeat(400));
    assert_eq!(message(&nested), "");
    let blocks = format!("init {{ {} skip {} }}", "atomic { if :: ".repeat(300), " fi }".repeat(300));
    assert_eq!(message(&blocks), "");
}

#[test]
fn long_expressions() {
    assert_eq!(message(&format!("byte x = 1{};", " - 1".repeat(5000))), "");
    let too_long = "more than 5000 operators nest in an expression";
    assert_eq!(message(&format!("byte x = 1{};", " - 1".repeat(5001))), too_long);
    // Left operands nest even if each parenthesis has few operators.
    let nested = format!("byte x = {}1{};", "(".repeat(900), " + 1 - 1 + 1 - 1 + 1 - 1)".repeat(900));
    assert_eq!(message(&nested), too_long);
    let inside = format!("byte x = {}1{};", "(1 - ".repeat(800), " - 1 - 1 - 1 - 1 - 1 - 1)".repeat(800));
    assert_eq!(message(&inside), too_long);
    // Where operands can be grouped at will, they need not nest.
    for operator in ["+", "*", "&", "|", "^", "&&", "||"] {
        assert_eq!(message(&format!("byte x = 1{};", format!(" {operator} 1").repeat(100_000))), "");
    }
    let alternatives = format!("byte x; init {{ (x == 0{}) }}", " || x == 1 && x < 7".repeat(50_000));
    assert_eq!(message(&alternatives), "");
    // An error behind many operators is found, too.
    assert_eq!(message(&format!("byte x = 1{} + ;", " + 1".repeat(100_000))), "expected an expression, found `;`");
}

#[test]
fn growing_inlines() {
    let mut text = String::from("inline f0() { skip; skip }\n");
    for level in 1..60 {
        text += &format!("inline f{level}() {{ f{}(); f{}() }}\n", level - 1, level - 1);
    }
    text += "init { f59() }";
    assert_eq!(message(&text), "inlines make more than 2000000 tokens");
    // SPIN stops at 16 levels.
    let mut text = String::from("byte x; inline f0(v) { v = 1 }\n");
    for level in 1..500 {
        text += &format!("inline f{level}(v) {{ f{}(v) }}\n", level - 1);
    }
    text += "init { f499(x) }";
    assert_eq!(message(&text), "");
}

#[test]
fn large_files() {
    let large = vec![b' '; MAX_FILE_SIZE + 1];
    assert_eq!(message_of_bytes(&large), "m.pml: the file is larger than 64 MiB");
    let long_line = format!("init {{ {} x = = 1 }}", "skip; ".repeat(100_000));
    assert_eq!(message(&long_line), "expected an expression, found `=`");
}

#[test]
fn expressions_from_outside_the_program() {
    let program = "#define N 3\nbyte x; active proctype P() { L: x = N }";
    let mut parsed = parse("m.pml", program.as_bytes(), &ParseOptions::default(), &NoIncludes);
    let mut accepted = |text: &str, kind| {
        let diagnostics = &mut parsed.diagnostics;
        parse_expression("<ltl>", text, kind, &mut parsed.vocabulary, &mut parsed.sources, diagnostics).is_some()
    };
    assert!(accepted("x < N && !P@L", ExpressionKind::State));
    assert!(accepted("[] (x < N -> <> P@L)", ExpressionKind::Temporal));
    assert!(!accepted("[] x < N", ExpressionKind::State));
    assert!(!accepted("x < ", ExpressionKind::State));
    assert!(!accepted("x < 1; skip", ExpressionKind::State));
    assert!(!accepted("", ExpressionKind::State));
}
