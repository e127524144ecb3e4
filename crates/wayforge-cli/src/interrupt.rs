//! Stop signals: Ctrl-C, SIGTERM, and SIGHUP of a closed terminal.
//!
//! Each process has at most one handler, which runs on its own thread. The first staged path or
//! [`stop_on_signal`] installs it. A signal removes all staged paths and ends the process with the
//! exit code 128 plus its number, as in shells. After [`stop_on_signal`], only the second one does.

use crate::failure::{Context, Failure};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// State of the handler.
struct State {
    is_installed: bool,
    /// Paths to remove at a signal.
    staged: BTreeSet<PathBuf>,
    /// Flag that the first signal sets, instead of ending the process.
    stop: Option<Arc<AtomicBool>>,
}

static STATE: Mutex<State> =
    Mutex::new(State { is_installed: false, staged: BTreeSet::new(), stop: None });

/// A temporary file or folder that a signal removes.
pub(crate) struct Staged<T> {
    // Dropped first: it removes the file or folder.
    value: T,
    entry: Entry,
}

/// An entry of the set of staged paths.
struct Entry(PathBuf);

impl<T: AsRef<Path>> Staged<T> {
    /// Creates a temporary file or folder.
    pub(crate) fn create(create: impl FnOnce() -> io::Result<T>) -> io::Result<Staged<T>> {
        // The handler waits for the lock, so it finds every path that exists.
        let mut state = lock();
        install(&mut state)?;
        let value = create()?;
        let path = value.as_ref().to_owned();
        state.staged.insert(path.clone());
        Ok(Staged { value, entry: Entry(path) })
    }

    /// Returns the temporary file or folder.
    pub(crate) fn get(&self) -> &T {
        &self.value
    }

    /// Converts the value, which keeps its path.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Staged<U> {
        Staged { value: convert(self.value), entry: self.entry }
    }

    /// Moves the file or folder to its final path. A signal ends the process before or after it.
    pub(crate) fn publish<R>(self, publish: impl FnOnce(T) -> R) -> R {
        let Staged { value, entry } = self;
        let state = lock();
        let published = publish(value);
        // Dropping the entry needs the lock.
        drop(state);
        drop(entry);
        published
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        lock().staged.remove(&self.0);
    }
}

/// Returns a flag that the first signal sets. The second signal ends the process.
pub(crate) fn stop_on_signal() -> Result<Arc<AtomicBool>, Failure> {
    let mut state = lock();
    install(&mut state).context("signal handler")?;
    let stop = Arc::clone(state.stop.get_or_insert_default());
    Ok(stop)
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Handles a signal.
fn handle(signal: i32) {
    let state = lock();
    if let Some(stop) = &state.stop
        && !stop.swap(true, Ordering::Relaxed)
    {
        return;
    }
    for path in &state.staged {
        // The process ends anyway, and nobody reads an error.
        let _ =
            if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
    // The lock is still held: other threads stage and publish nothing any more.
    std::process::exit(128 + signal);
}

/// Installs the handler once.
#[cfg(unix)]
fn install(state: &mut State) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    if state.is_installed {
        return Ok(());
    }
    let mut handled = vec![SIGINT, SIGTERM];
    if !is_hangup_ignored() {
        handled.push(SIGHUP);
    }
    let mut signals = signal_hook::iterator::Signals::new(handled)?;
    let wait = move || signals.forever().for_each(handle);
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait)?;
    state.is_installed = true;
    Ok(())
}

/// Returns true if `nohup` started the process: a handler would undo its effect. Systems other than
/// Linux do not show it.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_none_or(|mask| mask >> (signal_hook::consts::SIGHUP - 1) & 1 == 1)
}

/// Installs the handler once.
#[cfg(not(unix))]
fn install(state: &mut State) -> io::Result<()> {
    /// Number of Ctrl-C.
    const INTERRUPT: i32 = 2;
    if !state.is_installed {
        ctrlc::set_handler(|| handle(INTERRUPT)).map_err(io::Error::other)?;
        state.is_installed = true;
    }
    Ok(())
}
