//! The error of act map generation.

use crate::MAX_LITERALS;
use std::fmt;
use wayforge_core::{Seed, Stopped};

/// Generation failed: no valid kinds were found for any of the seed's skeletons.
///
/// Its message has several lines:
///
/// ```text
/// seed 9: no kinds satisfy the rules on any of 20 skeletons
///   conflicting rules: at least 2 elite on every route; no elite right after elite
///   rows involved: 6-10
///   try: lower the minimum, allow repeats, or raise attempts
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// The seed.
    pub seed: Seed,
    /// True if the search proved that no kinds satisfy the rules on any of the skeletons. False if
    /// it reached `kinds.search_limit` on some of them, or some were too large for it.
    pub proven: bool,
    /// True if the clauses of some skeleton have more than 6,000,000 literals, about 100 MB. The
    /// complete search skips such skeletons, so raising `kinds.search_limit` does not help.
    pub too_large: bool,
    /// Number of generated skeletons: `attempts` of the configuration.
    pub skeletons: u32,
    /// If `proven`, a smallest set of rules that conflict on the last skeleton. If the search for
    /// such a set takes too long, a larger set or all rules. If not `proven`, the rules that relate
    /// nodes to each other.
    pub conflict: Vec<String>,
    /// Lowest and highest row involved in the conflict.
    ///
    /// `None` if not `proven`, or if the conflict depends on no row: a minimum exceeds the number
    /// of nodes that can be of the kind.
    pub rows: Option<(u16, u16)>,
    /// Suggested changes to the configuration, in the order in which to try them.
    pub remedies: Vec<&'static str>,
    /// Why generation stopped early, if it did. The conflict is then not a proof.
    pub stopped: Option<Stopped>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skeletons = match self.skeletons {
            1 => "its skeleton".to_owned(),
            n => format!("any of {n} skeletons"),
        };
        let rules = self.conflict.join("; ");
        let seed = self.seed.to_line();
        if let Some(stopped) = self.stopped {
            return write!(f, "seed {seed}: {stopped} without kinds for {skeletons}");
        }
        match (self.proven, self.too_large) {
            (true, _) => write!(f, "seed {seed}: no kinds satisfy the rules on {skeletons}")?,
            (false, false) => write!(
                f,
                "seed {seed}: the search for kinds reached its limit \
                 without a solution on {skeletons}"
            )?,
            (false, true) => {
                write!(f, "seed {seed}: the map is too large for the complete search for kinds")?;
                write!(f, "\n  limit: {MAX_LITERALS} literals in the clauses of one skeleton")?;
            }
        }
        write!(f, "\n  {}: {rules}", if self.proven { "conflicting rules" } else { "rules" })?;
        match self.rows {
            Some((low, high)) if low == high => write!(f, "\n  row involved: {low}")?,
            Some((low, high)) => write!(f, "\n  rows involved: {low}-{high}")?,
            None => {}
        }
        match self.remedies.split_last() {
            Some((last, [])) => write!(f, "\n  try: {last}"),
            Some((last, rest)) => write!(f, "\n  try: {}, or {last}", rest.join(", ")),
            None => Ok(()),
        }
    }
}
