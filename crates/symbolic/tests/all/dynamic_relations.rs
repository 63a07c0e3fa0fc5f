//! Dynamic transition relations give the same sets as static ones, on random sets of states of random modules.

use reductio_model::Invariant;
use reductio_symbolic::bdd::Bdd;
use reductio_symbolic::space::Space;
use reductio_symbolic::structure::Structure;
use reductio_symbolic::{LargestCluster, Options, RelationChoice, broken_obligations};
use reductio_testing::smv::{LIMITS, OF_STATES, Writer, loaded, with_more};

#[test]
fn pred_d_equals_pred_and_exact_equals_succ() {
    let (mut smaller, mut compared) = (0, 0);
    for seed in 0..300 {
        let mut writer = Writer::new(seed);
        let text = writer.module();
        let more: String = (0..4).map(|_| format!("INVARSPEC {}\n", writer.boolean(2, OF_STATES))).collect();
        let text = with_more(&text, &more);
        let circuit = loaded(&text);
        let space = |relation| {
            let largest_cluster = LargestCluster(if relation == RelationChoice::Dynamic { 8 } else { 1000 });
            let options = Options { relation, largest_cluster, ..Options::default() };
            Space::new(&circuit, &LIMITS, options).expect("it is small")
        };
        let (statically, dynamically) = (space(RelationChoice::Static), space(RelationChoice::Dynamic));
        // What makes no sense has parts that are not total.
        if !broken_obligations(&circuit, &LIMITS).expect("it is small").is_empty() {
            continue;
        }
        for (number, Invariant { name, atom, .. }) in circuit.invariants.iter().enumerate() {
            // Sets, relations and plans made before stay valid in another order.
            if number == 1 {
                dynamically.manager().reorder();
            }
            let set_of = |space: &Space<'_>| -> Bdd {
                let set = space.encoding().condition(circuit.atoms[atom.index()].expr).expect("it is small");
                space.manager().and(&set, space.states()).expect("it is small")
            };
            let (one, other) = (set_of(&statically), set_of(&dynamically));
            let count = |space: &Space<'_>, set: &Bdd| space.count(set);
            let images = dynamically.images();
            let all = images.relation.all_parts();
            let condition = dynamically.manager().truth(true);
            // On the same manager, the same set is the same diagram.
            let pred = images.relation.preimage(&other, &condition, &all).expect("it is small");
            let pred = dynamically.manager().and(&pred, dynamically.states()).expect("it is small");
            assert!(dynamically.pred(&other).expect("it is small") == pred, "{name}\n{text}");
            let succ = images.relation.image(&other, &all).expect("it is small");
            assert!(dynamically.succ(&other).expect("it is small") == succ, "{name}\n{text}");
            let more = images.succ_relevant(&other).expect("it is small");
            let lost = dynamically.manager().minus(&succ, &more).expect("it is small");
            assert!(lost.is_false(), "relevant parts lose nothing\n{text}");
            assert_eq!(count(&statically, &statically.pred(&one).expect("it is small")), count(&dynamically, &pred));
            assert_eq!(count(&statically, &statically.succ(&one).expect("it is small")), count(&dynamically, &succ));
            compared += 1;
            smaller += usize::from(images.relevant(&other).iter().any(|used| !used));
        }
    }
    assert!(compared > 500 && smaller > 100, "{compared} compared, {smaller} with a part of the relation");
}
