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
    match inputs.iter().flatten().find(|input| real(input) == real(output)) {
        Some(input) => Err(Failure::about(
            input.display(),
            "is read here and would be replaced; name another place to write to",
        )),
        None => Ok(()),
    }
}

/// An open destination. Nothing counts as written before [`finish`](Output::finish).
pub(crate) enum Output {
    Standard(BufWriter<io::Stdout>),
    /// A file that is written beside its place and then moved there.
    Staged {
        file: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
    /// Something that is not a plain file (a pipe, a device): it cannot be replaced, only written to.
    Special {
        file: BufWriter<File>,
        path: PathBuf,
    },
}

impl Output {
    /// Opens standard output, or the file at `path`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Output, Failure> {
        Output::open_by(path, None)
    }

    /// The same; what is not finished stands in a folder of its own, if there is one, and not beside its place.
    pub(crate) fn open_by(path: Option<&Path>, folder: Option<&Path>) -> Result<Output, Failure> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Output::Standard(BufWriter::new(io::stdout())));
        };
        let refuse = |error: io::Error| Failure::about(path.display(), error);
        match path.metadata() {
            Ok(there) if there.is_dir() => {
                Err(Failure::about(path.display(), "is a directory; name a file in it"))
            }
            Ok(there) if !there.is_file() => {
                let file = File::options().write(true).open(path).map_err(refuse)?;
                Ok(Output::Special { file: BufWriter::new(file), path: path.to_owned() })
            }
            Ok(_) => Output::stage(path.canonicalize().map_err(refuse)?, folder),
            Err(_) if path.is_symlink() => {
                Err(Failure::about(path.display(), "a link that leads nowhere; name a file"))
            }
            Err(_) => Output::stage(path.to_owned(), folder),
        }
    }

    /// True if a person reads this output on a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self, Output::Standard(_)) && is_terminal(None)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Output::Standard(out) => out.write_all(bytes).map_err(closed),
            Output::Staged { file, path } => file.write_all(bytes).about(path.display()),
            Output::Special { file, path } => file.write_all(bytes).about(path.display()),
        }
    }

    /// Hands over what was written so far to whoever reads along. A staged file still waits for its place.
    pub(crate) fn hand_over(&mut self) -> Result<(), Failure> {
        match self {
            Output::Standard(out) => out.flush().map_err(closed),
            Output::Staged { .. } => Ok(()),
            Output::Special { file, path } => file.flush().about(path.display()),
        }
    }

    /// Makes what was written last: flushed, and a staged file moved to its place.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.seal()?.publish()
    }

    /// Flushes what was written and closes it; a staged file waits for its place.
    pub(crate) fn seal(self) -> Result<Sealed, Failure> {
        match self {
            Output::Standard(mut out) => out.flush().map_err(closed)?,
            Output::Special { mut file, path } => file.flush().about(path.display())?,
            Output::Staged { file, path } => {
                let refuse = |error: io::Error| Failure::about(path.display(), error);
                let staged = file.into_inner().map_err(|error| refuse(error.into_error()))?;
                staged.as_file().sync_all().map_err(refuse)?;
                return Ok(Sealed(Some((staged.into_temp_path(), path))));
            }
        }
        Ok(Sealed(None))
    }

    fn stage(path: PathBuf, folder: Option<&Path>) -> Result<Output, Failure> {
        let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.unwrap_or(beside);
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A file that is replaced keeps its mode; a new one gets what the user's mask leaves.
            let mode = path.metadata().map_or(0o666, |there| there.permissions().mode());
            builder.permissions(std::fs::Permissions::from_mode(mode));
        }
        let file = builder.tempfile_in(folder).map_err(|error| {
            Failure::about(path.display(), format!("cannot write in {}: {}", folder.display(), error.kind()))
        })?;
        Ok(Output::Staged { file: BufWriter::new(file), path })
    }
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
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::Staged { file, .. } => file.write(bytes),
            Output::Special { file, .. } => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::Staged { file, .. } => file.flush(),
            Output::Special { file, .. } => file.flush(),
        }
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

fn closed(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => {
            Failure::Input("standard output was closed before everything was written".into())
        }
        _ => Failure::about("standard output", error),
    }
}
