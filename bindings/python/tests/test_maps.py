"""Maps: digests, documents, validation, drawing, playing and metrics."""

import concurrent.futures
import json
import pickle
from pathlib import Path

import pytest

import wayforge

FAMILIES = ("act", "level", "floor", "tower")


def test_maps_match_every_digest_of_the_catalogue(catalogue: Path) -> None:
    entries = 0
    for family, name in (("act", "act"), ("level", "level"), ("floor", "floor")):
        for line in (catalogue / f"{name}.jsonl").read_text().splitlines():
            entry = json.loads(line)
            kind = "tower" if entry["algorithm"] == "floor.tower/1" else family
            generated = wayforge.generate(kind, entry["seed"], entry["config"])
            assert (generated.algorithm, generated.digest) == (entry["algorithm"], entry["digest"]), entry
            entries += 1
    for line in (catalogue / "archipelago.jsonl").read_text().splitlines():
        entry = json.loads(line)
        assert wayforge.NavGrid.archipelago_digest(entry["seed"], **entry["config"]) == entry["digest"], entry
        entries += 1
    assert entries > 2000


@pytest.mark.parametrize("family", FAMILIES)
def test_maps_round_trip_through_their_documents(family: str) -> None:
    generated = wayforge.generate(family, "first light")
    text = generated.to_json()
    again = wayforge.load(text)
    assert again == generated and hash(again) == hash(generated) and again.to_json() == text
    assert wayforge.load(text.encode()) == generated
    assert pickle.loads(pickle.dumps(generated)) == generated
    assert generated != wayforge.generate(family, 2)
    document = generated.to_dict()
    assert document["digest"] == generated.digest
    assert document["map"] == generated.map and document["config"] == generated.config
    assert document["seed"] == generated.seed
    report = wayforge.validate(text, reproduce=True)
    assert report and report.valid and "reproducible" in report.rules and report.violations == []


def test_bare_map_floors_are_validated_and_loaded() -> None:
    generated = wayforge.floor("first light")
    bare = generated.map
    for tile in bare["tiles"]:
        del tile["blocksVision"], tile["meta"]
    for entity in bare["entities"]:
        del entity["data"]
    for name in ("version", "path", "origin"):
        del bare[name]
    assert wayforge.validate(json.dumps(bare))
    bare["entities"][0] |= {"id": "goblin", "data": {"hp": 3}}
    read = wayforge.load(json.dumps(bare))
    assert read.validate() and read.seed == "first light" and read.ascii()
    assert (read.map["entities"][0]["id"], read.map["entities"][0]["data"]) == ("goblin", {"hp": 3})
    assert wayforge.load(json.dumps({**generated.map, "config": generated.config})) == generated
    bare["exit"]["x"] = -1
    report = wayforge.validate(json.dumps(bare))
    assert not report and report.violations[0].rule == "whole-numbers"
    with pytest.raises(wayforge.DecodeError, match="exit.x: -1 is not a whole number"):
        wayforge.load(json.dumps(bare))


def test_seeds_are_numbers_or_text() -> None:
    assert wayforge.act(7) == wayforge.act("7")
    largest = wayforge.act(2**64 - 1)
    assert (largest.seed, largest.seed_number) == ("18446744073709551615", 2**64 - 1)
    given = wayforge.act("first light")
    derived = wayforge.act(given.seed_number)
    assert (given.seed, given.seed_number, derived.seed) == ("first light", 8343660850332202941, "8343660850332202941")
    assert given.map == derived.map and given.digest != derived.digest
    padded = wayforge.floor("007")
    assert (padded.seed, padded.seed_number, padded.map["seed"]) == ("007", 7, "007")
    with pytest.raises(wayforge.InputError, match="257 characters; use at most 256"):
        wayforge.act("x" * 257)
    numpy = pytest.importorskip("numpy")
    assert wayforge.act(numpy.uint64(7)) == wayforge.act(7)
    # A negative integer is text, as on the command line.
    assert wayforge.act(-1) == wayforge.act("-1") and wayforge.floor(-(2**63)).seed == "-9223372036854775808"
    for wrong in (-(2**63) - 1, 2**64):
        with pytest.raises(wayforge.InputError) as caught:
            wayforge.act(wrong)
        assert (caught.value.field, caught.value.value) == ("seed", str(wrong))
    for wrong_type in (1.5, None, True, [1]):
        with pytest.raises(TypeError):
            wayforge.act(wrong_type)  # type: ignore[arg-type]


def test_report_names_rule_and_place_of_violations() -> None:
    document = wayforge.floor(3).to_dict()
    document["map"]["entities"].pop()
    text = json.dumps(document, separators=(",", ":"))
    report = wayforge.validate(text)
    broken = {violation.rule: violation for violation in report.violations}
    assert not report and {"digest-matches", "budgets"} <= set(broken) <= set(report.rules)
    assert "expected" in broken["budgets"].why and str(broken["budgets"]).startswith("budgets at")
    with pytest.raises(wayforge.DecodeError) as caught:
        wayforge.load(text)
    assert caught.value.field == "digest" and caught.value.remedy


