//! The fast engine where it is special: long keys, late components, values that are not numbered, long atomics, steps
//! that are remembered for too long, searches that end early. Whatever the plain engine says there, it must say, too.

use std::fmt::Write;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::engines::{Agreement, CONTENDERS, Shown, agree, everything, explore, explore_within, model};
use reductio_explicit::search;
use reductio_model::{Budget, Interpreter, InvariantId, Progress, Property, Verdict, Why};
use reductio_reduce::{PlanRequest, SearchOrder, StoreChoice};

fn all_agree(name: &str, text: &str) -> Agreement {
    agree(name, &model(text, &[]), &CONTENDERS)
}

fn states(agreement: &Agreement) -> u64 {
    agreement.expected.statistics.states
}

fn faults(agreement: &Agreement) -> usize {
    agreement.shown.iter().filter(|shown| matches!(shown, Shown::Fault(_))).count()
}

fn deadlocks(agreement: &Agreement) -> usize {
    agreement.shown.iter().filter(|shown| matches!(shown, Shown::Deadlock(_))).count()
}

// Keys of every length.

/// A token goes round; each process counts the laps. At the end of the last lap an assertion fails.
fn token_ring(processes: u32, laps: u32) -> String {
    format!(
        "byte turn, lap; bit flip;
         active [{processes}] proctype Runner() {{
             byte seen;
             end: do
             :: turn == _pid && lap < {laps} ->
                 seen = lap + 1;
                 if
                 :: _pid == {processes} - 1 -> lap++; assert(lap < {laps}); turn = 0
                 :: else -> turn++
                 fi
             od
         }}
         active proctype Bystander() {{ end: do :: flip = 1 - flip od }}"
    )
}

#[test]
fn keys_grow_with_the_number_of_processes() {
    for (processes, laps) in [(3, 5), (12, 5), (30, 5), (60, 3), (120, 2)] {
        let agreement = all_agree(&format!("{processes} runners"), &token_ring(processes, laps));
        assert!(states(&agreement) > u64::from(processes * laps) * 6);
        assert_eq!((faults(&agreement), deadlocks(&agreement)), (1, 0));
    }
}

/// In every round each of 245 channels takes a new value, and so does one of 24 neighbours in a large array.
fn many_values(rounds: u32) -> String {
    format!(
        "chan queue[245] = [1] of {{ short }};
         short cell[2000]; short old, round; bit probe;
         active [6] proctype Idler() {{ end: false }}
         active proctype Worker() {{
             byte i;
             do
             :: round < {rounds} ->
                 d_step {{
                     for (i : 0 .. 244) {{
                         if :: full(queue[i]) -> queue[i]?old :: else fi;
                         queue[i]!round
                     }}
                     for (i : 0 .. 82) {{ cell[24 * i] = cell[24 * i] - i - 1 }}
                     i = 0; old = 0;
                     round++
                 }}
                 atomic {{ probe = 1; probe = 1; probe = 0 }}
             :: else -> break
             od;
             assert(round < {rounds})
         }}"
    )
}

#[test]
fn keys_grow_with_the_number_of_values_until_the_plain_engine_takes_over() {
    for (rounds, fits) in [(3, true), (40, true), (1100, false)] {
        let contenders = if fits { &CONTENDERS[..] } else { &CONTENDERS[1..3] };
        let agreement = agree(&format!("{rounds} rounds"), &model(&many_values(rounds), &[]), contenders);
        assert_eq!(faults(&agreement), 1);
        // The fast engine counts an atomic as one transition, the plain one counts its steps.
        assert_eq!(agreement.fast_transitions < agreement.expected.statistics.transitions, fits, "{rounds} rounds");
    }
}

