//! The planner: from what was asked for to a plan whose verdicts can be trusted.
//!
//! It is the one place that knows what each reduction preserves. What is left to its choice goes to the ledger, what was
//! asked for by name and cannot be had is refused.
//!
//! It is one piece, though a long one, so that whoever asks which settings go together reads one file: what can be asked for, what is refused, what is
//! chosen, and the plan that comes of it. What a single reduction needs is said in that reduction's own file.

use std::num::NonZeroU32;
use std::sync::Arc;

use reductio_model::{Budget, Model, Phase, Position, Property};

use crate::facts::symmetry::{FoundSymmetry, Obstacle};
use crate::model_to_model::{self, Gain, ModelReductions, Reduced};
use crate::refusal::{Alternative, Conflict, Setting, Topic, Unavailable};
use crate::{partial_order, sleep_sets, symmetry};

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct PlanRequest {
    pub engine: EngineChoice,
    pub reductions: ReduceChoice,
    pub search: SearchOrder,
    pub store: StoreChoice,
    pub fairness: Fairness,
    pub cycles: CycleSearch,
    pub threads: u32,
    pub properties: Vec<Property>,
    /// How many violations of one property to look for; `None` looks for all.
    pub max_violations: Option<NonZeroU32>,
    /// Is the first violation of any property the end?
    pub first_only: bool,
    /// Whoever follows it is told what planning is doing.
    pub budget: Budget,
}

impl PlanRequest {
    /// The defaults of the command line, for these properties.
    pub fn new(properties: Vec<Property>) -> Self {
        PlanRequest {
            engine: EngineChoice::Auto,
            reductions: ReduceChoice::Auto,
            search: SearchOrder::Auto,
            store: StoreChoice::Exact,
            fairness: Fairness::None,
            cycles: CycleSearch::Components,
            threads: 1,
            properties,
            max_violations: Some(NonZeroU32::MIN),
            first_only: false,
            budget: Budget::UNLIMITED,
        }
    }
}

/// What is asked in computation tree logic (CTL).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ctl {
    Nothing,
    WithoutNext,
    /// Some formula tells how many steps are taken: it has an `AX` or an `EX`.
    WithNext,
}

impl Ctl {
    pub fn of(model: &Model, properties: &[Property]) -> Ctl {
        let asks_for_next = properties.iter().filter_map(|property| match property {
            Property::Ctl(id) => Some(model.ctl.get(id.index()).is_none_or(|asked| asked.formula.has_next())),
            _ => None,
        });
        let with_next = |so_far, has_next| match has_next {
            true => Ctl::WithNext,
            false if so_far == Ctl::Nothing => Ctl::WithoutNext,
            false => so_far,
        };
        asks_for_next.fold(Ctl::Nothing, with_next)
    }

    /// Merged paths keep CTL* without `X`, dead variables all of it [yorav00]. That processes leave can be seen.
    fn can_do_with(self, on_the_model: ModelReductions) -> ModelReductions {
        let path_reduction = on_the_model.path_reduction && self != Ctl::WithNext;
        ModelReductions { path_reduction, nobody_leaves: false, whole_loops: false, ..on_the_model }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    Auto,
    Explicit,
    Symbolic,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReduceChoice {
    /// Everything that is sound and pays.
    Auto,
    None,
    /// These, or a refusal.
    List(Vec<Reduction>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    PartialOrder,
    SleepSets,
    Symmetry,
    PathReduction,
    DeadVariables,
    Slicing,
    /// Of circuits: variables on which nothing depends that is asked.
    ConeOfInfluence,
}

impl Reduction {
    /// What can be reduced of models of processes.
    pub const OF_PROCESSES: [Reduction; 6] = [
        Reduction::PartialOrder,
        Reduction::SleepSets,
        Reduction::Symmetry,
        Reduction::PathReduction,
        Reduction::DeadVariables,
        Reduction::Slicing,
    ];

    /// The word for it on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::PartialOrder => "por",
            Reduction::SleepSets => "sleep",
            Reduction::Symmetry => "symmetry",
            Reduction::PathReduction => "path",
            Reduction::DeadVariables => "dead",
            Reduction::Slicing => "slice",
            Reduction::ConeOfInfluence => "cone",
        }
    }

    /// What it is called in the literature.
    pub fn full_name(self) -> &'static str {
        match self {
            Reduction::PartialOrder => "partial order reduction",
            Reduction::SleepSets => "sleep sets",
            Reduction::Symmetry => "symmetry reduction",
            Reduction::PathReduction => "path reduction",
            Reduction::DeadVariables => "dead variables",
            Reduction::Slicing => "slicing",
            Reduction::ConeOfInfluence => "cone of influence",
        }
    }

