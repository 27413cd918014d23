"""Source excerpt of a finding: its line, and a line with a caret under the operation."""

from __future__ import annotations

from spec.errors import Location


def excerpt(text: str | bytes, place: Location) -> list[str]:
    """Return the line of a text at a location, cut to 100 characters, and a line with a caret."""
    lines = text.splitlines() if isinstance(text, str) else []
    if not 0 < place.line <= len(lines):
        return []
    line, start = lines[place.line - 1], max(0, place.column - 60)
    return [line[start : start + 100], " " * (place.column - 1 - start) + "^"]


def decode_text(data: bytes) -> str:
    """Return the text of a file; "" for bytecode."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
