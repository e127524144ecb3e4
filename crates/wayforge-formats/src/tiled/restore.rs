//! From what Tiled saved back to maps.

use super::names;
use super::plan::symbol_kind;
use super::sheet::{ReadObject, ReadTile, Sheet};
use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::reading::Reading;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayforge::floor::{self, Entity, EntityKind, Floor, NO_TIME, Notes, Template, TileKind};
use wayforge::grid::{BitGrid, Pos};
use wayforge::level::{self, Blueprint, Level, Symbol, Tags, Witness};
use wayforge::nav::Water;
use wayforge::{Digest, InputError, Seed, document};
use wayforge_draw::WATER_MAGNITUDES;

/// The map of a sheet: what it is says the property `family`.
pub(super) fn restore(sheet: &Sheet) -> Result<Reading, FormatError> {
    let (content, stated) = match sheet.fact(names::FAMILY) {
        Some("level") => (restore_level(sheet)?.into(), Some(digest(sheet)?)),
        Some("blueprint") => (Content::Blueprint(symbols(sheet)?.0), None),
        Some("floor") => {
            let config: floor::Config = json(sheet, names::CONFIG)?;
            (floor_of(sheet, config.resolve()?, names::SEED)?.into(), Some(digest(sheet)?))
        }
        Some("template") => (Content::Template(restore_template(sheet)?), None),
        Some("water") => return Ok(Reading::plain(Content::Water(restore_water(sheet)?))),
        Some("tower") => {
            let remedy = "convert the .world beside it: a tower is read as a whole";
            return Err(reject("properties.family", "tower", "one floor of a tower", remedy));
        }
        other => {
            let remedy = "add the map property family: level, blueprint, floor, template or water";
            return Err(reject("properties.family", other.unwrap_or("missing"), "not a family", remedy));
        }
    };
    Ok(Reading { content, stated, pins: Some(pins(sheet)?) })
}

/// The cells that are marked to be fixed: by any tile or rectangle of the layer `pins`, or by objects with the property `pinned`.
pub(super) fn pins(sheet: &Sheet) -> Result<BitGrid, FormatError> {
    let mut pins = sheet.cells_of(names::PINS);
    for object in &sheet.objects {
        if object.layer == names::PINS {
            // Every cell whose middle lies inside.
            let (across, down) = (f64::from(sheet.tile.0), f64::from(sheet.tile.1));
            let top = if object.gid != 0 { object.y - object.height } else { object.y };
            let inside = |at: u16, tile: f64, from: f64, side: f64| {
                let middle = (f64::from(at) + 0.5) * tile;
                middle >= from && middle <= from + side.max(0.0)
            };
            for y in (0..sheet.size.height).filter(|&y| inside(y, down, top, object.height)) {
                for x in (0..sheet.size.width).filter(|&x| inside(x, across, object.x, object.width)) {
                    pins.insert(Pos { x, y });
                }
            }
        } else if object.facts.get("pinned").is_some_and(|value| value == "true") {
            pins.insert(sheet.cell(object)?);
        }
    }
    Ok(pins)
}

fn restore_level(sheet: &Sheet) -> Result<Level, FormatError> {
    let config: level::Config = json(sheet, names::CONFIG)?;
    let spec = config.resolve()?;
    let (blueprint, reinforced) = symbols(sheet)?;
    if blueprint.size() != spec.size() {
        let problem = format!("the configuration says {}", spec.size());
        return Err(reject("map", blueprint.size(), problem, "keep the size of the map"));
    }
    let mut marks = vec![Vec::new(); spec.config().marks.len()];
    for object in sheet.objects_of(names::MARKS) {
        let known = spec.config().marks.iter().position(|mark| mark.name == object.name);
        let Some(at) = known else {
            let problem = "no mark of the configuration has this name";
            return Err(reject(object.title(), &object.name, problem, "use a name of config.marks"));
        };
        marks[at].push(sheet.cell(object)?);
    }
    marks.iter_mut().for_each(|cells: &mut Vec<Pos>| cells.sort_unstable());
    let attempt = json(sheet, names::ATTEMPT)?;
    let witness = sheet.objects_of(names::ROUTES).map(|object| {
        let chain = fact(object, "chain")?.parse();
        let chain =
            chain.map_err(|_| reject(object.title(), "chain", "not a number", "keep the property"))?;
        let reached = parse(object, fact(object, "reached")?)?;
        Ok(Witness { chain, route: sheet.line(object)?, reached })
    });
    Ok(Level {
        seed: seed(sheet, names::SEED)?,
        spec,
        blueprint,
        tags: Tags { fall_spawn_cells: sheet.cells_of(names::FALL_SPAWN), reinforced, marks },
        car_walkable_cells: sheet.cells_of(names::CAR_WALKABLE),
        witness: witness.collect::<Result<_, FormatError>>()?,
        attempt,
    })
}

