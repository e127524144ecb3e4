"""Batches: metrics of many maps."""

import resource
import threading
import time

import numpy as np
import pytest

import wayforge


def test_columns_match_the_metrics_of_each_map() -> None:
    table = wayforge.batch("act", 100, 300)
    assert table["seed"].dtype == np.uint64 and table["seed"].tolist() == list(range(100, 400))
    assert table["generated"].all() and table["routes"].dtype == np.int64
    for row in (0, 17, 299):
        metrics = wayforge.act(100 + row).metrics()
        assert {name: int(table[name][row]) for name in metrics} == metrics


def test_result_is_independent_of_threads_and_range() -> None:
    names = ["path", "count(enemy)"]
    one = wayforge.batch("floor", 5, 20_000, columns=names, threads=1)
    four = wayforge.batch("floor", 5, 20_000, columns=names, threads=4)
    assert list(one) == ["seed", "generated", *names]
    for name in one:
        assert np.array_equal(one[name], four[name])
    tail = wayforge.batch("floor", 15_005, 10_000, columns=names)
    assert np.array_equal(one["path"][15_000:], tail["path"][:5_000])


def test_marks_seeds_without_a_map() -> None:
    config = {"width": 64, "height": 64, "minPathLength": 2650, "attempts": 1}
    table = wayforge.batch("floor", 0, 3, config, columns=["path"])
    assert not table["generated"].any() and table["path"].tolist() == [0, 0, 0]


def test_releases_the_gil() -> None:
    ticks, done = 0, threading.Event()

    def work() -> None:
        wayforge.batch("level", 0, 6000, columns=["path"], threads=1)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    worker.join()
    assert ticks > 10


def test_errors_name_the_argument() -> None:
    with pytest.raises(wayforge.InputError, match="use .*path"):
        wayforge.batch("floor", 0, 1, columns=["pth"])
    with pytest.raises(wayforge.InputError, match="threads"):
        wayforge.batch("floor", 0, 1, threads=0)
    with pytest.raises(wayforge.InputError, match="count"):
        wayforge.batch("floor", 0, 2**40)


def test_generation_leaks_no_memory() -> None:
    def once(seed: int) -> None:
        floor = wayforge.floor(seed)
        floor.validate()
        floor.play().moves
        try:
            wayforge.floor(seed, minPathLength=40)
        except wayforge.ConfigError as error:
            assert error.field

    for seed in range(5_000):
        once(seed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for seed in range(100_000):
        wayforge.floor(seed)
        if seed % 10 == 0:
            once(seed)
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert growth < 8_000, f"memory grew by {growth} kB after 100,000 floors"
