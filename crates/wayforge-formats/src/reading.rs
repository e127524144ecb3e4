//! What came out of a file that a person may have edited, and making it again around what is fixed.

use crate::content::Content;
use crate::error::{FormatError, refuse};
use wayforge::floor::{self, Budget, Floor};
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::level::{self, Blueprint, Level, Symbol};
use wayforge::{Digest, Seed};

/// What was read from a file, and what the file says about how it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The map as it is drawn.
    pub content: Content,
    /// The digest that the file states, of the map before anybody edited it; none for files that state none.
    pub stated: Option<Digest>,
    /// The cells that are marked to be fixed; none for files that have no marks.
    pub pins: Option<BitGrid>,
}

/// Which cells are fixed when a map is made again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pinning {
    /// Those that are marked in the file.
    #[default]
    Marked,
    /// Those that differ from what seed and configuration make.
    Changed,
    /// All of them.
    All,
}

impl Reading {
    /// A map that nobody marked anything on.
    pub fn plain(content: Content) -> Reading {
        Reading { content, stated: None, pins: None }
    }

    /// True if the file states a digest and the map has another one: somebody edited it.
    pub fn is_edited(&self) -> bool {
        let document = match &self.content {
            Content::Level(level) => level.to_document(),
            Content::Floor(floor) => floor.to_document(),
            Content::Tower(tower) => tower.to_document(),
            _ => return false,
        };
        self.stated.is_some_and(|stated| stated != document.digest)
    }

    /// True if any cell is marked to be fixed.
    pub fn has_pins(&self) -> bool {
        self.pins.as_ref().is_some_and(|pins| !pins.is_empty())
    }

    /// Makes the map again from its seed and configuration, with cells fixed to what is drawn there.
    ///
    /// * **Returns.** A level or a floor that keeps every rule, or why there is none.
    /// * **Determinism.** That of the family's `generate`: the fixed cells become `pins` of the configuration.
    ///
    /// ```
    /// use wayforge::{grid::{BitGrid, Pos}, level::{self, Symbol}};
    /// use wayforge_formats::{Content, Pinning, Reading};
    /// let made = level::generate(7.into(), &level::Config::default().resolve()?)?;
    /// let (size, here) = (made.blueprint.size(), Pos::new(20, 12));
    /// let mut drawn = made.clone();
    /// drawn.blueprint.set(here, Symbol::Puddle);
    /// let pins = Some(BitGrid::of(size, [here]));
    /// let stated = Some(made.to_document().digest);
    /// let reading = Reading { content: Content::Level(Box::new(drawn)), stated, pins };
    /// assert!(reading.is_edited());
    /// let Content::Level(again) = reading.reforge(Pinning::Marked)? else { panic!() };
    /// assert_eq!(again.blueprint.get(here), Symbol::Puddle);
    /// assert!(level::validate(&again).is_valid());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reforge(&self, pinning: Pinning) -> Result<Content, FormatError> {
        match &self.content {
            Content::Level(drawn) => {
                let pins = self.cells(drawn.blueprint.size(), pinning, |pins| {
                    let made = level::generate(drawn.seed.clone(), &drawn.spec);
                    let made = made.map_err(|error| FormatError::Forge(error.to_string()))?;
                    pins.extend(differing(&made.blueprint, &drawn.blueprint));
                    Ok(())
                })?;
                let level = reforge_level(
                    &drawn.blueprint,
                    &drawn.tags.marks,
                    &pins,
                    drawn.spec.config(),
                    drawn.seed.clone(),
                )?;
                Ok(Content::Level(Box::new(level)))
            }
            Content::Floor(drawn) => {
                let pins = self.cells(drawn.size(), pinning, |pins| {
                    let made = floor::generate(drawn.seed.clone(), &drawn.spec);
                    let made = made.map_err(|error| FormatError::Forge(error.to_string()))?;
                    let differs = |pos: &Pos| {
                        let kind =
                            |floor: &Floor| (floor.tile(*pos), floor.entity(*pos).map(|entity| entity.kind));
                        kind(&made) != kind(drawn)
                    };
                    pins.extend(drawn.size().iter().filter(differs));
                    Ok(())
                })?;
                Ok(Content::Floor(Box::new(reforge_floor(drawn, &pins)?)))
            }
            other => Err(refuse(
                "pins",
                other.what(),
                "only levels and floors are made again around fixed cells",
                "leave the pins out",
            )),
        }
    }

    /// Makes a level around a drawing by hand: its marked cells are fixed, the stage says the rest.
    pub fn reforge_with(
        &self,
        pinning: Pinning,
        stage: &level::Config,
        seed: Seed,
    ) -> Result<Content, FormatError> {
        let Content::Blueprint(drawn) = &self.content else {
            let problem = "only a blueprint takes a stage: other maps know theirs";
            return Err(refuse("stage", self.content.what(), problem, "leave it out"));
        };
        let pins = self.cells(drawn.size(), pinning, |_| {
            let problem = "a blueprint was made by nobody, so nothing tells what was changed";
            Err(refuse("pins", "changed", problem, "use marked or all"))
        })?;
        Ok(Content::Level(Box::new(reforge_level(drawn, &[], &pins, stage, seed)?)))
    }

    fn cells(
        &self,
        size: Size,
        pinning: Pinning,
        changed: impl FnOnce(&mut Vec<Pos>) -> Result<(), FormatError>,
    ) -> Result<BitGrid, FormatError> {
        match pinning {
            Pinning::Marked => Ok(self.pins.clone().unwrap_or_else(|| BitGrid::new(size))),
            Pinning::All => Ok(BitGrid::of(size, size.iter())),
            Pinning::Changed => {
                let mut cells = Vec::new();
                changed(&mut cells)?;
                Ok(BitGrid::of(size, cells))
            }
        }
    }
}

