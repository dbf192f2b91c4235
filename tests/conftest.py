"""Fixtures and settings that several tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mondegreen.data import write
from mondegreen.data.sample import sample
from showing import Shown, make_shown

settings.register_profile(
    "mondegreen",
    deadline=None,
    derandomize="MONDEGREEN_RANDOM_TESTS" not in os.environ,  # set by make fuzz
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("mondegreen")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture
def shared() -> Path:
    """Return the folder of real data sets, which is not part of the project."""
    if not SHARED.is_dir():
        pytest.skip("the real data sets are not beside the project")
    return SHARED


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Write the embedded sample to a file."""
    path = tmp_path / "data.jsonl"
    write(sample(), path)
    return path


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Make runs and scores for the report and the viewer."""
    return make_shown(tmp_path_factory.mktemp("shown"))
