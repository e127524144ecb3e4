//! Validation reports: the rules that were checked, and every violation with its location.

use crate::grid::Pos;
use serde::Serialize;
use std::fmt;

/// A rule that valid maps satisfy, identified by its published name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Rule(pub &'static str);

/// Location of a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Place {
    /// The map as a whole.
    Map,
    /// One row.
    Row(u16),
    /// One node.
    Node {
        /// Row of the node.
        row: u16,
        /// Column of the node.
        col: u16,
    },
    /// One edge.
    Edge {
        /// Row of the lower end.
        row: u16,
        /// Column of the lower end.
        from: u16,
        /// Column of the upper end.
        to: u16,
    },
    /// One step of one walk.
    Walk {
        /// Index of the walk, from 0.
        walk: u32,
        /// Row of the lower end of the step.
        row: u16,
    },
    /// A whole route, as its columns from row 0 upwards.
    Route(Vec<u16>),
    /// One cell of a grid.
    Cell(Pos),
    /// One member of a document, as a path: `tiles[3].pos`.
    Member(String),
    /// A place on one floor of a tower.
    Floor {
        /// The floor, counted from 1.
        floor: u32,
        /// Place on the floor.
        place: Box<Place>,
    },
}

/// A violation of one rule at one place, with an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Violation {
    /// The violated rule.
    pub rule: Rule,
    /// Where it is violated.
    pub place: Place,
    /// Explanation for the user.
    pub why: String,
}

/// Result of a validation: the checked rules and all violations.
///
/// # Examples
/// ```
/// use wayforge_core::{Place, Report, Rule, Violation};
/// let rule = Rule("edges-do-not-cross");
/// let mut report = Report { rules: vec![rule], ..Report::default() };
/// assert!(report.is_valid() && report.passes(rule));
/// let place = Place::Edge { row: 3, from: 1, to: 2 };
/// report.violations.push(Violation { rule, place, why: "crosses 2,3 -> 1,4".into() });
/// assert_eq!(
///     report.violations[0].to_string(),
///     "edges-do-not-cross at edge 1,3 -> 2,4: crosses 2,3 -> 1,4"
/// );
/// assert!(!report.passes(rule));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The rules that were checked, in order.
    pub rules: Vec<Rule>,
    /// All violations, by rule; see [`Report::MAX_PER_RULE`] for the bound.
    pub violations: Vec<Violation>,
    /// Rules with more than [`Report::MAX_PER_RULE`] violations; the rest are not listed.
    pub truncated: Vec<Rule>,
}

impl Report {
    /// Maximum number of violations listed per rule, which limits reports on malicious documents.
    pub const MAX_PER_RULE: usize = 1_000;

    /// Returns true if there are no violations.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// Returns true if `rule` was checked and has no violations.
    pub fn passes(&self, rule: Rule) -> bool {
        self.rules.contains(&rule) && self.violations.iter().all(|v| v.rule != rule)
    }

    /// Adds the rules and violations of another report.
    #[doc(hidden)]
    pub fn append(&mut self, other: Report) {
        self.rules.extend(other.rules);
        self.violations.extend(other.violations);
        self.truncated.extend(other.truncated);
    }

    /// Records `rule` as checked with the violations `found`, up to [`Report::MAX_PER_RULE`].
    #[doc(hidden)]
    pub fn check(&mut self, rule: Rule, found: impl IntoIterator<Item = (Place, String)>) {
        self.rules.push(rule);
        let mut found = found.into_iter();
        let listed = found.by_ref().take(Self::MAX_PER_RULE);
        self.violations.extend(listed.map(|(place, why)| Violation { rule, place, why }));
        if found.next().is_some() {
            self.truncated.push(rule);
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Map => f.write_str("map"),
            Place::Row(row) => write!(f, "row {row}"),
            Place::Node { row, col } => write!(f, "node {col},{row}"),
            Place::Edge { row, from, to } => {
                write!(f, "edge {from},{row} -> {to},{}", u32::from(*row) + 1)
            }
            Place::Walk { walk, row } => write!(f, "walk {walk} at row {row}"),
            Place::Cell(pos) => write!(f, "cell {pos}"),
            Place::Member(path) => f.write_str(path),
            Place::Floor { floor, place } if **place == Place::Map => write!(f, "floor {floor}"),
            Place::Floor { floor, place } => write!(f, "floor {floor}, {place}"),
            Place::Route(cols) => {
                f.write_str("route")?;
                for (i, col) in cols.iter().enumerate() {
                    write!(f, "{}{col}", if i == 0 { ' ' } else { '-' })?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", self.rule, self.place, self.why)
    }
}