    pub fn from_name(name: &str) -> Option<Reduction> {
        let mut all = Reduction::OF_PROCESSES.into_iter().chain([Reduction::ConeOfInfluence]);
        all.find(|reduction| reduction.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOrder {
    /// Breadth-first, with depth-first probes in between that only hunt for violations.
    Auto,
    DepthFirst,
    BreadthFirst,
}

/// How infinite runs that break a claim are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleSearch {
    /// By strongly connected components.
    Components,
    /// By nested depth-first searches.
    Nested,
    /// By nested depth-first searches that see less, and so may overlook cycles: never a proof.
    Hunt,
}

impl CycleSearch {
    /// The word for it on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            CycleSearch::Components => "components",
            CycleSearch::Nested => "nested",
            CycleSearch::Hunt => "hunt",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreChoice {
    Exact,
    Compact,
    Bitstate,
}

impl StoreChoice {
    /// The word for it on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            StoreChoice::Exact => "exact",
            StoreChoice::Compact => "compact",
            StoreChoice::Bitstate => "bitstate",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fairness {
    /// Every run counts.
    None,
    /// Only runs on which no process can move from some time on without ever moving.
    Weak,
    /// Only runs on which no process can move infinitely often and does not move infinitely often.
    Strong,
    /// Only runs on which no statement is executable from some time on without ever being executed, nor any that depends on it.
    Maximal,
    /// Only runs on which no statement of a process is executable from some time on without ever being executed.
    OperationJustice,
    /// Only runs on which no statement of a process is executable infinitely often and is not executed infinitely often.
    OperationFairness,
}

impl Fairness {
    pub const ALL: [Fairness; 6] = [
        Fairness::None,
        Fairness::Maximal,
        Fairness::Weak,
        Fairness::Strong,
        Fairness::OperationJustice,
        Fairness::OperationFairness,
    ];

    pub fn from_name(name: &str) -> Option<Fairness> {
        Fairness::ALL.into_iter().find(|fairness| fairness.name() == name)
    }

    /// The word for it on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Fairness::None => "none",
            Fairness::Weak => "weak",
            Fairness::Strong => "strong",
            Fairness::Maximal => "maximal",
            Fairness::OperationJustice => "operation-justice",
            Fairness::OperationFairness => "operation-fairness",
        }
    }
}

/// How a check will be done. Only [`plan`] builds one, so that a combination that is not known to be sound cannot be.
#[derive(Clone, Debug)]
pub struct Plan {
    engine: EngineChoice,
    ctl: Ctl,
    search: SearchOrder,
    store: StoreChoice,
    threads: u32,
    properties: Vec<Property>,
    max_violations: Option<NonZeroU32>,
    first_only: bool,
    fairness: Fairness,
    cycles: CycleSearch,
    /// The properties for which steps are left out whose order makes no difference.
    with_partial_orders: Vec<Property>,
    /// The properties for which processes are exchanged, and how.
    with_symmetry: Vec<(Property, Arc<FoundSymmetry>)>,
    on_the_model: ModelReductions,
    /// What was made of the model, each once: of a large one, that takes a while.
    made: Vec<(ModelReductions, Arc<Reduced>)>,
    /// How to find out whether properties of infinite runs hold without the fairness assumption, which allows more reductions.
    without_fairness: Option<Arc<Plan>>,
    ledger: Ledger,
}

impl Plan {
    /// The same plan for some of the properties.
    pub fn narrowed(&self, keep: impl Fn(Property) -> bool) -> Plan {
        Plan {
            properties: self.properties.iter().copied().filter(|&property| keep(property)).collect(),
            ..self.clone()
        }
    }

    /// The same plan for formulas of computation tree logic alone, of a model that was made smaller only as far as they cannot tell.
    pub fn for_ctl(&self) -> Plan {
        let on_the_model = self.ctl.can_do_with(self.on_the_model);
        Plan { on_the_model, ..self.narrowed(|property| matches!(property, Property::Ctl(_))) }
    }

    /// The same plan for a search in which no processes are exchanged.
    pub fn without_symmetry(&self) -> Plan {
        Plan { with_symmetry: Vec::new(), ..self.clone() }
    }

    /// The same plan for a [probe](Plan::has_probes): one violation of each of these properties, found depth-first, is enough, and
    /// the few states that are seen are stored as they are. Nothing that a probe does not find is known to be absent.
    pub fn for_a_probe(&self, wanted: impl Fn(Property) -> bool) -> Plan {
        Plan {
            search: SearchOrder::DepthFirst,
            store: StoreChoice::Exact,
            threads: 1,
            max_violations: Some(NonZeroU32::MIN),
            ..self.narrowed(wanted)
        }
    }

    /// The same plan for a property that is decided by how a run begins: however it begins, it can go on fairly ([peled93],
    /// Theorem 4.6).
    pub fn regardless_of_fairness(&self) -> Plan {
        match self.cycles {
            CycleSearch::Hunt => self.clone(),
            CycleSearch::Components | CycleSearch::Nested => Plan { fairness: Fairness::None, ..self.clone() },
        }
    }

    /// The plan for finding out first which properties hold of all infinite runs: they hold of the fair ones.
    pub fn without_fairness(&self) -> Option<Plan> {
        let plan = self.without_fairness.as_ref()?.narrowed(|property| self.properties.contains(&property));
        (!plan.properties.is_empty()).then_some(plan)
    }

    /// Which infinite runs count.
    pub fn fairness(&self) -> Fairness {
        self.fairness
    }

    /// How infinite runs are looked for.
    pub fn cycle_search(&self) -> CycleSearch {
        self.cycles
    }

    /// Which engine was asked for.
    pub fn engine(&self) -> EngineChoice {
        self.engine
    }

    /// The word in reports for the engine that does most of the work.
    pub fn engine_name(&self) -> &'static str {
        if self.engine == EngineChoice::Symbolic { "symbolic" } else { "explicit" }
    }

    /// At least one.
    pub fn threads(&self) -> u32 {
        self.threads
    }

    pub fn store(&self) -> StoreChoice {
        self.store
    }

    pub fn search(&self) -> SearchOrder {
        self.search
    }

    /// Are states visited in the order of their distance from the initial state, whatever is done in between?
    pub fn is_breadth_first(&self) -> bool {
        matches!(self.search, SearchOrder::Auto | SearchOrder::BreadthFirst)
    }

    /// Do depth-first probes hunt for violations while the search goes on?
    pub fn has_probes(&self) -> bool {
        self.search == SearchOrder::Auto
    }

    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// How many violations of one property to look for; `None` looks for all.
    pub fn max_violations(&self) -> Option<NonZeroU32> {
        self.max_violations
    }

    /// Is the first violation of any property the end?
    pub fn is_first_only(&self) -> bool {
        self.first_only
    }

    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Are properties of states and steps checked by a search with sleep sets?
    pub fn uses_sleep_sets(&self) -> bool {
        self.ledger.applied.contains(&Reduction::SleepSets)
    }

    /// What the model is to be made smaller by before it is searched.
    pub fn on_the_model(&self) -> ModelReductions {
        self.on_the_model
    }

    /// The model that is to be searched, if it is another than the given one.
    pub fn reduced(&self) -> Option<&Arc<Reduced>> {
        let made = self.made.iter().find(|(wanted, _)| *wanted == self.on_the_model);
        made.map(|(_, reduced)| reduced).filter(|reduced| reduced.gain != Gain::default())
    }

    /// May steps be left out whose order makes no difference to the property?
    pub fn uses_partial_orders_for(&self, property: Property) -> bool {
        self.with_partial_orders.contains(&property)
    }

    /// Which processes may be exchanged without making a difference to the properties, if any. For properties of infinite
    /// runs, the plan is to be [narrowed](Plan::narrowed) to one of them.
    pub fn symmetry(&self) -> Option<&Arc<FoundSymmetry>> {
        let first = self.properties.first()?;
        self.with_symmetry.iter().find(|(property, _)| property == first).map(|(_, found)| found)
    }
}

/// Which reductions a check uses, and why it does not use the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub applied: Vec<Reduction>,
    /// What there is to say of a reduction that is applied.
    pub details: Vec<(Reduction, String)>,
    pub refused: Vec<Refusal>,
}

