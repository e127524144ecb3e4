//! Which name somebody may have meant.

/// Returns the known name with the smallest edit distance (optimal string alignment), if that is at most 2, or 1 for short names.
///
/// # Complexity
/// The product of both lengths, for names of about the same length only.
///
/// # Determinism
/// Of equally near names the first.
pub(super) fn near<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written = written.chars().take(MAX + 1).collect::<String>().to_lowercase();
    let length = written.chars().count();
    if length > MAX {
        return None;
    }
    let most = if length < 5 { 1 } else { 2 };
    let alike = known.filter(|name| name.chars().count().abs_diff(length) <= most);
    let near = alike.map(|name| (strsim::osa_distance(&written, &name.to_lowercase()), name));
    near.filter(|&(distance, _)| distance <= most).min_by_key(|&(distance, _)| distance).map(|(_, name)| name)
}

/// The longest name that is compared.
const MAX: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_forgiven_and_other_words_are_not() {
        let near = |written: &str| near(written, ["nodes", "routes", "min", "max", "dead_ends"].into_iter());
        assert_eq!(near("ruotes"), Some("routes"));
        assert_eq!(near("Routes"), Some("routes"));
        assert_eq!(near("deadends"), Some("dead_ends"));
        assert_eq!(near("dead__ends"), Some("dead_ends"));
        assert_eq!(near("noeds"), Some("nodes"));
        assert_eq!(near("mn"), Some("min"));
        assert_eq!([near("path"), near(""), near("r"), near(&"x".repeat(10_000))], [None; 4]);
    }
}
