//! Golden files: expected output as files that open in a viewer or browser.
//!
//! Texts must be equal, because every writer of text is deterministic. Pictures may differ a little
//! (see [`Golden::compare_picture`]), so that invisible changes, for example by a new rasteriser
//! version, rewrite no binary files. A test that also promises exact bytes pins their digests
//! in a text file.
//!
//! The environment variable `WAYFORGE_REFRESH` updates the files; `scripts/refresh` sets it:
//! - unset: differences fail the test;
//! - `1`: creates missing files; differences from existing files still fail the test;
//! - `overwrite`: also replaces files that differ, deletes unused ones, and prints their names.
//!
//! The actual output of a failed comparison is written to `target/golden-diff`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

/// Largest tolerated difference of a colour channel, of 255.
const CHANNEL_TOLERANCE: u8 = 8;
/// One pixel per this many may differ by more than [`CHANNEL_TOLERANCE`].
const PIXELS_PER_DIFFERENCE: usize = 10_000;

/// A folder of golden files and the comparisons with it.
pub struct Golden {
    folder: PathBuf,
    /// Folder for the actual output of failed comparisons.
    output: PathBuf,
    refresh: Refresh,
    /// Names of the compared files.
    compared: BTreeSet<String>,
    failures: Vec<String>,
}

/// What happens to files that are missing or different.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Refresh {
    Nothing,
    CreateMissing,
    Overwrite,
}

impl Golden {
    /// Opens a folder, given relative to the root of the repository.
    pub fn open(folder: &str) -> Golden {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a parent folder");
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        let refresh = match std::env::var("WAYFORGE_REFRESH").as_deref() {
            Err(_) => Refresh::Nothing,
            Ok("overwrite") => Refresh::Overwrite,
            Ok(_) => Refresh::CreateMissing,
        };
        let output = root.join(target).join("golden-diff").join(folder);
        Golden::new(root.join(folder), output, refresh)
    }

    fn new(folder: PathBuf, output: PathBuf, refresh: Refresh) -> Golden {
        // The output of an earlier run would be misleading.
        let _ = fs::remove_dir_all(&output);
        let (compared, failures) = (BTreeSet::new(), Vec::new());
        Golden { folder, output, refresh, compared, failures }
    }

    /// Compares a text with a file exactly.
    pub fn compare_text(&mut self, name: &str, text: &str) {
        let Some(expected) = self.read_or_create(name, text.as_bytes()) else { return };
        if expected == text.as_bytes() {
            return;
        }
        if self.refresh == Refresh::Overwrite {
            return self.replace(name, text.as_bytes());
        }
        let actual = self.write_output(name, text.as_bytes());
        let difference = first_difference(&String::from_utf8_lossy(&expected), text);
        self.failures.push(format!("{name}: {difference}\n  actual: {}", actual.display()));
    }

    /// Compares a PNG file, animated or not, with a file.
    ///
    /// Sizes and numbers of frames must be equal. In every frame, one pixel per 10,000 may differ
    /// by more than 8 in a colour channel. On failure, a picture shows the expected frame, the
    /// actual frame and, in red, the pixels that differ.
    pub fn compare_picture(&mut self, name: &str, png: &[u8]) {
        let Some(expected) = self.read_or_create(name, png) else { return };
        let (expected, actual) = (Picture::decode(&expected), Picture::decode(png));
        let Some((difference, frame)) = expected.difference(&actual) else { return };
        if self.refresh == Refresh::Overwrite {
            return self.replace(name, png);
        }
        let path = self.write_output(name, png);
        let panels = expected.side_by_side(&actual, frame);
        let diff = self.write_output(&name.replace(".png", ".diff.png"), &panels);
        let (path, diff) = (path.display(), diff.display());
        self.failures.push(format!("{name}: {difference}\n  actual: {path}\n  diff: {diff}"));
    }

