//! Tests of import and export.

mod common;
mod graphs;
mod ldtk;
mod noise;
mod registry;
mod tiled;
