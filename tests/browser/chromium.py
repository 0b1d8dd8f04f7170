"""Where Chromium is; as a script: get it if it can be got, or say how."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

#: What it may be called on the PATH, and where else it may be. The one that has no windows at all
#: draws the same pages with half the work.
NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
#: It draws without a screen, asks nobody outside, and may be root in a container.
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
MISSING = (
    "There is no Chromium, so the page is not tested: install chromium, run"
    f" `{sys.executable} -m playwright install chromium`, or set CHROMIUM to where it is."
)


def find() -> str | None:
    """Return where Chromium is: as said in CHROMIUM, on the PATH, or as Playwright keeps it."""
    said = os.environ.get("CHROMIUM")
    if said:
        return shutil.which(said)
    return next(filter(None, map(shutil.which, NAMES)), None) or _playwrights_own()


def _playwrights_own() -> str | None:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (slow, and seldom needed)

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def get() -> None:
    """Install Chromium by what this machine has for that: Debian's packages, or Playwright."""
    print("Chromium is needed to test the page: it is being fetched.", flush=True)
    ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        install = ["apt-get", "install", "--yes", "--no-install-recommends", "fonts-liberation"]
        packages = ("chromium-headless-shell", "chromium")
        ways = [["apt-get", "update"], *([*install, package] for package in packages), *ways]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for way in ways:
        if find() is None:
            subprocess.run(way, capture_output=True, env=environment, check=False)


if __name__ == "__main__":
    if find() is None and not os.environ.get("CHROMIUM"):
        get()
    if find() is None:
        print(MISSING)
