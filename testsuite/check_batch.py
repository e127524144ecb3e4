"""Reads a Parquet file of `wayforge batch` with pyarrow, pandas, DuckDB and Polars, and compares each with the same request as JSON lines.

    check_batch.py FILE.parquet FILE.jsonl
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
        assert all((row[name] is not None) == row["made"] for name in names[2:]), row

    # The agreed columns, and what the file says of itself.
    told = pyarrow.parquet.read_schema(table_file)
    fields = [pyarrow.field("seed", pyarrow.uint64(), nullable=False), pyarrow.field("made", pyarrow.bool_(), nullable=False)]
    fields += [pyarrow.field(name, pyarrow.int64()) for name in names[2:]]
    assert told.equals(pyarrow.schema(fields)), told
    facts = {key.decode(): value.decode() for key, value in told.metadata.items()}
    assert set(facts) == {f"wayforge.{fact}" for fact in ("family", "algorithm", "config", "seed", "count", "shard")}, facts
    json.loads(facts["wayforge.config"])
    assert int(facts["wayforge.count"]) == len(rows), facts
    # Text is kept as given; the rows have the number.
    given = facts["wayforge.seed"]
    assert not given.isdecimal() or int(given) == rows[0]["seed"], facts

    # Every value, by every reader.
    assert pyarrow.parquet.read_table(table_file).to_pylist() == rows, "pyarrow"
    frame = pandas.read_parquet(table_file, dtype_backend="pyarrow")
    assert list(frame.columns) == names, "pandas"
    for name in names:
        assert [None if pandas.isna(value) else value for value in frame[name]] == [row[name] for row in rows], ("pandas", name)
    assert polars.read_parquet(table_file).to_dicts() == rows, "Polars"
    table = duckdb.sql("select * from read_parquet($1)", params=[table_file])
    assert table.columns == names and table.fetchall() == [tuple(row.values()) for row in rows], "DuckDB"

    # By the least and greatest values of row groups: what they leave out is not there.
    for seed in (rows[0]["seed"], rows[-1]["seed"], rows[len(rows) // 2]["seed"]):
        for compare, chosen in (("=", lambda row: row["seed"] == seed), (">", lambda row: row["seed"] > seed)):
            wanted = sum(map(chosen, rows))
            ((found,),) = duckdb.sql(f"select count(*) from read_parquet($1) where seed {compare} {seed}::ubigint", params=[table_file]).fetchall()
            assert found == wanted, ("DuckDB", compare, seed)
            column = polars.col("seed")
            lazy = polars.scan_parquet(table_file).filter(column == seed if compare == "=" else column > seed)
            assert lazy.collect().height == wanted, ("Polars", compare, seed)
    gone = sum(not row["made"] for row in rows)
    print(f"check_batch: {facts['wayforge.algorithm']}: {len(rows)} rows of {len(names)} columns, {gone} without a map, the same by four readers")


main(*sys.argv[1:])
