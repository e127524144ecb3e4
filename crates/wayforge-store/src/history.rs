//! History entries and the events that they record.

use crate::key::Actor;
use crate::map::Revision;
use crate::timestamp::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use wayforge::run::{Move, RunError};
use wayforge::{Digest, Family, InputError, Run, Seed};

/// One change of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HistoryEntry {
    /// Revision after the change.
    pub revision: Revision,
    /// Time of the change.
    pub at: Timestamp,
    /// Author of the change.
    pub actor: Actor,
    /// Id of the token that made the change; null without one, and for changes that earlier
    /// versions recorded. Unlike the author, the client cannot choose it.
    pub token: Option<String>,
    /// Kind of change.
    pub event: Event,
    /// Map after the change; null if it was deleted.
    pub map: Option<MapIdentity>,
}

/// Identity of the map at a revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MapIdentity {
    /// Map family.
    pub family: Family,
    /// Name of the generation algorithm.
    pub algorithm: String,
    /// Seed.
    pub seed: Seed,
    /// Digest of the document.
    pub digest: Digest,
}

/// Kind of change.
///
/// # Examples
/// ```
/// use wayforge_store::Event;
/// assert_eq!(Event::Move("3,5".parse()?).to_string(), "move 3,5");
/// assert_eq!(Event::parse("restore", Some("7"))?.to_string(), "restore 7");
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "WireEvent", into = "WireEvent")]
#[non_exhaustive]
pub enum Event {
    /// A map was stored in the channel.
    Create,
    /// The progress was cleared.
    Reset,
    /// The map was replaced by one with the same configuration and another seed.
    Reseed,
    /// The party moved.
    Move(Move),
    /// The last move was undone.
    Undo,
    /// The map was deleted.
    Delete,
    /// The state at an earlier revision was restored.
    Restore(Revision),
}

/// Serialised form of an event.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WireEvent {
    /// Kind of change: `create`, `reset`, `reseed`, `move`, `undo`, `delete` or `restore`.
    name: String,
    /// The move, or the restored revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

impl Event {
    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Event::Create => "create",
            Event::Reset => "reset",
            Event::Reseed => "reseed",
            Event::Move(_) => "move",
            Event::Undo => "undo",
            Event::Delete => "delete",
            Event::Restore(_) => "restore",
        }
    }

    /// Returns the move or the restored revision as text; `None` for other events.
    pub fn detail(self) -> Option<String> {
        match self {
            Event::Move(step) => Some(step.to_string()),
            Event::Restore(revision) => Some(revision.to_string()),
            _ => None,
        }
    }

    /// Parses an event from its name and detail.
    ///
    /// # Errors
    /// [`InputError`] if the name is unknown, or the detail is missing, invalid or unexpected.
    pub fn parse(name: &str, detail: Option<&str>) -> Result<Event, InputError> {
        let revision = |text: &str| {
            text.parse().ok().map(Revision).filter(|revision| revision.to_string() == text)
        };
        let event = match (name, detail) {
            ("move", Some(step)) => Some(Event::Move(step.parse()?)),
            ("restore", Some(text)) => revision(text).map(Event::Restore),
            (_, Some(_)) => None,
            (_, None) => {
                let plain =
                    [Event::Create, Event::Reset, Event::Reseed, Event::Undo, Event::Delete];
                plain.into_iter().find(|event| event.name() == name)
            }
        };
        event.ok_or_else(|| {
            let value = format!("{name} {}", detail.unwrap_or_default());
            let remedy =
                "use create, reset, reseed, undo or delete without detail, move with a move, \
                 or restore with a revision";
            InputError::new("event", value, "unknown event", remedy)
        })
    }

    /// Returns true if the state after the event can be computed from the state before it.
    pub(crate) fn is_incremental(self) -> bool {
        matches!(self, Event::Move(_) | Event::Undo)
    }
}

/// Applies a move or an undo to a run. Returns `None` for other events, and if there is nothing to
/// undo.
pub(crate) fn apply_event(run: &Run, event: Event) -> Result<Option<Run>, RunError> {
    match event {
        Event::Move(step) => run.advance(step).map(Some),
        Event::Undo => Ok(run.undo()),
        _ => Ok(None),
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.detail().map_or(Ok(()), |detail| write!(f, " {detail}"))
    }
}

impl TryFrom<WireEvent> for Event {
    type Error = InputError;

    fn try_from(wire: WireEvent) -> Result<Event, InputError> {
        Event::parse(&wire.name, wire.detail.as_deref())
    }
}

impl From<Event> for WireEvent {
    fn from(event: Event) -> WireEvent {
        WireEvent { name: event.name().to_owned(), detail: event.detail() }
    }
}
