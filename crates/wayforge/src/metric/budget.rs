//! What configurations ask for, beside the metric that says what was placed.

use super::Term;

/// So much of something is asked for, and this metric says how much there is.
///
/// ```
/// use wayforge::floor::{self, Floor};
/// use wayforge::metric::Measure;
/// let spec = floor::Config::default().resolve()?;
/// let (budgets, catalogue) = (Floor::budgets(&spec), Floor::catalogue(&spec));
/// let enemies = budgets.iter().find(|budget| catalogue.name(budget.term) == "count(enemy)").unwrap();
/// assert_eq!((enemies.least, enemies.most, enemies.asked.as_str()), (3, Some(3), "3"));
/// # Ok::<(), wayforge::ConfigError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The metric.
    pub term: Term,
    /// What is asked for, in words.
    pub asked: String,
    /// The least that is enough.
    pub least: i64,
    /// The most that is allowed, if anything is too much.
    pub most: Option<i64>,
}

impl Budget {
    pub(super) fn exactly(term: Term, count: i64) -> Budget {
        Budget { term, asked: count.to_string(), least: count, most: Some(count) }
    }

    pub(super) fn at_least(term: Term, count: i64) -> Budget {
        Budget { term, asked: format!("at least {count}"), least: count, most: None }
    }

    pub(super) fn at_most(term: Term, count: i64) -> Budget {
        Budget { term, asked: format!("at most {count}"), least: 0, most: Some(count) }
    }

    /// Whether so many are what is asked for.
    pub fn is_met(&self, placed: i64) -> bool {
        placed >= self.least && self.most.is_none_or(|most| placed <= most)
    }
}
