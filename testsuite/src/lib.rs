//! Facts that every language must agree on: catalogues of seeds and digests, schemas, goldens.
//!
//! The tests are in `tests/`; this library is empty.
