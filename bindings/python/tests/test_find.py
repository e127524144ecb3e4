"""Seeds that are wanted."""

import signal
import time
from typing import Any, Callable, Optional

import numpy as np
import pytest

import wayforge

AIM = {"nodes": 60, "routes": 200, "min(elite)": 0}
AIMED = ", ".join(f"{name}={value}" for name, value in AIM.items())
#: Maps of which a thread makes about a hundred a second.
SLOW = {"width": 400, "height": 400, "walls": "caves"}


def test_search_is_what_going_through_all_finds() -> None:
    table = wayforge.batch("act", 0, 20_000, columns=["routes", "min(elite)"])
    wanted = table["seed"][(table["routes"] > 500) & (table["min(elite)"] == 0)]
    assert len(wanted) > 20
    found = wayforge.find("act", "routes > 500 and min(elite) = 0", 20, limit=20_000)
    assert found.dtype == np.uint64 and np.array_equal(found, wanted[:20])
    assert np.array_equal(found, wayforge.find("act", "routes > 500 and min(elite) = 0", 20, limit=20_000, threads=3))
    assert wayforge.find("act", "routes < 0", 1, limit=5000).size == 0


def plain(start: int, limit: int, keep: Optional[Callable[[Any], Any]] = None) -> list[tuple[int, int]]:
    """Every seed with its distance, by the definition; Python's sort leaves equals in the order of seeds."""
    table = wayforge.batch("act", start, limit, columns=list(AIM))
    kept = np.ones(limit, bool) if keep is None else keep(table)
    rows = np.column_stack([table[name] for name in AIM])[kept].tolist()
    far = [sum(-(-abs(have - want) * 1_000_000 // max(abs(want), 1)) for have, want in zip(row, AIM.values())) for row in rows]
    return sorted(zip(table["seed"][kept].tolist(), far), key=lambda pair: pair[1])


@pytest.mark.parametrize("start", [0, 2**64 - 3000])
def test_the_closest_are_those_of_a_plain_sort(start: int) -> None:
    wanted = plain(start, 20_000)
    assert len({far for _, far in wanted[:50]}) < 40, "many are equally far, so that their order counts"
    for threads in (None, 1, 3):
        found = wayforge.closest("act", AIMED, 50, start=start, limit=20_000, threads=threads)
        assert found.seeds.dtype == found.distances.dtype == np.uint64
        assert list(zip(found.seeds.tolist(), found.distances.tolist())) == wanted[:50]


def test_only_maps_that_meet_the_condition_are_close() -> None:
    wanted = plain(7, 20_000, lambda table: (table["routes"] > 300) & (table["min(elite)"] == 0))
    assert wanted[:30] != plain(7, 20_000)[:30]
    seeds, distances = wayforge.closest("act", AIMED, 30, where_="routes > 300 and min(elite) = 0", start=7, limit=20_000)
    assert list(zip(seeds.tolist(), distances.tolist())) == wanted[:30]


def test_fewer_than_wanted_are_all_that_there_are() -> None:
    assert wayforge.closest("act", AIMED, 5, where_="routes < 0", limit=1000).seeds.size == 0
    assert sorted(wayforge.closest("floor", "path=5", 50, limit=20).seeds.tolist()) == list(range(20))
    # None are wanted, so none is gone through.
    assert wayforge.closest("level", "path=5", 0, SLOW, limit=2**63).seeds.size == 0


def test_configurations_and_seeds_of_text_count() -> None:
    seeds, distances = wayforge.closest("floor", "count(enemy)=4", 2, {"width": 7, "height": 7, "enemyBudget": 4}, start="first light", limit=100)
    first = wayforge.floor("first light").seed_number
    assert seeds.tolist() == [first, first + 1] and distances.tolist() == [0, 0]


class Stop(Exception):
    pass


@pytest.mark.parametrize("threads", [None, 1])
@pytest.mark.parametrize("search", [
    lambda threads: wayforge.find("level", "path < 0", 1, SLOW, limit=2**63, threads=threads),
    lambda threads: wayforge.closest("level", "path = 9", 1, SLOW, limit=2**63, threads=threads),
    lambda threads: wayforge.closest("act", AIMED, 1, limit=2**63, threads=threads),
    lambda threads: wayforge.batch("level", 0, 2**31, SLOW, columns=["path"], threads=threads),
])
def test_a_signal_is_heard_in_the_middle_of_long_work(search: Callable[[Optional[int]], Any], threads: Optional[int]) -> None:
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


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(wayforge.ExpressionError) as caught:
        wayforge.find("act", "nodes > 3 and ruotes > 3")
    assert (caught.value.field, caught.value.value) == ("where", "column 15") and "routes" in str(caught.value)
    with pytest.raises(wayforge.ExpressionError, match="^aim, column 10: .*routes") as caught:
        wayforge.closest("act", "nodes=60,ruotes=3", where_="nodes > 3")
    assert (caught.value.field, caught.value.value) == ("aim", "column 10")
    with pytest.raises(wayforge.ExpressionError, match="^where, column 1: "):
        wayforge.closest("act", "nodes=60", where_="ruotes > 3")
    with pytest.raises(wayforge.ExpressionError, match="^aim, column 7: "):
        wayforge.closest("act", "nodes > 60")
    with pytest.raises(wayforge.InputError, match="count.*use 0 to 16777216"):
        wayforge.closest("act", "nodes=60", 2**24 + 1)
    with pytest.raises(wayforge.InputError, match="threads"):
        wayforge.closest("act", "nodes=60", threads=0)
    with pytest.raises(wayforge.ConfigError, match="rows"):
        wayforge.closest("act", "nodes=60", config={"rows": 0})
