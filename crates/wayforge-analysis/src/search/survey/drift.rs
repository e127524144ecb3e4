//! Comparison of two surveys, metric by metric: Kolmogorov-Smirnov distance (Smirnov 1948) and
//! Cohen's d (Cohen 1988).

use super::{Histogram, SurveyResults};

/// Change of one metric between two configurations.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricDrift {
    /// Name of the metric. `generated` and `first_attempt` are shares of seeds between 0 and 1.
    pub name: String,
    /// Means of both configurations. `None` for a configuration without maps.
    pub means: [Option<f64>; 2],
    /// Cohen's d: difference of the means in pooled standard deviations. `None` if a mean is
    /// missing, or if both distributions are constant and differ.
    pub cohens_d: Option<f64>,
    /// Kolmogorov-Smirnov distance of the distributions, as an exact fraction.
    pub distance: (u128, u128),
}

impl MetricDrift {
    fn new(name: String, a: &Histogram, b: &Histogram) -> MetricDrift {
        let means = [a, b].map(|side| (side.count() > 0).then(|| side.mean()));
        let [variance_a, variance_b] =
            [a, b].map(|side| side.std_deviation() * side.std_deviation());
        let pooled = ((variance_a + variance_b) / 2.0).sqrt();
        let difference = means[0].zip(means[1]).map(|(before, after)| after - before);
        let cohens_d = match difference {
            Some(difference) if pooled > 0.0 => Some(difference / pooled),
            other => other.filter(|difference| *difference == 0.0),
        };
        MetricDrift { name, means, cohens_d, distance: a.kolmogorov_distance(b) }
    }

    /// Returns the distance as a number from 0 to 1.
    pub fn distance_f64(&self) -> f64 {
        self.distance.0 as f64 / self.distance.1 as f64
    }

    /// Returns true if the distance exceeds a threshold given in ten-thousandths. Exact integer
    /// arithmetic.
    pub fn exceeds(&self, ten_thousandths: u64) -> bool {
        self.distance.0.saturating_mul(10_000)
            > self.distance.1.saturating_mul(u128::from(ten_thousandths))
    }
}

/// Compares every metric of two surveys. Sorted by decreasing distance, then by name.
///
/// A metric that only one survey has is at distance 1.
///
/// # Examples
///
/// ```
/// use wayforge::Family;
/// use wayforge_analysis::search::{SurveyPlan, SeedRange, Survey, drift};
/// use wayforge::AnySpec;
/// let survey = |config: &[u8]| {
///     let spec = AnySpec::from_json(Family::Floor, config)?;
///     let range = SeedRange::from(1).take(500);
///     let mut survey = Survey::new(&spec, range, SurveyPlan::default());
///     while survey.advance() {}
///     Ok::<_, wayforge::GenerateError>(survey.finish())
/// };
/// let (plain, long) = (survey(b"{}")?, survey(br#"{"minPathLength":7}"#)?);
/// assert!(drift(&plain, &plain).iter().all(|drift| drift.distance.0 == 0));
/// assert_eq!(drift(&plain, &long)[0].name, "path");
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn drift(a: &SurveyResults, b: &SurveyResults) -> Vec<MetricDrift> {
    let share = |part: u64, whole: u64| {
        let mut histogram = Histogram::default();
        histogram.add(1, part);
        histogram.add(0, whole - part);
        histogram
    };
    let [generated, first_attempt] = [[a.maps, b.maps], [a.first_attempt, b.first_attempt]]
        .map(|[part_a, part_b]| [share(part_a, a.seeds), share(part_b, b.seeds)]);
    let mut drifts = vec![
        MetricDrift::new("generated".into(), &generated[0], &generated[1]),
        MetricDrift::new("first_attempt".into(), &first_attempt[0], &first_attempt[1]),
    ];
    let empty = Histogram::default();
    for metric in &a.metrics {
        let other = b.metric(&metric.name).map_or(&empty, |other| &other.histogram);
        drifts.push(MetricDrift::new(metric.name.clone(), &metric.histogram, other));
    }
    for metric in b.metrics.iter().filter(|metric| a.metric(&metric.name).is_none()) {
        drifts.push(MetricDrift::new(metric.name.clone(), &empty, &metric.histogram));
    }
    // Cross products of the fractions could overflow `u128`, so the order uses rounded shares.
    let sort_key = |drift: &MetricDrift| (drift.distance_f64() * 1e12) as u64;
    drifts.sort_by(|x, y| sort_key(y).cmp(&sort_key(x)).then_with(|| x.name.cmp(&y.name)));
    drifts
}
