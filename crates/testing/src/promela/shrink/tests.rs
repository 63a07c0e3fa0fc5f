use super::super::generate::{Size, generate};
use super::super::program::{Program, Statement, Visitor};
use super::shrink;
use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

/// Whether some statement is of a kind.
fn contains(program: &Program, suits: fn(&Statement) -> bool) -> bool {
    struct Search(fn(&Statement) -> bool, bool);
    impl Visitor for Search {
        fn statement(&mut self, step: &mut Statement) {
            self.1 |= (self.0)(step);
        }
    }
    let mut search = Search(suits, false);
    program.clone().walk(&mut search);
    search.1
}

fn is_escape(step: &Statement) -> bool {
    matches!(step, Statement::Unless(..))
}

fn first_with(suits: fn(&Statement) -> bool) -> Program {
    (0..).map(|seed| generate(seed, Size::default())).find(|program| contains(program, suits)).expect("endless")
}

#[test]
fn nothing_is_left_but_what_fails() {
    let program = first_with(is_escape);
    let small = shrink(&program, &mut |candidate| contains(candidate, is_escape));
    assert_eq!(small.proctypes.len() + usize::from(small.init.is_some()), 1, "{small}");
    assert!(small.globals.is_empty() && small.channels.is_empty() && small.macros.is_empty(), "{small}");
    let steps = small.to_string().lines().filter(|line| line.contains("skip")).count();
    assert_eq!((steps, small.to_string().lines().count()), (2, 7), "{small}");
}

#[test]
fn what_is_shrunk_is_still_a_program() {
    let mut seen = 0;
    for seed in 0..15 {
        let mut everything_loads = |candidate: &Program| {
            let text = candidate.to_string();
            let loaded = load("shrunk.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes);
            assert!(loaded.model.is_some(), "{}\n{text}", loaded.diagnostics.render(&loaded.sources));
            seen += 1;
            // An arbitrary choice, so that many different candidates are met.
            text.len().is_multiple_of(3)
        };
        shrink(&generate(seed, Size::states(100)), &mut everything_loads);
    }
    assert!(seen > 100);
}
