//! Embedded files of the studio, by name.

macro_rules! files {
    ($($name:literal)+) => {
        &[$(($name, include_bytes!(concat!("../../studio/", $name)))),+]
    };
}

pub(super) const FILES: &[(&str, &[u8])] = files! {
    "api.js"
    "controls.css"
    "controls.js"
    "dom.js"
    "downloads.js"
    "families.js"
    "form.js"
    "gridcanvas.js"
    "gridfiles.js"
    "layout.css"
    "link.js"
    "main.js"
    "maps.js"
    "mark.svg"
    "metrics.js"
    "pane.js"
    "pathfinding.js"
    "pins.js"
    "play.js"
    "replay.js"
    "report.js"
    "requests.js"
    "schema.js"
    "seedbox.js"
    "spots.js"
    "store.js"
    "theme.css"
    "theme.js"
    "types.js"
    "wasm-client.js"
    "worker.js"
};
