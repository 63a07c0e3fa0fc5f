//! Small worlds, exhaustively: is there an accepted cycle? Both searches for one on all small graphs, and all notions
//! of fairness on small systems of processes, beside answers that are read off the definitions.
//!
//! The graphs are good for something: nested searches that are wrong in the ways in which one gets them wrong do not
//! pass.

use crate::common::claims::{WAYS, claim, verdict};
use crate::common::engines::model;
use reductio_model::{AtomId, Automaton, ClaimEdge, Literal, Model, Verdict};
use reductio_reduce::{CycleSearch, Fairness};

/// A graph whose edges bear marks. The search starts from node zero.
struct Graph {
    /// Targets and marks, in the order in which they are tried.
    edges: Vec<Vec<(usize, u32)>>,
    sets: u32,
}

impl Graph {
    /// The edge from `a` to `b` is digit `a * nodes + b` of a number: none, or one with the digit less one as its marks.
    fn new(nodes: usize, sets: u32, digit: impl Fn(usize) -> u32) -> Graph {
        let edge = |from: usize, to: usize| digit(from * nodes + to).checked_sub(1).map(|marks| (to, marks));
        let edges = (0..nodes).map(|from| (0..nodes).filter_map(|to| edge(from, to)).collect()).collect();
        Graph { edges, sets }
    }

    /// Can a node be reached from another by one edge or more?
    fn reachability(&self) -> Vec<Vec<bool>> {
        let nodes = self.edges.len();
        let mut reach = vec![vec![false; nodes]; nodes];
        for (from, edges) in self.edges.iter().enumerate() {
            edges.iter().for_each(|&(to, _)| reach[from][to] = true);
        }
        for by in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    reach[from][to] |= reach[from][by] && reach[by][to];
                }
            }
        }
        reach
    }

    /// Is there a cycle that can be reached and bears all marks? A node's largest closed walk is by all edges between
    /// the nodes that it reaches and that reach it.
    fn has_accepted_cycle(&self) -> bool {
        let reach = self.reachability();
        let nodes = 0..self.edges.len();
        nodes.clone().filter(|&node| node == 0 || reach[0][node]).any(|node| {
            let inside = |other: usize| reach[node][other] && reach[other][node];
            let edges = nodes.clone().filter(|&other| inside(other)).flat_map(|other| &self.edges[other]);
            let marks = edges.filter(|edge| inside(edge.0)).fold(None, |all, edge| Some(all.unwrap_or(0) | edge.1));
            marks == Some((1 << self.sets) - 1)
        })
    }

    /// The graph as an automaton that reads `p`, which always holds, but not so that anyone would know beforehand.
    fn automaton(&self) -> Automaton {
        let p = Literal { atom: AtomId(0), value: true };
        let edge = |&(to, marks): &(usize, u32)| ClaimEdge { guard: vec![p], marks, target: to as u32 };
        let edges = self.edges.iter().map(|edges| edges.iter().map(edge).collect()).collect();
        Automaton { initial: 0, sets: self.sets, edges }
    }
}

/// Calls the function with every graph of up to three nodes whose edges are accepting or not, and with many of four
/// nodes. Graphs with nodes that cannot be reached are as good as smaller ones.
fn each_graph(mut visit: impl FnMut(&Graph)) {
    let mut visit_if_reached = |graph: Graph| {
        if graph.reachability()[0].iter().skip(1).all(|reached| *reached) {
            visit(&graph);
        }
    };
    for nodes in 1..=3 {
        for number in 0..3_u32.pow((nodes * nodes) as u32) {
            visit_if_reached(Graph::new(nodes, 1, |place| number / 3_u32.pow(place as u32) % 3));
        }
    }
    for matrix in (0..1_u32 << 16).step_by(23) {
        let accepting = scatter(matrix);
        visit_if_reached(Graph::new(4, 1, |place| (matrix >> place & 1) * (1 + (accepting >> place & 1))));
    }
}

/// About a quarter of the bits, without a pattern.
fn scatter(number: u32) -> u32 {
    let noise = number.wrapping_add(1).wrapping_mul(0x9e37_79b9) ^ number.wrapping_mul(0x85eb_ca6b) >> 13;
    noise & noise >> 7
}

