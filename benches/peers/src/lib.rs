//! Comparisons with other crates, in `benches/`; this library is empty.
//!
//! They are a separate package because the other crates take minutes to build.
