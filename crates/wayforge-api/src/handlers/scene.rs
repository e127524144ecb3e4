//! Scenes for interactive pages: a map with its picture and the layout of the picture.
//!
//! A scene can include a run. The request lists the moves of the run; the server stores nothing.

use crate::FamilyOption;
use crate::bindings::{choose, parse_theme};
use crate::handlers::illegal_move::{MOVE_PATTERN, illegal_move, unparsable_move};
use crate::handlers::limits::{Limits, check_limit};
use crate::handlers::map::{RenderOptions, generate};
use crate::handlers::problem::{Problem, ProblemKind};
use crate::handlers::request::{
    ConfigInput, OptionalField, SeedInput, generation_problem, read_object,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::act::Fog;
use wayforge::grid::Size;
use wayforge::metric::MetricValue;
use wayforge::run::{Move, Run};
use wayforge::{Document, Family};
use wayforge_draw::{AnyScene, Point, Routes, Theme, UNIT};

/// Maximum number of moves of one request.
const MAX_MOVES: usize = 65_536;

/// Map to show. Only levels support `witness`, only act maps `labels` and `play.fog`, and all
/// families except levels `play`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SceneRequest<'a> {
    /// Seed; random if omitted.
    seed: OptionalField<SeedInput>,
    /// Configuration; all defaults if omitted.
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    config: OptionalField<&'a RawValue>,
    /// Theme of the picture. [default: parchment]
    #[schemars(extend("enum" = Theme::ALL.map(Theme::name)))]
    theme: OptionalField<String>,
    /// Proven routes of a level to show. [default: none]
    #[schemars(extend("enum" = Routes::ALL.map(Routes::name)))]
    witness: OptionalField<String>,
    /// Whether the nodes show column and row.
    labels: OptionalField<bool>,
    /// Run to show; none if omitted.
    play: OptionalField<PlayInput>,
}

/// Run to show.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(inline)]
struct PlayInput {
    /// Moves from the start.
    #[schemars(inner(regex(pattern = MOVE_PATTERN)), length(max = MAX_MOVES))]
    moves: Vec<String>,
    /// Number of visible rows ahead of the party; all if omitted.
    fog: OptionalField<u16>,
}

/// Map with its picture and the layout of the picture, in pixels.
#[derive(Serialize, JsonSchema)]
pub struct MapScene {
    /// Map document.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    document: Box<RawValue>,
    /// Picture.
    svg: String,
    /// Width of the picture.
    width: f64,
    /// Height of the picture.
    height: f64,
    /// Nodes of an act map, the boss last.
    nodes: Vec<NodeLayout>,
    /// Edges of an act map.
    edges: Vec<EdgeLayout>,
    /// Grids of a level, a floor or a tower, lowest floor first.
    grids: Vec<GridLayout>,
    /// Metrics of the map, with unit and description.
    metrics: Vec<MetricValue>,
    /// State of the run; null without `play`.
    party: Option<RunStatus>,
}

/// Position of a node in the picture.
#[derive(Serialize, JsonSchema)]
pub struct NodeLayout {
    /// Row, 0 at the bottom.
    row: u16,
    /// Column, 0 at the left.
    col: u16,
    /// Whether the node is the boss.
    boss: bool,
    /// Kind; null if the node has none or fog hides it.
    kind: Option<String>,
    /// X coordinate of the centre.
    x: f64,
    /// Y coordinate of the centre.
    y: f64,
    /// Radius of the circle.
    radius: f64,
}

/// Curve of an edge in the picture.
#[derive(Serialize, JsonSchema)]
pub struct EdgeLayout {
    /// Index of the lower node in `nodes`.
    from: usize,
    /// Index of the upper node in `nodes`.
    to: usize,
    /// Control points of the cubic Bézier curve: x, y, x, y, ...
    curve: [f64; 8],
}

/// Position of a grid in the picture.
#[derive(Serialize, JsonSchema)]
pub struct GridLayout {
    /// X coordinate of the upper left corner.
    x: f64,
    /// Y coordinate of the upper left corner.
    y: f64,
    /// Side of a tile.
    tile: f64,
    /// Number of columns.
    width: u16,
    /// Number of rows.
    height: u16,
}

/// State of a run.
#[derive(Serialize, JsonSchema)]
pub struct RunStatus {
    /// Legal moves.
    moves: Vec<String>,
    /// Whether the goal is reached.
    finished: bool,
    /// Position in a floor or tower: index of the floor, x, y; null on act maps.
    position: Option<[u32; 3]>,
    /// Saved run in the format of `wayforge play`.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    progress: Box<RawValue>,
}

impl RunStatus {
    /// Returns the state of a run.
    ///
    /// # Errors
    /// If the saved run is not JSON.
    pub fn new(run: &Run) -> serde_json::Result<RunStatus> {
        let position = match run {
            Run::Act(_) => None,
            Run::Tower(run) => {
                let pos = run.pos();
                Some([run.floor_number().saturating_sub(1), pos.x.into(), pos.y.into()])
            }
        };
        let moves = run.moves().iter().map(Move::to_string).collect();
        let progress = RawValue::from_string(run.progress())?;
        Ok(RunStatus { moves, finished: run.is_finished(), position, progress })
    }
}

