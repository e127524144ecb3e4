//! Documents of ours: JSON, one or many in a file.

use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::reading::Reading;
use serde_json::value::RawValue;
use std::io::Write;
use wayforge::SavedMap;
use wayforge::floor::Template;

/// The most documents of a file.
const MAX: usize = 1 << 20;

/// Reads all documents of a file, each strictly; an object without `format` is a `MapFloor` or a template.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Reading>, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut contents = Vec::new();
    for text in serde_json::Deserializer::from_slice(bytes).into_iter::<&RawValue>() {
        let text = text.map_err(|error| {
            reject("document", "JSON", error.to_string(), "give documents that wayforge wrote")
        })?;
        if contents.len() == MAX {
            return Err(reject("documents", MAX + 1, "too many", format!("use at most {MAX} in a file")));
        }
        contents.push(Reading::plain(read_one(text.get().as_bytes())?));
    }
    match contents.is_empty() {
        true => {
            Err(reject("document", "nothing", "the file holds no document", "give one that wayforge wrote"))
        }
        false => Ok(contents),
    }
}

fn read_one(text: &[u8]) -> Result<Content, FormatError> {
    match SavedMap::decode(text) {
        Ok(saved) => Ok(saved.to_map()?.into()),
        // A template is recognised by its rows.
        Err(error) => Template::from_json(text).map(Content::Template).map_err(|_| error.into()),
    }
}

/// Writes one line for each map.
pub(crate) fn write(contents: &[Content], out: &mut dyn Write) -> Result<(), FormatError> {
    for content in contents {
        let text = match content {
            Content::Map(map) => map.to_document().to_text(),
            Content::Template(template) => serde_json::to_string(template).map_err(std::io::Error::from)?,
            Content::Blueprint(_) | Content::Water(_) | Content::Queries(_) => {
                return Err(reject("json", content.what(), "has no document", "see `wayforge formats`"));
            }
        };
        writeln!(out, "{text}")?;
    }
    Ok(())
}
