//! While-programs as trees that can be printed and made smaller. Expressions stay texts: it is statements that matter.

use std::fmt::{self, Display, Formatter};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub processes: Vec<Process>,
    /// Formulas of computation trees.
    pub ctl: Vec<String>,
    /// Formulas of linear time. They are asked from outside the text.
    pub ltl: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub name: String,
    pub declarations: Vec<String>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Simple(String),
    If(String, Vec<Statement>, Vec<Statement>),
    While(String, Vec<Statement>),
}

impl Program {
    /// The same program with other formulas of computation trees.
    pub fn asking(&self, ctl: Vec<String>) -> Program {
        Program { ctl, ..self.clone() }
    }

    /// All programs that have one thing less.
    pub fn smaller(&self) -> Vec<Program> {
        let mut found = Vec::new();
        for index in 0..self.processes.len() {
            let mut without = self.clone();
            without.processes.remove(index);
            found.push(without);
            for body in smaller_sequences(&self.processes[index].body) {
                let mut program = self.clone();
                program.processes[index].body = body;
                found.push(program);
            }
            for variable in 0..self.processes[index].declarations.len() {
                let mut without = self.clone();
                without.processes[index].declarations.remove(variable);
                found.push(without);
            }
        }
        found.extend(without_each(&self.ctl).map(|ctl| Program { ctl, ..self.clone() }));
        found.extend(without_each(&self.ltl).map(|ltl| Program { ltl, ..self.clone() }));
        found
    }
}

fn without_each<T: Clone>(of: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..of.len()).map(|index| [&of[..index], &of[index + 1..]].concat())
}

fn smaller_sequences(sequence: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found: Vec<Vec<Statement>> = without_each(sequence).collect();
    for (index, statement) in sequence.iter().enumerate() {
        let instead = |by: &[Statement]| [&sequence[..index], by, &sequence[index + 1..]].concat();
        match statement {
            Statement::Simple(_) => {}
            Statement::If(condition, then, otherwise) => {
                found.extend([instead(then), instead(otherwise)]);
                for then in smaller_sequences(then) {
                    found.push(instead(&[Statement::If(condition.clone(), then, otherwise.clone())]));
                }
                for otherwise in smaller_sequences(otherwise) {
                    found.push(instead(&[Statement::If(condition.clone(), then.clone(), otherwise)]));
                }
            }
            Statement::While(condition, body) => {
                found.push(instead(body));
                for body in smaller_sequences(body) {
                    found.push(instead(&[Statement::While(condition.clone(), body)]));
                }
            }
        }
    }
    found
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for process in &self.processes {
            writeln!(f, "process {} {}\n{{", process.name, process.declarations.join(" "))?;
            print_sequence(f, &process.body, 1)?;
            writeln!(f, "}}")?;
        }
        self.ctl.iter().try_for_each(|formula| writeln!(f, "SPEC {formula}"))?;
        self.ltl.iter().try_for_each(|formula| writeln!(f, "/* --ltl '{formula}' */"))
    }
}

fn print_sequence(f: &mut Formatter<'_>, sequence: &[Statement], depth: usize) -> fmt::Result {
    let indent = "    ".repeat(depth);
    for statement in sequence {
        match statement {
            Statement::Simple(text) => writeln!(f, "{indent}{text};")?,
            Statement::If(condition, then, otherwise) => {
                writeln!(f, "{indent}if {condition} then")?;
                print_sequence(f, then, depth + 1)?;
                if !otherwise.is_empty() {
                    writeln!(f, "{indent}else")?;
                    print_sequence(f, otherwise, depth + 1)?;
                }
                writeln!(f, "{indent}fi;")?;
            }
            Statement::While(condition, body) => {
                writeln!(f, "{indent}while {condition} do")?;
                print_sequence(f, body, depth + 1)?;
                writeln!(f, "{indent}od;")?;
            }
        }
    }
    Ok(())
}
