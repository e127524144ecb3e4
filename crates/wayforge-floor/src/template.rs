//! Templates: floors made by hand, as rows of characters.

use super::config::Budget;
use super::map::{Content, Entity, EntityKind, Notes, TileKind, of_symbol, symbols};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge_core::grid::{Pos, Size, Symmetry};
use wayforge_core::{ConfigError, DecodeError, document};

/// A floor made by hand.
///
/// Rows hold `#` walls, `.` floor, `<` entrance, `>` exit, `+` doors, `^` traps, `$` chests, `~` water, and the entities
/// `e` enemy, `i` item, `r` relic, `n` npc; the legend adds characters of its own. Where several entrances or exits are
/// marked, one of each is used and the others are floor.
///
/// ```
/// use wayforge_floor::Template;
/// let template = Template::from_ascii("cell", "<..\n.n.\n..>\n");
/// assert!(template.check().is_empty());
/// let walled = Template::from_ascii("walled", "<.#\n.##\n##>\n");
/// assert!(walled.check()[0].contains("exit"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// Its name.
    pub id: String,
    /// Its rows, from the top.
    pub rows: Vec<String>,
    /// What further characters mean.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub legend: BTreeMap<String, Meaning>,
}

/// What a character of a template's legend stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Meaning {
    /// The kind of a tile or of an entity.
    pub kind: String,
    /// What is written into the entity's `data`; of a tile, into its `meta`.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub data: Notes,
    /// What is written into the `meta` of the tile, or of the tile that the entity stands on.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub meta: Notes,
}

/// The templates that every configuration can name.
const EMBEDDED: [(&str, &str); 3] = [
    ("shop", include_str!("templates/shop.json")),
    ("boss", include_str!("templates/boss.json")),
    ("rest", include_str!("templates/rest.json")),
];

/// What a character stands for, with the notes of its entity and of its tile.
type Symbol = (Content, Option<Arc<Notes>>, Option<Arc<Notes>>);

/// A template read into tiles and entities, not yet turned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) size: Size,
    pub(super) tiles: Vec<TileKind>,
    pub(super) meta: Vec<(Pos, Arc<Notes>)>,
    pub(super) entities: Vec<Entity>,
    pub(super) entrances: Vec<Pos>,
    pub(super) exits: Vec<Pos>,
}

/// One way to use a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) turn: Symmetry,
    /// Entrance and exit after turning.
    pub(super) entrance: Pos,
    pub(super) exit: Pos,
    /// The same before turning.
    pub(super) ends: [Pos; 2],
}

/// The most entrances, and the most exits, that a template may mark.
const MAX_ENDS: usize = 16;

impl Template {
    /// The templates that every configuration can name: shop, boss and rest.
    pub fn embedded() -> Vec<Template> {
        EMBEDDED.iter().filter_map(|(_, text)| document::parse("", text.as_bytes()).ok()).collect()
    }

    /// The embedded template called `id`.
    pub fn find(id: &str) -> Option<Template> {
        let (_, text) = EMBEDDED.iter().find(|(name, _)| *name == id)?;
        document::parse("", text.as_bytes()).ok()
    }

    /// The embedded template that `field` names; the error lists those that there are and says what else would work.
    pub(super) fn named(field: &str, id: &str, or: &str) -> Result<Template, ConfigError> {
        let remedy = || format!("use {}, {or}", Template::known());
        Template::find(id)
            .ok_or_else(|| ConfigError::new(field, format!("\"{id}\""), "no such template", remedy()))
    }

    /// The names of the embedded templates.
    pub(super) fn known() -> String {
        EMBEDDED.map(|(name, _)| name).join(", ")
    }

