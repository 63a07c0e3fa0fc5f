//! A question with numbered answers.

use std::io::BufRead;

use crate::failure::Failure;
use crate::output::{self, Reader};

pub enum Answer {
    /// The place of the answer, counted from zero.
    Chosen(usize),
    /// Whichever, where that may be said.
    Any,
    Quit,
}

/// Reads the number of one of so many answers; `or_any` lets the user leave it to chance.
pub fn ask(count: usize, or_any: bool) -> Result<Answer, Failure> {
    let any = if or_any { ", r for one at random" } else { "" };
    loop {
        if output::print(&format!("choose 1 to {count}{any}, or q to quit: "))? == Reader::IsGone {
            return Ok(Answer::Quit);
        }
        let mut line = Vec::new();
        let read = std::io::stdin().lock().read_until(b'\n', &mut line);
        let length = read.map_err(|error| Failure::CannotRead { path: "standard input".into(), error })?;
        let answer = String::from_utf8_lossy(&line);
        let answer = answer.trim();
        if length == 0 || answer == "q" {
            output::print("\n")?;
            return Ok(Answer::Quit);
        }
        if or_any && answer == "r" {
            return Ok(Answer::Any);
        }
        let chosen = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match chosen.filter(|chosen| *chosen < count) {
            Some(chosen) => return Ok(Answer::Chosen(chosen)),
            None => output::print(&format!("`{answer}` is not one of them\n"))?,
        };
    }
}
