//! AIGER: what wrong files are told, and that ASCII and binary files of one graph are one circuit.

use reductio_frontends::aiger::{MAX_FILE_SIZE, load};
use reductio_model::Property;
use reductio_model::circuit::Circuit;

const COUNTER: &str = include_str!("../../../../testdata/models/counter.aag");
/// The same, with the graph in binary.
const BINARY: &[u8] =
    b"aig 10 1 2 0 7 1 0 1\n12\n18\n20\n1\n6\n\x04\x02\x05\x02\x01\x02\x06\x02\x07\x02\x01\x02\x0e\x02\
    i0 enable\nl0 low\nl1 high\nb0 overflow\nj0 high_again_and_again\n";

fn loaded(bytes: &[u8]) -> Circuit {
    load("m", bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn message(bytes: &[u8]) -> String {
    load("m", bytes).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn both_formats_mean_the_same() {
    let (ascii, binary) = (loaded(COUNTER.as_bytes()), loaded(BINARY));
    assert_eq!(ascii.to_string(), binary.to_string());
    assert_eq!((ascii.unassigned(), binary.unassigned()), (1, 1));
    let names: Vec<String> = binary.properties.iter().map(|one| one.name(&binary)).collect();
    assert_eq!(names, ["overflow", "high_again_and_again"]);
}

#[test]
fn resets_constraints_and_outputs() {
    let text = "aag 3 1 2 1 0\n2\n4 4 1\n6 2 6\n5\n";
    let printed = loaded(text.as_bytes()).to_string();
    assert!(printed.contains("init(l0) := TRUE") && !printed.contains("init(l1)"), "{printed}");
    // Without bad states, outputs stand for them.
    let circuit = loaded(text.as_bytes());
    assert!(matches!(circuit.properties[..], [Property::Invariant(_)]), "{:?}", circuit.properties);
    assert_eq!(circuit.invariants[0].name, "o0");
    let constrained = loaded(b"aag 1 1 0 0 0 0 1\n2\n3\n");
    assert!(constrained.to_string().contains("INVAR !i0"), "{constrained}");
}

#[test]
fn what_has_the_same_name_is_told_apart() {
    let text = "aag 3 2 1 0 0\n2\n4\n6 2\ni0 l0\ni1 twice\nl0 twice\n";
    let names = |text: &str| -> Vec<String> {
        loaded(text.as_bytes()).variables.iter().map(|variable| variable.name.clone()).collect()
    };
    assert_eq!(names(text), ["l0", "twice", "twice_l0"]);
    // A name that was given may be that of something without a name.
    assert_eq!(names("aag 2 1 1 0 0\n2\n4 2\ni0 l0\n"), ["l0", "l0_l0"]);
    // Names stay short, however many there are of one.
    let inputs: String = (1..=20_000).map(|number| format!("{}\n", 2 * number)).collect();
    let symbols: String = (0..20_000).map(|number| format!("i{number} a\n")).collect();
    let longest = names(&format!("aag 20000 20000 0 0 0\n{inputs}{symbols}")).iter().map(String::len).max();
    assert_eq!(longest, Some("a_i19999".len()));
}

#[test]
fn wrong_files_are_told_where() {
    let table: [(&[u8], &str); 16] = [
        (b"", "1: the file is empty"),
        (b"module main", "1: not an AIGER file: no `aag` or `aig` header"),
        (
            b"aag 1 2",
            "1: expected the numbers M I L O A after `aag` or `aig`, and at most B C J F, as in `aag 3 2 0 1 1`",
        ),
        (b"aag 1 2 0 0 0\n", "1: the numbers of the header contradict each other"),
        (b"aag 1 1 0 0 0\n", "2: the file ends too early"),
        (b"aag 1 1 0 0 0\n3\n", "2: 3 cannot be defined"),
        (b"aag 1 1 0 0 0\n4\n", "2: 4 is larger than the header allows"),
        (b"aag 1 1 0 0 0\nx\n", "2: expected 1 numbers, found `x`"),
        (b"aag 1 0 1 0 0\n2 3 4\n", "2: a latch starts with 0, 1 or itself, not with 4"),
        (b"aag 2 1 1 0 0\n2\n2 2\n", "1: 2 is defined twice"),
        (b"aag 2 1 0 1 1\n2\n4\n4 4 2\n", "4: 4 depends on itself"),
        (b"aag 3 1 0 1 0\n2\n6\n", "1: 6 is used and not defined"),
        (b"aag 2 1 0 0 1\n2\n2 2 2\n", "1: 2 is defined twice"),
        (b"aag 1 1 0 0 0\n2\nx0 name\n", "3: `x0` is not an input, latch, output or property that can have a name"),
        (b"aig 2 1 0 1 1\n4\n\x00\x00", "at byte 16: the first operand of an `and` is smaller than the `and`"),
        (
            b"aig 2 1 0 1 1\n4\n\xff\xff\xff\xff\xff\xff",
            "at byte 16: the first operand of an `and` is smaller than the `and`",
        ),
    ];
    for (bytes, expected) in table {
        assert_eq!(message(bytes), expected, "{:?}", String::from_utf8_lossy(bytes));
    }
    let large = vec![b'0'; MAX_FILE_SIZE + 1];
    assert!(message(&large).contains("larger than 64 MiB"));
}

#[test]
fn no_file_breaks_the_front_end() {
    for bytes in [COUNTER.as_bytes(), BINARY] {
        for length in 0..bytes.len() {
            message(&bytes[..length]);
            let mut changed = bytes.to_vec();
            changed[length] ^= 0x15;
            message(&changed);
        }
    }
    // A chain of a hundred thousand gates is no deeper than one.
    let ands: String = (2..100_002).map(|n| format!("{} {} 2\n", 2 * n, 2 * n - 1)).collect();
    let chain = format!("aag 100001 1 0 1 100000\n2\n200002\n{ands}");
    assert_eq!(message(chain.as_bytes()), "");
}
