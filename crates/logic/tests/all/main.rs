//! The tests of formulas and automata, in one binary.

mod automata;
mod classes;
mod common;
mod containment;
mod explanations;
mod formats;
mod guards;
mod normal_form;
mod oracle;
mod separation;
mod showing;
mod simplification;
mod sizes;
mod stuttering;
mod text;
