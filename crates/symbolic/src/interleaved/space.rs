//! The states of a model as a structure for formulas.
//!
//! Only states in which anybody may move are seen, as by the automata of linear time: what is in the middle of an `atomic` is
//! passed, so an `atomic` is one step. A run that ends stays in its last state forever.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use reductio_logic::Prop;
use reductio_model::{AtomId, Door, FaultKind, Interpreter, Workspace};

use super::components::{ComponentId, Row};
use super::learning::Learning;
use crate::bdd::{Bdd, Computed, Manager};
use crate::fair_ctl::Fairness;
use crate::structure::Structure;

pub struct Space<'a> {
    system: &'a dyn Door,
    pub learning: Learning<'a>,
    initial: Bdd,
    /// The reachable states in which anybody may move.
    pub seen: Bdd,
    /// The others.
    passed: Bdd,
    /// Where nobody can move without `timeout`.
    blocked: Bdd,
    /// Where nobody can move at all.
    pub resting: Bdd,
    atoms: RefCell<BTreeMap<Prop, Atom>>,
}

/// Where an atom holds, among the states that are seen, and where it has no value.
#[derive(Clone)]
pub struct Atom {
    pub holds: Bdd,
    pub fails: Bdd,
}

impl<'a> Space<'a> {
    /// What was learnt when everything was reached.
    pub fn new(system: &'a dyn Door, mut learning: Learning<'a>) -> Computed<Space<'a>> {
        let blocked = learning.blocked(&learning.reached)?;
        let manager = &learning.components.manager;
        for moves in &mut learning.moves {
            moves.steps.prepare(&learning.components)?;
        }
        let seen = manager.and(&learning.reached, &learning.components.free()?)?;
        let passed = manager.minus(&learning.reached, &seen)?;
        let resting = manager.minus(&blocked, &learning.moves[1].possible.all(manager)?)?;
        let initial = learning.components.point(&learning.components.row(&system.initial_state()))?;
        let atoms = RefCell::default();
        Ok(Space { system, learning, initial, seen, passed, blocked, resting, atoms })
    }

    /// What takes the steps of runs.
    pub fn interpreter(&self) -> Interpreter<'a> {
        Interpreter::new(self.system.model())
    }

    /// What is one step before some state of a set, those in the middle of an `atomic` among them.
    pub fn before(&self, set: &Bdd) -> Computed<Bdd> {
        let manager = self.manager();
        let [steps, steps_after_timeout] = &self.learning.moves;
        let before = manager.and(&steps.steps.preimage(manager, set)?, &self.learning.reached)?;
        let after_timeout = manager.and(&steps_after_timeout.steps.preimage(manager, set)?, &self.blocked)?;
        manager.or(&before, &after_timeout)
    }

    fn after(&self, set: &Bdd) -> Computed<Bdd> {
        let manager = self.manager();
        let [steps, steps_after_timeout] = &self.learning.moves;
        let after = steps.steps.image(manager, set)?;
        manager.or(&after, &steps_after_timeout.steps.image(manager, &manager.and(set, &self.blocked)?)?)
    }

    /// The set, and what comes to it or from it through the middle of an `atomic` only.
    fn extended(&self, set: &Bdd, step: impl Fn(&Bdd) -> Computed<Bdd>) -> Computed<Bdd> {
        let manager = self.manager();
        let (mut all, mut new) = (set.clone(), set.clone());
        while !self.passed.is_false() && !new.is_false() {
            new = manager.minus(&manager.and(&step(&new)?, &self.passed)?, &all)?;
            all = manager.or(&all, &new)?;
        }
        Ok(all)
    }

    /// Can an `atomic` go on forever?
    pub fn has_endless_atomic(&self) -> Computed<bool> {
        let manager = self.manager();
        let mut left = self.passed.clone();
        loop {
            let smaller = manager.and(&left, &self.before(&left)?)?;
            if smaller == left {
                return Ok(!left.is_false());
            }
            left = smaller;
        }
    }

    /// Where something goes wrong in a step, and where a step has no next state.
    pub fn wrong(&self) -> Computed<(Bdd, Bdd)> {
        let Learning { components, moves, reached, .. } = &self.learning;
        let manager = &components.manager;
        let (mut faulty, mut ending) = (manager.truth(false), manager.truth(false));
        for (moves, within) in moves.iter().zip([reached, &self.blocked]) {
            faulty = manager.or(&faulty, &manager.and(&moves.faulty.all(manager)?, within)?)?;
            ending = manager.or(&ending, &manager.and(&moves.ending.all(manager)?, within)?)?;
        }
        Ok((faulty, ending))
    }

    /// Asks about states of a set, each time for all that have the same values in what it looks at, and
    /// answers where it says so.
    pub fn where_it_is(&self, set: &Bdd, ask: impl Fn(&Workspace) -> bool) -> Computed<Bdd> {
        let components = &self.learning.components;
        let manager = self.manager();
        let (mut unknown, mut found) = (set.clone(), manager.truth(false));
        while let Some(row) = components.pick(&unknown) {
            let mut workspace = Workspace::new(components.state(&row));
            workspace.observe(true);
            let answer = ask(&workspace);
            // A part that no component stands for has never been anything but absent.
            let touched = workspace.touched();
            let looked_at: BTreeSet<ComponentId> = touched.iter().filter_map(|part| components.known(*part)).collect();
            let looked_at: Vec<ComponentId> = looked_at.into_iter().collect();
            let like_it = components.same(&row, &looked_at)?;
            if answer {
                found = manager.or(&found, &manager.and(&like_it, set)?)?;
            }
            unknown = manager.minus(&unknown, &like_it)?;
        }
        Ok(found)
    }

    /// Where an atom holds and where it has no value.
    pub fn evaluate(&self, atom: AtomId) -> Computed<Atom> {
        let prop = Prop(atom.0);
        if let Some(known) = self.atoms.borrow().get(&prop) {
            return Ok(known.clone());
        }
        let value = |workspace: &Workspace| -> Result<bool, FaultKind> { self.system.atom_holds(workspace, atom) };
        let holds = self.where_it_is(&self.seen, |workspace| value(workspace) == Ok(true))?;
        let others = self.manager().minus(&self.seen, &holds)?;
        let fails = self.where_it_is(&others, |workspace| value(workspace).is_err())?;
        Ok(self.atoms.borrow_mut().entry(prop).or_insert(Atom { holds, fails }).clone())
    }
}

