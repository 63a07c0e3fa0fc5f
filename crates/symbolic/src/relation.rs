//! The transition relation as a conjunction of parts, never as one diagram.
//!
//! Paper:    [burch-clarke-long91]: conjunctively partitioned relations with early quantification; [ranjan-et-al95]: clusters,
//!           and the order in which they are multiplied.
//! Deviates: the order is greedy by how many bits can be quantified and how few are new.
//!
//! A bit is quantified as soon as no later part looks at it, which keeps intermediate results small.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
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
    Dynamic,
    /// Those that matter, or all if there are not many others.
    #[default]
    Auto,
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
    next_bit: HashMap<Bit, Bit>,
    inputs: Vec<Bit>,
    to_next: Renaming,
    to_now: Renaming,
    backward: OnceCell<Vec<Cluster>>,
    forward: OnceCell<Vec<Cluster>>,
    schedules: RefCell<HashMap<(InUse, bool), Rc<Schedule>>>,
    /// The sizes of the relations that were used, added up, and how often one was.
    used: RefCell<(u64, u64)>,
}

/// Parts that are multiplied with each other first.
struct Cluster {
    parts: Vec<usize>,
    product: Bdd,
    /// Products of some of the parts only.
    of_some: RefCell<HashMap<Vec<usize>, Bdd>>,
}

/// In which order to multiply, and what to quantify when.
struct Schedule {
    /// Bits that no part looks at.
    first: Bdd,
    /// What to multiply with, and the bits that nobody looks at afterwards.
    steps: Vec<(Bdd, Bdd)>,
    /// The size of all of it.
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
            next_bit: changing.iter().copied().collect(),
            changing,
            inputs,
            to_next,
            to_now,
            backward: OnceCell::new(),
            forward: OnceCell::new(),
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

    /// The bits of the next values of these bits; inputs stand for themselves.
    pub fn next_bits(&self, bits: impl IntoIterator<Item = Bit>) -> impl Iterator<Item = Bit> {
        bits.into_iter().map(|bit| self.next_bit.get(&bit).copied().unwrap_or(bit))
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

    /// The bits that an image or a pre-image quantifies.
    fn quantified(&self, forward: bool) -> BTreeSet<Bit> {
        let side = self.changing.iter().map(|(now, next)| if forward { *now } else { *next });
        side.chain(self.inputs.iter().copied()).collect()
    }

    fn plan(&self, in_use: &InUse, forward: bool) -> Computed<Schedule> {
        let manager = &self.encoding.manager;
        let quantified = self.quantified(forward);
        let mut products = Vec::new();
        // The last product that looks at each bit.
        let mut last: HashMap<Bit, usize> = HashMap::new();
        for cluster in self.clusters(forward)? {
            let used: Vec<usize> = cluster.parts.iter().copied().filter(|part| in_use[*part]).collect();
            if used.is_empty() {
                continue;
            }
            for part in &used {
                let freed = self.parts[*part].support.intersection(&quantified);
                last.extend(freed.map(|bit| (*bit, products.len())));
            }
            products.push(cluster.product_of(used, self)?);
        }
        let mut cubes: Vec<Vec<Bit>> = vec![Vec::new(); products.len()];
        for (bit, product) in &last {
            cubes[*product].push(*bit);
        }
        // Going back, a set depends only on bits whose definition is in use.
        let mut is_defined = vec![false; self.encoding.circuit.variables.len()];
        for (part, _) in self.parts.iter().zip(in_use).filter(|(_, used)| **used) {
            if let Some(id) = part.defines {
                is_defined[id.index()] = true;
            }
        }
        let may_matter = |bit: &Bit| forward || self.owners.get(bit).is_some_and(|id| is_defined[id.index()]);
        let unused = quantified.iter().copied().filter(|bit| !last.contains_key(bit) && may_matter(bit));
        let mut schedule = Schedule { first: manager.cube(unused)?, steps: Vec::new(), nodes: 0 };
        for (product, cube) in products.into_iter().zip(cubes) {
            schedule.nodes += manager.node_count(&product) as u64;
            schedule.steps.push((product, manager.cube(cube)?));
        }
        Ok(schedule)
    }

    /// All parts, in the order in which they are multiplied. Whatever is in use later keeps to it.
    fn clusters(&self, forward: bool) -> Computed<&[Cluster]> {
        let cell = if forward { &self.forward } else { &self.backward };
        if let Some(known) = cell.get() {
            return Ok(known);
        }
        let manager = &self.encoding.manager;
        let mut clusters: Vec<Cluster> = Vec::new();
        for part in self.order_of_parts(forward) {
            let relation = &self.parts[part].relation;
            if let Some(cluster) = clusters.last_mut() {
                let joined = manager.and(&cluster.product, relation)?;
                if manager.node_count(&joined) <= LARGEST_CLUSTER {
                    cluster.product = joined;
                    cluster.parts.push(part);
                    continue;
                }
            }
            let (parts, product) = (vec![part], relation.clone());
            clusters.push(Cluster { parts, product, of_some: RefCell::default() });
        }
        Ok(cell.get_or_init(|| clusters))
    }

    fn order_of_parts(&self, forward: bool) -> Vec<usize> {
        let quantified = self.quantified(forward);
        let mut left: Vec<usize> = (0..self.parts.len()).filter(|part| !self.parts[*part].relation.is_true()).collect();
        let mut users: HashMap<Bit, usize> = HashMap::new();
        for part in &left {
            for bit in self.parts[*part].support.intersection(&quantified) {
                *users.entry(*bit).or_default() += 1;
            }
        }
        let mut seen: HashSet<Bit> = HashSet::new();
        let mut order = Vec::new();
        while !left.is_empty() {
            let value = |place: &usize| score(&self.parts[left[*place]], &users, &seen, left.len() - place);
            let part = left.remove((0..left.len()).max_by_key(value).unwrap_or(0));
            seen.extend(&self.parts[part].support);
            for bit in &self.parts[part].support {
                if let Some(count) = users.get_mut(bit) {
                    *count -= 1;
                }
            }
            order.push(part);
        }
        order
    }
}

impl Cluster {
    /// The product of some of the parts.
    fn product_of(&self, used: Vec<usize>, relation: &Relation<'_>) -> Computed<Bdd> {
        if used.len() == self.parts.len() {
            return Ok(self.product.clone());
        }
        if let Some(known) = self.of_some.borrow().get(&used) {
            return Ok(known.clone());
        }
        let product = relation.encoding.manager.all(used.iter().map(|part| &relation.parts[*part].relation))?;
        self.of_some.borrow_mut().insert(used, product.clone());
        Ok(product)
    }
}

/// Bits that can be quantified after the part are good, new bits are bad; else the order of the text.
fn score(part: &Part, users: &HashMap<Bit, usize>, seen: &HashSet<Bit>, place: usize) -> (i64, usize) {
    let freed = part.support.iter().filter(|bit| users.get(bit) == Some(&1)).count() as i64;
    let new = part.support.iter().filter(|bit| !seen.contains(bit)).count() as i64;
    (2 * freed - new, place)
}
