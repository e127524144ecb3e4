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
    """Invalid text of a document, a saved run or a configuration."""

class GenerateError(WayforgeError):
    """No map exists for the seed."""

class MoveError(WayforgeError):
    """Illegal move."""

class DrawError(WayforgeError):
    """The map cannot be drawn with these options."""

class ExpressionError(WayforgeError):
    """Invalid expression."""

class Map:
    """Map of any family, with its document. Maps are equal if their digests are."""

    @property
    def family(self) -> str:
        """Family: act, level, floor or tower."""
    @property
    def algorithm(self) -> str:
        """Name of the algorithm that generated the map."""
    @property
    def seed(self) -> str:
        """Seed as text: as given, or the decimal number."""
    @property
    def seed_number(self) -> int:
        """64-bit number derived from the seed."""
    @property
    def digest(self) -> str:
        """Digest of the document."""
    @property
    def config(self) -> dict[str, Any]:
        """Full configuration, including defaults."""
    @property
    def map(self) -> dict[str, Any]:
        """Map as stored in the document."""
    def to_dict(self) -> dict[str, Any]:
        """Return the document as a dict."""
    def to_json(self) -> str:
        """Return the document as one line of JSON, identical in every language."""
    def validate(self, reproduce: bool = False) -> Report:
        """Validate the map and report every violation of every rule."""
    def routes(self, start: Optional[tuple[int, int]] = None) -> dict[str, Any]:
        """Analyse the routes of an act map, from a node (column, row) or from row 0."""
    def metrics(self) -> dict[str, int]:
        """Compute every metric of the map, by name."""
    def play(self, fog: Optional[int] = None) -> Play:
        """Start a run on an act map, a floor or a tower. ``fog`` is the number of visible rows ahead."""
    def svg(self, theme: str = "parchment", witness: bool = False, labels: bool = False) -> str:
        """Draw the map as SVG."""
    def png(self, theme: str = "parchment", scale: int = 100, witness: bool = False, labels: bool = False) -> bytes:
        """Draw the map as PNG, at a scale in percent."""
    def ascii(self) -> str:
        """Draw the map as text."""
    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...

class Play:
    """Immutable state of a run on a map: every move returns a new ``Play``."""

    @property
    def moves(self) -> list[str]:
        """Legal moves: ``col,row`` or ``boss`` on an act map; north, east, south, west on floors."""
    @property
    def finished(self) -> bool:
        """True if the goal is reached."""
    @property
    def progress(self) -> str:
        """Save of the run: one line of JSON that identifies the map by its digest."""
    @property
    def digest(self) -> str:
        """Digest of the map."""
    def advance(self, step: str) -> Play:
        """Return the run after a move. Raises ``MoveError`` if the move is illegal."""
    def undo(self) -> Optional[Play]:
        """Return the run before the last move, or None at the start."""
    def restart(self) -> Play:
        """Return the run before the first move."""
    def resume(self, progress: _Text) -> Play:
        """Return the run of a save on the same map."""

class NavGrid:
    """Navigation grid of open and blocked tiles."""

    def __init__(self, open: Union[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]) -> None:
        """Create a grid from a two-dimensional array; true or nonzero means open."""
    @staticmethod
    def from_text(text: str) -> NavGrid:
        """Parse a drawing: ``.`` and ``~`` are open, ``#`` and ``@`` blocked, a digit is an open tile's magnitude."""
    @staticmethod
    def archipelago(
        seed: _Seed, width: int = 1024, height: int = 768, *, land: int = 30, scale: int = 256, detail: int = 6
    ) -> NavGrid:
        """Generate an archipelago: open water and islands.

        ``land`` is the percentage of land tiles, ``scale`` the size of the largest features in tiles, and ``detail``
        the number of finer noise layers of the coasts.
        """
    @staticmethod
    def archipelago_digest(
        seed: _Seed, width: int = 1024, height: int = 768, *, land: int = 30, scale: int = 256, detail: int = 6
    ) -> str:
        """Return the digest of an archipelago's document, identical in every language."""
    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns."""
    @property
    def tiles(self) -> int:
        """Number of open tiles."""
    def to_array(self) -> npt.NDArray[np.bool_]:
        """Return the tiles as an array of bool; true means open."""
    def magnitudes(self) -> npt.NDArray[np.uint8]:
        """Return the magnitudes as an array of uint8; 0 for tiles without one."""

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
    ) -> Optional[Path]:
        """Find a shortest path from any source to any target; None if no path exists.

        ``depths`` are candidates for the minimum magnitude of all tiles; the search uses the largest possible.
        ``smooth`` removes tiles between two tiles that have line of sight to each other.
        """
    def edit(self, tiles: _Tiles, open: bool) -> int:
        """Open or block tiles, and return the number of changed tiles."""
    def distance_field(self, sources: _Tiles, *, connectivity: int = 8) -> npt.NDArray[np.uint32]:
        """Compute the number of steps from the nearest source to every tile; 2**32 - 1 if unreachable."""
    @property
    def grid(self) -> NavGrid:
        """Current grid, with all edits."""

class Path:
    """Path from a source to a target."""

    @property
    def tiles(self) -> npt.NDArray[np.uint16]:
        """Tiles from source to target: an array with the columns x and y."""
    @property
    def length(self) -> float:
        """Length under the metric of the query."""
    @property
    def steps(self) -> int:
        """Number of steps."""
    @property
    def source(self) -> int:
        """Index of the source where the path starts."""
    @property
    def target(self) -> int:
        """Index of the target where the path ends."""
    @property
    def guarantee(self) -> str:
        """Guarantee of the length: exact, shortest in region, or valid."""
    @property
    def method(self) -> str:
        """Method that found the path."""
    @property
    def depth(self) -> Optional[int]:
        """Minimum magnitude that the search required, if the query has depths."""
    @property
    def stats(self) -> dict[str, Any]:
        """Statistics of the search: visited, expansions, fallback."""
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
