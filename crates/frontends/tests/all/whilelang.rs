//! While-programs: what they mean, what there is to say about texts that are none, and no text breaks the front end.

use std::collections::HashSet;

use reductio_frontends::Loaded;
use reductio_frontends::whilelang::{LoadOptions, MAX_FILE_SIZE, load};
use reductio_model::{FaultKind, Interpreter, Model, Successors, TransitionSystem, verify};

fn read(text: &str) -> Loaded<Model> {
    load("m.while", text.as_bytes(), &LoadOptions::default())
}

/// The first message.
fn message(text: &str) -> String {
    let loaded = read(text);
    // Rendering must survive as well.
    loaded.diagnostics.render(&loaded.sources);
    assert_eq!(loaded.model.is_some(), !loaded.diagnostics.has_errors());
    loaded.diagnostics.iter().next().map(|first| first.message.clone()).unwrap_or_default()
}

fn model(text: &str) -> Model {
    let loaded = read(text);
    let model = loaded.model.unwrap_or_else(|| panic!("{:?} in\n{text}", loaded.diagnostics));
    assert_eq!(verify(&model), Ok(()));
    model
}

/// The values of all variables where no process can move, and what goes wrong on the way.
fn ends(text: &str) -> (HashSet<Vec<i32>>, Vec<FaultKind>) {
    let model = model(text);
    let interpreter = Interpreter::new(&model);
    let mut seen = HashSet::from([interpreter.initial()]);
    let mut pending = vec![interpreter.initial()];
    let (mut ends, mut faults) = (HashSet::new(), Vec::new());
    let mut successors = Successors::default();
    while let Some(state) = pending.pop() {
        interpreter.successors(&state, &mut successors);
        if successors.is_empty() {
            let processes = interpreter.decode(&state).processes;
            ends.insert(processes.into_iter().flat_map(|process| process.locals).collect());
        }
        for (successor, next) in successors.iter() {
            faults.extend(successor.fault.clone().map(|fault| fault.kind));
            if let Some(next) = next
                && seen.insert(next.to_vec())
            {
                pending.push(next.to_vec());
            }
        }
    }
    (ends, faults)
}

fn only_end(text: &str) -> Vec<i32> {
    let (ends, faults) = ends(text);
    assert_eq!((ends.len(), faults.len()), (1, 0), "{text}: {ends:?}");
    ends.into_iter().next().expect("there is one")
}

#[test]
fn statements_mean_what_they_say() {
    for (text, end) in [
        ("int x; { x := 1 + 2 * 3 - 4; }", vec![3]),
        ("int x; { x := -7 / 2; }", vec![-3]),
        ("int x; { while (x < 5) do x := x + 1; od; }", vec![5]),
        ("int x; { while x < 5 do x := x + 1 od }", vec![5]),
        ("int x, y; { if x = y then x := 1 else y := 1 fi }", vec![1, 0]),
        ("int x, y; { if x != y then x := 1; else y := 1; fi; }", vec![0, 1]),
        ("int x; { if x > 0 then x := 1; fi; }", vec![0]),
        ("int a[3], i; { while i < 3 do a[i] := i + 1; i := i + 1; od; a[0] := a[a[0]]; }", vec![2, 2, 3, 3]),
        ("boolean p, q, r; { p := !q && TRUE -> r || FALSE; q := (p = r); r := 1 <= 2; }", vec![0, 1, 1]),
        ("int:2 x; { x := 7; }", vec![3]),
        ("int[-3 .. -1] x; { skip; }", vec![-1]),
        ("int[0 .. 9] x; { label here; x := 9; #MODULE# skip }", vec![9]),
        (
            "process P int x; { send(Q, 4); receive(Q, x); } process Q int y; { receive(P, y); send(P, y + 1); }",
            vec![5, 4],
        ),
        ("process P int x; { while FALSE do od } process Q boolean y; { }", vec![0, 0]),
    ] {
        assert_eq!(only_end(text), end, "{text}");
    }
}

