//! Node kinds: the step after the skeleton, driven by data.
//!
//! Kinds are named by the user. Rules say how likely each is on which rows, which rows are fixed, what may follow or
//! stand beside what, and how many there may be on the map and on every single route. [`assign`] is a fast search for
//! kinds that satisfy all of them; where it meets many dead ends, [`complete`] finds kinds or proves that there are none, and then
//! names a smallest set of conflicting rules.

pub(super) mod assign;
pub(super) mod complete;
mod config;
mod encode;
mod peer;
mod route;
mod sat;
mod spec;

pub use config::{BandConfig, Count, FixedRow, Icon, KindConfig, KindsConfig};
pub(crate) use encode::MAX_LITERALS;
pub use peer::KindProblem;
pub(super) use spec::{KNOWN_KINDS, KindSpec, names};
pub use spec::{Kind, KindId, KindRule};

use super::Event;
use super::skeleton::Skeleton;
use assign::{Scratch, assign};
use wayforge_core::Seed;
use wayforge_core::trace::Tracer;

/// Result of the search for kinds on one skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every node has a kind.
    Found,
    /// Proof: no kinds satisfy the rules.
    Impossible,
    /// Undecided after `search_limit` conflicts.
    LimitReached,
    /// Undecided: the clauses have more than [`MAX_LITERALS`] literals.
    TooLarge,
}

/// A skeleton that needs kinds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) seed: &'a Seed,
    /// Counts the skeletons of the seed, from 0.
    pub(super) attempt: u32,
    pub(super) spec: &'a KindSpec,
    pub(super) skeleton: &'a Skeleton,
}

/// Gives every node of a skeleton a kind; they can then be read with [`Scratch::kind_at`].
#[inline]
pub(super) fn find(task: Task<'_>, scratch: &mut Scratch, tracer: &mut impl Tracer<Event>) -> Outcome {
    match assign(task, scratch, tracer) {
        true => Outcome::Found,
        false => complete::solve(task, &mut scratch.chosen, tracer),
    }
}
