//! Wayforge documents: JSON, one or many per file.

use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::imported::ImportedContent;
use serde_json::value::RawValue;
use std::io::Write;
use wayforge::floor::Template;
use wayforge::{SavedMap, describe_json_error};

/// Maximum number of documents in a file.
const MAX_DOCUMENTS: usize = 1 << 20;

/// Reads all documents of a file strictly. An object without `format` is a `MapFloor` or a
/// template.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<ImportedContent>, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut contents = Vec::new();
    for text in serde_json::Deserializer::from_slice(bytes).into_iter::<&RawValue>() {
        let text = text.map_err(|error| {
            reject(
                "document",
                "JSON",
                describe_json_error(&error),
                "use documents that Wayforge wrote",
            )
        })?;
        if contents.len() == MAX_DOCUMENTS {
            return Err(reject(
                "documents",
                MAX_DOCUMENTS + 1,
                "too many",
                format!("use at most {MAX_DOCUMENTS} per file"),
            ));
        }
        contents.push(ImportedContent::new(read_one(text.get().as_bytes())?));
    }
    if contents.is_empty() {
        let problem = "the file contains no document";
        return Err(reject("document", "nothing", problem, "use a file that Wayforge wrote"));
    }
    Ok(contents)
}

fn read_one(text: &[u8]) -> Result<Content, FormatError> {
    match SavedMap::decode(text) {
        Ok(saved) => Ok(saved.to_map()?.into()),
        // Anything that is not a saved map may be a template.
        Err(error) => Template::from_json(text).map(Content::Template).map_err(|_| error.into()),
    }
}

/// Writes one line per document.
pub(crate) fn write(contents: &[Content], out: &mut dyn Write) -> Result<(), FormatError> {
    for content in contents {
        let text = match content {
            Content::Map(map) => map.to_document().to_text(),
            Content::Template(template) => {
                serde_json::to_string(template).map_err(std::io::Error::from)?
            }
            Content::Blueprint(_) | Content::NavGrid(_) | Content::Queries(_) => {
                return Err(reject(
                    "json",
                    content.kind(),
                    "cannot be stored as a document",
                    "see `wayforge formats`",
                ));
            }
        };
        writeln!(out, "{text}")?;
    }
    Ok(())
}
