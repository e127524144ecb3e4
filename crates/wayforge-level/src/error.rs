//! Generation errors of levels.

use std::fmt;
use wayforge_core::grid::Pos;
use wayforge_core::{Seed, Stopped, Violation};

/// No attempt produced a valid level. Contains the violation of every attempt and a repair of the
/// last one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The seed without a valid level.
    pub seed: Seed,
    /// Every attempt, in order.
    pub attempts: Vec<FailedAttempt>,
    /// Repair of the last attempt.
    pub repair: RepairOutcome,
    /// Why generation stopped before it made all attempts, if it did.
    pub stopped: Option<Stopped>,
}

/// A rejected attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Number of the attempt, from 0.
    pub index: u32,
    /// Seed of its random streams.
    pub seed: Seed,
    /// First violation of the attempt.
    pub violation: Violation,
}

/// Result of the search for a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairOutcome {
    /// Removing these cells makes the level valid.
    Found(Repair),
    /// No set of removable cells makes the level valid. Pinned cells, candidates and the outer wall
    /// cannot be removed.
    Infeasible,
    /// Candidates or features did not fit; removing cells does not help.
    NotApplicable,
    /// Too many objectives fail; the search was not completed.
    Undecided,
}

/// A set of cells whose replacement by floor makes a level valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repair {
    /// The cells, in row-major order.
    pub cells: Vec<Pos>,
    /// True if no smaller repair exists, proved by a lower bound.
    pub is_minimum: bool,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seed = self.seed.to_line();
        if let Some(stopped) = self.stopped {
            let failed = self.attempts.len();
            return write!(f, "seed {seed}: {stopped} after {failed} failed attempts");
        }
        match self.attempts.len() {
            1 => write!(f, "seed {seed}: the only attempt failed;")?,
            attempts => write!(f, "seed {seed}: all {attempts} attempts failed;")?,
        }
        // Groups attempts with the same violation.
        let mut groups: Vec<(&Violation, Vec<u32>)> = Vec::new();
        for attempt in &self.attempts {
            match groups.iter_mut().find(|(violation, _)| *violation == &attempt.violation) {
                Some((_, indexes)) => indexes.push(attempt.index),
                None => groups.push((&attempt.violation, vec![attempt.index])),
            }
        }
        // Limit of each list in the message; the error itself contains everything.
        const MAX_LISTED: usize = 32;
        for (i, (violation, indexes)) in groups.iter().take(MAX_LISTED).enumerate() {
            let mut list: Vec<String> =
                indexes.iter().take(MAX_LISTED).map(u32::to_string).collect();
            let more = indexes.len() - list.len();
            list.extend((more > 0).then(|| format!("{more} more")));
            let noun = if indexes.len() == 1 { "attempt" } else { "attempts" };
            write!(f, "{} {noun} {}: {violation}", if i == 0 { "" } else { ";" }, list.join(", "))?;
        }
        match groups.iter().skip(MAX_LISTED).map(|(_, indexes)| indexes.len()).sum::<usize>() {
            0 => {}
            1 => write!(f, "; 1 more attempt failed for another reason")?,
            more => write!(f, "; {more} more attempts failed for other reasons")?,
        }
        match &self.repair {
            RepairOutcome::Found(repair) if !repair.cells.is_empty() => {
                let mut cells: Vec<String> =
                    repair.cells.iter().take(MAX_LISTED).map(Pos::to_string).collect();
                let more = repair.cells.len() - cells.len();
                cells.extend((more > 0).then(|| format!("{more} more")));
                let minimality = if repair.is_minimum { "" } else { " (possibly not minimal)" };
                let cells = cells.join(" and ");
                write!(f, "; removing {cells} would make the last attempt valid{minimality}")
            }
            RepairOutcome::Infeasible => {
                write!(f, "; no removal of walls or terrain makes the last attempt valid")
            }
            RepairOutcome::Undecided => {
                write!(f, "; no repair was computed: too many objectives of the last attempt fail")
            }
            RepairOutcome::NotApplicable | RepairOutcome::Found(_) => Ok(()),
        }
    }
}
