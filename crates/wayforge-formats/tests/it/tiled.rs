//! Maps after a round trip through an editor: unedited maps are equal, edits are detected, pinned
//! cells are kept.

use crate::common::{boss_floor, busy_floor, busy_level, read_text, text};
use wayforge::AnyMap;
use wayforge::floor::{self, EntityKind, TileKind};
use wayforge::grid::{BitGrid, Pos};
use wayforge::level::{self, Symbol};
use wayforge_draw::{LevelTile, TILE_SIDE};
use wayforge_formats::{Content, Format, ImportedContent, MemoryFiles, PinMode, ReadOptions};

fn level_gid(tile: LevelTile) -> usize {
    LevelTile::ALL.iter().position(|&other| other == tile).unwrap() + 1
}

/// Paints a cell in a layer of a TMX file.
fn paint(tmx: &str, layer: &str, cell: Pos, gid: usize) -> String {
    let (head, rest) = tmx.split_once(&format!("name=\"{layer}\"")).unwrap();
    let (open, rest) = rest.split_once("<data encoding=\"csv\">\n").unwrap();
    let (rows, tail) = rest.split_once("</data>").unwrap();
    let mut rows: Vec<Vec<String>> = rows
        .lines()
        .map(|row| row.trim_end_matches(',').split(',').map(str::to_owned).collect())
        .collect();
    rows[usize::from(cell.y)][usize::from(cell.x)] = gid.to_string();
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    format!(
        "{head}name=\"{layer}\"{open}<data encoding=\"csv\">\n{}\n</data>{tail}",
        rows.join(",\n")
    )
}

fn level_of(imported: &ImportedContent) -> &level::Level {
    let Content::Map(AnyMap::Level(level)) = &imported.content else { panic!("not a level") };
    level
}

/// Returns an interior cell of plain floor.
fn plain_cell(level: &level::Level) -> Pos {
    let plain = |pos: &Pos| level.blueprint.get(*pos) == Symbol::Floor && pos.x > 4 && pos.y > 4;
    level.blueprint.size().iter().find(plain).unwrap()
}

#[test]
fn levels_round_trip_exactly() {
    for seed in 0..20 {
        let level = busy_level(seed);
        let content = Content::from(level.clone());
        for name in ["a.tmx", "a.tmj"] {
            let imported = read_text(&text(&content, name), name).unwrap();
            assert_eq!(level_of(&imported), &level);
            assert!(!imported.is_edited() && !imported.has_pins());
        }
    }
}

#[test]
fn detects_changed_cells_and_keeps_pinned_ones() {
    let level = busy_level(7);
    let cell = plain_cell(&level);
    let tmx = text(&Content::from(level.clone()), "a.tmx");
    let drawn = paint(&tmx, "ground", cell, level_gid(LevelTile::Symbol(Symbol::Puddle)));
    let edited = read_text(&drawn, "a.tmx").unwrap();
    assert!(edited.is_edited() && !edited.has_pins());
    assert_eq!(level_of(&edited).blueprint.get(cell), Symbol::Puddle);

    // Pinning by the layer, by a rectangle or as a changed cell gives the same level.
    let marked = paint(&drawn, "pins", cell, level_gid(LevelTile::Pin));
    let marked = read_text(&marked, "a.tmx").unwrap();
    assert_eq!(marked.pins, Some(BitGrid::from_cells(level.blueprint.size(), [cell])));
    let again = marked.regenerate(PinMode::Marked).unwrap();
    let rectangle = format!(
        " <objectgroup id=\"90\" name=\"pins\">\n\
         <object id=\"900\" x=\"{}\" y=\"{}\" width=\"20\" height=\"20\"/>\n\
         </objectgroup>\n</map>",
        u32::from(cell.x) * TILE_SIDE + 5,
        u32::from(cell.y) * TILE_SIDE + 5
    );
    let with_rectangle = read_text(&drawn.replace("</map>", &rectangle), "a.tmx").unwrap();
    assert_eq!(with_rectangle.regenerate(PinMode::Marked).unwrap(), again);
    assert_eq!(edited.regenerate(PinMode::Changed).unwrap(), again);
    let Content::Map(AnyMap::Level(again)) = again else { panic!() };
    assert_eq!(again.blueprint.get(cell), Symbol::Puddle);
    assert!(level::validate(&again).is_valid());
    assert_eq!(again.spec.config().pins[usize::from(cell.y)].chars().nth(cell.x.into()), Some('w'));
    // The new level keeps its pins through another round trip.
    let next = read_text(&text(&Content::from((*again).clone()), "a.tmj"), "a.tmj").unwrap();
    assert!(!next.is_edited() && next.has_pins());
    assert_eq!(next.regenerate(PinMode::Marked).unwrap(), Content::from(*again));
}

