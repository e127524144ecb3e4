//! Tests shared by all languages: digest catalogues, JSON Schemas and golden maps.
//!
//! The tests are in `tests/`; this library is empty.
