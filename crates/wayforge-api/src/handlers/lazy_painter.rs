//! PNG painter that is created on first use.

use wayforge::Seed;
use wayforge::act::{self, Fog, Play};
use wayforge::floor;
use wayforge::tower;
use wayforge_draw::{FloorScene, Painter, Scene, Theme};

/// PNG painter, created on first use.
///
/// A painter caches shapes that several pictures share, so reuse it across responses.
#[derive(Default)]
pub struct LazyPainter(Option<Box<Painter>>);

impl LazyPainter {
    /// Creates a painter and fills its cache by painting sample maps in every theme.
    ///
    /// Without this, the first picture of a theme takes as long as forty later ones.
    ///
    /// # Errors
    /// If a sample map cannot be generated or drawn.
    pub fn warm() -> Result<LazyPainter, Box<dyn std::error::Error>> {
        let mut lazy = LazyPainter::default();
        let painter = lazy.get();
        let (act, tower) = (act::Config::default().resolve()?, tower::Config::default().resolve()?);
        let tower = FloorScene::from_tower(&tower::generate(Seed::new(0), &tower)?);
        let floor = FloorScene::from_floor(&floor::generate(
            Seed::new(0),
            &floor::Config::default().resolve()?,
        )?);
        for theme in Theme::ALL {
            painter.png(&tower, theme, 100)?;
            painter.png(&floor, theme, 100)?;
            for seed in 0..4 {
                painter.png(
                    &Scene::from_act(&act::generate(Seed::new(seed), &act)?),
                    theme,
                    100,
                )?;
            }
            // Maps in play have additional node styles.
            let mut play = Play::start(act::generate(Seed::new(4), &act)?, Fog::Rows(3));
            for step in 0.. {
                let Some(&next) = play.legal_moves().first() else { break };
                play = play.advance(next)?;
                if step % 6 == 0 {
                    painter.png(&Scene::from_play(&play), theme, 100)?;
                }
            }
        }
        Ok(lazy)
    }

    /// Returns the painter; creates it if necessary.
    pub fn get(&mut self) -> &mut Painter {
        self.0.get_or_insert_with(Box::default)
    }
}
