//! Diagrams stay what they are when the order of the bits changes, and get smaller where it was bad.

use reductio_model::Budget;
use reductio_symbolic::bdd::{Bdd, Bit, Manager};
use reductio_symbolic::{Engine, Options};
use reductio_testing::smv::{LIMITS, loaded};

/// That the first bits are the same as the last ones.
fn halves_are_equal(manager: &Manager<'_>, pairs: u32) -> Bdd {
    let bit = |number| manager.bit(manager.bit_at(number)).expect("it is small");
    let mut all = manager.truth(true);
    for number in 0..pairs {
        let same = manager.equal(&bit(number), &bit(number + pairs)).expect("it is small");
        all = manager.and(&all, &same).expect("it is small");
    }
    all
}

#[test]
fn a_better_order_is_found_and_sets_stay_the_same() {
    let pairs = 8;
    let manager = Manager::new(2 * pairs, &LIMITS);
    let set = halves_are_equal(&manager, pairs);
    let other = manager.minus(&manager.bit(manager.bit_at(3)).expect("it is small"), &set).expect("it is small");
    let (size, count, other_count) =
        (manager.node_count(&set), manager.count(&set, 2 * pairs), manager.count(&other, 2 * pairs));
    manager.reorder();
    assert!(size > 500 && manager.node_count(&set) < 40, "{size}, then {}", manager.node_count(&set));
    assert_eq!((manager.count(&set, 2 * pairs), manager.count(&other, 2 * pairs)), (count, other_count));
    // The same set is the same diagram, in the new order, too.
    assert!(halves_are_equal(&manager, pairs) == set);
    let picked = manager.pick(&set).expect("it is not empty");
    assert_eq!(picked[..pairs as usize], picked[pairs as usize..]);
    let mut order: Vec<usize> = manager.order().into_iter().map(Bit::index).collect();
    order.sort_unstable();
    assert_eq!(order, (0..2 * pairs as usize).collect::<Vec<_>>());
}

#[test]
fn pairs_become_neighbours_and_stay_so() {
    let pairs = 6;
    let mut manager = Manager::new(2 * pairs, &LIMITS);
    let partners: Vec<(Bit, Bit)> =
        (0..pairs).map(|number| (manager.bit_at(number), manager.bit_at(number + pairs))).collect();
    manager.reorder_when_large(&partners, 100_000);
    // Each bit of the first half is the same as the next one's partner, so that blocks want to move.
    let bit = |number| manager.bit(manager.bit_at(number)).expect("it is small");
    let mut set = manager.truth(true);
    for number in 0..pairs {
        let same = manager.equal(&bit(number), &bit(pairs + (number + 3) % pairs)).expect("it is small");
        set = manager.and(&set, &same).expect("it is small");
    }
    manager.reorder();
    let order = manager.order();
    let place = |bit: Bit| order.iter().position(|other| *other == bit).expect("every bit has a place");
    for (one, other) in partners {
        assert_eq!(place(one).abs_diff(place(other)), 1, "{order:?}");
    }
}

/// An array that is declared before its index: with the bits in this order, what is read of it would be remembered for all
/// elements at once, which is beyond any memory.
#[test]
fn an_index_comes_before_its_array() {
    let text = "MODULE main\nVAR a : array 0..7 of 0..15; x : 0..15; i : 0..7;\n\
        ASSIGN init(i) := 0; next(i) := (i + 1) mod 8; init(x) := 0; next(x) := a[i];\n\
        next(a[0]) := a[0]; next(a[1]) := a[1]; next(a[2]) := a[2]; next(a[3]) := a[3];\n\
        next(a[4]) := a[4]; next(a[5]) := a[5]; next(a[6]) := a[6]; next(a[7]) := a[7];\n";
    let circuit = loaded(text);
    let limits = Budget { memory: Some(8 << 20), ..LIMITS };
    let options = Options { fixed_order: true, ..Options::default() };
    let engine = Engine::new(&circuit, &limits, options).map_err(|stop| stop.0).expect("there is room enough");
    assert!(engine.reached().stopped.is_none(), "{:?}", engine.statistics());
    // Eight elements of four bits; x is 0 at first, and then one of them.
    assert_eq!(engine.statistics().states, (9 << 32) - (1 << 28));
}