    /// Reads a template from JSON; the error says where it is wrong.
    pub fn from_json(text: &[u8]) -> Result<Template, DecodeError> {
        // Some editors put a mark of the encoding first.
        document::parse_object(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text))
    }

    /// A template from rows of characters; empty lines at the end are left out, and so are line ends and marks of any editor.
    ///
    /// ```
    /// use wayforge_floor::Template;
    /// let template = Template::from_ascii("cell", "\u{feff}<..\r\n.n.\r\n..>\r\n\r\n");
    /// assert_eq!(template.rows, ["<..", ".n.", "..>"]);
    /// ```
    pub fn from_ascii(id: &str, text: &str) -> Template {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let rows = text.trim_end().lines().map(|row| row.trim_end().to_owned()).collect();
        Template { id: id.to_owned(), rows, legend: BTreeMap::new() }
    }

    /// Columns and rows as they are written.
    pub fn size(&self) -> Result<Size, ConfigError> {
        self.plan().map(|plan| plan.size)
    }

    /// Reads the rows.
    pub(super) fn plan(&self) -> Result<Plan, ConfigError> {
        let reject = |field: String, value: &str, problem: String, remedy: &str| {
            Err(ConfigError::new(field, format!("\"{value}\""), problem, remedy))
        };
        if self.id.is_empty() || self.id.len() > 64 || self.id.chars().any(char::is_control) {
            let remedy = "use 1 to 64 printable characters";
            return reject("template.id".into(), &self.id, "no name".into(), remedy);
        }
        let width = self.rows.first().map_or(0, |row| row.chars().count());
        ConfigError::in_range("template.rows", self.rows.len().min(1 << 20) as i64, 3, 64)?;
        ConfigError::in_range("template.rows[0]", width.min(1 << 20) as i64, 3, 64)?;
        let size = Size::new(width as u16, self.rows.len() as u16);
        let mut plan = Plan { size, ..Plan::default() };
        let legend = self.read_legend()?;
        for (y, row) in (0..).zip(&self.rows) {
            if row.chars().count() != width {
                let problem = format!("has {} characters, the first row has {width}", row.chars().count());
                return reject(format!("template.rows[{y}]"), row, problem, "write rows of one length");
            }
            for (x, c) in (0..).zip(row.chars()) {
                let Some(symbol) = legend.get(&c) else {
                    let known: String = legend.keys().collect();
                    let remedy = format!("use {known}, or say in legend what it means");
                    let problem = format!("{c:?} means nothing");
                    return reject(format!("template.rows[{y}]"), row, problem, &remedy);
                };
                plan.put(Pos { x, y }, symbol);
            }
        }
        Entity::sort(&mut plan.entities);
        for (what, ends) in [("entrance <", &plan.entrances), ("exit >", &plan.exits)] {
            if ends.is_empty() || ends.len() > MAX_ENDS {
                let problem = format!("marks {} cells as {what}", ends.len());
                let remedy = format!("mark 1 to {MAX_ENDS}");
                return reject("template.rows".into(), &self.id, problem, &remedy);
            }
        }
        Ok(plan)
    }

    fn read_legend(&self) -> Result<BTreeMap<char, Symbol>, ConfigError> {
        let mut legend: BTreeMap<char, Symbol> =
            symbols().chars().filter_map(|c| Some((c, (of_symbol(c)?, None, None)))).collect();
        for (key, meaning) in &self.legend {
            let field = format!("template.legend.{key}");
            let mut chars = key.chars();
            let (Some(c), None) = (chars.next(), chars.next()) else {
                let remedy = "write one character";
                return Err(ConfigError::new(field, format!("\"{key}\""), "not one character", remedy));
            };
            let tile = TileKind::ALL.into_iter().find(|kind| kind.name() == meaning.kind);
            let entity = EntityKind::ALL.into_iter().find(|kind| kind.name() == meaning.kind);
            if tile.is_none() && entity.is_none() {
                let (tiles, entities) =
                    (TileKind::ALL.map(TileKind::name), EntityKind::ALL.map(EntityKind::name));
                let (field, value) = (format!("{field}.kind"), format!("\"{}\"", meaning.kind));
                let remedy = format!("use {}, {}", tiles.join(", "), entities.join(", "));
                return Err(ConfigError::new(field, value, "no such kind", remedy));
            }
            for (name, notes) in [("data", &meaning.data), ("meta", &meaning.meta)] {
                if names_time(notes) {
                    let problem = "stands outside the digest of documents";
                    let field = format!("{field}.{name}");
                    return Err(ConfigError::new(field, "generatedAt", problem, "use another name"));
                }
            }
            let notes = |notes: &Notes| (!notes.is_empty()).then(|| Arc::new(notes.clone()));
            let (mut data, mut meta) = (notes(&meaning.data), notes(&meaning.meta));
            if entity.is_none() && data.is_some() {
                if meta.is_some() {
                    let problem = format!("a tile of {} has one of them", meaning.kind);
                    let field = format!("{field}.data");
                    return Err(ConfigError::new(field, "beside meta", problem, "write all of it into meta"));
                }
                (data, meta) = (None, data);
            }
            let tile = tile.unwrap_or(TileKind::Floor);
            legend.insert(c, (Content { tile, entity }, data, meta));
        }
        Ok(legend)
    }
}

/// Whether some member, however deep, has the name that digests leave out.
fn names_time(notes: &Notes) -> bool {
    fn within(value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::Object(notes) => names_time(notes),
            serde_json::Value::Array(values) => values.iter().any(within),
            _ => false,
        }
    }
    notes.iter().any(|(name, value)| name == "generatedAt" || within(value))
}

impl Plan {
    fn put(&mut self, pos: Pos, (content, data, meta): &Symbol) {
        match content.tile {
            TileKind::Entrance => self.entrances.push(pos),
            TileKind::Exit => self.exits.push(pos),
            _ => {}
        }
        self.tiles.push(content.tile);
        let entity = content.entity.map(|kind| Entity { data: data.clone(), ..Entity::new(kind, pos) });
        self.entities.extend(entity);
        self.meta.extend(meta.clone().map(|notes| (pos, notes)));
    }

    /// How many things of a kind there are.
    pub(super) fn count(&self, budget: Budget) -> i64 {
        budget.count(&self.tiles, self.entities.iter().map(|entity| entity.kind)) as i64
    }

    /// Every way to use the template on a floor of `size`.
    pub(super) fn variants(&self, size: Size) -> Vec<Variant> {
        let turns = Symmetry::ALL.into_iter().filter(|turn| turn.size(self.size) == size);
        let ends = |turn: Symmetry| {
            let pairs = self.entrances.iter().flat_map(|&a| self.exits.iter().map(move |&b| [a, b]));
            pairs.map(move |ends| {
                let [entrance, exit] = ends.map(|pos| turn.apply(pos, self.size));
                Variant { turn, entrance, exit, ends }
            })
        };
        turns.flat_map(ends).collect()
    }

    /// The tile of a cell when one entrance and one exit are in use.
    pub(super) fn tile(&self, pos: Pos, ends: [Pos; 2]) -> TileKind {
        match self.tiles[self.size.index(pos)] {
            TileKind::Entrance | TileKind::Exit if !ends.contains(&pos) => TileKind::Floor,
            tile => tile,
        }
    }
}
