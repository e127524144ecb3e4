"""Errors cross the border whole."""

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
def test_fields_are_named(family: str, config: dict, field: str, value: str) -> None:
    with pytest.raises(wayforge.ConfigError) as caught:
        wayforge.generate(family, 1, config)
    error = caught.value
    assert (error.field, error.value) == (field, value)
    assert error.remedy and error.remedy in str(error)
    assert isinstance(error, wayforge.WayforgeError) and isinstance(error, ValueError)


def test_unknown_fields_and_wrong_shapes() -> None:
    for config in ({"rowz": 3}, {"rows": "many"}, [1], "{", b"\xff"):
        with pytest.raises(wayforge.DecodeError) as caught:
            wayforge.generate("act", 1, config)  # type: ignore[arg-type]
        assert caught.value.field
    with pytest.raises(TypeError):
        wayforge.act(1, {"rows": 3}, rows=3)
    with pytest.raises(TypeError):
        wayforge.generate("act", 1, {"rows": object()})


def test_a_seed_without_a_map_says_what_stood_against_it() -> None:
    config = {"width": 64, "height": 64, "minPathLength": 2650, "attempts": 1}
    with pytest.raises(wayforge.GenerateError) as caught:
        wayforge.floor(7, config)
    assert (caught.value.field, caught.value.value, caught.value.rules) == ("seed", "7", ["minPathLength"])


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"format":"wayforge/1"}', "\0" * 1000, '{"a":' * 5000])
def test_noise_is_refused_with_a_place(text: str) -> None:
    for read in (wayforge.load, wayforge.validate):
        with pytest.raises(wayforge.DecodeError) as caught:
            read(text)
        assert caught.value.field or "line" in str(caught.value)


def test_every_cut_of_a_document_is_refused() -> None:
    text = wayforge.floor(1).to_json()
    for end in range(0, len(text), 37):
        with pytest.raises(wayforge.DecodeError):
            wayforge.load(text[:end])
