//! Executes commands on the store.

use super::definitions::{FOG_ROWS, MAX_SEED_LENGTH, NUMBER_OPTIONS, RULESETS};
use super::message::run_of;
use super::request::{Action, Command, NewMapOptions};
use super::text;
use crate::Service;
use crate::channels::store_problem;
use crate::map::{self, check_cost};
use crate::problem::Problem;
use serde_json::{Map, Value};
use std::sync::Arc;
use wayforge::act::{Fog, spire_seed_from_text};
use wayforge::{Family, Seed};
use wayforge_api::handlers::request::random_seed;
use wayforge_store::{ChannelKey, NewMap, Revision, StoreError, StoredMap};

/// Outcome of a command.
#[derive(Debug)]
pub(super) enum Outcome {
    /// Everyone sees the map and `action`, a sentence that says who changed it.
    Public { map: Box<StoredMap>, action: String },
    /// Only the requesting user sees the message.
    Private(String),
    /// The map changed in the meantime; only the requesting user sees its current state.
    Conflict { map: Box<StoredMap>, message: String },
}

/// Why a command was not executed.
enum Failure {
    Message(Outcome),
    /// The map changed in the meantime.
    Conflict(Box<StoredMap>),
}

/// Executes a command and converts errors to outcomes.
pub(super) async fn execute(service: &Arc<Service>, command: &Command) -> Outcome {
    match try_execute(service, command).await {
        Ok(outcome) | Err(Failure::Message(outcome)) => outcome,
        Err(Failure::Conflict(map)) => {
            let outcome = service.workers.run(|_| describe_conflict(map)).await;
            outcome.unwrap_or_else(Outcome::from)
        }
    }
}

/// Returns suggestions for an option, as pairs of name and value; none without a map.
pub(super) async fn autocomplete(
    service: &Arc<Service>,
    key: ChannelKey,
    option: String,
    typed: String,
) -> Vec<(String, String)> {
    let Ok(Some(map)) = service.store.get(&key).await else { return Vec::new() };
    let suggestions = service.workers.run(move |_| {
        let Some(run) = run_of(&map)? else { return Ok(Vec::new()) };
        let all: Vec<(String, String)> = match (option.as_str(), &run) {
            ("node", run) => run
                .moves()
                .into_iter()
                .map(|step| (text::step_name(run, step), step.to_string()))
                .collect(),
            ("kind", wayforge::Run::Act(play)) => play
                .map()
                .kinds()
                .iter()
                .map(|kind| (kind.name.clone(), kind.name.clone()))
                .collect(),
            _ => Vec::new(),
        };
        let typed = typed.trim().to_lowercase();
        Ok(all.into_iter().filter(|(name, _)| name.contains(&typed)).take(25).collect())
    });
    suggestions.await.unwrap_or_default()
}

async fn try_execute(service: &Arc<Service>, command: &Command) -> Result<Outcome, Failure> {
    let (store, Command { key, actor, mention, .. }) = (&service.store, command);
    let (map, action) = match &command.action {
        Action::Show => (current_map(service, command).await?, String::new()),
        Action::New(options) => {
            let map = create(service, command, options).await?;
            (map, format!("{mention} created a new map."))
        }
        Action::Reset => {
            let map = store.reset(key, revision(service, command).await?, actor).await?;
            (map, format!("{mention} restarted the map."))
        }
        Action::Reseed(seed) => {
            let current = current_map(service, command).await?;
            let seed = parse_seed(seed.as_deref(), current.algorithm.starts_with("act.spire"))?;
            let revision = command.revision.unwrap_or(current.revision);
            let map = store.reseed(key, revision, seed, actor).await?;
            (map, format!("{mention} generated another map."))
        }
        Action::Move(step) => {
            let map = store.advance(key, revision(service, command).await?, *step, actor).await?;
            (map, format!("{mention} moved."))
        }
        Action::Undo => {
            let map = store.undo(key, revision(service, command).await?, actor).await?;
            (map, format!("{mention} undid the last move."))
        }
        Action::Routes(kind) => {
            let (map, kind) = (current_map(service, command).await?, kind.clone());
            let message = service.workers.run(move |_| {
                let run = run_of(&map)?;
                Ok(text::routes(&map, run.as_ref(), kind.as_deref()))
            });
            let message = message.await?;
            return Ok(Outcome::Private(message.unwrap_or_else(|problem| problem)));
        }
    };
    Ok(Outcome::Public { map: Box::new(map), action })
}

/// Returns the map of the channel.
async fn current_map(service: &Arc<Service>, command: &Command) -> Result<StoredMap, Failure> {
    let missing = || StoreError::NoMap { key: command.key.clone() };
    Ok(service.store.get(&command.key).await?.ok_or_else(missing)?)
}

/// Returns the revision that the command is based on: that of its button, else the current one.
async fn revision(service: &Arc<Service>, command: &Command) -> Result<Revision, Failure> {
    match command.revision {
        Some(revision) => Ok(revision),
        None => Ok(current_map(service, command).await?.revision),
    }
}

