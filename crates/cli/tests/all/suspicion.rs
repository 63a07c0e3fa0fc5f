//! Claims that hold for a poor reason, and what the report says of it: compared with the verdicts on all formulas with an atom
//! less, which is what the remarks are about.

use crate::common::{reductio, scratch};
use serde_json::Value;

/// Models with `p`, `q` and `r`: runs that end, that do not, that block; atoms that never or always hold.
const MODELS: [&str; 7] = [
    "bit p, q, r; active proctype A() { do :: p = 1; q = 1; q = 0; p = 0 :: skip od }",
    "bit p, q, r; active proctype A() { do :: p = 1; q = 1; p = 0; q = 0 od }",
    "bit p, q, r; active proctype A() { do :: p = 1 :: p = 0 od } active proctype B() { do :: q = !q od }",
    "bit p, q, r = 1; active proctype A() { p = 1; q = 1; p = 0 }",
    "bit p, q, r; active proctype A() { do :: atomic { p = 1; q = 1; p = 0 }; r = 1; r = 0; q = 0 od }",
    "bit p, q, r; active proctype A() { do :: p = 1; r = 1; p = 0; r = 0 od } active proctype B() { p; q = 1; p == 2 }",
    "bit p = 1, q = 1, r; active proctype A() { do :: r = !r od } active proctype B() { r; q = 0 }",
];

/// `+` stands before an atom that helps the formula to hold, `-` before one that hinders. Each atom occurs once, so that its
/// name tells the occurrence.
const FORMULAS: [&str; 18] = [
    "[] (-p -> <> +q)",
    "[] (-p -> +q)",
    "[] (-r -> <> +q)",
    "[] (-p && -q -> +r)",
    "[] (-p -> <> (+q || +r))",
    "<> +q || [] +r",
    "<> (+p || +q)",
    "[] ! (-p && -r)",
    "(+p || !(-q)) U +r",
    "(! -p) W +q",
    "[] <> +p || <> [] +q",
    "[] <> (+p || +r)",
    "<> +p -> true",
    "[] (-p -> X +q)",
    "[] (-q -> (+p U +r))",
    "(<> -r) -> <> +p",
    "! (<> -p) || <> +q",
    "+q V (+p || ! -r)",
];

const ATOMS: [&str; 3] = ["p", "q", "r"];

/// The formula as it is, or with a constant for one atom: the one that makes it stronger.
fn formula(template: &str, without: Option<&str>) -> String {
    let mut text = template.to_owned();
    for atom in ATOMS {
        let (helping, hindering) = if without == Some(atom) { ("false", "true") } else { (atom, atom) };
        text = text.replace(&format!("+{atom}"), helping).replace(&format!("-{atom}"), hindering);
    }
    text
}

fn occurs(template: &str, atom: &str) -> bool {
    template.contains(&format!("+{atom}")) || template.contains(&format!("-{atom}"))
}

/// What is known of formulas, in their order.
fn check(name: &str, model: &str, formulas: &[String], more: &[&str]) -> Vec<Value> {
    let path = scratch(name);
    std::fs::write(&path, model).expect("a model can be written");
    let path = path.display().to_string();
    let mut arguments = vec!["check", &path, "--format", "json"];
    arguments.extend(more);
    for formula in formulas {
        arguments.extend(["--ltl", formula]);
    }
    let run = reductio(&arguments);
    let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let results = json["results"].as_array().expect("results is a list");
    // Deadlocks and assertions come first.
    results[2..].to_vec()
}

fn holds(result: &Value) -> bool {
    assert_ne!(result["verdict"], "inconclusive", "{result}");
    result["verdict"] == "holds"
}

