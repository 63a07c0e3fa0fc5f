//! Guards as text, with signs and names as a format wants them.

use crate::buchi::{Cube, Guard};

/// How a format writes guards.
pub(super) struct Notation<F: Fn(usize) -> String> {
    /// The name of the proposition at a place.
    pub name: F,
    pub and: &'static str,
    pub or: &'static str,
    pub truth: &'static str,
    pub falsity: &'static str,
}

impl<F: Fn(usize) -> String> Notation<F> {
    pub fn guard(&self, guard: &Guard) -> String {
        if guard.is_false() {
            return self.falsity.to_owned();
        }
        guard.cubes().iter().map(|&cube| self.cube(cube)).collect::<Vec<String>>().join(self.or)
    }

    fn cube(&self, cube: Cube) -> String {
        if cube == Cube::TRUE {
            return self.truth.to_owned();
        }
        let literal = |place: usize| {
            let sign = if cube.negative >> place & 1 == 1 { "!" } else { "" };
            format!("{sign}{}", (self.name)(place))
        };
        cube.places().map(literal).collect::<Vec<String>>().join(self.and)
    }
}
