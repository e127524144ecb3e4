//! The floor itself: plain data, and how it is written.

use super::config::Budget;
use super::{Spec, wire};
use std::fmt;
use std::sync::Arc;
use wayforge_core::document::{self, Document};
use wayforge_core::grid::{Pos, Size, Symmetry};
use wayforge_core::{DecodeError, MapFamily, Seed};

/// The algorithm of single floors.
pub const ALGORITHM: &str = "floor.module/1";

/// What stands in `generatedAt` if no caller says when a floor was made: no clock may reach a map.
pub const NO_TIME: &str = "1970-01-01T00:00:00.000Z";

/// What a designer says about one tile or entity beyond its kind; a JSON object.
pub type Notes = serde_json::Map<String, serde_json::Value>;

/// One floor: tiles, entities, entrance and exit (`MapFloor` in the document that describes it).
///
/// It can also hold a floor that breaks its rules, so that [`validate`](super::validate) has something to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Floor {
    /// The seed it was made from.
    pub seed: Seed,
    /// The configuration it was made from.
    pub spec: Spec,
    /// The tiles in reading order.
    pub tiles: Vec<TileKind>,
    /// What designers say about single tiles, by cell.
    pub meta: Vec<(Pos, Arc<Notes>)>,
    /// The entities: by kind, and each kind in reading order.
    pub entities: Vec<Entity>,
    /// Where the way begins.
    pub entrance: Pos,
    /// Where the way ends.
    pub exit: Pos,
    /// A shortest way from entrance to exit: the proof that there is one.
    pub path: Vec<Pos>,
    /// What made this floor.
    pub origin: Origin,
    /// When it was made, as the caller says; not part of the digest.
    pub generated_at: String,
}

/// What a tile is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum TileKind {
    Floor,
    #[default]
    Wall,
    Entrance,
    Exit,
    Door,
    Trap,
    Chest,
    Water,
}

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum EntityKind {
    Enemy,
    Item,
    Relic,
    Npc,
}

/// An entity on a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its id, where it differs from its kind and its number among that kind: `enemy-1`.
    pub id: Option<Arc<str>>,
    /// What it is.
    pub kind: EntityKind,
    /// Where it stands.
    pub pos: Pos,
    /// What a designer or a game says about it.
    pub data: Option<Arc<Notes>>,
}

impl Entity {
    /// Sorts entities into their order in a floor: by kind, then by position.
    pub(crate) fn sort(entities: &mut [Entity]) {
        entities.sort_by_key(|entity| (entity.kind, entity.pos));
    }

    /// An entity without data, under its usual id.
    pub fn new(kind: EntityKind, pos: Pos) -> Entity {
        Entity { id: None, kind, pos, data: None }
    }
}

/// What made a floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Origin {
    /// It was drawn.
    Carve {
        /// Which attempt was accepted, from 0.
        attempt: u32,
    },
    /// Every attempt failed: the shape is the one that proved the configuration possible.
    Safe {
        /// How many attempts failed.
        attempts: u32,
    },
    /// It is a template's.
    Template {
        /// How the template was turned.
        turn: Symmetry,
    },
    /// It was read from a `MapFloor` that does not say: another generator or a person made it.
    Given,
    /// Nothing made it yet.
    #[default]
    #[serde(skip)]
    Blank,
}

impl Floor {
    /// A floor that nothing was generated on yet.
    pub(super) fn blank(seed: Seed, spec: &Spec) -> Floor {
        Floor {
            seed,
            spec: spec.clone(),
            tiles: Vec::new(),
            meta: Vec::new(),
            entities: Vec::new(),
            entrance: Pos::default(),
            exit: Pos::default(),
            path: Vec::new(),
            origin: Origin::Blank,
            generated_at: NO_TIME.to_owned(),
        }
    }

    /// Columns and rows.
    pub fn size(&self) -> Size {
        self.spec.size()
    }

    /// The tile of a cell; beyond the floor there are walls.
    pub fn tile(&self, pos: Pos) -> TileKind {
        let size = self.size();
        if !size.contains(pos) {
            return TileKind::Wall;
        }
        self.tiles.get(size.index(pos)).copied().unwrap_or_default()
    }

