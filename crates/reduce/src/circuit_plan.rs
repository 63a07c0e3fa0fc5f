//! The planner for circuits: which part of a circuit each property is checked on, and how.
//!
//! As for processes, what was asked for by name and cannot be had is refused, and everything else goes to the ledger.

use std::sync::Arc;

use reductio_model::Property;
use reductio_model::circuit::{Circuit, ExprId};

use crate::cone_of_influence::{Cone, cones};
use crate::plan::{EngineChoice, Ledger, PlanError, ReduceChoice, Reduction, Refusal};
use crate::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};

/// What is asked of a circuit, and how it is to be answered.
#[derive(Clone, Debug)]
pub struct CircuitRequest {
    pub engine: EngineChoice,
    pub reductions: ReduceChoice,
    pub properties: Vec<Property>,
    pub relation: Option<RelationChoice>,
    pub direction: Option<Direction>,
    pub order: Option<InitialOrder>,
    /// Does the order of the bits stay as it is?
    pub fixed_order: Option<bool>,
    /// Are the reachable states to be kept?
    pub keeps_states: bool,
    /// Are the reachable states given?
    pub has_states: bool,
}

impl CircuitRequest {
    /// The defaults, for these properties.
    pub fn new(properties: Vec<Property>) -> CircuitRequest {
        CircuitRequest {
            engine: EngineChoice::Auto,
            reductions: ReduceChoice::Auto,
            properties,
            relation: None,
            direction: None,
            order: None,
            fixed_order: None,
            keeps_states: false,
            has_states: false,
        }
    }
}

/// Which parts of the transition relation an image or a pre-image uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RelationChoice {
    /// All of them, every time.
    Static,
    /// Those that matter for the set at hand.
    Dynamic,
    /// Those that matter, or all if there are not many others.
    #[default]
    Auto,
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

/// In which order the bits of diagrams are at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InitialOrder {
    /// That of the text, with each bit's next value beside it.
    #[default]
    Text,
    /// First all values now, then all next values backwards, to see what it is worth to keep them together.
    Worst,
    /// No order at all, but always the same, to see what reordering is worth.
    Scattered,
}

/// How the properties of a circuit will be checked. Only [`plan_circuit`] builds one.
#[derive(Clone)]
pub struct CircuitPlan {
    parts: Vec<CircuitPart>,
    is_explicit: bool,
    relation: RelationChoice,
    direction: Direction,
    order: InitialOrder,
    fixed_order: bool,
    ledger: Ledger,
}

/// A part of a circuit, and the properties that are checked on it.
#[derive(Clone)]
pub struct CircuitPart {
    pub cone: Arc<Cone>,
    pub properties: Vec<Property>,
}

impl CircuitPlan {
    /// At least one, even if nothing is asked: that there is an initial state is always looked at.
    pub fn parts(&self) -> &[CircuitPart] {
        &self.parts
    }

    /// Are states looked at one by one?
    pub fn is_explicit(&self) -> bool {
        self.is_explicit
    }

    pub fn relation(&self) -> RelationChoice {
        self.relation
    }

    pub fn direction(&self) -> Direction {
        self.direction
    }

    pub fn order(&self) -> InitialOrder {
        self.order
    }

    pub fn has_fixed_order(&self) -> bool {
        self.fixed_order
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The engine with its relation and its direction, as reports name it.
    pub fn engine_name(&self) -> &'static str {
        match (self.is_explicit, self.relation, self.direction) {
            (true, _, _) => "explicit",
            (_, RelationChoice::Auto, Direction::Forward) => "symbolic",
            (_, RelationChoice::Auto, Direction::Backward) => "symbolic, backward",
            (_, RelationChoice::Dynamic, Direction::Forward) => "symbolic, dynamic relation",
            (_, RelationChoice::Dynamic, Direction::Backward) => "symbolic, backward, dynamic relation",
            (_, RelationChoice::Static, Direction::Forward) => "symbolic, static relation",
            (_, RelationChoice::Static, Direction::Backward) => "symbolic, backward, static relation",
        }
    }
}

const NOT_ASKED_FOR: &str = "not asked for";

