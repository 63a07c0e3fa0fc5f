//! The whole state graph of a small circuit, with the inputs of its steps, for pictures.

use std::collections::{BTreeMap, HashMap};

use reductio_model::circuit::{Several, Simulator, TooLarge, Valuation};

/// States and the steps between them.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub states: Vec<Valuation>,
    /// The initial states come first.
    pub initial: usize,
    pub arrows: Vec<Arrow>,
}

/// All steps from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    /// The state with the inputs of each step.
    pub steps: Vec<Valuation>,
}

/// How much is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub states: usize,
    pub steps: usize,
}

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPicture {
    TooManyStates,
    TooManySteps,
    /// There is too much to try.
    TooLarge,
}

impl Picture {
    /// All states that can be reached, breadth-first.
    pub fn draw(simulator: &mut Simulator<'_>, bounds: Bounds) -> Result<Picture, NoPicture> {
        let first = all(simulator.first_initial(bounds.states), bounds.states, NoPicture::TooManyStates)?;
        let mut numbers: HashMap<Valuation, usize> = first.iter().cloned().zip(0..).collect();
        let mut picture = Picture { initial: first.len(), states: first, arrows: Vec::new() };
        let mut steps_left = bounds.steps;
        let mut from = 0;
        while from < picture.states.len() {
            let steps = simulator.first_steps(&picture.states[from], steps_left);
            let steps = all(steps, steps_left, NoPicture::TooManySteps)?;
            steps_left -= steps.len();
            let mut arrows: BTreeMap<usize, Vec<Valuation>> = BTreeMap::new();
            for step in steps {
                let next = picture.states.len();
                let to = *numbers.entry(step.to.clone()).or_insert(next);
                if to == next {
                    picture.states.push(step.to);
                }
                arrows.entry(to).or_default().push(step.from);
            }
            if picture.states.len() > bounds.states {
                return Err(NoPicture::TooManyStates);
            }
            picture.arrows.extend(arrows.into_iter().map(|(to, steps)| Arrow { from, to, steps }));
            from += 1;
        }
        Ok(picture)
    }
}

/// Everything there is, unless that is more than `most`.
fn all<T>(several: Result<Several<T>, TooLarge>, most: usize, too_many: NoPicture) -> Result<Vec<T>, NoPicture> {
    match several {
        Ok(Several { found, more: false }) => Ok(found),
        Ok(Several { found, more: true }) if found.len() == most => Err(too_many),
        Ok(_) | Err(TooLarge) => Err(NoPicture::TooLarge),
    }
}
