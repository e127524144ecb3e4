//! What a message holds: words, buttons for the legal moves, and the picture.

use super::ask::What;
use super::words;
use crate::channels::draw_kept;
use crate::channels::refused;
use crate::form::Form;
use crate::map::{Look, Witness};
use crate::problem::Problem;
use serde::Serialize;
use serde_json::{Value, json};
use wayforge::Run;
use wayforge_api::handlers::Brush;
use wayforge_draw::Theme;
use wayforge_store::StoredMap;

/// The most buttons for moves: four rows of five; the fifth row is for the others.
pub(super) const MOVES: usize = 20;
/// Buttons in a row, as Discord has it.
const ROW: usize = 5;

/// The flag of a message that only one user sees.
const EPHEMERAL: u32 = 1 << 6;

/// Styles of buttons.
const PRIMARY: u8 = 1;
const SECONDARY: u8 = 2;
const SUCCESS: u8 = 3;

/// A file that is sent with a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Attachment {
    pub(super) id: u64,
    pub(super) filename: String,
    /// The text for those who do not see the picture.
    pub(super) description: String,
    #[serde(skip)]
    pub(super) file: Vec<u8>,
}

/// The body that creates or edits a message. What an edit does not name would stay: all parts are always there.
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
    /// Words alone.
    pub(super) fn of_words(content: impl AsRef<str>) -> Message {
        Message {
            content: words::cut(content.as_ref(), words::CONTENT),
            components: Vec::new(),
            embeds: [],
            attachments: Vec::new(),
            // Nobody is woken by a map, whatever its words hold.
            allowed_mentions: json!({ "parse": [] }),
            flags: None,
        }
    }

    /// The same message, which only the asking user sees.
    pub(super) fn private(self) -> Message {
        Message { flags: Some(EPHEMERAL), ..self }
    }

    /// The same message without its picture.
    pub(super) fn without_picture(mut self) -> Message {
        self.attachments.clear();
        self.content += "\n-# The picture could not be sent; `/map show` tries again.";
        self
    }
}

/// A map as everybody in the channel sees it. Slow: it draws.
pub(super) fn of_map(map: &StoredMap, did: &str, pixels: u64, brush: &mut Brush) -> Result<Message, Problem> {
    let run = run_of(map)?;
    let place = run.as_ref().map_or_else(|| format!("This channel holds a {}.", map.family), words::place);
    let mut content = format!("{did} {place}").trim_start().to_owned();
    if run.as_ref().is_some_and(|run| run.moves().len() > MOVES) {
        content += " There are more ways than buttons; `/map move` knows them all.";
    }
    let mut message = Message::of_words(format!("{content}\n{}", words::about(map, run.as_ref())));
    message.components = run.as_ref().map_or(Vec::new(), |run| buttons(map, run));
    Ok(with_picture(message, map, run.as_ref(), pixels, brush))
}

/// A map for somebody who came too late: how it stands now, without buttons of its own.
pub(super) fn of_lost(
    map: &StoredMap,
    said: &str,
    pixels: u64,
    brush: &mut Brush,
) -> Result<Message, Problem> {
    let run = run_of(map)?;
    Ok(with_picture(Message::of_words(said), map, run.as_ref(), pixels, brush))
}

/// The run of a map, if it can be played.
pub(super) fn run_of(map: &StoredMap) -> Result<Option<Run>, Problem> {
    match map.progress {
        Some(_) => Ok(Some(map.run().map_err(|error| refused(wayforge_store::StoreError::Run(error)))?)),
        None => Ok(None),
    }
}

/// Adds the picture; a map that is too large for one stays a map in words.
fn with_picture(
    mut message: Message,
    map: &StoredMap,
    run: Option<&Run>,
    pixels: u64,
    brush: &mut Brush,
) -> Message {
    let look = Look { theme: Theme::Parchment, scale: SCALE, witness: Witness::None, labels: false, pixels };
    match draw_kept(map, Form::Png, look, brush) {
        Ok(png) => {
            // A name of its own for every revision, so that no client shows an old picture.
            let filename = format!("map-{}.png", map.revision);
            message.attachments.push(Attachment {
                id: 0,
                filename,
                description: words::alt(map, run),
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

/// In percent: chats show pictures at about this width.
const SCALE: u32 = 100;

fn buttons(map: &StoredMap, run: &Run) -> Vec<Value> {
    let button = |what: What, label: &str, style: u8| {
        let (label, custom_id) = (words::cut(label, 80), what.to_button(map.revision));
        json!({ "type": 2, "style": style, "label": label, "custom_id": custom_id })
    };
    let moves = run.moves().into_iter().take(MOVES);
    let moves = moves.map(|step| button(What::Move(step), &words::step_name(run, step), PRIMARY));
    let moves: Vec<Value> = moves.collect();
    let mut rows: Vec<Value> = moves.chunks(ROW).map(action_row).collect();
    let mut others = Vec::new();
    if run.undo().is_some() {
        others.push(button(What::Undo, "Undo", SECONDARY));
    }
    if run.is_finished() {
        others.push(button(What::Reset, "Again", SECONDARY));
        others.push(button(What::Reseed(None), "Another map", SUCCESS));
    }
    if matches!(run, Run::Act(_)) {
        others.push(button(What::Routes(None), "Routes", SECONDARY));
    }
    if !others.is_empty() {
        rows.push(action_row(&others));
    }
    rows
}

fn action_row(buttons: &[Value]) -> Value {
    json!({ "type": 1, "components": buttons })
}
