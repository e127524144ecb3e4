//! Output destinations: standard output, or a file that is replaced atomically.
//!
//! A file is written to a temporary file in the same folder and renamed when it is complete. A
//! signal removes the temporary file.

use crate::failure::{Context, Failure};
use crate::interrupt::Staged;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Name prefix of temporary files.
pub(crate) const TEMP_PREFIX: &str = ".wayforge-";

/// Rejects an output file that is also one of the inputs.
pub(crate) fn reject_overwriting_input(
    output: Option<&Path>,
    inputs: &[Option<&Path>],
) -> Result<(), Failure> {
    let real = |path: &Path| {
        path.canonicalize()
            .or_else(|_| std::path::absolute(path))
            .unwrap_or_else(|_| path.to_owned())
    };
    let Some(output) = output.filter(|path| *path != Path::new("-")) else { return Ok(()) };
    let problem = "is an input and would be replaced; name another output file";
    match inputs.iter().flatten().find(|input| real(input) == real(output)) {
        Some(input) => Err(Failure::new(input.display(), problem)),
        None => Ok(()),
    }
}

/// An open destination. Output is complete only after [`finish`](Output::finish).
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    /// Final path; `None` for standard output.
    path: Option<PathBuf>,
    /// Temporary file that replaces `path` at the end. `None` for pipes and devices, which are
    /// written to directly.
    staged: Option<Staged<NamedTempFile>>,
}

impl Output {
    /// Opens standard output, or the file at `path`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Failure> {
        Output::open_staged_in(path, None)
    }

    /// Like [`open`](Output::open), with the temporary file in `folder` if one is given.
    pub(crate) fn open_staged_in(
        path: Option<&Path>,
        folder: Option<&Path>,
    ) -> Result<Output, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Output {
                writer: BufWriter::new(Box::new(io::stdout())),
                path: None,
                staged: None,
            });
        };
        let path = match path.metadata() {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Failure::new(path.display(), "is a folder; name a file in it"));
            }
            Ok(metadata) if !metadata.is_file() => {
                let file = File::options().write(true).open(path).context(path.display())?;
                let writer = BufWriter::new(Box::new(file) as _);
                return Ok(Output { writer, path: Some(path.to_owned()), staged: None });
            }
            Ok(_) => path.canonicalize().context(path.display())?,
            Err(_) if path.is_symlink() => {
                return Err(Failure::new(path.display(), "is a broken symbolic link; name a file"));
            }
            Err(_) => path.to_owned(),
        };
        let staged = stage(&path, folder)?;
        let file = staged.get().as_file().try_clone().context(path.display())?;
        Ok(Output {
            writer: BufWriter::new(Box::new(file)),
            path: Some(path),
            staged: Some(staged),
        })
    }

    /// Returns true if the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.path.is_none() && is_terminal(None)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|error| self.failure(error))
    }

    /// Flushes buffered output to a pipe or terminal. Does nothing for a staged file.
    pub(crate) fn flush_stream(&mut self) -> Result<(), Failure> {
        match self.staged {
            Some(_) => Ok(()),
            None => self.writer.flush().map_err(|error| self.failure(error)),
        }
    }

    /// Flushes the output and moves a staged file to its final path.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.close()?.publish()
    }

    /// Flushes and closes the output. A staged file keeps its temporary name until
    /// [`ClosedOutput::publish`].
    pub(crate) fn close(mut self) -> Result<ClosedOutput, Failure> {
        self.writer.flush().map_err(|error| self.failure(error))?;
        let Some((staged, path)) = self.staged.zip(self.path) else {
            return Ok(ClosedOutput(None));
        };
        staged.get().as_file().sync_all().context(path.display())?;
        Ok(ClosedOutput(Some((staged.map(NamedTempFile::into_temp_path), path))))
    }

    fn failure(&self, error: io::Error) -> Failure {
        match &self.path {
            Some(path) => Failure::new(path.display(), error),
            None if error.kind() == io::ErrorKind::BrokenPipe => {
                Failure::Input("standard output was closed before everything was written".into())
            }
            None => Failure::new("standard output", error),
        }
    }
}

/// Creates the temporary file that will replace `path`.
fn stage(path: &Path, folder: Option<&Path>) -> Result<Staged<NamedTempFile>, Failure> {
    let folder = folder.unwrap_or(parent(path));
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMP_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A replaced file keeps its mode. The umask applies to a new one.
        let mode = path.metadata().map_or(0o666, |metadata| metadata.permissions().mode());
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    Staged::create(|| builder.tempfile_in(folder)).map_err(|error| {
        Failure::new(
            path.display(),
            format!("cannot write to {}: {}", folder.display(), error.kind()),
        )
    })
}

/// Returns the parent folder of a path, `.` for a bare name.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A complete output. Related files are closed first and then published together.
pub(crate) struct ClosedOutput(Option<(Staged<TempPath>, PathBuf)>);

impl ClosedOutput {
    /// Moves a staged file to its final path.
    pub(crate) fn publish(self) -> Result<(), Failure> {
        match self.0 {
            None => Ok(()),
            Some((staged, path)) => {
                let published = staged.publish(|staged| staged.persist(&path));
                published.map_err(|error| Failure::new(path.display(), error.error))
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Writes `bytes` to a file, or to standard output.
pub(crate) fn write(path: Option<&Path>, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut output = Output::open(path)?;
    output.write(bytes.as_ref())?;
    output.finish()
}

/// Returns true if output to `path` goes to a terminal.
pub(crate) fn is_terminal(path: Option<&Path>) -> bool {
    path.is_none_or(|path| path == Path::new("-")) && io::IsTerminal::is_terminal(&io::stdout())
}
