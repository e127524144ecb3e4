"""What batches and searches give: columns of NumPy, which Arrow takes as they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow


class Table(dict[str, npt.NDArray[Any]]):
    """The metrics of many maps: ``seed``, ``made`` and a column for each metric; a dict of NumPy arrays.

    Where a seed has no map, ``made`` is false and its metrics are 0. As Arrow they are null.

    >>> import wayforge
    >>> table = wayforge.batch("floor", 0, 1000, columns=["path"])
    >>> list(table), int(table["path"].min()) >= 1
    (['seed', 'made', 'path'], True)
    """

    def to_arrow(self) -> pyarrow.Table:
        """The same as a table of Arrow, with NumPy's memory where it lies; needs ``pyarrow`` (``pip install wayforge[arrow]``).

        ``seed`` is uint64 and ``made`` bool, both not null; metrics are int64, null where the seed has no map. ``wayforge batch`` writes the
        same columns to Parquet.

        >>> import wayforge
        >>> table = wayforge.batch("floor", 0, 1000, columns=["path"]).to_arrow()
        >>> [f"{field.name} {field.type}" for field in table.schema]
        ['seed uint64', 'made bool', 'path int64']
        """
        try:
            import pyarrow as pa
        except ImportError as error:
            raise ImportError("to_arrow needs pyarrow: pip install pyarrow") from error
        made = self["made"]
        rows = len(made)
        # Arrow keeps truth in bits: those of `made` are also the validity of every metric.
        bits = pa.py_buffer(np.packbits(made, bitorder="little"))
        validity = None if made.all() else bits
        missing = rows - int(made.sum())
        fields, columns = [], []
        for name, column in self.items():
            if name == "made":
                fields.append(pa.field(name, pa.bool_(), nullable=False))
                columns.append(pa.Array.from_buffers(pa.bool_(), rows, [None, bits], null_count=0))
            elif name == "seed":
                fields.append(pa.field(name, pa.uint64(), nullable=False))
                columns.append(pa.Array.from_buffers(pa.uint64(), rows, [None, pa.py_buffer(column)], null_count=0))
            else:
                fields.append(pa.field(name, pa.int64()))
                columns.append(pa.Array.from_buffers(pa.int64(), rows, [validity, pa.py_buffer(column)], missing))
        return pa.Table.from_arrays(columns, schema=pa.schema(fields))


class Closest(NamedTuple):
    """Seeds whose maps come closest to an aim, the nearest first; of equally near ones the first in the order of seeds.

    A distance is the sum over the metrics aimed at: how far each is off, in millionths of the value wanted (of 1 where 0 is wanted), rounded up.

    >>> import wayforge
    >>> seeds, distances = wayforge.closest("floor", "path=12, open=20", 3, where_="count(enemy) = 3", limit=10_000)
    >>> len(seeds), bool(distances[0] <= distances[2])
    (3, True)
    """

    seeds: npt.NDArray[np.uint64]
    distances: npt.NDArray[np.uint64]