#[test]
fn one_of_a_set_is_assigned() {
    let (found, _) = ends("int x, y; { y := 1; x := {1, y + 1, 4 .. 6}; }");
    assert_eq!(found, HashSet::from([1, 2, 4, 5, 6].map(|x| vec![x, 1])));
    let (found, _) = ends("int a[2]; { a[1] := {1, 2}; }");
    assert_eq!(found, HashSet::from([vec![0, 1], vec![0, 2]]));
}

#[test]
fn what_goes_wrong_is_a_fault() {
    let fault = |text: &str| ends(text).1;
    assert_eq!(fault("int[0..3] x; { x := 3; x := x + 1; }"), [FaultKind::AssertionViolated]);
    assert_eq!(fault("int a[2], i; { i := 2; a[i] := 1; }"), [FaultKind::IndexOutOfRange { index: 2, length: 2 }]);
    assert_eq!(fault("int a[2], i; { i := 2; if a[i] = 1 then skip; fi; }").len(), 1);
    assert_eq!(fault("int x; { x := 1 / x; }"), [FaultKind::DivisionByZero]);
    assert_eq!(fault("int x; { assert (x = 1); }"), [FaultKind::AssertionViolated]);
    let talk = "process P int[0..3] x; { receive(Q, x); } process Q { send(P, 4); }";
    assert_eq!(fault(talk), [FaultKind::AssertionViolated]);
}

/// The program as it is printed in the paper, with an `od` too many.
#[test]
fn the_printed_program_is_understood() {
    let text = include_str!("../../../../testdata/models/sort.while");
    let loaded = read(text);
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages[1..], ["this `od` ends nothing and is ignored"]);
    assert!(messages[0].contains("#MODULE#"));
    let model = loaded.model.expect("it is a program");
    assert_eq!((model.claims.len(), model.ctl.len()), (1, 0));
    let (found, faults) = ends(text);
    assert!(faults.is_empty());
    // Sorted, of all multisets of four numbers below four and a zero, which is where the array has it at the start.
    let arrays: HashSet<Vec<i32>> = found.iter().map(|end| end[4..].to_vec()).collect();
    assert!(arrays.iter().all(|array| array.is_sorted() && array[0] == 0));
    assert_eq!(arrays.len(), 35);
}

#[test]
fn formulas_are_told_apart() {
    let checked = |spec: &str| {
        let loaded = read(&format!("int x; {{ label here; x := {{1, 2}}; }} SPEC {spec}"));
        let model = loaded.model.expect("it is a program");
        (model.claims.len(), model.ctl.len())
    };
    for spec in [
        "AG x < 3",
        "AF (x = 1 || x = 2)",
        "AG (x = 1 -> AG x = 1)",
        "A[x = 0 U x > 0]",
        "AG (x = 0 -> AF x > 0) && AX x > 0",
        "label(here)",
        "x = 0 || AX x = 0",
    ] {
        assert_eq!(checked(spec), (1, 0), "{spec}");
    }
    for spec in ["EF x = 1", "AF AG x = 1", "AG EF x = 1", "!AG x = 1", "AX x = 1 || AX x = 2", "A[x = 0 U AX x = 1]"] {
        assert_eq!(checked(spec), (0, 1), "{spec}");
    }
    let asked =
        LoadOptions { ltl: vec!["<> [] x = 1".to_owned(), "x = 0 U x > 0".to_owned()], ..LoadOptions::default() };
    let loaded = load("m.while", b"int x; { x := {1, 2}; }", &asked);
    assert_eq!(loaded.model.map(|model| model.claims.len()), Some(2));
}

