//! Single tiles of levels on one sheet: cut out of small scenes, so that they look as pictures of levels do.

use super::Pen;
use crate::curve::UNIT;
use crate::level::{Ground, LevelScene, SceneCell};
use crate::theme::Theme;
use crate::tiles::{LevelTile, pin_markup};
use std::fmt::Write;
use wayforge::grid::{Dir, Size};
use wayforge::level::Symbol;

/// All tiles of [`LevelTile::ALL`] in rows of `columns`, each `side` pixels wide.
pub(crate) fn level_tiles_svg(theme: Theme, side: i32, columns: i32) -> String {
    let rows = (LevelTile::ALL.len() as i32 + columns - 1) / columns;
    let (width, height) = (columns * side, rows * side);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         <defs><clipPath id=\"cell\"><rect width=\"{side}\" height=\"{side}\"/></clipPath></defs>\n"
    );
    for (number, tile) in (0..).zip(LevelTile::ALL) {
        let (x, y) = (number % columns * side, number / columns * side);
        let _ = writeln!(out, "<g transform=\"translate({x},{y})\"><g clip-path=\"url(#cell)\">");
        draw(tile, theme, side, number, &mut out);
        out.push_str("</g></g>\n");
    }
    out + "</svg>\n"
}

fn draw(tile: LevelTile, theme: Theme, side: i32, number: i32, out: &mut String) {
    // What is joined with its neighbours is the middle of nine, so that tiles meet without a seam.
    let seamless = matches!(
        tile,
        LevelTile::Symbol(Symbol::Outside | Symbol::Band | Symbol::Wall)
            | LevelTile::Tuft { .. }
            | LevelTile::Solid
            | LevelTile::Reinforced
    );
    let scene = scene(tile, if seamless { 3 } else { 1 }, side);
    let mut pen = Pen::new(&scene, theme);
    pen.tag = format!("t{number}");
    if seamless {
        pen.put(format_args!("<g transform=\"translate(-{side},-{side})\">"));
    }
    pen.definitions();
    match tile {
        LevelTile::FallSpawn | LevelTile::CarWalkable => {
            for (ground, outline) in &scene.outlines {
                match ground {
                    Ground::FallSpawn => pen.fall_spawn(outline),
                    Ground::CarWalkable => pen.car_walkable(outline),
                    _ => {}
                }
            }
        }
        LevelTile::Pin => {
            let markup = pin_markup(side, pen.palette.route, pen.palette.disc);
            pen.out.push_str(&markup);
        }
        _ if tile.symbol().is_some_and(Symbol::is_candidate) => pen.things(),
        _ => {
            pen.ground();
            if !seamless && !matches!(tile, LevelTile::Symbol(Symbol::Exit) | LevelTile::Exit(_)) {
                // The joints of the floor, which pictures draw over all of it at once.
                let line = pen.tiles.floor[3];
                pen.put(format_args!("<path fill=\"none\" stroke=\"{line}\" d=\"M.5 {side}V.5H{side}\"/>"));
            }
            pen.walls();
            pen.signs();
            pen.plants();
        }
    }
    if seamless {
        pen.out.push_str("</g>");
    }
    out.push_str(&pen.canvas.out);
}

fn scene(tile: LevelTile, cells: u16, side: i32) -> LevelScene {
    let cell = SceneCell {
        symbol: tile.symbol().unwrap_or(Symbol::Floor),
        variant: match tile {
            LevelTile::Floor { light: true } | LevelTile::Tuft { light: false } => 30,
            LevelTile::Floor { light: false } | LevelTile::Tuft { light: true } => 100,
            _ => SceneCell::PLAIN.variant,
        },
        opens: match tile {
            LevelTile::Symbol(Symbol::Exit) => Some(Dir::North),
            LevelTile::Exit(dir) => Some(dir),
            _ => None,
        },
        fall_spawn: tile == LevelTile::FallSpawn,
        reinforced: tile == LevelTile::Reinforced,
        car_walkable: tile == LevelTile::CarWalkable,
        ..SceneCell::PLAIN
    };
    let size = Size::new(cells, cells);
    let mut scene = LevelScene {
        station: tile == LevelTile::Station,
        solid: tile == LevelTile::Solid,
        thing: side * UNIT,
        ..LevelScene::bare(size, vec![cell; size.cells()], side * UNIT)
    };
    scene.join();
    scene
}
