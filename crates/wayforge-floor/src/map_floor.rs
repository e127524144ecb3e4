//! A `MapFloor` without an envelope, exactly as the document of floors types it.
//!
//! The document's TypeScript interface allows floors that no generator makes: fractional coordinates, tiles in any order, ids
//! that repeat. [`MapFloor`] holds any of them. [`MapFloor::validate`] reports everything that is wrong and never fails;
//! [`MapFloor::to_floor`] reads a floor that is whole.

use super::config::{Budget, Config};
use super::map::{Entity, EntityKind, Floor, NO_TIME, Notes, Origin, TileKind};
use super::spec::Spec;
use super::stamp::follow;
use super::validate::{NOWHERE, ValidationResult, Validator, rules};
use super::wire;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use wayforge_core::grid::{Pos, Size};
use wayforge_core::{DecodeError, InputError, Place, Report, Rule, Seed, document};

/// The largest width and height.
const MAX_SIDE: u16 = 64;

/// A floor as the document's interface `MapFloor` describes it, valid or not.
///
/// Four members of its own are optional: `path` (a shortest path), `origin` (what generated the floor) and `config` (the
/// configuration) beside the document's `version`. Other members are ignored.
///
/// ```
/// use wayforge_floor::{self as floor, MapFloor, compat, rules};
/// let floor = compat::generate_floor(7, &floor::Config::default())?;
/// let mut value: serde_json::Value = serde_json::from_str(&compat::serialize_floor(&floor))?;
/// value["entities"][0]["data"] = serde_json::json!({"hp": 3});
/// assert!(MapFloor::from_value(value.clone()).validate().is_valid());
/// value["entrance"]["x"] = serde_json::json!(-1.5);
/// assert!(!MapFloor::from_value(value).validate().report.holds(rules::WHOLE_NUMBERS));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MapFloor {
    value: Value,
    /// The members whose numbers JSON cannot hold, by their paths.
    non_finite: BTreeMap<String, String>,
}

impl MapFloor {
    /// Takes any value for a floor; [`validate`](Self::validate) says what is wrong with it.
    pub fn from_value(value: Value) -> MapFloor {
        MapFloor { value, non_finite: BTreeMap::new() }
    }

