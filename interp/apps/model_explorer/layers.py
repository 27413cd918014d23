"""The layer of each operation: the scopes in which an exporter says that it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from spec.ir import Op

Path = tuple[str, ...]
_ONNX = re.compile(r"node '(.*)' \((\w+)\)")


def layers(ops: Iterable[Op]) -> Mapping[int, Path]:
    """Return the layer of each operation of a block, by `id(op)`, as the names of nested scopes.

    What all named layers of the block begin with is left out, such as `jit(main)`.
    """
    paths = {id(op): scopes(op.location.name) for op in ops}
    named = [path for path in paths.values() if path]
    common = shared(named)
    return {key: path[common:] for key, path in paths.items()}


def scopes(name: str) -> Path:
    """Return the scopes in an operation's name in its source.

    JAX: `jit(f)/Dense_0/dot_general` is in `jit(f)`, `Dense_0`. ONNX: all operations of a node are in it.
    """
    node = _ONNX.match(name)
    parts = f"{node[1]} ({node[2]})/" if node else name
    return tuple(part for part in parts.split("/")[:-1] if part)


def shared(paths: list[Path]) -> int:
    """Return how many names all paths begin with."""
    differing = (k for k, names in enumerate(zip(*paths, strict=False)) if len(set(names)) > 1)
    return next(differing, min(map(len, paths), default=0))


def namespace(path: Path) -> str:
    """Return a path in Model Explorer's form, in which `/` and `;` separate."""
    return "/".join(name.replace("/", "\\/").replace(";", ",") for name in path)
