//! How much is done before anybody looks again: little of slow maps, much of fast ones.

use std::time::{Duration, Instant};

/// A wave takes about so long: ctrl-c is heard soon, and waiting for the last thread costs little.
const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_millis(250);
/// How many pieces a thread is given in the next wave.
pub(crate) struct Pace {
    pieces: usize,
    most: usize,
}

impl Pace {
    /// One, until it is known how long that takes: what is wanted may stand among the first seeds. Never more than `most`.
    pub(crate) fn up_to(most: usize) -> Pace {
        Pace { pieces: 1, most }
    }

    /// Goes through a wave, and gives the next one more or less to do.
    pub(crate) fn keep<T>(&mut self, wave: impl FnOnce(usize) -> T) -> T {
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
