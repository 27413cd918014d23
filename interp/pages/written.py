"""Pages as files."""

from __future__ import annotations

import os
from pathlib import Path

from interp.engine.files import write_text
from spec.errors import Malformed
from spec.options import shown


def written(path: str | Path, text: str) -> Path:
    """Write a page, and return its path; `Malformed` if it cannot be written."""
    if not isinstance(path, str | os.PathLike):
        raise Malformed(f"{shown(path)} is not a path", "expected the name of the file to write")
    write_text(Path(path), text)
    return Path(path)
