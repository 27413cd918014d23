"""Folder of compiled code, of one user alone, and its files, each with a checksum before the code.

A file is named by everything that its machine code depends on, so that no upgrade meets code of before. It
is written under another name and then renamed, so that several processes may write at once.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

FOLDER = "INTERP_CACHE"  # in the environment: where compiled code is kept; empty for nowhere
CHECKED = 32  # bytes of a checksum before the code


@cache
def folder() -> Path | None:
    """Return the folder of compiled code, of this user alone; None where none can be written."""
    known = os.environ.get(FOLDER)
    if known == "":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = Path(known or os.path.join(home, "stablehlo-interp"))
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    status = path.stat()
    mine = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return path if mine and os.access(path, os.W_OK | os.X_OK) else None


def read_code(path: Path) -> bytes | None:
    """Return the code of a file, or None if there is none or it is damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    checked, code = data[:CHECKED], data[CHECKED:]
    return code if hashlib.sha256(code).digest() == checked else None


def write_code(path: Path, code: bytes) -> None:
    """Write code to a file of the folder; nothing is written where the disk has no room."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(code).digest() + code)
            os.replace(name, path)
        except OSError:
            Path(name).unlink(missing_ok=True)
