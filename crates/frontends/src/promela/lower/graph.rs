//! The control-flow graph of a body: which elements become locations, and which steps leave them.
//!
//! See [`flow`](super::flow) for the rules.

use reductio_model::{Action, ActionId, ActionKind, Edge, EdgeId, Expr, Guard, Label, Location, LocationId};

use super::flow::{Element, ElementId, ElementKind, EndlessJump, Flow, SequenceId};

impl Flow {
    /// Finishes the body: blocks continue behind their closing brace, and elements become locations.
    ///
    /// A label that is referred to from elsewhere gets a location in any case, others where there happens to be one.
    pub fn into_graph(
        mut self,
        body: SequenceId,
        labels: &[(String, ElementId)],
        is_referenced: &dyn Fn(&str) -> bool,
    ) -> Result<Graph, EndlessJump> {
        self.tie_ends();
        self.bridge_atomics();
        let first = self.sequences[body.0].first.expect("a body ends in its closing brace");
        let entry = self.hunt(first, self.elements[first.0].atomic)?;
        let mut builder = GraphBuilder {
            location_of: vec![None; self.elements.len()],
            action_of: vec![None; self.elements.len()],
            flags: self.elements.iter().map(|element| (element.end, element.accept, element.progress)).collect(),
            pending: Vec::new(),
            graph: Graph::default(),
            flow: &self,
        };
        builder.build(entry, labels, is_referenced)?;
        Ok(builder.graph)
    }
}

/// The control-flow graph of a process type.
#[derive(Default)]
pub struct Graph {
    pub entry: Option<LocationId>,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub actions: Vec<Action>,
    pub labels: Vec<Label>,
}

/// One step from a location, before it becomes an edge.
#[derive(Clone, Copy)]
struct Transition {
    /// The element that is executed.
    element: ElementId,
    target: ElementId,
    /// The first element of the escape it belongs to.
    escape: Option<ElementId>,
}

struct GraphBuilder<'f> {
    flow: &'f Flow,
    location_of: Vec<Option<LocationId>>,
    action_of: Vec<Option<ActionId>>,
    /// End, accept and progress marks of elements.
    flags: Vec<(bool, bool, bool)>,
    pending: Vec<ElementId>,
    graph: Graph,
}

