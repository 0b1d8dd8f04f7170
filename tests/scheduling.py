"""Which worker runs a test: the next one that is free, but a module that shares stays together."""

from pathlib import PurePosixPath

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

#: This module compiles the engine. It starts first, so that no other worker waits for that.
FIRST = "tests/simulation/test_against_exact_odds.py"
#: What runs long in one piece starts early too: at the end all other workers would wait for it.
EARLY = (FIRST, "tests/test_page_logic.py")
#: In these folders and modules tests share a room, a store or a long count.
SHARING = (
    *("tests/history", "tests/room", "tests/server", "tests/store", "tests/table", "tests/verify"),
    *("tests/commands/test_json.py", "tests/price/test_bank.py", FIRST),
)


class OneByOne(LoadScopeScheduling):  # type: ignore[misc] # xdist has no types
    """Hands out tests one by one, in their order, and modules that share as a whole."""

    def __init__(self, config: pytest.Config, log: Producer) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        """Return what has to stay together with a test: its module, or only itself."""
        module = nodeid.partition("::")[0]
        shares = module in SHARING or str(PurePosixPath(module).parent) in SHARING
        return module if shares else nodeid

    def remove_node(self, node: WorkerController) -> str | None:
        """Return the test that ended a worker, if one did; xdist would run it again and again."""
        crashed: str | None = None
        for tests in self.assigned_work[node].values():
            unfinished = [test for test, is_done in tests.items() if not is_done]
            if unfinished and crashed is None:
                crashed = unfinished[0]
                tests[crashed] = True
        super().remove_node(node)
        return crashed
