//! Sets in files: what is written is read again, by us in any order of the bits, and by another reader; and whatever else a file
//! may hold does no harm.

use std::collections::HashMap;
use std::io::Cursor;

use oxidd::bcdd::{BCDDFunction, new_manager};
use oxidd::{BooleanFunction, Manager as _, ManagerRef};
use oxidd_dump::dddmp::{DumpHeader, import};
use reductio_frontends::smv;
use reductio_model::circuit::Circuit;
use reductio_model::{AtomId, Verdict};
use reductio_symbolic::bdd::{Bdd, Bit, Manager};
use reductio_symbolic::{Engine, NoStates, Options};
use reductio_testing::random::Random;
use reductio_testing::smv::LIMITS;

const BITS: u32 = 8;

fn names(manager: &Manager<'_>) -> HashMap<Bit, String> {
    (0..BITS).map(|number| (manager.bit_at(number), format!("b{number}"))).collect()
}

fn bits(manager: &Manager<'_>) -> HashMap<String, Bit> {
    names(manager).into_iter().map(|(bit, name)| (name, bit)).collect()
}

/// The union of some cubes.
fn random_set(manager: &Manager<'_>, random: &mut Random) -> Bdd {
    let mut set = manager.truth(random.below(6) == 0);
    for _ in 0..random.below(6) {
        let values: Vec<(Bit, bool)> = (0..BITS)
            .filter(|_| random.below(2) == 0)
            .map(|number| (manager.bit_at(number), number % 3 == 0))
            .collect();
        let cube = manager.point(values).expect("it is small");
        set = manager.xor(&set, &cube).expect("it is small");
    }
    set
}

/// For each assignment to the bits, whether it is in the set.
fn members(manager: &Manager<'_>, set: &Bdd) -> Vec<bool> {
    let is_in = |code: u32| {
        let values = (0..BITS).map(|number| (manager.bit_at(number), code >> number & 1 == 1));
        let point = manager.point(values).expect("it is small");
        !manager.and(&point, set).expect("it is small").is_false()
    };
    (0..1 << BITS).map(is_in).collect()
}

#[test]
fn what_is_written_is_read_again_in_any_order() {
    let mut random = Random::new(11);
    for _ in 0..200 {
        let writer = Manager::new(BITS, &LIMITS);
        let set = random_set(&writer, &mut random);
        let text = writer.to_text(&set, "set", &names(&writer));
        let reader = Manager::new(BITS, &LIMITS);
        let mut order: Vec<Bit> = (0..BITS).map(|number| reader.bit_at(number)).collect();
        order.sort_by_key(|bit| (bit.index() * 5 + 3) % 8);
        reader.set_order(&order);
        let read = reader.from_text(&text, &bits(&reader)).expect("it was written so");
        assert_eq!(members(&writer, &set), members(&reader, &read), "{text}");
        assert!(reader.to_text(&read, "set", &names(&reader)).starts_with(".ver DDDMP-2.0\n"));
    }
}

