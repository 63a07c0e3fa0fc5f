//! Diagrams as text, to keep them and for other tools: the format DDDMP 2.0 of the library CUDD, in its readable form with
//! names of bits.
//!
//! A node is a line: its number, the name and the place of its bit, the nodes for true and for false. Node 1 is what is always
//! true, and a number below zero stands for the opposite. Nodes come after those they refer to.
//!
//! We read it by operations of our own: the order of the bits need not be that of the file, and what a file says can be wrong but
//! not harmful.

use std::collections::HashMap;
use std::fmt::{Display, Formatter, Write};

use oxidd::util::Ref;
use oxidd::{Function, HasLevel, InnerNode, Node, NodeID};

use super::{Bdd, Bit, Manager, Stop};

/// Why a text is no diagram that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDiagram {
    /// What is wrong, and in which line.
    Malformed {
        line: usize,
        problem: String,
    },
    Stopped(Stop),
}

impl Display for NoDiagram {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            NoDiagram::Malformed { line, problem } => write!(f, "line {line}: {problem}"),
            NoDiagram::Stopped(Stop(limit)) => write!(f, "{limit}"),
        }
    }
}

impl Manager<'_> {
    /// The text for a set. `names` has a name without spaces for each bit that the set may depend on.
    pub fn to_text(&self, set: &Bdd, title: &str, names: &HashMap<Bit, String>) -> String {
        let mut support: Vec<Bit> = set.support().into_iter().collect();
        support.sort_unstable();
        let places: HashMap<Bit, usize> = support.iter().copied().zip(0..).collect();
        let order: Vec<Bit> = self.order().into_iter().filter(|bit| places.contains_key(bit)).collect();
        let levels: HashMap<Bit, usize> = order.iter().copied().zip(0..).collect();
        let (nodes, root) = nodes_of(set);
        let words = |bits: &[Bit]| bits.iter().fold(String::new(), |text, bit| text + " " + &names[bit]);
        let numbers =
            |of: &dyn Fn(&Bit) -> usize| support.iter().fold(String::new(), |text, bit| format!("{text} {}", of(bit)));
        let place = |bit: &Bit| places[bit];
        let count = support.len();
        let mut text = format!(".ver DDDMP-2.0\n.mode A\n.varinfo 3\n.dd {title}\n.nnodes {}\n", nodes.len() + 1);
        let mut entry = |name: &str, value: String| {
            // Strings take everything.
            let _ = writeln!(text, ".{name} {}", value.trim_start());
        };
        entry("nvars", count.to_string());
        entry("nsuppvars", count.to_string());
        entry("suppvarnames", words(&support));
        entry("orderedvarnames", words(&order));
        entry("ids", numbers(&place));
        entry("permids", numbers(&|bit| levels[bit]));
        entry("nroots", "1".to_owned());
        entry("rootids", root.to_string());
        text += ".nodes\n1 T 1 0 0\n";
        for (number, (bit, high, low)) in (2..).zip(&nodes) {
            let _ = writeln!(text, "{number} {} {} {high} {low}", names[bit], places[bit]);
        }
        text += ".end\n";
        text
    }

    /// The set of a text in which bits go by these names.
    pub fn from_text(&self, text: &str, bits: &HashMap<String, Bit>) -> Result<Bdd, NoDiagram> {
        let mut lines = text.lines().enumerate();
        let root = header(&mut lines)?;
        let mut nodes = HashMap::from([(1, self.truth(true))]);
        for (line, words) in lines {
            let malformed = |problem: String| NoDiagram::Malformed { line: line + 1, problem };
            let words: Vec<&str> = words.split_whitespace().collect();
            let (number, name, high, low) = match words[..] {
                [] | ["1", "T", "1", "0", "0"] => continue,
                [".end"] => {
                    return node(&nodes, root).map(|root| self.signed(root)).ok_or_else(|| malformed(no_node(root)))?;
                }
                [number, name, _, high, low] => (number, name, high, low),
                _ => return Err(malformed("expected a node: its number, bit, place, and two other nodes".to_owned())),
            };
            let number_of = |word: &str| word.parse::<i64>().map_err(|_| malformed(format!("`{word}` is no number")));
            let number = number_of(number)?;
            if number < 2 || nodes.contains_key(&number) {
                return Err(malformed(format!("node {number} is there already")));
            }
            let bit = *bits.get(name).ok_or_else(|| malformed(format!("the model has no bit `{name}`")))?;
            let child = |word: &str| {
                let number = number_of(word)?;
                let known = node(&nodes, number).ok_or_else(|| malformed(no_node(number)))?;
                self.signed(known)
            };
            let (high, low) = (child(high)?, child(low)?);
            let bit = self.bit(bit).map_err(NoDiagram::Stopped)?;
            nodes.insert(number, self.choose(&bit, &high, &low).map_err(NoDiagram::Stopped)?);
        }
        Err(NoDiagram::Malformed { line: text.lines().count(), problem: "the text ends before `.end`".to_owned() })
    }

    fn signed(&self, (set, opposite): (&Bdd, bool)) -> Result<Bdd, NoDiagram> {
        if opposite { self.not(set).map_err(NoDiagram::Stopped) } else { Ok(set.clone()) }
    }
}

