"""The page in a real Chromium, against a real room."""

import pytest
from playwright.sync_api import ViewportSize

from tests.sizes import FULL

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 640}

_ALL = [
    pytest.param(viewport, scheme, id=f"{name}-{scheme}")
    for name, viewport in (("desktop", DESKTOP), ("phone", PHONE), ("small", SMALL))
    for scheme in ("dark", "light")
]
#: Runs a test at every size, by day and in the evening; where time is short, wide and narrow.
every_look = pytest.mark.parametrize(("viewport", "scheme"), _ALL if FULL else [_ALL[0], _ALL[-1]])