/// A model of one state: with an automaton, all there is is the automaton.
fn nothing() -> Model {
    model("bit p = 1; active proctype A() { do :: p = 1 od }", &["p"])
}

fn agree(model: &mut Model, graph: &Graph) {
    model.claims = vec![claim(graph.automaton())];
    let expected = graph.has_accepted_cycle();
    for cycles in [CycleSearch::Components, CycleSearch::Nested] {
        let found = match verdict(model, Fairness::None, cycles) {
            Verdict::Holds => false,
            Verdict::Violated(_) => true,
            Verdict::Inconclusive(limit) => panic!("{limit}"),
        };
        assert_eq!(found, expected, "{cycles:?}: {:?}", graph.edges);
    }
}

#[test]
fn both_searches_are_right_on_every_small_graph() {
    let mut model = nothing();
    each_graph(|graph| agree(&mut model, graph));
}

#[test]
fn both_searches_are_right_on_small_graphs_with_several_sets() {
    let mut model = nothing();
    for sets in [0, 2, 3] {
        for matrix in 0..1_u32 << 9 {
            for variant in 0..2 {
                let marks = [0, 9, 18].map(|shift| scatter(2 * matrix + variant) >> shift);
                let bits = |place: usize| (0..sets as usize).fold(0, |all, set| all | (marks[set] >> place & 1) << set);
                agree(&mut model, &Graph::new(3, sets, |place| (matrix >> place & 1) * (1 + bits(place))));
            }
        }
    }
}

/// The nested search of the engine, written as it is in papers, and what one gets wrong about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Right,
    /// What the second search has seen is forgotten each time. That is right, and slow.
    ForgetsRed,
    /// The second search does not stop on the path of the first one, but only where it came from. That is right: it is
    /// the first paper's.
    OnlyTheSeed,
    /// The second search starts before the first one goes on, and forgets all that it has seen each time. That is right,
    /// and slow.
    PreorderForgets,
    /// The same, but what it has seen is forgotten in part.
    PreorderForgetsLittle,
    /// The same, and nothing is forgotten.
    Preorder,
    /// Both searches share one bit for what they have seen.
    OneBit,
    /// No second search where an accepting edge leads to what the first search knows already.
    NotToKnown,
    /// An accepting edge back to the path of the first search closes no cycle.
    NotToPath,
    /// The second search tells the states on the path of the first one from those that it has left, but not in time.
    PathIsLeftEarly,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    White,
    Cyan,
    Blue,
    Red,
}

struct Nested<'a> {
    graph: &'a Graph,
    variant: Variant,
    colours: Vec<Colour>,
    /// What the second search has seen, in the variants in which that is not a colour.
    second: Vec<bool>,
}

