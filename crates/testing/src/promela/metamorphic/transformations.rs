//! The transformations.

use std::collections::HashMap;

use super::super::program::{
    Binary, Expr, Inline, Macro, MacroBody, PREDEFINED, Program, Sequence, Statement, Type, Variable, Visitor,
    is_declaration,
};
use super::Relation::{self, SameStatesAndVerdict, SameVerdict};
use crate::random::Random;

pub struct Transformation {
    pub name: &'static str,
    pub relation: Relation,
    /// Whether there was anything to transform.
    pub apply: fn(&mut Program, &mut Random) -> bool,
}

pub const ALL: &[Transformation] = &[
    Transformation { name: "rename everything", relation: SameStatesAndVerdict, apply: rename },
    Transformation { name: "reorder proctypes", relation: SameStatesAndVerdict, apply: reorder_proctypes },
    Transformation { name: "reorder globals", relation: SameStatesAndVerdict, apply: reorder_globals },
    Transformation { name: "unused global", relation: SameStatesAndVerdict, apply: unused_global },
    Transformation { name: "expression as macro", relation: SameStatesAndVerdict, apply: expression_as_macro },
    Transformation { name: "statement as macro", relation: SameStatesAndVerdict, apply: statement_as_macro },
    Transformation { name: "statement as inline", relation: SameStatesAndVerdict, apply: statement_as_inline },
    Transformation { name: "statement in braces", relation: SameStatesAndVerdict, apply: statement_in_braces },
    Transformation { name: "statement in atomic", relation: SameStatesAndVerdict, apply: statement_in_atomic },
    Transformation { name: "reverse options", relation: SameStatesAndVerdict, apply: reverse_options },
    Transformation { name: "swap operands", relation: SameStatesAndVerdict, apply: swap_operands },
    Transformation { name: "negate twice", relation: SameStatesAndVerdict, apply: negate_twice },
    Transformation { name: "conjunct that is true", relation: SameStatesAndVerdict, apply: true_conjunct },
    Transformation { name: "insert skips", relation: SameVerdict, apply: insert_skips },
];

/// Names have no meaning, but for the predefined ones and labels that start with `end`.
fn rename(program: &mut Program, _: &mut Random) -> bool {
    struct Rename(HashMap<String, String>);
    impl Visitor for Rename {
        fn name(&mut self, name: &mut String) {
            if !PREDEFINED.contains(&&name[..]) {
                let number = self.0.len();
                let prefix = if name.starts_with("end") { "end" } else { "q" };
                *name = self.0.entry(name.clone()).or_insert_with(|| format!("{prefix}{number}")).clone();
            }
        }
    }
    program.walk(&mut Rename(HashMap::new()));
    true
}

/// Active processes get their pids in the order of the text; those that `run` starts get theirs when they are started,
/// so these may stand anywhere.
fn reorder_proctypes(program: &mut Program, _: &mut Random) -> bool {
    let before = program.proctypes.clone();
    program.proctypes.sort_by_key(|proctype| proctype.active > 0);
    let run = program.proctypes.iter().filter(|proctype| proctype.active == 0).count();
    program.proctypes[..run].reverse();
    program.proctypes != before
}

/// Where a variable lies in the state has no meaning. Initial values are constants.
fn reorder_globals(program: &mut Program, _: &mut Random) -> bool {
    program.globals.reverse();
    program.channels.reverse();
    program.globals.len() > 1 || program.channels.len() > 1
}

/// A variable that is never assigned to has the same value in all states.
fn unused_global(program: &mut Program, _: &mut Random) -> bool {
    program.globals.push(Variable::new(Type::Short, "unused"));
    true
}

/// A macro is its text. Only a whole right-hand side or condition is taken, whose names are those of the place; an
/// argument of an inline would be replaced inside the inline.
fn expression_as_macro(program: &mut Program, random: &mut Random) -> bool {
    let mut taken = None;
    let done = change_some_statement(program, random, |step| match step {
        Statement::Assign(_, expr) | Statement::Expr(expr) | Statement::Assert(expr)
            if !expr.is_probe() && *expr != Expr::Timeout =>
        {
            taken = Some(std::mem::replace(expr, Expr::name("MACRO")));
            true
        }
        _ => false,
    });
    program.macros.extend(taken.map(|expr| Macro {
        name: "MACRO".to_owned(),
        parameters: None,
        body: MacroBody::Expr(expr),
    }));
    done
}

/// A macro is its text.
fn statement_as_macro(program: &mut Program, random: &mut Random) -> bool {
    let mut taken = None;
    let done = change_some_statement(program, random, |step| {
        let fits = is_basic(step);
        if fits {
            taken = Some(std::mem::replace(step, Statement::Call("MACRO".to_owned(), Vec::new())));
        }
        fits
    });
    program.macros.extend(taken.map(|step| Macro {
        name: "MACRO".to_owned(),
        parameters: Some(Vec::new()),
        body: MacroBody::Statements(vec![step]),
    }));
    done
}