/// Decides how to check `request` on `circuit`, or refuses.
pub fn plan_circuit(circuit: &Circuit, request: &CircuitRequest) -> Result<CircuitPlan, PlanError> {
    refuse_what_makes_no_sense(request)?;
    let is_listed = |list: &Vec<Reduction>| list.contains(&Reduction::ConeOfInfluence);
    let obstacle = match &request.reductions {
        ReduceChoice::None => Some(NOT_ASKED_FOR),
        ReduceChoice::List(list) if !is_listed(list) => Some(NOT_ASKED_FOR),
        _ if request.keeps_states || request.has_states => Some("saved states are states of the whole model"),
        ReduceChoice::Auto | ReduceChoice::List(_) => None,
    };
    if let (Some(because), ReduceChoice::List(list)) = (obstacle, &request.reductions)
        && is_listed(list)
    {
        return Err(PlanError::NotSound { reduction: Reduction::ConeOfInfluence, because: because.to_owned() });
    }
    let properties = &request.properties;
    let parts = match obstacle {
        None if !properties.is_empty() => {
            let conditions: Vec<_> = properties.iter().map(|property| conditions(circuit, *property)).collect();
            let part = |(cone, numbers): (Cone, Vec<usize>)| CircuitPart {
                cone: Arc::new(cone),
                properties: numbers.into_iter().map(|number| properties[number]).collect(),
            };
            cones(circuit, &conditions).into_iter().map(part).collect()
        }
        _ => vec![CircuitPart { cone: Arc::new(Cone::whole(circuit)), properties: properties.clone() }],
    };
    Ok(CircuitPlan {
        ledger: ledger(circuit, &parts, obstacle),
        parts,
        is_explicit: request.engine == EngineChoice::Explicit,
        relation: request.relation.unwrap_or_default(),
        direction: request.direction.unwrap_or_default(),
        order: request.order.unwrap_or_default(),
        fixed_order: request.fixed_order.unwrap_or_default(),
    })
}

/// The cone of influence, if something is left out; else why not.
fn ledger(circuit: &Circuit, parts: &[CircuitPart], obstacle: Option<&str>) -> Ledger {
    let mut ledger = Ledger::default();
    let is_whole = parts.iter().all(|part| part.cone.is_whole());
    match obstacle {
        Some(because) => {
            let because = because.to_owned();
            let is_routine = obstacle == Some(NOT_ASKED_FOR);
            ledger.refused.push(Refusal { reduction: Reduction::ConeOfInfluence, because, at: None, is_routine });
        }
        None if is_whole => {
            let because = "every variable matters".to_owned();
            ledger.refused.push(Refusal { reduction: Reduction::ConeOfInfluence, because, at: None, is_routine: true });
        }
        None => {
            ledger.applied.push(Reduction::ConeOfInfluence);
            let kept = |part: &CircuitPart| part.cone.kept.iter().filter(|kept| **kept).count().to_string();
            let kept: Vec<String> = parts.iter().map(kept).collect();
            let text = format!("{} of {} variables matter", kept.join(", "), circuit.variables.len());
            ledger.details.push((Reduction::ConeOfInfluence, text));
        }
    }
    ledger
}

fn refuse_what_makes_no_sense(request: &CircuitRequest) -> Result<(), Unavailable> {
    let refuse = |setting, conflict| Err(Unavailable::new(setting, conflict, &[Alternative::Default]));
    if let ReduceChoice::List(list) = &request.reductions
        && let Some(&reduction) = list.iter().find(|reduction| **reduction != Reduction::ConeOfInfluence)
    {
        return refuse(Setting::Reduction(reduction), Conflict::For(Topic::Circuits));
    }
    let of_diagrams = [
        (request.relation.is_some(), Setting::Relation),
        (request.direction.is_some(), Setting::Direction),
        (request.order.is_some(), Setting::Order),
        (request.fixed_order.is_some(), Setting::Reordering),
        (request.keeps_states, Setting::KeptStates),
        (request.has_states, Setting::GivenStates),
    ];
    let is_explicit = request.engine == EngineChoice::Explicit;
    if let Some((_, setting)) = of_diagrams.into_iter().find(|(is_given, _)| is_explicit && *is_given) {
        return refuse(setting, Conflict::With(Setting::Engine(EngineChoice::Explicit)));
    }
    let of_reachable = [(request.keeps_states, Setting::KeptStates), (request.has_states, Setting::GivenStates)];
    let is_backward = request.direction == Some(Direction::Backward);
    match of_reachable.into_iter().find(|(is_given, _)| is_backward && *is_given) {
        Some((_, setting)) => refuse(setting, Conflict::With(Setting::Backward)),
        None => Ok(()),
    }
}

/// The conditions that a property is about.
fn conditions(circuit: &Circuit, property: Property) -> Vec<ExprId> {
    let condition = |atom: usize| circuit.atoms[atom].expr;
    match property {
        Property::Deadlock | Property::Assertions => Vec::new(),
        Property::Invariant(id) => vec![condition(circuit.invariant(id).atom.index())],
        Property::Ctl(id) => {
            circuit.ctl_formula(id).formula.atoms().into_iter().map(|prop| condition(prop.0 as usize)).collect()
        }
        Property::Claim(id) => {
            circuit.claim(id).violations.atoms().into_iter().map(|atom| condition(atom.index())).collect()
        }
    }
}
