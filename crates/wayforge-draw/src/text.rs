//! Text metrics of the bundled font, and XML escaping.

use std::fmt;

/// Font size of the headline, in pixels.
pub(crate) const TITLE: i32 = 38;
/// Font size of the caption.
pub(crate) const CAPTION: i32 = 17;
/// Font size of the legend.
pub(crate) const LEGEND: i32 = 20;
/// Font size of row and column numbers.
pub(crate) const AXIS_NUMBER: i32 = 14;
/// Font size of node labels.
pub(crate) const NODE_LABEL: i32 = 13;

/// Advance widths of the printable ASCII characters, in thousandths of the font size.
const ADVANCES: [u16; 95] = [
    200, 411, 354, 597, 554, 863, 752, 207, 301, 301, 453, 550, 268, 419, 250, 371, 602, 378, 526,
    507, 573, 499, 545, 477, 524, 546, 250, 270, 550, 550, 550, 537, 998, 706, 637, 650, 731, 608,
    570, 726, 761, 362, 339, 692, 573, 941, 737, 736, 598, 736, 689, 554, 606, 678, 689, 1000, 677,
    631, 624, 278, 384, 278, 550, 550, 300, 512, 563, 453, 577, 485, 357, 522, 613, 316, 291, 563,
    311, 909, 616, 544, 590, 562, 436, 438, 358, 578, 537, 778, 534, 547, 504, 342, 176, 342, 550,
];

/// Returns the width of `text` at `size` pixels, in units. Characters other than printable ASCII
/// count as 1 em.
pub(crate) fn width(text: &str, size: i32) -> i32 {
    let advance = |c: char| match (c as usize).checked_sub(0x20).and_then(|i| ADVANCES.get(i)) {
        Some(&advance) => i64::from(advance),
        None => 1000,
    };
    let total: i64 = text.chars().map(advance).sum();
    // From thousandths of a pixel to units.
    (total * i64::from(size) * i64::from(crate::curve::UNIT) / 1000).min(1 << 30) as i32
}

/// Formats a count with its noun: `1 node`, `2 nodes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Displays text escaped for XML and HTML, in elements and attributes. Characters that XML forbids
/// become U+FFFD.
///
/// # Examples
///
/// ```
/// assert_eq!(wayforge_draw::Escaped("a < \"b\"").to_string(), "a &lt; &quot;b&quot;");
/// ```
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut from = 0;
        for (start, special) in self.0.match_indices(|c| entity(c).is_some()) {
            f.write_str(&self.0[from..start])?;
            f.write_str(special.chars().find_map(entity).unwrap_or_default())?;
            from = start + special.len();
        }
        f.write_str(&self.0[from..])
    }
}

/// Returns the replacement of a character that XML text or attributes cannot contain unescaped.
fn entity(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        '\t' => "&#9;",
        '\n' => "&#10;",
        '\r' => "&#13;",
        '\0'..' ' | '\u{fffe}' | '\u{ffff}' => "\u{fffd}",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_markup_and_replaces_characters_forbidden_in_xml() {
        let text = Escaped("<a href=\"x\">&'\u{1}\u{7f}é").to_string();
        assert_eq!(text, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u{fffd}\u{7f}é");
    }
}
