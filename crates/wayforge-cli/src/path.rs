//! `wayforge path`: finds shortest paths on a grid and shows them.

use crate::archipelago::check_png;
use crate::choice::{Choice, choice};
use crate::config_file;
use crate::convert::Folder;
use crate::failure::{Context, Failure, reject};
use crate::format::{FormatArg, REPORTS};
use crate::number::pair;
use crate::output::{self, Output};
use crate::picture::ChartArgs;
use crate::steps;
use clap::Args;
use serde::Serialize;
use serde_json::Number;
use std::path::{Path, PathBuf};
use wayforge::InputError;
use wayforge::nav::{
    Connectivity, CorridorConfig, Guarantee, Method, Metric, NavGrid, Navigator, Options,
    Preprocessing, Query,
};
use wayforge::trace::Recorder;
use wayforge::{grid::Pos, nav};
use wayforge_draw::{NavGridChart, SearchFrames, search_animation, search_ascii};
use wayforge_formats::{Content, ContentKind, Format, QueryRecord, ReadOptions, read_queries};

/// Maximum number of recorded search events, more than the largest drawn grids have tiles.
const MAX_EVENTS: usize = 20_000_000;

/// Heading of the corridor options.
const CORRIDOR: &str =
    "Corridor options (methods restart, mask-f1, mask-f2, mask-optimal and components)";

/// Options of `wayforge path`.
#[derive(Args)]
pub(crate) struct PathArgs {
    /// Grid to search: OpenFront map.bin with manifest.json, Moving AI .map, .png or .pgm mask,
    /// Tiled .tmx or .tmj, or .txt drawing
    #[arg(long, value_name = "FILE")]
    map: PathBuf,
    /// Source tile; repeat for several sources
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_tile)]
    from: Vec<Pos>,
    /// Target tile; repeat for several targets
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, value_parser = parse_tile)]
    to: Vec<Pos>,
    /// Run the queries of a .p2p, .multi or .scen file and print JSON lines
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "draw"])]
    queries: Option<PathBuf>,
    /// Number of neighbours per tile; 8 includes diagonals without corner cutting
    #[arg(long, default_value = "8", value_parser = choice(&CONNECTIVITY))]
    connectivity: Connectivity,
    /// Distance to minimise [default: steps; octile for .scen files]
    #[arg(long, value_parser = choice(&METRICS))]
    metric: Option<Metric>,
    /// Search method: auto, bfs, bidirectional, restart, mask-f1, mask-f2, mask-optimal,
    /// components, jps or jps-graph
    #[arg(long, value_name = "NAME", default_value = "auto")]
    method: String,
    /// Side of a coarse cell in tiles, 1 to 1024 [default: 4; 8 for components]
    #[arg(long, value_name = "TILES", help_heading = CORRIDOR)]
    factor: Option<i64>,
    /// Initial half-width of the corridor in coarse cells, 0 to 1024 [default: 2]
    #[arg(long, value_name = "CELLS", help_heading = CORRIDOR)]
    radius: Option<i64>,
    /// Maximum number of corridor expansions before the whole grid is searched, 0 to 1024
    /// [default: 6]
    #[arg(long, value_name = "K", help_heading = CORRIDOR)]
    max_expansions: Option<i64>,
    /// Coarse nodes: any-tile (one per cell with an open tile) or components (one per connected
    /// component of open tiles in a cell) [default: any-tile; components for the method components]
    #[arg(long, value_name = "RULE", help_heading = CORRIDOR)]
    coarse_rule: Option<String>,
    /// Preprocessing before the first query [default: full with --queries, else none]
    #[arg(long, value_parser = choice(&PREPROCESSING))]
    preprocessing: Option<Preprocessing>,
    /// Minimum water depths to try in order, deepest first, e.g. 4,1
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    depths: Vec<u8>,
    /// Smooth the path: keep only turning points with line of sight between them
    #[arg(long)]
    smooth: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = FormatArg::among(&REPORTS))]
    format: FormatArg,
    /// Draw grid, path and visited tiles to a .png file, or the search to an animated .apng file
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// Show the search step by step: with keys on a terminal, else all steps in order
    #[arg(long, conflicts_with_all = ["queries", "draw"])]
    steps: bool,
    #[command(flatten)]
    chart: ChartArgs,
}

const CONNECTIVITY: [Choice<Connectivity>; 2] =
    [("4", "", Connectivity::Four), ("8", "", Connectivity::Eight)];
const METRICS: [Choice<Metric>; 2] = [
    ("steps", "Every step costs 1", Metric::Steps),
    ("octile", "Straight steps cost 1, diagonal steps the square root of 2", Metric::Octile),
];
const PREPROCESSING: [Choice<Preprocessing>; 3] = [
    ("none", "Compute everything when a query needs it", Preprocessing::None),
    ("coarse", "Coarse map for the method components", Preprocessing::Coarse),
    ("full", "All jump points and landmarks, for many queries", Preprocessing::Full),
];

