//! The Parquet table: row groups of one size, each encoded by itself, and the footer that says where they are.
//!
//! A row group does not know what stood before it, so a file can be gone on with from any of them. What the footer needs to know of a row
//! group is kept as Parquet writes it, and read back whether or not the file was ever put down: there is one way to the last byte.

use crate::batch::BatchError;
use crate::batch::request::Request;
use crate::search::{BLOCK, Columns};
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

/// How many rows a row group has; only the last has fewer.
pub const GROUP: usize = 64 * BLOCK as usize;
/// How many rows a file has at most: Parquet numbers its row groups in 16 bits.
pub(crate) const MAX_ROWS: u64 = i16::MAX as u64 * GROUP as u64;

/// What a Parquet file begins and ends with.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// How the table of a request is written.
pub(crate) struct Table {
    schema: SchemaDescPtr,
    properties: WriterPropertiesPtr,
    maker: String,
    told: Vec<KeyValue>,
}

impl Table {
    /// The table of a request: `seed` and `made`, then a column for each metric, null where the seed has no map.
    pub(crate) fn new(request: &Request, config: &str) -> Result<Table, BatchError> {
        let integer = |signed| Some(LogicalType::integer(64, signed));
        let column = |name: &str, physical, logical, repetition| {
            let column = Type::primitive_type_builder(name, physical)
                .with_logical_type(logical)
                .with_repetition(repetition);
            column.build().map(Arc::new)
        };
        let mut columns = vec![
            column("seed", Physical::INT64, integer(false), Repetition::REQUIRED)?,
            column("made", Physical::BOOLEAN, None, Repetition::REQUIRED)?,
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
            // Seeds follow each other: their differences are nothing.
            .set_column_dictionary_enabled(seed.clone(), false)
            .set_column_encoding(seed, Encoding::DELTA_BINARY_PACKED)
            .build();
        let facts = [
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
            maker: request.maker.clone(),
            told: facts.map(|(name, fact)| KeyValue::new(format!("wayforge.{name}"), fact)).into(),
        })
    }

    /// The row group of `rows`, to stand at `offset` as the `ordinal`-th, its columns encoded on all threads: its bytes, and
    /// what the footer says of it.
    pub(crate) fn group(
        &self,
        rows: &Columns,
        offset: u64,
        ordinal: usize,
    ) -> Result<[Vec<u8>; 2], BatchError> {
        let levels: Vec<i16> = rows.made.iter().map(|&made| i16::from(made)).collect();
        let encoded: Vec<(Vec<u8>, ColumnChunkMetaData)> = (0..self.schema.num_columns())
            .into_par_iter()
            .map(|n| match n {
                0 => {
                    let seeds: Vec<i64> = rows.seeds.iter().map(|&seed| seed as i64).collect();
                    self.column::<Int64Type>(n, &seeds, None)
                }
                1 => self.column::<BoolType>(n, &rows.made, None),
                _ => {
                    let there = rows.made.iter().zip(&rows.values[n - 2]);
                    let values: Vec<i64> =
                        there.filter(|(made, _)| **made).map(|(_, &value)| value).collect();
                    self.column::<Int64Type>(n, &values, Some(&levels))
                }
            })
            .collect::<Result<_, _>>()?;
        let (mut bytes, mut columns, mut size) = (Vec::new(), Vec::with_capacity(encoded.len()), 0);
        for (column, told) in encoded {
            let here = (offset + bytes.len() as u64) as i64;
            size += told.uncompressed_size();
            let (page, dictionary) = (told.data_page_offset(), told.dictionary_page_offset());
            let moved = told
                .into_builder()
                .set_data_page_offset(here + page)
                .set_dictionary_page_offset(dictionary.map(|page| here + page));
            columns.push(moved.build()?);
            bytes.extend(column);
        }
        let told = RowGroupMetaData::builder(Arc::clone(&self.schema))
            .set_num_rows(rows.len() as i64)
            .set_total_byte_size(size)
            .set_ordinal(ordinal as i32)
            .set_file_offset(offset as i64)
            .set_column_metadata(columns)
            .build()?;
        Ok([bytes, self.footer(vec![told], Vec::new())?])
    }

    /// The end of a file with these row groups.
    pub(crate) fn end(&self, groups: &[Vec<u8>]) -> Result<Vec<u8>, BatchError> {
        let mut told = Vec::with_capacity(groups.len());
        for group in groups {
            let footer = group.len().checked_sub(8).and_then(|end| group.get(..end));
            let footer =
                footer.ok_or_else(|| BatchError::Damaged("a row group is not told of".to_owned()))?;
            told.extend(ParquetMetaDataReader::decode_metadata(footer)?.row_groups().iter().cloned());
        }
        self.footer(told, self.told.clone())
    }

    fn footer(&self, groups: Vec<RowGroupMetaData>, told: Vec<KeyValue>) -> Result<Vec<u8>, BatchError> {
        let rows = groups.iter().map(RowGroupMetaData::num_rows).sum();
        let told = (!told.is_empty()).then_some(told);
        let file = FileMetaData::new(1, rows, Some(self.maker.clone()), told, Arc::clone(&self.schema), None);
        let mut bytes = Vec::new();
        ParquetMetaDataWriter::new(&mut bytes, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(bytes)
    }

    fn column<T: DataType>(
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
            return Err(BatchError::Parquet(format!("column {n} has another type")));
        };
        typed.write_batch(values, levels, None)?;
        let told = writer.close()?.metadata;
        let told = told.into_builder().clear_page_encoding_stats().build()?;
        Ok((sink.into_inner()?, told))
    }
}