#[test]
fn candidates_can_be_moved_and_pinned() {
    let level = busy_level(3);
    let cell = plain_cell(&level);
    let tmx = text(&Content::from(level.clone()), "a.tmx");
    let at = tmx.find("type=\"car\" gid").unwrap();
    let (head, tail) = tmx.split_at(at);
    let (attributes, tail) = tail.split_once('>').unwrap();
    let gid = attributes.split("gid=\"").nth(1).unwrap().split('"').next().unwrap();
    // The object is moved without snapping to the grid and pinned by a property, as Tiled writes
    // it.
    let (x, y) = (u32::from(cell.x) * TILE_SIDE + 3, u32::from(cell.y + 1) * TILE_SIDE - 4);
    let moved = format!(
        "{head}type=\"car\" gid=\"{gid}\" x=\"{x}\" y=\"{y}.5\" width=\"32\" height=\"32\">{tail}"
    );
    let moved = moved.replacen(
        "<property name=\"symbol\" value=\"C\"/>\n   </properties>\n  </object>",
        "<property name=\"pinned\" type=\"bool\" value=\"true\"/>\n\
         <property name=\"symbol\" value=\"C\"/>\n   </properties>\n  </object>",
        1,
    );
    let imported = read_text(&moved, "a.tmx").unwrap();
    assert_eq!(imported.pins, Some(BitGrid::from_cells(level.blueprint.size(), [cell])));
    let Content::Map(AnyMap::Level(again)) = imported.regenerate(PinMode::Marked).unwrap() else {
        panic!()
    };
    assert_eq!(again.blueprint.get(cell), Symbol::Car);
    assert!(level::validate(&again).is_valid());
}

#[test]
fn blueprints_become_levels_of_a_stage() {
    let drawing = busy_level(5).blueprint;
    let tmx = text(&Content::Blueprint(drawing.clone()), "a.tmx");
    let wall = drawing.size().iter().find(|&pos| drawing.get(pos) == Symbol::Wall).unwrap();
    let marked = read_text(&paint(&tmx, "pins", wall, level_gid(LevelTile::Pin)), "a.tmx").unwrap();
    let generated =
        marked.regenerate_with(PinMode::Marked, &level::Config::default(), 9.into()).unwrap();
    let Content::Map(AnyMap::Level(generated)) = generated else { panic!() };
    assert_eq!(
        (generated.blueprint.get(wall), generated.blueprint.size()),
        (Symbol::Wall, drawing.size())
    );
    assert!(level::validate(&generated).is_valid());
    let error =
        marked.regenerate_with(PinMode::Changed, &level::Config::default(), 9.into()).unwrap_err();
    assert!(error.to_string().contains("use marked or all"), "{error}");
}

#[test]
fn floors_are_regenerated_around_pinned_cells() {
    let generated = busy_floor(7);
    let content = Content::from(generated.clone());
    let tmx = text(&content, "a.tmx");
    let wall = generated.size().iter().find(|&pos| generated.tile(pos) == TileKind::Wall).unwrap();
    let floor_gid = TileKind::ALL.iter().position(|&kind| kind == TileKind::Chest).unwrap() + 1;
    let drawn = paint(&tmx, "ground", wall, floor_gid);
    let edited = read_text(&paint(&drawn, "pins", wall, 14), "a.tmx").unwrap();
    assert!(edited.is_edited() && edited.has_pins());
    let Content::Map(AnyMap::Floor(again)) = edited.regenerate(PinMode::Marked).unwrap() else {
        panic!()
    };
    assert_eq!(again.tile(wall), TileKind::Chest);
    assert!(floor::validate(&again).is_valid());
    assert_ne!(again.tiles, generated.tiles);
    // A floor from a template keeps everything except the edits.
    let floor = boss_floor();
    let enemy = floor.entities.iter().find(|entity| entity.kind == EntityKind::Enemy).unwrap().pos;
    let tmx = text(&Content::from(floor.clone()), "a.tmx");
    let edited = read_text(
        &paint(&tmx, "pins", enemy, 14).replace("config\" value=\"{", "config\" value=\"{ "),
        "a.tmx",
    );
    let Content::Map(AnyMap::Floor(again)) = edited.unwrap().regenerate(PinMode::Marked).unwrap()
    else {
        panic!()
    };
    assert_eq!(again.tiles, floor.tiles);
}