impl Ledger {
    /// Says something of a reduction that is applied, once.
    fn tell(&mut self, reduction: Reduction, text: String) {
        if !self.details.contains(&(reduction, text.clone())) {
            self.details.push((reduction, text));
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reduction: Reduction,
    pub because: String,
    /// The place in the model that forced it, where there is one.
    pub at: Option<Position>,
    /// The reason is the same for every model, or what was asked for: few want to know it.
    pub is_routine: bool,
}

/// Why there is no plan for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// Settings that this version cannot serve together.
    Unavailable(Unavailable),
    /// A reduction that was asked for by name.
    NotSound {
        reduction: Reduction,
        because: String,
    },
    NothingToCheck,
}

impl From<Unavailable> for PlanError {
    fn from(unavailable: Unavailable) -> PlanError {
        PlanError::Unavailable(unavailable)
    }
}

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PlanError::Unavailable(unavailable) => unavailable.fmt(f),
            PlanError::NotSound { reduction, because } => {
                write!(f, "{} is not available here: {because}", reduction.full_name())
            }
            PlanError::NothingToCheck => f.write_str("no property is left to check"),
        }
    }
}

impl std::error::Error for PlanError {}

/// Decides how to check `request` on `model`, or refuses.
pub fn plan(model: &Model, request: PlanRequest) -> Result<Plan, PlanError> {
    let ctl = Ctl::of(model, &request.properties);
    refuse_what_is_not_built(&request, ctl)?;
    if request.properties.is_empty() {
        return Err(PlanError::NothingToCheck);
    }
    let Chosen { mut ledger, with_partial_orders, with_symmetry, on_the_model, made } =
        choose_reductions(model, &request, ctl)?;
    let without_fairness = plan_without_fairness(model, &request);
    if let Some(plan) = &without_fairness {
        let more = plan.ledger.applied.iter().filter(|reduction| !ledger.applied.contains(reduction));
        for reduction in more.copied().collect::<Vec<_>>() {
            ledger.tell(reduction, TRIED_FIRST.to_owned());
        }
    }
    Ok(Plan {
        engine: request.engine,
        ctl,
        search: request.search,
        store: request.store,
        threads: request.threads.max(1),
        properties: request.properties,
        max_violations: request.max_violations,
        first_only: request.first_only,
        fairness: request.fairness,
        cycles: request.cycles,
        with_partial_orders,
        with_symmetry,
        on_the_model,
        made,
        without_fairness: without_fairness.map(Arc::new),
        ledger,
    })
}

