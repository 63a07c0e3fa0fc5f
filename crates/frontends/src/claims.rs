//! From formulas of linear time to claims.

use reductio_logic::buchi::{Cube, Edge, Limits, Tgba, TranslateError, is_stutter_invariant, normal_form, translate};
use reductio_logic::ltl::{Formula, Formulas, components};
use reductio_model::{AtomId, Automaton, Claim, ClaimEdge, Literal, Origin, PropertyKind};

/// The claim that every run satisfies a formula, with all that is known of *this* formula. Its proposition `i` is atom `i` of
/// the model. It has no name and no place yet.
pub fn claim_of(formulas: &mut Formulas, formula: Formula, kind: PropertyKind) -> Result<Claim, TranslateError> {
    let stutters = is_stutter_invariant(formulas, formula, &Limits::default()).unwrap_or(false);
    let as_searched = |violations| if stutters { normal_form(violations) } else { violations };
    let claim = with_automaton(formulas, formula, as_searched)?;
    let components = components(formulas, formula).unwrap_or_default();
    let atoms = |&component: &Formula| formulas.propositions(component).iter().map(|prop| AtomId(prop.0)).collect();
    let parts = components.iter().map(atoms).collect();
    Ok(Claim { kind, stutters, parts, ..claim })
}

/// The same for a circuit, where nobody asks how long a state lasts or what the formula is made of.
pub fn circuit_claim(formulas: &mut Formulas, formula: Formula) -> Result<Claim, TranslateError> {
    with_automaton(formulas, formula, |violations| violations)
}

fn with_automaton(
    formulas: &mut Formulas,
    formula: Formula,
    as_searched: impl FnOnce(Tgba) -> Tgba,
) -> Result<Claim, TranslateError> {
    let origin = Origin::Formula { formulas: formulas.clone(), formula };
    Ok(Claim {
        name: String::new(),
        kind: PropertyKind::Ltl,
        text: String::new(),
        position: None,
        of_infinite_runs_only: false,
        origin,
        violations: automaton(&as_searched(violations(formulas, formula)?)),
        stutters: false,
        parts: Vec::new(),
    })
}

/// The automaton of the runs that do not satisfy a formula. Its proposition `i` is atom `i` of the model.
fn violations(formulas: &mut Formulas, formula: Formula) -> Result<Tgba, TranslateError> {
    let unwanted = formulas.not(formula);
    let automata = translate(formulas, unwanted, &Limits::default())?;
    // With one acceptance set, the automaton is larger and always allowed.
    let one_set = automata.tgba.sets > Automaton::MAX_SETS;
    Ok(if one_set { automata.buchi.as_tgba().clone() } else { automata.tgba })
}

/// The same automaton with an edge for each cube of a guard.
fn automaton(tgba: &Tgba) -> Automaton {
    let literals = |cube: &Cube| {
        let literal =
            |place: usize| Literal { atom: AtomId(tgba.propositions[place].0), value: cube.positive >> place & 1 == 1 };
        cube.places().map(literal).collect()
    };
    let edges = |edges: &Vec<Edge>| {
        let cubes = edges.iter().flat_map(|edge| edge.guard.cubes().iter().map(move |cube| (edge, cube)));
        let edge = |(edge, cube): (&Edge, &Cube)| ClaimEdge {
            guard: literals(cube),
            // There are not more sets than the model's automata can have.
            marks: edge.marks.0 as u32,
            target: edge.target.0,
        };
        cubes.map(edge).collect()
    };
    Automaton { initial: tgba.initial.0, sets: tgba.sets, edges: tgba.edges.iter().map(edges).collect() }
}