#[test]
fn another_reader_understands_what_we_write() {
    let mut random = Random::new(12);
    for _ in 0..100 {
        let writer = Manager::new(BITS, &LIMITS);
        let set = random_set(&writer, &mut random);
        let text = writer.to_text(&set, "set", &names(&writer));
        let mut input = Cursor::new(text.as_bytes());
        let header = DumpHeader::load(&mut input).expect("the header is one");
        let other = new_manager(1 << 12, 1 << 10, 1);
        other.with_manager_exclusive(|manager| {
            manager.add_vars(BITS);
        });
        let support: Vec<u32> = set.support().iter().map(|bit| bit.index() as u32).collect();
        let read: Vec<BCDDFunction> = other.with_manager_shared(|manager| {
            let complement = |manager: &_, edge| BCDDFunction::not_edge_owned(manager, edge);
            import(input, &header, manager, support, complement).expect("the nodes are some")
        });
        let is_in = |code: u32| read[0].eval((0..BITS).map(|number| (number, code >> number & 1 == 1)));
        assert_eq!(members(&writer, &set), (0..1 << BITS).map(is_in).collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn texts_that_are_no_diagrams_are_refused() {
    let manager = Manager::new(BITS, &LIMITS);
    let one_node = ".ver DDDMP-2.0\n.mode A\n.varinfo 3\n.nroots 1\n.rootids 2\n.nodes\n1 T 1 0 0\n2 b0 0 1 -1\n.end\n";
    assert!(manager.from_text(one_node, &bits(&manager)).is_ok());
    let wrong = [
        ("", "line 1: expected a diagram in the format DDDMP"),
        ("MODULE main", "line 1: expected a diagram in the format DDDMP"),
        (&one_node.replace("2.0", "3.0"), "line 1: this version of the format cannot be read, only DDDMP-2.0"),
        (&one_node.replace("mode A", "mode B"), "line 2: the binary form cannot be read, only `.mode A`"),
        (
            &one_node.replace(".varinfo 3", ".varinfo 4"),
            "line 3: nodes without names cannot be read, only `.varinfo 3`",
        ),
        (&one_node.replace("nroots 1", "nroots 2"), "line 4: expected one diagram, `.nroots 1`"),
        (&one_node.replace("rootids 2", "rootids x"), "line 5: expected the number of a node"),
        (&one_node.replace(".rootids 2\n", ""), "line 5: expected `.rootids` before the nodes"),
        (&one_node.replace("rootids 2", "rootids 7"), "line 9: there is no node 7 before this line"),
        (&one_node.replace("1 -1", "5 -1"), "line 8: there is no node 5 before this line"),
        (
            &one_node.replace("1 -1", "1 -9223372036854775808"),
            "line 8: there is no node 9223372036854775808 before this line",
        ),
        (&one_node.replace("1 -1", "1 x"), "line 8: `x` is no number"),
        (&one_node.replace("2 b0", "1 b0"), "line 8: node 1 is there already"),
        (&one_node.replace("b0", "elsewhere"), "line 8: the model has no bit `elsewhere`"),
        (
            &one_node.replace("2 b0 0 1 -1", "2 b0"),
            "line 8: expected a node: its number, bit, place, and two other nodes",
        ),
        (&one_node.replace(".end\n", ""), "line 8: the text ends before `.end`"),
    ];
    for (text, message) in wrong {
        let problem = manager.from_text(text, &bits(&manager)).map(|_| ()).expect_err("it is wrong");
        assert_eq!(problem.to_string(), message, "{text}");
    }
}

const COUNTER: &str = "MODULE main\nVAR x : 0..5; stop : boolean;\nASSIGN init(x) := 0; init(stop) := FALSE;\n\
    next(x) := x < 3 & !stop ? x + 1 : x; next(stop) := {stop, TRUE};\nINVARSPEC x <= 3\nINVARSPEC x <= 2\nINVARSPEC x <= 4";

fn circuit() -> Circuit {
    smv::load("counter.smv", COUNTER.as_bytes(), &smv::LoadOptions::default()).model.expect("it is a model")
}

/// What an engine says of the three invariants, and how many states it has.
fn answers(engine: &Engine<'_>) -> (Vec<bool>, u64) {
    let atoms = engine.space().circuit().atoms.len();
    let holds = |atom: usize| match engine.invariant(AtomId(atom as u32)) {
        Verdict::Holds => true,
        Verdict::Violated(_) => false,
        Verdict::Inconclusive(why) => panic!("{why}"),
    };
    ((0..atoms).map(holds).collect(), engine.statistics().states)
}

#[test]
fn states_from_a_file_give_the_same_answers() {
    let circuit = circuit();
    let computed = Engine::new(&circuit, &LIMITS, Options::default()).expect("it is small");
    let text = computed.states_as_text().expect("all states are known");
    let loaded = Engine::with_states(&circuit, &LIMITS, Options::default(), &text).expect("it was written so");
    assert_eq!(answers(&loaded), (vec![true, false, true], 7));
    assert_eq!(answers(&computed), answers(&loaded));
}

/// Too many states are no lie, only a waste: what holds in all of them may still not hold, and is looked for going back.
#[test]
fn more_states_than_can_be_reached_do_not_change_an_answer() {
    let circuit = circuit();
    let everything = ".ver DDDMP-2.0\n.mode A\n.varinfo 3\n.nroots 1\n.rootids 1\n.nodes\n1 T 1 0 0\n.end\n";
    let loaded = Engine::with_states(&circuit, &LIMITS, Options::default(), everything).expect("no run leaves it");
    assert_eq!(answers(&loaded), (vec![true, false, true], 12));
    assert!(matches!(loaded.deadlock(), Verdict::Holds));
}

#[test]
fn states_that_a_run_leaves_are_refused() {
    let circuit = circuit();
    let refused = |text: &str| {
        Engine::with_states(&circuit, &LIMITS, Options::default(), text).map(|_| ()).expect_err("it is wrong")
    };
    let nodes = |root: i64, nodes: &str| {
        format!(".ver DDDMP-2.0\n.mode A\n.varinfo 3\n.nroots 1\n.rootids {root}\n.nodes\n1 T 1 0 0\n{nodes}.end\n")
    };
    assert_eq!(refused(&nodes(-1, "")), NoStates::WithoutInitial);
    // States that have not stopped, and those that have.
    assert_eq!(refused(&nodes(-2, "2 stop 0 1 -1\n")), NoStates::NotClosed);
    assert_eq!(refused(&nodes(2, "2 stop 0 1 -1\n")), NoStates::WithoutInitial);
}