/// Runs one query, or a file of queries.
pub(crate) fn run(args: PathArgs) -> Result<(), Failure> {
    let animation =
        args.draw.as_ref().filter(|path| path.extension().is_some_and(|suffix| suffix == "apng"));
    if let (Some(path), None) = (&args.draw, animation) {
        check_png(path, ".png or .apng")?;
    }
    let grid = read_grid(&args.map)?;
    let mut method: Method =
        args.method.parse().map_err(|error| Failure::Input(format!("--{error}")))?;
    if method == Method::Auto && args.depths.is_empty() && (args.steps || animation.is_some()) {
        // Auto may choose a bit-parallel method, which has no steps to show.
        method = Method::Bfs;
    }
    let records = query_records(&args, &grid)?;
    let is_octile = records.iter().any(|record| record.length.is_some());
    let metric = args.metric.unwrap_or(if is_octile { Metric::Octile } else { Metric::Steps });
    let connectivity = args.connectivity;
    let is_worthwhile = method == Method::Auto && args.queries.is_some() && args.depths.is_empty();
    let preprocessing = args.preprocessing.unwrap_or(if is_worthwhile {
        Preprocessing::Full
    } else {
        Preprocessing::None
    });
    let options = Options { preprocessing, connectivity, metric, ..Options::default() };
    let mut navigator = corridor(&args)
        .and_then(|corridor| Navigator::with_options(&grid, corridor.apply_for(method, options)?))
        .map_err(name_options)?;
    // The navigator has its own copy, and the largest grids take 256 MB.
    drop(grid);
    let mut output = Output::open(None)?;
    let mut path = nav::Path::default();
    for (index, record) in records.into_iter().enumerate() {
        let query = Query {
            depths: args.depths.clone(),
            smooth: args.smooth,
            ..Query::new(record.sources, record.targets)
                .connectivity(connectivity)
                .metric(metric)
                .method(method)
        };
        if args.steps || animation.is_some() {
            return show_search(&args, &mut navigator, &query, animation, output);
        }
        let found = navigator.find_into(&query, &mut path).map_err(|error| match args.queries {
            Some(_) => Failure::new(format!("query {}", index + 1), error),
            None => name_options(error),
        })?;
        if let Some(file) = &args.draw {
            draw(&args, file, &navigator, &query, found.then_some(&path))?;
        }
        let line = if args.format == FormatArg::Json || args.queries.is_some() {
            to_json(&query, &path, found, record.length)? + "\n"
        } else {
            to_text(&query, found.then_some(&path))
        };
        output.write(line.as_bytes())?;
    }
    output.finish()
}

/// Returns the given corridor options.
fn corridor(args: &PathArgs) -> Result<CorridorConfig, InputError> {
    Ok(CorridorConfig {
        factor: args.factor,
        radius: args.radius,
        max_expansions: args.max_expansions,
        coarse_rule: args.coarse_rule.as_deref().map(str::parse).transpose()?,
    })
}

/// Shows a search step by step, or writes it as an animation.
fn show_search(
    args: &PathArgs,
    navigator: &mut Navigator,
    query: &Query,
    animation: Option<&PathBuf>,
    mut output: Output,
) -> Result<(), Failure> {
    let mut recorder = Recorder::new(MAX_EVENTS);
    let found = navigator.find_traced(query, &mut recorder).map_err(name_options)?;
    if recorder.dropped() > 0 {
        return reject(format!(
            "the search took more than {MAX_EVENTS} steps, too many to show; use a smaller grid"
        ));
    }
    let grid = navigator.grid();
    let frames = SearchFrames::new(grid, recorder.events(), found.as_ref());
    let Some(file) = animation else {
        return steps::show(&frames, |scene| search_ascii(grid, query, &scene, 80), output);
    };
    let bytes =
        search_animation(frames, query, args.chart.theme, args.chart.side).context("--draw")?;
    output::write(Some(file), bytes)?;
    let line = if args.format == FormatArg::Json {
        let path = found.clone().unwrap_or_default();
        to_json(query, &path, found.is_some(), None)? + "\n"
    } else {
        to_text(query, found.as_ref())
    };
    output.write(line.as_bytes())?;
    output.finish()
}

/// Replaces field names by options in an error: `sources[1]` becomes `--from[1]`.
fn name_options(mut error: InputError) -> Failure {
    let option = error.field.replace("sources", "from").replace("targets", "to").replace('_', "-");
    error.field = format!("--{option}");
    Failure::Input(error.to_string())
}