/// An inline is its text in braces.
fn statement_as_inline(program: &mut Program, random: &mut Random) -> bool {
    let mut taken = None;
    let done = change_some_statement(program, random, |step| {
        let fits = is_basic(step);
        if fits {
            taken = Some(std::mem::replace(step, Statement::Call("wrapped".to_owned(), Vec::new())));
        }
        fits
    });
    program.inlines.extend(taken.map(|step| Inline {
        name: "wrapped".to_owned(),
        parameters: Vec::new(),
        body: vec![step],
    }));
    done
}

/// Braces only delimit scopes, and a process does not rest at them.
fn statement_in_braces(program: &mut Program, random: &mut Random) -> bool {
    change_some_statement(program, random, |step| {
        let fits = is_basic(step);
        if fits {
            *step = Statement::Block(vec![step.clone()]);
        }
        fits
    })
}

/// The last statement of an atomic sequence gives up the right to move, so one alone never has it. Inside another
/// atomic sequence it would be neither first nor last, and it stays as it is.
fn statement_in_atomic(program: &mut Program, random: &mut Random) -> bool {
    change_some_statement(program, random, |step| {
        let fits = is_basic(step) && !matches!(step, Statement::Send(_) | Statement::Receive(_));
        if fits {
            *step = Statement::Atomic(vec![step.clone()]);
        }
        fits
    })
}

/// Any option that can be taken may be taken, wherever it stands; not so inside `d_step`, where the first one is, and
/// not beside an option that starts with a choice with an `else`, which yields to the options before it.
fn reverse_options(program: &mut Program, random: &mut Random) -> bool {
    change_some_statement(program, random, |step| match step {
        Statement::If(options) | Statement::Do(options)
            if options.len() > 1 && !options.iter().any(starts_with_choice) =>
        {
            options.reverse();
            true
        }
        _ => false,
    })
}

/// Whether there is, or may be, a choice in the place of a guard.
fn starts_with_choice(option: &Sequence) -> bool {
    match option.first() {
        Some(Statement::If(_) | Statement::Do(_) | Statement::Call(..) | Statement::Unless(..)) => true,
        Some(Statement::Atomic(body) | Statement::DStep(body) | Statement::Block(body)) => starts_with_choice(body),
        Some(Statement::Label(_, labelled)) => starts_with_choice(&vec![(**labelled).clone()]),
        _ => false,
    }
}

/// The values are the same, as no operand has an effect or fails. (A divisor is never zero, an index always in range.)
fn swap_operands(program: &mut Program, random: &mut Random) -> bool {
    change_some_expr(program, random, |expr| match expr {
        Expr::Binary(operator, left, right) if is_commutative(*operator) => {
            std::mem::swap(left, right);
            true
        }
        _ => false,
    })
}

fn is_commutative(operator: Binary) -> bool {
    use Binary::*;
    matches!(operator, Multiply | Add | Equal | NotEqual | BitAnd | BitXor | BitOr | And | Or)
}

/// Of a condition only matters whether it is zero.
fn negate_twice(program: &mut Program, random: &mut Random) -> bool {
    change_some_statement(program, random, |step| match step {
        Statement::Expr(expr) | Statement::Assert(expr)
            if !expr.is_probe() && *expr != Expr::Timeout && !may_be_skip(expr) =>
        {
            *expr = expr.clone().not().not();
            true
        }
        _ => false,
    })
}

/// Of a condition only matters whether it is zero.
fn true_conjunct(program: &mut Program, random: &mut Random) -> bool {
    change_some_statement(program, random, |step| match step {
        Statement::Expr(expr) | Statement::Assert(expr) if *expr != Expr::Timeout && !may_be_skip(expr) => {
            *expr =
                Expr::binary(Binary::And, expr.clone(), Expr::binary(Binary::Less, Expr::Number(1), Expr::Number(2)));
            true
        }
        _ => false,
    })
}

/// A step that does nothing can be taken whenever its process comes to it, so it adds no deadlock and takes none away.
/// That a process is not yet where it is going to be can be noticed only by a `timeout`, by questions of who moved last or
/// can move, by priorities, and by an `else` or an `unless` that asks whether it is ready for a rendezvous. None of them may be there.
fn insert_skips(program: &mut Program, random: &mut Random) -> bool {
    if !is_blind_to_delays(program) {
        return false;
    }
    let bodies = program.proctypes.iter_mut().map(|proctype| &mut proctype.body).chain(&mut program.init);
    for body in bodies {
        let declarations = body.iter().take_while(|step| is_declaration(step)).count();
        let place = declarations + random.below(body.len() + 1 - declarations);
        body.insert(place, Statement::Skip);
    }
    true
}

