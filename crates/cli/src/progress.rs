//! The line that shows how a search gets on, on a terminal only.

use std::io::{IsTerminal, Write};

use reductio_explicit::Statistics;
use reductio_report::text::memory_size;

pub struct ProgressLine {
    on_terminal: bool,
    shown: bool,
}

impl ProgressLine {
    pub fn new() -> Self {
        ProgressLine { on_terminal: std::io::stderr().is_terminal(), shown: false }
    }

    pub fn show(&mut self, statistics: &Statistics) {
        if !self.on_terminal {
            return;
        }
        self.shown = true;
        let rate = statistics.states as f64 / statistics.seconds.max(0.001);
        let memory = memory_size(statistics.memory_bytes);
        let line = format!("{} states, {rate:.0} per second, depth {}, {memory}", statistics.states, statistics.depth);
        // Back to the start of the line, and nothing of the old one left behind.
        let mut err = std::io::stderr();
        let _ = write!(err, "\r{line}\x1b[K").and_then(|()| err.flush());
    }

    pub fn clear(&mut self) {
        if self.shown {
            self.shown = false;
            let mut err = std::io::stderr();
            let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
        }
    }
}