/// The symbols of all cells, candidates included, and which walls are reinforced.
fn symbols(sheet: &Sheet) -> Result<(Blueprint, BitGrid), FormatError> {
    let most = Blueprint::MAX_SIDE;
    if sheet.size.width > most || sheet.size.height > most {
        return Err(reject("map", sheet.size, "larger than any level", format!("use at most {most} a side")));
    }
    let mut blueprint = Blueprint::filled(sheet.size, Symbol::Floor);
    let mut reinforced = BitGrid::new(sheet.size);
    each_tile(sheet, ("every cell of a level has a tile", "paint floor there"), |pos, text, tile| {
        let symbol = one_char(text).and_then(Symbol::from_char);
        blueprint.set(
            pos,
            symbol.ok_or(("not a symbol", "use tiles whose property symbol is one of the legend"))?,
        );
        if tile.facts.get("reinforced").is_some_and(|so| so == "true") {
            reinforced.insert(pos);
        }
        Ok(())
    })?;
    for object in sheet.objects_of(names::CANDIDATES) {
        let (pos, kind) = (sheet.cell(object)?, kind(sheet, object)?);
        let found = Symbol::CANDIDATES.into_iter().find(|&symbol| symbol_kind(symbol) == kind);
        let Some(symbol) = found else {
            let known = Symbol::CANDIDATES.map(symbol_kind).join(", ");
            return Err(reject(object.title(), kind, "not a candidate", format!("set its type to {known}")));
        };
        if blueprint.get(pos) != Symbol::Floor {
            let problem = format!("{} is at {pos} already", blueprint.get(pos).meaning());
            return Err(reject(object.title(), kind, problem, "put it on plain floor"));
        }
        blueprint.set(pos, symbol);
    }
    Ok((blueprint, reinforced))
}

/// The floor that a sheet shows, for a configuration.
pub(super) fn floor_of(sheet: &Sheet, spec: floor::Spec, seed_name: &str) -> Result<Floor, FormatError> {
    if sheet.size != spec.size() {
        let problem = format!("the configuration says {}", spec.size());
        return Err(reject("map", sheet.size, problem, "keep the size of the map"));
    }
    let (tiles, mut entities) = tiles(sheet)?;
    for object in sheet.objects_of(names::ENTITIES) {
        let (pos, kind) = entity(sheet, object)?;
        if entities.iter().any(|other| other.pos == pos) {
            let problem = format!("an entity is at {pos} already");
            return Err(reject(object.title(), kind.name(), problem, "move one of them"));
        }
        let data = object.facts.get(names::DATA).map(|text| parse(object, text)).transpose()?;
        entities.push(Entity { data: data.map(Arc::new), ..Entity::new(kind, pos) });
    }
    entities.sort_by_key(|entity| (entity.kind, entity.pos));
    let note =
        |object| Ok((sheet.cell(object)?, Arc::new(parse::<Notes>(object, fact(object, names::META)?)?)));
    let mut meta = sheet.objects_of(names::NOTES).map(note).collect::<Result<Vec<_>, FormatError>>()?;
    meta.sort_by_key(|(pos, _)| *pos);
    let end = |kind: TileKind| {
        let mut ends = sheet.size.iter().zip(&tiles).filter(|(_, tile)| **tile == kind).map(|(pos, _)| pos);
        match (ends.next(), ends.next()) {
            (Some(end), None) => Ok(end),
            (first, _) => {
                let there = if first.is_some() { "several" } else { "none" };
                Err(reject("ground", there, format!("a floor has one {}", kind.name()), "paint exactly one"))
            }
        }
    };
    let (entrance, exit) = (end(TileKind::Entrance)?, end(TileKind::Exit)?);
    let mut path = Vec::new();
    for object in sheet.objects_of(names::ROUTES).filter(|object| object.kind == "path") {
        path = sheet.line(object)?;
    }
    let generated_at = sheet.fact(names::GENERATED_AT).unwrap_or(NO_TIME);
    Ok(Floor {
        seed: seed(sheet, seed_name)?,
        spec,
        tiles,
        meta,
        entities,
        entrance,
        exit,
        path,
        origin: json(sheet, names::ORIGIN)?,
        generated_at: generated_at.chars().filter(|c| !c.is_control()).take(64).collect(),
    })
}

