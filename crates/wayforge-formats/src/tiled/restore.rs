//! Conversion of parsed Tiled maps to Wayforge maps.

use super::names;
use super::parsed_map::{ParsedMap, ParsedObject, ParsedTile};
use super::tiled_map::symbol_kind;
use crate::content::{Content, ContentKind};
use crate::error::{FormatError, reject};
use crate::imported::ImportedContent;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wayforge::floor::{
    self, DEFAULT_GENERATED_AT, Entity, EntityKind, Floor, Metadata, Template, TileKind,
};
use wayforge::grid::{BitGrid, Pos};
use wayforge::level::{self, Blueprint, Level, Symbol, Tags, Witness};
use wayforge::nav::NavGrid;
use wayforge::{Digest, Family, InputError, Seed, document};
use wayforge_draw::NAV_GRID_MAGNITUDES;

/// Converts a parsed map. The property `family` selects the kind of content.
pub(super) fn restore(parsed: &ParsedMap) -> Result<ImportedContent, FormatError> {
    let stated = parsed.property(names::FAMILY);
    let (content, stated_digest) = match stated.and_then(ContentKind::from_name) {
        Some(ContentKind::Map(Family::Level)) => {
            (restore_level(parsed)?.into(), Some(digest(parsed)?))
        }
        Some(ContentKind::Blueprint) => (Content::Blueprint(symbols(parsed)?.0), None),
        Some(ContentKind::Map(Family::Floor)) => {
            let config: floor::Config = json(parsed, names::CONFIG)?;
            (restore_floor(parsed, config.resolve()?, names::SEED)?.into(), Some(digest(parsed)?))
        }
        Some(ContentKind::Template) => (Content::Template(restore_template(parsed)?), None),
        Some(ContentKind::NavGrid) => {
            return Ok(ImportedContent::new(Content::NavGrid(restore_nav_grid(parsed)?)));
        }
        Some(kind @ ContentKind::Map(Family::Tower)) => {
            let remedy = "convert the .world file, which contains the whole tower";
            return Err(reject("properties.family", kind, "a single floor of a tower", remedy));
        }
        Some(ContentKind::Map(Family::Act) | ContentKind::Queries) | None => {
            let remedy = "add the map property family: level, blueprint, floor, template or grid";
            let stated = stated.unwrap_or("missing");
            return Err(reject("properties.family", stated, "not a family", remedy));
        }
    };
    Ok(ImportedContent { content, stated_digest, pins: Some(pins(parsed)?) })
}

/// Returns the pinned cells: those with a tile or rectangle in the layer `pins`, and those of
/// objects with the property `pinned`.
pub(super) fn pins(parsed: &ParsedMap) -> Result<BitGrid, FormatError> {
    let mut pins = parsed.cells_of(names::PINS);
    for object in &parsed.objects {
        if object.layer == names::PINS {
            // A rectangle pins every cell whose centre it contains.
            let (tile_width, tile_height) = (f64::from(parsed.tile.0), f64::from(parsed.tile.1));
            let top = if object.gid != 0 { object.y - object.height } else { object.y };
            let inside = |at: u16, tile: f64, from: f64, side: f64| {
                let middle = (f64::from(at) + 0.5) * tile;
                middle >= from && middle <= from + side.max(0.0)
            };
            for y in (0..parsed.size.height).filter(|&y| inside(y, tile_height, top, object.height))
            {
                for x in (0..parsed.size.width)
                    .filter(|&x| inside(x, tile_width, object.x, object.width))
                {
                    pins.insert(Pos { x, y });
                }
            }
        } else if object.properties.get("pinned").is_some_and(|value| value == "true") {
            pins.insert(parsed.cell(object)?);
        }
    }
    Ok(pins)
}

