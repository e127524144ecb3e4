//! Budgets: numbers that a configuration requests, as bounds on metrics.

use super::Term;

/// A number that a configuration requests, and the metric that it bounds.
///
/// # Examples
/// ```
/// use wayforge::floor::{self, Floor};
/// use wayforge::metric::{self, Measure};
/// let spec = floor::Config::default().resolve()?;
/// let (budgets, catalogue) = (Floor::budgets(&spec), Floor::catalogue(&spec));
/// let is_enemies = |budget: &&metric::Budget| catalogue.name(budget.term) == "count(enemy)";
/// let enemies = budgets.iter().find(is_enemies).unwrap();
/// assert_eq!((enemies.min, enemies.max, enemies.requested.as_str()), (3, Some(3), "3"));
/// # Ok::<(), wayforge::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The metric.
    pub term: Term,
    /// The request as text: `3`, `at least 2`, `5% and 4 of a zone`.
    pub requested: String,
    /// The smallest value that satisfies the request.
    pub min: i64,
    /// The largest value that satisfies the request; `None` if unbounded.
    pub max: Option<i64>,
}

impl Budget {
    pub(super) fn exactly(term: Term, count: i64) -> Budget {
        Budget { term, requested: count.to_string(), min: count, max: Some(count) }
    }

    pub(super) fn at_least(term: Term, count: i64) -> Budget {
        Budget { term, requested: format!("at least {count}"), min: count, max: None }
    }

    pub(super) fn at_most(term: Term, count: i64) -> Budget {
        Budget { term, requested: format!("at most {count}"), min: 0, max: Some(count) }
    }

    /// Returns true if `value` is within the bounds.
    pub fn is_satisfied_by(&self, value: i64) -> bool {
        value >= self.min && self.max.is_none_or(|max| value <= max)
    }
}