#[test]
fn constants_need_no_room_in_a_full_word() {
    for used in [20, 40, 45, 50, 55, 60] {
        let mut text = String::from("byte constant[30];\n");
        for index in 0..used {
            writeln!(text, "byte v{index};").expect("a string takes everything");
        }
        text += "active proctype Writer() { byte sum = constant[3];\n";
        for round in 1..5 {
            for index in 0..used {
                writeln!(text, "v{index} = {round};").expect("a string takes everything");
            }
        }
        text += "assert(sum == constant[29]) }";
        let agreement = all_agree(&format!("{used} variables"), &text);
        assert_eq!(states(&agreement), 4 * used + 3);
    }
}

// Components that come late.

#[test]
fn processes_and_channels_are_created_late_and_end_again() {
    let agreement = all_agree(
        "late processes",
        "byte steps, alive; bit flip;
         proctype Child(byte depth; chan up) {
             chan down = [1] of { byte };
             byte answer;
             if
             :: depth < 12 -> run Child(depth + 1, down); down?answer
             :: else -> answer = 1
             fi;
             up!answer + 1
         }
         proctype Other(byte mine) { byte twice = 2 * mine; alive++; alive--; assert(twice != 6) }
         init {
             chan result = [0] of { byte };
             byte answer;
             do
             :: steps < 200 -> steps++
             :: steps == 200 -> break
             od;
             run Child(0, result);
             result?answer;
             _nr_pr == 1;
             run Other(answer - 11); run Other(1);
             _nr_pr == 1;
             assert(answer == 14)
         }
         active proctype Flip() { end: do :: flip = 1 - flip :: steps == 100 -> break od }",
    );
    assert!(states(&agreement) > 500);
    assert_eq!(faults(&agreement), 1);
}

#[test]
fn two_hundred_processes_are_born_and_die_under_one_another_s_numbers() {
    let agreement = all_agree(
        "rebirth",
        "byte round;
         proctype Red(byte n) { byte x = n; end: (round > 0 && x == n && _nr_pr == _pid + 1) }
         proctype Blue(short n) { short y = 1000 + n; chan c = [1] of { byte }; c!1;
             end: (round > 1 && _nr_pr == _pid + 1); assert(y != 1003) }
         init {
             byte i;
             atomic { for (i : 1 .. 220) { run Red(i) } }
             round = 1;
             _nr_pr == 1;
             atomic { for (i : 1 .. 3) { if :: run Blue(i) :: run Red(i) fi } }
             round = 2;
             _nr_pr == 1;
             i = 0;
             run Red(3)
         }",
    );
    assert!(states(&agreement) > 220);
    assert_eq!(faults(&agreement), 1);
}

#[test]
fn a_counter_outgrows_its_field_when_many_states_are_stored() {
    let agreement = all_agree(
        "late counter",
        "byte a, b; int late; 
         active proctype Early() { do :: a < 60 -> a++ :: b < 60 -> b++ :: a == 60 && b == 60 -> break od;
             do :: late < 3000 -> late++ :: late == 3000 -> break od; assert(late < 3000) }",
    );
    assert!(states(&agreement) > 61 * 61 + 3000);
    assert_eq!(faults(&agreement), 1);
}

// Values that are not numbered.

#[test]
fn variables_with_many_values_are_not_numbered() {
    let agreement = all_agree(
        "many values",
        "byte all; short low = -200; int wide = -2100; unsigned five : 5; bit other;
             mtype = { red, green, blue }; mtype m = red;
         active proctype Count() {
             do
             :: all < 255 -> all++
             :: all == 255 -> break
             od;
             do
             :: low < 150 -> low++; m = (m == red -> green : (m == green -> blue : red))
             :: low == 150 -> break
             od;
             do
             :: wide < 2100 -> wide++
             :: wide == 2100 -> break
             od;
             do
             :: other == 0 -> five++
             :: other == 1 -> break
             od;
             assert(all + low + wide != 255 + 150 + 2100)
         }
         active proctype Other() { wide == -2095; wide = wide - 5000; other = 1 }",
    );
    assert!(states(&agreement) > 10_000);
    assert_eq!(faults(&agreement), 1);
}