    /// Ends the comparisons.
    ///
    /// # Panics
    /// A compared file differs or is missing, or a file in the folder was not compared.
    pub fn finish(mut self) {
        for name in files(&self.folder, "").difference(&self.compared) {
            if self.refresh == Refresh::Overwrite {
                fs::remove_file(self.folder.join(name)).expect("golden files are writable");
                self.print("deleted", name);
            } else {
                self.failures.push(format!("{name}: no test writes this file"));
            }
        }
        if self.failures.is_empty() {
            return;
        }
        let (count, folder) = (self.failures.len(), self.folder.display());
        let list = self.failures.join("\n");
        panic!(
            "{count} golden files in {folder} are not as expected:\n{list}\n\
             If the changes are intended, look at the files and accept them by `scripts/refresh` \
             (new files) or `scripts/refresh --overwrite`."
        );
    }

    /// Returns the content of a file; `None` if it is missing, which creates it or fails.
    fn read_or_create(&mut self, name: &str, content: &[u8]) -> Option<Vec<u8>> {
        assert!(self.compared.insert(name.to_owned()), "{name} is compared twice");
        let path = self.folder.join(name);
        if let Ok(expected) = fs::read(&path) {
            return Some(expected);
        }
        if self.refresh == Refresh::Nothing {
            let actual = self.write_output(name, content);
            self.failures.push(format!("{name}: missing\n  actual: {}", actual.display()));
        } else {
            write(&path, content);
            self.print("created", name);
        }
        None
    }

    fn replace(&self, name: &str, content: &[u8]) {
        write(&self.folder.join(name), content);
        self.print("replaced", name);
    }

    /// Prints a change to standard error directly, because tests capture what macros print.
    fn print(&self, change: &str, name: &str) {
        let path = self.folder.join(name);
        let _ = writeln!(std::io::stderr(), "{change} {}", path.display());
    }

    fn write_output(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.output.join(name);
        write(&path, content);
        path
    }
}

/// A decoded PNG file.
pub struct Picture {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Frames as a viewer shows them, as RGBA pixels row by row; one if the file is not animated.
    pub frames: Vec<Vec<[u8; 4]>>,
}

impl Picture {
    /// Decodes a PNG file with 8 bits per channel.
    ///
    /// # Panics
    /// The file is malformed or has another format.
    pub fn decode(png: &[u8]) -> Picture {
        let mut decoder = png::Decoder::new(Cursor::new(png));
        decoder.set_transformations(png::Transformations::ALPHA);
        let mut reader = decoder.read_info().expect("a PNG file");
        let count = reader.info().animation_control().map_or(1, |control| control.num_frames);
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let mut canvas = vec![[0; 4]; width * height];
        let mut frames = Vec::new();
        let mut bytes = vec![0; reader.output_buffer_size().expect("a small picture")];
        for _ in 0..count {
            let info = reader.next_frame(&mut bytes).expect("a complete PNG file");
            let format = (info.color_type, info.bit_depth);
            assert_eq!(format, (png::ColorType::Rgba, png::BitDepth::Eight));
            let control = reader.info().frame_control();
            let is_overlay = control.is_some_and(|part| part.blend_op == png::BlendOp::Over);
            let (left, top) = control.map_or((0, 0), |part| (part.x_offset, part.y_offset));
            for y in 0..info.height as usize {
                let row = &bytes[y * info.line_size..][..4 * info.width as usize];
                let start = (top as usize + y) * width + left as usize;
                for (pixel, new) in canvas[start..].iter_mut().zip(row.as_chunks::<4>().0) {
                    // Wayforge's overlays are either opaque or fully transparent.
                    if !is_overlay || new[3] > 0 {
                        *pixel = *new;
                    }
                }
            }
            frames.push(canvas.clone());
        }
        Picture { width, height, frames }
    }

    /// Describes the difference and returns the frame that differs most, unless the difference is
    /// tolerated.
    fn difference(&self, actual: &Picture) -> Option<(String, usize)> {
        let describe = |picture: &Picture| {
            let Picture { width, height, frames } = picture;
            format!("{width} x {height} pixels, {} frames", frames.len())
        };
        let (expected, found) = (describe(self), describe(actual));
        if expected != found {
            return Some((format!("expected {expected}; got {found}"), 0));
        }
        let frames = self.frames.iter().zip(&actual.frames);
        let counts = frames.map(|(a, b)| a.iter().zip(b).filter(|(a, b)| differs(a, b)).count());
        let (frame, count) = counts.enumerate().max_by_key(|&(_, count)| count)?;
        let (pixels, frames) = (self.width * self.height, self.frames.len());
        let limit = pixels / PIXELS_PER_DIFFERENCE;
        (count > limit).then(|| {
            let number = frame + 1;
            let place =
                if frames > 1 { format!(" of frame {number} of {frames}") } else { String::new() };
            (format!("{count} of {pixels} pixels{place} differ; at most {limit} may"), frame)
        })
    }

