//! SPIN's side: `spin` writes a verifier in C, gcc compiles it, `pan` searches.

use std::ffi::OsStr;
use std::path::Path;

use super::measure::{Cost, Ended, timed};
use super::models::Benchmark;
use crate::Failure;
use crate::spin::{self, Answer};

pub struct SpinRun {
    pub states: u64,
    pub memory: Memory,
    pub pan: Cost,
    /// The wall time of all three steps together.
    pub wall: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    /// A state as SPIN lays it out, before compression.
    pub vector_bytes: u64,
    /// All that `pan` used, except for its stack, which it allocates at full size whether it is needed or not.
    pub bytes: f64,
}

pub fn run(benchmark: &Benchmark, directory: &Path) -> Result<SpinRun, Failure> {
    let path = benchmark.path();
    spin::prepare(&path, directory)?;
    let name = path.file_name().unwrap_or(OsStr::new("model.pml")).to_string_lossy().into_owned();
    let defines: Vec<String> = benchmark.defines.iter().map(|define| format!("-D{define}")).collect();
    let step = |program: &str, options: &[&str], files: &[String]| step(program, options, files, directory);
    let generate = step("spin", &spin::GENERATE, &[defines, vec![name]].concat())?;
    let compile = step("gcc", &spin::COMPILE, &["-o", "pan", "pan.c"].map(str::to_owned))?;
    let stack = format!("-m{}", benchmark.stack_size());
    let table = format!("-w{}", benchmark.hash_bits());
    let deadlocks: &[&str] = if benchmark.deadlocks { &["-E"] } else { &[] };
    let pan = step("./pan", &[&["-n", "-c0", &stack, &table], deadlocks].concat(), &[])?;
    let states = match spin::read_answer(&pan.stdout) {
        Answer::Finished { states, errors: 0, .. } => states,
        other => return Err(Failure(format!("pan did not search it without errors: {other:?}"))),
    };
    let memory = read_memory(&pan.stdout).ok_or_else(|| Failure("pan tells nothing of its memory".to_owned()))?;
    let wall = generate.cost.wall + compile.cost.wall + pan.cost.wall;
    Ok(SpinRun { states, memory, pan: pan.cost, wall })
}

/// One of the programs that make up SPIN, which must succeed.
pub fn step(program: &str, options: &[&str], files: &[String], directory: &Path) -> Result<Ended, Failure> {
    let options = options.iter().map(|option| option.to_string());
    let words: Vec<String> = [program.to_owned()].into_iter().chain(options).chain(files.iter().cloned()).collect();
    let ended = timed(&words, directory)?;
    match ended.code {
        Some(0) => Ok(ended),
        _ => Err(Failure(format!("{words:?} failed: {}{}", ended.stdout.trim(), ended.stderr.trim()))),
    }
}

fn read_memory(output: &str) -> Option<Memory> {
    let megabytes = |words: &str| -> Option<f64> {
        let line = output.lines().find(|line| line.contains(words))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let used = megabytes("total actual memory usage")? - megabytes("memory used for DFS stack")?;
    let vector = output.lines().find_map(|line| line.strip_prefix("State-vector "))?;
    let vector_bytes = vector.split(' ').next()?.parse().ok()?;
    Some(Memory { vector_bytes, bytes: used * f64::from(1 << 20) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
State-vector 36 byte, depth reached 1004, errors: 0
     2973 states, stored
     4705 states, matched

Stats on memory usage (in Megabytes):
    0.159\tequivalent memory usage for states (stored*(State-vector + overhead))
    0.288\tactual memory usage for states
    8.000\tmemory used for hash table (-w20)
    0.250\tmemory used for DFS stack (-m1100)
    8.500\ttotal actual memory usage

pan: elapsed time 0 seconds
";

    #[test]
    fn the_stack_is_not_counted() {
        let expected = Memory { vector_bytes: 36, bytes: 8.25 * 1_048_576.0 };
        assert_eq!(read_memory(OUTPUT), Some(expected));
    }

    #[test]
    fn nothing_is_made_up() {
        for missing in ["State-vector", "memory used for DFS stack", "total actual"] {
            assert_eq!(read_memory(&OUTPUT.replace(missing, "")), None, "{missing}");
        }
    }
}
