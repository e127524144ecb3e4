//! What configurations are called on a page.

use std::path::Path;

/// What the configuration of `other` is called beside the first: the name of its file, or its path where files have one name.
pub(super) fn other_name(first: Option<&Path>, other: &Path) -> String {
    match (name_of(first) == name_of(Some(other)), path_of(first) == path_of(Some(other))) {
        (false, _) => name_of(Some(other)),
        (true, false) => path_of(Some(other)),
        (true, true) => format!("{}, again", path_of(Some(other))),
    }
}

/// What a configuration is called where names of files do not tell them apart: its path.
pub(super) fn path_of(path: Option<&Path>) -> String {
    path.map_or_else(|| "defaults".to_owned(), |path| path.display().to_string())
}

/// What a configuration is called: the name of its file.
pub(super) fn name_of(path: Option<&Path>) -> String {
    let file = path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    file.unwrap_or_else(|| "defaults".to_owned())
}
