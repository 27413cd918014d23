"""The page of a quantized program: its types and their reasons, conflicts, open ports, and the program."""

from __future__ import annotations

from collections.abc import Iterator

from interp.apps.pages.shell import LONGEST, asset
from interp.apps.quantization.decisions import Decision, brief
from interp.apps.quantization.pipeline import Stages
from interp.engine.markup import Html, document, table, tag, terms
from spec.printer import show

TITLE = "Quantized program"


def page(found: Stages) -> str:
    """Return the whole page."""
    content = tag("main", tag("h1", f"{TITLE}: {found.target.name}"), *_sections(found))
    return document(TITLE, asset("base.css"), content, "")


def _sections(found: Stages) -> Iterator[Html]:
    said = f"not fully quantized: {len(found.open)} open" if found.open else "fully quantized"
    yield tag("p", said, class_="lead")
    yield terms([(name, f"{seconds:.3f} s") for name, seconds in found.seconds.items()])
    if found.decisions:
        heads = ["value", "type", "constraint", "range", "follows from", "at", "where"]
        yield table("Types and their reasons", heads, [_decision(each) for each in found.decisions])
    if found.rescales:
        rows = [
            [r.value, brief(r.was), brief(r.becomes), f"{r.constraint} of {r.kernel}", r.advice]
            for r in found.rescales
        ]
        yield table("Conflicts", ["value", "its type", "the kernel's", "demanded by", "remedy"], rows)
    if found.open:
        rows = [[each.value, each.kernel, each.reason, str(each.location)] for each in found.open]
        yield table("Left in float", ["value", "kernel", "reason", "where"], rows)
    if found.left:
        rows = [[each.value, each.operation, each.reason] for each in found.left]
        yield table("Outside of kernels, in float", ["value", "operation", "reason"], rows)
    if found.choices:
        yield table("Materialized", ["choice"], [[str(each)] for each in found.choices])
    text = show(found.module)
    if len(text) <= LONGEST:
        yield tag("details", tag("summary", "The program"), tag("pre", text, tabindex="0"))


def _decision(each: Decision) -> list[str]:
    range = "" if each.range is None else f"{each.range[0]:.6g} to {each.range[1]:.6g}"
    at = str(each.location)
    return [each.value, brief(each.type), each.constraint, range, each.neighbour, each.kernel, at]
