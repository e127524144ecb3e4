#!/usr/bin/env python3
"""Validates Wayforge's levels with the game Zombie Escape, which defines the legend and rules of blueprint levels.

Reads the output of `wayforge level --format zombie-escape` from standard input. The game's validator must accept
every level and find the same cells where cars can drive. It must reject the level if its player or its exits are
closed off. With `--load N` the game's loader builds every Nth level, as it does when a stage begins.
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


def validate(level, grid):
    """Returns the result of the game's validator: the cells where the car can drive, or None if the grid is invalid."""
    stage = level["stage"]
    endurance = stage["endurance_stage"]
    return validate_connectivity(
        grid,
        fuel_mode=FuelMode.START_FULL if endurance else FuelMode(stage["fuel_mode"]),
        require_player_exit_path=endurance,
        require_car_spawn=not endurance,
    )


def drivable_cells(grid):
    """Returns the cells that the cars can reach in the game, each from its own start; None if a car reaches no exit."""
    cars, cells = cells_of(grid, "C"), set()
    for car in cars:
        alone = [
            "".join("." if (x, y) in cars - {car} else symbol for x, symbol in enumerate(row))
            for y, row in enumerate(grid)
        ]
        reached = validate_car_connectivity(alone)
        if reached is None:
            return None
        cells |= reached
    return cells


def cells_of(grid, symbol):
    return {(x, y) for y, row in enumerate(grid) for x, other in enumerate(row) if other == symbol}


def surrounded(grid, symbol, put):
    """Returns the grid with `put` around every cell that contains `symbol`."""
    rows = [list(row) for row in grid]
    for x, y in cells_of(grid, symbol):
        for v in (y - 1, y, y + 1):
            for u in (x - 1, x, x + 1):
                if (u, v) != (x, y) and rows[v][u] not in "OBE":
                    rows[v][u] = put
    return ["".join(row) for row in rows]


def load(level):
    """Builds the level with the game's loader and compares the result with the level."""
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
    yield "cars drive", layout.car_walkable_cells == validate(level, grid)
    fall = {(x, y) for left, y, width, _ in level["stage"]["fall_spawn_zones"] for x in range(left, left + width)}
    yield "fall spawn", layout.fall_spawn_cells == fall


def main():
    every = int(sys.argv[2]) if sys.argv[1:2] == ["--load"] else 0
    levels = loaded = 0
    for number, line in enumerate(sys.stdin):
        level = json.loads(line)
        grid, endurance = level["grid"], level["stage"]["endurance_stage"]
        faults = []
        if validate(level, grid) is None:
            faults.append("the game's validator rejects it")
        if not endurance and drivable_cells(grid) != set(map(tuple, level["car_reachable_cells"])):
            faults.append("cars reach other cells in the game")
        if validate(level, surrounded(grid, "P", "x")) is not None:
            faults.append("the game's validator accepts a player who cannot move")
        if not endurance and validate(level, surrounded(grid, "E", "x")) is not None:
            faults.append("the game's validator accepts closed exits")
        if every and number % every == 0:
            loaded += 1
            faults += [f"the game loads different {name}" for name, is_equal in load(level) if not is_equal]
        levels += 1
        if faults:
            print("\n".join([f"level {number}: {fault}" for fault in faults] + grid), file=sys.stderr)
            sys.exit(1)
    print(f"{levels} levels accepted by the game, {loaded} of them built by its loader")
    sys.exit(0 if levels else 1)


if __name__ == "__main__":
    main()
