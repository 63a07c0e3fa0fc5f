//! Questions of every kind on generated programs: conditions that hold in every state, and formulas of linear time, about
//! whatever a property can ask for. All searches must agree on them.
//!
//! Each reduction must know what a property sees. A kind of atom that no question has is one on which a reduction may be wrong
//! and nobody notices, so that each of them is made here, and a test counts them.

use reductio_frontends::claims::claim_of;
use reductio_logic::Prop;
use reductio_logic::ltl::{Formula, Formulas, Node, Spelling, print_with};
use reductio_model::{
    Atom, AtomId, Binary, ChannelQuery, ClaimId, Expr, Initial, Invariant, InvariantId, Label, LocationId, Model,
    Pattern, Place, Proctype, ProctypeId, PropertyKind, Scope, Slot, Unary, ValueType, verify,
};
use reductio_reduce::facts::{Facts, Part};

use crate::contenders::{self, INVARIANT_CONTENDERS};
use crate::infinite_runs;
use crate::random::Random;

/// Larger programs are passed over.
const MOST_STATES: usize = 300;
const INVARIANTS: usize = 3;
const FORMULAS: usize = 1;
/// Atoms to choose from.
const ATOMS: usize = 5;

/// A question about which the searches disagree.
pub fn disagreement(mut model: Model, seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    if !contenders::has_at_most(&model, MOST_STATES) {
        return None;
    }
    add_labels(&mut model, &mut random);
    model.claims.clear();
    let first = model.atoms.len();
    for _ in 0..ATOMS {
        add_atom(&mut model, &mut random);
    }
    debug_assert_eq!(verify(&model), Ok(()));
    overlooked(&model, first)
        .or_else(|| wrong_invariant(&model, first, &mut random))
        .or_else(|| wrong_formula(&model, first, &mut random))
}

/// A step that changes what is true of an atom without being known to affect it. Partial orders seldom lead to a wrong verdict
/// where one is, but they may.
fn overlooked(model: &Model, first: usize) -> Option<String> {
    let facts = Facts::new(model);
    let part = |conditions: &[&Expr]| Part::new(&facts, conditions.iter().copied()).ok();
    let seen: Vec<&Atom> = model.atoms[first..].iter().filter(|atom| part(&[&atom.expr]).is_some()).collect();
    let conditions: Vec<&Expr> = seen.iter().map(|atom| &atom.expr).collect();
    let parts = conditions.iter().map(|&one| part(&[one])).chain([part(&conditions)]).collect::<Option<_>>()?;
    let (step, number) = contenders::overlooked_part(model, &Facts::new(model).with_property(parts))?;
    let text = seen.get(number).map_or("one of the atoms", |atom| &atom.text);
    Some(format!("nobody knows that a step affects the property: {step}\n{text}"))
}

fn wrong_invariant(model: &Model, first: usize, random: &mut Random) -> Option<String> {
    let mut model = model.clone();
    let asked = model.atoms.len();
    for _ in 0..INVARIANTS {
        let atom = condition(&model, first..asked, random);
        let (name, id) = (atom.text.clone(), AtomId(model.atoms.len() as u32));
        model.atoms.push(atom);
        model.invariants.push(Invariant { name, atom: id, position: None });
    }
    let new = model.invariants.len() - INVARIANTS..model.invariants.len();
    new.map(|number| InvariantId(number as u32)).find_map(|invariant| {
        let Invariant { name: text, atom, .. } = model.invariant(invariant);
        let expected = contenders::is_broken_somewhere(&model, *atom);
        INVARIANT_CONTENDERS.iter().find_map(|(name, ask)| {
            let found = contenders::broken_invariant(&model, invariant, *ask)?;
            match found {
                Err(what) => Some(format!("{name}: {what}\ninvariant {text}")),
                Ok(broken) if broken != expected => {
                    let [ours, truth] = [broken, expected].map(|broken| if broken { "is broken" } else { "holds" });
                    Some(format!("{name}: the invariant {ours}, it {truth}\n{text}"))
                }
                Ok(_) => None,
            }
        })
    })
}

