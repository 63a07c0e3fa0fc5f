//! The strongly connected components of a graph that is all there, whatever it is a graph of.
//!
//! Paper: [tarjan72], with a stack of our own instead of recursion.
//!
//! Graphs that are made while they are searched are another matter: see `liveness/components.rs` in the explicit engine.

/// Not met yet.
const UNSEEN: usize = usize::MAX;

/// Finds the components of all that can be reached from some of the nodes `0..nodes`, one after the other: none has an edge to
/// one that is found later. The nodes of each are in the order in which they were met.
pub fn strong_components<S: IntoIterator<Item = usize>>(
    nodes: usize,
    roots: impl IntoIterator<Item = usize>,
    successors: impl Fn(usize) -> S,
    found: impl FnMut(&[usize]),
) {
    let (index, low) = (vec![UNSEEN; nodes], vec![0; nodes]);
    let mut search = Search { index, low, stack: Vec::new(), is_on_stack: vec![false; nodes], seen: 0, found };
    for root in roots {
        if search.index[root] == UNSEEN {
            search.strong_connect(root, &successors);
        }
    }
}

struct Search<F> {
    /// When each node was met.
    index: Vec<usize>,
    /// The first node on the stack that is known to be in the same component.
    low: Vec<usize>,
    /// Nodes whose component is not complete.
    stack: Vec<usize>,
    is_on_stack: Vec<bool>,
    seen: usize,
    found: F,
}

/// One activation record of the paper's recursion.
struct Frame<I> {
    node: usize,
    /// Where the node is on the stack.
    place: usize,
    successors: I,
}

impl<F: FnMut(&[usize])> Search<F> {
    fn strong_connect<S: IntoIterator<Item = usize>>(&mut self, root: usize, successors: &impl Fn(usize) -> S) {
        let mut frames = vec![self.enter(root, successors)];
        while let Some(frame) = frames.last_mut() {
            let node = frame.node;
            match frame.successors.next() {
                Some(next) if self.index[next] == UNSEEN => {
                    let entered = self.enter(next, successors);
                    frames.push(entered);
                }
                Some(next) => {
                    if self.is_on_stack[next] {
                        self.low[node] = self.low[node].min(self.index[next]);
                    }
                }
                None => {
                    let place = frame.place;
                    frames.pop();
                    self.leave(node, place);
                    if let Some(caller) = frames.last() {
                        self.low[caller.node] = self.low[caller.node].min(self.low[node]);
                    }
                }
            }
        }
    }

    fn enter<S: IntoIterator<Item = usize>>(
        &mut self,
        node: usize,
        successors: &impl Fn(usize) -> S,
    ) -> Frame<S::IntoIter> {
        self.index[node] = self.seen;
        self.low[node] = self.seen;
        self.seen += 1;
        let place = self.stack.len();
        self.stack.push(node);
        self.is_on_stack[node] = true;
        Frame { node, place, successors: successors(node).into_iter() }
    }

    fn leave(&mut self, node: usize, place: usize) {
        if self.low[node] != self.index[node] {
            return;
        }
        for member in &self.stack[place..] {
            self.is_on_stack[*member] = false;
        }
        (self.found)(&self.stack[place..]);
        self.stack.truncate(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which nodes can be reached from which, in no steps or more.
    fn reached(nodes: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
        let mut reached: Vec<Vec<bool>> =
            (0..nodes).map(|from| (0..nodes).map(|to| from == to || edge(from, to)).collect()).collect();
        for middle in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    reached[from][to] |= reached[from][middle] && reached[middle][to];
                }
            }
        }
        reached
    }

    /// The definition, on every graph with up to four nodes, from every root and from all of them.
    #[test]
    fn nodes_are_together_if_each_reaches_the_other() {
        for nodes in 0..=4 {
            for graph in 0_u32..1 << (nodes * nodes) {
                let edge = |from: usize, to: usize| graph >> (from * nodes + to) & 1 == 1;
                let reached = reached(nodes, edge);
                let roots = (0..nodes).map(|root| vec![root]).chain([(0..nodes).collect::<Vec<_>>()]);
                for roots in roots {
                    let mut component = vec![None; nodes];
                    let mut count = 0;
                    let successors = |from: usize| (0..nodes).filter(move |to| edge(from, *to));
                    strong_components(nodes, roots.iter().copied(), successors, |members| {
                        for member in members {
                            assert_eq!(component[*member].replace(count), None, "{graph:b}: {member} twice");
                        }
                        count += 1;
                    });
                    for one in 0..nodes {
                        let is_met = roots.iter().any(|root| reached[*root][one]);
                        assert_eq!(component[one].is_some(), is_met, "{graph:b}: {one} from {roots:?}");
                        for other in (0..nodes).filter(|other| is_met && component[*other].is_some()) {
                            let together = reached[one][other] && reached[other][one];
                            assert_eq!(component[one] == component[other], together, "{graph:b}: {one} and {other}");
                            // What is reached is found before.
                            assert!(!reached[one][other] || component[other] <= component[one]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn long_paths_do_not_overflow_the_stack() {
        let nodes = 1_000_000;
        let mut sizes = Vec::new();
        let successors = |node: usize| [(node + 1) % nodes];
        strong_components(nodes, [0], successors, |members| sizes.push(members.len()));
        assert_eq!(sizes, [nodes]);
    }
}
