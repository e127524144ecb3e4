//! Page layout of levels: cell size, margins, caption and legend.

use super::{LegendSubject, LevelLegendEntry, LevelScene, SceneCell, SceneRoute};
use crate::curve::{Point, UNIT};
use crate::sheet::{GRID_BOTTOM, GRID_FOOT, GRID_MARGIN, legend_table};
use crate::text;
use wayforge::grid::Size;
use wayforge::level::{self, FuelMode, InteriorWalls, Mover, Symbol};

/// Baseline of the headline.
pub(super) const TITLE_LINE: i32 = 88 * UNIT;
/// Line height of the caption.
pub(super) const CAPTION_STEP: i32 = 25 * UNIT;
/// Space between caption and grid, including column numbers.
const GRID_TOP: i32 = 48 * UNIT;
/// Space below the grid if there is no legend.
const BARE_BOTTOM: i32 = 72 * UNIT;
/// Space between the line above the legend and the first row of the legend.
const LEGEND_TOP: i32 = 42 * UNIT;
/// Height of a row of the legend.
const LEGEND_LINE: i32 = 42 * UNIT;
/// Space between two legend entries.
const LEGEND_SPACE: i32 = 34 * UNIT;
/// Width of the icon of a legend entry, including the space after it.
pub(super) const LEGEND_ICON: i32 = 40 * UNIT;
/// Width of the symbol of a legend entry.
pub(super) const LEGEND_SYMBOL: i32 = 24 * UNIT;
/// Minimum width of the sheet.
const MIN_WIDTH: i32 = 660 * UNIT;
/// Maximum width of the legend.
const MAX_LEGEND_WIDTH: i32 = 1500 * UNIT;

/// Maximum number of icons that are enlarged; more of them would hide each other.
const MAX_ENLARGED_ICONS: usize = 64;
/// Number of enlarged icons that fit along the longer side of the level.
const ENLARGED_ICONS_ACROSS: i32 = 72;

/// Cell sizes: maximum extent of the level in cells, and size of a cell in pixels.
const TILE_SIZES: [(usize, i32); 8] =
    [(14, 48), (22, 40), (32, 32), (52, 28), (90, 20), (150, 16), (300, 12), (512, 8)];
/// Cell size of larger levels, in pixels.
const MIN_TILE_SIZE: i32 = 6;

/// Returns the cell size in units. Small levels get large cells, and the largest level still fits
/// into a PNG at 100 percent.
pub(super) fn tile_size(size: Size) -> i32 {
    let longest = usize::from(size.width.max(size.height));
    // Long, narrow levels get larger cells if they fit.
    let extent = if longest > 300 { longest } else { (longest / 2).max(size.cells().isqrt()) };
    let pixels = TILE_SIZES
        .iter()
        .find(|(max_extent, _)| extent <= *max_extent)
        .map_or(MIN_TILE_SIZE, |(_, pixels)| *pixels);
    pixels * UNIT
}

/// Returns the icon size in units: the cell size, or more if cells are too small for recognisable
/// icons.
pub(super) fn icon_size(scene: &LevelScene) -> i32 {
    let icons = scene.cells.iter().filter(|cell| cell.symbol.is_candidate()).count()
        + scene.mark_cells.len();
    let longest = i32::from(scene.size.width.max(scene.size.height)) * scene.tile_size;
    match icons {
        ..=MAX_ENLARGED_ICONS => scene.tile_size.max(longest / ENLARGED_ICONS_ACROSS / UNIT * UNIT),
        _ => scene.tile_size,
    }
}

/// Returns the legend: all symbols, tags, marks and routes in use, in this order.
pub(super) fn legend(scene: &LevelScene, spec: &level::Spec) -> Vec<LevelLegendEntry> {
    let mut counts = [0; 128];
    scene.cells.iter().for_each(|cell| counts[cell.symbol as usize & 127] += 1);
    let count = |of: fn(&SceneCell) -> bool| scene.cells.iter().filter(|cell| of(cell)).count();
    let reinforced = count(|cell| cell.reinforced);
    counts[Symbol::Wall as usize] -= reinforced;
    let name = |symbol: Symbol| match (symbol, spec.config().interior_walls) {
        (Symbol::Fuel, _) if scene.fuel_station => "fuel station",
        (Symbol::Fuel, _) => "fuel can",
        (Symbol::Wall, Some(InteriorWalls::Breakable)) => "breakable wall",
        (Symbol::Wall, Some(InteriorWalls::Solid)) => "solid wall",
        _ => symbol.meaning(),
    };
    let mut list = Vec::new();
    let mut add = |subject: LegendSubject, name: &str, count: usize| {
        if count > 0 {
            list.push(LevelLegendEntry { subject, name: name.to_owned(), count, pos: None });
        }
    };
    for symbol in Symbol::ALL {
        add(LegendSubject::Symbol(symbol), name(symbol), counts[symbol as usize]);
        if symbol == Symbol::Wall {
            add(LegendSubject::Reinforced, "reinforced wall", reinforced);
        }
    }
    add(LegendSubject::FallSpawn, "fall spawn", count(|cell| cell.fall_spawn));
    add(LegendSubject::CarWalkable, "cars can drive", count(|cell| cell.car_walkable));
    add(LegendSubject::Broken, "wall broken by a route", count(SceneCell::is_broken));
    for (mark, name) in scene.marks.iter().enumerate() {
        let count = scene.mark_cells.iter().filter(|marked| marked.1 == mark).count();
        add(LegendSubject::Mark(mark), name, count);
    }
    for (index, route) in scene.routes.iter().enumerate() {
        let same = |other: &&SceneRoute| other.chain == route.chain;
        if scene.routes[..index].iter().any(|other| same(&other)) {
            continue;
        }
        let mut name = if route.mover == Mover::Car { "car:" } else { "person:" }.to_owned();
        for (n, stop) in route.stops.iter().enumerate() {
            let number = if n == 0 { String::new() } else { format!("> {n} ") };
            name += &format!(" {number}{}", stop.name);
        }
        add(LegendSubject::Route(index), &name, scene.routes.iter().filter(same).count());
    }
    list
}

