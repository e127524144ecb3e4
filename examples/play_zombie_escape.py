#!/usr/bin/env python3
"""Plays a Wayforge level in the game Zombie Escape (https://pypi.org/project/zombie-escape/).

    pip install zombie-escape
    wayforge level --seed 7 --format zombie-escape -o level.zombie
    python3 examples/play_zombie_escape.py level.zombie

The game does not read level files. This script replaces its stages with the level, and its blueprint generator with a
function that returns the level's grid. The game then validates and builds the level like its own.
"""

import dataclasses
import json
import sys

from zombie_escape import stage_constants
from zombie_escape.gameplay import layout
from zombie_escape.level_blueprints import Blueprint


def install(level):
    """Replaces the stages of the game with a level in the format zombie-escape, and returns the new stage."""
    fields = level["stage"] | {"fall_spawn_zones": [tuple(zone) for zone in level["stage"]["fall_spawn_zones"]]}
    stage = dataclasses.replace(stage_constants.STAGES[0], **fields)
    stage_constants.STAGES[:] = [stage]
    layout.generate_random_blueprint = lambda **_: Blueprint(grid=level["grid"])
    return stage


if __name__ == "__main__":
    with open(sys.argv.pop(1), encoding="utf-8") as file:
        install(json.loads(file.readline()))
    from zombie_escape.zombie_escape import main

    main()
