//! Parquet encoding: independently encoded row groups of fixed size, and the footer that locates
//! them.
//!
//! Row groups do not depend on each other, so a file can be continued after any of them. The
//! metadata of a finished row group is kept in encoded form and decoded for the footer. Interrupted
//! and uninterrupted files take the same code path.

use crate::batch::BatchError;
use crate::batch::request::BatchRequest;
use crate::search::{BLOCK_LEN, Columns};
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::get_column_writer;
use parquet::data_type::{BoolType, DataType, Int64Type};
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataReader,
    ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescPtr, SchemaDescriptor, Type};
use rayon::prelude::*;
use std::sync::Arc;

/// Number of rows in a row group. Only the last one can be shorter.
pub const ROW_GROUP_LEN: usize = 64 * BLOCK_LEN as usize;
/// Maximum number of rows in a file: Parquet stores the ordinal of a row group in 16 bits.
pub(crate) const MAX_ROWS: u64 = i16::MAX as u64 * ROW_GROUP_LEN as u64;

/// Magic bytes at the beginning and end of a Parquet file.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// Schema, encoding and metadata of the table of a request.
pub(crate) struct Table {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    created_by: String,
    /// Key-value metadata of the file.
    key_values: Vec<KeyValue>,
}

impl Table {
    /// Creates the table of a request. Columns: `seed`, `generated`, and one per metric, which is
    /// null if the seed has no map.
    pub(crate) fn new(request: &BatchRequest, config: &str) -> Result<Table, BatchError> {
        let integer = |signed| Some(LogicalType::integer(64, signed));
        let column = |name: &str, physical, logical, repetition| {
            let column = Type::primitive_type_builder(name, physical)
                .with_logical_type(logical)
                .with_repetition(repetition);
            column.build().map(Arc::new)
        };
        let mut columns = vec![
            column("seed", Physical::INT64, integer(false), Repetition::REQUIRED)?,
            column("generated", Physical::BOOLEAN, None, Repetition::REQUIRED)?,
        ];
        for name in &request.metrics {
            columns.push(column(name, Physical::INT64, integer(true), Repetition::OPTIONAL)?);
        }
        let root = Type::group_type_builder("schema").with_fields(columns).build()?;
        let seed = ColumnPath::from("seed");
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            // Consecutive seeds have equal differences, which delta encoding reduces to almost
            // nothing.
            .set_column_dictionary_enabled(seed.clone(), false)
            .set_column_encoding(seed, Encoding::DELTA_BINARY_PACKED)
            .build();
        let metadata = [
            ("family", request.family.clone()),
            ("algorithm", request.algorithm.clone()),
            ("config", config.to_owned()),
            ("seed", request.seed.clone()),
            ("count", request.count.to_string()),
            ("shard", request.shard.clone()),
        ];
        Ok(Table {
            schema: Arc::new(SchemaDescriptor::new(Arc::new(root))),
            properties: Arc::new(properties),
            created_by: request.created_by.clone(),
            key_values: metadata
                .map(|(name, value)| KeyValue::new(format!("wayforge.{name}"), value))
                .into(),
        })
    }

    /// Encodes a row group, one column per task. `offset` is the position of the row group in the
    /// file. Returns its bytes and its encoded metadata.
    pub(crate) fn encode_row_group(
        &self,
        rows: &Columns,
        offset: u64,
        ordinal: usize,
    ) -> Result<[Vec<u8>; 2], BatchError> {
        let levels: Vec<i16> =
            rows.generated.iter().map(|&generated| i16::from(generated)).collect();
        let encoded: Vec<(Vec<u8>, ColumnChunkMetaData)> = (0..self.schema.num_columns())
            .into_par_iter()
            .map(|n| match n {
                0 => {
                    let seeds: Vec<i64> = rows.seeds.iter().map(|&seed| seed as i64).collect();
                    self.encode_column::<Int64Type>(n, &seeds, None)
                }
                1 => self.encode_column::<BoolType>(n, &rows.generated, None),
                _ => {
                    let cells = rows.generated.iter().zip(&rows.values[n - 2]);
                    let values: Vec<i64> = cells
                        .filter(|(generated, _)| **generated)
                        .map(|(_, &value)| value)
                        .collect();
                    self.encode_column::<Int64Type>(n, &values, Some(&levels))
                }
            })
            .collect::<Result<_, _>>()?;
        let (mut bytes, mut columns, mut size) = (Vec::new(), Vec::with_capacity(encoded.len()), 0);
        for (column, metadata) in encoded {
            let start = (offset + bytes.len() as u64) as i64;
            size += metadata.uncompressed_size();
            let (page, dictionary) =
                (metadata.data_page_offset(), metadata.dictionary_page_offset());
            let moved = metadata
                .into_builder()
                .set_data_page_offset(start + page)
                .set_dictionary_page_offset(dictionary.map(|page| start + page));
            columns.push(moved.build()?);
            bytes.extend(column);
        }
        let group = RowGroupMetaData::builder(Arc::clone(&self.schema))
            .set_num_rows(rows.len() as i64)
            .set_total_byte_size(size)
            .set_ordinal(ordinal as i32)
            .set_file_offset(offset as i64)
            .set_column_metadata(columns)
            .build()?;
        Ok([bytes, self.footer(vec![group], Vec::new())?])
    }

    /// Returns the footer of a file with these row groups.
    pub(crate) fn finish(&self, groups: &[Vec<u8>]) -> Result<Vec<u8>, BatchError> {
        let mut row_groups = Vec::with_capacity(groups.len());
        for group in groups {
            let footer = group.len().checked_sub(8).and_then(|end| group.get(..end));
            let footer = footer.ok_or_else(|| {
                BatchError::InvalidCheckpoint("metadata of a row group is too short".to_owned())
            })?;
            row_groups.extend(
                ParquetMetaDataReader::decode_metadata(footer)?.row_groups().iter().cloned(),
            );
        }
        self.footer(row_groups, self.key_values.clone())
    }

    fn footer(
        &self,
        groups: Vec<RowGroupMetaData>,
        key_values: Vec<KeyValue>,
    ) -> Result<Vec<u8>, BatchError> {
        let rows = groups.iter().map(RowGroupMetaData::num_rows).sum();
        let key_values = (!key_values.is_empty()).then_some(key_values);
        let file = FileMetaData::new(
            1,
            rows,
            Some(self.created_by.clone()),
            key_values,
            Arc::clone(&self.schema),
            None,
        );
        let mut bytes = Vec::new();
        ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(bytes)
    }

    fn encode_column<T: DataType>(
        &self,
        n: usize,
        values: &[T::T],
        levels: Option<&[i16]>,
    ) -> Result<(Vec<u8>, ColumnChunkMetaData), BatchError> {
        let description: ColumnDescPtr = self.schema.column(n);
        let mut sink = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut sink));
        let mut writer = get_column_writer(description, Arc::clone(&self.properties), pages);
        let Some(typed) = T::get_column_writer_mut(&mut writer) else {
            return Err(BatchError::Parquet(format!("column {n} has an unexpected type")));
        };
        typed.write_batch(values, levels, None)?;
        let metadata = writer.close()?.metadata;
        let metadata = metadata.into_builder().clear_page_encoding_stats().build()?;
        Ok((sink.into_inner()?, metadata))
    }
}
