//! What pictures are painted with.

use wayforge::Seed;
use wayforge::act::{self, Fog, Play};
use wayforge::floor;
use wayforge::tower;
use wayforge_draw::{FloorScene, Painter, Scene, Theme};

/// A painter, made when it is first needed. It keeps what pictures share, so it is handed on from one answer to the next.
#[derive(Default)]
pub struct Brush(Option<Box<Painter>>);

impl Brush {
    /// A brush that has painted what most pictures share: the first picture in each theme takes as long as forty that follow.
    pub fn warm() -> Result<Brush, Box<dyn std::error::Error>> {
        let mut brush = Brush::default();
        let painter = brush.painter();
        let (act, tower) = (act::Config::default().resolve()?, tower::Config::default().resolve()?);
        let tower = FloorScene::of_tower(&tower::generate(Seed::new(0), &tower)?);
        let floor =
            FloorScene::of_floor(&floor::generate(Seed::new(0), &floor::Config::default().resolve()?)?);
        for theme in Theme::ALL {
            painter.png_floors(&tower, theme, 100)?;
            painter.png_floors(&floor, theme, 100)?;
            for seed in 0..4 {
                painter.png(&Scene::of_act(&act::generate(Seed::new(seed), &act)?), theme, 100)?;
            }
            // A map that is played has looks of its own.
            let mut play = Play::start(act::generate(Seed::new(4), &act)?, Fog::Rows(3));
            for step in 0.. {
                let Some(&next) = play.legal_moves().first() else { break };
                play = play.advance(next)?;
                if step % 6 == 0 {
                    painter.png(&Scene::of_play(&play), theme, 100)?;
                }
            }
        }
        Ok(brush)
    }

    /// The painter.
    pub fn painter(&mut self) -> &mut Painter {
        self.0.get_or_insert_with(Box::default)
    }
}
