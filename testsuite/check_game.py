#!/usr/bin/env python3
"""Has the game Zombie Escape, from which the legend and the rules of blueprint levels come, judge Wayforge's levels.

Reads what `wayforge level --format zombie-escape` writes on standard input. The game's own validator must accept every level
and find the same cells where cars can drive, and it must reject the level with its player or its exits closed off. With
`--load N` the game's own loader builds every Nth level, as it does when a stage begins.
"""
import json
import os
import sys
from pathlib import Path

os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from play_zombie_escape import install  # noqa: E402
from zombie_escape.gameplay.layout import generate_level_from_blueprint  # noqa: E402
from zombie_escape.level_blueprints import validate_car_connectivity, validate_connectivity  # noqa: E402
from zombie_escape.models import FuelMode  # noqa: E402


def judge(level, grid):
    """What the game's validator says of a grid under the level's stage: the cells where the car can drive, or None."""
    stage = level["stage"]
    endurance = stage["endurance_stage"]
    return validate_connectivity(
        grid,
        fuel_mode=FuelMode.START_FULL if endurance else FuelMode(stage["fuel_mode"]),
        require_player_exit_path=endurance,
        require_car_spawn=not endurance,
    )


def drivable(grid):
    """Where the game says that the cars can drive, each from its own start; None if one of them reaches no exit."""
    cars, cells = cells_of(grid, "C"), set()
    for car in cars:
        alone = ["".join("." if (x, y) in cars - {car} else here for x, here in enumerate(row)) for y, row in enumerate(grid)]
        reached = validate_car_connectivity(alone)
        if reached is None:
            return None
        cells |= reached
    return cells


def cells_of(grid, symbol):
    return {(x, y) for y, row in enumerate(grid) for x, here in enumerate(row) if here == symbol}


def without(grid, symbol, put):
    """The grid with another symbol around every cell of one."""
    rows = [list(row) for row in grid]
    for x, y in cells_of(grid, symbol):
        for v in (y - 1, y, y + 1):
            for u in (x - 1, x, x + 1):
                if (u, v) != (x, y) and rows[v][u] not in "OBE":
                    rows[v][u] = put
    return ["".join(row) for row in rows]


def load(level):
    """The game builds the level; what it built is what the level says."""
    stage = install(level)
    layout, data, walls, *_ = generate_level_from_blueprint(stage, {}, seed=1, ambient_palette_key=None)
    grid = level["grid"]
    yield "players", set(data["player_cells"]) == cells_of(grid, "P")
    yield "cars", set(data["car_cells"]) == cells_of(grid, "C")
    yield "fuel", set(data["fuel_cells"]) == cells_of(grid, "f")
    yield "empty cans", set(data["empty_fuel_can_cells"]) == cells_of(grid, "e")
    yield "flashlights", set(data["flashlight_cells"]) == cells_of(grid, "l")
    yield "shoes", set(data["shoes_cells"]) == cells_of(grid, "s")
    yield "pitfalls", layout.pitfall_cells == cells_of(grid, "x")
    yield "walls", layout.wall_cells == cells_of(grid, "1") | cells_of(grid, "R") | cells_of(grid, "B")
    yield "wall sprites", len(walls) == len(layout.wall_cells)
    yield "moving floors", set(layout.moving_floor_cells) == set().union(*(cells_of(grid, c) for c in "^v<>"))
    yield "cars drive", layout.car_walkable_cells == judge(level, grid)
    fall = {(x, y) for left, y, width, _ in level["stage"]["fall_spawn_zones"] for x in range(left, left + width)}
    yield "fall spawn", layout.fall_spawn_cells == fall


def main():
    every = int(sys.argv[2]) if sys.argv[1:2] == ["--load"] else 0
    levels = loaded = 0
    for number, line in enumerate(sys.stdin):
        level = json.loads(line)
        grid, endurance = level["grid"], level["stage"]["endurance_stage"]
        faults = []
        if judge(level, grid) is None:
            faults.append("the game's validator rejects it")
        if not endurance and drivable(grid) != set(map(tuple, level["car_reachable_cells"])):
            faults.append("cars drive elsewhere in the game")
        if judge(level, without(grid, "P", "x")) is not None:
            faults.append("the game's validator accepts a player who cannot move")
        if not endurance and judge(level, without(grid, "E", "x")) is not None:
            faults.append("the game's validator accepts exits that are closed")
        if every and number % every == 0:
            loaded += 1
            faults += [f"the game loads other {name}" for name, right in load(level) if not right]
        levels += 1
        if faults:
            print("\n".join([f"level {number}: {fault}" for fault in faults] + grid), file=sys.stderr)
            sys.exit(1)
    print(f"{levels} levels accepted by the game, {loaded} of them built by its loader")
    sys.exit(0 if levels else 1)


if __name__ == "__main__":
    main()
