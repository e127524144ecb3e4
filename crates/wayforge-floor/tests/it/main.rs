//! Tests of floors and towers.

mod design;
mod documents;
mod generate;
mod oracle;
mod pins;
mod tower;
