//! The benchmarks stand in `benches/`; here is what they share.

pub mod nav;
