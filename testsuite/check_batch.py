"""Compares a Parquet file of `wayforge batch` with the same request as JSON lines.

Reads the Parquet file with pyarrow, pandas, DuckDB and Polars. Usage: check_batch.py FILE.parquet FILE.jsonl
"""

import json
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet


def main(table_file: str, lines_file: str) -> None:
    with open(lines_file) as file:
        rows = [json.loads(line) for line in file]
    names = list(rows[0])
    for row in rows:
        assert list(row) == names, row
        row["seed"] = int(row["seed"])
        assert all((row[name] is not None) == row["generated"] for name in names[2:]), row

    # The columns and the file's metadata.
    schema = pyarrow.parquet.read_schema(table_file)
    fields = [
        pyarrow.field("seed", pyarrow.uint64(), nullable=False),
        pyarrow.field("generated", pyarrow.bool_(), nullable=False),
    ]
    fields += [pyarrow.field(name, pyarrow.int64()) for name in names[2:]]
    assert schema.equals(pyarrow.schema(fields)), schema
    metadata = {key.decode(): value.decode() for key, value in schema.metadata.items()}
    assert set(metadata) == {
        f"wayforge.{key}" for key in ("family", "algorithm", "config", "seed", "count", "shard")
    }, metadata
    json.loads(metadata["wayforge.config"])
    assert int(metadata["wayforge.count"]) == len(rows), metadata
    # The metadata contains the seed as given, possibly text; the rows contain its number.
    given = metadata["wayforge.seed"]
    assert not given.isdecimal() or int(given) == rows[0]["seed"], metadata

    # Every value, with every reader.
    assert pyarrow.parquet.read_table(table_file).to_pylist() == rows, "pyarrow"
    frame = pandas.read_parquet(table_file, dtype_backend="pyarrow")
    assert list(frame.columns) == names, "pandas"
    for name in names:
        assert [None if pandas.isna(value) else value for value in frame[name]] == [row[name] for row in rows], (
            "pandas",
            name,
        )
    assert polars.read_parquet(table_file).to_dicts() == rows, "Polars"
    table = duckdb.sql("select * from read_parquet($1)", params=[table_file])
    assert table.columns == names and table.fetchall() == [tuple(row.values()) for row in rows], "DuckDB"

    # Filters use the minimum and maximum of row groups: they must not skip matching rows.
    for seed in (rows[0]["seed"], rows[-1]["seed"], rows[len(rows) // 2]["seed"]):
        for compare, chosen in (("=", lambda row: row["seed"] == seed), (">", lambda row: row["seed"] > seed)):
            expected = sum(map(chosen, rows))
            ((found,),) = duckdb.sql(
                f"select count(*) from read_parquet($1) where seed {compare} {seed}::ubigint", params=[table_file]
            ).fetchall()
            assert found == expected, ("DuckDB", compare, seed)
            column = polars.col("seed")
            lazy = polars.scan_parquet(table_file).filter(column == seed if compare == "=" else column > seed)
            assert lazy.collect().height == expected, ("Polars", compare, seed)
    missing = sum(not row["generated"] for row in rows)
    print(
        f"check_batch: {metadata['wayforge.algorithm']}: {len(rows)} rows of {len(names)} columns, "
        f"{missing} without a map, identical in four readers"
    )


main(*sys.argv[1:])
