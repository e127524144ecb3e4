//! Where files come from and go to: the crate itself opens none.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The files beside each other in one folder, by their names. Names never hold a separator.
pub trait Files {
    /// Everything in a file, if it has at most `most` bytes.
    fn read(&mut self, name: &str, most: u64) -> io::Result<Vec<u8>>;

    /// Begins a file; what was begun before is complete.
    fn create(&mut self, name: &str) -> io::Result<&mut dyn Write>;
}

/// Files in memory.
///
/// ```
/// use wayforge_formats::{Files, Memory};
/// let mut files = Memory::default();
/// files.create("a.txt")?.write_all(b"hello")?;
/// assert_eq!(files.read("a.txt", 10)?, b"hello");
/// assert!(files.read("a.txt", 4).is_err() && files.read("b.txt", 10).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory(pub BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn read(&mut self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let bytes =
            self.0.get(name).ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))?;
        match bytes.len() as u64 > most {
            true => Err(too_large(most)),
            false => Ok(bytes.clone()),
        }
    }

    fn create(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        let file = self.0.entry(name.to_owned()).or_default();
        file.clear();
        Ok(file)
    }
}

/// The refusal of a file that is larger than its reader allows.
pub fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {most} bytes"))
}

/// The first second that ZIP archives know, 1980-01-01, in seconds since 1970.
const TIME: i64 = 315_532_800;

/// Packs files into a ZIP archive, in the order of their names. The same files give the same bytes.
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
