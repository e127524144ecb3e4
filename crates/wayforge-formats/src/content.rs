//! Content of files: maps of all families, drawings, navigation grids and queries.

use crate::queries::QueryRecord;
use std::fmt;
use wayforge::floor::Template;
use wayforge::level::Blueprint;
use wayforge::nav::NavGrid;
use wayforge::{AnyMap, Family};

/// Kind of content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ContentKind {
    /// A generated map of a family.
    Map(Family),
    /// A hand-drawn level: symbols only.
    Blueprint,
    /// A hand-drawn floor.
    Template,
    /// A navigation grid: open tiles (water) and blocked tiles (land).
    NavGrid,
    /// Pathfinding queries on a navigation grid.
    Queries,
}

/// Content that was read or is to be written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Content {
    Map(AnyMap),
    Blueprint(Blueprint),
    Template(Template),
    NavGrid(NavGrid),
    Queries(Vec<QueryRecord>),
}

impl ContentKind {
    /// All kinds, families first.
    pub const ALL: [ContentKind; Family::ALL.len() + 4] = ContentKind::families_and(&[
        ContentKind::Blueprint,
        ContentKind::Template,
        ContentKind::NavGrid,
        ContentKind::Queries,
    ]);

    /// Returns the kinds of all families followed by `more`. `N` must be the total number.
    pub(crate) const fn families_and<const N: usize>(more: &[ContentKind]) -> [ContentKind; N] {
        let mut all = [ContentKind::Queries; N];
        let mut index = 0;
        while index < N {
            let is_family = index < Family::ALL.len();
            all[index] = if is_family {
                ContentKind::Map(Family::ALL[index])
            } else {
                more[index - Family::ALL.len()]
            };
            index += 1;
        }
        all
    }

    /// Returns the name, as used in tables, options and errors.
    pub const fn name(self) -> &'static str {
        match self {
            ContentKind::Map(family) => family.name(),
            ContentKind::Blueprint => "blueprint",
            ContentKind::Template => "template",
            ContentKind::NavGrid => "grid",
            ContentKind::Queries => "queries",
        }
    }

    /// Returns the kind called `name`.
    ///
    /// # Examples
    /// ```
    /// use wayforge_formats::ContentKind;
    /// for kind in ContentKind::ALL {
    ///     assert_eq!(ContentKind::from_name(kind.name()), Some(kind));
    /// }
    /// assert_eq!(ContentKind::from_name("unknown"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<ContentKind> {
        ContentKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for ContentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Content {
    /// Returns the kind of this content.
    pub fn kind(&self) -> ContentKind {
        match self {
            Content::Map(map) => ContentKind::Map(map.family()),
            Content::Blueprint(_) => ContentKind::Blueprint,
            Content::Template(_) => ContentKind::Template,
            Content::NavGrid(_) => ContentKind::NavGrid,
            Content::Queries(_) => ContentKind::Queries,
        }
    }
}

impl<M: Into<AnyMap>> From<M> for Content {
    fn from(map: M) -> Content {
        Content::Map(map.into())
    }
}
