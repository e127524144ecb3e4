"""Shortest paths on NumPy arrays."""

from collections import deque

import numpy as np
import numpy.typing as npt
import pytest

import wayforge


def plain_bfs(open_: npt.NDArray[np.bool_], source: tuple[int, int], connectivity: int) -> npt.NDArray[np.int64]:
    """Breadth-first search in plain Python; -1 for unreachable tiles."""
    height, width = open_.shape
    field = np.full(open_.shape, -1, dtype=np.int64)
    field[source[1], source[0]] = 0
    steps = [(1, 0), (-1, 0), (0, 1), (0, -1)] + ([(1, 1), (1, -1), (-1, 1), (-1, -1)] if connectivity == 8 else [])
    queue = deque([source])
    while queue:
        x, y = queue.popleft()
        for dx, dy in steps:
            a, b = x + dx, y + dy
            if not (0 <= a < width and 0 <= b < height) or not open_[b, a] or field[b, a] >= 0:
                continue
            if dx and dy and not (open_[y, a] and open_[b, x]):
                continue
            field[b, a] = field[y, x] + 1
            queue.append((a, b))
    return field


@pytest.mark.parametrize("connectivity", (4, 8))
@pytest.mark.parametrize("preprocessing", ("none", "coarse", "full"))
def test_paths_are_as_long_as_plain_bfs_paths(connectivity: int, preprocessing: str) -> None:
    rng = np.random.default_rng(3)
    open_ = rng.random((60, 90)) > 0.3
    open_[0, 0] = open_[59, 89] = True
    grid = wayforge.NavGrid(open_)
    assert grid.shape == (60, 90) and grid.tiles == open_.sum() and np.array_equal(grid.to_array(), open_)
    assert np.array_equal(wayforge.NavGrid(open_.astype(np.uint8)).to_array(), open_)
    assert np.array_equal(wayforge.NavGrid(open_.T).to_array(), open_.T), "any strides"
    navigator = wayforge.Navigator(grid, preprocessing, connectivity=connectivity)
    field = plain_bfs(open_, (0, 0), connectivity)
    ours = navigator.distance_field((0, 0), connectivity=connectivity)
    assert ours.dtype == np.uint32
    assert np.array_equal(np.where(ours == 2**32 - 1, -1, ours.astype(np.int64)), field)
    for y, x in rng.permutation(np.argwhere(open_))[:60]:
        path = navigator.find((0, 0), (int(x), int(y)), connectivity=connectivity)
        if field[y, x] < 0:
            assert path is None
            continue
        assert path is not None and path.steps == field[y, x] == len(path) - 1 and path.guarantee == "exact"
        tiles = path.tiles.astype(np.int64)
        assert tiles.shape == (len(path), 2) and tuple(tiles[0]) == (0, 0) and tuple(tiles[-1]) == (x, y)
        assert np.abs(np.diff(tiles, axis=0)).max(initial=0) <= 1 and open_[tiles[:, 1], tiles[:, 0]].all()


def test_many_sources_and_edits() -> None:
    grid = wayforge.NavGrid.archipelago("first light", 300, 200)
    open_ = grid.to_array()
    tiles = np.argwhere(open_)[:, ::-1]
    navigator = wayforge.Navigator(grid, "full")
    path = navigator.find(tiles[:50].astype(np.uint16), [tuple(map(int, tiles[-1]))], metric="octile")
    if path is not None:
        assert path.length >= path.steps and 0 <= path.source < 50 and path.target == 0 and path.method
        middle = path.tiles[len(path) // 2]
        assert navigator.edit([(int(middle[0]), int(middle[1]))], False) == 1
        assert not navigator.grid.to_array()[middle[1], middle[0]]
        assert navigator.edit(np.array([middle]), True) == 1
    assert grid.magnitudes().dtype == np.uint8


def test_corridor_options() -> None:
    open_ = np.ones((60, 90), dtype=bool)
    open_[5:, 45] = False
    grid = wayforge.NavGrid(open_)

    def find(**options: object) -> wayforge.Path:
        navigator = wayforge.Navigator(grid, **options)  # type: ignore[arg-type]
        path = navigator.find((40, 50), (50, 50), method="mask-optimal")
        assert path is not None and path.steps == 94
        return path

    assert find().stats["expansions"] > 0
    assert find(radius=30).stats["expansions"] == 0
    assert find(coarse_rule="components").stats["expansions"] == 0
    assert find(max_expansions=0).stats == {**find(max_expansions=0).stats, "expansions": 0, "fallback": True}
    assert find(factor=1, max_expansions=1000).guarantee == "shortest in region"
    for field, value, remedy in (
        ("factor", 0, "use 1 to 1024"),
        ("radius", -1, "use 0 to 1024"),
        ("max_expansions", 1025, "use 0 to 1024"),
        ("coarse_rule", "cells", "use any-tile, components"),
    ):
        with pytest.raises(wayforge.InputError) as caught:
            wayforge.Navigator(grid, **{field: value})  # type: ignore[arg-type]
        assert caught.value.field == field and str(value) in str(caught.value) and caught.value.remedy == remedy


def test_errors_name_the_argument() -> None:
    grid = wayforge.NavGrid.from_text("..#\n...")
    navigator = wayforge.Navigator(grid)
    for sources, targets, field in (
        ((2, 0), (0, 0), "sources[0]"),
        ((0, 0), (9, 9), "targets[0]"),
        ([], (0, 0), "sources"),
        ((-1, 0), (0, 0), "sources[0]"),
    ):
        with pytest.raises(wayforge.InputError) as caught:
            navigator.find(sources, targets)
        assert caught.value.field == field and caught.value.remedy
    for options in ({"connectivity": 5}, {"metric": "miles"}, {"method": "magic"}):
        with pytest.raises(wayforge.InputError):
            navigator.find((0, 0), (1, 1), **options)
    for array in (np.zeros((0, 4), dtype=bool), np.zeros(3, dtype=bool), np.zeros((2, 2)), "text", None):
        with pytest.raises(wayforge.InputError):
            wayforge.NavGrid(array)  # type: ignore[arg-type]
    with pytest.raises(wayforge.InputError):
        wayforge.Navigator(grid, "thoroughly")