    /// Returns a PNG file with the expected frame, the actual frame and their difference.
    fn side_by_side(&self, actual: &Picture, frame: usize) -> Vec<u8> {
        const GAP: usize = 8;
        let (width, height) = (self.width.max(actual.width), self.height.max(actual.height));
        let pixel = |picture: &Picture, x: usize, y: usize| {
            let is_inside = x < picture.width && y < picture.height;
            is_inside.then(|| picture.frames[frame][y * picture.width + x])
        };
        let mut bytes = Vec::with_capacity(3 * (3 * width + 2 * GAP) * height);
        for y in 0..height {
            for column in 0..3 * width + 2 * GAP {
                let (panel, x) = (column / (width + GAP), column % (width + GAP));
                let (a, b) = (pixel(self, x, y), pixel(actual, x, y));
                let shown = match panel {
                    0 => a.map(over_white),
                    1 => b.map(over_white),
                    _ if x >= width => None,
                    _ => match (a, b) {
                        (Some(a), Some(b)) if !differs(&a, &b) => Some(faded(over_white(b))),
                        (None, None) => None,
                        _ => Some([230, 0, 40]),
                    },
                };
                bytes.extend(shown.unwrap_or([128; 3]));
            }
        }
        let mut png = Vec::new();
        let (width, height) = (3 * width + 2 * GAP, height);
        let mut encoder = png::Encoder::new(&mut png, width as u32, height as u32);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header().expect("a valid header");
        writer.write_image_data(&bytes).expect("as many pixels as in the header");
        writer.finish().expect("a complete picture");
        png
    }
}

/// Returns whether two pixels differ by more than the tolerance.
fn differs(a: &[u8; 4], b: &[u8; 4]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > CHANNEL_TOLERANCE)
}

/// Blends a pixel over white.
fn over_white([r, g, b, alpha]: [u8; 4]) -> [u8; 3] {
    let blend = |channel: u8| {
        let (channel, alpha) = (u16::from(channel), u16::from(alpha));
        ((channel * alpha + 255 * (255 - alpha)) / 255) as u8
    };
    [r, g, b].map(blend)
}

/// Returns a light grey of the brightness of a pixel.
fn faded(pixel: [u8; 3]) -> [u8; 3] {
    let sum: u16 = pixel.into_iter().map(u16::from).sum();
    [170 + (sum / 9) as u8; 3]
}

/// Returns the names of all files in a folder and below, which `prefix` starts.
fn files(folder: &Path, prefix: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.flat_map(|entry| {
        let name = format!("{prefix}{}", entry.file_name().display());
        let path = entry.path();
        if path.is_dir() { files(&path, &format!("{name}/")) } else { BTreeSet::from([name]) }
    });
    names.collect()
}

fn write(path: &Path, content: &[u8]) {
    let folder = path.parent().expect("a file in a folder");
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, content));
    written.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Describes the first line that differs.
fn first_difference(expected: &str, actual: &str) -> String {
    let (mut lines, mut others) = (expected.lines(), actual.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (lines.next(), others.next()) {
            (None, None) => return "line endings differ".to_owned(),
            (a, b) if a == b => {}
            (a, b) => {
                let [a, b] = [a, b].map(|line| line.unwrap_or("(end of file)"));
                let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
                let [a, b] = [a, b].map(|line| excerpt(line, same));
                return format!("line {number} differs\n  - {a}\n  + {b}");
            }
        }
    }
}