#[test]
fn reads_external_tilesets() {
    let level = Content::from(busy_level(7));
    let (tmx, tmj) = (text(&level, "a.tmx"), text(&level, "a.tmj"));
    let (start, end) =
        (tmx.find("<tileset ").unwrap(), tmx.find("</tileset>").unwrap() + "</tileset>".len());
    let tsx =
        format!("<?xml version=\"1.0\"?>\n{}", tmx[start..end].replacen("firstgid=\"1\" ", "", 1));
    let with_external_tileset = |source: &str| {
        format!("{}<tileset firstgid=\"1\" source=\"{source}\"/>{}", &tmx[..start], &tmx[end..])
    };
    let read = |name: &str, map: String, source: &str, tileset: &[u8]| {
        let files = [(name, map.as_bytes()), (source, tileset)];
        let mut files =
            MemoryFiles(files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).into());
        Format::from_file_name(name).unwrap().read(name, &mut files, ReadOptions::default())
    };
    let imported =
        read("a.tmx", with_external_tileset("own.tsx"), "own.tsx", tsx.as_bytes()).unwrap();
    assert_eq!(imported[0].content, level);

    let mut json: serde_json::Value = serde_json::from_str(&tmj).unwrap();
    let set = json["tilesets"][0].take();
    json["tilesets"][0] = serde_json::json!({ "firstgid": 1, "source": "own.tsj" });
    let imported = read("a.tmj", json.to_string(), "own.tsj", set.to_string().as_bytes()).unwrap();
    assert_eq!(imported[0].content, level);

    for (source, expected) in [
        ("../own.tsx", "tileset.source = ../own.tsx: not in the folder of the map"),
        ("/etc/own.tsx", "not in the folder of the map"),
        ("C:\\own.tsx", "not in the folder of the map"),
        ("own.png", "neither .tsx nor .tsj"),
        ("other.tsx", "no such file"),
    ] {
        let error_text = read("a.tmx", with_external_tileset(source), "own.tsx", tsx.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(
            error_text.contains(expected) && error_text.contains("Embed Tileset"),
            "{error_text}"
        );
    }
    assert!(read("a.tmx", with_external_tileset("own.tsx"), "own.tsx", b"<map/>").is_err());
    assert!(
        read("a.tmx", with_external_tileset("own.tsx"), "own.tsx", &tsx.as_bytes()[..400]).is_err()
    );
}

#[test]
fn changed_cells_of_a_map_that_cannot_be_generated_are_an_error() {
    let config = br#"{"attempts":1,"repair":false,"width":20,"height":14,
        "soft_locks":"forbidden","pitfalls":"10%","moving_floors":"10%","walls":"empty"}"#;
    let spec = level::Config::from_json(config).unwrap().resolve().unwrap();
    let by_seed = |seed: u64| level::generate(seed.into(), &spec);
    let mut level = (0..100).find_map(|seed| by_seed(seed).ok()).unwrap();
    level.seed = (0..100).find(|&seed| by_seed(seed).is_err()).unwrap().into();
    let imported = ImportedContent::new(level.into());
    let error = imported.regenerate(PinMode::Changed).unwrap_err().to_string();
    assert!(error.starts_with("pins = changed: its seed and configuration generate no"), "{error}");
}

#[test]
fn rejects_invalid_maps_with_explanations() {
    let tmx = text(&Content::from(busy_level(7)), "a.tmx");
    let error = |text: String| read_text(&text, "a.tmx").unwrap_err().to_string();
    for (from, to, expected) in [
        ("infinite=\"0\"", "infinite=\"1\"", "in Tiled's map properties turn Infinite off"),
        ("orthogonal", "isometric", "map.orientation = isometric: not supported"),
        (
            "width=\"24\" height=\"18\" tilewidth",
            "width=\"99999\" height=\"18\" tilewidth",
            "map.width = 99999: out of range; use 1 to 8192",
        ),
        (
            "name=\"ground\"",
            "name=\"base\"",
            "no tile layer is called ground; rename a layer to ground",
        ),
        (
            "encoding=\"csv\"",
            "encoding=\"base64\" compression=\"zstd\"",
            "compression = zstd: not supported",
        ),
        (
            "<property name=\"family\" value=\"level\"/>",
            "",
            "properties.family = missing: not a family; add the map property family",
        ),
        ("<property name=\"seed\" value=\"7\"/>", "", "properties.seed = missing: required"),
        (
            "type=\"car\" gid",
            "type=\"bus\" gid",
            "= bus: not a candidate; set its type to player, car, empty_can",
        ),
        (
            "<tileset firstgid=\"1\"",
            "<tileset source=\"x.tsx\" firstgid=\"1\"",
            "then Embed Tileset",
        ),
        ("</map>", "</map><map/>", "content after the end of the map"),
        ("</map>", "", "ends inside an element"),
        ("<map ", "<!DOCTYPE a [<!ENTITY b \"c\">]><map ", "document types are not allowed"),
        ("value=\"level\"", "value=\"&bomb;\"", "bomb"),
        ("sha256:", "md5:", "not a digest"),
    ] {
        assert!(tmx.contains(from), "{from}");
        let error_text = error(tmx.replacen(from, to, 1));
        assert!(error_text.contains(expected), "{from} -> {to}: {error_text}");
    }
    let flipped = paint(&tmx, "ground", Pos::new(6, 6), 0x8000_0005);
    assert!(error(flipped).contains("flipped or rotated tile"));
    assert!(
        error(paint(&tmx, "ground", Pos::new(6, 6), 0))
            .contains("every cell of a level needs a tile")
    );
    assert!(error(paint(&tmx, "ground", Pos::new(6, 6), 900)).contains("tile without properties"));
}
