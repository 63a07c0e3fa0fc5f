//! The states of a circuit, and which of them can be reached.

use reductio_logic::Prop;
use reductio_model::circuit::{Circuit, Moment, Valuation};

use crate::bdd::{Bdd, Computed, Limits, Manager, Stop};
use crate::dynamic_relations::Images;
use crate::encode::{Encoding, InitialOrder};
use crate::fair_ctl::Fairness;
use crate::relation::{Relation, RelationChoice};
use crate::structure::Structure;

/// How a space is explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub relation: RelationChoice,
    pub direction: Direction,
    pub order: InitialOrder,
    /// Does the order stay as it is?
    pub fixed_order: bool,
}

/// Whether the reachable states are computed first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// They are, and nothing else is looked at.
    #[default]
    Forward,
    /// They are not. Sets may then contain bits that are no states, and it does not matter: no step leads from a state to
    /// them. So a set depends on no more variables than it must, which is what dynamic transition relations gain from.
    Backward,
}

pub struct Space<'a> {
    images: Images<'a>,
    options: Options,
    /// What is a state: its bits stand for values, and the invariants hold.
    states: Bdd,
    initial: Bdd,
}

/// What can be reached, by the number of steps that it takes at least.
pub struct Reached {
    pub all: Bdd,
    /// The states that are new in each step.
    pub rings: Vec<Bdd>,
    /// Why not everything was reached, if so.
    pub stopped: Option<Stop>,
}

impl<'a> Space<'a> {
    pub fn new(circuit: &'a Circuit, limits: Limits<'a>, options: Options) -> Computed<Space<'a>> {
        let mut encoding = Encoding::new(circuit, limits);
        encoding.order_bits(options.order);
        if !options.fixed_order {
            encoding.reorder_when_large(options.order);
        }
        let mut states = encoding.manager.truth(true);
        for id in circuit.state_variables() {
            states = encoding.manager.and(&states, &encoding.is_valid(id, false)?)?;
        }
        let always = circuit.assignments.iter().filter(|assignment| assignment.moment == Moment::Always);
        for condition in circuit.invar.iter().copied().chain(always.map(|assignment| assignment.constraint)) {
            states = encoding.manager.and(&states, &encoding.condition(condition)?)?;
        }
        let mut initial = states.clone();
        let at_first = circuit.assignments.iter().filter(|assignment| assignment.moment == Moment::Init);
        // What is assigned comes first: it keeps small what other conditions are multiplied with.
        for condition in at_first.map(|assignment| assignment.constraint).chain(circuit.init.iter().copied()) {
            initial = encoding.manager.and(&initial, &encoding.condition(condition)?)?;
        }
        let images = Images::new(Relation::new(encoding)?, options.relation);
        Ok(Space { images, options, states, initial })
    }

    pub fn circuit(&self) -> &'a Circuit {
        self.encoding().circuit
    }

    pub fn encoding(&self) -> &Encoding<'a> {
        &self.images.relation.encoding
    }

    pub fn images(&self) -> &Images<'a> {
        &self.images
    }

    pub fn states(&self) -> &Bdd {
        &self.states
    }

    pub fn direction(&self) -> Direction {
        self.options.direction
    }

    fn only_states(&self, set: Bdd) -> Computed<Bdd> {
        match self.options.direction {
            Direction::Forward => self.manager().and(&set, &self.states),
            Direction::Backward => Ok(set),
        }
    }

    /// Everything that can be reached from the initial states, or what was reached until it had to stop.
    /// Without reachable states, everything may be reached.
    pub fn reach(&self) -> Reached {
        if self.options.direction == Direction::Backward {
            return Reached { all: self.manager().truth(true), rings: vec![self.initial.clone()], stopped: None };
        }
        let mut reached = Reached { all: self.initial.clone(), rings: vec![self.initial.clone()], stopped: None };
        reached.stopped = self.reach_further(&mut reached).err();
        reached
    }

    fn reach_further(&self, reached: &mut Reached) -> Computed<()> {
        loop {
            let last = &reached.rings[reached.rings.len() - 1];
            let new = self.manager().minus(&self.succ(last)?, &reached.all)?;
            if new.is_false() {
                return Ok(());
            }
            reached.all = self.manager().or(&reached.all, &new)?;
            reached.rings.push(new);
        }
    }

    /// How many states a set has. Those that differ in hidden variables only are one to the user.
    pub fn count(&self, set: &Bdd) -> f64 {
        let encoding = self.encoding();
        let bits = encoding.state_bits().len() as u32;
        let hidden = encoding.hidden_bits();
        if hidden.is_empty() {
            return encoding.manager.count(set, bits);
        }
        let shown = encoding.manager.cube(hidden.iter().copied()).and_then(|cube| encoding.manager.exists(set, &cube));
        match shown {
            Ok(shown) => encoding.manager.count(&shown, bits - hidden.len() as u32),
            Err(_) => encoding.manager.count(set, bits),
        }
    }
}

impl Structure for Space<'_> {
    /// With its inputs, once a step is known.
    type State = Valuation;

    fn manager(&self) -> &Manager<'_> {
        &self.encoding().manager
    }

    fn initial(&self) -> &Bdd {
        &self.initial
    }

    fn pred(&self, set: &Bdd) -> Computed<Bdd> {
        self.only_states(self.images.pred(set)?)
    }

    /// The condition is one on the state and the inputs.
    fn pred_with(&self, set: &Bdd, condition: &Bdd) -> Computed<Bdd> {
        self.only_states(self.images.pred_with(set, condition)?)
    }

    fn succ(&self, set: &Bdd) -> Computed<Bdd> {
        self.images.succ(set)
    }

    fn atom(&self, prop: Prop) -> Computed<Bdd> {
        self.encoding().condition(self.circuit().atoms[prop.0 as usize].expr)
    }

    fn fairness(&self) -> Computed<Fairness> {
        let (circuit, encoding) = (self.circuit(), self.encoding());
        let justice: Computed<Vec<Bdd>> = circuit.justice.iter().map(|expr| encoding.condition(*expr)).collect();
        let pair = |(often, then): &(_, _)| Ok((encoding.condition(*often)?, encoding.condition(*then)?));
        let compassion: Computed<Vec<(Bdd, Bdd)>> = circuit.compassion.iter().map(pair).collect();
        Ok(Fairness { justice: justice?, compassion: compassion? })
    }

    fn pick(&self, set: &Bdd) -> Option<Valuation> {
        self.manager().pick(set).map(|bits| self.encoding().decode(&bits, false))
    }

    fn point(&self, state: &Valuation) -> Computed<Bdd> {
        self.encoding().state(state)
    }

    fn step(&self, from: &Valuation, to: &Bdd, condition: &Bdd) -> Computed<Option<(Valuation, Valuation)>> {
        let steps = self.images.relation.steps(&self.point(from)?, to, condition)?;
        let bits = self.manager().pick(&steps);
        Ok(bits.map(|bits| (self.encoding().decode(&bits, false), self.encoding().decode(&bits, true))))
    }
}