/// Returns at most 100 characters around a character of a line.
fn excerpt(line: &str, at: usize) -> String {
    const BEFORE: usize = 40;
    let start = at.saturating_sub(BEFORE);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let shown: String = line.chars().skip(start).take(100).collect();
    let is_cut = line.chars().count() > start + 100;
    // Escape sequences of terminals would act instead of being shown.
    format!("{}{}{}", cut(start > 0), shown.replace('\x1b', "␛"), cut(is_cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grey picture of 100 x 100 pixels, with one brightness for each pixel in `changed`.
    fn picture(changed: &[u8]) -> Vec<u8> {
        let mut bytes = vec![100; 100 * 100];
        bytes[4950..4950 + changed.len()].copy_from_slice(changed);
        let mut png = Vec::new();
        let mut encoder = png::Encoder::new(&mut png, 100, 100);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette((0..=255).flat_map(|grey| [grey; 3]).collect::<Vec<u8>>());
        encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
        png
    }

    /// Compares a picture and a text in a folder; returns the message of the failure, if any.
    fn compare(folder: &Path, refresh: Refresh, png: &[u8], text: &str) -> Option<String> {
        let mut golden = Golden::new(folder.join("golden"), folder.join("output"), refresh);
        golden.compare_picture("sub/picture.png", png);
        golden.compare_text("text.txt", text);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| golden.finish()));
        result.err().map(|message| *message.downcast::<String>().unwrap())
    }

    #[test]
    fn refreshing_creates_missing_files_and_overwrites_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| fs::read(folder.path().join(name)).ok();
        let compare = |refresh, png: &[u8], text| compare(folder.path(), refresh, png, text);
        let (old, new) = (picture(&[]), picture(&[0, 0]));
        let missing = compare(Refresh::Nothing, &old, "a").unwrap();
        assert!(missing.contains("sub/picture.png: missing") && missing.starts_with("2 golden"));
        assert_eq!(compare(Refresh::CreateMissing, &old, "a"), None);
        assert_eq!(compare(Refresh::Nothing, &old, "a"), None);
        for refresh in [Refresh::Nothing, Refresh::CreateMissing] {
            let different = compare(refresh, &new, "b").unwrap();
            assert!(different.contains("2 of 10000 pixels differ; at most 1 may"), "{different}");
            assert!(different.contains("text.txt: line 1 differs\n  - a\n  + b"), "{different}");
            assert_eq!(file("golden/sub/picture.png").unwrap(), old);
            assert_eq!(file("output/sub/picture.png").unwrap(), new);
            let diff = Picture::decode(&file("output/sub/picture.diff.png").unwrap());
            assert_eq!((diff.width, diff.height), (316, 100));
            let red = |pixel: &&[u8; 4]| **pixel == [230, 0, 40, 255];
            assert_eq!(diff.frames[0].iter().filter(red).count(), 2);
        }
        fs::write(folder.path().join("golden/unused.txt"), "").unwrap();
        let unused = compare(Refresh::Nothing, &old, "a").unwrap();
        assert!(unused.contains("unused.txt: no test writes this file"), "{unused}");
        assert_eq!(compare(Refresh::Overwrite, &new, "b"), None);
        assert_eq!(file("golden/unused.txt"), None);
        assert_eq!(compare(Refresh::Nothing, &new, "b"), None);
        assert_eq!(file("output/sub/picture.png"), None);
    }

    #[test]
    fn invisible_differences_of_pictures_are_tolerated() {
        let folder = tempfile::tempdir().unwrap();
        let compare = |png: &[u8]| compare(folder.path(), Refresh::CreateMissing, png, "a");
        assert_eq!(compare(&picture(&[])), None);
        assert_eq!(compare(&picture(&[108, 92, 108])), None);
        assert_eq!(compare(&picture(&[255])), None);
        assert!(compare(&picture(&[109, 91])).is_some());
    }

    #[test]
    fn text_differences_show_the_changed_part_of_a_line() {
        let long = |word: &str| format!("same\n{}{word}{}", "x".repeat(500), "y".repeat(500));
        let difference = first_difference(&long("\x1b[1m"), &long("new"));
        let (before, after) = ("x".repeat(40), "y".repeat(56));
        let expected =
            format!("line 2 differs\n  - …{before}␛[1m{after}…\n  + …{before}new{after}y…");
        assert_eq!(difference, expected);
        assert_eq!(first_difference("a\n", "a"), "line endings differ");
        assert_eq!(first_difference("a", "a\nb"), "line 2 differs\n  - (end of file)\n  + b");
    }
}
