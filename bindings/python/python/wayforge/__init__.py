"""Maps that games can trust, and the ways through them.

One seed and one configuration give one map, the same bytes on every machine and in every language.

>>> import wayforge
>>> act = wayforge.act("first light")
>>> act.validate().valid
True
>>> act == wayforge.load(act.to_json())
True
>>> wayforge.floor(1, width=7, height=7, enemyBudget=4).metrics()["count(enemy)"]
4
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

from ._report import Report, Violation
from ._table import Closest, Table
from ._wayforge import (
    ConfigError,
    DecodeError,
    DrawError,
    ExpressionError,
    GenerateError,
    InputError,
    Map,
    MoveError,
    Navigator,
    Play,
    Rng,
    Water,
    Way,
    WayforgeError,
    __version__,
    batch,
    closest,
    create_rng,
    find,
    generate,
    load,
    metrics,
    validate,
)

Seed = Union[int, str]
Config = Union[Mapping[str, Any], str, bytes]


def _made(family: str, seed: Seed, config: Optional[Config], fields: Mapping[str, Any]) -> Map:
    if config is not None and fields:
        raise TypeError("give a configuration or fields of it, not both")
    return generate(family, seed, dict(fields) if config is None else config)


def act(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """An act map: by walks, or by ``ruleset="rows"`` or ``ruleset="spire"``.

    >>> act(42, ruleset="rows", rows=12).algorithm
    'act.rows/1'
    """
    return _made("act", seed, config, fields)


def level(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """A blueprint level, with proof that it can be won.

    >>> level(7, width=30, height=20).validate().valid
    True
    """
    return _made("level", seed, config, fields)


def floor(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """A floor module; fields are named as in the document (``enemyBudget``, ``minPathLength``, ``safeRoute``).

    >>> print(floor(1).ascii().splitlines()[0])
    #####
    """
    return _made("floor", seed, config, fields)


def tower(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """A tower of floors, each entered where the one below ends.

    >>> tower(1, floors=3).metrics()["floors"]
    3
    """
    return _made("tower", seed, config, fields)


__all__ = [
    "Closest",
    "Config",
    "ConfigError",
    "DecodeError",
    "DrawError",
    "ExpressionError",
    "GenerateError",
    "InputError",
    "Map",
    "MoveError",
    "Navigator",
    "Play",
    "Report",
    "Rng",
    "Seed",
    "Table",
    "Violation",
    "Water",
    "Way",
    "WayforgeError",
    "__version__",
    "act",
    "batch",
    "closest",
    "create_rng",
    "find",
    "floor",
    "generate",
    "level",
    "load",
    "metrics",
    "tower",
    "validate",
]