fn no_node(number: i64) -> String {
    format!("there is no node {} before this line", number.unsigned_abs())
}

/// A node by its number, and whether the opposite is meant.
fn node(nodes: &HashMap<i64, Bdd>, number: i64) -> Option<(&Bdd, bool)> {
    nodes.get(&number.checked_abs()?).map(|node| (node, number < 0))
}

/// Reads up to the nodes, and answers the number of the root.
fn header<'t>(lines: &mut impl Iterator<Item = (usize, &'t str)>) -> Result<i64, NoDiagram> {
    let mut root = None;
    for (line, words) in lines {
        let malformed = |problem: &str| NoDiagram::Malformed { line: line + 1, problem: problem.to_owned() };
        let words: Vec<&str> = words.split_whitespace().collect();
        match words[..] {
            [".ver", version] if version != "DDDMP-2.0" => {
                return Err(malformed("this version of the format cannot be read, only DDDMP-2.0"));
            }
            [".mode", mode] if mode != "A" => return Err(malformed("the binary form cannot be read, only `.mode A`")),
            [".varinfo", kind] if kind != "3" => {
                return Err(malformed("nodes without names cannot be read, only `.varinfo 3`"));
            }
            [".nroots", count] if count != "1" => return Err(malformed("expected one diagram, `.nroots 1`")),
            [".rootids", number] => {
                let number = number.parse::<i64>().map_err(|_| malformed("expected the number of a node"))?;
                root = Some(number);
            }
            [".nodes"] => return root.ok_or_else(|| malformed("expected `.rootids` before the nodes")),
            [word, ..] if !word.starts_with('.') => return Err(malformed("expected a diagram in the format DDDMP")),
            _ => {}
        }
    }
    Err(NoDiagram::Malformed { line: 1, problem: "expected a diagram in the format DDDMP".to_owned() })
}

/// Bit, node for true, node for false.
type Line = (Bit, i64, i64);

/// The nodes of a diagram, numbered from 2 on, each behind those it refers to; and the number of the diagram itself.
fn nodes_of(set: &Bdd) -> (Vec<Line>, i64) {
    set.0.with_manager_shared(|manager, edge| {
        let mut numbering = Numbering { numbers: HashMap::new(), nodes: Vec::new() };
        let root = numbering.visit(manager, edge);
        (numbering.nodes, root)
    })
}

struct Numbering {
    numbers: HashMap<NodeID, i64>,
    nodes: Vec<Line>,
}

impl Numbering {
    /// As deep as there are bits.
    fn visit<M: oxidd::Manager>(&mut self, manager: &M, edge: Ref<'_, M::Edge>) -> i64
    where
        M::InnerNode: HasLevel,
    {
        let sign = if edge.tag() == Default::default() { 1 } else { -1 };
        let Node::Inner(node) = manager.get_node(edge) else { return sign };
        if let Some(known) = self.numbers.get(&edge.node_id()) {
            return sign * known;
        }
        let (high, low) = (self.visit(manager, node.child(0)), self.visit(manager, node.child(1)));
        assert!(high > 0, "only edges for false may stand for the opposite");
        self.nodes.push((Bit(manager.level_to_var(node.level())), high, low));
        let number = self.nodes.len() as i64 + 1;
        self.numbers.insert(edge.node_id(), number);
        sign * number
    }
}
