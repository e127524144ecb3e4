//! `wayforge way`: find ways over a map and show them.

use crate::choice::{Choice, THEMES, choice};
use crate::config_file;
use crate::convert::Folder;
use crate::failure::{Context, Failure, reject};
use crate::format::{OutputFormat, REPORTS};
use crate::number::pair;
use crate::output::{self, Output};
use crate::steps;
use crate::water::check_png;
use clap::Args;
use serde::Serialize;
use serde_json::Number;
use std::path::{Path, PathBuf};
use wayforge::InputError;
use wayforge::grid::Pos;
use wayforge::nav::{
    CorridorConfig, Guarantee, Method, Metric, Moves, Navigator, Options, Prepare, Query, Water, Way,
};
use wayforge::trace::Tape;
use wayforge_draw::{Chart, SearchFrames, Theme, chart_png, search_animation, search_ascii};
use wayforge_formats::{Asked, Content, FORMATS, Format as FileFormat, ReadOptions, What, read_queries};

/// So many events of a search are kept: more than the largest maps that are drawn have tiles.
const MAX_EVENTS: usize = 20_000_000;

/// Heading of the corridor options.
const CORRIDOR: &str = "Corridor options (methods restart, mask-f1, mask-f2, mask-optimal and pieces)";

/// The options of `wayforge way`.
#[derive(Args)]
pub(crate) struct WayArgs {
    /// The map: OpenFront's map.bin with manifest.json beside it, a Moving AI .map, a mask in .png or .pgm, Tiled's .tmx or .tmj, or a
    /// drawing in .txt
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// Where the way may begin; may be given several times
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_tile)]
    from: Vec<Pos>,
    /// Where the way may end; may be given several times
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_tile)]
    to: Vec<Pos>,
    /// Answer a file of queries (.p2p, .multi or .scen) as JSON lines
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "draw"])]
    queries: Option<PathBuf>,
    /// Neighbours of a tile; with 8 no corner is cut
    #[arg(long, default_value = "8", value_parser = choice(&CONNECTIVITY))]
    moves: Moves,
    /// What makes a way short [default: steps; octile for .scen files]
    #[arg(long, value_parser = choice(&METRICS))]
    metric: Option<Metric>,
    /// How to search: auto, bfs, wave, restart, mask-f1, mask-f2, mask-optimal, pieces, jump or graph
    #[arg(long, value_name = "NAME", default_value = "auto")]
    method: String,
    /// Side of a coarse cell in tiles, 1 to 1024 [default: 4; 8 for pieces]
    #[arg(long, value_name = "TILES", help_heading = CORRIDOR, allow_negative_numbers = true)]
    factor: Option<i64>,
    /// Initial half width of the corridor in coarse cells, 0 to 1024 [default: 2]
    #[arg(long, value_name = "CELLS", help_heading = CORRIDOR, allow_negative_numbers = true)]
    radius: Option<i64>,
    /// Guardrail: how often the corridor is widened before all water is searched, 0 to 1024 [default: 6]
    #[arg(long, value_name = "K", help_heading = CORRIDOR, allow_negative_numbers = true)]
    max_expansions: Option<i64>,
    /// Coarse nodes: any-tile is one per cell with any water, components one per connected component of water in a cell [default: any-tile;
    /// components for pieces]
    #[arg(long, value_name = "RULE", help_heading = CORRIDOR)]
    coarse_rule: Option<String>,
    /// What to work out in advance [default: full for a file of queries, none otherwise]
    #[arg(long, value_parser = choice(&PREPROCESSING))]
    prepare: Option<Prepare>,
    /// Prefer water of these magnitudes, the deepest first
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    depths: Vec<u8>,
    /// Keep only the tiles where the way turns, as far apart as they see each other
    #[arg(long)]
    smooth: bool,
    /// How the answer is written
    #[arg(long, default_value = "text", value_parser = OutputFormat::among(&REPORTS))]
    format: OutputFormat,
    /// Draw the map, the way and the visited tiles as .png, or the search under way as .apng
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// Show the search step by step: by keys on a terminal, else one step after the other
    #[arg(long, conflicts_with_all = ["queries", "draw"])]
    steps: bool,
    /// The longer side of the picture in pixels, 64 to 8192
    #[arg(long, value_name = "PIXELS", default_value_t = 1280, value_parser = clap::value_parser!(u32).range(64..=8192))]
    side: u32,
    /// The look of the picture
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
}

const CONNECTIVITY: [Choice<Moves>; 2] = [("4", "", Moves::Four), ("8", "", Moves::Eight)];
const METRICS: [Choice<Metric>; 2] = [("steps", "", Metric::Steps), ("octile", "", Metric::Octile)];
const PREPROCESSING: [Choice<Prepare>; 3] =
    [("none", "", Prepare::None), ("coarse", "", Prepare::Coarse), ("full", "", Prepare::Full)];

