use super::{Binary, Expr, Place, Proctype, Program, Statement, Type, Unary, Variable};

fn program(body: Vec<Statement>) -> Program {
    let name = "P".to_owned();
    let process = Proctype { name, active: 1, parameters: Vec::new(), priority: None, provided: None, body };
    let x = Variable::new(Type::Byte, "x");
    Program { globals: vec![x], proctypes: vec![process], ..Program::default() }
}

#[test]
fn operands_have_parentheses_where_they_need_them() {
    let difference = Expr::binary(Binary::Subtract, Expr::name("x"), Expr::Number(-1));
    let negated = Expr::Unary(Unary::Negate, Box::new(Expr::Unary(Unary::Negate, Box::new(difference.clone()))));
    assert_eq!(difference.to_string(), "x - (-1)");
    assert_eq!(negated.to_string(), "-(-(x - (-1)))");
    assert_eq!(Expr::binary(Binary::Multiply, difference, Expr::Number(2)).to_string(), "(x - (-1)) * 2");
}

#[test]
fn options_and_blocks_are_laid_out() {
    let set = |value| Statement::Assign(Place::named("x"), Expr::Number(value));
    let options = vec![vec![Statement::Expr(Expr::name("x")), set(1)], vec![Statement::Else, Statement::Break]];
    let text = program(vec![Statement::Do(options), Statement::Atomic(vec![set(2), set(3)])]).to_string();
    let expected = "\
byte x;
active proctype P() {
  do
  :: x ->
    x = 1
  :: else ->
    break
  od;
  atomic {
    x = 2;
    x = 3
  }
}
";
    assert_eq!(text, expected);
}

#[test]
fn what_spin_refuses_is_not_acceptable() {
    let label = |step| Statement::Label("L".to_owned(), Box::new(step));
    let jump = || Statement::Goto("L".to_owned());
    let set = || Statement::Assign(Place::named("x"), Expr::Number(1));
    assert!(program(vec![label(set()), jump()]).is_acceptable());
    assert!(!program(vec![label(Statement::Skip), jump()]).is_acceptable(), "a loop of nothing");
    assert!(!program(vec![jump()]).is_acceptable(), "nowhere to go");
    assert!(!program(vec![Statement::Do(vec![vec![Statement::Skip]])]).is_acceptable(), "a loop of nothing");
    assert!(!program(vec![Statement::DStep(vec![set(), label(set())]), jump()]).is_acceptable(), "into a d_step");
    assert!(!program(vec![Statement::Atomic(vec![set(), label(set()), jump()])]).is_acceptable(), "never lets go");
    let leave = || Statement::Do(vec![vec![set(), Statement::Break]]);
    assert!(!program(vec![leave(), Statement::DStep(vec![set()])]).is_acceptable(), "break into a d_step");
    let inner = Statement::If(vec![vec![set()], vec![Statement::Else]]);
    assert!(!program(vec![Statement::If(vec![vec![inner], vec![Statement::Else]])]).is_acceptable(), "two else");
}
