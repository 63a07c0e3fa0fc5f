//! A model of something concurrent, as plain data: it can be printed, verified, compared and rewritten.
//!
//! A model is a set of process types, each a control-flow graph over guarded actions, and the processes that exist
//! at the start. Variables are flattened to scalar *slots*; arrays and structures survive only as index arithmetic
//! in a [`Place`](crate::Place). What a model means is told by the [interpreter](crate::interpreter).

use crate::claim::Claim;
use crate::expr::{Expr, Pattern, Place, ValueType};
use crate::monitor::Monitor;
use crate::property::{CtlFormula, Invariant, Property, Subject};

macro_rules! typed_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

typed_id!(
    /// An index into [`Model::files`].
    FileId
);
typed_id!(
    /// An index into [`Model::proctypes`].
    ProctypeId
);
typed_id!(
    /// An index into [`Model::channel_types`].
    ChannelTypeId
);
typed_id!(
    /// An index into [`Model::atoms`].
    AtomId
);
typed_id!(
    /// An index into [`Model::invariants`].
    InvariantId
);
typed_id!(
    /// An index into [`Model::claims`].
    ClaimId
);
typed_id!(
    /// An index into [`Model::ctl`].
    CtlId
);
typed_id!(
    /// An index into the locations of one process type.
    LocationId
);
typed_id!(
    /// An index into the edges of one process type.
    EdgeId
);
typed_id!(
    /// An index into the actions of one process type.
    ActionId
);

/// Where something stands in the text the user wrote. Lines and columns count from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// As the user named it.
    pub name: String,
    /// Names of the files that positions refer to; the first is the model itself.
    pub files: Vec<String>,
    /// Symbolic constants, so that values can be shown by name.
    pub enumerations: Vec<Enumeration>,
    pub globals: Vec<Slot>,
    pub channel_types: Vec<ChannelType>,
    pub proctypes: Vec<Proctype>,
    /// The processes that exist in the initial state, in the order of their pids.
    pub initial: Vec<Start>,
    /// Conditions on states that properties are made of.
    pub atoms: Vec<Atom>,
    /// What is to hold in every state.
    pub invariants: Vec<Invariant>,
    /// What is to be checked of infinite runs.
    pub claims: Vec<Claim>,
    /// What is asked in computation tree logic.
    pub ctl: Vec<CtlFormula>,
    /// What watches the messages.
    pub monitors: Vec<Monitor>,
    /// What the text asks to be checked and this version cannot check. Reported, never dropped.
    pub unchecked: Vec<Unchecked>,
    pub features: Features,
}

/// Which parts of the state exist only because the model can observe them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The model reads which process moved last.
    pub last: bool,
    /// Processes have priorities: only those of the highest priority that can move may move.
    pub priorities: bool,
}

/// The members of an `mtype`, with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    pub name: Option<String>,
    pub members: Vec<(String, i32)>,
}

/// One scalar of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// As a user would write it: `r[0].b[1]`.
    pub name: String,
    pub ty: ValueType,
    pub initial: Initial,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    Value(i32),
    /// Evaluated when the process is created, in slot order, in the new process.
    Expr(Expr),
    /// A channel of its own is created with the variable.
    Channel(ChannelTypeId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelType {
    /// The variable it was declared for.
    pub name: String,
    /// Zero is a rendezvous.
    pub capacity: u32,
    pub fields: Vec<ValueType>,
    pub position: Position,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    pub proctype: ProctypeId,
    pub priority: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    pub text: String,
    /// Over globals only: it has no process of its own.
    pub expr: Expr,
}

/// A declared property that is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unchecked {
    pub name: String,
    pub why: String,
    pub position: Position,
}

/// A process type: a control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proctype {
    pub name: String,
    pub position: Position,
    /// The first so many of `locals` are set by `run`.
    pub parameters: u32,
    pub locals: Vec<Slot>,
    pub entry: LocationId,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    pub actions: Vec<Action>,
    pub labels: Vec<Label>,
    /// Processes of this type move only where this holds.
    pub provided: Option<Expr>,
}

/// A point of control. A process rests at one; `edges` are what it can do there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub position: Position,
    /// In the order in which they are tried. The order means something: an [`Guard::Else`] yields to the edges
    /// before it, and once an escape can be taken the edges after its group are not.
    pub edges: Vec<EdgeId>,
    /// A process may rest here forever without this being a deadlock.
    pub end: bool,
    pub accept: bool,
    pub progress: bool,
    /// Inside a `d_step`: no process ever rests here, the first executable edge is taken at once.
    pub interior: bool,
    /// A module begins here, in a program that says how it is divided into modules.
    pub module: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: LocationId,
    pub to: LocationId,
    pub action: ActionId,
    /// Edges of one `unless` escape share a number greater than zero. Ordinary edges have zero.
    pub escape: u32,
    /// After this step the process keeps the right to move, to the exclusion of all others, as long as it can move.
    pub atomic: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    pub location: LocationId,
}

