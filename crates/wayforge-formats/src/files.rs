//! File access through a trait. The crate itself opens no files.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Files of one folder, by name. Names contain no path separators.
pub trait Files {
    /// Reads a whole file of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// Errors of the file system, and [`file_too_large`] if the file is larger.
    fn read(&mut self, name: &str, max_bytes: u64) -> io::Result<Vec<u8>>;

    /// Creates or truncates a file. The previously created file is complete at this point.
    ///
    /// # Errors
    /// Errors of the file system.
    fn create(&mut self, name: &str) -> io::Result<&mut dyn Write>;
}

/// Files in memory.
///
/// # Examples
/// ```
/// use wayforge_formats::{Files, MemoryFiles};
/// let mut files = MemoryFiles::default();
/// files.create("a.txt")?.write_all(b"hello")?;
/// assert_eq!(files.read("a.txt", 10)?, b"hello");
/// assert!(files.read("a.txt", 4).is_err() && files.read("b.txt", 10).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(pub BTreeMap<String, Vec<u8>>);

impl Files for MemoryFiles {
    fn read(&mut self, name: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        let bytes = self
            .0
            .get(name)
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))?;
        if bytes.len() as u64 > max_bytes {
            Err(file_too_large(max_bytes))
        } else {
            Ok(bytes.clone())
        }
    }

    fn create(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        let file = self.0.entry(name.to_owned()).or_default();
        file.clear();
        Ok(file)
    }
}

/// Returns the error for a file that is larger than its reader allows.
pub fn file_too_large(max_bytes: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {max_bytes} bytes"))
}

/// Earliest timestamp of ZIP archives, 1980-01-01, in seconds since 1970.
const TIMESTAMP: i64 = 315_532_800;

/// Packs files into a ZIP archive, sorted by name. Equal files give equal bytes.
///
/// # Errors
/// [`io::Error`] if a ZIP archive cannot represent a name or size.
///
/// # Examples
/// ```
/// use wayforge_formats::{Files, MemoryFiles, zip};
/// let mut files = MemoryFiles::default();
/// files.create("a.txt")?.write_all(b"hello")?;
/// assert!(zip(&files)?.starts_with(b"PK\x03\x04"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn zip(files: &MemoryFiles) -> io::Result<Vec<u8>> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, content) in &files.0 {
        let file = archive.new_file(name).compression_method(CompressionMethod::DEFLATE);
        let file = file.last_modified(UtcDateTime::from_unix(TIMESTAMP));
        let (mut entry, config) = file.start().map_err(zip_error)?;
        let mut data = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        data.write_all(content)?;
        let (deflater, descriptor) = data.finish().map_err(zip_error)?;
        deflater.finish()?;
        entry.finish(descriptor).map_err(zip_error)?;
    }
    archive.finish().map_err(zip_error)
}

fn zip_error(error: rawzip::Error) -> io::Error {
    io::Error::other(error)
}
