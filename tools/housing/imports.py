"""The import graph of the packages, read from the source: who imports whom, and who imports one another.

An import inside a function counts, and so does one for type checkers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("spec", "interp")
Graph = dict[str, set[str]]


class Import(NamedTuple):
    """An imported module (`spec.ir`), where, and whether at the top of the file or inside a function."""

    module: str
    line: int
    lazy: bool

    def is_in(self, *packages: str) -> bool:
        return any(f"{self.module}.".startswith(f"{package}.") for package in packages)


def files(*places: str) -> list[Path]:
    """Return the Python files at and below places of the repository."""
    paths = [ROOT / place for place in places]
    return sorted(f for path in paths for f in ([path] if path.suffix else path.rglob("*.py")))


@cache
def parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


@cache
def statements(file: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Return the import statements of a file, and whether each stands inside of another statement."""
    tree = parse(file)
    top = {id(node) for node in tree.body}
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return [(node, id(node) not in top) for node in nodes]


@cache
def imports(file: Path) -> list[Import]:
    """Return every import of a file; `from spec import ir` counts as `spec.ir`."""
    result = []
    for node, lazy in statements(file):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{file}:{node.lineno}: relative import"
            packaged = node.module in ("spec", "interp", "jaxlib") or str(node.module).count(".") == 1
            modules = [
                f"{node.module}.{alias.name}" if packaged else str(node.module) for alias in node.names
            ]
        result += [Import(module, node.lineno, lazy) for module in modules]
    return result


def name_modules(*packages: str) -> dict[str, Path]:
    """Return the files of packages by the names of their modules."""
    paths = {".".join(f.relative_to(ROOT).with_suffix("").parts): f for f in files(*packages)}
    return {name.removesuffix(".__init__"): path for name, path in paths.items()}


def graph_modules(*packages: str) -> Graph:
    """Return, for each module of the packages, the modules of them that it imports, however late."""
    paths = name_modules(*packages)
    graph = {}
    for name, path in paths.items():
        nodes = [node for node, _ in statements(path)]
        froms = [n for n in nodes if isinstance(n, ast.ImportFrom)]
        named = {f"{n.module}.{alias.name}" for n in froms for alias in n.names} & set(paths)
        whole = {str(n.module) for n in froms if any(f"{n.module}.{a.name}" not in paths for a in n.names)}
        plain = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
        graph[name] = ((named | whole | plain) & set(paths)) - {name}
    return graph


def is_package(module: str) -> bool:
    return (ROOT / module.replace(".", "/") / "__init__.py").exists()


def room(module: str) -> str:
    """Return the package of a module; a package's own `__init__` belongs to it.

    `interp/__init__.py` names the homes of public objects and `interp/__main__.py` starts the command: each
    is a room of its own.
    """
    return module if is_package(module) or module == "interp.__main__" else module.rpartition(".")[0]


def graph_rooms(graph: Mapping[str, Iterable[str]]) -> Graph:
    """Return, for each room, the other rooms that its modules import."""
    rooms: Graph = {}
    for module, targets in graph.items():
        rooms.setdefault(room(module), set()).update(map(room, targets))
    return {name: targets - {name} for name, targets in rooms.items()}


def circles(graph: Graph) -> list[set[str]]:
    """Return the groups of modules that import one another, directly or through others."""
    while leaves := {name for name, targets in graph.items() if not targets & graph.keys()}:
        graph = {name: targets for name, targets in graph.items() if name not in leaves}
    reach = {name: targets & graph.keys() for name, targets in graph.items()}
    for middle in graph:
        for targets in reach.values():
            if middle in targets:
                targets |= reach[middle]
    inside = [name for name in graph if name in reach[name]]
    groups = [frozenset(other for other in inside if other in reach[n] and n in reach[other]) for n in inside]
    return [set(group) for group in dict.fromkeys(groups)]


def explain_circle(circle: set[str], graph: Graph) -> list[str]:
    """Return a line for each pair of rooms in a circle where one imports the other, with the modules."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for module, targets in sorted(graph.items()):
        for target in sorted(targets):
            pair = room(module), room(target)
            if pair[0] != pair[1] and set(pair) <= circle:
                pairs.setdefault(pair, []).append(f"{module} -> {target}")
    lines = []
    for (user, used), edges in sorted(pairs.items(), key=lambda item: (len(item[1]), item[0])):
        more = f" and {len(edges) - 3} more" if len(edges) > 3 else ""
        lines.append(f"{user} imports {used}: {', '.join(edges[:3])}{more}")
    return lines
