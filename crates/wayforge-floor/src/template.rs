//! Templates: hand-made floors as rows of symbols.

use super::config::Budget;
use super::map::{
    Content, Entity, EntityKind, Metadata, TileKind, non_empty, parse_symbol, symbols,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge_core::grid::{Pos, Size, Symmetry};
use wayforge_core::{ConfigError, DecodeError, document};

/// A hand-made floor.
///
/// Rows contain `#` walls, `.` floor, `<` entrance, `>` exit, `+` doors, `^` traps, `$` chests, `~`
/// water, and the entities `e` enemy, `i` item, `r` relic, `n` npc. The legend defines further
/// symbols. If several entrances or exits are marked, one of each is used and the others become
/// floor.
///
/// # Examples
/// ```
/// use wayforge_floor::Template;
/// let template = Template::from_ascii("cell", "<..\n.n.\n..>\n");
/// assert!(template.lint().is_empty());
/// let walled = Template::from_ascii("walled", "<.#\n.##\n##>\n");
/// assert!(walled.lint()[0].contains("exit"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// Name of the template.
    pub id: String,
    /// Rows from the top.
    pub rows: Vec<String>,
    /// Meanings of further symbols.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub legend: BTreeMap<String, LegendEntry>,
}

/// Meaning of a symbol in a template's legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LegendEntry {
    /// Kind of tile or entity.
    pub kind: String,
    /// Written to the entity's `data`, or for a tile to its `meta`.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub data: Metadata,
    /// Written to the `meta` of the tile, or of the tile under the entity.
    #[serde(default, skip_serializing_if = "Metadata::is_empty")]
    pub meta: Metadata,
}

/// Embedded templates by id.
const EMBEDDED: [(&str, &str); 3] = [
    ("shop", include_str!("templates/shop.json")),
    ("boss", include_str!("templates/boss.json")),
    ("rest", include_str!("templates/rest.json")),
];

/// Content of a symbol, with the metadata of its entity and of its tile.
type Symbol = (Content, Option<Arc<Metadata>>, Option<Arc<Metadata>>);

/// A parsed template in its original orientation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) size: Size,
    pub(super) tiles: Vec<TileKind>,
    pub(super) meta: Vec<(Pos, Arc<Metadata>)>,
    pub(super) entities: Vec<Entity>,
    pub(super) entrances: Vec<Pos>,
    pub(super) exits: Vec<Pos>,
}

/// A template transformed by a symmetry, with one entrance and one exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Variant {
    pub(super) symmetry: Symmetry,
    /// Entrance after the symmetry is applied.
    pub(super) entrance: Pos,
    pub(super) exit: Pos,
    /// Entrance and exit in the original orientation.
    pub(super) ends: [Pos; 2],
}

/// Maximum number of entrances, and of exits, that a template may mark.
const MAX_ENDS: usize = 16;

impl Template {
    /// Returns the embedded templates: shop, boss and rest.
    pub fn embedded() -> Vec<Template> {
        EMBEDDED.iter().filter_map(|(_, text)| document::parse("", text.as_bytes()).ok()).collect()
    }

    /// Finds an embedded template.
    pub fn find(id: &str) -> Option<Template> {
        let (_, text) = EMBEDDED.iter().find(|(name, _)| *name == id)?;
        document::parse("", text.as_bytes()).ok()
    }

    /// Finds the embedded template that `field` names.
    ///
    /// # Errors
    /// [`ConfigError`] if there is none. Its remedy lists the embedded templates, then `or`.
    pub(super) fn find_or_error(field: &str, id: &str, or: &str) -> Result<Template, ConfigError> {
        let remedy = || format!("use {}, {or}", Template::embedded_names());
        Template::find(id).ok_or_else(|| {
            ConfigError::new(field, format!("\"{id}\""), "no such template", remedy())
        })
    }

    /// Lists the names of the embedded templates.
    pub(super) fn embedded_names() -> String {
        EMBEDDED.map(|(name, _)| name).join(", ")
    }

