//! Why a run breaks a claim, in the words of the claim: the parts of a formula, the places of a never claim, the labels of
//! processes.

use reductio_logic::Prop;
use reductio_logic::evaluate::Values;
use reductio_logic::explain::{Extent, Reason, explain};
use reductio_logic::ltl::{Formula, Formulas, Node, Spelling, print_with};
use reductio_model::{Claim, Model, Origin, PropertyKind};
use reductio_report::{AtomChange, AtomEntry, ExplanationEntry, ReasonEntry, VisitEntry};

use crate::reading::{Ending, Reading};

pub fn explanation(model: &Model, claim: &Claim, reading: &Reading<'_>) -> ExplanationEntry {
    let again_after = reading.shape().back.map(|back| reading.steps_before(back));
    let mut entry =
        ExplanationEntry { atoms: Vec::new(), reasons: Vec::new(), visits: Vec::new(), again_after, note: None };
    match &claim.origin {
        Origin::Formula { formulas, formula } => {
            let texts = FormulaTexts { model, formulas };
            let values = reading.values(formulas, *formula);
            entry.atoms = atoms(&texts, *formula, &values, reading);
            entry.reasons =
                explain(formulas, &values, *formula).map(|reason| texts.reason(&reason, reading)).into_iter().collect();
        }
        Origin::Never { states } => entry.visits = visits_of_claim(claim, states, reading),
        Origin::Labels if claim.kind == PropertyKind::Progress => {
            entry.note = Some("no process is at a progress label in the cycle".to_owned());
        }
        Origin::Labels => entry.visits = visits_of_processes(model, reading),
    }
    entry
}

/// How formulas read whose propositions are atoms of the model.
pub struct FormulaTexts<'m> {
    pub model: &'m Model,
    pub formulas: &'m Formulas,
}

impl FormulaTexts<'_> {
    pub fn of(&self, formula: Formula) -> String {
        // Alone, an atom needs no parentheses.
        if let Node::Atom(prop) = self.formulas.node(formula) {
            return self.model.atoms[prop.0 as usize].text.clone();
        }
        let atom = |prop: Prop| {
            let text = &self.model.atoms[prop.0 as usize].text;
            let is_one_word = |character: char| character.is_alphanumeric() || "_[]@:.".contains(character);
            if text.chars().all(is_one_word) { text.clone() } else { format!("({text})") }
        };
        print_with(self.formulas, formula, Spelling::Signs, &atom)
    }

    fn reason(&self, reason: &Reason, reading: &Reading<'_>) -> ReasonEntry {
        let (first, last) = match reason.extent {
            Extent::At(position) => (position, Some(position)),
            Extent::Between(first, last) => (first, Some(last)),
            Extent::From(first) => (first, None),
        };
        ReasonEntry {
            formula: self.of(reason.part),
            value: reason.value,
            after_step: reading.steps_before(first),
            up_to_step: last.map(|last| reading.steps_before(last)),
            because: reason.because.iter().map(|reason| self.reason(reason, reading)).collect(),
        }
    }
}

/// The atoms of a formula, and where they change.
fn atoms(texts: &FormulaTexts<'_>, formula: Formula, values: &Values, reading: &Reading<'_>) -> Vec<AtomEntry> {
    let is_atom = |part: &Formula| matches!(texts.formulas.node(*part), Node::Atom(_));
    let entry = |atom: Formula| {
        let value = |position: usize| values.at(atom, position).unwrap_or(false);
        let mut changes = Vec::new();
        for position in 1..values.shape().count {
            if value(position) != value(position - 1) {
                changes.push(AtomChange { after_step: reading.steps_before(position), value: value(position) });
            }
        }
        if let Ending::Cycle { back, at_once: true } = reading.ending
            && value(back) != value(values.shape().count - 1)
        {
            changes.push(AtomChange { after_step: reading.run_length(), value: value(back) });
        }
        AtomEntry { atom: texts.of(atom), initially: value(0), changes }
    };
    texts.formulas.parts(formula).into_iter().filter(is_atom).map(entry).collect()
}

/// Where the claim is infinitely often, or in the end.
fn visits_of_claim(claim: &Claim, states: &[String], reading: &Reading<'_>) -> Vec<VisitEntry> {
    let shape = reading.shape();
    let visits = match (reading.ending, shape.back) {
        // It has read the last state of the run.
        (Ending::Decided { state }, _) => vec![(state, shape.count - 1)],
        (_, Some(back)) => claim.violations.visits(shape.count, back, |atom, position| reading.holds(atom, position)),
        (_, None) => Vec::new(),
    };
    let entry = |(state, position): (u32, usize)| VisitEntry {
        who: "the claim".to_owned(),
        place: states[state as usize].clone(),
        after_step: reading.steps_before(position),
    };
    let mut entries: Vec<VisitEntry> = Vec::new();
    for visit in visits.into_iter().map(entry) {
        add(&mut entries, visit);
    }
    entries
}

/// Each place is told once.
fn add(visits: &mut Vec<VisitEntry>, visit: VisitEntry) {
    if !visits.iter().any(|known| known.who == visit.who && known.place == visit.place) {
        visits.push(visit);
    }
}

/// Where processes are at acceptance labels infinitely often.
fn visits_of_processes(model: &Model, reading: &Reading<'_>) -> Vec<VisitEntry> {
    let shape = reading.shape();
    let mut visits: Vec<VisitEntry> = Vec::new();
    for position in shape.back.unwrap_or(shape.count)..shape.count {
        for (pid, process) in reading.state(position).processes.iter().enumerate() {
            let proctype = model.proctype(process.proctype);
            let location = proctype.location(process.location);
            if !location.accept {
                continue;
            }
            let at = model.place_name(location.position);
            let label = proctype.labels.iter().find(|label| label.location == process.location);
            let place = label.map_or(at.clone(), |label| format!("{} ({at})", label.name));
            let who = format!("{}[{pid}]", proctype.name);
            add(&mut visits, VisitEntry { who, place, after_step: reading.steps_before(position) });
        }
    }
    visits
}
