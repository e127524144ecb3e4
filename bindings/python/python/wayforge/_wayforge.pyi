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
    """What Wayforge refuses: the field, what it held, what would work, and the rules that stand against it."""

    field: Optional[str]
    value: Optional[str]
    remedy: Optional[str]
    rules: list[str]

class ConfigError(WayforgeError):
    """A configuration that cannot be used."""

class InputError(WayforgeError):
    """An argument that cannot be used."""

class DecodeError(WayforgeError):
    """Text that is not a document, a save or a configuration."""

class GenerateError(WayforgeError):
    """A seed that has no map."""

class MoveError(WayforgeError):
    """A move that is not legal."""

class DrawError(WayforgeError):
    """A picture that cannot be drawn."""

class ExpressionError(WayforgeError):
    """An expression that is none."""

class Map:
    """A map of any family, with its document. Equal maps have equal digests."""

    @property
    def family(self) -> str: ...
    @property
    def algorithm(self) -> str: ...
    @property
    def seed(self) -> str:
        """The seed as text: what was given, or a number in digits."""
    @property
    def seed_number(self) -> int:
        """The number that is derived from the seed."""
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
    def png(
        self, theme: str = "parchment", scale: int = 100, witness: bool = False, labels: bool = False
    ) -> bytes: ...
    def ascii(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def __hash__(self) -> int: ...

class Play:
    """A map being played. A value: a move gives a new one and leaves the old one alone."""

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

class Water:
    """A grid of water and land."""

    def __init__(self, open: Union[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]) -> None: ...
    @staticmethod
    def from_text(text: str) -> Water: ...
    @staticmethod
    def archipelago(
        seed: _Seed, width: int = 1024, height: int = 768, *, land: int = 30, scale: int = 256, detail: int = 6
    ) -> Water: ...
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
    """Finds ways over water. Tiles are x, y.

    The methods restart, mask-f1, mask-f2, mask-optimal and pieces search inside a corridor. `factor` is the side of a coarse cell in tiles,
    1 to 1024 (4; 8 for pieces); `radius` the initial half width in cells, 0 to 1024 (2); `max_expansions` the guardrail, 0 to 1024 (6);
    `coarse_rule` is "any-tile" (one node per cell with any water) or "components" (one per connected component; the default for pieces).
    """

    def __init__(
        self,
        water: Water,
        prepare: str = "none",
        *,
        moves: int = 8,
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
        moves: int = 8,
        metric: str = "steps",
        method: str = "auto",
        depths: Sequence[int] = ...,
        smooth: bool = False,
    ) -> Optional[Way]: ...
    def edit(self, tiles: _Tiles, open: bool) -> int: ...
    def distance_field(self, sources: _Tiles, *, moves: int = 8) -> npt.NDArray[np.uint32]: ...
    @property
    def water(self) -> Water: ...

class Way:
    """A way from a source to a target."""

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
    def counts(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...

class Rng:
    """Mulberry32: each call gives a number in [0, 1)."""

    def __call__(self) -> float: ...

def generate(family: str, seed: _Seed, config: Optional[_Config] = None) -> Map:
    """The map of a seed under a configuration."""

def load(document: _Text) -> Map:
    """Reads a document strictly: its shape, its configuration, its form and its digest must all be right.

    A ``MapFloor`` without an envelope has no digest; without ``config``, its configuration asks for what the floor holds.
    """

def validate(document: _Text, reproduce: bool = False) -> Report:
    """Validates a document, or a ``MapFloor`` without an envelope: every rule, and every place where one is broken."""

def create_rng(seed: _Seed) -> Rng:
    """Mulberry32 from a seed, as the document of floors describes it."""

def batch(
    family: str,
    start: _Seed,
    count: int,
    config: Optional[_Config] = None,
    *,
    columns: Optional[Sequence[str]] = None,
    threads: Optional[int] = None,
) -> Table:
    """The metrics of many maps: seed, made, and a column for each metric. The interpreter's lock is free meanwhile."""

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
    """The first seeds whose maps meet a condition, in their order, whatever the threads."""

def closest(
    family: str,
    aim: str,
    count: int = 1,
    config: Optional[_Config] = None,
    *,
    where_: Optional[str] = None,
    start: _Seed = 0,
    limit: int = 1_000_000,
    threads: Optional[int] = None,
) -> Closest:
    """The seeds whose maps come closest to an aim, among those that meet a condition if one is given: the nearest first, of equals the first."""

def metrics(family: str, config: Optional[_Config] = None) -> list[tuple[str, str, str]]:
    """The metrics of a family under a configuration: name, unit and meaning."""
