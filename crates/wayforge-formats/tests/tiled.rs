//! Maps that went through an editor: unchanged ones are the same, changed ones are known, fixed cells stay.

mod common;

use common::{busy_floor, busy_level, read_text, shop, text};
use wayforge::AnyMap;
use wayforge::floor::{self, EntityKind, TileKind};
use wayforge::grid::{BitGrid, Pos};
use wayforge::level::{self, Symbol};
use wayforge_draw::{LevelTile, TILE_SIDE};
use wayforge_formats::{Content, Format, Memory, Pinning, ReadOptions, Reading};

fn level_gid(tile: LevelTile) -> usize {
    LevelTile::ALL.iter().position(|&other| other == tile).unwrap() + 1
}

/// Paints a cell of a layer of a TMX as a person would.
fn paint(tmx: &str, layer: &str, cell: Pos, gid: usize) -> String {
    let (head, rest) = tmx.split_once(&format!("name=\"{layer}\"")).unwrap();
    let (open, rest) = rest.split_once("<data encoding=\"csv\">\n").unwrap();
    let (rows, tail) = rest.split_once("</data>").unwrap();
    let mut rows: Vec<Vec<String>> =
        rows.lines().map(|row| row.trim_end_matches(',').split(',').map(str::to_owned).collect()).collect();
    rows[usize::from(cell.y)][usize::from(cell.x)] = gid.to_string();
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    format!("{head}name=\"{layer}\"{open}<data encoding=\"csv\">\n{}\n</data>{tail}", rows.join(",\n"))
}

fn level_of(reading: &Reading) -> &level::Level {
    let Content::Map(AnyMap::Level(level)) = &reading.content else { panic!("not a level") };
    level
}

/// An interior cell of plain floor that no candidate stands beside.
fn plain_cell(level: &level::Level) -> Pos {
    let plain = |pos: &Pos| level.blueprint.get(*pos) == Symbol::Floor && pos.x > 4 && pos.y > 4;
    level.blueprint.size().iter().find(plain).unwrap()
}

#[test]
fn levels_of_many_seeds_come_back_exactly() {
    for seed in 0..20 {
        let level = busy_level(seed);
        let content = Content::from(level.clone());
        for name in ["a.tmx", "a.tmj"] {
            let reading = read_text(&text(&content, name), name).unwrap();
            assert_eq!(level_of(&reading), &level);
            assert!(!reading.is_edited() && !reading.has_pins());
        }
    }
}

#[test]
fn a_changed_cell_is_seen_and_a_fixed_one_stays() {
    let level = busy_level(7);
    let here = plain_cell(&level);
    let tmx = text(&Content::from(level.clone()), "a.tmx");
    let drawn = paint(&tmx, "ground", here, level_gid(LevelTile::Symbol(Symbol::Puddle)));
    let edited = read_text(&drawn, "a.tmx").unwrap();
    assert!(edited.is_edited() && !edited.has_pins());
    assert_eq!(level_of(&edited).blueprint.get(here), Symbol::Puddle);

    // Marked in the layer, or by a rectangle, or changed: the same level comes out.
    let marked = paint(&drawn, "pins", here, level_gid(LevelTile::Pin));
    let marked = read_text(&marked, "a.tmx").unwrap();
    assert_eq!(marked.pins, Some(BitGrid::of(level.blueprint.size(), [here])));
    let again = marked.regenerate(Pinning::Marked).unwrap();
    let rectangle = format!(
        " <objectgroup id=\"90\" name=\"pins\">\n  <object id=\"900\" x=\"{}\" y=\"{}\" width=\"20\" height=\"20\"/>\n </objectgroup>\n</map>",
        u32::from(here.x) * TILE_SIDE + 5,
        u32::from(here.y) * TILE_SIDE + 5
    );
    let boxed = read_text(&drawn.replace("</map>", &rectangle), "a.tmx").unwrap();
    assert_eq!(boxed.regenerate(Pinning::Marked).unwrap(), again);
    assert_eq!(edited.regenerate(Pinning::Changed).unwrap(), again);
    let Content::Map(AnyMap::Level(again)) = again else { panic!() };
    assert_eq!(again.blueprint.get(here), Symbol::Puddle);
    assert!(level::validate(&again).is_valid());
    assert_eq!(again.spec.config().pins[usize::from(here.y)].chars().nth(here.x.into()), Some('w'));
    // And it goes on: the new level keeps its pins through the editor.
    let next = read_text(&text(&Content::from((*again).clone()), "a.tmj"), "a.tmj").unwrap();
    assert!(!next.is_edited() && next.has_pins());
    assert_eq!(next.regenerate(Pinning::Marked).unwrap(), Content::from(*again));
}

