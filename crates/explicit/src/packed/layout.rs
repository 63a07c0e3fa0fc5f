//! Which components a state has, and where the number of each stands in a key.
//!
//! A [component](Component) is what is read and written together: the frame of a process (its location and locals), the
//! contents of a channel, a global variable or a few neighbours in a large array. Three small ones hold the rest: who alone
//! may move, how many processes and channels there are, and who moved last.
//!
//! Processes and channels come and go, and the numbers of values outgrow their fields. Then the layout changes, and
//! every key is packed anew.

use reductio_model::{Component, Model, Part, ValueType};

use super::key::{Field, Key};

/// An index into the components of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ComponentId(pub u16);

impl ComponentId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a component is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// One of the model's state.
    Model(Component),
    /// The state of an automaton that reads along, of which there are so many. It is no part of the model's state.
    Claim(u32),
}

impl Source {
    pub fn process(pid: usize) -> Source {
        Source::Model(Component::Process(pid as u8))
    }

    pub fn channel(index: usize) -> Source {
        Source::Model(Component::Channel(index as u8))
    }
}

/// A component in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub source: Source,
    pub field: Field,
    /// The number that a zero in the field stands for. Where the component can be absent it is that, zero; elsewhere
    /// it is one, so that a variable of two values makes do with one bit.
    first: u32,
    /// The component is one variable, of this type, that takes so many values that they are not numbered: the number is
    /// the value itself.
    pub plain: Option<ValueType>,
}

impl Placed {
    /// The number of the value that this component has in a state.
    #[inline(always)]
    pub fn number<const W: usize>(&self, key: &Key<W>) -> u32 {
        key.get(self.field) + self.first
    }

    /// Can keys hold this number?
    pub fn holds(&self, number: u32) -> bool {
        self.field.holds(number - self.first)
    }

    /// Puts a number into a key that is zero there.
    pub fn fill<const W: usize>(&self, key: &mut Key<W>, number: u32) {
        key.fill(self.field, number - self.first);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    components: Vec<Placed>,
    of_global: Vec<ComponentId>,
    of_process: Vec<ComponentId>,
    of_channel: Vec<ComponentId>,
    last: Option<ComponentId>,
    claim: Option<ComponentId>,
    /// The fields of the processes' components, which are asked for most.
    process_fields: Vec<Field>,
}

const NOWHERE: Field = Field { word: 0, shift: 0, bits: 0 };
/// The first word keeps its top bit free for the table, see [`Key`].
const BITS_IN_FIRST_WORD: u32 = 63;
const BITS_IN_WORD: u32 = 64;
/// Numbers of values are 32 bits wide.
const MOST_BITS: u32 = 32;

/// With more globals than this, neighbours share a component.
const MOST_GLOBAL_COMPONENTS: usize = 96;

pub(crate) const RIGHTS: ComponentId = ComponentId(0);
pub(crate) const COUNTS: ComponentId = ComponentId(1);

impl Layout {
    /// The components of a state with so many processes and channels, without fields yet: [`Layout::pack`] comes
    /// next.
    pub fn new(model: &Model, processes: usize, channels: usize) -> Layout {
        let mut layout = Layout {
            components: Vec::new(),
            of_global: Vec::new(),
            of_process: Vec::new(),
            of_channel: Vec::new(),
            last: None,
            claim: None,
            process_fields: Vec::new(),
        };
        for component in Component::all(model, processes, channels, MOST_GLOBAL_COMPONENTS) {
            layout.add(Source::Model(component));
        }
        layout
    }

