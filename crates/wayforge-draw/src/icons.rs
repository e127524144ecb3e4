//! Icons and frames of node kinds as SVG markup, centred on the origin. An icon fills a box of
//! about 24 pixels.

use crate::scene::SceneKind;
use wayforge::act::Icon;

/// Returns the markup of an icon. It inherits `fill` and `stroke` from its group, whose
/// `stroke-width` is 0.
pub(crate) fn markup(icon: Icon) -> &'static str {
    match icon {
        Icon::Swords => concat!(
            r#"<path transform="rotate(45)" d="M0-16 1.75-12.8V6.4H5.2V8.7H1.2V11.6"#,
            r#"A2 2 0 1 1-1.2 11.6V8.7H-5.2V6.4H-1.75V-12.8Z"/>"#,
            r#"<path transform="rotate(-45)" d="M0-16 1.75-12.8V6.4H5.2V8.7H1.2V11.6"#,
            r#"A2 2 0 1 1-1.2 11.6V8.7H-5.2V6.4H-1.75V-12.8Z"/>"#,
        ),
        Icon::Skull => concat!(
            r#"<path fill-rule="evenodd" d="M0-8.2C4.9-8.2 8.3-5 8.3-.4 8.3 2.2 7.2 4.3 5.1 5.4"#,
            r#"V8.6Q5.1 10 3.7 10H2.3V7.6H.8V10H-.8V7.6H-2.3V10H-3.7"#,
            r#"Q-5.1 10-5.1 8.6V5.4C-7.2 4.3-8.3 2.2-8.3-.4-8.3-5-4.9-8.2 0-8.2ZM-3.5-2.4"#,
            r#"A2.3 2.3 0 1 0-3.5 2.2 2.3 2.3 0 1 0-3.5-2.4Z"#,
            r#"M3.5-2.4A2.3 2.3 0 1 0 3.5 2.2 2.3 2.3 0 1 0 3.5-2.4ZM0 2.4-1.3 5H1.3Z"/>"#,
            r#"<path d="M-3.2-8.6C-6.6-8-9-9.2-10-12.8-12.8-9.2-12.4-5-9-2.4"#,
            r#"-8.4-5.4-6.4-7.6-3.2-8.6Z"/>"#,
            r#"<path d="M3.2-8.6C6.6-8 9-9.2 10-12.8 12.8-9.2 12.4-5 9-2.4 "#,
            r#"8.4-5.4 6.4-7.6 3.2-8.6Z"/>"#,
        ),
        Icon::Question => concat!(
            r#"<path d="M-6.3-5.2C-6.3-9.4-3.5-12 .2-12 4-12 6.7-9.5 6.7-5.9 6.7-3.4 5.3-1.9 "#,
            r#"3.7-.6 2.3.5 1.9 1.3 1.9 3V4.2H-2V2.6"#,
            r#"C-2-.1-1-1.6.8-3 2.1-4 2.7-4.7 2.7-5.8 2.7-7.3 "#,
            r#"1.7-8.3.2-8.3-1.4-8.3-2.4-7.2-2.5-5.2Z"/><circle cy="9" r="2.7"/>"#,
        ),
        Icon::Bag => concat!(
            r#"<path d="M-3-6.9-5.4-11.6C-3.4-10.8-2-12.4 0-11.2 2-12.4 3.4-10.8 5.4-11.6L3-6.9"#,
            r#"Z"/>"#,
            r#"<path fill-rule="evenodd" d="M-3.6-5.2H3.6"#,
            r#"C8.2-1.8 10.4 2.6 9.8 6.8 9.3 10.2 6.6 11.4 0 11.4S-9.3 10.2-9.8 6.8"#,
            r#"C-10.4 2.6-8.2-1.8-3.6-5.2Z"#,
            r#"M0-1.4A4.6 4.6 0 1 0 0 7.8 4.6 4.6 0 1 0 0-1.4ZM0 .4"#,
            r#"A2.8 2.8 0 1 1 0 6 2.8 2.8 0 1 1 0 .4Z"/>"#,
        ),
        Icon::Fire => concat!(
            r#"<path fill-rule="evenodd" d="M1-13C1.6-8.8 7-5.8 7-.2 7 3.8 4 6.2 0 6.2"#,
            r#"S-7 3.8-7-.2C-7-3.2-5-5-4-7.6-2.8-6.4-2.2-5.2-2-4 0-6.4 1-9.2 1-13Z"#,
            r#"M.4-2.8C0-.8-2.6.2-2.6 2.4-2.6 3.8-1.5 4.8 0 4.8S2.8 3.8 2.8 2.2"#,
            r#"C2.8.2 1.2-.8.4-2.8Z"/>"#,
            r#"<path fill="none" stroke-width="2.7" stroke-linecap="round" d="M-8.6 7.4 8.6 11.2"#,
            r#"M8.6 7.4-8.6 11.2"/>"#,
        ),
        Icon::Chest => concat!(
            r#"<path d="M-11-1.6V-3.8C-11-7.4-8.8-9.4-5.6-9.4H5.6C8.8-9.4 11-7.4 11-3.8V-1.6H3.8"#,
            r#"V-3.4H-3.8V-1.6Z"/>"#,
            r#"<path fill-rule="evenodd" d="M-11 .2H-3.8V4.6H3.8V.2H11V8Q11 9.6 9.4 9.6H-9.4"#,
            r#"Q-11 9.6-11 8Z"/><path d="M-2.1-1.7H2.1V2.9H-2.1Z"/>"#,
        ),
        Icon::Crown => concat!(
            r#"<path d="M-10.9-5-5.3-.4 0-8.6 5.3-.4 10.9-5 8.9 5.2H-8.9Z"/>"#,
            r#"<path d="M-8.9 6.9H8.9V9.9H-8.9Z"/>"#,
            r#"<circle cy="-10" r="2"/><circle cx="-11.2" cy="-6.4" r="1.8"/>"#,
            r#"<circle cx="11.2" cy="-6.4" r="1.8"/>"#,
        ),
        Icon::Star => concat!(
            r#"<path stroke-width="1.2" stroke-linejoin="round" d="M0-12 3.06-4.22 11.41-3.71 "#,
            r#"4.95 1.61 7.05 9.71 0 5.2-7.05 9.71-4.95 1.61"#,
            r#"-11.41-3.71-3.06-4.22Z"/>"#,
        ),
        Icon::Diamond => concat!(
            r#"<path d="M-6.4-9H-1.4L-4.4-3.6H-10.8ZM6.4-9H1.4L4.4-3.6H10.8ZM0-8.6 2.8-3.6H-2.8"#,
            r#"Z"/>"#,
            r#"<path d="M-10.6-2.2H-4.3L-1.2 9.2ZM10.6-2.2H4.3L1.2 9.2ZM-2.8-2.2H2.8L0 9.6Z"/>"#,
        ),
        Icon::Flask => concat!(
            r#"<path d="M-4-12.2H4V-9.7H-4Z"/><path fill-rule="evenodd" d="M-2.8-8.6H2.8V-4.4"#,
            r#"A8.2 8.2 0 1 1-2.8-4.4Z"#,
            r#"M-1-7.4V-3.1A6.3 6.3 0 0 0-6.2 2.4H6.2A6.3 6.3 0 0 0 1-3.1V-7.4Z"/>"#,
        ),
        Icon::Key => concat!(
            r#"<path transform="rotate(40)" fill-rule="evenodd" d="M0-13.4A5.6 5.6 0 0 1 1.6-2.4"#,
            r#"V12.6H-1.6V11.6H-5V8.6H-1.6V7H-4V4H-1.6V-2.4A5.6 5.6 0 0 1 0-13.4Z"#,
            r#"M0-10.4A2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 1 0 0-10.4Z"/>"#,
        ),
        Icon::Shield => concat!(
            r#"<path fill-rule="evenodd" d="M0-12.2C3-10 6.4-9.2 9.8-9.4V-1"#,
            r#"C9.8 5.2 5.6 9.6 0 12-5.6 9.6-9.8 5.2-9.8-1V-9.4C-6.4-9.2-3-10 0-12.2Z"#,
            r#"M0-9V8.6C4.4 6.4 7-.2 7-1V-6.8C4.4-7 2-7.8 0-9Z"/>"#,
        ),
    }
}