fn is_blind_to_delays(program: &Program) -> bool {
    #[derive(Default)]
    struct Sight {
        timeout: bool,
        last: bool,
        readiness: bool,
    }
    impl Visitor for Sight {
        fn expr(&mut self, expr: &mut Expr) {
            self.timeout |= matches!(expr, Expr::Timeout | Expr::Enabled(_) | Expr::PcValue(_));
        }

        fn name(&mut self, name: &mut String) {
            self.last |= name == "_last";
        }

        fn statement(&mut self, step: &mut Statement) {
            self.readiness |= matches!(step, Statement::Else | Statement::Unless(..));
        }
    }
    let mut sight = Sight::default();
    program.clone().walk(&mut sight);
    let rendezvous = program.has_rendezvous();
    let is_plain = !program.has_priorities() && program.proctypes.iter().all(|proctype| proctype.provided.is_none());
    !(sight.timeout || sight.last || rendezvous && sight.readiness) && is_plain
}

/// A statement that is one step.
fn is_basic(step: &Statement) -> bool {
    match step {
        Statement::Expr(expr) => !may_be_skip(expr),
        Statement::Assign(..)
        | Statement::Increment(_)
        | Statement::Decrement(_)
        | Statement::Assert(_)
        | Statement::Send(_)
        | Statement::Receive(_) => true,
        _ => false,
    }
}

/// A constant, or what may be the name of one. Of several steps in a row that do nothing SPIN keeps one, so one that does
/// nothing must not be made to look as if it did, or the other way round.
fn may_be_skip(expr: &Expr) -> bool {
    matches!(expr, Expr::Number(_) | Expr::Place(_) | Expr::Call(..))
}

/// Changes one statement of a body, chosen from those that can be changed and that stand outside `d_step`, inlines,
/// macros and uninterrupted sequences.
fn change_some_statement(
    program: &mut Program,
    random: &mut Random,
    mut change: impl FnMut(&mut Statement) -> bool,
) -> bool {
    let mut places = 0;
    each_plain_sequence(program, &mut |sequence| places += sequence.len());
    if places == 0 {
        return false;
    }
    let start = random.below(places);
    for place in (start..places).chain(0..start) {
        let (mut at, mut done) = (0, false);
        each_plain_sequence(program, &mut |sequence| {
            if !done && (at..at + sequence.len()).contains(&place) {
                done = change(&mut sequence[place - at]);
                at = usize::MAX / 2;
            }
            at += sequence.len();
        });
        if done {
            return true;
        }
    }
    false
}

/// The sequences that a process can be interrupted in, of all bodies.
fn each_plain_sequence(program: &mut Program, visit: &mut dyn FnMut(&mut Sequence)) {
    fn descend(sequence: &mut Sequence, visit: &mut dyn FnMut(&mut Sequence)) {
        for step in sequence.iter_mut() {
            descend_statement(step, visit);
        }
        visit(sequence);
    }
    fn descend_statement(step: &mut Statement, visit: &mut dyn FnMut(&mut Sequence)) {
        match step {
            Statement::Label(_, labelled) => descend_statement(labelled, visit),
            Statement::If(options) | Statement::Do(options) => {
                options.iter_mut().for_each(|option| descend(option, visit));
            }
            Statement::For(_, _, _, body) | Statement::ForIn(_, _, body) | Statement::Block(body) => {
                descend(body, visit)
            }
            Statement::Unless(main, escape) => {
                descend(main, visit);
                descend(escape, visit);
            }
            _ => {}
        }
    }
    let bodies = program.proctypes.iter_mut().map(|proctype| &mut proctype.body).chain(&mut program.init);
    bodies.for_each(|body| descend(body, visit));
}

fn change_some_expr(program: &mut Program, random: &mut Random, change: impl Fn(&mut Expr) -> bool) -> bool {
    struct Change<'a, F> {
        change: &'a F,
        /// Which of the expressions that can be changed is; none if they are only counted.
        chosen: Option<usize>,
        seen: usize,
    }
    impl<F: Fn(&mut Expr) -> bool> Visitor for Change<'_, F> {
        fn expr(&mut self, expr: &mut Expr) {
            let mut changed = expr.clone();
            if (self.change)(&mut changed) {
                if self.chosen == Some(self.seen) {
                    *expr = changed;
                }
                self.seen += 1;
            }
        }
    }
    let mut count = Change { change: &change, chosen: None, seen: 0 };
    program.clone().walk(&mut count);
    if count.seen == 0 {
        return false;
    }
    let chosen = Some(random.below(count.seen));
    program.walk(&mut Change { change: &change, chosen, seen: 0 });
    true
}
