//! Floors and towers as scenes: panels of tiles on one sheet. Everything that draws only reads them.

mod ascii;
pub(crate) mod glyphs;
pub(crate) mod shapes;

pub use ascii::ascii_floors;

use crate::curve::{Point, UNIT};
use crate::sheet::{self, CAPTION_LINE};
use crate::svg::Paper;
use crate::text::{self, counted};
use glyphs::Glyph;
use wayforge::floor::{Entity, EntityKind, Floor, Origin, TileKind};
use wayforge::grid::{Pos, Size};
use wayforge::seed::Seed;
use wayforge::tower::{Climb, SingleFloor, Tower};

/// A picture of floors before it is drawn: all positions are whole [units](UNIT), nothing is left to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorScene {
    /// The headline.
    pub title: String,
    /// The line below it.
    pub caption: String,
    /// The picture in a sentence or two, for those who cannot see it.
    pub description: String,
    /// The floors, from the lowest up.
    pub panels: Vec<Panel>,
    /// What the legend lists: things in use, with how many there are.
    pub legend: Vec<LegendEntry>,
    pub(crate) paper: Paper,
}

/// One floor on the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// What stands above it, if anything.
    pub label: String,
    /// Columns and rows.
    pub size: Size,
    /// The tiles in reading order.
    pub tiles: Vec<TileKind>,
    /// Entities and where they stand.
    pub entities: Vec<(EntityKind, Pos)>,
    /// Those of the enemies whose data says `"role": "boss"`.
    pub bosses: Vec<Pos>,
    /// The way from entrance to exit, or the way that was walked.
    pub path: Vec<Pos>,
    /// Where the climber is.
    pub climber: Option<Pos>,
    /// The upper left corner of its tiles.
    pub corner: Point,
    /// The side of a tile.
    pub tile: i32,
}

/// One thing that the legend explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendEntry {
    /// What it is called.
    pub name: &'static str,
    /// How many there are.
    pub count: usize,
    pub(crate) glyph: Glyph,
    /// The middle of its picture's left edge.
    pub pos: Point,
}

/// Paper left and right of the panels.
const SIDE: i32 = 84 * UNIT;
const MIN_WIDTH: i32 = 600 * UNIT;
/// Between panels, and above each for its label.
const GAP: i32 = 36 * UNIT;
const LABEL: i32 = 30 * UNIT;
/// From the panels to the rule, from there to the legend, and below it.
const FOOT: i32 = 46 * UNIT;
const LEGEND_TOP: i32 = 44 * UNIT;
const BOTTOM: i32 = 66 * UNIT;
pub(crate) const LEGEND_TILE: i32 = 30 * UNIT;
const LEGEND_LINE: i32 = 44 * UNIT;
const LEGEND_SPACE: i32 = 30 * UNIT;

impl FloorScene {
    /// The picture's width and height in [units](UNIT).
    pub fn size(&self) -> (i32, i32) {
        (self.paper.width, self.paper.height)
    }

    /// The size that [`png_floors`](crate::png_floors) would give this scene, in pixels.
    #[cfg(feature = "png")]
    pub fn png_size(&self, scale: u32) -> Result<(u32, u32), crate::DrawError> {
        crate::png::size_at(self.paper.width, self.paper.height, scale)
    }

    /// Counts in the legend what the panels hold now; its entries stay where they are.
    pub(crate) fn count_again(&mut self) {
        let now = legend(&self.panels);
        for entry in &mut self.legend {
            entry.count = now.iter().find(|now| now.name == entry.name).map_or(0, |now| now.count);
        }
    }

    /// The scene of one floor.
    ///
    /// ```
    /// use wayforge::floor;
    /// use wayforge_draw::FloorScene;
    /// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
    /// let scene = FloorScene::of_floor(&floor);
    /// assert_eq!(scene.panels[0].tiles, floor.tiles);
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    pub fn of_floor(floor: &Floor) -> FloorScene {
        let made_by = (wayforge::floor::ALGORITHM, &floor.seed);
        FloorScene::single(floor, format!("Seed {}", floor.seed.to_line()), made_by)
    }

    /// The scene of one floor of a tower, with the tower's seed and the floor's number.
    pub fn of_tower_floor(alone: &SingleFloor) -> FloorScene {
        let title = format!("Seed {}, floor {}", alone.seed.to_line(), alone.number + 1);
        FloorScene::single(&alone.floor, title, (wayforge::tower::FLOOR_ALGORITHM, &alone.seed))
    }

