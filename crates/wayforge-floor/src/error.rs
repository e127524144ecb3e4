//! Generation errors: the unmet constraints of failed attempts.

use super::config::Budget;
use std::fmt;
use wayforge_core::{Seed, Stopped};

/// No attempt met all constraints, and no fallback layout is known.
///
/// Occurs only if [`Spec::is_proven_feasible`](super::Spec::is_proven_feasible) is false: above 25
/// cells, for configurations that are neither proved feasible nor proved infeasible.
///
/// # Examples
/// ```
/// use wayforge_floor as floor;
/// let config = br#"{"width":64,"height":64,"minPathLength":2650}"#;
/// let spec = floor::Config::from_json(config)?.resolve()?;
/// assert!(!spec.is_proven_feasible());
/// let error = floor::generate(1.into(), &spec).unwrap_err();
/// assert_eq!((error.attempts, error.unmet[0].field), (32, "minPathLength"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// Seed whose floor could not be generated.
    pub seed: Seed,
    /// Number of attempts.
    pub attempts: u32,
    /// Constraints that attempts did not meet, most frequent first.
    pub unmet: Vec<UnmetConstraint>,
    /// Why generation stopped before it made all attempts, if it did.
    pub stopped: Option<Stopped>,
}

/// A constraint that attempts did not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnmetConstraint {
    /// Configuration field of the constraint.
    pub field: &'static str,
    /// Number of attempts for which this was the first unmet constraint.
    pub attempts: u32,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { seed, attempts, unmet, stopped } = self;
        if let Some(stopped) = stopped {
            return write!(f, "seed {seed}: {stopped} before an attempt succeeded");
        }
        let unmet: Vec<String> = unmet
            .iter()
            .map(|constraint| format!("{} in {}", constraint.field, constraint.attempts))
            .collect();
        let unmet = if unmet.is_empty() {
            String::new()
        } else {
            format!(" (unmet: {})", unmet.join(", "))
        };
        write!(
            f,
            "seed {seed}: no floor in {attempts} attempts{unmet}; the configuration is neither \
             proved feasible nor proved infeasible; relax a constraint, try another seed or raise \
             attempts"
        )
    }
}

/// The first constraint that an attempt did not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unmet {
    /// The minimum path length.
    PathLength,
    /// Room for the objects of a budget. If the total number of open or closed tiles is too small,
    /// the largest budget.
    Budget(Budget),
}

/// Number of attempts per unmet constraint.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnmetCounts {
    path_length: u32,
    budgets: [u32; 8],
}

impl UnmetCounts {
    /// Counts one failed attempt.
    pub(super) fn add(&mut self, unmet: Unmet) {
        match unmet {
            Unmet::PathLength => self.path_length += 1,
            Unmet::Budget(budget) => self.budgets[budget as usize] += 1,
        }
    }

    /// Adds the counts of another floor.
    pub(super) fn add_all(&mut self, others: &UnmetCounts) {
        self.path_length = self.path_length.saturating_add(others.path_length);
        for (sum, more) in self.budgets.iter_mut().zip(others.budgets) {
            *sum = sum.saturating_add(more);
        }
    }

    /// Lists the unmet constraints in configuration order.
    pub(super) fn list(&self) -> impl Iterator<Item = UnmetConstraint> + use<> {
        let UnmetCounts { path_length, budgets } = *self;
        let budgets =
            Budget::ALL.into_iter().map(move |budget| (budget.field(), budgets[budget as usize]));
        std::iter::once(("minPathLength", path_length))
            .chain(budgets)
            .filter(|&(_, attempts)| attempts > 0)
            .map(|(field, attempts)| UnmetConstraint { field, attempts })
    }

    /// Returns the error of a seed for which every attempt failed.
    pub(super) fn into_error(self, seed: &Seed, attempts: u32) -> Error {
        let mut unmet: Vec<UnmetConstraint> = self.list().collect();
        unmet.sort_by_key(|constraint| std::cmp::Reverse(constraint.attempts));
        Error { seed: seed.clone(), attempts, unmet, stopped: None }
    }
}
