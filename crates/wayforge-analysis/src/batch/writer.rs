//! Incremental, resumable writer of batch files.

use crate::batch::parquet_table::{MAGIC, ROW_GROUP_LEN, Table};
use crate::batch::request::{BatchFormat, BatchRequest};
use crate::batch::{BatchError, rows};
use crate::csv::map_header;
use crate::search::{BLOCK_LEN, Block, Columns, Worker, default_block_len};
use wayforge::AnySpec;
use wayforge::metric::Term;

/// Writes a batch file: takes block outputs in seed order and returns the bytes to append.
pub struct BatchWriter {
    spec: AnySpec,
    request: BatchRequest,
    terms: Vec<Term>,
    table: Table,
    /// Rows of the incomplete row group.
    rows: Columns,
    /// State up to the last returned byte.
    state: Checkpoint,
}

/// Output of one block: rows for Parquet, or finished text with its counts.
#[derive(Default)]
pub struct BlockOutput {
    rows: Columns,
    text: Vec<u8>,
    seeds: u64,
    maps: u64,
}

/// State from which an interrupted file can be continued.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Number of processed seeds.
    pub seeds: u64,
    /// Number of processed seeds with a map.
    pub maps: u64,
    /// Parquet metadata of each complete row group.
    pub groups: Vec<Vec<u8>>,
    /// Encoded rows of the incomplete row group.
    pub pending: Vec<u8>,
}

impl BatchWriter {
    /// Creates a writer for an empty file.
    ///
    /// # Errors
    /// [`BatchError::InvalidCheckpoint`] if the spec lacks a metric of the request,
    /// [`BatchError::Parquet`] if the Parquet schema cannot be built.
    pub fn new(spec: &AnySpec, request: &BatchRequest) -> Result<BatchWriter, BatchError> {
        let terms = request.terms(&spec.catalogue())?;
        Ok(BatchWriter {
            spec: spec.clone(),
            request: request.clone(),
            table: Table::new(request, &spec.config_json())?,
            rows: Columns::new(terms.len(), 0),
            terms,
            state: Checkpoint::default(),
        })
    }

    /// Continues the file of a checkpoint.
    ///
    /// # Errors
    /// [`BatchError::InvalidCheckpoint`] if the checkpoint is inconsistent.
    pub fn resume(mut self, checkpoint: Checkpoint) -> Result<BatchWriter, BatchError> {
        self.rows = rows::decode(&checkpoint.pending, self.terms.len())?;
        let pending = self.rows.len() as u64;
        let grouped = checkpoint.groups.len() as u64 * ROW_GROUP_LEN as u64;
        let is_consistent = self.request.format != BatchFormat::Parquet
            || (pending < ROW_GROUP_LEN as u64 && checkpoint.seeds == grouped + pending);
        let maps = self.rows.maps();
        if !is_consistent || maps > checkpoint.maps {
            return Err(BatchError::InvalidCheckpoint(format!(
                "{} seeds do not match {pending} pending rows",
                checkpoint.seeds
            )));
        }
        let (seeds, maps) = (checkpoint.seeds - pending, checkpoint.maps - maps);
        self.state = Checkpoint { seeds, maps, pending: Vec::new(), ..checkpoint };
        Ok(self)
    }

    /// Returns the recommended number of seeds per block: few if maps are slow to generate or
    /// large. Divides [`BLOCK_LEN`].
    pub fn block_len(&self) -> u64 {
        let max = if self.request.format == BatchFormat::Documents { 4 } else { BLOCK_LEN };
        default_block_len(&self.spec).min(max)
    }

    /// Returns the maximum number of blocks per thread and wave, which bounds the memory of their
    /// outputs.
    pub fn max_blocks_per_thread(&self) -> usize {
        let seeds = match self.request.format {
            BatchFormat::Documents => 256,
            _ if self.spec.may_be_slow() => 1024,
            _ => 4 * BLOCK_LEN,
        };
        (seeds / self.block_len()) as usize
    }

