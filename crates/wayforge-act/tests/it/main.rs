//! Tests of act maps.

mod kinds;
mod kinds_decided;
mod progress;
mod routes;
mod rows;
mod spire;
mod validate;
mod walks;