/// Generates a map and stores it in the channel.
async fn create(
    service: &Arc<Service>,
    command: &Command,
    options: &NewMapOptions,
) -> Result<StoredMap, Failure> {
    let (store, key) = (&service.store, &command.key);
    let replaced = match store.get(key).await? {
        Some(map) if options.replace => Some(map.revision),
        Some(map) => {
            let message = format!(
                "This channel already has a map (revision {}). Use `/map show` to see it, \
                 `/map reset` or `/map reseed` to start over, or `/map new` with \
                 `replace: True` to replace it. Its history is kept.",
                map.revision
            );
            return Err(Outcome::Private(message).into());
        }
        None => None,
    };
    let (config, is_spire) = build_config(options)?;
    let seed = parse_seed(options.seed.as_deref(), is_spire)?;
    let fog = options.fog.map(|rows| check_range("fog", rows, FOG_ROWS)).transpose()?;
    let map = service.draw(move |_, limits| {
        let config = map::read_config(Family::Act, &config.to_string().into_bytes())?;
        check_cost(&config, limits)?;
        Ok(NewMap::from(&map::generate(&config, seed, limits)?))
    });
    let mut map = map.await?;
    if let Some(rows) = fog {
        map = map.with_fog(Fog::Rows(rows));
    }
    Ok(store.create(key, map, replaced, &command.actor).await?)
}

/// Builds the configuration; also returns whether its ruleset is `spire`.
fn build_config(options: &NewMapOptions) -> Result<(Value, bool), Outcome> {
    let ruleset = options.ruleset.as_deref().unwrap_or(RULESETS[0].0);
    if !RULESETS.iter().any(|(name, _)| *name == ruleset) {
        let names = RULESETS.map(|(name, _)| name).join(", ");
        return Err(Outcome::Private(format!("`ruleset`: unknown; use {names}.")));
    }
    let mut config = Map::from_iter([("ruleset".to_owned(), ruleset.into())]);
    for (name, value) in &options.numbers {
        let option = NUMBER_OPTIONS.iter().find(|option| option.name == name);
        let Some(option) = option else { continue };
        if !option.rulesets.contains(&ruleset) {
            let message = format!(
                "`{name}`: not an option of {ruleset}; use it with {}.",
                option.rulesets.join(" or ")
            );
            return Err(Outcome::Private(message));
        }
        check_range(name, *value, option.range)?;
        config.insert(name.clone(), (*value).into());
    }
    Ok((config.into(), ruleset == "spire"))
}

/// Checks the range of a number. Discord checks it too, but only in its own clients.
fn check_range(name: &str, value: i64, (min, max): (i64, i64)) -> Result<u16, Outcome> {
    let checked = u16::try_from(value).ok().filter(|_| (min..=max).contains(&value));
    checked.ok_or_else(|| {
        Outcome::Private(format!("`{name}`: {value} is out of range; use {min} to {max}."))
    })
}

/// Parses a seed; a random one if there is no text.
fn parse_seed(text: Option<&str>, is_spire: bool) -> Result<Seed, Outcome> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(random_seed()?);
    };
    if text.chars().count() > MAX_SEED_LENGTH.into() {
        let message = format!("`seed`: use at most {MAX_SEED_LENGTH} characters.");
        return Err(Outcome::Private(message));
    }
    let seed = if is_spire { spire_seed_from_text(text) } else { text.parse() };
    seed.map_err(|error| Outcome::Private(format!("`seed`: {}; {}.", error.problem, error.remedy)))
}

/// Creates the outcome of a change that was based on an old revision. Slow, because it decodes the
/// map.
fn describe_conflict(map: Box<StoredMap>) -> Result<Outcome, Problem> {
    let run = run_of(&map)?;
    let describe = |run: &_| format!("{} {}", text::position(run), text::next_moves(run));
    let situation = run.as_ref().map_or(String::new(), describe);
    let footer = text::footer(&map, run.as_ref());
    let message =
        format!("Someone else was faster. This is the current map. {situation}\n{footer}");
    Ok(Outcome::Conflict { map, message })
}

impl From<Outcome> for Failure {
    fn from(outcome: Outcome) -> Failure {
        Failure::Message(outcome)
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Message(problem.into())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Message(Outcome::Private(match error {
            StoreError::Conflict { current } => return Failure::Conflict(current),
            StoreError::NoMap { .. } => {
                "This channel has no map yet. Create one with `/map new`.".to_owned()
            }
            StoreError::NothingToUndo { .. } => {
                "There is nothing to undo: the party has not moved yet.".to_owned()
            }
            other => return store_problem(other).into(),
        }))
    }
}

/// Converts a problem to a sentence for the user.
impl From<Problem> for Outcome {
    fn from(problem: Problem) -> Outcome {
        let mut text: String =
            problem.detail().chars().filter(|c| !c.is_control()).take(1000).collect();
        if let Some(first) = text.get(..1).map(str::to_uppercase) {
            text.replace_range(..1, &first);
        }
        Outcome::Private(text + ".")
    }
}
