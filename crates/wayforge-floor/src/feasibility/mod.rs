//! Feasibility: whether any floor meets a task, and a fallback layout if one does.
//!
//! [`decide`] is the only entry point. Its answer is one of three:
//!
//! - `Ok(Some(fallback))`: feasible. [`Fallback`] is a layout with room for everything: the proof, and what generation uses
//!   when all attempts of a seed fail.
//! - `Err(infeasible)`: provably infeasible. [`Infeasible::explain`] names the constraint to change and a value that works.
//! - `Ok(None)`: undecided. The configuration is accepted, and generation may fail for some seeds.
//!
//! # Stages
//! In this order; the first that answers ends the search.
//!
//! | stage | answers | grids | cost |
//! |---|---|---|---|
//! | [`bound`]: counting cells and their sides | infeasible | all | O(cells) |
//! | random attempts, as generation draws them | feasible | all | at most 64 attempts |
//! | [`exhaustive`]: all shortest paths, doors and faults | feasible or infeasible | up to 25 cells | exponential; milliseconds, at worst about a second |
//! | [`constructive`]: serpentines with all the room around them | feasible | above 25 cells | O(cells * lengths) |
//! | [`local_search`]: opens and closes single cells | feasible | above 25 cells | 1.5 million cell visits |
//!
//! # What each stage buys
//! Share of tight random configurations whose decision changes without the stage (2,000 with up to 25 cells, 700 with 30 to
//! 576, drawn as in `benches/examples/tight_floors.rs`; measured with one stage of [`decide`] left out at a time):
//!
//! | without | up to 25 cells | above |
//! |---|---|---|
//! | counting | 0 % | 15.9 % |
//! | random attempts | 0 % | 0.3 % |
//! | exhaustive search | 5.7 % | - |
//! | constructive search | - | 2.7 % |
//! | local search | - | 2.6 % |
//!
//! Random attempts decide little that the other stages would not, but they decide most tasks first and cheaply, and their
//! layouts look like other floors: without them 7 % of the configurations have other floors. The table of doors in
//! [`exhaustive`] changes no decision; without it the worst configuration takes 4.1 s instead of 0.9 s.
//!
//! # Determinism
//! Every random choice comes from constant seeds. Counting is monotone: if a task is infeasible, so is any larger one.

mod bound;
mod constructive;
mod exhaustive;
mod local_search;

use super::board::{Board, Frame, Rows};
use super::config::{Budget, Carve};
use super::draft::{Draft, Shape};
use super::streams::Streams;
use super::task::{Exits, Safety, Task};
use bound::is_beyond;
use constructive::Constructive;
use exhaustive::{EASY, MAX_CELLS};
use wayforge_core::grid::{BitGrid, Pos, Symmetry};
use wayforge_core::{ConfigError, Seed};

/// How often a floor is drawn before other searches begin.
const DRAWS: u32 = 64;

/// How hard [`decide`] searches. Each level includes the proof by counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Counting only: the answer is never a layout.
    Counting,
    /// Up to 25 cells the exhaustive search with a small bound of work, beyond the constructive search.
    Quick,
    /// Up to 25 cells the exhaustive search, beyond the constructive search.
    Constructive,
    /// Random attempts as well.
    Light,
    /// Local search as well.
    Full,
}

/// A layout with room for everything that a task asks for: the fallback after the last attempt, and the proof that the task
/// is feasible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fallback {
    pub(super) entrance: Pos,
    pub(super) exit: Pos,
    pub(super) open: BitGrid,
    pub(super) path: BitGrid,
    pub(super) doors: BitGrid,
}

impl Fallback {
    pub(super) fn of<B: Board>(frame: &Frame, shape: &Shape<B>, doors: &B) -> Fallback {
        Fallback {
            entrance: frame.pos(shape.entrance),
            exit: frame.pos(shape.exit),
            open: shape.open.to_grid(frame),
            path: shape.on_way.to_grid(frame),
            doors: doors.to_grid(frame),
        }
    }

    pub(super) fn shape<B: Board>(&self, frame: &Frame) -> Shape<B> {
        Shape {
            open: B::of(frame, self.open.iter()),
            on_way: B::of(frame, self.path.iter()),
            entrance: frame.cell(self.entrance),
            exit: frame.cell(self.exit),
        }
    }

    /// The image of the layout under a symmetry that keeps the grid's size.
    pub(super) fn image(&self, symmetry: Symmetry) -> Fallback {
        let size = self.open.size();
        let image = |pos: Pos| symmetry.apply(pos, size);
        let set = |cells: &BitGrid| BitGrid::of(symmetry.size(size), cells.iter().map(image));
        Fallback {
            entrance: image(self.entrance),
            exit: image(self.exit),
            open: set(&self.open),
            path: set(&self.path),
            doors: set(&self.doors),
        }
    }
}

