//! Vacuity check: a claim that holds may hold for a poor reason, and then the user should know.
//!
//! A formula in which a part does not matter says less than it seems: `[] (p -> <> q)` holds if `p` never does. So stronger
//! claims are searched for runs that break them, within a time that is small beside that of the check. Such a search mostly
//! ends soon, since a claim that says something has runs that break what is stronger.
//!
//! What is found are remarks. They change no verdict.

use std::time::{Duration, Instant};

use reductio_explicit::search;
use reductio_frontends::claims::claim_of;
use reductio_logic::ltl::vacuity::{Vacuous, vacuous_parts};
use reductio_logic::ltl::{Formula, Formulas, Node, simplify};
use reductio_model::{
    Automaton, Budget, Claim, ClaimEdge, ClaimId, Interpreter, Literal, Model, Origin, Property, PropertyKind, Verdict,
};
use reductio_reduce::{Fairness, PlanRequest, ReduceChoice, plan};
use reductio_report::{RemarkEntry, RemarkKind, VacuityEntry};

use crate::explain::FormulaTexts;
use crate::reading::holds;

/// By default, this part of the time that the check took, and at least so long.
const PART_OF_CHECK: u32 = 10;
const AT_LEAST: Duration = Duration::from_secs(1);

/// Asks whether claims hold for a poor reason, as long as there is time.
pub struct Suspicion<'a> {
    model: &'a Model,
    request: PlanRequest,
    /// For all of it.
    budget: Budget,
    started: Instant,
    effort: VacuityEntry,
}

impl<'a> Suspicion<'a> {
    /// `request` is what was asked for, `checked` how long its check has taken. Only if this is to be `thorough` may it take
    /// as long.
    pub fn new(
        model: &'a Model,
        request: PlanRequest,
        thorough: bool,
        checked: Duration,
        budget: &Budget,
    ) -> Suspicion<'a> {
        let budget = match thorough {
            true => budget.clone(),
            false => budget.for_at_most(AT_LEAST.max(checked / PART_OF_CHECK)),
        };
        let effort = VacuityEntry { complete: true, ..VacuityEntry::default() };
        Suspicion { model, request, budget, started: Instant::now(), effort }
    }

    /// What it took.
    pub fn effort(&self) -> VacuityEntry {
        VacuityEntry { seconds: self.started.elapsed().as_secs_f64(), ..self.effort }
    }

    /// Poor reasons for which a claim holds.
    pub fn remarks(&mut self, claim: ClaimId) -> Vec<RemarkEntry> {
        let model = self.model;
        match (&model.claim(claim).origin, model.claim(claim).kind) {
            (Origin::Formula { formulas, formula }, _) => self.of_formula(claim, formulas.clone(), *formula),
            (Origin::Labels, PropertyKind::Progress) => {
                let fair = if self.request.fairness == Fairness::None { "" } else { "fair " };
                let text = format!("trivially: no {fair}run goes on forever");
                let stronger = all_infinite_runs(self.model.claim(claim));
                self.unless_broken(claim, stronger, true, &text)
            }
            (Origin::Labels, _) => {
                let text = "trivially: no process is ever at an acceptance label";
                let stronger = taking_once(&self.model.claim(claim).violations, |edge| edge.marks != 0);
                self.unless_broken(claim, stronger, true, text)
            }
            (Origin::Never { .. }, _) if self.is_stuck_at_once(claim) => {
                vec![remark("trivially: the never claim cannot make its first step, so it accepts no run at all")]
            }
            (Origin::Never { .. }, _) => {
                let text = "trivially: no run brings the never claim to an acceptance label";
                match coming_to_a_label(&self.model.claim(claim).violations) {
                    Some(stronger) => self.unless_broken(claim, stronger, false, text),
                    None => Vec::new(),
                }
            }
        }
    }

    fn of_formula(&mut self, claim: ClaimId, mut formulas: Formulas, formula: Formula) -> Vec<RemarkEntry> {
        if let Ok(simple) = simplify(&mut formulas, formula)
            && formulas.node(simple) == Node::True
        {
            return vec![remark("trivially: it is a tautology, true of every run of every model")];
        }
        let kind = self.model.claim(claim).kind;
        let found =
            vacuous_parts(&mut formulas, formula, |formulas, stronger| match claim_of(formulas, stronger, kind) {
                Ok(stronger) => self.holds(claim, stronger),
                Err(_) => self.not_known(),
            });
        let texts = FormulaTexts { model: self.model, formulas: &formulas };
        let mut remarks: Vec<RemarkEntry> = found.into_iter().map(|vacuous| of_part(&texts, vacuous)).collect();
        // What is suspicious comes first.
        remarks.sort_by_key(|remark| remark.kind == RemarkKind::Stronger);
        remarks
    }

    /// A remark, if a stronger claim holds as well. `stutters` as in [`Claim::stutters`].
    fn unless_broken(&mut self, claim: ClaimId, violations: Automaton, stutters: bool, text: &str) -> Vec<RemarkEntry> {
        // What is not separated into parts is one part.
        let stronger = Claim { violations, stutters, parts: Vec::new(), ..self.model.claim(claim).clone() };
        let holds = self.holds(claim, stronger) == Some(true);
        if holds { vec![remark(text)] } else { Vec::new() }
    }

    /// Does another claim hold, in place of this one? `None` if there is no time to know. It is planned for afresh: what may be
    /// left out or exchanged for one claim need not be so for the other.
    fn holds(&mut self, claim: ClaimId, stronger: Claim) -> Option<bool> {
        if self.budget.go_on().is_err() {
            return self.not_known();
        }
        let mut model = self.model.clone();
        model.claims[claim.index()] = stronger;
        let property = Property::Claim(claim);
        // A reduction that was asked for by name for the one claim may have to be refused for the other.
        let reductions = match self.request.reductions {
            ReduceChoice::None => ReduceChoice::None,
            ReduceChoice::Auto | ReduceChoice::List(_) => ReduceChoice::Auto,
        };
        let request = PlanRequest { reductions, properties: vec![property], ..self.request.clone() };
        let Ok(plan) = plan(&model, request) else { return self.not_known() };
        let result = search(&Interpreter::new(&model), &plan, &self.budget);
        self.effort.searches += 1;
        let verdict = result.verdicts.iter().find(|verdict| verdict.property == property)?;
        match verdict.verdict {
            Verdict::Holds => Some(true),
            Verdict::Violated(_) => Some(false),
            Verdict::Inconclusive(_) => self.not_known(),
        }
    }

    fn not_known(&mut self) -> Option<bool> {
        self.effort.complete = false;
        None
    }

    /// Can the claim make no first step?
    fn is_stuck_at_once(&self, claim: ClaimId) -> bool {
        let interpreter = Interpreter::new(self.model);
        let initial = interpreter.initial_state();
        let is_met = |literal: &Literal| holds(&interpreter, literal.atom, &initial) == literal.value;
        let automaton = &self.model.claim(claim).violations;
        let can_be_taken = |edge: &ClaimEdge| edge.guard.iter().all(is_met);
        !automaton.edges[automaton.initial as usize].iter().any(can_be_taken)
    }
}

