//! What a generation says when no attempt was accepted.

use std::fmt;
use wayforge_core::grid::Pos;
use wayforge_core::{Seed, Violation};

/// No attempt gave a level that keeps its rules: for every attempt what failed and where, and what would have to go to
/// make the last one whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The seed whose level could not be made.
    pub seed: Seed,
    /// Every attempt, in order.
    pub attempts: Vec<FailedAttempt>,
    /// What would make the last attempt whole.
    pub remedy: Remedy,
}

/// An attempt that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Its number, from 0.
    pub index: u32,
    /// The seed that it drew from.
    pub seed: Seed,
    /// The first rule that it broke, where and why.
    pub violation: Violation,
}

/// What would make a level whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Removing these cells.
    Remove(Removal),
    /// Nothing that may be removed is in the way: what is pinned, and what a level consists of, stays.
    Nothing,
    /// Something did not fit: there is nothing to be removed.
    Misfit,
    /// Too much fails for a remedy to be worked out.
    Unknown,
}

/// Cells to be turned into plain floor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// The cells, in reading order.
    pub cells: Vec<Pos>,
    /// True if it is proved that fewer would not do.
    pub fewest: bool,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tries = self.attempts.len();
        match tries {
            1 => write!(f, "seed {}: the only attempt cannot be won;", self.seed.to_line())?,
            _ => write!(f, "seed {}: none of {tries} attempts can be won;", self.seed.to_line())?,
        }
        // Attempts that failed alike are told together: twenty lines of one kind say less than one.
        let mut told: Vec<(&Violation, Vec<u32>)> = Vec::new();
        for attempt in &self.attempts {
            match told.iter_mut().find(|(violation, _)| *violation == &attempt.violation) {
                Some((_, indexes)) => indexes.push(attempt.index),
                None => told.push((&attempt.violation, vec![attempt.index])),
            }
        }
        // A message of thousands of attempts or cells helps nobody; all of them stand in the value.
        const TOLD: usize = 32;
        for (i, (violation, indexes)) in told.iter().take(TOLD).enumerate() {
            let mut list: Vec<String> = indexes.iter().take(TOLD).map(u32::to_string).collect();
            let more = indexes.len() - list.len();
            list.extend((more > 0).then(|| format!("{more} more")));
            let noun = if indexes.len() == 1 { "attempt" } else { "attempts" };
            write!(f, "{} {noun} {}: {violation}", if i == 0 { "" } else { ";" }, list.join(", "))?;
        }
        match told.iter().skip(TOLD).map(|(_, indexes)| indexes.len()).sum::<usize>() {
            0 => {}
            1 => write!(f, "; 1 more attempt failed in another way")?,
            more => write!(f, "; {more} more attempts failed in other ways")?,
        }
        match &self.remedy {
            Remedy::Remove(removal) if !removal.cells.is_empty() => {
                let mut cells: Vec<String> = removal.cells.iter().take(TOLD).map(Pos::to_string).collect();
                let more = removal.cells.len() - cells.len();
                cells.extend((more > 0).then(|| format!("{more} more")));
                let proved = if removal.fewest { "removing" } else { "removing (perhaps fewer would do)" };
                write!(f, "; {proved} {} would make the last one whole", cells.join(" and "))
            }
            Remedy::Nothing => write!(f, "; nothing that may be removed stands in the way in the last one"),
            Remedy::Unknown => write!(f, "; too much fails in the last one to say what would make it whole"),
            Remedy::Misfit | Remedy::Remove(_) => Ok(()),
        }
    }
}
