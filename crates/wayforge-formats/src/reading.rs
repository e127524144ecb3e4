//! What came out of a file that a person may have edited, and making it again around what is fixed.

use crate::content::Content;
use crate::error::{FormatError, reject};
use wayforge::floor::{self, Budget, Floor};
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::level::{self, Blueprint, Level, Symbol};
use wayforge::{AnyMap, Digest, Seed};

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
        let Content::Map(map) = &self.content else { return false };
        self.stated.is_some_and(|stated| stated != map.to_document().digest)
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
    /// use wayforge::{AnyMap, grid::{BitGrid, Pos}, level::{self, Symbol}};
    /// use wayforge_formats::{Content, Pinning, Reading};
    /// let made = level::generate(7.into(), &level::Config::default().resolve()?)?;
    /// let (size, here) = (made.blueprint.size(), Pos::new(20, 12));
    /// let mut drawn = made.clone();
    /// drawn.blueprint.set(here, Symbol::Puddle);
    /// let pins = Some(BitGrid::of(size, [here]));
    /// let stated = Some(made.to_document().digest);
    /// let reading = Reading { content: drawn.into(), stated, pins };
    /// assert!(reading.is_edited());
    /// let Content::Map(AnyMap::Level(again)) = reading.regenerate(Pinning::Marked)? else { panic!() };
    /// assert_eq!(again.blueprint.get(here), Symbol::Puddle);
    /// assert!(level::validate(&again).is_valid());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn regenerate(&self, pinning: Pinning) -> Result<Content, FormatError> {
        match &self.content {
            Content::Map(AnyMap::Level(drawn)) => {
                let size = drawn.blueprint.size();
                let pins = self.cells(size, pinning, || {
                    let generated = level::generate(drawn.seed.clone(), &drawn.spec).map_err(no_map)?;
                    let changed = |pos: &Pos| generated.blueprint.get(*pos) != drawn.blueprint.get(*pos);
                    Ok(BitGrid::of(size, size.iter().filter(changed)))
                })?;
                let (marks, config) = (&drawn.tags.marks, drawn.spec.config());
                Ok(regenerate_level(&drawn.blueprint, marks, &pins, config, drawn.seed.clone())?.into())
            }
            Content::Map(AnyMap::Floor(drawn)) => {
                let size = drawn.size();
                let pins = self.cells(size, pinning, || {
                    let generated = floor::generate(drawn.seed.clone(), &drawn.spec).map_err(no_map)?;
                    let kinds = |floor: &Floor, pos| (floor.tile(pos), floor.entity(pos).map(|it| it.kind));
                    let changed = |pos: &Pos| kinds(&generated, *pos) != kinds(drawn, *pos);
                    Ok(BitGrid::of(size, size.iter().filter(changed)))
                })?;
                Ok(regenerate_floor(drawn, &pins)?.into())
            }
            other => {
                let problem = "only levels and floors are made again around fixed cells";
                Err(reject("pins", other.what(), problem, "leave the pins out"))
            }
        }
    }

    /// Makes a level around a drawing by hand: its marked cells are fixed, the stage says the rest.
    pub fn regenerate_with(
        &self,
        pinning: Pinning,
        stage: &level::Config,
        seed: Seed,
    ) -> Result<Content, FormatError> {
        let Content::Blueprint(drawn) = &self.content else {
            let problem = "only a blueprint takes a stage: other maps know theirs";
            return Err(reject("stage", self.content.what(), problem, "leave it out"));
        };
        let pins = self.cells(drawn.size(), pinning, || {
            let problem = "a blueprint was made by nobody, so nothing tells what was changed";
            Err(reject("pins", "changed", problem, "use marked or all"))
        })?;
        Ok(regenerate_level(drawn, &[], &pins, stage, seed)?.into())
    }

    /// The cells to fix; `changed` returns those that differ from the generated map.
    fn cells(
        &self,
        size: Size,
        pinning: Pinning,
        changed: impl FnOnce() -> Result<BitGrid, FormatError>,
    ) -> Result<BitGrid, FormatError> {
        match pinning {
            Pinning::Marked => Ok(self.pins.clone().unwrap_or_else(|| BitGrid::new(size))),
            Pinning::All => Ok(BitGrid::of(size, size.iter())),
            Pinning::Changed => changed(),
        }
    }
}

fn no_map(error: impl std::fmt::Display) -> FormatError {
    FormatError::Generation(error.to_string())
}

/// The rows of a drawing where cells are fixed, `?` elsewhere; no rows if none is.
fn rows(size: Size, pins: &BitGrid, symbol: impl Fn(Pos) -> char) -> Vec<String> {
    if pins.is_empty() {
        return Vec::new();
    }
    let cell = |pos: Pos| if pins.contains(pos) { symbol(pos) } else { '?' };
    (0..size.height).map(|y| (0..size.width).map(|x| cell(Pos { x, y })).collect()).collect()
}

fn regenerate_level(
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
    level::generate(seed, &config.resolve()?).map_err(no_map)
}

fn regenerate_floor(drawn: &Floor, pins: &BitGrid) -> Result<Floor, FormatError> {
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
            *config.budget_mut(budget) = Some(drawn.count(budget) as i64);
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
        let asked = config.budget_mut(budget);
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
    floor::generate(drawn.seed.clone(), &config.resolve()?).map_err(no_map)
}
