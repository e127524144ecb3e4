//! Deterministic limits on the work of generators, validators, searches and renderers.
//!
//! Work is counted in steps, not in time: about one visited cell, node, clause or pixel each. The
//! same call needs the same number of steps on every platform, so whether it stays within a limit
//! does not depend on the machine. An interrupt additionally lets a caller abandon work whose
//! result nobody waits for. A limit or interrupt never changes a result: work ends with the usual
//! result or with [`Stopped`].

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

/// Number of steps between two calls of an interrupt.
const INTERRUPT_STEPS: u64 = 1 << 16;

/// Limit on the work of one call. The default is unlimited.
///
/// # Examples
/// ```
/// use wayforge_core::WorkLimit;
/// let limit = WorkLimit::steps(1_000_000);
/// let work = limit.start();
/// assert!(work.spend(1_000_000) && !work.spend(1));
/// assert_eq!(work.stopped().unwrap().to_string(), "the work limit of 1000000 steps is used up");
/// ```
#[derive(Clone, Default)]
pub struct WorkLimit {
    steps: Option<u64>,
    interrupt: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl WorkLimit {
    /// No limit.
    pub const UNLIMITED: WorkLimit = WorkLimit { steps: None, interrupt: None };

    /// At most this number of steps per call.
    pub fn steps(steps: u64) -> WorkLimit {
        WorkLimit { steps: Some(steps), interrupt: None }
    }

    /// Also stops as soon as `interrupt` returns true. It is called every few thousand steps, from
    /// the thread that works.
    pub fn with_interrupt(self, interrupt: impl Fn() -> bool + Send + Sync + 'static) -> WorkLimit {
        WorkLimit { interrupt: Some(Arc::new(interrupt)), ..self }
    }

    /// Returns the maximum number of steps; `None` if there is no maximum.
    pub fn max_steps(&self) -> Option<u64> {
        self.steps
    }

    /// Starts counting.
    pub fn start(&self) -> Work {
        let mut work = Work::default();
        work.restart(self);
        work
    }
}

/// Interrupts are equal if they are the same one.
impl PartialEq for WorkLimit {
    fn eq(&self, other: &WorkLimit) -> bool {
        let same_interrupt = match (&self.interrupt, &other.interrupt) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        self.steps == other.steps && same_interrupt
    }
}

impl Eq for WorkLimit {}

impl fmt::Debug for WorkLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interrupt = self.interrupt.as_ref().map(|_| "Fn");
        f.debug_struct("WorkLimit")
            .field("steps", &self.steps)
            .field("interrupt", &interrupt)
            .finish()
    }
}

/// Why work ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    /// The limit is used up.
    #[error("the work limit of {limit} steps is used up")]
    LimitReached {
        /// The limit.
        limit: u64,
    },
    /// The interrupt of the limit returned true.
    #[error("the work was interrupted")]
    Interrupted,
}

/// Counter of the steps of one call.
///
/// Inner loops call [`spend`](Self::spend) and return early with any value once it returns false.
/// The entry point calls [`check`](Self::check) and discards the value.
#[derive(Clone, Debug)]
pub struct Work {
    limit: WorkLimit,
    used: Cell<u64>,
    /// Number of steps at which to look again: the limit, or the next call of the interrupt.
    next_look: Cell<u64>,
    stopped: Cell<Option<Stopped>>,
}

impl Default for Work {
    /// Unlimited work.
    fn default() -> Work {
        Work {
            limit: WorkLimit::UNLIMITED,
            used: Cell::new(0),
            next_look: Cell::new(u64::MAX),
            stopped: Cell::new(None),
        }
    }
}

impl Work {
    /// Starts counting from 0 with a limit.
    pub fn restart(&mut self, limit: &WorkLimit) {
        let interval = limit.interrupt.as_ref().map_or(u64::MAX, |_| INTERRUPT_STEPS);
        *self = Work {
            limit: limit.clone(),
            used: Cell::new(0),
            next_look: Cell::new(limit.steps.unwrap_or(u64::MAX).min(interval)),
            stopped: Cell::new(None),
        };
    }

    /// Counts steps. Returns false if the caller must stop.
    #[inline]
    pub fn spend(&self, steps: u64) -> bool {
        let used = self.used.get().saturating_add(steps);
        self.used.set(used);
        used <= self.next_look.get() || self.look(used)
    }

    /// Returns the number of counted steps.
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Returns why the work has to stop, if so.
    pub fn stopped(&self) -> Option<Stopped> {
        self.stopped.get()
    }

    /// Returns an error if the work has to stop.
    ///
    /// # Errors
    /// The limit is used up, or the work was interrupted.
    pub fn check(&self) -> Result<(), Stopped> {
        self.stopped.get().map_or(Ok(()), Err)
    }

    /// Compares with the limit and calls the interrupt.
    #[cold]
    fn look(&self, used: u64) -> bool {
        if self.stopped.get().is_some() {
            return false;
        }
        let limit = self.limit.steps.unwrap_or(u64::MAX);
        let interrupted = self.limit.interrupt.as_ref().is_some_and(|interrupt| interrupt());
        if used > limit {
            self.stopped.set(Some(Stopped::LimitReached { limit }));
        } else if interrupted {
            self.stopped.set(Some(Stopped::Interrupted));
        } else {
            self.next_look.set(limit.min(used.saturating_add(INTERRUPT_STEPS)));
            return true;
        }
        // Every later call looks again and returns false.
        self.next_look.set(0);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_exact_and_final() {
        let work = WorkLimit::steps(10).start();
        assert!(work.spend(4) && work.spend(6));
        assert_eq!(work.check(), Ok(()));
        assert!(!work.spend(1));
        assert!(!work.spend(0), "stopped work does not continue");
        assert_eq!(work.check(), Err(Stopped::LimitReached { limit: 10 }));
        assert!(Work::default().spend(u64::MAX) && WorkLimit::UNLIMITED.start().spend(u64::MAX));
    }

    #[test]
    fn interrupts_are_called_at_intervals() {
        let (sender, receiver) = std::sync::mpsc::sync_channel(2);
        // The third call finds the channel full.
        let limit = WorkLimit::default().with_interrupt(move || sender.try_send(()).is_err());
        let work = limit.start();
        let steps = (1_u64..).take_while(|_| work.spend(1)).count() as u64;
        assert_eq!(work.stopped(), Some(Stopped::Interrupted));
        assert_eq!(receiver.try_iter().count(), 2);
        assert!((2 * INTERRUPT_STEPS..=4 * INTERRUPT_STEPS).contains(&steps), "{steps}");
    }
}
