//! A file in the making, whatever its form.

use crate::batch::request::{Form, Request};
use crate::batch::table::{GROUP, MAGIC, Table};
use crate::batch::{BatchError, rows};
use crate::csv::map_names;
use crate::search::{BLOCK, Block, Columns, Worker, block_step};
use wayforge::AnySpec;
use wayforge::metric::Term;

/// A file in the making: takes parts in the order of their seeds, gives the bytes that follow.
pub struct Sheet {
    subject: AnySpec,
    form: Form,
    metrics: Vec<String>,
    terms: Vec<Term>,
    table: Table,
    /// Rows that wait for the rest of their row group.
    rows: Columns,
    /// What is done up to the last byte that was returned.
    done: Kept,
}

/// What one block gives: rows of a table, or text with the numbers of its seeds and maps.
#[derive(Default)]
pub struct Part {
    rows: Columns,
    text: Vec<u8>,
    seeds: u64,
    made: u64,
}

/// What is kept of a file, to go on with it later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// How many bytes the file has.
    pub bytes: u64,
    /// How many seeds are done.
    pub seeds: u64,
    /// How many of them have a map.
    pub made: u64,
    /// What the footer will say of the row groups.
    pub groups: Vec<Vec<u8>>,
    /// Rows that wait for the rest of their row group.
    pub pending: Vec<u8>,
}

impl Sheet {
    /// The file of a request, with nothing in it.
    pub fn new(subject: &AnySpec, request: &Request) -> Result<Sheet, BatchError> {
        let terms = request.terms(&subject.catalogue())?;
        Ok(Sheet {
            subject: subject.clone(),
            form: request.form,
            metrics: request.metrics.clone(),
            table: Table::new(request, &subject.config_json())?,
            rows: Columns::new(terms.len(), 0),
            terms,
            done: Kept::default(),
        })
    }

    /// Goes on with a file of which this was kept.
    pub fn resume(mut self, kept: Kept) -> Result<Sheet, BatchError> {
        self.rows = rows::decode(&kept.pending, self.terms.len())?;
        let waiting = self.rows.len() as u64;
        let told = kept.groups.len() as u64 * GROUP as u64;
        let whole = self.form != Form::Parquet || (waiting < GROUP as u64 && kept.seeds == told + waiting);
        let made = self.rows.maps();
        if !whole || made > kept.made {
            return Err(BatchError::Damaged(format!("{} seeds and {waiting} rows do not fit", kept.seeds)));
        }
        let (seeds, made) = (kept.seeds - waiting, kept.made - made);
        self.done = Kept { seeds, made, pending: Vec::new(), ..kept };
        Ok(self)
    }

    /// How many seeds a block should have: few of maps that may be slow to make or large to keep. It divides [`BLOCK`].
    pub fn step(&self) -> u64 {
        let most = if self.form == Form::Documents { 4 } else { BLOCK };
        block_step(&self.subject).min(most)
    }

    /// How many blocks a thread may be given at a time, so that what they make is no burden.
    pub fn most(&self) -> usize {
        let seeds = match self.form {
            Form::Documents => 256,
            _ if self.subject.may_be_slow() => 1024,
            _ => 4 * BLOCK,
        };
        (seeds / self.step()) as usize
    }

    /// What the file begins with.
    pub fn begin(&mut self) -> Vec<u8> {
        let bytes = match self.form {
            Form::Parquet => MAGIC.to_vec(),
            Form::Csv => map_names(&self.metrics),
            Form::JsonLines | Form::Documents => Vec::new(),
        };
        self.done.bytes += bytes.len() as u64;
        bytes
    }

    /// What a block gives. Called on any thread.
    pub fn look(&self, worker: &mut Worker, block: Block) -> Part {
        let mut part = Part { seeds: block.len(), ..Part::default() };
        if self.form == Form::Documents {
            for document in block.seeds().filter_map(|seed| worker.document(seed)) {
                part.text.extend(document.to_text().bytes().chain([b'\n']));
                part.made += 1;
            }
            return part;
        }
        let rows = Columns::measure(worker, block, &self.terms);
        part.text = match self.form {
            Form::Csv => rows::csv(&rows),
            Form::JsonLines => rows::json(&rows, &self.metrics),
            Form::Parquet | Form::Documents => return Part { rows, ..Part::default() },
        };
        part.made = rows.maps();
        part
    }

    /// Takes the next part in and gives the bytes that follow, if it completes any.
    pub fn add(&mut self, part: Part) -> Result<Vec<u8>, BatchError> {
        self.done.seeds += part.seeds;
        self.done.made += part.made;
        self.done.bytes += part.text.len() as u64;
        self.rows.append(part.rows);
        if self.rows.len() < GROUP { Ok(part.text) } else { self.group() }
    }

    /// What the file ends with.
    pub fn end(&mut self) -> Result<Vec<u8>, BatchError> {
        if self.form != Form::Parquet {
            return Ok(Vec::new());
        }
        let mut bytes = if self.rows.is_empty() { Vec::new() } else { self.group()? };
        let footer = self.table.end(&self.done.groups)?;
        self.done.bytes += footer.len() as u64;
        bytes.extend(footer);
        Ok(bytes)
    }

    /// What is kept of the file as far as its bytes go; with rows that wait, if they are worth their weight.
    pub fn keep(&self, waiting: bool) -> Kept {
        match waiting {
            true => {
                let (seeds, made, pending) = (self.seeds(), self.made(), rows::encode(&self.rows));
                Kept { seeds, made, pending, ..self.done.clone() }
            }
            false => self.done.clone(),
        }
    }

    /// How many seeds are done.
    pub fn seeds(&self) -> u64 {
        self.done.seeds + self.rows.len() as u64
    }

    /// How many of them have a map.
    pub fn made(&self) -> u64 {
        self.done.made + self.rows.maps()
    }

    /// How many bytes the file has.
    pub fn bytes(&self) -> u64 {
        self.done.bytes
    }

    fn group(&mut self) -> Result<Vec<u8>, BatchError> {
        let [bytes, told] = self.table.group(&self.rows, self.done.bytes, self.done.groups.len())?;
        (self.done.seeds, self.done.made) = (self.seeds(), self.made());
        self.done.bytes += bytes.len() as u64;
        self.done.groups.push(told);
        self.rows.clear();
        Ok(bytes)
    }
}