@pytest.mark.parametrize("family", FAMILIES)
def test_maps_are_drawn_as_svg_png_and_text(family: str) -> None:
    generated = wayforge.generate(family, 5)
    assert generated.svg().startswith("<svg ") and generated._repr_svg_() == generated.svg()
    assert generated.svg("night") != generated.svg()
    assert generated.png(scale=25).startswith(b"\x89PNG")
    if family == "act":
        node = generated.map["nodes"][0]
        label = f">{node['col']},{node['row']}</text>"
        assert label in generated.svg(labels=True) and label not in generated.svg()
        assert generated.png(scale=25, labels=True) != generated.png(scale=25)
    else:
        with pytest.raises(wayforge.InputError, match="labels"):
            generated.svg(labels=True)
    assert str(generated) == generated.ascii() and generated.ascii().count("\n") > 3
    with pytest.raises(wayforge.InputError, match="parchment, night"):
        generated.svg("neon")
    with pytest.raises(wayforge.DrawError) as caught:
        generated.png(scale=0)
    assert caught.value.field == "scale"


def test_routes_and_metrics_agree() -> None:
    act = wayforge.act(11)
    routes = act.routes()
    metrics = act.metrics()
    assert int(routes["routes"]) == metrics["routes"]
    kinds = {kind["kind"]: kind for kind in routes["kinds"]}
    assert metrics["min(elite)"] == kinds["elite"]["min"] and metrics["max(shop)"] == kinds["shop"]["max"]
    first = act.map["nodes"][0]
    assert int(act.routes((first["col"], first["row"]))["routes"]) <= int(routes["routes"])
    for wrong in ((999, 0), (-1, 0)):
        with pytest.raises(wayforge.InputError):
            act.routes(wrong)
    with pytest.raises(wayforge.InputError, match="has no routes"):
        wayforge.level(1).routes()
    names = [name for name, _, _ in wayforge.metrics("act")]
    assert names == list(metrics)


@pytest.mark.parametrize("family", ("act", "floor", "tower"))
def test_runs_are_played_undone_saved_and_resumed(family: str) -> None:
    generated = wayforge.generate(family, 9)
    start = generated.play()
    play, seen = start, {start.progress}
    steps = [] if family == "act" else steps_of(generated)
    while not play.finished:
        before = play
        play = play.advance(steps.pop(0) if steps else play.moves[-1])
        assert play.undo() == before and before != play
        seen.add(play.progress)
    assert len(seen) > 3 and start.resume(play.progress) == play and play.restart() == start
    assert start.undo() is None
    with pytest.raises(wayforge.MoveError) as caught:
        start.advance("99,99" if family == "act" else "boss")
    assert caught.value.remedy and start.moves[0] in caught.value.remedy
    with pytest.raises(wayforge.InputError, match="COLUMN,ROW"):
        start.advance("sideways")
    with pytest.raises(wayforge.DecodeError):
        wayforge.generate(family, 10).play().resume(play.progress)


def steps_of(generated: wayforge.Map) -> list[str]:
    """Return the moves along the stored paths of a floor or a tower."""
    words = {(0, -1): "north", (1, 0): "east", (0, 1): "south", (-1, 0): "west"}
    steps = []
    for floor in generated.map.get("floors", [generated.map]):
        cells = [(cell["x"], cell["y"]) for cell in floor["path"]]
        steps += [words[b[0] - a[0], b[1] - a[1]] for a, b in zip(cells, cells[1:])]
    return steps


def test_levels_have_the_member_names_of_the_level_specification() -> None:
    level = wayforge.level(1, fall_spawn_floor_ratio=0.05, min_separation=12)
    assert level.config["fall_spawn_floor_ratio"] == 0.05
    floor, walkable, spawn = (level.map[name] for name in ("rows", "car_walkable_cells", "car_spawn_cells"))
    for symbols, drives, spawns in zip(floor, walkable, spawn):
        for symbol, drive, spawn_cell in zip(symbols, drives, spawns):
            assert (spawn_cell == "#") == (drive == "#" and symbol == ".")
    assert any("#" in row for row in level.map["fall_spawn_cells"])
    broken = [cell for witness in level.map["witness"] for cell in witness["breaks"]]
    assert broken and all(floor[y][x] == "1" for x, y in broken)
    assert not any(witness["breaks"] for witness in wayforge.level(1, walls="maze").map["witness"])


def test_levels_cannot_be_played() -> None:
    with pytest.raises(wayforge.InputError, match="cannot be played"):
        wayforge.level(1).play()


def test_maps_are_generated_on_several_threads() -> None:
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        digests = list(pool.map(lambda seed: wayforge.level(seed % 10).digest, range(80)))
    assert digests == [wayforge.level(seed % 10).digest for seed in range(80)]


def test_create_rng_is_mulberry32() -> None:
    rng = wayforge.create_rng(1)
    numbers = [rng() for _ in range(3)]
    # Mulberry32 in plain Python.
    state, expected = 1, []
    for _ in range(3):
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        t = ((state ^ state >> 15) * (1 | state)) & 0xFFFFFFFF
        t = (t + (((t ^ t >> 7) * (61 | t)) & 0xFFFFFFFF) & 0xFFFFFFFF) ^ t
        expected.append((t ^ t >> 14) / 4294967296)
    assert numbers == expected
