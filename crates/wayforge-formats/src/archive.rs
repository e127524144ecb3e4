//! Several files as one: the ZIP archive of a folder in memory.

use crate::files::Memory;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::{self, Write};

/// What all entries say: version 2.0, names in UTF-8, deflated, the first day that the format knows.
const VERSION: u16 = 20;
const FLAGS: u16 = 0x0800;
const METHOD: u16 = 8;
const TIME: u16 = 0;
const DATE: u16 = 0x0021;

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
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in &files.0 {
        let mut deflater = DeflateEncoder::new(Vec::new(), Compression::default());
        deflater.write_all(content)?;
        let packed = deflater.finish()?;
        let mut crc = flate2::Crc::new();
        crc.update(content);
        // What a local header and the directory say alike.
        let mut said = Vec::new();
        for number in [VERSION, FLAGS, METHOD, TIME, DATE] {
            said.extend_from_slice(&number.to_le_bytes());
        }
        for number in [crc.sum(), small(packed.len())?, small(content.len())?] {
            said.extend_from_slice(&number.to_le_bytes());
        }
        let length = u16::try_from(name.len()).map_err(|_| too_much())?;
        said.extend_from_slice(&length.to_le_bytes());
        said.extend_from_slice(&[0; 2]);
        let at = small(out.len())?;
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&said);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&packed);
        directory.extend_from_slice(b"PK\x01\x02");
        directory.extend_from_slice(&VERSION.to_le_bytes());
        directory.extend_from_slice(&said);
        // No comment, first disk, no attributes.
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&at.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let count = u16::try_from(files.0.len()).map_err(|_| too_much())?;
    let at = small(out.len())?;
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&small(directory.len())?.to_le_bytes());
    out.extend_from_slice(&at.to_le_bytes());
    out.extend_from_slice(&[0; 2]);
    Ok(out)
}

fn small(length: usize) -> io::Result<u32> {
    u32::try_from(length).map_err(|_| too_much())
}

fn too_much() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "more than an archive can hold")
}
