//! Several files as one: the ZIP archive of a folder in memory.

use crate::files::Memory;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::io::{self, Write};

/// The first second that the format knows, 1980-01-01, in seconds since 1970.
const TIME: i64 = 315_532_800;

/// Packs files, in the order of their names. The same files give the same bytes.
///
/// ```
/// use wayforge_formats::{Files, Memory, zip};
/// let mut files = Memory::default();
/// files.create("a.txt")?.write_all(b"hello")?;
/// assert!(zip(&files)?.starts_with(b"PK\x03\x04"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn zip(files: &Memory) -> io::Result<Vec<u8>> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, content) in &files.0 {
        let file = archive.new_file(name).compression_method(CompressionMethod::DEFLATE);
        let file = file.last_modified(UtcDateTime::from_unix(TIME));
        let (mut entry, config) = file.start().map_err(other)?;
        let mut data = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        data.write_all(content)?;
        let (deflater, descriptor) = data.finish().map_err(other)?;
        deflater.finish()?;
        entry.finish(descriptor).map_err(other)?;
    }
    archive.finish().map_err(other)
}

fn other(error: rawzip::Error) -> io::Error {
    io::Error::other(error)
}
