//! Seas with islands, ways over them or over a map of one's own, and how they were searched; both
//! in the files of other tools, too.

use crate::handlers::ask::{ConfigInput, Given, SeedAndConfig, SeedInput, Whole, read_object, whole};
use crate::handlers::export;
use crate::handlers::form::Form;
use crate::handlers::limits::{Limits, check_count, check_limit};
use crate::handlers::problem::{Kind, Problem};
use crate::handlers::query::Query;
use data_encoding::BASE64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::{
    ARCHIPELAGO, ArchipelagoConfig, CoarseRule, CorridorConfig, Method, Metric, Moves, Navigator, Options,
    Query as WayQuery, SearchEvent, Water, archipelago,
};
use wayforge::trace::Tape;
use wayforge::{InputError, Seed};
use wayforge_draw::{Theme, search_animation};
use wayforge_formats::Content;

/// The most steps of a search that are told.
const MAX_EVENTS: usize = 1 << 21;
/// The most sources, and the most targets.
const MAX_ENDS: usize = 4096;
/// The longer side of a film, in pixels.
const FILM_SIDE: u32 = 640;
/// A land tile, as OpenFront's maps have it; water has its magnitude.
const LAND: u8 = 0x80;

/// A sea to be written: a seed's, or a map of one's own.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SeaRequest<'a> {
    seed: Given<SeedInput>,
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    config: Given<&'a RawValue>,
    map: Given<MapInput>,
}

/// A sea with islands.
#[derive(Serialize, JsonSchema)]
pub struct WaterMap {
    /// The algorithm that made it.
    algorithm: &'static str,
    /// Its seed.
    seed: Seed,
    /// Columns.
    width: u16,
    /// Rows.
    height: u16,
    /// One byte a tile in reading order, in base64: 128 is land, other numbers are how far water is from land.
    tiles: String,
}

/// A search over a seed's sea or a map of one's own.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WayRequest<'a> {
    #[serde(default)]
    seed: Given<SeedInput>,
    #[serde(default, borrow)]
    #[schemars(with = "ConfigInput")]
    config: Given<&'a RawValue>,
    #[serde(default)]
    map: Given<MapInput>,
    /// Tiles as [x, y].
    #[schemars(with = "Vec<(u16, u16)>", length(min = 1, max = MAX_ENDS))]
    sources: Vec<Pos>,
    /// Tiles as [x, y].
    #[schemars(with = "Vec<(u16, u16)>", length(min = 1, max = MAX_ENDS))]
    targets: Vec<Pos>,
    #[serde(default)]
    #[schemars(extend("enum" = Method::ALL.map(Method::name)))]
    method: Given<String>,
    #[serde(default)]
    moves: Given<MovesInput>,
    #[serde(default)]
    corridor: CorridorInput,
}

/// Corridor of the methods restart, mask-f1, mask-f2, mask-optimal and pieces.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CorridorInput {
    /// Side of a coarse cell in tiles. [default: 4, 8 for pieces]
    #[schemars(with = "u16", range(min = 1, max = 1024))]
    factor: Given<Whole<u32>>,
    /// Initial half width of the corridor in coarse cells. [default: 2]
    #[schemars(with = "u16", range(min = 0, max = 1024))]
    radius: Given<Whole<u32>>,
    /// Guardrail: number of widenings before all water is searched. [default: 6]
    #[schemars(with = "u16", range(min = 0, max = 1024))]
    max_expansions: Given<Whole<u32>>,
    /// Coarse nodes: one per cell with any water (any-tile), or one per connected component of water in a cell (components).
    /// [default: any-tile, components for pieces]
    #[schemars(extend("enum" = CoarseRule::ALL.map(CoarseRule::name)))]
    coarse_rule: Given<String>,
}

