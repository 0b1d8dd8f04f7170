"""Fixtures of every test of the simulation."""

import pytest

from tests.simulation.compile_once import compile_engine


@pytest.fixture(autouse=True, scope="session")
def _engine_compiled_once() -> None:
    compile_engine()
