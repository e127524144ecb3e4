//! `MapFloor` without an envelope, as declared by the floor module specification.
//!
//! The specification's TypeScript interface allows floors that no generator produces: fractional
//! coordinates, tiles in any order, duplicate ids. [`MapFloor`] can represent all of them.
//! [`MapFloor::validate`] reports every violation and never fails; [`MapFloor::to_floor`] converts
//! a well-formed floor.

use super::config::{Budget, Config};
use super::map::{
    DEFAULT_GENERATED_AT, Entity, EntityKind, Floor, Metadata, Origin, TileKind, non_empty,
};
use super::spec::Spec;
use super::stamp::find_shortest_path;
use super::validate::{INVALID_POS, ValidationResult, Validator, rules};
use super::wire;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{DecodeError, InputError, Place, Report, Rule, Seed, document};

/// Maximum width and height.
const MAX_SIDE: u16 = 64;

/// A floor as the interface `MapFloor` of the specification describes it, valid or not.
///
/// The members `path` (a shortest path), `origin` (how the floor was generated), `config` (the
/// configuration) and `version` are optional. Other members are ignored.
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, MapFloor, compat, rules};
/// let floor = compat::generate_floor(7, &floor::Config::default())?;
/// let mut value: serde_json::Value = serde_json::from_str(&compat::serialize_floor(&floor))?;
/// value["entities"][0]["data"] = serde_json::json!({"hp": 3});
/// assert!(MapFloor::from_value(value.clone()).validate().is_valid());
/// value["entrance"]["x"] = serde_json::json!(-1.5);
/// assert!(!MapFloor::from_value(value).validate().report.passes(rules::WHOLE_NUMBERS));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MapFloor {
    value: Value,
    /// Numbers that JSON cannot represent, by the paths of their members.
    non_finite: BTreeMap<String, String>,
}

impl MapFloor {
    /// Wraps any value. [`validate`](Self::validate) reports its violations.
    pub fn from_value(value: Value) -> MapFloor {
        MapFloor { value, non_finite: BTreeMap::new() }
    }

