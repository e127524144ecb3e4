//! The sheet around a level: the size of a tile, margins, words and the legend's places.

use super::{Entry, LevelEntry, LevelScene, SceneCell, SceneRoute};
use crate::curve::{Point, UNIT};
use crate::sheet::deal;
use crate::text;
use wayforge::grid::Size;
use wayforge::level::{self, FuelMode, InteriorWalls, Mover, Symbol};

/// Paper left and right of the grid, with room for row numbers.
const SIDE: i32 = 84 * UNIT;
/// From the top edge of the sheet to the base line of the headline.
pub(super) const TITLE_LINE: i32 = 88 * UNIT;
/// From one line of the caption to the next, and from the headline to the first.
pub(super) const CAPTION_STEP: i32 = 25 * UNIT;
/// From the last line of the caption to the grid, with room for column numbers.
const HEAD_ROOM: i32 = 48 * UNIT;
/// From the grid to the rule above the legend, or to the sheet's lower edge.
const FOOT_ROOM: i32 = 46 * UNIT;
const BARE_FOOT: i32 = 72 * UNIT;
/// From the rule to the first line of the legend, and from the last line to the sheet's lower edge.
const LEGEND_ROOM: i32 = 42 * UNIT;
const BOTTOM: i32 = 66 * UNIT;
const LEGEND_LINE: i32 = 42 * UNIT;
const LEGEND_SPACE: i32 = 34 * UNIT;
/// The part of an entry that its picture takes, with the space after it.
pub(super) const LEGEND_ICON: i32 = 40 * UNIT;
/// The part that its symbol takes.
pub(super) const LEGEND_SYMBOL: i32 = 24 * UNIT;
/// The narrowest sheet.
const MIN_WIDTH: i32 = 660 * UNIT;
/// Legends are not dealt out wider than this.
const MAX_LEGEND: i32 = 1500 * UNIT;

/// Enlarged things would hide each other if there were more than so many.
const MANY_THINGS: usize = 64;
/// So many enlarged things stand side by side on the longest side.
const THINGS_ACROSS: i32 = 72;

/// The side of a tile in pixels for levels up to an extent, and for those beyond.
const TILES: [(usize, i32); 8] =
    [(14, 48), (22, 40), (32, 32), (52, 28), (90, 20), (150, 16), (300, 12), (512, 8)];
const MIN_TILE: i32 = 6;

/// The side of a tile: small levels are crisp, and the largest still fits into a picture at 100 percent.
pub(super) fn tile(size: Size) -> i32 {
    let longest = usize::from(size.width.max(size.height));
    // Long and narrow levels count as smaller than they are long, as far as they fit.
    let extent = if longest > 300 { longest } else { (longest / 2).max(size.cells().isqrt()) };
    let pixels = TILES.iter().find(|(most, _)| extent <= *most).map_or(MIN_TILE, |(_, pixels)| *pixels);
    pixels * UNIT
}

/// The side of the square that a thing is drawn in: a tile, or more where tiles are too small to be seen on the whole sheet.
pub(super) fn thing(scene: &LevelScene) -> i32 {
    let things = scene.cells.iter().filter(|cell| cell.symbol.is_candidate()).count() + scene.marked.len();
    let longest = i32::from(scene.size.width.max(scene.size.height)) * scene.tile;
    match things {
        ..=MANY_THINGS => scene.tile.max(longest / THINGS_ACROSS / UNIT * UNIT),
        _ => scene.tile,
    }
}

/// What occurs, in the order of the legend, then tags, marks and routes.
pub(super) fn entries(scene: &LevelScene, spec: &level::Spec) -> Vec<LevelEntry> {
    let mut counts = [0; 128];
    scene.cells.iter().for_each(|cell| counts[cell.symbol as usize & 127] += 1);
    let count = |of: fn(&SceneCell) -> bool| scene.cells.iter().filter(|cell| of(cell)).count();
    let reinforced = count(|cell| cell.reinforced);
    counts[Symbol::Wall as usize] -= reinforced;
    let name = |symbol: Symbol| match (symbol, spec.config().interior_walls) {
        (Symbol::Fuel, _) if scene.station => "fuel station",
        (Symbol::Fuel, _) => "fuel can",
        (Symbol::Wall, Some(InteriorWalls::Breakable)) => "breakable wall",
        (Symbol::Wall, Some(InteriorWalls::Solid)) => "solid wall",
        _ => symbol.meaning(),
    };
    let mut list = Vec::new();
    let mut add = |entry: Entry, name: &str, count: usize| {
        if count > 0 {
            list.push(LevelEntry { entry, name: name.to_owned(), count, at: None });
        }
    };
    for symbol in Symbol::ALL {
        add(Entry::Symbol(symbol), name(symbol), counts[symbol as usize]);
        if symbol == Symbol::Wall {
            add(Entry::Reinforced, "reinforced wall", reinforced);
        }
    }
    add(Entry::FallSpawn, "fall spawn", count(|cell| cell.fall_spawn));
    add(Entry::CarWalkable, "cars can drive", count(|cell| cell.car_walkable));
    add(Entry::Broken, "wall broken by a route", count(SceneCell::is_broken));
    for (mark, name) in scene.marks.iter().enumerate() {
        add(Entry::Mark(mark), name, scene.marked.iter().filter(|marked| marked.1 == mark).count());
    }
    for (place, route) in scene.routes.iter().enumerate() {
        let same = |other: &&SceneRoute| other.chain == route.chain;
        if scene.routes[..place].iter().any(|other| same(&other)) {
            continue;
        }
        let mut name = if route.mover == Mover::Car { "car:" } else { "person:" }.to_owned();
        for (n, stop) in route.stops.iter().enumerate() {
            let number = if n == 0 { String::new() } else { format!("> {n} ") };
            name += &format!(" {number}{}", stop.name);
        }
        add(Entry::Route(place), &name, scene.routes.iter().filter(same).count());
    }
    list
}

