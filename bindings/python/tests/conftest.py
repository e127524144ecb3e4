"""Fixtures: the folder of the digest catalogue that all languages share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def catalogue() -> Path:
    return Path(__file__).parents[3] / "testsuite" / "catalogue"
