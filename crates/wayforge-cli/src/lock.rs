//! Lock files that give one process exclusive access to a folder or file.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for the lock. A killed process releases it only after the system has freed its
/// memory.
const TIMEOUT: Duration = Duration::from_secs(2);

/// A lock held by this process. Dropping it removes the lock file.
pub(crate) struct Lock {
    path: PathBuf,
    /// The file is locked until it is closed.
    _file: File,
}

impl Lock {
    /// Acquires the lock at `path`. Returns `None` if another process holds it.
    pub(crate) fn acquire(path: PathBuf) -> io::Result<Option<Lock>> {
        let start = Instant::now();
        loop {
            let file = File::options().write(true).create(true).truncate(false).open(&path)?;
            match file.try_lock() {
                // The previous holder removed the file after it was opened here: open it again.
                Ok(()) if !is_same_file(&file, &path) => {}
                Ok(()) => return Ok(Some(Lock { path, _file: file })),
                // The file system has no locks: continue without one.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Some(Lock { path, _file: file }));
                }
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if start.elapsed() > TIMEOUT => return Ok(None),
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Remove the file while it is locked, so that no process locks a file that is about to
        // disappear. Where open files cannot be removed, an empty file stays behind.
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns true if `path` still names the open `file`.
fn is_same_file(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let open = file.metadata().map(id);
        open.is_ok_and(|open| fs::metadata(path).map(id).is_ok_and(|named| named == open))
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
    fn second_process_waits_until_the_lock_is_released() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = Lock::acquire(path.clone()).unwrap().unwrap();
        assert!(Lock::acquire(path.clone()).unwrap().is_none());
        // A waiting process acquires the lock although the file it waits for is removed.
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| Lock::acquire(path.clone()).unwrap().unwrap());
            std::thread::sleep(Duration::from_millis(100));
            drop(first);
            let second = waiting.join().unwrap();
            assert!(path.exists() && Lock::acquire(path.clone()).unwrap().is_none());
            drop(second);
        });
        assert!(!path.exists());
    }
}
