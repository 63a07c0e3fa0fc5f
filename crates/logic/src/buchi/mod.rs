//! Büchi automata: made from formulas, made smaller, taken apart.
//!
//! ```text
//! formula -- simplify --> formula -- alternating --> very weak alternating automaton -- generalized --> Tgba
//!                                       Buchi <-- to_buchi (degeneralize, reduce) -- Tgba <-- reduce --+
//! ```

mod alternating;
pub mod automaton;
mod bisimulation;
pub mod classify;
pub mod components;
pub mod containment;
mod degeneralize;
mod generalized;
pub mod guard;
pub mod normal_form;
pub mod product;
mod prune;
pub mod reduce;
mod simulation;
mod stutter;
pub mod translate;

pub use automaton::{Buchi, Edge, MAX_SETS, Marks, StateId, Tgba};
pub use classify::Classes;
pub use components::{Components, Kind};
pub use containment::{NotTold, Witness, not_contained};
pub use guard::{Cube, Guard};
pub use normal_form::{has_normal_form, is_closed_under_stuttering, is_determinate, normal_form};
pub use product::{is_empty, product};
pub use reduce::{reduce, to_buchi};
pub use stutter::is_stutter_invariant;
pub use translate::{Limits, TranslateError, Translation, translate, translate_plainly};
