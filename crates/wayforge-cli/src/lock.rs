//! A lock file beside what only one command may work on.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for one who holds it: a command that was killed lets go when all of its memory is given back.
const PATIENCE: Duration = Duration::from_secs(2);

/// A lock that this process holds. Its file goes with it.
pub(crate) struct Lock {
    path: PathBuf,
    /// Held until it is closed.
    _file: File,
}

impl Lock {
    /// Takes the lock at `path`; none if another process keeps it.
    pub(crate) fn take(path: PathBuf) -> io::Result<Option<Lock>> {
        let start = Instant::now();
        loop {
            let file = File::options().write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                // Who held it may have removed the file in the meantime; then another one is the lock.
                Ok(()) if !is_at(&file, &path) => {}
                // Where there are no locks, nobody is kept out.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Some(Lock { path, _file: file })),
                Err(TryLockError::WouldBlock) if start.elapsed() > PATIENCE => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still held, so that nobody takes a file that is about to go. Where open files cannot go, it stays, and is no more
        // than an empty file.
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether a path still leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let same = |a: &fs::Metadata, b: &fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
        matches!((file.metadata(), fs::metadata(path)), (Ok(open), Ok(there)) if same(&open, &there))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_and_the_next_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = Lock::take(path.clone()).unwrap().unwrap();
        assert!(Lock::take(path.clone()).unwrap().is_none());
        // Who waits gets it, although the file that they wait for is removed.
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| Lock::take(path.clone()).unwrap().unwrap());
            std::thread::sleep(Duration::from_millis(100));
            drop(first);
            let second = waiting.join().unwrap();
            assert!(path.exists() && Lock::take(path.clone()).unwrap().is_none());
            drop(second);
        });
        assert!(!path.exists());
    }
}
