//! Symmetry detection: which processes are interchangeable, so that a permutation of them changes neither program nor property.
//!
//! Papers:   [bosnacki03], section 2.3, and [bosnacki-dams-holenderski00]: processes of one type, whose names are used in ways that a
//!           permutation respects. [ip-dill96]: values that are only assigned, compared for being equal, and used as indices.
//! Deviates: nothing is declared. What values mean is [guessed](meanings), and then a permutation is applied to the program and
//!           [compared](terms) with it. So it does not matter how a name was worked out, and an expression that treats all alike is
//!           fine however it is written.
//!
//! A permutation of columns is a symmetry if it makes the program of each process that of the process in whose place it comes, and
//! if it leaves the property alone. Then it takes steps to steps, and states to states of which the same is true. It need not
//! leave the state alone in which the model starts: a state and what a permutation makes of it can do the same, wherever they
//! come from. Only what never changes must be the same for all from the start, for programs are compared with that in mind.
//!
//! Processes terminate in reverse order of creation, so processes that can terminate are not interchangeable.

mod loops;
mod meanings;
mod rings;
mod rounds;
mod start;
mod terms;

use std::collections::{BTreeSet, HashMap};

use reductio_model::{
    ActionId, AtomId, ChannelTypeId, Claim, ClaimEdge, Expr, Initial, LocationId, Model, Monitor, Position, ProctypeId,
    State,
};

use self::loops::Loops;
use self::meanings::Meanings;
pub(super) use self::start::Start;
use self::terms::{Why, Writer};
use super::watched_messages;
use crate::on_the_fly::symmetry::{Column, Meaning, Permutation, Slots, Symmetry};

/// What stands in the way of a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    pub because: String,
    /// Where it is, if it is somewhere.
    pub at: Option<Position>,
}

impl Obstacle {
    fn nowhere(because: &str) -> Obstacle {
        Obstacle { because: because.to_owned(), at: None }
    }
}

/// What can be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSymmetry {
    pub symmetry: Symmetry,
    /// Why there is not more of it.
    pub restrictions: Vec<Obstacle>,
    /// Actions that are the same but for the names of processes: where one was executed, so could the other be.
    pub alike: Vec<(ProctypeId, ActionId, ActionId)>,
    /// Loops over all processes, by the places where they begin.
    pub loops: Vec<Position>,
}

impl FoundSymmetry {
    /// Who can be exchanged with whom, in words.
    pub fn text(&self) -> String {
        let symmetry = &self.symmetry;
        let column = |column: Column| {
            let processes = symmetry.columns[usize::from(column)].iter().flatten().map(u8::to_string);
            processes.collect::<Vec<_>>().join("+")
        };
        let value = |column: Column| {
            let mut names = symmetry.namings.iter().flat_map(|naming| &naming.names);
            names.find(|name| name.column == column).map_or_else(String::new, |name| name.value.to_string())
        };
        let listed = |columns: &[Column], how: &str| match self.is_value(columns[0]) {
            true => {
                format!("values {} are {how}", columns.iter().map(|&one| value(one)).collect::<Vec<_>>().join(", "))
            }
            false => {
                format!("processes {} are {how}", columns.iter().map(|&one| column(one)).collect::<Vec<_>>().join(", "))
            }
        };
        let mut parts: Vec<String> = symmetry.blocks.iter().map(|block| listed(block, "interchangeable")).collect();
        if !symmetry.turns.is_empty() {
            let is_turned = |column: &Column| symmetry.turns.iter().any(|turn| turn.image(*column) != *column);
            let turned: Vec<Column> = (0..symmetry.columns.len() as Column).filter(is_turned).collect();
            parts.push(listed(&turned, "interchangeable as in a ring"));
        }
        let order = symmetry.order().map_or("very many".to_owned(), |order| order.to_string());
        format!("{} ({order} permutations)", parts.join("; "))
    }

