//! What these tests share: systems to search, and ways to search them.

pub mod claims;
pub mod engines;
pub mod graph;
