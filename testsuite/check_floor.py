#!/usr/bin/env python3
"""Independent checker for floors and towers; it uses none of Wayforge's code.

Checks the members of MapFloor, solvability, budgets, placement rules, the chain of a tower and the digest. Reads
documents as JSON lines from standard input. A line without an envelope is a MapFloor of any generator.

Usage: wayforge floor --seed 1 --count 1000 --format json | testsuite/check_floor.py
"""

import hashlib
import json
import sys
from collections import Counter, deque

WALKABLE = {"floor", "entrance", "exit", "door", "trap", "chest"}
BLOCKS_VISION = {"wall", "door"}
TILE_BUDGETS = {"door": "doorBudget", "chest": "chestBudget", "trap": "trapBudget", "water": "waterBudget"}
ENTITY_BUDGETS = {"enemy": "enemyBudget", "item": "itemBudget", "relic": "relicBudget", "npc": "npcBudget"}
FIELDS = [
    "width",
    "height",
    "seed",
    "tiles",
    "entities",
    "entrance",
    "exit",
    "generatedAt",
    "version",
    "path",
    "origin",
]


def without_time(value):
    """Returns the content that the digest covers: everything without `generatedAt`."""
    if isinstance(value, dict):
        return {
            key: without_time(inner)
            for key, inner in value.items()
            if key != "generatedAt" or not isinstance(inner, str)
        }
    return [without_time(inner) for inner in value] if isinstance(value, list) else value


def flood(start, open_cells):
    steps, queue = {start: 0}, deque([start])
    while queue:
        x, y = queue.popleft()
        for cell in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            if cell in open_cells and cell not in steps:
                steps[cell] = steps[x, y] + 1
                queue.append(cell)
    return steps


def neighbours(cell):
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


SYMBOLS = {
    "#": "wall",
    ".": "floor",
    "<": "entrance",
    ">": "exit",
    "+": "door",
    "^": "trap",
    "$": "chest",
    "~": "water",
    "e": "enemy",
    "i": "item",
    "r": "relic",
    "n": "npc",
}


def is_vec2(value):
    return isinstance(value, dict) and all(type(value.get(name)) in (int, float) for name in "xy")


def check_types(floor):
    """Checks the types of a MapFloor, member by member. Stops if the remaining members cannot be read."""
    numbers = all(type(floor.get(name)) in (int, float) for name in ("width", "height"))
    texts = all(isinstance(floor.get(name), str) for name in ("seed", "generatedAt")) and isinstance(
        floor.get("version", ""), str
    )
    ends = all(is_vec2(floor.get(name)) for name in ("entrance", "exit"))
    lists = all(isinstance(floor.get(name), list) for name in ("tiles", "entities"))
    good = numbers and texts and ends and lists
    yield "members", good
    if not good:
        return
    for at, tile in enumerate(floor["tiles"]):
        yield (
            f"tiles[{at}]",
            (
                isinstance(tile, dict)
                and is_vec2(tile.get("pos"))
                and tile.get("kind") in WALKABLE | {"wall", "water"}
                and isinstance(tile.get("walkable"), bool)
                and isinstance(tile.get("blocksVision", True), bool)
                and isinstance(tile.get("meta", {}), dict)
            ),
        )
    for at, entity in enumerate(floor["entities"]):
        yield (
            f"entities[{at}]",
            (
                isinstance(entity, dict)
                and isinstance(entity.get("id"), str)
                and entity.get("kind") in ENTITY_BUDGETS
                and is_vec2(entity.get("pos"))
                and isinstance(entity.get("data", {}), dict)
            ),
        )


