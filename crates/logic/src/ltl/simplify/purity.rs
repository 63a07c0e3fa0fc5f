//! Pure eventualities and universalities [etessami-holzmann00].
//!
//! A formula is eventual if a word that satisfies it still does with anything put before: `<> f`, for instance. It is
//! universal if every suffix of such a word satisfies it too: `[] f`. `[] <> f` is both, and so holds everywhere on a
//! word or nowhere.

use super::Simplifier;
use crate::ltl::formula::{Formula, Node};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Purity {
    pub eventual: bool,
    pub universal: bool,
}

impl Purity {
    const BOTH: Purity = Purity { eventual: true, universal: true };
    const NEITHER: Purity = Purity { eventual: false, universal: false };

    fn and(self, other: Purity) -> Purity {
        Purity { eventual: self.eventual && other.eventual, universal: self.universal && other.universal }
    }
}

impl Simplifier<'_> {
    pub(super) fn is_eventual(&mut self, formula: Formula) -> bool {
        self.purity(formula).eventual
    }

    pub(super) fn is_universal(&mut self, formula: Formula) -> bool {
        self.purity(formula).universal
    }

    /// Whether a formula holds everywhere on a word or nowhere.
    pub(super) fn is_timeless(&mut self, formula: Formula) -> bool {
        self.purity(formula) == Purity::BOTH
    }

    fn purity(&mut self, formula: Formula) -> Purity {
        if let Some(&known) = self.purities.get(&formula) {
            return known;
        }
        let purity = match self.node(formula) {
            Node::True | Node::False => Purity::BOTH,
            Node::Atom(_) | Node::Not(_) | Node::Implies(..) | Node::Equivalent(..) => Purity::NEITHER,
            Node::Next(f) => self.purity(f),
            Node::And(f, g) | Node::Or(f, g) => self.purity(f).and(self.purity(g)),
            Node::Always(f) => Purity { universal: true, ..self.purity(f) },
            Node::Eventually(f) => Purity { eventual: true, ..self.purity(f) },
            Node::Until(f, g) | Node::Release(f, g) | Node::WeakUntil(f, g) | Node::StrongRelease(f, g) => {
                self.purity(f).and(self.purity(g))
            }
        };
        self.purities.insert(formula, purity);
        purity
    }
}