fn restore_level(parsed: &ParsedMap) -> Result<Level, FormatError> {
    let config: level::Config = json(parsed, names::CONFIG)?;
    let spec = config.resolve()?;
    let (blueprint, reinforced) = symbols(parsed)?;
    if blueprint.size() != spec.size() {
        let problem = format!("the configuration states {}", spec.size());
        return Err(reject("map", blueprint.size(), problem, "keep the size of the map"));
    }
    let mut marks = vec![Vec::new(); spec.config().marks.len()];
    for object in parsed.objects_of(names::MARKS) {
        let index = spec.config().marks.iter().position(|mark| mark.name == object.name);
        let Some(index) = index else {
            let problem = "not a mark of the configuration";
            return Err(reject(
                object.title(),
                &object.name,
                problem,
                "use a name of config.marks",
            ));
        };
        marks[index].push(parsed.cell(object)?);
    }
    marks.iter_mut().for_each(|cells: &mut Vec<Pos>| cells.sort_unstable());
    let attempt = json(parsed, names::ATTEMPT)?;
    let witness = parsed.objects_of(names::ROUTES).map(|object| {
        let chain = property(object, "chain")?.parse();
        let chain = chain
            .map_err(|_| reject(object.title(), "chain", "not a number", "keep the property"))?;
        let reached = parse(object, property(object, "reached")?)?;
        Ok(Witness { chain, route: parsed.line(object)?, reached })
    });
    Ok(Level {
        seed: seed(parsed, names::SEED)?,
        spec,
        blueprint,
        tags: Tags { fall_spawn_cells: parsed.cells_of(names::FALL_SPAWN), reinforced, marks },
        car_walkable_cells: parsed.cells_of(names::CAR_WALKABLE),
        witness: witness.collect::<Result<_, FormatError>>()?,
        attempt,
    })
}

/// Returns the symbols of all cells, including candidates, and the reinforced walls.
fn symbols(parsed: &ParsedMap) -> Result<(Blueprint, BitGrid), FormatError> {
    let max = Blueprint::MAX_SIDE;
    if parsed.size.width > max || parsed.size.height > max {
        return Err(reject(
            "map",
            parsed.size,
            "larger than any level",
            format!("use at most {max} cells per side"),
        ));
    }
    let mut blueprint = Blueprint::filled(parsed.size, Symbol::Floor);
    let mut reinforced = BitGrid::new(parsed.size);
    for_each_tile(
        parsed,
        ("every cell of a level needs a tile", "paint floor there"),
        |pos, text, tile| {
            let symbol = one_char(text).and_then(Symbol::from_char);
            blueprint
                .set(pos, symbol.ok_or(("not a symbol", "use tiles with a symbol of the legend"))?);
            if tile.properties.get("reinforced").is_some_and(|value| value == "true") {
                reinforced.insert(pos);
            }
            Ok(())
        },
    )?;
    for object in parsed.objects_of(names::CANDIDATES) {
        let (pos, kind) = (parsed.cell(object)?, kind(parsed, object)?);
        let symbol = Symbol::CANDIDATES.into_iter().find(|&symbol| symbol_kind(symbol) == kind);
        let Some(symbol) = symbol else {
            let kinds = Symbol::CANDIDATES.map(symbol_kind).join(", ");
            return Err(reject(
                object.title(),
                kind,
                "not a candidate",
                format!("set its type to {kinds}"),
            ));
        };
        if blueprint.get(pos) != Symbol::Floor {
            let problem = format!("{pos} is occupied by {}", blueprint.get(pos).meaning());
            return Err(reject(object.title(), kind, problem, "put it on plain floor"));
        }
        blueprint.set(pos, symbol);
    }
    Ok((blueprint, reinforced))
}

/// Converts a parsed map to a floor of the given spec.
pub(super) fn restore_floor(
    parsed: &ParsedMap,
    spec: floor::Spec,
    seed_name: &str,
) -> Result<Floor, FormatError> {
    if parsed.size != spec.size() {
        let problem = format!("the configuration states {}", spec.size());
        return Err(reject("map", parsed.size, problem, "keep the size of the map"));
    }
    let (tiles, mut entities) = tiles(parsed)?;
    for object in parsed.objects_of(names::ENTITIES) {
        let (pos, kind) = entity(parsed, object)?;
        if entities.iter().any(|other| other.pos == pos) {
            let problem = format!("{pos} already has an entity");
            return Err(reject(object.title(), kind.name(), problem, "move one of them"));
        }
        let data =
            object.properties.get(names::DATA).map(|text| parse(object, text)).transpose()?;
        entities.push(Entity { data: data.map(Arc::new), ..Entity::new(kind, pos) });
    }
    entities.sort_by_key(|entity| (entity.kind, entity.pos));
    let note = |object| {
        Ok((
            parsed.cell(object)?,
            Arc::new(parse::<Metadata>(object, property(object, names::META)?)?),
        ))
    };
    let mut meta =
        parsed.objects_of(names::NOTES).map(note).collect::<Result<Vec<_>, FormatError>>()?;
    meta.sort_by_key(|(pos, _)| *pos);
    let end = |kind: TileKind| {
        let mut ends =
            parsed.size.iter().zip(&tiles).filter(|(_, tile)| **tile == kind).map(|(pos, _)| pos);
        match (ends.next(), ends.next()) {
            (Some(end), None) => Ok(end),
            (first, _) => {
                let count = if first.is_some() { "several" } else { "none" };
                Err(reject(
                    "ground",
                    count,
                    format!("a floor has one {}", kind.name()),
                    "paint exactly one",
                ))
            }
        }
    };
    let (entrance, exit) = (end(TileKind::Entrance)?, end(TileKind::Exit)?);
    let mut path = Vec::new();
    for object in parsed.objects_of(names::ROUTES).filter(|object| object.kind == "path") {
        path = parsed.line(object)?;
    }
    let generated_at = parsed.property(names::GENERATED_AT).unwrap_or(DEFAULT_GENERATED_AT);
    Ok(Floor {
        seed: seed(parsed, seed_name)?,
        spec,
        tiles,
        meta,
        entities,
        entrance,
        exit,
        path,
        origin: json(parsed, names::ORIGIN)?,
        generated_at: generated_at.chars().filter(|c| !c.is_control()).take(64).collect(),
    })
}