    /// The entity on a cell.
    pub fn entity(&self, pos: Pos) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.pos == pos)
    }

    /// What a cell holds, as templates write it: its entity, or its tile.
    pub(super) fn symbol(&self, pos: Pos) -> char {
        self.entity(pos).map_or(self.tile(pos).symbol(), |entity| entity.kind.symbol())
    }

    /// How many things of a kind there are.
    pub fn count(&self, budget: Budget) -> usize {
        budget.count(&self.tiles, self.entities.iter().map(|entity| entity.kind))
    }

    /// Puts a thing on a cell.
    pub(super) fn put(&mut self, pos: Pos, budget: Budget) {
        let at = self.size().index(pos);
        budget.tile().into_iter().for_each(|tile| self.tiles[at] = tile);
        self.entities.extend(budget.entity().map(|kind| Entity::new(kind, pos)));
    }

    /// The entities with their ids.
    pub fn ids(&self) -> impl Iterator<Item = (String, &Entity)> {
        let mut numbers = [0_u32; 4];
        self.entities.iter().map(move |entity| {
            numbers[entity.kind as usize] += 1;
            let usual = || format!("{}-{}", entity.kind.name(), numbers[entity.kind as usize]);
            (entity.id.as_deref().map_or_else(usual, str::to_owned), entity)
        })
    }

    /// Sets the ids of the entities in order; an id that is the usual one needs no memory.
    pub(super) fn set_ids<'a>(&mut self, ids: impl Iterator<Item = &'a str>) {
        let own: Vec<Option<Arc<str>>> =
            self.ids().zip(ids).map(|((usual, _), id)| (usual != id).then(|| Arc::from(id))).collect();
        self.entities.iter_mut().zip(own).for_each(|(entity, id)| entity.id = id);
    }

    /// The part of the floor that seed and configuration decide: without time, `meta` and `data`.
    pub fn without_metadata(mut self) -> Floor {
        NO_TIME.clone_into(&mut self.generated_at);
        self.meta.clear();
        self.entities.iter_mut().for_each(|entity| entity.data = None);
        self
    }

    /// Sets `generatedAt`, which is not part of the digest. Control characters are removed, and text is cut at 64 characters.
    pub fn set_generated_at(&mut self, time: &str) {
        self.generated_at = time.chars().filter(|c| !c.is_control()).take(64).collect();
    }

    /// The document that keeps this floor: canonical bytes with a digest.
    ///
    /// ```
    /// use wayforge_floor::{self as floor, Floor};
    /// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
    /// let text = floor.to_document().to_text();
    /// assert_eq!(Floor::decode(text.as_bytes())?, floor);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_document(&self) -> Document {
        document::seal(ALGORITHM, &self.seed, self.spec.config(), &wire::of(self))
    }

    /// Reads a document strictly: its shape, its configuration, its form and its digest must all be right.
    ///
    /// Whether the floor inside keeps its rules is for [`validate`](super::validate) to say.
    pub fn decode(bytes: &[u8]) -> Result<Floor, DecodeError> {
        MapFamily::decode(bytes)
    }

    /// Reads the floor out of a document whose digest the caller looks after.
    pub fn from_document(document: &Document) -> Result<Floor, DecodeError> {
        wire::read(document)
    }
}

/// The floor as rows of characters, as templates write them.
impl fmt::Display for Floor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.size().height).try_for_each(|y| {
            let row: String = (0..self.size().width).map(|x| self.symbol(Pos { x, y })).collect();
            writeln!(f, "{row}")
        })
    }
}

/// What a cell holds: a tile, and what stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) tile: TileKind,
    pub(super) entity: Option<EntityKind>,
}

impl Content {
    /// The name of the entity, or of the tile without one.
    pub(super) fn name(self) -> &'static str {
        self.entity.map_or(self.tile.name(), EntityKind::name)
    }
}

/// What a character of templates and pins stands for.
pub(super) fn of_symbol(symbol: char) -> Option<Content> {
    let tile = TileKind::ALL.into_iter().find(|kind| kind.symbol() == symbol);
    let entity = EntityKind::ALL.into_iter().find(|kind| kind.symbol() == symbol);
    (tile.is_some() || entity.is_some()).then(|| Content { tile: tile.unwrap_or(TileKind::Floor), entity })
}

/// The characters that [`of_symbol`] knows.
pub(super) fn symbols() -> String {
    TileKind::ALL.map(TileKind::symbol).into_iter().chain(EntityKind::ALL.map(EntityKind::symbol)).collect()
}

impl TileKind {
    /// All kinds.
    pub const ALL: [TileKind; 8] = {
        use TileKind::*;
        [Floor, Wall, Entrance, Exit, Door, Trap, Chest, Water]
    };

    /// Whether a player can step on it: everything but walls and water.
    #[inline]
    pub const fn walkable(self) -> bool {
        !matches!(self, TileKind::Wall | TileKind::Water)
    }

    /// Whether it stops the eye: walls and doors do.
    pub const fn blocks_vision(self) -> bool {
        matches!(self, TileKind::Wall | TileKind::Door)
    }

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        ["floor", "wall", "entrance", "exit", "door", "trap", "chest", "water"][self as usize]
    }

    /// Its character in templates and ASCII pictures.
    pub const fn symbol(self) -> char {
        ['.', '#', '<', '>', '+', '^', '$', '~'][self as usize]
    }
}

impl EntityKind {
    /// All kinds, in the order that floors list them.
    pub const ALL: [EntityKind; 4] =
        [EntityKind::Enemy, EntityKind::Item, EntityKind::Relic, EntityKind::Npc];

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        ["enemy", "item", "relic", "npc"][self as usize]
    }

    /// Its character in templates and ASCII pictures.
    pub const fn symbol(self) -> char {
        ['e', 'i', 'r', 'n'][self as usize]
    }

    /// The budget it counts towards.
    pub const fn budget(self) -> Budget {
        [Budget::Enemy, Budget::Item, Budget::Relic, Budget::Npc][self as usize]
    }
}
