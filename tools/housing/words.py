"""Names that are bare participles (`stored`) or begin with `of_`: in functions, and as locals.

A name breaks the rule if it is one word that ends in a past participle, such a word followed by one letter or
number (`stored_x` is `stored` again), or begins with `of_`. Underscores at its ends do not matter. Present
participles (`rounding`) are nouns as often as not, and are not counted. Documented public names are apart.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from housing.imports import PACKAGES, ROOT, name_modules, parse, room

# Words in -ed, or in the end of an irregular participle, that are none.
NOT = """
bed bleed breed deed embed exceed feed heed indeed infeed need outfeed present proceed red reed seed shed
speed succeed weed
""".split()
# Participles that do not end in -ed. Not here: those that are also the verb (`cast cut hit put read run set
# split spread come`), and `bound` and `left`, which are a noun and a direction here.
IRREGULAR = """
been begun bent bitten blown borne bought broken brought built burnt caught chosen clung dealt done drawn
driven drunk dug eaten fallen fed felt flown forbidden forgotten forsaken fought found frozen given gone
gotten grown heard held hewn hidden hung kept known laid lain learnt led lent lit lost made meant met mistaken
paid proven ridden risen rung said sat seen sent sewn shaken shaven shot shorn shown shrunk slain slept slid
sold sought sown spelt spent spilt spoken sprung spun stolen stood struck strung stuck sung sunk swept swollen
sworn swung taken taught thought thrown told torn understood won worn wound woven written wrung
""".split()
PREFIX = "(?:fore|mis|out|over|pre|re|un|under|up|with)?"
PARTICIPLE = re.compile(f"{PREFIX}(?:{'|'.join(IRREGULAR)})")
REPAIR = re.compile(r"([a-z]+)_(?:[a-z]|\d+)")


class Name(NamedTuple):
    """A name that breaks the rule, and where it is defined; `scope` is its class or function, or empty."""

    name: str
    scope: str
    file: str
    line: int

    @property
    def room(self) -> str:
        return room(".".join(Path(self.file).with_suffix("").parts).removesuffix(".__init__"))

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.scope}{'.' * bool(self.scope)}{self.name}"


def is_participle(word: str) -> bool:
    """Return whether a word is a past participle."""
    if word in NOT or not word.isalpha():
        return False
    return (word.endswith("ed") and len(word) > 3) or bool(PARTICIPLE.fullmatch(word))


def is_bare(name: str) -> bool:
    """Return whether a name breaks the rule."""
    plain = name.strip("_").lower()
    repair = REPAIR.fullmatch(plain)
    return plain.startswith("of_") or is_participle(repair[1] if repair else plain)


class Definition(NamedTuple):
    """A function, the dotted path of what it stands in (or empty), and its class, if it is a method."""

    node: ast.FunctionDef | ast.AsyncFunctionDef
    scope: str
    owner: ast.ClassDef | None


@cache
def definitions(file: Path) -> list[Definition]:
    """Return every function of a file, methods and inner functions among them, in its order."""
    return list(define(parse(file)))


def define(tree: ast.AST, scope: str = "", owner: ast.ClassDef | None = None) -> Iterator[Definition]:
    """Yield the functions in a statement; no expression has one."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Definition(node, scope, owner)
            yield from define(node, f"{scope}.{node.name}".strip("."))
        elif isinstance(node, ast.ClassDef):
            yield from define(node, f"{scope}.{node.name}".strip("."), node)
        elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            yield from define(node, scope, owner)


class Documented(NamedTuple):
    """Public names of modules, and the members of public classes that a page names."""

    names: frozenset[tuple[str, str]]  # module and name, of a class that it derives from, too
    members: frozenset[str]

    def has(self, module: str, definition: Definition) -> bool:
        name, owner = definition.node.name, definition.owner
        if owner is not None:
            return (module, owner.name) in self.names and name in self.members
        return not definition.scope and (module, name) in self.names


@cache
def documented() -> Documented:
    """Return what `interp/__init__.py` exports and what the pages name."""
    homes: dict[str, str] = {}
    for node in parse(ROOT / "interp/__init__.py").body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            homes |= ast.literal_eval(node.value)
    text = "\n".join(page.read_text() for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
    code = "\n".join(re.findall(r"^```.*?^```|`[^`\n]+`", text, re.M | re.S))
    names = {(module, name) for name, module in homes.items()}
    for module, imported in re.findall(r"from ((?:interp|spec)[\w.]*) import ([\w, ]+)", code):
        names |= {(module, name.split()[0]) for name in imported.split(",") if name.strip()}
    names |= set(re.findall(r"\b((?:interp|spec)(?:\.\w+)+)\.(\w+)", code))
    return Documented(follow(names), frozenset(re.findall(r"(?:\.|`)([a-z_]\w*)", code)))


def follow(names: set[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Return names, the same names where they are defined, and the classes that classes derive from."""
    paths = name_modules(*PACKAGES)
    result, todo = set(), list(names)
    while todo:
        module, name = todo.pop()
        if (module, name) in result or module not in paths:
            continue
        result.add((module, name))
        for node in ast.walk(parse(paths[module])):
            if isinstance(node, ast.ImportFrom):
                todo += [(str(node.module), a.name) for a in node.names if (a.asname or a.name) == name]
            elif isinstance(node, ast.ClassDef) and node.name == name:
                todo += [(module, base.id) for base in node.bases if isinstance(base, ast.Name)]
    return frozenset(result)


def count_functions() -> Counter[str]:
    """Return the number of functions of each room."""
    counts: Counter[str] = Counter()
    for module, file in name_modules(*PACKAGES).items():
        counts[room(module)] += sum(1 for _ in definitions(file))
    return counts


@cache
def bare_functions() -> list[Name]:
    """Return the functions whose names break the rule, documented ones apart, by file and line."""
    public = documented()
    return [
        Name(definition.node.name, definition.scope, str(file.relative_to(ROOT)), definition.node.lineno)
        for module, file in sorted(name_modules(*PACKAGES).items())
        for definition in definitions(file)
        if is_bare(definition.node.name) and not public.has(module, definition)
    ]


@cache
def bare_locals() -> list[Name]:
    """Return the locals and parameters that break the rule, each once for its function, by file and line."""
    found = []
    for _, file in sorted(name_modules(*PACKAGES).items()):
        for node, scope, _ in definitions(file):
            lines: dict[str, int] = {}
            for name, line in sorted(bind(node), key=lambda pair: pair[1]):
                if is_bare(name):
                    lines.setdefault(name, line)
            path = f"{scope}.{node.name}".strip(".")
            found += [Name(name, path, str(file.relative_to(ROOT)), line) for name, line in lines.items()]
    return found


def bind(function: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the parameters of a function and the names that it binds, without those of inner functions."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        yield from bind(node)
