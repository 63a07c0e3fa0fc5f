//! From statements in sequence to a control-flow graph.
//!
//! A Promela body is first laid out as *elements* in *sequences*, as it is written: choices own a sequence an
//! option, blocks own the sequence between their braces, jumps are elements of their own. Then each element at which
//! a process can rest becomes a location. Which ones these are decides how many states a model has, so the rules are
//! exactly those of SPIN's verifier:
//!
//! * A process never rests at a jump, a `break` or the joining point of a choice: [`Flow::hunt`] follows them. It
//!   stops at one only where following it would leave an `atomic` that the step before was part of; then the jump is
//!   a step of its own, the one that gives up the right to move.
//! * A choice or block is a location with the first steps of all its parts, however deeply nested. The first
//!   statement of an option is a location too only if something jumps to it.
//! * A jump that is the first statement of an option is a step: there is no step before it to be merged into.
//! * All steps of an `atomic` but the last keep the right to move.
//! * An `unless` adds the first steps of its escape to every location of its main sequence, before the others;
//!   of several nested ones the outermost comes first.

use reductio_model::{ActionKind, Expr, Guard, Position};

use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId(pub(super) usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SequenceId(pub(super) usize);

/// Where a jump leads; bound to an element when the label's or loop's place is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TargetId(usize);

#[derive(Clone, Debug)]
pub enum ElementKind {
    /// A step: what it does and how it reads.
    Step {
        action: ActionKind,
        text: String,
    },
    /// `goto` or `break`. The text is for the case that the jump is a step of its own.
    Jump {
        target: TargetId,
        text: String,
    },
    /// Where the options of a choice, or the two parts of an `unless`, come together; also the place after a loop.
    Join,
    Choice(Vec<SequenceId>),
    Unless {
        main: SequenceId,
        escape: SequenceId,
    },
    /// `{ ... }` and `atomic { ... }`: the difference is in the marks of what is inside.
    Block(SequenceId),
    DStep {
        body: SequenceId,
        text: String,
    },
    /// The closing brace of the process.
    Stop,
}

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub kind: ElementKind,
    pub position: Position,
    pub span: Span,
    /// Elements are numbered through the whole program in the order in which SPIN makes them.
    pub number: u32,
    pub next: Option<ElementId>,
    /// The step keeps the right to move.
    pub atomic: bool,
    /// The last step of an `atomic`, which does not.
    pub last_of_atomic: bool,
    /// The innermost `d_step` it is part of.
    pub d_step: Option<u32>,
    /// Taken out again.
    pub pruned: bool,
    /// Escapes that apply here, outermost first.
    pub escapes: Vec<SequenceId>,
    pub end: bool,
    pub accept: bool,
    pub progress: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<ElementId>,
    pub last: Option<ElementId>,
    /// The last element that was written there, before a join was appended.
    pub extent: Option<ElementId>,
}

/// The body of one process under construction.
#[derive(Default)]
pub struct Flow {
    pub(super) elements: Vec<Element>,
    pub(super) sequences: Vec<Sequence>,
    targets: Vec<Option<ElementId>>,
    d_steps: u32,
    current_d_step: Option<u32>,
    next_number: u32,
}

/// A jump that leads nowhere else.
#[derive(Debug)]
pub struct EndlessJump {
    pub span: Span,
}

impl Flow {
    /// An empty body whose first element gets this number.
    pub fn starting_at(number: u32) -> Flow {
        Flow { next_number: number, ..Flow::default() }
    }

    /// The number of the next element.
    pub fn next_number(&self) -> u32 {
        self.next_number
    }

    /// Gives the elements numbered `from..middle` the numbers after those from `middle` on: SPIN makes the element of
    /// a statement with an escape after the escape's.
    pub fn number_last(&mut self, from: u32, middle: u32) {
        let behind = self.next_number - middle;
        for element in &mut self.elements {
            if (from..middle).contains(&element.number) {
                element.number += behind;
            } else if element.number >= middle {
                element.number -= middle - from;
            }
        }
    }

