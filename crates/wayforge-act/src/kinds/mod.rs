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
pub(super) use spec::KindSpec;
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

/// Gives every node of `skeleton` a kind; they can then be read with [`Scratch::kind_at`].
#[inline]
pub(super) fn find(
    seed: &Seed,
    attempt: u32,
    spec: &KindSpec,
    skeleton: &Skeleton,
    scratch: &mut Scratch,
    tracer: &mut impl Tracer<Event>,
) -> Outcome {
    match assign(seed, attempt, spec, skeleton, scratch, tracer) {
        true => Outcome::Found,
        false => complete::solve(seed, attempt, spec, skeleton, &mut scratch.chosen, tracer),
    }
}
