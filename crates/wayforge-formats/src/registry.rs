//! All formats in one table: which suffixes they have, what they read and write, and how.

use crate::content::{Content, What};
use crate::error::{FormatError, refuse};
use crate::files::Files;
use crate::reading::Reading;
use crate::{
    ascii, csv, documents, film, graph, ldtk, mask, movingai, openfront, queries, tiled, zombie_escape,
};
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
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Document,
    Ascii,
    Tmx,
    Tmj,
    World,
    Ldtk,
    Dot,
    GraphMl,
    Mermaid,
    Csv,
    MovingAi,
    Scenarios,
    OpenFront,
    Png,
    Pgm,
    Svg,
    Film,
    ZombieEscape,
}

/// The largest file that is read.
pub const MAX_BYTES: u64 = 257 * 1024 * 1024;

const GRIDS: &[What] = &[What::Level, What::Blueprint, What::Floor, What::Template, What::Water];
const MAPS: &[What] = &[What::Act, What::Level, What::Floor, What::Tower, What::Template];
const PICTURES: &[What] = &[What::Act, What::Level, What::Floor, What::Tower];

/// Every format, in the order in which they are listed.
pub static FORMATS: [Format; 18] = [
    Format {
        name: "document",
        about: "Wayforge's own documents, one a line",
        suffixes: &["json", "jsonl"],
        reads: MAPS,
        writes: MAPS,
        many: true,
        kind: Kind::Document,
    },
    Format {
        name: "ascii",
        about: "plain text",
        suffixes: &["txt"],
        reads: &[What::Blueprint, What::Template, What::Water],
        writes: &What::ALL,
        many: true,
        kind: Kind::Ascii,
    },
    Format {
        name: "tmx",
        about: "Tiled 1.8 as XML, with a picture of its tiles beside it",
        suffixes: &["tmx"],
        reads: GRIDS,
        writes: GRIDS,
        many: false,
        kind: Kind::Tmx,
    },
    Format {
        name: "tmj",
        about: "Tiled 1.8 as JSON, with a picture of its tiles beside it",
        suffixes: &["tmj"],
        reads: GRIDS,
        writes: GRIDS,
        many: false,
        kind: Kind::Tmj,
    },
    Format {
        name: "world",
        about: "Tiled's world, with a .tmx for each floor",
        suffixes: &["world"],
        reads: &[What::Tower],
        writes: &[What::Tower],
        many: false,
        kind: Kind::World,
    },
    Format {
        name: "ldtk",
        about: "LDtk 1.5",
        suffixes: &["ldtk"],
        reads: &[],
        writes: &[What::Level, What::Blueprint, What::Floor, What::Tower, What::Water],
        many: false,
        kind: Kind::Ldtk,
    },
    Format {
        name: "dot",
        about: "Graphviz",
        suffixes: &["dot", "gv"],
        reads: &[],
        writes: &[What::Act],
        many: false,
        kind: Kind::Dot,
    },
    Format {
        name: "graphml",
        about: "graphs as XML",
        suffixes: &["graphml"],
        reads: &[],
        writes: &[What::Act],
        many: false,
        kind: Kind::GraphMl,
    },
    Format {
        name: "mermaid",
        about: "diagrams for READMEs",
        suffixes: &["mmd", "mermaid"],
        reads: &[],
        writes: &[What::Act],
        many: false,
        kind: Kind::Mermaid,
    },
    Format {
        name: "csv",
        about: "metrics, one line a map",
        suffixes: &["csv"],
        reads: &[],
        writes: csv::WRITES,
        many: true,
        kind: Kind::Csv,
    },
    Format {
        name: "movingai",
        about: "Moving AI's maps",
        suffixes: &["map"],
        reads: &[What::Water],
        writes: &[What::Water],
        many: false,
        kind: Kind::MovingAi,
    },
    Format {
        name: "scen",
        about: "Moving AI's queries",
        suffixes: &["scen"],
        reads: &[What::Queries],
        writes: &[],
        many: false,
        kind: Kind::Scenarios,
    },
    Format {
        name: "openfront",
        about: "OpenFront's map.bin, with manifest.json beside it",
        suffixes: &["bin"],
        reads: &[What::Water],
        writes: &[What::Water],
        many: false,
        kind: Kind::OpenFront,
    },
    Format {
        name: "png",
        about: "pictures of maps; of water, a mask of one pixel a tile",
        suffixes: &["png"],
        reads: &[What::Water],
        writes: &[What::Act, What::Level, What::Floor, What::Tower, What::Water],
        many: false,
        kind: Kind::Png,
    },
    Format {
        name: "pgm",
        about: "a mask of one pixel a tile",
        suffixes: &["pgm"],
        reads: &[What::Water],
        writes: &[What::Water],
        many: false,
        kind: Kind::Pgm,
    },
    Format {
        name: "svg",
        about: "pictures of maps",
        suffixes: &["svg"],
        reads: &[],
        writes: PICTURES,
        many: false,
        kind: Kind::Svg,
    },
    Format {
        name: "apng",
        about: "maps in the making, as animated PNG",
        suffixes: &["apng"],
        reads: &[],
        writes: PICTURES,
        many: false,
        kind: Kind::Film,
    },
    Format {
        name: "zombie-escape",
        about: "blueprints for the game Zombie Escape, one a line",
        suffixes: &["zombie"],
        reads: &[],
        writes: &[What::Level],
        many: true,
        kind: Kind::ZombieEscape,
    },
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
            refuse("suffix", name, "no format has it", format!("use {}", known.join(" ")))
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
        if self.reads.is_empty() {
            let known: Vec<&str> =
                FORMATS.iter().filter(|format| !format.reads.is_empty()).map(|format| format.name).collect();
            return Err(refuse(
                "format",
                self.name,
                "is only written",
                format!("read one of {}", known.join(", ")),
            ));
        }
        let bytes = files.read(name, MAX_BYTES)?;
        let one = |content: Content| Ok(vec![Reading::plain(content)]);
        match self.kind {
            Kind::Document => Ok(documents::read(&bytes)?.into_iter().map(Reading::plain).collect()),
            Kind::Ascii => one(ascii::read(&bytes, name, options.hint)?),
            Kind::Tmx => Ok(vec![tiled::read_tmx(&bytes, files)?]),
            Kind::Tmj => Ok(vec![tiled::read_tmj(&bytes, files)?]),
            Kind::World => Ok(vec![tiled::read_world(&bytes, files)?]),
            Kind::MovingAi => one(Content::Water(movingai::read_movingai(&bytes)?)),
            Kind::Scenarios => {
                let size = queries::stated_size(&bytes).ok_or_else(|| {
                    refuse(
                        "scen",
                        name,
                        "its first query states no size of a map",
                        "give a Moving AI .scen file",
                    )
                })?;
                one(Content::Queries(queries::read_queries(&bytes, size)?))
            }
            Kind::OpenFront => {
                let manifest = openfront::read_manifest(&files.read("manifest.json", 1 << 20)?)?;
                one(Content::Water(openfront::read_openfront(&manifest, &bytes)?))
            }
            Kind::Png => one(Content::Water(mask::read_png_mask(&bytes)?)),
            Kind::Pgm => one(Content::Water(mask::read_pgm(&bytes)?)),
            Kind::Ldtk
            | Kind::Dot
            | Kind::GraphMl
            | Kind::Mermaid
            | Kind::Csv
            | Kind::Svg
            | Kind::Film
            | Kind::ZombieEscape => Ok(Vec::new()),
        }
    }

    /// Writes maps under `name` into `files`, piece by piece, with what belongs beside them.
    ///
    /// ```
    /// use wayforge::act;
    /// use wayforge_formats::{Content, Format, Memory};
    /// use wayforge_draw::Theme;
    /// let map = act::generate(7.into(), &act::Config::default().resolve()?)?;
    /// let mut files = Memory::default();
    /// Format::of("act.dot")?.write(&[Content::Act(map.clone())], "act.dot", Theme::Parchment, &mut files)?;
    /// assert!(files.0["act.dot"].starts_with(b"digraph"));
    /// let refused = Format::of("act.tmx")?.write(&[Content::Act(map)], "act.tmx", Theme::Parchment, &mut files);
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
        if contents.len() != 1 && !self.many {
            let remedy = "convert one map, or write .jsonl, .csv or .txt";
            return Err(refuse(self.name, format!("{} maps", contents.len()), "the file holds one", remedy));
        }
        match (self.kind, contents) {
            (Kind::Document, _) => documents::write(contents, files.create(name)?),
            (Kind::Csv, _) => csv::write(contents, files.create(name)?),
            (Kind::ZombieEscape, _) => zombie_escape::write(contents, files.create(name)?),
            (Kind::Ascii, _) => {
                let out = files.create(name)?;
                for (n, content) in contents.iter().enumerate() {
                    if n > 0 {
                        out.write_all(b"\n")?;
                    }
                    ascii::write(content, out)?;
                }
                Ok(())
            }
            (Kind::Tmx, [content]) => tiled::write_map(content, name, false, theme, files),
            (Kind::Tmj, [content]) => tiled::write_map(content, name, true, theme, files),
            (Kind::World, [Content::Tower(tower)]) => tiled::write_world(tower, name, theme, files),
            (Kind::Ldtk, [content]) => ldtk::write(content, name, theme, files),
            (Kind::Dot, [Content::Act(map)]) => Ok(graph::write_dot(map, files.create(name)?)?),
            (Kind::GraphMl, [Content::Act(map)]) => Ok(graph::write_graphml(map, files.create(name)?)?),
            (Kind::Mermaid, [Content::Act(map)]) => Ok(graph::write_mermaid(map, files.create(name)?)?),
            (Kind::MovingAi, [Content::Water(water)]) => {
                Ok(movingai::write_movingai(water, files.create(name)?)?)
            }
            (Kind::OpenFront, [Content::Water(water)]) => {
                openfront::write_openfront(water, files.create(name)?)?;
                let title = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                Ok(openfront::write_manifest(water, title, files.create("manifest.json")?)?)
            }
            (Kind::Png, [Content::Water(water)]) => mask::write_png_mask(water, files.create(name)?),
            (Kind::Pgm, [Content::Water(water)]) => Ok(mask::write_pgm(water, files.create(name)?)?),
            (Kind::Png, [content]) => Ok(files.create(name)?.write_all(&picture_png(content, theme)?)?),
            (Kind::Film, [content]) => {
                let bytes = film::film(content, theme, film::SCALE)?;
                Ok(files.create(name)?.write_all(&bytes)?)
            }
            (Kind::Svg, [content]) => {
                Ok(files.create(name)?.write_all(picture_svg(content, theme).as_bytes())?)
            }
            (_, contents) => match contents.first() {
                Some(content) => Err(self.cannot_hold(content.what())),
                None => Ok(()),
            },
        }
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

fn picture_png(content: &Content, theme: Theme) -> Result<Vec<u8>, FormatError> {
    Ok(match content {
        Content::Act(map) => png(&Scene::of_act(map), theme, 100)?,
        Content::Level(level) => level_png(&LevelScene::of_level(level), theme, 100)?,
        Content::Floor(floor) => png_floors(&FloorScene::of_floor(floor), theme, 100)?,
        Content::Tower(tower) => png_floors(&FloorScene::of_tower(tower), theme, 100)?,
        _ => Vec::new(),
    })
}

fn picture_svg(content: &Content, theme: Theme) -> String {
    match content {
        Content::Act(map) => svg(&Scene::of_act(map), theme),
        Content::Level(level) => level_svg(&LevelScene::of_level(level), theme),
        Content::Floor(floor) => svg_floors(&FloorScene::of_floor(floor), theme),
        Content::Tower(tower) => svg_floors(&FloorScene::of_tower(tower), theme),
        _ => String::new(),
    }
}
