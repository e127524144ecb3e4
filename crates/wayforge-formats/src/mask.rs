//! Images as navigation grids: light pixels are open, dark and transparent ones are blocked.

use crate::ascii::write_rows;
use crate::error::{FormatError, reject};
use std::io::{Cursor, Write};
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::NavGrid;

/// Reads a PNG with one pixel per tile, row by row. Checks the size before allocating memory.
///
/// # Errors
/// [`FormatError::Invalid`] if the image is invalid, interlaced or too large.
///
/// # Examples
/// ```
/// use wayforge::nav::NavGrid;
/// let grid = NavGrid::from_text("..#\n#..")?;
/// let mut bytes = Vec::new();
/// wayforge_formats::write_png_mask(&grid, &mut bytes)?;
/// assert_eq!(wayforge_formats::read_png_mask(&bytes)?, grid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_png_mask(bytes: &[u8]) -> Result<NavGrid, FormatError> {
    let to_error =
        |error: png::DecodingError| reject("png", "image", error.to_string(), "use a PNG file");
    let mut decoder =
        png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: 64 << 20 });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(to_error)?;
    let info = reader.info();
    let size = checked_size(info.width.into(), info.height.into())?;
    if info.interlaced {
        return Err(reject("png", "interlaced", "not supported", "save it without interlacing"));
    }
    let (samples, has_alpha) = match reader.output_color_type().0 {
        png::ColorType::Grayscale => (1, false),
        png::ColorType::GrayscaleAlpha => (2, true),
        png::ColorType::Rgb => (3, false),
        png::ColorType::Rgba => (4, true),
        png::ColorType::Indexed => {
            return Err(reject("png", "palette", "not supported", "save it as RGB"));
        }
    };
    let mut open = BitGrid::new(size);
    for y in 0..size.height {
        let row = reader.next_row().map_err(to_error)?;
        let row = row
            .ok_or_else(|| reject("png", format!("row {y}"), "missing", "use a complete image"))?;
        for (x, pixel) in (0..size.width).zip(row.data().chunks_exact(samples)) {
            let (channels, alpha) =
                if has_alpha { (&pixel[..samples - 1], pixel[samples - 1]) } else { (pixel, 255) };
            // The mean of the channels is a good enough grey value for a threshold.
            let grey = channels.iter().map(|&channel| u32::from(channel)).sum::<u32>()
                / channels.len() as u32;
            if grey >= 128 && alpha >= 128 {
                open.insert(Pos { x, y });
            }
        }
    }
    Ok(NavGrid::new(open)?)
}

/// Writes a PNG with one bit per tile, row by row.
///
/// # Errors
/// [`FormatError::Io`] for errors of `out`, and [`FormatError::Invalid`] if the encoder fails.
pub fn write_png_mask(grid: &NavGrid, out: &mut dyn Write) -> Result<(), FormatError> {
    let size = grid.size();
    let to_error = |error: png::EncodingError| match error {
        png::EncodingError::IoError(error) => FormatError::Io(error),
        other => reject("png", "image", other.to_string(), "write another format"),
    };
    let mut encoder = png::Encoder::new(out, size.width.into(), size.height.into());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().map_err(to_error)?;
    let mut stream = writer.stream_writer().map_err(to_error)?;
    let mut row = vec![0_u8; usize::from(size.width).div_ceil(8)];
    for y in 0..size.height {
        row.fill(0);
        for x in (0..size.width).filter(|&x| grid.is_open(Pos { x, y })) {
            row[usize::from(x / 8)] |= 0x80 >> (x % 8);
        }
        stream.write_all(&row)?;
    }
    stream.finish().map_err(to_error)
}

