"""The page in a real Chromium, against a real room."""

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 640}
