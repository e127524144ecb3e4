//! Tests of blueprint levels.

mod documents;
mod generate;
mod repair;
mod stage;