/// Returns the tiles of a floor, and the entities that were painted as tiles.
fn tiles(parsed: &ParsedMap) -> Result<(Vec<TileKind>, Vec<Entity>), FormatError> {
    let (mut tiles, mut entities) = (Vec::new(), Vec::new());
    for_each_tile(
        parsed,
        ("every cell of a floor needs a tile", "paint floor or wall"),
        |pos, text, _| {
            let symbol = one_char(text);
            let kind = TileKind::ALL.into_iter().find(|kind| Some(kind.symbol()) == symbol);
            let entity = EntityKind::ALL.into_iter().find(|kind| Some(kind.symbol()) == symbol);
            if kind.is_none() {
                let unknown = ("not a tile", "use tiles with a symbol of templates");
                entities.push(Entity::new(entity.ok_or(unknown)?, pos));
            }
            tiles.push(kind.unwrap_or(TileKind::Floor));
            Ok(())
        },
    )?;
    Ok((tiles, entities))
}

/// A problem and its remedy.
type Problem = (&'static str, &'static str);

/// Calls `each` with the ground tile of every cell and its `symbol`. `empty` is the error for an
/// empty cell.
fn for_each_tile(
    parsed: &ParsedMap,
    empty: Problem,
    mut each: impl FnMut(Pos, &str, &ParsedTile) -> Result<(), Problem>,
) -> Result<(), FormatError> {
    let ground = parsed.required_layer(names::GROUND)?;
    for (pos, &gid) in parsed.size.iter().zip(&ground.cells) {
        let field = || format!("ground {pos}");
        let Some(tile) = parsed.tile(gid, field)? else {
            return Err(reject(field(), "empty", empty.0, empty.1));
        };
        let text = tile.properties.get(names::SYMBOL).map_or("", String::as_str);
        each(pos, text, tile)
            .map_err(|(problem, remedy)| reject(field(), format!("\"{text}\""), problem, remedy))?;
    }
    Ok(())
}

/// Returns the cell and kind of an entity.
fn entity(parsed: &ParsedMap, object: &ParsedObject) -> Result<(Pos, EntityKind), FormatError> {
    let (pos, kind) = (parsed.cell(object)?, kind(parsed, object)?);
    let found =
        EntityKind::ALL.into_iter().find(|entity| entity.name() == kind).ok_or_else(|| {
            let kinds = EntityKind::ALL.map(EntityKind::name).join(", ");
            reject(object.title(), kind, "not an entity", format!("set its type to {kinds}"))
        })?;
    Ok((pos, found))
}

fn restore_template(parsed: &ParsedMap) -> Result<Template, FormatError> {
    let (tiles, painted) = tiles(parsed)?;
    let mut cells: Vec<char> = tiles.iter().map(|tile| tile.symbol()).collect();
    painted.iter().for_each(|entity| cells[parsed.size.index(entity.pos)] = entity.kind.symbol());
    for object in parsed.objects_of(names::ENTITIES) {
        let (pos, kind) = entity(parsed, object)?;
        cells[parsed.size.index(pos)] = kind.symbol();
    }
    for object in parsed.objects_of(names::NOTES) {
        let pos = parsed.cell(object)?;
        let symbol = one_char(property(object, names::SYMBOL)?);
        cells[parsed.size.index(pos)] = symbol
            .ok_or_else(|| reject(object.title(), "symbol", "not one character", "write one"))?;
    }
    let legend = match parsed.property(names::LEGEND) {
        Some(_) => json(parsed, names::LEGEND)?,
        None => BTreeMap::new(),
    };
    let width = usize::from(parsed.size.width);
    let template = Template {
        id: parsed.property(names::ID).unwrap_or("edited").to_owned(),
        rows: cells.chunks(width).map(|row| row.iter().collect()).collect(),
        legend,
    };
    template.size()?;
    Ok(template)
}

