//! Guards against their truth tables.

use crate::common::Random;
use reductio_logic::Valuation;
use reductio_logic::buchi::{Cube, Guard};

const PLACES: usize = 4;

fn random_cube(random: &mut Random) -> Cube {
    (0..PLACES).fold(Cube::TRUE, |cube, place| match random.below(3) {
        0 => cube,
        value => cube.and(Cube::literal(place, value == 1)).expect("each place is named once"),
    })
}

fn random_cubes(random: &mut Random) -> Vec<Cube> {
    (0..random.below(6)).map(|_| random_cube(random)).collect()
}

/// One bit for each valuation.
fn table(holds: impl Fn(Valuation) -> bool) -> u32 {
    (0..1 << PLACES).fold(0, |table, bits| table | u32::from(holds(Valuation(bits))) << bits)
}

const ALL: u32 = (1 << (1 << PLACES)) - 1;

fn table_of(guard: &Guard) -> u32 {
    table(|valuation| guard.is_satisfied(valuation))
}

#[test]
fn guards_compute_like_truth_tables() {
    let mut random = Random::new(13);
    let (mut implied, mut tautologies) = (0, 0);
    for _ in 0..20_000 {
        let (one, other) = (random_cubes(&mut random), random_cubes(&mut random));
        let plain = |cubes: &[Cube]| table(|valuation| cubes.iter().any(|cube| cube.is_satisfied(valuation)));
        let (f, g) = (plain(&one), plain(&other));
        let (one, other) = (Guard::of(one), Guard::of(other));
        assert_eq!((table_of(&one), table_of(&other)), (f, g));
        assert_eq!(table_of(&one.and(&other)), f & g);
        assert_eq!(table_of(&one.or(&other)), f | g);
        assert_eq!(table_of(&one.not()), !f & ALL);
        assert_eq!(one.meets(&other), f & g != 0);
        assert_eq!(one.implies(&other), f & !g == 0);
        assert!(one.implies_one_of([&other, &one]));
        assert_eq!((one.is_false(), one.is_true()), (f == 0, f == ALL));
        implied += usize::from(one.implies(&other));
        tautologies += usize::from(one.is_true());
    }
    assert!(implied > 1000 && tautologies > 500, "{implied} implications and {tautologies} tautologies are too few");
}

#[test]
fn guards_are_short() {
    let cube = |positive, negative| Cube { positive, negative };
    assert_eq!(Guard::of(vec![cube(1, 0), cube(0, 1)]), Guard::truth(true));
    assert_eq!(Guard::of(vec![cube(1, 0), cube(3, 0)]).cubes(), [cube(1, 0)]);
    // a || (!a && b) is a || b.
    assert_eq!(Guard::of(vec![cube(1, 0), cube(2, 1)]).cubes(), [cube(1, 0), cube(2, 0)]);
    // Three cubes of which the last follows from the others: a && b, !a && c, b && c.
    assert_eq!(Guard::of(vec![cube(3, 0), cube(4, 1), cube(6, 0)]).cubes().len(), 2);
    assert!(Guard::of(vec![]).is_false());
}