/// Puts the grid on a sheet with room for words and legend.
pub(super) fn arrange(scene: &mut LevelScene, spec: &level::Spec, legend: bool) {
    let grid = |cells: u16| i32::from(cells) * scene.tile;
    let (across, down) = (grid(scene.size.width), grid(scene.size.height));
    let widest = scene.entries.iter().filter(|_| legend).map(width).max().unwrap_or(0);
    let inner = across.max(text::width(&scene.title, text::TITLE)).max(widest);
    scene.width = (inner + 2 * SIDE).max(MIN_WIDTH);
    scene.caption = wrap(&facts(scene, spec), scene.width - 2 * SIDE);
    let top = TITLE_LINE + scene.caption.len() as i32 * CAPTION_STEP + HEAD_ROOM;
    // On whole pixels, so that tiles are crisp.
    scene.corner = Point::new((scene.width - across) / 2 / UNIT * UNIT, top);
    let bottom = top + down;
    scene.height = bottom + BARE_FOOT;
    if legend && !scene.entries.is_empty() {
        let foot = bottom + FOOT_ROOM;
        scene.footer = Some([Point::new(SIDE / 2, foot), Point::new(scene.width - SIDE / 2, foot)]);
        let widths: Vec<i32> = scene.entries.iter().map(width).collect();
        let room = (scene.width - SIDE).min(MAX_LEGEND);
        let places = deal(&widths, scene.width, room, LEGEND_SPACE, true);
        for (entry, (x, line)) in scene.entries.iter_mut().zip(places) {
            let y = foot + LEGEND_ROOM + line as i32 * LEGEND_LINE;
            entry.at = Some(Point::new(x, y));
            scene.height = scene.height.max(y + BOTTOM);
        }
    }
}

/// What the caption says.
fn facts(scene: &LevelScene, spec: &level::Spec) -> Vec<String> {
    let config = spec.config();
    let walls = if scene.solid { "solid walls" } else { "breakable walls" };
    let (by, walls) = match &scene.made {
        Some((algorithm, _)) => (algorithm.clone(), format!("{walls} ({})", config.walls)),
        None => ("drawn by hand".to_owned(), walls.to_owned()),
    };
    let fuel = match config.fuel {
        FuelMode::FuelCan => "fuel can",
        FuelMode::RefuelChain => "refuel chain",
        FuelMode::StartFull => "start full",
    };
    let endurance = config.endurance.then(|| "endurance".to_owned());
    [by, scene.size.to_string(), walls, fuel.to_owned()].into_iter().chain(endurance).collect()
}

/// Facts in lines that are not wider than asked, where that can be.
fn wrap(facts: &[String], room: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (place, fact) in facts.iter().enumerate() {
        let comma = if place + 1 < facts.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if text::width(&format!("{line} {fact},"), text::CAPTION) <= room => {
                *line += &format!(" {fact}{comma}");
            }
            _ => lines.push(format!("{fact}{comma}")),
        }
    }
    lines
}

/// How wide an entry is.
fn width(entry: &LevelEntry) -> i32 {
    let words = format!("{} {}", entry.name, entry.count_text());
    LEGEND_ICON + LEGEND_SYMBOL + text::width(&words, text::LEGEND)
}

impl LevelEntry {
    /// The symbol that stands for it in a blueprint.
    pub(crate) fn symbol(&self) -> Option<Symbol> {
        match self.entry {
            Entry::Symbol(symbol) => Some(symbol),
            Entry::Reinforced => Some(Symbol::Wall),
            _ => None,
        }
    }

    /// The count as the legend says it: of routes only if there are several.
    pub(crate) fn count_text(&self) -> String {
        match (self.entry, self.count) {
            (Entry::Route(_), 1) => String::new(),
            (Entry::Route(_), count) => format!("({count} routes)"),
            (_, count) => count.to_string(),
        }
    }
}