    /// Returns the first bytes of the file.
    pub fn begin(&mut self) -> Vec<u8> {
        let bytes = match self.request.format {
            BatchFormat::Parquet => MAGIC.to_vec(),
            BatchFormat::Csv => map_header(&self.request.metrics),
            BatchFormat::JsonLines | BatchFormat::Documents => Vec::new(),
        };
        self.state.bytes += bytes.len() as u64;
        bytes
    }

    /// Processes one block. Can be called from any thread.
    pub fn process(&self, worker: &mut Worker, block: Block) -> BlockOutput {
        let mut output = BlockOutput { seeds: block.len(), ..BlockOutput::default() };
        if self.request.format == BatchFormat::Documents {
            for document in block.seeds().filter_map(|seed| worker.document(seed)) {
                output.text.extend(document.to_text().bytes().chain([b'\n']));
                output.maps += 1;
            }
            return output;
        }
        let rows = Columns::measure(worker, block, &self.terms);
        output.text = match self.request.format {
            BatchFormat::Csv => rows::csv(&rows),
            BatchFormat::JsonLines => rows::json(&rows, &self.request.metrics),
            BatchFormat::Parquet | BatchFormat::Documents => {
                return BlockOutput { rows, ..BlockOutput::default() };
            }
        };
        output.maps = rows.maps();
        output
    }

    /// Adds the output of the next block and returns the bytes to append, which may be empty.
    ///
    /// # Errors
    /// [`BatchError::Parquet`] if a complete row group cannot be encoded.
    pub fn add(&mut self, output: BlockOutput) -> Result<Vec<u8>, BatchError> {
        self.state.seeds += output.seeds;
        self.state.maps += output.maps;
        self.state.bytes += output.text.len() as u64;
        self.rows.append(output.rows);
        if self.rows.len() < ROW_GROUP_LEN { Ok(output.text) } else { self.finish_row_group() }
    }

    /// Returns the last bytes of the file.
    ///
    /// # Errors
    /// [`BatchError::InvalidCheckpoint`] or [`BatchError::Parquet`] if the metadata of a resumed
    /// file is corrupt, [`BatchError::Parquet`] if the last row group cannot be encoded.
    pub fn finish(&mut self) -> Result<Vec<u8>, BatchError> {
        if self.request.format != BatchFormat::Parquet {
            return Ok(Vec::new());
        }
        let mut bytes = if self.rows.is_empty() { Vec::new() } else { self.finish_row_group()? };
        let footer = self.table.finish(&self.state.groups)?;
        self.state.bytes += footer.len() as u64;
        bytes.extend(footer);
        Ok(bytes)
    }

    /// Returns the state as of the last returned byte. If `include_pending` is true, it contains
    /// the rows of the incomplete row group, which can be large.
    pub fn checkpoint(&self, include_pending: bool) -> Checkpoint {
        if !include_pending {
            return self.state.clone();
        }
        let (seeds, maps, pending) = (self.seeds_done(), self.maps(), rows::encode(&self.rows));
        Checkpoint { seeds, maps, pending, ..self.state.clone() }
    }

    /// Returns the number of processed seeds.
    pub fn seeds_done(&self) -> u64 {
        self.state.seeds + self.rows.len() as u64
    }

    /// Returns the number of processed seeds with a map.
    pub fn maps(&self) -> u64 {
        self.state.maps + self.rows.maps()
    }

    /// Returns the length of the file so far in bytes.
    pub fn bytes(&self) -> u64 {
        self.state.bytes
    }

    fn finish_row_group(&mut self) -> Result<Vec<u8>, BatchError> {
        let [bytes, metadata] =
            self.table.encode_row_group(&self.rows, self.state.bytes, self.state.groups.len())?;
        (self.state.seeds, self.state.maps) = (self.seeds_done(), self.maps());
        self.state.bytes += bytes.len() as u64;
        self.state.groups.push(metadata);
        self.rows = Columns::new(self.terms.len(), 0);
        Ok(bytes)
    }
}
