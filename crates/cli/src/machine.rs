//! What the machine has to give.

use reductio_reduce::StoreChoice;

/// Lossy stores take most of the memory at once, so without a word from the user they get less than all.
const DEFAULT_FOR_LOSSY_STORES: u64 = 2 << 30;

/// The limit when the user gives none: better to end inconclusively than to be killed for taking everything.
/// `None` where the machine does not tell.
pub fn default_memory_limit(store: StoreChoice) -> Option<u64> {
    let free = [free_memory(), container_limit()].into_iter().flatten().min()?;
    let most = free / 4 * 3;
    Some(match store {
        StoreChoice::Exact => most,
        StoreChoice::Compact | StoreChoice::Bitstate => most.min(DEFAULT_FOR_LOSSY_STORES),
    })
}

fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    kibibytes(&text, "MemAvailable:")
}

fn container_limit() -> Option<u64> {
    let text = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?;
    text.trim().parse().ok()
}

/// What the program needs for itself, whatever it checks. It does not count as used.
const PROGRAM_ITSELF: u64 = 8 << 20;

/// How much memory the program uses now, without its own code and what it needs for itself. `None` where the system does
/// not tell.
pub fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(kibibytes(&text, "RssAnon:")?.saturating_sub(PROGRAM_ITSELF))
}

/// The size that is given in a line that begins so, in bytes.
fn kibibytes(text: &str, label: &str) -> Option<u64> {
    let size = text.lines().find_map(|line| line.strip_prefix(label))?;
    size.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
