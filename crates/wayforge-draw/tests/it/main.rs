//! Tests of scenes and pictures.

mod animation;
mod ascii;
mod floors;
mod golden;
mod hostile;
mod layout;
mod levels;
mod painter;
mod pictures;
mod progress;
mod tiles;
