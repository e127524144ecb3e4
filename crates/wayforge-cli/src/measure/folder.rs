//! The folder of CSV tables next to a report.

use crate::failure::{Context, Failure};
use crate::lock::Lock;
use crate::output::{ClosedOutput, Output, TEMP_PREFIX};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Every table that a measurement may write. Stale tables of an earlier one are removed.
const TABLES: [&str; 13] = [
    "maps.csv",
    "maps-baseline.csv",
    "seeds.csv",
    "metrics.csv",
    "histograms.csv",
    "pairs.csv",
    "failures.csv",
    "budgets.csv",
    "placements.csv",
    "duplicates.csv",
    "drift.csv",
    "sweep.csv",
    "times.csv",
];

const LOCK: &str = ".lock";

/// A locked folder of tables. Dropping it removes the folder if it is empty.
pub(super) struct TableFolder {
    path: PathBuf,
    lock: Option<Lock>,
    written: RefCell<Vec<&'static str>>,
}

impl TableFolder {
    /// Opens or creates the folder next to a page, named like the page without its suffix.
    ///
    /// Returns `None` for standard output, pipes and devices.
    pub(super) fn for_page(page: &Path) -> Result<Option<TableFolder>, Failure> {
        let is_special = page.metadata().is_ok_and(|metadata| !metadata.is_file());
        if page == Path::new("-") || is_special {
            return Ok(None);
        }
        let suffix = page.extension().unwrap_or_default();
        if !["html", "htm"].iter().any(|html| suffix.eq_ignore_ascii_case(html)) {
            let problem =
                format!("the report is HTML; name it {}", page.with_extension("html").display());
            return Err(Failure::new(page.display(), problem));
        }
        let path = page.with_extension("");
        let reject = |problem: String| Err(Failure::new(path.display(), problem));
        let subject = format!("the folder for CSV tables of {}", page.display());
        if let Err(error) = std::fs::create_dir(&path)
            && !path.is_dir()
        {
            return reject(format!("{subject} cannot be created: {}", error.kind()));
        }
        let Some(lock) = Lock::acquire(path.join(LOCK)).context(path.display())? else {
            let problem = "in use by another wayforge process; wait for it, or stop it";
            return reject(problem.to_owned());
        };
        // Remove temporary files of a killed process. The lock keeps other processes out.
        let names = || {
            std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.file_name())
        };
        for stale in names().filter(|name| name.to_string_lossy().starts_with(TEMP_PREFIX)) {
            std::fs::remove_file(path.join(&stale)).context(path.display())?;
        }
        // Every measurement writes seeds.csv. A folder without it has another purpose.
        let is_ours = path.join("seeds.csv").is_file();
        if names().any(|name| name != LOCK) && !is_ours {
            return reject(format!("{subject} contains other files; name another report"));
        }
        Ok(Some(TableFolder { path, lock: Some(lock), written: RefCell::default() }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a table.
    pub(super) fn open(&self, name: &'static str) -> Result<Output, Failure> {
        self.written.borrow_mut().push(name);
        Output::open(Some(&self.path.join(name)))
    }

    /// Writes a table, to be published together with the others.
    pub(super) fn write(&self, name: &'static str, bytes: &[u8]) -> Result<ClosedOutput, Failure> {
        let mut output = self.open(name)?;
        output.write(bytes)?;
        output.close()
    }

    /// Removes tables of an earlier measurement that this one did not write.
    pub(super) fn remove_stale_tables(&self) -> Result<(), Failure> {
        let written = self.written.borrow();
        for name in TABLES.iter().filter(|name| !written.contains(name)) {
            let path = self.path.join(name);
            if path.is_file() {
                std::fs::remove_file(&path).context(path.display())?;
            }
        }
        Ok(())
    }
}

impl Drop for TableFolder {
    fn drop(&mut self) {
        self.lock = None;
        // Fails unless the folder is empty.
        let _ = std::fs::remove_dir(&self.path);
    }
}