#[test]
fn cells_of_a_large_array_share_a_component() {
    let agreement = all_agree(
        "large array",
        "byte cell[200]; short deep[90];
         active [3] proctype Writer() {
             byte at = 60 * _pid + 7;
             do
             :: at < 60 * _pid + 12 -> cell[at] = cell[at + 1] + cell[at] + _pid + 1; deep[cell[at] % 90] = -at; at++
             :: at == 60 * _pid + 12 -> break
             od;
             assert(cell[_pid] == 0 && deep[10] != -71)
         }",
    );
    assert!(states(&agreement) > 3000);
}

// Atomics.

const LONG_ATOMICS: [(&str, &str, usize, usize); 12] = [
    (
        "longer than what is run through",
        "int n; bit flip;
         active proctype Long() { atomic { do :: n < 700 -> n++
             :: n == 700 -> break od; assert(flip == 0) }; n = 0; assert(flip == 0); false }
         active proctype Flip() { do :: flip = 1 - flip :: break od }",
        2,
        2,
    ),
    (
        "branches to more states than are run through",
        "bit a[10]; byte i; bit flip;
         active proctype Branch() { atomic { do :: i < 10 -> if :: a[i] = 1 :: a[i] = 0 fi; i++
             :: else -> break od; assert(!a[9] || !a[3]) }; i = 0 }
         active proctype Flip() { flip = 1; flip = 0 }",
        1,
        0,
    ),
    (
        "endless",
        "bit x; byte y; active proctype Endless() { atomic { do :: x = 1 - x od } }
             active proctype Other() { y = 1 }",
        0,
        0,
    ),
    (
        "endless, with a way out",
        "byte x; byte y; active proctype Endless() { atomic { do :: x = x + 3 :: x == 77 -> break
             od }; assert(y == 0) } active proctype Other() { y = 1 }",
        1,
        0,
    ),
    (
        "an assertion fails in the middle, and in the end",
        "byte n; bit b; active [2] proctype P() { atomic { n++; assert(n == 1); n++; if :: b = 1
             :: skip fi; assert(b == 0); n++ }; n = n - 3; assert(n > 0) }",
        3,
        0,
    ),
    (
        "an index is out of range in the middle",
        "byte a[3]; byte i; active [2] proctype P() { atomic { do :: i++ :: break od; a[i % 5] = 1; i = 0 } }",
        1,
        0,
    ),
    (
        "control passes by rendezvous",
        "chan c = [0] of { byte }; chan d = [0] of { byte }; byte x;
         active proctype A() { atomic { x = 1; c!1; x = 4 }; atomic { d?x; x++; assert(x == 7) } }
         active proctype B() { byte y; atomic { c?y; x = 2; x = 3; y = x }; atomic { d!y + x; assert(x != 5);
             x = 9 } }
         active proctype C() { byte z = x; assert(z != 3); if :: c?z :: z == 9 -> skip fi }",
        1,
        2,
    ),
    (
        "it blocks in the middle",
        "byte x, y; active [2] proctype A() { atomic { x++; y > 0; y--; x--; y > 1; x = 7 } }
             active proctype B() { do :: y < 3 -> y++ :: x == 7 -> break od }",
        0,
        4,
    ),
    (
        "a timeout comes after it and in it",
        "byte x; active proctype A() { atomic { x = 1; timeout -> x = 2; timeout; x = 3 };
             timeout -> assert(x == 3); atomic { timeout -> x++ }; assert(x == 3) }
         active proctype B() { atomic { x == 2; x = 5 } }",
        1,
        0,
    ),
    (
        "it is left by unless",
        "byte x, y; active proctype A() { { atomic { x++; x++; y == 1; x = 10 }; x = 20;
             false } unless { atomic { y == 2 -> x = x + 100; assert(x < 115) } } }
         active proctype B() { y = 1; y = 2 }",
        1,
        0,
    ),
    (
        "it starts, ends and kills processes",
        "byte born; proctype Child() { atomic { born++; born++ } }
         active proctype Parent() { byte i; atomic { for (i : 1 .. 5) { run Child() } };
             atomic { _nr_pr == 1 -> born = 0; run Child(); run Child() }; born == 3; assert(false) }",
        0,
        1,
    ),
    (
        "many of them run into each other",
        "byte n, m; active [3] proctype P() { byte k; do :: atomic { n < 20 -> n++; k = n; if
             :: k % 3 == 0 -> m = k :: else -> n == m + 1 || k > 2; m++ fi; k = 0 } od }",
        0,
        1,
    ),
];

