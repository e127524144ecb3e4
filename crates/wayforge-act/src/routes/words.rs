//! Plain English for kinds and numbers.

/// A kind's name as words: `mini_boss` is read as "mini boss".
pub(super) fn spoken(name: &str) -> String {
    name.replace(['_', '-'], " ")
}

/// "a shop", "an elite".
pub(super) fn one(name: &str) -> String {
    let name = spoken(name);
    // Letters that are written as vowels and spoken as consonants.
    let consonant = ["eu", "one", "uni", "use"].iter().any(|start| name.starts_with(start));
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u']) && !consonant;
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// "no shops", "1 shop", "2 shops".
pub(super) fn many(count: u16, name: &str) -> String {
    match count {
        0 => format!("no {}", plural(name)),
        1 => format!("1 {}", spoken(name)),
        count => format!("{count} {}", plural(name)),
    }
}

/// "exactly 2 shops", "at most 1 shop", "1 to 3 shops".
pub(super) fn between(span: (u16, u16), name: &str) -> String {
    match span {
        (0, 0) => many(0, name),
        (least, most) if least == most => format!("exactly {}", many(most, name)),
        (0, most) => format!("at most {}", many(most, name)),
        (least, most) => format!("{least} to {}", many(most, name)),
    }
}

/// Small numbers as words.
pub(super) fn number(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// "a, b and c".
pub(super) fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [parts @ .., last] => format!("{} and {last}", parts.join(", ")),
    }
}

/// The first letter as a capital.
pub(super) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn plural(name: &str) -> String {
    let name = spoken(name);
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    match name.strip_suffix('y') {
        Some(stem) if !stem.is_empty() && !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ends(&["ss", "x", "z", "ch", "sh"]) => format!("{name}es"),
        // It is a plural already, or has none.
        _ if ends(&["s"]) => name,
        _ => format!("{name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_kinds_agree() {
        assert_eq!([0, 1, 2].map(|count| many(count, "shop")), ["no shops", "1 shop", "2 shops"]);
        let plurals = ["mini_boss", "mystery", "key", "box", "torch", "swords", "treasure"].map(plural);
        assert_eq!(plurals, ["mini bosses", "mysteries", "keys", "boxes", "torches", "swords", "treasures"]);
        assert_eq!(
            ["elite", "shop", "unicorn", "event"].map(one),
            ["an elite", "a shop", "a unicorn", "an event"]
        );
        let ranges = [(0, 0), (2, 2), (1, 1), (0, 1), (1, 3)].map(|span| between(span, "shop"));
        assert_eq!(
            ranges,
            ["no shops", "exactly 2 shops", "exactly 1 shop", "at most 1 shop", "1 to 3 shops"]
        );
    }

    #[test]
    fn lists_read_as_sentences() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([&parts[..0], &parts[..1], &parts].map(listed), ["", "a", "a, b and c"]);
        assert_eq!(sentence("left to it"), "Left to it");
        assert_eq!((number(2), number(13)), ("two".to_owned(), "13".to_owned()));
    }
}
