//! The folder of CSV beside a page.

use crate::failure::{Context, Failure};
use crate::lock::Lock;
use crate::output::{Output, Sealed, UNFINISHED};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Every table that a measurement can leave; those of an earlier one that do not belong to this are removed.
const TABLES: [&str; 13] = [
    "maps.csv",
    "maps-against.csv",
    "seeds.csv",
    "metrics.csv",
    "histograms.csv",
    "pairs.csv",
    "failures.csv",
    "budgets.csv",
    "places.csv",
    "repeats.csv",
    "drift.csv",
    "sweep.csv",
    "times.csv",
];

const LOCK: &str = ".lock";

/// A folder that tables are written to, by one command at a time. Where nothing was written, it goes again.
pub(super) struct Folder {
    path: PathBuf,
    lock: Option<Lock>,
    written: RefCell<Vec<&'static str>>,
}

impl Folder {
    /// The folder beside a page that has its name without the suffix; none for standard output and for what is not a plain file.
    pub(super) fn beside(page: &Path) -> Result<Option<Folder>, Failure> {
        let special = page.metadata().is_ok_and(|there| !there.is_file());
        if page == Path::new("-") || special {
            return Ok(None);
        }
        let suffix = page.extension().unwrap_or_default();
        if !["html", "htm"].iter().any(|html| suffix.eq_ignore_ascii_case(html)) {
            let problem = format!("the page is HTML; name it {}", page.with_extension("html").display());
            return Err(Failure::about(page.display(), problem));
        }
        let path = page.with_extension("");
        let reject = |problem: String| Err(Failure::about(path.display(), problem));
        let what = format!("the folder for CSV beside {}", page.display());
        if let Err(error) = std::fs::create_dir(&path)
            && !path.is_dir()
        {
            return reject(format!("{what} cannot be made: {}", error.kind()));
        }
        let Some(lock) = Lock::take(path.join(LOCK)).about(path.display())? else {
            return reject("another command is at work there; wait for it, or end it".to_owned());
        };
        // What a command left that was killed. Others are kept out, so nobody writes there.
        let names =
            || std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.file_name());
        for left in names().filter(|name| name.to_string_lossy().starts_with(UNFINISHED)) {
            std::fs::remove_file(path.join(&left)).about(path.display())?;
        }
        // Every measurement leaves this table: a folder without it is somebody else's.
        let ours = path.join("seeds.csv").is_file();
        if names().any(|name| name != LOCK) && !ours {
            return reject(format!("{what} holds other files; name another page"));
        }
        Ok(Some(Folder { path, lock: Some(lock), written: RefCell::default() }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a table.
    pub(super) fn open(&self, name: &'static str) -> Result<Output, Failure> {
        self.written.borrow_mut().push(name);
        Output::open(Some(&self.path.join(name)))
    }

    /// Writes a table, to be published with the others.
    pub(super) fn write(&self, name: &'static str, bytes: &[u8]) -> Result<Sealed, Failure> {
        let mut output = self.open(name)?;
        output.write(bytes)?;
        output.seal()
    }

    /// Removes tables of an earlier measurement that this one does not have: they would be taken for its own.
    pub(super) fn forget_others(&self) -> Result<(), Failure> {
        let written = self.written.borrow();
        for name in TABLES.iter().filter(|name| !written.contains(name)) {
            let path = self.path.join(name);
            if path.is_file() {
                std::fs::remove_file(&path).about(path.display())?;
            }
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.lock = None;
        // Only an empty folder can be removed so.
        let _ = std::fs::remove_dir(&self.path);
    }
}