impl GraphBuilder<'_> {
    fn build(
        &mut self,
        entry: ElementId,
        labels: &[(String, ElementId)],
        is_referenced: &dyn Fn(&str) -> bool,
    ) -> Result<(), EndlessJump> {
        self.graph.entry = Some(self.location(entry));
        for (_, element) in labels.iter().filter(|(name, _)| is_referenced(name)) {
            self.location(*element);
        }
        while let Some(element) = self.pending.pop() {
            let from = self.location(element);
            for transition in self.transitions(element)? {
                let to = self.location(transition.target);
                let to = self.leave_d_step(transition, to)?;
                let action = self.action(transition.element)?;
                let edge = EdgeId(self.graph.edges.len() as u32);
                let atomic = self.flow.elements[transition.element.0].atomic;
                let escape = transition.escape.map_or(0, |escape| escape.0 as u32 + 1);
                self.graph.edges.push(Edge { from, to, action, escape, atomic });
                self.graph.locations[from.index()].edges.push(edge);
            }
        }
        self.mark_locations();
        self.keep_what_leads_nowhere()?;
        for (name, element) in labels {
            if let Some(location) = self.location_of[element.0] {
                self.graph.labels.push(Label { name: name.clone(), location });
            }
        }
        Ok(())
    }

    /// A statement that control never comes to has no edge, but it has been written and deserves to be reported.
    fn keep_what_leads_nowhere(&mut self) -> Result<(), EndlessJump> {
        for (index, element) in self.flow.elements.iter().enumerate() {
            if matches!(element.kind, ElementKind::Step { .. }) && !element.pruned {
                self.action(ElementId(index))?;
            }
        }
        Ok(())
    }

    fn location(&mut self, element: ElementId) -> LocationId {
        if let Some(location) = self.location_of[element.0] {
            return location;
        }
        let location = LocationId(self.graph.locations.len() as u32);
        let source = &self.flow.elements[element.0];
        self.graph.locations.push(Location {
            position: source.position,
            edges: Vec::new(),
            end: false,
            accept: false,
            progress: false,
            interior: source.d_step.is_some(),
            module: false,
        });
        self.location_of[element.0] = Some(location);
        self.pending.push(element);
        location
    }

    fn action(&mut self, element: ElementId) -> Result<ActionId, EndlessJump> {
        if let Some(action) = self.action_of[element.0] {
            return Ok(action);
        }
        let source = &self.flow.elements[element.0];
        let nothing = || ActionKind::Step { guard: Guard::When(Expr::TRUE), communication: None, effect: Vec::new() };
        let (kind, text) = match &source.kind {
            ElementKind::Step { action, text } => (action.clone(), text.clone()),
            ElementKind::Jump { text, .. } => (nothing(), text.clone()),
            ElementKind::Join => (nothing(), String::new()),
            ElementKind::Stop => (ActionKind::End, "-end-".to_owned()),
            ElementKind::DStep { body, text } => {
                let first = self.flow.hunt_start(*body).expect("a d_step is not empty");
                (ActionKind::DStep { entry: self.location(first) }, text.clone())
            }
            ElementKind::Choice(_) | ElementKind::Unless { .. } | ElementKind::Block(_) => {
                unreachable!("a compound statement is no step")
            }
        };
        let id = ActionId(self.graph.actions.len() as u32);
        self.graph.actions.push(Action { position: source.position, text, number: source.number, kind });
        self.action_of[element.0] = Some(id);
        Ok(id)
    }

    /// A step that falls off the end of a `d_step` goes where the `d_step` as a whole goes.
    fn leave_d_step(&mut self, transition: Transition, to: LocationId) -> Result<LocationId, EndlessJump> {
        let inside = self.flow.elements[transition.element.0].d_step;
        if inside.is_none() || self.flow.elements[transition.target.0].d_step == inside {
            return Ok(to);
        }
        for (index, element) in self.flow.elements.iter().enumerate() {
            let ElementKind::DStep { body, .. } = element.kind else { continue };
            let first = self.flow.sequences[body.0].first.expect("a d_step is not empty");
            if self.flow.elements[first.0].d_step == inside {
                let own = self.plain_target(ElementId(index), element.atomic)?;
                let behind = self.plain_target(ElementId(index), false)?;
                return Ok(if behind == transition.target { self.location(own) } else { to });
            }
        }
        Ok(to)
    }

    /// Where a step that is no compound goes.
    fn plain_target(&self, element: ElementId, atomic: bool) -> Result<ElementId, EndlessJump> {
        let source = &self.flow.elements[element.0];
        let next = match source.kind {
            ElementKind::Jump { target, .. } => Some(self.flow.target(target)),
            _ => source.next,
        };
        match next {
            Some(next) => self.flow.hunt(next, atomic),
            None => Ok(element),
        }
    }

    /// Everything a process can do that rests at `element`, in the order in which it is tried.
    fn transitions(&mut self, element: ElementId) -> Result<Vec<Transition>, EndlessJump> {
        let mut transitions = Vec::new();
        self.ordinary(element, &mut transitions)?;
        let mut escapes: Vec<Transition> = Vec::new();
        for transition in &transitions {
            let source = &self.flow.elements[transition.element.0];
            let can_be_escaped = !matches!(source.kind, ElementKind::Join);
            for &escape in source.escapes.iter().filter(|_| can_be_escaped) {
                let Some(first) = self.flow.sequences[escape.0].first else { continue };
                let start = self.flow.hunt(first, source.atomic)?;
                let mut group = Vec::new();
                self.ordinary(start, &mut group)?;
                for step in group {
                    if !escapes.iter().chain(&transitions).any(|known| known.element == step.element) {
                        escapes.push(Transition { escape: Some(start), ..step });
                    }
                }
            }
        }
        escapes.extend(transitions);
        Ok(escapes)
    }

    /// What can be done at `element` apart from escapes: nested choices and blocks are opened.
    fn ordinary(&mut self, element: ElementId, out: &mut Vec<Transition>) -> Result<(), EndlessJump> {
        let flow = self.flow;
        let source = &flow.elements[element.0];
        match &source.kind {
            ElementKind::Choice(options) => {
                for &option in options {
                    let Some(first) = flow.hunt_start(option) else { continue };
                    if !is_never(&flow.elements[first.0]) {
                        self.open(first, out)?;
                    }
                }
            }
            ElementKind::Block(body) => {
                if let Some(first) = flow.hunt_start(*body) {
                    self.open(first, out)?;
                }
            }
            ElementKind::Unless { main, .. } => {
                if let Some(first) = flow.hunt_start(*main) {
                    self.ordinary(first, out)?;
                }
            }
            _ => {
                let target = self.plain_target(element, source.atomic)?;
                out.push(Transition { element, target, escape: None });
            }
        }
        Ok(())
    }

    /// Takes over the steps of the first element of a part. Its own marks would be lost, so they move on to where
    /// the steps lead, as they do in SPIN.
    fn open(&mut self, first: ElementId, out: &mut Vec<Transition>) -> Result<(), EndlessJump> {
        let before = out.len();
        self.ordinary(first, out)?;
        let (end, accept, progress) = self.flags[first.0];
        for transition in &out[before..] {
            let flags = &mut self.flags[transition.target.0];
            *flags = (flags.0 | end, flags.1 | accept, flags.2 | progress);
        }
        Ok(())
    }

    fn mark_locations(&mut self) {
        for (index, location) in self.location_of.iter().enumerate() {
            let Some(location) = location else { continue };
            let (end, accept, progress) = self.flags[index];
            let stop = matches!(self.flow.elements[index].kind, ElementKind::Stop);
            let target = &mut self.graph.locations[location.index()];
            (target.end, target.accept, target.progress) = (end || stop, accept, progress);
        }
        // Where an end state only passes on, what it passes on to is one too.
        for (index, element) in self.flow.elements.iter().enumerate() {
            let passes_on = matches!(element.kind, ElementKind::Join) && self.flags[index].0;
            if let (true, Some(location)) = (passes_on, self.location_of[index]) {
                for edge in self.graph.locations[location.index()].edges.clone() {
                    let to = self.graph.edges[edge.index()].to;
                    self.graph.locations[to.index()].end = true;
                }
            }
        }
    }
}

/// `:: false -> ...` is no option at all, unless an escape is attached to it.
fn is_never(element: &Element) -> bool {
    let never = ActionKind::Step { guard: Guard::When(Expr::Const(0)), communication: None, effect: Vec::new() };
    matches!(&element.kind, ElementKind::Step { action, .. } if *action == never) && element.escapes.is_empty()
}
