//! What files hold: maps of all families, drawings by hand, water, queries.

use crate::queries::Asked;
use std::fmt;
use wayforge::floor::Template;
use wayforge::level::Blueprint;
use wayforge::nav::Water;
use wayforge::{AnyMap, Family};

/// What a file can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum What {
    /// A generated map of a family.
    Map(Family),
    /// A level drawn by hand: symbols and nothing else.
    Blueprint,
    /// A floor drawn by hand.
    Template,
    /// Water and land.
    Water,
    /// Queries for shortest paths over water.
    Queries,
}

/// What was read, or is to be written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Content {
    Map(AnyMap),
    Blueprint(Blueprint),
    Template(Template),
    Water(Water),
    Queries(Vec<Asked>),
}

impl What {
    /// All of them, the families first.
    pub const ALL: [What; Family::ALL.len() + 4] =
        What::families_and(&[What::Blueprint, What::Template, What::Water, What::Queries]);

    /// The maps of all families, and `more`, which has `N` less the number of families.
    pub(crate) const fn families_and<const N: usize>(more: &[What]) -> [What; N] {
        let mut all = [What::Queries; N];
        let mut at = 0;
        while at < N {
            let family = at < Family::ALL.len();
            all[at] = if family { What::Map(Family::ALL[at]) } else { more[at - Family::ALL.len()] };
            at += 1;
        }
        all
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            What::Map(family) => family.name(),
            What::Blueprint => "blueprint",
            What::Template => "template",
            What::Water => "water",
            What::Queries => "queries",
        }
    }

    /// The one called `name`.
    ///
    /// ```
    /// use wayforge_formats::What;
    /// assert!(What::ALL.iter().all(|what| What::from_name(what.name()) == Some(*what)));
    /// assert_eq!(What::from_name("cheese"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<What> {
        What::ALL.into_iter().find(|what| what.name() == name)
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Content {
    /// What it is.
    pub fn what(&self) -> What {
        match self {
            Content::Map(map) => What::Map(map.family()),
            Content::Blueprint(_) => What::Blueprint,
            Content::Template(_) => What::Template,
            Content::Water(_) => What::Water,
            Content::Queries(_) => What::Queries,
        }
    }
}

impl<M: Into<AnyMap>> From<M> for Content {
    fn from(map: M) -> Content {
        Content::Map(map.into())
    }
}
