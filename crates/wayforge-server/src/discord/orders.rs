//! Orders carried out on the store, and what came of them.

use super::ask::{Complete, Order, What, Wish};
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
use wayforge_store::{NewMap, Revision, StoreError, StoredMap};

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
    match attempt(service, order).await {
        Ok(outcome) => outcome,
        Err(Refusal::Words(told)) => Outcome::Told(words::cut(&told, words::CONTENT)),
        Err(Refusal::Lost(map)) => lost(service, map).await,
    }
}

/// What could stand in an option, as name and value; nothing if the channel has no map.
pub(super) async fn complete(service: &Service, ask: Complete) -> Vec<(String, String)> {
    let Ok(Some(map)) = service.store.get(&ask.key).await else { return Vec::new() };
    let found = service.workers.run(move || {
        let Some(run) = run_of(&map)? else { return Ok(Vec::new()) };
        let all: Vec<(String, String)> = match (ask.option.as_str(), &run) {
            ("node", run) => {
                run.moves().into_iter().map(|step| (words::step_name(run, step), step.to_string())).collect()
            }
            ("kind", wayforge::Run::Act(play)) => {
                play.map().kinds().iter().map(|kind| (kind.name.clone(), kind.name.clone())).collect()
            }
            _ => Vec::new(),
        };
        let typed = ask.typed.trim().to_lowercase();
        Ok(all.into_iter().filter(|(name, _)| name.contains(&typed)).take(25).collect())
    });
    found.await.unwrap_or_default()
}

/// Why an order was not carried out.
enum Refusal {
    Words(String),
    Lost(Box<StoredMap>),
}

async fn attempt(service: &Service, order: &Order) -> Result<Outcome, Refusal> {
    let (store, Order { key, who, mention, .. }) = (&service.store, order);
    let (map, did) = match &order.what {
        What::Show => (current(service, order).await?, String::new()),
        What::New(wish) => (new(service, order, wish).await?, format!("{mention} made a new map.")),
        What::Reset(seen) => {
            let seen = revision(service, order, *seen).await?;
            (store.reset(key, seen, who).await?, format!("{mention} went back to the start."))
        }
        What::Reseed(seen, seed) => {
            let now = current(service, order).await?;
            let seed = read_seed(seed.as_deref(), now.algorithm.starts_with("act.spire"))?;
            let map = store.reseed(key, seen.unwrap_or(now.revision), seed, who).await?;
            (map, format!("{mention} drew another map."))
        }
        What::Move(seen, step) => {
            let map = store.advance(key, revision(service, order, *seen).await?, *step, who).await?;
            (map, format!("{mention} moved."))
        }
        What::Undo(seen) => {
            let seen = revision(service, order, *seen).await?;
            (store.undo(key, seen, who).await?, format!("{mention} took the last step back."))
        }
        What::Routes(kind) => {
            let (map, kind) = (current(service, order).await?, kind.clone());
            let told = service.workers.run(move || {
                let run = run_of(&map)?;
                Ok(words::routes(&map, run.as_ref(), kind.as_deref()))
            });
            return told.await?.map(Outcome::Told).map_err(Refusal::Words);
        }
    };
    Ok(Outcome::Shown { map: Box::new(map), did })
}

/// The channel's map.
async fn current(service: &Service, order: &Order) -> Result<StoredMap, Refusal> {
    let absent = || StoreError::Absent { key: order.key.clone() };
    Ok(service.store.get(&order.key).await?.ok_or_else(absent)?)
}

/// The revision that was seen: a button's own, or the one that stands now.
async fn revision(service: &Service, order: &Order, seen: Option<Revision>) -> Result<Revision, Refusal> {
    match seen {
        Some(seen) => Ok(seen),
        None => Ok(current(service, order).await?.revision),
    }
}

async fn new(service: &Service, order: &Order, wish: &Wish) -> Result<StoredMap, Refusal> {
    let (store, key) = (&service.store, &order.key);
    let seen = match store.get(key).await? {
        Some(map) if wish.replace => Some(map.revision),
        Some(map) => {
            let told = format!(
                "This channel has a map (revision {}). `/map show` shows it, `/map reset` and `/map reseed` begin anew, and \
                 `/map new` with `replace: True` puts another in its place; its history is kept.",
                map.revision
            );
            return Err(Refusal::Words(told));
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
fn read_config(wish: &Wish) -> Result<(Value, bool), Refusal> {
    let ruleset = wish.ruleset.as_deref().unwrap_or(RULESETS[0].0);
    if !RULESETS.iter().any(|(known, _)| *known == ruleset) {
        let known = RULESETS.map(|(known, _)| known).join(", ");
        return Err(Refusal::Words(format!("`ruleset`: no such ruleset; use {known}.")));
    }
    let mut config = Map::from_iter([("ruleset".to_owned(), ruleset.into())]);
    for (name, value) in &wish.numbers {
        let known = NUMBERS.iter().find(|(known, ..)| known == name);
        let Some((_, least, most, rulesets, _)) = known else { continue };
        if !rulesets.contains(&ruleset) {
            let told =
                format!("`{name}`: {ruleset} has no such option; use it with {}.", rulesets.join(" or "));
            return Err(Refusal::Words(told));
        }
        whole(name, *value, (*least, *most))?;
        config.insert(name.clone(), (*value).into());
    }
    Ok((config.into(), ruleset == "spire"))
}

/// Discord checks bounds for its own users; whoever else signs with its key is no user.
fn whole(name: &str, value: i64, (least, most): (i64, i64)) -> Result<u16, Refusal> {
    let fits = u16::try_from(value).ok().filter(|_| (least..=most).contains(&value));
    fits.ok_or_else(|| Refusal::Words(format!("`{name}`: {value} is out of range; use {least} to {most}.")))
}

fn read_seed(text: Option<&str>, spire: bool) -> Result<Seed, Refusal> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(random_seed()?) };
    if text.chars().count() > SEED.into() {
        return Err(Refusal::Words(format!("`seed`: use at most {SEED} characters.")));
    }
    let seed = if spire { spire_seed_from_text(text) } else { text.parse() };
    seed.map_err(|error| Refusal::Words(format!("`seed`: {}; {}.", error.problem, error.remedy)))
}

/// The words for somebody who came too late.
async fn lost(service: &Service, map: Box<StoredMap>) -> Outcome {
    let told = service.workers.run(move || {
        let run = run_of(&map)?;
        let now =
            run.as_ref().map_or(String::new(), |run| format!("{} {}", words::place(run), words::next(run)));
        let about = words::about(&map, run.as_ref());
        let said = format!("Somebody else was first; this is the map by now. {now}\n{about}");
        Ok(Outcome::Lost { map, said })
    });
    told.await.unwrap_or_else(|problem| Outcome::Told(in_words(&problem)))
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Words(match error {
            StoreError::Conflict { current } => return Refusal::Lost(current),
            StoreError::Absent { .. } => "This channel has no map yet; `/map new` makes one.".to_owned(),
            StoreError::AtStart { .. } => {
                "There is nothing to take back: the party has not moved yet.".to_owned()
            }
            StoreError::Run(RunError::Move(error)) => format!("{error}."),
            other => in_words(&refused(other)),
        })
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        Refusal::Words(in_words(&problem))
    }
}

/// A problem as one tells it to a user.
fn in_words(problem: &Problem) -> String {
    let mut told: String = problem.detail().chars().filter(|c| !c.is_control()).take(1000).collect();
    if let Some(first) = told.get(..1).map(str::to_uppercase) {
        told.replace_range(..1, &first);
    }
    told + "."
}