#[test]
fn candidates_can_be_moved_and_pinned() {
    let level = busy_level(3);
    let here = plain_cell(&level);
    let tmx = text(&Content::from(level.clone()), "a.tmx");
    let at = tmx.find("type=\"car\" gid").unwrap();
    let (head, tail) = tmx.split_at(at);
    let (attributes, tail) = tail.split_once('>').unwrap();
    let gid = attributes.split("gid=\"").nth(1).unwrap().split('"').next().unwrap();
    // Moved without snapping, and pinned by a property, as Tiled writes it.
    let (x, y) = (u32::from(here.x) * TILE_SIDE + 3, u32::from(here.y + 1) * TILE_SIDE - 4);
    let moved =
        format!("{head}type=\"car\" gid=\"{gid}\" x=\"{x}\" y=\"{y}.5\" width=\"32\" height=\"32\">{tail}");
    let moved = moved.replacen(
        "<property name=\"symbol\" value=\"C\"/>\n   </properties>\n  </object>",
        "<property name=\"pinned\" type=\"bool\" value=\"true\"/>\n    <property name=\"symbol\" value=\"C\"/>\n   </properties>\n  </object>",
        1,
    );
    let reading = read_text(&moved, "a.tmx").unwrap();
    assert_eq!(reading.pins, Some(BitGrid::of(level.blueprint.size(), [here])));
    let Content::Map(AnyMap::Level(again)) = reading.regenerate(Pinning::Marked).unwrap() else { panic!() };
    assert_eq!(again.blueprint.get(here), Symbol::Car);
    assert!(level::validate(&again).is_valid());
}

#[test]
fn a_blueprint_becomes_a_level_of_a_stage() {
    let drawing = busy_level(5).blueprint;
    let tmx = text(&Content::Blueprint(drawing.clone()), "a.tmx");
    let wall = drawing.size().iter().find(|&pos| drawing.get(pos) == Symbol::Wall).unwrap();
    let marked = read_text(&paint(&tmx, "pins", wall, level_gid(LevelTile::Pin)), "a.tmx").unwrap();
    let made = marked.regenerate_with(Pinning::Marked, &level::Config::default(), 9.into()).unwrap();
    let Content::Map(AnyMap::Level(made)) = made else { panic!() };
    assert_eq!((made.blueprint.get(wall), made.blueprint.size()), (Symbol::Wall, drawing.size()));
    assert!(level::validate(&made).is_valid());
    let refused = marked.regenerate_with(Pinning::Changed, &level::Config::default(), 9.into()).unwrap_err();
    assert!(refused.to_string().contains("use marked or all"), "{refused}");
}

#[test]
fn floors_are_drawn_anew_around_what_is_fixed() {
    let made = busy_floor(7);
    let content = Content::from(made.clone());
    let tmx = text(&content, "a.tmx");
    let wall = made.size().iter().find(|&pos| made.tile(pos) == TileKind::Wall).unwrap();
    let floor_gid = TileKind::ALL.iter().position(|&kind| kind == TileKind::Chest).unwrap() + 1;
    let drawn = paint(&tmx, "ground", wall, floor_gid);
    let edited = read_text(&paint(&drawn, "pins", wall, 14), "a.tmx").unwrap();
    assert!(edited.is_edited() && edited.has_pins());
    let Content::Map(AnyMap::Floor(again)) = edited.regenerate(Pinning::Marked).unwrap() else { panic!() };
    assert_eq!(again.tile(wall), TileKind::Chest);
    assert!(floor::validate(&again).is_valid());
    assert_ne!(again.tiles, made.tiles);
    // A floor that is a template stays what it is but for what was changed.
    let shop = shop();
    let npc = shop.entities.iter().find(|entity| entity.kind == EntityKind::Enemy).unwrap().pos;
    let tmx = text(&Content::from(shop.clone()), "a.tmx");
    let edited = read_text(
        &paint(&tmx, "pins", npc, 14).replace("config\" value=\"{", "config\" value=\"{ "),
        "a.tmx",
    );
    let Content::Map(AnyMap::Floor(again)) = edited.unwrap().regenerate(Pinning::Marked).unwrap() else {
        panic!()
    };
    assert_eq!(again.tiles, shop.tiles);
}

