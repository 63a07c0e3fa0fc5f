//! The line that shows how a search gets on, on a terminal only.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use reductio_model::Statistics;
use reductio_report::text::memory_size;

pub struct ProgressLine {
    on_terminal: bool,
    shown: AtomicBool,
}

impl ProgressLine {
    pub fn new(is_quiet: bool) -> Self {
        ProgressLine { on_terminal: !is_quiet && std::io::stderr().is_terminal(), shown: AtomicBool::new(false) }
    }

    pub fn show(&self, statistics: &Statistics) {
        if !self.on_terminal {
            return;
        }
        self.shown.store(true, Ordering::Relaxed);
        let rate = statistics.states as f64 / statistics.seconds.max(0.001);
        let memory = memory_size(statistics.memory_bytes);
        let line = format!("{} states, {rate:.0} per second, depth {}, {memory}", statistics.states, statistics.depth);
        // Back to the start of the line, and nothing of the old one left behind.
        let mut err = std::io::stderr();
        let _ = write!(err, "\r{line}\x1b[K").and_then(|()| err.flush());
    }

    pub fn clear(&self) {
        if self.shown.swap(false, Ordering::Relaxed) {
            let mut err = std::io::stderr();
            let _ = write!(err, "\r\x1b[K").and_then(|()| err.flush());
        }
    }
}
