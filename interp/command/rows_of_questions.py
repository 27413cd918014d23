"""Rows of answers to questions about a reduction: its steps, verdicts, bounds, cells, parts and leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from interp.comparison.budget_table import Budget
from interp.comparison.difference import Difference
from interp.questions.bounds import Bounds
from interp.questions.chain import Chain
from interp.questions.explain import Explanation, Row
from interp.questions.matrix import Matrix
from interp.questions.shrink import Shrunk, event_text
from interp.questions.verdicts import Verdicts
from interp.recorder.folded import Folded

Rows = list[dict[str, Any]]


def _of(reduction: Folded) -> dict[str, Any]:
    return {
        "op": reduction.name,
        "operation": reduction.written.name,
        "location": str(reduction.written.location),
        "type": reduction.text(reduction.types[0]),
        "schedule": str(reduction.schedule),
        "leaves": reduction.terms,
    }


def explain_fields(found: Explanation | Chain) -> dict[str, Any]:
    if isinstance(found, Chain):
        link = found.link
        return {"op": link.name, "index": link.index, "type": repr(link.type), "stored": link.stored}
    element = found.element
    return {
        **_of(element.reduction),
        "schedule": str(element.schedule),
        "index": element.index,
        "operand": found.k,
        "result": found.result,
        "exact": found.exact,
    }


def steps(found: Explanation | Chain) -> Rows:
    """Return a row for each leaf and each node, or each element of a chain; `exact` is in expressed units."""
    if isinstance(found, Chain):
        return _links(found)
    return [_step(row, found.k) for row in found.rows]


def _links(found: Chain) -> Rows:
    """Return a row for each element of a chain, with the numbers of the rows that it was computed from."""
    number = {id(link): k for k, link in enumerate(found.links)}
    return [
        {
            "row": number[id(link)],
            "name": link.name,
            "operation": link.op.name if link.op else "",
            "index": link.index,
            "type": repr(link.type),
            "stored": link.stored,
            "exact": link.exact,
            "events": " ".join(link.kinds),
            "sources": [number[id(source)] for source in link.sources],
            "stops": link.stops,
        }
        for link in found.links
    ]


def _step(row: Row, k: int) -> dict[str, Any]:
    leaf, node = row.leaf, row.node
    return {
        "leaf": leaf and leaf.number,
        "origin": leaf and leaf.origin,
        "factors": leaf and leaf.factors and [str(factor) for factor in leaf.factors],
        "before": leaf and leaf.before[k],
        "converted": leaf and leaf.after[k],
        "lost": leaf and row.loss(k),
        "first": node and node.leaves[0],
        "last": node and node.leaves[1],
        "exact": row.exact,
        "stored": node and node.result[k],
        "events": " ".join(row.kinds),
    }


def verdict_fields(found: Verdicts) -> dict[str, Any]:
    return {**_of(found.reduction), "reading": found.reading, "counts": found.counts}


def verdicts(found: Verdicts) -> Rows:
    """Return a row for each element; the sums are stored numbers that nothing clamps."""
    known = {"least": found.least, "greatest": found.greatest, "total": found.total}
    stored = found.reduction.accumulators[0] if found.reduction.accumulators else None
    return [
        {
            "index": index,
            "verdict": found.kinds[index],
            **{name: None if x is None else x[index] for name, x in known.items()},
            "stored": None if stored is None else np.asarray(stored)[index],
        }
        for index in np.ndindex(*found.kinds.shape)
    ]


def bounds_fields(found: Bounds) -> dict[str, Any]:
    return {
        **_of(found.reduction),
        "headroom": found.headroom,
        "suggested": None if found.suggested is None else repr(found.suggested),
        "suggestion": repr(found.suggestion),
    }


def bounds(found: Bounds) -> Rows:
    """Return a row for each scope of data and schedules."""
    return [
        {
            "scope": scope,
            **{name: bound and getattr(bound, name) for name in BOUND},
            "missing": why,
        }
        for (scope, bound), why in zip(found.scopes.items(), _reasons(found), strict=True)
    ]


BOUND = ("least", "greatest", "bits", "signed", "precision", "exact")


def _reasons(found: Bounds) -> list[str]:
    """Return the reason why each scope has no bound; of an unknown body there is none to add."""
    missing = len(found.scopes) - len(found.missing)
    return [*found.missing, *[""] * missing]


def matrix_fields(found: Matrix) -> dict[str, Any]:
    return _of(found.reduction)


def cells(found: Matrix) -> Rows:
    """Return a row for each cell; the errors are in expressed units or integers."""
    return [
        {
            "accumulator": repr(cell.accumulator),
            "arithmetic": cell.arithmetic,
            "schedule": str(cell.schedule),
            "error": float(cell.error),
            "wrong": cell.wrong,
            "schedule matters": found.schedule_matters(cell.accumulator, cell.arithmetic),
        }
        for cell in found.cells
    ]


def budget_fields(found: Budget) -> dict[str, Any]:
    recipes = found.recipes and [repr(found.recipes)]
    return {"title": found.title, "given": found.given, "recipes": recipes}


def parts(found: Budget) -> Rows:
    """Return a row for each part of each result's error: by source, and by operation."""
    rows = []
    for result in found.results:
        groups = {"source": (*result.parts, result.total), "operation": (*result.before, *result.switches)}
        rows += [_part(result.number, by, each) for by, group in groups.items() for each in group]
    return rows


def _part(number: int, by: str, each: Difference) -> dict[str, Any]:
    numbers = {"mean": each.mean, "largest": each.largest, "worst at": each.worst, "elements": each.count}
    return {"result": number, "by": by, "part": each.name, **numbers}


def shrink_fields(found: Shrunk) -> dict[str, Any]:
    return {
        "event": event_text(found.event),
        "schedule": found.schedule,
        "mode": found.mode,
        "minimal": found.minimal,
        "fewest": found.fewest,
        "source": found.source,
        "leaves": found.leaves,
        "text": found.text,
    }


def leaves(found: Shrunk) -> Rows:
    """Return a row for each element of the arguments that are left."""
    return [
        {"argument": k, "index": index, "stored": np.asarray(x)[index]}
        for k, x in enumerate(found.args)
        for index in np.ndindex(*np.shape(x))
    ]
