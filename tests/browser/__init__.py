"""The page in a real Chromium, against a real room."""

import pytest
from playwright.sync_api import ViewportSize

DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL: ViewportSize = {"width": 360, "height": 640}

#: Runs a test at every width; a plain run has the widest only, CI the smallest too.
every_width = pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(DESKTOP, id="desktop"),
        pytest.param(PHONE, id="phone", marks=pytest.mark.night),
        pytest.param(SMALL, id="small", marks=pytest.mark.full),
    ],
)
