//! The library as programs that embed it see it.

mod examples;
mod walking;
