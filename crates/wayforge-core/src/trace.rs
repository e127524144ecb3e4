//! Generation traces: the events that a generator or a search records while it works.
//!
//! Every family has its own event type (`Event`). A `Replay` applies events to a map under
//! construction; applying all of them gives the generated map. Towers are replayed floor by floor.

/// Receives the events of a generator or search.
///
/// `()` ignores all events; the compiler then removes the tracing code.
pub trait Tracer<E> {
    /// False if events are ignored, so that callers can skip building them.
    const ENABLED: bool;

    /// Records an event.
    fn record(&mut self, event: E);
}

impl<E> Tracer<E> for () {
    const ENABLED: bool = false;

    #[inline(always)]
    fn record(&mut self, _: E) {}
}

/// Stores the first events, up to a capacity, and counts those that it drops.
///
/// # Examples
/// ```
/// use wayforge_core::trace::{Recorder, Tracer};
/// let mut recorder = Recorder::new(2);
/// [1, 2, 3].map(|event| recorder.record(event));
/// assert_eq!((recorder.events(), recorder.dropped()), (&[1, 2][..], 1));
/// ```
#[derive(Clone, Debug)]
pub struct Recorder<E> {
    events: Vec<E>,
    capacity: usize,
    dropped: u64,
}

impl<E> Recorder<E> {
    /// Creates a recorder that stores at most `capacity` events.
    pub fn new(capacity: usize) -> Recorder<E> {
        Recorder { events: Vec::new(), capacity, dropped: 0 }
    }

    /// Returns the stored events in order.
    pub fn events(&self) -> &[E] {
        &self.events
    }

    /// Returns the number of events that exceeded the capacity.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

impl<E> Tracer<E> for Recorder<E> {
    const ENABLED: bool = true;

    fn record(&mut self, event: E) {
        if self.events.len() < self.capacity {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }
}
