"""Writing of files, completely or not at all: a new file replaces the old one when it is complete."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from spec.errors import Location, Malformed, short_text

LINKS = 40  # symbolic links in a row that a system follows
REMEDY = "make room, or name another file"


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, or raise `Malformed` and leave the old file unchanged."""
    with replacing(path) as stream:
        stream.write(data)


def write_text(path: Path, text: str) -> None:
    """Write a file in UTF-8, creating its folder if that is missing, or raise `Malformed`."""
    with suppress(OSError):  # the file says why
        path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, text.encode("utf-8", "replace"))


def write_page(path: str | Path, text: str) -> Path:
    """Write a page, and return its path; `Malformed` if it cannot be written."""
    if not isinstance(path, str | os.PathLike):
        raise Malformed(f"{short_text(path)} is not a path", "expected the name of the file to write")
    write_text(Path(path), text)
    return Path(path)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file, which replaces the old one when it is complete.

    A symbolic link keeps pointing to its file, which is replaced; permissions are kept. A device, a pipe and
    an open file (`/dev/stdout`) are written to directly. Raise `Malformed` if the file cannot be written: a
    regular file is then left as it was.
    """
    try:
        with open(path, "wb") if _is_direct(path) else _beside(Path(os.path.realpath(path))) as stream:
            yield stream
            stream.flush()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = getattr(error, "strerror", None) or str(error)
        raise Malformed(f"cannot be written: {reason}", REMEDY, Location(str(path))) from None


def _is_direct(path: Path) -> bool:
    """Return whether a path names a device, a pipe or an open file, which is written to and not replaced."""
    for _ in range(LINKS):
        parent = os.path.realpath(path.parent)
        if f"{parent}/".startswith(("/proc/", "/dev/fd/")):
            return True
        if not path.is_symlink():
            return path.exists() and not path.is_file()
        path = Path(parent, os.readlink(path))
    return True


@contextmanager
def _beside(target: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file in the same folder; rename it to `target` at the end, or remove it on failure."""
    old = target.stat() if target.exists() else None
    if old and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    mode = stat.S_IMODE(old.st_mode) if old else 0o666
    temporary = target.with_name(f".interp-{os.urandom(8).hex()}")
    try:
        with open(temporary, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as stream:
            yield stream
        if old:
            _give(temporary, old)
        os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _give(path: Path, old: os.stat_result) -> None:
    """Give a file the permissions of another one, and its owner if the system allows that."""
    new = path.stat()
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.chown(path, old.st_uid, old.st_gid)
    os.chmod(path, stat.S_IMODE(old.st_mode))
