//! Options of requests that only some families support.

use wayforge::Family;

/// Option of drawing or playing a map that only some families support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FamilyOption {
    /// Number of visible rows in a run.
    Fog,
    /// Run on the map.
    Play,
    /// Proven routes in pictures.
    Witness,
    /// Column and row of nodes in pictures.
    Labels,
}

impl FamilyOption {
    /// All options; a member of another option precedes it.
    pub const ALL: [FamilyOption; 4] =
        [FamilyOption::Fog, FamilyOption::Play, FamilyOption::Witness, FamilyOption::Labels];

    /// Returns the options that a family supports.
    const fn of(family: Family) -> &'static [FamilyOption] {
        match family {
            Family::Act => &[FamilyOption::Fog, FamilyOption::Play, FamilyOption::Labels],
            Family::Level => &[FamilyOption::Witness],
            Family::Floor | Family::Tower => &[FamilyOption::Play],
        }
    }

    /// Returns whether a family supports the option.
    pub fn is_supported_by(self, family: Family) -> bool {
        FamilyOption::of(family).contains(&self)
    }

    /// Returns the path of the option in the request for a scene.
    pub const fn member(self) -> &'static str {
        match self {
            FamilyOption::Fog => "play.fog",
            FamilyOption::Play => "play",
            FamilyOption::Witness => "witness",
            FamilyOption::Labels => "labels",
        }
    }
}
