//! The transition relation as a conjunction of parts, never as one diagram.
//!
//! Paper:    [burch-clarke-long91]: conjunctively partitioned relations with early quantification; [ranjan-et-al95]: clusters,
//!           and the order in which they are multiplied.
//! Deviates: the order is greedy by how many bits can be quantified and how few are new.
//!
//! A bit is quantified as soon as no later part looks at it, which keeps intermediate results small. A part is encoded when
//! it is used for the first time.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use reductio_model::circuit::{Assignment, ExprId, Moment, VariableId, VariableKind};

use crate::bdd::{Bdd, Bit, Computed, Renaming};
use crate::encode::Encoding;

/// How many nodes a product of parts may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LargestCluster(pub usize);

impl Default for LargestCluster {
    fn default() -> LargestCluster {
        LargestCluster(1000)
    }
}

/// A conjunct of the relation.
pub struct Part {
    /// The variable that it gives a value to, now for an input, else in the next state. Whatever the others are, there is
    /// such a value; so where nobody looks at the variable, the part can be left out.
    pub defines: Option<VariableId>,
    /// The bits that it may look at.
    pub support: Vec<Bit>,
    /// What it says, each of this state (`false`) or of the next one (`true`).
    conditions: Vec<(ExprId, bool)>,
    relation: OnceCell<Bdd>,
}

/// The set of parts in use, as one flag for each.
pub type InUse = Vec<bool>;

pub struct Relation<'a> {
    pub encoding: Encoding<'a>,
    pub parts: Vec<Part>,
    /// By bit, the part that defines it: that of a next value, or of an input.
    definitions: Vec<Option<usize>>,
    changing: Vec<(Bit, Bit)>,
    next_bit: HashMap<Bit, Bit>,
    inputs: Vec<Bit>,
    to_next: Renaming,
    to_now: Renaming,
    /// Going back, and going on.
    clusters: [RefCell<Clusters>; 2],
    schedules: RefCell<HashMap<(InUse, bool), Rc<Schedule>>>,
    /// The sizes of the relations that were used, added up, and how often one was.
    used: RefCell<(u64, u64)>,
    /// Parts are multiplied as long as the result is not larger than this.
    largest_cluster: usize,
}

/// The order in which parts are multiplied.
#[derive(Default)]
struct Clusters {
    /// The parts that are in it: all that have been in use so far, and some more.
    covered: InUse,
    in_order: Rc<Vec<Cluster>>,
}

