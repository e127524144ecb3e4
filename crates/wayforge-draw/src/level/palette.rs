//! The colours of levels.