/// The proof that a task is infeasible; [`explain`](Self::explain) turns it into an error message.
pub(super) struct Infeasible(Task);

/// Decides whether a floor exists that meets `task` and ends at one of `exits`.
///
/// `Ok(Some)`: feasible layout. `Err`: provably infeasible. `Ok(None)`: undecided.
///
/// # Complexity
/// One random attempt for a task that is easily met; see the module documentation for the bounds of the stages.
///
/// # Determinism
/// Every random choice comes from constant seeds.
pub(super) fn decide(
    task: &Task,
    exits: &mut dyn Exits,
    effort: Effort,
) -> Result<Option<Fallback>, Infeasible> {
    if is_beyond(task) {
        return Err(Infeasible(*task));
    }
    let small = task.size.cells() <= MAX_CELLS;
    match (effort, small) {
        (Effort::Counting, _) => return Ok(None),
        (Effort::Quick, true) => return Ok(exhaustive::find(task, EASY, exits)),
        (Effort::Quick | Effort::Constructive, false) => return Ok(Constructive::of(task).find(task, exits)),
        _ => {}
    }
    let found = draw_any(task, exits);
    if small {
        let found = found.or_else(|| exhaustive::find(task, u64::MAX, exits));
        return found.map(Some).ok_or(Infeasible(*task));
    }
    let found = found.or_else(|| Constructive::of(task).find(task, exits));
    Ok(match effort {
        Effort::Full => found.or_else(|| local_search::find(task, exits)),
        _ => found,
    })
}

/// A constraint: the minimum path length, or one of the budgets.
type Field = Option<Budget>;

impl Infeasible {
    /// Names the constraint that has to give way, and the largest value of it that is known to work beside the others.
    /// `named` says which constraints the configuration states: those are blamed before defaults.
    pub(super) fn explain(&self, named: &dyn Fn(Field) -> bool, exits: &mut dyn Exits) -> ConfigError {
        Explanation { constructive: Constructive::of(&self.0), exits }.explain(&self.0, named)
    }
}

struct Explanation<'a> {
    constructive: Constructive,
    exits: &'a mut dyn Exits,
}

impl Explanation<'_> {
    /// Whether a floor is easily found.
    fn can(&mut self, task: &Task) -> bool {
        if is_beyond(task) {
            return false;
        }
        let found = match task.size.cells() <= MAX_CELLS {
            true => draw_any(task, self.exits).or_else(|| exhaustive::find(task, EASY, self.exits)),
            false => self.constructive.find(task, self.exits),
        };
        found.is_some()
    }

    /// Names the constraint that has to give way, and the most of it that works beside all others.
    fn explain(&mut self, task: &Task, named: &dyn Fn(Field) -> bool) -> ConfigError {
        let mut alone: Vec<(Field, u32)> = Vec::new();
        for field in fields().filter(|&field| asked(task, field) > least(field)) {
            if self.can(&with(task, field, least(field))) {
                alone.push((field, self.most(task, field)));
            }
        }
        // The one that has to give way least; of defaults none, if there is another.
        let best =
            alone.into_iter().rev().min_by_key(|&(field, most)| (!named(field), asked(task, field) - most));
        if let Some((field, most)) = best {
            let most = self.raise(task, field, most);
            let remedy = format!("use at most {most}{}", beyond_that(task, field, most));
            return reject(task, task, field, remedy);
        }
        // No single one is enough: they are added one by one to an empty floor, each as far as it goes.
        let empty = fields().fold(*task, |task, field| with(&task, field, least(field)));
        let mut easy = empty;
        let mut less: Vec<(Field, u32)> = Vec::new();
        for field in fields() {
            let whole = with(&easy, field, asked(task, field).max(least(field)));
            if self.can(&whole) {
                easy = whole;
                continue;
            }
            let most = self.most(&whole, field);
            let most = self.raise(&whole, field, most);
            easy = with(&whole, field, most);
            less.push((field, most));
        }
        let Some((&(field, most), rest)) = less.split_first() else {
            let problem = "no floor is known that meets everything";
            return ConfigError::new("width", task.size.width, problem, "use a larger floor");
        };
        let rest: Vec<String> =
            rest.iter().map(|&(field, most)| format!("{} at most {most}", name(field))).collect();
        let beside = if rest.is_empty() { String::new() } else { format!(", with {}", rest.join(", ")) };
        let part = with(&easy, field, asked(task, field));
        // What is not proved of a part of the constraints is said of all of them.
        let case = if is_proved(&part) { &part } else { task };
        reject(task, case, field, format!("use at most {most}{beside}"))
    }

    /// The most of a constraint that is possible, where that can be decided; `most` is easily found to be.
    fn raise(&mut self, task: &Task, field: Field, most: u32) -> u32 {
        let decides = task.size.cells() <= MAX_CELLS;
        let more = (most + 1..asked(task, field)).take_while(|&more| {
            decides && decide(&with(task, field, more), self.exits, Effort::Constructive).is_ok()
        });
        more.last().unwrap_or(most)
    }

    /// The most of a constraint that is accepted beside the others; the task itself is not.
    fn most(&mut self, task: &Task, field: Field) -> u32 {
        last_that_works(least(field), asked(task, field), |value| self.can(&with(task, field, value)))
    }
}

