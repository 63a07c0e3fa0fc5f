//! Processes in words: who, where, what, and only what changed.

use reductio_model::{EdgeId, Fault, FaultKind, Interpreter, Model, Outcome, State, Step, Taken, Workspace, Wrapped};

use crate::describe::Described;
use crate::trace::{PartnerEntry, ProcessStep, StepEntry, WrappedEntry};
use crate::trace_text::Layout;
use crate::value::{Change, changes, contents, process_name};

impl Described for Interpreter<'_> {
    const MOST_LISTED: Option<usize> = None;
    const SHARES_ARROWS: bool = false;

    fn layout(&self) -> Layout {
        Layout::for_model(self.model())
    }

    fn contents(&self, state: &State) -> Vec<Change> {
        contents(self.model(), state)
    }

    /// The model says it.
    fn start(&self, _: &State) -> Option<Vec<Change>> {
        None
    }

    fn possible(&self, state: &State, step: &Step) -> StepEntry {
        StepEntry::Process(ProcessStep::new(self.model(), state, *step))
    }

    fn taken(&self, taken: &Taken) -> StepEntry {
        let Taken { before, step, outcome } = taken;
        let mut entry = ProcessStep::new(self.model(), before, *step);
        entry.tell(outcome);
        entry.fault = outcome.fault.as_ref().map(|fault| fault.kind.to_string());
        entry.changes = outcome.state.as_ref().map_or(Vec::new(), |after| changes(self.model(), before, after));
        StepEntry::Process(entry)
    }

    fn fault(&self, fault: &Fault) -> String {
        let action = self.model().proctype(fault.proctype).action(fault.action);
        let place = self.model().place_name(action.position);
        match fault.kind {
            // The statement says it.
            FaultKind::AssertionViolated => format!("{} ({place})", action.text),
            _ => format!("{}: {} ({place})", fault.kind, action.text),
        }
    }

    fn ending(&mut self, state: &State) -> String {
        if self.is_valid_end_state(state) { "the run ends".to_owned() } else { deadlock(self, state) }
    }

    /// Where each process is, and what the variables and channels hold.
    fn state_label(&self, state: &State) -> String {
        let model = self.model();
        let mut lines = Vec::new();
        for (pid, process) in state.processes.iter().enumerate() {
            let location = model.proctype(process.proctype).location(process.location);
            let name = process_name(model, state, pid as u8);
            lines.push(format!("{name} at line {}", location.position.line));
        }
        lines.extend(contents(model, state).iter().map(Change::to_string));
        lines.join("\n")
    }

    fn is_passed_through(&self, state: &State) -> bool {
        state.exclusive.is_some()
    }

    fn arrow_label(&self, state: &State, steps: &[&Step]) -> String {
        let label = |step: &&Step| {
            let step = ProcessStep::new(self.model(), state, **step);
            let mut label = format!("{}[{}] {}", step.process, step.pid, step.statement);
            if let Some(partner) = step.partner {
                label.push_str(&format!("\n{}[{}] {}", partner.process, partner.pid, partner.statement));
            }
            label
        };
        steps.iter().map(label).collect::<Vec<_>>().join("\n")
    }
}

impl ProcessStep {
    /// A step that is possible in a state, without what it does.
    fn new(model: &Model, state: &State, step: Step) -> ProcessStep {
        let mover = PartnerEntry::new(model, state, step.process, step.edge);
        ProcessStep {
            process: mover.process,
            pid: mover.pid,
            at: mover.at,
            statement: mover.statement,
            changes: Vec::new(),
            edge: mover.edge,
            number: mover.number,
            partner: step.partner.map(|(pid, edge)| PartnerEntry::new(model, state, pid, edge)),
            output: None,
            wrapped: Vec::new(),
            fault: None,
        }
    }

    /// Adds what the step told when it was taken.
    fn tell(&mut self, outcome: &Outcome) {
        self.output = (!outcome.output.is_empty()).then(|| outcome.output.clone());
        let entry = |Wrapped { variable, value, stored }: &Wrapped| WrappedEntry {
            variable: variable.clone(),
            value: *value,
            stored: *stored,
        };
        self.wrapped = outcome.wrapped.iter().map(entry).collect();
    }
}

impl PartnerEntry {
    fn new(model: &Model, state: &State, pid: u8, edge: EdgeId) -> PartnerEntry {
        let proctype = model.proctype(state.processes[pid as usize].proctype);
        let action = proctype.action_of(edge);
        PartnerEntry {
            process: proctype.name.clone(),
            pid,
            at: model.place_name(action.position),
            statement: action.text.clone(),
            edge: edge.0,
            number: action.number,
        }
    }
}

/// Where the processes wait that should not have to, or else what the run lacks.
fn deadlock(interpreter: &Interpreter<'_>, state: &State) -> String {
    const SHOWN: usize = 4;
    let model = interpreter.model();
    let mut waiting = Vec::new();
    for (pid, process) in state.processes.iter().enumerate() {
        let proctype = model.proctype(process.proctype);
        let location = proctype.location(process.location);
        if !location.end {
            waiting.push(format!("{}[{pid}] at {}", proctype.name, model.place_name(location.position)));
        }
    }
    if waiting.is_empty()
        && let Some(monitor) = interpreter.unfinished_monitor(&Workspace::new(state.clone()))
    {
        let place = model.place_name(monitor.position);
        return format!("the run ends, but the {} assertion ({place}) still expects messages", monitor.name);
    }
    let more = waiting.len().saturating_sub(SHOWN);
    waiting.truncate(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("invalid end state, waiting forever: {}{more}", waiting.join(", "))
}