def check_map_floor(floor):
    """Checks a MapFloor without an envelope: solvable, complete, nothing stacked; budgets if it contains its config."""
    types = list(check_types(floor))
    yield from types
    if not all(satisfied for _, satisfied in types):
        return
    width, height = floor["width"], floor["height"]
    yield "tiles", len(floor["tiles"]) == width * height
    cells = [(t["pos"]["x"], t["pos"]["y"]) for t in floor["tiles"]]
    yield "order", cells == [(x, y) for y in range(int(height)) for x in range(int(width))]
    kind = {cell: t["kind"] for cell, t in zip(cells, floor["tiles"])}
    yield "walkable", all(t["walkable"] == (t["kind"] in WALKABLE) for t in floor["tiles"])
    entrance, end = ((floor[name]["x"], floor[name]["y"]) for name in ("entrance", "exit"))
    for name, cell in (("entrance", entrance), ("exit", end)):
        yield name, [other for other in cells if kind[other] == name] == [cell]
    open_cells = {cell for cell in kind if kind[cell] in WALKABLE}
    steps = flood(entrance, open_cells)
    yield "solvable", end in steps
    places = [(e["pos"]["x"], e["pos"]["y"]) for e in floor["entities"]]
    yield "no stacking", len(set(places)) == len(places)
    yield "on walkable tiles", all(cell in open_cells for cell in places)
    yield "ids", len({e["id"] for e in floor["entities"]}) == len(places)
    if "path" in floor:
        path = [(pos["x"], pos["y"]) for pos in floor["path"]]
        yield "path", bool(path) and path[0] == entrance and path[-1] == end and len(path) == steps.get(end, -2) + 1
        yield "path steps", all(b in neighbours(a) and b in open_cells for a, b in zip(path, path[1:]))
    counts = Counter(kind.values()) + Counter(e["kind"] for e in floor["entities"])
    for name, field in (TILE_BUDGETS | ENTITY_BUDGETS).items():
        if field in floor.get("config", {}):
            yield field, counts[name] == floor["config"][field]


def check_floor(config, floor):
    yield "fields", list(floor) == FIELDS and floor["version"] == "floor.module/1"
    width, height = floor["width"], floor["height"]
    yield (
        "tiles",
        [(t["pos"]["x"], t["pos"]["y"]) for t in floor["tiles"]]
        == [(x, y) for y in range(height) for x in range(width)],
    )
    kind = {(t["pos"]["x"], t["pos"]["y"]): t["kind"] for t in floor["tiles"]}
    yield "tile fields", all(list(t) == ["pos", "kind", "walkable", "blocksVision", "meta"] for t in floor["tiles"])
    yield "walkable", all(t["walkable"] == (t["kind"] in WALKABLE) for t in floor["tiles"])
    yield "blocks vision", all(t["blocksVision"] == (t["kind"] in BLOCKS_VISION) for t in floor["tiles"])
    entrance, end = ((floor[name]["x"], floor[name]["y"]) for name in ("entrance", "exit"))
    ends = {name: [cell for cell in kind if kind[cell] == name] for name in ("entrance", "exit")}
    yield "entrance", ends["entrance"] == [entrance]
    yield "exit", ends["exit"] == [end]
    open_cells = {cell for cell in kind if kind[cell] in WALKABLE}
    steps = flood(entrance, open_cells)
    yield "connected", set(steps) == open_cells
    yield "solvable", end in steps
    path = [(pos["x"], pos["y"]) for pos in floor["path"]]
    yield "path", path[0] == entrance and path[-1] == end and len(path) == steps[end] + 1
    yield "path steps", all(b in neighbours(a) and b in open_cells for a, b in zip(path, path[1:]))
    entities = [(e["kind"], (e["pos"]["x"], e["pos"]["y"])) for e in floor["entities"]]
    yield "entity fields", all(list(e) == ["id", "kind", "pos", "data"] for e in floor["entities"])
    yield "ids", len({e["id"] for e in floor["entities"]}) == len(entities)
    yield "reachable", all(cell in steps for _, cell in entities)
    yield "no stacking", len({cell for _, cell in entities}) == len(entities)
    yield "on floor", all(kind[cell] == "floor" for _, cell in entities)
    yield "enemy distance", all(steps[cell] >= 2 for name, cell in entities if name == "enemy")
    yield (
        "chests",
        all(
            cell not in path and any(near in path for near in neighbours(cell))
            for cell in kind
            if kind[cell] == "chest"
        ),
    )
    yield "traps", not any(kind[cell] == "trap" for cell in path)
    for x, y in (cell for cell in kind if kind[cell] == "door"):
        north, east, south, west = (cell in open_cells for cell in neighbours((x, y)))
        yield f"door at {x},{y}", (north, east, south, west) in ((1, 0, 1, 0), (0, 1, 0, 1))
        around = flood(entrance, open_cells - {(x, y)})
        yield f"tiles behind the door at {x},{y}", len(open_cells) - 1 - len(around) >= 3
        yield f"no door adjacent to the door at {x},{y}", all(kind.get(near) != "door" for near in neighbours((x, y)))
    tiles, objects = Counter(kind.values()), Counter(name for name, _ in entities)
    if config is not None:
        yield "size", (width, height) == (config["width"], config["height"])
        yield "shortest path", steps[end] >= config.get("minPathLength", 0)
        safe = flood(entrance, open_cells - {cell for name, cell in entities if name == "enemy"})
        yield "safe route", not config.get("safeRoute") or end in safe
        yield "safe chests", not config.get("safeChests") or all(cell in safe for cell in kind if kind[cell] == "chest")
        for counts, budgets in ((tiles, TILE_BUDGETS), (objects, ENTITY_BUDGETS)):
            for name, field in budgets.items():
                yield field, counts[name] == config[field]
        for name, cell in (("entrance", entrance), ("exit", end)):
            if name in config:
                yield f"{name} as configured", (config[name]["x"], config[name]["y"]) == cell
        template = config.get("template")
        if template:
            yield "template", Counter("".join(template["rows"]))["#"] == tiles["wall"]
        contents = {cell: name for cell, name in kind.items()} | {cell: name for name, cell in entities}
        for y, row in enumerate(config.get("pins", [])):
            for x, symbol in enumerate(row):
                if symbol != "?":
                    yield f"pin at {x},{y}", contents[(x, y)] == SYMBOLS[symbol]