#[test]
fn atomics_of_all_kinds() {
    for (name, text, expected_faults, expected_deadlocks) in LONG_ATOMICS {
        let agreement = all_agree(name, text);
        assert_eq!((faults(&agreement), deadlocks(&agreement)), (expected_faults, expected_deadlocks), "{name}");
    }
}

// What is remembered.

const REMEMBERED: [(&str, u64, &str); 12] = [
    (
        "a variable chooses the cell",
        3000,
        "byte cell[4], at; active proctype P() { byte k; do
             :: at < 3 -> at++; cell[at] = (cell[k] + 1) % 4; k = cell[at] :: cell[k] > 2 -> cell[k] = 0; k = at od }
         active proctype Reset() { do :: at == 3 -> at = 0; assert(cell[2] < 3) od }",
    ),
    (
        "enabled",
        10,
        "byte x; active proctype P() { do :: enabled(1) -> x = (x + 1) % 5
             :: !enabled(1) -> x = 3; break :: x == 4 -> break od; assert(x != 4) }
             active proctype Q() { do :: x == 2 -> x = 4 :: x == 0 -> x = 1 od }",
    ),
    (
        "priorities",
        138,
        "byte x; active proctype Low() priority 1 { do :: x < 9 -> x++
             :: x > 2 -> set_priority(1, 5) :: x == 9 -> break od }
             active proctype High() priority 3 { x++; set_priority(_pid, 1); x = x + 2;
             assert(get_priority(1) == 1) }",
    ),
    (
        "who moved last",
        525,
        "byte n; active [3] proctype P() { do
             :: _last == (_pid + 2) % 3 -> n = (n + 1) % 4 :: _last == _pid -> n = 0; assert(n == 0) od }",
    ),
    (
        "how many there are",
        1986,
        "byte n; proctype Q(byte k) { n = k; assert(_nr_pr < 6) }
             active proctype P() { do :: _nr_pr < 6 -> run Q(_nr_pr) :: _nr_pr == 1 && n == 4 -> break od }",
    ),
    (
        "remote references",
        124,
        "byte g; active proctype A() { byte x; do :: x < 5 -> x++; L: x = x + g
             :: x >= 5 -> x = 0 od } active proctype B() { do :: A:x == 3 -> g = 1
             :: A@L -> g = 0; assert(A:x != 4) od }",
    ),
    (
        "provided",
        1029,
        "byte turn; byte n; active [3] proctype P() provided (turn == _pid || n > 6) { do
             :: n < 9 -> n++; turn = (turn + n) % 3
             :: n == 9 -> break od; turn = _pid; assert(n < 9 || turn != 1) }",
    ),
    (
        "channels in messages",
        16,
        "chan a = [1] of { chan, byte }; chan b = [2] of { byte }; chan c = [0] of { byte };
         active proctype A() { if :: a!b, 1 :: a!c, 2 fi; if :: b?_ :: c?_ fi }
             active proctype B() { chan r; byte k; a?r, k; r!k; assert(k == 1 || len(b) == 0); r!k }",
    ),
    (
        "sorted send and random receive",
        5684,
        "chan q = [4] of { byte, byte }; byte got;
             active proctype S() { byte i = 5; do :: i > 0 -> q!!(i * 7 % 5), i; i-- :: i == 0 -> break
             od } active [2] proctype R() { byte x; do :: q??eval(got), x -> got = x % 5 :: q?got, x
             :: q??[3, x] -> got = 3; break od; assert(x != 2) }",
    ),
    (
        "full and empty",
        642,
        "chan q = [2] of { bit }; byte n;
             active [2] proctype S() { do :: nfull(q) -> q!n :: full(q) -> n = 1
             :: empty(q) -> n = 0; break od }
             active proctype R() { do :: nempty(q) -> q?n :: len(q) == 1 -> q?<n>
             :: timeout -> break od; assert(n == 0) }",
    ),
    (
        "division",
        16121,
        "byte x = 5, y; active [2] proctype P() { do :: x > 0 -> x-- :: y = 10 / x
             :: y < 12 -> y = y % (x + 1) od }",
    ),
    (
        "timeouts",
        84,
        "byte x; active [2] proctype P() { do :: x < 3 -> x++ :: timeout -> x = 0; if
             :: break :: skip fi od; timeout; assert(x == 3) }",
    ),
];

