//! Which name somebody may have meant.

/// The known name that is a slip or two of the keyboard away from what was written: a letter too many, too few, another, or two
/// exchanged. Nothing, if none is that near.
///
/// * **Complexity.** The product of both lengths, for names of about the same length only.
/// * **Determinism.** Of equally near names the first.
pub(super) fn near<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written: Vec<char> = written.chars().flat_map(char::to_lowercase).take(MAX + 1).collect();
    if written.len() > MAX {
        return None;
    }
    let most = if written.len() < 5 { 1 } else { 2 };
    let far = |name: &str| {
        let name: Vec<char> = name.chars().flat_map(char::to_lowercase).take(MAX + 1).collect();
        (name.len().abs_diff(written.len()) <= most).then(|| slips(&written, &name))
    };
    let near = known.filter_map(|name| Some((far(name).filter(|&slips| slips <= most)?, name)));
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}

/// The longest name that is compared.
const MAX: usize = 80;

/// How many letters were added, left out, replaced or exchanged with the next one.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        let [before, last, row] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let other = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + other);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()]
}

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
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        let count = |a: &str, b: &str| slips(&letters(a), &letters(b));
        assert_eq!(
            [count("", "abc"), count("abc", ""), count("kitten", "sitting"), count("ab", "ba")],
            [3, 3, 3, 1]
        );
    }
}
