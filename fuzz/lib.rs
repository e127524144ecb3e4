//! What fuzz targets share: reading bytes through the table of formats, and making again what can be made again.

use wayforge_formats::{Format, Memory, Pinning, ReadOptions};

/// Reads one file.
pub fn read(name: &str, bytes: &[u8]) {
    read_files(name, &[(name, bytes)]);
}

/// Reads a file that stands beside others.
pub fn read_files(name: &str, files: &[(&str, &[u8])]) {
    let mut memory = Memory(files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect());
    let Ok(format) = Format::of(name) else { return };
    let Ok(readings) = format.read(name, &mut memory, ReadOptions::default()) else { return };
    for reading in readings {
        let _ = reading.is_edited();
        // Small maps only: making large ones takes longer than a fuzzer has patience.
        if reading.has_pins() && files.iter().map(|file| file.1.len()).sum::<usize>() < 20_000 {
            let _ = reading.regenerate(Pinning::Marked);
        }
    }
}