    fn single(floor: &Floor, title: String, (algorithm, seed): (&str, &Seed)) -> FloorScene {
        let size = floor.size();
        let by = origin(floor);
        let steps = counted(floor.path.len().max(1) - 1, "step");
        let caption = format!("{algorithm}, {size}, a way of {steps}, {by}");
        let description = format!(
            "A floor of {size} tiles, made by {algorithm} from seed {seed}, {by}. The shortest way from the entrance at {} to the exit at {} has {steps}.",
            floor.entrance, floor.exit,
        );
        arrange([title, caption, description], &floor.seed, vec![panel_of(floor, String::new())])
    }

    /// The scene of a tower: all floors on one sheet, the lowest at the bottom.
    ///
    /// ```
    /// use wayforge::{floor, tower};
    /// use wayforge_draw::FloorScene;
    /// let tower = tower::generate(42.into(), &tower::Config::default().resolve()?)?;
    /// let scene = FloorScene::of_tower(&tower);
    /// assert!(scene.panels[0].corner.y > scene.panels[9].corner.y);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_tower(tower: &Tower) -> FloorScene {
        let count = tower.floors.len();
        let steps: usize = tower.floors.iter().map(|floor| floor.path.len().max(1) - 1).sum();
        let (high, steps) = (counted(count, "floor"), counted(steps, "step"));
        // Which way to read is said where there is more than one.
        let order = if count > 1 { ", read from the lower left" } else { "" };
        let caption = format!("{}, {high}, a way of {steps}{order}", wayforge::tower::ALGORITHM);
        let description = format!(
            "A tower of {high}, made by {} from seed {}. Each floor is entered where the one below ends; the way up has {steps}. The lowest floor stands at the lower left, the next to its right, and so on row by row.",
            wayforge::tower::ALGORITHM,
            tower.seed
        );
        let label = |(n, floor): (usize, &Floor)| {
            let name = floor.spec.template().map_or(String::new(), |template| format!(", {}", template.id));
            panel_of(floor, format!("Floor {}{name}", n + 1))
        };
        let panels = tower.floors.iter().enumerate().map(label).collect();
        let title = format!("Seed {}", tower.seed.to_line());
        arrange([title, caption, description], &tower.seed, panels)
    }

    /// The scene of the floor that someone climbing a tower is on, with the way walked there.
    pub fn of_climb(climb: &Climb) -> FloorScene {
        let storeys = climb.storeys();
        let (number, count) = (climb.floor_number(), storeys.floors.len());
        let caption = format!("floor {number} of {count}, {} walked", counted(climb.len(), "step"));
        let description =
            format!("Floor {number} of a tower of {count}; the climber stands at {}.", climb.pos());
        let panels = climb.floor().map(|floor| Panel {
            path: climb.visited().collect(),
            climber: Some(climb.pos()),
            ..panel_of(floor, String::new())
        });
        let title = format!("Seed {}", storeys.seed.to_line());
        arrange([title, caption, description], &storeys.seed, panels.into_iter().collect())
    }
}

fn origin(floor: &Floor) -> String {
    match (floor.origin, floor.spec.template()) {
        (Origin::Carve { attempt: 0 }, _) => "drawn at once".to_owned(),
        (Origin::Carve { attempt }, _) => format!("drawn at attempt {}", attempt + 1),
        (Origin::Safe { .. }, _) => "safe shape".to_owned(),
        (Origin::Template { turn }, Some(template)) => {
            format!("template {} turned {}", template.id, turn.name())
        }
        _ => "made by hand".to_owned(),
    }
}

pub(crate) fn panel_of(floor: &Floor, label: String) -> Panel {
    let size = floor.size();
    let inside = || floor.entities.iter().filter(|entity| size.contains(entity.pos));
    let is_boss = |entity: &&Entity| {
        let role = entity.data.as_ref().and_then(|data| data.get("role"));
        entity.kind == EntityKind::Enemy && role == Some(&"boss".into())
    };
    Panel {
        label,
        size,
        tiles: size.iter().map(|pos| floor.tile(pos)).collect(),
        entities: inside().map(|entity| (entity.kind, entity.pos)).collect(),
        bosses: inside().filter(is_boss).map(|entity| entity.pos).collect(),
        path: floor.path.iter().copied().filter(|&pos| size.contains(pos)).collect(),
        climber: None,
        corner: Point::default(),
        tile: 0,
    }
}

impl Panel {
    /// The tile of a cell; beyond the panel there are walls.
    pub fn tile_at(&self, pos: Pos) -> TileKind {
        if self.size.contains(pos) { self.tiles[self.size.index(pos)] } else { TileKind::Wall }
    }