/// Draws floors, tight and roomy ones, until one will do.
fn draw_any(task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
    match task.size.cells() <= 64 {
        true => draw::<u64>(task, exits),
        false => draw::<Rows>(task, exits),
    }
}

fn draw<B: Board>(task: &Task, exits: &mut dyn Exits) -> Option<Fallback> {
    let mut draft = Draft::<B>::new(task.size);
    let mut streams = Streams::of(&Seed::new(0));
    let (least, most) = (task.least_open(), task.most_open());
    (0..DRAWS).find_map(|n| {
        let mut task = *task;
        task.open = [task.open, most, least, (least + most) / 2][n as usize % 4];
        task.carve = if n % 8 < 4 { task.carve } else { Carve::Walk };
        let drawn = draft.attempt(&task, n / 4, &mut None, &mut streams, exits, &mut ());
        let doors = &draft.placed[Budget::Door as usize];
        drawn.is_ok().then(|| Fallback::of(&draft.frame, &draft.shape, doors))
    })
}

/// Says how far beyond `most` it is not proved impossible.
fn beyond_that(task: &Task, field: Field, most: u32) -> String {
    if task.size.cells() <= MAX_CELLS {
        return String::new();
    }
    let works = last_that_works(most, asked(task, field), |value| !is_beyond(&with(task, field, value)));
    match works > most {
        true => format!("; up to {works} some seeds may have a floor"),
        false => String::new(),
    }
}

/// Bisection: the last value that works, between one that does and a larger one that does not.
pub(super) fn last_that_works(mut works: u32, mut fails: u32, mut test: impl FnMut(u32) -> bool) -> u32 {
    while works + 1 < fails {
        let middle = works.midpoint(fails);
        match test(middle) {
            true => works = middle,
            false => fails = middle,
        }
    }
    works
}

fn fields() -> impl Iterator<Item = Field> {
    [None].into_iter().chain(Budget::ALL.map(Some))
}

fn name(field: Field) -> &'static str {
    field.map_or("minPathLength", Budget::field)
}

fn asked(task: &Task, field: Field) -> u32 {
    field.map_or(task.min_path, |budget| task.count(budget))
}

/// What every floor has: a step, and none of the things.
fn least(field: Field) -> u32 {
    u32::from(field.is_none())
}

fn with(task: &Task, field: Field, value: u32) -> Task {
    let mut task = *task;
    match field {
        Some(budget) => task.counts[budget as usize] = value,
        None => task.min_path = value,
    }
    task
}

/// Whether it is proved that an impossible task is impossible.
fn is_proved(task: &Task) -> bool {
    task.size.cells() <= MAX_CELLS || is_beyond(task)
}

