//! Helpers shared by the benchmarks in `benches/`.

pub mod nav;
