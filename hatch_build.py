"""See to it that no wheel or source distribution is built without the page."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NPM = ("ci", "run build")


class PageHook(BuildHookInterface[Any]):
    """Builds the page where there is none; an editable install can do without it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or say that it cannot be built."""
        root = Path(self.root)
        if version == "editable" or (root / "src/queenhigh/server/static/index.html").is_file():
            return
        for what in NPM:
            command = [sys.executable, str(root / "web" / "npm.py"), *what.split()]
            if subprocess.run(command, check=False).returncode != 0:
                sys.exit("The page could not be built, and nothing is built without it.")