/// Generates a map and returns it with its picture, layout and run.
///
/// # Errors
/// If the request is invalid or exceeds the limits, the seed has no map, or a move is illegal.
pub fn scene(body: &[u8], family: Family, limits: &Limits) -> Result<MapScene, Problem> {
    let request: &SceneRequest<'_> = &read_object(body)?;
    let options = render_options(request, limits)?;
    check_family(request, family)?;
    let (config, _) = request.config.config(family, limits)?;
    let map = generate(&config, request.seed.seed()?, limits).map_err(generation_problem)?;
    let document = map.to_document();
    let run = request.play.0.as_ref().map(|play| replay(play, &document)).transpose()?;
    let drawn = match &run {
        Some(run) => AnyScene::from_run(run, options.labels),
        None => options.scene(&map),
    };
    let metrics = map.metric_values();
    // The parts of a large scene take a hundred megabytes: keep only what the response needs.
    drop(map);
    let mut scene = MapScene::new(&drawn, options.theme);
    drop(drawn);
    scene.metrics = metrics;
    let failed = |error| {
        let detail = format!("the scene cannot be serialised: {error}");
        Problem::new(ProblemKind::InternalError, detail)
    };
    scene.party = run.as_ref().map(RunStatus::new).transpose().map_err(failed)?;
    drop(run);
    let text = document.to_text();
    drop(document);
    check_limit("config", "bytes", text.len() + scene.svg.len(), limits.client_unsent)?;
    scene.document = RawValue::from_string(text).map_err(failed)?;
    Ok(scene)
}

impl MapScene {
    /// Draws a scene and computes its layout.
    fn new(scene: &AnyScene, theme: Theme) -> MapScene {
        let (mut nodes, mut edges, mut grids) = (Vec::new(), Vec::new(), Vec::new());
        let (width, height) = match scene {
            AnyScene::Act(scene) => {
                nodes.extend(scene.nodes.iter().map(|node| NodeLayout {
                    row: node.row,
                    col: node.col,
                    boss: node.boss,
                    kind: scene.kind_of(node).map(|kind| kind.name.clone()),
                    x: pixels(node.pos.x),
                    y: pixels(node.pos.y),
                    radius: pixels(node.radius),
                }));
                edges.extend(scene.edges.iter().map(|edge| {
                    let mut curve = [0.0; 8];
                    for (target, point) in curve.chunks_mut(2).zip(edge.curve.0) {
                        target.copy_from_slice(&[pixels(point.x), pixels(point.y)]);
                    }
                    EdgeLayout { from: edge.from, to: edge.to, curve }
                }));
                (scene.width, scene.height)
            }
            AnyScene::Level(scene) => {
                grids.push(GridLayout::new(scene.corner, scene.tile_size, scene.size));
                (scene.width, scene.height)
            }
            AnyScene::Floors(scene) => {
                let panels = scene.panels.iter();
                grids.extend(
                    panels.map(|panel| GridLayout::new(panel.corner, panel.tile_size, panel.size)),
                );
                scene.size()
            }
        };
        MapScene {
            document: RawValue::NULL.to_owned(),
            svg: scene.svg(theme),
            width: pixels(width),
            height: pixels(height),
            nodes,
            edges,
            grids,
            metrics: Vec::new(),
            party: None,
        }
    }
}

impl GridLayout {
    fn new(corner: Point, tile: i32, size: Size) -> GridLayout {
        let Size { width, height } = size;
        GridLayout { x: pixels(corner.x), y: pixels(corner.y), tile: pixels(tile), width, height }
    }
}

/// Rejects request members that the family does not support.
fn check_family(request: &SceneRequest<'_>, family: Family) -> Result<(), Problem> {
    let is_given = |option: &FamilyOption| match option {
        FamilyOption::Fog => request.play.0.as_ref().is_some_and(|play| play.fog.0.is_some()),
        FamilyOption::Play => request.play.0.is_some(),
        FamilyOption::Witness => request.witness.0.is_some(),
        FamilyOption::Labels => request.labels.0.is_some(),
    };
    let mut unsupported =
        FamilyOption::ALL.into_iter().filter(|option| !option.is_supported_by(family));
    let Some(option) = unsupported.find(is_given) else { return Ok(()) };
    let names = Family::ALL.into_iter().filter(|&family| option.is_supported_by(family));
    let field = option.member();
    let allowed = format!("only with {}", names.map(Family::name).collect::<Vec<_>>().join(", "));
    let detail = format!("{field}: supported {allowed}, not with {family}; leave it out");
    Err(Problem::new(ProblemKind::InvalidConfig, detail).field(field).allowed(allowed))
}

/// Starts a run and applies its moves.
fn replay(play: &PlayInput, document: &Document) -> Result<Run, Problem> {
    check_limit("play.moves", "moves", play.moves.len(), MAX_MOVES)?;
    let fog = play.fog.0.as_ref().map_or(Fog::None, |&rows| Fog::Rows(rows));
    let mut run = Run::start_with_fog(document, fog).map_err(illegal_move)?;
    for (i, step) in play.moves.iter().enumerate() {
        let field = || format!("play.moves[{i}]");
        let step: Move = step.parse().map_err(|error| unparsable_move(error).field(field()))?;
        run.step(step).map_err(|error| illegal_move(error).field(field()))?;
    }
    Ok(run)
}

/// Reads the rendering options of the request.
fn render_options(request: &SceneRequest<'_>, limits: &Limits) -> Result<RenderOptions, Problem> {
    let theme = request.theme.0.as_deref().map(parse_theme).transpose()?.unwrap_or_default();
    let choices = Routes::ALL.map(|routes| (routes.name(), routes));
    let routes = request.witness.0.as_deref().map(|name| choose("witness", name, choices));
    let (routes, labels) =
        (routes.transpose()?.unwrap_or_default(), request.labels.0.unwrap_or(false));
    Ok(RenderOptions { theme, scale: 100, routes, labels, max_pixels: limits.pixels })
}

/// Converts drawing units to pixels.
fn pixels(units: i32) -> f64 {
    f64::from(units) / f64::from(UNIT)
}
