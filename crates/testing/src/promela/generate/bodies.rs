//! Processes: which there are, who starts them, and their bodies.

use super::super::program::{Binary, Expr, Place, Proctype, Run, Sequence, Statement, Type, Variable};
use super::{ChannelEntry, Generator, Here, Signature, SignatureParameter};

impl Generator {
    pub(super) fn processes(&mut self) {
        let level = self.level as usize;
        // Measured: with these numbers the median of the states is near the size asked for.
        let mut instances = 1 + level / 2 + self.random.below(2 + level / 3);
        let types = (1 + self.random.below(3)).min(instances);
        let run = self.random.below(3);
        let mut started: Vec<(Signature, usize)> = Vec::new();
        for remaining in (1..=types).rev() {
            let count = if remaining == 1 { instances } else { 1 + self.random.below(instances - remaining + 1) };
            instances -= count;
            let by_run = run == 1 || run == 2 && self.random.chance(50);
            let child = (by_run && !started.is_empty() && self.random.chance(25)).then(|| started.remove(0));
            let signature = self.proctype(count, by_run, child.map(|(signature, _)| signature));
            if by_run {
                started.push((signature, count));
            }
        }
        if !started.is_empty() || self.random.chance(10) {
            self.init(started);
        }
        // Those that start others come first in the text as often as last.
        if self.random.chance(50) {
            self.program.proctypes.reverse();
        }
    }

    fn proctype(&mut self, count: usize, by_run: bool, child: Option<Signature>) -> Signature {
        let name = self.fresh("P");
        let view = (self.scope.len(), self.channels.len());
        let provided = self.random.chance(3).then(|| {
            self.in_process = true;
            self.condition(1)
        });
        let mut parameters = Vec::new();
        let mut signature = Signature { name: name.clone(), parameters: Vec::new() };
        for _ in 0..if by_run { self.random.below(3) } else { 0 } {
            let template = if self.channels.is_empty() { None } else { Some(self.random.pick(&self.channels).clone()) };
            let parameter_name = self.fresh("p");
            match template {
                Some(channel) if self.random.chance(40) => {
                    let shown = ChannelEntry { name: parameter_name.clone(), length: None, ..channel.clone() };
                    self.channels.push(shown);
                    parameters.push(Variable::new(Type::Chan, parameter_name));
                    signature.parameters.push(SignatureParameter::Channel(channel));
                }
                _ => {
                    let types = [Type::Byte, Type::Byte, Type::Bit, Type::Bool, Type::Short, Type::Int, Type::Mtype];
                    let types = if self.priorities { &types[..1] } else { &types[..] };
                    let variable = Variable::new(self.random.pick(types).clone(), parameter_name);
                    self.show(&variable);
                    signature.parameters.push(SignatureParameter::Value(variable.ty.clone()));
                    parameters.push(variable);
                }
            }
        }
        let budget = 2 + self.level as usize + self.random.below(2 + self.level as usize);
        let body = self.body(budget, child);
        self.scope.truncate(view.0);
        self.channels.truncate(view.1);
        let priority = (self.priorities && self.random.chance(85)).then(|| 1 + self.random.below(3) as u8);
        let active = if by_run { 0 } else { count as u8 };
        self.program.proctypes.push(Proctype { name, active, parameters, priority, provided, body });
        signature
    }

    fn body(&mut self, budget: usize, child: Option<Signature>) -> Sequence {
        self.in_process = true;
        self.labels.clear();
        self.pending.clear();
        // A process that starts others must not do so repeatedly.
        self.may_jump_back = child.is_none();
        let mut body = self.locals();
        let mut steps = self.sequence(Here::default(), budget);
        if let Some(signature) = child {
            let place = self.random.below(steps.len() + 1);
            let run = self.run(&signature);
            steps.insert(place, Statement::Run(run));
        }
        body.extend(steps);
        for label in std::mem::take(&mut self.pending) {
            let last = if self.random.chance(50) { Statement::Skip } else { self.assignment() };
            body.push(Statement::Label(label, Box::new(last)));
        }
        self.in_process = false;
        body
    }