impl Structure for Space<'_> {
    type State = Row;

    fn manager(&self) -> &Manager<'_> {
        &self.learning.components.manager
    }

    fn initial(&self) -> &Bdd {
        &self.initial
    }

    fn pred(&self, set: &Bdd) -> Computed<Bdd> {
        let manager = self.manager();
        let target = manager.and(set, &self.seen)?;
        let coming = self.before(&self.extended(&target, |set| self.before(set))?)?;
        let staying = manager.and(&target, &self.resting)?;
        manager.or(&manager.and(&coming, &self.seen)?, &staying)
    }

    /// Steps have no inputs, so the condition is one on the state that is left.
    fn pred_with(&self, set: &Bdd, condition: &Bdd) -> Computed<Bdd> {
        self.manager().and(&self.pred(set)?, condition)
    }

    fn succ(&self, set: &Bdd) -> Computed<Bdd> {
        let manager = self.manager();
        let source = manager.and(set, &self.seen)?;
        let going = self.after(&self.extended(&source, |set| self.after(set))?)?;
        let staying = manager.and(&source, &self.resting)?;
        manager.or(&manager.and(&going, &self.seen)?, &staying)
    }

    fn atom(&self, prop: Prop) -> Computed<Bdd> {
        Ok(self.evaluate(AtomId(prop.0))?.holds)
    }

    fn fairness(&self) -> Computed<Fairness> {
        Ok(Fairness::default())
    }

    fn pick(&self, set: &Bdd) -> Option<Row> {
        self.learning.components.pick(set)
    }

    fn point(&self, state: &Row) -> Computed<Bdd> {
        self.learning.components.point(state)
    }

    fn step(&self, from: &Row, to: &Bdd, condition: &Bdd) -> Computed<Option<(Row, Row)>> {
        let manager = self.manager();
        let source = manager.and(&self.point(from)?, condition)?;
        let reached = manager.and(&self.succ(&source)?, to)?;
        Ok(self.pick(&reached).map(|to| (from.clone(), to)))
    }
}
