//! Orders carried out on the store, and what came of them.

use super::ask::{Order, What, Wish};
use super::commands::{FOG, NUMBERS, RULESETS, SEED};
use super::message::run_of;
use super::words;
use crate::Service;
use crate::channels::refused;
use crate::map::{self, check_load};
use crate::problem::Problem;
use serde_json::{Map, Value};
use wayforge::act::{Fog, spire_seed_from_text};
use wayforge::run::RunError;
use wayforge::{Family, Seed};
use wayforge_api::handlers::ask::random_seed;
use wayforge_store::{ChannelKey, NewMap, Revision, StoreError, StoredMap};

/// What came of an order.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The map is shown to everybody, with who did what.
    Shown { map: Box<StoredMap>, did: String },
    /// Words for the asking user alone.
    Told(String),
    /// Somebody else was first: the asking user alone is told how things stand.
    Lost { map: Box<StoredMap>, said: String },
}

/// Carries out an order; whatever goes wrong is an outcome too.
pub(super) async fn carry_out(service: &Service, order: &Order) -> Outcome {
    attempt(service, order).await.unwrap_or_else(|outcome| outcome)
}

/// What could stand in an option, as name and value; nothing if the channel has no map.
pub(super) async fn complete(
    service: &Service,
    key: ChannelKey,
    option: String,
    typed: String,
) -> Vec<(String, String)> {
    let Ok(Some(map)) = service.store.get(&key).await else { return Vec::new() };
    let found = service.workers.run(move || {
        let Some(run) = run_of(&map)? else { return Ok(Vec::new()) };
        let all: Vec<(String, String)> = match (option.as_str(), &run) {
            ("node", run) => {
                run.moves().into_iter().map(|step| (words::step_name(run, step), step.to_string())).collect()
            }
            ("kind", wayforge::Run::Act(play)) => {
                play.map().kinds().iter().map(|kind| (kind.name.clone(), kind.name.clone())).collect()
            }
            _ => Vec::new(),
        };
        let typed = typed.trim().to_lowercase();
        Ok(all.into_iter().filter(|(name, _)| name.contains(&typed)).take(25).collect())
    });
    found.await.unwrap_or_default()
}

async fn attempt(service: &Service, order: &Order) -> Result<Outcome, Outcome> {
    let (store, Order { key, who, mention, .. }) = (&service.store, order);
    let (map, did) = match &order.what {
        What::Show => (current(service, order).await?, String::new()),
        What::New(wish) => (new(service, order, wish).await?, format!("{mention} made a new map.")),
        What::Reset => {
            let map = store.reset(key, revision(service, order).await?, who).await?;
            (map, format!("{mention} went back to the start."))
        }
        What::Reseed(seed) => {
            let now = current(service, order).await?;
            let seed = read_seed(seed.as_deref(), now.algorithm.starts_with("act.spire"))?;
            let map = store.reseed(key, order.seen.unwrap_or(now.revision), seed, who).await?;
            (map, format!("{mention} drew another map."))
        }
        What::Move(step) => {
            let map = store.advance(key, revision(service, order).await?, *step, who).await?;
            (map, format!("{mention} moved."))
        }
        What::Undo => {
            let map = store.undo(key, revision(service, order).await?, who).await?;
            (map, format!("{mention} took the last step back."))
        }
        What::Routes(kind) => {
            let (map, kind) = (current(service, order).await?, kind.clone());
            let told = service.workers.run(move || {
                let run = run_of(&map)?;
                Ok(words::routes(&map, run.as_ref(), kind.as_deref()))
            });
            return told.await?.map(Outcome::Told).map_err(Outcome::Told);
        }
    };
    Ok(Outcome::Shown { map: Box::new(map), did })
}

/// The channel's map.
async fn current(service: &Service, order: &Order) -> Result<StoredMap, Outcome> {
    let absent = || StoreError::Absent { key: order.key.clone() };
    Ok(service.store.get(&order.key).await?.ok_or_else(absent)?)
}

/// The revision that was seen: a button's own, or the one that stands now.
async fn revision(service: &Service, order: &Order) -> Result<Revision, Outcome> {
    match order.seen {
        Some(seen) => Ok(seen),
        None => Ok(current(service, order).await?.revision),
    }
}

