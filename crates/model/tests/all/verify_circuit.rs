//! Every rule of the verifier of circuits is broken once, in a circuit that is otherwise right. Expressions that cannot be made
//! from outside are broken in the verifier's own file.

use reductio_model::circuit::{
    Assignment, Binary, Choice, Circuit, CircuitAtom, Domain, ExprId, Moment, Obligation, Type, Variable, VariableId,
    VariableKind, verify,
};
use reductio_model::{AtomId, ClaimId, FileId, Invariant, Position, Property};

const B: VariableId = VariableId(0);
const N: VariableId = VariableId(1);
const I: VariableId = VariableId(2);
const C: VariableId = VariableId(3);
const W: VariableId = VariableId(4);

/// Two variables that change, an input, a colour that does not change, and a word that follows from the others.
fn circuit() -> Circuit {
    let mut circuit = Circuit::default();
    let mut add = |name: &str, kind, domain| {
        circuit.add_variable(Variable { name: name.to_owned(), kind, domain, hidden: false });
    };
    add("b", VariableKind::State, Domain::Boolean);
    add("n", VariableKind::State, Domain::Range { low: 0, high: 3 });
    add("i", VariableKind::Input, Domain::Boolean);
    add("c", VariableKind::Frozen, Domain::Values(vec![(7, "red".to_owned()), (8, "blue".to_owned())]));
    add("w", VariableKind::State, Domain::Word { width: 4, signed: false });

    let (b, n, i, w) = (circuit.read(B, false), circuit.read(N, false), circuit.read(I, false), circuit.read(W, false));
    let (next_b, next_n) = (circuit.read(B, true), circuit.read(N, true));
    let one = circuit.expressions.integer(1);
    let sum = circuit.expressions.binary(Binary::Add, n, one);
    let rest = circuit.expressions.binary(Binary::Remainder, sum, one);
    circuit.assign(N, Moment::Init, Choice::Range(0, 2));
    circuit.assign(N, Moment::Next, Choice::If(i, Box::new(Choice::Value(rest)), Box::new(Choice::Value(n))));
    let less = circuit.expressions.less(next_n, n);
    let no = circuit.expressions.not(b);
    circuit.assign(B, Moment::Next, Choice::Any(vec![Choice::Value(less), Choice::Value(no)]));
    let shifted = circuit.expressions.cast(n, Type::Word { width: 4, signed: false });
    circuit.assign(W, Moment::Always, Choice::Value(shifted));

    let changes = circuit.expressions.binary(Binary::Xor, b, next_b);
    circuit.trans.push(changes);
    circuit.init.push(no);
    let two = circuit.expressions.constant(2, Type::Word { width: 4, signed: false });
    let above = circuit.expressions.less(w, two);
    circuit.invar.push(above);
    circuit.justice.push(i);
    circuit.compassion.push((b, no));
    circuit.atom(b, "b");
    let position = Position { file: FileId(0), line: 1, column: 1 };
    circuit.obligations.push(Obligation { condition: changes, message: "odd".to_owned(), position });
    circuit
}

/// An expression that only a larger circuit has.
fn of_another(circuit: &Circuit) -> ExprId {
    circuit.clone().expressions.integer(1000)
}

fn number(circuit: &mut Circuit) -> ExprId {
    circuit.read(N, false)
}

fn assign(circuit: &mut Circuit, target: VariableId, moment: Moment, choice: Choice) {
    circuit.assignments.clear();
    circuit.assign(target, moment, choice);
}

#[test]
fn a_right_circuit_passes() {
    assert_eq!(verify(&circuit()), Ok(()));
}