    pub fn open_sequence(&mut self) -> SequenceId {
        self.sequences.push(Sequence::default());
        SequenceId(self.sequences.len() - 1)
    }

    /// Says that all statements of the sequence are there.
    pub fn close_sequence(&mut self, sequence: SequenceId) {
        self.sequences[sequence.0].extent = self.sequences[sequence.0].last;
    }

    pub fn is_empty(&self, sequence: SequenceId) -> bool {
        self.sequences[sequence.0].first.is_none()
    }

    pub fn new_target(&mut self) -> TargetId {
        self.targets.push(None);
        TargetId(self.targets.len() - 1)
    }

    fn bind(&mut self, target: TargetId, element: ElementId) {
        self.targets[target.0] = Some(element);
    }

    /// Says where a jump leads.
    pub fn bind_jump(&mut self, jump: ElementId, element: ElementId) {
        if let ElementKind::Jump { target, .. } = self.elements[jump.0].kind {
            self.bind(target, element);
        }
    }

    /// Whatever is added from now on until [`Flow::leave_d_step`] is inside a `d_step`.
    pub fn enter_d_step(&mut self) -> Option<u32> {
        let outer = self.current_d_step;
        // A d_step inside a d_step is a plain block of it.
        if outer.is_none() {
            self.d_steps += 1;
            self.current_d_step = Some(self.d_steps);
        }
        outer
    }

    pub fn leave_d_step(&mut self, outer: Option<u32>) {
        self.current_d_step = outer;
    }

    pub fn in_d_step(&self) -> bool {
        self.current_d_step.is_some()
    }

    pub fn in_same_d_step(&self, one: ElementId, other: ElementId) -> bool {
        self.elements[one.0].d_step == self.elements[other.0].d_step
    }

    pub fn add(&mut self, sequence: SequenceId, kind: ElementKind, position: Position, span: Span) -> ElementId {
        let element = self.new_element(kind, position, span);
        self.append(sequence, element);
        element
    }

    /// Adds a jump with a step before it at which a process can rest, and be seen to rest. Answers that step.
    pub fn add_rest_and_jump(
        &mut self,
        sequence: SequenceId,
        rest: ElementKind,
        jump: ElementKind,
        position: Position,
        span: Span,
    ) -> (ElementId, ElementId) {
        let jump = self.new_element(jump, position, span);
        let rest = self.add(sequence, rest, position, span);
        self.append(sequence, jump);
        (rest, jump)
    }

    fn new_element(&mut self, kind: ElementKind, position: Position, span: Span) -> ElementId {
        self.elements.push(Element {
            kind,
            position,
            span,
            number: self.next_number,
            next: None,
            atomic: false,
            last_of_atomic: false,
            d_step: self.current_d_step,
            pruned: false,
            escapes: Vec::new(),
            end: false,
            accept: false,
            progress: false,
        });
        self.next_number += 1;
        ElementId(self.elements.len() - 1)
    }

    fn append(&mut self, sequence: SequenceId, element: ElementId) {
        match self.sequences[sequence.0].last {
            None => self.sequences[sequence.0].first = Some(element),
            Some(last) => self.elements[last.0].next = Some(element),
        }
        self.sequences[sequence.0].last = Some(element);
    }

    /// Adds a choice. With `after`, a loop: the options lead back to the choice, and `after` is bound to the place
    /// behind it.
    pub fn add_choice(
        &mut self,
        sequence: SequenceId,
        options: Vec<SequenceId>,
        after: Option<TargetId>,
        position: Position,
        span: Span,
    ) -> ElementId {
        let choice = self.new_element(ElementKind::Choice(options.clone()), position, span);
        let join = self.new_element(ElementKind::Join, position, span);
        for option in options {
            self.append(option, join);
        }
        match after {
            None => {
                self.append(sequence, choice);
                self.append(sequence, join);
            }
            Some(after) => {
                self.append(sequence, join);
                self.append(sequence, choice);
                let behind = self.new_element(ElementKind::Join, position, span);
                self.append(sequence, behind);
                self.bind(after, behind);
            }
        }
        choice
    }