    /// Adds numbers that JSON cannot represent, such as `NaN`, as pairs of path and text.
    ///
    /// These members have the right type but a wrong value: they violate [`rules::WHOLE_NUMBERS`].
    /// The JSON values at these paths are ignored.
    ///
    /// # Examples
    /// ```
    /// use wayforge_floor::{self as floor, MapFloor, compat, rules};
    /// let floor = compat::generate_floor(7, &floor::Config::default())?;
    /// let mut value: serde_json::Value = serde_json::from_str(&compat::serialize_floor(&floor))?;
    /// value["exit"]["x"] = serde_json::Value::Null;
    /// let non_finite = [("exit.x".to_owned(), "NaN".to_owned())];
    /// let report = MapFloor::from_value(value).with_non_finite(non_finite).validate().report;
    /// assert_eq!(report.violations[0].why, "NaN is not a whole number from 0 to 65534");
    /// assert!(report.passes(rules::MEMBER_TYPES));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_non_finite(
        mut self,
        numbers: impl IntoIterator<Item = (String, String)>,
    ) -> MapFloor {
        self.non_finite.extend(numbers);
        self
    }

    /// Parses any JSON value.
    ///
    /// # Errors
    /// [`DecodeError`] if the text is not JSON.
    pub fn from_json(text: &[u8]) -> Result<MapFloor, DecodeError> {
        document::parse("", text).map(MapFloor::from_value)
    }

    /// Parses a floor without an envelope: an object with `tiles` or `entities`, without `format`.
    ///
    /// Returns `Ok(None)` for any other text.
    ///
    /// # Errors
    /// [`DecodeError`] with the path and position of the first fault.
    pub fn from_bare_json(text: &[u8]) -> Result<Option<MapFloor>, DecodeError> {
        #[derive(Deserialize)]
        struct Members {
            format: Option<IgnoredAny>,
            tiles: Option<IgnoredAny>,
            entities: Option<IgnoredAny>,
        }
        match serde_json::from_slice(text) {
            Ok(Members { format: None, tiles, entities })
                if tiles.is_some() || entities.is_some() =>
            {
                MapFloor::from_json(text).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Returns `seed` if it is a string.
    pub fn seed(&self) -> Option<&str> {
        self.value.get("seed").and_then(Value::as_str)
    }

    /// Returns the unparsed configuration of the floor.
    pub fn config(&self) -> Option<&Value> {
        self.value.get("config")
    }

    /// Validates the floor and reports every violation. Accepts any value.
    ///
    /// Without `config`, checks the rules of the specification. With `config`, also checks budgets
    /// and path length. With `config`, `path` and `origin`, checks every rule of floors.
    ///
    /// # Complexity
    /// O(tiles * (1 + doors)), plus the cost of [`Config::resolve`] if there is a `config`.
    pub fn validate(&self) -> ValidationResult {
        let parsed = ParsedFloor::new(self);
        let validate = |floor: &Floor| Validator::default().report(floor, parsed.has_spec);
        let mut result = parsed.floor.as_ref().map(validate).unwrap_or_default();
        for violation in &mut result.report.violations {
            // Unusable coordinates are reported under their member.
            if violation.place == Place::Cell(INVALID_POS) {
                violation.place = Place::Map;
            }
        }
        let mut report = parsed.report;
        report.append(result.report);
        ValidationResult { report, ..result }
    }

    /// Checks that every member has the type given by the specification.
    ///
    /// # Errors
    /// [`DecodeError`] for the first member of another type.
    pub fn check_types(&self) -> Result<(), DecodeError> {
        reject_first(&ParsedFloor::new(self).report, &[rules::MEMBER_TYPES])
    }

    /// Converts a well-formed floor.
    ///
    /// Without `config`, the configuration is derived from the floor's objects. Without `path`, a
    /// shortest path is computed. Without `origin` or `path`, the origin is [`Origin::Given`].
    ///
    /// # Errors
    /// [`DecodeError`] for the first member that is missing, has another type or an unusable value,
    /// or for an invalid configuration.
    pub fn to_floor(&self) -> Result<Floor, DecodeError> {
        let parsed = ParsedFloor::new(self);
        reject_first(&parsed.report, &MEMBER_RULES)?;
        let seed: Seed = self.seed().unwrap_or_default().parse().map_err(|error: InputError| {
            DecodeError::malformed("seed", format!("{}; {}", error.problem, error.remedy))
        })?;
        // Without a size, the member rules reject the value above.
        let no_size = || DecodeError::malformed("width", "unknown");
        let mut floor = Floor { seed, ..parsed.floor.ok_or_else(no_size)? };
        let (size, cells) = (floor.size(), floor.size().cells());
        if floor.tiles.len() != cells {
            let message = format!("{} tiles, a floor of {size} has {cells}", floor.tiles.len());
            return Err(DecodeError::malformed("tiles", message));
        }
        for (name, end) in [("entrance", floor.entrance), ("exit", floor.exit)] {
            if !size.contains(end) {
                return Err(DecodeError::malformed(
                    name,
                    format!("{end} is outside a floor of {size}"),
                ));
            }
        }
        if !parsed.has_spec {
            floor.spec = config_for(&floor).resolve()?;
        }
        if floor.path.is_empty() {
            let open = |pos: Pos| floor.tile(pos).is_walkable();
            floor.path = find_shortest_path(size, [floor.entrance, floor.exit], &open, &|_| false);
        }
        Ok(floor)
    }
}

/// Writes a floor with its configuration as one line of JSON without an envelope.
pub(super) fn write(floor: &Floor) -> String {
    #[derive(Serialize)]
    struct BareFloor<'a> {
        #[serde(flatten)]
        floor: wire::WireFloor,
        config: &'a Config,
    }
    // Serialising plain values to memory cannot fail.
    let bare = BareFloor { floor: wire::from_floor(floor), config: floor.spec.config() };
    serde_json::to_string(&bare).unwrap_or_default()
}

/// Returns the first violation of `rules` as an error.
fn reject_first(report: &Report, rules: &[Rule]) -> Result<(), DecodeError> {
    let first = report.violations.iter().find(|violation| rules.contains(&violation.rule));
    first.map_or(Ok(()), |violation| {
        let path = if let Place::Member(path) = &violation.place { path } else { "document" };
        Err(DecodeError::malformed(path, violation.why.as_str()))
    })
}

/// Returns a configuration that the floor satisfies.
fn config_for(floor: &Floor) -> Config {
    let size = floor.size();
    let mut config = Config {
        width: Some(size.width.into()),
        height: Some(size.height.into()),
        min_path_length: Some(0),
        ..Config::default()
    };
    for budget in Budget::ALL {
        *config.budget_mut(budget) = Some(floor.count(budget) as i64);
    }
    config
}

/// The readable part of a value.
struct ParsedFloor {
    /// Report on the rules for single members.
    report: Report,
    /// The floor, as far as it is readable; `None` if its size is unknown.
    floor: Option<Floor>,
    /// Whether the floor has a valid configuration of its own.
    has_spec: bool,
}

impl ParsedFloor {
    fn new(MapFloor { value, non_finite }: &MapFloor) -> ParsedFloor {
        let mut faults = Faults { non_finite: non_finite.clone(), ..Faults::default() };
        let no_members = Map::new();
        let members = faults.object(value, "").map_or(&no_members, |object| object.members);
        let object = &Object { members, path: String::new() };
        let [width, height] =
            ["width", "height"].map(|name| faults.integer(object, name, 1, MAX_SIDE));
        let size = width.zip(height).map(|(width, height)| Size::new(width, height));
        let seed = faults.text(object, "seed").map_or_else(Seed::default, Seed::from_text);
        let (tiles, meta) = read_tiles(&mut faults, object, width);
        let (entities, ids) = read_entities(&mut faults, object);
        let [entrance, exit] = ["entrance", "exit"].map(|name| faults.pos(object, name));
        let generated_at =
            faults.text(object, "generatedAt").unwrap_or(DEFAULT_GENERATED_AT).to_owned();
        if members.contains_key("version") {
            faults.text(object, "version");
        }
        let path: Option<Vec<Pos>> = members.contains_key("path").then(|| {
            let steps = faults.list(object, "path");
            steps
                .iter()
                .enumerate()
                .map(|(index, pos)| faults.pos_at(pos, &format!("path[{index}]")))
                .collect()
        });
        let origin = faults.parsed::<Origin>(members, "origin");
        let spec = read_config(&mut faults, members, size);
        let has_spec = spec.is_some();
        let floor = size.map(|size| {
            let meta = meta.into_iter().filter(|(index, _)| *index < size.cells());
            let mut floor = Floor {
                tiles,
                meta: meta.map(|(index, metadata)| (size.pos(index), metadata)).collect(),
                entities,
                entrance,
                exit,
                origin: origin.filter(|_| path.is_some()).unwrap_or(Origin::Given),
                path: path.unwrap_or_default(),
                generated_at,
                ..Floor::blank(seed, &spec.unwrap_or_else(|| Spec::without_proof(size)))
            };
            floor.set_ids(ids.iter().map(String::as_str));
            floor
        });
        ParsedFloor { report: faults.into_report(members.contains_key("config")), floor, has_spec }
    }
}

/// Reads the tiles in list order, and their metadata by index. Unreadable tiles become walls.
fn read_tiles(
    faults: &mut Faults,
    floor: &Object<'_>,
    width: Option<u16>,
) -> (Vec<TileKind>, Vec<(usize, Arc<Metadata>)>) {
    let (mut kinds, mut meta) = (Vec::new(), Vec::new());
    for (index, tile) in faults.list(floor, "tiles").iter().enumerate() {
        let Some(tile) = &faults.object(tile, &format!("tiles[{index}]")) else {
            kinds.push(TileKind::Wall);
            continue;
        };
        let pos = faults.pos(tile, "pos");
        let expected = width
            .map(usize::from)
            .map(|width| (index % width, index / width))
            .filter(|_| pos != INVALID_POS);
        if let Some((x, y)) = expected.filter(|&cell| cell != (pos.x.into(), pos.y.into())) {
            let why = format!("{pos} should be {x},{y}; tiles are in reading order");
            faults.add(rules::TILES_IN_ORDER, tile.path_of("pos"), why);
        }
        let kind = faults.name(tile, "kind", &TileKind::ALL.map(|kind| (kind.name(), kind)));
        let walkable =
            faults.member(tile, "walkable").and_then(|value| faults.flag(tile, "walkable", value));
        if let (Some(kind), Some(walkable)) = (kind, walkable)
            && kind.is_walkable() != walkable
        {
            let why =
                format!("{walkable} should be {} for a {} tile", kind.is_walkable(), kind.name());
            faults.add(rules::WALKABLE_BY_KIND, tile.path_of("walkable"), why);
        }
        if let Some(blocks) = tile.members.get("blocksVision") {
            faults.flag(tile, "blocksVision", blocks);
        }
        kinds.push(kind.unwrap_or_default());
        meta.extend(faults.metadata(tile, "meta").map(|metadata| (index, metadata)));
    }
    (kinds, meta)
}

/// Reads the entities and their ids. Entities without a readable kind or id are skipped.
fn read_entities(faults: &mut Faults, floor: &Object<'_>) -> (Vec<Entity>, Vec<String>) {
    let (mut entities, mut ids) = (Vec::new(), Vec::new());
    for (index, entity) in faults.list(floor, "entities").iter().enumerate() {
        let Some(entity) = &faults.object(entity, &format!("entities[{index}]")) else { continue };
        let id = faults.text(entity, "id");
        let kind = faults.name(entity, "kind", &EntityKind::ALL.map(|kind| (kind.name(), kind)));
        let pos = faults.pos(entity, "pos");
        let data = faults.metadata(entity, "data");
        if let (Some(id), Some(kind)) = (id, kind) {
            entities.push(Entity { data, ..Entity::new(kind, pos) });
            ids.push(id.to_owned());
        }
    }
    (entities, ids)
}

/// Reads the configuration, if it is valid and matches the size of the floor.
fn read_config(
    faults: &mut Faults,
    floor: &Map<String, Value>,
    size: Option<Size>,
) -> Option<Spec> {
    let config: Config = faults.parsed(floor, "config")?;
    match config.resolve() {
        Ok(spec) if size.is_none_or(|size| size == spec.size()) => return Some(spec),
        Ok(spec) => {
            let this = size.unwrap_or_default();
            let why =
                format!("the configuration is for a floor of {}, this one is {this}", spec.size());
            faults.add(rules::CONFIG_AGREES, "config", why);
        }
        Err(error) => {
            faults.add(rules::CONFIG_AGREES, format!("config.{}", error.field), error.to_string());
        }
    }
    None
}

/// A JSON object and its path.
struct Object<'v> {
    members: &'v Map<String, Value>,
    path: String,
}

