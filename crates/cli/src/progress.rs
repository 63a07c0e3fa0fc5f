//! The line that shows what a check is doing and how it gets on, on a terminal only.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use reductio::{Phase, Progress};
use reductio_report::text::memory_size;

pub struct ProgressLine {
    on_terminal: bool,
    shown: AtomicBool,
}

impl ProgressLine {
    pub fn new(is_quiet: bool) -> Self {
        ProgressLine { on_terminal: !is_quiet && std::io::stderr().is_terminal(), shown: AtomicBool::new(false) }
    }

    pub fn show(&self, progress: &Progress) {
        if !self.on_terminal {
            return;
        }
        self.shown.store(true, Ordering::Relaxed);
        let line = text(progress);
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

/// The phase, and what an engine has seen.
fn text(Progress { phase, statistics }: &Progress) -> String {
    if statistics.states == 0 {
        return format!("{} ...", phase.name());
    }
    let rate = statistics.states as f64 / statistics.seconds.max(0.001);
    let memory = memory_size(statistics.memory_bytes);
    let seen = format!("{} states, {rate:.0} per second, depth {}, {memory}", statistics.states, statistics.depth);
    if *phase == Phase::Searching { seen } else { format!("{}: {seen}", phase.name()) }
}