/// Places the grid on a sheet with caption and legend.
pub(super) fn arrange(scene: &mut LevelScene, spec: &level::Spec, legend: bool) {
    let grid = |cells: u16| i32::from(cells) * scene.tile_size;
    let (grid_width, grid_height) = (grid(scene.size.width), grid(scene.size.height));
    let widest = scene.legend.iter().filter(|_| legend).map(width).max().unwrap_or(0);
    let inner = grid_width.max(text::width(&scene.title, text::TITLE)).max(widest);
    scene.width = (inner + 2 * GRID_MARGIN).max(MIN_WIDTH);
    scene.caption = wrap(&caption_parts(scene, spec), scene.width - 2 * GRID_MARGIN);
    let top = TITLE_LINE + scene.caption.len() as i32 * CAPTION_STEP + GRID_TOP;
    // Aligned to whole pixels, so that cells have sharp edges.
    scene.corner = Point::new((scene.width - grid_width) / 2 / UNIT * UNIT, top);
    let bottom = top + grid_height;
    scene.height = bottom + BARE_BOTTOM;
    if legend && !scene.legend.is_empty() {
        let foot = bottom + GRID_FOOT;
        scene.footer = Some([
            Point::new(GRID_MARGIN / 2, foot),
            Point::new(scene.width - GRID_MARGIN / 2, foot),
        ]);
        let widths: Vec<i32> = scene.legend.iter().map(width).collect();
        let max_width = (scene.width - GRID_MARGIN).min(MAX_LEGEND_WIDTH);
        let positions = legend_table(&widths, scene.width, max_width, LEGEND_SPACE, true);
        for (entry, (x, line)) in scene.legend.iter_mut().zip(positions) {
            let y = foot + LEGEND_TOP + line as i32 * LEGEND_LINE;
            entry.pos = Some(Point::new(x, y));
            scene.height = scene.height.max(y + GRID_BOTTOM);
        }
    }
}

/// Returns the parts of the caption.
fn caption_parts(scene: &LevelScene, spec: &level::Spec) -> Vec<String> {
    let config = spec.config();
    let walls = if scene.solid_walls { "solid walls" } else { "breakable walls" };
    let (origin, walls) = match &scene.origin {
        Some((algorithm, _)) => (algorithm.clone(), format!("{walls} ({})", config.walls)),
        None => ("drawn by hand".to_owned(), walls.to_owned()),
    };
    let fuel = match config.fuel {
        FuelMode::FuelCan => "fuel can",
        FuelMode::RefuelChain => "refuel chain",
        FuelMode::StartFull => "start full",
    };
    let endurance = config.endurance.then(|| "endurance".to_owned());
    [origin, scene.size.to_string(), walls, fuel.to_owned()].into_iter().chain(endurance).collect()
}

/// Joins caption parts into lines of at most `max_width` units; a longer part gets its own line.
fn wrap(parts: &[String], max_width: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let comma = if i + 1 < parts.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if text::width(&format!("{line} {part},"), text::CAPTION) <= max_width => {
                *line += &format!(" {part}{comma}");
            }
            _ => lines.push(format!("{part}{comma}")),
        }
    }
    lines
}

/// Returns the width of a legend entry.
fn width(entry: &LevelLegendEntry) -> i32 {
    let text = format!("{} {}", entry.name, entry.count_text());
    LEGEND_ICON + LEGEND_SYMBOL + text::width(&text, text::LEGEND)
}

impl LevelLegendEntry {
    /// Returns the blueprint symbol of the entry, if it has one.
    pub(crate) fn symbol(&self) -> Option<Symbol> {
        match self.subject {
            LegendSubject::Symbol(symbol) => Some(symbol),
            LegendSubject::Reinforced => Some(Symbol::Wall),
            _ => None,
        }
    }

    /// Returns the count as text; empty for a single route.
    pub(crate) fn count_text(&self) -> String {
        match (self.subject, self.count) {
            (LegendSubject::Route(_), 1) => String::new(),
            (LegendSubject::Route(_), count) => format!("({count} routes)"),
            (_, count) => count.to_string(),
        }
    }
}
