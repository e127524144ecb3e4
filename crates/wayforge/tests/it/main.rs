//! Tests of the facade.

mod allocations;
mod map_floor;
mod metric;
mod seeds;
mod trace;
