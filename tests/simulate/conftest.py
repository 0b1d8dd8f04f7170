"""What every test of the simulation needs."""

import pytest

from tests.simulate.once import compile_engine


@pytest.fixture(autouse=True, scope="session")
def _engine_compiled_once() -> None:
    compile_engine()