    /// Parses a template from JSON.
    ///
    /// # Errors
    /// [`DecodeError`] with the path of the first invalid member.
    pub fn from_json(text: &[u8]) -> Result<Template, DecodeError> {
        // Some editors write a byte order mark.
        document::parse_object(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text))
    }

    /// Creates a template from rows of symbols.
    ///
    /// Ignores a byte order mark, trailing white space and empty lines at the end.
    ///
    /// # Examples
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

    /// Returns width and height in the original orientation.
    ///
    /// # Errors
    /// [`ConfigError`] if the template cannot be parsed.
    pub fn size(&self) -> Result<Size, ConfigError> {
        self.plan().map(|plan| plan.size)
    }

    /// Returns the tile and the entity that a character means in the template's own legend, or
    /// else in the standard one.
    ///
    /// # Examples
    /// ```
    /// use wayforge_floor::{EntityKind, Template, TileKind};
    /// let boss = Template::find("boss").unwrap();
    /// assert_eq!(boss.kinds_of('B'), (None, Some(EntityKind::Enemy)));
    /// assert_eq!(boss.kinds_of('#'), (Some(TileKind::Wall), None));
    /// ```
    pub fn kinds_of(&self, c: char) -> (Option<TileKind>, Option<EntityKind>) {
        let custom = self.legend.get(&c.to_string()).map(|entry| entry.kind.as_str());
        let means = |symbol: char, name: &str| custom.map_or(symbol == c, |custom| name == custom);
        let tile = TileKind::ALL.into_iter().find(|kind| means(kind.symbol(), kind.name()));
        let entity = EntityKind::ALL.into_iter().find(|kind| means(kind.symbol(), kind.name()));
        (tile, entity)
    }

    /// Parses the rows.
    ///
    /// # Errors
    /// [`ConfigError`] for the first invalid member.
    pub(super) fn plan(&self) -> Result<Plan, ConfigError> {
        let reject = |field: String, value: &str, problem: String, remedy: &str| {
            Err(ConfigError::new(field, format!("\"{value}\""), problem, remedy))
        };
        if self.id.is_empty() || self.id.len() > 64 || self.id.chars().any(char::is_control) {
            let remedy = "use 1 to 64 printable characters";
            return reject("template.id".into(), &self.id, "not a valid name".into(), remedy);
        }
        let width = self.rows.first().map_or(0, |row| row.chars().count());
        ConfigError::in_range("template.rows", self.rows.len().min(1 << 20) as i64, 3, 64)?;
        ConfigError::in_range("template.rows[0]", width.min(1 << 20) as i64, 3, 64)?;
        let size = Size::new(width as u16, self.rows.len() as u16);
        let mut plan = Plan { size, ..Plan::default() };
        let legend = self.read_legend()?;
        for (y, row) in (0..).zip(&self.rows) {
            if row.chars().count() != width {
                let problem =
                    format!("has {} characters, the first row has {width}", row.chars().count());
                return reject(
                    format!("template.rows[{y}]"),
                    row,
                    problem,
                    "write rows of equal length",
                );
            }
            for (x, c) in (0..).zip(row.chars()) {
                let Some(symbol) = legend.get(&c) else {
                    let symbols: String = legend.keys().collect();
                    let remedy = format!("use {symbols}, or define it in legend");
                    let problem = format!("unknown symbol {c:?}");
                    return reject(format!("template.rows[{y}]"), row, problem, &remedy);
                };
                plan.put(Pos { x, y }, symbol);
            }
        }
        Entity::sort(&mut plan.entities);
        for (name, ends) in [("entrance <", &plan.entrances), ("exit >", &plan.exits)] {
            if ends.is_empty() || ends.len() > MAX_ENDS {
                let problem = format!("marks {} cells as {name}", ends.len());
                let remedy = format!("mark 1 to {MAX_ENDS}");
                return reject("template.rows".into(), &self.id, problem, &remedy);
            }
        }
        Ok(plan)
    }

    fn read_legend(&self) -> Result<BTreeMap<char, Symbol>, ConfigError> {
        let mut legend: BTreeMap<char, Symbol> =
            symbols().chars().filter_map(|c| Some((c, (parse_symbol(c)?, None, None)))).collect();
        for (key, entry) in &self.legend {
            let field = format!("template.legend.{key}");
            let mut chars = key.chars();
            let (Some(c), None) = (chars.next(), chars.next()) else {
                let remedy = "write one character";
                return Err(ConfigError::new(
                    field,
                    format!("\"{key}\""),
                    "not one character",
                    remedy,
                ));
            };
            let (tile, entity) = self.kinds_of(c);
            if tile.is_none() && entity.is_none() {
                let (tiles, entities) =
                    (TileKind::ALL.map(TileKind::name), EntityKind::ALL.map(EntityKind::name));
                let (field, value) = (format!("{field}.kind"), format!("\"{}\"", entry.kind));
                let remedy = format!("use {}, {}", tiles.join(", "), entities.join(", "));
                return Err(ConfigError::new(field, value, "no such kind", remedy));
            }
            for (name, metadata) in [("data", &entry.data), ("meta", &entry.meta)] {
                if contains_generated_at(metadata) {
                    let problem = "is not part of the digest of documents";
                    let field = format!("{field}.{name}");
                    return Err(ConfigError::new(
                        field,
                        "generatedAt",
                        problem,
                        "use another name",
                    ));
                }
            }
            let (mut data, mut meta) = (non_empty(&entry.data), non_empty(&entry.meta));
            if entity.is_none() && data.is_some() {
                if meta.is_some() {
                    let problem = format!("a {} tile has data or meta, not both", entry.kind);
                    let field = format!("{field}.data");
                    return Err(ConfigError::new(
                        field,
                        "given with meta",
                        problem,
                        "move everything to meta",
                    ));
                }
                (data, meta) = (None, data);
            }
            let tile = tile.unwrap_or(TileKind::Floor);
            legend.insert(c, (Content { tile, entity }, data, meta));
        }
        Ok(legend)
    }
}

