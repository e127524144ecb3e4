"""Fixtures: the folder of the digest catalogue that all languages share."""

import sysconfig
from pathlib import Path

import pytest

import wayforge

# The tests are about the installed wheel; `scripts/check-python` installs it.
assert Path(wayforge.__file__).is_relative_to(sysconfig.get_path("platlib")), wayforge.__file__


@pytest.fixture(scope="session")
def catalogue() -> Path:
    return Path(__file__).parents[1] / "catalogue"