#[test]
fn steps_that_depend_on_something_far_away() {
    for (name, least, text) in REMEMBERED {
        let agreement = all_agree(name, text);
        assert!(states(&agreement) >= least, "{name}: {} states", states(&agreement));
    }
}

/// The context of every step is new, so in the end nothing is remembered; the atomic is first taken apart.
#[test]
fn steps_whose_context_never_comes_again() {
    let text = "int x, y; short z;
        active proctype P() {
            do
            :: d_step { x < 240 -> x++ }
            :: atomic { y < 240 -> y = y + 2; y--; z = (x * y) % 7 }
            :: x + y == 480 -> break
            od;
            assert(z != 4)
        }";
    let model = model(text, &[]);
    let agreement = agree("new contexts", &model, &[CONTENDERS[1], CONTENDERS[3]]);
    assert!(states(&agreement) > 270_000);
    assert_eq!(faults(&agreement), 1);
}

// Invariants.

#[test]
fn invariants_are_checked_where_anybody_may_move() {
    let text = "int x; bit flip; active proctype P() { atomic { x = 1000; x = 1 }; do :: x < 300 -> x++
             :: atomic { x == 300 -> x = 2000; x = 301; break } od }
             active proctype F() { do :: flip = 1 - flip od }";
    let model = model(text, &["x != 0", "x != 250", "x < 1000", "x < 301 || flip", "10 / x > 0 - 1"]);
    let agreement = agree("invariants", &model, &CONTENDERS);
    let broken = |atom| {
        agreement.shown.iter().filter(|shown| matches!(shown, Shown::Broken(id, _) if *id == InvariantId(atom))).count()
    };
    assert_eq!([0, 1, 2, 3].map(broken), [2, 4, 0, 1], "only an atomic passes through 1000 and more");
    assert_eq!(broken(4), 2, "what cannot be evaluated does not hold");
}

// Searches that end early.

/// Levels are wide enough for several threads. Some states are stuck, break an invariant or fail the assertion.
const WIDE: &str = "byte a, b, c, d, e, f; bit g;
    active proctype P() {
        do
        :: a < 5 -> a++ :: b < 5 -> b++ :: c < 5 -> c++ :: d < 5 -> d++ :: e < 5 -> e++ :: f < 5 -> f++
        :: a * b == 12 && c == 5 && d == 5 -> assert(e != f); g = 1; break
        :: a + b == 9 && c + d == 9 -> break
        od;
        g == 1
    }";

