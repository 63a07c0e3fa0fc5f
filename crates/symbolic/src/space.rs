//! Reachability: the states of a circuit, and which of them can be reached.

use reductio_logic::Prop;
use reductio_model::Budget;
use reductio_model::circuit::{Circuit, Moment, Valuation};

use reductio_reduce::circuit_plan::{CircuitPlan, Direction, InitialOrder, RelationChoice};

use crate::bdd::{Bdd, Computed, Manager, NoDiagram, Stop};
use crate::dynamic_relations::Images;
use crate::encode::Encoding;
use crate::fair_ctl::Fairness;
use crate::relation::{LargestCluster, Relation};
use crate::structure::Structure;

/// How a space is explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub relation: RelationChoice,
    pub direction: Direction,
    pub order: InitialOrder,
    /// Does the order stay as it is?
    pub fixed_order: bool,
    /// How much of the relation is multiplied in advance.
    pub largest_cluster: LargestCluster,
}

impl Options {
    /// As a plan says.
    pub fn of(plan: &CircuitPlan) -> Options {
        Options {
            relation: plan.relation(),
            direction: plan.direction(),
            order: plan.order(),
            fixed_order: plan.has_fixed_order(),
            ..Options::default()
        }
    }
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
    /// Were the states computed? Otherwise there may be more than can be reached: no step leads out of them.
    pub is_exact: bool,
}

/// Why a text does not tell which states can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoStates {
    NoDiagram(NoDiagram),
    WithoutInitial,
    NotClosed,
}

impl std::fmt::Display for NoStates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoStates::NoDiagram(problem) => write!(f, "{problem}"),
            NoStates::WithoutInitial => f.write_str("an initial state of the model is not among these states"),
            NoStates::NotClosed => f.write_str("a step of the model leads out of these states"),
        }
    }
}

impl<'a> Space<'a> {
    pub fn new(circuit: &'a Circuit, budget: &'a Budget, options: Options) -> Computed<Space<'a>> {
        let mut encoding = Encoding::new(circuit, budget);
        encoding.order_bits(options.order);
        if !options.fixed_order {
            encoding.reorder_when_large(options.order);
        }
        let manager = &encoding.manager;
        let assigned = |moment| {
            let of_moment = circuit.assignments.iter().filter(move |assignment| assignment.moment == moment);
            of_moment.map(|assignment| assignment.constraint)
        };
        let valid: Computed<Vec<Bdd>> = circuit.state_variables().map(|id| encoding.is_valid(id, false)).collect();
        let mut states = manager.all(&valid?)?;
        for condition in circuit.invar.iter().copied().chain(assigned(Moment::Always)) {
            states = manager.and(&states, &encoding.condition(condition)?)?;
        }
        // What is assigned comes first: it keeps small what other conditions are multiplied with.
        let at_first: Computed<Vec<Bdd>> =
            assigned(Moment::Init).map(|condition| encoding.condition(condition)).collect();
        let mut initial = manager.and(&states, &manager.all(&at_first?)?)?;
        for condition in &circuit.init {
            initial = manager.and(&initial, &encoding.condition(*condition)?)?;
        }
        let images = Images::new(Relation::new(encoding, options.largest_cluster)?, options.relation);
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
            return self.anything_in(self.manager().truth(true));
        }
        let all = self.initial.clone();
        let mut reached = Reached { rings: vec![all.clone()], all, stopped: None, is_exact: true };
        reached.stopped = self.reach_further(&mut reached).err();
        reached
    }

    /// A set that holds everything that can be reached, and maybe more.
    fn anything_in(&self, all: Bdd) -> Reached {
        Reached { all, rings: vec![self.initial.clone()], stopped: None, is_exact: false }
    }

    /// The states of a text that [`Space::to_text`] wrote. Whatever it says is believed only if no run leaves it: then it is good
    /// for every answer, even if it holds states that cannot be reached.
    pub fn reached_from_text(&self, text: &str) -> Result<Reached, NoStates> {
        let bits = self.encoding().bit_names().into_iter().map(|(bit, name)| (name, bit)).collect();
        let set = self.manager().from_text(text, &bits).map_err(NoStates::NoDiagram)?;
        let stopped = |stop| NoStates::NoDiagram(NoDiagram::Stopped(stop));
        let set = self.manager().and(&set, &self.states).map_err(stopped)?;
        match self.is_left(&set).map_err(stopped)? {
            None => Ok(self.anything_in(set)),
            Some(problem) => Err(problem),
        }
    }

    /// How a run can be outside of a set, if it can.
    fn is_left(&self, set: &Bdd) -> Computed<Option<NoStates>> {
        if !self.manager().minus(&self.initial, set)?.is_false() {
            return Ok(Some(NoStates::WithoutInitial));
        }
        let outside = self.manager().minus(&self.succ(set)?, set)?;
        Ok((!outside.is_false()).then_some(NoStates::NotClosed))
    }

    /// States as a text, to be kept in a file.
    pub fn to_text(&self, set: &Bdd) -> String {
        self.manager().to_text(set, "states", &self.encoding().bit_names())
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
