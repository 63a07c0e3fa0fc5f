//! Symmetry reduction: the canonical state of an orbit, one for all states that differ only by a permutation of processes.
//!
//! Papers:   [bosnacki03], section 2.3: the function h. [bosnacki-dams-holenderski00]: the strategies *sorted* and *segmented*.
//! Deviates: processes are not sorted by a main array or by their locations alone, but by a *signature*: all that can be said of a column
//!           without saying what any column is called. Where each part of the state has to do with one column at most, columns
//!           of the same signature are alike, and sorting is exact. Otherwise all orders of columns of the same signature are tried,
//!           as long as there are not too many; beyond that, the state may be one of several that stand for the same ones.
//!           Where columns can only be turned, the turn is taken that brings the least sequence of signatures.
//!
//! The answer is always a state that a permutation makes of the given one, so it is sound whatever the signatures are.

use reductio_model::State;
use reductio_model::hash::mix;

use super::symmetry::{Column, Home, Meaning, Moved, Permutation, Piece, Slots, Symmetry, pieces};

/// What a part of a state has to do with columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Those that it belongs to, or that it names; each once.
    pub columns: Vec<Column>,
    /// What it adds to the signature of each. It is the same, whatever the columns are called.
    pub weights: Vec<u64>,
}

impl Description {
    /// Does it relate columns to each other?
    pub fn is_relation(&self) -> bool {
        self.columns.len() > 1
    }
}

/// More orders than this are not tried.
const MOST_ORDERS: usize = 720;

impl Symmetry {
    /// A state that stands for all that the permutations make of this one, and a permutation that leads there.
    pub fn representative(&self, state: &State) -> (State, Permutation) {
        let identity = Permutation::identity(self.columns.len());
        if !self.acts_on(state) {
            return (state.clone(), identity);
        }
        let mut signatures = vec![0u64; self.columns.len()];
        let mut relations = Vec::new();
        for piece in pieces(state) {
            let description = self.describe(piece);
            for (&column, &weight) in description.columns.iter().zip(&description.weights) {
                let signature = &mut signatures[usize::from(column)];
                *signature = signature.wrapping_add(weight);
            }
            if description.is_relation() {
                relations.push((piece, description));
            }
        }
        let related: Vec<&Description> = relations.iter().map(|(_, description)| description).collect();
        let digest = |permutation: &Permutation, relation: usize| {
            Ok::<u64, std::convert::Infallible>(digest(&self.image(permutation, relations[relation].0)))
        };
        let Ok(permutation) = self.choose(&mut signatures, &related, digest);
        (self.permuted(&permutation, state), permutation)
    }

    /// The permutation that sorts columns by their signatures. What these leave open, the relations between columns decide:
    /// `digest` tells what a permutation makes of one of them.
    pub fn choose<E>(
        &self,
        signatures: &mut [u64],
        relations: &[&Description],
        mut digest: impl FnMut(&Permutation, usize) -> Result<u64, E>,
    ) -> Result<Permutation, E> {
        if relations.is_empty() || !self.has_ties(signatures) && self.least_turns(signatures).len() <= 1 {
            return Ok(self.sorted(signatures));
        }
        for _ in 0..2 {
            refine(signatures, relations);
        }
        let sorted = self.sorted(signatures);
        let turns = self.least_turns(signatures);
        let is_related = |column: Column| relations.iter().any(|relation| relation.columns.contains(&column));
        let mut groups: Vec<Vec<Column>> = Vec::new();
        for block in &self.blocks {
            let mut columns = block.clone();
            columns.sort_by_key(|&column| (signatures[usize::from(column)], column));
            let tied = columns.chunk_by(|&one, &other| signatures[usize::from(one)] == signatures[usize::from(other)]);
            groups.extend(tied.filter(|group| group.len() > 1 && is_related(group[0])).map(<[Column]>::to_vec));
        }
        let orders = groups.iter().try_fold(turns.len().max(1), |orders, group| {
            let orders = (1..=group.len()).try_fold(orders, |product, factor| product.checked_mul(factor))?;
            (orders <= MOST_ORDERS).then_some(orders)
        });
        let Some(orders) = orders.filter(|&orders| orders > 1) else { return Ok(sorted) };
        let mut best: Option<(u64, Permutation)> = None;
        for number in 0..orders {
            let mut permutation = reordered(&sorted, &groups, number / turns.len().max(1));
            if !turns.is_empty() {
                permutation.take_from(turns[number % turns.len()]);
            }
            let mut sum = 0u64;
            for relation in 0..relations.len() {
                sum = sum.wrapping_add(digest(&permutation, relation)?);
            }
            if best.as_ref().is_none_or(|(least, _)| sum < *least) {
                best = Some((sum, permutation));
            }
        }
        Ok(best.map_or(sorted, |(_, permutation)| permutation))
    }

