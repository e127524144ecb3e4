"""Deterministic procedural maps with proofs, and exact grid pathfinding.

A seed and a configuration give the same map, byte for byte, on every platform and in every language.

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
    NavGrid,
    Path,
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


def _generate(family: str, seed: Seed, config: Optional[Config], fields: Mapping[str, Any]) -> Map:
    if config is not None and fields:
        raise TypeError("pass a configuration or its fields, not both")
    return generate(family, seed, dict(fields) if config is None else config)


def act(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """Generate an act map with the ruleset ``walks``, ``rows`` or ``spire``.

    >>> act(42, ruleset="rows", rows=12).algorithm
    'act.rows/1'
    """
    return _generate("act", seed, config, fields)


def level(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """Generate a blueprint level with a proof that it can be won.

    >>> level(7, width=30, height=20).validate().valid
    True
    """
    return _generate("level", seed, config, fields)


def floor(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """Generate a floor; fields have the names of the floor specification (``enemyBudget``, ``minPathLength``).

    >>> print(floor(1).ascii().splitlines()[0])
    #####
    """
    return _generate("floor", seed, config, fields)


def tower(seed: Seed, config: Optional[Config] = None, /, **fields: Any) -> Map:
    """Generate a tower of floors, each entered at the exit of the floor below.

    >>> tower(1, floors=3).metrics()["floors"]
    3
    """
    return _generate("tower", seed, config, fields)


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
    "NavGrid",
    "Path",
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
