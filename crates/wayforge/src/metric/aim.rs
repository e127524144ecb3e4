//! Values to come as close to as possible.

use super::read::{Reader, Token};
use super::{Catalogue, ExpressionError, Meter, Term};

/// Values that metrics should have, and how far a map is from them.
///
/// ```
/// use wayforge::{act, metric::{ActMeter, Aim, Measure}};
/// let spec = act::Config::default().resolve()?;
/// let aim = Aim::parse("nodes = 60, routes = 200", &act::ActMap::catalogue(&spec))?;
/// let mut meter = ActMeter::default();
/// let nearest = (0..200_u64)
///     .map(|seed| (aim.distance(&mut meter, &act::generate(seed.into(), &spec).unwrap()), seed))
///     .min()
///     .unwrap();
/// assert!(nearest.0 < 200_000, "within a fifth in all: {nearest:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    targets: Vec<(Term, i64)>,
}

impl Aim {
    /// Reads `metric = number, metric = number`.
    pub fn parse(text: &str, catalogue: &Catalogue) -> Result<Aim, ExpressionError> {
        const AS_IN: &str = "as in nodes = 60";
        let remedy = "join values with commas, as in nodes = 60, routes = 200";
        let targets = Reader::new(text, catalogue)?.list(remedy, |reader, targets: &[(Term, i64)]| {
            let term = reader.metric(AS_IN)?;
            if reader.next()? != Some(Token::Sign("=")) {
                return Err(reader.reject(format!("= is needed, {AS_IN}")));
            }
            let minus = reader.take("-")?;
            let Some(Token::Number(number)) = reader.next()? else {
                return Err(reader.reject(format!("a number is needed, {AS_IN}")));
            };
            if targets.iter().any(|&(other, _)| other == term) {
                return Err(reader.reject("the metric has a value already; name each once"));
            }
            Ok((term, if minus { -number } else { number }))
        });
        Ok(Aim { targets: targets? })
    }

    /// How far a map is: for each metric the difference in millionths of what is wanted (of 1 if that is 0), rounded up, all together.
    /// None is only what is wanted exactly.
    pub fn distance<M: Meter>(&self, meter: &mut M, map: &M::Map) -> u64 {
        let far = |&(term, wanted): &(Term, i64)| {
            let off = u128::from(meter.read(map, term).abs_diff(wanted));
            let part = (off * 1_000_000).div_ceil(u128::from(wanted.unsigned_abs().max(1)));
            u64::try_from(part).unwrap_or(u64::MAX)
        };
        self.targets.iter().map(far).fold(0, u64::saturating_add)
    }

    /// The metrics that it reads.
    pub fn terms(&self) -> impl Iterator<Item = Term> {
        self.targets.iter().map(|target| target.0)
    }
}
