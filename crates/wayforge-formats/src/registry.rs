//! Table of all formats: suffixes, supported content, readers and writers.

use crate::content::{Content, ContentKind};
use crate::error::{FormatError, reject};
use crate::files::Files;
use crate::imported::ImportedContent;
use crate::{
    animation, ascii, csv, documents, graph, ldtk, mask, movingai, openfront, queries, tiled,
    zombie_escape,
};
use std::io::{self, Write};
use wayforge::act::ActMap;
use wayforge::nav::NavGrid;
use wayforge::{AnyMap, Family};
use wayforge_draw::{AnyScene, Theme, png};

/// Properties of a [`Format`].
#[derive(Debug)]
#[non_exhaustive]
pub struct FormatInfo {
    /// Name.
    pub name: &'static str,
    /// Short description.
    pub description: &'static str,
    /// Label for buttons.
    pub label: &'static str,
    /// Value of `Content-Type`; that of a ZIP archive if a map becomes several files.
    pub content_type: &'static str,
    /// File suffixes, the most common one first.
    pub suffixes: &'static [&'static str],
    /// Kinds of content it can read.
    pub reads: &'static [ContentKind],
    /// Kinds of content it can write.
    pub writes: &'static [ContentKind],
    /// True if one file can contain any number of maps.
    pub allows_many: bool,
    /// True if a map becomes several files, for example with a tileset image.
    pub writes_several_files: bool,
    reader: Option<Reader>,
    writers: &'static [Writer],
}

/// Declares the formats: names, description and label, content type, suffixes, readers and writers.
macro_rules! formats {
    ($($variant:ident: $name:literal, $description:literal, $label:literal, $content_type:expr,
        $suffixes:expr, $($method:ident($($argument:expr),*)),+;)+) => {
        /// A file format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Format { $(#[doc = $description] $variant,)+ }

        impl Format {
            /// All formats in the order in which they are listed.
            pub const ALL: &[Format] = &[$(Format::$variant,)+];

            /// Returns the properties of the format.
            pub const fn info(self) -> &'static FormatInfo {
                static INFOS: &[FormatInfo] = &[$(FormatInfo {
                    name: $name,
                    description: $description,
                    label: $label,
                    content_type: $content_type,
                    suffixes: &$suffixes,
                    reads: &[],
                    writes: &[],
                    allows_many: false,
                    writes_several_files: false,
                    reader: None,
                    writers: &[],
                }$(.$method($($argument),*))+,)+];
                &INFOS[self as usize]
            }
        }
    };
}

/// A file to read and its folder.
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) name: &'a str,
    pub(crate) hint: Option<ContentKind>,
    pub(crate) files: &'a mut dyn Files,
}

/// A file to write and its folder.
pub(crate) struct Target<'a> {
    pub(crate) name: &'a str,
    pub(crate) theme: Theme,
    pub(crate) files: &'a mut dyn Files,
}

