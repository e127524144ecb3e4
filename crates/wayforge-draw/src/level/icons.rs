//! Icons of level symbols as SVG markup, centred on the origin. A tile is a box of 24 pixels.

use super::palette::LevelColours;
use crate::theme::Colours;
use wayforge::level::Symbol;

/// Outline of the jerrycan.
const CAN: &str =
    "M-5-2.6-2.4-6H3.6C4.4-6 5-5.4 5-4.6V5.6C5 6.4 4.4 7 3.6 7H-3.6C-4.4 7-5 6.4-5 5.6Z";

/// Returns the icon of a symbol; `None` for ground. `station` selects the icon of a fuel station.
pub(super) fn markup(symbol: Symbol, station: bool, palette: &Colours) -> Option<String> {
    if symbol == Symbol::Plant {
        return Some(plant(&palette.level));
    }
    let item = Symbol::CANDIDATES.iter().position(|&candidate| candidate == symbol)?;
    let (LevelColours { chip, dark, .. }, colour) = (&palette.level, palette.level.items[item]);
    let shape = match symbol {
        Symbol::Player => {
            r#"<circle cy="-3.9" r="3.1"/><path d="M-5.4 7C-5.4 1.8-3.2.1 0 .1S5.4 1.8 5.4 7Z"/>"#
                .to_owned()
        }
        Symbol::Car => format!(
            "<path d=\"M-8 \
                 3V.3C-8-.7-7.4-1.1-6.6-1.2L-4.8-1.5-3-4.6C-2.7-5.1-2.2-5.4-1.6-5.4H2.3C2.9-5.4 \
                 3.4-5.2 3.8-4.7L5.8-1.5 \
                 6.9-1.2C7.6-1 8-.6 8 .1V3C8 3.5 7.7 3.8 7.2 3.8H-7.2C-7.7 3.8-8 3.5-8 3Z\"/>\
                 <path fill=\"{chip}\" d=\"M-3.2-1.5-1.7-4.1H-.2V-1.5ZM1-1.5V-4.1H2.4L4.2-1.5Z\"/>\
                 <g fill=\"{dark}\" stroke=\"{chip}\" stroke-width=\"1\">\
                 <circle cx=\"-4.3\" cy=\"3.8\" r=\"2.2\"/><circle cx=\"4.3\" cy=\"3.8\" \
                 r=\"2.2\"/></g>"
        ),
        Symbol::EmptyCan => format!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" \
                 stroke-linejoin=\"round\" d=\"{CAN}M-.4-3.6H2.8\"/>\
                 <path d=\"M-6.9-4.6-4.3-7.8-2.9-6.7-5.5-3.4Z\"/>\
                 <path fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.3\" \
                 stroke-linecap=\"round\" d=\"M-2.4 5H2.4\"/>"
        ),
        Symbol::Fuel if station => format!(
            "<path d=\"M-5.6 7V-5.2C-5.6-6.3-4.9-7-3.9-7H.7C1.7-7 2.4-6.3 2.4-5.2V7ZM-6.8 \
                 6.2H3.6V7.8H-6.8Z\"/>\
                 <path fill=\"{chip}\" d=\"M-3.8-5.2H.6V-1.7H-3.8Z\"/>\
                 <path fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.4\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\" \
                 d=\"M2.4.4H3.4C4.2.4 4.6.9 4.6 1.6V4.1C4.6 5.4 6.9 5.4 6.9 4.1V-2.6L4.5-5.2\"/>"
        ),
        Symbol::Fuel => format!(
            "<path d=\"{CAN}\"/><path d=\"M-6.9-4.6-4.3-7.8-2.9-6.7-5.5-3.4Z\"/>\
                 <path fill=\"{chip}\" d=\"M-.9-4.5H3.4V-2.9H-.9Z\"/>\
                 <path fill=\"none\" stroke=\"{chip}\" stroke-width=\"1.3\" \
                 stroke-linecap=\"round\" d=\"M-2.6-.4 2.6 4.8M2.6-.4-2.6 4.8\"/>"
        ),
        Symbol::Flashlight => format!(
            "<g transform=\"rotate(45)\"><path d=\"M-1.9-1.2H1.9V6.9Q1.9 8 .8 8H-.8Q-1.9 8-1.9 \
                 6.9ZM-3.6-5.4H3.6L2.2-1.9H-2.2Z\"/>\
                 <path fill=\"{chip}\" d=\"M-.7.6H.7V3.2H-.7Z\"/>\
                 <path fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\" \
                 stroke-linecap=\"round\" d=\"M-2.9-6.9-3.8-8.6M0-7V-9M2.9-6.9 3.8-8.6\"/></g>"
        ),
        Symbol::Shoes => format!(
            "<path d=\"M-7.4 3V-4C-6.4-3-4.6-3-3.5-4.2L-2.1-5 1.6-1C3-.2 5.2-.2 6.6.6 7.6 1.2 \
                 7.6 2.1 7.6 3Z\"/>\
                 <path d=\"M-7.4 4H7.6V4.8Q7.6 5.9 6.5 5.9H-6.3Q-7.4 5.9-7.4 4.8Z\"/>\
                 <path fill=\"none\" stroke=\"{chip}\" stroke-width=\"1\" stroke-linecap=\"round\" \
                 d=\"M-1.6-2.2-.3-3.4M.2-.4 1.5-1.5\"/>"
        ),
        _ => return None,
    };
    // A glow in dark themes.
    let glow = if palette.dark {
        format!(
            "<circle r=\"17\" fill=\"{colour}\" fill-opacity=\"0.1\"/>\
             <circle r=\"13.6\" fill=\"{colour}\" fill-opacity=\"0.16\"/>"
        )
    } else {
        String::new()
    };
    Some(format!(
        "{glow}<circle r=\"10.6\" fill=\"{chip}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\
         <g fill=\"{colour}\">{shape}</g>"
    ))
}

