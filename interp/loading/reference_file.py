"""The file beside a quantized program that has the float program it was made from.

The program names the file, and the digest of what was written there. A file that is lost or was changed is
not read: `Module.origin` then says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from spec.ir import Mention, Module


def beside(path: Path) -> Path:
    """Return the path of the float reference of the program in a file."""
    return path.with_name(f"{path.stem}.reference{path.suffix}")


def attach_reference(
    module: Module, path: str | os.PathLike[str] | None, read: Callable[[bytes, str], Module]
) -> Module:
    """Return a program that was read from a file, or from none, with the float program that it names.

    read: reads that program from its bytes and the name of its file.
    """
    mention = module.reference
    if not isinstance(mention, Mention):
        return module
    lost = lambda why: replace(module, reference=None, origin=f"{mention.origin} is lost: {why}")
    if Path(mention.file).name != mention.file:
        return lost(f"{mention.file!r} is not the name of a file beside the program")
    if path is None:
        return lost(f"the program was not read from a file, beside which {mention.file} would be")
    try:
        data = (Path(path).parent / mention.file).read_bytes()
    except (OSError, ValueError):
        return lost(f"the file {mention.file} is missing")
    if sha256(data).hexdigest() != mention.sha256:
        return lost(f"the file {mention.file} has changed")
    return replace(module, reference=read(data, mention.file), origin=mention.origin)