/// Parts that are multiplied with each other first.
struct Cluster {
    parts: Vec<usize>,
    product: Bdd,
    /// How many nodes that has.
    size: usize,
    /// Products of some of the parts only, with their sizes.
    of_some: RefCell<HashMap<Vec<usize>, (Bdd, usize)>>,
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
    pub fn new(encoding: Encoding<'a>, LargestCluster(largest_cluster): LargestCluster) -> Computed<Relation<'a>> {
        let manager = &encoding.manager;
        let changing = encoding.changing_bits();
        let inputs = encoding.input_bits();
        let back: Vec<(Bit, Bit)> = changing.iter().map(|(now, next)| (*next, *now)).collect();
        let (to_next, to_now) = (manager.renaming(&changing)?, manager.renaming(&back)?);
        let mut relation = Relation {
            parts: Vec::new(),
            definitions: vec![None; manager.bit_count() as usize],
            next_bit: changing.iter().copied().collect(),
            changing,
            inputs,
            to_next,
            to_now,
            clusters: Default::default(),
            schedules: RefCell::default(),
            used: RefCell::default(),
            largest_cluster,
            encoding,
        };
        relation.add_parts();
        Ok(relation)
    }

    fn add_parts(&mut self) {
        let circuit = self.encoding.circuit;
        let of_moment = |assignment: &Assignment| match assignment.moment {
            Moment::Init => None,
            Moment::Next => Some((assignment.constraint, false)),
            Moment::Always => Some((assignment.constraint, true)),
        };
        for id in circuit.variable_ids() {
            let own = circuit.assignments.iter().filter(|assignment| assignment.target == id);
            match circuit.variable(id).kind {
                VariableKind::Frozen => {}
                VariableKind::Input => self.add(Vec::new(), Some(id)),
                VariableKind::State => self.add(own.filter_map(of_moment).collect(), Some(id)),
            }
        }
        for condition in &circuit.trans {
            self.add(vec![(*condition, false)], None);
        }
        for condition in &circuit.invar {
            self.add(vec![(*condition, true)], None);
        }
        // What is frozen and always assigned is a condition like any other.
        for assignment in circuit.assignments.iter().filter(|assignment| assignment.moment == Moment::Always) {
            if circuit.variable(assignment.target).kind == VariableKind::Frozen {
                self.add(vec![(assignment.constraint, true)], None);
            }
        }
    }

    fn add(&mut self, conditions: Vec<(ExprId, bool)>, defines: Option<VariableId>) {
        let circuit = self.encoding.circuit;
        let mut support: BTreeSet<Bit> = BTreeSet::new();
        for (condition, of_next) in &conditions {
            for (id, next) in circuit.support(*condition) {
                support.extend(self.encoding.bits(id, next || *of_next));
            }
        }
        if let Some(id) = defines {
            let own = self.encoding.bits(id, circuit.variable(id).kind != VariableKind::Input);
            own.iter().for_each(|bit| self.definitions[bit.index()] = Some(self.parts.len()));
            if !circuit.variable(id).domain.size().is_power_of_two() {
                support.extend(own);
            }
        }
        let support = support.into_iter().collect();
        self.parts.push(Part { defines, support, conditions, relation: OnceCell::new() });
    }

    fn relation_of(&self, part: usize) -> Computed<&Bdd> {
        let part = &self.parts[part];
        if let Some(known) = part.relation.get() {
            return Ok(known);
        }
        let mut relation = match part.defines {
            None => self.encoding.manager.truth(true),
            Some(id) => {
                let is_input = self.encoding.circuit.variable(id).kind == VariableKind::Input;
                self.encoding.is_valid(id, !is_input)?
            }
        };
        for (condition, of_next) in &part.conditions {
            let condition = self.encoding.condition(*condition)?;
            let condition = if *of_next { self.next_of(&condition)? } else { condition };
            relation = self.encoding.manager.and(&relation, &condition)?;
        }
        Ok(part.relation.get_or_init(|| relation))
    }

    /// The part that defines what a bit of a next value or of an input is.
    pub fn definition(&self, bit: Bit) -> Option<usize> {
        self.definitions[bit.index()]
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
        for part in 0..self.parts.len() {
            product = manager.and(&product, self.relation_of(part)?)?;
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

    /// Which bits an image or a pre-image quantifies, by number.
    fn quantified(&self, forward: bool) -> Vec<bool> {
        let mut quantified = vec![false; self.encoding.manager.bit_count() as usize];
        let side = self.changing.iter().map(|(now, next)| if forward { now } else { next });
        side.chain(&self.inputs).for_each(|bit| quantified[bit.index()] = true);
        quantified
    }

    fn plan(&self, in_use: &InUse, forward: bool) -> Computed<Schedule> {
        let manager = &self.encoding.manager;
        let quantified = self.quantified(forward);
        let mut products = Vec::new();
        // The last product that looks at each bit.
        let mut last: Vec<Option<usize>> = vec![None; quantified.len()];
        for cluster in self.clusters(in_use, forward)?.iter() {
            let used: Vec<usize> = cluster.parts.iter().copied().filter(|part| in_use[*part]).collect();
            if used.is_empty() {
                continue;
            }
            for bit in used.iter().flat_map(|part| &self.parts[*part].support) {
                last[bit.index()] = Some(products.len());
            }
            products.push(cluster.product_of(used, self)?);
        }
        let mut first: Vec<Bit> = Vec::new();
        let mut cubes: Vec<Vec<Bit>> = vec![Vec::new(); products.len()];
        for number in (0..manager.bit_count()).filter(|number| quantified[*number as usize]) {
            let bit = manager.bit_at(number);
            match last[bit.index()] {
                Some(product) => cubes[product].push(bit),
                // Going back, a set depends only on bits whose definition is in use.
                None if forward || self.definition(bit).is_some_and(|part| in_use[part]) => first.push(bit),
                None => {}
            }
        }
        let mut schedule = Schedule { first: manager.cube(first)?, steps: Vec::new(), nodes: 0 };
        for ((product, size), cube) in products.into_iter().zip(cubes) {
            schedule.nodes += size as u64;
            schedule.steps.push((product, manager.cube(cube)?));
        }
        Ok(schedule)
    }

    /// Parts in the order in which they are multiplied, all that are in use among them.
    fn clusters(&self, in_use: &InUse, forward: bool) -> Computed<Rc<Vec<Cluster>>> {
        let known = &self.clusters[usize::from(forward)];
        let is_covered = |part: usize| known.borrow().covered.get(part).is_some_and(|covered| *covered);
        if !(0..in_use.len()).all(|part| is_covered(part) || !in_use[part]) {
            let covered = self.more_than(&known.borrow().covered, in_use);
            let in_order = Rc::new(self.clustered(&covered, forward)?);
            *known.borrow_mut() = Clusters { covered, in_order };
        }
        Ok(Rc::clone(&known.borrow().in_order))
    }

    /// The parts of both, and those of what these look at, until there are twice as many as before. So what is in use can
    /// grow part by part, and is seldom ordered anew.
    fn more_than(&self, before: &InUse, in_use: &InUse) -> InUse {
        let count = |parts: &InUse| parts.iter().filter(|part| **part).count();
        let mut covered: InUse =
            (0..in_use.len()).map(|part| in_use[part] || before.get(part).is_some_and(|part| *part)).collect();
        while count(&covered) < 2 * count(before) {
            let looked_at = (0..covered.len()).filter(|part| covered[*part]).flat_map(|part| &self.parts[part].support);
            let defined: Vec<usize> =
                self.next_bits(looked_at.copied()).filter_map(|bit| self.definition(bit)).collect();
            let more = count(&covered);
            defined.into_iter().for_each(|part| covered[part] = true);
            if count(&covered) == more {
                break;
            }
        }
        covered
    }

    fn clustered(&self, covered: &InUse, forward: bool) -> Computed<Vec<Cluster>> {
        let manager = &self.encoding.manager;
        let mut clusters: Vec<Cluster> = Vec::new();
        for part in self.order_of_parts(covered, forward) {
            let relation = self.relation_of(part)?;
            if let Some(cluster) = clusters.last_mut() {
                let joined = manager.and(&cluster.product, relation)?;
                let size = manager.node_count(&joined);
                if size <= self.largest_cluster {
                    (cluster.product, cluster.size) = (joined, size);
                    cluster.parts.push(part);
                    continue;
                }
            }
            let (product, size) = (relation.clone(), manager.node_count(relation));
            clusters.push(Cluster { parts: vec![part], product, size, of_some: RefCell::default() });
        }
        Ok(clusters)
    }

    fn order_of_parts(&self, covered: &InUse, forward: bool) -> Vec<usize> {
        let is_empty = |part: &Part| part.support.is_empty() && part.conditions.is_empty();
        let mut left: Vec<usize> = (0..self.parts.len()).collect();
        left.retain(|part| covered[*part] && !is_empty(&self.parts[*part]));
        let mut bits = BitUse { quantified: self.quantified(forward), users: Vec::new(), seen: Vec::new() };
        bits.users = vec![0; bits.quantified.len()];
        bits.seen = vec![false; bits.quantified.len()];
        for bit in left.iter().flat_map(|part| &self.parts[*part].support) {
            bits.users[bit.index()] += 1;
        }
        let mut order = Vec::new();
        while !left.is_empty() {
            let value = |place: &usize| (bits.score(&self.parts[left[*place]]), left.len() - place);
            let part = left.remove((0..left.len()).max_by_key(value).unwrap_or(0));
            for bit in &self.parts[part].support {
                bits.users[bit.index()] -= 1;
                bits.seen[bit.index()] = true;
            }
            order.push(part);
        }
        order
    }
}

/// What is known of bits while parts are put in order, by their numbers.
struct BitUse {
    quantified: Vec<bool>,
    /// How many of the parts that are left look at it.
    users: Vec<u32>,
    /// Has a part that was chosen looked at it?
    seen: Vec<bool>,
}

impl BitUse {
    /// Bits that can be quantified after the part are good, new bits are bad.
    fn score(&self, part: &Part) -> i64 {
        let value = |bit: &Bit| {
            let freed = self.quantified[bit.index()] && self.users[bit.index()] == 1;
            2 * i64::from(freed) - i64::from(!self.seen[bit.index()])
        };
        part.support.iter().map(value).sum()
    }
}

impl Cluster {
    /// The product of some of the parts, and its size.
    fn product_of(&self, used: Vec<usize>, relation: &Relation<'_>) -> Computed<(Bdd, usize)> {
        if used.len() == self.parts.len() {
            return Ok((self.product.clone(), self.size));
        }
        if let Some(known) = self.of_some.borrow().get(&used) {
            return Ok(known.clone());
        }
        let manager = &relation.encoding.manager;
        let mut product = manager.truth(true);
        for part in &used {
            product = manager.and(&product, relation.relation_of(*part)?)?;
        }
        let sized = (product.clone(), manager.node_count(&product));
        self.of_some.borrow_mut().insert(used, sized.clone());
        Ok(sized)
    }
}
