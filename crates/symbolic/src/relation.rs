//! The transition relation as a conjunction of parts, never as one diagram.
//!
//! Paper:    [burch-clarke-long91]: conjunctively partitioned relations with early quantification; [ranjan-et-al95]: clusters,
//!           and the order in which they are multiplied.
//! Deviates: the order is greedy by how many bits can be quantified and how few are new.
//!
//! A bit is quantified as soon as no later part looks at it, which keeps intermediate results small.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use reductio_model::circuit::{Moment, VariableId, VariableKind};

use crate::bdd::{Bdd, Bit, Computed, Renaming};
use crate::encode::Encoding;

/// Parts are multiplied as long as the result is not larger than this.
const LARGEST_CLUSTER: usize = 1000;

/// Which parts an image or a pre-image uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RelationChoice {
    /// All of them, every time.
    Static,
    /// Those that matter for the set at hand: see [`dynamic_relations`](crate::dynamic_relations).
    #[default]
    Dynamic,
}

/// A conjunct of the relation.
pub struct Part {
    pub relation: Bdd,
    /// The variable that it gives a value to, now for an input, else in the next state. Whatever the others are, there is
    /// such a value; so where nobody looks at the variable, the part can be left out.
    pub defines: Option<VariableId>,
    /// The bits that it looks at.
    pub support: BTreeSet<Bit>,
}

/// The set of parts in use, as one flag for each.
pub type InUse = Vec<bool>;

pub struct Relation<'a> {
    pub encoding: Encoding<'a>,
    pub parts: Vec<Part>,
    /// The bits of each changing state bit's next value, and of each input bit, with the variable that they are of.
    pub owners: HashMap<Bit, VariableId>,
    changing: Vec<(Bit, Bit)>,
    inputs: Vec<Bit>,
    to_next: Renaming,
    to_now: Renaming,
    schedules: RefCell<HashMap<(InUse, bool), Rc<Schedule>>>,
    /// The sizes of the relations that were used, added up, and how often one was.
    used: RefCell<(u64, u64)>,
}

/// In which order to multiply, and what to quantify when.
struct Schedule {
    /// Bits that no part looks at.
    first: Bdd,
    steps: Vec<(Bdd, Bdd)>,
    nodes: u64,
}