const TRIED_FIRST: &str = "only to find out first which formulas hold without the fairness assumption";

/// What holds of all infinite runs holds of the fair ones, and all reductions can be used to find out. Who names reductions, or
/// hunts for violations, gets what was asked for.
fn plan_without_fairness(model: &Model, request: &PlanRequest) -> Option<Plan> {
    let is_of_runs = |property: &Property| property.is_of_infinite_runs();
    let properties: Vec<Property> = request.properties.iter().copied().filter(is_of_runs).collect();
    let is_asked_for = request.fairness != Fairness::None && !properties.is_empty();
    if !is_asked_for || request.reductions != ReduceChoice::Auto || request.cycles == CycleSearch::Hunt {
        return None;
    }
    // An unfair run that breaks a property is no violation, and no end.
    plan(model, PlanRequest { fairness: Fairness::None, properties, first_only: false, ..request.clone() }).ok()
}

/// An option that would be ignored is an error: a verdict must mean what its user thinks it means.
fn refuse_what_is_not_built(request: &PlanRequest, ctl: Ctl) -> Result<(), Unavailable> {
    let refuse = |setting, conflict, instead: &[Alternative]| Err(Unavailable::new(setting, conflict, instead));
    if let ReduceChoice::List(list) = &request.reductions
        && let Some(&reduction) = list.iter().find(|reduction| !Reduction::OF_PROCESSES.contains(reduction))
    {
        return refuse(Setting::Reduction(reduction), Conflict::For(Topic::Processes), &[Alternative::Default]);
    }
    match request.engine {
        EngineChoice::Auto | EngineChoice::Explicit => {}
        EngineChoice::Symbolic => refuse_what_sets_cannot_do(request)?,
    }
    if request.first_only && request.max_violations != Some(NonZeroU32::MIN) {
        return refuse(Setting::FirstOnly, Conflict::With(Setting::MaxViolations), &[]);
    }
    if request.threads > 1 && request.search == SearchOrder::DepthFirst {
        let instead = [Setting::Search(SearchOrder::BreadthFirst), Setting::Threads(1)].map(Alternative::Setting);
        let threads = Setting::Threads(request.threads);
        return refuse(Setting::Search(SearchOrder::DepthFirst), Conflict::With(threads), &instead);
    }
    if ctl != Ctl::Nothing {
        refuse_what_ctl_cannot_have(request)?;
    }
    let has_claims = request.properties.iter().any(|property| property.is_of_infinite_runs());
    let cycles = Setting::Cycles(request.cycles);
    if request.cycles == CycleSearch::Hunt && request.fairness != Fairness::Weak {
        let fairness = Setting::Fairness(request.fairness);
        let instead = [Setting::Fairness(Fairness::Weak), Setting::Cycles(CycleSearch::Nested)];
        return refuse(cycles, Conflict::With(fairness), &instead.map(Alternative::Setting));
    }
    if request.cycles != CycleSearch::Components {
        let instead = [Alternative::Setting(Setting::Cycles(CycleSearch::Components))];
        // One copy per operation would be too many, and what is possible infinitely often is no matter of copies.
        if !matches!(request.fairness, Fairness::None | Fairness::Weak) {
            return refuse(cycles, Conflict::With(Setting::Fairness(request.fairness)), &instead);
        }
        if !has_claims {
            return refuse(cycles, Conflict::Without(Topic::InfiniteRuns), &instead);
        }
    }
    if has_claims && request.store != StoreChoice::Exact {
        return refuse(Setting::Store(request.store), Conflict::For(Topic::InfiniteRuns), &EXACT_STORE);
    }
    Ok(())
}

const EXACT_STORE: [Alternative; 2] =
    [Alternative::Setting(Setting::Store(StoreChoice::Exact)), Alternative::OtherProperties];

