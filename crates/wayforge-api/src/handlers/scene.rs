//! A map with its picture, and where everything stands on it, so that a page can be clicked. Moves are
//! played without being kept.

use crate::AnyScene;
use crate::handlers::ask::{ConfigInput, Given, SeedInput, Whole, not_made, read_object};
use crate::handlers::limits::{Limits, check_count};
use crate::handlers::map::{Look, Witness, generate};
use crate::handlers::moves::{MOVE_PATTERN, illegal, no_move};
use crate::handlers::problem::{Kind, Problem};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wayforge::act::Fog;
use wayforge::grid::Size;
use wayforge::metric::Reading;
use wayforge::run::{Move, Run};
use wayforge::{Document, Family};
use wayforge_draw::{Point, Theme, UNIT};

/// The most moves of one request.
const MAX_MOVES: usize = 65_536;

/// A map to show. Only levels have a witness and no play, and only act maps have fog and labels.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SceneRequest<'a> {
    seed: Given<SeedInput>,
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    config: Given<&'a RawValue>,
    #[schemars(extend("enum" = Theme::ALL.map(Theme::name)))]
    theme: Given<String>,
    #[schemars(extend("enum" = Witness::ALL.map(|(name, _)| name)))]
    witness: Given<String>,
    /// Whether column and row are written beside the nodes.
    labels: Given<bool>,
    play: Given<PlayInput>,
}

/// A run to show.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(inline)]
struct PlayInput {
    /// The moves so far.
    #[schemars(inner(regex(pattern = MOVE_PATTERN)), length(max = MAX_MOVES))]
    moves: Vec<String>,
    /// How many rows ahead of the party are seen; all if left out.
    #[schemars(with = "u16")]
    fog: Given<Whole<u16>>,
}

/// A map, its picture and its places.
#[derive(Serialize, JsonSchema)]
pub struct MapScene {
    /// The map's document.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    document: Box<RawValue>,
    /// The picture.
    svg: String,
    /// The picture's width in pixels.
    width: f64,
    /// The picture's height.
    height: f64,
    /// The nodes of an act map, the boss last.
    nodes: Vec<NodePlace>,
    /// The edges of an act map.
    edges: Vec<EdgePlace>,
    /// The grids of a level, a floor or a tower, from the lowest floor up.
    grids: Vec<GridPlace>,
    /// Everything that is counted on the map, with unit and meaning.
    metrics: Vec<Reading>,
    /// How the run stands; null if none was asked for.
    party: Option<Standing>,
}

/// Where a node is drawn.
#[derive(Serialize, JsonSchema)]
pub struct NodePlace {
    row: u16,
    col: u16,
    boss: bool,
    /// Its kind; null if it has none, or if the fog hides it.
    kind: Option<String>,
    x: f64,
    y: f64,
    radius: f64,
}

/// Where an edge is drawn.
#[derive(Serialize, JsonSchema)]
pub struct EdgePlace {
    /// The lower node, as a place in `nodes`.
    from: usize,
    /// The upper node.
    to: usize,
    /// The control points of its curve: x and y by turns.
    curve: [f64; 8],
}

/// Where a grid is drawn.
#[derive(Serialize, JsonSchema)]
pub struct GridPlace {
    /// The upper left corner.
    x: f64,
    y: f64,
    /// The side of a tile.
    tile: f64,
    /// Columns.
    width: u16,
    /// Rows.
    height: u16,
}

/// How a run stands.
#[derive(Serialize, JsonSchema)]
pub struct Standing {
    /// The legal moves.
    moves: Vec<String>,
    /// True when the goal is reached.
    finished: bool,
    /// The floor of a climb, from 0, and the cell on it: x, y.
    at: Option<[u32; 3]>,
    /// The save, as `wayforge play` reads it.
    progress: String,
}

/// The map of a seed with its picture, and a run on it.
///
/// * **Errors.** What cannot be read, is beyond the limits or has no map; a move that is not legal.
pub fn scene(body: &[u8], family: Family, limits: &Limits) -> Result<MapScene, Problem> {
    let ask: &SceneRequest<'_> = &read_object(body)?;
    let look = read_look(ask, limits)?;
    fits(ask, family)?;
    let (config, _) = ask.config.config(family, limits)?;
    let map = generate(&config, ask.seed.seed()?).map_err(not_made)?;
    let document = map.to_document();
    let run = ask.play.0.as_ref().map(|play| replay(play, &document)).transpose()?;
    let drawn = match &run {
        Some(run) => AnyScene::of_run(run, look.labels),
        None => look.scene(&map),
    };
    let mut scene = MapScene::of(&drawn, look.theme);
    scene.metrics = map.readings();
    scene.party = run.as_ref().map(|run| Standing {
        moves: run.moves().iter().map(Move::to_string).collect(),
        finished: run.is_finished(),
        at: match run {
            Run::Act(_) => None,
            Run::Climb(climb) => {
                let at = climb.pos();
                Some([climb.floor_number().saturating_sub(1), at.x.into(), at.y.into()])
            }
        },
        progress: run.progress(),
    });
    let refuse = |error| Problem::new(Kind::Internal, format!("the document cannot be written: {error}"));
    scene.document = RawValue::from_string(document.to_text()).map_err(refuse)?;
    Ok(scene)
}