#[test]
fn remarks_tell_just_which_atoms_do_not_matter() {
    let (mut remarks_seen, mut without_remarks) = (0, 0);
    for (number, model) in MODELS.iter().enumerate() {
        for fairness in ["none", "weak"] {
            let name = format!("suspicion_{number}_{fairness}.pml");
            let options = ["--fairness", fairness, "--vacuity", "full"];
            let whole: Vec<String> = FORMULAS.iter().map(|template| formula(template, None)).collect();
            let results = check(&name, model, &whole, &options);
            let mut stronger_ones = Vec::new();
            for (template, result) in FORMULAS.iter().zip(&results) {
                let remarks = result["remarks"].as_array().expect("remarks is a list");
                if !holds(result) {
                    assert!(remarks.is_empty(), "{template}: {remarks:?}");
                    continue;
                }
                if remarks.iter().any(|remark| remark["part"].is_null()) {
                    assert_eq!(*template, "<> +p -> true", "{model}");
                    continue;
                }
                stronger_ones.extend(remarks.iter().map(|remark| remark["stronger"].as_str().map(str::to_owned)));
                let parts: Vec<&str> = remarks.iter().filter_map(|remark| remark["part"].as_str()).collect();
                let atoms: Vec<&str> = ATOMS.into_iter().filter(|atom| occurs(template, atom)).collect();
                let variants: Vec<String> = atoms.iter().map(|atom| formula(template, Some(atom))).collect();
                let verdicts = check(&name, model, &variants, &["--fairness", fairness, "--vacuity", "off"]);
                for (atom, verdict) in atoms.iter().zip(&verdicts) {
                    let told = parts.iter().any(|part| part.contains(atom));
                    assert_eq!(told, holds(verdict), "{fairness}: {template} and {atom} in {model}\n{remarks:?}");
                }
                remarks_seen += parts.len();
                without_remarks += usize::from(parts.is_empty());
            }
            let stronger_ones: Option<Vec<String>> = stronger_ones.into_iter().collect();
            let stronger_ones = stronger_ones.expect("a part comes with a stronger formula");
            let verdicts = check(&name, model, &stronger_ones, &["--fairness", fairness, "--vacuity", "off"]);
            assert!(verdicts.iter().all(holds), "{stronger_ones:?} in {model}");
        }
    }
    assert!(remarks_seen > 100 && without_remarks >= 5, "{remarks_seen} remarks, {without_remarks} without");
}

/// Processes that can be exchanged as long as a formula asks for both of them alike, which it does no more without an atom.
#[test]
fn what_is_told_of_a_stronger_formula_is_true_of_processes_that_can_be_exchanged() {
    let models = [
        "bool w[2], d[2], lock;
         active [2] proctype P() {
             do :: atomic { !lock -> lock = 1; w[_pid] = 1 }; d[_pid] = 1; atomic { d[_pid] = 0; w[_pid] = 0; lock = 0 } od
         }",
        "bool w[2], d[2]; active [2] proctype P() { do :: w[_pid] = 1; d[_pid] = 1; w[_pid] = 0; d[_pid] = 0 od }",
        "bool w[2], d[2]; active [2] proctype P() { w[_pid] = 1; d[_pid] = w[1 - _pid] }",
    ];
    let formulas = [
        "[] ((w[0] || w[1]) -> <> (d[0] || d[1]))",
        "[] ((d[0] || d[1]) -> (w[0] || w[1]))",
        "[] ((d[0] && d[1]) -> (w[0] || w[1]))",
        "[] ((w[0] || w[1]) -> <> (!w[0] || !w[1]))",
        "[] <> (w[0] || w[1]) || <> [] (d[0] || d[1])",
        "<> (w[0] || w[1])",
        "[] ((w[0] || w[1]) -> ((w[0] || w[1]) U (d[0] || d[1])))",
        "[] ! (d[0] && d[1])",
        "[] (X (w[0] || w[1]) || !X (w[0] || w[1]) || d[0] || d[1])",
        "[] ((X (w[0] || w[1]) || !w[0]) && (X (w[0] || w[1]) || !w[1]) || <> (d[0] || d[1]))",
    ];
    let formulas = formulas.map(str::to_owned);
    let mut told = 0;
    for (number, model) in models.iter().enumerate() {
        for fairness in ["none", "weak"] {
            let name = format!("exchangeable_{number}_{fairness}.pml");
            let results = check(&name, model, &formulas, &["--fairness", fairness, "--vacuity", "full"]);
            let remarks = results.iter().flat_map(|result| result["remarks"].as_array().expect("remarks is a list"));
            let stronger = remarks.filter_map(|remark| remark["stronger"].as_str().map(str::to_owned));
            let stronger: Vec<String> = stronger.collect();
            let plain = ["--fairness", fairness, "--vacuity", "off", "--reduce", "none"];
            for (formula, verdict) in stronger.iter().zip(&check(&name, model, &stronger, &plain)) {
                assert!(holds(verdict), "{fairness}: {formula} in {model}");
            }
            told += stronger.len();
        }
    }
    assert!(told > 10, "{told} remarks");
}

