//! The permutations on the edges of a component of canonical states, as classes of processes.
//!
//! Paper: [emerson-sistla97], [gyuris-sistla99].
//!
//! On a way through the component, a process is renamed by each permutation. The names that it can get form classes (orbits): since
//! there is always a way back, every process of a class gets the name of every other one of it.

use std::collections::HashMap;
use std::sync::Arc;

use reductio_reduce::facts::symmetry::FoundSymmetry;
use reductio_reduce::on_the_fly::symmetry::Permutation;

use super::marks::Marks;
use crate::store::{Memory, OutOfMemory};

/// Which process each process becomes, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exchange(u32);

impl Exchange {
    /// Everybody stays who they are.
    pub const NONE: Exchange = Exchange(0);
}

/// The exchanges that were met.
pub(crate) struct PermutationClasses {
    found: Arc<FoundSymmetry>,
    numbers: HashMap<Permutation, Exchange>,
    /// By number.
    images: Vec<Vec<u8>>,
}

impl PermutationClasses {
    pub fn new(found: Arc<FoundSymmetry>) -> PermutationClasses {
        let nobody = (0..found.symmetry.processes as u8).collect();
        PermutationClasses { found, numbers: HashMap::new(), images: vec![nobody] }
    }

    /// Only these can be exchanged: those with lower pids.
    pub fn processes(&self) -> usize {
        self.found.symmetry.processes
    }

    pub fn number(&mut self, permutation: Option<&Permutation>) -> Exchange {
        let Some(permutation) = permutation else { return Exchange::NONE };
        if let Some(&known) = self.numbers.get(permutation) {
            return known;
        }
        let image = |pid: u8| self.found.symmetry.process_image(permutation, pid);
        self.images.push((0..self.processes() as u8).map(image).collect());
        let number = Exchange(self.images.len() as u32 - 1);
        self.numbers.insert(permutation.clone(), number);
        number
    }

    /// What a process becomes.
    pub fn image(&self, exchange: Exchange, process: u8) -> u8 {
        self.images[exchange.0 as usize].get(usize::from(process)).copied().unwrap_or(process)
    }
}

/// The classes of processes in the states of components, which are numbered in the order in which they were entered.
#[derive(Default)]
pub(crate) struct Classes {
    parents: Vec<u32>,
    /// Of the first of a class: somebody of it moves, or cannot.
    is_served: Vec<bool>,
}

impl Classes {
    /// A state is entered with so many processes.
    pub fn enter(&mut self, processes: usize, memory: &Memory) -> Result<(), OutOfMemory> {
        for _ in 0..processes {
            let first = u32::try_from(self.parents.len()).map_err(|_| OutOfMemory)?;
            memory.push(&mut self.parents, first)?;
            memory.push(&mut self.is_served, false)?;
        }
        Ok(())
    }

    /// Only so many states are left.
    pub fn truncate(&mut self, states: usize, processes: usize) {
        self.parents.truncate(states * processes);
        self.is_served.truncate(states * processes);
    }

    /// An edge with these marks leads from one state of a component to another.
    pub fn join(&mut self, exchanges: &PermutationClasses, from: u32, to: u32, marks: Marks, exchange: Exchange) {
        let processes = exchanges.processes();
        for process in 0..processes as u8 {
            let one = self.find(from as usize * processes + usize::from(process));
            let other = self.find(to as usize * processes + usize::from(exchanges.image(exchange, process)));
            self.parents[one] = other as u32;
            self.is_served[other] |= self.is_served[one] || marks.includes(Marks::of_process(process));
        }
    }

    /// Is everybody served in the component of a state?
    pub fn are_served(&mut self, state: u32, processes: usize) -> bool {
        (0..processes).all(|process| {
            let class = self.find(state as usize * processes + process);
            self.is_served[class]
        })
    }

    fn find(&mut self, mut member: usize) -> usize {
        while self.parents[member] as usize != member {
            let parent = self.parents[member] as usize;
            self.parents[member] = self.parents[parent];
            member = parent;
        }
        member
    }
}
