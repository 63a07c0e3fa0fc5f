//! Elementary paths as one step each: under which condition a path is taken, and what it makes of the variables.
//!
//! Paper: [yorav00] section 3.3.1, definition 3.11: the reachability condition RC and the state transformation ST, by
//!        substitution from the end of the path to its beginning.

use reductio_model::{
    ActionKind, Binary, EdgeId, Expr, Guard, Index, LocationId, Op, Place, Proctype, Unary, ValueType,
};

use super::safe_expressions::values;

/// A path of edges, each from where the one before it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementaryPath {
    pub edges: Vec<EdgeId>,
    pub end: LocationId,
    /// `None` where that cannot be said in an expression: at communications, and where values are cut off with a sign.
    pub meaning: Option<Meaning>,
}

/// What a path does, told by the values at its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// RC: the path is taken if this holds.
    pub condition: Expr,
    /// ST: the places that it writes, each with its value at the end.
    pub transformation: Vec<(Place, Expr)>,
}

/// More paths from one place than this are not listed.
const MOST_PATHS: usize = 64;

/// The paths inside a merged step, from its first location to where it ends. `None` if there are too many.
pub fn paths_from(proctype: &Proctype, entry: LocationId) -> Option<Vec<ElementaryPath>> {
    let mut pending: Vec<Vec<EdgeId>> = proctype.location(entry).edges.iter().map(|&edge| vec![edge]).collect();
    let mut paths = Vec::new();
    while let Some(edges) = pending.pop() {
        let end = proctype.edge(edges[edges.len() - 1]).to;
        if !proctype.location(end).interior {
            paths.push(ElementaryPath { meaning: meaning(proctype, &edges), edges, end });
        } else {
            for &next in proctype.location(end).edges.iter().rev() {
                pending.push(edges.iter().copied().chain([next]).collect());
            }
        }
        if paths.len() + pending.len() > MOST_PATHS {
            return None;
        }
    }
    Some(paths)
}

/// RC and ST of a path: those of the empty path, and then backwards edge by edge.
fn meaning(proctype: &Proctype, edges: &[EdgeId]) -> Option<Meaning> {
    let mut meaning = Meaning { condition: Expr::TRUE, transformation: Vec::new() };
    for &edge in edges.iter().rev() {
        let ActionKind::Step { guard, communication: None, effect } = &proctype.action_of(edge).kind else {
            return None;
        };
        for op in effect.iter().rev() {
            match op {
                Op::Assign(place, value) => meaning.before_assignment(place, value)?,
                Op::Print { .. } => {}
                Op::Evaluate(_) | Op::Assert(_) | Op::Run { .. } | Op::SetPriority { .. } => return None,
            }
        }
        meaning.before_test(test(proctype, edge, guard)?);
    }
    Some(meaning)
}

/// What must hold for an edge to be taken.
pub fn test(proctype: &Proctype, id: EdgeId, guard: &Guard) -> Option<Expr> {
    if let Guard::When(condition) = guard {
        return Some(condition.clone());
    }
    let before = proctype.location(proctype.edge(id).from).edges.iter().take_while(|&&edge| edge != id);
    let others = before.map(|&edge| match &proctype.action_of(edge).kind {
        ActionKind::Step { guard: Guard::When(condition), communication: None, .. } => {
            Some(unary(Unary::Not, condition.clone()))
        }
        _ => None,
    });
    Some(others.collect::<Option<Vec<Expr>>>()?.into_iter().fold(Expr::TRUE, and))
}

impl Meaning {
    /// RC := RC and B.
    fn before_test(&mut self, condition: Expr) {
        self.condition = and(condition, std::mem::replace(&mut self.condition, Expr::TRUE));
    }

    /// RC := RC [place <- value], ST := ST [place <- value].
    fn before_assignment(&mut self, place: &Place, value: &Expr) -> Option<()> {
        let substitution = Substitution { place, value: cut(value, place.ty)? };
        self.condition = substitution.apply(&self.condition)?;
        for (written, result) in &mut self.transformation {
            *result = substitution.apply(result)?;
            for index in &mut written.indices {
                index.value = substitution.apply(&index.value)?;
            }
        }
        let is_written_later = |(later, _): &(Place, Expr)| later == place;
        if !self.transformation.iter().any(is_written_later) {
            // Which of two elements of an array it is that was written last, nobody can say.
            let overlaps = |(later, _): &(Place, Expr)| later.base == place.base && later.scope == place.scope;
            if self.transformation.iter().any(overlaps) {
                return None;
            }
            self.transformation.insert(0, (place.clone(), substitution.value));
        }
        Some(())
    }
}

