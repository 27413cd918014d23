"""Rows of answers about runs and their reductions, as JSON and CSV have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.answers.trace import Trace
from interp.comparison.budget import Budget
from interp.comparison.comparison import Comparison, ResultReport
from interp.comparison.locality import Difference
from interp.comparison.side_by_side import SideBySide
from interp.engine.tensor import Tensor
from interp.questions.bounds import Bounds
from interp.questions.chain import Chain
from interp.questions.explanation import Explanation, Row
from interp.questions.permitted.permits import Permits
from interp.questions.shrink import Shrunk, event_text
from interp.questions.verdicts import Verdicts
from interp.questions.what_if import Matrix
from interp.recorder.folded import Folded

if TYPE_CHECKING:
    from interp.apps.diagnosing.diagnosis import Diagnosis


Rows = list[dict[str, Any]]


def results(found: Sequence[Any]) -> dict[str, Any]:
    """Return each result with its type, its stored elements, and the values that quantized ones represent."""
    return {"results": [_result(k, each) for k, each in enumerate(found)]}


def _result(k: int, tensor: Any) -> dict[str, Any]:
    if not isinstance(tensor, Tensor):
        return {"result": k, "type": "", "shape": None, "stored": None, "values": None}
    values = tensor.dequantize() if tensor.type.is_quantized else None
    return {
        "result": k,
        "type": repr(tensor.type),
        "shape": list(tensor.shape),
        "stored": tensor.storage,
        "values": values,
    }


def elements(found: Sequence[Any]) -> Rows:
    """Return a row for each element of each result."""
    return [
        {"result": k, "index": index, "stored": tensor.storage[index], "value": value[index]}
        for k, tensor in enumerate(found)
        if isinstance(tensor, Tensor)
        for value in [np.asarray(tensor.dequantize() if tensor.type.is_quantized else tensor.storage)]
        for index in np.ndindex(*tensor.shape)
    ]


def groups(found: Trace) -> Rows:
    """Return a row for each kind of event at each operation."""
    return [
        {
            "severity": group.severity,
            "kind": group.kind,
            "op": group.first.name,
            "layer": group.first.layer,
            "operation": group.first.op.name,
            "location": str(group.first.location),
            "count": group.count,
            "size": group.size,
            "first": f"{group.first.place}: {group.first.explanation}",
            "worst": f"{group.worst.place}: {group.worst.explanation}",
        }
        for group in found.groups
    ]


def differences(found: Comparison | SideBySide) -> Rows:
    """Return a row for each result; of two programs, for each pair of values."""
    if isinstance(found, Comparison):
        return [{"result": k, **_numbers(each)} for k, each in enumerate(found.results)]
    return [
        {
            "left": row.left,
            "right": row.right,
            "layer": row.layer,
            "operation": row.op,
            "by": row.how,
            **_numbers(row.report),
            "worst at": row.worst,
            "worst left": row.values and row.values[0],
            "worst right": row.values and row.values[1],
        }
        for row in found.rows
    ]


def _numbers(report: ResultReport) -> dict[str, Any]:
    known = {field.name.replace("_", " "): getattr(report, field.name) for field in fields(report)}
    return {**known, "type": repr(report.type), "verdict": report.verdict}


def compare_fields(found: Comparison | SideBySide) -> dict[str, Any]:
    """Return the facts of a comparison: the reference, and with a float one also who computed that."""
    known = {"title": found.title, "ok": found.ok}
    if isinstance(found, Comparison):
        clipped = dict(found.clipped)
        return known | {"reference": found.reference_name, "witness": found.witness, "clipped": clipped}
    left_out = [dict(zip(("left", "right", "reason"), each, strict=True)) for each in found.left_out]
    return known | {"reference": found.reference, "left out": left_out}


def judgements(found: Permits) -> Rows:
    """Return a row for each element of each result."""
    rows = enumerate(zip(found.verdicts, found.place, found.schedules, strict=True))
    return [
        {
            "result": k,
            "index": index,
            "verdict": verdicts[index],
            "place": place[index],
            "schedule": schedules[index],
        }
        for k, (verdicts, place, schedules) in rows
        for index in np.ndindex(*verdicts.shape)
    ]


def permits_fields(found: Permits) -> dict[str, Any]:
    elements = [
        {
            "result": each.result,
            "index": each.index,
            "verdict": each.kind,
            "place": each.place,
            "reason": each.reason,
            "given": each.given,
            "left": each.left,
            "reproduction": each.reproduction,
        }
        for each in found.elements
    ]
    return {
        "ok": found.ok,
        "reading": found.reading,
        "counts": found.counts,
        "place": found.places,
        "elements": elements,
    }


def trials(found: Diagnosis) -> Rows:
    """Return a row for each run that was tried."""
    return [
        {
            "deviations": " with ".join(each.name for each in trial.deviations),
            "where": trial.where,
            "operations": trial.operations,
            "unequal": trial.unequal,
            "explains": trial.explains,
            "error": trial.error,
        }
        for trial in found.tried
    ]


# Rows of answers to questions about a reduction: its steps, verdicts, bounds, cells, parts and leaves.


def _of(reduction: Folded) -> dict[str, Any]:
    return {
        "op": reduction.name,
        "layer": reduction.layer,
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
