//! Pictures as masks: light pixels are open (water), dark ones are closed (land), and so is what cannot be seen.

use crate::ascii::write_rows;
use crate::error::{FormatError, reject};
use std::io::{Cursor, Write};
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::Water;

/// Reads a PNG of one pixel a tile, row by row. Its size is checked before anything is set aside for it.
///
/// ```
/// use wayforge::nav::Water;
/// let water = Water::from_text("..#\n#..")?;
/// let mut bytes = Vec::new();
/// wayforge_formats::write_png_mask(&water, &mut bytes)?;
/// assert_eq!(wayforge_formats::read_png_mask(&bytes)?, water);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_png_mask(bytes: &[u8]) -> Result<Water, FormatError> {
    let wrong = |error: png::DecodingError| reject("png", "picture", error.to_string(), "give a PNG file");
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: 64 << 20 });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(wrong)?;
    let info = reader.info();
    let size = checked_size(info.width.into(), info.height.into())?;
    if info.interlaced {
        return Err(reject("png", "interlaced", "not read here", "save it without interlacing"));
    }
    let (samples, alpha) = match reader.output_color_type().0 {
        png::ColorType::Grayscale => (1, false),
        png::ColorType::GrayscaleAlpha => (2, true),
        png::ColorType::Rgb => (3, false),
        png::ColorType::Rgba => (4, true),
        png::ColorType::Indexed => return Err(reject("png", "palette", "not read here", "save it as RGB")),
    };
    let mut open = BitGrid::new(size);
    for y in 0..size.height {
        let row = reader.next_row().map_err(wrong)?;
        let row = row.ok_or_else(|| reject("png", format!("row {y}"), "missing", "give a whole picture"))?;
        for (x, pixel) in (0..size.width).zip(row.data().chunks_exact(samples)) {
            let (light, seen) =
                if alpha { (&pixel[..samples - 1], pixel[samples - 1]) } else { (pixel, 255) };
            // The middle of the channels, as grey as the eye needs it here.
            let grey = light.iter().map(|&part| u32::from(part)).sum::<u32>() / light.len() as u32;
            if grey >= 128 && seen >= 128 {
                open.insert(Pos { x, y });
            }
        }
    }
    Ok(Water::new(open)?)
}

/// Writes a PNG of one bit a tile, row by row.
pub fn write_png_mask(water: &Water, out: &mut dyn Write) -> Result<(), FormatError> {
    let size = water.size();
    let wrong = |error: png::EncodingError| match error {
        png::EncodingError::IoError(error) => FormatError::Io(error),
        other => reject("png", "picture", other.to_string(), "write another format"),
    };
    let mut encoder = png::Encoder::new(out, size.width.into(), size.height.into());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().map_err(wrong)?;
    let mut stream = writer.stream_writer().map_err(wrong)?;
    let mut row = vec![0_u8; usize::from(size.width).div_ceil(8)];
    for y in 0..size.height {
        row.fill(0);
        for x in (0..size.width).filter(|&x| water.is_open(Pos { x, y })) {
            row[usize::from(x / 8)] |= 0x80 >> (x % 8);
        }
        stream.write_all(&row)?;
    }
    stream.finish().map_err(wrong)
}

/// Reads a PGM, plain (`P2`) or raw (`P5`).
///
/// ```
/// let water = wayforge_formats::read_pgm(b"P2\n# a comment\n3 1\n255\n0 127 128\n")?;
/// assert_eq!(water.open().to_string(), "..#\n");
/// # Ok::<(), wayforge_formats::FormatError>(())
/// ```
pub fn read_pgm(bytes: &[u8]) -> Result<Water, FormatError> {
    let mut words = Words { bytes, at: 0 };
    let raw = match words.next() {
        Some(b"P2") => false,
        Some(b"P5") => true,
        other => {
            let magic = String::from_utf8_lossy(other.unwrap_or_default()).into_owned();
            return Err(reject("pgm", magic, "not a PGM picture", "begin with P2 or P5"));
        }
    };
    let (width, height) = (words.number("width")?, words.number("height")?);
    let size = checked_size(width.into(), height.into())?;
    let most = words.number("maximum")?;
    if !(1..=65_535).contains(&most) {
        return Err(reject("pgm.maximum", most, "out of range", "use 1 to 65535"));
    }
    let deep = if most > 255 { 2 } else { 1 };
    // One byte of space stands between the header and raw pixels; plain ones need a digit and a space each.
    let rest = bytes.get(words.at + 1..).unwrap_or_default();
    let needed = if raw { size.cells() * deep } else { size.cells() * 2 - 1 };
    if rest.len() < needed || (raw && rest.len() > needed) {
        let problem = format!("{} of pixels, a picture of {size} needs {needed}", rest.len());
        return Err(reject("pgm", format!("{} bytes", bytes.len()), problem, "give a whole picture"));
    }
    let mut open = BitGrid::new(size);
    for pos in size.iter() {
        let value = match (raw, deep) {
            (false, _) => words.number("pixel")?,
            (true, 1) => rest[size.index(pos)].into(),
            (true, _) => {
                let at = size.index(pos) * 2;
                u16::from_be_bytes([rest[at], rest[at + 1]]).into()
            }
        };
        if value > most {
            let (field, remedy) = (format!("pixel {pos}"), format!("use 0 to {most}"));
            return Err(reject(field, value, "lighter than the maximum", remedy));
        }
        if value * 2 >= most {
            open.insert(pos);
        }
    }
    if !raw && words.next().is_some() {
        return Err(reject("pgm", "more pixels", "the header says fewer", "cut them"));
    }
    Ok(Water::new(open)?)
}