/// A CTL formula is about all runs, and about all states, none of which may be missing.
fn refuse_what_ctl_cannot_have(request: &PlanRequest) -> Result<(), Unavailable> {
    let for_ctl = Conflict::For(Topic::Ctl);
    if request.fairness != Fairness::None {
        let without = Alternative::Setting(Setting::Fairness(Fairness::None));
        let instead = [without, Alternative::LtlFormula, Alternative::OtherProperties];
        return Err(Unavailable::new(Setting::Fairness(request.fairness), for_ctl, &instead));
    }
    if request.store != StoreChoice::Exact {
        return Err(Unavailable::new(Setting::Store(request.store), for_ctl, &EXACT_STORE));
    }
    Ok(())
}

/// What a reduction is not used for, where CTL formulas are checked beside what it is used for.
fn not_for_ctl(request: &PlanRequest, ctl: Ctl, reduction: Reduction) -> Option<&'static str> {
    match (reduction, request.engine) {
        _ if ctl == Ctl::Nothing => None,
        (_, EngineChoice::Explicit) => Some("CTL formulas are checked on all states of the unreduced model"),
        (Reduction::PartialOrder | Reduction::SleepSets | Reduction::Symmetry, _) => {
            Some("CTL formulas are checked on all states")
        }
        (Reduction::PathReduction, _) if ctl == Ctl::WithNext => Some("a CTL formula has `AX` or `EX`"),
        (Reduction::PathReduction | Reduction::DeadVariables | Reduction::Slicing, _) => None,
        (Reduction::ConeOfInfluence, _) => None,
    }
}

/// The symbolic engine knows all states at once, and nothing of searches.
fn refuse_what_sets_cannot_do(request: &PlanRequest) -> Result<(), Unavailable> {
    let has_claims = request.properties.iter().any(|property| property.is_of_infinite_runs());
    let refused = [
        (has_claims, Conflict::For(Topic::InfiniteRuns)),
        (request.search != SearchOrder::Auto, Conflict::With(Setting::Search(request.search))),
        (request.store != StoreChoice::Exact, Conflict::With(Setting::Store(request.store))),
        (request.threads > 1, Conflict::With(Setting::Threads(request.threads))),
        (request.fairness != Fairness::None, Conflict::With(Setting::Fairness(request.fairness))),
        (request.max_violations != Some(NonZeroU32::MIN), Conflict::With(Setting::MaxViolations)),
    ];
    let explicit = Alternative::Setting(Setting::Engine(EngineChoice::Explicit));
    match refused.into_iter().find(|(is_asked_for, _)| *is_asked_for) {
        None => Ok(()),
        Some((_, conflict)) => Err(Unavailable::new(
            Setting::Engine(EngineChoice::Symbolic),
            conflict,
            &[explicit, Alternative::OtherProperties],
        )),
    }
}

/// It is so in most models.
const NOTHING_TO_SLICE: &str = "every variable is relevant";

/// Which reductions are used, and for what.
#[derive(Default)]
struct Chosen {
    ledger: Ledger,
    with_partial_orders: Vec<Property>,
    with_symmetry: Vec<(Property, Arc<FoundSymmetry>)>,
    on_the_model: ModelReductions,
    made: Vec<(ModelReductions, Arc<Reduced>)>,
}