    /// Adds a component at the end: the numbers of the others stay.
    pub fn add(&mut self, source: Source) {
        let id = ComponentId(self.components.len() as u16);
        // The rights could do with one, too, but a key must not be zero in its first word.
        let mut first = 0;
        match &source {
            Source::Model(Component::Rights) => debug_assert_eq!(id, RIGHTS),
            Source::Model(Component::Counts) => {
                debug_assert_eq!(id, COUNTS);
                first = 1;
            }
            Source::Model(Component::Last) => {
                self.last = Some(id);
                first = 1;
            }
            Source::Model(Component::Globals(slots)) => {
                self.of_global.extend(slots.clone().map(|_| id));
                first = 1;
            }
            Source::Model(Component::Process(pid)) => {
                debug_assert_eq!(*pid as usize, self.of_process.len(), "processes are created one by one");
                self.of_process.push(id);
            }
            Source::Model(Component::Channel(index)) => {
                debug_assert_eq!(*index as usize, self.of_channel.len(), "channels are created one by one");
                self.of_channel.push(id);
            }
            Source::Claim(_) => self.claim = Some(id),
        }
        self.components.push(Placed { source, field: NOWHERE, first, plain: None });
    }

    pub fn components(&self) -> &[Placed] {
        &self.components
    }

    pub fn component(&self, id: ComponentId) -> &Placed {
        &self.components[id.index()]
    }

    pub fn ids(&self) -> impl Iterator<Item = ComponentId> + use<> {
        (0..self.components.len() as u16).map(ComponentId)
    }

    pub fn field(&self, id: ComponentId) -> Field {
        self.components[id.index()].field
    }

    /// The field of a process that exists.
    #[inline(always)]
    pub fn process_field(&self, pid: u8) -> Field {
        self.process_fields[pid as usize]
    }

    /// The field of the automaton that reads along.
    pub fn claim_field(&self) -> Field {
        self.claim.map_or(NOWHERE, |id| self.field(id))
    }

    /// The fields of all processes, by pid.
    #[inline(always)]
    pub fn process_fields(&self) -> &[Field] {
        &self.process_fields
    }

    /// A mask that keeps nothing but the component of a process that exists.
    pub fn process_mask<const W: usize>(&self, pid: u8) -> Key<W> {
        let mut mask = Key::ZERO;
        mask.cover(self.process_field(pid));
        mask
    }

    /// The component that a part of the state belongs to, or else the component that is to be added for it.
    pub fn of_part(&self, part: Part) -> Result<ComponentId, Source> {
        match part {
            Part::Rights => Ok(RIGHTS),
            Part::Counts => Ok(COUNTS),
            Part::Last => Ok(self.last.expect("only models that read it change who moved last")),
            Part::Global(slot) => Ok(self.of_global[slot as usize]),
            Part::Process(pid) | Part::Local(pid, _) => {
                self.of_process.get(pid as usize).copied().ok_or(Source::process(self.of_process.len()))
            }
            Part::Channel(index) => {
                self.of_channel.get(index as usize).copied().ok_or(Source::channel(self.of_channel.len()))
            }
        }
    }

    /// Gives every component a field in keys of `words` words that holds `counts` values, and shares out the bits
    /// that are left, at least `spare`. `false`: they do not fit, and nothing has changed.
    pub fn pack(&mut self, counts: &[u32], words: usize, spare: u32) -> bool {
        let processes = self.of_process.len() as u32;
        let largest = |(component, &count): (&Placed, &u32)| {
            // Processes often begin or end late. It would be a pity to pack millions of keys anew for that.
            let expected = match (&component.source, component.plain) {
                (_, Some(ty)) => u32::MAX >> (u32::BITS - width(ty)),
                (Source::Model(Component::Rights), None) => processes + 1,
                (Source::Model(Component::Counts), None) => 2 * processes + 1,
                (Source::Claim(states), None) => states.saturating_sub(1),
                _ => 0,
            };
            count.max(expected).saturating_sub(component.first)
        };
        let largest: Vec<u32> = self.components.iter().zip(counts).map(largest).collect();
        let Some(mut fields) = fit(&largest, words) else { return false };
        let used: u32 = fields.iter().map(|field| u32::from(field.bits)).sum();
        if used + spare > (0..words).map(capacity).sum() {
            return false;
        }
        widen(&mut fields, &largest, words);
        for (component, field) in self.components.iter_mut().zip(fields) {
            component.field = field;
        }
        self.process_fields = self.of_process.iter().map(|&id| self.field(id)).collect();
        true
    }

