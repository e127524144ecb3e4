//! Verdicts: every rule that was checked, and every place where one is broken.

use crate::grid::Pos;
use serde::Serialize;
use std::fmt;

/// One rule that a valid map keeps, by its published name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Rule(pub &'static str);

/// Where a rule is broken.
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
        /// The node's row.
        row: u16,
        /// The node's column.
        col: u16,
    },
    /// One edge.
    Edge {
        /// The row of its lower end.
        row: u16,
        /// The column of its lower end.
        from: u16,
        /// The column of its upper end.
        to: u16,
    },
    /// One step of one walk.
    Walk {
        /// The walk's number, from 0.
        walk: u32,
        /// The row of the step's lower end.
        row: u16,
    },
    /// A whole route, as its columns from row 0 up.
    Route(Vec<u16>),
    /// One cell of a grid.
    Cell(Pos),
    /// One member of a document, as a path: `tiles[3].pos`.
    Member(String),
    /// Somewhere on one floor of a tower.
    Floor {
        /// The floor, counted from 1.
        floor: u32,
        /// Where on it.
        place: Box<Place>,
    },
}

/// One broken rule at one place, with the reason in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Violation {
    /// The rule that is broken.
    pub rule: Rule,
    /// Where.
    pub place: Place,
    /// Why, in words that a person can act on.
    pub why: String,
}

/// What a validation found: every rule it checked and every violation.
///
/// ```
/// use wayforge_core::{Place, Report, Rule, Violation};
/// let rule = Rule("edges-do-not-cross");
/// let mut report = Report { rules: vec![rule], ..Report::default() };
/// assert!(report.is_valid() && report.holds(rule));
/// let place = Place::Edge { row: 3, from: 1, to: 2 };
/// report.violations.push(Violation { rule, place, why: "crosses 2,3 -> 1,4".into() });
/// assert_eq!(
///     report.violations[0].to_string(),
///     "edges-do-not-cross at edge 1,3 -> 2,4: crosses 2,3 -> 1,4"
/// );
/// assert!(!report.holds(rule));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The rules that were checked, in order.
    pub rules: Vec<Rule>,
    /// Every violation, by rule; see [`Report::MAX`] for the bound.
    pub violations: Vec<Violation>,
    /// The rules that broke more often than [`Report::MAX`]; their further violations are not listed.
    pub cut: Vec<Rule>,
}

impl Report {
    /// The most violations listed for one rule. A hostile document can break one in billions of places.
    pub const MAX: usize = 1_000;

    /// True if no rule is broken.
    pub fn is_valid(&self) -> bool {
        self.violations.is_empty()
    }

    /// True if `rule` was checked and holds.
    pub fn holds(&self, rule: Rule) -> bool {
        self.rules.contains(&rule) && self.violations.iter().all(|v| v.rule != rule)
    }

    /// Adds the rules and violations of another report.
    #[doc(hidden)]
    pub fn append(&mut self, other: Report) {
        self.rules.extend(other.rules);
        self.violations.extend(other.violations);
        self.cut.extend(other.cut);
    }

    /// Records `rule` as checked, with what is found while `check` runs; it stops asking at [`Report::MAX`].
    #[doc(hidden)]
    pub fn check(&mut self, rule: Rule, found: impl IntoIterator<Item = (Place, String)>) {
        self.rules.push(rule);
        let mut found = found.into_iter();
        let listed = found.by_ref().take(Self::MAX);
        self.violations.extend(listed.map(|(place, why)| Violation { rule, place, why }));
        if found.next().is_some() {
            self.cut.push(rule);
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
            Place::Edge { row, from, to } => write!(f, "edge {from},{row} -> {to},{}", u32::from(*row) + 1),
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
