//! States as short keys: the components of a state are interned, and a state is the packed vector of their numbers.

pub(crate) mod canonical_states;
pub(crate) mod components;
pub(crate) mod expander;
pub(crate) mod key;
pub(crate) mod layout;
mod loader;
pub(crate) mod memo;
pub(crate) mod selector;
pub(crate) mod space;
