//! Files of JSON documents, read one document at a time in constant memory.

use crate::config_file::{self, MAX_BYTES};
use crate::failure::{Context, Failure};
use serde_json::value::RawValue;
use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use wayforge::describe_json_error;

/// Maximum number of bytes that [`DocumentFile::head`] returns.
const MAX_HEAD: u64 = 64 << 10;

/// An open file of documents as JSON or JSON lines.
pub(crate) struct DocumentFile {
    path: PathBuf,
    head: Vec<u8>,
    rest: BufReader<Box<dyn Read>>,
}

impl DocumentFile {
    /// Opens a file, or standard input for `-`, and reads its first line that is not blank.
    pub(crate) fn open(path: &Path) -> Result<DocumentFile, Failure> {
        DocumentFile::new(path, config_file::open(path)?)
    }

    fn new(path: &Path, input: Box<dyn Read>) -> Result<DocumentFile, Failure> {
        let (mut head, mut rest) = (Vec::new(), BufReader::with_capacity(1 << 16, input));
        let mut lines = Read::by_ref(&mut rest).take(MAX_HEAD);
        while head.trim_ascii().is_empty()
            && lines.read_until(b'\n', &mut head).context(path.display())? > 0
        {}
        Ok(DocumentFile { path: path.to_owned(), head, rest })
    }

    /// Returns the first line that is not blank, or its beginning, with the blank lines before it.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// Calls `visit` with the number, the display name and the text of each document.
    ///
    /// # Errors
    /// If the file has no document, or one is not JSON or larger than 257 MiB, and if `visit`
    /// fails.
    pub(crate) fn for_each(
        self,
        visit: impl FnMut(usize, &str, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.for_each_within(MAX_BYTES, visit)
    }

    /// Like [`for_each`](Self::for_each), with another maximum size of a document in bytes.
    fn for_each_within(
        self,
        max: u64,
        mut visit: impl FnMut(usize, &str, &[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let path = self.path;
        let left = Cell::new(max);
        let input = Limited { input: self.head.chain(self.rest), left: &left };
        let documents = serde_json::Deserializer::from_reader(input).into_iter::<Box<RawValue>>();
        let mut number = 0;
        for text in documents {
            number += 1;
            let name = numbered(&path, "document", number);
            let text = text.map_err(|error| match left.get() {
                0 if error.is_io() => {
                    let problem = format!("too large; the limit for one document is {}", size(max));
                    Failure::new(format!("{} (document {number})", path.display()), problem)
                }
                _ if error.is_io() => Failure::new(&name, io::Error::from(error)),
                _ => Failure::new(&name, describe_json_error(&error)),
            })?;
            visit(number, &name, text.get().as_bytes())?;
            left.set(max);
        }
        if number == 0 {
            let problem = "contains no document; name a file written with --format json";
            return Err(Failure::new(path.display(), problem));
        }
        Ok(())
    }
}

/// Reads at most as many bytes as are left, and fails after them unless the input ends there.
struct Limited<'a, R> {
    input: R,
    left: &'a Cell<u64>,
}

impl<R: BufRead> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        let buffered = self.input.fill_buf()?;
        if left == 0 && !buffered.is_empty() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let count =
            buffered.len().min(buffer.len()).min(usize::try_from(left).unwrap_or(usize::MAX));
        buffer[..count].copy_from_slice(&buffered[..count]);
        self.input.consume(count);
        self.left.set(left - count as u64);
        Ok(count)
    }
}

/// Returns the display name of the n-th document or drawing of a file.
pub(crate) fn numbered(path: &Path, noun: &str, n: usize) -> String {
    match n {
        1 => path.display().to_string(),
        n => format!("{} ({noun} {n})", path.display()),
    }
}

/// Formats a number of bytes.
fn size(bytes: u64) -> String {
    match bytes % (1 << 20) {
        0 => format!("{} MiB", bytes >> 20),
        _ => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the documents of a text, with at most `max` bytes per document.
    fn read(text: &str, max: u64) -> Result<Vec<String>, String> {
        let input = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
        let file = DocumentFile::new(Path::new("maps.jsonl"), input);
        let mut documents = Vec::new();
        let visited = file.and_then(|file| {
            file.for_each_within(max, |number, _, text| {
                assert_eq!(number, documents.len() + 1);
                documents.push(String::from_utf8_lossy(text).into_owned());
                Ok(())
            })
        });
        visited.map(|()| documents).map_err(|failure| failure.to_string())
    }

    #[test]
    fn only_the_size_of_one_document_is_limited() {
        let document = r#"{"rows":[1,2,3]}"#;
        let max = document.len() as u64 + 1;
        let many = format!("{document}\n").repeat(5000);
        assert_eq!(read(&many, max).unwrap(), vec![document; 5000]);
        assert_eq!(read(document, max - 1).unwrap(), [document]);
        let large = format!("{document}\n{document}\n{{\"rows\":[1,2,3,4,5]}}\n{document}\n");
        let error = "maps.jsonl (document 3): too large; the limit for one document is 17 bytes";
        assert_eq!(read(&large, max).unwrap_err(), error);
        let error = "maps.jsonl (document 1): too large; the limit for one document is 3 MiB";
        assert_eq!(read(&format!("\"{}\"", "x".repeat(3 << 20)), 3 << 20).unwrap_err(), error);
    }

    #[test]
    fn errors_name_the_document_and_the_position() {
        let error = read("{}\n{}\n{\"a\": x}\n", 100).unwrap_err();
        assert!(error.starts_with("maps.jsonl (document 3): not JSON"), "{error}");
        assert!(error.ends_with("line 3 column 7"), "{error}");
        assert!(read(" \n\n", 100).unwrap_err().contains("contains no document"));
        assert!(read("{\"a\":", 100).unwrap_err().starts_with("maps.jsonl: not JSON"));
    }
}
