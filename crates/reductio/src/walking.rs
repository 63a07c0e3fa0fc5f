//! Walking through a system step by step, for programs that simulate, explore or draw: which states are initial, what is possible in
//! a state, where that leads, and how all of it reads.
//!
//! Processes and circuits are [`Steppable`] alike, so whatever is written for one is written for both. The text below is what
//! `reductio simulate` shows.
//!
//! ```
//! use reductio::walking::{Described, Interpreter, Simulator, TooLarge};
//! use reductio::{CheckError, Language, Questions, Source, System};
//!
//! fn walk(mut system: impl Described, most: usize) -> Result<String, TooLarge> {
//!     let layout = system.layout();
//!     let Some(mut state) = system.some_initial_state(&mut |_| 0)? else { return Ok(String::new()) };
//!     let mut text = system.start(&state).map_or(String::new(), |start| layout.state(1, &start));
//!     for number in 1..=most {
//!         let Some(step) = system.some_step_from(&state, &mut |_| 0)? else { break };
//!         let taken = system.follow(state, step);
//!         text += &layout.step(number, &system.taken(&taken));
//!         let Some(next) = taken.outcome.state else { break };
//!         state = next;
//!     }
//!     Ok(text)
//! }
//!
//! let model = "byte x; active proctype P() { x = 1; x = 2 }";
//! let module = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;";
//! let mut shown = String::new();
//! for (language, name, text) in [(Language::Promela, "m.pml", model), (Language::Smv, "m.smv", module)] {
//!     let loaded = Source::text(language, name, text).load(&Questions::default())?;
//!     shown += &match loaded.system {
//!         System::Processes(model) => walk(Interpreter::new(&model), 1),
//!         System::Circuit(circuit) => walk(Simulator::new(&circuit), 1),
//!     }
//!     .expect("there is little to try");
//! }
//! assert!(shown.contains("x = 1") && shown.ends_with("   1  n = 0\n   2  n = 1\n"));
//! # Ok::<(), CheckError>(())
//! ```
//!
//! The steps of a circuit are known only if all its expressions have values: see [`expect_values`].

pub use reductio_model::circuit::Simulator;
pub use reductio_model::{
    Bounds, Choose, Interpreter, NoGraph, Several, StateEdge, StateGraph, StateGraphOf, Steppable, Taken, TooLarge,
    Walk, WalkOf,
};
pub use reductio_report::trace_text::{self, Layout};
pub use reductio_report::{Described, StepEntry, TraceEntry};

pub use crate::pipeline::expect_values;
