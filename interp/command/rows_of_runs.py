"""Rows of answers about runs: results, events, comparisons, and judgements of other results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from interp.answers.trace import Trace
from interp.comparison.comparison import Comparison, ResultReport
from interp.comparison.side_by_side import SideBySide
from interp.engine.tensor import Tensor
from interp.questions.permitted.permits import Permits

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