    /// The loops over all processes, in words.
    pub fn loops_text(&self, model: &Model) -> Option<String> {
        let places: Vec<String> = self.loops.iter().map(|&at| model.place_name(at)).collect();
        match &places[..] {
            [] => None,
            [place] => Some(format!("the loop at {place} treats all alike, in one step")),
            _ => Some(format!("the loops at {} treat all alike, each in one step", places.join(", "))),
        }
    }

    /// Where this is what values mean, are they mere values? Or do they name processes?
    pub fn are_values(&self, meaning: Meaning) -> Option<bool> {
        let Meaning::Member(naming) = meaning else { return None };
        let name = self.symmetry.namings[usize::from(naming)].names.first()?;
        Some(self.is_value(name.column))
    }

    /// Is it no process, but a value?
    fn is_value(&self, column: Column) -> bool {
        self.symmetry.columns[usize::from(column)].iter().all(Option::is_none)
    }
}

const NO_TWO: &str = "no two processes have the same type";
/// In larger models, several variables are one component of a state.
const MOST_GLOBALS: usize = 96;
/// Columns are known by numbers of one byte, and searched for.
const MOST_COLUMNS: usize = 64;

/// Are all processes created before anything else happens, and does none leave before they are?
pub fn creates_all_at_once(model: &Model) -> bool {
    let grows = |start: Start<'_>| start.way.windows(2).all(|pair| pair[0].processes.len() <= pair[1].processes.len());
    Start::new(model).is_ok_and(grows)
}

/// Looks for processes that can be exchanged, such that these conditions on states are left alone.
pub fn find(model: &Model, atoms: &[AtomId]) -> Result<FoundSymmetry, Vec<Obstacle>> {
    find_seen(model, atoms, None)
}

/// Looks for processes that can be exchanged, such that the claim is left alone. Its atoms may change places with each other, if its
/// automaton is the same after that.
pub fn find_for_claim(model: &Model, claim: &Claim) -> Result<FoundSymmetry, Vec<Obstacle>> {
    find_seen(model, &claim.violations.atoms(), Some(claim))
}

fn find_seen(model: &Model, atoms: &[AtomId], claim: Option<&Claim>) -> Result<FoundSymmetry, Vec<Obstacle>> {
    let obstacle = |because: &str| Err(vec![Obstacle::nowhere(because)]);
    if model.features.last {
        return obstacle("the model reads `_last`");
    }
    if let Some(changes) = watched_messages::changing_channel(model) {
        return Err(vec![changes]);
    }
    if model.globals.len() > MOST_GLOBALS {
        return obstacle("there are too many global variables for a symmetry");
    }
    let watched = watched_messages::as_conditions(model);
    let conditions = atoms.iter().map(|atom| &model.atoms[atom.index()].expr);
    let conditions: Vec<&Expr> = conditions.chain(watched.iter().map(|(_, condition)| condition)).collect();
    let start = Start::new(model).map_err(|broken| vec![broken])?;
    let loops = Loops::find(&start);
    let meanings = meanings::find(&start, &loops, &conditions).map_err(|broken| vec![broken])?;
    match meanings.symmetry.columns.len() {
        0 => return obstacle(NO_TWO),
        count if count > MOST_COLUMNS => return obstacle("there are too many processes for a symmetry"),
        _ => {}
    }
    Finder { start: &start, loops: &loops, meanings: &meanings, atoms, claim, watched, alike: Vec::new() }.find()
}

struct Finder<'a> {
    start: &'a Start<'a>,
    loops: &'a Loops,
    meanings: &'a Meanings,
    atoms: &'a [AtomId],
    /// Of which these are the atoms.
    claim: Option<&'a Claim>,
    /// What monitors watch, each as the condition that such a message is there.
    watched: Vec<(&'a Monitor, Expr)>,
    alike: Vec<(ProctypeId, ActionId, ActionId)>,
}

