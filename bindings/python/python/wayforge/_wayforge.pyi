from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from ._report import Report
from ._table import Closest, Table

__version__: str

_Seed = Union[int, str]
_Text = Union[str, bytes]
_Config = Union[Mapping[str, Any], str, bytes]
_Tiles = Union[tuple[int, int], Sequence[tuple[int, int]], npt.NDArray[np.integer[Any]]]

class WayforgeError(ValueError):
    """Error of Wayforge: the field, its value, a remedy, and the conflicting rules."""

    field: Optional[str]
    value: Optional[str]
    remedy: Optional[str]
    rules: list[str]

class ConfigError(WayforgeError):
    """Invalid configuration."""

class InputError(WayforgeError):
    """Invalid argument."""

class DecodeError(WayforgeError):
    """Text that is not a valid document, save or configuration."""

class GenerateError(WayforgeError):
    """No map exists for the seed."""

class MoveError(WayforgeError):
    """Illegal move."""

class DrawError(WayforgeError):
    """Map that cannot be drawn with these options."""

class ExpressionError(WayforgeError):
    """Invalid expression."""

class Map:
    """Map of any family, with its document. Maps are equal if their digests are."""

    @property
    def family(self) -> str: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def seed(self) -> str:
        """Seed as text: as given, or the decimal number."""
    @property
    def seed_number(self) -> int:
        """64-bit number derived from the seed."""
    @property
    def digest(self) -> str: ...
    @property
    def config(self) -> dict[str, Any]: ...
    @property
    def map(self) -> dict[str, Any]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_json(self) -> str: ...
    def validate(self, reproduce: bool = False) -> Report: ...
    def routes(self, start: Optional[tuple[int, int]] = None) -> dict[str, Any]: ...
    def metrics(self) -> dict[str, int]: ...
    def play(self, fog: Optional[int] = None) -> Play: ...
    def svg(self, theme: str = "parchment", witness: bool = False, labels: bool = False) -> str: ...
    def png(self, theme: str = "parchment", scale: int = 100, witness: bool = False, labels: bool = False) -> bytes: ...
    def ascii(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...

class Play:
    """Immutable state of a run on a map: every move returns a new ``Play``."""

    @property
    def moves(self) -> list[str]: ...
    @property
    def finished(self) -> bool: ...
    @property
    def progress(self) -> str: ...
    @property
    def digest(self) -> str: ...
    def advance(self, step: str) -> Play: ...
    def undo(self) -> Optional[Play]: ...
    def restart(self) -> Play: ...
    def resume(self, progress: _Text) -> Play: ...

class NavGrid:
    """Navigation grid of open and blocked tiles."""

    def __init__(self, open: Union[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]) -> None: ...
    @staticmethod
    def from_text(text: str) -> NavGrid: ...
    @staticmethod
    def archipelago(
        seed: _Seed, width: int = 1024, height: int = 768, *, land: int = 30, scale: int = 256, detail: int = 6
    ) -> NavGrid: ...
    @staticmethod
    def archipelago_digest(
        seed: _Seed, width: int = 1024, height: int = 768, *, land: int = 30, scale: int = 256, detail: int = 6
    ) -> str: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def tiles(self) -> int: ...
    def to_array(self) -> npt.NDArray[np.bool_]: ...
    def magnitudes(self) -> npt.NDArray[np.uint8]: ...

class Navigator:
    """Shortest-path queries on a grid. Tiles are x, y.

    The methods restart, mask-f1, mask-f2, mask-optimal and components search inside a corridor:

    - ``factor``: side of a coarse cell in tiles, 1 to 1024; 4 by default, 8 for components.
    - ``radius``: initial half-width of the corridor in coarse cells, 0 to 1024; 2 by default.
    - ``max_expansions``: guardrail, number of expansions before the whole grid is searched, 0 to 1024; 6 by default.
    - ``coarse_rule``: "any-tile" (one coarse node per cell with an open tile) or "components" (one per connected
      component of open tiles in a cell; the default for the method components).
    """

    def __init__(
        self,
        grid: NavGrid,
        preprocessing: str = "none",
        *,
        connectivity: int = 8,
        metric: str = "steps",
        factor: Optional[int] = None,
        radius: Optional[int] = None,
        max_expansions: Optional[int] = None,
        coarse_rule: Optional[str] = None,
    ) -> None: ...
    def find(
        self,
        sources: _Tiles,
        targets: _Tiles,
        *,
        connectivity: int = 8,
        metric: str = "steps",
        method: str = "auto",
        depths: Sequence[int] = ...,
        smooth: bool = False,
    ) -> Optional[Path]: ...
    def edit(self, tiles: _Tiles, open: bool) -> int: ...
    def distance_field(self, sources: _Tiles, *, connectivity: int = 8) -> npt.NDArray[np.uint32]: ...
    @property
    def grid(self) -> NavGrid: ...

class Path:
    """Path from a source to a target."""

    @property
    def tiles(self) -> npt.NDArray[np.uint16]: ...
    @property
    def length(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def source(self) -> int: ...
    @property
    def target(self) -> int: ...
    @property
    def guarantee(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def depth(self) -> Optional[int]: ...
    @property
    def stats(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...

class Rng:
    """Mulberry32: each call returns a number in [0, 1)."""

    def __call__(self) -> float: ...

def generate(family: str, seed: _Seed, config: Optional[_Config] = None) -> Map:
    """Generate a map from a seed and a configuration."""

def load(document: _Text) -> Map:
    """Decode a document. Its structure, configuration, canonical form and digest must be valid.

    A bare ``MapFloor`` has no digest; if it has no ``config``, the budgets are those that the floor contains.
    """

def validate(document: _Text, reproduce: bool = False) -> Report:
    """Validate a document or a bare ``MapFloor``, and report every violation of every rule."""

def create_rng(seed: _Seed) -> Rng:
    """Create the Mulberry32 generator of the floor specification."""

def batch(
    family: str,
    start: _Seed,
    count: int,
    config: Optional[_Config] = None,
    *,
    columns: Optional[Sequence[str]] = None,
    threads: Optional[int] = None,
) -> Table:
    """Compute the metrics of many maps: seed, generated, and one column per metric. Releases the GIL."""

def find(
    family: str,
    where_: str,
    count: int = 1,
    config: Optional[_Config] = None,
    *,
    start: _Seed = 0,
    limit: int = 1_000_000,
    threads: Optional[int] = None,
) -> npt.NDArray[np.uint64]:
    """Find the first seeds whose maps satisfy a condition, in order; independent of ``threads``."""

def closest(
    family: str,
    targets: str,
    count: int = 1,
    config: Optional[_Config] = None,
    *,
    where_: Optional[str] = None,
    start: _Seed = 0,
    limit: int = 1_000_000,
    threads: Optional[int] = None,
) -> Closest:
    """Find the seeds whose maps are closest to target values, the closest first; ties are ordered by seed.

    With ``where_``, only maps that satisfy the condition count.
    """

def metrics(family: str, config: Optional[_Config] = None) -> list[tuple[str, str, str]]:
    """List the metrics of a family under a configuration: name, unit and description."""
