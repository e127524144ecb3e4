//! What lies on tiles.