#[test]
fn as_many_violations_as_were_asked_for_whatever_the_threads() {
    let model = model(WIDE, &["a + b + c + d + e + f < 28"]);
    let interpreter = Interpreter::new(&model);
    for (limit, found) in [(Some(1), Some(1)), (Some(3), Some(3)), (None, None)] {
        let mut seen = Vec::new();
        for threads in [1, 2, 3, 3, 3] {
            let max_violations = limit.and_then(NonZeroU32::new);
            let request = PlanRequest { max_violations, threads, ..everything(&model) };
            let result = explore(&interpreter, ("bfs", search, |_| {}), request);
            let lengths = |property: Property| -> Vec<usize> {
                let of_property = result.verdicts.iter().filter(|entry| entry.property == property);
                let traces = of_property.filter_map(|entry| match &entry.verdict {
                    Verdict::Violated(violation) => Some(violation.run.stem.len()),
                    Verdict::Holds | Verdict::Inconclusive(_) => None,
                });
                traces.collect()
            };
            let all = [Property::Deadlock, Property::Assertions, Property::Invariant(InvariantId(0))].map(lengths);
            assert_eq!(all[1].len(), 1, "the assertion is one statement");
            for index in [0, 2] {
                assert!(
                    all[index].len() == found.unwrap_or(all[index].len()),
                    "{} instead of {found:?}",
                    all[index].len()
                );
            }
            seen.push((all, crate::common::engines::shown(&interpreter, &result), result.statistics.states));
        }
        assert!(seen.iter().all(|run| *run == seen[0]), "{limit:?}");
    }
}

#[test]
fn a_search_that_stops_early_sees_the_same_states_with_any_number_of_threads() {
    let model = model(WIDE, &["a + b + c + d + e + f < 15"]);
    let interpreter = Interpreter::new(&model);
    let mut seen = Vec::new();
    for threads in [1, 2, 3, 3, 3] {
        let properties = vec![Property::Invariant(InvariantId(0))];
        // A probe would find it sooner.
        let search_order = SearchOrder::BreadthFirst;
        let request = PlanRequest { threads, search: search_order, ..PlanRequest::new(properties) };
        let result = explore(&interpreter, ("bfs", search, |_| {}), request);
        assert!(!result.complete && result.limit.is_none());
        let shown = crate::common::engines::shown(&interpreter, &result);
        assert_eq!(shown.len(), 1);
        seen.push((shown, result.statistics.states, result.statistics.transitions));
    }
    assert!(seen[0].1 > 20_000);
    assert!(seen.iter().all(|run| *run == seen[0]));
}

const ENDLESS: &str = "int a, b; short c; byte d[4]; bit flip;
    active proctype P() { do :: a++ :: b = b + 3 :: c-- :: d[a & 3]++ :: a + b + c + d[0] == 123456789 -> skip od }
    active proctype Q() { do :: flip = 1 - flip :: atomic { flip -> c = c + b; b = b ^ c } od }";

fn endless_request() -> PlanRequest {
    PlanRequest::new(vec![Property::Deadlock, Property::Assertions])
}

fn room(bytes: u64) -> Budget {
    Budget { memory: Some(bytes), ..Budget::UNLIMITED }
}

const WAYS: [(SearchOrder, u32, StoreChoice); 8] = [
    (SearchOrder::DepthFirst, 1, StoreChoice::Exact),
    (SearchOrder::BreadthFirst, 1, StoreChoice::Exact),
    (SearchOrder::BreadthFirst, 2, StoreChoice::Exact),
    (SearchOrder::DepthFirst, 1, StoreChoice::Compact),
    (SearchOrder::BreadthFirst, 1, StoreChoice::Compact),
    (SearchOrder::BreadthFirst, 2, StoreChoice::Compact),
    (SearchOrder::DepthFirst, 1, StoreChoice::Bitstate),
    (SearchOrder::BreadthFirst, 2, StoreChoice::Bitstate),
];

