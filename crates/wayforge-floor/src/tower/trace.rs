//! What the making of a tower tells: the steps of its floors, one floor after the other.

use crate::Event as FloorEvent;
use std::fmt;
use wayforge_core::trace::Tracer;

/// One step of the making of a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The floor that is being made, counted from 0.
    pub floor: u32,
    /// What happens on it.
    pub event: FloorEvent,
}

/// Tells the steps of a floor as those of the tower.
pub(super) struct OnFloor<'a, T> {
    pub(super) floor: u32,
    pub(super) tower: &'a mut T,
}

impl<T: Tracer<Event>> Tracer<FloorEvent> for OnFloor<'_, T> {
    const LISTENS: bool = T::LISTENS;

    #[inline(always)]
    fn tell(&mut self, event: FloorEvent) {
        self.tower.tell(Event { floor: self.floor, event });
    }
}

/// What happens, in words.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "floor {}: {}", self.floor + 1, self.event)
    }
}