/// What the verifier should say, and what breaks the circuit.
type Break = (&'static str, fn(&mut Circuit));

fn check(breaks: &[Break]) {
    for (message, break_it) in breaks {
        let mut circuit = circuit();
        break_it(&mut circuit);
        let errors = verify(&circuit).expect_err(message);
        assert!(errors.iter().any(|error| error.contains(message)), "expected `{message}`, got {errors:?}");
    }
}

#[test]
fn broken_variables_are_told() {
    let values = |circuit: &mut Circuit, values: &[(i64, &str)]| {
        let values = values.iter().map(|(value, name)| (*value, (*name).to_owned()));
        circuit.variables[C.index()].domain = Domain::Values(values.collect());
    };
    // A closure with a name cannot be called by functions, so these come as circuits.
    for (message, list) in [
        ("`c` has no values", &[][..]),
        ("`c` has a value twice", &[(7, "red"), (7, "blue")]),
        ("two values of `c` have one name", &[(7, "red"), (8, "red")]),
    ] {
        let mut circuit = circuit();
        values(&mut circuit, list);
        let errors = verify(&circuit).expect_err(message);
        assert!(errors.iter().any(|error| error == message), "expected `{message}`, got {errors:?}");
    }
    check(&[
        ("two variables are called `b`", |circuit| circuit.variables[N.index()].name = "b".to_owned()),
        ("`n` cannot be in 3..2", |circuit| circuit.variables[N.index()].domain = Domain::Range { low: 3, high: 2 }),
        ("`n` cannot be in", |circuit| {
            circuit.variables[N.index()].domain = Domain::Range { low: i64::MIN, high: i64::MAX };
        }),
        ("`w` is a word of 63 bits", |circuit| {
            circuit.variables[W.index()].domain = Domain::Word { width: 63, signed: false };
        }),
        ("`w` is a word of 0 bits", |circuit| {
            circuit.variables[W.index()].domain = Domain::Word { width: 0, signed: false };
        }),
    ]);
}

#[test]
fn what_the_user_does_not_see_may_be_called_anything() {
    let mut circuit = circuit();
    circuit.variables[N.index()].name = "b".to_owned();
    circuit.variables[N.index()].hidden = true;
    assert_eq!(verify(&circuit), Ok(()));
}

#[test]
fn unknown_expressions_are_told() {
    check(&[
        ("INIT is made of an expression that does not exist", |circuit| circuit.init.push(of_another(circuit))),
        ("TRANS is made of", |circuit| circuit.trans.push(of_another(circuit))),
        ("INVAR is made of", |circuit| circuit.invar.push(of_another(circuit))),
        ("JUSTICE is made of", |circuit| circuit.justice.push(of_another(circuit))),
        ("COMPASSION is made of", |circuit| circuit.compassion[0].1 = of_another(circuit)),
        ("an atom is made of", |circuit| circuit.atoms[0].expr = of_another(circuit)),
        ("an obligation is made of", |circuit| circuit.obligations[0].condition = of_another(circuit)),
        ("an assignment is made of", |circuit| circuit.assignments[0].constraint = of_another(circuit)),
        ("an assignment is made of", |circuit| {
            circuit.assignments[0].choice = Choice::Any(vec![Choice::Value(of_another(circuit))]);
        }),
        ("a variable that does not exist is assigned to", |circuit| circuit.assignments[0].target = VariableId(9)),
    ]);
}

#[test]
fn types_that_do_not_fit_are_told() {
    check(&[
        // Operands of two types.
        ("do not fit", |circuit| truth_and_number(circuit, Binary::And)),
        ("do not fit", |circuit| truth_and_number(circuit, Binary::Equal)),
        ("do not fit", |circuit| truth_and_number(circuit, Binary::Less)),
        ("do not fit", |circuit| truth_and_number(circuit, Binary::Add)),
        // Truth values are not computed with.
        ("do not fit", |circuit| {
            let (b, i) = (circuit.read(B, false), circuit.read(I, false));
            circuit.expressions.binary(Binary::Add, b, i);
        }),
        // The amount of a shift has no sign.
        ("do not fit", |circuit| {
            let w = circuit.read(W, false);
            let amount = circuit.expressions.cast(w, Type::Word { width: 4, signed: true });
            circuit.expressions.binary(Binary::ShiftRight, w, amount);
        }),
        ("do not fit", |circuit| {
            let (n, b, i) = (number(circuit), circuit.read(B, false), circuit.read(I, false));
            circuit.expressions.choose(n, b, i);
        }),
        ("do not fit", |circuit| {
            let (n, b) = (number(circuit), circuit.read(B, false));
            circuit.expressions.choose(b, n, b);
        }),
        // There are not so many bits.
        ("do not fit", |circuit| {
            let w = circuit.read(W, false);
            circuit.expressions.extract(w, 4, 3);
        }),
        ("do not fit", |circuit| {
            let (w, b) = (circuit.read(W, false), circuit.read(B, false));
            circuit.expressions.binary(Binary::Concatenate, w, b);
        }),
        // Constants are of their types.
        ("do not fit", |circuit| constant(circuit, 2, Type::Boolean)),
        ("do not fit", |circuit| constant(circuit, -1, Type::Word { width: 4, signed: false })),
    ]);
}

fn truth_and_number(circuit: &mut Circuit, operator: Binary) {
    let (n, b) = (number(circuit), circuit.read(B, false));
    circuit.expressions.binary(operator, b, n);
}

fn constant(circuit: &mut Circuit, value: i64, ty: Type) {
    circuit.expressions.constant(value, ty);
}

#[test]
fn variables_read_as_something_else_are_told() {
    check(&[
        // The expressions are about a number that was smaller.
        ("`n` is read as something that it is not", |circuit| {
            circuit.variables[N.index()].domain = Domain::Range { low: 0, high: 4 };
        }),
        ("`w` is read as something that it is not", |circuit| {
            circuit.variables[W.index()].domain = Domain::Word { width: 4, signed: true };
        }),
        ("the next value of the input `i` is read", |circuit| {
            let next = circuit.read(I, true);
            circuit.trans.push(next);
        }),
    ]);
    // What nothing is made of does not matter.
    let mut circuit = circuit();
    circuit.read(I, true);
    assert_eq!(verify(&circuit), Ok(()));
}

#[test]
fn what_is_no_condition_is_told() {
    check(&[
        ("INIT is no condition", |circuit| circuit.init = vec![number(circuit)]),
        ("INIT looks at inputs", |circuit| circuit.init = vec![circuit.read(I, false)]),
        ("INIT looks at the next state", |circuit| circuit.init = vec![circuit.read(B, true)]),
        ("INVAR is no condition", |circuit| circuit.invar = vec![number(circuit)]),
        ("INVAR looks at inputs", |circuit| circuit.invar = vec![circuit.read(I, false)]),
        ("INVAR looks at the next state", |circuit| circuit.invar = vec![circuit.read(B, true)]),
        ("TRANS is no condition", |circuit| circuit.trans = vec![number(circuit)]),
        ("JUSTICE is no condition", |circuit| circuit.justice = vec![number(circuit)]),
        ("JUSTICE looks at the next state", |circuit| circuit.justice = vec![circuit.read(B, true)]),
        ("COMPASSION is no condition", |circuit| circuit.compassion[0].0 = number(circuit)),
        ("COMPASSION looks at inputs", |circuit| circuit.compassion[0].1 = circuit.read(I, false)),
        ("COMPASSION looks at the next state", |circuit| circuit.compassion[0].1 = circuit.read(B, true)),
        ("the atom `n` is no condition", |circuit| {
            let expr = number(circuit);
            circuit.atoms.push(CircuitAtom { text: "n".to_owned(), expr });
        }),
        ("the atom `b` looks at the next state", |circuit| circuit.atoms[0].expr = circuit.read(B, true)),
        ("the obligation `odd` is no condition", |circuit| circuit.obligations[0].condition = number(circuit)),
    ]);
}

#[test]
fn broken_assignments_are_told() {
    check(&[
        ("the input `i` is assigned to", |circuit| {
            let truth = circuit.expressions.truth(true);
            circuit.assign(I, Moment::Next, Choice::Value(truth));
        }),
        ("`n` is assigned twice", |circuit| circuit.assign(N, Moment::Init, Choice::Range(1, 1))),
        ("`n` is assigned twice", |circuit| circuit.assign(N, Moment::Always, Choice::Range(1, 1))),
        ("`w` is assigned twice", |circuit| {
            let w = circuit.read(W, false);
            circuit.assign(W, Moment::Next, Choice::Value(w));
        }),
        ("what is assigned to `b` is of another type", |circuit| {
            let n = number(circuit);
            assign(circuit, B, Moment::Init, Choice::Value(n));
        }),
        ("what is assigned to `b` is of another type", |circuit| assign(circuit, B, Moment::Init, Choice::Range(0, 1))),
        ("nothing can be assigned to `n`", |circuit| assign(circuit, N, Moment::Init, Choice::Range(1, 0))),
        ("nothing can be assigned to `n`", |circuit| assign(circuit, N, Moment::Init, Choice::Any(Vec::new()))),
        ("what decides the value of `n` is no condition", |circuit| {
            let n = number(circuit);
            let choices = (Box::new(Choice::Range(0, 1)), Box::new(Choice::Range(0, 1)));
            let constraint = circuit.assignments[0].constraint;
            let choice = Choice::If(n, choices.0, choices.1);
            circuit.assignments = vec![Assignment { target: N, moment: Moment::Init, choice, constraint }];
        }),
        ("what is assigned to `b` looks at inputs", |circuit| {
            let i = circuit.read(I, false);
            assign(circuit, B, Moment::Always, Choice::Value(i));
        }),
        ("what is assigned to `b` looks at the next state", |circuit| {
            let next = circuit.read(B, true);
            assign(circuit, B, Moment::Init, Choice::Value(next));
        }),
        ("the constraint of `n` is not that it has an assigned value", |circuit| {
            circuit.assignments[0].choice = Choice::Range(0, 1);
        }),
    ]);
}

#[test]
fn circles_are_told() {
    check(&[
        ("assignments depend on each other: b", |circuit| {
            let no = circuit.expressions.not(circuit.atoms[0].expr);
            assign(circuit, B, Moment::Init, Choice::Value(no));
        }),
        ("assignments depend on each other: b", |circuit| {
            let next = circuit.read(B, true);
            assign(circuit, B, Moment::Next, Choice::Value(next));
        }),
        // Through what is always assigned.
        ("assignments depend on each other: n, w", |circuit| {
            let (next_w, n) = (circuit.read(W, true), circuit.read(N, false));
            let as_number = circuit.expressions.cast(next_w, Type::Integer);
            let as_word = circuit.expressions.cast(n, Type::Word { width: 4, signed: false });
            assign(circuit, N, Moment::Next, Choice::Value(as_number));
            circuit.assign(W, Moment::Always, Choice::Value(as_word));
        }),
    ]);
}

#[test]
fn what_is_asked_and_not_there_is_told() {
    check(&[
        ("Claim(ClaimId(0)) is asked and not there", |circuit| circuit.properties.push(Property::Claim(ClaimId(0)))),
        ("Assertions is asked and not there", |circuit| circuit.properties.push(Property::Assertions)),
        ("invariant p has an unknown atom", |circuit| {
            circuit.ask_invariant(Invariant { name: "p".to_owned(), atom: AtomId(9), position: None });
        }),
    ]);
}