    /// The middle of a cell.
    pub(crate) fn middle(&self, pos: Pos) -> Point {
        let at = |n: u16| i32::from(n) * self.tile + self.tile / 2;
        Point::new(self.corner.x + at(pos.x), self.corner.y + at(pos.y))
    }
}

/// Puts panels, headline and legend on a sheet.
fn arrange([title, caption, description]: [String; 3], seed: &Seed, mut panels: Vec<Panel>) -> FloorScene {
    let many = panels.len() > 1;
    let side = |panel: &Panel| i32::from(panel.size.width.max(panel.size.height));
    let largest = panels.iter().map(side).max().unwrap_or(1);
    let tile = if many { (240 / largest).clamp(6, 44) } else { (900 / largest).clamp(14, 84) } * UNIT;
    let cell_width = panels.iter().map(|panel| i32::from(panel.size.width)).max().unwrap_or(1) * tile;
    let cell_height = panels.iter().map(|panel| i32::from(panel.size.height)).max().unwrap_or(1) * tile;
    let label = if many { LABEL } else { 0 };
    let (count, across) = (panels.len(), columns(panels.len()));
    let rows = count.div_ceil(across);
    let block = across as i32 * (cell_width + GAP) - GAP;
    let words = text::width(&title, text::TITLE).max(text::width(&caption, text::CAPTION));
    let width = (block.max(words) + 2 * SIDE).max(MIN_WIDTH);
    let (left, top) = ((width - block) / 2, CAPTION_LINE + 38 * UNIT);
    for (n, panel) in panels.iter_mut().enumerate() {
        let (row, column) = ((rows - 1 - n / across) as i32, (n % across) as i32);
        panel.tile = tile;
        // The top row may be short; it stands in the middle.
        let missing = if row == 0 { (rows * across - count) as i32 } else { 0 };
        let spare = cell_width - i32::from(panel.size.width) * tile + missing * (cell_width + GAP);
        // Templates may be smaller than the other floors. The middles of a row lie on one line, as do its arrows.
        let spare_height = cell_height - i32::from(panel.size.height) * tile;
        panel.corner = Point::new(
            left + column * (cell_width + GAP) + spare / 2,
            top + row * (cell_height + label + GAP) + label + spare_height / 2,
        );
    }
    let foot = top + rows as i32 * (cell_height + label + GAP) - GAP + FOOT;
    let mut legend = legend(&panels);
    let entry_width = |entry: &LegendEntry| {
        let words = format!("{} {}", entry.name, entry.count);
        LEGEND_TILE + 10 * UNIT + text::width(&words, text::LEGEND)
    };
    let widths: Vec<i32> = legend.iter().map(entry_width).collect();
    let places = sheet::centred_lines(&widths, width, width - SIDE * 3 / 2, LEGEND_SPACE);
    let mut bottom = foot + LEGEND_TOP;
    for (entry, (x, line)) in legend.iter_mut().zip(places) {
        bottom = foot + LEGEND_TOP + line as i32 * LEGEND_LINE;
        entry.pos = Point::new(x, bottom);
    }
    let rule = [Point::new(SIDE * 3 / 4, foot), Point::new(width - SIDE * 3 / 4, foot)];
    let paper = Paper { width, height: bottom + BOTTOM, rule: Some(rule), seed: Some(seed.clone()) };
    FloorScene { title, caption, description, panels, legend, paper }
}

/// How many panels stand side by side: about as many as above each other, and full rows if that can be.
fn columns(panels: usize) -> usize {
    let square = (1..=panels.max(1)).find(|&across| across * across >= panels).unwrap_or(1);
    let empty = |across: &usize| panels.div_ceil(*across) * across - panels;
    (square..=square + 1).min_by_key(empty).unwrap_or(square).clamp(1, panels.clamp(1, 10))
}

fn legend(panels: &[Panel]) -> Vec<LegendEntry> {
    use TileKind::{Chest, Door, Entrance, Exit, Trap, Water};
    let things: Vec<Glyph> = panels.iter().flat_map(Panel::things).map(|thing| thing.1).collect();
    let tiles = [Entrance, Exit, Door, Chest, Trap, Water].map(|kind| (Glyph::Tile(kind), kind.name()));
    let entities = EntityKind::ALL.map(|kind| (Glyph::Entity(kind), kind.name()));
    let known = tiles.into_iter().chain(entities).chain([(Glyph::Boss, "boss")]);
    let entry = |(glyph, name)| {
        let count = things.iter().filter(|&&thing| thing == glyph).count();
        LegendEntry { name, count, glyph, pos: Point::default() }
    };
    known.map(entry).filter(|entry| entry.count > 0).collect()
}
