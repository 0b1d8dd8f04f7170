"""The cuda engine on a real GPU; elsewhere the same kernel is compared on the host."""

from typing import Any

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.simulation.engines import compiled, cuda
from tests.games.test_settle_equals_oracle import cases
from tests.simulation.hard_tables import plans

try:
    cuda._cupy()
    MISSING = ""
except QueenhighError as error:
    MISSING = str(error)


@pytest.mark.gpu
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize(("name", "reading"), cases(), ids=str)
def test_the_gpu_equals_the_compiled_engine(name: str, reading: dict[str, Any]) -> None:
    for plan in plans(name, reading):
        assert cuda.sample(plan, 10**12, 1_000_003) == compiled.sample(plan, 10**12, 1_000_003)