impl CorridorInput {
    /// Options of a navigator with this corridor.
    fn options(&self, method: Method, water: &Water, limits: &Limits) -> Result<Options, Problem> {
        let number = |value: &Given<Whole<u32>>| value.0.as_ref().map(|value| value.0.into());
        let config = CorridorConfig {
            factor: number(&self.factor),
            radius: number(&self.radius),
            max_expansions: number(&self.max_expansions),
            coarse_rule: self.coarse_rule.0.as_deref().map(str::parse).transpose().map_err(in_corridor)?,
        };
        let options = config.apply_for(method, Options::default()).map_err(in_corridor)?;
        // A coarse node takes about as much memory as eight tiles.
        let most = limits.work / 8;
        if config.factor == Some(1) && water.size().cells() as u64 > most {
            let detail =
                format!("corridor.factor = 1: at most {most} tiles are allowed with it; use 2 or more");
            return Err(Problem::new(Kind::Limit, detail).field("corridor.factor").allowed("2 or more"));
        }
        Ok(options)
    }
}

fn in_corridor(error: InputError) -> Problem {
    Problem::from(error).inside("corridor")
}

/// A map of one's own.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapInput {
    /// Columns.
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 1, max = 16384))]
    width: u16,
    /// Rows.
    #[serde(deserialize_with = "whole")]
    #[schemars(range(min = 1, max = 16384))]
    height: u16,
    /// One bit a tile in reading order, set for water, the lowest bit of a byte first, rows not padded, in base64.
    open: String,
    /// How far each tile is from land: one byte a tile in reading order, in base64; land's are ignored.
    #[serde(default)]
    magnitudes: Given<String>,
}

/// How a way may step.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum MovesInput {
    /// Along rows and columns.
    Four,
    /// Diagonally too, without cutting corners.
    Eight,
}

/// A way, and how it was found.
#[derive(Serialize, JsonSchema)]
pub struct WayAnswer {
    /// The way; null if there is none.
    way: Option<WayTold>,
    /// The method that searched.
    method: String,
    /// What it did.
    counts: CountsTold,
    /// What plain breadth-first search does for the same question.
    bfs: CountsTold,
    /// The steps of the search in base64, four bytes each, little-endian: a tile's number (row times width plus column) in the lower 28
    /// bits, and above them what happens: 0 the tile is visited, 1 the coarse cell from this tile on is allowed, 2 the mask is widened, 3 the
    /// search starts over, 4 it starts over on all water. Empty for methods that do not go tile by tile.
    events: String,
    /// The side of a coarse cell.
    side: u16,
    /// How many more steps there were.
    missed: u64,
}

/// A way.
#[derive(Serialize, JsonSchema)]
pub struct WayTold {
    /// Its tiles from source to target.
    tiles: Vec<Pos>,
    /// Which of the sources it begins at.
    source: usize,
    /// Which of the targets it ends at.
    target: usize,
    /// Its steps.
    steps: u32,
    /// How many of them are diagonal.
    diagonal: u32,
    /// What its length promises.
    guarantee: &'static str,
}

/// What a search did.
#[derive(Serialize, JsonSchema)]
pub struct CountsTold {
    /// Tiles or jump points that were reached.
    visited: u64,
    /// How often a corridor was widened.
    expansions: u32,
    /// Whether the corridor was given up.
    fallback: bool,
    /// The steps of the way; null if there is none.
    steps: Option<u32>,
}

/// The sea of a seed.
pub fn water(body: &[u8], limits: &Limits) -> Result<WaterMap, Problem> {
    let request: SeedAndConfig<'_> = read_object(body)?;
    let seed = request.seed.seed()?;
    let water = make(seed.clone(), request.config.json(), limits)?;
    let Size { width, height } = water.size();
    let tile = |pos| if water.is_open(pos) { water.magnitude(pos) } else { LAND };
    let tiles: Vec<u8> = water.size().iter().map(tile).collect();
    Ok(WaterMap { algorithm: ARCHIPELAGO, seed, width, height, tiles: BASE64.encode(&tiles) })
}