/// Uses what is sound and pays, or what was asked for.
fn choose_reductions(model: &Model, request: &PlanRequest, ctl: Ctl) -> Result<Chosen, PlanError> {
    let _planning = request.budget.during(Phase::Planning);
    let properties = &request.properties;
    let mut variants = Variants { model, properties, made: Vec::new(), budget: &request.budget };
    let mut chosen = Chosen { on_the_model: choose_on_the_model(&mut variants, request), ..Chosen::default() };
    // Processes are exchanged in the model that is searched.
    let sliced = variants.gain_of(chosen.on_the_model).sliced;
    let smaller = variants.of(chosen.on_the_model);
    for reduction in Reduction::OF_PROCESSES {
        let is_asked_for = matches!(&request.reductions, ReduceChoice::List(list) if list.contains(&reduction));
        let mut obstacles: Vec<Obstacle> = Vec::new();
        match reduction {
            _ if !is_asked_for && request.reductions != ReduceChoice::Auto => obstacles.push(nowhere("not asked for")),
            Reduction::PartialOrder | Reduction::SleepSets | Reduction::Symmetry
                if request.engine == EngineChoice::Symbolic =>
            {
                obstacles.push(nowhere("the symbolic engine works on sets of states, not on single steps"));
            }
            Reduction::PartialOrder => choose_partial_orders(model, request, &mut chosen, &mut obstacles),
            Reduction::Symmetry => choose_symmetry(model, smaller, request, &mut chosen, &mut obstacles),
            Reduction::SleepSets => {
                if is_asked_for {
                    sleep_sets::refuse_conflicts(request)?;
                }
                obstacles.extend(sleep_sets::obstacle(model, is_asked_for));
            }
            Reduction::PathReduction | Reduction::DeadVariables | Reduction::Slicing => {
                let broken = model_to_model::obstacle(model, request, reduction);
                obstacles.extend(broken.map(|(because, at)| Obstacle { because, at }));
                if obstacles.is_empty() && !chosen.on_the_model.includes(reduction) {
                    obstacles.push(nowhere("fewer processes would be interchangeable"));
                } else if reduction == Reduction::Slicing && !is_asked_for && sliced == 0 {
                    obstacles.push(nowhere(NOTHING_TO_SLICE));
                }
            }
            Reduction::ConeOfInfluence => unreachable!("it is for circuits"),
        }
        let is_used = match reduction {
            Reduction::PartialOrder => !chosen.with_partial_orders.is_empty(),
            Reduction::Symmetry => !chosen.with_symmetry.is_empty(),
            _ => obstacles.is_empty(),
        };
        if is_used {
            chosen.ledger.applied.push(reduction);
            obstacles.extend(not_for_ctl(request, ctl, reduction).map(nowhere));
        } else if let Some(Obstacle { because, at }) = obstacles.first().filter(|_| is_asked_for) {
            let place = at.map_or(String::new(), |at| format!(" ({})", model.place_name(at)));
            return Err(PlanError::NotSound { reduction, because: format!("{because}{place}") });
        }
        // Sleep sets never pay by themselves, and what was not asked for is known to be off.
        let is_of_no_interest =
            !is_asked_for && (reduction == Reduction::SleepSets || request.reductions != ReduceChoice::Auto);
        let refusal = |Obstacle { because, at }| {
            let is_routine = is_of_no_interest || because == NOTHING_TO_SLICE;
            Refusal { reduction, because, at, is_routine }
        };
        chosen.ledger.refused.extend(obstacles.into_iter().map(refusal));
    }
    let mut needed = vec![chosen.on_the_model];
    // Who names an engine has it check everything on one model.
    if ctl != Ctl::Nothing && request.engine == EngineChoice::Auto {
        needed.push(ctl.can_do_with(chosen.on_the_model));
        variants.of(needed[1]);
    }
    chosen.made = variants.made.into_iter().filter(|(wanted, _)| needed.contains(wanted)).collect();
    Ok(chosen)
}

/// A model and what was made of it, each once: of a large one, that takes a while.
struct Variants<'m> {
    model: &'m Model,
    properties: &'m [Property],
    budget: &'m Budget,
    made: Vec<(ModelReductions, Arc<Reduced>)>,
}

impl Variants<'_> {
    fn gain_of(&mut self, wanted: ModelReductions) -> Gain {
        self.of(wanted);
        let made = self.made.iter().find(|(known, _)| *known == wanted);
        made.map_or(Gain::default(), |(_, reduced)| reduced.gain)
    }

    fn of(&mut self, wanted: ModelReductions) -> &Model {
        if wanted == ModelReductions::default() {
            return self.model;
        }
        let place = self.made.iter().position(|(known, _)| *known == wanted).unwrap_or_else(|| {
            let _reducing = self.budget.during(Phase::Reducing);
            let asked = model_to_model::forget_what_is_not_asked(self.model, self.properties);
            self.made.push((wanted, Arc::new(model_to_model::reduce(&asked, wanted))));
            self.made.len() - 1
        });
        &self.made[place].1.model
    }
}

