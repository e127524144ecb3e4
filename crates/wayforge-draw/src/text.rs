//! Text: sizes, widths and escaping. Widths are those of the bundled font, in thousandths of its size.

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

/// Appends `text` with what XML reserves escaped; characters that XML forbids become U+FFFD.
///
/// ```
/// let mut page = String::new();
/// wayforge_draw::escape("a < b", &mut page);
/// assert_eq!(page, "a &lt; b");
/// ```
pub fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => {
                into.push('\u{fffd}');
            }
            c => into.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaping_leaves_no_markup_and_nothing_that_xml_forbids() {
        let mut text = String::new();
        escape("<a href=\"x\">&'\u{1}\u{7f}é", &mut text);
        assert_eq!(text, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u{fffd}\u{7f}é");
    }
}
