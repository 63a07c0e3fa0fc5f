//! The parts of a condition hold together where it holds, and nowhere else.

use reductio_model::circuit::{Circuit, Domain, Evaluator, ExprId, Variable, VariableKind};

const VARIABLES: usize = 4;

/// A condition that a number stands for.
fn condition(circuit: &mut Circuit, variables: &[ExprId], seed: &mut u64, depth: usize) -> ExprId {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let choice = (*seed >> 33) as usize;
    if depth == 0 {
        return variables[choice % VARIABLES];
    }
    let one = condition(circuit, variables, seed, depth - 1);
    let other = condition(circuit, variables, seed, depth - 1);
    match choice % 6 {
        0 | 1 => circuit.expressions.and(one, other),
        2 => circuit.expressions.or(one, other),
        3 => circuit.expressions.implies(one, other),
        4 => circuit.expressions.not(one),
        _ => {
            let chooses = condition(circuit, variables, seed, 0);
            circuit.expressions.choose(chooses, one, other)
        }
    }
}

#[test]
fn parts_are_the_whole() {
    let mut several = 0;
    for start in 0..500 {
        let mut circuit = Circuit::default();
        let variables: Vec<ExprId> = (0..VARIABLES)
            .map(|number| {
                let (name, kind) = (format!("x{number}"), VariableKind::State);
                let id = circuit.add_variable(Variable { name, kind, domain: Domain::Boolean, hidden: false });
                circuit.read(id, false)
            })
            .collect();
        let whole = condition(&mut circuit, &variables, &mut { start }, 4);
        let parts = circuit.expressions.conjuncts(whole);
        several += usize::from(parts.len() > 1);
        let mut evaluator = Evaluator::new(&circuit);
        for values in 0..1 << VARIABLES {
            evaluator.forget();
            let mut holds = |expr| evaluator.value(expr, &|id, _| i64::from(values >> id.index() & 1 == 1)) != 0;
            let all = parts.iter().all(|part| holds(*part));
            assert_eq!(all, holds(whole), "condition {start}, values {values:b}");
        }
    }
    assert!(several > 100, "{several} conditions have several parts");
}
