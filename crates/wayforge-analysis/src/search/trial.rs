//! How a map was made, beside the map.

use std::borrow::Cow;
use std::time::Duration;

/// How a map was made, or was not.
#[derive(Default)]
pub(crate) struct Trial {
    /// How long it took.
    pub(crate) time: Duration,
    /// What attempts were refused by, and how many.
    pub(crate) refused: Vec<(Cow<'static, str>, u32)>,
    /// The rule that the accepted attempt broke before it was repaired.
    pub(crate) mended: Option<&'static str>,
    /// Whether nothing was taken back.
    pub(crate) smooth: bool,
}

impl Trial {
    /// Whether the first draw was the map.
    pub(crate) fn is_first_try(&self) -> bool {
        self.smooth && self.refused.is_empty() && self.mended.is_none()
    }

    pub(crate) fn clear(&mut self) {
        self.refused.clear();
        (self.time, self.mended, self.smooth) = (Duration::ZERO, None, true);
    }

    pub(crate) fn add(&mut self, rule: &'static str, attempts: u32) {
        match self.refused.iter_mut().find(|(known, _)| known == rule) {
            Some((_, sum)) => *sum += attempts,
            None => self.refused.push((Cow::Borrowed(rule), attempts)),
        }
    }
}
