use super::*;
use crate::promela::{IncludeError, NoIncludes};

struct Files(&'static [(&'static str, &'static str)]);

impl IncludeLoader for Files {
    fn load(&self, _including_file: &str, name: &str) -> Result<(String, Vec<u8>), IncludeError> {
        match self.0.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Ok((name.to_string(), text.as_bytes().to_vec())),
            None => Err(IncludeError { reason: "no such file".into() }),
        }
    }
}

/// The tokens that are left, with spaces between them, and the messages.
fn preprocess_with(text: &str, includes: &dyn IncludeLoader) -> (String, Vec<String>) {
    let (mut sources, mut diagnostics) = (SourceMap::default(), Diagnostics::default());
    let (mut interner, mut macros) = (Interner::default(), Macros::default());
    let file = sources.add_file("m.pml", text.to_string());
    let tokens = Preprocessor::new(&mut sources, &mut diagnostics, &mut interner, &mut macros, includes).run(file);
    let words: Vec<&str> = tokens.iter().map(|token| interner.text(token.text)).collect();
    (words.join(" "), diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect())
}

fn preprocessed(text: &str) -> String {
    let (result, messages) = preprocess_with(text, &NoIncludes);
    assert_eq!(messages, Vec::<String>::new());
    result
}

fn messages(text: &str) -> Vec<String> {
    preprocess_with(text, &NoIncludes).1
}

#[test]
fn macros_with_and_without_arguments() {
    assert_eq!(preprocessed("#define N 3\n#define ADD(a, b) (a + \\\n b)\nADD(N, (1, 2)) N"), "( 3 + ( 1 , 2 ) ) 3");
    assert_eq!(preprocessed("#define F() 1\nF() F"), "1 F");
    assert_eq!(preprocessed("#define F (1)\nF"), "( 1 )");
    assert_eq!(preprocessed("#define E\na E b"), "a b");
    assert_eq!(preprocessed("#define N 1\n#undef N\nN"), "N");
    assert_eq!(preprocessed("#define P(f, ...) printf(f, __VA_ARGS__)\nP(a, b, c)"), "printf ( a , b , c )");
}

#[test]
fn a_macro_is_not_expanded_inside_itself() {
    assert_eq!(preprocessed("#define x x + y\n#define y x\nx"), "x + x");
    assert_eq!(preprocessed("#define f(a) f(a) + 1\nf(f(2))"), "f ( f ( 2 ) + 1 ) + 1");
    // The example of the C standard that shows most rules at once, shortened.
    let text =
        "#define z z[0]\n#define f(a) f(2 * (a))\n#define w 0,1\n#define g f\n#define t(a) a\nt(t(g)(0) + t)(1);";
    assert_eq!(preprocessed(text), "f ( 2 * ( 0 ) ) + t ( 1 ) ;");
}

#[test]
fn strings_and_pasting() {
    assert_eq!(preprocessed("#define S(x) #x\nS(a  + \"b\\n\")"), "\"a + \\\"b\\\\n\\\"\"");
    assert_eq!(preprocessed("#define N 1\n#define G(a, b) a ## b\nG(N, 2) G(, q) G(x, )"), "N2 q x");
    assert_eq!(messages("#define G(a, b) a ## b\nG(+, 2)"), ["`##` makes `+2` here, which is not a single token"]);
}

#[test]
fn conditions() {
    let chosen =
        |condition: &str| preprocessed(&format!("#define A 2\n#if {condition}\nyes\n#else\nno\n#endif")) == "yes";
    for (condition, expected) in [
        ("defined A && !defined(B)", true),
        ("A + 1 == 3 && (A << 2) == 8", true),
        ("B", false),
        ("0x10 == 16 && 010 == 8 && 'a' == 97", true),
        ("A > 1 ? 0 : 1/0", false),
        ("0 && 1/0 || -1 < 0", true),
        ("1 - 1 - 1 == -1 && 10 % 4 == 2 && ~0 == -1", true),
    ] {
        assert_eq!(chosen(condition), expected, "{condition}");
    }
    let text = "#ifdef A\na\n#if 1\nb\n#endif\n#elif 1\nc\n#elif 1\nd\n#else\ne\n#endif\n#ifndef A\nf\n#endif";
    assert_eq!(preprocessed(text), "c f");
    assert_eq!(messages("#if 1 /\n#endif"), ["the condition ends too early"]);
    assert_eq!(messages("#if 1/0\n#endif"), ["division by zero in a condition"]);
}

#[test]
fn what_is_left_out_is_not_looked_at() {
    assert_eq!(preprocessed("#if 0\ndon't \" $\n#foo\n#error no\n#endif\nok"), "ok");
}

#[test]
fn mistakes_are_reported_where_they_start() {
    assert_eq!(messages("#if 1\nx"), ["this `#if` is never closed: `#endif` is missing"]);
    assert_eq!(messages("#endif"), ["`#endif` without an `#if` before it"]);
    assert_eq!(messages("x /* y"), ["this comment never ends: `*/` is missing"]);
    assert_eq!(messages("#error  told you so"), ["#error told you so"]);
    assert_eq!(messages("#define A 1\n#define A 2"), ["macro `A` is defined again, differently"]);
    assert_eq!(messages("#define A 1\n#define A 1"), Vec::<String>::new());
    assert_eq!(messages("#define F(a) a\nF(1, 2)"), ["macro `F` takes 1 argument, but 2 are given"]);
    assert_eq!(messages("#define F(a) a\nF(1"), ["the arguments of macro `F` never end: `)` is missing"]);
    assert_eq!(messages("#include \"f\""), ["cannot include `f`: files cannot be included here"]);
    assert_eq!(messages("#nonsense"), ["there is no preprocessor directive `#nonsense`"]);
}

#[test]
fn files_are_included() {
    let files = Files(&[("a.h", "#include <b.h>\na"), ("b.h", "#define B 1\nb"), ("loop.h", "#include \"loop.h\"")]);
    assert_eq!(preprocess_with("#include \"a.h\"\nB", &files), ("b a 1".to_string(), vec![]));
    let (_, messages) = preprocess_with("#include \"loop.h\"", &files);
    assert_eq!(messages, ["included files nest more than 64 deep"]);
}

#[test]
fn exponential_macros_end_in_an_error() {
    let mut text = String::from("#define M0 x x\n");
    for level in 1..100 {
        text += &format!("#define M{level} M{} M{}\n", level - 1, level - 1);
    }
    text += "M99";
    assert_eq!(messages(&text), ["the program has more than 2000000 tokens"]);
    let nested = format!("#define F(x) x x\n{}1{}", "F(".repeat(200), ")".repeat(200));
    assert_eq!(messages(&nested), ["the program has more than 2000000 tokens"]);
}

#[test]
fn tokens_that_double_end_in_an_error() {
    let nested = |definitions: &str| format!("{definitions}\n{}a{}", "E(".repeat(100), ")".repeat(100));
    let pasted = nested("#define D(x) x##x\n#define E(x) D(x)");
    assert_eq!(messages(&pasted), ["`#` or `##` makes a token of more than 65536 bytes"]);
    let quoted = nested("#define S(x) #x\n#define E(x) S(x)");
    assert_eq!(messages(&quoted), ["`#` or `##` makes a token of more than 65536 bytes"]);
}

#[test]
fn deep_nesting_ends_in_an_error() {
    let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(1_000), ")".repeat(1_000));
    assert_eq!(messages(&nested), ["macros nest more than 256 deep"]);
    let condition = format!("#if {}1\n#endif", "(".repeat(10_000));
    assert_eq!(messages(&condition), ["the condition is nested too deeply"]);
}
