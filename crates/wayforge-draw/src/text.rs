//! Text: sizes, widths and escaping. Widths are those of the bundled font, in thousandths of its size.

use std::fmt;

/// Size of the headline, in pixels.
pub(crate) const TITLE: i32 = 38;
/// Size of the line below it.
pub(crate) const CAPTION: i32 = 17;
/// Size of the legend.
pub(crate) const LEGEND: i32 = 20;
/// Size of row numbers.
pub(crate) const MARK: i32 = 14;
/// Size of the column and row beside a node.
pub(crate) const NODE_LABEL: i32 = 13;

/// Advances of the printable ASCII characters in the bundled font.
const ADVANCES: [u16; 95] = [
    200, 411, 354, 597, 554, 863, 752, 207, 301, 301, 453, 550, 268, 419, 250, 371, 602, 378, 526, 507, 573,
    499, 545, 477, 524, 546, 250, 270, 550, 550, 550, 537, 998, 706, 637, 650, 731, 608, 570, 726, 761, 362,
    339, 692, 573, 941, 737, 736, 598, 736, 689, 554, 606, 678, 689, 1000, 677, 631, 624, 278, 384, 278, 550,
    550, 300, 512, 563, 453, 577, 485, 357, 522, 613, 316, 291, 563, 311, 909, 616, 544, 590, 562, 436, 438,
    358, 578, 537, 778, 534, 547, 504, 342, 176, 342, 550,
];

/// How wide `text` is at `size` pixels, in units; a character outside ASCII counts as a wide one.
pub(crate) fn width(text: &str, size: i32) -> i32 {
    let advance = |c: char| match (c as usize).checked_sub(0x20).and_then(|i| ADVANCES.get(i)) {
        Some(&advance) => i64::from(advance),
        None => 1000,
    };
    let total: i64 = text.chars().map(advance).sum();
    // Thousandths of a pixel to units.
    (total * i64::from(size) * i64::from(crate::curve::UNIT) / 1000).min(1 << 30) as i32
}

/// A number of things, in words.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Text with what XML and HTML reserve escaped; characters that XML forbids become U+FFFD.
///
/// ```
/// assert_eq!(wayforge_draw::Escaped("a < \"b\"").to_string(), "a &lt; &quot;b&quot;");
/// ```
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut from = 0;
        for (at, special) in self.0.match_indices(|c| entity(c).is_some()) {
            f.write_str(&self.0[from..at])?;
            f.write_str(special.chars().find_map(entity).unwrap_or_default())?;
            from = at + special.len();
        }
        f.write_str(&self.0[from..])
    }
}

/// What stands for a character that XML does not hold as it is, or would not keep in an attribute.
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
    fn escaping_leaves_no_markup_and_nothing_that_xml_forbids() {
        let text = Escaped("<a href=\"x\">&'\u{1}\u{7f}é").to_string();
        assert_eq!(text, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u{fffd}\u{7f}é");
    }
}
