//! What claims can say of single processes.
//!
//! SPIN reads a label or a variable of whatever process has the number that is given. So a claim speaks of processes that
//! are there from the beginning, and only where nobody can get their numbers later.

use super::{EachStatement, Expr, Proctype, Program, Remote, RemotePart, Sequence, Statement, Type, Variable, Visitor};

impl Program {
    /// All that a claim can say of single processes.
    pub fn remotes(&self) -> Vec<Remote> {
        if self.runs_outside_init() {
            return Vec::new();
        }
        // They are numbered in the order of the text.
        let instances = self.proctypes.iter().flat_map(|proctype| vec![proctype; usize::from(proctype.active)]);
        let numbered = instances.enumerate().flat_map(|(pid, proctype)| {
            let name = &proctype.name;
            parts_of(proctype).into_iter().map(move |part| Remote { proctype: name.clone(), pid: pid as u8, part })
        });
        numbered.collect()
    }

    pub(super) fn remotes_are_sound(&self) -> bool {
        struct Search(Vec<Remote>);
        impl Visitor for Search {
            fn expr(&mut self, expr: &mut Expr) {
                if let Expr::Remote(remote) = expr {
                    self.0.push(remote.clone());
                }
            }
        }
        let mut search = Search(Vec::new());
        self.clone().walk(&mut search);
        let Search(used) = search;
        let known = if used.is_empty() { Vec::new() } else { self.remotes() };
        used.iter().all(|remote| known.contains(remote))
    }

    fn runs_outside_init(&self) -> bool {
        let mut runs = false;
        let mut without_init = Program { init: None, ..self.clone() };
        without_init.walk(&mut EachStatement(|step: &mut Statement| {
            runs |= matches!(step, Statement::Run(_) | Statement::AssignRun(..));
        }));
        runs
    }
}

/// The labels of a proctype, but for those inside a d_step, where nobody looks, and its scalar variables, but for those of
/// blocks, which have no name outside.
fn parts_of(proctype: &Proctype) -> Vec<RemotePart> {
    let all = labels(&proctype.body);
    let mut hidden = Vec::new();
    let mut inside = EachStatement(|step: &mut Statement| {
        if let Statement::DStep(body) = step {
            hidden.extend(labels(body));
        }
    });
    proctype.body.clone().iter_mut().for_each(|step| step.walk(&mut inside));
    let seen = all.into_iter().filter(|label| !hidden.contains(label)).map(RemotePart::Label);
    let declared = proctype.body.iter().filter_map(|step| match step {
        Statement::Declare(variable) => Some(variable),
        _ => None,
    });
    let variables = proctype.parameters.iter().chain(declared).filter(|variable| is_scalar(variable));
    seen.chain(variables.map(|variable| RemotePart::Variable(variable.name.clone()))).collect()
}

fn labels(body: &Sequence) -> Vec<String> {
    let mut labels = Vec::new();
    let mut search = EachStatement(|step: &mut Statement| {
        if let Statement::Label(name, _) = step {
            labels.push(name.clone());
        }
    });
    body.clone().iter_mut().for_each(|step| step.walk(&mut search));
    labels
}

fn is_scalar(variable: &Variable) -> bool {
    variable.length.is_none() && !variable.hidden && !matches!(variable.ty, Type::Chan | Type::Record(_))
}