/// How the model is made smaller before it is searched: as far as was asked for, or else as far as that leaves as much to be
/// exchanged. (A variable that is dead is given a value, which may be the name of a process.)
fn choose_on_the_model(variants: &mut Variants<'_>, request: &PlanRequest) -> ModelReductions {
    let model = variants.model;
    let is_wanted = |reduction: Reduction| match &request.reductions {
        ReduceChoice::None => false,
        ReduceChoice::Auto => true,
        ReduceChoice::List(list) => list.contains(&reduction),
    };
    let is_possible = |reduction| is_wanted(reduction) && model_to_model::obstacle(model, request, reduction).is_none();
    let mut all = ModelReductions {
        slicing: is_possible(Reduction::Slicing),
        dead_variables: is_possible(Reduction::DeadVariables),
        path_reduction: is_possible(Reduction::PathReduction),
        ..ModelReductions::default()
    };
    let of_states = request.properties.iter().find(|property| property.is_of_states());
    let of_runs = request.properties.iter().find(|property| property.is_of_infinite_runs());
    let Some(&property) = of_states.or(of_runs) else { return all };
    if !is_wanted(Reduction::Symmetry) || request.engine == EngineChoice::Symbolic {
        return all;
    }
    let request_model = model;
    let mut permutations = |wanted: ModelReductions| {
        let model = variants.of(wanted);
        let _finding = request.budget.during(Phase::FindingSymmetry);
        let found = symmetry::find_for(request_model, model, request, property);
        found.map_or(1, |found| found.symmetry.order().unwrap_or(u64::MAX))
    };
    // What nothing depends on is as well left out before anything else: it can only be in the way.
    let sliced = ModelReductions { slicing: all.slicing, ..ModelReductions::default() };
    let mut most = permutations(sliced);
    let mut prepared = sliced;
    for wanted in symmetry::preparations(model, request, sliced) {
        let order = permutations(wanted);
        if order > most {
            (most, prepared) = (order, wanted);
        }
    }
    all = ModelReductions { nobody_leaves: prepared.nobody_leaves, whole_loops: prepared.whole_loops, ..all };
    if request.reductions != ReduceChoice::Auto {
        return all;
    }
    let choices = [all, ModelReductions { dead_variables: false, ..all }];
    let mut keeps = |wanted: &ModelReductions| most == 1 || permutations(*wanted) >= most;
    choices.into_iter().find(|wanted| keeps(wanted)).unwrap_or(prepared)
}

fn nowhere(because: &str) -> Obstacle {
    Obstacle { because: because.to_owned(), at: None }
}

/// All but formulas of computation tree logic, which speak of all runs at once.
fn of_single_runs(request: &PlanRequest) -> impl Iterator<Item = Property> {
    request.properties.iter().copied().filter(|property| property.is_of_states() || property.is_of_infinite_runs())
}

fn choose_partial_orders(model: &Model, request: &PlanRequest, chosen: &mut Chosen, obstacles: &mut Vec<Obstacle>) {
    for property in of_single_runs(request) {
        match partial_order::obstacle(model, request, property) {
            None => {
                chosen.with_partial_orders.push(property);
            }
            Some(obstacle) => note(obstacles, obstacle),
        }
    }
    let kept = partial_order::kept_for_fairness(model, request.fairness, &chosen.with_partial_orders);
    for text in partial_order::safe_for(model, &chosen.with_partial_orders).into_iter().chain(kept) {
        chosen.ledger.tell(Reduction::PartialOrder, text);
    }
}

/// Processes are exchanged in the `smaller` model.
fn choose_symmetry(
    model: &Model,
    smaller: &Model,
    request: &PlanRequest,
    chosen: &mut Chosen,
    obstacles: &mut Vec<Obstacle>,
) {
    let _finding = request.budget.during(Phase::FindingSymmetry);
    let mut for_states = None;
    for property in of_single_runs(request) {
        let found = match property.is_of_infinite_runs() {
            true => symmetry::find_for(model, smaller, request, property),
            false => for_states.get_or_insert_with(|| symmetry::find_for(model, smaller, request, property)).clone(),
        };
        match found {
            Ok(found) => {
                found.restrictions.iter().for_each(|restriction| note(obstacles, restriction.clone()));
                let stays =
                    if chosen.on_the_model.nobody_leaves { "; terminated processes are kept in the state" } else { "" };
                chosen.ledger.tell(Reduction::Symmetry, format!("{}{stays}", found.text()));
                if let Some(loops) = found.loops_text(smaller) {
                    chosen.ledger.tell(Reduction::Symmetry, loops);
                }
                chosen.with_symmetry.push((property, found));
            }
            Err(breaks) => breaks.into_iter().for_each(|broken| note(obstacles, broken)),
        }
    }
}

/// Each once.
fn note(obstacles: &mut Vec<Obstacle>, broken: Obstacle) {
    if !obstacles.contains(&broken) {
        obstacles.push(broken);
    }
}

#[cfg(test)]
mod tests {
    use reductio_model::{ClaimId, CtlFormula, CtlId, Features};

    use super::*;

    fn request() -> PlanRequest {
        PlanRequest::new(vec![Property::Deadlock])
    }

    /// A model of which two formulas are asked, one with a next state.
    fn with_formulas() -> (Model, [PlanRequest; 2]) {
        use reductio_logic::ctl::{Formula, Path};
        let formula = |path| CtlFormula { name: String::new(), formula: Formula::all(path), position: None };
        let truth = Formula::Truth(true);
        let ctl = vec![formula(Path::Always(truth.clone())), formula(Path::Next(truth))];
        let requests = [CtlId(0), CtlId(1)].map(|id| PlanRequest::new(vec![Property::Deadlock, Property::Ctl(id)]));
        (Model { ctl, ..Model::default() }, requests)
    }

