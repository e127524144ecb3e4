//! Benchmarks beside other crates, in `benches/`; this library is empty.
//!
//! They stand apart because the other crates take minutes to build on a new machine, and nothing else needs them.
