//! Running `lbt`, a plain translator of formulas to generalised automata.

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

use reductio_logic::ltl::{Formula, Formulas, Node};

use crate::Failure;

/// The size of an automaton that `lbt` made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub states: usize,
    pub edges: usize,
}

pub fn run(formulas: &Formulas, formula: Formula) -> Result<Size, Failure> {
    let mut child = Command::new("lbt").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    if let Some(input) = &mut child.stdin {
        writeln!(input, "{}", prefix(formulas, formula))?;
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    size(&text).ok_or_else(|| Failure(format!("lbt printed no automaton: {text}")))
}

/// Operators before their operands, which is how `lbt` reads formulas. Propositions are named by their numbers.
fn prefix(formulas: &Formulas, formula: Formula) -> String {
    let mut texts: HashMap<Formula, String> = HashMap::new();
    for part in formulas.parts(formula) {
        let text = match formulas.node(part) {
            Node::True => "t".to_owned(),
            Node::False => "f".to_owned(),
            Node::Atom(prop) => format!("p{}", prop.0),
            Node::Not(f) => format!("! {}", texts[&f]),
            Node::Next(f) => format!("X {}", texts[&f]),
            Node::Always(f) => format!("G {}", texts[&f]),
            Node::Eventually(f) => format!("F {}", texts[&f]),
            Node::And(f, g) => format!("& {} {}", texts[&f], texts[&g]),
            Node::Or(f, g) => format!("| {} {}", texts[&f], texts[&g]),
            Node::Implies(f, g) => format!("i {} {}", texts[&f], texts[&g]),
            Node::Equivalent(f, g) => format!("e {} {}", texts[&f], texts[&g]),
            Node::Until(f, g) => format!("U {} {}", texts[&f], texts[&g]),
            Node::Release(f, g) => format!("V {} {}", texts[&f], texts[&g]),
            Node::WeakUntil(f, g) => format!("V {g} | {f} {g}", f = texts[&f], g = texts[&g]),
            Node::StrongRelease(f, g) => format!("U {g} & {f} {g}", f = texts[&f], g = texts[&g]),
        };
        texts.insert(part, text);
    }
    texts.remove(&formula).unwrap_or_default()
}

/// The first line has the number of states. The edges of each state end with a line `-1`; before them is a line that
/// says whether the state is initial and in which sets it is, and also ends with `-1`.
fn size(text: &str) -> Option<Size> {
    let mut lines = text.lines();
    let states = lines.next()?.split(' ').next()?.parse().ok()?;
    let edges = lines.filter(|line| *line != "-1" && !line.ends_with(" -1")).count();
    Some(Size { states, edges })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reductio_logic::Propositions;

    #[test]
    fn formulas_are_written_with_operators_first() {
        let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
        let text = "[] (p0 -> X p1) && (p0 W !p1)";
        let formula = crate::ltl::sets::read(text, &mut formulas, &mut propositions).expect("it is a formula");
        assert_eq!(prefix(&formulas, formula), "& G i p0 X p1 V ! p1 | p0 ! p1");
    }

    #[test]
    fn a_size_is_read_from_what_lbt_prints() {
        let text = "3 1\n0 1 -1\n1 p0\n2 t\n-1\n1 0 0 -1\n1 t\n-1\n2 0 -1\n1 p0\n2 t\n-1\n";
        assert_eq!(size(text), Some(Size { states: 3, edges: 5 }));
        assert_eq!(size("lbt: syntax error"), None);
    }
}
