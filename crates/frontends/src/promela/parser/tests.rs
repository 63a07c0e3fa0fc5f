//! Programs and the trees they make, printed in a short form that shows how things were grouped.

use super::super::ast::*;
use super::super::{ExpressionKind, NoIncludes, ParseOptions, Parsed, parse, parse_expression};

fn parsed(text: &str) -> Parsed {
    let parsed = parse("m.pml", text.as_bytes(), &ParseOptions::default(), &NoIncludes);
    assert!(!parsed.diagnostics.has_errors(), "{}", parsed.diagnostics.render(&parsed.sources));
    parsed
}

fn expression(text: &str) -> String {
    let parsed = parsed(&format!("proctype P() {{ skip }} init {{ ({text}) }}"));
    match parsed.program.units.last() {
        Some(Unit::Init(init)) => match init.body.steps.as_slice() {
            [Step::Statement(Statement { kind: StatementKind::Expression(expression), .. })] => shown(expression),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn formula(text: &str) -> String {
    match parsed(&format!("ltl {{ {text} }}")).program.units.as_slice() {
        [Unit::Ltl(ltl)] => shown(&ltl.formula),
        other => panic!("{other:?}"),
    }
}

/// A formula of computation trees.
fn tree(text: &str) -> String {
    let mut parsed = parsed("byte AG, A;");
    let Parsed { vocabulary, sources, diagnostics, .. } = &mut parsed;
    let parsed = parse_expression("<ctl>", text, ExpressionKind::Branching, vocabulary, sources, diagnostics);
    shown(&parsed.expect("it is a formula"))
}

/// The steps of `init { text }`, which may be preceded by other units.
fn steps(before: &str, text: &str) -> String {
    match parsed(&format!("{before}\ninit {{ {text} }}")).program.units.last() {
        Some(Unit::Init(init)) => shown_block(&init.body),
        other => panic!("{other:?}"),
    }
}

fn shown_reference(reference: &VarRef) -> String {
    let part = |part: &RefPart| match &part.index {
        Some(index) => format!("{}[{}]", part.name.text, shown(index)),
        None => part.name.text.clone(),
    };
    reference.parts.iter().map(part).collect::<Vec<_>>().join(".")
}

fn shown_list(expressions: &[Expr]) -> String {
    expressions.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn shown_arguments(arguments: &[ReceiveArgument]) -> String {
    let argument = |argument: &ReceiveArgument| match argument {
        ReceiveArgument::Plain(reference) => shown_reference(reference),
        ReceiveArgument::Eval(expression) => format!("eval {}", shown(expression)),
        ReceiveArgument::Constant(value, _) => format!("#{value}"),
    };
    arguments.iter().map(argument).collect::<Vec<_>>().join(", ")
}

fn shown(expression: &Expr) -> String {
    let pid = |pid: &Option<Box<Expr>>| pid.as_ref().map(|pid| format!("[{}]", shown(pid))).unwrap_or_default();
    match &expression.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Reference(reference) => shown_reference(reference),
        ExprKind::Unary(operator, operand) => format!("({operator:?} {})", shown(operand)),
        ExprKind::Binary(operator, left, right) => format!("({} {operator:?} {})", shown(left), shown(right)),
        ExprKind::Conditional(c, a, b) => format!("({} ? {} : {})", shown(c), shown(a), shown(b)),
        ExprKind::Run { proctype, arguments, .. } => format!("run {}({})", proctype.text, shown_list(arguments)),
        ExprKind::Query(query, channel) => format!("{query:?}({})", shown_reference(channel)),
        ExprKind::Poll { channel, random, arguments } => {
            let sign = if *random { "??" } else { "?" };
            format!("{}{sign}[{}]", shown_reference(channel), shown_arguments(arguments))
        }
        ExprKind::RemoteLabel { proctype, pid: p, label } => format!("{}{}@{}", proctype.text, pid(p), label.text),
        ExprKind::RemoteVariable { proctype, pid: p, variable } => {
            format!("{}{}:{}", proctype.text, pid(p), shown_reference(variable))
        }
        ExprKind::Temporal1(operator, operand) => format!("({operator:?} {})", shown(operand)),
        ExprKind::Temporal2(operator, left, right) => format!("({} {operator:?} {})", shown(left), shown(right)),
        ExprKind::Runs(runs, path) => format!("({runs:?} {})", shown(path)),
        ExprKind::Timeout => "timeout".to_string(),
        ExprKind::NonProgress => "np_".to_string(),
        ExprKind::Enabled(pid) => format!("enabled({})", shown(pid)),
        ExprKind::PcValue(pid) => format!("pc_value({})", shown(pid)),
        ExprKind::GetPriority(pid) => format!("get_priority({})", shown(pid)),
    }
}

fn shown_block(block: &Block) -> String {
    let step = |step: &Step| match step {
        Step::Declaration(declaration) => {
            let names: Vec<&str> = declaration.variables.iter().map(|variable| variable.name.text.as_str()).collect();
            format!("declare {}", names.join(", "))
        }
        Step::Exclusive(exclusive) => format!("exclusive {}", exclusive.channels.len()),
        Step::Statement(statement) => shown_statement(statement),
    };
    block.steps.iter().map(step).collect::<Vec<_>>().join("; ")
}

fn shown_options(options: &[Block]) -> String {
    options.iter().map(|option| format!(":: {}", shown_block(option))).collect::<Vec<_>>().join(" ")
}

fn shown_statement(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Labeled { label, statement } => format!("{}: {}", label.text, shown_statement(statement)),
        StatementKind::Unless { main, escape } => {
            format!("{{{} unless {}}}", shown_statement(main), shown_statement(escape))
        }
        StatementKind::If(options) => format!("if {} fi", shown_options(options)),
        StatementKind::Do(options) => format!("do {} od", shown_options(options)),
        StatementKind::ForRange { index, low, high, body } => {
            format!("for {} {}..{} {{{}}}", shown_reference(index), shown(low), shown(high), shown_block(body))
        }
        StatementKind::ForIn { index, collection, body } => {
            let (index, collection) = (shown_reference(index), shown_reference(collection));
            format!("for {index} in {collection} {{{}}}", shown_block(body))
        }
        StatementKind::Select { index, low, high } => {
            format!("select {} {}..{}", shown_reference(index), shown(low), shown(high))
        }
        StatementKind::Atomic(block) => format!("atomic {{{}}}", shown_block(block)),
        StatementKind::DStep(block) => format!("d_step {{{}}}", shown_block(block)),
        StatementKind::Block(block) => format!("{{{}}}", shown_block(block)),
        StatementKind::Inline { name, body } => format!("{} {{{}}}", name.text, shown_block(body)),
        StatementKind::Goto(label) => format!("goto {}", label.text),
        StatementKind::Assign { target, value } => format!("{} = {}", shown_reference(target), shown(value)),
        StatementKind::Increment { target, by } => format!("{} += {by}", shown_reference(target)),
        StatementKind::Send { channel, sorted, arguments } => {
            let sign = if *sorted { "!!" } else { "!" };
            format!("{}{sign}{}", shown_reference(channel), shown_list(arguments))
        }
        StatementKind::Receive { channel, random, peek, arguments } => {
            let sign = if *random { "??" } else { "?" };
            let (open, close) = if *peek { ("<", ">") } else { ("", "") };
            format!("{}{sign}{open}{}{close}", shown_reference(channel), shown_arguments(arguments))
        }
        StatementKind::Assert(expression) => format!("assert {}", shown(expression)),
        StatementKind::Printf { format, arguments } => format!("printf {format} {}", shown_list(arguments)),
        StatementKind::Printm(expression) => format!("printm {}", shown(expression)),
        StatementKind::SetPriority { pid, priority } => format!("set_priority {} {}", shown(pid), shown(priority)),
        StatementKind::Expression(expression) => shown(expression),
        other @ (StatementKind::Break | StatementKind::Skip | StatementKind::Else) => format!("{other:?}"),
    }
}

#[test]
fn precedences_are_those_of_c() {
    assert_eq!(expression("a + b * c - d"), "((a Add (b Multiply c)) Subtract d)");
    assert_eq!(expression("a || b && c | d ^ e & f"), "(a Or (b And (c BitOr (d BitXor (e BitAnd f)))))");
    assert_eq!(expression("a == b < c << d + 1"), "(a Equal (b Less (c ShiftLeft (d Add 1))))");
    assert_eq!(expression("!a == -b"), "((Not a) Equal (Negate b))");
    assert_eq!(expression("~a % 2 != 'a'"), "(((Complement a) Remainder 2) NotEqual 97)");
    assert_eq!(expression("true && !false || skip"), "((1 And (Not 0)) Or 1)");
    assert_eq!(expression("-2147483648 <= 2147483647"), "(-2147483648 LessEqual 2147483647)");
}

#[test]
fn operands_of_every_kind() {
    assert_eq!(expression("a -> b : (c -> 1 : 2)"), "(a ? b : (c ? 1 : 2))");
    assert_eq!(expression("a[i + 1].b.c[j] > 0"), "(a[(i Add 1)].b.c[j] Greater 0)");
    assert_eq!(expression("P[1]@L && P@M && P[0]:x == P:y"), "((P[1]@L And P@M) And (P[0]:x Equal P:y))");
    assert_eq!(expression("c?[a, 1] && c[2]??[_, eval(x), -3]"), "(c?[a, #1] And c[2]??[_, eval x, #-3])");
    assert_eq!(expression("len(c) + full(d) - nempty(e[1])"), "((Len(c) Add Full(d)) Subtract NotEmpty(e[1]))");
    assert_eq!(expression("run P(1, x) && enabled(2) && timeout"), "((run P(1, x) And enabled(2)) And timeout)");
}

#[test]
fn formulas_have_the_precedences_of_spin() {
    assert_eq!(formula("[] p && q"), "((Always p) And q)");
    assert_eq!(formula("p -> q -> r"), "((p Implies q) Implies r)");
    assert_eq!(formula("p || q U r && s"), "(p Or ((q Until r) And s))");
    assert_eq!(formula("!p U x == 1"), "((Not p) Until (x Equal 1))");
    assert_eq!(formula("[]<> p <-> <>[] q"), "((Always (Eventually p)) Equivalent (Eventually (Always q)))");
    assert_eq!(
        formula("always (p implies next q) equivalent p weakuntil q release r"),
        "((Always (p Implies (Next q))) Equivalent ((p WeakUntil q) Release r))"
    );
    assert_eq!(formula("a[0] < 3 && b <-> X c;"), "(((a[0] Less 3) And b) Equivalent (Next c))");
}

#[test]
fn formulas_of_computation_trees_are_those_of_smv() {
    assert_eq!(tree("AG EF p"), "(All (Always (Some (Eventually p))))");
    assert_eq!(
        tree("AG (p -> AX q) && !EX r"),
        "((All (Always (p Implies (All (Next q))))) And (Not (Some (Next r))))"
    );
    assert_eq!(tree("A [p && q U r -> s]"), "(All ((p And q) Until (r Implies s)))");
    assert_eq!(
        tree("E [p W EG q] || A [x == 1 V y]"),
        "((Some (p WeakUntil (Some (Always q)))) Or (All ((x Equal 1) Release y)))"
    );
    assert_eq!(tree("AF (A == 1)"), "(All (Eventually (A Equal 1)))");
}

#[test]
fn the_text_of_a_formula_is_kept() {
    match parsed("#define p (x > 1)\nltl a { []  p /* why */\n -> <> q }").program.units.as_slice() {
        [Unit::Ltl(ltl)] => assert_eq!(ltl.text, "[] p -> <> q"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn messages_are_sent_and_received_in_every_notation() {
    let text = "c!1,x; c!1(x, 2); c!!x; c?x,1; c?x(1, _); c?(x, y); c??<x, eval(y + 1)>; c?<-1>; c[1]??x";
    let expected = "c!1, x; c!1, x, 2; c!!x; c?x, #1; c?x, #1, _; c?x, y; c??<x, eval (y Add 1)>; c?<#-1>; c[1]??x";
    assert_eq!(steps("", text), expected);
}

#[test]
fn statements_of_every_kind() {
    assert_eq!(
        steps("", "x++; a[1].b--; x = 3; assert _pid == 1; assert(x)"),
        "x += 1; a[1].b += -1; x = 3; assert (_pid Equal 1); assert x"
    );
    assert_eq!(
        steps("", "do :: x -> break :: else skip od; goto L; L: M: x"),
        "do :: x; Break :: Else; Skip od; goto L; L: M: x"
    );
    assert_eq!(
        steps("", "for (i : 1 .. n - 1) { skip } for (i in a) { skip }"),
        "for i 1..(n Subtract 1) {Skip}; for i in a {Skip}"
    );
    assert_eq!(
        steps("", "select (i : 0 .. 3); d_step { x = 1; y = 2 } { skip }"),
        "select i 0..3; d_step {x = 1; y = 2}; {Skip}"
    );
    assert_eq!(
        steps("", "L: x = 1 unless { y }; printf(\"%d\\n\", x + 1, y)"),
        "{L: x = 1 unless {y}}; printf %d\\n (x Add 1), y"
    );
    assert_eq!(
        steps("typedef T { byte a }", "T t, u; xr c, d; byte in = 1; chan c = [2] of { T, mtype:k }"),
        "declare t, u; exclusive 2; declare in; declare c"
    );
}

#[test]
fn a_label_may_stand_before_nothing() {
    assert_eq!(
        steps("", "x = 1; L: }\nactive proctype Q() { skip }\ninit { do :: M: ; break; N: od"),
        "do :: M: Skip; Break; N: Skip od"
    );
}

#[test]
fn separators_are_optional_where_spin_inserts_them() {
    assert_eq!(
        steps("", "x = a\n-b\nif\n:: x\n:: else\nfi\ny = 1;;\n;z = (1\n+ 2)\n"),
        "x = a; (Negate b); if :: x :: Else fi; y = 1; z = (1 Add 2)"
    );
    assert_eq!(
        steps("", "atomic { x = 1 } y = 2; { x } unless { y } z = 3"),
        "atomic {x = 1}; y = 2; {{x} unless {y}}; z = 3"
    );
    assert_eq!(steps("", "for (i : 1 .. 2)\n{ skip\n}\n"), "for i 1..2 {Skip}");
}

#[test]
fn inlines_are_replaced_by_their_bodies() {
    let inlines = "inline g(a, b) { a = b * 2 }\ninline f(x) { int t; g(t, x + 1) c!x }";
    assert_eq!(steps(inlines, "f(y[2]) skip"), "f {declare t; g {t = (y[2] Add (1 Multiply 2))}; c!y[2]}; Skip");
    assert_eq!(steps("inline f(field, v) { s.field = v }", "f(q, (a -> b : c))"), "f {s.q = (a ? b : c)}");
    assert_eq!(steps("inline f(c) { c?[1] }\ninline h() { f(d) }", "h(); h()"), "h {f {d?[#1]}}; h {f {d?[#1]}}");
    assert_eq!(steps("inline f(a) { skip; return a + 1 }", "x[3] = f(2)"), "f {Skip; x[3] = (2 Add 1)}");
}

#[test]
fn places_lead_through_inlines_and_macros() {
    let parsed = parsed("#define M y = 1\ninline f(a) { a = 2; M }\ninit { f(x) }");
    let Some(Unit::Init(init)) = parsed.program.units.last() else { panic!("no init") };
    let [Step::Statement(Statement { kind: StatementKind::Inline { body, .. }, span })] = init.body.steps.as_slice()
    else {
        panic!("no inline")
    };
    assert_eq!(parsed.sources.text(*span), "f(x)");
    let [Step::Statement(first), Step::Statement(second)] = body.steps.as_slice() else { panic!("no steps") };
    assert_eq!(parsed.sources.text(first.span), "a = 2");
    assert_eq!(parsed.sources.text(second.span), "y = 1");
    let names: Vec<&str> = parsed.sources.expansions_of(second.span).map(|expansion| expansion.name.as_str()).collect();
    assert_eq!(names, ["M", "f"]);
    assert_eq!(parsed.sources.text(parsed.sources.outside_macros(second.span)), "M");
    assert_eq!(parsed.sources.text(parsed.sources.outermost(second.span)), "f(x)");
}

#[test]
fn units_of_every_kind() {
    let text = "mtype = { a b, c } mtype:fruit = { apple }; typedef T { byte x[3]\n bool y; };\n\
        hidden int h = 3, g[2] = { 1, 2 }; unsigned u : 3; byte no_semicolon\n\
        active [2 + 1] proctype P(byte x, y; chan c) priority 3 provided (x > 1) { skip };\n\
        D_proctype D() { skip } init priority 2 { skip } never { skip } never named { skip }\n\
        trace { c!1 } notrace { c?1 } ltl name { [] p } ltl { <> q };;";
    let parsed = parsed(text);
    let kinds = parsed.program.units.iter().map(|unit| match unit {
        Unit::Proctype(proctype) => format!("proctype {}", proctype.parameters.len()),
        Unit::Init(_) => "init".to_string(),
        Unit::Never(_) => "never".to_string(),
        Unit::Trace(_) => "trace".to_string(),
        Unit::Ltl(_) => "ltl".to_string(),
        Unit::Variables(declaration) => format!("variables {}", declaration.variables.len()),
        Unit::Mtype(mtype) => format!("mtype {}", mtype.members.len()),
        Unit::Typedef(typedef) => format!("typedef {}", typedef.fields.len()),
    });
    let expected = "mtype 3, mtype 1, typedef 2, variables 2, variables 1, variables 1, proctype 2, proctype 0, init, \
        never, never, trace, trace, ltl, ltl";
    assert_eq!(kinds.collect::<Vec<_>>().join(", "), expected);
}

#[test]
fn a_proctype_declared_later_is_no_remote_reference_before() {
    assert_eq!(steps("", "P: x = 1; goto P }\nproctype P() { skip }\ninit { P:x == 1"), "(P:x Equal 1)");
}
