//! The studio's files, by name.

macro_rules! files {
    ($($name:literal)+) => {
        &[$(($name, include_bytes!(concat!("../../studio/", $name)))),+]
    };
}

pub(super) const FILES: &[(&str, &[u8])] = files! {
    "api.js"
    "chart.js"
    "controls.css"
    "controls.js"
    "dom.js"
    "families.js"
    "form.js"
    "here.js"
    "layout.css"
    "link.js"
    "live.js"
    "main.js"
    "mapfiles.js"
    "maps.js"
    "mark.svg"
    "metrics.js"
    "pane.js"
    "pins.js"
    "places.js"
    "playing.js"
    "replay.js"
    "saving.js"
    "schema.js"
    "seedbox.js"
    "store.js"
    "theme.css"
    "theme.js"
    "types.js"
    "verdict.js"
    "ways.js"
    "worker.js"
};
