//! SPIN's trail files: a line a step, `depth:pid:number`, where the number is SPIN's own of the transition.
//!
//! What we write, `spin -t` replays. What `pan` writes, we replay, if the verifier was made without statement merging
//! (`spin -a -o3`): a trail leaves out what was merged into the step before.

use reductio_model::{EdgeId, Interpreter, State, Step, Trace};

use crate::trace::TraceEntry;

/// A trail that `spin -t` replays. A rendezvous is two lines, the sender's and the receiver's.
pub fn write(trace: &TraceEntry) -> String {
    let mut trail = String::new();
    let mut depth = 0;
    for (index, step) in trace.steps.iter().enumerate() {
        if trace.cycle_start == Some(index) {
            trail.push_str("-1:-1:-1\n");
        }
        // SPIN has no circuits.
        let Some(step) = step.of_process() else { continue };
        let partner = step.partner.as_ref().map(|partner| (partner.pid, partner.number));
        for (pid, number) in std::iter::once((step.pid, step.number)).chain(partner) {
            depth += 1;
            trail.push_str(&format!("{depth}:{pid}:{number}\n"));
        }
    }
    trail
}

/// Why a trail cannot be replayed. Lines count from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrailError {
    NotATrail { line: usize },
    Impossible { line: usize, pid: u8, number: u32 },
    AfterTheEnd { line: usize },
}

impl std::fmt::Display for TrailError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TrailError::NotATrail { line } => write!(f, "line {line} is not of the form depth:pid:number"),
            TrailError::Impossible { line, pid, number } => write!(
                f,
                "line {line}: process {pid} cannot take SPIN's transition {number} here; is this a trail of another \
                 model, or of a verifier made without -o3?"
            ),
            TrailError::AfterTheEnd { line } => write!(f, "line {line}: the run has ended before it"),
        }
    }
}

impl std::error::Error for TrailError {}

/// One line that is a step.
struct Line {
    /// Its place in the file, from one.
    line: usize,
    pid: u8,
    number: u32,
}

/// Follows a trail through the model.
pub fn read(interpreter: &Interpreter<'_>, text: &str) -> Result<Trace, TrailError> {
    let lines = parse(text)?;
    let mut state = interpreter.initial_state();
    let mut stem = Vec::new();
    let mut rest = &lines[..];
    while let Some((line, following)) = rest.split_first() {
        let step = find_step(interpreter, &state, line, following.first());
        let step = step.ok_or(TrailError::Impossible { line: line.line, pid: line.pid, number: line.number })?;
        rest = if step.partner.is_some() { &following[1..] } else { following };
        stem.push(step);
        match (interpreter.execute(&state, step).state, rest.first()) {
            (Some(next), _) => state = next,
            (None, Some(line)) => return Err(TrailError::AfterTheEnd { line: line.line }),
            (None, None) => {}
        }
    }
    Ok(Trace { stem, cycle: Vec::new() })
}

/// Lines with a negative depth say how the trail was made.
fn parse(text: &str) -> Result<Vec<Line>, TrailError> {
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let fields: Option<Vec<i64>> = line.trim().split(':').map(|field| field.parse().ok()).collect();
        match fields.as_deref() {
            Some([depth, _, _]) if *depth < 0 => {}
            Some([_, pid @ 0..=254, number @ 0..=0x7fff_ffff]) => {
                lines.push(Line { line: line_number, pid: *pid as u8, number: *number as u32 });
            }
            _ => return Err(TrailError::NotATrail { line: line_number }),
        }
    }
    Ok(lines)
}

fn find_step(interpreter: &Interpreter<'_>, state: &State, line: &Line, next: Option<&Line>) -> Option<Step> {
    let number = |pid: u8, edge: EdgeId| {
        let process = &state.processes[pid as usize];
        interpreter.model().proctype(process.proctype).action_of(edge).number
    };
    interpreter.steps(state).into_iter().find(|step| {
        let mover_fits = step.process == line.pid && number(step.process, step.edge) == line.number;
        mover_fits
            && match (step.partner, next) {
                (None, _) => true,
                (Some((pid, edge)), Some(next)) => pid == next.pid && number(pid, edge) == next.number,
                (Some(_), None) => false,
            }
    })
}
