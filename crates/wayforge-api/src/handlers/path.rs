//! Handlers for archipelagos and pathfinding.
//!
//! The navigation grid of a request is an archipelago, given by seed and configuration, or an
//! uploaded map. Responses contain the path, search statistics and the recorded search events.
//! Grids can also be written in file formats of other tools, and searches drawn as animations.

use crate::handlers::export;
use crate::handlers::limits::{Limits, check_limit};
use crate::handlers::problem::{Problem, ProblemKind};
use crate::handlers::query::Query;
use crate::handlers::request::{ConfigInput, OptionalField, SeedAndConfig, SeedInput, read_object};
use data_encoding::BASE64;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::{
    ARCHIPELAGO_ALGORITHM, ArchipelagoConfig, CoarseRule, Connectivity, CorridorConfig, Method,
    Metric, NavGrid, Navigator, Options, Query as PathQuery, SearchEvent, archipelago,
};
use wayforge::trace::Recorder;
use wayforge::{InputError, Seed, Stopped};
use wayforge_draw::{SearchFrames, Theme, search_animation_within};
use wayforge_formats::{Content, Format};

/// Maximum number of recorded search events.
const MAX_EVENTS: usize = 1 << 21;
/// Maximum number of sources, and of targets.
const MAX_ENDPOINTS: usize = 4096;
/// Maximum length of the longer side of an animation, in pixels.
const MAX_ANIMATION_SIDE: u32 = 640;
/// Value of a land tile, as in OpenFront maps. The value of a water tile is its distance from land.
const LAND: u8 = 0x80;

/// Navigation grid to write: an archipelago, or an uploaded map.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct NavGridRequest<'a> {
    /// Seed of the archipelago; random if omitted.
    seed: OptionalField<SeedInput>,
    /// Configuration of the archipelago; all defaults if omitted.
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    config: OptionalField<&'a RawValue>,
    /// Uploaded map; excludes `seed` and `config`.
    map: OptionalField<MapInput>,
}

/// Archipelago: a sea map with islands.
#[derive(Serialize, JsonSchema)]
pub struct ArchipelagoResponse {
    /// Name of the generating algorithm.
    algorithm: &'static str,
    /// Seed of the map.
    seed: Seed,
    /// Number of columns.
    width: u16,
    /// Number of rows.
    height: u16,
    /// One byte per tile, row by row, in base64: 128 is land, other values are the distance of
    /// water from land.
    tiles: String,
}

/// Path query on an archipelago or an uploaded map.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathRequest<'a> {
    /// Seed of the archipelago; random if omitted.
    #[serde(default)]
    seed: OptionalField<SeedInput>,
    /// Configuration of the archipelago; all defaults if omitted.
    #[serde(default, borrow)]
    #[schemars(with = "ConfigInput")]
    config: OptionalField<&'a RawValue>,
    /// Uploaded map; excludes `seed` and `config`.
    #[serde(default)]
    map: OptionalField<MapInput>,
    /// Source tiles as `[x, y]`; the path starts at one of them.
    #[schemars(with = "Vec<(u16, u16)>", length(min = 1, max = MAX_ENDPOINTS))]
    sources: Vec<Pos>,
    /// Target tiles as `[x, y]`; the path ends at one of them.
    #[schemars(with = "Vec<(u16, u16)>", length(min = 1, max = MAX_ENDPOINTS))]
    targets: Vec<Pos>,
    /// Search method. [default: mask-f2]
    #[serde(default)]
    #[schemars(extend("enum" = Method::ALL.map(Method::name)))]
    method: OptionalField<String>,
    /// Neighbourhood of a tile. [default: eight]
    #[serde(default)]
    connectivity: OptionalField<ConnectivityInput>,
    /// Corridor settings; only for methods that search in a corridor.
    #[serde(default)]
    corridor: CorridorInput,
}

/// Corridor settings of the methods restart, mask-f1, mask-f2, mask-optimal and components.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CorridorInput {
    /// Side of a coarse cell in tiles. [default: 4; 8 for components]
    #[schemars(range(min = 1, max = 1024))]
    factor: OptionalField<u32>,
    /// Initial half width of the corridor in coarse cells. [default: 2]
    #[schemars(range(min = 0, max = 1024))]
    radius: OptionalField<u32>,
    /// Maximum number of times the corridor widens before the whole grid is searched. [default: 6]
    #[schemars(range(min = 0, max = 1024))]
    max_expansions: OptionalField<u32>,
    /// Coarse nodes: one per cell with an open tile (any-tile), or one per connected component of
    /// open tiles in a cell (components). [default: any-tile; components for that method]
    #[schemars(extend("enum" = CoarseRule::ALL.map(CoarseRule::name)))]
    coarse_rule: OptionalField<String>,
}

