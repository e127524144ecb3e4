//! Finding one floor that is what a task asks for, or saying which constraint cannot hold.

use super::board::{Board, Rows};
use super::bound::is_beyond;
use super::config::{Budget, Carve};
use super::draft::{Draft, Safe};
use super::exact;
use super::known::Known;
use super::mend::mend;
use super::streams::Streams;
use super::task::{Anywhere, Exits, Safety, Task};
use wayforge_core::{ConfigError, Seed};

/// How often a floor is drawn before all are looked at.
const TRIES: u32 = 64;

/// How hard a floor is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// Known floors and drawn ones.
    Light,
    /// Mended ones too.
    Full,
}

/// A constraint: the least length of the way, or one of the budgets.
type Field = Option<Budget>;

/// A shape with room for everything, or the constraint that stands against it; neither where none is known and nothing is proved.
///
/// * **Arguments.** `named` says which constraints were asked for in so many words: those are blamed before defaults.
/// * **Complexity.** One drawn floor for any task that is easily met.
/// * **Determinism.** The draws are always the same ones.
/// * **Guarantees.** A refusal is a proof. What it offers is known to be possible, and whoever asks for less than was accepted is accepted.
pub(super) fn find_safe(
    task: &Task,
    named: &dyn Fn(Field) -> bool,
    exits: &mut dyn Exits,
    effort: Effort,
) -> Result<Option<Safe>, ConfigError> {
    let mut search = Search { known: Known::of(task), exits };
    if let Some(safe) = search.find(task) {
        return Ok(Some(draw_any(task, search.exits).unwrap_or(safe)));
    }
    if task.size.cells() <= exact::MAX_CELLS || is_beyond(task) {
        return Err(search.explain(task, named));
    }
    let drawn = draw_any(task, search.exits).or_else(|| Known::find_mixed(task, search.exits));
    if drawn.is_some() || effort == Effort::Light {
        return Ok(drawn);
    }
    let sketches = search.known.sketches(task);
    Ok(mend(task, search.exits, &sketches))
}

/// The refusal of a task that is easily proved impossible, whatever else is asked of its floors.
pub(super) fn refute(task: &Task, named: &dyn Fn(Field) -> bool) -> Option<ConfigError> {
    is_beyond(task).then(|| Search { known: Known::of(task), exits: &mut Anywhere }.explain(task, named))
}

/// A floor that is found soon; `None` proves nothing.
pub(super) fn find_easily(task: &Task) -> Option<Safe> {
    if is_beyond(task) {
        return None;
    }
    match task.size.cells() <= exact::MAX_CELLS {
        true => exact::find_easily(task, &mut Anywhere),
        false => Known::of(task).find(task, &mut Anywhere),
    }
}

/// Whether one of the known floors will do.
pub(super) fn is_known(task: &Task, exits: &mut dyn Exits) -> bool {
    Search { known: Known::of(task), exits }.find(task).is_some()
}

/// Whether a known floor will do, or one is drawn that does.
pub(super) fn is_made(task: &Task, exits: &mut dyn Exits) -> bool {
    is_known(task, exits) || (!is_beyond(task) && draw_any(task, exits).is_some())
}

struct Search<'a> {
    known: Known,
    exits: &'a mut dyn Exits,
}

impl Search<'_> {
    fn find(&mut self, task: &Task) -> Option<Safe> {
        if is_beyond(task) {
            return None;
        }
        match task.size.cells() <= exact::MAX_CELLS {
            // Most tasks are easy, and one draw decides them.
            true => draw_any(task, self.exits).or_else(|| exact::find(task, self.exits)),
            false => self.known.find(task, self.exits),
        }
    }

    /// Whether there is one that is easily found.
    fn can(&mut self, task: &Task) -> bool {
        if is_beyond(task) {
            return false;
        }
        match task.size.cells() <= exact::MAX_CELLS {
            true => draw_any(task, self.exits).is_some() || exact::find_easily(task, self.exits).is_some(),
            false => self.known.find(task, self.exits).is_some(),
        }
    }

    /// Names the constraint that has to give way, and the most of it that works beside all others.
    fn explain(&mut self, task: &Task, named: &dyn Fn(Field) -> bool) -> ConfigError {
        let fields = || [None].into_iter().chain(Budget::ALL.map(Some));
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
            return refuse(
                task,
                task,
                field,
                format!("use at most {most}{}", beyond_that(task, field, most)),
            );
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
        refuse(task, case, field, format!("use at most {most}{beside}"))
    }

    /// The most of a constraint that is possible, where that can be decided; `most` is easily found to be.
    fn raise(&mut self, task: &Task, field: Field, most: u32) -> u32 {
        let decides = task.size.cells() <= exact::MAX_CELLS;
        let more = (most + 1..asked(task, field))
            .take_while(|&more| decides && self.find(&with(task, field, more)).is_some());
        more.last().unwrap_or(most)
    }

    /// The most of a constraint that is accepted beside the others; the task itself is not.
    fn most(&mut self, task: &Task, field: Field) -> u32 {
        let (mut works, mut fails) = (least(field), asked(task, field));
        while fails - works > 1 {
            let middle = (works + fails) / 2;
            match self.can(&with(task, field, middle)) {
                true => works = middle,
                false => fails = middle,
            }
        }
        works
    }
}

