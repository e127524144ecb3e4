"""Searches for seeds."""

import signal
import time
from typing import Any, Callable, Optional

import numpy as np
import pytest

import wayforge

TARGETS = {"nodes": 60, "routes": 200, "min(elite)": 0}
TARGETS_TEXT = ", ".join(f"{name}={value}" for name, value in TARGETS.items())
#: A thread generates about a hundred of these maps per second.
SLOW = {"width": 400, "height": 400, "walls": "caves"}


def test_find_matches_a_full_scan() -> None:
    table = wayforge.batch("act", 0, 20_000, columns=["routes", "min(elite)"])
    expected = table["seed"][(table["routes"] > 500) & (table["min(elite)"] == 0)]
    assert len(expected) > 20
    found = wayforge.find("act", "routes > 500 and min(elite) = 0", 20, limit=20_000)
    assert found.dtype == np.uint64 and np.array_equal(found, expected[:20])
    assert np.array_equal(found, wayforge.find("act", "routes > 500 and min(elite) = 0", 20, limit=20_000, threads=3))
    assert wayforge.find("act", "routes < 0", 1, limit=5000).size == 0


def full_scan(start: int, limit: int, keep: Optional[Callable[[Any], Any]] = None) -> list[tuple[int, int]]:
    """All seeds with their distance by definition; the sort is stable, so ties stay ordered by seed."""
    table = wayforge.batch("act", start, limit, columns=list(TARGETS))
    selected = np.ones(limit, bool) if keep is None else keep(table)
    rows = np.column_stack([table[name] for name in TARGETS])[selected].tolist()
    distances = [
        sum(-(-abs(value - target) * 1_000_000 // max(abs(target), 1)) for value, target in zip(row, TARGETS.values()))
        for row in rows
    ]
    return sorted(zip(table["seed"][selected].tolist(), distances), key=lambda pair: pair[1])


@pytest.mark.parametrize("start", [0, 2**64 - 3000])
def test_closest_matches_a_full_scan(start: int) -> None:
    expected = full_scan(start, 20_000)
    assert len({distance for _, distance in expected[:50]}) < 40, "there are ties, so that their order is tested"
    for threads in (None, 1, 3):
        found = wayforge.closest("act", TARGETS_TEXT, 50, start=start, limit=20_000, threads=threads)
        assert found.seeds.dtype == found.distances.dtype == np.uint64
        assert list(zip(found.seeds.tolist(), found.distances.tolist())) == expected[:50]


def test_closest_respects_the_condition() -> None:
    expected = full_scan(7, 20_000, lambda table: (table["routes"] > 300) & (table["min(elite)"] == 0))
    assert expected[:30] != full_scan(7, 20_000)[:30]
    seeds, distances = wayforge.closest(
        "act", TARGETS_TEXT, 30, where_="routes > 300 and min(elite) = 0", start=7, limit=20_000
    )
    assert list(zip(seeds.tolist(), distances.tolist())) == expected[:30]


def test_closest_returns_all_matches_if_fewer_than_count() -> None:
    assert wayforge.closest("act", TARGETS_TEXT, 5, where_="routes < 0", limit=1000).seeds.size == 0
    assert sorted(wayforge.closest("floor", "path=5", 50, limit=20).seeds.tolist()) == list(range(20))
    # With count 0, no seed is searched.
    assert wayforge.closest("level", "path=5", 0, SLOW, limit=2**63).seeds.size == 0


def test_closest_accepts_configurations_and_text_seeds() -> None:
    seeds, distances = wayforge.closest(
        "floor", "count(enemy)=4", 2, {"width": 7, "height": 7, "enemyBudget": 4}, start="first light", limit=100
    )
    first = wayforge.floor("first light").seed_number
    assert seeds.tolist() == [first, first + 1] and distances.tolist() == [0, 0]


class Stop(Exception):
    pass


@pytest.mark.parametrize("threads", [None, 1])
@pytest.mark.parametrize(
    "search",
    [
        lambda threads: wayforge.find("level", "path < 0", 1, SLOW, limit=2**63, threads=threads),
        lambda threads: wayforge.closest("level", "path = 9", 1, SLOW, limit=2**63, threads=threads),
        lambda threads: wayforge.closest("act", TARGETS_TEXT, 1, limit=2**63, threads=threads),
        lambda threads: wayforge.batch("level", 0, 2**31, SLOW, columns=["path"], threads=threads),
    ],
)
def test_signals_interrupt_long_searches(search: Callable[[Optional[int]], Any], threads: Optional[int]) -> None:
    def stop(*_: Any) -> None:
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        start = time.monotonic()
        with pytest.raises(Stop):
            search(threads)
        assert time.monotonic() - start < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_errors_name_argument_and_column() -> None:
    with pytest.raises(wayforge.ExpressionError) as caught:
        wayforge.find("act", "nodes > 3 and ruotes > 3")
    assert (caught.value.field, caught.value.value) == ("where", "column 15") and "routes" in str(caught.value)
    with pytest.raises(wayforge.ExpressionError, match="^targets, column 10: .*routes") as caught:
        wayforge.closest("act", "nodes=60,ruotes=3", where_="nodes > 3")
    assert (caught.value.field, caught.value.value) == ("targets", "column 10")
    with pytest.raises(wayforge.ExpressionError, match="^where, column 1: "):
        wayforge.closest("act", "nodes=60", where_="ruotes > 3")
    with pytest.raises(wayforge.ExpressionError, match="^targets, column 7: "):
        wayforge.closest("act", "nodes > 60")
    with pytest.raises(wayforge.InputError, match="count.*use 0 to 16777216"):
        wayforge.closest("act", "nodes=60", 2**24 + 1)
    with pytest.raises(wayforge.InputError, match="threads"):
        wayforge.closest("act", "nodes=60", threads=0)
    with pytest.raises(wayforge.ConfigError, match="rows"):
        wayforge.closest("act", "nodes=60", config={"rows": 0})
