//! How much is done before anybody looks again: little of slow maps, much of fast ones.

use std::time::{Duration, Instant};

/// A wave takes about so long: ctrl-c is heard soon, and waiting for the last thread costs little.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_millis(250);
/// The most pieces of a search that a thread is given.
const MAX: usize = 8192;

/// How many pieces a thread is given in the next wave, by how long the last one took: whoever goes through seeds can hear ctrl-c between waves.
///
/// ```
/// use wayforge::{Family, metric::Query};
/// use wayforge_analysis::search::{Pace, Search, Span};
/// use wayforge::AnySpec;
/// let subject = AnySpec::from_json(Family::Floor, b"{}")?;
/// let query = Query::parse("path >= 9", &subject.catalogue())?;
/// let mut search = Search::new(&subject, Span::from(0).take(100_000), query, 1);
/// let mut pace = Pace::default();
/// while pace.keep(|pieces| {
///     search.give(pieces);
///     search.advance()
/// }) {}
/// assert_eq!(search.found().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pace {
    pieces: usize,
    most: usize,
}

impl Default for Pace {
    /// The pace of a [`Search`](crate::search::Search) or of the [`Closest`](crate::search::Closest).
    fn default() -> Pace {
        Pace::up_to(MAX)
    }
}

impl Pace {
    /// One, until it is known how long that takes: what is wanted may stand among the first seeds. Never more than `most`.
    pub fn up_to(most: usize) -> Pace {
        Pace { pieces: 1, most }
    }

    /// Goes through a wave, and gives the next one more or less to do.
    pub fn keep<T>(&mut self, wave: impl FnOnce(usize) -> T) -> T {
        let start = Instant::now();
        let done = wave(self.pieces);
        let took = start.elapsed();
        if took < SHORT {
            self.pieces = (2 * self.pieces).min(self.most);
        } else if took > LONG {
            self.pieces = (self.pieces / 2).max(1);
        }
        done
    }
}