/// The sea of a seed, or a map of one's own, as a file.
pub fn write_sea(body: &[u8], form: Form, theme: Theme, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let SeaRequest { seed, config, map } = read_object(body)?;
    let water = sea_of(&map, &seed, &config, limits)?;
    export::write(Content::Water(water), form, "water", theme)
}

/// A search, step by step, as animated PNG.
pub fn film(body: &[u8], theme: Theme, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let (water, query, options) = read_way(read_object(body)?, limits)?;
    if !is_by_tiles(query.method) {
        let name = query.method.name();
        let detail = format!("method: {name} does not go tile by tile; there is nothing to watch");
        let known = "bfs, restart, mask-*, pieces";
        return Err(Problem::new(Kind::Config, detail).field("method").allowed(known));
    }
    let mut navigator = Navigator::with(&water, options)?;
    let mut tape = Tape::new(MAX_EVENTS);
    let found = navigator.find_traced(&query, &mut tape)?;
    if tape.missed() > 0 {
        let detail = format!("the search took more than {MAX_EVENTS} steps");
        return Err(Problem::new(Kind::Limit, detail).allowed("a smaller map"));
    }
    let side = FILM_SIDE.min(4 * u32::from(water.size().width.max(water.size().height))).max(64);
    Ok(search_animation(&water, &query, tape.events(), found.as_ref(), theme, side)?)
}

/// The theme that a request asks for, and nothing else.
pub fn read_theme(mut query: Query) -> Result<Theme, Problem> {
    let theme = query.choose("theme", &Theme::ALL.map(|theme| (theme.name(), theme)))?.unwrap_or_default();
    query.finish()?;
    Ok(theme)
}

/// Whether a method goes tile by tile, so that its steps can be told.
fn is_by_tiles(method: Method) -> bool {
    !matches!(method, Method::Auto | Method::Wave | Method::Jump | Method::Graph)
}

/// The map, the query and the options of a request.
fn read_way(ask: WayRequest<'_>, limits: &Limits) -> Result<(Water, WayQuery, Options), Problem> {
    check_count("sources", "tiles", ask.sources.len(), MAX_ENDS)?;
    check_count("targets", "tiles", ask.targets.len(), MAX_ENDS)?;
    let water = sea_of(&ask.map, &ask.seed, &ask.config, limits)?;
    let method: Method = ask.method.0.as_deref().unwrap_or("mask-f2").parse()?;
    let moves = match ask.moves.0 {
        Some(MovesInput::Four) => Moves::Four,
        _ => Moves::Eight,
    };
    let options = ask.corridor.options(method, &water, limits)?;
    let query = WayQuery::new(ask.sources, ask.targets).moves(moves).metric(Metric::Steps).method(method);
    Ok((water, query, options))
}

/// The map of one's own, or the sea of a seed.
fn sea_of(
    map: &Given<MapInput>,
    seed: &Given<SeedInput>,
    config: &Given<&RawValue>,
    limits: &Limits,
) -> Result<Water, Problem> {
    match &map.0 {
        None => make(seed.seed()?, config.json(), limits),
        Some(map) if seed.0.is_none() && config.0.is_none() => read_map(map, limits),
        Some(_) => {
            let detail = "map: the sea has its own seed and config; leave one of them out";
            Err(Problem::new(Kind::Config, detail).field("map").allowed("a map, or seed and config"))
        }
    }
}