fn differing(made: &Blueprint, drawn: &Blueprint) -> Vec<Pos> {
    drawn.size().iter().filter(|&pos| made.get(pos) != drawn.get(pos)).collect()
}

/// The rows of a drawing where cells are fixed, `?` elsewhere; no rows if none is.
fn rows(size: Size, pins: &BitGrid, symbol: impl Fn(Pos) -> char) -> Vec<String> {
    if pins.is_empty() {
        return Vec::new();
    }
    let cell = |pos: Pos| if pins.contains(pos) { symbol(pos) } else { '?' };
    (0..size.height).map(|y| (0..size.width).map(|x| cell(Pos { x, y })).collect()).collect()
}

fn reforge_level(
    drawn: &Blueprint,
    marks: &[Vec<Pos>],
    pins: &BitGrid,
    stage: &level::Config,
    seed: Seed,
) -> Result<Level, FormatError> {
    let size = drawn.size();
    let mut config = level::Config {
        width: size.width.into(),
        height: size.height.into(),
        pins: rows(size, pins, |pos| drawn.get(pos).to_char()),
        ..stage.clone()
    };
    // What is fixed is asked for: these two are counted exactly.
    let fixed = |symbol: Symbol| pins.iter().filter(|&pos| drawn.get(pos) == symbol).count() as i64;
    config.flashlights = config.flashlights.max(fixed(Symbol::Flashlight));
    config.shoes = config.shoes.max(fixed(Symbol::Shoes));
    for (mark, cells) in config.marks.iter_mut().zip(marks) {
        // Cells that the stage itself fixes stay where they still are.
        let stays = |pos: &Pos| pins.contains(*pos) || mark.cells.contains(pos);
        mark.cells = cells.iter().copied().filter(stays).collect();
        mark.count = mark.count.max(mark.cells.len() as i64);
    }
    let spec = config.resolve()?;
    level::generate(seed, &spec).map_err(|error| FormatError::Forge(error.to_string()))
}

fn reforge_floor(drawn: &Floor, pins: &BitGrid) -> Result<Floor, FormatError> {
    let symbol = |pos: Pos| match drawn.entity(pos) {
        Some(entity) => entity.kind.symbol(),
        None => drawn.tile(pos).symbol(),
    };
    let mut config = drawn.spec.config().clone();
    let mut pins = pins.clone();
    if config.template.is_some() && !pins.is_empty() {
        // A template fixes everything, so what was not touched is fixed too.
        pins = BitGrid::of(drawn.size(), drawn.size().iter());
        config = floor::Config {
            width: config.width,
            height: config.height,
            min_path_length: config.min_path_length,
            ..floor::Config::default()
        };
        for budget in Budget::ALL {
            *budget_mut(&mut config, budget) = Some(drawn.count(budget) as i64);
        }
    }
    config.pins = rows(drawn.size(), &pins, symbol);
    // What is fixed is asked for.
    for budget in Budget::ALL {
        let counts = |pos: &Pos| match (budget.entity(), drawn.entity(*pos)) {
            (Some(kind), Some(entity)) => entity.kind == kind,
            (None, None) => Budget::of_tile(drawn.tile(*pos)) == Some(budget),
            _ => false,
        };
        let fixed = pins.iter().filter(|pos| counts(pos)).count() as i64;
        let asked = budget_mut(&mut config, budget);
        *asked = asked.map(|asked| asked.max(fixed));
    }
    for (end, kind, at) in [
        (&mut config.entrance, floor::TileKind::Entrance, drawn.entrance),
        (&mut config.exit, floor::TileKind::Exit, drawn.exit),
    ] {
        // An end that was moved and fixed is where it is fixed.
        if pins.contains(at) && drawn.tile(at) == kind {
            *end = Some(at.into());
        }
    }
    floor::generate(drawn.seed.clone(), &config.resolve()?)
        .map_err(|error| FormatError::Forge(error.to_string()))
}

fn budget_mut(config: &mut floor::Config, budget: Budget) -> &mut Option<i64> {
    match budget {
        Budget::Door => &mut config.door_budget,
        Budget::Chest => &mut config.chest_budget,
        Budget::Trap => &mut config.trap_budget,
        Budget::Water => &mut config.water_budget,
        Budget::Enemy => &mut config.enemy_budget,
        Budget::Item => &mut config.item_budget,
        Budget::Relic => &mut config.relic_budget,
        Budget::Npc => &mut config.npc_budget,
    }
}