impl<'a> Relation<'a> {
    pub fn new(encoding: Encoding<'a>) -> Computed<Relation<'a>> {
        let manager = &encoding.manager;
        let changing = encoding.changing_bits();
        let inputs = encoding.input_bits();
        let back: Vec<(Bit, Bit)> = changing.iter().map(|(now, next)| (*next, *now)).collect();
        let (to_next, to_now) = (manager.renaming(&changing)?, manager.renaming(&back)?);
        let circuit = encoding.circuit;
        let mut owners = HashMap::new();
        for id in circuit.variable_ids() {
            let next = match circuit.variable(id).kind {
                VariableKind::State => true,
                VariableKind::Input => false,
                VariableKind::Frozen => continue,
            };
            owners.extend(encoding.bits(id, next).iter().map(|bit| (*bit, id)));
        }
        let mut relation = Relation {
            parts: Vec::new(),
            owners,
            changing,
            inputs,
            to_next,
            to_now,
            schedules: RefCell::default(),
            used: RefCell::default(),
            encoding,
        };
        relation.add_parts()?;
        Ok(relation)
    }

    fn add_parts(&mut self) -> Computed<()> {
        let circuit = self.encoding.circuit;
        for id in circuit.variable_ids() {
            match circuit.variable(id).kind {
                VariableKind::Frozen => {}
                VariableKind::Input => {
                    let valid = self.encoding.is_valid(id, false)?;
                    self.add(valid, Some(id));
                }
                VariableKind::State => {
                    let mut part = self.encoding.is_valid(id, true)?;
                    for assignment in circuit.assignments.iter().filter(|assignment| assignment.target == id) {
                        let mut constraint = self.encoding.condition(assignment.constraint)?;
                        match assignment.moment {
                            Moment::Init => continue,
                            Moment::Next => {}
                            Moment::Always => constraint = self.next_of(&constraint)?,
                        }
                        part = self.encoding.manager.and(&part, &constraint)?;
                    }
                    self.add(part, Some(id));
                }
            }
        }
        for condition in &circuit.trans {
            let part = self.encoding.condition(*condition)?;
            self.add(part, None);
        }
        for condition in &circuit.invar {
            let part = self.next_of(&self.encoding.condition(*condition)?)?;
            self.add(part, None);
        }
        // What is frozen and always assigned is a condition like any other.
        for assignment in circuit.assignments.iter().filter(|assignment| assignment.moment == Moment::Always) {
            if circuit.variable(assignment.target).kind == VariableKind::Frozen {
                let part = self.next_of(&self.encoding.condition(assignment.constraint)?)?;
                self.add(part, None);
            }
        }
        Ok(())
    }

    fn add(&mut self, relation: Bdd, defines: Option<VariableId>) {
        let support = relation.support();
        self.parts.push(Part { relation, defines, support });
    }

    /// A set of states as a set of next states.
    pub fn next_of(&self, set: &Bdd) -> Computed<Bdd> {
        self.encoding.manager.rename(set, &self.to_next)
    }

    pub fn all_parts(&self) -> InUse {
        vec![true; self.parts.len()]
    }

    /// The states that some of these states can step to, by the parts in use.
    pub fn image(&self, set: &Bdd, in_use: &InUse) -> Computed<Bdd> {
        let product = self.product(set, in_use, true)?;
        self.encoding.manager.rename(&product, &self.to_now)
    }

    /// The states that can step to some of these, by the parts in use, with inputs of which `condition` holds. It may
    /// contain states that are none, because their bits stand for no values or they break an invariant.
    pub fn preimage(&self, set: &Bdd, condition: &Bdd, in_use: &InUse) -> Computed<Bdd> {
        let start = self.encoding.manager.and(&self.next_of(set)?, condition)?;
        self.product(&start, in_use, false)
    }

    fn product(&self, start: &Bdd, in_use: &InUse, forward: bool) -> Computed<Bdd> {
        let schedule = self.schedule(in_use, forward)?;
        {
            let mut used = self.used.borrow_mut();
            *used = (used.0 + schedule.nodes, used.1 + 1);
        }
        let manager = &self.encoding.manager;
        let mut product = manager.exists(start, &schedule.first)?;
        for (cluster, cube) in &schedule.steps {
            product = manager.and_exists(&product, cluster, cube)?;
        }
        Ok(product)
    }

    /// The size of the relations that were used so far, on average.
    pub fn average_size(&self) -> f64 {
        let (sum, count) = *self.used.borrow();
        if count == 0 { 0.0 } else { sum as f64 / count as f64 }
    }

    /// The steps from a state that lead into a set, with inputs of which `condition` holds: state, inputs and next state.
    pub fn steps(&self, from: &Bdd, to: &Bdd, condition: &Bdd) -> Computed<Bdd> {
        let manager = &self.encoding.manager;
        let mut product = manager.and(&manager.and(from, condition)?, &self.next_of(to)?)?;
        for part in &self.parts {
            product = manager.and(&product, &part.relation)?;
        }
        Ok(product)
    }

    fn schedule(&self, in_use: &InUse, forward: bool) -> Computed<Rc<Schedule>> {
        let key = (in_use.clone(), forward);
        if let Some(known) = self.schedules.borrow().get(&key) {
            return Ok(Rc::clone(known));
        }
        let schedule = Rc::new(self.plan(in_use, forward)?);
        self.schedules.borrow_mut().insert(key, Rc::clone(&schedule));
        Ok(schedule)
    }

    fn plan(&self, in_use: &InUse, forward: bool) -> Computed<Schedule> {
        let manager = &self.encoding.manager;
        let side = self.changing.iter().map(|(now, next)| if forward { *now } else { *next });
        let quantified: BTreeSet<Bit> = side.chain(self.inputs.iter().copied()).collect();
        let mut left: Vec<&Part> =
            self.parts.iter().zip(in_use).filter(|(_, used)| **used).map(|(part, _)| part).collect();
        left.retain(|part| !part.relation.is_true());
        let mut users: HashMap<Bit, usize> = HashMap::new();
        for part in &left {
            for bit in part.support.intersection(&quantified) {
                *users.entry(*bit).or_default() += 1;
            }
        }
        let unused = quantified.iter().copied().filter(|bit| !users.contains_key(bit));
        let mut schedule = Schedule { first: manager.cube(unused)?, steps: Vec::new(), nodes: 0 };
        let mut seen: BTreeSet<Bit> = BTreeSet::new();
        let mut cluster = manager.truth(true);
        let mut cube: Vec<Bit> = Vec::new();
        while !left.is_empty() {
            let best = (0..left.len()).max_by_key(|index| score(left[*index], &users, &seen, left.len() - index));
            let part = left.remove(best.unwrap_or(0));
            let joined = manager.and(&cluster, &part.relation)?;
            if manager.node_count(&joined) > LARGEST_CLUSTER && !cluster.is_true() {
                schedule.push(std::mem::replace(&mut cluster, part.relation.clone()), &mut cube, self)?;
            } else {
                cluster = joined;
            }
            seen.extend(&part.support);
            for bit in part.support.intersection(&quantified) {
                if let Some(count) = users.get_mut(bit) {
                    *count -= 1;
                    if *count == 0 {
                        cube.push(*bit);
                    }
                }
            }
        }
        if !cluster.is_true() || !cube.is_empty() {
            schedule.push(cluster, &mut cube, self)?;
        }
        Ok(schedule)
    }
}

impl Schedule {
    fn push(&mut self, cluster: Bdd, cube: &mut Vec<Bit>, relation: &Relation<'_>) -> Computed<()> {
        let manager = &relation.encoding.manager;
        self.nodes += manager.node_count(&cluster) as u64;
        self.steps.push((cluster, manager.cube(cube.drain(..))?));
        Ok(())
    }
}

/// Bits that can be quantified after the part are good, new bits are bad; else the order of the text.
fn score(part: &Part, users: &HashMap<Bit, usize>, seen: &BTreeSet<Bit>, place: usize) -> (i64, usize) {
    let freed = part.support.iter().filter(|bit| users.get(bit) == Some(&1)).count() as i64;
    let new = part.support.iter().filter(|bit| !seen.contains(bit)).count() as i64;
    (2 * freed - new, place)
}