    /// Do some columns that can be exchanged have the same signature?
    fn has_ties(&self, signatures: &[u64]) -> bool {
        let signature = |column: &Column| signatures[usize::from(*column)];
        self.blocks.iter().any(|block| {
            block
                .iter()
                .enumerate()
                .any(|(place, one)| block[..place].iter().any(|other| signature(one) == signature(other)))
        })
    }

    /// Within each block, the column with the least signature comes first. Of those with the same, the first stays first.
    pub fn sorted(&self, signatures: &[u64]) -> Permutation {
        let mut images = Permutation::identity(self.columns.len());
        for block in &self.blocks {
            let mut columns = block.clone();
            columns.sort_by_key(|&column| (signatures[usize::from(column)], column));
            for (&column, &place) in columns.iter().zip(block) {
                images.0[usize::from(column)] = place;
            }
        }
        self.least_turns(signatures).first().into_iter().for_each(|turn| images.take_from(turn));
        images
    }

    /// The turns that bring the least sequence of signatures. They all bring the same.
    fn least_turns(&self, signatures: &[u64]) -> Vec<&Permutation> {
        let mut least: Vec<&Permutation> = Vec::new();
        let sequence = |turn: &Permutation| {
            let mut sequence = vec![0; signatures.len()];
            turn.0.iter().zip(signatures).for_each(|(&place, &signature)| sequence[usize::from(place)] = signature);
            sequence
        };
        let mut found = Vec::new();
        // Columns in blocks are not moved, and their signatures are the same in all sequences.
        for turn in &self.turns {
            let sequence = sequence(turn);
            match least.is_empty() || sequence < found {
                true => (least, found) = (vec![turn], sequence),
                false if sequence == found => least.push(turn),
                false => {}
            }
        }
        least
    }

    /// What a part of a state has to do with columns.
    pub fn describe(&self, piece: Piece<'_>) -> Description {
        let mut describer = Describer { symmetry: self, columns: Vec::new(), pattern: 0, cells: Vec::new() };
        match piece {
            Piece::Rights(pid) => {
                describer.token(1);
                describer.process(pid);
            }
            Piece::Global(slot, value) => {
                describer.token(2);
                describer.slot(&self.globals, slot);
                describer.value(self.globals.meanings[slot as usize], value);
            }
            Piece::Process(pid, process) => {
                describer.token(3);
                describer.process(Some(pid));
                describer.token(u64::from(process.proctype.0));
                describer.token(u64::from(process.location.0));
                describer.token(u64::from(process.priority));
                let slots = self.locals_of(process.proctype);
                for (slot, &value) in (0..).zip(&process.locals) {
                    match slots.coordinates[slot as usize].is_empty() {
                        true => describer.value(slots.meanings[slot as usize], value),
                        // One cell for each process: the order of the cells is one of names.
                        false => describer.cells.push((slot, value)),
                    }
                }
                return describer.finish(Some(slots));
            }
            Piece::Channel(index, channel) => {
                describer.token(4);
                describer.channel(i32::from(index) + 1);
                for (&value, meaning) in channel.messages.iter().zip(self.message_meanings(channel.ty)) {
                    describer.value(meaning, value);
                }
            }
        }
        describer.finish(None)
    }
}

/// Puts a description together.
struct Describer<'s> {
    symmetry: &'s Symmetry,
    columns: Vec<Column>,
    /// All that is there, with columns called by the order in which they come up.
    pattern: u64,
    /// Variables of which there is one for each process.
    cells: Vec<(u32, i32)>,
}