fn wrong_formula(model: &Model, first: usize, random: &mut Random) -> Option<String> {
    (0..FORMULAS).find_map(|_| {
        let mut model = model.clone();
        let mut formulas = Formulas::new();
        let depth = 2 + random.below(2) as u32;
        let formula = formula(&mut formulas, random, first..model.atoms.len(), depth);
        let claim = claim_of(&mut formulas, formula, PropertyKind::Ltl).ok()?;
        model.claims.push(claim);
        let what = infinite_runs::our_answer(&model, ClaimId(0)).err()?;
        let atom = |prop: Prop| format!("({})", model.atoms[prop.0 as usize].text);
        let text = print_with(&formulas, formula, Spelling::Signs, &atom);
        Some(format!("{what}\n{text}"))
    })
}

/// Names for places of processes: some beside each other, some for the same place, some for which there is another process of
/// the same type.
pub fn add_labels(model: &mut Model, random: &mut Random) {
    for (number, proctype) in model.proctypes.iter_mut().enumerate() {
        let is_place = |location: &usize| !proctype.locations[*location].interior;
        let places: Vec<usize> = (0..proctype.locations.len()).filter(is_place).collect();
        let first = random.below(places.len());
        for offset in 0..1 + random.below(4) {
            let place = if random.chance(70) { first + offset } else { random.below(places.len()) };
            let location = LocationId(places[place % places.len()] as u32);
            proctype.labels.push(Label { name: format!("Q{number}_{offset}"), location });
        }
        if random.chance(20) {
            proctype.locations[places[first]].progress = true;
        }
    }
}

/// What an atom can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Global,
    Local,
    Label,
    Progress,
    Channel,
    Message,
    ProcessCount,
    Enabled,
    PcValue,
    Timeout,
    Last,
    Priority,
}

impl Kind {
    /// How often each is made.
    const WEIGHTS: [(Kind, usize); 12] = [
        (Kind::Global, 20),
        (Kind::Local, 15),
        (Kind::Label, 40),
        (Kind::Progress, 3),
        (Kind::Channel, 6),
        (Kind::Message, 6),
        (Kind::ProcessCount, 4),
        (Kind::Enabled, 1),
        (Kind::PcValue, 1),
        (Kind::Timeout, 1),
        (Kind::Last, 1),
        (Kind::Priority, 1),
    ];
}

pub fn add_atom(model: &mut Model, random: &mut Random) -> Kind {
    let weights = Kind::WEIGHTS.map(|(_, weight)| weight);
    let kind = Kind::WEIGHTS[random.weighted(&weights)].0;
    // Where there is nothing of a kind, there is always a place to ask for.
    let (kind, expr) = match atom(model, random, kind) {
        Some(expr) => (kind, expr),
        None => (Kind::Label, label(model, random)),
    };
    model.features.last |= kind == Kind::Last;
    model.atoms.push(Atom { text: text(model, &expr), expr });
    kind
}

fn atom(model: &Model, random: &mut Random, kind: Kind) -> Option<Expr> {
    let pid = |random: &mut Random| Box::new(Expr::Const(random.below(model.initial.len() + 1) as i32));
    let number = |random: &mut Random| Expr::Const(random.below(3) as i32);
    Some(match kind {
        Kind::Global => {
            let place = scalar(&model.globals, Scope::Global, random)?;
            compared(random, Expr::Read(Box::new(place)))
        }
        Kind::Local => {
            let (proctype, pid) = instance(model, random);
            let place = scalar(&model.proctype(proctype).locals, Scope::Local, random)?;
            compared(random, Expr::Remote { proctype, pid, place: Box::new(place) })
        }
        Kind::Label => label(model, random),
        Kind::Progress => Expr::NonProgress,
        Kind::Channel => {
            use ChannelQuery::{Empty, Full, Len, NotEmpty, NotFull};
            let (channel, _) = channel(model, random)?;
            let query = Expr::Query(*random.pick(&[Len, Empty, Full, NotEmpty, NotFull]), Box::new(channel));
            compared(random, query)
        }
        Kind::Message => {
            let (channel, fields) = channel(model, random)?;
            let pattern = |_| if random.chance(50) { Pattern::Discard } else { Pattern::Match(number(random)) };
            let patterns = (0..fields).map(pattern).collect();
            Expr::Poll { channel: Box::new(channel), random: random.chance(40), patterns }
        }
        Kind::ProcessCount => compared(random, Expr::ProcessCount),
        Kind::Enabled => Expr::Enabled(pid(random)),
        Kind::PcValue => {
            let place = Expr::PcValue(pid(random));
            compared(random, place)
        }
        Kind::Timeout => Expr::Timeout,
        Kind::Last => compared(random, Expr::Last),
        Kind::Priority => {
            let priority = Expr::PriorityOf(pid(random));
            compared(random, priority)
        }
    })
}