/// Returns whether a member at any depth is named `generatedAt`, which digests exclude.
fn contains_generated_at(metadata: &Metadata) -> bool {
    fn value_contains(value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::Object(metadata) => contains_generated_at(metadata),
            serde_json::Value::Array(values) => values.iter().any(value_contains),
            _ => false,
        }
    }
    metadata.iter().any(|(name, value)| name == "generatedAt" || value_contains(value))
}

impl Plan {
    fn put(&mut self, pos: Pos, (content, data, meta): &Symbol) {
        match content.tile {
            TileKind::Entrance => self.entrances.push(pos),
            TileKind::Exit => self.exits.push(pos),
            _ => {}
        }
        self.tiles.push(content.tile);
        let entity =
            content.entity.map(|kind| Entity { data: data.clone(), ..Entity::new(kind, pos) });
        self.entities.extend(entity);
        self.meta.extend(meta.clone().map(|metadata| (pos, metadata)));
    }

    /// Counts the objects of a budget.
    pub(super) fn count(&self, budget: Budget) -> i64 {
        budget.count(&self.tiles, self.entities.iter().map(|entity| entity.kind)) as i64
    }

    /// Returns every variant of the template that fits a floor of `size`.
    pub(super) fn variants(&self, size: Size) -> Vec<Variant> {
        let symmetries =
            Symmetry::ALL.into_iter().filter(|symmetry| symmetry.size(self.size) == size);
        let ends = |symmetry: Symmetry| {
            let pairs =
                self.entrances.iter().flat_map(|&a| self.exits.iter().map(move |&b| [a, b]));
            pairs.map(move |ends| {
                let [entrance, exit] = ends.map(|pos| symmetry.apply(pos, self.size));
                Variant { symmetry, entrance, exit, ends }
            })
        };
        symmetries.flat_map(ends).collect()
    }

    /// Returns the tile of a cell if only the given entrance and exit are used.
    pub(super) fn tile(&self, pos: Pos, ends: [Pos; 2]) -> TileKind {
        match self.tiles[self.size.index(pos)] {
            TileKind::Entrance | TileKind::Exit if !ends.contains(&pos) => TileKind::Floor,
            tile => tile,
        }
    }
}