#[test]
fn a_tileset_may_stand_beside_the_map() {
    let level = Content::from(busy_level(7));
    let (tmx, tmj) = (text(&level, "a.tmx"), text(&level, "a.tmj"));
    let (start, end) = (tmx.find("<tileset ").unwrap(), tmx.find("</tileset>").unwrap() + "</tileset>".len());
    let tsx = format!("<?xml version=\"1.0\"?>\n{}", tmx[start..end].replacen("firstgid=\"1\" ", "", 1));
    let outside = |source: &str| {
        format!("{}<tileset firstgid=\"1\" source=\"{source}\"/>{}", &tmx[..start], &tmx[end..])
    };
    let read = |name: &str, map: String, source: &str, tileset: &[u8]| {
        let files = [(name, map.as_bytes()), (source, tileset)];
        let mut files = Memory(files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec())).into());
        Format::of(name).unwrap().read(name, &mut files, ReadOptions::default())
    };
    let back = read("a.tmx", outside("own.tsx"), "own.tsx", tsx.as_bytes()).unwrap();
    assert_eq!(back[0].content, level);

    let mut json: serde_json::Value = serde_json::from_str(&tmj).unwrap();
    let set = json["tilesets"][0].take();
    json["tilesets"][0] = serde_json::json!({ "firstgid": 1, "source": "own.tsj" });
    let back = read("a.tmj", json.to_string(), "own.tsj", set.to_string().as_bytes()).unwrap();
    assert_eq!(back[0].content, level);

    for (source, says) in [
        ("../own.tsx", "tileset.source = ../own.tsx: not beside the map"),
        ("/etc/own.tsx", "not beside the map"),
        ("C:\\own.tsx", "not beside the map"),
        ("own.png", "neither .tsx nor .tsj"),
        ("other.tsx", "no such file"),
    ] {
        let said = read("a.tmx", outside(source), "own.tsx", tsx.as_bytes()).unwrap_err().to_string();
        assert!(said.contains(says) && said.contains("Embed Tileset"), "{said}");
    }
    assert!(read("a.tmx", outside("own.tsx"), "own.tsx", b"<map/>").is_err());
    assert!(read("a.tmx", outside("own.tsx"), "own.tsx", &tsx.as_bytes()[..400]).is_err());
}

#[test]
fn what_cannot_be_read_is_refused_in_words() {
    let tmx = text(&Content::from(busy_level(7)), "a.tmx");
    let refused = |text: String| read_text(&text, "a.tmx").unwrap_err().to_string();
    for (from, to, says) in [
        ("infinite=\"0\"", "infinite=\"1\"", "in Tiled's map properties switch Infinite off"),
        ("orthogonal", "isometric", "map.orientation = isometric: not read here"),
        (
            "width=\"24\" height=\"18\" tilewidth",
            "width=\"99999\" height=\"18\" tilewidth",
            "map.width = 99999: out of range; use 1 to 8192",
        ),
        ("name=\"ground\"", "name=\"base\"", "no tile layer is called ground; call it ground"),
        ("encoding=\"csv\"", "encoding=\"base64\" compression=\"zstd\"", "compression = zstd: not read here"),
        (
            "<property name=\"family\" value=\"level\"/>",
            "",
            "properties.family = missing: not a family; add the map property family",
        ),
        ("<property name=\"seed\" value=\"7\"/>", "", "properties.seed = missing: needed"),
        (
            "type=\"car\" gid",
            "type=\"bus\" gid",
            "= bus: not a candidate; set its type to player, car, empty_can",
        ),
        ("<tileset firstgid=\"1\"", "<tileset source=\"x.tsx\" firstgid=\"1\"", "then Embed Tileset"),
        ("</map>", "</map><map/>", "more after the end of the map"),
        ("</map>", "", "ends inside an element"),
        ("<map ", "<!DOCTYPE a [<!ENTITY b \"c\">]><map ", "a document type has no place in a map"),
        ("value=\"level\"", "value=\"&bomb;\"", "bomb"),
        ("sha256:", "md5:", "not a digest"),
    ] {
        assert!(tmx.contains(from), "{from}");
        let said = refused(tmx.replacen(from, to, 1));
        assert!(said.contains(says), "{from} -> {to}: {said}");
    }
    let flipped = paint(&tmx, "ground", Pos::new(6, 6), 0x8000_0005);
    assert!(refused(flipped).contains("a tile that is mirrored or turned"));
    assert!(refused(paint(&tmx, "ground", Pos::new(6, 6), 0)).contains("every cell of a level has a tile"));
    assert!(refused(paint(&tmx, "ground", Pos::new(6, 6), 900)).contains("says nothing about itself"));
}