    #[test]
    fn the_ledger_names_every_reduction() {
        for choice in [ReduceChoice::Auto, ReduceChoice::None, ReduceChoice::List(vec![Reduction::PartialOrder])] {
            let plan = plan(&Model::default(), PlanRequest { reductions: choice, ..request() }).expect("it is sound");
            let Ledger { applied, refused, .. } = plan.ledger();
            let named = refused.iter().map(|refusal| refusal.reduction).chain(applied.iter().copied());
            let named: std::collections::HashSet<_> = named.collect();
            assert!(Reduction::OF_PROCESSES.iter().all(|reduction| named.contains(reduction)));
        }
    }

    #[test]
    fn partial_orders_are_used_where_they_are_sound() {
        let because = |model: Model, request: PlanRequest| {
            let plan = plan(&model, request).expect("nothing is asked for by name");
            let refusal = plan.ledger().refused.iter().find(|refusal| refusal.reduction == Reduction::PartialOrder);
            refusal.map(|refusal| refusal.because.clone())
        };
        assert_eq!(because(Model::default(), request()), None);
        let last = Model { features: Features { priorities: false, last: true }, ..Model::default() };
        assert!(because(last, request()).is_some_and(|because| because.contains("_last")));
        let all = PlanRequest { max_violations: None, ..request() };
        assert!(because(Model::default(), all).is_some_and(|because| because.contains("several")));
        let none = PlanRequest { reductions: ReduceChoice::None, ..request() };
        assert!(because(Model::default(), none).is_some_and(|because| because.contains("not asked for")));
    }

    #[test]
    fn what_was_asked_for_by_name_and_is_not_built_is_an_error() {
        let (model, [always, next]) = with_formulas();
        let requests = [
            PlanRequest { reductions: ReduceChoice::List(vec![Reduction::SleepSets]), ..request() },
            PlanRequest { reductions: ReduceChoice::List(vec![Reduction::Symmetry]), ..request() },
            PlanRequest { engine: EngineChoice::Symbolic, ..PlanRequest::new(vec![Property::Claim(ClaimId(0))]) },
            PlanRequest { engine: EngineChoice::Symbolic, threads: 2, ..request() },
            PlanRequest { engine: EngineChoice::Symbolic, fairness: Fairness::Weak, ..request() },
            PlanRequest { engine: EngineChoice::Symbolic, store: StoreChoice::Compact, ..request() },
            PlanRequest { engine: EngineChoice::Symbolic, max_violations: None, ..request() },
            PlanRequest {
                engine: EngineChoice::Symbolic,
                reductions: ReduceChoice::List(vec![Reduction::PartialOrder]),
                ..request()
            },
            PlanRequest {
                engine: EngineChoice::Symbolic,
                reductions: ReduceChoice::List(vec![Reduction::PathReduction]),
                ..next.clone()
            },
            PlanRequest { store: StoreChoice::Compact, ..PlanRequest::new(vec![Property::Claim(ClaimId(0))]) },
            PlanRequest { threads: 2, search: SearchOrder::DepthFirst, ..request() },
            PlanRequest { first_only: true, max_violations: None, ..request() },
            PlanRequest { cycles: CycleSearch::Nested, ..request() },
            PlanRequest { fairness: Fairness::Weak, ..next },
            PlanRequest { fairness: Fairness::OperationJustice, ..always.clone() },
            PlanRequest { store: StoreChoice::Bitstate, ..always },
        ];
        for request in requests {
            let error = plan(&model, request.clone()).expect_err(&format!("{request:?}"));
            assert!(error.to_string().contains("not available"), "{error}");
        }
    }

    #[test]
    fn nested_searches_know_weak_fairness_and_no_other() {
        for fairness in Fairness::ALL {
            let claim = PlanRequest::new(vec![Property::Claim(ClaimId(0))]);
            let known = matches!(fairness, Fairness::None | Fairness::Weak);
            for (cycles, is_planned) in [(CycleSearch::Nested, known), (CycleSearch::Components, true)] {
                let planned = plan(&Model::default(), PlanRequest { fairness, cycles, ..claim.clone() });
                assert_eq!(planned.is_ok(), is_planned, "{cycles:?}, {fairness:?}");
            }
        }
    }

    #[test]
    fn a_check_of_nothing_is_an_error() {
        let error = plan(&Model::default(), PlanRequest::new(Vec::new())).expect_err("there is nothing to check");
        assert_eq!(error, PlanError::NothingToCheck);
    }

    #[test]
    fn reductions_are_found_by_their_names() {
        for reduction in Reduction::OF_PROCESSES {
            assert_eq!(Reduction::from_name(reduction.name()), Some(reduction));
        }
        assert_eq!(Reduction::from_name("magic"), None);
    }

    #[test]
    fn fairness_is_found_by_its_names() {
        for fairness in Fairness::ALL {
            assert_eq!(Fairness::from_name(fairness.name()), Some(fairness));
        }
        assert_eq!(Fairness::from_name("unfair"), None);
    }
}