/// Draws floors, tight and roomy ones, until one will do.
fn draw_any(task: &Task, exits: &mut dyn Exits) -> Option<Safe> {
    match task.size.cells() <= 64 {
        true => draw::<u64>(task, exits),
        false => draw::<Rows>(task, exits),
    }
}

fn draw<B: Board>(task: &Task, exits: &mut dyn Exits) -> Option<Safe> {
    let mut draft = Draft::<B>::new(task);
    let mut streams = Streams::of(&Seed::new(0));
    let (least, most) = (task.least_open(), task.most_open());
    (0..TRIES).find_map(|n| {
        let mut task = *task;
        task.open = [task.open, most, least, (least + most) / 2][n as usize % 4];
        task.carve = if n % 8 < 4 { task.carve } else { Carve::Walk };
        draft
            .attempt(&task, n / 4, &mut None, &mut streams, &mut &mut *exits, &mut ())
            .is_ok()
            .then(|| draft.to_safe())
    })
}

/// Says how far beyond `most` it is not proved impossible.
fn beyond_that(task: &Task, field: Field, most: u32) -> String {
    if task.size.cells() <= exact::MAX_CELLS {
        return String::new();
    }
    let (mut works, mut fails) = (most, asked(task, field));
    while fails - works > 1 {
        let middle = (works + fails) / 2;
        *if is_beyond(&with(task, field, middle)) { &mut fails } else { &mut works } = middle;
    }
    match works > most {
        true => format!("; up to {works} some seeds may have a floor"),
        false => String::new(),
    }
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
    task.size.cells() <= exact::MAX_CELLS || is_beyond(task)
}

/// The refusal of `task` because of `field`, which cannot be so large in `case`.
fn refuse(task: &Task, case: &Task, field: Field, remedy: String) -> ConfigError {
    let size = task.size;
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
    let others = [None].into_iter().chain(Budget::ALL.map(Some));
    let others = others.filter(|&other| other != field && asked(case, other) > least(other));
    let mut others: Vec<String> =
        others.map(|other| format!("{} {}", name(other), asked(case, other))).collect();
    match task.safety {
        Safety::None => {}
        Safety::Chests => others.push("safeChests".to_owned()),
        Safety::Route => others.push("safeRoute".to_owned()),
    }
    let beside = if others.is_empty() { String::new() } else { format!(" beside {}", others.join(", ")) };
    let known = if is_proved(case) { "" } else { " is known that" };
    let problem = format!("no floor of {size}{place}{known} {what}{beside}");
    ConfigError::new(name(field), asked(task, field), problem, remedy)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::task::Safety;
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

    /// Asking for less never turns a yes into a no, and no drawn floor is better than all known ones.
    #[test]
    fn whoever_asks_for_less_is_not_refused() {
        let mut rng = MapRng::from_u64(11);
        let (mut yes, mut no, mut missed) = (0, 0, 0);
        for size in [(6, 5), (7, 7), (3, 12), (9, 8), (16, 11)].map(|(w, h)| Size::new(w, h)) {
            for _ in 0..150 {
                let task = random_task(size, &mut rng);
                let mut search = Search { known: Known::of(&task), exits: &mut Anywhere };
                let found = search.find(&task);
                let drawn = draw_any(&task, &mut Anywhere);
                missed += u32::from(found.is_none() && drawn.is_some());
                if drawn.is_some() {
                    assert!(!is_beyond(&task), "a floor was drawn: {task:?}");
                }
                if found.is_none() {
                    no += 1;
                    continue;
                }
                yes += 1;
                for field in [None].into_iter().chain(Budget::ALL.map(Some)) {
                    let less = asked(&task, field).saturating_sub(1 + rng.below(4)).max(least(field));
                    let easier = with(&task, field, less);
                    assert!(search.find(&easier).is_some(), "{task:?} but not {easier:?}");
                }
            }
        }
        assert!(yes > 100 && no > 100, "{yes} {no}");
        assert!(missed * 50 <= yes, "{missed} of {yes} floors were drawn that are not known");
    }

    #[test]
    fn safe_floors_of_the_list_have_room_for_what_was_asked() {
        let mut rng = MapRng::from_u64(29);
        let mut made = 0;
        for size in [(7, 7), (12, 9), (40, 20), (64, 64)].map(|(w, h)| Size::new(w, h)) {
            for _ in 0..60 {
                let task = random_task(size, &mut rng);
                let Some(safe) = Known::of(&task).find(&task, &mut Anywhere) else { continue };
                let mut draft = Draft::<Rows>::new(&task);
                assert!(
                    draft.take_safe(&task, &safe, &mut Streams::of(&Seed::new(made)), &mut ()),
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
                let class = match find_safe(&task, &|_| true, &mut Anywhere, Effort::Full) {
                    Err(_) => 0,
                    Ok(Some(_)) if is_known(&task, &mut Anywhere) => 1,
                    Ok(Some(safe)) => {
                        // What the list does not hold is a floor none the less.
                        let mut draft = Draft::<Rows>::new(&task);
                        assert!(
                            draft.take_safe(&task, &safe, &mut Streams::of(&Seed::new(1)), &mut ()),
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
