//! Conditions on metrics.

use super::parse::{self, Node, Op};
use super::{Catalogue, ExpressionError, Meter, Term};

/// A condition on the metrics of a map.
///
/// # Examples
/// ```
/// use wayforge::{act, metric::{ActMeter, Measure, Meter, Query}};
/// let spec = act::Config::default().resolve()?;
/// let catalogue = act::ActMap::catalogue(&spec);
/// let query = Query::parse("routes > 300 and min(elite) = 0 and max(shop) >= 3", &catalogue)?;
/// let mut meter = ActMeter::default();
/// let mut generator = act::Generator::new(&spec);
/// let mut matches = |seed: u64| {
///     query.matches(&mut meter, generator.generate(seed.into()).unwrap())
/// };
/// assert!((0..500).any(|seed| matches(seed)));
/// assert_eq!(Query::parse("ruotes > 3", &catalogue).unwrap_err().column, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    node: Node,
}

impl Query {
    /// Parses a condition.
    ///
    /// # Errors
    /// [`ExpressionError`] with the column, the problem and the known names.
    pub fn parse(text: &str, catalogue: &Catalogue) -> Result<Query, ExpressionError> {
        Ok(Query { node: parse::parse_condition(text, catalogue)? })
    }

    /// Returns true if the map satisfies the condition.
    ///
    /// Evaluates from left to right with short-circuiting `and` and `or`.
    #[inline]
    pub fn matches<M: Meter>(&self, meter: &mut M, map: &M::Map) -> bool {
        value(&self.node, meter, map) != 0
    }

    /// Splits the condition into an early part, which reads only `known` metrics, and the rest.
    ///
    /// A map satisfies the condition if and only if it satisfies both parts. `None` is always true.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{act, metric::{Measure, Query}};
    /// let catalogue = act::ActMap::catalogue(&act::Config::default().resolve()?);
    /// let query = Query::parse("routes > 300 and min(elite) = 0", &catalogue)?;
    /// let (early, rest) = query.split(|term| catalogue.metric(term).is_early);
    /// assert_eq!(early, Some(Query::parse("routes > 300", &catalogue)?));
    /// assert_eq!(rest, Some(Query::parse("min(elite) = 0", &catalogue)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split(&self, known: impl Fn(Term) -> bool) -> (Option<Query>, Option<Query>) {
        let (early, rest) = split(&self.node, &known);
        (early.map(|node| Query { node }), rest.map(|node| Query { node }))
    }

    /// Returns the metrics that the condition reads, sorted and without repeats.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        collect_terms(&self.node, &mut terms);
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

/// Evaluates a node: the value of a number, or 1 for a true condition and 0 for a false one.
fn value<M: Meter>(node: &Node, meter: &mut M, map: &M::Map) -> i64 {
    match node {
        Node::Number(number) => *number,
        Node::Metric(term) => meter.read(map, *term),
        Node::Negate(inner) => value(inner, meter, map).saturating_neg(),
        Node::Not(inner) => i64::from(value(inner, meter, map) == 0),
        Node::Binary(a, op, b) => {
            let a = value(a, meter, map);
            if *op == Op::And && a == 0 || *op == Op::Or && a != 0 {
                return a;
            }
            let b = value(b, meter, map);
            match op {
                Op::Or | Op::And => b,
                Op::Equal => i64::from(a == b),
                Op::NotEqual => i64::from(a != b),
                Op::Less => i64::from(a < b),
                Op::LessOrEqual => i64::from(a <= b),
                Op::Greater => i64::from(a > b),
                Op::GreaterOrEqual => i64::from(a >= b),
                Op::Add => a.saturating_add(b),
                Op::Subtract => a.saturating_sub(b),
                Op::Multiply => a.saturating_mul(b),
            }
        }
    }
}

/// Splits a node into the part that reads only `known` metrics, and the rest.
fn split(node: &Node, known: &dyn Fn(Term) -> bool) -> (Option<Node>, Option<Node>) {
    let join = |a: Node, op, b: Node| Node::Binary(Box::new(a), op, Box::new(b));
    let both = |a: Option<Node>, b: Option<Node>| match (a, b) {
        (Some(a), Some(b)) => Some(join(a, Op::And, b)),
        (a, b) => a.or(b),
    };
    match node {
        Node::Binary(a, Op::And, b) => {
            let ((early_a, rest_a), (early_b, rest_b)) = (split(a, known), split(b, known));
            (both(early_a, early_b), both(rest_a, rest_b))
        }
        _ if reads_only(node, known) => (Some(node.clone()), None),
        // The early parts are necessary conditions, so their disjunction is too. The whole
        // disjunction must still be checked.
        Node::Binary(a, Op::Or, b) => {
            let early = split(a, known).0.zip(split(b, known).0).map(|(a, b)| join(a, Op::Or, b));
            (early, Some(node.clone()))
        }
        // Any other node may depend on unknown metrics.
        _ => (None, Some(node.clone())),
    }
}

/// Returns true if a node reads only `known` metrics.
fn reads_only(node: &Node, known: &dyn Fn(Term) -> bool) -> bool {
    let mut terms = Vec::new();
    collect_terms(node, &mut terms);
    terms.into_iter().all(known)
}

/// Appends the metrics that a node reads.
fn collect_terms(node: &Node, terms: &mut Vec<Term>) {
    match node {
        Node::Number(_) => {}
        Node::Metric(term) => terms.push(*term),
        Node::Negate(inner) | Node::Not(inner) => collect_terms(inner, terms),
        Node::Binary(a, _, b) => [a, b].into_iter().for_each(|node| collect_terms(node, terms)),
    }
}
