//! English phrases for kinds and numbers: articles, plurals, ranges and lists.

/// Turns a kind's name into words: `mini_boss` becomes "mini boss".
pub(super) fn spaced(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

/// Adds the indefinite article: "a shop", "an elite".
pub(super) fn with_article(name: &str) -> String {
    let name = spaced(name);
    // Words that start with a vowel letter and a consonant sound.
    let consonant = ["eu", "one", "uni", "use"].iter().any(|start| name.starts_with(start));
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u']) && !consonant;
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// Formats a count: "no shops", "1 shop", "2 shops".
pub(super) fn counted(count: u16, name: &str) -> String {
    match count {
        0 => format!("no {}", plural(name)),
        1 => format!("1 {}", spaced(name)),
        count => format!("{count} {}", plural(name)),
    }
}

/// Formats a range of counts: "exactly 2 shops", "at most 1 shop", "1 to 3 shops".
pub(super) fn counted_range(range: (u16, u16), name: &str) -> String {
    match range {
        (0, 0) => counted(0, name),
        (min, max) if min == max => format!("exactly {}", counted(max, name)),
        (0, max) => format!("at most {}", counted(max, name)),
        (min, max) => format!("{min} to {}", counted(max, name)),
    }
}

/// Writes numbers up to twelve as words.
pub(super) fn number_word(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Joins a list: "a, b and c".
pub(super) fn join_list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [parts @ .., last] => format!("{} and {last}", parts.join(", ")),
    }
}

/// Capitalises the first letter.
pub(super) fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn plural(name: &str) -> String {
    let name = spaced(name);
    let ends_with = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
    match name.strip_suffix('y') {
        Some(stem) if !stem.is_empty() && !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => {
            format!("{stem}ies")
        }
        _ if ends_with(&["ss", "x", "z", "ch", "sh"]) => format!("{name}es"),
        // Already a plural.
        _ if ends_with(&["s"]) => name,
        _ => format!("{name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_use_singular_and_plural() {
        let counts = [0, 1, 2].map(|count| counted(count, "shop"));
        assert_eq!(counts, ["no shops", "1 shop", "2 shops"]);
        let plurals =
            ["mini_boss", "mystery", "key", "box", "torch", "swords", "treasure"].map(plural);
        assert_eq!(
            plurals,
            ["mini bosses", "mysteries", "keys", "boxes", "torches", "swords", "treasures"]
        );
        assert_eq!(
            ["elite", "shop", "unicorn", "event"].map(with_article),
            ["an elite", "a shop", "a unicorn", "an event"]
        );
        let ranges = [(0, 0), (2, 2), (1, 1), (0, 1), (1, 3)];
        let ranges = ranges.map(|range| counted_range(range, "shop"));
        assert_eq!(
            ranges,
            ["no shops", "exactly 2 shops", "exactly 1 shop", "at most 1 shop", "1 to 3 shops"]
        );
    }

    #[test]
    fn joins_lists_and_capitalises_sentences() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([&parts[..0], &parts[..1], &parts].map(join_list), ["", "a", "a, b and c"]);
        assert_eq!(capitalize("left to it"), "Left to it");
        assert_eq!((number_word(2), number_word(13)), ("two".to_owned(), "13".to_owned()));
    }
}