type Reader = fn(Source<'_>) -> Result<Vec<ImportedContent>, FormatError>;

/// Function that writes content. The variants differ in the content that they accept.
#[derive(Clone, Copy, Debug)]
enum Writer {
    /// Writes any number of contents to one file.
    Many(fn(&[Content], &mut dyn Write) -> Result<(), FormatError>),
    /// Writes one act map.
    Act(fn(&ActMap, &mut dyn Write) -> io::Result<()>),
    /// Writes one navigation grid.
    NavGrid(fn(&NavGrid, &mut dyn Write) -> Result<(), FormatError>),
    /// Renders one map as an image.
    Image(fn(&AnyMap, Theme) -> Result<Vec<u8>, FormatError>),
    /// Writes one map to several files.
    Files(fn(&Content, Target<'_>) -> Result<(), FormatError>),
}

/// Editors of grids. Their maps are written to one file with a tileset image.
#[derive(Clone, Copy)]
enum Editor {
    Tiled,
    Ldtk,
}

impl Editor {
    /// Returns true if a file of the editor can contain a map of the family. Exhaustive, so that
    /// a new family is not left out by mistake.
    const fn supports(self, family: Family) -> bool {
        match (self, family) {
            (_, Family::Level | Family::Floor) | (Editor::Ldtk, Family::Tower) => true,
            (_, Family::Act) | (Editor::Tiled, Family::Tower) => false,
        }
    }

    const fn family_count(self) -> usize {
        let (mut count, mut index) = (0, 0);
        while index < FAMILIES {
            count += self.supports(Family::ALL[index]) as usize;
            index += 1;
        }
        count
    }

    /// Returns the kinds of the supported families followed by `more`. `N` must be the total
    /// number.
    const fn kinds<const N: usize>(self, more: &[ContentKind]) -> [ContentKind; N] {
        let mut all = [ContentKind::Queries; N];
        let (mut len, mut index) = (0, 0);
        while index < FAMILIES {
            if self.supports(Family::ALL[index]) {
                all[len] = ContentKind::Map(Family::ALL[index]);
                len += 1;
            }
            index += 1;
        }
        let families = len;
        while len < N {
            all[len] = more[len - families];
            len += 1;
        }
        all
    }
}

/// Maximum size of an input file in bytes.
pub const MAX_BYTES: u64 = 257 * 1024 * 1024;

const FAMILIES: usize = Family::ALL.len();
const GRIDS: &[ContentKind] = &Editor::Tiled.kinds::<{ Editor::Tiled.family_count() + 3 }>(&[
    ContentKind::Blueprint,
    ContentKind::Template,
    ContentKind::NavGrid,
]);
const DOCUMENTS: &[ContentKind] =
    &ContentKind::families_and::<{ FAMILIES + 1 }>(&[ContentKind::Template]);
const IMAGES: &[ContentKind] = &ContentKind::families_and::<FAMILIES>(&[]);
const PNGS: &[ContentKind] =
    &ContentKind::families_and::<{ FAMILIES + 1 }>(&[ContentKind::NavGrid]);
const CSV_ROWS: &[ContentKind] =
    &ContentKind::families_and::<{ FAMILIES + 2 }>(&[ContentKind::NavGrid, ContentKind::Queries]);
const LDTK_LEVELS: &[ContentKind] = &Editor::Ldtk
    .kinds::<{ Editor::Ldtk.family_count() + 2 }>(&[ContentKind::Blueprint, ContentKind::NavGrid]);
const TEXTS: &[ContentKind] =
    &[ContentKind::Blueprint, ContentKind::Template, ContentKind::NavGrid];
const ACT: &[ContentKind] = &[ContentKind::Map(Family::Act)];
const NAV_GRID: &[ContentKind] = &[ContentKind::NavGrid];
const TOWER: &[ContentKind] = &[ContentKind::Map(Family::Tower)];

/// Content type of formats with several files.
const ZIP: &str = "application/zip";

formats! {
    Document: "document", "Wayforge documents, one per line", "JSON", "application/json",
        ["json", "jsonl"], reads(DOCUMENTS, |from| documents::read(from.bytes)),
        writes(DOCUMENTS, &[Writer::Many(documents::write)]);
    Svg: "svg", "images of maps", "SVG", "image/svg+xml", ["svg"],
        writes(IMAGES, &[Writer::Image(|map, theme| {
            Ok(AnyScene::from_map(map).svg(theme).into_bytes())
        })]);
    Png: "png", "images of maps; grids as a mask, one pixel per tile", "PNG", "image/png", ["png"],
        reads(NAV_GRID, |from| single(Content::NavGrid(mask::read_png_mask(from.bytes)?))),
        writes(PNGS, &[
            Writer::Image(|map, theme| Ok(png(&AnyScene::from_map(map), theme, 100)?)),
            Writer::NavGrid(mask::write_png_mask),
        ]);
    Ascii: "ascii", "plain text", "Text", "text/plain; charset=utf-8", ["txt"],
        reads(TEXTS, |from| single(ascii::read(&from)?)),
        writes(&ContentKind::ALL, &[Writer::Many(ascii::write)]);
    Apng: "apng", "animated PNG of the generation", "Animation", "image/apng", ["apng"],
        writes(IMAGES, &[Writer::Image(|map, theme| {
            animation::animation(map, theme, animation::DEFAULT_SCALE)
        })]);
    Dot: "dot", "Graphviz", "DOT", "text/vnd.graphviz; charset=utf-8", ["dot", "gv"],
        writes(ACT, &[Writer::Act(graph::write_dot)]);
    GraphMl: "graphml", "graph as XML", "GraphML", "application/graphml+xml", ["graphml"],
        writes(ACT, &[Writer::Act(graph::write_graphml)]);
    Mermaid: "mermaid", "Mermaid flowchart", "Mermaid", "text/vnd.mermaid; charset=utf-8",
        ["mmd", "mermaid"], writes(ACT, &[Writer::Act(graph::write_mermaid)]);
    Csv: "csv", "metrics, one row per map", "CSV", "text/csv; charset=utf-8", ["csv"],
        writes(CSV_ROWS, &[Writer::Many(csv::write)]);
    Tmx: "tmx", "Tiled 1.8 as XML, with a tileset image", "Tiled TMX", ZIP, ["tmx"],
        reads(GRIDS, |from| Ok(vec![tiled::read_map(from.bytes, false, from.files)?])),
        writes(GRIDS, &[Writer::Files(|map, to| tiled::write_map(map, false, to))]);
    Tmj: "tmj", "Tiled 1.8 as JSON, with a tileset image", "Tiled TMJ", ZIP, ["tmj"],
        reads(GRIDS, |from| Ok(vec![tiled::read_map(from.bytes, true, from.files)?])),
        writes(GRIDS, &[Writer::Files(|map, to| tiled::write_map(map, true, to))]);
    World: "world", "Tiled world, with a .tmx file per floor", "Tiled world", ZIP, ["world"],
        reads(TOWER, |from| Ok(vec![tiled::read_world(from.bytes, from.files)?])),
        writes(TOWER, &[Writer::Files(tiled::write_world)]);
    Ldtk: "ldtk", "LDtk 1.5", "LDtk", ZIP, ["ldtk"],
        writes(LDTK_LEVELS, &[Writer::Files(ldtk::write)]);
    OpenFront: "openfront", "OpenFront map.bin, with manifest.json", "OpenFront", ZIP, ["bin"],
        reads(NAV_GRID, |from| single(openfront::read(from)?)),
        writes(NAV_GRID, &[Writer::Files(openfront::write)]);
    MovingAi: "movingai", "Moving AI maps", "Moving AI", "application/octet-stream", ["map"],
        reads(NAV_GRID, |from| single(Content::NavGrid(movingai::read_movingai(from.bytes)?))),
        writes(NAV_GRID, &[Writer::NavGrid(movingai::write_movingai)]);
    Scen: "scen", "Moving AI scenarios", "Scenarios", "application/octet-stream", ["scen"],
        reads(&[ContentKind::Queries], |from| single(queries::read_scenarios(&from)?));
    Pgm: "pgm", "mask, one pixel per tile", "PGM", "image/x-portable-graymap", ["pgm"],
        reads(NAV_GRID, |from| single(Content::NavGrid(mask::read_pgm(from.bytes)?))),
        writes(NAV_GRID, &[Writer::NavGrid(|grid, out| Ok(mask::write_pgm(grid, out)?))]);
    ZombieEscape: "zombie-escape", "blueprints for the game Zombie Escape, one per line",
        "Zombie Escape", "application/vnd.zombie-escape+json", ["zombie"],
        writes(&[ContentKind::Map(Family::Level)], &[Writer::Many(zombie_escape::write)]);
}

/// Options of reading a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Kind of content of a text file, if it cannot be detected from the characters.
    pub hint: Option<ContentKind>,
}

impl Format {
    /// Returns the format of a file name by its suffix.
    ///
    /// # Errors
    /// [`FormatError::Invalid`] lists the known suffixes.
    ///
    /// # Examples
    /// ```
    /// use wayforge_formats::Format;
    /// assert_eq!(Format::from_file_name("act.gv")?, Format::Dot);
    /// let error = Format::from_file_name("act.doc").unwrap_err().to_string();
    /// assert!(error.starts_with("suffix = act.doc: unknown suffix; use .json .jsonl .svg .png"));
    /// # Ok::<(), wayforge_formats::FormatError>(())
    /// ```
    pub fn from_file_name(name: &str) -> Result<Format, FormatError> {
        let suffix = name.rsplit_once('.').map_or("", |(_, suffix)| suffix).to_ascii_lowercase();
        let mut formats = Format::ALL.iter().copied();
        let format = formats.find(|format| format.info().suffixes.contains(&suffix.as_str()));
        format.ok_or_else(|| {
            let all = Format::ALL.iter().flat_map(|format| format.info().suffixes);
            let suffixes: Vec<String> = all.map(|suffix| format!(".{suffix}")).collect();
            reject("suffix", name, "unknown suffix", format!("use {}", suffixes.join(" ")))
        })
    }

    /// Reads all contents of a file. `files` is the folder that contains the file `name`.
    ///
    /// The content is checked strictly, and memory is bounded by the size of the file. An edited
    /// map is returned as drawn; see [`ImportedContent::is_edited`].
    ///
    /// # Errors
    /// [`FormatError`] if the format is write-only, or the file cannot be read or is invalid.
    ///
    /// # Examples
    /// ```
    /// use wayforge_formats::{Content, Files, Format, MemoryFiles, ReadOptions};
    /// let mut files = MemoryFiles::default();
    /// files.create("grid.txt")?.write_all(b"..#\n...\n")?;
    /// let txt = Format::from_file_name("grid.txt")?;
    /// let contents = txt.read("grid.txt", &mut files, ReadOptions::default())?;
    /// assert!(matches!(&contents[0].content, Content::NavGrid(grid) if grid.open_count() == 5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(
        self,
        name: &str,
        files: &mut dyn Files,
        options: ReadOptions,
    ) -> Result<Vec<ImportedContent>, FormatError> {
        let Some(read) = self.info().reader else {
            let remedy = format!("read one of {}", names_of(|format| format.reader.is_some()));
            return Err(reject("format", self.info().name, "write-only", remedy));
        };
        let bytes = files.read(name, MAX_BYTES)?;
        read(Source { bytes: &bytes, name, hint: options.hint, files })
    }

    /// Writes contents to the file `name` in `files`, with its companion files such as tileset
    /// images.
    ///
    /// # Errors
    /// [`FormatError::UnsupportedContent`] if the format does not support a kind of content,
    /// [`FormatError::Invalid`] if it supports only one map per file, and errors of `files`.
    ///
    /// # Examples
    /// ```
    /// use wayforge::act;
    /// use wayforge_formats::{Format, MemoryFiles};
    /// use wayforge_draw::Theme;
    /// let map = act::generate(7.into(), &act::Config::default().resolve()?)?;
    /// let mut files = MemoryFiles::default();
    /// let dot = Format::from_file_name("act.dot")?;
    /// dot.write(&[map.clone().into()], "act.dot", Theme::Parchment, &mut files)?;
    /// assert!(files.0["act.dot"].starts_with(b"digraph"));
    /// let tmx = Format::from_file_name("act.tmx")?;
    /// let error = tmx.write(&[map.into()], "act.tmx", Theme::Parchment, &mut files).unwrap_err();
    /// assert!(error.to_string().starts_with("tmx does not support act; it supports level,"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(
        self,
        contents: &[Content],
        name: &str,
        theme: Theme,
        files: &mut dyn Files,
    ) -> Result<(), FormatError> {
        if let Some(other) =
            contents.iter().map(Content::kind).find(|kind| !self.info().writes.contains(kind))
        {
            return Err(self.unsupported_content(other));
        }
        for writer in self.info().writers {
            match (writer, contents) {
                (Writer::Many(write), _) => return write(contents, files.create(name)?),
                (Writer::Act(write), [Content::Map(AnyMap::Act(map))]) => {
                    return Ok(write(map, files.create(name)?)?);
                }
                (Writer::NavGrid(write), [Content::NavGrid(grid)]) => {
                    return write(grid, files.create(name)?);
                }
                (Writer::Image(draw), [Content::Map(map)]) => {
                    return Ok(files.create(name)?.write_all(&draw(map, theme)?)?);
                }
                (Writer::Files(write), [content]) => {
                    return write(content, Target { name, theme, files });
                }
                _ => {}
            }
        }
        let remedy = "convert one map, or write .jsonl, .csv or .txt";
        let count = format!("{} maps", contents.len());
        Err(reject(self.info().name, count, "only one map per file", remedy))
    }

    fn unsupported_content(self, kind: ContentKind) -> FormatError {
        let FormatInfo { name: format, writes, .. } = *self.info();
        let supported: Vec<&str> = writes.iter().map(|kind| kind.name()).collect();
        let or_nothing = |list: String| if list.is_empty() { "nothing".to_owned() } else { list };
        FormatError::UnsupportedContent {
            format,
            kind,
            supported: or_nothing(supported.join(", ")),
            others: or_nothing(names_of(|format| format.writes.contains(&kind))),
        }
    }
}

/// Returns the names of the formats with a property, separated by commas.
fn names_of(has_property: impl Fn(&FormatInfo) -> bool) -> String {
    let infos = Format::ALL.iter().map(|format| format.info());
    infos.filter(|info| has_property(info)).map(|info| info.name).collect::<Vec<_>>().join(", ")
}

impl FormatInfo {
    const fn reads(self, reads: &'static [ContentKind], reader: Reader) -> FormatInfo {
        FormatInfo { reads, reader: Some(reader), ..self }
    }

    const fn writes(
        self,
        writes: &'static [ContentKind],
        writers: &'static [Writer],
    ) -> FormatInfo {
        let allows_many = matches!(writers, [Writer::Many(_)]);
        let writes_several_files = matches!(writers, [Writer::Files(_)]);
        FormatInfo { writes, writers, allows_many, writes_several_files, ..self }
    }
}

/// Wraps the only content of a file.
fn single(content: Content) -> Result<Vec<ImportedContent>, FormatError> {
    Ok(vec![ImportedContent::new(content)])
}
