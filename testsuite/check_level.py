#!/usr/bin/env python3
"""Independent checker for blueprint levels; it uses none of Wayforge's code.

Checks layout, exits, counts, reserved cells, walls, tags, connectivity of cars and people, the order of objectives,
soft locks, every step of the witness routes, and the digest, with breadth-first searches.

Reads documents as JSON lines, or grids as text separated by blank lines, from standard input. For grids, arguments
give the fields of the stage: plain words, numbers, or JSON.

Usage: wayforge level --seed 1 --count 1000 --format json | testsuite/check_level.py
       wayforge level --seed 1 --walls empty --shoes 2 | testsuite/check_level.py walls=empty shoes=2
       wayforge level --seed 1 --count 20 --format json | testsuite/check_level.py --damage
The last command applies many damages to every document and fails unless each is detected.
"""

import hashlib
import json
import sys
from collections import deque

LEGEND = set("OBE1.PCxhwefls^v<>")
CANDIDATES = {"P": "players", "C": "cars", "e": "empty_cans", "f": "fuel_spots", "l": "flashlights", "s": "shoes"}
FEATURES = {"pitfalls": "x", "plants": "h", "puddles": "w", "moving_floors": "^v<>"}
DEFAULTS = {
    "exits": ["top", "bottom", "left", "right"],
    "walls": "default",
    "reinforced": "0%",
    "blocked": {"car": "OBx", "person": "OBx"},
    "fuel": "fuel_can",
    "endurance": False,
    "players": 1,
    "cars": 1,
    "empty_cans": 1,
    "fuel_spots": 1,
    "flashlights": 0,
    "shoes": 0,
    "pitfalls": 0,
    "plants": 0,
    "puddles": 0,
    "moving_floors": 0,
    "fall_spawn_zones": [],
    "fall_spawn_floor_ratio": 0,
    "marks": [],
    "objectives": [],
    "reachable": "candidates",
    "soft_locks": "allowed",
    "attempts": 20,
    "retry": "add",
    "repair": True,
    "pins": [],
}
# A moving floor cannot be left against its direction: not to the three neighbours behind.
BEHIND = {"^": (1, 1), "v": (1, -1), "<": (0, 1), ">": (0, -1)}