    /// From now on the values of a component, which is one variable, are not numbered.
    pub fn make_plain(&mut self, id: ComponentId, ty: ValueType) {
        let component = &mut self.components[id.index()];
        component.plain = Some(ty);
        component.first = 0;
    }
}

/// How many bits the values of a type have.
pub(crate) fn width(ty: ValueType) -> u32 {
    match ty {
        ValueType::Unsigned(bits) => u32::from(bits),
        ValueType::Short => 16,
        ValueType::Int => 32,
        ValueType::Mtype(_) | ValueType::Chan => 8,
    }
}

/// A value that is not numbered as a number.
pub(crate) fn plain_number(ty: ValueType, value: i32) -> u32 {
    value as u32 & (u32::MAX >> (u32::BITS - width(ty)))
}

/// The way from keys of one layout to keys of another, which has the same components and perhaps more.
///
/// Fields that move by the same distance move together: millions of keys may have to be packed anew.
pub(crate) struct Repacking {
    moves: Vec<Move>,
    /// Components whose values are not numbered any more, with the numbers that were given to them.
    renumbered: Vec<(Placed, Field, Vec<u32>)>,
}

/// Bits of one word that go to another, all by the same distance.
struct Move {
    from: usize,
    to: usize,
    bits: u64,
    /// To the left, around the end of the word.
    distance: u32,
}

impl Repacking {
    /// `values` are those of components that are not numbered any more, by number.
    pub fn new(old: &Layout, new: &Layout, mut values: impl FnMut(ComponentId) -> Vec<u32>) -> Repacking {
        let mut repacking = Repacking { moves: Vec::new(), renumbered: Vec::new() };
        for id in old.ids() {
            let (from, to) = (old.component(id), new.component(id));
            if to.plain.is_some() && from.plain.is_none() {
                repacking.renumbered.push((from.clone(), to.field, values(id)));
            } else {
                repacking.add_move(from.field, to.field);
            }
        }
        repacking
    }

    fn add_move(&mut self, old: Field, new: Field) {
        let bits = old.ones() << old.shift;
        let (from, to) = (old.word as usize, new.word as usize);
        let distance = (u64::BITS + u32::from(new.shift) - u32::from(old.shift)) % u64::BITS;
        let same = |other: &&mut Move| (other.from, other.to, other.distance) == (from, to, distance);
        match self.moves.iter_mut().find(same) {
            Some(known) => known.bits |= bits,
            None if bits == 0 => {}
            None => self.moves.push(Move { from, to, bits, distance }),
        }
    }