#[test]
fn memory_is_never_exceeded_and_its_end_is_no_verdict() {
    let model = model(ENDLESS, &[]);
    let interpreter = Interpreter::new(&model);
    for bytes in [100_000, 250_000, 1_000_000, 3_000_000] {
        for (search_order, threads, store) in WAYS {
            let name = format!("{bytes} bytes, {search_order:?}, {threads} threads, {store:?}");
            let request = PlanRequest { search: search_order, threads, store, ..endless_request() };
            let result = explore_within(&interpreter, ("limited", search, |_| {}), request, &room(bytes));
            let limit = result.limit.expect("there is no end to this model");
            assert!(result.statistics.memory_bytes <= bytes, "{name}");
            // Three bits for a state: the store may well be full of them before the memory is.
            assert!(
                limit == Why::Memory { bytes } || (store == StoreChoice::Bitstate && limit == Why::LossyStore),
                "{name}: {limit:?}"
            );
            assert!(!result.complete && result.statistics.states > 1, "{name}");
            assert!(result.verdicts.iter().all(|entry| entry.verdict == Verdict::Inconclusive(limit)), "{name}");
        }
    }
}

#[test]
fn time_runs_out_and_users_interrupt() {
    let model = model(ENDLESS, &[]);
    let interpreter = Interpreter::new(&model);
    for (search_order, threads, store) in WAYS {
        let time = Duration::from_millis(30);
        let request = PlanRequest { search: search_order, threads, store, ..endless_request() };
        let timed = room(1 << 28).for_at_most(time);
        let result = explore_within(&interpreter, ("timed", search, |_| {}), request.clone(), &timed);
        assert_eq!(result.limit, Some(Why::Time { limit: time }));

        let cancel = Arc::new(AtomicBool::new(false));
        let interrupt = {
            let cancel = Arc::clone(&cancel);
            move |_: &Progress| cancel.store(true, Ordering::Relaxed)
        };
        let budget = Budget { cancel: Some(cancel), progress: Some(Arc::new(interrupt)), ..room(1 << 28) };
        let result = explore_within(&interpreter, ("interrupted", search, |_| {}), request, &budget);
        assert_eq!(result.limit, Some(Why::Interrupted));
        assert!(result.verdicts.iter().all(|entry| entry.verdict == Verdict::Inconclusive(Why::Interrupted)));
    }
}

/// A level must be finished before it is known which of its violations is the least; if it never is, any will do.
#[test]
fn a_violation_is_not_forgotten_when_the_memory_ends_with_its_level() {
    let text =
        "active proctype P() { byte k; k = 1; assert(false) } active [150] proctype Q() { byte n; n = 1; n = 2 }";
    let model = model(text, &[]);
    let interpreter = Interpreter::new(&model);
    for bytes in [300_000, 400_000, 500_000, 600_000] {
        let result = explore_within(&interpreter, ("bfs", search, |_| {}), endless_request(), &room(bytes));
        assert_eq!(result.limit, Some(Why::Memory { bytes }));
        assert_eq!(crate::common::engines::shown(&interpreter, &result).len(), 1, "{bytes} bytes");
        let only_assertions = PlanRequest::new(vec![Property::Assertions]);
        let result = explore_within(&interpreter, ("bfs", search, |_| {}), only_assertions, &room(bytes));
        assert_eq!((result.limit, result.complete), (None, false), "everything was found that was looked for");
    }
}

/// More processes or channels than there can be are no fault of the model: nothing is known of what would come then.
#[test]
fn a_crowd_is_a_limit() {
    for (text, what) in [
        ("proctype W() { false } init { do :: run W() od }", "processes"),
        ("proctype W() { chan c[2] = [1] of { bit }; false } init { do :: run W() od }", "channels"),
    ] {
        let model = model(text, &[]);
        for search_order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
            let request = PlanRequest { search: search_order, ..everything(&model) };
            let result = explore(&Interpreter::new(&model), ("crowded", search, |_| {}), request);
            assert_eq!(result.limit, Some(Why::Crowded { what }), "{text}");
            assert!(result.verdicts.iter().all(|entry| matches!(entry.verdict, Verdict::Inconclusive(_))), "{text}");
        }
    }
}