/// Reads a PGM, plain (`P2`) or raw (`P5`).
///
/// # Errors
/// [`FormatError::Invalid`] if the image is invalid, incomplete or too large.
///
/// # Examples
/// ```
/// let grid = wayforge_formats::read_pgm(b"P2\n# a comment\n3 1\n255\n0 127 128\n")?;
/// assert_eq!(grid.open().to_string(), "..#\n");
/// # Ok::<(), wayforge_formats::FormatError>(())
/// ```
pub fn read_pgm(bytes: &[u8]) -> Result<NavGrid, FormatError> {
    let mut tokens = Tokenizer { bytes, position: 0 };
    let raw = match tokens.next() {
        Some(b"P2") => false,
        Some(b"P5") => true,
        other => {
            let magic = String::from_utf8_lossy(other.unwrap_or_default()).into_owned();
            return Err(reject("pgm", magic, "not a PGM image", "begin with P2 or P5"));
        }
    };
    let (width, height) = (tokens.number("width")?, tokens.number("height")?);
    let size = checked_size(width.into(), height.into())?;
    let max = tokens.number("maximum")?;
    if !(1..=65_535).contains(&max) {
        return Err(reject("pgm.maximum", max, "out of range", "use 1 to 65535"));
    }
    let bytes_per_pixel = if max > 255 { 2 } else { 1 };
    // Raw pixels start one whitespace byte after the header. A plain pixel needs at least a digit
    // and a space.
    let rest = bytes.get(tokens.position + 1..).unwrap_or_default();
    let needed = if raw { size.cells() * bytes_per_pixel } else { size.cells() * 2 - 1 };
    if rest.len() < needed || (raw && rest.len() > needed) {
        let problem = format!("{} bytes of pixels, but a {size} image needs {needed}", rest.len());
        return Err(reject(
            "pgm",
            format!("{} bytes", bytes.len()),
            problem,
            "use a complete image",
        ));
    }
    let mut open = BitGrid::new(size);
    for pos in size.iter() {
        let value = match (raw, bytes_per_pixel) {
            (false, _) => tokens.number("pixel")?,
            (true, 1) => rest[size.index(pos)].into(),
            (true, _) => {
                let start = size.index(pos) * 2;
                u16::from_be_bytes([rest[start], rest[start + 1]]).into()
            }
        };
        if value > max {
            let (field, remedy) = (format!("pixel {pos}"), format!("use 0 to {max}"));
            return Err(reject(field, value, "exceeds the maximum", remedy));
        }
        if value * 2 >= max {
            open.insert(pos);
        }
    }
    if !raw && tokens.next().is_some() {
        return Err(reject(
            "pgm.pixels",
            "too many",
            "more pixels than the header states",
            "remove the excess pixels",
        ));
    }
    Ok(NavGrid::new(open)?)
}

/// Writes a raw PGM: 255 for open tiles, 0 for blocked ones.
///
/// # Errors
/// Errors of `out`.
pub fn write_pgm(grid: &NavGrid, out: &mut dyn Write) -> std::io::Result<()> {
    let size = grid.size();
    write!(out, "P5\n{} {}\n255\n", size.width, size.height)?;
    write_rows(grid, out, "", |pos| if grid.is_open(pos) { 255 } else { 0 })
}

fn checked_size(width: u64, height: u64) -> Result<Size, FormatError> {
    for (field, side) in [("width", width), ("height", height)] {
        if !(1..=u64::from(NavGrid::MAX_SIDE)).contains(&side) {
            let remedy = format!("use 1 to {}", NavGrid::MAX_SIDE);
            return Err(reject(field, side, "out of range", remedy));
        }
    }
    Ok(Size::new(width as u16, height as u16))
}

/// Tokenizer for tokens separated by whitespace and comments.
struct Tokenizer<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Tokenizer<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            match self.bytes.get(self.position)? {
                b'#' => {
                    let end = self.bytes[self.position..].iter().position(|byte| *byte == b'\n');
                    self.position = end.map_or(self.bytes.len(), |end| self.position + end);
                }
                byte if byte.is_ascii_whitespace() => self.position += 1,
                _ => break,
            }
        }
        let from = self.position;
        let end =
            self.bytes[from..].iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'#');
        self.position = end.map_or(self.bytes.len(), |end| from + end);
        Some(&self.bytes[from..self.position])
    }

    fn number(&mut self, field: &str) -> Result<u32, FormatError> {
        let word = String::from_utf8_lossy(self.next().unwrap_or_default());
        word.parse().ok().filter(|number| *number <= 1 << 20).ok_or_else(|| {
            let remedy = "write whole numbers separated by whitespace";
            reject(format!("pgm.{field}"), &word, "not a whole number up to 1048576", remedy)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_round_trip() {
        let text: String = (0..17)
            .map(|y| {
                (0..23)
                    .map(|x| if (x * 7 + y * 5) % 3 == 0 { '#' } else { '.' })
                    .collect::<String>()
                    + "\n"
            })
            .collect();
        let grid = NavGrid::from_text(&text).unwrap();
        let mut bytes = Vec::new();
        write_pgm(&grid, &mut bytes).unwrap();
        assert_eq!(read_pgm(&bytes).unwrap(), grid);
        let mut bytes = Vec::new();
        write_png_mask(&grid, &mut bytes).unwrap();
        assert_eq!(read_png_mask(&bytes).unwrap(), grid);
    }

    #[test]
    fn reads_all_colour_types_and_depths() {
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
    fn rejects_invalid_images_before_allocating() {
        let error = |bytes: &[u8]| read_pgm(bytes).unwrap_err().to_string();
        assert!(
            error(b"P6 1 1 255 abc").contains("pgm = P6: not a PGM image; begin with P2 or P5")
        );
        assert!(error(b"P5 99999 1 255 ").contains("width = 99999: out of range; use 1 to 16384"));
        assert!(error(b"P5 16384 16384 255 x").contains("needs 268435456"));
        assert!(
            error(b"P2 2 1 9 4 10").contains("pixel 1,0 = 10: exceeds the maximum; use 0 to 9")
        );
        assert!(error(b"P2 2 1 9 4 5 6").contains("more pixels"));
        assert!(error(b"P2 2 x").contains("pgm.height = x: not a whole number"));
        assert!(read_png_mask(b"\x89PNG no").is_err());
    }
}
