//! What a generation says when no floor was made.

use super::config::Budget;
use std::fmt;
use wayforge_core::Seed;

/// No attempt gave a floor that is all that was asked for, and none is known: for every constraint, how many attempts missed it.
///
/// It happens only where [`Spec::is_certain`](super::Spec::is_certain) is false: beyond 25 cells, between what is known to be
/// possible and what is proved to be impossible.
///
/// ```
/// use wayforge_floor as floor;
/// let spec = floor::Config::from_json(br#"{"width":64,"height":64,"minPathLength":2650}"#)?.resolve()?;
/// assert!(!spec.is_certain());
/// let error = floor::generate(1.into(), &spec).unwrap_err();
/// assert_eq!((error.attempts, error.missed[0].field), (32, "minPathLength"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The seed whose floor could not be made.
    pub seed: Seed,
    /// How many attempts there were.
    pub attempts: u32,
    /// The constraints that were missed, the one that most attempts missed first.
    pub missed: Vec<MissedConstraint>,
}

/// A constraint that attempts missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissedConstraint {
    /// Its field in the configuration.
    pub field: &'static str,
    /// How many attempts missed it before any other.
    pub attempts: u32,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { seed, attempts, missed } = self;
        let missed: Vec<String> =
            missed.iter().map(|missed| format!("{} in {}", missed.field, missed.attempts)).collect();
        let missed =
            if missed.is_empty() { String::new() } else { format!(", which missed {}", missed.join(", ")) };
        write!(
            f,
            "seed {seed}: no floor in {attempts} attempts{missed}; nor is one known that meets everything, and it is not proved \
             that there is none; ask for less, try another seed or raise attempts"
        )
    }
}

/// What an attempt missed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missed {
    /// A way that is long enough.
    Way,
    /// Room for things of a kind; where there are too few open or closed tiles for all of them, of the largest budget.
    Things(Budget),
}

/// How often each constraint was missed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Misses {
    ways: u32,
    things: [u32; 8],
}

impl Misses {
    /// Counts what an attempt missed.
    pub(super) fn add(&mut self, missed: Missed) {
        match missed {
            Missed::Way => self.ways += 1,
            Missed::Things(budget) => self.things[budget as usize] += 1,
        }
    }

    /// Counts what the attempts at another floor missed.
    pub(super) fn add_all(&mut self, others: &Misses) {
        self.ways = self.ways.saturating_add(others.ways);
        for (sum, more) in self.things.iter_mut().zip(others.things) {
            *sum = sum.saturating_add(more);
        }
    }

    /// The constraints that were missed, in the order of the configuration.
    pub(super) fn list(&self) -> impl Iterator<Item = MissedConstraint> + use<> {
        let Misses { ways, things } = *self;
        let things = Budget::ALL.into_iter().map(move |budget| (budget.field(), things[budget as usize]));
        std::iter::once(("minPathLength", ways))
            .chain(things)
            .filter(|&(_, attempts)| attempts > 0)
            .map(|(field, attempts)| MissedConstraint { field, attempts })
    }

    /// The error of a seed whose every attempt missed something.
    pub(super) fn into_error(self, seed: &Seed, attempts: u32) -> Error {
        let mut missed: Vec<MissedConstraint> = self.list().collect();
        missed.sort_by_key(|missed| std::cmp::Reverse(missed.attempts));
        Error { seed: seed.clone(), attempts, missed }
    }
}
