//! The frame of a plot: a card with a caption, grid lines and labels along its axes.

use crate::report::scale::tick_label;
use maud::{Markup, Render, html};

/// The width of every plot.
pub(crate) const WIDTH: f64 = 340.0;

/// Where the drawing of a plot lies within its picture.
pub(crate) struct Chart {
    pub(crate) height: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) floor: f64,
}

impl Chart {
    /// How wide the drawing is.
    pub(crate) fn width(&self) -> f64 {
        WIDTH - self.left - self.right
    }

    /// Where a share of the height lies.
    pub(crate) fn y(&self, share: f64) -> f64 {
        self.floor - (self.floor - self.top) * share
    }

    /// The card: its caption and `legend` above the drawing. `aria` describes it for readers who do not see it.
    pub(crate) fn card(
        &self,
        [name, about, aria]: [&str; 3],
        legend: Markup,
        drawing: Markup,
        below: Markup,
    ) -> Markup {
        html! {
            figure.plot {
                figcaption { h3 { (name) } " " span { (about) } }
                (legend)
                svg viewBox={ "0 0 " (WIDTH) " " (self.height) } role="img" aria-label=(aria) { (drawing) }
                (below)
            }
        }
    }

    /// Grid lines at values from the first to the last of `ticks`, named on the left with `unit`.
    pub(crate) fn grid(&self, ticks: &[f64], unit: &str) -> Markup {
        let (low, high) = ends(ticks);
        html! {
            @for &value in ticks {
                @let y = self.y((value - low) / (high - low));
                path.grid d={ "M" (self.left) " " (px(y)) "H" (px(WIDTH - self.right)) } {}
                (text(None, self.left - 4.0, y + 4.0, "end", tick_label(value) + unit))
            }
        }
    }

    /// A label below the drawing.
    pub(crate) fn label(&self, class: Option<&str>, x: f64, anchor: &str, label: &str) -> Markup {
        text(class, x, self.floor + 16.0, anchor, label)
    }
}

/// The first and the last of a list of ticks, which has two or more.
pub(crate) fn ends(ticks: &[f64]) -> (f64, f64) {
    (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0))
}

/// A text in a picture.
pub(crate) fn text(class: Option<&str>, x: f64, y: f64, anchor: &str, words: impl Render) -> Markup {
    html! { text class=[class] x=(px(x)) y=(px(y)) text-anchor=(anchor) { (words) } }
}

/// A length in a picture, with one decimal.
pub(crate) fn px(length: f64) -> String {
    format!("{length:.1}")
}
