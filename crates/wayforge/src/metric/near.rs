//! What somebody meant who wrote a name that is none.

/// The name that is closest to `wrong`, if it is close enough to be what was meant: a third of its letters may be
/// missing, added, changed or in the wrong order. Upper case counts as lower case.
pub(super) fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A name so long is none of ours, and comparing it would take long.
    const LONGEST: usize = 64;
    let wrong: Vec<char> = wrong.chars().take(LONGEST + 1).flat_map(char::to_lowercase).collect();
    let most = wrong.len().div_ceil(3).min(3);
    let far = |name: &str| edits(&wrong, &name.chars().flat_map(char::to_lowercase).collect::<Vec<_>>());
    let nearest =
        names.take_while(|_| wrong.len() <= LONGEST).map(|name| (far(name), name)).min_by_key(|near| near.0);
    nearest.filter(|&(edits, name)| edits <= most && edits < name.chars().count()).map(|(_, name)| name)
}

/// How many letters must be added, taken away, changed, or swapped with their neighbour to make `b` of `a`.
fn edits(a: &[char], b: &[char]) -> usize {
    // The rows of the table for no letter of `a`, one, two and so on; swapping looks back two rows.
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect(), vec![0; b.len() + 1]];
    for i in 1..=a.len() {
        let [before, last, next] = &mut rows;
        next[0] = i;
        for j in 1..=b.len() {
            let changed = usize::from(a[i - 1] != b[j - 1]);
            next[j] = (last[j] + 1).min(next[j - 1] + 1).min(last[j - 1] + changed);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
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
    fn slips_are_understood_and_other_words_are_not() {
        let names = ["routes", "nodes", "edges", "dead_ends", "path"];
        let near = |wrong| nearest(wrong, names.into_iter());
        for (wrong, meant) in
            [("ruotes", "routes"), ("Routes", "routes"), ("deadends", "dead_ends"), ("node", "nodes")]
        {
            assert_eq!(near(wrong), Some(meant));
        }
        for wrong in ["gold", "x", "", "difficulty", &"routes".repeat(100_000)] {
            assert_eq!(near(wrong), None, "{wrong:.20}");
        }
        assert_eq!(edits(&['a', 'b', 'c'], &['b', 'a', 'c', 'd']), 2);
        assert_eq!(edits(&[], &['a']), 1);
    }
}
