"""Batches as Arrow tables: shared memory, null for seeds without a map."""

import builtins
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wayforge

# About three in four of these seeds have a map.
SOME_FAIL = {"width": 12, "height": 9, "attempts": 1, "interior_walls": "solid", "pitfalls": "45%", "repair": False}


@pytest.fixture(scope="module")
def table() -> wayforge.Table:
    table = wayforge.batch("level", 2**64 - 100, 300, SOME_FAIL)
    assert 100 < table["generated"].sum() < 290, "some seeds have a map and some do not"
    return table


def test_schema_matches_the_metric_catalogue(table: wayforge.Table) -> None:
    arrow = table.to_arrow()
    names = [name for name, _, _ in wayforge.metrics("level", SOME_FAIL)]
    fields = [pa.field("seed", pa.uint64(), nullable=False), pa.field("generated", pa.bool_(), nullable=False)]
    assert arrow.schema == pa.schema(fields + [pa.field(name, pa.int64()) for name in names])
    arrow.validate(full=True)


def test_metrics_of_seeds_without_a_map_are_null(table: wayforge.Table) -> None:
    arrow = table.to_arrow()
    assert arrow["seed"].to_pylist() == table["seed"].tolist() and arrow["seed"][150].as_py() == 50
    assert arrow["generated"].to_pylist() == table["generated"].tolist()
    for name in list(table)[2:]:
        expected = [
            value if generated else None for value, generated in zip(table[name].tolist(), table["generated"].tolist())
        ]
        assert arrow[name].to_pylist() == expected, name
        assert arrow[name].null_count == (~table["generated"]).sum()
    whole = wayforge.batch("floor", 0, 20, columns=["path"]).to_arrow()
    assert whole["path"].null_count == 0 and whole["path"].to_pylist() == [
        wayforge.floor(n).metrics()["path"] for n in range(20)
    ]
    assert wayforge.batch("floor", 0, 0).to_arrow().num_rows == 0


def test_arrow_shares_memory_with_numpy(table: wayforge.Table) -> None:
    arrow = table.to_arrow()
    for name, column in table.items():
        if name != "generated":
            assert arrow[name].chunk(0).buffers()[1].address == column.ctypes.data, name
    path = arrow["path"]
    expected = table["path"].copy()
    del arrow
    assert np.array_equal(path.fill_null(0).to_numpy(), expected)


def test_polars_and_pandas_and_parquet_read_the_table(table: wayforge.Table, tmp_path: Any) -> None:
    missing = int((~table["generated"]).sum())
    frame = pl.from_arrow(table.to_arrow())
    assert isinstance(frame, pl.DataFrame)
    assert frame["path"].null_count() == missing and frame["path"].sum() == table["path"].sum()
    assert frame.schema["seed"] == pl.UInt64 and frame.schema["generated"] == pl.Boolean
    for pandas in (table.to_arrow().to_pandas(types_mapper=pd.ArrowDtype), pd.DataFrame.from_arrow(table.to_arrow())):
        assert pandas["path"].isna().sum() == missing and pandas["path"].sum() == table["path"].sum()
        assert pandas["seed"].tolist() == table["seed"].tolist()
    pq.write_table(table.to_arrow(), tmp_path / "levels.parquet")
    assert pq.read_table(tmp_path / "levels.parquet").equals(table.to_arrow())
    assert pl.read_parquet(tmp_path / "levels.parquet").equals(frame)


def test_table_is_a_dict_of_numpy_arrays(table: wayforge.Table) -> None:
    assert isinstance(table, dict)
    frame = pd.DataFrame(table)
    assert frame.shape == (300, len(table)) and frame["path"].dtype == np.int64


def test_missing_pyarrow_error_names_the_package(table: wayforge.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def import_without_pyarrow(name: str, *rest: Any, **named: Any) -> Any:
        if name == "pyarrow":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", import_without_pyarrow)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        table.to_arrow()
