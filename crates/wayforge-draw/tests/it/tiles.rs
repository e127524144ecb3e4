//! Tile sheets: every tile has a different picture, and overlays are transparent.

use wayforge::grid::Pos;
use wayforge::level::Symbol;
use wayforge_draw::{
    FloorTile, LevelTile, NAV_GRID_MAGNITUDES, Theme, TileSheet, floor_tiles, level_tiles,
    nav_grid_tiles,
};
use wayforge_testsuite::golden::Picture;

/// Returns the pixels of one tile as RGBA.
fn tile(sheet: &TileSheet, number: usize) -> Vec<[u8; 4]> {
    let picture = Picture::decode(&sheet.png);
    let (side, columns) = (sheet.side as usize, sheet.columns as usize);
    assert_eq!((picture.width, picture.height), (columns * side, sheet.rows as usize * side));
    let (left, top) = (number % columns * side, number / columns * side);
    let pixel = |n: usize| picture.frames[0][(top + n / side) * picture.width + left + n % side];
    (0..side * side).map(pixel).collect()
}

#[test]
fn every_tile_has_a_different_picture() {
    for theme in Theme::ALL {
        for (sheet, count) in [
            (level_tiles(theme).unwrap(), LevelTile::ALL.len()),
            (floor_tiles(theme).unwrap(), FloorTile::ALL.len()),
        ] {
            let all: Vec<Vec<[u8; 4]>> = (0..count).map(|number| tile(&sheet, number)).collect();
            for (number, pixels) in all.iter().enumerate() {
                assert!(pixels.iter().any(|pixel| pixel[3] > 0), "tile {number} is empty");
                assert!(!all[..number].contains(pixels), "tile {number} looks like another");
            }
        }
    }
}

#[test]
fn ground_is_opaque_and_overlays_are_transparent() {
    let sheet = level_tiles(Theme::Parchment).unwrap();
    for (number, kind) in LevelTile::ALL.into_iter().enumerate() {
        let is_opaque = tile(&sheet, number).iter().all(|pixel| pixel[3] == 255);
        let is_overlay = kind.symbol().is_none_or(Symbol::is_candidate);
        assert_eq!(is_opaque, !is_overlay, "{kind:?}");
    }
    let sheet = floor_tiles(Theme::Night).unwrap();
    for (number, kind) in FloorTile::ALL.into_iter().enumerate() {
        let is_opaque = tile(&sheet, number).iter().all(|pixel| pixel[3] == 255);
        assert_eq!(is_opaque, matches!(kind, FloorTile::Tile(_)), "{kind:?}");
    }
}

#[test]
fn water_darkens_with_its_magnitude() {
    let sheet = nav_grid_tiles(Theme::Parchment).unwrap();
    let brightness =
        |number: usize| tile(&sheet, number)[0].iter().take(3).map(|&c| u32::from(c)).sum::<u32>();
    assert!(
        (2..=usize::from(NAV_GRID_MAGNITUDES)).all(|n| brightness(n) <= brightness(n - 1))
            && brightness(32) < brightness(1)
    );
}

#[test]
fn tile_variants_keep_their_symbol() {
    for n in 0..500 {
        for symbol in Symbol::ALL {
            assert_eq!(LevelTile::at(symbol, Pos::new(n, n % 7)).symbol(), Some(symbol));
        }
    }
}
