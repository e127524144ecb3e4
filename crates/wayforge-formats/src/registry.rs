//! All formats in one table: which suffixes they have, what they read and write, and how.

use crate::content::{Content, What};
use crate::error::{FormatError, reject};
use crate::files::Files;
use crate::reading::Reading;
use crate::{
    animation, ascii, csv, documents, graph, ldtk, mask, movingai, openfront, queries, tiled, zombie_escape,
};
use std::io::{self, Write};
use wayforge::act::ActMap;
use wayforge::nav::Water;
use wayforge::{AnyMap, Family};
use wayforge_draw::{
    FloorScene, LevelScene, Scene, Theme, level_png, level_svg, png, png_floors, svg, svg_floors,
};

/// A format of files.
#[derive(Debug)]
pub struct Format {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The suffixes of its files, the usual one first.
    pub suffixes: &'static [&'static str],
    /// What can be read from it.
    pub reads: &'static [What],
    /// What can be written to it.
    pub writes: &'static [What],
    /// True if one file holds any number of maps.
    pub many: bool,
    reader: Option<Reader>,
    writers: &'static [Writer],
}

/// A file that is being read, and the folder that it is in.
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) name: &'a str,
    pub(crate) hint: Option<What>,
    pub(crate) files: &'a mut dyn Files,
}

/// A file that is being written, and the folder that it goes to.
pub(crate) struct Target<'a> {
    pub(crate) name: &'a str,
    pub(crate) theme: Theme,
    pub(crate) files: &'a mut dyn Files,
}

