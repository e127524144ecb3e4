//! The rules of the spire ruleset.

use super::View;
use crate::Report;
use crate::act::{ActMap, SpireConfig};

pub(super) fn check(_map: &ActMap, _config: &SpireConfig, _view: &View, _report: &mut Report) {}