impl Nested<'_> {
    fn finds_a_cycle(graph: &Graph, variant: Variant) -> bool {
        let nodes = graph.edges.len();
        let mut search = Nested { graph, variant, colours: vec![Colour::White; nodes], second: vec![false; nodes] };
        search.dfs_blue(0)
    }

    fn dfs_blue(&mut self, node: usize) -> bool {
        self.colours[node] = Colour::Cyan;
        let edges = self.graph.edges[node].clone();
        for (index, &(target, marks)) in edges.iter().enumerate() {
            let accepting = marks == 1;
            if self.variant == Variant::PathIsLeftEarly && index + 1 == edges.len() {
                self.colours[node] = Colour::Blue;
            }
            let preorder = [Variant::Preorder, Variant::PreorderForgets, Variant::PreorderForgetsLittle];
            let preorder = preorder.contains(&self.variant);
            if preorder && accepting && self.starts_red(node, target) {
                return true;
            }
            let known = self.colours[target] != Colour::White;
            if !known && self.dfs_blue(target) {
                return true;
            }
            let skipped = known && self.variant == Variant::NotToKnown && self.colours[target] != Colour::Cyan;
            if accepting && !skipped && !preorder && self.starts_red(node, target) {
                return true;
            }
        }
        if self.colours[node] == Colour::Cyan {
            self.colours[node] = Colour::Blue;
        }
        false
    }

    /// The accepting edge was followed.
    fn starts_red(&mut self, seed: usize, target: usize) -> bool {
        match self.variant {
            Variant::OneBit => target == seed,
            Variant::OnlyTheSeed | Variant::Preorder | Variant::PreorderForgets | Variant::PreorderForgetsLittle => {
                let found = target == seed || (!self.second[target] && self.dfs_red_to(seed, target));
                match self.variant {
                    Variant::PreorderForgets => self.second.fill(false),
                    Variant::PreorderForgetsLittle => self.second[target] = false,
                    _ => {}
                }
                found
            }
            _ => {
                let found = match self.colours[target] {
                    Colour::Cyan => self.variant != Variant::NotToPath,
                    Colour::Blue => self.dfs_red(target),
                    Colour::White | Colour::Red => false,
                };
                if self.variant == Variant::ForgetsRed {
                    let red = self.colours.iter_mut().filter(|colour| **colour == Colour::Red);
                    red.for_each(|colour| *colour = Colour::Blue);
                }
                found
            }
        }
    }

    /// Looks for the path of the first search.
    fn dfs_red(&mut self, node: usize) -> bool {
        self.colours[node] = Colour::Red;
        self.graph.edges[node].iter().any(|&(target, _)| match self.colours[target] {
            Colour::Cyan => true,
            Colour::Blue => self.dfs_red(target),
            Colour::White | Colour::Red => false,
        })
    }

    /// Looks for the seed, wherever that leads.
    fn dfs_red_to(&mut self, seed: usize, node: usize) -> bool {
        self.second[node] = true;
        self.graph.edges[node]
            .iter()
            .any(|&(target, _)| target == seed || (!self.second[target] && self.dfs_red_to(seed, target)))
    }
}

#[test]
fn what_one_gets_wrong_about_nested_searches_shows_on_small_graphs() {
    let right = [Variant::Right, Variant::ForgetsRed, Variant::OnlyTheSeed, Variant::PreorderForgets];
    let wrong = [
        Variant::Preorder,
        Variant::PreorderForgetsLittle,
        Variant::OneBit,
        Variant::NotToKnown,
        Variant::NotToPath,
        Variant::PathIsLeftEarly,
    ];
    let mut caught = [0; 6];
    each_graph(|graph| {
        let expected = graph.has_accepted_cycle();
        for variant in right {
            assert_eq!(Nested::finds_a_cycle(graph, variant), expected, "{variant:?}: {:?}", graph.edges);
        }
        for (variant, caught) in wrong.iter().zip(&mut caught) {
            *caught += u32::from(Nested::finds_a_cycle(graph, *variant) != expected);
        }
    });
    assert!(caught.iter().all(|&graphs| graphs > 0), "{wrong:?} fail on so many graphs: {caught:?}");
}

/// Processes that move between places: in each place, each process can go to one place or to none. A statement of a
/// process is executable in one place only.
struct System {
    /// By process, by place.
    goes: Vec<[Option<usize>; PLACES]>,
    accepting: u32,
}

const PLACES: usize = 3;

impl System {
    /// By the digits of a number: four choices per process and place.
    fn new(processes: usize, number: u32, accepting: u32) -> System {
        let digit = |place: usize| (number >> (2 * place) & 3).checked_sub(1).map(|to| to as usize);
        let process = |process: usize| std::array::from_fn(|place| digit(process * PLACES + place));
        System { goes: (0..processes).map(process).collect(), accepting }
    }

    fn model(&self) -> Model {
        let mut text = String::from("byte s, p;\n");
        for (number, goes) in self.goes.iter().enumerate() {
            let step = |(from, to): (usize, &Option<usize>)| {
                to.map(|to| format!(":: d_step {{ s == {from} -> s = {to}; p = {} }} ", self.accepting >> to & 1))
            };
            let steps: String = goes.iter().enumerate().filter_map(step).collect();
            let steps = if steps.is_empty() { ":: false".to_owned() } else { steps };
            text.push_str(&format!("active proctype P{number}() {{ do {steps} od }}\n"));
        }
        // The place where it all begins.
        let text = text.replacen("p;", &format!("p = {};", self.accepting & 1), 1);
        let mut model = model(&text, &["p"]);
        let edge =
            |value| ClaimEdge { guard: vec![Literal { atom: AtomId(0), value }], marks: u32::from(value), target: 0 };
        model.claims = vec![claim(Automaton { initial: 0, sets: 1, edges: vec![vec![edge(true), edge(false)]] })];
        model
    }