/// The remarks on each claim of a model that holds.
fn remarks_on(name: &str, model: &str, more: &[&str]) -> Vec<String> {
    let results = check(name, model, &[], more);
    let text = |remark: &Value| remark["text"].as_str().unwrap_or_default().to_owned();
    let texts = results.iter().map(|result| {
        let remarks = result["remarks"].as_array().expect("remarks is a list");
        remarks.iter().map(text).collect::<Vec<String>>().join("; ")
    });
    texts.collect()
}

#[test]
fn claims_that_nothing_could_break() {
    let nowhere = "trivially: no process is ever at an acceptance label";
    let unread = "trivially: the never claim cannot make its first step, so it accepts no run at all";
    let table = [
        ("active proctype A() { progress: skip }", "trivially: no run goes on forever"),
        ("bit p; active proctype A() { do :: p = !p; progress: skip od }", ""),
        ("bit p; active proctype A() { do :: p = !p :: p == 2 -> accept: skip od }", nowhere),
        ("bit p; active proctype A() { accept: p = 1; do :: p = !p od }", ""),
        ("bit p; active proctype A() { do :: p = !p od } never { p; accept: do :: p od }", unread),
        (
            "bit p, q; active proctype A() { do :: p = !p od } never { do :: q -> break :: true od; accept: do :: q od }",
            "trivially: no run brings the never claim to an acceptance label",
        ),
        (
            "bit p, q; active proctype A() { do :: p = !p od } never { do :: p -> break :: true od; accept: do :: p od }",
            "",
        ),
        // To come to its end is what breaks this one: that no run does is what was to be shown.
        ("bit p, q; active proctype A() { do :: p = !p od } never { do :: q -> break :: else od }", ""),
    ];
    for (number, (model, expected)) in table.iter().enumerate() {
        let name = format!("trivial_{number}.pml");
        assert_eq!(remarks_on(&name, model, &[]), [*expected], "{model}");
        assert_eq!(remarks_on(&name, model, &["--vacuity", "off"]), [""], "{model}");
        for fairness in ["weak", "strong"] {
            let expected = expected.replace("no run goes on", "no fair run goes on");
            assert_eq!(remarks_on(&name, model, &["--fairness", fairness]), [expected], "{fairness}: {model}");
        }
    }
    // Only those go on forever that never let the other one move.
    let unfair = "bit stop; active proctype A() { do :: !stop -> progress: skip :: stop -> break od }
                  active proctype B() { stop = 1 }";
    assert_eq!(remarks_on("unfair.pml", unfair, &[]), [""]);
    assert_eq!(remarks_on("unfair.pml", unfair, &["--fairness", "weak"]), ["trivially: no fair run goes on forever"]);
}

#[test]
fn suspicion_has_its_price_and_its_limits() {
    let path = scratch("price.pml").display().to_string();
    std::fs::write(&path, MODELS[0]).expect("a model can be written");
    let run = |more: &[&str]| -> (Option<i32>, Value, String) {
        let arguments = [&["check", &path, "--ltl", "[] (r -> <> q)"], more].concat();
        let json = reductio(&[&arguments[..], &["--format", "json"]].concat());
        let value = serde_json::from_str(&json.out).unwrap_or_else(|error| panic!("{error}: {json:?}"));
        (json.code, value, reductio(&arguments).out)
    };
    let (code, json, text) = run(&[]);
    assert_eq!((code, &json["vacuity"]["complete"]), (Some(0), &Value::Bool(true)));
    assert_eq!(json["vacuity"]["searches"], 2);
    assert!(text.contains("but vacuously: `<> q` does not matter, because `r` never holds"), "{text}");
    assert!(text.contains("Vacuity checks: ") && text.contains("2 more searches\n"), "{text}");

    let (code, json, text) = run(&["--vacuity", "off"]);
    assert_eq!((code, &json["vacuity"], text.contains("acu")), (Some(0), &Value::Null, false), "{text}");
}