/// Number of different frame outlines; further frames repeat them with pips.
const OUTLINES: u8 = 6;

/// Returns the outline of a frame, within 25 pixels of the origin.
pub(crate) fn outline(frame: u8) -> &'static str {
    match frame % OUTLINES {
        0 => r#"<circle r="23.4"/>"#,
        1 => concat!(
            r#"<path d="M-14.5-19.5H14.5A5 5 0 0 1 19.5-14.5V14.5A5 5 0 0 1 14.5 19.5H-14.5"#,
            r#"A5 5 0 0 1-19.5 14.5V-14.5A5 5 0 0 1-14.5-19.5Z"/>"#
        ),
        2 => r#"<path d="M0-24.6 24.6 0 0 24.6-24.6 0Z"/>"#,
        3 => r#"<path d="M0-24 20.8-12V12L0 24-20.8 12V-12Z"/>"#,
        4 => concat!(
            r#"<path d="M0-24.4 6.6-15.9 17.25-17.25 15.9-6.6 24.4 0 15.9 6.6 17.25 17.25 6.6 "#,
            r#"15.9 0 24.4-6.6 15.9-17.25 17.25"#,
            r#"-15.9 6.6-24.4 0-15.9-6.6-17.25-17.25-6.6-15.9Z"/>"#
        ),
        _ => r#"<path d="M0-24.4 23.2-7.5 14.3 19.7H-14.3L-23.2-7.5Z"/>"#,
    }
}

/// Returns the scale of an icon inside this frame, in percent.
pub(crate) fn icon_scale(frame: u8) -> u8 {
    [100, 100, 80, 96, 88, 88][usize::from(frame % OUTLINES)]
}

/// Returns the number of pips, which distinguish frames with the same outline.
pub(crate) fn pips(frame: u8) -> u8 {
    frame / OUTLINES
}

/// Returns the index of a kind's accent colour: by its icon, shifted by its frame.
pub(crate) fn accent(kind: &SceneKind) -> usize {
    (kind.icon as usize + 5 * usize::from(kind.frame)) % 12
}

/// Returns the ANSI SGR code of a kind's colour.
pub(crate) fn sgr(kind: &SceneKind) -> &'static str {
    ["1", "95", "96", "92", "91", "93", "1;31", "94", "36", "35", "33", "32"][accent(kind)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_32_frames_differ() {
        let looks: Vec<_> = (0..32).map(|frame| (outline(frame), pips(frame))).collect();
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "frame {i}");
        }
    }
}
