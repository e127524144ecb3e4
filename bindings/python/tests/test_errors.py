"""Errors keep field, value, remedy and rules."""

import pytest

import wayforge


@pytest.mark.parametrize(
    ("family", "config", "field", "value"),
    [
        ("act", {"rows": 0}, "rows", "0"),
        ("act", {"ruleset": "spire", "act": 9}, "act", "9"),
        ("level", {"width": 10**9}, "width", "1000000000"),
        ("floor", {"minPathLength": 40}, "minPathLength", "40"),
        ("tower", {"floors": 0}, "floors", "0"),
        ("dungeon", {}, "family", '"dungeon"'),
    ],
)
def test_config_errors_name_field_and_value(family: str, config: dict, field: str, value: str) -> None:
    with pytest.raises(wayforge.InputError if field == "family" else wayforge.ConfigError) as caught:
        wayforge.generate(family, 1, config)
    error = caught.value
    assert (error.field, error.value) == (field, value)
    assert error.remedy and error.remedy in str(error)
    assert isinstance(error, wayforge.WayforgeError) and isinstance(error, ValueError)
    assert not issubclass(wayforge.InputError, wayforge.ConfigError)


def test_rejects_unknown_fields_and_wrong_types() -> None:
    for config in ({"rowz": 3}, {"rows": "many"}, [1], "{", b"\xff"):
        with pytest.raises(wayforge.DecodeError) as caught:
            wayforge.generate("act", 1, config)  # type: ignore[arg-type]
        assert caught.value.field
    with pytest.raises(TypeError):
        wayforge.act(1, {"rows": 3}, rows=3)
    with pytest.raises(TypeError):
        wayforge.generate("act", 1, {"rows": object()})


def test_range_errors_name_argument_and_range() -> None:
    grid = wayforge.NavGrid.from_text("...")
    navigator = wayforge.Navigator(grid)
    for call, message in (
        (lambda: wayforge.NavGrid.archipelago(1, -5), "width = -5: out of range; use 1 to 16384"),
        (lambda: wayforge.NavGrid.archipelago(1, land=10**30), f"land = {10**30}: out of range; use 0 to 100"),
        (lambda: wayforge.Navigator(grid, factor=2**70), f"factor = {2**70}: out of range; use 1 to 1024"),
        (lambda: navigator.find((0, 0), (2, 0), depths=[3, 300]), "depths[1] = 300: out of range; use 0 to 255"),
        (lambda: navigator.find((0, 0), (2, 0), connectivity=-8), "connectivity = -8: unknown; use 4, 8"),
        (lambda: wayforge.batch("floor", 1, -1), "count = -1: out of range; use 0 to 2147483648"),
        (lambda: wayforge.batch("floor", 1, 1, threads=-1), "threads = -1: out of range; use 1 to 1024"),
        (
            lambda: wayforge.find("floor", "path > 1", limit=-1),
            "limit = -1: out of range; use 0 to 18446744073709551615",
        ),
        (lambda: wayforge.act(1).play(fog=-1), "fog = -1: out of range; use 0 to 65535"),
    ):
        with pytest.raises(wayforge.InputError) as caught:
            call()
        assert str(caught.value) == message
        assert caught.value.field and caught.value.value and caught.value.remedy
    with pytest.raises(wayforge.DecodeError, match=r"rows: \"many\" is not a whole number \(use 1 to 4096\)"):
        wayforge.act(1, {"rows": "many"})
    with pytest.raises(TypeError, match="must be an int, not str"):
        wayforge.batch("floor", 1, "3")  # type: ignore[arg-type]


def test_generate_error_lists_the_conflicting_rules() -> None:
    config = {"width": 64, "height": 64, "minPathLength": 2650, "attempts": 1}
    with pytest.raises(wayforge.GenerateError) as caught:
        wayforge.floor(7, config)
    assert (caught.value.field, caught.value.value, caught.value.rules) == ("seed", "7", ["minPathLength"])


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"format":"wayforge/1"}', "\0" * 1000, '{"a":' * 5000])
def test_rejects_noise_with_a_location(text: str) -> None:
    for read in (wayforge.load, wayforge.validate):
        with pytest.raises(wayforge.DecodeError) as caught:
            read(text)
        assert caught.value.field or "line" in str(caught.value)


def test_rejects_every_truncated_document() -> None:
    text = wayforge.floor(1).to_json()
    for end in range(0, len(text), 37):
        with pytest.raises(wayforge.DecodeError):
            wayforge.load(text[:end])


def test_unknown_ruleset_names_field_value_and_remedy() -> None:
    with pytest.raises(wayforge.DecodeError) as caught:
        wayforge.act(1, ruleset="cheese")
    error = caught.value
    assert (error.field, error.value, error.remedy) == ("ruleset", "cheese", "use walks, rows, spire")