impl Object<'_> {
    /// Returns the path of a member.
    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

/// Faults of single members.
#[derive(Default)]
struct Faults {
    /// Rule, path and message.
    list: Vec<(Rule, String, String)>,
    /// Numbers that JSON cannot represent, by the paths of their members.
    non_finite: BTreeMap<String, String>,
}

/// Rules for single members, in report order.
const MEMBER_RULES: [Rule; 5] = [
    rules::MEMBER_TYPES,
    rules::WHOLE_NUMBERS,
    rules::TILES_IN_ORDER,
    rules::WALKABLE_BY_KIND,
    rules::CONFIG_AGREES,
];

impl Faults {
    fn into_report(self, has_config: bool) -> Report {
        let mut report = Report::default();
        for rule in
            MEMBER_RULES.into_iter().filter(|&rule| rule != rules::CONFIG_AGREES || has_config)
        {
            let place = |path: &str| {
                if path.is_empty() { Place::Map } else { Place::Member(path.to_owned()) }
            };
            let faults = self.list.iter().filter(|fault| fault.0 == rule);
            report.check(rule, faults.map(|(_, path, why)| (place(path), why.clone())));
        }
        report
    }

    fn add(&mut self, rule: Rule, path: impl Into<String>, why: impl Into<String>) {
        self.list.push((rule, path.into(), why.into()));
    }