/// A way, and how it was searched.
pub fn way(body: &[u8], limits: &Limits) -> Result<WayAnswer, Problem> {
    let (water, query, options) = read_way(read_object(body)?, limits)?;
    let method = query.method;
    let mut navigator = Navigator::with(&water, options)?;
    let mut tape = Tape::new(MAX_EVENTS);
    // The counts are there even if no way is.
    let mut found = wayforge::nav::Way::default();
    let traced = if is_by_tiles(method) { navigator.find_traced(&query, &mut tape)? } else { None };
    let there = match traced {
        Some(path) => {
            found = path;
            true
        }
        None => navigator.find_into(&query, &mut found)?,
    };
    let mut plain = wayforge::nav::Way::default();
    let plain_there = navigator.find_into(&query.clone().method(Method::Bfs), &mut plain)?;
    let (events, side) = pack(tape.events(), water.size());
    let told = |way: &wayforge::nav::Way, there: bool| CountsTold {
        visited: way.counts.visited,
        expansions: way.counts.expansions,
        fallback: way.counts.fallback,
        steps: there.then(|| way.steps()),
    };
    Ok(WayAnswer {
        method: if there { found.method } else { method }.name().to_owned(),
        counts: told(&found, there),
        bfs: told(&plain, plain_there),
        events,
        side,
        missed: tape.missed(),
        way: there.then(|| WayTold {
            source: found.source,
            target: found.target,
            steps: found.steps(),
            diagonal: found.diagonal,
            guarantee: found.guarantee.name(),
            tiles: found.tiles,
        }),
    })
}

/// The archipelago of a seed.
fn make(seed: Seed, config: &[u8], limits: &Limits) -> Result<Water, Problem> {
    let inside = |problem: Problem| problem.inside("config");
    let config = ArchipelagoConfig::from_json(config).map_err(|error| inside(error.into()))?;
    let spec = config.resolve().map_err(|error| inside(error.into()))?;
    check_limit("config.width", "tiles", (config.width * config.height) as u64, limits.work)?;
    Ok(archipelago(seed, &spec))
}

/// Reads a map of one's own.
fn read_map(map: &MapInput, limits: &Limits) -> Result<Water, Problem> {
    let inside = |error: InputError| Problem::from(error).inside("map");
    let size = Size::new(map.width, map.height);
    check_limit("map.width", "tiles", size.cells() as u64, limits.work)?;
    let decode = |field: &str, text: &str, allowed: &str| {
        BASE64.decode(text.as_bytes()).map_err(|error| {
            let detail = format!("{field}: {error}; write base64 with padding");
            Problem::new(Kind::Config, detail).field(field).allowed(allowed)
        })
    };
    let bits = decode("map.open", &map.open, "write base64 with padding")?;
    let needed = size.cells().div_ceil(8);
    if bits.len() != needed {
        let remedy = format!("{size} tiles need {needed} bytes");
        let detail = format!("map.open: {} bytes; {remedy}", bits.len());
        return Err(Problem::new(Kind::Config, detail).field("map.open").allowed(remedy));
    }
    let set = |index: &usize| bits[index / 8] >> (index % 8) & 1 == 1;
    let open = BitGrid::of(size, (0..size.cells()).filter(set).map(|index| size.pos(index)));
    let Some(text) = &map.magnitudes.0 else { return Water::new(open).map_err(inside) };
    let magnitudes = decode("map.magnitudes", text, "base64 with padding")?;
    Water::with_magnitudes(open, magnitudes).map_err(inside)
}

/// The steps, four bytes each, and the side of a coarse cell.
fn pack(events: &[SearchEvent], size: Size) -> (String, u16) {
    let mut cell = 0;
    let mut bytes = Vec::with_capacity(4 * events.len());
    for event in events {
        let (what, tile) = match *event {
            SearchEvent::Visit(pos) => (0_u32, size.index(pos)),
            SearchEvent::Allow { corner, side } => {
                cell = side;
                (1, size.index(corner))
            }
            SearchEvent::Widen => (2, 0),
            SearchEvent::Restart => (3, 0),
            SearchEvent::Flood => (4, 0),
        };
        // 16,384 squared is 2^28, so that a tile's number fits below the four bits.
        bytes.extend_from_slice(&(what << 28 | tile as u32).to_le_bytes());
    }
    (BASE64.encode(&bytes), cell)
}
