"""Where the catalogue lies that every language must agree on."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def catalogue() -> Path:
    return Path(__file__).parents[3] / "testsuite" / "catalogue"
