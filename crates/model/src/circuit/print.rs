//! The printed form of a circuit, in the manner of a flat SMV module.

use std::fmt::Write;

use super::{Binary, Choice, Circuit, Domain, Expr, ExprId, Moment, Type, VariableKind};

impl std::fmt::Display for Circuit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for variable in &self.variables {
            let section = match variable.kind {
                VariableKind::State => "VAR",
                VariableKind::Input => "IVAR",
                VariableKind::Frozen => "FROZENVAR",
            };
            writeln!(f, "{section} {} : {};", variable.name, domain(&variable.domain))?;
        }
        for assignment in &self.assignments {
            let name = &self.variable(assignment.target).name;
            let target = match assignment.moment {
                Moment::Init => format!("init({name})"),
                Moment::Next => format!("next({name})"),
                Moment::Always => name.clone(),
            };
            writeln!(f, "ASSIGN {target} := {};", self.choice_text(&assignment.choice))?;
        }
        let sections =
            [("INIT", &self.init), ("TRANS", &self.trans), ("INVAR", &self.invar), ("JUSTICE", &self.justice)];
        for (section, conditions) in sections {
            for condition in conditions {
                writeln!(f, "{section} {};", self.text(*condition))?;
            }
        }
        for (often, then) in &self.compassion {
            writeln!(f, "COMPASSION ({}, {});", self.text(*often), self.text(*then))?;
        }
        for atom in &self.atoms {
            writeln!(f, "-- atom {}: {}", atom.text, self.text(atom.expr))?;
        }
        for obligation in &self.obligations {
            writeln!(f, "-- must hold: {} (else {})", self.text(obligation.condition), obligation.message)?;
        }
        Ok(())
    }
}

fn domain(domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "boolean".to_owned(),
        Domain::Range { low, high } => format!("{low}..{high}"),
        Domain::Values(values) => {
            let names: Vec<&str> = values.iter().map(|(_, name)| name.as_str()).collect();
            format!("{{{}}}", names.join(", "))
        }
        Domain::Word { width, signed } => format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" }),
    }
}

impl Circuit {
    /// An expression with all its parentheses.
    pub fn text(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.write(id, &mut out);
        out
    }

    fn write(&self, id: ExprId, out: &mut String) {
        let ty = self.expressions.ty(id);
        match self.expressions.get(id) {
            Expr::Constant(value) if ty == Type::Boolean => out.push_str(&Domain::Boolean.text(value)),
            Expr::Constant(value) => write!(out, "{value}").expect("strings take everything"),
            Expr::Variable(variable) => out.push_str(&self.variable(variable).name),
            Expr::Next(variable) => {
                write!(out, "next({})", self.variable(variable).name).expect("strings take everything");
            }
            Expr::Not(operand) => {
                out.push('!');
                self.write(operand, out);
            }
            Expr::Binary(operator, left, right) => {
                out.push('(');
                self.write(left, out);
                write!(out, " {} ", symbol(operator)).expect("strings take everything");
                self.write(right, out);
                out.push(')');
            }
            Expr::If(condition, then, otherwise) => {
                out.push('(');
                self.write(condition, out);
                out.push_str(" ? ");
                self.write(then, out);
                out.push_str(" : ");
                self.write(otherwise, out);
                out.push(')');
            }
            Expr::Cast(operand) => {
                out.push_str(match ty {
                    Type::Boolean => "bool(",
                    Type::Integer => "toint(",
                    Type::Word { signed: true, .. } => "signed(",
                    Type::Word { signed: false, .. } => "unsigned(",
                });
                self.write(operand, out);
                out.push(')');
            }
            Expr::Extract(operand, low) => {
                self.write(operand, out);
                let high = low + super::expr::width(ty) - 1;
                write!(out, "[{high}:{low}]").expect("strings take everything");
            }
        }
    }

    fn choice_text(&self, choice: &Choice) -> String {
        match choice {
            Choice::Value(value) => self.text(*value),
            Choice::Range(low, high) => format!("{low}..{high}"),
            Choice::Any(choices) => {
                let parts: Vec<String> = choices.iter().map(|choice| self.choice_text(choice)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Choice::If(condition, then, otherwise) => {
                format!("({} ? {} : {})", self.text(*condition), self.choice_text(then), self.choice_text(otherwise))
            }
        }
    }
}

fn symbol(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "xor",
        Binary::Equal => "=",
        Binary::Less => "<",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "mod",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Concatenate => "::",
    }
}
