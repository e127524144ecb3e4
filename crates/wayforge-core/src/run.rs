//! Errors of resuming saved runs, shared by the families that can be played.

use crate::Digest;

/// A saved run that does not belong to the map. `E` is the family's error of an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError<E> {
    /// The save names another map.
    #[error(
        "map: the save belongs to map {save}, but this is map {map}; \
         load the map of the save, or start a new run"
    )]
    OtherMap {
        /// The digest that the save names.
        save: Digest,
        /// The digest of the map.
        map: Digest,
    },
    /// A saved move is illegal.
    #[error("{place}: {error}: the save was changed or damaged")]
    Illegal {
        /// The member of the save with the move (`path[3]`, `boss`, `steps[3]`).
        place: String,
        /// Why the move is illegal.
        #[source]
        error: E,
    },
}
