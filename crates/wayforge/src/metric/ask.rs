//! Conditions on metrics.

use super::parse::{self, Node, Op};
use super::{Catalogue, ExpressionError, Meter, Term};

/// A condition on the metrics of a map.
///
/// ```
/// use wayforge::{act, metric::{ActMeter, Measure, Meter, Query}};
/// let spec = act::Config::default().resolve()?;
/// let catalogue = act::ActMap::catalogue(&spec);
/// let query = Query::parse("routes > 300 and min(elite) = 0 and max(shop) >= 3", &catalogue)?;
/// let mut meter = ActMeter::default();
/// let mut forge = act::Generator::new(&spec);
/// let found = (0..500_u64).filter(|&seed| query.holds(&mut meter, forge.generate(seed.into()).unwrap())).count();
/// assert!(found > 0);
/// assert_eq!(Query::parse("ruotes > 3", &catalogue).unwrap_err().column, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    node: Node,
}

impl Query {
    /// Reads a condition; the error names the column, what is wrong there and what exists.
    pub fn parse(text: &str, catalogue: &Catalogue) -> Result<Query, ExpressionError> {
        Ok(Query { node: parse::condition(text, catalogue)? })
    }

    /// Whether it holds on a map. Only what decides is read, from left to right.
    #[inline]
    pub fn holds<M: Meter>(&self, meter: &mut M, map: &M::Map) -> bool {
        value(&self.node, meter, map) != 0
    }

    /// The condition in two: what can be asked of a map of which only `known` metrics are, and what is left to ask where that holds. Both
    /// hold exactly where this one does.
    ///
    /// ```
    /// use wayforge::{act, metric::{ActMeter, Measure, Meter, Query}};
    /// let catalogue = act::ActMap::catalogue(&act::Config::default().resolve()?);
    /// let query = Query::parse("routes > 300 and min(elite) = 0", &catalogue)?;
    /// let (early, rest) = query.split(|term| ActMeter::reads_unfinished(&catalogue, term));
    /// assert_eq!(early, Some(Query::parse("routes > 300", &catalogue)?));
    /// assert_eq!(rest, Some(Query::parse("min(elite) = 0", &catalogue)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split(&self, known: impl Fn(Term) -> bool) -> (Option<Query>, Option<Query>) {
        let (early, rest) = split(&self.node, &known);
        (early.map(|node| Query { node }), rest.map(|node| Query { node }))
    }

    /// The metrics that it reads, each once.
    pub fn terms(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        collect(&self.node, &mut terms);
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

/// The value of a number, or 1 for a condition that holds and 0 for any other.
fn value<M: Meter>(node: &Node, meter: &mut M, map: &M::Map) -> i64 {
    match node {
        Node::Number(number) => *number,
        Node::Read(term) => meter.read(map, *term),
        Node::Minus(inner) => value(inner, meter, map).saturating_neg(),
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
                Op::Unequal => i64::from(a != b),
                Op::Less => i64::from(a < b),
                Op::AtMost => i64::from(a <= b),
                Op::More => i64::from(a > b),
                Op::AtLeast => i64::from(a >= b),
                Op::Add => a.saturating_add(b),
                Op::Subtract => a.saturating_sub(b),
                Op::Multiply => a.saturating_mul(b),
            }
        }
    }
}

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
        // One of the two holds, so what is known of either does; which of them is left to ask.
        Node::Binary(a, Op::Or, b) => {
            let early = split(a, known).0.zip(split(b, known).0).map(|(a, b)| join(a, Op::Or, b));
            (early, Some(node.clone()))
        }
        // Of anything else what is not known may be all that matters.
        _ => (None, Some(node.clone())),
    }
}

fn reads_only(node: &Node, known: &dyn Fn(Term) -> bool) -> bool {
    let mut terms = Vec::new();
    collect(node, &mut terms);
    terms.into_iter().all(known)
}

fn collect(node: &Node, terms: &mut Vec<Term>) {
    match node {
        Node::Number(_) => {}
        Node::Read(term) => terms.push(*term),
        Node::Minus(inner) | Node::Not(inner) => collect(inner, terms),
        Node::Binary(a, _, b) => [a, b].into_iter().for_each(|node| collect(node, terms)),
    }
}
