//! Validator and generator compared: random configurations, random grids, brute force.

mod configs;
mod random;
mod searches;