fn restore_nav_grid(parsed: &ParsedMap) -> Result<NavGrid, FormatError> {
    let ground = parsed.required_layer(names::GROUND)?;
    // A map has few distinct tiles, so each of them is interpreted only once.
    let gids: BTreeSet<u32> = ground.cells.iter().copied().collect();
    let mut meaning: BTreeMap<u32, Option<u8>> = BTreeMap::new();
    for gid in gids {
        let Some(tile) = parsed.tile(gid, || "ground".to_owned())? else {
            return Err(reject("ground", "empty", "every cell must be water or land", "paint it"));
        };
        let magnitude = match tile.properties.get("magnitude").map(|text| text.parse::<u8>()) {
            None => 0,
            Some(Ok(magnitude)) if magnitude < NAV_GRID_MAGNITUDES => magnitude,
            Some(_) => {
                let remedy = format!("use 0 to {}", NAV_GRID_MAGNITUDES - 1);
                return Err(reject(
                    "tile.magnitude",
                    &tile.properties["magnitude"],
                    "not a magnitude",
                    remedy,
                ));
            }
        };
        let open = match tile.properties.get(names::SYMBOL).map_or("", String::as_str) {
            "~" | "." => true,
            "#" | "@" => false,
            other => {
                let remedy = "use tiles with the symbol ~ or #";
                return Err(reject(
                    "tile.symbol",
                    format!("\"{other}\""),
                    "neither water nor land",
                    remedy,
                ));
            }
        };
        meaning.insert(gid, open.then_some(magnitude));
    }
    let magnitude = |gid: &u32| meaning.get(gid).copied().flatten();
    let cells = parsed.size.iter().zip(&ground.cells);
    let open = BitGrid::from_cells(
        parsed.size,
        cells.filter(|(_, gid)| magnitude(gid).is_some()).map(|(pos, _)| pos),
    );
    if parsed.property(names::MAGNITUDES) == Some("true") {
        let magnitudes = ground.cells.iter().map(|gid| magnitude(gid).unwrap_or(0)).collect();
        Ok(NavGrid::with_magnitudes(open, magnitudes)?)
    } else {
        Ok(NavGrid::new(open)?)
    }
}

/// Returns the type of an object, or of its tile.
fn kind<'a>(parsed: &'a ParsedMap, object: &'a ParsedObject) -> Result<&'a str, FormatError> {
    if !object.kind.is_empty() {
        return Ok(&object.kind);
    }
    Ok(parsed.tile(object.gid, || object.title())?.map_or("", |tile| &tile.kind))
}

fn property<'a>(object: &'a ParsedObject, name: &str) -> Result<&'a str, FormatError> {
    let value = object.properties.get(name).map(String::as_str);
    value.ok_or_else(|| {
        reject(object.title(), "missing", format!("requires the property {name}"), "add it")
    })
}

/// Parses a JSON property of an object.
fn parse<T: DeserializeOwned>(object: &ParsedObject, text: &str) -> Result<T, FormatError> {
    Ok(document::parse(&object.title(), text.as_bytes())?)
}

pub(super) fn json<T: DeserializeOwned>(parsed: &ParsedMap, name: &str) -> Result<T, FormatError> {
    let text = parsed.required_property(name)?;
    Ok(document::parse(&format!("properties.{name}"), text.as_bytes())?)
}

pub(super) fn seed(parsed: &ParsedMap, name: &str) -> Result<Seed, FormatError> {
    let text = parsed.required_property(name)?;
    text.parse().map_err(|error: InputError| {
        reject(format!("properties.{name}"), &error.value, &error.problem, &error.remedy)
    })
}

pub(super) fn digest(parsed: &ParsedMap) -> Result<Digest, FormatError> {
    let text = parsed.required_property(names::DIGEST)?;
    Digest::from_text(text).ok_or_else(|| {
        let remedy = "write sha256: and 64 lowercase hexadecimal digits";
        reject("properties.digest", text, "not a digest", remedy)
    })
}

fn one_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}
