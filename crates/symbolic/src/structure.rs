//! What formulas are checked on: states, and steps between them, as sets. Fixpoints and witnesses know no more than this.

use reductio_logic::Prop;

use crate::bdd::{Bdd, Computed, Manager};
use crate::fair_ctl::Fairness;

pub trait Structure {
    /// One state.
    type State: Clone;

    fn manager(&self) -> &Manager<'_>;

    fn initial(&self) -> &Bdd;

    /// The states that can step to some of these.
    fn pred(&self, set: &Bdd) -> Computed<Bdd>;

    /// The same, for steps of which a condition holds.
    fn pred_with(&self, set: &Bdd, condition: &Bdd) -> Computed<Bdd>;

    /// The states that some of these can step to.
    fn succ(&self, set: &Bdd) -> Computed<Bdd>;

    /// Where an atom holds.
    fn atom(&self, prop: Prop) -> Computed<Bdd>;

    /// Which runs count.
    fn fairness(&self) -> Computed<Fairness>;

    /// Some state of a set.
    fn pick(&self, set: &Bdd) -> Option<Self::State>;

    /// The set of one state.
    fn point(&self, state: &Self::State) -> Computed<Bdd>;

    /// Some step from a state into a set of which a condition holds. The state that is left comes again: there may be more to
    /// say of it when the step is known.
    fn step(&self, from: &Self::State, to: &Bdd, condition: &Bdd) -> Computed<Option<(Self::State, Self::State)>>;
}