fn compared(random: &mut Random, value: Expr) -> Expr {
    let sign = *random.pick(&[Binary::Equal, Binary::NotEqual, Binary::Greater]);
    Expr::Binary(sign, Box::new(value), Box::new(Expr::Const(random.below(3) as i32)))
}

fn scalar(slots: &[Slot], scope: Scope, random: &mut Random) -> Option<Place> {
    let numbers: Vec<usize> = (0..slots.len()).filter(|&slot| slots[slot].ty != ValueType::Chan).collect();
    let slot = *numbers.get(random.below(numbers.len().max(1)))?;
    Some(Place { scope, base: slot as u32, indices: Vec::new(), ty: slots[slot].ty })
}

/// A channel that can hold messages, and how many fields they have.
fn channel(model: &Model, random: &mut Random) -> Option<(Expr, usize)> {
    let buffered = |slot: usize| match model.globals[slot].initial {
        Initial::Channel(id) => Some(&model.channel_types[id.index()]).filter(|channel| channel.capacity > 0),
        _ => None,
    };
    let channels: Vec<usize> = (0..model.globals.len()).filter(|&slot| buffered(slot).is_some()).collect();
    let slot = *channels.get(random.below(channels.len().max(1)))?;
    let place = Place { scope: Scope::Global, base: slot as u32, indices: Vec::new(), ty: ValueType::Chan };
    Some((Expr::Read(Box::new(place)), buffered(slot)?.fields.len()))
}

/// A process of some type: the oldest one, one that is there from the start, or one that may never be there.
fn instance(model: &Model, random: &mut Random) -> (ProctypeId, Option<Box<Expr>>) {
    let proctype = ProctypeId(random.below(model.proctypes.len()) as u32);
    let of_type = |pid: &usize| model.initial[*pid].proctype == proctype;
    let pids: Vec<usize> = (0..model.initial.len()).filter(of_type).collect();
    let pid = match pids.len() {
        0 | 1 if random.chance(50) => None,
        0 => Some(random.below(4)),
        _ => Some(*random.pick(&pids)),
    };
    (proctype, pid.map(|pid| Box::new(Expr::Const(pid as i32))))
}

fn label(model: &Model, random: &mut Random) -> Expr {
    let (proctype, pid) = instance(model, random);
    Expr::At { proctype, pid, label: random.pick(&model.proctype(proctype).labels).name.clone() }
}

/// What breaks an invariant is mostly that few things come together: each a step of another process, perhaps.
fn condition(model: &Model, atoms: std::ops::Range<usize>, random: &mut Random) -> Atom {
    let literal = |random: &mut Random| {
        let expr = model.atoms[atoms.start + random.below(atoms.len())].expr.clone();
        if random.chance(40) { Expr::Unary(Unary::Not, Box::new(expr)) } else { expr }
    };
    let mut expr = literal(random);
    for _ in 0..1 + random.below(2) {
        let sign = if random.chance(75) { Binary::And } else { Binary::Or };
        expr = Expr::Binary(sign, Box::new(expr), Box::new(literal(random)));
    }
    if random.chance(85) {
        expr = Expr::Unary(Unary::Not, Box::new(expr));
    }
    Atom { text: text(model, &expr), expr }
}

