//! Where results go: standard output, or a file that appears whole or not at all.

use crate::failure::{Context, Failure};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// How the names of files begin that are not finished.
pub(crate) const UNFINISHED: &str = ".wayforge-";

/// Refuses to write over what is read: the result would take its place.
pub(crate) fn refuse_to_replace(output: Option<&Path>, inputs: &[Option<&Path>]) -> Result<(), Failure> {
    let real = |path: &Path| {
        path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
    };
    let Some(output) = output.filter(|path| *path != Path::new("-")) else { return Ok(()) };
    let problem = "is read here and would be replaced; name another place to write to";
    match inputs.iter().flatten().find(|input| real(input) == real(output)) {
        Some(input) => Err(Failure::about(input.display(), problem)),
        None => Ok(()),
    }
}

/// An open destination. Nothing counts as written before [`finish`](Output::finish).
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    /// Where results go; none for standard output.
    path: Option<PathBuf>,
    /// The file beside its place that is moved there in the end. None for what is not a plain file (a pipe, a device): it cannot
    /// be replaced, only written to.
    staged: Option<NamedTempFile>,
}

impl Output {
    /// Opens standard output, or the file at `path`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Failure> {
        Output::open_by(path, None)
    }

    /// The same; an unfinished file is written in `folder`, if one is given, and not beside its place.
    pub(crate) fn open_by(path: Option<&Path>, folder: Option<&Path>) -> Result<Output, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Output { writer: BufWriter::new(Box::new(io::stdout())), path: None, staged: None });
        };
        let path = match path.metadata() {
            Ok(there) if there.is_dir() => {
                return Err(Failure::about(path.display(), "is a directory; name a file in it"));
            }
            Ok(there) if !there.is_file() => {
                let file = File::options().write(true).open(path).about(path.display())?;
                let writer = BufWriter::new(Box::new(file) as _);
                return Ok(Output { writer, path: Some(path.to_owned()), staged: None });
            }
            Ok(_) => path.canonicalize().about(path.display())?,
            Err(_) if path.is_symlink() => {
                return Err(Failure::about(path.display(), "a link that leads nowhere; name a file"));
            }
            Err(_) => path.to_owned(),
        };
        let staged = stage(&path, folder)?;
        let file = staged.as_file().try_clone().about(path.display())?;
        Ok(Output { writer: BufWriter::new(Box::new(file)), path: Some(path), staged: Some(staged) })
    }

    /// True if a person reads this output on a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.path.is_none() && is_terminal(None)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|error| self.failure(error))
    }

    /// Passes what was written so far to a reader. A staged file still waits for its place.
    pub(crate) fn hand_over(&mut self) -> Result<(), Failure> {
        match self.staged {
            Some(_) => Ok(()),
            None => self.writer.flush().map_err(|error| self.failure(error)),
        }
    }

    /// Makes what was written last: flushed, and a staged file moved to its place.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.seal()?.publish()
    }

    /// Flushes what was written and closes it; a staged file waits for its place.
    pub(crate) fn seal(mut self) -> Result<Sealed, Failure> {
        self.writer.flush().map_err(|error| self.failure(error))?;
        let Some((staged, path)) = self.staged.zip(self.path) else { return Ok(Sealed(None)) };
        staged.as_file().sync_all().about(path.display())?;
        Ok(Sealed(Some((staged.into_temp_path(), path))))
    }

    fn failure(&self, error: io::Error) -> Failure {
        match &self.path {
            Some(path) => Failure::about(path.display(), error),
            None if error.kind() == io::ErrorKind::BrokenPipe => {
                Failure::Input("standard output was closed before everything was written".into())
            }
            None => Failure::about("standard output", error),
        }
    }
}

/// Opens a file that takes the place of `path` in the end.
fn stage(path: &Path, folder: Option<&Path>) -> Result<NamedTempFile, Failure> {
    let folder = folder.unwrap_or(parent(path));
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A file that is replaced keeps its mode; a new one gets what the user's mask leaves.
        let mode = path.metadata().map_or(0o666, |there| there.permissions().mode());
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    builder.tempfile_in(folder).map_err(|error| {
        Failure::about(path.display(), format!("cannot write in {}: {}", folder.display(), error.kind()))
    })
}

/// The folder that a file or folder stands in.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What is complete, and goes to its place when all that belongs to it is.
pub(crate) struct Sealed(Option<(TempPath, PathBuf)>);

impl Sealed {
    /// Moves a staged file to its place.
    pub(crate) fn publish(self) -> Result<(), Failure> {
        match self.0 {
            None => Ok(()),
            Some((staged, path)) => {
                staged.persist(&path).map_err(|error| Failure::about(path.display(), error.error))
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

/// Writes everything at once to a file, or to standard output.
pub(crate) fn write(path: Option<&Path>, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut output = Output::open(path)?;
    output.write(bytes.as_ref())?;
    output.finish()
}

/// True if what is written to `path` is shown on a terminal.
pub(crate) fn is_terminal(path: Option<&Path>) -> bool {
    path.is_none_or(|path| path == Path::new("-")) && io::IsTerminal::is_terminal(&io::stdout())
}
