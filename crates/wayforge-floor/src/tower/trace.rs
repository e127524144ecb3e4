//! Generation events of towers: the events of their floors, floor by floor.

use crate::Event as FloorEvent;
use std::fmt;
use wayforge_core::trace::Tracer;

/// One step of generating a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Number of the floor, from 0.
    pub floor: u32,
    /// Event of the floor.
    pub event: FloorEvent,
}

/// Tracer that records the events of a floor as events of the tower.
pub(super) struct FloorTracer<'a, T> {
    pub(super) floor: u32,
    pub(super) tower: &'a mut T,
}

impl<T: Tracer<Event>> Tracer<FloorEvent> for FloorTracer<'_, T> {
    const ENABLED: bool = T::ENABLED;

    #[inline(always)]
    fn record(&mut self, event: FloorEvent) {
        self.tower.record(Event { floor: self.floor, event });
    }
}

/// Describes the event in words.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "floor {}: {}", self.floor + 1, self.event)
    }
}