impl CorridorInput {
    /// Returns navigator options with this corridor.
    fn options(&self, method: Method, grid: &NavGrid, limits: &Limits) -> Result<Options, Problem> {
        let rule = self.coarse_rule.0.as_deref().map(str::parse).transpose();
        let config = CorridorConfig {
            factor: self.factor.0.map(i64::from),
            radius: self.radius.0.map(i64::from),
            max_expansions: self.max_expansions.0.map(i64::from),
            coarse_rule: rule.map_err(in_corridor)?,
        };
        let options = config.apply_for(method, Options::default()).map_err(in_corridor)?;
        // A coarse node needs about as much memory as eight tiles.
        let max_tiles = limits.work / 8;
        if config.factor == Some(1) && grid.size().cells() as u64 > max_tiles {
            let problem = format!("allowed only on grids of at most {max_tiles} tiles");
            let error = InputError::new("corridor.factor", 1, problem, "use 2 or more");
            return Err(Problem::from_error(ProblemKind::LimitExceeded, error));
        }
        Ok(options)
    }
}

fn in_corridor(error: InputError) -> Problem {
    Problem::from(error).in_member("corridor")
}

/// Uploaded map.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MapInput {
    /// Number of columns.
    #[schemars(range(min = 1, max = 16384))]
    width: u16,
    /// Number of rows.
    #[schemars(range(min = 1, max = 16384))]
    height: u16,
    /// One bit per tile in base64, row by row without padding. Set bits are open tiles. The least
    /// significant bit of a byte comes first.
    open: String,
    /// Distance of each tile from land: one byte per tile, row by row, in base64. Bytes of blocked
    /// tiles are ignored.
    #[serde(default)]
    magnitudes: OptionalField<String>,
}

/// Neighbourhood of a tile.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum ConnectivityInput {
    /// The four orthogonal neighbours.
    Four,
    /// Also the four diagonal neighbours; steps do not cut corners.
    Eight,
}

/// Path with statistics and events of its search.
#[derive(Serialize, JsonSchema)]
pub struct PathResponse {
    /// Path; null if none exists.
    path: Option<PathResult>,
    /// Search method that was used.
    method: String,
    /// Statistics of the search.
    stats: SearchSummary,
    /// Statistics of plain breadth-first search for the same query.
    bfs: SearchSummary,
    /// Search events in base64, each a 32-bit little-endian integer. The lower 28 bits are the tile
    /// index (row times width plus column). The upper four bits are the event: 0 tile visited,
    /// 1 coarse cell with this corner allowed, 2 mask widened, 3 search restarted, 4 search
    /// restarted on the whole grid. Empty for methods that do not visit single tiles.
    events: String,
    /// Side of a coarse cell in tiles; 0 if no event refers to a coarse cell.
    coarse_side: u16,
    /// Number of events that were not recorded, because there were too many.
    dropped_events: u64,
}

/// Path from a source to a target.
#[derive(Serialize, JsonSchema)]
pub struct PathResult {
    /// Tiles from source to target.
    tiles: Vec<Pos>,
    /// Index of the path's source in `sources`.
    source: usize,
    /// Index of the path's target in `targets`.
    target: usize,
    /// Number of steps.
    steps: u32,
    /// Number of diagonal steps.
    diagonal: u32,
    /// Guarantee on the path's length: exact, shortest in region or valid.
    guarantee: &'static str,
}

/// Statistics of a search.
#[derive(Serialize, JsonSchema)]
pub struct SearchSummary {
    /// Number of visited tiles or jump points.
    visited: u64,
    /// Number of times the corridor was widened.
    expansions: u32,
    /// Whether the search fell back to the whole grid.
    fallback: bool,
    /// Number of steps of the path; null if none exists.
    steps: Option<u32>,
}

/// Generates the archipelago of a seed.
///
/// # Errors
/// If the request is invalid or exceeds the limits.
pub fn archipelago_map(body: &[u8], limits: &Limits) -> Result<ArchipelagoResponse, Problem> {
    let request: SeedAndConfig<'_> = read_object(body)?;
    let seed = request.seed.seed()?;
    let grid = generate_grid(seed.clone(), request.config.json(), limits)?;
    let Size { width, height } = grid.size();
    let tile = |pos| if grid.is_open(pos) { grid.magnitude(pos) } else { LAND };
    let tiles: Vec<u8> = grid.size().iter().map(tile).collect();
    Ok(ArchipelagoResponse {
        algorithm: ARCHIPELAGO_ALGORITHM,
        seed,
        width,
        height,
        tiles: BASE64.encode(&tiles),
    })
}