/// The tiles of a floor, and entities that were painted as tiles.
fn tiles(sheet: &Sheet) -> Result<(Vec<TileKind>, Vec<Entity>), FormatError> {
    let (mut tiles, mut entities) = (Vec::new(), Vec::new());
    each_tile(sheet, ("every cell of a floor has a tile", "paint floor or wall"), |pos, text, _| {
        let symbol = one_char(text);
        let kind = TileKind::ALL.into_iter().find(|kind| Some(kind.symbol()) == symbol);
        let entity = EntityKind::ALL.into_iter().find(|kind| Some(kind.symbol()) == symbol);
        if kind.is_none() {
            let unknown = ("not a tile", "use tiles whose property symbol is one of a template");
            entities.push(Entity::new(entity.ok_or(unknown)?, pos));
        }
        tiles.push(kind.unwrap_or(TileKind::Floor));
        Ok(())
    })?;
    Ok((tiles, entities))
}

/// A problem and its remedy.
type Problem = (&'static str, &'static str);

/// Gives the tile of every cell of the ground and its `symbol` to `each`. An empty cell is the problem `empty`.
fn each_tile(
    sheet: &Sheet,
    empty: Problem,
    mut each: impl FnMut(Pos, &str, &ReadTile) -> Result<(), Problem>,
) -> Result<(), FormatError> {
    let ground = sheet.needed(names::GROUND)?;
    for (pos, &gid) in sheet.size.iter().zip(&ground.cells) {
        let field = || format!("ground {pos}");
        let Some(tile) = sheet.tile(gid, field)? else {
            return Err(reject(field(), "empty", empty.0, empty.1));
        };
        let text = tile.facts.get(names::SYMBOL).map_or("", String::as_str);
        each(pos, text, tile)
            .map_err(|(problem, remedy)| reject(field(), format!("\"{text}\""), problem, remedy))?;
    }
    Ok(())
}

/// The cell and the kind of an entity.
fn entity(sheet: &Sheet, object: &ReadObject) -> Result<(Pos, EntityKind), FormatError> {
    let (pos, kind) = (sheet.cell(object)?, kind(sheet, object)?);
    let found = EntityKind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(|| {
        let known = EntityKind::ALL.map(EntityKind::name).join(", ");
        reject(object.title(), kind, "not an entity", format!("set its type to {known}"))
    })?;
    Ok((pos, found))
}

fn restore_template(sheet: &Sheet) -> Result<Template, FormatError> {
    let (tiles, painted) = tiles(sheet)?;
    let mut cells: Vec<char> = tiles.iter().map(|tile| tile.symbol()).collect();
    painted.iter().for_each(|entity| cells[sheet.size.index(entity.pos)] = entity.kind.symbol());
    for object in sheet.objects_of(names::ENTITIES) {
        let (pos, kind) = entity(sheet, object)?;
        cells[sheet.size.index(pos)] = kind.symbol();
    }
    for object in sheet.objects_of(names::NOTES) {
        let pos = sheet.cell(object)?;
        let symbol = one_char(fact(object, names::SYMBOL)?);
        cells[sheet.size.index(pos)] =
            symbol.ok_or_else(|| reject(object.title(), "symbol", "not one character", "write one"))?;
    }
    let legend = match sheet.fact(names::LEGEND) {
        Some(_) => json(sheet, names::LEGEND)?,
        None => BTreeMap::new(),
    };
    let width = usize::from(sheet.size.width);
    let template = Template {
        id: sheet.fact(names::ID).unwrap_or("edited").to_owned(),
        rows: cells.chunks(width).map(|row| row.iter().collect()).collect(),
        legend,
    };
    template.size()?;
    Ok(template)
}

