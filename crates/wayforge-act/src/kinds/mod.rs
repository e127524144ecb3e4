//! Kinds of nodes: constraint satisfaction on a finished skeleton.
//!
//! Kinds are defined in the configuration. Rules set weights per row, fixed rows, which kinds may
//! follow or be siblings of each other, and their counts on the map and on every route.
//!
//! [`assign`] is a fast search by conflict-directed backjumping. If it reaches too many dead ends,
//! [`complete`] is used instead: a CDCL SAT solver finds kinds or proves that none exist. In the
//! latter case it names a smallest set of conflicting rules.

pub(super) mod assign;
pub(super) mod complete;
mod config;
mod encode;
#[cfg(feature = "peers")]
mod peer;
mod route;
mod sat;
mod spec;

pub use config::{BandConfig, Count, FixedRow, Icon, KindConfig, KindsConfig};
pub(crate) use encode::MAX_LITERALS;
#[cfg(feature = "peers")]
pub use peer::KindProblem;
pub(super) use spec::{GENRE_KINDS, KindSpec, names};
pub use spec::{Kind, KindId, KindRule};

use super::Event;
use super::skeleton::Skeleton;
use assign::{Scratch, assign};
use wayforge_core::trace::Tracer;
use wayforge_core::{Seed, Work};

/// Result of the search for kinds on one skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every node has a kind.
    Found,
    /// Proved: no kinds satisfy the rules.
    Infeasible,
    /// Undecided after `search_limit` conflicts, or because the work is stopped.
    LimitReached,
    /// Undecided: the clauses have more than [`MAX_LITERALS`] literals.
    TooLarge,
}

/// A skeleton that needs kinds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub(super) seed: &'a Seed,
    /// Index of the skeleton among those of the seed, from 0.
    pub(super) attempt: u32,
    pub(super) spec: &'a KindSpec,
    pub(super) skeleton: &'a Skeleton,
    pub(super) work: &'a Work,
}

/// Assigns a kind to every node of a skeleton; [`Scratch::kind_at`] returns the kinds.
#[inline]
pub(super) fn find(
    task: Task<'_>,
    scratch: &mut Scratch,
    tracer: &mut impl Tracer<Event>,
) -> Outcome {
    if assign(task, scratch, tracer) {
        Outcome::Found
    } else {
        complete::solve(task, &mut scratch.chosen, tracer)
    }
}
