//! How statements and expressions read in reports: one line, macros and inlines expanded.

use super::ast::*;

pub fn statement(statement: &Statement) -> String {
    match &statement.kind {
        StatementKind::Labeled { statement: inner, .. } => self::statement(inner),
        StatementKind::Assign { target, value } => format!("{} = {}", reference(target), top(value)),
        StatementKind::Increment { target, by } => {
            format!("{}{}", reference(target), if *by > 0 { "++" } else { "--" })
        }
        StatementKind::Send { channel, sorted, arguments } => {
            format!("{}{}{}", reference(channel), if *sorted { "!!" } else { "!" }, list(arguments))
        }
        StatementKind::Receive { channel, random, peek, arguments } => {
            let operator = if *random { "??" } else { "?" };
            let arguments = receive_arguments(arguments);
            let arguments = if *peek { format!("<{arguments}>") } else { arguments };
            format!("{}{operator}{arguments}", reference(channel))
        }
        StatementKind::Assert(condition) => format!("assert({})", top(condition)),
        StatementKind::Printf { format, arguments } => {
            let arguments: String = arguments.iter().map(|argument| format!(", {}", top(argument))).collect();
            format!("printf(\"{format}\"{arguments})")
        }
        StatementKind::Printm(value) => format!("printm({})", top(value)),
        StatementKind::SetPriority { pid, priority } => format!("set_priority({}, {})", top(pid), top(priority)),
        StatementKind::Expression(condition) => top(condition),
        StatementKind::Goto(label) => format!("goto {}", label.text),
        StatementKind::Break => "break".to_owned(),
        StatementKind::Skip => "skip".to_owned(),
        StatementKind::Else => "else".to_owned(),
        StatementKind::DStep(_) => "d_step".to_owned(),
        StatementKind::Atomic(_) => "atomic".to_owned(),
        StatementKind::Inline { name, .. } => format!("{}(...)", name.text),
        StatementKind::If(_) => "if".to_owned(),
        StatementKind::Do(_) => "do".to_owned(),
        StatementKind::ForRange { .. } | StatementKind::ForIn { .. } => "for".to_owned(),
        StatementKind::Select { .. } => "select".to_owned(),
        StatementKind::Block(_) => "{ ... }".to_owned(),
        StatementKind::Unless { .. } => "unless".to_owned(),
    }
}

pub fn reference(reference: &VarRef) -> String {
    let parts: Vec<String> = reference
        .parts
        .iter()
        .map(|part| match &part.index {
            None => part.name.text.clone(),
            Some(index) => format!("{}[{}]", part.name.text, top(index)),
        })
        .collect();
    parts.join(".")
}

/// An expression that stands alone needs no parentheses around it.
pub fn top(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Binary(operator, left, right) => {
            format!("{} {operator} {}", operand(left), operand(right))
        }
        ExprKind::Temporal2(operator, left, right) => {
            let operator = match operator {
                Temporal2::Until => "U",
                Temporal2::WeakUntil => "W",
                Temporal2::Release => "V",
                Temporal2::Implies => "->",
                Temporal2::Equivalent => "<->",
            };
            format!("{} {operator} {}", operand(left), operand(right))
        }
        _ => operand(expr),
    }
}

fn operand(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Number(value) => value.to_string(),
        ExprKind::Reference(place) => reference(place),
        ExprKind::Unary(operator, inner) => format!("{operator}{}", operand(inner)),
        ExprKind::Binary(..) | ExprKind::Temporal2(..) => format!("({})", top(expr)),
        ExprKind::Conditional(condition, yes, no) => format!("({} -> {} : {})", top(condition), top(yes), top(no)),
        ExprKind::Run { proctype, arguments, .. } => format!("run {}({})", proctype.text, list(arguments)),
        ExprKind::Query(query, channel) => format!("{query}({})", reference(channel)),
        ExprKind::Poll { channel, random, arguments } => {
            let operator = if *random { "??" } else { "?" };
            format!("{}{operator}[{}]", reference(channel), receive_arguments(arguments))
        }
        ExprKind::Timeout => "timeout".to_owned(),
        ExprKind::NonProgress => "np_".to_owned(),
        ExprKind::Enabled(pid) => format!("enabled({})", top(pid)),
        ExprKind::PcValue(pid) => format!("pc_value({})", top(pid)),
        ExprKind::GetPriority(pid) => format!("get_priority({})", top(pid)),
        ExprKind::RemoteLabel { proctype, pid, label } => {
            format!("{}{}@{}", proctype.text, remote_pid(pid.as_deref()), label.text)
        }
        ExprKind::RemoteVariable { proctype, pid, variable } => {
            format!("{}{}:{}", proctype.text, remote_pid(pid.as_deref()), reference(variable))
        }
        ExprKind::Temporal1(operator, inner) => {
            let operator = match operator {
                Temporal1::Always => "[]",
                Temporal1::Eventually => "<>",
                Temporal1::Next => "X ",
            };
            format!("{operator}{}", operand(inner))
        }
        ExprKind::Runs(runs, path) => {
            let runs = match runs {
                Runs::All => "A",
                Runs::Some => "E",
            };
            format!("{runs} {}", operand(path))
        }
    }
}

fn remote_pid(pid: Option<&Expr>) -> String {
    pid.map_or(String::new(), |pid| format!("[{}]", top(pid)))
}

fn list(exprs: &[Expr]) -> String {
    exprs.iter().map(top).collect::<Vec<_>>().join(",")
}

fn receive_arguments(arguments: &[ReceiveArgument]) -> String {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|argument| match argument {
            ReceiveArgument::Plain(place) => reference(place),
            ReceiveArgument::Eval(expr) => format!("eval({})", top(expr)),
            ReceiveArgument::Constant(value, _) => value.to_string(),
        })
        .collect();
    arguments.join(",")
}
