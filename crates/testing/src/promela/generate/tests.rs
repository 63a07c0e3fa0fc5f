use super::super::program::{Program, Sequence, Statement, Visitor};
use super::{ClaimKind, Features, Size, generate, generate_with, generate_with_claim};
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

fn load_errors(program: &Program) -> Option<String> {
    let text = program.to_string();
    let loaded = load("generated.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
    loaded.model.is_none().then(|| format!("{}\n{text}", loaded.diagnostics.render(&loaded.sources)))
}

#[test]
fn a_seed_always_gives_the_same_program() {
    for seed in 0..50 {
        let size = Size::states(10 << (seed % 14));
        assert_eq!(generate(seed, size), generate(seed, size));
    }
    assert_ne!(generate(1, Size::default()), generate(2, Size::default()));
}

#[test]
fn the_front_end_takes_every_program() {
    for (seed, states) in (0..100).zip([10, 100, 1000, 10_000, 100_000].into_iter().cycle()) {
        assert_eq!(load_errors(&generate(seed, Size::states(states))), None, "seed {seed}");
    }
}

#[test]
fn larger_sizes_give_larger_programs() {
    let length = |states| (0..100).map(|seed| generate(seed, Size::states(states)).to_string().len()).sum::<usize>();
    let lengths = [10, 1000, 100_000].map(length);
    // Conversations and crowds are as large as they are.
    assert!(lengths.is_sorted() && 2 * lengths[2] > 3 * lengths[0], "{lengths:?}");
}

/// What occurs in the text of some program. A generator that loses a construct finds fewer bugs and looks the same.
const TEXTS: &[&str] = &[
    "active proctype",
    "active [2]",
    "init {",
    "run P",
    "provided (",
    "priority ",
    "\ntrace {",
    "\nnotrace {",
    ":: c1!_",
    "_pid",
    "_nr_pr ==",
    "_nr_pr <=",
    "bit ",
    "bool ",
    "byte ",
    "short ",
    "int ",
    "unsigned ",
    "mtype ",
    "pid ",
    "hidden byte",
    "typedef Rec",
    "= {",
    "[2] = [",
    "[3] = ",
    "= [0] of",
    "= [1] of",
    "= [2] of",
    "= [3] of",
    "of { mtype, ",
    "(chan p",
    "chan lc",
    " = 256",
    " = -1",
    " = 70000",
    "++",
    "--",
    "!!",
    "??",
    "?<",
    "??<",
    "?[",
    "??[",
    "?eval(",
    "?_",
    "?red",
    "!red(",
    "len(",
    "empty(",
    "full(",
    "nempty(",
    "nfull(",
    "atomic {",
    "d_step {",
    "if\n",
    "do\n",
    ":: else",
    ":: timeout",
    "goto L",
    "goto end",
    "  end",
    "  L",
    "break",
    "unless {",
    "inline step",
    "  step",
    "#define K",
    "#define NEXT",
    "NEXT",
    "TEST",
    "DO",
    "assert(",
    "printf(",
    "skip",
    " -> ",
    "for (",
    " in g",
    "select (",
    ".f",
    ".. (",
    " + ",
    " - ",
    " * ",
    " / ",
    " % ",
    " << ",
    " >> ",
    " < ",
    " <= ",
    " > ",
    " >= ",
    " == ",
    " != ",
    " & ",
    " ^ ",
    " | ",
    " && ",
    " || ",
    "!(",
    "-(",
    "~",
    "| 1)",
];

#[test]
fn every_construct_occurs() {
    let mut missing: Vec<&str> = TEXTS.to_vec();
    let mut shapes = Shapes::default();
    for seed in 0..2000 {
        let mut program = generate(seed, Size::default());
        let text = program.to_string();
        missing.retain(|wanted| !text.contains(wanted));
        program.walk(&mut shapes);
    }
    assert!(missing.is_empty(), "no program contains any of {missing:?}");
    let Shapes { nested_unless, nested_atomic, blocking_in_atomic, rendezvous_or_send_in_atomic, .. } = shapes;
    assert!(nested_unless && nested_atomic && blocking_in_atomic && rendezvous_or_send_in_atomic);
    let Shapes { label_in_atomic, jump_out_of_atomic, communicating_escape, late_declaration, jump_in_d_step, .. } =
        shapes;
    assert!(label_in_atomic && jump_out_of_atomic && communicating_escape && late_declaration && jump_in_d_step);
    assert!(shapes.late_initialised_declaration && shapes.run_in_loop && shapes.run_in_atomic && shapes.result_of_run);
    assert!(shapes.choice_in_choice);
}

/// What it is, in how many of 1,000 programs it must be at least, and how it is recognised.
type Frequent = (&'static str, usize, fn(&str) -> bool);

/// In how many of a thousand programs there is something, at the least: what comes in one of them only is as good as missing
/// in a short campaign.
const FREQUENT: &[Frequent] = &[
    ("a channel in a message", 60, |text| text.contains(", chan }")),
    ("a channel that has come in a message is used", 60, |text| {
        text.contains(", chan }") && text.lines().any(is_use_of_a_variable)
    }),
    ("an array of channels", 150, |text| text.lines().any(|line| line.starts_with("chan c") && line.contains("] = ["))),
    ("run with arguments", 150, |text| text.contains("run P") && !text.lines().all(|line| !has_arguments(line))),
    ("run with a channel", 50, |text| text.contains("run P") && text.contains("(c") || text.contains(", c")),
    ("run with the number of a process", 4, |text| text.contains("run P") && text.contains("pid t")),
    ("run with a priority", 12, |text| text.contains(") priority") && text.contains("run P")),
    ("for over messages", 40, |text| text.contains(" in c")),
    ("for over an array", 10, |text| text.contains(" in g")),
    ("for from one number to another", 60, |text| text.contains(" .. ") && text.contains("for (")),
    ("_last", 40, |text| text.contains("_last")),
    ("enabled in a process", 10, |text| text.contains("enabled(")),
    ("timeout", 40, |text| text.contains("timeout")),
];

/// `t3!1` or `t3?x`
fn is_use_of_a_variable(line: &str) -> bool {
    let line = line.trim().trim_start_matches(":: ");
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    line.strip_prefix('t').is_some_and(|rest| rest[digits(rest)..].starts_with(['!', '?']))
}

fn has_arguments(line: &str) -> bool {
    line.split("run P").nth(1).is_some_and(|rest| rest.split('(').nth(1).is_some_and(|rest| !rest.starts_with(')')))
}

#[test]
fn what_protocols_need_is_frequent() {
    let texts: Vec<String> = (0..1000).map(|seed| generate(seed, Size::default()).to_string()).collect();
    for (what, least, is_there) in FREQUENT {
        let count = texts.iter().filter(|text| is_there(text)).count();
        println!("{what}: {count} of {} programs", texts.len());
        assert!(count >= *least, "{what}: in {count} of {} programs, and {least} are wanted", texts.len());
    }
}

#[test]
fn claims_ask_who_can_move_and_who_moved() {
    let texts: Vec<String> = (0..1000).map(|seed| generate_with_claim(seed, Size::default()).to_string()).collect();
    for (what, least) in [("enabled(", 30), ("pc_value(", 4), ("_last", 30)] {
        let claim = |text: &str| text.split("ltl property").nth(1).or(text.split("never {").nth(1)).map(str::to_owned);
        let count = texts.iter().filter_map(|text| claim(text)).filter(|claim| claim.contains(what)).count();
        println!("{what} in {count} of {} claims", texts.len());
        assert!(count >= least, "{what} in {count} of {} claims", texts.len());
    }
}

/// Combinations that the text does not show.
#[derive(Default)]
struct Shapes {
    nested_unless: bool,
    nested_atomic: bool,
    blocking_in_atomic: bool,
    rendezvous_or_send_in_atomic: bool,
    label_in_atomic: bool,
    jump_out_of_atomic: bool,
    jump_in_d_step: bool,
    communicating_escape: bool,
    late_declaration: bool,
    late_initialised_declaration: bool,
    run_in_loop: bool,
    run_in_atomic: bool,
    result_of_run: bool,
    choice_in_choice: bool,
}

impl Visitor for Shapes {
    fn sequence(&mut self, sequence: &mut Sequence) {
        for step in sequence.iter().skip_while(|step| matches!(step, Statement::Declare(_))) {
            if let Statement::Declare(variable) = step {
                self.late_declaration |= variable.initial.is_empty();
                self.late_initialised_declaration |= !variable.initial.is_empty();
            }
        }
    }

    fn statement(&mut self, step: &mut Statement) {
        let has = |sequence: &Sequence, suits: fn(&Statement) -> bool| sequence.iter().any(suits);
        match step {
            Statement::Unless(main, escape) => {
                self.nested_unless |= has(main, |step| matches!(step, Statement::Unless(..)));
                self.communicating_escape |= matches!(escape[0], Statement::Send(_) | Statement::Receive(_));
            }
            Statement::Atomic(body) => {
                self.nested_atomic |= has(body, |step| matches!(step, Statement::Atomic(_)));
                self.blocking_in_atomic |= body.iter().skip(1).any(|step| matches!(step, Statement::Expr(_)));
                self.rendezvous_or_send_in_atomic |= has(body, |step| matches!(step, Statement::Send(_)));
                self.label_in_atomic |= has(body, |step| matches!(step, Statement::Label(..)));
                self.jump_out_of_atomic |= has(body, |step| matches!(step, Statement::Goto(_)));
                self.run_in_atomic |= has(body, |step| matches!(step, Statement::Run(_)));
            }
            Statement::DStep(body) => {
                self.jump_in_d_step |= has(body, |step| matches!(step, Statement::Label(..)));
            }
            Statement::For(_, _, _, body) => self.run_in_loop |= has(body, |step| matches!(step, Statement::Run(_))),
            Statement::AssignRun(..) => self.result_of_run = true,
            Statement::If(options) => {
                let choice = |step: &Statement| matches!(step, Statement::If(_) | Statement::Do(_));
                self.choice_in_choice |= options.iter().any(|option| has(option, choice));
            }
            _ => {}
        }
    }
}

#[test]
fn claims_and_risks_come_on_request() {
    let kinds = [ClaimKind::Ltl, ClaimKind::Never, ClaimKind::Acceptance, ClaimKind::Progress];
    for kind in kinds {
        let features = Features { claim: Some(kind), risky: true };
        for seed in 0..20 {
            let program = generate_with(seed, Size::default(), features);
            let text = program.to_string();
            let wanted = match kind {
                ClaimKind::Ltl => "ltl property {",
                ClaimKind::Never => "never {",
                ClaimKind::Acceptance => "accept",
                ClaimKind::Progress => "progress",
            };
            assert!(text.contains(wanted), "{text}");
            assert_eq!(load_errors(&program), None, "{text}");
            assert!(!generate(seed, Size::default()).has_sound_claim());
        }
    }
}

#[test]
fn claims_speak_of_all_that_there_is() {
    for (kind, wanted) in [
        (ClaimKind::Ltl, &["]@L", "]:", " && P", " W ", " V ", " U ", "active [3]"][..]),
        (ClaimKind::Never, &["]@L", "]:", "!P", "bit own", "byte own", "      own"]),
    ] {
        let mut missing = wanted.to_vec();
        for seed in 0..400 {
            let text = generate_with(seed, Size::default(), Features { claim: Some(kind), risky: false }).to_string();
            missing.retain(|part| !text.contains(part));
        }
        assert!(missing.is_empty(), "{kind:?}: no program contains any of {missing:?}");
    }
}

/// What is hard for a reduction has to be met often, in programs in which there is something to leave out.
#[test]
fn monitors_and_priorities_are_met_often() {
    let (mut watched, mut ranked, mut both) = (0, 0, 0);
    for seed in 600_000..601_500 {
        let program = generate(seed, Size::default());
        let processes = program.proctypes.iter().map(|proctype| usize::from(proctype.active)).sum::<usize>();
        if processes < 2 && program.init.is_none() {
            continue;
        }
        let is_watched = program.watch.is_some();
        let priorities = program.proctypes.iter().map(|proctype| proctype.priority.unwrap_or(1));
        let is_ranked = priorities.clone().min() != priorities.max();
        watched += u32::from(is_watched);
        ranked += u32::from(is_ranked);
        both += u32::from(is_watched && is_ranked);
    }
    println!("of 1500 programs, {watched} have a monitor, {ranked} different priorities, {both} both");
    assert!(
        watched > 200 && ranked > 80 && both > 10,
        "{watched} with monitors, {ranked} with priorities, {both} with both"
    );
}