impl Finder<'_> {
    fn find(mut self) -> Result<FoundSymmetry, Vec<Obstacle>> {
        let candidate = &self.meanings.symmetry;
        let mut restrictions: Vec<Obstacle> = Vec::new();
        let mut blocks: Vec<Vec<Column>> = Vec::new();
        for column in 0..candidate.columns.len() as Column {
            if let Some(broken) = self.end_of(column) {
                note(&mut restrictions, broken);
                continue;
            }
            let mut joined = false;
            for block in &mut blocks {
                if !self.are_comparable(block[0], column) {
                    continue;
                }
                match self.check(&Permutation::transposition(candidate.columns.len(), block[0], column)) {
                    Ok(()) => {
                        block.push(column);
                        joined = true;
                        break;
                    }
                    Err(broken) if self.is_process(column) => note(&mut restrictions, broken),
                    // Most values cannot be exchanged, and nobody thinks that they could.
                    Err(_) => {}
                }
            }
            if !joined {
                blocks.push(vec![column]);
            }
        }
        let (blocks, alone): (Vec<_>, Vec<_>) = blocks.into_iter().partition(|block| block.len() > 1);
        let alone: Vec<Column> = alone.into_iter().flatten().filter(|&column| self.is_process(column)).collect();
        let turns = rings::turns(&mut self, &alone);
        if blocks.is_empty() && turns.is_empty() {
            if !(0..candidate.columns.len() as Column).any(|column| self.is_process(column)) {
                restrictions.push(Obstacle::nowhere(NO_TWO));
            }
            return Err(restrictions);
        }
        let mut symmetry = Symmetry { blocks, turns, ..candidate.clone() };
        let moved = (0..symmetry.columns.len() as Column).filter(|&column| symmetry.moves(column));
        symmetry.processes = self.needed(moved);
        symmetry.forget_the_others();
        self.alike.sort_unstable();
        self.alike.dedup();
        let loops = self.loops_over(&symmetry);
        Ok(FoundSymmetry { symmetry, restrictions, alike: self.alike, loops })
    }

    /// The loops over what is interchangeable.
    fn loops_over(&self, symmetry: &Symmetry) -> Vec<Position> {
        let is_moved = |meaning: Meaning| match meaning {
            Meaning::Member(naming) => !symmetry.namings[usize::from(naming)].names.is_empty(),
            Meaning::Number | Meaning::Channel => false,
        };
        let found = self.loops.found.iter().zip(&self.meanings.counters);
        let mut positions: Vec<Position> =
            found.filter(|(_, meaning)| is_moved(**meaning)).map(|(found, _)| found.position).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    fn is_process(&self, column: Column) -> bool {
        self.meanings.symmetry.columns[usize::from(column)].iter().any(Option::is_some)
    }

    /// Could two columns be exchanged, at first glance?
    fn are_comparable(&self, one: Column, other: Column) -> bool {
        let symmetry = &self.meanings.symmetry;
        let [first, second] = [one, other].map(|column| &symmetry.columns[usize::from(column)]);
        first.iter().zip(second).all(|(first, second)| first.is_some() == second.is_some())
            && symmetry.namings.iter().all(|naming| naming.count(one) == naming.count(other))
    }

    /// How many processes must be there before these columns can change places.
    fn needed(&self, columns: impl Iterator<Item = Column>) -> usize {
        let symmetry = &self.meanings.symmetry;
        let mut needed = 0;
        for column in columns {
            let processes = &symmetry.columns[usize::from(column)];
            needed = match processes.iter().copied().flatten().max() {
                Some(pid) => needed.max(usize::from(pid) + 1),
                // Values can be exchanged when all is set up.
                None if self.start.way.len() > 1 => needed.max(self.start.state().processes.len()),
                None => needed,
            };
        }
        needed
    }

    fn end_of(&self, column: Column) -> Option<Obstacle> {
        let processes = &self.meanings.symmetry.columns[usize::from(column)];
        processes.iter().copied().flatten().find_map(|pid| {
            let name = &self.start.proctype(pid).name;
            let because =
                format!("processes of type `{name}` terminate in reverse order of creation, which breaks symmetry");
            self.start.end_of(pid).map(|position| Obstacle { because, at: Some(position) })
        })
    }

    /// Is a permutation a symmetry?
    fn check(&mut self, permutation: &Permutation) -> Result<(), Obstacle> {
        self.check_variables(permutation)?;
        let start_is_the_same = self.check_start(permutation)?;
        let alike = self.check_programs(permutation)?;
        // What such an action does is done by the other one in the run that begins where the model does not.
        if !alike.is_empty() {
            start_is_the_same?;
        }
        self.check_atoms(permutation)?;
        self.check_monitors(permutation)?;
        self.alike.extend(alike);
        Ok(())
    }

    /// Variables and channels that change places must be of the same type, and variables that name processes hold all their names.
    fn check_variables(&self, permutation: &Permutation) -> Result<(), Obstacle> {
        let (model, symmetry) = (self.start.model, &self.meanings.symmetry);
        let inverse = permutation.inverse();
        let check = |slots: &Slots, declared: &[reductio_model::Slot]| {
            (0..).zip(declared).all(|(slot, variable)| {
                let image = symmetry.slot_image(slots, permutation, slot);
                declared.get(image as usize).is_some_and(|other| other.ty == variable.ty)
                    && symmetry.fits(slots.meanings[slot as usize], permutation, variable.ty)
                    && symmetry.slot_image(slots, &inverse, image) == slot
                    && slots.meanings[image as usize] == slots.meanings[slot as usize]
            })
        };
        let locals = model.proctypes.iter().zip(&symmetry.locals);
        let channels = &self.start.state().channels;
        let same_type = |(index, channel): (usize, &reductio_model::Channel)| {
            let image = symmetry.channel_image(permutation, index as i32 + 1) as usize;
            let other = channels.get(image.wrapping_sub(1));
            other.is_some_and(|other| self.are_alike(other.ty, channel.ty))
                && symmetry.channel_image(&inverse, image as i32) == index as i32 + 1
        };
        let fields = model.channel_types.iter().zip(&symmetry.fields);
        let mut fields = fields.flat_map(|(ty, meanings)| ty.fields.iter().zip(meanings));
        let is_same = fields.all(|(&ty, &meaning)| symmetry.fits(meaning, permutation, ty))
            && symmetry.namings.iter().all(|naming| naming.is_permuted(permutation))
            && check(&symmetry.globals, &model.globals)
            && locals.into_iter().all(|(proctype, slots)| check(slots, &proctype.locals))
            && channels.iter().enumerate().all(same_type);
        if is_same {
            Ok(())
        } else {
            Err(Obstacle::nowhere("the variables and channels of one process do not match those of another"))
        }
    }

    /// Can channels of two types change places?
    fn are_alike(&self, one: ChannelTypeId, other: ChannelTypeId) -> bool {
        let (model, fields) = (self.start.model, &self.meanings.symmetry.fields);
        let [first, second] = [one, other].map(|ty| model.channel_type(ty));
        (first.capacity, &first.fields) == (second.capacity, &second.fields)
            && fields[one.index()] == fields[other.index()]
    }

    /// What never changes must be the same for all from the start. Of what does change, the inner answer tells whether it is.
    fn check_start(&self, permutation: &Permutation) -> Result<Result<(), Obstacle>, Obstacle> {
        let symmetry = &self.meanings.symmetry;
        let columns = 0..symmetry.columns.len() as Column;
        let needed = self.needed(columns.filter(|&column| permutation.image(column) != column));
        let are_there = |state: &&State| state.processes.len() >= needed;
        let compared = |state: &State, image: &State| match state == image {
            true => Ok(()),
            false => Err(self.difference(permutation, state, image)),
        };
        let (last, before) = self.start.way.split_last().expect("there is an initial state");
        for state in before.iter().filter(are_there) {
            compared(state, &symmetry.put_together(permutation, state))?;
        }
        let image = symmetry.put_together(permutation, last);
        compared(&self.start.constants_of(last), &self.start.constants_of(&image))?;
        Ok(compared(last, &image))
    }

    /// The processes that a permutation exchanges.
    fn moved(&self, permutation: &Permutation) -> String {
        let columns = (0..).zip(&self.meanings.symmetry.columns);
        let moved = columns.filter(|(column, _)| permutation.image(*column) != *column);
        let pids = moved.map(|(_, pids)| pids.iter().flatten().map(u8::to_string).collect::<Vec<_>>().join("+"));
        pids.collect::<Vec<_>>().join(" and ")
    }

    /// What it is in the start that is not the same for all.
    fn difference(&self, permutation: &Permutation, state: &State, image: &State) -> Obstacle {
        let pids = self.moved(permutation);
        let different = || format!("the initial states of processes {pids} differ");
        let models = self.start.model;
        let globals = models.globals.iter().zip(state.globals.iter().zip(&image.globals));
        if let Some((slot, _)) = { globals }.find(|(_, (value, image))| value != image) {
            // A channel never differs alone.
            let is_channel = matches!(slot.initial, Initial::Channel(_));
            let because = match is_channel {
                true => different(),
                false => format!("the initial value of `{}` distinguishes processes {pids}", slot.name),
            };
            return Obstacle { because, at: None };
        }
        for (process, other) in state.processes.iter().zip(&image.processes) {
            let proctype = models.proctype(process.proctype);
            let locals = proctype.locals.iter().zip(process.locals.iter().zip(&other.locals));
            if let Some((slot, _)) = { locals }.find(|(_, (value, image))| value != image) {
                let because = format!("the initial value of `{}` distinguishes processes {pids}", slot.name);
                return Obstacle { because, at: Some(proctype.position) };
            }
        }
        Obstacle { because: different(), at: None }
    }

    /// The permutation must make the program of each process the program of the process that takes its place.
    fn check_programs(&self, permutation: &Permutation) -> Result<Vec<(ProctypeId, ActionId, ActionId)>, Obstacle> {
        let symmetry = &self.meanings.symmetry;
        let identity = Permutation::identity(symmetry.columns.len());
        let (start, meanings) = (self.start, self.meanings);
        let moved = Writer { start, meanings, permutation };
        let there = Writer { start, meanings, permutation: &identity };
        let mut alike = Vec::new();
        for instance in &start.instances {
            let pid = instance.pid;
            let image = symmetry.process_image(permutation, pid);
            let proctype = start.state().processes[usize::from(pid)].proctype;
            let declared = start.model.proctype(proctype);
            let not_interchangeable = |Obstacle { because, at }| {
                let pids = self.moved(permutation);
                Obstacle { because: format!("{because}, so processes {pids} are not interchangeable"), at }
            };
            let provided = |writer: &Writer<'_>, pid: u8| writer.provided(pid).map_err(not_interchangeable);
            if provided(&moved, pid)? != provided(&there, image)? {
                let because = format!(
                    "swapping processes {1} changes the `provided` clause of `{0}`",
                    declared.name,
                    self.moved(permutation)
                );
                return Err(Obstacle { because, at: Some(declared.position) });
            }
            for location in (0..declared.locations.len()).filter(|location| instance.reached[*location]) {
                let location = LocationId(location as u32);
                let repeated = self.loops.of(proctype, location);
                if repeated.is_some_and(|found| found.counting.head != location) {
                    continue;
                }
                let options = |writer: &Writer<'_>, pid| {
                    let written = match repeated {
                        Some(found) => writer.repeated(pid, found),
                        None => writer.location(pid, location),
                    };
                    written.map_err(|broken| not_interchangeable(self.blamed_on_loop(broken)))
                };
                let (here, there) = (options(&moved, pid)?, options(&there, image)?);
                let (here, there) = (here.concat(), there.concat());
                debug_assert!(here.len() == there.len() || repeated.is_some(), "locations have their edges for all");
                if here.len() != there.len() {
                    let because = format!("swapping processes {} changes a loop", self.moved(permutation));
                    return Err(Obstacle { because, at: Some(declared.location(location).position) });
                }
                for ((text, action), (other, counterpart)) in here.iter().zip(&there) {
                    if text != other {
                        let action = declared.action(*action);
                        let because = format!(
                            "swapping processes {1} changes the meaning of `{0}`",
                            action.text,
                            self.moved(permutation)
                        );
                        return Err(self.blamed_on_loop(Obstacle { because, at: Some(action.position) }));
                    }
                    if action != counterpart {
                        alike.push((proctype, *action, *counterpart));
                    }
                }
            }
        }
        Ok(alike)
    }

    /// A monitor does not ask who sends or receives. But a channel that it names must stay itself, and so must the values that it names.
    fn check_monitors(&self, permutation: &Permutation) -> Result<(), Obstacle> {
        let identity = Permutation::identity(self.meanings.symmetry.columns.len());
        for (monitor, condition) in &self.watched {
            let write = |permutation: &Permutation| {
                Writer { start: self.start, meanings: self.meanings, permutation }.condition(condition)
            };
            let is_same = matches!((write(permutation), write(&identity)), (Ok(here), Ok(there)) if here == there);
            if !is_same {
                let because = format!("the {} assertion distinguishes between processes", monitor.name);
                return Err(Obstacle { because, at: Some(monitor.position) });
            }
        }
        Ok(())
    }

    /// If a loop is in the way, that is what its user wants to know.
    fn blamed_on_loop(&self, broken: Obstacle) -> Obstacle {
        broken.at.and_then(|at| self.loops.refused_at(at)).cloned().unwrap_or(broken)
    }

    fn check_atoms(&self, permutation: &Permutation) -> Result<(), Obstacle> {
        let identity = Permutation::identity(self.meanings.symmetry.columns.len());
        let in_the_way = |atom: AtomId, why: Why| {
            let text = &self.start.model.atoms[atom.index()].text;
            Obstacle::nowhere(&why.of(&format!("the property's `{text}`")))
        };
        let write = |permutation: &Permutation| {
            let writer = Writer { start: self.start, meanings: self.meanings, permutation };
            let text = |&atom: &AtomId| {
                let text = writer.condition(&self.start.model.atoms[atom.index()].expr);
                text.map_err(|why| in_the_way(atom, why))
            };
            self.atoms.iter().map(text).collect::<Result<Vec<_>, Obstacle>>()
        };
        let (here, there) = (write(permutation)?, write(&identity)?);
        if here == there {
            return Ok(());
        }
        // Which atom takes the place of each.
        let mut images: HashMap<AtomId, AtomId> = HashMap::new();
        for (&atom, text) in self.atoms.iter().zip(&here) {
            let place = there.iter().position(|other| other == text).filter(|_| self.claim.is_some());
            let Some(place) = place else { return Err(in_the_way(atom, Why::Does("distinguishes between processes"))) };
            images.insert(atom, self.atoms[place]);
        }
        match self.claim {
            Some(claim) if is_left_alone(claim, &images) => Ok(()),
            _ => Err(Obstacle::nowhere("the property distinguishes between processes")),
        }
    }
}

