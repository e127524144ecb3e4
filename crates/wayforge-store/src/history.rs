//! Who did what, when; and how a former map follows from it.

use crate::key::Actor;
use crate::map::Revision;
use crate::timestamp::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use wayforge::run::{Move, RunError};
use wayforge::{Digest, Family, InputError, Run, Seed};

/// One change of a channel's map. Its number is the revision that it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The revision that the change led to.
    pub revision: Revision,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What.
    pub event: Event,
    /// The map that it led to; none if it was deleted.
    pub map: Option<HistoryMap>,
}

/// Which map stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryMap {
    /// Its family.
    pub family: Family,
    /// Its algorithm.
    pub algorithm: String,
    /// Its seed.
    pub seed: Seed,
    /// Its digest.
    pub digest: Digest,
}

/// What was done.
///
/// ```
/// use wayforge_store::Event;
/// assert_eq!(Event::Move("3,5".parse()?).to_string(), "move 3,5");
/// assert_eq!(Event::read("restore", Some("7"))?.to_string(), "restore 7");
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WireEvent", into = "WireEvent")]
pub enum Event {
    /// A map came to the channel.
    Create,
    /// The progress was cleared.
    Reset,
    /// A map of the same configuration under another seed took its place.
    Reseed,
    /// The party went on.
    Move(Move),
    /// The party went back.
    Undo,
    /// The map went.
    Delete,
    /// A former map came back, as it stood at a revision.
    Restore(Revision),
}

/// An event as files hold it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireEvent {
    event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

impl Event {
    /// The event's name.
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

    /// The move, or the revision that was brought back.
    pub fn detail(self) -> Option<String> {
        match self {
            Event::Move(step) => Some(step.to_string()),
            Event::Restore(revision) => Some(revision.to_string()),
            _ => None,
        }
    }

    /// Reads name and detail.
    pub fn read(name: &str, detail: Option<&str>) -> Result<Event, InputError> {
        let revision = |text: &str| text.parse().ok().map(Revision).filter(|read| read.to_string() == text);
        let event = match (name, detail) {
            ("move", Some(step)) => Some(Event::Move(step.parse()?)),
            ("restore", Some(text)) => revision(text).map(Event::Restore),
            (_, Some(_)) => None,
            (_, None) => {
                let plain = [Event::Create, Event::Reset, Event::Reseed, Event::Undo, Event::Delete];
                plain.into_iter().find(|event| event.name() == name)
            }
        };
        event.ok_or_else(|| {
            let value = format!("{name} {}", detail.unwrap_or_default());
            let remedy =
                "use create, reset, reseed, undo or delete alone, move with a move, restore with a revision";
            InputError::new("event", value, "no such event", remedy)
        })
    }

    /// True if what the event led to can be told from what stood before it.
    pub(crate) fn follows(self) -> bool {
        matches!(self, Event::Move(_) | Event::Undo)
    }
}

/// What a move or an undo makes of a run.
pub(crate) fn follow(run: &Run, event: Event) -> Result<Option<Run>, RunError> {
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
        Event::read(&wire.event, wire.detail.as_deref())
    }
}

impl From<Event> for WireEvent {
    fn from(event: Event) -> WireEvent {
        WireEvent { event: event.name().to_owned(), detail: event.detail() }
    }
}