    pub fn add_unless(
        &mut self,
        sequence: SequenceId,
        main: SequenceId,
        escape: SequenceId,
        position: Position,
        span: Span,
    ) -> ElementId {
        let unless = self.new_element(ElementKind::Unless { main, escape }, position, span);
        let join = self.new_element(ElementKind::Join, position, span);
        self.append(main, join);
        self.append(escape, join);
        self.attach_escape(main, escape);
        self.append(sequence, unless);
        self.append(sequence, join);
        unless
    }

    /// The elements of a sequence from the first to `last`.
    fn elements_to(&self, sequence: SequenceId, last: Option<ElementId>) -> Vec<ElementId> {
        let mut elements = Vec::new();
        let mut current = self.sequences[sequence.0].first;
        while let Some(element) = current {
            elements.push(element);
            if Some(element) == last {
                break;
            }
            current = self.elements[element.0].next;
        }
        elements
    }

    fn attach_escape(&mut self, sequence: SequenceId, escape: SequenceId) {
        for element in self.elements_to(sequence, self.sequences[sequence.0].extent) {
            self.attach_escape_to(element, escape);
        }
    }

    fn attach_escape_to(&mut self, element: ElementId, escape: SequenceId) {
        let inner = self.elements[element.0].escapes.clone();
        if inner.contains(&escape) {
            return;
        }
        // The escapes of an inner `unless` can be escaped from, too.
        for inner_escape in inner {
            self.attach_escape(inner_escape, escape);
        }
        self.elements[element.0].escapes.insert(0, escape);
        match self.elements[element.0].kind.clone() {
            ElementKind::Unless { main, .. } => self.attach_escape(main, escape),
            ElementKind::Choice(options) => options.iter().for_each(|&option| self.attach_escape(option, escape)),
            ElementKind::Block(body) => self.attach_escape(body, escape),
            _ => {}
        }
    }

    /// Marks all steps of a sequence as keeping the right to move, except the last.
    pub fn make_atomic(&mut self, sequence: SequenceId) {
        let last = self.sequences[sequence.0].last;
        self.mark_atomic(sequence, last);
        let Some(last) = last else { return };
        match self.elements[last.0].kind {
            ElementKind::Block(body) => self.make_atomic(body),
            ElementKind::Unless { main, .. } => self.make_atomic(main),
            _ => {
                self.elements[last.0].atomic = false;
                self.elements[last.0].last_of_atomic = true;
            }
        }
    }

    fn mark_atomic(&mut self, sequence: SequenceId, last: Option<ElementId>) {
        for element in self.elements_to(sequence, last) {
            self.elements[element.0].atomic = true;
            match self.elements[element.0].kind.clone() {
                ElementKind::Block(body) => self.mark_atomic(body, self.sequences[body.0].last),
                ElementKind::Choice(options) => {
                    options.iter().for_each(|&option| self.mark_atomic(option, self.sequences[option.0].last));
                }
                ElementKind::Unless { main, escape } => {
                    self.mark_atomic(main, self.sequences[main.0].last);
                    self.mark_atomic(escape, self.sequences[escape.0].last);
                }
                _ => {}
            }
        }
    }