fn plant(colours: &LevelColours) -> String {
    let [leaf, shade, pot, rim] = colours.plant;
    let (shadow, opacity) = colours.shadow;
    format!(
        "<ellipse cx=\"1.6\" cy=\"9.8\" rx=\"6.4\" ry=\"2\" fill=\"{shadow}\" \
         fill-opacity=\"{opacity}\"/>\
         <path fill=\"{shade}\" d=\"M0 3C-1.4-2-5.6-4.4-10-3.6-8.6.6-4.6 3.4 0 3ZM0 3C1.4-2 \
         5.6-4.4 10-3.6 8.6.6 4.6 3.4 0 3Z\"/>\
         <path fill=\"{leaf}\" d=\"M0 3C-4-.6-6.8-5.6-5.2-9.6-1.6-8 .2-3 0 3ZM0 3C4-.6 6.8-5.6 \
         5.2-9.6 1.6-8-.2-3 0 3Z\"/>\
         <path fill=\"{shade}\" d=\"M0 3C-2.2-2.4-1.8-7.4 0-11 1.8-7.4 2.2-2.4 0 3Z\"/>\
         <path fill=\"{pot}\" d=\"M-4.8 4H4.8L3.7 9.6Q3.5 10.6 2.5 10.6H-2.5Q-3.5 10.6-3.7 9.6Z\"/>\
         <path fill=\"{rim}\" d=\"M-5.6 2.2H5.6V4.8H-5.6Z\"/>"
    )
}

/// Returns the hexagon behind the letter of a mark.
pub(super) fn mark(colour: &str, chip: &str) -> String {
    format!(
        "<path fill=\"{chip}\" stroke=\"{colour}\" stroke-width=\"1.8\" stroke-linejoin=\"round\" \
         d=\"M0-11 9.5-5.5V5.5L0 11-9.5 5.5V-5.5Z\"/>"
    )
}

/// Arrow of an exit, pointing north.
pub(super) const ARROW: &str = "M0-9.4 6.6-2.2H2.7V8.6H-2.7V-2.2H-6.6Z";

/// Chevrons outside an exit, pointing north.
pub(super) const CHEVRONS: &str = "M-5.4-13.6 0-18.6 5.4-13.6M-5.4-20.6 0-25.6 5.4-20.6";