/// Writes a raw PGM: 255 for water, 0 for land.
pub fn write_pgm(water: &Water, out: &mut dyn Write) -> std::io::Result<()> {
    let size = water.size();
    write!(out, "P5\n{} {}\n255\n", size.width, size.height)?;
    write_rows(water, out, "", |pos| if water.is_open(pos) { 255 } else { 0 })
}

fn checked_size(width: u64, height: u64) -> Result<Size, FormatError> {
    for (field, side) in [("width", width), ("height", height)] {
        if !(1..=u64::from(Water::MAX_SIDE)).contains(&side) {
            let remedy = format!("use 1 to {}", Water::MAX_SIDE);
            return Err(reject(field, side, "out of range", remedy));
        }
    }
    Ok(Size::new(width as u16, height as u16))
}

/// Words with space and comments between them.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            match self.bytes.get(self.at)? {
                b'#' => {
                    let end = self.bytes[self.at..].iter().position(|byte| *byte == b'\n');
                    self.at = end.map_or(self.bytes.len(), |end| self.at + end);
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => break,
            }
        }
        let from = self.at;
        let end = self.bytes[from..].iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'#');
        self.at = end.map_or(self.bytes.len(), |end| from + end);
        Some(&self.bytes[from..self.at])
    }

    fn number(&mut self, field: &str) -> Result<u32, FormatError> {
        let word = String::from_utf8_lossy(self.next().unwrap_or_default());
        word.parse().ok().filter(|number| *number <= 1 << 20).ok_or_else(|| {
            let remedy = "write whole numbers with space between them";
            reject(format!("pgm.{field}"), &word, "not a number", remedy)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_come_back() {
        let text: String = (0..17)
            .map(|y| {
                (0..23).map(|x| if (x * 7 + y * 5) % 3 == 0 { '#' } else { '.' }).collect::<String>() + "\n"
            })
            .collect();
        let water = Water::from_text(&text).unwrap();
        let mut bytes = Vec::new();
        write_pgm(&water, &mut bytes).unwrap();
        assert_eq!(read_pgm(&bytes).unwrap(), water);
        let mut bytes = Vec::new();
        write_png_mask(&water, &mut bytes).unwrap();
        assert_eq!(read_png_mask(&bytes).unwrap(), water);
    }

    #[test]
    fn colours_and_depths_are_read() {
        let png = |colour, depth, data: &[u8]| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
            encoder.set_color(colour);
            encoder.set_depth(depth);
            if colour == png::ColorType::Indexed {
                encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
            }
            encoder.write_header().unwrap().write_image_data(data).unwrap();
            read_png_mask(&bytes).unwrap().open().to_string()
        };
        use png::{BitDepth::*, ColorType::*};
        assert_eq!(png(Rgb, Eight, &[255, 255, 255, 10, 20, 30]), "#.\n");
        assert_eq!(png(Rgba, Eight, &[255, 255, 255, 0, 200, 200, 200, 255]), ".#\n");
        assert_eq!(png(Grayscale, Sixteen, &[0x7f, 0, 0x80, 0]), ".#\n");
        assert_eq!(png(Indexed, One, &[0b0100_0000]), ".#\n");
        assert_eq!(read_pgm(b"P5 2 1 300 \x00\x95\x00\x96").unwrap().open().to_string(), ".#\n");
    }

    #[test]
    fn what_is_no_picture_is_refused_before_it_costs() {
        let refused = |bytes: &[u8]| read_pgm(bytes).unwrap_err().to_string();
        assert!(refused(b"P6 1 1 255 abc").contains("pgm = P6: not a PGM picture; begin with P2 or P5"));
        assert!(refused(b"P5 99999 1 255 ").contains("width = 99999: out of range; use 1 to 16384"));
        assert!(refused(b"P5 16384 16384 255 x").contains("needs 268435456"));
        assert!(refused(b"P2 2 1 9 4 10").contains("pixel 1,0 = 10: lighter than the maximum; use 0 to 9"));
        assert!(refused(b"P2 2 1 9 4 5 6").contains("more pixels"));
        assert!(refused(b"P2 2 x").contains("pgm.height = x: not a number"));
        assert!(read_png_mask(b"\x89PNG no").is_err());
    }
}