class LevelGraph:
    """A level as a graph of cells for cars and people."""

    def __init__(self, config, rows, reinforced, marks):
        self.config, self.rows, self.reinforced, self.marks = config, rows, reinforced, marks
        self.height, self.width = len(rows), len(rows[0])
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.found = {}
        for cell in self.cells:
            self.found.setdefault(self.at(cell), set()).add(cell)
        style = config["walls"].partition(".")[0]
        solid = config.get("interior_walls", "solid" if style in ("maze", "caves") else "breakable") == "solid"
        self.fixed = self.places("1") if solid else self.places("1") & reinforced
        self.corners = self.places("B") | self.fixed
        self.open = {
            mover: {cell for cell in self.cells if self.at(cell) not in config["blocked"][mover]} - self.fixed
            for mover in ("car", "person")
        }
        self.neighbours = {"car": {}, "person": {}}
        self.locks = {}
        for mark in config["marks"]:
            if mark.get("locked_until") is not None:
                self.locks.update({cell: mark["locked_until"] for cell in marks.get(mark["name"], [])})

    def at(self, cell):
        return self.rows[cell[1]][cell[0]]

    def ring(self, cell):
        return min(cell[0], cell[1], self.width - 1 - cell[0], self.height - 1 - cell[1])

    def places(self, step):
        return set(self.marks[step]) if step in self.marks else self.found.get(step, set())

    def may_step(self, mover, a, b):
        """Returns whether one step leads from a to b, ignoring locks."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        if b not in self.open[mover] or max(abs(dx), abs(dy)) != 1:
            return False
        if mover == "car":
            return dx == 0 or dy == 0
        behind = BEHIND.get(self.at(a))
        if behind and (dx, dy)[behind[0]] == behind[1]:
            return False
        return not (dx and dy and (a[0] + dx, a[1]) in self.corners and (a[0], a[1] + dy) in self.corners)

    def unlocked(self, cell, reached):
        return cell not in self.locks or self.locks[cell] in reached

    def next(self, mover, a, reached):
        """Returns the cells that a mover with these completed objectives can step to."""
        known = self.neighbours[mover]
        if a not in known:
            (x, y), open_cells = a, self.open[mover]
            around = (
                (x - 1, y),
                (x + 1, y),
                (x, y - 1),
                (x, y + 1),
                (x - 1, y - 1),
                (x + 1, y - 1),
                (x - 1, y + 1),
                (x + 1, y + 1),
            )
            known[a] = [b for b in around if b in open_cells and self.may_step(mover, a, b)]
        return [b for b in known[a] if self.unlocked(b, reached)] if self.locks else known[a]

    def flood(self, mover, starts, opened=()):
        seen, queue = set(starts), deque(starts)
        while queue:
            for b in self.next(mover, queue.popleft(), opened):
                if b not in seen:
                    seen.add(b)
                    queue.append(b)
        return seen

    def flood_unlocking(self, starts):
        """Returns the cells that people can reach if every lock opens once its objective has been reached."""
        opened = set()
        while True:
            seen = self.flood("person", starts, opened)
            new = {key for key in self.locks.values() if key not in opened and self.places(key) & seen}
            if not new:
                return seen
            opened |= new

    def advance(self, steps, places, cell, progress):
        """Returns the progress after entering a cell: entering a cell of the next objective completes it."""
        while progress + 1 < len(steps) and cell in places[progress + 1]:
            progress += 1
        return progress

    def states(self, mover, steps, start, early):
        """Returns all reachable states (cell, progress) with successors; stops at the first final state if `early`."""
        places = [self.places(step) for step in steps]
        first = (start, self.advance(steps, places, start, 0))
        after, queue = {}, deque([first])
        known = {first}
        while queue:
            cell, progress = state = queue.popleft()
            if early and progress == len(steps) - 1:
                return first, None
            after[state] = []
            for b in self.next(mover, cell, steps[: progress + 1]):
                successor = (b, self.advance(steps, places, b, progress))
                after[state].append(successor)
                if successor not in known:
                    known.add(successor)
                    queue.append(successor)
        return first, after

    def can_finish(self, mover, steps, start):
        return self.states(mover, steps, start, True)[1] is None

    def soft_locks(self, steps, start):
        """Returns the reachable states from which the objectives cannot be completed."""
        _, after = self.states("person", steps, start, False)
        before = {}
        for state, successors in after.items():
            for successor in successors:
                before.setdefault(successor, []).append(state)
        finishing = {state for state in after if state[1] == len(steps) - 1}
        queue = deque(finishing)
        while queue:
            for state in before.get(queue.popleft(), []):
                if state not in finishing:
                    finishing.add(state)
                    queue.append(state)
        return set(after) - finishing


def share(text, n):
    """Returns a percentage of n, halves rounded up."""
    whole, _, decimals = text.rstrip("%").partition(".")
    return (n * int(whole + (decimals + "00")[:2]) + 5000) // 10000


def amount(value, n):
    if isinstance(value, int):
        return value
    return max(1, share(value, n)) if share(value, 10000) else 0


def chains(config):
    """Returns the mover and the steps of every chain of objectives that must be possible."""
    steps = {"fuel_can": "PfC", "refuel_chain": "PefC", "start_full": "PC"}[config["fuel"]]
    result = [] if config["endurance"] else [("car", ["C", "E"])]
    result.append(("person", list(steps)))
    if config["endurance"]:
        result.append(("person", ["P", "E"]))
    return result + [(goal.get("mover", "person"), goal["steps"]) for goal in config["objectives"]]


def check_layout(graph, pinned):
    cells, config = graph.cells, graph.config
    yield "symbols", all(graph.at(cell) in LEGEND for cell in cells)
    yield "outside ring", all((graph.at(cell) == "O") == (graph.ring(cell) == 0) for cell in cells)
    yield "outer band", all((graph.at(cell) in "BE") == (graph.ring(cell) == 1) for cell in cells)
    sides = {"top": (1, 1), "bottom": (1, graph.height - 2), "left": (0, 1), "right": (0, graph.width - 2)}
    exits = graph.places("E")
    for side, (axis, line) in sides.items():
        here = [cell for cell in exits if cell[axis] == line]
        length = (graph.width, graph.height)[1 - axis]
        yield f"exits {side}", len(here) == (side in config["exits"])
        yield (
            f"exits {side} away from corners",
            all(
                3 <= cell[1 - axis] <= length - 4 or (2 <= cell[1 - axis] <= length - 3 and cell in pinned)
                for cell in here
            ),
        )
    yield (
        "exits clear",
        not any(
            graph.at((x + dx, y + dy)) == "1" and (x + dx, y + dy) not in pinned
            for x, y in exits
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        ),
    )
    yield (
        "no pitfall before an exit",
        not any(
            graph.at(cell) == "x" and cell not in pinned
            for x, y in exits
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        ),
    )


def check_counts(graph, pinned):
    config = graph.config
    expected = {symbol: config[field] for symbol, field in CANDIDATES.items()}
    expected["e"] *= config["fuel"] == "refuel_chain"
    expected["f"] *= config["fuel"] != "start_full"
    for symbol, count in expected.items():
        fixed = list(pinned.values()).count(symbol)
        yield f"count of {symbol}", len(graph.places(symbol)) == max(count, fixed)
    marked = {cell for cells in graph.marks.values() for cell in cells}
    reserved = {cell for cell in graph.cells if graph.at(cell) in CANDIDATES} | marked | set(pinned)
    crowded = all(cell in reserved for cell in graph.cells if graph.ring(cell) >= 3)
    yield (
        "candidate margin",
        crowded
        or not any(
            graph.at(cell) in CANDIDATES and graph.ring(cell) < 3 and cell not in pinned for cell in graph.cells
        ),
    )
    yield from check_separation(
        graph, pinned, sum(max(expected[symbol], list(pinned.values()).count(symbol)) for symbol in "PCef")
    )
    floor = sum(graph.ring(cell) >= 2 and cell not in reserved for cell in graph.cells)
    for name, symbols in FEATURES.items():
        feature = config[name] if isinstance(config[name], dict) else {"amount": config[name], "zones": []}
        found = {cell for cell in graph.cells if graph.at(cell) in symbols and cell not in pinned}
        # Pinned cells count towards the amount.
        requested = max(0, amount(feature["amount"], floor) - sum(symbol in symbols for symbol in pinned.values()))
        if feature["zones"]:
            yield f"count of {name}", len(found) >= requested
        else:
            yield f"count of {name}", len(found) == requested
        for zone in feature["zones"]:
            here = {
                (x, y)
                for x in range(zone["x"], zone["x"] + zone["width"])
                for y in range(zone["y"], zone["y"] + zone["height"])
            }
            if isinstance(zone["amount"], int):
                yield f"zone of {name}", len(found & here) >= zone["amount"]
            elif zone["amount"] == "100%":
                # Earlier features, reserved and pinned cells may be in the zone; plain floor and walls may not,
                # except that pitfalls leave the cells next to exits open.
                excluded = {
                    (x + dx, y + dy) for x, y in graph.places("E") for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                }
                free = here - reserved - (excluded if name == "pitfalls" else set())
                yield f"zone of {name}", not any(graph.at(cell) in ".1" for cell in free)
            elif share(zone["amount"], 10000):
                yield f"zone of {name}", bool(found & here)
            if zone.get("moves") and requested == 0:
                yield f"direction of {name}", all(graph.at(cell) == zone["moves"] for cell in found & here)


def check_separation(graph, pinned, count):
    """Checks the distance of candidates with different symbols among P, C, e and f, unless both are pinned."""
    named = {tuple(cell) for mark in graph.config["marks"] for cell in mark["cells"]}
    usable = sum(graph.ring(cell) >= 3 and cell not in pinned and cell not in named for cell in graph.cells)
    feasible = [steps for steps in range(1, 9) if steps == 1 or (count - 1) * (2 * steps - 1) ** 2 < usable]
    expected = graph.config.get("min_separation", feasible[-1])
    cells = [(cell, symbol) for symbol in "PCef" for cell in graph.places(symbol)]
    yield (
        "separation",
        not any(
            a != b and max(abs(x - u), abs(y - v)) < expected and not ((x, y) in pinned and (u, v) in pinned)
            for (x, y), a in cells
            for (u, v), b in cells
        ),
    )


def check_walls(graph, pinned):
    style = graph.config["walls"].partition(".")[0]
    walls = graph.places("1") - set(pinned)
    beside = {"sparse_moore": ((1, 0), (0, 1), (1, 1), (-1, 1)), "sparse_ortho": ((1, 0), (0, 1))}.get(style, ())
    yield "walls apart", not any((x + dx, y + dy) in walls for x, y in walls for dx, dy in beside)
    if style == "empty" or graph.config["walls"].endswith(".0%"):
        yield "no walls", not walls
    if style == "grid_wire":
        # Lines of one direction have no parallel neighbours, so six walls never form a block.
        for width, height in ((2, 3), (3, 2)):
            block = [(dx, dy) for dx in range(width) for dy in range(height)]
            yield "lines apart", not any(all((x + dx, y + dy) in walls for dx, dy in block) for x, y in walls)


def check_tags(graph, level, pinned):
    config = graph.config
    walls, fall = graph.places("1"), layer(level["fall_spawn_cells"])
    yield "reinforced walls", graph.reinforced <= walls
    if not level["attempt"]["repaired"]:
        yield "reinforced count", len(graph.reinforced) == share(config["reinforced"], len(walls))
    inside = {cell for cell in graph.cells if graph.ring(cell) >= 2} - walls
    zones = {
        cell
        for cell in inside
        for zone in config["fall_spawn_zones"]
        if 0 <= cell[0] - zone["x"] < zone["width"] and 0 <= cell[1] - zone["y"] < zone["height"]
    }
    ratio = round(config["fall_spawn_floor_ratio"] * 10000)
    ratio = max(1, (ratio * len(inside) + 5000) // 10000) if ratio else 0
    yield "fall spawn zones", zones <= fall <= inside
    yield "fall spawn ratio", len(fall) == len(zones) + min(ratio, len(inside - zones))
    marked = [cell for cells in graph.marks.values() for cell in cells]
    yield (
        "marks on floor",
        len(set(marked)) == len(marked) and all(graph.ring(cell) >= 2 and graph.at(cell) == "." for cell in marked),
    )
    yield "marks named", set(graph.marks) == {mark["name"] for mark in config["marks"]}
    for mark in config["marks"]:
        cells = graph.marks.get(mark["name"], [])
        yield f"mark {mark['name']}", len(cells) == mark["count"] and all(tuple(c) in cells for c in mark["cells"])


def check_connectivity(graph):
    config = graph.config
    for mover, steps in chains(config):
        starts = graph.places(steps[0])
        yield (
            f"{mover} {' -> '.join(steps)}",
            bool(starts) and all(graph.can_finish(mover, steps, start) for start in starts),
        )
        if mover == "person" and config["soft_locks"] == "forbidden":
            yield f"no soft locks of {' -> '.join(steps)}", not any(graph.soft_locks(steps, start) for start in starts)
    if config["reachable"] == "candidates":
        reached = graph.flood_unlocking(graph.places("P"))
        marked = {cell for cells in graph.marks.values() for cell in cells}
        expected = marked | {cell for cell in graph.cells if graph.at(cell) in CANDIDATES}
        yield "candidates reachable", expected <= reached


def check_witness(graph, level):
    expected = [
        (i, mover, steps, start)
        for i, (mover, steps) in enumerate(chains(graph.config))
        for start in sorted(graph.places(steps[0]), key=lambda cell: (cell[1], cell[0]))
    ]
    routes = level["witness"]
    yield (
        "witness of every start",
        [(w["chain"], w["mover"], w["steps"], tuple(w["route"][0])) for w in routes] == expected,
    )
    for number, witness in enumerate(routes):
        mover, steps, reached = witness["mover"], witness["steps"], witness["reached"]
        route = [tuple(cell) for cell in witness["route"]]
        yield (
            f"witness {number} reaches its steps",
            (
                len(reached) == len(steps)
                and reached[0] == 0
                and reached[-1] == len(route) - 1
                and reached == sorted(reached)
                and all(route[at] in graph.places(step) for at, step in zip(reached, steps))
            ),
        )
        legal = True
        for n, (a, b) in enumerate(zip(route, route[1:])):
            done = [step for at, step in zip(reached, steps) if at <= n]
            legal &= graph.may_step(mover, a, b) and graph.unlocked(b, done)
        yield f"witness {number} walks", legal
        broken = list(dict.fromkeys(cell for cell in route if graph.at(cell) == "1"))
        yield f"witness {number} breaks", [tuple(cell) for cell in witness["breaks"]] == broken


def seed_number(text):
    """Returns the number of a seed: its digits if they fit 64 bits, otherwise FNV-1a of its UTF-8 bytes."""
    if text.isascii() and text.isdecimal() and int(text) < 2**64:
        return int(text)
    number = 0xCBF29CE484222325
    for byte in text.encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number


def check_attempt(document, graph, pinned):
    config, attempt = document["config"], document["map"]["attempt"]
    yield "attempts", 0 <= attempt["index"] < config["attempts"]
    if config["retry"] == "add" or attempt["index"] == 0:
        yield "attempt seed", attempt["seed"] == str((seed_number(document["seed"]) + attempt["index"]) % 2**64)
    removed = [tuple(cell) for cell in attempt["repaired"]]
    yield (
        "repair",
        (not removed or config["repair"]) and all(graph.at(cell) == "." and cell not in pinned for cell in removed),
    )


def layer(rows):
    return {(x, y) for y, row in enumerate(rows) for x, symbol in enumerate(row) if symbol == "#"}


def read_pins(config):
    return {(x, y): symbol for y, row in enumerate(config["pins"]) for x, symbol in enumerate(row) if symbol != "?"}


def check_rules(graph, pinned):
    yield "pins", all(graph.at(cell) == symbol for cell, symbol in pinned.items())
    yield from check_layout(graph, pinned)
    yield from check_counts(graph, pinned)
    yield from check_walls(graph, pinned)
    yield from check_connectivity(graph)


def check_grid(config, rows):
    """Checks a grid against its stage, without a document."""
    if len({len(row) for row in rows}) != 1 or min(len(rows), len(rows[0])) < 5:
        yield "size", False
        return
    graph = LevelGraph(config, rows, set(), {})
    yield "size", (config.get("width", graph.width), config.get("height", graph.height)) == (graph.width, graph.height)
    yield from check_rules(graph, read_pins(config))


def check_document(document):
    unsigned = {key: value for key, value in document.items() if key != "digest"}
    yield "digest", document["digest"] == digest(unsigned)
    config, level = document["config"], document["map"]
    marks = {name: [tuple(cell) for cell in cells] for name, cells in level["marks"].items()}
    reinforced = layer(level["reinforced"])
    rows = level["rows"]
    if (len(rows), {len(row) for row in rows}) != (config["height"], {config["width"]}):
        yield "size", False
        return
    graph, pinned = LevelGraph(config, rows, reinforced, marks), read_pins(config)
    yield from check_rules(graph, pinned)
    yield from check_tags(graph, level, pinned)
    walkable = set() if config["endurance"] else graph.flood("car", graph.places("C"))
    yield "car walkable", layer(level["car_walkable_cells"]) == walkable
    marked = {cell for cells in marks.values() for cell in cells}
    yield "car spawn", layer(level["car_spawn_cells"]) == (walkable & graph.places(".")) - marked
    yield from check_witness(graph, level)
    yield from check_attempt(document, graph, pinned)


def digest(unsigned):
    text = json.dumps(unsigned, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def violated(checks):
    return [name for name, valid in checks if not valid]


def put(document, cell, symbol):
    rows = document["map"]["rows"]
    rows[cell[1]] = rows[cell[1]][: cell[0]] + symbol + rows[cell[1]][cell[0] + 1 :]


def damages(document):
    """Yields changes that damage a document, each with the check that must detect it.

    All but the first get a new digest.
    """
    rows, config, size = document["map"]["rows"], document["config"], document["config"]["width"]

    def find(symbol):
        return next(((x, y) for y, row in enumerate(rows) for x, s in enumerate(row) if s == symbol), None)

    start, car, exit_, floor = find("P"), find("C"), find("E"), find(".")
    inner = next(
        (exit_[0] + dx, exit_[1] + dy)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if rows[exit_[1] + dy][exit_[0] + dx] not in "OB"
    )

    def ring_of(cell, symbol):
        return lambda d: [
            put(d, (cell[0] + dx, cell[1] + dy), symbol)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if (dx or dy) and d["map"]["rows"][cell[1] + dy][cell[0] + dx] not in "OBE"
        ]

    yield "digest", lambda d: d.update(seed=str(seed_number(d["seed"]) ^ 1))
    yield "outside ring", lambda d: put(d, (0, 0), "B")
    yield "outer band", lambda d: put(d, (1, 1), ".")
    yield "outer band", lambda d: put(d, (floor[0], floor[1]), "B")
    yield "exits", lambda d: put(d, exit_, "B")
    yield "exits", lambda d: [put(d, (x, 1), "E") for x in (4, 5)]
    yield "symbols", lambda d: put(d, floor, "#")
    yield "exits clear", lambda d: put(d, inner, "1")
    yield "no pitfall before an exit", lambda d: put(d, inner, "x")
    yield "count of P", lambda d: put(d, start, ".")
    yield "count of C", lambda d: put(d, floor, "C")
    yield "candidate margin", lambda d: [put(d, start, "."), put(d, (2, 2), "P")]
    yield "count of pitfalls", lambda d: put(d, floor, "x")
    yield "count of plants", lambda d: put(d, floor, "h")
    yield "size", lambda d: d["map"]["rows"].pop()
    yield "person", ring_of(start, "x")
    if not config["endurance"]:
        yield "car C -> E", ring_of(car, "x")
        yield "car walkable", lambda d: d["map"].update(car_walkable_cells=["." * size] * len(rows))
        yield "car spawn", lambda d: d["map"].update(car_spawn_cells=d["map"]["car_walkable_cells"])
        yield (
            "separation",
            lambda d: [put(d, car, "."), put(d, (start[0] + (1 if start[0] < size - 4 else -1), start[1]), "C")],
        )
    if config["walls"].startswith("sparse"):
        wall = find("1")
        if wall:
            yield "walls apart", lambda d: put(d, (wall[0] + (1 if wall[0] < size - 3 else -1), wall[1]), "1")
    if config["walls"] == "empty":
        yield "no walls", lambda d: put(d, floor, "1")
    yield "witness", lambda d: d["map"]["witness"].pop()
    yield "witness", lambda d: d["map"]["witness"][0]["route"].pop()
    yield (
        "witness",
        lambda d: d["map"]["witness"][-1]["route"].pop(1) and d["map"]["witness"][-1]["route"].insert(1, [0, 0]),
    )
    yield "witness", lambda d: d["map"]["witness"][-1]["reached"].reverse()
    yield "witness", lambda d: d["map"]["witness"][0]["breaks"].append(d["map"]["witness"][0]["route"][0])
    yield "attempt", lambda d: d["map"]["attempt"].update(index=10**6)
    yield "attempt seed", lambda d: d["map"]["attempt"].update(index=0, seed=str(seed_number(d["seed"]) ^ 1))
    yield "repair", lambda d: d["map"]["attempt"].update(repaired=[list(start)])
    yield (
        "reinforced walls",
        lambda d: d["map"].update(
            reinforced=["".join("#" if (x, y) == floor else "." for x in range(size)) for y in range(len(rows))]
        ),
    )
    yield "fall spawn", lambda d: d["map"].update(fall_spawn_cells=["#" * size] * len(rows))
    for mark in config["marks"]:
        yield f"mark {mark['name']}", lambda d, name=mark["name"]: d["map"]["marks"][name].pop()


def check_damages(document):
    """Yields the name of every damage and whether the checker detects it."""
    text = json.dumps(document)
    for name, damage in damages(document):
        damaged = json.loads(text)
        damage(damaged)
        if name != "digest":
            del damaged["digest"]
            damaged["digest"] = digest(damaged)
        yield name, any(found.startswith(name) for found in violated(check_document(damaged)))


def read_field(text):
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value.split(",") if name == "exits" else value


def main():
    arguments = sys.argv[1:]
    damage = "--damage" in arguments
    config = DEFAULTS | dict(read_field(text) for text in arguments if text != "--damage")
    text = sys.stdin.read()
    if text.lstrip().startswith("{"):
        documents = [json.loads(line) for line in text.split("\n") if line]
        levels = [
            (f"seed {document['seed']}", (check_damages if damage else check_document)(document))
            for document in documents
        ]
    else:
        grids = [grid.splitlines() for grid in text.split("\n\n") if grid.strip()]
        levels = [(f"grid {n}", check_grid(config, rows)) for n, rows in enumerate(grids, 1)]
    checked = failed = 0
    for name, checks in levels:
        found = violated(checks)
        checked += 1
        if found:
            failed += 1
            print(f"{name}: {', '.join(found)}{': not detected' if damage else ''}")
    print(f"{checked} levels {'damaged' if damage else 'checked'}, {failed} {'not detected' if damage else 'invalid'}")
    sys.exit(1 if failed or not checked else 0)


main()
