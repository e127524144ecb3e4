//! What files hold: maps of all families, drawings by hand, water, queries.

use crate::queries::Asked;
use std::fmt;
use wayforge::AnyMap;
use wayforge::act::ActMap;
use wayforge::floor::{Floor, Template};
use wayforge::level::{Blueprint, Level};
use wayforge::nav::Water;
use wayforge::tower::Tower;

/// What a file can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// An act map.
    Act,
    /// A level with its proof.
    Level,
    /// A level drawn by hand: symbols and nothing else.
    Blueprint,
    /// A floor.
    Floor,
    /// A floor drawn by hand.
    Template,
    /// A tower of floors.
    Tower,
    /// Water and land.
    Water,
    /// Queries for ways over water.
    Queries,
}

/// What was read, or is to be written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Content {
    Act(ActMap),
    Level(Box<Level>),
    Blueprint(Blueprint),
    Floor(Box<Floor>),
    Template(Template),
    Tower(Tower),
    Water(Water),
    Queries(Vec<Asked>),
}

impl What {
    /// All of them.
    pub const ALL: [What; 8] = [
        What::Act,
        What::Level,
        What::Blueprint,
        What::Floor,
        What::Template,
        What::Tower,
        What::Water,
        What::Queries,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            What::Act => "act",
            What::Level => "level",
            What::Blueprint => "blueprint",
            What::Floor => "floor",
            What::Template => "template",
            What::Tower => "tower",
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
            Content::Act(_) => What::Act,
            Content::Level(_) => What::Level,
            Content::Blueprint(_) => What::Blueprint,
            Content::Floor(_) => What::Floor,
            Content::Template(_) => What::Template,
            Content::Tower(_) => What::Tower,
            Content::Water(_) => What::Water,
            Content::Queries(_) => What::Queries,
        }
    }
}

impl From<AnyMap> for Content {
    fn from(map: AnyMap) -> Content {
        match map {
            AnyMap::Act(map) => Content::Act(*map),
            AnyMap::Level(level) => Content::Level(level),
            AnyMap::Floor(floor) => Content::Floor(floor),
            AnyMap::Tower(tower) => Content::Tower(*tower),
        }
    }
}