/// Is a claim the same when its atoms change places? Its automaton must be, state by state, and its parts.
fn is_left_alone(claim: &Claim, images: &HashMap<AtomId, AtomId>) -> bool {
    let same = |atom: AtomId| atom;
    let image = |atom: AtomId| images.get(&atom).copied().unwrap_or(atom);
    let edges = |edges: &[ClaimEdge], atom: &dyn Fn(AtomId) -> AtomId| -> BTreeSet<_> {
        let guard = |edge: &ClaimEdge| -> BTreeSet<_> {
            edge.guard.iter().map(|literal| (atom(literal.atom), literal.value)).collect()
        };
        edges.iter().map(|edge| (guard(edge), edge.marks, edge.target)).collect()
    };
    let parts = |atom: &dyn Fn(AtomId) -> AtomId| -> BTreeSet<BTreeSet<AtomId>> {
        claim.parts().iter().map(|part| part.iter().copied().map(atom).collect()).collect()
    };
    claim.violations.edges.iter().all(|state| edges(state, &same) == edges(state, &image))
        && parts(&same) == parts(&image)
}

/// Each once: one reason a place is enough.
fn note(restrictions: &mut Vec<Obstacle>, broken: Obstacle) {
    let is_known = |known: &Obstacle| *known == broken || broken.at.is_some() && known.at == broken.at;
    if !restrictions.iter().any(is_known) {
        restrictions.push(broken);
    }
}
