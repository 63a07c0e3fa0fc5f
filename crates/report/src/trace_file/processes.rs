//! Steps of processes, by the number of the edge, the process and the statement.

use reductio_model::{EdgeId, Interpreter, Model, State, Step};

use crate::trace_file::{Recorded, StoredMover, StoredStep, StoredValues, TraceFileError};

impl Recorded for Interpreter<'_> {
    fn recorded_start(
        &mut self,
        values: Option<&StoredValues>,
        parent: Option<&State>,
    ) -> Result<State, TraceFileError> {
        match values {
            Some(_) => Err(TraceFileError::OtherKind),
            None => Ok(parent.cloned().unwrap_or_else(|| self.initial_state())),
        }
    }

    fn recorded_step(
        &mut self,
        before: &State,
        step: &StoredStep,
        index: usize,
        _: Option<&State>,
    ) -> Result<Step, TraceFileError> {
        let StoredStep::Process { mover, partner } = step else { return Err(TraceFileError::OtherKind) };
        let edge = mover.resolve(self.model(), before, index + 1)?;
        let partner = match partner {
            None => None,
            Some(partner) => Some((partner.pid, partner.resolve(self.model(), before, index + 1)?)),
        };
        Ok(Step { process: mover.pid, edge, partner })
    }

    fn why_not_initial(&self, _: &State) -> TraceFileError {
        TraceFileError::NoFirstState
    }

    fn why_impossible(&self, before: &State, step: &Step, index: usize) -> TraceFileError {
        let proctype = self.model().proctype(before.processes[step.process as usize].proctype);
        let statement = proctype.action_of(step.edge).text.clone();
        TraceFileError::Impossible { step: index + 1, process: proctype.name.clone(), statement }
    }
}

impl StoredMover {
    fn resolve(&self, model: &Model, state: &State, step: usize) -> Result<EdgeId, TraceFileError> {
        let pid = self.pid;
        let process = state.processes.get(pid as usize);
        let process = process.ok_or(TraceFileError::NoSuchProcess { step, pid })?;
        let proctype = model.proctype(process.proctype);
        if proctype.name != self.process {
            return Err(TraceFileError::OtherProcess {
                step,
                pid,
                expected: self.process.clone(),
                found: proctype.name.clone(),
            });
        }
        if self.edge as usize >= proctype.edges.len() {
            return Err(TraceFileError::NoSuchEdge { step, process: self.process.clone(), edge: self.edge });
        }
        let edge = EdgeId(self.edge);
        let statement = &proctype.action_of(edge).text;
        if *statement != self.statement {
            return Err(TraceFileError::OtherStatement {
                step,
                process: self.process.clone(),
                expected: self.statement.clone(),
                found: statement.clone(),
            });
        }
        Ok(edge)
    }
}
