//! Messages with text, buttons for the legal moves, and the picture.

use super::request::Action;
use super::text;
use crate::channels::{draw_stored, store_problem};
use crate::map::RenderOptions;
use crate::problem::Problem;
use serde::Serialize;
use serde_json::{Value, json};
use wayforge::Run;
use wayforge_api::handlers::LazyPainter;
use wayforge_draw::{Routes, Theme};
use wayforge_formats::Format;
use wayforge_store::{StoreError, StoredMap};

/// Maximum number of move buttons. Discord allows five rows; the last is reserved for other
/// actions.
pub(super) const MAX_MOVE_BUTTONS: usize = 20;
/// Discord's maximum number of buttons in a row.
const BUTTONS_PER_ROW: usize = 5;

/// Flag of a message that only the requesting user sees.
const EPHEMERAL: u32 = 1 << 6;

/// Button styles.
const PRIMARY: u8 = 1;
const SECONDARY: u8 = 2;
const SUCCESS: u8 = 3;

/// File attached to a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Attachment {
    pub(super) id: u64,
    pub(super) filename: String,
    /// Alt text.
    pub(super) description: String,
    #[serde(skip)]
    pub(super) file: Vec<u8>,
}

/// Body of a request that creates or edits a message.
///
/// An edit leaves omitted parts unchanged, so the body always contains all parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Message {
    pub(super) content: String,
    pub(super) components: Vec<Value>,
    pub(super) embeds: [Value; 0],
    pub(super) attachments: Vec<Attachment>,
    pub(super) allowed_mentions: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flags: Option<u32>,
}

impl Message {
    /// Creates a message with text only.
    pub(super) fn text(content: impl AsRef<str>) -> Message {
        Message {
            content: text::truncate(content.as_ref(), text::MAX_CONTENT),
            components: Vec::new(),
            embeds: [],
            attachments: Vec::new(),
            // Messages never notify anyone, even if the text contains a mention.
            allowed_mentions: json!({ "parse": [] }),
            flags: None,
        }
    }

    /// Makes the message visible to the requesting user only.
    pub(super) fn private(self) -> Message {
        Message { flags: Some(EPHEMERAL), ..self }
    }

    /// Removes the picture and adds a note to the text.
    pub(super) fn without_picture(mut self) -> Message {
        self.attachments.clear();
        self.content += "\n-# The picture could not be sent. Try `/map show`.";
        self
    }
}

/// Creates the public message of a map with its buttons. Slow, because it draws the picture.
pub(super) fn map_message(
    map: &StoredMap,
    action: &str,
    max_pixels: u64,
    painter: &mut LazyPainter,
) -> Result<Message, Problem> {
    let run = run_of(map)?;
    let position =
        run.as_ref().map_or_else(|| format!("This channel has a {}.", map.family), text::position);
    let mut content = format!("{action} {position}").trim_start().to_owned();
    if run.as_ref().is_some_and(|run| run.moves().len() > MAX_MOVE_BUTTONS) {
        content += " There are more moves than buttons; `/map move` accepts all of them.";
    }
    let mut message = Message::text(format!("{content}\n{}", text::footer(map, run.as_ref())));
    message.components = run.as_ref().map_or(Vec::new(), |run| buttons(map, run));
    Ok(with_picture(message, map, run.as_ref(), max_pixels, painter))
}

/// Creates the message for a user whose change conflicted: the current map, without buttons.
pub(super) fn conflict_message(
    map: &StoredMap,
    content: &str,
    max_pixels: u64,
    painter: &mut LazyPainter,
) -> Result<Message, Problem> {
    let run = run_of(map)?;
    Ok(with_picture(Message::text(content), map, run.as_ref(), max_pixels, painter))
}

/// Returns the run of a map, or `None` if its family cannot be played.
pub(super) fn run_of(map: &StoredMap) -> Result<Option<Run>, Problem> {
    match map.progress {
        Some(_) => Ok(Some(map.run().map_err(|error| store_problem(StoreError::Run(error)))?)),
        None => Ok(None),
    }
}

/// Adds the picture. If it cannot be drawn, the message has text only.
fn with_picture(
    mut message: Message,
    map: &StoredMap,
    run: Option<&Run>,
    max_pixels: u64,
    painter: &mut LazyPainter,
) -> Message {
    let options = RenderOptions {
        theme: Theme::Parchment,
        scale: SCALE,
        routes: Routes::None,
        labels: false,
        max_pixels,
    };
    match draw_stored(map, Format::Png, options, painter) {
        Ok(png) => {
            // Every revision has its own file name, so clients never show a cached picture.
            let filename = format!("map-{}.png", map.revision);
            message.attachments.push(Attachment {
                id: 0,
                filename,
                description: text::alt_text(map, run),
                file: png,
            });
            message
        }
        Err(problem) => {
            tracing::warn!(key = %map.key, detail = problem.detail(), "no picture");
            message.without_picture()
        }
    }
}

/// Scale of pictures in percent, chosen for the width of a chat.
const SCALE: u32 = 100;

/// Creates the rows of buttons.
fn buttons(map: &StoredMap, run: &Run) -> Vec<Value> {
    let button = |action: Action, label: &str, style: u8| {
        let (label, custom_id) = (text::truncate(label, 80), action.to_button(map.revision));
        json!({ "type": 2, "style": style, "label": label, "custom_id": custom_id })
    };
    let moves = run.moves().into_iter().take(MAX_MOVE_BUTTONS);
    let moves = moves.map(|step| button(Action::Move(step), &text::step_name(run, step), PRIMARY));
    let moves: Vec<Value> = moves.collect();
    let mut rows: Vec<Value> = moves.chunks(BUTTONS_PER_ROW).map(action_row).collect();
    let mut others = Vec::new();
    if run.undo().is_some() {
        others.push(button(Action::Undo, "Undo", SECONDARY));
    }
    if run.is_finished() {
        others.push(button(Action::Reset, "Play again", SECONDARY));
        others.push(button(Action::Reseed(None), "New map", SUCCESS));
    }
    if matches!(run, Run::Act(_)) {
        others.push(button(Action::Routes(None), "Routes", SECONDARY));
    }
    if !others.is_empty() {
        rows.push(action_row(&others));
    }
    rows
}

fn action_row(buttons: &[Value]) -> Value {
    json!({ "type": 1, "components": buttons })
}