/// Writes an archipelago or an uploaded map as a file.
///
/// # Errors
/// If the request is invalid or exceeds the limits.
pub fn write_grid(
    body: &[u8],
    format: Format,
    theme: Theme,
    limits: &Limits,
) -> Result<Vec<u8>, Problem> {
    let NavGridRequest { seed, config, map } = read_object(body)?;
    let grid = select_grid(&map, &seed, &config, limits)?;
    export::write(Content::NavGrid(grid), format, "grid", theme)
}

/// Draws a search, event by event, as an animated PNG.
///
/// # Errors
/// If the request is invalid or exceeds the limits, or the method does not visit single tiles.
pub fn animation(body: &[u8], theme: Theme, limits: &Limits) -> Result<Vec<u8>, Problem> {
    let (grid, query, options) = read_path_request(read_object(body)?, limits)?;
    if !visits_single_tiles(query.method) {
        let remedy = "use bfs, restart, mask-f1, mask-f2, mask-optimal or components";
        return Err(InputError::new("method", query.method, "cannot be animated", remedy).into());
    }
    let mut navigator = Navigator::with_options(&grid, options)?;
    let mut recorder = Recorder::new(MAX_EVENTS);
    let found = navigator
        .find_traced_within(&query, &mut recorder, &limits.work_limit)?
        .map_err(search_stopped)?;
    if recorder.dropped() > 0 {
        let detail = format!("the search has more than {MAX_EVENTS} events");
        return Err(Problem::new(ProblemKind::LimitExceeded, detail).allowed("a smaller map"));
    }
    let side =
        MAX_ANIMATION_SIDE.min(4 * u32::from(grid.size().width.max(grid.size().height))).max(64);
    let frames = SearchFrames::new(&grid, recorder.events(), found.as_ref());
    Ok(search_animation_within(frames, &query, theme, side, &limits.work_limit)?)
}

/// Reads the query parameter `theme`; no other parameter is allowed.
///
/// # Errors
/// [`ProblemKind::InvalidParameter`] for an unknown theme or another parameter.
pub fn read_theme(mut query: Query) -> Result<Theme, Problem> {
    let theme =
        query.choose("theme", &Theme::ALL.map(|theme| (theme.name(), theme)))?.unwrap_or_default();
    query.finish()?;
    Ok(theme)
}

/// Returns whether a method visits single tiles, so that its events can be recorded.
fn visits_single_tiles(method: Method) -> bool {
    !matches!(method, Method::Auto | Method::Bidirectional | Method::Jps | Method::JpsGraph)
}

/// Returns the grid, the query and the navigator options of a request.
fn read_path_request(
    request: PathRequest<'_>,
    limits: &Limits,
) -> Result<(NavGrid, PathQuery, Options), Problem> {
    check_limit("sources", "tiles", request.sources.len(), MAX_ENDPOINTS)?;
    check_limit("targets", "tiles", request.targets.len(), MAX_ENDPOINTS)?;
    let grid = select_grid(&request.map, &request.seed, &request.config, limits)?;
    let method: Method = request.method.0.as_deref().unwrap_or("mask-f2").parse()?;
    let connectivity = match request.connectivity.0 {
        Some(ConnectivityInput::Four) => Connectivity::Four,
        _ => Connectivity::Eight,
    };
    let options = request.corridor.options(method, &grid, limits)?;
    let query = PathQuery::new(request.sources, request.targets)
        .connectivity(connectivity)
        .metric(Metric::Steps)
        .method(method);
    Ok((grid, query, options))
}

/// Returns the uploaded map, or generates the archipelago.
fn select_grid(
    map: &OptionalField<MapInput>,
    seed: &OptionalField<SeedInput>,
    config: &OptionalField<&RawValue>,
    limits: &Limits,
) -> Result<NavGrid, Problem> {
    match &map.0 {
        None => generate_grid(seed.seed()?, config.json(), limits),
        Some(map) if seed.0.is_none() && config.0.is_none() => read_map(map, limits),
        Some(_) => {
            let detail = "map: cannot be combined with seed or config; leave one of them out";
            Err(Problem::new(ProblemKind::InvalidConfig, detail)
                .field("map")
                .allowed("a map, or seed and config"))
        }
    }
}