/// The error about `task` that names `field`, which cannot be that large in `case`.
fn reject(task: &Task, case: &Task, field: Field, remedy: String) -> ConfigError {
    let size = task.size;
    let from = task.entrance.map_or_else(String::new, |entrance| format!(" from {entrance}"));
    let to = task.exit.map_or_else(String::new, |exit| format!(" to {exit}"));
    let what = match field {
        None => "has a shortest way so long".to_owned(),
        Some(budget) => format!("has room for so many {}", budget.plural()),
    };
    let others = fields().filter(|&other| other != field && asked(case, other) > least(other));
    let mut others: Vec<String> =
        others.map(|other| format!("{} {}", name(other), asked(case, other))).collect();
    match task.safety {
        Safety::None => {}
        Safety::Chests => others.push("safeChests".to_owned()),
        Safety::Route => others.push("safeRoute".to_owned()),
    }
    let beside = if others.is_empty() { String::new() } else { format!(" beside {}", others.join(", ")) };
    let known = if is_proved(case) { "" } else { " is known that" };
    let problem = format!("no floor of {size}{from}{to}{known} {what}{beside}");
    ConfigError::new(name(field), asked(task, field), problem, remedy)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::task::{Anywhere, Safety};
    use crate::{Config, Opening};
    use wayforge_core::MapRng;
    use wayforge_core::grid::{Pos, Size};

    pub(crate) fn random_task(size: Size, rng: &mut MapRng) -> Task {
        let cells = size.cells() as u32;
        let mut task = Task {
            size,
            carve: Carve::Walk,
            opening: if rng.chance(1, 2) { Opening::Density } else { Opening::Rooms },
            open: cells / 2,
            min_path: rng.below(cells / 2),
            entrance: None,
            exit: None,
            counts: [0; 8],
            safety: Safety::None,
        };
        let pos = |rng: &mut MapRng| size.pos(rng.below(cells) as usize);
        task.entrance = rng.chance(1, 2).then(|| pos(rng));
        task.exit = rng.chance(1, 3).then(|| pos(rng)).filter(|&pos| Some(pos) != task.entrance);
        for budget in Budget::ALL {
            let most = [3, 3, 3, 3, 2, 6, 6, 6][budget as usize];
            task.counts[budget as usize] = if rng.chance(1, 2) { rng.below(cells / most + 1) } else { 0 };
        }
        task.safety = [Safety::None, Safety::None, Safety::Chests, Safety::Route][rng.below(4) as usize];
        task
    }

    /// The constructive search is monotone, and counting never refutes a task that has a floor.
    #[test]
    fn a_smaller_task_is_feasible_too() {
        let mut rng = MapRng::from_u64(11);
        let (mut yes, mut no) = (0, 0);
        for size in [(6, 5), (7, 7), (3, 12), (9, 8), (16, 11)].map(|(w, h)| Size::new(w, h)) {
            for _ in 0..150 {
                let task = random_task(size, &mut rng);
                let mut constructive = Constructive::of(&task);
                let mut find = |task: &Task| {
                    (!is_beyond(task)).then(|| constructive.find(task, &mut Anywhere)).flatten()
                };
                let found = find(&task);
                let drawn = draw_any(&task, &mut Anywhere);
                if drawn.is_some() {
                    assert!(!is_beyond(&task), "a floor was drawn: {task:?}");
                }
                if found.is_none() {
                    no += 1;
                    continue;
                }
                yes += 1;
                for field in fields() {
                    let less = asked(&task, field).saturating_sub(1 + rng.below(4)).max(least(field));
                    let easier = with(&task, field, less);
                    assert!(find(&easier).is_some(), "{task:?} but not {easier:?}");
                }
            }
        }
        assert!(yes > 100 && no > 100, "{yes} {no}");
    }

    #[test]
    fn constructed_layouts_have_room_for_the_task() {
        let mut rng = MapRng::from_u64(29);
        let mut made = 0;
        for size in [(7, 7), (12, 9), (40, 20), (64, 64)].map(|(w, h)| Size::new(w, h)) {
            for _ in 0..60 {
                let task = random_task(size, &mut rng);
                let Some(fallback) = Constructive::of(&task).find(&task, &mut Anywhere) else { continue };
                let mut draft = Draft::<Rows>::new(task.size);
                assert!(
                    draft.take_fallback(&task, &fallback, &mut Streams::of(&Seed::new(made)), &mut ()),
                    "{task:?}"
                );
                made += 1;
            }
        }
        assert!(made > 40, "{made}");
        let config = Config { entrance: Some(Pos::new(3, 3).into()), ..Config::default() };
        assert!(config.resolve().is_ok());
    }

    /// Of tight tasks most are decided: known, drawn, mended, or refuted by counting.
    #[test]
    fn few_tight_tasks_are_left_undecided() {
        let mut rng = MapRng::from_u64(77);
        for (size, most) in [((6, 5), 8), ((13, 3), 8), ((7, 7), 10)] {
            let size = Size::new(size.0, size.1);
            let mut counts = [0_u32; 4];
            for _ in 0..120 {
                let task = random_task(size, &mut rng);
                let class = match decide(&task, &mut Anywhere, Effort::Full) {
                    Err(_) => 0,
                    Ok(Some(_)) if Constructive::of(&task).find(&task, &mut Anywhere).is_some() => 1,
                    Ok(Some(fallback)) => {
                        // What the list does not hold is a floor none the less.
                        let mut draft = Draft::<Rows>::new(task.size);
                        assert!(
                            draft.take_fallback(&task, &fallback, &mut Streams::of(&Seed::new(1)), &mut ()),
                            "{task:?}"
                        );
                        2
                    }
                    Ok(None) => 3,
                };
                counts[class] += 1;
            }
            assert!(counts[0] > 5 && counts[1] > 40 && counts[2] > 2, "{size}: {counts:?}");
            assert!(counts[3] * 100 <= 120 * most, "{size}: {counts:?}");
        }
    }
}