    /// What is declared at the start of a body. Its users are in view until the body is done.
    fn locals(&mut self) -> Sequence {
        let mut declarations = Vec::new();
        while declarations.len() < 3 && self.random.chance(40) {
            if self.random.chance(10) {
                let mut channel = self.channel("lc");
                channel.length = None;
                channel.capacity = channel.capacity.max(1);
                self.show_channel(&channel);
                declarations.push(Statement::DeclareChannel(channel));
                continue;
            }
            let variable = self.variable("t", true);
            self.show(&variable);
            declarations.push(Statement::Declare(variable));
        }
        declarations
    }

    fn init(&mut self, started: Vec<(Signature, usize)>) {
        self.in_process = true;
        self.labels.clear();
        self.pending.clear();
        self.may_jump_back = false;
        let view = (self.scope.len(), self.channels.len());
        let mut body = self.locals();
        let mut runs = Vec::new();
        for (signature, count) in started {
            if count > 1 && self.random.chance(50) {
                let steps = self.run_in_loop(&signature, count);
                runs.extend(steps);
                continue;
            }
            for _ in 0..count {
                let run = self.run(&signature);
                runs.push(Statement::Run(run));
            }
        }
        if self.random.chance(10)
            && let Some(Statement::Run(run)) = runs.last().cloned()
        {
            let variable = Variable::new(Type::Pid, self.fresh("t"));
            let place = Place::named(&variable.name);
            runs.pop();
            runs.insert(0, Statement::Declare(variable));
            runs.push(Statement::AssignRun(place, run));
        }
        if !runs.is_empty() && self.random.chance(50) {
            body.push(Statement::Atomic(runs));
        } else {
            body.extend(runs);
        }
        if self.random.chance(35) {
            let sign = *self.random.pick(&[Binary::Equal, Binary::LessEqual]);
            let count = 1 + self.program.proctypes.iter().map(|proctype| i32::from(proctype.active)).sum::<i32>();
            body.push(Statement::Expr(Expr::binary(sign, Expr::name("_nr_pr"), Expr::Number(count))));
        }
        if body.is_empty() || self.random.chance(40) {
            let budget = 1 + self.random.below(1 + self.level as usize);
            let steps = self.sequence(Here { depth: 1, ..Here::default() }, budget);
            body.extend(steps);
        }
        for label in std::mem::take(&mut self.pending) {
            body.push(Statement::Label(label, Box::new(Statement::Skip)));
        }
        self.in_process = false;
        self.scope.truncate(view.0);
        self.channels.truncate(view.1);
        self.program.init = Some(body);
    }

    fn run_in_loop(&mut self, signature: &Signature, count: usize) -> Sequence {
        let name = self.fresh("i");
        let index = Place::named(&name);
        let declaration = Statement::Declare(Variable::new(Type::Byte, name));
        let run = Statement::Run(self.run(signature));
        let (low, high) = (Expr::Number(1), Expr::Number(count as i32));
        if self.random.chance(50) {
            return vec![declaration, Statement::For(index, low, high, vec![run])];
        }
        let test = Statement::Expr(Expr::binary(Binary::Less, Expr::Place(index.clone()), high));
        let again = vec![test, run, Statement::Increment(index)];
        vec![declaration, Statement::Do(vec![again, vec![Statement::Else, Statement::Break]])]
    }

    fn run(&mut self, signature: &Signature) -> Run {
        let arguments = signature.parameters.iter().map(|parameter| match parameter {
            SignatureParameter::Value(Type::Mtype) => self.constant(&Type::Mtype),
            SignatureParameter::Value(_) if self.random.chance(8) => Expr::Number(257),
            SignatureParameter::Value(ty) => {
                let range = super::range_of(ty);
                self.value(range, 1)
            }
            SignatureParameter::Channel(wanted) => {
                let same =
                    |other: &&ChannelEntry| other.rendezvous == wanted.rendezvous && other.fields == wanted.fields;
                let others: Vec<ChannelEntry> = self.channels.iter().filter(same).cloned().collect();
                let channel = self.random.pick(&others).clone();
                Expr::Place(self.channel_place(&channel))
            }
        });
        Run { proctype: signature.name.clone(), arguments: arguments.collect(), priority: None }
    }
}