/// Finds a path and returns it with statistics and events of the search.
///
/// # Errors
/// If the request is invalid or exceeds the limits.
pub fn find_path(body: &[u8], limits: &Limits) -> Result<PathResponse, Problem> {
    let (grid, query, options) = read_path_request(read_object(body)?, limits)?;
    let method = query.method;
    let mut navigator = Navigator::with_options(&grid, options)?;
    let mut recorder = Recorder::new(MAX_EVENTS);
    // `find_into` fills in the statistics even if no path exists.
    let mut path = wayforge::nav::Path::default();
    let traced = if visits_single_tiles(method) {
        let traced = navigator.find_traced_within(&query, &mut recorder, &limits.work_limit)?;
        traced.map_err(search_stopped)?
    } else {
        None
    };
    let exists = match traced {
        Some(traced) => {
            path = traced;
            true
        }
        None => {
            navigator.find_within(&query, &mut path, &limits.work_limit)?.map_err(search_stopped)?
        }
    };
    let mut bfs = wayforge::nav::Path::default();
    let bfs_exists = navigator
        .find_within(&query.clone().method(Method::Bfs), &mut bfs, &limits.work_limit)?
        .map_err(search_stopped)?;
    let (events, coarse_side) = encode_events(recorder.events(), grid.size());
    let summary = |path: &wayforge::nav::Path, exists: bool| SearchSummary {
        visited: path.stats.visited,
        expansions: path.stats.expansions,
        fallback: path.stats.fallback,
        steps: exists.then(|| path.steps()),
    };
    Ok(PathResponse {
        method: if exists { path.method } else { method }.name().to_owned(),
        stats: summary(&path, exists),
        bfs: summary(&bfs, bfs_exists),
        events,
        coarse_side,
        dropped_events: recorder.dropped(),
        path: exists.then(|| PathResult {
            source: path.source,
            target: path.target,
            steps: path.steps(),
            diagonal: path.diagonal_steps,
            guarantee: path.guarantee.name(),
            tiles: path.tiles,
        }),
    })
}

/// Describes a search that exceeds the work limit.
fn search_stopped(stopped: Stopped) -> Problem {
    Problem::from(stopped).field("map").allowed("a smaller map, or a narrower corridor")
}

/// Generates the archipelago of a seed within the limits.
fn generate_grid(seed: Seed, config: &[u8], limits: &Limits) -> Result<NavGrid, Problem> {
    let in_config = |problem: Problem| problem.in_member("config");
    let config = ArchipelagoConfig::from_json(config).map_err(|error| in_config(error.into()))?;
    let spec = config.resolve().map_err(|error| in_config(error.into()))?;
    check_limit("config.width", "tiles", (config.width * config.height) as u64, limits.work)?;
    Ok(archipelago(seed, &spec))
}

/// Decodes an uploaded map.
fn read_map(map: &MapInput, limits: &Limits) -> Result<NavGrid, Problem> {
    let in_map = |error: InputError| Problem::from(error).in_member("map");
    let size = Size::new(map.width, map.height);
    check_limit("map.width", "tiles", size.cells() as u64, limits.work)?;
    let decode = |field: &str, text: &str| {
        BASE64.decode(text.as_bytes()).map_err(|error| {
            InputError::new(field, text, error.to_string(), "use base64 with padding")
        })
    };
    let bits = decode("map.open", &map.open)?;
    let needed = size.cells().div_ceil(8);
    if bits.len() != needed {
        let remedy = format!("{size} tiles need {needed} bytes");
        let bytes = format!("{} bytes", bits.len());
        return Err(InputError::new("map.open", bytes, "wrong length", remedy).into());
    }
    let set = |index: &usize| bits[index / 8] >> (index % 8) & 1 == 1;
    let open =
        BitGrid::from_cells(size, (0..size.cells()).filter(set).map(|index| size.pos(index)));
    let Some(text) = &map.magnitudes.0 else { return NavGrid::new(open).map_err(in_map) };
    let magnitudes = decode("map.magnitudes", text)?;
    NavGrid::with_magnitudes(open, magnitudes).map_err(in_map)
}

/// Encodes events as in [`PathResponse`]; also returns the side of a coarse cell.
fn encode_events(events: &[SearchEvent], size: Size) -> (String, u16) {
    let mut coarse_side = 0;
    let mut bytes = Vec::with_capacity(4 * events.len());
    for event in events {
        let (code, tile) = match *event {
            SearchEvent::Visit(pos) => (0_u32, size.index(pos)),
            SearchEvent::Allow { corner, side } => {
                coarse_side = side;
                (1, size.index(corner))
            }
            SearchEvent::Widen => (2, 0),
            SearchEvent::Restart => (3, 0),
            SearchEvent::Fallback => (4, 0),
        };
        // A grid has at most 16,384^2 = 2^28 tiles, so an index fits in 28 bits.
        bytes.extend_from_slice(&(code << 28 | tile as u32).to_le_bytes());
    }
    (BASE64.encode(&bytes), coarse_side)
}