    /// Of several `skip`s in a row inside an option SPIN keeps one (prints count, but are kept).
    pub fn prune_skips(&mut self, sequence: SequenceId, labelled: &dyn Fn(ElementId) -> bool) {
        let extent = self.sequences[sequence.0].extent;
        let elements = self.elements_to(sequence, extent);
        let mut in_a_row = 0;
        let mut previous: Option<ElementId> = None;
        for (index, &element) in elements.iter().enumerate() {
            let (skip, print) = match &self.elements[element.0].kind {
                ElementKind::Step { action: ActionKind::Step { guard, communication: None, effect }, .. } => {
                    let plain = *guard == Guard::When(Expr::TRUE);
                    let print = matches!(effect[..], [reductio_model::Op::Print { .. }]);
                    (plain && (effect.is_empty() || print), print)
                }
                _ => (false, false),
            };
            in_a_row = if skip && !labelled(element) { in_a_row + 1 } else { 0 };
            let removable = index > 0 && index + 1 < elements.len();
            match previous {
                Some(previous) if in_a_row > 1 && !print && removable => {
                    self.elements[previous.0].next = self.elements[element.0].next;
                    self.elements[element.0].pruned = true;
                }
                _ => previous = Some(element),
            }
        }
    }

    pub fn mark_label(&mut self, element: ElementId, name: &str) {
        let element = &mut self.elements[element.0];
        element.end |= name.starts_with("end");
        element.accept |= name.starts_with("accept");
        element.progress |= name.starts_with("progress");
    }

    /// The last element inside a block is followed by what follows the block. Outer blocks come first, as what follows
    /// an inner one may be what follows the outer one; they were added after what is inside them.
    pub(super) fn tie_ends(&mut self) {
        for index in (0..self.elements.len()).rev() {
            let body = match self.elements[index].kind {
                ElementKind::Block(body) => body,
                ElementKind::DStep { body, .. } => body,
                _ => continue,
            };
            if let Some(last) = self.sequences[body.0].last {
                self.elements[last.0].next = self.elements[index].next;
            }
        }
    }

    /// A jump out of an atomic is its last step; one from the end of an atomic into an atomic is not.
    pub(super) fn bridge_atomics(&mut self) {
        for index in 0..self.elements.len() {
            let ElementKind::Jump { target, .. } = self.elements[index].kind else { continue };
            let target = self.target(target);
            let into_atomic = self.elements[target.0].atomic || self.elements[target.0].last_of_atomic;
            let element = &mut self.elements[index];
            if (element.atomic || element.last_of_atomic) && element.d_step.is_none() {
                element.atomic = into_atomic;
                element.last_of_atomic = !into_atomic;
            }
        }
    }

    pub(super) fn target(&self, target: TargetId) -> ElementId {
        self.targets[target.0].expect("every jump's target is bound before the graph is built")
    }

    /// Where a process comes to rest that is sent to `element` by a step that keeps the right to move, or does not.
    pub(super) fn hunt(&self, start: ElementId, atomic: bool) -> Result<ElementId, EndlessJump> {
        let mut element = start;
        for _ in 0..=self.elements.len() {
            let next = match &self.elements[element.0].kind {
                ElementKind::Jump { target, .. } => self.target(*target),
                ElementKind::Join => match self.elements[element.0].next {
                    Some(next) => next,
                    None => return Ok(element),
                },
                ElementKind::Unless { main, .. } => match self.sequences[main.0].first {
                    Some(first) => self.hunt(first, atomic)?,
                    None => return Ok(element),
                },
                _ => return Ok(element),
            };
            if atomic && !self.elements[next.0].atomic {
                return Ok(element);
            }
            element = next;
        }
        Err(EndlessJump { span: self.elements[start.0].span })
    }

    /// The first element of a part that does something: a jump there is a step.
    pub(super) fn hunt_start(&self, sequence: SequenceId) -> Option<ElementId> {
        let mut element = self.sequences[sequence.0].first?;
        // Each round goes deeper into a nested unless or past a join, so this ends.
        for _ in 0..=self.elements.len() {
            element = match &self.elements[element.0].kind {
                ElementKind::Join => match self.elements[element.0].next {
                    Some(next) => next,
                    None => return Some(element),
                },
                ElementKind::Unless { main, .. } => self.sequences[main.0].first?,
                _ => return Some(element),
            };
        }
        Some(element)
    }
}
