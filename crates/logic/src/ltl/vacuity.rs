//! Vacuity: parts of a formula that do not matter, because a stronger formula without them holds as well.
//!
//! Paper:    [beer-et-al01], [kupferman-vardi03]: to know whether an occurrence of a part matters, it is enough to replace
//!           it by `false` where it helps the formula to hold and by `true` where it hinders.
//! Deviates: of the parts that do not matter the largest are told, and each is asked for only if all parts it is made of
//!           do not matter either: what is made of a part that matters matters itself.
//!           The operands of `<->` both help and hinder; an equivalence is asked for as a whole.

use super::{Formula, Formulas, Node, simplify};

/// A part that does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// The part.
    pub part: Formula,
    /// The formula with `true` or `false` in its place, simplified. It is stronger, and holds.
    pub stronger: Formula,
    /// Whether it belongs to the premise of an implication. Then more holds than was asked for: what follows from the
    /// premise holds without it, too.
    pub in_premise: bool,
}

/// The largest occurrences of parts that do not matter to a formula that holds. `holds` tells whether a stronger
/// formula does, too; `None`, if it cannot tell, counts as a no. If `false` holds, the formula itself is what is found.
pub fn vacuous_parts(
    formulas: &mut Formulas,
    formula: Formula,
    holds: impl FnMut(&mut Formulas, Formula) -> Option<bool>,
) -> Vec<Vacuous> {
    let mut search = Search { formulas, whole: formula, holds, place: Vec::new(), found: Vec::new() };
    if search.look(formula, true) == Importance::None {
        search.report(formula, true);
    }
    search.found
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Importance {
    /// There is nothing in it but constants: nobody wonders whether they matter.
    Constant,
    None,
    Some,
}

struct Search<'f, H> {
    formulas: &'f mut Formulas,
    whole: Formula,
    holds: H,
    /// The way down from the whole formula to the occurrence: which operand each time.
    place: Vec<usize>,
    found: Vec<Vacuous>,
}

impl<H: FnMut(&mut Formulas, Formula) -> Option<bool>> Search<'_, H> {
    /// Does the occurrence of a part at this place matter? `helps` says that the formula is rather true if the part is.
    fn look(&mut self, part: Formula, helps: bool) -> Importance {
        match self.formulas.node(part) {
            Node::True | Node::False => Importance::Constant,
            Node::Equivalent(..) if self.formulas.propositions(part).is_empty() => Importance::Constant,
            Node::Atom(_) | Node::Equivalent(..) => self.ask(helps),
            // With a constant as its operand, each of these is a constant.
            Node::Not(f) => self.look_at_operand(0, f, !helps),
            Node::Next(f) | Node::Always(f) | Node::Eventually(f) => self.look_at_operand(0, f, helps),
            Node::Implies(f, g) => self.look_at_both((f, !helps), (g, helps), helps),
            Node::And(f, g)
            | Node::Or(f, g)
            | Node::Until(f, g)
            | Node::Release(f, g)
            | Node::WeakUntil(f, g)
            | Node::StrongRelease(f, g) => self.look_at_both((f, helps), (g, helps), helps),
        }
    }

    fn look_at_operand(&mut self, number: usize, part: Formula, helps: bool) -> Importance {
        self.place.push(number);
        let importance = self.look(part, helps);
        self.place.pop();
        importance
    }

    fn look_at_both(&mut self, left: (Formula, bool), right: (Formula, bool), helps: bool) -> Importance {
        let operands = [left, right];
        let importances = [0, 1].map(|number| self.look_at_operand(number, operands[number].0, operands[number].1));
        let own = match importances {
            [Importance::Constant, Importance::Constant] => Importance::Constant,
            [Importance::Some, _] | [_, Importance::Some] => Importance::Some,
            _ => self.ask(helps),
        };
        if own == Importance::Some {
            for number in 0..2 {
                if importances[number] == Importance::None {
                    self.place.push(number);
                    self.report(operands[number].0, operands[number].1);
                    self.place.pop();
                }
            }
        }
        own
    }

    fn ask(&mut self, helps: bool) -> Importance {
        let stronger = self.stronger(helps);
        // Where both are the same anyway, there is nothing to ask.
        let same = self.simplified(stronger) == self.simplified(self.whole);
        let holds = same || (self.holds)(self.formulas, stronger) == Some(true);
        if holds { Importance::None } else { Importance::Some }
    }

    fn report(&mut self, part: Formula, helps: bool) {
        let stronger = self.stronger(helps);
        let stronger = self.simplified(stronger);
        let in_premise = self.way().iter().any(|way| matches!(way, (Node::Implies(..), 0)));
        self.found.push(Vacuous { part, stronger, in_premise });
    }

    fn simplified(&mut self, formula: Formula) -> Formula {
        simplify(self.formulas, formula).unwrap_or(formula)
    }

    /// The formula with `false` at this place, or `true`.
    fn stronger(&mut self, helps: bool) -> Formula {
        let constant = self.formulas.truth(!helps);
        let way = self.way();
        way.into_iter()
            .rev()
            .fold(constant, |inner, (node, number)| self.formulas.make(with_operand(node, number, inner)))
    }

    /// The way down from the whole formula to the place: each operator, and which operand is next.
    fn way(&self) -> Vec<(Node, usize)> {
        let mut part = self.whole;
        let mut way = Vec::with_capacity(self.place.len());
        for &number in &self.place {
            let node = self.formulas.node(part);
            way.push((node, number));
            part = node.operands().nth(number).expect("the way leads through operands");
        }
        way
    }
}

/// The same operator with one operand replaced.
fn with_operand(node: Node, number: usize, operand: Formula) -> Node {
    let pair = |f: Formula, g: Formula| if number == 0 { (operand, g) } else { (f, operand) };
    let binary = |make: fn(Formula, Formula) -> Node, f: Formula, g: Formula| {
        let (f, g) = pair(f, g);
        make(f, g)
    };
    match node {
        Node::True | Node::False | Node::Atom(_) => node,
        Node::Not(_) => Node::Not(operand),
        Node::Next(_) => Node::Next(operand),
        Node::Always(_) => Node::Always(operand),
        Node::Eventually(_) => Node::Eventually(operand),
        Node::And(f, g) => binary(Node::And, f, g),
        Node::Or(f, g) => binary(Node::Or, f, g),
        Node::Implies(f, g) => binary(Node::Implies, f, g),
        Node::Equivalent(f, g) => binary(Node::Equivalent, f, g),
        Node::Until(f, g) => binary(Node::Until, f, g),
        Node::Release(f, g) => binary(Node::Release, f, g),
        Node::WeakUntil(f, g) => binary(Node::WeakUntil, f, g),
        Node::StrongRelease(f, g) => binary(Node::StrongRelease, f, g),
    }
}