impl MapScene {
    /// The picture of a scene and its places.
    fn of(scene: &AnyScene, theme: Theme) -> MapScene {
        let (mut nodes, mut edges, mut grids) = (Vec::new(), Vec::new(), Vec::new());
        let (width, height) = match scene {
            AnyScene::Act(scene) => {
                nodes.extend(scene.nodes.iter().map(|node| NodePlace {
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
                    for (place, point) in curve.chunks_mut(2).zip(edge.curve.0) {
                        place.copy_from_slice(&[pixels(point.x), pixels(point.y)]);
                    }
                    EdgePlace { from: edge.from, to: edge.to, curve }
                }));
                (scene.width, scene.height)
            }
            AnyScene::Level(scene) => {
                grids.push(GridPlace::of(scene.corner, scene.tile, scene.size));
                (scene.width, scene.height)
            }
            AnyScene::Floors(scene) => {
                let panels = scene.panels.iter();
                grids.extend(panels.map(|panel| GridPlace::of(panel.corner, panel.tile, panel.size)));
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

impl GridPlace {
    fn of(corner: Point, tile: i32, size: Size) -> GridPlace {
        let Size { width, height } = size;
        GridPlace { x: pixels(corner.x), y: pixels(corner.y), tile: pixels(tile), width, height }
    }
}

/// Refuses what maps of the family do not have.
fn fits(ask: &SceneRequest<'_>, family: Family) -> Result<(), Problem> {
    let fog = ask.play.0.as_ref().is_some_and(|play| play.fog.0.is_some());
    let (field, only) = match family {
        Family::Level if ask.play.0.is_some() => ("play", "only with act, floor or tower"),
        Family::Floor | Family::Tower if fog => ("play.fog", "only with act"),
        Family::Act | Family::Floor | Family::Tower if ask.witness.0.is_some() => {
            ("witness", "only with level")
        }
        Family::Level | Family::Floor | Family::Tower if ask.labels.0.is_some() => {
            ("labels", "only with act")
        }
        _ => return Ok(()),
    };
    let detail = format!("{field}: {only}; leave it out of what you ask about a {family}");
    Err(Problem::new(Kind::Config, detail).field(field).allowed(only))
}

/// The run after some moves.
fn replay(play: &PlayInput, document: &Document) -> Result<Run, Problem> {
    check_count("play.moves", "moves", play.moves.len(), MAX_MOVES)?;
    let fog = play.fog.0.as_ref().map_or(Fog::None, |rows| Fog::Rows(rows.0));
    let refuse = |error: wayforge::run::RunError| illegal(&error, error.to_string());
    let mut run = Run::start_in(document, fog).map_err(refuse)?;
    for (at, step) in play.moves.iter().enumerate() {
        let field = || format!("play.moves[{at}]");
        let step: Move = step.parse().map_err(|error| no_move(error).field(field()))?;
        run = run.advance(step).map_err(|error| refuse(error).field(field()))?;
    }
    Ok(run)
}

fn read_look(ask: &SceneRequest<'_>, limits: &Limits) -> Result<Look, Problem> {
    let theme = choose("theme", ask.theme.0.as_deref(), &Theme::ALL.map(|theme| (theme.name(), theme)))?;
    let witness = choose("witness", ask.witness.0.as_deref(), &Witness::ALL)?;
    let labels = ask.labels.0.unwrap_or(false);
    Ok(Look { theme, scale: 100, witness, labels, pixels: limits.pixels })
}

/// One of several values by name; the default if none is named.
fn choose<T: Copy + Default>(field: &str, name: Option<&str>, known: &[(&str, T)]) -> Result<T, Problem> {
    let Some(name) = name else { return Ok(T::default()) };
    known.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).ok_or_else(|| {
        let known = known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        Problem::new(Kind::Config, format!("{field}: \"{name}\" is unknown; use {known}"))
            .field(field)
            .value(name)
            .allowed(known)
    })
}

fn pixels(units: i32) -> f64 {
    f64::from(units) / f64::from(UNIT)
}
