//! Sets of small numbers.

use std::ops::Range;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set {
    /// The last one is never zero, so that equal sets are equal.
    words: Vec<u64>,
}

impl Set {
    pub fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (number % 64);
    }

    pub fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub fn join(&mut self, other: &Set) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Do they have a member in common?
    pub fn meets(&self, other: &Set) -> bool {
        self.words.iter().zip(&other.words).any(|(one, other)| one & other != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|&number| self.contains(number))
    }
}

impl Extend<usize> for Set {
    fn extend<I: IntoIterator<Item = usize>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.insert(number));
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Set {
        let mut set = Set::default();
        set.extend(numbers);
        set
    }
}

impl From<Range<usize>> for Set {
    fn from(range: Range<usize>) -> Set {
        let mut set = Set::default();
        set.extend(range);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_into_them() {
        let mut set = Set::from(60..70);
        set.insert(3);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69]);
        assert!(set.meets(&Set::from(69..200)) && !set.meets(&Set::from(70..200)) && !set.meets(&Set::default()));
        let mut joined = Set::from(1..2);
        joined.join(&set);
        assert!(joined.contains(1) && joined.contains(69) && !joined.contains(2));
        assert!(Set::default().is_empty() && !joined.is_empty());
        joined.remove(1);
        assert_eq!(joined, set);
        (0..200).for_each(|number| joined.remove(number));
        assert_eq!(joined, Set::default());
    }
}
