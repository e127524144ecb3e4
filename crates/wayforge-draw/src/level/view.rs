//! What of a level is shown.

use wayforge::level::Mover;

/// Which routes are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routes {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those of one mover.
    Of(Mover),
}

/// What of a level is shown.
///
/// ```
/// use wayforge_draw::{LevelView, Routes};
/// let proof = LevelView { routes: Routes::All, ..LevelView::default() };
/// assert!(proof.legend && proof.reinforced && proof.fall_spawn && !proof.car_walkable);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelView {
    /// The witness routes.
    pub routes: Routes,
    /// Where something may fall from above.
    pub fall_spawn: bool,
    /// Which walls are reinforced.
    pub reinforced: bool,
    /// Where cars can drive.
    pub car_walkable: bool,
    /// The legend.
    pub legend: bool,
}

impl Default for LevelView {
    fn default() -> LevelView {
        LevelView {
            routes: Routes::None,
            fall_spawn: true,
            reinforced: true,
            car_walkable: false,
            legend: true,
        }
    }
}