fn remark(text: &str) -> RemarkEntry {
    RemarkEntry { kind: RemarkKind::Trivial, text: text.to_owned(), part: None, stronger: None }
}

/// A part of a formula does not matter.
fn of_part(texts: &FormulaTexts<'_>, vacuous: Vacuous) -> RemarkEntry {
    let Vacuous { part, stronger, in_premise } = vacuous;
    let (part_text, stronger_text) = (texts.of(part), texts.of(stronger));
    let is_of_now = |formula: Formula| texts.formulas.is_propositional(formula);
    let why = match texts.formulas.node(stronger) {
        Node::Always(inner) if is_of_now(inner) => match texts.formulas.node(inner) {
            Node::Not(inner) => format!("`{}` never holds", texts.of(inner)),
            _ => format!("`{}` always holds", texts.of(inner)),
        },
        _ if is_of_now(stronger) => format!("`{stronger_text}` holds in the initial state"),
        _ if in_premise => format!("`{stronger_text}` holds too"),
        _ => format!("`{stronger_text}` holds"),
    };
    let (kind, text) = if in_premise {
        (RemarkKind::Stronger, format!("the premise `{part_text}` is not needed: {why}"))
    } else {
        (RemarkKind::Vacuous, format!("vacuously: `{part_text}` does not matter, because {why}"))
    };
    RemarkEntry { kind, text, part: Some(part_text), stronger: Some(stronger_text) }
}

/// Accepts the runs that bring a never claim to a place with an acceptance label. `None` where that is known: it begins at
/// one, or they are all there is to be accepted.
fn coming_to_a_label(automaton: &Automaton) -> Option<Automaton> {
    let is_marked = |state: u32| automaton.edges[state as usize].iter().any(|edge| edge.marks != 0);
    let mut marked = (0..automaton.edges.len() as u32).filter(|&state| is_marked(state));
    let says_something = !is_marked(automaton.initial) && !marked.all(|state| automaton.accepts_all_from(state));
    says_something.then(|| taking_once(automaton, |edge| is_marked(edge.target)))
}

/// Accepts the runs on which an automaton can take one of these edges.
fn taking_once(automaton: &Automaton, is_enough: impl Fn(&ClaimEdge) -> bool) -> Automaton {
    let end = automaton.edges.len() as u32;
    let edge = |edge: &ClaimEdge| {
        let target = if is_enough(edge) { end } else { edge.target };
        ClaimEdge { guard: edge.guard.clone(), marks: 0, target }
    };
    let mut edges: Vec<Vec<ClaimEdge>> = automaton.edges.iter().map(|edges| edges.iter().map(edge).collect()).collect();
    edges.push(vec![ClaimEdge { guard: Vec::new(), marks: 1, target: end }]);
    Automaton { initial: automaton.initial, sets: 1, edges }
}

/// Accepts what a claim of infinite runs can read forever. Each edge asks for an atom or for its absence: one that can always
/// be taken would accept runs that end, too, as soon as they begin.
fn all_infinite_runs(claim: &Claim) -> Automaton {
    let atoms = claim.violations.atoms();
    let edge = |value: bool| {
        let guard = atoms.first().map(|&atom| Literal { atom, value });
        ClaimEdge { guard: guard.into_iter().collect(), marks: 1, target: 0 }
    };
    Automaton { initial: 0, sets: 1, edges: vec![vec![edge(true), edge(false)]] }
}