impl Describer<'_> {
    fn token(&mut self, token: u64) {
        self.pattern = mix(self.pattern, token);
    }

    fn column(&mut self, column: Column) {
        let known = self.columns.iter().position(|known| *known == column);
        let place = known.unwrap_or_else(|| {
            self.columns.push(column);
            self.columns.len() - 1
        });
        self.token(1 << 40 | place as u64);
    }

    fn process(&mut self, pid: Option<u8>) {
        match pid.map(|pid| (pid, self.symmetry.place_of(pid))) {
            None => self.token(1 << 41),
            Some((pid, None)) => self.token(1 << 42 | u64::from(pid)),
            Some((_, Some((column, row)))) => {
                self.token(1 << 43 | row as u64);
                self.column(column);
            }
        }
    }

    /// Which variable it is, but for the columns that it is a cell for.
    fn slot(&mut self, slots: &Slots, slot: u32) {
        self.token(u64::from(self.symmetry.origin(slots, slot)));
        for coordinate in &slots.coordinates[slot as usize] {
            let naming = &self.symmetry.namings[usize::from(coordinate.naming)];
            if let Some(column) = naming.column(coordinate.value) {
                self.column(column);
            }
        }
    }

    fn channel(&mut self, number: i32) {
        let home = usize::try_from(number).ok().and_then(|number| self.symmetry.channels.get(number.checked_sub(1)?));
        match home {
            None => self.token(1 << 44 | u64::from(number as u32)),
            Some(&Home::Global(slot)) => self.slot(&self.symmetry.globals, slot),
            Some(&Home::Process(pid, place)) => {
                self.token(1 << 45 | u64::from(place));
                self.process(Some(pid));
            }
        }
    }

    fn value(&mut self, meaning: Meaning, value: i32) {
        match meaning {
            Meaning::Number => self.token(u64::from(value as u32)),
            Meaning::Channel => self.channel(value),
            Meaning::Member(naming) => match self.symmetry.namings[usize::from(naming)].column(value) {
                Some(column) => self.column(column),
                None => self.token(u64::from(value as u32)),
            },
        }
    }

    fn finish(mut self, slots: Option<&Slots>) -> Description {
        let mut cells = Vec::new();
        for &(slot, value) in &self.cells {
            let Some(slots) = slots else { break };
            let mut cell = Describer { columns: self.columns.clone(), cells: Vec::new(), ..self };
            cell.pattern = 0;
            cell.slot(slots, slot);
            // Columns that were not met before are all called the same here.
            let known = self.columns.len();
            let text = mix(
                u64::from(self.symmetry.origin(slots, slot)),
                match slots.meanings[slot as usize] {
                    Meaning::Number => u64::from(value as u32),
                    meaning => {
                        cell.value(meaning, value);
                        let named = cell.columns.iter().skip(known).count() as u64;
                        mix(named, 1 << 46)
                    }
                },
            );
            self.pattern = self.pattern.wrapping_add(mix(text, 5));
            cells.extend(
                cell.columns
                    .iter()
                    .enumerate()
                    .map(|(place, &column)| (column, mix(text, place.min(known) as u64 + 7))),
            );
        }
        let mut weights: Vec<u64> = (0..self.columns.len()).map(|place| mix(self.pattern, place as u64 + 1)).collect();
        let known = self.columns.len();
        for (column, weight) in cells {
            let place = match self.columns.iter().position(|other| *other == column) {
                Some(place) => place,
                None => {
                    self.columns.push(column);
                    weights.push(mix(self.pattern, known as u64 + 1));
                    weights.len() - 1
                }
            };
            weights[place] = weights[place].wrapping_add(weight);
        }
        Description { columns: self.columns, weights }
    }
}

impl Symmetry {
    /// The same slot for all that permutations make of it.
    fn origin(&self, slots: &Slots, slot: u32) -> u32 {
        slots.coordinates[slot as usize].iter().fold(slot, |origin, coordinate| {
            let least = self.namings[usize::from(coordinate.naming)].least_like(coordinate.value);
            origin.wrapping_add_signed((least - coordinate.value).wrapping_mul(coordinate.stride as i32))
        })
    }
}

/// Signatures that also tell to whom a column is related.
fn refine(signatures: &mut [u64], relations: &[&Description]) {
    let before = signatures.to_vec();
    for relation in relations {
        let others: Vec<u64> = relation
            .columns
            .iter()
            .zip(&relation.weights)
            .map(|(&column, &weight)| mix(weight, before[usize::from(column)]))
            .collect();
        let all = others.iter().fold(0u64, |sum, other| sum.wrapping_add(*other));
        for ((&column, &weight), own) in relation.columns.iter().zip(&relation.weights).zip(&others) {
            let signature = &mut signatures[usize::from(column)];
            *signature = signature.wrapping_add(mix(weight, all.wrapping_sub(*own)));
        }
    }
}

/// The same permutation with the columns of each group in another order, the one with this number.
fn reordered(sorted: &Permutation, groups: &[Vec<Column>], mut number: usize) -> Permutation {
    let mut images = sorted.clone();
    for group in groups {
        let mut places: Vec<Column> = group.iter().map(|&column| sorted.image(column)).collect();
        for (index, &column) in group.iter().enumerate() {
            let left = group.len() - index;
            images.0[usize::from(column)] = places.remove(number % left);
            number /= left;
        }
    }
    images
}

/// A number for a part of a state and where it stands.
pub fn digest(moved: &Moved) -> u64 {
    let values =
        |start: u64, values: &[i32]| values.iter().fold(start, |sum, &value| mix(sum, u64::from(value as u32)));
    match moved {
        Moved::Rights(pid) => mix(11, pid.map_or(0, |pid| u64::from(pid) + 1)),
        Moved::Global(slot, value) => mix(mix(12, u64::from(*slot)), u64::from(*value as u32)),
        Moved::Process(pid, process) => {
            let start = mix(mix(13, u64::from(*pid)), u64::from(process.location.0));
            values(mix(start, u64::from(process.priority)), &process.locals)
        }
        Moved::Channel(index, channel) => values(mix(14, u64::from(*index)), &channel.messages),
    }
}
