//! Formulas as data: every distinct formula is stored once, so equal formulas have equal numbers.

use std::collections::{BTreeSet, HashMap};

use crate::prop::Prop;

/// The number of a formula in the [`Formulas`] that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula(u32);

/// What a formula is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// Holds of every word.
    True,
    /// Holds of no word.
    False,
    /// Holds if the proposition does at this moment.
    Atom(Prop),
    /// `!f`.
    Not(Formula),
    /// `f && g`.
    And(Formula, Formula),
    /// `f || g`.
    Or(Formula, Formula),
    /// `f -> g`.
    Implies(Formula, Formula),
    /// `f <-> g`.
    Equivalent(Formula, Formula),
    /// `X f`: f holds at the next moment.
    Next(Formula),
    /// `[] f`: f holds from now on.
    Always(Formula),
    /// `<> f`: f holds now or later.
    Eventually(Formula),
    /// `f U g`: f holds until g does, and g does.
    Until(Formula, Formula),
    /// `f V g`: g holds up to and including the moment when f does, forever if f never does.
    Release(Formula, Formula),
    /// `f W g`: f holds until g does, forever if g never does.
    WeakUntil(Formula, Formula),
    /// `f M g`: g holds up to and including the moment when f does, and f does.
    StrongRelease(Formula, Formula),
}

impl Node {
    /// Every operator with two operands.
    pub const BINARY: [fn(Formula, Formula) -> Node; 8] = [
        Node::And,
        Node::Or,
        Node::Implies,
        Node::Equivalent,
        Node::Until,
        Node::Release,
        Node::WeakUntil,
        Node::StrongRelease,
    ];

    /// The formulas this one is made of.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = Formula> {
        let operands = match self {
            Node::True | Node::False | Node::Atom(_) => [None, None],
            Node::Not(f) | Node::Next(f) | Node::Always(f) | Node::Eventually(f) => [Some(f), None],
            Node::And(f, g)
            | Node::Or(f, g)
            | Node::Implies(f, g)
            | Node::Equivalent(f, g)
            | Node::Until(f, g)
            | Node::Release(f, g)
            | Node::WeakUntil(f, g)
            | Node::StrongRelease(f, g) => [Some(f), Some(g)],
        };
        operands.into_iter().flatten()
    }

    /// Whether it speaks of another moment than this one.
    pub fn is_temporal(self) -> bool {
        !matches!(
            self,
            Node::True
                | Node::False
                | Node::Atom(_)
                | Node::Not(_)
                | Node::And(..)
                | Node::Or(..)
                | Node::Implies(..)
                | Node::Equivalent(..)
        )
    }
}

/// A store of formulas. Operands are always older than what is made of them, so a loop over [`Formulas::parts`] meets
/// operands first and needs no recursion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formulas {
    nodes: Vec<Node>,
    by_node: HashMap<Node, Formula>,
    /// How deeply each formula nests.
    depths: Vec<u32>,
}

impl Default for Formulas {
    fn default() -> Self {
        Self::new()
    }
}

impl Formulas {
    /// An empty store.
    pub fn new() -> Self {
        Formulas { nodes: Vec::new(), by_node: HashMap::new(), depths: Vec::new() }
    }

    /// The formula of this form. Nothing is simplified; see [`crate::ltl::simplify()`] for that.
    pub fn make(&mut self, node: Node) -> Formula {
        if let Some(&known) = self.by_node.get(&node) {
            return known;
        }
        let formula = Formula(self.nodes.len() as u32);
        let depth = node.operands().map(|operand| self.depth(operand)).max().map_or(1, |depth| depth + 1);
        self.nodes.push(node);
        self.depths.push(depth);
        self.by_node.insert(node, formula);
        formula
    }

    /// What a formula is made of.
    pub fn node(&self, formula: Formula) -> Node {
        self.nodes[formula.0 as usize]
    }

    /// The length of the longest way from a formula down to an atom or constant: 1 for these themselves.
    pub fn depth(&self, formula: Formula) -> u32 {
        self.depths[formula.0 as usize]
    }

    /// A formula and all it is made of, each once, operands before what is made of them.
    pub fn parts(&self, formula: Formula) -> Vec<Formula> {
        let mut seen = BTreeSet::from([formula]);
        let mut open = vec![formula];
        while let Some(part) = open.pop() {
            open.extend(self.node(part).operands().filter(|&operand| seen.insert(operand)));
        }
        seen.into_iter().collect()
    }

    /// The propositions of a formula, in ascending order.
    pub fn propositions(&self, formula: Formula) -> Vec<Prop> {
        let atoms = self.parts(formula).into_iter().filter_map(|part| match self.node(part) {
            Node::Atom(prop) => Some(prop),
            _ => None,
        });
        atoms.collect::<BTreeSet<Prop>>().into_iter().collect()
    }

    /// Whether `X` occurs in a formula.
    pub fn has_next(&self, formula: Formula) -> bool {
        self.parts(formula).into_iter().any(|part| matches!(self.node(part), Node::Next(_)))
    }

    /// Whether a formula speaks only of the present moment.
    pub fn is_propositional(&self, formula: Formula) -> bool {
        !self.parts(formula).into_iter().any(|part| self.node(part).is_temporal())
    }

    /// `true` or `false`.
    pub fn truth(&mut self, value: bool) -> Formula {
        self.make(if value { Node::True } else { Node::False })
    }

    /// A proposition.
    pub fn atom(&mut self, prop: Prop) -> Formula {
        self.make(Node::Atom(prop))
    }

    /// `!f`.
    pub fn not(&mut self, f: Formula) -> Formula {
        self.make(Node::Not(f))
    }

    /// `f && g`.
    pub fn and(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::And(f, g))
    }

    /// `f || g`.
    pub fn or(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::Or(f, g))
    }

    /// `f -> g`.
    pub fn implies(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::Implies(f, g))
    }

    /// `f <-> g`.
    pub fn equivalent(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::Equivalent(f, g))
    }

    /// `X f`.
    pub fn next(&mut self, f: Formula) -> Formula {
        self.make(Node::Next(f))
    }

    /// `[] f`.
    pub fn always(&mut self, f: Formula) -> Formula {
        self.make(Node::Always(f))
    }

    /// `<> f`.
    pub fn eventually(&mut self, f: Formula) -> Formula {
        self.make(Node::Eventually(f))
    }

    /// `f U g`.
    pub fn until(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::Until(f, g))
    }

    /// `f V g`.
    pub fn release(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::Release(f, g))
    }

    /// `f W g`.
    pub fn weak_until(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::WeakUntil(f, g))
    }

    /// `f M g`.
    pub fn strong_release(&mut self, f: Formula, g: Formula) -> Formula {
        self.make(Node::StrongRelease(f, g))
    }
}
