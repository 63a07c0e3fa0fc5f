//! Rotational symmetry: groups of permutations that are smaller than all permutations of their columns, rings that can be rotated
//! and mirrored.

use super::Finder;
use crate::on_the_fly::symmetry::{Column, Permutation};

/// Larger groups are not listed.
const MOST_TURNS: usize = 64;

/// The permutations of columns of which no two can be exchanged: processes in a ring can still change places, all at
/// once. Rings are expected to be in the order of their processes.
pub(super) fn turns(finder: &mut Finder<'_>, alone: &[Column]) -> Vec<Permutation> {
    let mut classes: Vec<Vec<Column>> = Vec::new();
    for &column in alone {
        match classes.iter_mut().find(|class| finder.are_comparable(class[0], column)) {
            Some(class) => class.push(column),
            None => classes.push(vec![column]),
        }
    }
    let identity = Permutation::identity(finder.meanings.symmetry.columns.len());
    let moved = |classes: &[&Vec<Column>], place: &dyn Fn(usize, usize) -> usize| {
        let mut images = identity.clone();
        for class in classes {
            for (index, &column) in class.iter().enumerate() {
                images.0[usize::from(column)] = class[place(index, class.len())];
            }
        }
        images
    };
    let mut sizes: Vec<usize> = classes.iter().map(Vec::len).filter(|&size| size > 1).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut turns = vec![identity.clone()];
    for size in sizes {
        let all: Vec<&Vec<Column>> = classes.iter().filter(|class| class.len() == size).collect();
        for class in all.iter().map(|class| vec![*class]).chain((all.len() > 1).then(|| all.clone())) {
            let forward = moved(&class, &|index, count| (index + 1) % count);
            let backward = moved(&class, &|index, count| count - 1 - index);
            for candidate in [forward, backward] {
                if !turns.contains(&candidate) && finder.check(&candidate).is_ok() {
                    extend(&mut turns, &candidate);
                }
            }
        }
    }
    if turns.len() > 1 { turns } else { Vec::new() }
}

/// Adds a permutation to a group, and what it makes with the others, if they do not become too many.
fn extend(group: &mut Vec<Permutation>, generator: &Permutation) {
    let mut larger = group.clone();
    let mut next = 0;
    while let Some(permutation) = larger.get(next) {
        let mut products = vec![generator.after(permutation)];
        products.extend(group.iter().map(|other| other.after(permutation)));
        products.into_iter().for_each(|product| {
            if !larger.contains(&product) {
                larger.push(product);
            }
        });
        if larger.len() > MOST_TURNS {
            return;
        }
        next += 1;
    }
    *group = larger;
}
