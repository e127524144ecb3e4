//! Round numbers along an axis.

use crate::report::words::number;

/// So wide a letter of an axis is at most, and so tall a line of them, with room around it.
const LETTER: f64 = 6.4;
const LINE: f64 = 14.0;

/// An axis from `low` to `high` with few round ticks; its ends are ticks.
pub(crate) fn ticks(low: f64, high: f64) -> Vec<f64> {
    let step = round_step(((high - low) / 3.0).max(1e-3));
    let low = (low / step).floor() * step;
    let mut ticks = vec![low, low + step];
    while ticks.len() < 6 && ticks.last().is_some_and(|&tick| tick < high - step * 1e-6) {
        ticks.push(low + step * ticks.len() as f64);
    }
    ticks
}

/// A number on an axis, without zeros at its end.
pub(crate) fn tick_label(value: f64) -> String {
    let label = number((value * 1e6).round() / 1e6);
    match label.contains('.') {
        true => label.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => label,
    }
}

/// Which way an axis goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Across,
    Up,
}

/// How wide a label is at most.
pub(crate) fn width(label: &str) -> f64 {
    label.chars().count() as f64 * LETTER
}

/// Labels that do not lie over each other, of those at these places: the ones to be kept at any price first.
pub(crate) fn apart<T>(
    labels: Vec<(f64, String, T)>,
    way: Way,
    firm: impl Fn(&T) -> bool,
) -> Vec<(f64, String, T)> {
    let wide = |label: &str| match way {
        Way::Across => (width(label) + 6.0) / 2.0,
        Way::Up => LINE / 2.0,
    };
    let (first, rest): (Vec<_>, Vec<_>) = labels.into_iter().partition(|(_, _, kind)| firm(kind));
    let mut kept: Vec<(f64, String, T)> = Vec::new();
    for (at, label, kind) in first.into_iter().chain(rest) {
        let free = kept.iter().all(|(other, name, _)| (other - at).abs() >= wide(name) + wide(&label));
        if free {
            kept.push((at, label, kind));
        }
    }
    kept.sort_by(|a, b| a.0.total_cmp(&b.0));
    kept
}

/// The next of 1, 2, 5, 10, 20, ... and of their tenths and hundredths.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= least * 0.999)
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [0.3, 1.0, 2.3, 7.0, 140.0, 0.012].map(round_step);
        let wanted = [0.5, 1.0, 5.0, 10.0, 200.0, 0.02];
        assert!(steps.iter().zip(wanted).all(|(step, wanted)| (step - wanted).abs() < 1e-9), "{steps:?}");
        assert_eq!(
            [tick_label(12.5), tick_label(0.30000000000000004), tick_label(1200.0)],
            ["12.5", "0.3", "1,200"]
        );
        let labels = |low, high| ticks(low, high).into_iter().map(tick_label).collect::<Vec<_>>();
        assert_eq!(labels(0.0, 23.0), ["0", "10", "20", "30"]);
        assert_eq!(labels(0.0, 100.0), ["0", "50", "100"]);
        assert_eq!(labels(3.0, 3.0).len(), 2);
        for (low, high) in [(0.0, 1e-9), (-40.0, 17.0), (0.0, 1e15), (99.2, 99.9)] {
            let ticks = ticks(low, high);
            assert!(
                ticks[0] <= low && *ticks.last().unwrap() >= high - 1e-9 && ticks.len() <= 6,
                "{ticks:?}"
            );
        }
    }

    #[test]
    fn labels_keep_apart_and_firm_ones_stay() {
        let labels = [0.0, 10.0, 60.0, 75.0].map(|at| (at, "100".to_owned(), at == 75.0)).to_vec();
        let kept = apart(labels.clone(), Way::Across, |firm| *firm);
        assert_eq!(kept.iter().map(|label| label.0).collect::<Vec<_>>(), [0.0, 75.0]);
        let kept = apart(labels, Way::Up, |firm| *firm);
        assert_eq!(kept.iter().map(|label| label.0).collect::<Vec<_>>(), [0.0, 60.0, 75.0]);
    }
}
