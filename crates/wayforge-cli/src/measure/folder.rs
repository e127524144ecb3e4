//! The folder of CSV beside a page.

use crate::failure::Failure;
use crate::output::{Output, Sealed};
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

/// A folder that tables are written to.
pub(super) struct Folder {
    path: PathBuf,
    written: RefCell<Vec<&'static str>>,
}

impl Folder {
    /// The folder beside a page that has its name without the suffix; none for standard output and for what is not a plain file.
    pub(super) fn beside(page: &Path) -> Result<Option<Folder>, Failure> {
        let special = page.metadata().is_ok_and(|there| !there.is_file());
        if page == Path::new("-") || special {
            return Ok(None);
        }
        let html = |suffix: &std::ffi::OsStr| {
            suffix.eq_ignore_ascii_case("html") || suffix.eq_ignore_ascii_case("htm")
        };
        if !page.extension().is_some_and(html) {
            let told = format!("the page is HTML; name it {}", page.with_extension("html").display());
            return Err(Failure::about(page.display(), told));
        }
        let path = page.with_extension("");
        if let Err(error) = std::fs::create_dir(&path)
            && !path.is_dir()
        {
            let told =
                format!("the folder for CSV beside {} cannot be made: {}", page.display(), error.kind());
            return Err(Failure::about(path.display(), told));
        }
        // Every measurement leaves this table: a folder without it is somebody else's.
        let ours = path.join("seeds.csv").is_file();
        let theirs = std::fs::read_dir(&path).is_ok_and(|mut names| names.next().is_some());
        if theirs && !ours {
            let told =
                format!("the folder for CSV beside {} holds other files; name another page", page.display());
            return Err(Failure::about(path.display(), told));
        }
        Ok(Some(Folder { path, written: RefCell::default() }))
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
                std::fs::remove_file(&path).map_err(|error| Failure::about(path.display(), error))?;
            }
        }
        Ok(())
    }
}
