//! Both orders of search on every small graph, compared with what can be read off the graph itself.

use std::collections::BTreeSet;

use crate::common::graph::{Arrow, Graph};
use reductio_explicit::SearchResult;
use reductio_model::{ActionId, Budget, InvariantId, ProctypeId, Property, Trace, Verdict, Why};
use reductio_reduce::{PlanRequest, ReduceChoice, SearchOrder};

const PROPERTIES: [Property; 3] = [Property::Deadlock, Property::Assertions, Property::Invariant(InvariantId(0))];

fn request(search: SearchOrder) -> PlanRequest {
    let reductions = ReduceChoice::None;
    PlanRequest { search, reductions, max_violations: None, ..PlanRequest::new(PROPERTIES.to_vec()) }
}

/// Where a trace leads, and its last edge; fails if it is not a path of the graph.
fn follow(graph: &Graph, trace: &Trace) -> (Option<u8>, Option<usize>) {
    let mut node = Some(0);
    for step in &trace.stem {
        let arrow = graph.edges[step.edge.index()];
        assert_eq!(Some(arrow.from), node);
        node = arrow.to;
    }
    (node, trace.stem.last().map(|step| step.edge.index()))
}

fn traces(result: &SearchResult, property: Property) -> Vec<&Trace> {
    let of_property = result.verdicts.iter().filter(|entry| entry.property == property);
    of_property
        .filter_map(|entry| match &entry.verdict {
            Verdict::Violated(violation) => Some(&violation.run),
            Verdict::Holds => None,
            Verdict::Inconclusive(limit) => panic!("there was no limit, yet {limit}"),
        })
        .collect()
}

fn check(graph: &Graph) {
    let distances = graph.distances();
    let nodes = |wanted: &dyn Fn(u8) -> bool| -> BTreeSet<u8> {
        (0..32).filter(|&node| distances[node as usize].is_some() && wanted(node)).collect()
    };
    let reached_edges: Vec<usize> =
        (0..graph.edges.len()).filter(|&edge| distances[graph.edges[edge].from as usize].is_some()).collect();
    let faulty_edges: BTreeSet<usize> =
        reached_edges.iter().copied().filter(|&edge| graph.edges[edge].faulty).collect();

    for order in [SearchOrder::DepthFirst, SearchOrder::BreadthFirst] {
        let result = graph.search(&request(order));
        assert!(result.complete);
        assert_eq!(result.statistics.states, nodes(&|node| !graph.is_unstable(node) || node == 0).len() as u64);
        assert_eq!(result.statistics.transitions, reached_edges.len() as u64);
        for edge in 0..graph.edges.len() {
            let taken = result.coverage.is_executed(ProctypeId(0), ActionId(edge as u32));
            assert_eq!(taken, reached_edges.contains(&edge));
        }

        for (property, wanted) in [
            (Property::Deadlock, nodes(&|node| graph.is_deadlock(node))),
            (PROPERTIES[2], nodes(&|node| graph.is_bad(node))),
        ] {
            let mut found = BTreeSet::new();
            for trace in traces(&result, property) {
                let node = follow(graph, trace).0.expect("the run goes on to the state that is the violation");
                assert!(found.insert(node), "one violation was reported twice");
                if order == SearchOrder::BreadthFirst {
                    assert_eq!(Some(trace.stem.len()), distances[node as usize], "there is a shorter trace");
                }
            }
            assert_eq!(found, wanted, "{order:?}, {property:?}");
        }

        let mut found = BTreeSet::new();
        for trace in traces(&result, Property::Assertions) {
            let edge = follow(graph, trace).1.expect("a fault needs a step");
            assert!(found.insert(edge), "one fault was reported twice");
            if order == SearchOrder::BreadthFirst {
                let before = distances[graph.edges[edge].from as usize];
                assert_eq!(Some(trace.stem.len() - 1), before, "there is a shorter trace");
            }
        }
        assert_eq!(found, faulty_edges, "{order:?}");

        if order == SearchOrder::BreadthFirst {
            assert_eq!(Some(result.statistics.depth as usize), distances.iter().flatten().copied().max());
        }
    }
}

#[test]
fn every_graph_of_up_to_three_nodes() {
    for nodes in 1..=3u8 {
        for matrix in 0..1u32 << (nodes * nodes) {
            for flags in 0..1u32 << (2 * nodes) {
                let mask = (1 << nodes) - 1;
                let mut graph = Graph::from_matrix(nodes, matrix, flags.wrapping_mul(0x9e37_79b9) >> 20);
                graph.valid_ends = flags & mask;
                graph.bad = flags >> nodes & mask;
                // The initial state is always stable.
                graph.unstable = flags.wrapping_mul(0x85eb_ca6b) >> 24 & mask & !1;
                check(&graph);
            }
        }
    }
}