    /// Is there a fair run that comes by an accepting place infinitely often? It ends up in a set of places, and goes by
    /// whatever leads from one of them to another.
    fn has_accepted_run(&self, fairness: Fairness) -> bool {
        let step = |from: usize, to: usize| self.goes.iter().any(|goes| goes[from] == Some(to));
        // Where nobody can move, the run stays.
        let stays = |place: usize| self.goes.iter().all(|goes| goes[place].is_none());
        let edge = |from: usize, to: usize| step(from, to) || (from == to && stays(from));
        let edges = |inside: u32| {
            let node = |from: usize| (0..PLACES).filter(move |&to| inside >> from & inside >> to & 1 == 1);
            (0..PLACES).map(|from| node(from).filter(|&to| edge(from, to)).map(|to| (to, 0)).collect()).collect()
        };
        let all = Graph { edges: edges(u32::MAX), sets: 0 }.reachability();
        (1..1_u32 << PLACES).any(|inside| {
            let places = (0..PLACES).filter(|place| inside >> place & 1 == 1);
            let reach = Graph { edges: edges(inside), sets: 0 }.reachability();
            let connected = places.clone().all(|from| places.clone().all(|to| reach[from][to]));
            let reached = places.clone().any(|place| place == 0 || all[0][place]);
            connected && reached && inside & self.accepting != 0 && self.is_fair(inside, fairness)
        })
    }

    fn is_fair(&self, inside: u32, fairness: Fairness) -> bool {
        let is_inside = |place: usize| inside >> place & 1 == 1;
        let mut places = (0..PLACES).filter(|&place| is_inside(place));
        self.goes.iter().all(|goes| {
            let mut here = places.clone();
            let executed = |place: usize| goes[place].is_some_and(is_inside);
            let possible = |place: usize| goes[place].is_some();
            match fairness {
                Fairness::None => true,
                // All statements write the place, so each depends on whatever is executed.
                Fairness::Maximal => true,
                Fairness::Weak => here.clone().any(executed) || !here.all(possible),
                Fairness::Strong => here.clone().any(executed) || !here.any(possible),
                // A statement that is executable here is not executable anywhere else.
                Fairness::OperationJustice => {
                    here.clone().count() > 1 || here.all(|place| executed(place) || !possible(place))
                }
                Fairness::OperationFairness => here.all(|place| executed(place) || !possible(place)),
            }
        }) && places.next().is_some()
    }
}

fn every_notion_agrees_on(system: &System, violated: &mut [u32; WAYS.len()]) {
    let model = system.model();
    for ((fairness, cycles), violated) in WAYS.into_iter().zip(violated) {
        let found = matches!(verdict(&model, fairness, cycles), Verdict::Violated(_));
        assert_eq!(found, system.has_accepted_run(fairness), "{fairness:?}, {cycles:?}\n{model}");
        *violated += u32::from(found);
    }
}

#[test]
fn fairness_is_right_on_every_small_system_of_two_processes() {
    let mut violated = [0; WAYS.len()];
    for number in 0..1 << (2 * PLACES * 2) {
        every_notion_agrees_on(&System::new(2, number, 1 << (number % 3)), &mut violated);
    }
    let [none, _, weak, _, strong, just, fair, maximal] = violated;
    assert!(
        none > weak && weak > strong && strong > fair && none > just && just > fair && maximal == none,
        "{violated:?}"
    );
}

#[test]
fn fairness_is_right_on_many_small_systems_of_three_processes() {
    let mut violated = [0; WAYS.len()];
    for number in (0..1 << (2 * PLACES * 3)).step_by(331) {
        every_notion_agrees_on(&System::new(3, number, 1 + number % 6), &mut violated);
    }
}
