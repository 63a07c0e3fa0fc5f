//! Walks over every expression of a program, wherever it stands.

use super::ast::*;

/// Calls `visit` with every expression of the program, outermost first.
pub fn each_expression<'a>(program: &'a Program, visit: &mut dyn FnMut(&'a Expr)) {
    for unit in &program.units {
        match unit {
            Unit::Proctype(proctype) => {
                proctype.parameters.iter().for_each(|declaration| in_declaration(declaration, visit));
                for expr in proctype.priority.iter().chain(&proctype.provided) {
                    in_expression(expr, visit);
                }
                in_block(&proctype.body, visit);
            }
            Unit::Init(init) => in_block(&init.body, visit),
            Unit::Never(claim) => in_block(&claim.body, visit),
            Unit::Trace(trace) => in_block(&trace.body, visit),
            Unit::Ltl(ltl) => in_expression(&ltl.formula, visit),
            Unit::Variables(declaration) => in_declaration(declaration, visit),
            Unit::Typedef(typedef) => typedef.fields.iter().for_each(|field| in_declaration(field, visit)),
            Unit::Mtype(_) => {}
        }
    }
}

fn in_declaration<'a>(declaration: &'a Declaration, visit: &mut dyn FnMut(&'a Expr)) {
    for variable in &declaration.variables {
        match &variable.initial {
            Some(Initializer::Expr(expr)) => in_expression(expr, visit),
            Some(Initializer::List(list)) => list.iter().for_each(|expr| in_expression(expr, visit)),
            Some(Initializer::Channel(_)) | None => {}
        }
    }
}

pub fn in_block<'a>(block: &'a Block, visit: &mut dyn FnMut(&'a Expr)) {
    for step in &block.steps {
        match step {
            Step::Declaration(declaration) => in_declaration(declaration, visit),
            Step::Exclusive(_) => {}
            Step::Statement(statement) => in_statement(statement, visit),
        }
    }
}

fn in_statement<'a>(statement: &'a Statement, visit: &mut dyn FnMut(&'a Expr)) {
    match &statement.kind {
        StatementKind::Labeled { statement, .. } => in_statement(statement, visit),
        StatementKind::Unless { main, escape } => {
            in_statement(main, visit);
            in_statement(escape, visit);
        }
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|option| in_block(option, visit));
        }
        StatementKind::ForRange { index, low, high, body } => {
            in_indices(index, visit);
            in_expression(low, visit);
            in_expression(high, visit);
            in_block(body, visit);
        }
        StatementKind::ForIn { index, collection, body } => {
            in_indices(index, visit);
            in_indices(collection, visit);
            in_block(body, visit);
        }
        StatementKind::Select { index, low, high } => {
            in_indices(index, visit);
            in_expression(low, visit);
            in_expression(high, visit);
        }
        StatementKind::Atomic(block)
        | StatementKind::DStep(block)
        | StatementKind::Block(block)
        | StatementKind::Inline { body: block, .. } => in_block(block, visit),
        StatementKind::Goto(_) | StatementKind::Break | StatementKind::Skip | StatementKind::Else => {}
        StatementKind::Assign { target, value } => {
            in_indices(target, visit);
            in_expression(value, visit);
        }
        StatementKind::Increment { target, .. } => in_indices(target, visit),
        StatementKind::Send { channel, arguments, .. } => {
            in_indices(channel, visit);
            arguments.iter().for_each(|argument| in_expression(argument, visit));
        }
        StatementKind::Receive { channel, arguments, .. } => {
            in_indices(channel, visit);
            arguments.iter().for_each(|argument| in_receive_argument(argument, visit));
        }
        StatementKind::Assert(expr) | StatementKind::Printm(expr) | StatementKind::Expression(expr) => {
            in_expression(expr, visit);
        }
        StatementKind::Printf { arguments, .. } => arguments.iter().for_each(|argument| in_expression(argument, visit)),
        StatementKind::SetPriority { pid, priority } => {
            in_expression(pid, visit);
            in_expression(priority, visit);
        }
    }
}

fn in_receive_argument<'a>(argument: &'a ReceiveArgument, visit: &mut dyn FnMut(&'a Expr)) {
    match argument {
        ReceiveArgument::Plain(reference) => in_indices(reference, visit),
        ReceiveArgument::Eval(expr) => in_expression(expr, visit),
        ReceiveArgument::Constant(..) => {}
    }
}

fn in_indices<'a>(reference: &'a VarRef, visit: &mut dyn FnMut(&'a Expr)) {
    for index in reference.parts.iter().filter_map(|part| part.index.as_ref()) {
        in_expression(index, visit);
    }
}

/// Calls `visit` with an expression and all that it is made of.
pub fn in_expression<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Timeout | ExprKind::NonProgress => {}
        ExprKind::Reference(reference) | ExprKind::Query(_, reference) => in_indices(reference, visit),
        ExprKind::Unary(_, operand) | ExprKind::Temporal1(_, operand) | ExprKind::Runs(_, operand) => {
            in_expression(operand, visit);
        }
        ExprKind::Binary(_, left, right) | ExprKind::Temporal2(_, left, right) => {
            in_expression(left, visit);
            in_expression(right, visit);
        }
        ExprKind::Conditional(condition, yes, no) => {
            in_expression(condition, visit);
            in_expression(yes, visit);
            in_expression(no, visit);
        }
        ExprKind::Run { arguments, priority, .. } => {
            arguments.iter().for_each(|argument| in_expression(argument, visit));
            priority.iter().for_each(|priority| in_expression(priority, visit));
        }
        ExprKind::Poll { channel, arguments, .. } => {
            in_indices(channel, visit);
            arguments.iter().for_each(|argument| in_receive_argument(argument, visit));
        }
        ExprKind::Enabled(pid) | ExprKind::PcValue(pid) | ExprKind::GetPriority(pid) => in_expression(pid, visit),
        ExprKind::RemoteLabel { pid, .. } => pid.iter().for_each(|pid| in_expression(pid, visit)),
        ExprKind::RemoteVariable { pid, variable, .. } => {
            pid.iter().for_each(|pid| in_expression(pid, visit));
            in_indices(variable, visit);
        }
    }
}
