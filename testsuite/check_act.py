#!/usr/bin/env python3
"""Independent checker for act maps; it uses none of Wayforge's code.

Checks the structure, the rules of the rulesets walks and rows, the rules about kinds on every route, and the
digest. Reads documents as JSON lines from standard input.

Usage: wayforge act --seed 1 --count 1000 --format json | testsuite/check_act.py
"""

import hashlib
import json
import sys


def check(document):
    unsigned = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(unsigned, separators=(",", ":"), ensure_ascii=False)
    yield "digest", document["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    config, act = document["config"], document["map"]
    rows, cols, walks = act["rows"], act["cols"], act["walks"]
    nodes = [(node["row"], node["col"]) for node in act["nodes"]]
    edges = [(edge["row"], edge["from"], edge["to"]) for edge in act["edges"]]
    yield "size", (rows, cols) == (config["rows"], config["cols"])
    yield "in range", all(0 <= r < rows and 0 <= c < cols for r, c in nodes)
    yield "unique", len(set(nodes)) == len(nodes) and len(set(edges)) == len(edges)
    yield "edge ends", all((r, a) in set(nodes) and (r + 1, b) in set(nodes) for r, a, b in edges)
    for r in range(rows - 1):
        gap = [(a, b) for row, a, b in edges if row == r]
        yield f"no crossings on row {r}", not any(a < c and b > d for a, b in gap for c, d in gap)
    max_attempts = 1 if config["kinds"] == "none" else config["attempts"]
    yield "attempts", 1 <= act["attempts"]["skeletons"] <= max_attempts
    yield "boss", (act["boss"] is not None) == config.get("boss", False)
    if config["ruleset"] == "walks":
        yield from check_walks(config, rows, cols, walks, set(nodes), set(edges))
    else:
        yield from check_rows(config, rows, cols, set(nodes), set(edges))
    yield from check_kinds(config["kinds"], act, edges)


def check_walks(config, rows, cols, walks, nodes, edges):
    yield "start diversity", len(walks) < 2 or walks[0][0] != walks[1][0]
    steps = [(r, walk[r], walk[r + 1]) for walk in walks for r in range(len(walk) - 1)]
    yield "walks", len(walks) == config["walks"] and all(len(walk) == rows for walk in walks)
    yield "walks on edges", set(steps) <= edges
    for r, a, b in steps:
        near = sorted(abs(c - a) for c in range(cols))[: config["nearest"]]
        yield f"nearest on row {r}", abs(a - b) <= near[-1]
    visited = {(r, c) for walk in walks for r, c in enumerate(walk)}
    yield "pruned", nodes == visited and edges == set(steps)
    yield "blocked", not any((cell["row"], cell["col"]) in nodes for cell in config["blocked"])
    yield "pins", all((pin["row"], pin["col"]) in nodes for pin in config["pins"])


def check_rows(config, rows, cols, nodes, edges):
    centres, min_nodes, max_nodes = {(cols - 1) // 2, cols // 2}, config["min_nodes"], config["max_nodes"]
    ends = [sorted(c for r, c in nodes if r == row) for row in (0, rows - 1)]
    yield "ends", all(len(end) == 1 and end[0] in centres for end in ends)
    start, boss = (end[0] for end in ends)
    sizes = [sum(r == row for r, _ in nodes) for row in range(rows)]
    capacity = [sum(abs(c - start) <= r and abs(c - boss) <= rows - 1 - r for c in range(cols)) for r in range(rows)]
    for r in range(1, rows - 1):
        yield f"size of row {r}", min(min_nodes, capacity[r]) <= sizes[r] <= min(max_nodes, capacity[r])
        if r < rows - 2 and abs(sizes[r] - sizes[r + 1]) > 1:
            full = r if sizes[r] > sizes[r + 1] else r + 1
            yield f"evenness of row {r}", sizes[full] == min(min_nodes, capacity[full])
    yield "reach", all(abs(a - b) <= 1 for _, a, b in edges)
    ins, outs = {(r + 1, b) for r, _, b in edges}, {(r, a) for r, a, _ in edges}
    yield "incoming edges", all(place in ins for place in nodes if place[0] > 0)
    yield "outgoing edges", all(place in outs for place in nodes if place[0] < rows - 1)
    for r in range(rows - 1):
        lower, upper = ({c for row, c in nodes if row == at} for at in (r, r + 1))
        leaving = [a for row, a, _ in edges if row == r]
        triples = sum(leaving.count(a) > 2 for a in lower)
        yield f"third edges on row {r}", triples == 0 or triples == fewest_triples(lower, upper)
    yield "lanes merge", rows < 4 or connected({p for p in nodes if 0 < p[0] < rows - 1}, edges)


def fewest_triples(lower, upper):
    """Returns the minimum number of nodes with three edges in any legal set of edges.

    Dynamic programming over columns from left to right. The state is the diagonal between two columns: "/" leads
    from the left column to the right one, "\\" from the right one to the left one.
    """
    best = {"": 0}
    first, last = min(lower | upper), max(lower | upper)
    for c in range(first, last + 1):
        after = {}
        for left, triples in best.items():
            for straight in (False, True):
                for right in ("", "/", "\\"):
                    if straight and not (c in lower and c in upper):
                        continue
                    if right == "/" and not (c in lower and c + 1 in upper):
                        continue
                    if right == "\\" and not (c + 1 in lower and c in upper):
                        continue
                    leaving = (left == "\\") + straight + (right == "/")
                    entering = (left == "/") + straight + (right == "\\")
                    if (c in lower and not leaving) or (c in upper and not entering):
                        continue
                    count = triples + (leaving == 3)
                    after[right] = min(after.get(right, count), count)
        best = after
    return best.get("")


def connected(nodes, edges):
    """Returns whether `nodes` and the edges between them form one connected component."""
    joined, rest = set(), [min(nodes)]
    neighbours = {}
    for r, a, b in edges:
        neighbours.setdefault((r, a), []).append((r + 1, b))
        neighbours.setdefault((r + 1, b), []).append((r, a))
    while rest:
        place = rest.pop()
        if place in nodes and place not in joined:
            joined.add(place)
            rest.extend(neighbours.get(place, []))
    return joined == nodes


def check_kinds(kinds, act, edges):
    kind = {(node["row"], node["col"]): node["kind"] for node in act["nodes"]}
    if kinds == "none":
        yield "no kinds", set(kind.values()) == {None}
        return
    top = act["rows"] - 1
    fixed = {rule["row"] % act["rows"]: rule["kind"] for rule in kinds["fixed"]}
    yield "fixed rows", all(kind[place] == fixed[place[0]] for place in kind if place[0] in fixed)
    for rule in kinds["kinds"]:
        name = rule["name"]
        places = {place for place in kind if kind[place] == name}
        if rule["no_repeat"]:
            yield f"no {name} after {name}", not any((r, a) in places and (r + 1, b) in places for r, a, b in edges)
        if rule["siblings_differ"]:
            pairs = [(r, a) for r, a, b in edges if (r + 1, b) in places and r + 1 not in fixed]
            yield f"siblings of {name}", len(pairs) == len(set(pairs))
        count = rule.get("map", {})
        yield f"{name} on the map", count.get("min", 0) <= len(places) <= count.get("max", len(places))
        fewest, most = {}, {}
        for place in sorted(kind, reverse=True):
            above = [(place[0] + 1, b) for r, a, b in edges if (r, a) == place]
            own_count = int(place in places)
            fewest[place] = own_count + min((fewest[p] for p in above), default=0)
            most[place] = own_count + max((most[p] for p in above), default=0)
        starts = [place for place in kind if place[0] == 0]
        count = rule.get("route", {})
        yield f"fewest {name} on a route", min(fewest[p] for p in starts) >= count.get("min", 0)
        yield f"most {name} on a route", max(most[p] for p in starts) <= count.get("max", top + 1)


def main():
    checked = failed = 0
    for line in sys.stdin:
        document = json.loads(line)
        violated = [name for name, satisfied in check(document) if not satisfied]
        checked += 1
        if violated:
            failed += 1
            print(f"seed {document['seed']}: {', '.join(violated)}")
    print(f"{checked} documents checked, {failed} invalid")
    sys.exit(1 if failed or not checked else 0)


main()