/// The value that arrives in a variable of this type, if it can be told.
pub fn cut(value: &Expr, ty: ValueType) -> Option<Expr> {
    let fits = |bits: u32| values(value).is_some_and(|(low, high)| low >= 0 && high < 1 << bits);
    let masked = |bits: u32| {
        let mask = Expr::Const(((1u64 << bits) - 1) as i32);
        Expr::Binary(Binary::BitAnd, Box::new(value.clone()), Box::new(mask))
    };
    match ty {
        ValueType::Int | ValueType::Unsigned(32..) => Some(value.clone()),
        ValueType::Unsigned(bits) if fits(bits.into()) => Some(value.clone()),
        ValueType::Unsigned(bits) => Some(masked(bits.into())),
        ValueType::Mtype(_) | ValueType::Chan if fits(8) => Some(value.clone()),
        ValueType::Mtype(_) | ValueType::Chan => Some(masked(8)),
        ValueType::Short => {
            let inside = |(low, high)| low >= i64::from(i16::MIN) && high <= i64::from(i16::MAX);
            values(value).is_some_and(inside).then(|| value.clone())
        }
    }
}

/// `expr[place <- value]`.
pub struct Substitution<'a> {
    pub place: &'a Place,
    pub value: Expr,
}

impl Substitution<'_> {
    /// `None` where it cannot be said in an expression.
    pub fn apply(&self, expr: &Expr) -> Option<Expr> {
        Some(match expr {
            Expr::Const(_) | Expr::Pid => expr.clone(),
            Expr::Read(place) => self.read(place)?,
            Expr::Unary(operator, operand) => unary(*operator, self.apply(operand)?),
            Expr::Binary(operator, left, right) => binary(*operator, self.apply(left)?, self.apply(right)?),
            Expr::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                Expr::Conditional(Box::new([self.apply(condition)?, self.apply(yes)?, self.apply(no)?]))
            }
            _ => return None,
        })
    }

    /// An element of the array that is written is the new one if the indices are the same.
    fn read(&self, place: &Place) -> Option<Expr> {
        let index = |index: &Index| Some(Index { value: self.apply(&index.value)?, ..index.clone() });
        let indices: Vec<Index> = place.indices.iter().map(index).collect::<Option<_>>()?;
        let old = Expr::Read(Box::new(Place { indices: indices.clone(), ..place.clone() }));
        let reach = |place: &Place| {
            let more: u32 = place.indices.iter().map(|index| index.length.saturating_sub(1) * index.stride).sum();
            place.base..=place.base + more
        };
        let (own, other) = (reach(self.place), reach(place));
        if self.place.scope != place.scope || own.end() < other.start() || other.end() < own.start() {
            return Some(old);
        }
        let shape = |place: &Place| -> Vec<(u32, u32)> {
            place.indices.iter().map(|index| (index.length, index.stride)).collect()
        };
        if self.place.base != place.base || shape(self.place) != shape(place) {
            return None;
        }
        let pairs = self.place.indices.iter().zip(&indices);
        let same = pairs.map(|(one, other)| equal(&one.value, &other.value)).fold(Expr::TRUE, and);
        Some(match same {
            Expr::Const(0) => old,
            Expr::Const(_) => self.value.clone(),
            same => Expr::Conditional(Box::new([same, self.value.clone(), old])),
        })
    }
}

/// What is made of constants is one.
pub fn unary(operator: Unary, operand: Expr) -> Expr {
    match operand {
        Expr::Const(value) => Expr::Const(Expr::apply_unary(operator, value)),
        operand => Expr::Unary(operator, Box::new(operand)),
    }
}

fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    match (&left, &right) {
        (Expr::Const(one), Expr::Const(other)) => Expr::apply(operator, *one, *other).map(Expr::Const),
        _ => None,
    }
    .unwrap_or_else(|| Expr::Binary(operator, Box::new(left), Box::new(right)))
}

fn equal(one: &Expr, other: &Expr) -> Expr {
    match (one, other) {
        _ if one == other => Expr::TRUE,
        (Expr::Const(_), Expr::Const(_)) => Expr::Const(0),
        _ => Expr::Binary(Binary::Equal, Box::new(one.clone()), Box::new(other.clone())),
    }
}

pub fn and(one: Expr, other: Expr) -> Expr {
    match (one, other) {
        (Expr::Const(value), other) if value != 0 => other,
        (one, Expr::Const(value)) if value != 0 => one,
        (Expr::Const(_), _) | (_, Expr::Const(_)) => Expr::Const(0),
        (one, other) => Expr::Binary(Binary::And, Box::new(one), Box::new(other)),
    }
}
