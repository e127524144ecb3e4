//! Sheets of tiles: every tile has its picture, those that lie over others are seen through, and nothing leaks out of its square.

use wayforge::grid::Pos;
use wayforge::level::Symbol;
use wayforge_draw::{
    FloorTile, LevelTile, Theme, TileSheet, WATER_MAGNITUDES, floor_tiles, level_tiles, water_tiles,
};

/// The pixels of one tile, as rows of RGBA.
fn tile(sheet: &TileSheet, number: usize) -> Vec<[u8; 4]> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(&sheet.png)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height), (sheet.columns * sheet.side, sheet.rows * sheet.side));
    let samples = info.color_type.samples();
    let (side, columns) = (sheet.side as usize, sheet.columns as usize);
    let (left, top) = (number % columns * side, number / columns * side);
    let at = |x: usize, y: usize| {
        let from = ((top + y) * columns * side + left + x) * samples;
        let alpha = if samples == 4 { bytes[from + 3] } else { 255 };
        [bytes[from], bytes[from + 1], bytes[from + 2], alpha]
    };
    (0..side * side).map(|n| at(n % side, n / side)).collect()
}

#[test]
fn every_tile_has_a_picture_of_its_own() {
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
fn ground_is_whole_and_things_lie_over_it() {
    let sheet = level_tiles(Theme::Parchment).unwrap();
    for (number, kind) in LevelTile::ALL.into_iter().enumerate() {
        let whole = tile(&sheet, number).iter().all(|pixel| pixel[3] == 255);
        let over = kind.symbol().is_none_or(Symbol::is_candidate);
        assert_eq!(whole, !over, "{kind:?}");
    }
    let sheet = floor_tiles(Theme::Night).unwrap();
    for (number, kind) in FloorTile::ALL.into_iter().enumerate() {
        let whole = tile(&sheet, number).iter().all(|pixel| pixel[3] == 255);
        assert_eq!(whole, matches!(kind, FloorTile::Tile(_)), "{kind:?}");
    }
}

#[test]
fn water_grows_deeper_with_its_magnitude() {
    let sheet = water_tiles(Theme::Parchment).unwrap();
    let blue = |number: usize| tile(&sheet, number)[0].iter().take(3).map(|&c| u32::from(c)).sum::<u32>();
    assert!((2..=usize::from(WATER_MAGNITUDES)).all(|n| blue(n) <= blue(n - 1)) && blue(32) < blue(1));
}

#[test]
fn looks_of_cells_show_their_symbols() {
    for n in 0..500 {
        for symbol in Symbol::ALL {
            assert_eq!(LevelTile::at(symbol, Pos::new(n, n % 7)).symbol(), Some(symbol));
        }
    }
}
