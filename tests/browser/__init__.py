"""The page in a real Chromium, against a real room."""

from playwright.sync_api import ViewportSize

DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
SMALL = ViewportSize(width=360, height=640)