    pub fn key<const V: usize, const W: usize>(&self, key: &Key<V>) -> Key<W> {
        let mut packed = Key::ZERO;
        for Move { from, to, bits, distance } in &self.moves {
            packed.0[*to] |= (key.0[*from] & bits).rotate_left(*distance);
        }
        for (from, to, values) in &self.renumbered {
            packed.fill(*to, values[from.number(key) as usize]);
        }
        packed
    }
}

/// Widest first, each where most is free, so that all words have some bits to spare. The rights come first of all: they
/// are never zero, so the first word never is.
fn fit(largest: &[u32], words: usize) -> Option<Vec<Field>> {
    let mut used = vec![0; words];
    let mut fields = vec![NOWHERE; largest.len()];
    let mut order: Vec<usize> = (0..largest.len()).collect();
    order.sort_by_key(|&index| (index != RIGHTS.index(), std::cmp::Reverse(bits_for(largest[index]))));
    for index in order {
        let bits = bits_for(largest[index]);
        let free = |word: &usize| (capacity(*word) - used[*word], std::cmp::Reverse(*word));
        let word = if index == RIGHTS.index() { 0 } else { (0..words).max_by_key(free)? };
        if used[word] + bits > capacity(word) {
            return None;
        }
        fields[index] = Field { word: word as u16, shift: used[word] as u8, bits: bits as u8 };
        used[word] += bits;
    }
    Some(fields)
}

/// Shares the free bits of each word among its fields, those with many values first: they are likeliest to grow.
fn widen(fields: &mut [Field], largest: &[u32], words: usize) {
    for word in 0..words {
        let mut inside: Vec<usize> = (0..fields.len()).filter(|&index| fields[index].word as usize == word).collect();
        inside.sort_by_key(|&index| std::cmp::Reverse(largest[index]));
        let used: u32 = inside.iter().map(|&index| u32::from(fields[index].bits)).sum();
        let mut free = capacity(word) - used;
        while free > 0 {
            let before = free;
            for &index in &inside {
                if free > 0 && u32::from(fields[index].bits) < MOST_BITS {
                    fields[index].bits += 1;
                    free -= 1;
                }
            }
            if free == before {
                break;
            }
        }
        let mut shift = 0;
        for index in inside {
            // A field without bits is nowhere: in a full word there is no place behind the others.
            fields[index].shift = if fields[index].bits == 0 { 0 } else { shift };
            shift += fields[index].bits;
        }
    }
}

fn capacity(word: usize) -> u32 {
    if word == 0 { BITS_IN_FIRST_WORD } else { BITS_IN_WORD }
}

/// A component that has only ever had one value needs none.
fn bits_for(largest: u32) -> u32 {
    u32::BITS - largest.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(components: usize) -> Layout {
        let mut layout = Layout::new(&Model::default(), 0, 0);
        (2..components).for_each(|pid| layout.add(Source::process(pid - 2)));
        layout
    }

    #[test]
    fn fields_hold_their_counts_and_do_not_overlap() {
        for words in [1, 2, 4] {
            for counts in [vec![1, 1, 1], vec![3, 9, 1000, 17, 1, 200], vec![1; 60], vec![255; 30]] {
                let mut layout = layout(counts.len());
                if !layout.pack(&counts, words, 0) {
                    let needed: u32 = counts.iter().map(|&count| bits_for(count)).sum();
                    assert!(needed > words as u32 * 64 - 20, "{needed} bits should fit into {words} words");
                    continue;
                }
                let mut all = Key::<4>::ZERO;
                for (id, &count) in layout.ids().zip(&counts) {
                    let field = layout.field(id);
                    assert!(field.holds(count));
                    let mut one = Key::<4>::ZERO;
                    one.cover(field);
                    assert_eq!(all.masked(&one), Key::ZERO, "fields overlap");
                    all = all.union(&one);
                }
                assert_eq!(all.0[0] >> 63, 0, "the top bit belongs to the table");
                assert_eq!(layout.field(RIGHTS).word, 0);
            }
        }
    }

    #[test]
    fn what_does_not_fit_leaves_the_layout_as_it_was() {
        let mut layout = layout(8);
        assert!(layout.pack(&[1; 8], 1, 0));
        let before = layout.components().to_vec();
        assert!(!layout.pack(&[1 << 20; 8], 1, 0));
        assert_eq!(layout.components(), before);
    }

    #[test]
    fn a_key_that_is_packed_anew_keeps_its_numbers() {
        let mut old = layout(5);
        assert!(old.pack(&[1, 2, 3, 4, 5], 1, 0));
        let mut key = Key::<1>::ZERO;
        for (number, id) in old.ids().enumerate() {
            key.fill(old.field(id), number as u32 + 1);
        }
        let mut new = old.clone();
        new.add(Source::process(3));
        assert!(new.pack(&[1, 2, 3, 4, 1 << 30, 1], 2, 0));
        let packed: Key<2> = Repacking::new(&old, &new, |_| unreachable!("all are numbered")).key(&key);
        let numbers: Vec<u32> = new.ids().map(|id| packed.get(new.field(id))).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 0]);
    }
}
