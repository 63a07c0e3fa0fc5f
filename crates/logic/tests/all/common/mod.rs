//! Formulas and words to try: all small ones, and random larger ones.

use reductio_logic::lasso::Lasso;
use reductio_logic::ltl::{Formula, Formulas, Node};
use reductio_logic::{Prop, Valuation};
pub use reductio_testing::random::Random;

pub const UNARY: [fn(Formula) -> Node; 4] = [Node::Not, Node::Next, Node::Always, Node::Eventually];
pub const BINARY: [fn(Formula, Formula) -> Node; 8] = Node::BINARY;

/// The propositions `p0` to `p(n-1)`.
pub fn propositions(count: u32) -> Vec<Prop> {
    (0..count).map(Prop).collect()
}

/// All formulas of up to this many operators and operands over two atoms and the constants.
pub fn all_formulas(formulas: &mut Formulas, size: usize) -> Vec<Formula> {
    let mut by_size: Vec<Vec<Formula>> = vec![Vec::new()];
    let atoms = propositions(2).into_iter().map(Node::Atom).chain([Node::True, Node::False]);
    by_size.push(atoms.map(|node| formulas.make(node)).collect());
    for size in 2..=size {
        let mut found = Vec::new();
        for unary in UNARY {
            found.extend(by_size[size - 1].iter().map(|&f| formulas.make(unary(f))));
        }
        for binary in BINARY {
            for left in 1..size - 1 {
                for &f in &by_size[left] {
                    found.extend(by_size[size - 1 - left].iter().map(|&g| formulas.make(binary(f, g))));
                }
            }
        }
        by_size.push(found);
    }
    by_size.concat()
}

/// A random formula of exactly this many operators and operands.
pub fn random_formula(formulas: &mut Formulas, random: &mut Random, size: usize, atoms: usize) -> Formula {
    random_formula_of(formulas, random, size, atoms, &UNARY, &BINARY)
}

pub fn random_formula_of(
    formulas: &mut Formulas,
    random: &mut Random,
    size: usize,
    atoms: usize,
    unary: &[fn(Formula) -> Node],
    binary: &[fn(Formula, Formula) -> Node],
) -> Formula {
    let node = match size {
        1 if random.below(12) == 0 => [Node::True, Node::False][random.below(2)],
        1 => Node::Atom(Prop(random.below(atoms) as u32)),
        2 => unary[random.below(unary.len())](random_formula_of(formulas, random, 1, atoms, unary, binary)),
        _ if random.below(3) == 0 => {
            unary[random.below(unary.len())](random_formula_of(formulas, random, size - 1, atoms, unary, binary))
        }
        _ => {
            let left = 1 + random.below(size - 2);
            let f = random_formula_of(formulas, random, left, atoms, unary, binary);
            let g = random_formula_of(formulas, random, size - 1 - left, atoms, unary, binary);
            binary[random.below(binary.len())](f, g)
        }
    };
    formulas.make(node)
}

/// All words over so many atoms with a stem and a cycle of at most these lengths.
pub fn all_lassos(atoms: u32, longest_stem: usize, longest_cycle: usize) -> Vec<Lasso> {
    let mut found = Vec::new();
    for stem in 0..=longest_stem {
        for cycle in 1..=longest_cycle {
            let bits = atoms * (stem + cycle) as u32;
            for word in 0..1u64 << bits {
                let letter = |at: usize| Valuation(word >> (at as u32 * atoms) & ((1 << atoms) - 1));
                let letters: Vec<Valuation> = (0..stem + cycle).map(letter).collect();
                found.extend(Lasso::new(&letters[..stem], &letters[stem..]));
            }
        }
    }
    found
}

/// Random words over so many atoms.
pub fn random_lassos(random: &mut Random, atoms: usize, count: usize) -> Vec<Lasso> {
    let mut letters = |length: usize| -> Vec<Valuation> {
        (0..length).map(|_| Valuation(random.next() & ((1 << atoms) - 1))).collect()
    };
    let mut lengths = Random::new(count as u64);
    (0..count).filter_map(|_| Lasso::new(&letters(lengths.below(4)), &letters(1 + lengths.below(5)))).collect()
}