/// Answers one query, or a file of them.
pub(crate) fn run(args: WayArgs) -> Result<(), Failure> {
    let film = args.draw.as_ref().filter(|path| path.extension().is_some_and(|suffix| suffix == "apng"));
    if let (Some(path), None) = (&args.draw, film) {
        check_png(path, ".png or .apng")?;
    }
    let water = read_map(&args.map)?;
    let mut method: Method = args.method.parse().map_err(|error| Failure::Input(format!("--{error}")))?;
    if method == Method::Auto && args.depths.is_empty() && (args.steps || film.is_some()) {
        // What is fastest does not go tile by tile; there would be nothing to show.
        method = Method::Bfs;
    }
    let asked = asked(&args, &water)?;
    let octile = asked.iter().any(|asked| asked.length.is_some());
    let metric = args.metric.unwrap_or(if octile { Metric::Octile } else { Metric::Steps });
    let moves = args.moves;
    let pays = method == Method::Auto && args.queries.is_some() && args.depths.is_empty();
    let prepare = args.prepare.unwrap_or(if pays { Prepare::Full } else { Prepare::None });
    let options = Options { prepare, moves, metric, ..Options::default() };
    let mut navigator = corridor(&args)
        .and_then(|corridor| Navigator::with(&water, corridor.apply_for(method, options)?))
        .map_err(in_options)?;
    // The navigator has its own: the largest maps are a quarter of a gigabyte each.
    drop(water);
    let mut output = Output::open(None)?;
    let mut way = Way::default();
    for (number, asked) in asked.into_iter().enumerate() {
        let query = Query {
            depths: args.depths.clone(),
            smooth: args.smooth,
            ..Query::new(asked.sources, asked.targets).moves(moves).metric(metric).method(method)
        };
        if args.steps || film.is_some() {
            return show_search(&args, &mut navigator, &query, film, output);
        }
        let found = navigator.find_into(&query, &mut way).map_err(|error| match args.queries {
            Some(_) => Failure::about(format!("query {}", number + 1), error),
            None => in_options(error),
        })?;
        if let Some(path) = &args.draw {
            draw(&args, path, &navigator, &query, found.then_some(&way))?;
        }
        let line = match args.format == OutputFormat::Json || args.queries.is_some() {
            true => as_json(&query, &way, found, asked.length)? + "\n",
            false => as_text(&query, found.then_some(&way)),
        };
        output.write(line.as_bytes())?;
    }
    output.finish()
}

/// The corridor options that were given.
fn corridor(args: &WayArgs) -> Result<CorridorConfig, InputError> {
    Ok(CorridorConfig {
        factor: args.factor,
        radius: args.radius,
        max_expansions: args.max_expansions,
        coarse_rule: args.coarse_rule.as_deref().map(str::parse).transpose()?,
    })
}

/// Shows a search step by step, or draws it so.
fn show_search(
    args: &WayArgs,
    navigator: &mut Navigator,
    query: &Query,
    film: Option<&PathBuf>,
    mut output: Output,
) -> Result<(), Failure> {
    let mut tape = Tape::new(MAX_EVENTS);
    let found = navigator.find_traced(query, &mut tape).map_err(in_options)?;
    if tape.missed() > 0 {
        return reject(format!("--steps: the search took more than {MAX_EVENTS} steps"));
    }
    let water = navigator.water();
    let Some(path) = film else {
        let shots = SearchFrames::new(water, tape.events(), found.as_ref());
        return steps::show(&shots, |scene| search_ascii(water, query, scene, 80), output);
    };
    let bytes = search_animation(water, query, tape.events(), found.as_ref(), args.theme, args.side)
        .about("--draw")?;
    output::write(Some(path), bytes)?;
    let line = match args.format == OutputFormat::Json {
        true => as_json(query, found.as_ref().unwrap_or(&Way::default()), found.is_some(), None)? + "\n",
        false => as_text(query, found.as_ref()),
    };
    output.write(line.as_bytes())?;
    output.finish()
}

/// Names options instead of fields: `sources[1]` is the second `--from`.
fn in_options(mut error: InputError) -> Failure {
    let option = error.field.replace("sources", "from").replace("targets", "to").replace('_', "-");
    error.field = format!("--{option}");
    Failure::Input(error.to_string())
}

/// Reads a map by what its name says: any format that holds water.
fn read_map(path: &Path) -> Result<Water, Failure> {
    let (mut folder, name) = Folder::of(path)?;
    let suffixes = FORMATS.iter().filter(|format| format.reads.contains(&What::Water));
    let known: Vec<String> =
        suffixes.flat_map(|format| format.suffixes).map(|suffix| format!(".{suffix}")).collect();
    let format = FileFormat::of(&name).ok().filter(|format| format.reads.contains(&What::Water));
    let format = format
        .ok_or_else(|| Failure::about(path.display(), format!("unknown suffix; use {}", known.join(", "))))?;
    let read = format.read(&name, &mut folder, ReadOptions { hint: Some(What::Water) });
    let mut readings = read.about(path.display())?;
    match readings.pop().map(|reading| reading.content) {
        Some(Content::Water(water)) => Ok(water),
        other => {
            let what = other.map_or("nothing", |content| content.what().name());
            Err(Failure::about(path.display(), format!("holds {what}, not water")))
        }
    }
}