fn formula(formulas: &mut Formulas, random: &mut Random, atoms: std::ops::Range<usize>, depth: u32) -> Formula {
    if depth == 0 || random.chance(10) {
        let atom = formulas.atom(Prop((atoms.start + random.below(atoms.len())) as u32));
        return if random.chance(40) { formulas.not(atom) } else { atom };
    }
    let one = formula(formulas, random, atoms.clone(), depth - 1);
    let other = formula(formulas, random, atoms, depth - 1);
    let node = match random.below(14) {
        0 | 1 => Node::And(one, other),
        2 | 3 => Node::Or(one, other),
        4 => Node::Implies(one, other),
        5 | 6 => Node::Always(one),
        7 | 8 => Node::Eventually(one),
        9 | 10 => Node::Until(one, other),
        11 => Node::Release(one, other),
        12 => Node::WeakUntil(one, other),
        _ => Node::Next(one),
    };
    formulas.make(node)
}

/// Nearly as a user would write it.
fn text(model: &Model, expr: &Expr) -> String {
    let of = |proctype: &Proctype, pid: &Option<Box<Expr>>| match pid {
        Some(pid) => format!("{}[{}]", proctype.name, text(model, pid)),
        None => proctype.name.clone(),
    };
    match expr {
        Expr::Const(number) => number.to_string(),
        Expr::Read(place) => model.globals[place.base as usize].name.clone(),
        Expr::Remote { proctype, pid, place } => {
            let proctype = model.proctype(*proctype);
            format!("{}:{}", of(proctype, pid), proctype.locals[place.base as usize].name)
        }
        Expr::At { proctype, pid, label } => {
            let proctype = model.proctype(*proctype);
            let place = proctype.labels.iter().find(|known| known.name == *label).map(|label| label.location.0);
            format!("{}@{label}/*location {}*/", of(proctype, pid), place.unwrap_or_default())
        }
        Expr::Unary(Unary::Not, inner) => format!("!({})", text(model, inner)),
        Expr::Binary(operator, left, right) => {
            format!("({}) {operator} ({})", text(model, left), text(model, right))
        }
        Expr::Query(query, channel) => format!("{query}({})", text(model, channel)),
        Expr::Enabled(pid) => format!("enabled({})", text(model, pid)),
        Expr::PcValue(pid) => format!("pc_value({})", text(model, pid)),
        Expr::NonProgress => "np_".to_owned(),
        Expr::ProcessCount => "_nr_pr".to_owned(),
        Expr::Last => "_last".to_owned(),
        Expr::Timeout => "timeout".to_owned(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use reductio_frontends::promela::{LoadOptions, NoIncludes, load};

    use super::*;
    use crate::promela::generate::{Size, generate};

    fn generated(seed: u64) -> Model {
        let text = generate(seed, Size::states(100)).to_string();
        load("m.pml", text.as_bytes(), &LoadOptions::default(), &NoIncludes).model.expect("it is a program")
    }

    #[test]
    fn every_kind_of_atom_is_asked_for() {
        let mut kinds = HashSet::new();
        let mut beside_each_other = 0;
        for seed in 0..300 {
            let (mut model, mut random) = (generated(seed), Random::new(seed));
            add_labels(&mut model, &mut random);
            kinds.extend((0..ATOMS).map(|_| add_atom(&mut model, &mut random)));
            verify(&model).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
            let leads_on = |proctype: &&Proctype| {
                let is_named = |location: LocationId| proctype.labels.iter().any(|label| label.location == location);
                proctype.edges.iter().any(|edge| edge.from != edge.to && is_named(edge.from) && is_named(edge.to))
            };
            beside_each_other += model.proctypes.iter().filter(leads_on).count();
        }
        let missing: Vec<Kind> =
            Kind::WEIGHTS.map(|(kind, _)| kind).into_iter().filter(|kind| !kinds.contains(kind)).collect();
        assert_eq!(missing, []);
        assert!(beside_each_other > 100, "{beside_each_other}");
    }

    #[test]
    fn all_agree_on_a_few_programs() {
        for seed in 0..20 {
            assert_eq!(disagreement(generated(seed), seed), None, "seed {seed}");
        }
    }
}
