//! Shared code of the fuzz targets: reads files through the format registry and regenerates maps.

use wayforge_formats::{Format, MemoryFiles, PinMode, ReadOptions};

/// Reads a single file.
pub fn read(name: &str, bytes: &[u8]) {
    read_files(name, &[(name, bytes)]);
}

/// Reads a file that refers to other files.
pub fn read_files(name: &str, files: &[(&str, &[u8])]) {
    let mut memory = MemoryFiles(
        files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect(),
    );
    let Ok(format) = Format::from_file_name(name) else { return };
    let Ok(contents) = format.read(name, &mut memory, ReadOptions::default()) else { return };
    for content in contents {
        let _ = content.is_edited();
        // Small maps only: generating large ones is too slow for a fuzzer.
        if content.has_pins() && files.iter().map(|file| file.1.len()).sum::<usize>() < 20_000 {
            let _ = content.regenerate(PinMode::Marked);
        }
    }
}
