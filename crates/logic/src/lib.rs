//! Temporal logic: formulas, simpler formulas that mean the same, and automata that accept just the words that satisfy
//! them.
//!
//! Nothing here knows what a model is. Atoms are numbers ([`Prop`]) with texts ([`Propositions`]); a search asks a model
//! which of an automaton's propositions are true in a state, and hands the answer over as a [`Valuation`].
//!
//! ```
//! use reductio_logic::buchi::{Limits, translate};
//! use reductio_logic::ltl::{Formulas, parse};
//! use reductio_logic::{Propositions, Valuation};
//!
//! let (mut formulas, mut propositions) = (Formulas::new(), Propositions::new());
//! let formula = parse("[] (request -> <> granted)", &mut formulas, &mut propositions).expect("it is a formula");
//! let automata = translate(&mut formulas, formula, &Limits::default()).expect("it is small");
//! assert_eq!(automata.buchi.state_count(), 2);
//! let first = automata.buchi.successors(automata.buchi.initial(), Valuation::of([0])).next();
//! assert!(first.is_some_and(|edge| edge.target != automata.buchi.initial()));
//! ```

pub mod buchi;
pub mod ctl;
pub mod evaluate;
pub mod explain;
pub mod formats;
pub mod lasso;
pub mod ltl;
mod prop;
mod strong_components;

pub use prop::{MAX_PROPOSITIONS, Prop, Propositions, Valuation};
pub use strong_components::strong_components;
