//! Target values of metrics, for searches of the closest maps.

use super::lexer::{Lexer, Token};
use super::{Catalogue, ExpressionError, Meter, Term};

/// Target values of metrics, with a distance from a map to them.
///
/// # Examples
/// ```
/// use wayforge::{act, metric::{ActMeter, MetricTargets, Measure}};
/// let spec = act::Config::default().resolve()?;
/// let targets = MetricTargets::parse("nodes = 60, routes = 200", &act::ActMap::catalogue(&spec))?;
/// let mut meter = ActMeter::default();
/// let maps = (0..200_u64).map(|seed| act::generate(seed.into(), &spec).unwrap());
/// let closest = maps.map(|map| targets.distance(&mut meter, &map)).min().unwrap();
/// assert!(closest < 200_000, "total relative error below 20%: {closest}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricTargets {
    targets: Vec<(Term, i64)>,
}

impl MetricTargets {
    /// Parses a comma-separated list of targets: `metric = number, metric = number`.
    ///
    /// # Errors
    /// [`ExpressionError`] with the column, the problem and the known names.
    pub fn parse(text: &str, catalogue: &Catalogue) -> Result<MetricTargets, ExpressionError> {
        const EXAMPLE: &str = "as in nodes = 60";
        let remedy = "join values with commas, as in nodes = 60, routes = 200";
        let targets =
            Lexer::new(text, catalogue)?.list(remedy, |lexer, targets: &[(Term, i64)]| {
                let term = lexer.metric(EXAMPLE)?;
                if lexer.next()? != Some(Token::Symbol("=")) {
                    return Err(lexer.reject(format!("= is needed, {EXAMPLE}")));
                }
                let is_negative = lexer.take("-")?;
                let Some(Token::Number(number)) = lexer.next()? else {
                    return Err(lexer.reject(format!("a number is needed, {EXAMPLE}")));
                };
                if targets.iter().any(|&(other, _)| other == term) {
                    return Err(lexer.reject("the metric is listed twice; list each metric once"));
                }
                Ok((term, if is_negative { -number } else { number }))
            });
        Ok(MetricTargets { targets: targets? })
    }

    /// Returns the sum of the relative errors of all metrics, in millionths, each rounded up.
    ///
    /// The error is relative to the target, or to 1 if the target is 0. The distance is 0 if and
    /// only if every metric equals its target.
    pub fn distance<M: Meter>(&self, meter: &mut M, map: &M::Map) -> u64 {
        let relative_error = |&(term, target): &(Term, i64)| {
            let difference = u128::from(meter.read(map, term).abs_diff(target));
            let scale = u128::from(target.unsigned_abs().max(1));
            u64::try_from((difference * 1_000_000).div_ceil(scale)).unwrap_or(u64::MAX)
        };
        self.targets.iter().map(relative_error).fold(0, u64::saturating_add)
    }

    /// Returns the metrics that have a target.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.targets.iter().map(|target| target.0)
    }
}
