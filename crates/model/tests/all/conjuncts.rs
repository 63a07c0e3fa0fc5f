//! The parts of a condition hold together where it holds, and nowhere else.

use reductio_model::circuit::{Circuit, Domain, Evaluator, ExprId, Variable, VariableKind};
use reductio_testing::random::Random;

const VARIABLES: usize = 4;

fn condition(circuit: &mut Circuit, variables: &[ExprId], random: &mut Random, depth: usize) -> ExprId {
    if depth == 0 {
        return variables[random.below(VARIABLES)];
    }
    let one = condition(circuit, variables, random, depth - 1);
    let other = condition(circuit, variables, random, depth - 1);
    match random.below(6) {
        0 | 1 => circuit.expressions.and(one, other),
        2 => circuit.expressions.or(one, other),
        3 => circuit.expressions.implies(one, other),
        4 => circuit.expressions.not(one),
        _ => {
            let chooses = condition(circuit, variables, random, 0);
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
        let whole = condition(&mut circuit, &variables, &mut Random::new(start), 4);
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
