//! Spelling suggestions by edit distance: optimal string alignment (restricted Damerau-Levenshtein
//! distance; Damerau 1964, Levenshtein 1966).

/// Returns the known name closest to `written`, at a distance of at most 2, or 1 for short names.
///
/// # Complexity
/// O(names * length^2); names whose length differs too much are skipped.
///
/// # Determinism
/// Returns the first of several equally close names.
pub(super) fn closest_name<'a>(
    written: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let written = written.chars().take(MAX_LENGTH + 1).collect::<String>().to_lowercase();
    let length = written.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    let max_distance = if length < 5 { 1 } else { 2 };
    let candidates = known.filter(|name| name.chars().count().abs_diff(length) <= max_distance);
    let distances =
        candidates.map(|name| (strsim::osa_distance(&written, &name.to_lowercase()), name));
    distances
        .filter(|&(distance, _)| distance <= max_distance)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Maximum length of names in characters; longer names get no suggestion.
const MAX_LENGTH: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_names_within_two_edits() {
        let near = |written: &str| {
            closest_name(written, ["nodes", "routes", "min", "max", "dead_ends"].into_iter())
        };
        assert_eq!(near("ruotes"), Some("routes"));
        assert_eq!(near("Routes"), Some("routes"));
        assert_eq!(near("deadends"), Some("dead_ends"));
        assert_eq!(near("dead__ends"), Some("dead_ends"));
        assert_eq!(near("noeds"), Some("nodes"));
        assert_eq!(near("mn"), Some("min"));
        assert_eq!([near("path"), near(""), near("r"), near(&"x".repeat(10_000))], [None; 4]);
    }
}