/// Reads a navigation grid in any format that can contain one, chosen by the suffix.
fn read_grid(path: &Path) -> Result<NavGrid, Failure> {
    let (mut folder, name) = Folder::of(path)?;
    let reads_grids = |format: &Format| format.info().reads.contains(&ContentKind::NavGrid);
    let format = Format::from_file_name(&name).ok().filter(reads_grids);
    let format = format.ok_or_else(|| {
        let formats = Format::ALL.iter().copied().filter(reads_grids);
        let suffixes = formats.flat_map(|format| format.info().suffixes);
        let known: Vec<String> = suffixes.map(|suffix| format!(".{suffix}")).collect();
        Failure::new(path.display(), format!("unknown suffix; use {}", known.join(", ")))
    })?;
    let read = format.read(&name, &mut folder, ReadOptions { hint: Some(ContentKind::NavGrid) });
    let mut imported = read.context(path.display())?;
    match imported.pop().map(|imported| imported.content) {
        Some(Content::NavGrid(grid)) => Ok(grid),
        other => {
            let kind = other.map_or("nothing", |content| content.kind().name());
            Err(Failure::new(path.display(), format!("contains {kind}, not a navigation grid")))
        }
    }
}

/// Returns the query given by options, or the queries of the file.
fn query_records(args: &PathArgs, grid: &NavGrid) -> Result<Vec<QueryRecord>, Failure> {
    if let Some(path) = &args.queries {
        let bytes = config_file::read(path)?;
        return read_queries(&bytes, grid.size()).context(path.display());
    }
    for (option, list) in [("--from", &args.from), ("--to", &args.to)] {
        if list.is_empty() {
            return reject(format!("{option}: missing; give {option} X,Y, or --queries FILE"));
        }
    }
    Ok(vec![QueryRecord { sources: args.from.clone(), targets: args.to.clone(), length: None }])
}

fn parse_tile(text: &str) -> Result<Pos, String> {
    let (x, y): (i128, i128) = pair(text).ok_or("not a tile; write X,Y, as in 12,7")?;
    match (u16::try_from(x), u16::try_from(y)) {
        (Ok(x), Ok(y)) => Ok(Pos::new(x, y)),
        _ => Err("out of range; use columns and rows from 0 to 16383".to_owned()),
    }
}

fn draw(
    args: &PathArgs,
    file: &Path,
    navigator: &Navigator,
    query: &Query,
    path: Option<&nav::Path>,
) -> Result<(), Failure> {
    let visited = navigator.visited();
    let paths: Vec<Vec<Pos>> = path.iter().map(|path| path.tiles.clone()).collect();
    let chart = NavGridChart {
        grid: navigator.grid(),
        visited: Some(&visited),
        paths: &paths,
        sources: &query.sources,
        targets: &query.targets,
    };
    args.chart.write(&chart, file)
}

/// Query result as JSON, with the fields in documented order.
#[derive(Serialize)]
struct PathResult<'a> {
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
    /// Expected length from a `.scen` file.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
}

/// Formats the result as one line of JSON. "No path" has the guarantee `exact`, because the search
/// was exhaustive.
fn to_json(
    query: &Query,
    path: &nav::Path,
    found: bool,
    expected: Option<f64>,
) -> Result<String, Failure> {
    let length = match query.metric {
        Metric::Steps => Some(path.steps().into()),
        Metric::Octile => Number::from_f64(path.length(Metric::Octile)),
    };
    let tiles = if found { path.tiles.as_slice() } else { &[] };
    let result = PathResult {
        found,
        length: length.filter(|_| found),
        tiles,
        source: tiles.first().copied(),
        target: tiles.last().copied(),
        guarantee: if found { path.guarantee.name() } else { Guarantee::Exact.name() },
        method: if found { path.method.name() } else { query.method.name() },
        visited: path.stats.visited,
        expansions: path.stats.expansions,
        fallback: path.stats.fallback,
        source_index: found.then_some(path.source),
        target_index: found.then_some(path.target),
        depth: path.depth.filter(|_| found),
        expected,
    };
    serde_json::to_string(&result).context("result")
}

/// Formats the result as text.
fn to_text(query: &Query, path: Option<&nav::Path>) -> String {
    let Some(path) = path else {
        return "no path: sources and targets are not connected\n".to_owned();
    };
    let length = match query.metric {
        Metric::Steps => path.steps().to_string(),
        Metric::Octile => format!("{:.4}", path.length(Metric::Octile)),
    };
    let step =
        |a: &Pos, b: &Pos| (i32::from(b.x) - i32::from(a.x), i32::from(b.y) - i32::from(a.y));
    let is_turn = |part: &&[Pos]| step(&part[0], &part[1]) != step(&part[1], &part[2]);
    let turns = path.tiles.windows(3).filter(is_turn).map(|part| &part[1]);
    let last = path.tiles.iter().skip(1).next_back();
    let corners = path.tiles.first().into_iter().chain(turns).chain(last);
    let corners: Vec<String> = corners.map(Pos::to_string).collect();
    let fallback = if path.stats.fallback { ", fell back to the whole grid" } else { "" };
    format!(
        "length {length} ({}) by {}, {} visited, {} expansions{fallback}\n\
         from {} to {}, {} tiles\nturns: {}\n",
        path.guarantee,
        path.method,
        path.stats.visited,
        path.stats.expansions,
        path.tiles.first().copied().unwrap_or_default(),
        path.tiles.last().copied().unwrap_or_default(),
        path.tiles.len(),
        corners.join(" "),
    )
}
