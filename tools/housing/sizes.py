"""Files, lines and functions of `interp` and `spec`, separately for the core and its applications."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from housing.imports import PACKAGES, ROOT, Graph, files, name_modules, room
from housing.words import definitions

SHORT, LONG = 100, 400  # lines of a chapter
# The applications: folders, or patterns of files, that the core does without. Everything else is the core.
APPS = {
    **{path.name: [f"interp/apps/{path.name}"] for path in sorted((ROOT / "interp/apps").iterdir())},
    "onnx": ["interp/apps/onnx", "spec/onnx", "spec/rules/onnx", "spec/meaning/onnx"],
}


class Part(NamedTuple):
    """The files of a part and their lines."""

    files: int
    lines: int


def count_lines(file: Path) -> int:
    return file.read_text().count("\n")


def app(file: Path) -> str | None:
    """Return the application to which a file belongs, or None for the core."""
    path = file.relative_to(ROOT)
    for name, patterns in APPS.items():
        if any(path.match(pattern) or path.is_relative_to(pattern) for pattern in patterns):
            return name
    return None


def measure_parts() -> dict[str, Part]:
    """Return the size of the core and of each application."""
    parts = dict.fromkeys(["core", *APPS], Part(0, 0))
    for file in files(*PACKAGES):
        name = app(file) or "core"
        parts[name] = Part(parts[name].files + 1, parts[name].lines + count_lines(file))
    return parts


@cache
def chapters() -> dict[str, int]:
    """Return the lines of every module that is not a package's own `__init__`."""
    paths = name_modules(*PACKAGES)
    return {name: count_lines(file) for name, file in paths.items() if file.name != "__init__.py"}


def single_importers(graph: Graph) -> list[tuple[str, str]]:
    """Return each module that one other module imports, of the same folder, with that module."""
    importers: dict[str, list[str]] = {}
    for module, targets in graph.items():
        for target in targets:
            importers.setdefault(target, []).append(module)
    alone = [(name, users[0]) for name, users in sorted(importers.items()) if len(users) == 1]
    return [(name, user) for name, user in alone if name in chapters() and room(name) == room(user)]


def function_lengths() -> list[tuple[int, str]]:
    """Return the lines of every function, without decorators, and where it stands; the shortest first."""
    lengths = []
    for file in files(*PACKAGES):
        for node, _, _ in definitions(file):
            place = f"{file.relative_to(ROOT)}:{node.lineno}: {node.name}"
            lengths.append(((node.end_lineno or node.lineno) - node.lineno + 1, place))
    return sorted(lengths)