type Reader = fn(Source<'_>) -> Result<Vec<Reading>, FormatError>;

/// A function that writes one sort of content.
#[derive(Clone, Copy, Debug)]
enum Writer {
    /// Any number of contents into one file.
    Many(fn(&[Content], &mut dyn Write) -> Result<(), FormatError>),
    Act(fn(&ActMap, &mut dyn Write) -> io::Result<()>),
    Water(fn(&Water, &mut dyn Write) -> Result<(), FormatError>),
    Picture(fn(&AnyMap, Theme) -> Result<Vec<u8>, FormatError>),
    /// A content that needs several files.
    Files(fn(&Content, Target<'_>) -> Result<(), FormatError>),
}

/// The largest file that is read.
pub const MAX_BYTES: u64 = 257 * 1024 * 1024;

const FAMILIES: usize = Family::ALL.len();
const GRIDS: &[What] =
    &[What::Map(Family::Level), What::Blueprint, What::Map(Family::Floor), What::Template, What::Water];
const DOCUMENTS: &[What] = &What::families_and::<{ FAMILIES + 1 }>(&[What::Template]);
const PICTURES: &[What] = &What::families_and::<FAMILIES>(&[]);
const PNGS: &[What] = &What::families_and::<{ FAMILIES + 1 }>(&[What::Water]);
const ROWS: &[What] = &What::families_and::<{ FAMILIES + 2 }>(&[What::Water, What::Queries]);
const STAGES: &[What] = &[
    What::Map(Family::Level),
    What::Blueprint,
    What::Map(Family::Floor),
    What::Map(Family::Tower),
    What::Water,
];
const ACT: &[What] = &[What::Map(Family::Act)];
const WATER: &[What] = &[What::Water];
const TOWER: &[What] = &[What::Map(Family::Tower)];

/// Every format, in the order in which they are listed.
pub static FORMATS: [Format; 18] = [
    Format::new("document", "Wayforge's own documents, one a line", &["json", "jsonl"])
        .reads(DOCUMENTS, |from| documents::read(from.bytes))
        .writes(DOCUMENTS, &[Writer::Many(documents::write)]),
    Format::new("ascii", "plain text", &["txt"])
        .reads(&[What::Blueprint, What::Template, What::Water], |from| one(ascii::read(&from)?))
        .writes(&What::ALL, &[Writer::Many(ascii::write)]),
    Format::new("tmx", "Tiled 1.8 as XML, with a picture of its tiles beside it", &["tmx"])
        .reads(GRIDS, |from| Ok(vec![tiled::read_map(from.bytes, false, from.files)?]))
        .writes(GRIDS, &[Writer::Files(|map, to| tiled::write_map(map, false, to))]),
    Format::new("tmj", "Tiled 1.8 as JSON, with a picture of its tiles beside it", &["tmj"])
        .reads(GRIDS, |from| Ok(vec![tiled::read_map(from.bytes, true, from.files)?]))
        .writes(GRIDS, &[Writer::Files(|map, to| tiled::write_map(map, true, to))]),
    Format::new("world", "Tiled's world, with a .tmx for each floor", &["world"])
        .reads(TOWER, |from| Ok(vec![tiled::read_world(from.bytes, from.files)?]))
        .writes(TOWER, &[Writer::Files(tiled::write_world)]),
    Format::new("ldtk", "LDtk 1.5", &["ldtk"]).writes(STAGES, &[Writer::Files(ldtk::write)]),
    Format::new("dot", "Graphviz", &["dot", "gv"]).writes(ACT, &[Writer::Act(graph::write_dot)]),
    Format::new("graphml", "graphs as XML", &["graphml"]).writes(ACT, &[Writer::Act(graph::write_graphml)]),
    Format::new("mermaid", "diagrams for READMEs", &["mmd", "mermaid"])
        .writes(ACT, &[Writer::Act(graph::write_mermaid)]),
    Format::new("csv", "metrics, one line a map", &["csv"]).writes(ROWS, &[Writer::Many(csv::write)]),
    Format::new("movingai", "Moving AI's maps", &["map"])
        .reads(WATER, |from| one(Content::Water(movingai::read_movingai(from.bytes)?)))
        .writes(WATER, &[Writer::Water(movingai::write_movingai)]),
    Format::new("scen", "Moving AI's queries", &["scen"])
        .reads(&[What::Queries], |from| one(queries::read_scenarios(&from)?)),
    Format::new("openfront", "OpenFront's map.bin, with manifest.json beside it", &["bin"])
        .reads(WATER, |from| one(openfront::read(from)?))
        .writes(WATER, &[Writer::Files(openfront::write)]),
    Format::new("png", "pictures of maps; of water, a mask of one pixel a tile", &["png"])
        .reads(WATER, |from| one(Content::Water(mask::read_png_mask(from.bytes)?)))
        .writes(PNGS, &[Writer::Picture(picture_png), Writer::Water(mask::write_png_mask)]),
    Format::new("pgm", "a mask of one pixel a tile", &["pgm"])
        .reads(WATER, |from| one(Content::Water(mask::read_pgm(from.bytes)?)))
        .writes(WATER, &[Writer::Water(|water, out| Ok(mask::write_pgm(water, out)?))]),
    Format::new("svg", "pictures of maps", &["svg"]).writes(PICTURES, &[Writer::Picture(picture_svg)]),
    Format::new("apng", "maps in the making, as animated PNG", &["apng"]).writes(
        PICTURES,
        &[Writer::Picture(|map, theme| animation::animation(map, theme, animation::SCALE))],
    ),
    Format::new("zombie-escape", "blueprints for the game Zombie Escape, one a line", &["zombie"])
        .writes(&[What::Map(Family::Level)], &[Writer::Many(zombie_escape::write)]),
];

/// How a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// What a text is, where its characters would not tell.
    pub hint: Option<What>,
}

impl Format {
    /// The format of a file's name, by its suffix.
    ///
    /// ```
    /// use wayforge_formats::Format;
    /// assert_eq!(Format::of("act.gv")?.name, "dot");
    /// let refused = Format::of("act.doc").unwrap_err().to_string();
    /// assert!(refused.starts_with("suffix = act.doc: no format has it; use .json .jsonl .txt .tmx"), "{refused}");
    /// # Ok::<(), wayforge_formats::FormatError>(())
    /// ```
    pub fn of(name: &str) -> Result<&'static Format, FormatError> {
        let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix).to_ascii_lowercase();
        let found = FORMATS.iter().find(|format| format.suffixes.contains(&suffix.as_str()));
        found.ok_or_else(|| {
            let all = FORMATS.iter().flat_map(|format| format.suffixes);
            let known: Vec<String> = all.map(|suffix| format!(".{suffix}")).collect();
            reject("suffix", name, "no format has it", format!("use {}", known.join(" ")))
        })
    }

    /// Reads everything that a file holds. `files` is the folder in which it stands under `name`.
    ///
    /// * **Guarantees.** What is read is checked; nothing is set aside that the file could not fill. A map that a person edited comes
    ///   back as it is drawn: see [`Reading::is_edited`].
    ///
    /// ```
    /// use wayforge_formats::{Content, Files, Format, Memory, ReadOptions};
    /// let mut files = Memory::default();
    /// files.create("sea.txt")?.write_all(b"..#\n...\n")?;
    /// let sea = Format::of("sea.txt")?.read("sea.txt", &mut files, ReadOptions::default())?;
    /// assert!(matches!(&sea[0].content, Content::Water(water) if water.tiles() == 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(
        &self,
        name: &str,
        files: &mut dyn Files,
        options: ReadOptions,
    ) -> Result<Vec<Reading>, FormatError> {
        let Some(read) = self.reader else {
            let known = FORMATS.iter().filter(|format| format.reader.is_some()).map(|format| format.name);
            let remedy = format!("read one of {}", known.collect::<Vec<_>>().join(", "));
            return Err(reject("format", self.name, "is only written", remedy));
        };
        let bytes = files.read(name, MAX_BYTES)?;
        read(Source { bytes: &bytes, name, hint: options.hint, files })
    }

    /// Writes maps under `name` into `files`, piece by piece, with what belongs beside them.
    ///
    /// ```
    /// use wayforge::act;
    /// use wayforge_formats::{Format, Memory};
    /// use wayforge_draw::Theme;
    /// let map = act::generate(7.into(), &act::Config::default().resolve()?)?;
    /// let mut files = Memory::default();
    /// Format::of("act.dot")?.write(&[map.clone().into()], "act.dot", Theme::Parchment, &mut files)?;
    /// assert!(files.0["act.dot"].starts_with(b"digraph"));
    /// let refused = Format::of("act.tmx")?.write(&[map.into()], "act.tmx", Theme::Parchment, &mut files);
    /// let refused = refused.unwrap_err().to_string();
    /// assert!(refused.starts_with("tmx holds no act; it holds level, blueprint, floor, template, water; act goes into document,"), "{refused}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(
        &self,
        contents: &[Content],
        name: &str,
        theme: Theme,
        files: &mut dyn Files,
    ) -> Result<(), FormatError> {
        if let Some(other) = contents.iter().map(Content::what).find(|what| !self.writes.contains(what)) {
            return Err(self.cannot_hold(other));
        }
        for writer in self.writers {
            match (writer, contents) {
                (Writer::Many(write), _) => return write(contents, files.create(name)?),
                (Writer::Act(write), [Content::Map(AnyMap::Act(map))]) => {
                    return Ok(write(map, files.create(name)?)?);
                }
                (Writer::Water(write), [Content::Water(water)]) => return write(water, files.create(name)?),
                (Writer::Picture(draw), [Content::Map(map)]) => {
                    return Ok(files.create(name)?.write_all(&draw(map, theme)?)?);
                }
                (Writer::Files(write), [content]) => return write(content, Target { name, theme, files }),
                _ => {}
            }
        }
        let remedy = "convert one map, or write .jsonl, .csv or .txt";
        Err(reject(self.name, format!("{} maps", contents.len()), "the file holds one", remedy))
    }

    const fn new(name: &'static str, about: &'static str, suffixes: &'static [&'static str]) -> Format {
        Format { name, about, suffixes, reads: &[], writes: &[], many: false, reader: None, writers: &[] }
    }

    const fn reads(self, reads: &'static [What], reader: Reader) -> Format {
        Format { reads, reader: Some(reader), ..self }
    }

    const fn writes(self, writes: &'static [What], writers: &'static [Writer]) -> Format {
        Format { writes, writers, many: matches!(writers, [Writer::Many(_)]), ..self }
    }

    fn cannot_hold(&self, what: What) -> FormatError {
        let list = |names: Vec<&str>| if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        let others = FORMATS.iter().filter(|format| format.writes.contains(&what));
        FormatError::CannotHold {
            format: self.name,
            what,
            holds: list(self.writes.iter().map(|what| what.name()).collect()),
            others: format!("; {what} goes into {}", list(others.map(|format| format.name).collect())),
        }
    }
}

fn one(content: Content) -> Result<Vec<Reading>, FormatError> {
    Ok(vec![Reading::plain(content)])
}

fn picture_png(map: &AnyMap, theme: Theme) -> Result<Vec<u8>, FormatError> {
    Ok(match map {
        AnyMap::Act(map) => png(&Scene::of_act(map), theme, 100)?,
        AnyMap::Level(level) => level_png(&LevelScene::of_level(level), theme, 100)?,
        AnyMap::Floor(floor) => png_floors(&FloorScene::of_floor(floor), theme, 100)?,
        AnyMap::Tower(tower) => png_floors(&FloorScene::of_tower(tower), theme, 100)?,
    })
}

fn picture_svg(map: &AnyMap, theme: Theme) -> Result<Vec<u8>, FormatError> {
    let text = match map {
        AnyMap::Act(map) => svg(&Scene::of_act(map), theme),
        AnyMap::Level(level) => level_svg(&LevelScene::of_level(level), theme),
        AnyMap::Floor(floor) => svg_floors(&FloorScene::of_floor(floor), theme),
        AnyMap::Tower(tower) => svg_floors(&FloorScene::of_tower(tower), theme),
    };
    Ok(text.into_bytes())
}
