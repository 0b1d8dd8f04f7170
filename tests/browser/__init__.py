"""The page in a real Chromium, against a real room."""

import pytest
from playwright.sync_api import ViewportSize

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 640}

_QUICK = "desktop-dark"
_LOOKS = {
    f"{name}-{scheme}": (viewport, scheme)
    for name, viewport in (("desktop", DESKTOP), ("phone", PHONE), ("small", SMALL))
    for scheme in ("dark", "light")
}
#: Runs a test at every width, light and dark.
every_look = pytest.mark.parametrize(
    ("viewport", "scheme"),
    [
        pytest.param(*look, id=name, marks=() if name == _QUICK else pytest.mark.full)
        for name, look in _LOOKS.items()
    ],
)
