//! Finding one floor that is what a task asks for, or saying which constraint cannot hold.

use super::board::{Board, Rows};
use super::config::{Budget, Carve};
use super::draft::{Draft, Safe, Streams};
use super::exact;
use super::task::{Exits, Task};
use crate::{ConfigError, Seed};

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Decision {
    Found(Box<Safe>),
    /// There is no such floor.
    Impossible,
    Unknown,
}

/// How often a floor is drawn before all are looked at.
const TRIES: u32 = 64;

/// A shape with room for everything, or the constraint that stands against it.
///
/// * **Complexity.** One drawn floor for any task that is easily met.
/// * **Determinism.** The draws are always the same ones.
/// * **Guarantees.** Up to 25 cells a refusal is a proof, unless it says otherwise.
pub(super) fn find_safe(task: &Task, exits: &mut dyn Exits) -> Result<Safe, ConfigError> {
    match search(task, exits) {
        Decision::Found(safe) => Ok(*safe),
        _ => Err(explain(task, exits)),
    }
}

/// Whether there is one.
pub(super) fn is_possible(task: &Task, exits: &mut dyn Exits) -> bool {
    matches!(search(task, exits), Decision::Found(_))
}

fn search(task: &Task, exits: &mut dyn Exits) -> Decision {
    if task.least_open() > task.most_open() {
        return Decision::Impossible;
    }
    let drawn = match task.size.cells() <= 64 {
        true => draw::<u64>(task, exits),
        false => draw::<Rows>(task, exits),
    };
    match drawn.or_else(|| exact::find(task, exits)) {
        Some(safe) => Decision::Found(Box::new(safe)),
        None if task.size.cells() <= exact::MOST_CELLS => Decision::Impossible,
        None => Decision::Unknown,
    }
}

/// Draws floors, tight and roomy ones, until one will do.
fn draw<B: Board>(task: &Task, exits: &mut dyn Exits) -> Option<Safe> {
    let mut draft = Draft::<B>::new(task);
    let mut streams = Streams::of(Seed(0));
    let (least, most) = (task.least_open(), task.most_open());
    (0..TRIES).find_map(|n| {
        let mut task = *task;
        task.open = [task.open, most, least, (least + most) / 2][n as usize % 4];
        task.carve = if n % 8 < 4 { task.carve } else { Carve::Walk };
        draft.attempt(&task, n / 4, &mut streams, &mut &mut *exits).then(|| draft.to_safe())
    })
}

/// Adds the constraints one by one to an empty floor, and names the first that cannot be added, with the most that can.
fn explain(task: &Task, exits: &mut dyn Exits) -> ConfigError {
    let mut easy = Task { min_path: 1, counts: [0; 8], ..*task };
    let mut with: Vec<String> = Vec::new();
    let fields = [None].into_iter().chain(Budget::ALL.map(Some));
    for field in fields {
        let asked = field.map_or(task.min_path, |budget| task.count(budget));
        let set = |value: u32| {
            let mut task = easy;
            match field {
                Some(budget) => task.counts[budget as usize] = value,
                None => task.min_path = value,
            }
            task
        };
        let whole = search(&set(asked), exits);
        if matches!(whole, Decision::Found(_)) {
            easy = set(asked);
            if asked > 0 {
                let name = field.map_or("minPathLength", Budget::field);
                with.push(format!("{name} {asked}"));
            }
            continue;
        }
        // Of fewer things there is always room if there is room for more.
        let (mut works, mut fails) = (0, asked);
        while fails - works > 1 {
            let middle = (works + fails) / 2;
            match is_possible(&set(middle), exits) {
                true => works = middle,
                false => fails = middle,
            }
        }
        let place = match (task.entrance, task.exit) {
            (None, None) => String::new(),
            (Some(entrance), None) => format!(" from {entrance}"),
            (None, Some(exit)) => format!(" to {exit}"),
            (Some(entrance), Some(exit)) => format!(" from {entrance} to {exit}"),
        };
        let what = match field {
            None => "has a shortest way so long".to_owned(),
            Some(budget) => format!("has room for so many {}", budget.plural()),
        };
        let beside = if with.is_empty() { String::new() } else { format!(" beside {}", with.join(", ")) };
        let size = task.size;
        let problem = match whole {
            Decision::Impossible => format!("no floor of {size}{place} {what}{beside}"),
            _ => format!("no floor of {size}{place} was found that {what}{beside}"),
        };
        let name = field.map_or("minPathLength", Budget::field);
        return ConfigError::new(name, asked, problem, format!("use at most {works}"));
    }
    // Each alone and all together were looked at, and the last step was all together.
    ConfigError::new(
        "width",
        task.size.width,
        "no floor was found that meets everything",
        "use a larger floor",
    )
}