#[test]
fn mistakes_are_told() {
    for (text, expected) in [
        ("", "expected a declaration, `process` or `{`, found the end of the text"),
        ("int x; { x = 1; }", "expected `:=`, found `=`"),
        ("int x; { y := 1; }", "there is no variable `y`"),
        ("int x; { x := TRUE; }", "this is boolean, but int is needed"),
        ("boolean x; { if x + 1 then skip fi }", "this is boolean, but int is needed"),
        ("int x; { while x do skip od }", "this is int, but boolean is needed"),
        ("int a[2]; { a := 1; }", "`a` is an array: which of its elements?"),
        ("int a[2]; { a[2] := 1; }", "`a` has elements 0 to 1"),
        ("int x; { x[1] := 1; }", "`x` is no array"),
        ("int x, x; { }", "there is a variable `x` already"),
        ("int while; { }", "expected the name of a variable, but `while` is a word of the language"),
        ("int x; { x := 1 ", "expected `;`, found the end of the text"),
        ("int x; { if x = 1 then skip; }", "expected `fi`, found `}`"),
        ("{ /* }", "this comment is never ended by `*/`"),
        ("int x; process P { skip }", "variables belong to a process: no other process can read them"),
        ("process P { send(P, 1) }", "`P` cannot talk to itself"),
        ("process P { send(Q, 1) }", "there is no process `Q`"),
        ("process P { } process P { }", "there is a process `P` already"),
        ("process P int x; { } process Q { } SPEC AG x = 0", "there are several processes: of which one is this?"),
        ("{ label a; label a }", "there is a label `a` already"),
        ("{ } SPEC AG label(b)", "there is no label `b`"),
        ("int x; { } SPEC G x = 0", "in CTL, every temporal operator begins with A (all runs) or E (some run)"),
        ("int:40 x; { }", "a number has 1 to 31 bits"),
        ("int[3 .. 1] x; { }", "no number lies in this range"),
        ("int x; { x := 99999999999; }", "this number does not fit into 32 bits"),
        ("int x; { x := {3 .. 1}; }", "a range goes from a number to one that is not less"),
        ("int x; { x := AG x; }", "expected `;`, found `x`"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
}

#[test]
fn no_text_breaks_the_front_end() {
    let program = include_str!("../../../../testdata/models/simple.while");
    for length in (0..program.len()).filter(|at| program.is_char_boundary(*at)) {
        message(&program[..length]);
        message(&program[length..]);
    }
    let noise: Vec<u8> = (0..50_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect();
    assert!(load("m.while", &noise, &LoadOptions::default()).diagnostics.has_errors());
    for (open, close) in [("(", ")"), ("!", ""), ("-", ""), ("a[", "]"), ("x -> ", "")] {
        let text = format!("int x; {{ x := {}1{}; }}", open.repeat(5000), close.repeat(5000));
        assert_eq!(message(&text), "this nests more than 500 deep", "{open}");
    }
    let text = format!("{{ {} skip {} }}", "while TRUE do ".repeat(5000), " od".repeat(5000));
    assert_eq!(message(&text), "this nests more than 500 deep");
    let text = format!("int x; {{ x := 1{}; }}", " + 1".repeat(5000));
    assert_eq!(message(&text), "an expression has more than 1000 operators");
    let large = load("m.while", &vec![b' '; MAX_FILE_SIZE + 1], &LoadOptions::default());
    assert!(large.diagnostics.has_errors());
    assert!(load("m.while", b"a\0b", &LoadOptions::default()).diagnostics.has_errors());
}

/// Where a module begins is kept, and it is said that nothing comes of it.
#[test]
fn modules_are_marked() {
    let loaded = read("int x; { #MODULE# x := 1; #MODULE# while x < 3 do #MODULE#; x := x + 1; od; skip }");
    let messages: Vec<&str> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["the program is checked as a whole: `#MODULE#` is noted, and changes nothing"]);
    let model = loaded.model.expect("it is a program");
    let proctype = &model.proctypes[0];
    let begins = |location: &reductio_model::Location| location.module.then(|| location.edges[0]);
    let mut texts: Vec<&str> =
        proctype.locations.iter().filter_map(begins).map(|edge| proctype.action_of(edge).text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["x := 1", "x := x + 1", "x < 3"]);
    let loaded = read("int x; { x := 1; #MODULE# }");
    assert!(loaded.diagnostics.iter().any(|diagnostic| diagnostic.message.contains("marks nothing")));
    assert!(loaded.model.is_some_and(|model| !model.proctypes[0].locations.iter().any(|location| location.module)));
}
