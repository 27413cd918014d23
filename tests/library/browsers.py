"""The browser that draws pages in tests, where the machine has one."""

import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None,
    reason="no Chromium: install one that is called chromium or google-chrome (Debian: apt install chromium)",
)
