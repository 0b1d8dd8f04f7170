"""Files that are slow to make: made by the first test that asks, for all processes of a run."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.locks import only_worker


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that ``make`` has filled, here or in another process. Only read there."""
    root = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder, mark = root / name, root / f"{name}.made"
    with only_worker(root / f"{name}.lock"):
        if not mark.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            mark.touch()
    return folder
