//! The benchmarks stand in `benches/`; here is what they share.

#[path = "../../crates/wayforge-cli/src/maps/mod.rs"]
mod maps;
pub mod nav;
