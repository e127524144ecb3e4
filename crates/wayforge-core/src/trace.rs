//! Generation traces: the events that a generator or a search records while it works.
//!
//! Every family has an event type of its own (`Event`), and a `Replay` turns events back into a map under construction; towers
//! are replayed floor by floor. Replaying all events gives the generated map.

/// Who listens to a generator. Nobody, `()`, costs nothing.
pub trait Tracer<E> {
    /// False if nobody listens: events need not even be made.
    const LISTENS: bool;

    /// Takes note of an event.
    fn tell(&mut self, event: E);
}

impl<E> Tracer<E> for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn tell(&mut self, _: E) {}
}

/// Keeps events in their order, up to a bound.
///
/// ```
/// use wayforge_core::trace::{Tape, Tracer};
/// let mut tape = Tape::new(2);
/// [1, 2, 3].map(|event| tape.tell(event));
/// assert_eq!((tape.events(), tape.missed()), (&[1, 2][..], 1));
/// ```
#[derive(Clone, Debug)]
pub struct Tape<E> {
    events: Vec<E>,
    most: usize,
    missed: u64,
}

impl<E> Tape<E> {
    /// A tape for at most so many events.
    pub fn new(most: usize) -> Tape<E> {
        Tape { events: Vec::new(), most, missed: 0 }
    }

    /// The first events, as many as the tape holds.
    pub fn events(&self) -> &[E] {
        &self.events
    }

    /// How many more there were.
    pub fn missed(&self) -> u64 {
        self.missed
    }
}

impl<E> Tracer<E> for Tape<E> {
    const LISTENS: bool = true;

    fn tell(&mut self, event: E) {
        match self.events.len() < self.most {
            true => self.events.push(event),
            false => self.missed += 1,
        }
    }
}
