"""Results of batches and searches as NumPy columns, which Arrow shares without copying."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow


class Table(dict[str, npt.NDArray[Any]]):
    """Metrics of many maps: a dict of NumPy arrays with ``seed``, ``generated`` and one column per metric.

    If a seed has no map, ``generated`` is false and its metrics are 0; in Arrow they are null.

    >>> import wayforge
    >>> table = wayforge.batch("floor", 0, 1000, columns=["path"])
    >>> list(table), int(table["path"].min()) >= 1
    (['seed', 'generated', 'path'], True)
    """

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table that shares NumPy's memory; needs ``pyarrow`` (``pip install wayforge[arrow]``).

        ``seed`` is uint64 and ``generated`` bool, both not nullable. Metrics are int64, null if the seed has no map.
        ``wayforge batch`` writes the same columns to Parquet.

        >>> import wayforge
        >>> table = wayforge.batch("floor", 0, 1000, columns=["path"]).to_arrow()
        >>> [f"{field.name} {field.type}" for field in table.schema]
        ['seed uint64', 'generated bool', 'path int64']
        """
        try:
            import pyarrow as pa
        except ImportError as error:
            raise ImportError("to_arrow needs pyarrow: pip install pyarrow") from error
        generated = self["generated"]
        rows = len(generated)
        # Arrow stores booleans as bits, so the bits of `generated` are also the validity bitmap of every metric.
        bits = pa.py_buffer(np.packbits(generated, bitorder="little"))
        validity = None if generated.all() else bits
        missing = rows - int(generated.sum())
        fields, columns = [], []
        for name, column in self.items():
            if name == "generated":
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
    """Seeds whose maps are closest to target values, the closest first; ties are ordered by seed.

    The distance is the sum over all target metrics of the deviation in millionths of the target (of 1 if the target
    is 0), rounded up.

    >>> import wayforge
    >>> seeds, distances = wayforge.closest("floor", "path=12, open=20", 3, where_="count(enemy) = 3", limit=10_000)
    >>> len(seeds), bool(distances[0] <= distances[2])
    (3, True)
    """

    seeds: npt.NDArray[np.uint64]
    distances: npt.NDArray[np.uint64]