async fn new(service: &Service, order: &Order, wish: &Wish) -> Result<StoredMap, Outcome> {
    let (store, key) = (&service.store, &order.key);
    let seen = match store.get(key).await? {
        Some(map) if wish.replace => Some(map.revision),
        Some(map) => {
            let told = format!(
                "This channel has a map (revision {}). `/map show` shows it, `/map reset` and `/map reseed` begin anew, and \
                 `/map new` with `replace: True` puts another in its place; its history is kept.",
                map.revision
            );
            return Err(Outcome::Told(told));
        }
        None => None,
    };
    let (config, spire) = read_config(wish)?;
    let seed = read_seed(wish.seed.as_deref(), spire)?;
    let fog = wish.fog.map(|rows| whole("fog", rows, FOG)).transpose()?;
    let limits = service.limits.clone();
    let map = service.workers.run(move || {
        let config = config.to_string().into_bytes();
        check_load(&map::read_config(Family::Act, &config)?, &limits)?;
        Ok(NewMap::generate(Family::Act, &config, seed)?)
    });
    let mut map = map.await?;
    if let Some(rows) = fog {
        map = map.with_fog(Fog::Rows(rows));
    }
    Ok(store.create(key, map, seen, &order.who).await?)
}

/// The configuration, and whether it is the game's own ruleset.
fn read_config(wish: &Wish) -> Result<(Value, bool), Outcome> {
    let ruleset = wish.ruleset.as_deref().unwrap_or(RULESETS[0].0);
    if !RULESETS.iter().any(|(known, _)| *known == ruleset) {
        let known = RULESETS.map(|(known, _)| known).join(", ");
        return Err(Outcome::Told(format!("`ruleset`: no such ruleset; use {known}.")));
    }
    let mut config = Map::from_iter([("ruleset".to_owned(), ruleset.into())]);
    for (name, value) in &wish.numbers {
        let known = NUMBERS.iter().find(|(known, ..)| known == name);
        let Some((_, least, most, rulesets, _)) = known else { continue };
        if !rulesets.contains(&ruleset) {
            let told =
                format!("`{name}`: {ruleset} has no such option; use it with {}.", rulesets.join(" or "));
            return Err(Outcome::Told(told));
        }
        whole(name, *value, (*least, *most))?;
        config.insert(name.clone(), (*value).into());
    }
    Ok((config.into(), ruleset == "spire"))
}

/// Discord checks bounds for its own users; whoever else signs with its key is no user.
fn whole(name: &str, value: i64, (least, most): (i64, i64)) -> Result<u16, Outcome> {
    let fits = u16::try_from(value).ok().filter(|_| (least..=most).contains(&value));
    fits.ok_or_else(|| Outcome::Told(format!("`{name}`: {value} is out of range; use {least} to {most}.")))
}

fn read_seed(text: Option<&str>, spire: bool) -> Result<Seed, Outcome> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(random_seed()?) };
    if text.chars().count() > SEED.into() {
        return Err(Outcome::Told(format!("`seed`: use at most {SEED} characters.")));
    }
    let seed = if spire { spire_seed_from_text(text) } else { text.parse() };
    seed.map_err(|error| Outcome::Told(format!("`seed`: {}; {}.", error.problem, error.remedy)))
}

/// The outcome for somebody who came too late.
fn lost(map: Box<StoredMap>) -> Result<Outcome, Problem> {
    let run = run_of(&map)?;
    let now = run.as_ref().map_or(String::new(), |run| format!("{} {}", words::place(run), words::next(run)));
    let about = words::about(&map, run.as_ref());
    let said = format!("Somebody else was first; this is the map by now. {now}\n{about}");
    Ok(Outcome::Lost { map, said })
}

impl From<StoreError> for Outcome {
    fn from(error: StoreError) -> Outcome {
        Outcome::Told(match error {
            StoreError::Conflict { current } => return lost(current).unwrap_or_else(Outcome::from),
            StoreError::Absent { .. } => "This channel has no map yet; `/map new` makes one.".to_owned(),
            StoreError::AtStart { .. } => {
                "There is nothing to take back: the party has not moved yet.".to_owned()
            }
            StoreError::Run(RunError::Move(error)) => format!("{error}."),
            other => return refused(other).into(),
        })
    }
}

/// A problem as a sentence for a user.
impl From<Problem> for Outcome {
    fn from(problem: Problem) -> Outcome {
        let mut text: String = problem.detail().chars().filter(|c| !c.is_control()).take(1000).collect();
        if let Some(first) = text.get(..1).map(str::to_uppercase) {
            text.replace_range(..1, &first);
        }
        Outcome::Told(text + ".")
    }
}