    /// Names the members that hold a number that JSON cannot write, such as `NaN`, by their paths.
    ///
    /// Those members have the right type and the wrong value: they break [`rules::WHOLE_NUMBERS`], whatever the JSON holds in
    /// their place.
    ///
    /// ```
    /// use wayforge_floor::{self as floor, MapFloor, compat, rules};
    /// let floor = compat::generate_floor(7, &floor::Config::default())?;
    /// let mut value: serde_json::Value = serde_json::from_str(&compat::serialize_floor(&floor))?;
    /// value["exit"]["x"] = serde_json::Value::Null;
    /// let floor = MapFloor::from_value(value).with_non_finite([("exit.x".to_owned(), "NaN".to_owned())]);
    /// let report = floor.validate().report;
    /// assert_eq!(report.violations[0].why, "NaN is not a whole number from 0 to 65534");
    /// assert!(report.holds(rules::MEMBER_TYPES));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_non_finite(mut self, numbers: impl IntoIterator<Item = (String, String)>) -> MapFloor {
        self.non_finite.extend(numbers);
        self
    }

    /// Parses JSON of any shape.
    ///
    /// # Errors
    /// Text that is not JSON.
    pub fn from_json(text: &[u8]) -> Result<MapFloor, DecodeError> {
        document::parse("", text).map(MapFloor::from_value)
    }

    /// Parses JSON if it is a floor without an envelope: an object with `tiles` or `entities` and
    /// without `format`. Returns `Ok(None)` for anything else.
    ///
    /// # Errors
    /// The path and position of the first fault of a floor without an envelope.
    pub fn from_bare_json(text: &[u8]) -> Result<Option<MapFloor>, DecodeError> {
        #[derive(Deserialize)]
        struct Members {
            format: Option<IgnoredAny>,
            tiles: Option<IgnoredAny>,
            entities: Option<IgnoredAny>,
        }
        match serde_json::from_slice(text) {
            Ok(Members { format: None, tiles, entities }) if tiles.is_some() || entities.is_some() => {
                MapFloor::from_json(text).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The text of `seed`, if it is one.
    pub fn seed(&self) -> Option<&str> {
        self.value.get("seed").and_then(Value::as_str)
    }

    /// The configuration that the floor carries, as it is written.
    pub fn config(&self) -> Option<&Value> {
        self.value.get("config")
    }

    /// Validates the floor.
    ///
    /// * **Returns.** Every rule that was checked and every violation, for any value at all. Without `config`, the rules that the
    ///   document states; with it, budgets and path length as well; with `path` and `origin` too, every rule of floors.
    /// * **Complexity.** O(tiles), and that of [`Config::resolve`] with `config`.
    pub fn validate(&self) -> ValidationResult {
        let reading = Reading::of(self);
        let validate = |floor: &Floor| Validator::default().report(floor, reading.has_spec);
        let mut result = reading.floor.as_ref().map(validate).unwrap_or_default();
        for violation in &mut result.report.violations {
            // What cannot be placed has been reported under its member.
            if violation.place == Place::Cell(NOWHERE) {
                violation.place = Place::Map;
            }
        }
        let mut report = reading.report;
        report.append(result.report);
        ValidationResult { report, ..result }
    }

    /// Checks that every member has the type that the document gives it.
    ///
    /// # Errors
    /// The first member that has another type.
    pub fn check_types(&self) -> Result<(), DecodeError> {
        reject_first(&Reading::of(self).report, &[rules::MEMBER_TYPES])
    }

    /// Reads the floor. Without `config`, the configuration asks for what the floor holds; without `path`, a shortest path is
    /// found; without `origin` or `path`, the floor is [given](Origin::Given).
    ///
    /// # Errors
    /// The first member that is missing, of another type or not in its place, or a configuration that cannot be used.
    pub fn to_floor(&self) -> Result<Floor, DecodeError> {
        let reading = Reading::of(self);
        reject_first(&reading.report, &MEMBER_RULES)?;
        let seed: Seed = self.seed().unwrap_or_default().parse().map_err(|error: InputError| {
            wire::shape("seed", format!("{}; {}", error.problem, error.remedy))
        })?;
        let not_whole = || wire::shape("width", format!("a floor has 1 to {MAX_SIDE} columns and rows"));
        let mut floor = Floor { seed, ..reading.floor.ok_or_else(not_whole)? };
        let (size, cells) = (floor.size(), floor.size().cells());
        if floor.tiles.len() != cells {
            let message = format!("{} tiles, a floor of {size} has {cells}", floor.tiles.len());
            return Err(wire::shape("tiles", message));
        }
        for (name, end) in [("entrance", floor.entrance), ("exit", floor.exit)] {
            if !size.contains(end) {
                return Err(wire::shape(name, format!("{end} lies beyond a floor of {size}")));
            }
        }
        if !reading.has_spec {
            floor.spec = as_found(&floor).resolve()?;
        }
        if floor.path.is_empty() {
            let open = |pos: Pos| floor.tile(pos).walkable();
            floor.path = follow(size, [floor.entrance, floor.exit], &open, &|_| false);
        }
        Ok(floor)
    }
}

/// Writes a floor as one line of JSON without an envelope, with its configuration.
pub(super) fn write(floor: &Floor) -> String {
    #[derive(Serialize)]
    struct Written<'a> {
        #[serde(flatten)]
        floor: wire::WireFloor,
        config: &'a Config,
    }
    // Plain values in memory can always be written.
    let written = Written { floor: wire::of(floor), config: floor.spec.config() };
    serde_json::to_string(&written).unwrap_or_default()
}

/// The first violation of the rules as an error.
fn reject_first(report: &Report, rules: &[Rule]) -> Result<(), DecodeError> {
    let first = report.violations.iter().find(|violation| rules.contains(&violation.rule));
    first.map_or(Ok(()), |violation| {
        let path = if let Place::Member(path) = &violation.place { path } else { "document" };
        Err(wire::shape(path, violation.why.as_str()))
    })
}

/// A configuration that asks for what a floor holds.
fn as_found(floor: &Floor) -> Config {
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

/// What could be read of a value.
struct Reading {
    /// The rules about single members.
    report: Report,
    /// The floor, as far as it could be read; `None` if its size is unknown.
    floor: Option<Floor>,
    /// Whether the floor has a configuration of its own that can be used.
    has_spec: bool,
}

impl Reading {
    fn of(MapFloor { value, non_finite }: &MapFloor) -> Reading {
        let mut faults = Faults { non_finite: non_finite.clone(), ..Faults::default() };
        let nothing = Map::new();
        let members = faults.object(value, "").map_or(&nothing, |object| object.members);
        let object = &Object { members, path: String::new() };
        let [width, height] = ["width", "height"].map(|name| faults.whole(object, name, 1, MAX_SIDE));
        let size = width.zip(height).map(|(width, height)| Size::new(width, height));
        let seed = faults.text(object, "seed").map_or_else(Seed::default, Seed::from_text);
        let (tiles, meta) = read_tiles(&mut faults, object, width);
        let (entities, ids) = read_entities(&mut faults, object);
        let [entrance, exit] = ["entrance", "exit"].map(|name| faults.pos(object, name));
        let generated_at = faults.text(object, "generatedAt").unwrap_or(NO_TIME).to_owned();
        if members.contains_key("version") {
            faults.text(object, "version");
        }
        let path: Option<Vec<Pos>> = members.contains_key("path").then(|| {
            let steps = faults.list(object, "path");
            steps.iter().enumerate().map(|(at, pos)| faults.pos_at(pos, &format!("path[{at}]"))).collect()
        });
        let origin = faults.parsed::<Origin>(members, "origin");
        let spec = read_config(&mut faults, members, size);
        let has_spec = spec.is_some();
        let floor = size.map(|size| {
            let meta = meta.into_iter().filter(|(at, _)| *at < size.cells());
            let mut floor = Floor {
                tiles,
                meta: meta.map(|(at, notes)| (size.pos(at), notes)).collect(),
                entities,
                entrance,
                exit,
                origin: origin.filter(|_| path.is_some()).unwrap_or(Origin::Given),
                path: path.unwrap_or_default(),
                generated_at,
                ..Floor::blank(seed, &spec.unwrap_or_else(|| Spec::unproved(size)))
            };
            floor.set_ids(ids.iter().map(String::as_str));
            floor
        });
        Reading { report: faults.into_report(members.contains_key("config")), floor, has_spec }
    }
}

/// The tiles in the order of the list, and their notes by index; a tile that cannot be read is a wall.
fn read_tiles(
    faults: &mut Faults,
    floor: &Object<'_>,
    width: Option<u16>,
) -> (Vec<TileKind>, Vec<(usize, Arc<Notes>)>) {
    let (mut kinds, mut meta) = (Vec::new(), Vec::new());
    for (at, tile) in faults.list(floor, "tiles").iter().enumerate() {
        let Some(tile) = &faults.object(tile, &format!("tiles[{at}]")) else {
            kinds.push(TileKind::Wall);
            continue;
        };
        let pos = faults.pos(tile, "pos");
        let place = width.map(usize::from).map(|width| (at % width, at / width)).filter(|_| pos != NOWHERE);
        if let Some((x, y)) = place.filter(|&place| place != (pos.x.into(), pos.y.into())) {
            let why = format!("{pos} should be {x},{y}, row by row");
            faults.add(rules::TILES_IN_ORDER, tile.path_of("pos"), why);
        }
        let kind = faults.name(tile, "kind", &TileKind::ALL.map(|kind| (kind.name(), kind)));
        let walkable = faults.member(tile, "walkable").and_then(|value| faults.flag(tile, "walkable", value));
        if let (Some(kind), Some(walkable)) = (kind, walkable)
            && kind.walkable() != walkable
        {
            let why = format!("{walkable} should be {} for a tile of {}", kind.walkable(), kind.name());
            faults.add(rules::WALKABLE_BY_KIND, tile.path_of("walkable"), why);
        }
        if let Some(blocks) = tile.members.get("blocksVision") {
            faults.flag(tile, "blocksVision", blocks);
        }
        kinds.push(kind.unwrap_or_default());
        meta.extend(faults.notes(tile, "meta").map(|notes| (at, notes)));
    }
    (kinds, meta)
}

/// The entities and their ids; an entity whose kind cannot be read is left out.
fn read_entities(faults: &mut Faults, floor: &Object<'_>) -> (Vec<Entity>, Vec<String>) {
    let (mut entities, mut ids) = (Vec::new(), Vec::new());
    for (at, entity) in faults.list(floor, "entities").iter().enumerate() {
        let Some(entity) = &faults.object(entity, &format!("entities[{at}]")) else { continue };
        let id = faults.text(entity, "id");
        let kind = faults.name(entity, "kind", &EntityKind::ALL.map(|kind| (kind.name(), kind)));
        let pos = faults.pos(entity, "pos");
        let data = faults.notes(entity, "data");
        if let (Some(id), Some(kind)) = (id, kind) {
            entities.push(Entity { data, ..Entity::new(kind, pos) });
            ids.push(id.to_owned());
        }
    }
    (entities, ids)
}

/// The configuration, if it can be used and belongs to a floor of this size.
fn read_config(faults: &mut Faults, floor: &Map<String, Value>, size: Option<Size>) -> Option<Spec> {
    let config: Config = faults.parsed(floor, "config")?;
    match config.resolve() {
        Ok(spec) if size.is_none_or(|size| size == spec.size()) => return Some(spec),
        Ok(spec) => {
            let this = size.unwrap_or_default();
            let why = format!("the configuration is for a floor of {}, this one is {this}", spec.size());
            faults.add(rules::CONFIG_AGREES, "config", why);
        }
        Err(error) => {
            faults.add(rules::CONFIG_AGREES, format!("config.{}", error.field), error.to_string());
        }
    }
    None
}

/// An object of the value, and its path.
struct Object<'v> {
    members: &'v Map<String, Value>,
    path: String,
}

impl Object<'_> {
    /// The path of a member.
    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

/// Everything that is wrong with single members.
#[derive(Default)]
struct Faults {
    /// Rule, path and reason.
    list: Vec<(Rule, String, String)>,
    /// The numbers that JSON cannot hold, by the paths of their members.
    non_finite: BTreeMap<String, String>,
}

/// The rules about single members, in the order of reports.
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
        for rule in MEMBER_RULES.into_iter().filter(|&rule| rule != rules::CONFIG_AGREES || has_config) {
            let place =
                |path: &str| if path.is_empty() { Place::Map } else { Place::Member(path.to_owned()) };
            let faults = self.list.iter().filter(|fault| fault.0 == rule);
            report.check(rule, faults.map(|(_, path, why)| (place(path), why.clone())));
        }
        report
    }

    fn add(&mut self, rule: Rule, path: impl Into<String>, why: impl Into<String>) {
        self.list.push((rule, path.into(), why.into()));
    }

    /// Records a value that is not of the expected type.
    fn expect<T>(&mut self, found: Option<T>, value: &Value, path: &str, expected: &str) -> Option<T> {
        if found.is_none() {
            let given = self.non_finite.get(path).cloned().unwrap_or_else(|| shown(value));
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

    /// One of several names.
    fn name<T: Copy>(&mut self, object: &Object<'_>, name: &str, known: &[(&str, T)]) -> Option<T> {
        let text = self.text(object, name)?;
        let found = known.iter().find(|(known, _)| *known == text);
        if found.is_none() {
            let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            let why = format!("{} is unknown; use {}", shown(&text.into()), names.join(", "));
            self.add(rules::MEMBER_TYPES, object.path_of(name), why);
        }
        found.map(|&(_, value)| value)
    }

    /// A whole number within bounds.
    fn whole(&mut self, object: &Object<'_>, name: &str, least: u16, most: u16) -> Option<u16> {
        let (value, path) = (self.member(object, name)?, object.path_of(name));
        let given = self.non_finite.get(&path).cloned();
        let number = match given {
            Some(_) => f64::NAN,
            None => self.expect(value.as_f64(), value, &path, "a number")?,
        };
        if number.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(&number) {
            return Some(number as u16);
        }
        let given = given.unwrap_or_else(|| shown(value));
        self.add(rules::WHOLE_NUMBERS, path, format!("{given} is not a whole number from {least} to {most}"));
        None
    }

    fn pos(&mut self, object: &Object<'_>, name: &str) -> Pos {
        self.member(object, name).map_or(NOWHERE, |pos| self.pos_at(pos, &object.path_of(name)))
    }

    /// A cell; [`NOWHERE`] if it is none.
    fn pos_at(&mut self, value: &Value, path: &str) -> Pos {
        let Some(pos) = self.object(value, path) else { return NOWHERE };
        let [x, y] = ["x", "y"].map(|name| self.whole(&pos, name, 0, u16::MAX - 1));
        x.zip(y).map_or(NOWHERE, |(x, y)| Pos { x, y })
    }

    /// A free member: any object. An empty one says nothing.
    fn notes(&mut self, object: &Object<'_>, name: &str) -> Option<Arc<Notes>> {
        let notes = self.object(object.members.get(name)?, &object.path_of(name))?.members;
        (!notes.is_empty()).then(|| Arc::new(notes.clone()))
    }

    /// A member of the floor that has a type of its own.
    fn parsed<T: DeserializeOwned>(&mut self, floor: &Map<String, Value>, name: &str) -> Option<T> {
        let value = floor.get(name)?;
        self.object(value, name)?;
        match document::parse(name, value.to_string().as_bytes()) {
            Ok(parsed) => return Some(parsed),
            Err(DecodeError::Shape { path, message }) => self.add(rules::MEMBER_TYPES, path, message),
            Err(error) => self.add(rules::MEMBER_TYPES, name, error.to_string()),
        }
        None
    }
}

/// A value as a message shows it: short.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 40 => {
            format!("{}...", Value::from(text.chars().take(40).collect::<String>()))
        }
        value => value.to_string(),
    }
}

/// The JSON Schema of a `MapFloor` without an envelope.
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
        /// The seed as text.
        seed: String,
        /// Row by row.
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