/// The queries that were given as options, or those of the file.
fn asked(args: &WayArgs, water: &Water) -> Result<Vec<Asked>, Failure> {
    if let Some(path) = &args.queries {
        let bytes = config_file::read(path)?;
        return read_queries(&bytes, water.size()).about(path.display());
    }
    for (option, list) in [("--from", &args.from), ("--to", &args.to)] {
        if list.is_empty() {
            return reject(format!("{option}: missing; give {option} X,Y, or --queries FILE"));
        }
    }
    Ok(vec![Asked { sources: args.from.clone(), targets: args.to.clone(), length: None }])
}

fn parse_tile(text: &str) -> Result<Pos, String> {
    let (x, y): (i128, i128) = pair(text).ok_or("not a tile; write column,row as in 12,7")?;
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => Ok(Pos::new(x, y)),
        _ => {
            Err("beyond every map; columns and rows begin at 0, and a map has at most 16384 of them"
                .to_owned())
        }
    }
}

fn draw(
    args: &WayArgs,
    path: &Path,
    navigator: &Navigator,
    query: &Query,
    way: Option<&Way>,
) -> Result<(), Failure> {
    let visited = navigator.visited();
    let ways: Vec<Vec<Pos>> = way.iter().map(|way| way.tiles.clone()).collect();
    let chart = Chart {
        water: navigator.water(),
        visited: Some(&visited),
        ways: &ways,
        sources: &query.sources,
        targets: &query.targets,
    };
    let bytes = chart_png(&chart, args.theme, args.side).about("--draw")?;
    output::write(Some(path), bytes)
}

/// An answer as JSON writes it: the members in the order of the documentation.
#[derive(Serialize)]
struct Answer<'a> {
    found: bool,
    length: Option<Number>,
    tiles: &'a [Pos],
    source: Option<Pos>,
    target: Option<Pos>,
    guarantee: &'static str,
    method: &'static str,
    visited: u64,
    expansions: u32,
    fallback: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u8>,
    /// The length that a `.scen` file states.
    #[serde(skip_serializing_if = "Option::is_none")]
    stated: Option<f64>,
}

/// The answer as one line of JSON. If there is no way, that is exact: all that could be searched was.
fn as_json(query: &Query, way: &Way, found: bool, stated: Option<f64>) -> Result<String, Failure> {
    let length = match query.metric {
        Metric::Steps => Some(way.steps().into()),
        Metric::Octile => Number::from_f64(way.length(Metric::Octile)),
    };
    let tiles = if found { way.tiles.as_slice() } else { &[] };
    let answer = Answer {
        found,
        length: length.filter(|_| found),
        tiles,
        source: tiles.first().copied(),
        target: tiles.last().copied(),
        guarantee: if found { way.guarantee.name() } else { Guarantee::Exact.name() },
        method: if found { way.method.name() } else { query.method.name() },
        visited: way.counts.visited,
        expansions: way.counts.expansions,
        fallback: way.counts.fallback,
        source_index: found.then_some(way.source),
        target_index: found.then_some(way.target),
        depth: way.depth.filter(|_| found),
        stated,
    };
    serde_json::to_string(&answer).about("answer")
}

/// The answer in words.
fn as_text(query: &Query, way: Option<&Way>) -> String {
    let Some(way) = way else { return "no way: water does not join them\n".to_owned() };
    let length = match query.metric {
        Metric::Steps => way.steps().to_string(),
        Metric::Octile => format!("{:.4}", way.length(Metric::Octile)),
    };
    let step = |a: &Pos, b: &Pos| (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
    let turns = |part: &&[Pos]| step(&part[0], &part[1]) != step(&part[1], &part[2]);
    let inner = way.tiles.windows(3).filter(turns).map(|part| &part[1]);
    let last = way.tiles.iter().skip(1).next_back();
    let ends = way.tiles.first().into_iter().chain(inner).chain(last);
    let corners: Vec<String> = ends.map(Pos::to_string).collect();
    let fallback = if way.counts.fallback { ", fell back to all water" } else { "" };
    format!(
        "length {length} ({}) by {}, {} visited, {} expansions{fallback}\nfrom {} to {}, {} tiles\nturns: {}\n",
        way.guarantee,
        way.method,
        way.counts.visited,
        way.counts.expansions,
        way.tiles.first().copied().unwrap_or_default(),
        way.tiles.last().copied().unwrap_or_default(),
        way.tiles.len(),
        corners.join(" "),
    )
}
