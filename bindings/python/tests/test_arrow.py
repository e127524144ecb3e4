"""Batches as Arrow: the same numbers in the same memory, null where there is no map."""

import builtins
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wayforge

# Of these levels about three in four are made.
SOME_FAIL = {"width": 12, "height": 9, "attempts": 1, "interior_walls": "solid", "pitfalls": "45%", "repair": False}


@pytest.fixture(scope="module")
def table() -> wayforge.Table:
    table = wayforge.batch("level", 2**64 - 100, 300, SOME_FAIL)
    assert 100 < table["made"].sum() < 290, "some are made and some are not"
    return table


def test_the_schema_is_the_catalogues(table: wayforge.Table) -> None:
    arrow = table.to_arrow()
    names = [name for name, _, _ in wayforge.metrics("level", SOME_FAIL)]
    fields = [pa.field("seed", pa.uint64(), nullable=False), pa.field("made", pa.bool_(), nullable=False)]
    assert arrow.schema == pa.schema(fields + [pa.field(name, pa.int64()) for name in names])
    arrow.validate(full=True)


def test_what_was_not_made_is_null(table: wayforge.Table) -> None:
    arrow = table.to_arrow()
    assert arrow["seed"].to_pylist() == table["seed"].tolist() and arrow["seed"][150].as_py() == 50
    assert arrow["made"].to_pylist() == table["made"].tolist()
    for name in list(table)[2:]:
        wanted = [value if made else None for value, made in zip(table[name].tolist(), table["made"].tolist())]
        assert arrow[name].to_pylist() == wanted, name
        assert arrow[name].null_count == (~table["made"]).sum()
    whole = wayforge.batch("floor", 0, 20, columns=["path"]).to_arrow()
    assert whole["path"].null_count == 0 and whole["path"].to_pylist() == [wayforge.floor(n).metrics()["path"] for n in range(20)]
    assert wayforge.batch("floor", 0, 0).to_arrow().num_rows == 0


def test_nothing_is_copied(table: wayforge.Table) -> None:
    arrow = table.to_arrow()
    for name, column in table.items():
        if name != "made":
            assert arrow[name].chunk(0).buffers()[1].address == column.ctypes.data, name
    path = arrow["path"]
    wanted = table["path"].copy()
    del arrow
    assert np.array_equal(path.fill_null(0).to_numpy(), wanted)


def test_others_take_it(table: wayforge.Table, tmp_path: Any) -> None:
    missing = int((~table["made"]).sum())
    frame = pl.from_arrow(table.to_arrow())
    assert isinstance(frame, pl.DataFrame)
    assert frame["path"].null_count() == missing and frame["path"].sum() == table["path"].sum()
    assert frame.schema["seed"] == pl.UInt64 and frame.schema["made"] == pl.Boolean
    for pandas in (table.to_arrow().to_pandas(types_mapper=pd.ArrowDtype), pd.DataFrame.from_arrow(table.to_arrow())):
        assert pandas["path"].isna().sum() == missing and pandas["path"].sum() == table["path"].sum()
        assert pandas["seed"].tolist() == table["seed"].tolist()
    pq.write_table(table.to_arrow(), tmp_path / "levels.parquet")
    assert pq.read_table(tmp_path / "levels.parquet").equals(table.to_arrow())
    assert pl.read_parquet(tmp_path / "levels.parquet").equals(frame)


def test_a_table_is_a_dict_of_numpy(table: wayforge.Table) -> None:
    assert isinstance(table, dict)
    frame = pd.DataFrame(table)
    assert frame.shape == (300, len(table)) and frame["path"].dtype == np.int64


def test_without_pyarrow_the_error_says_what_to_install(table: wayforge.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any, **named: Any) -> Any:
        if name == "pyarrow":
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        table.to_arrow()
