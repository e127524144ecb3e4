//! Level tiles for tile sheets, rendered from small scenes so that they look the same as in
//! pictures of levels.

use crate::level::{LevelScene, SceneCell};
use crate::svg::Pen;
use crate::theme::Theme;
use crate::tiles::{LevelTile, pin_markup};
use wayforge::grid::Dir;
use wayforge::level::Symbol;

/// Returns the markup of one tile, `side` pixels wide, with its upper left corner at the origin.
/// Ids start with `tag`.
pub(crate) fn level_tile_svg(tile: LevelTile, theme: Theme, side: i32, tag: String) -> String {
    // A tile that joins with its neighbours is the centre of a 3 x 3 scene, so that adjacent tiles
    // have no seam.
    let seamless = matches!(
        tile,
        LevelTile::Symbol(Symbol::Outside | Symbol::Band | Symbol::Wall)
            | LevelTile::Tuft { .. }
            | LevelTile::Solid
            | LevelTile::Reinforced
    );
    let scene = scene(tile, if seamless { 3 } else { 1 }, side);
    let mut pen = Pen::new(&scene, theme, tag);
    if seamless {
        pen.put(format_args!("<g transform=\"translate(-{side},-{side})\">"));
    }
    pen.definitions();
    match tile {
        LevelTile::FallSpawn => {
            scene.outlines.iter().for_each(|(_, outline)| pen.fall_spawn(outline))
        }
        LevelTile::CarWalkable => {
            scene.outlines.iter().for_each(|(_, outline)| pen.car_walkable(outline))
        }
        LevelTile::Pin => {
            let markup = pin_markup(side, pen.palette.mark, pen.palette.card);
            pen.out.push_str(&markup);
        }
        _ if tile.symbol().is_some_and(Symbol::is_candidate) => pen.icons(),
        _ => {
            pen.ground();
            if !seamless && !matches!(tile, LevelTile::Symbol(Symbol::Exit) | LevelTile::Exit(_)) {
                // Floor joints; whole pictures draw them in one pass.
                let line = pen.palette.level.floor[3];
                pen.put(format_args!(
                    "<path fill=\"none\" stroke=\"{line}\" d=\"M.5 {side}V.5H{side}\"/>"
                ));
            }
            pen.walls();
            pen.exit_arrows();
            pen.plants();
        }
    }
    if seamless {
        pen.out.push_str("</g>");
    }
    pen.canvas.out
}

fn scene(tile: LevelTile, cells: u16, side: i32) -> LevelScene {
    let cell = SceneCell {
        symbol: tile.symbol().unwrap_or(Symbol::Floor),
        variant: match tile {
            LevelTile::Floor { light: true } | LevelTile::Tuft { light: false } => 30,
            LevelTile::Floor { light: false } | LevelTile::Tuft { light: true } => 100,
            _ => SceneCell::plain().variant,
        },
        exit_side: match tile {
            LevelTile::Symbol(Symbol::Exit) => Some(Dir::North),
            LevelTile::Exit(dir) => Some(dir),
            _ => None,
        },
        fall_spawn: tile == LevelTile::FallSpawn,
        reinforced: tile == LevelTile::Reinforced,
        car_walkable: tile == LevelTile::CarWalkable,
        ..SceneCell::plain()
    };
    let (station, solid) = (tile == LevelTile::Station, tile == LevelTile::Solid);
    LevelScene::uniform(cell, cells, side, station, solid)
}
