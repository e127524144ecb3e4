//! How far two surveys are apart, metric by metric.

use super::{Findings, Histogram};

/// How far one metric moved from one configuration to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    /// The metric's name; `made` and `first_try` are shares of seeds, one of all being 1.
    pub name: String,
    /// Both averages; nothing of a configuration without maps.
    pub means: [Option<f64>; 2],
    /// How far the average moved, in standard deviations of both together; nothing if neither varies and they differ, or if one has none.
    pub deviations: Option<f64>,
    /// Kolmogorov's distance of the distributions, as a fraction of whole numbers.
    pub distance: (u128, u128),
}

impl Shift {
    fn of(name: String, a: &Histogram, b: &Histogram) -> Shift {
        let means = [a, b].map(|side| (side.maps() > 0).then(|| side.mean()));
        let pooled = ((a.deviation() * a.deviation() + b.deviation() * b.deviation()) / 2.0).sqrt();
        let deviations = means[0].zip(means[1]).map(|(before, after)| after - before).and_then(|moved| {
            match pooled > 0.0 {
                true => Some(moved / pooled),
                false => (moved == 0.0).then_some(0.0),
            }
        });
        Shift { name, means, deviations, distance: a.distance(b) }
    }

    /// The distance as a number from 0 to 1.
    pub fn share(&self) -> f64 {
        self.distance.0 as f64 / self.distance.1 as f64
    }

    /// Whether the distance is more than so many ten-thousandths, decided in whole numbers.
    pub fn is_beyond(&self, ten_thousandths: u64) -> bool {
        self.distance.0.saturating_mul(10_000) > self.distance.1.saturating_mul(u128::from(ten_thousandths))
    }
}

/// How far every metric moved, the farthest first; those that are equally far by name. One that only one of the two has is as far as can be.
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{Plan, Span, Survey, drift};
/// use wayforge::AnySpec;
/// let found = |config: &[u8]| {
///     let mut survey = Survey::new(&AnySpec::from_json(Family::Floor, config)?, Span::from(1).take(500), Plan::default());
///     while survey.advance() {}
///     Ok::<_, wayforge::GenerateError>(survey.finish())
/// };
/// let (plain, long) = (found(b"{}")?, found(br#"{"minPathLength":7}"#)?);
/// assert!(drift(&plain, &plain).iter().all(|shift| shift.distance.0 == 0));
/// assert_eq!(drift(&plain, &long)[0].name, "path");
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn drift(a: &Findings, b: &Findings) -> Vec<Shift> {
    let share = |part: u64, whole: u64| {
        let mut histogram = Histogram::default();
        histogram.add(1, part);
        histogram.add(0, whole - part);
        histogram
    };
    let mut shifts = vec![
        Shift::of("made".into(), &share(a.maps, a.seeds), &share(b.maps, b.seeds)),
        Shift::of("first_try".into(), &share(a.first_try, a.seeds), &share(b.first_try, b.seeds)),
    ];
    let none = Histogram::default();
    for metric in &a.metrics {
        let other = b.metric(&metric.name).map_or(&none, |other| &other.histogram);
        shifts.push(Shift::of(metric.name.clone(), &metric.histogram, other));
    }
    for metric in b.metrics.iter().filter(|metric| a.metric(&metric.name).is_none()) {
        shifts.push(Shift::of(metric.name.clone(), &none, &metric.histogram));
    }
    // Fractions are compared by their products: whole numbers below 2^64 each, and so below 2^128 only where they are small enough.
    let order = |shift: &Shift| (shift.share() * 1e12) as u64;
    shifts.sort_by(|x, y| order(y).cmp(&order(x)).then_with(|| x.name.cmp(&y.name)));
    shifts
}