def floor_config(config, number):
    """Returns the configuration of one floor of a tower, or None for a template floor."""
    if number == config["floors"] and config["boss"]:
        return None
    if any(number % entry["every"] == 0 for entry in config["templates"]):
        return None
    floor = {key: value for key, value in config["floor"].items() if key != "entrance" or number == 1}
    for curve in config["curves"]:
        start = floor.get(curve["field"], 0)
        value = start + curve["by"] * ((number - 1) // curve["every"])
        ends = (curve["to"], start)
        floor[curve["field"]] = min(value, max(ends)) if curve["by"] >= 0 else max(value, min(ends))
    return floor


def check(document):
    if "format" not in document:
        yield from check_map_floor(document)
        return
    unsigned = without_time({key: value for key, value in document.items() if key != "digest"})
    text = json.dumps(unsigned, separators=(",", ":"), ensure_ascii=False)
    yield "digest", document["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    config = document["config"]
    if document["algorithm"] == "floor.module/1":
        yield "seed", document["map"]["seed"] == document["seed"]
        yield from check_floor(config, document["map"])
        return
    if document["algorithm"] == "floor.tower.floor/1":
        number = config["floor"]
        yield "number", 1 <= number <= config["tower"]["floors"]
        yield from check_floor(floor_config(config["tower"], number), document["map"])
        return
    floors = document["map"]["floors"]
    yield "height", len(floors) == config["floors"]
    for number, (below, above) in enumerate(zip(floors, floors[1:]), 2):
        yield f"chain to floor {number}", below["exit"] == above["entrance"]
    for number, floor in enumerate(floors, 1):
        for name, satisfied in check_floor(floor_config(config, number), floor):
            yield f"floor {number}: {name}", satisfied


# Each checker is a single file that can be read and run on its own.
def main():
    checked = failed = 0
    for line in sys.stdin:
        document = json.loads(line)
        violated = [name for name, satisfied in check(document) if not satisfied]
        checked += 1
        if violated:
            failed += 1
            print(f"seed {document.get('seed')}: {', '.join(violated)}")
    print(f"{checked} documents checked, {failed} invalid")
    sys.exit(1 if failed or not checked else 0)


main()