#[test]
fn every_graph_of_four_nodes() {
    for matrix in 0..1u32 << 16 {
        let noise = matrix.wrapping_mul(0x9e37_79b9) ^ matrix.wrapping_mul(0x85eb_ca6b) >> 15;
        let mut graph = Graph::from_matrix(4, matrix, noise & noise >> 3);
        graph.valid_ends = noise >> 16 & 15;
        graph.bad = noise >> 20 & 15;
        graph.unstable = noise >> 24 & 14;
        if noise >> 28 & 3 == 0 {
            graph.edges.push(Arrow { from: (noise >> 30) as u8, to: None, faulty: true });
        }
        check(&graph);
    }
}

/// 0 -> 1 -> ... -> 9, with a fault on every edge and every node bad, and a deadlock at the end.
fn chain() -> Graph {
    let arrow = |from: u8| Arrow { from, to: Some(from + 1), faulty: true };
    Graph { edges: (0..9).map(arrow).collect(), bad: !0, ..Graph::default() }
}

#[test]
fn the_search_stops_when_every_property_has_its_violations() {
    for search in [SearchOrder::DepthFirst, SearchOrder::BreadthFirst] {
        for most in 1..=10u32 {
            let mut wanted = request(search);
            wanted.properties = PROPERTIES[1..].to_vec();
            wanted.max_violations = std::num::NonZeroU32::new(most);
            let result = chain().search(&wanted);
            for property in &PROPERTIES[1..] {
                assert!(traces(&result, *property).len() <= most as usize);
            }
            assert_eq!(result.complete, most == 10);
            assert_eq!(result.statistics.states, u64::from(most));
        }
        // The deadlock at the end keeps the search going, and it adds no violations beyond the first of the others.
        let mut wanted = request(search);
        wanted.max_violations = std::num::NonZeroU32::new(1);
        let result = chain().search(&wanted);
        assert_eq!(result.verdicts.len(), 3);
        assert_eq!(result.statistics.states, 10);
    }
}

#[test]
fn a_limit_makes_inconclusive_what_was_not_violated_before() {
    for search in [SearchOrder::DepthFirst, SearchOrder::BreadthFirst] {
        let wanted = request(search);
        let result = chain().search_within(&wanted, &Budget::UNLIMITED.for_at_most(std::time::Duration::ZERO));
        assert!(!result.complete);
        assert!(matches!(result.limit, Some(Why::Time { .. })));
        let inconclusive = |verdict: &Verdict| matches!(verdict, Verdict::Inconclusive(Why::Time { .. }));
        assert!(result.verdicts.iter().all(|entry| inconclusive(&entry.verdict)));

        let room = |bytes| Budget { memory: Some(bytes), ..Budget::UNLIMITED };
        let result = chain().search_within(&wanted, &room(100));
        assert_eq!(result.limit, Some(Why::Memory { bytes: 100 }));

        assert!(chain().search_within(&wanted, &room(120_000)).complete, "ten states need little");
    }
}

#[test]
fn a_fault_that_ends_the_run_is_no_deadlock() {
    let graph = Graph { edges: vec![Arrow { from: 0, to: None, faulty: true }], ..Graph::default() };
    check(&graph);
    let result = graph.search(&request(SearchOrder::DepthFirst));
    assert!(traces(&result, Property::Deadlock).is_empty());
    assert_eq!(traces(&result, Property::Assertions).len(), 1);
}

#[test]
fn one_statement_that_fails_in_many_places_is_one_violation() {
    for search in [SearchOrder::DepthFirst, SearchOrder::BreadthFirst] {
        let graph = Graph { one_statement: true, ..chain() };
        assert_eq!(traces(&graph.search(&request(search)), Property::Assertions).len(), 1);
        assert_eq!(traces(&chain().search(&request(search)), Property::Assertions).len(), 9);
    }
}

#[test]
fn a_trace_avoids_faults_on_its_way() {
    let arrow = |faulty| Arrow { from: 0, to: Some(1), faulty };
    let graph = Graph { edges: vec![arrow(true), arrow(false)], ..Graph::default() };
    for search in [SearchOrder::DepthFirst, SearchOrder::BreadthFirst] {
        let result = graph.search(&request(search));
        let deadlock = traces(&result, Property::Deadlock);
        assert_eq!(follow(&graph, deadlock[0]), (Some(1), Some(1)));
    }
}
