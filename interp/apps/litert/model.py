"""`read_litert`: a LiteRT model as a StableHLO module, in the child process of `warm.py`."""

from __future__ import annotations

from interp.apps.litert.contents import Contents, Graph, parse
from interp.apps.litert.walk import Walk, refuse_unsupported
from interp.loading.build import Folds
from spec.errors import Location, Malformed
from spec.ir import Defaults, Module
from spec.rules.verify import verify

DEFAULTS = Defaults("integer", "tflite_double", "litert")


def read_litert(data: bytes, name: str) -> Module:
    """Return the program of a LiteRT model: its first graph is `main`, other signatures are functions."""
    where = Location(name)
    contents = parse(bytes(data), where)
    refuse_unsupported(contents)
    functions = {}
    for title, graph, names in _entries(contents):
        walk = Walk(contents, Folds(set(), location=where))
        functions[title] = walk.function(contents.graphs[graph], title, names)
        for node in contents.graphs[graph].nodes:
            if node.operator == "CALL_ONCE" and walk.states:
                first = _graph(contents, node.options["subgraph"])
                start = Walk(contents, Folds(set(), location=where))
                functions.setdefault("init", start.initial(first, list(walk.states), "init"))
    module = Module(functions, source=name, defaults=DEFAULTS)
    if violations := verify(module, mode="mlir"):
        first = violations[0]
        raise Malformed(f"{first.where.name}: {first.code}: {first.formula}", first.evidence, where)
    return module


def _graph(contents: Contents, place: int) -> Graph:
    if not 0 <= place < len(contents.graphs):
        raise Malformed(f"CALL_ONCE names graph {place}", f"{len(contents.graphs)} there", contents.where)
    return contents.graphs[place]


def _entries(contents: Contents) -> list[tuple[str, int, dict[int, str]]]:
    """Return the functions: their names, graphs, and the names of their arguments."""
    first = next((s for s in contents.signatures if s.graph == 0), None)
    found = [("main", 0, first.inputs if first else {})]
    others = [s for s in contents.signatures if s is not first]
    taken = {"main"}
    for k, signature in enumerate(others):
        name = signature.key if signature.key and signature.key not in taken else f"signature_{k}"
        taken.add(name)
        found.append((name, signature.graph, signature.inputs))
    return found
