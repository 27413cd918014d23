"""The browser that draws pages in tests, where the machine has one."""

import shutil
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None,
    reason="no Chromium: install one that is called chromium or google-chrome (Debian: apt install chromium)",
)


def opened(browser: Any, address: str, **options: Any) -> tuple[Any, list[str]]:
    """The page, and what went wrong or was asked of a network."""
    view, found = browser.new_page(**options), []
    view.on("console", lambda message: found.append(message.text))
    view.on("pageerror", lambda error: found.append(str(error)))
    file = address.partition("#")[0]
    view.on("request", lambda request: found.extend([request.url] * (request.url.partition("#")[0] != file)))
    view.goto(address)
    return view, found