    /// Records a fault if a value does not have the expected type.
    fn expect<T>(
        &mut self,
        found: Option<T>,
        value: &Value,
        path: &str,
        expected: &str,
    ) -> Option<T> {
        if found.is_none() {
            let given = self.non_finite.get(path).cloned().unwrap_or_else(|| describe_value(value));
            self.add(rules::MEMBER_TYPES, path, format!("{given} is not {expected}"));
        }
        found
    }

    fn object<'v>(&mut self, value: &'v Value, path: &str) -> Option<Object<'v>> {
        let members = self.expect(value.as_object(), value, path, "an object")?;
        Some(Object { members, path: path.to_owned() })
    }

    fn member<'v>(&mut self, object: &Object<'v>, name: &str) -> Option<&'v Value> {
        let member = object.members.get(name);
        if member.is_none() {
            self.add(rules::MEMBER_TYPES, object.path_of(name), "missing");
        }
        member
    }

    fn text<'v>(&mut self, object: &Object<'v>, name: &str) -> Option<&'v str> {
        let value = self.member(object, name)?;
        self.expect(value.as_str(), value, &object.path_of(name), "a string")
    }

    fn flag(&mut self, object: &Object<'_>, name: &str, value: &Value) -> Option<bool> {
        self.expect(value.as_bool(), value, &object.path_of(name), "true or false")
    }

    fn list<'v>(&mut self, object: &Object<'v>, name: &str) -> &'v [Value] {
        let Some(value) = self.member(object, name) else { return &[] };
        self.expect(value.as_array(), value, name, "a list").map_or(&[], Vec::as_slice)
    }

    /// Reads one of several names.
    fn name<T: Copy>(
        &mut self,
        object: &Object<'_>,
        name: &str,
        options: &[(&str, T)],
    ) -> Option<T> {
        let text = self.text(object, name)?;
        let found = options.iter().find(|(option, _)| *option == text);
        if found.is_none() {
            let names: Vec<&str> = options.iter().map(|(option, _)| *option).collect();
            let why =
                format!("{} is unknown; use {}", describe_value(&text.into()), names.join(", "));
            self.add(rules::MEMBER_TYPES, object.path_of(name), why);
        }
        found.map(|&(_, value)| value)
    }

    /// Reads an integer from `min` to `max`.
    fn integer(&mut self, object: &Object<'_>, name: &str, min: u16, max: u16) -> Option<u16> {
        let (value, path) = (self.member(object, name)?, object.path_of(name));
        let given = self.non_finite.get(&path).cloned();
        let number = match given {
            Some(_) => f64::NAN,
            None => self.expect(value.as_f64(), value, &path, "a number")?,
        };
        if number.fract() == 0.0 && (f64::from(min)..=f64::from(max)).contains(&number) {
            return Some(number as u16);
        }
        let given = given.unwrap_or_else(|| describe_value(value));
        self.add(
            rules::WHOLE_NUMBERS,
            path,
            format!("{given} is not a whole number from {min} to {max}"),
        );
        None
    }

    fn pos(&mut self, object: &Object<'_>, name: &str) -> Pos {
        self.member(object, name).map_or(INVALID_POS, |pos| self.pos_at(pos, &object.path_of(name)))
    }

    /// Reads a position; [`INVALID_POS`] if its coordinates are unusable.
    fn pos_at(&mut self, value: &Value, path: &str) -> Pos {
        let Some(pos) = self.object(value, path) else { return INVALID_POS };
        let [x, y] = ["x", "y"].map(|name| self.integer(&pos, name, 0, u16::MAX - 1));
        x.zip(y).map_or(INVALID_POS, |(x, y)| Pos { x, y })
    }

    /// Reads an optional object. An empty object counts as absent.
    fn metadata(&mut self, object: &Object<'_>, name: &str) -> Option<Arc<Metadata>> {
        non_empty(self.object(object.members.get(name)?, &object.path_of(name))?.members)
    }

    /// Deserialises a member of the floor.
    fn parsed<T: DeserializeOwned>(&mut self, floor: &Map<String, Value>, name: &str) -> Option<T> {
        let value = floor.get(name)?;
        self.object(value, name)?;
        match document::parse(name, value.to_string().as_bytes()) {
            Ok(parsed) => return Some(parsed),
            Err(DecodeError::Malformed { path, message, .. }) => {
                self.add(rules::MEMBER_TYPES, path, message)
            }
            Err(error) => self.add(rules::MEMBER_TYPES, name, error.to_string()),
        }
        None
    }
}