/// What an edge does, and how it reads in the text. Several edges may share one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub position: Position,
    /// How it reads in the text; empty for a step that nobody wrote, such as leaving an `atomic`.
    pub text: String,
    /// What the reference tool of the language calls it, to exchange traces with it: for Promela, the number of
    /// SPIN's transition.
    pub number: u32,
    pub kind: ActionKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Executable when the guard holds and the communication is possible; then the communication happens and the
    /// effect, in order, in one step.
    Step { guard: Guard, communication: Option<Communication>, effect: Vec<Op> },
    /// Runs from the interior location `entry` to the first location that is not interior, in one step.
    /// Executable when some edge of `entry` is.
    DStep { entry: LocationId },
    /// The process dies. Executable when it is the youngest.
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    When(Expr),
    /// No edge before this one at the same location can be taken.
    Else,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Communication {
    Send {
        channel: Expr,
        /// Insert in order instead of appending.
        sorted: bool,
        arguments: Vec<Expr>,
    },
    Receive {
        channel: Expr,
        /// Take the first message that matches, wherever it is in the channel.
        random: bool,
        /// Leave the message in the channel.
        peek: bool,
        patterns: Vec<Pattern>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    Assign(Place, Expr),
    /// Only for what may go wrong in it: the value goes nowhere.
    Evaluate(Expr),
    Assert(Expr),
    /// Output for a simulation. The format is split at its conversions: one literal more than arguments.
    Print {
        literals: Vec<String>,
        arguments: Vec<(Conversion, Expr)>,
    },
    /// Creates a process. Its pid goes to `result`.
    Run {
        proctype: ProctypeId,
        arguments: Vec<Expr>,
        priority: u8,
        result: Option<Place>,
    },
    SetPriority {
        pid: Expr,
        priority: Expr,
    },
}

/// How an argument of a print is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    Decimal,
    Unsigned,
    Hexadecimal,
    Octal,
    Character,
    /// By the name of the symbolic constant, of this enumeration where known.
    Symbol(Option<u32>),
}

impl Model {
    pub fn proctype(&self, id: ProctypeId) -> &Proctype {
        &self.proctypes[id.index()]
    }

    pub fn invariant(&self, id: InvariantId) -> &Invariant {
        &self.invariants[id.index()]
    }

    /// The condition that an invariant is.
    pub fn invariant_condition(&self, id: InvariantId) -> &Expr {
        &self.atoms[self.invariant(id).atom.index()].expr
    }

    pub fn claim(&self, id: ClaimId) -> &Claim {
        &self.claims[id.index()]
    }

    pub fn ctl_formula(&self, id: CtlId) -> &CtlFormula {
        &self.ctl[id.index()]
    }

    pub fn channel_type(&self, id: ChannelTypeId) -> &ChannelType {
        &self.channel_types[id.index()]
    }

    /// The name of a value of enumeration `index`.
    pub fn symbol(&self, index: u32, value: i32) -> Option<&str> {
        let enumeration = self.enumerations.get(index as usize)?;
        enumeration.members.iter().find(|(_, member)| *member == value).map(|(name, _)| name.as_str())
    }

    /// A position as `file:line`, the way reports name places.
    pub fn place_name(&self, position: Position) -> String {
        format!("{}:{}", self.files.get(position.file.index()).map_or("?", String::as_str), position.line)
    }
}

impl Subject for Model {
    fn properties(&self) -> Vec<Property> {
        let invariants = (0..self.invariants.len() as u32).map(|index| Property::Invariant(InvariantId(index)));
        let claims = (0..self.claims.len() as u32).map(|index| Property::Claim(ClaimId(index)));
        let ctl = (0..self.ctl.len() as u32).map(|index| Property::Ctl(CtlId(index)));
        [Property::Deadlock, Property::Assertions].into_iter().chain(invariants).chain(claims).chain(ctl).collect()
    }

    fn invariant(&self, invariant: InvariantId) -> &Invariant {
        Model::invariant(self, invariant)
    }

    fn claim(&self, claim: ClaimId) -> &Claim {
        Model::claim(self, claim)
    }

    fn ctl_formula(&self, formula: CtlId) -> &CtlFormula {
        Model::ctl_formula(self, formula)
    }

    fn unchecked(&self) -> &[Unchecked] {
        &self.unchecked
    }

    fn place_name(&self, position: Position) -> String {
        Model::place_name(self, position)
    }
}

impl Proctype {
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    pub fn action_of(&self, edge: EdgeId) -> &Action {
        self.action(self.edge(edge).action)
    }
}
