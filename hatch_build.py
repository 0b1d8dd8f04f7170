"""See to it that no wheel or source distribution is built without the page."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NPM = ("ci", "run build")


class PageHook(BuildHookInterface[Any]):
    """Builds the page where there is none; an editable install can do without it."""

    def dependencies(self) -> list[str]:
        """Ask for a Node where there is no page and none is on the PATH.

        An editable install asks too, although it needs none: the hook cannot see which one it is.
        """
        npm = runpy.run_path(str(self._npm))
        return [] if self._is_page_there() or npm["on_path"]() else [npm["pinned"]()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or say that it cannot be built."""
        if version == "editable" or self._is_page_there():
            return
        for what in NPM:
            command = [sys.executable, str(self._npm), *what.split()]
            if subprocess.run(command, check=False).returncode != 0:
                sys.exit("The page could not be built, and nothing is built without it.")

    @property
    def _npm(self) -> Path:
        return Path(self.root) / "web" / "npm.py"

    def _is_page_there(self) -> bool:
        return (Path(self.root) / "src/queenhigh/server/static/index.html").is_file()