/// Formats a value briefly for a message.
fn describe_value(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 40 => {
            format!("{}...", Value::from(text.chars().take(40).collect::<String>()))
        }
        value => value.to_string(),
    }
}

/// Returns the JSON Schema of a `MapFloor` without an envelope.
#[cfg(feature = "schema")]
pub fn map_floor_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[allow(dead_code)] // Only its schema is read.
    struct Vec2 {
        x: f64,
        y: f64,
    }

    #[derive(schemars::JsonSchema)]
    #[schemars(rename_all = "camelCase")]
    #[allow(dead_code)] // Only its schema is read.
    struct Tile {
        pos: Vec2,
        kind: TileKind,
        walkable: bool,
        #[schemars(default, with = "bool")]
        blocks_vision: bool,
        /// Free for the game to use.
        #[schemars(default)]
        meta: BTreeMap<String, Value>,
    }

    #[derive(schemars::JsonSchema)]
    #[allow(dead_code)] // Only its schema is read.
    struct EntityBase {
        id: String,
        kind: EntityKind,
        pos: Vec2,
        /// Free for the game to use.
        #[schemars(default)]
        data: BTreeMap<String, Value>,
    }

    /// A floor without an envelope.
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "MapFloor", rename_all = "camelCase")]
    #[allow(dead_code)] // Only its schema is read.
    struct MapFloor {
        width: f64,
        height: f64,
        /// Seed as text.
        seed: String,
        /// Tiles in reading order.
        tiles: Vec<Tile>,
        entities: Vec<EntityBase>,
        entrance: Vec2,
        exit: Vec2,
        generated_at: String,
        #[schemars(default)]
        version: String,
        /// A shortest path from entrance to exit.
        #[schemars(default)]
        path: Vec<Vec2>,
        #[schemars(default)]
        origin: Origin,
        #[schemars(default)]
        config: Config,
    }
    schemars::schema_for!(MapFloor)
}