fn restore_water(sheet: &Sheet) -> Result<Water, FormatError> {
    let ground = sheet.needed(names::GROUND)?;
    // Few tiles, many cells: each tile is looked at once.
    let numbers: BTreeSet<u32> = ground.cells.iter().copied().collect();
    let mut meaning: BTreeMap<u32, Option<u8>> = BTreeMap::new();
    for gid in numbers {
        let Some(tile) = sheet.tile(gid, || "ground".to_owned())? else {
            return Err(reject("ground", "empty", "every cell is water or land", "paint it"));
        };
        let magnitude = match tile.facts.get("magnitude").map(|text| text.parse::<u8>()) {
            None => 0,
            Some(Ok(magnitude)) if magnitude < WATER_MAGNITUDES => magnitude,
            Some(_) => {
                let remedy = format!("use 0 to {}", WATER_MAGNITUDES - 1);
                return Err(reject("tile.magnitude", &tile.facts["magnitude"], "not a magnitude", remedy));
            }
        };
        let open = match tile.facts.get(names::SYMBOL).map_or("", String::as_str) {
            "~" | "." => true,
            "#" | "@" => false,
            other => {
                let remedy = "use tiles whose property symbol is ~ or #";
                return Err(reject("tile.symbol", format!("\"{other}\""), "neither water nor land", remedy));
            }
        };
        meaning.insert(gid, open.then_some(magnitude));
    }
    let of = |gid: &u32| meaning.get(gid).copied().flatten();
    let cells = sheet.size.iter().zip(&ground.cells);
    let open = BitGrid::of(sheet.size, cells.filter(|(_, gid)| of(gid).is_some()).map(|(pos, _)| pos));
    match sheet.fact(names::MAGNITUDES) == Some("true") {
        true => {
            let magnitudes = ground.cells.iter().map(|gid| of(gid).unwrap_or(0)).collect();
            Ok(Water::with_magnitudes(open, magnitudes)?)
        }
        false => Ok(Water::new(open)?),
    }
}

/// The type of an object, or of its tile.
fn kind<'a>(sheet: &'a Sheet, object: &'a ReadObject) -> Result<&'a str, FormatError> {
    if !object.kind.is_empty() {
        return Ok(&object.kind);
    }
    Ok(sheet.tile(object.gid, || object.title())?.map_or("", |tile| &tile.kind))
}

fn fact<'a>(object: &'a ReadObject, name: &str) -> Result<&'a str, FormatError> {
    let value = object.facts.get(name).map(String::as_str);
    value.ok_or_else(|| reject(object.title(), "missing", format!("needs the property {name}"), "add it"))
}

/// Parses JSON in a property of an object.
fn parse<T: DeserializeOwned>(object: &ReadObject, text: &str) -> Result<T, FormatError> {
    Ok(document::parse(&object.title(), text.as_bytes())?)
}

pub(super) fn json<T: DeserializeOwned>(sheet: &Sheet, name: &str) -> Result<T, FormatError> {
    let text = sheet.needed_fact(name)?;
    Ok(document::parse(&format!("properties.{name}"), text.as_bytes())?)
}

pub(super) fn seed(sheet: &Sheet, name: &str) -> Result<Seed, FormatError> {
    let text = sheet.needed_fact(name)?;
    text.parse().map_err(|error: InputError| {
        reject(format!("properties.{name}"), &error.value, &error.problem, &error.remedy)
    })
}

pub(super) fn digest(sheet: &Sheet) -> Result<Digest, FormatError> {
    let text = sheet.needed_fact(names::DIGEST)?;
    Digest::from_text(text).ok_or_else(|| {
        let remedy = "write sha256: and 64 small hexadecimal digits";
        reject("properties.digest", text, "not a digest", remedy)
    })
}

fn one_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}
