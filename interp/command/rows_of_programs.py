"""Rows of answers about programs: operations, findings, decisions, and the outcomes of suites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interp.recorder.names import name_of
from spec.errata import Erratum
from spec.errors import InterpError
from spec.ir import Module, nested_ops
from spec.printer import show

if TYPE_CHECKING:
    from interp.apps.quantization.quantize import Quantized
    from interp.apps.quantization.raise_qdq import Raised
    from interp.apps.suite.fuzz import Fuzzed
    from interp.apps.suite.report import Report

Rows = list[dict[str, Any]]


def operations(module: Module) -> Rows:
    """Return a row for each operation, those in regions included."""
    return [
        {
            "function": func.name,
            "name": name_of(module, op) if op.results else "",
            "operation": op.name,
            "operands": [value.name for value in op.operands],
            "types": [repr(value.type) for value in op.results],
            "location": str(op.location),
        }
        for func in module.functions.values()
        for op in nested_ops(func.body)
    ]


def functions(module: Module) -> dict[str, Any]:
    return {
        "functions": [
            {
                "name": func.name,
                "inputs": [{"name": value.name, "type": repr(value.type)} for value in func.inputs],
                "results": [repr(type) for type in func.results],
            }
            for func in module.functions.values()
        ],
        "text": show(module),
    }


def findings(found: Sequence[InterpError]) -> Rows:
    """Return a row for each violation, and for each suspicion of lint."""
    return [
        {
            "kind": type(error).__name__.lower(),
            "code": getattr(error, "code", ""),
            "location": str(error.where),
            "verdict": error.verdict,
            "evidence": error.evidence,
        }
        for error in found
    ]


def decisions(found: Quantized) -> Rows:
    """Return a row for each value that has a type."""
    return [
        {
            "value": each.value,
            "type": repr(each.type),
            "constraint": each.constraint,
            "kernel": each.kernel,
            "neighbour": each.neighbour,
            "range": each.range,
            "location": str(each.location),
            "reason": str(each),
        }
        for each in found.decisions
    ]


def quantize_fields(found: Quantized) -> dict[str, Any]:
    return {
        "target": found.target.name,
        "fully quantized": bool(found.fully_quantized),
        "open": [str(each) for each in found.fully_quantized.open],
        "left in float": [str(each) for each in found.left],
        "rescales": [str(each) for each in found.rescales],
        "choices": [str(each) for each in found.choices],
        "seconds": found.seconds,
    }


def rewrites(found: Raised) -> Rows:
    """Return a row for each kernel that was made, and for each operation left in float."""
    made = [
        {
            "value": each.value,
            "kernel": each.kernel,
            "merged": list(each.merged),
            "steps": each.steps,
            "reason": "",
        }
        for each in found.rewrites
    ]
    return made + [
        {"value": each.value, "kernel": "", "merged": [each.operation], "steps": None, "reason": each.reason}
        for each in found.left
    ]


def raise_fields(found: Raised) -> dict[str, Any]:
    return {"choices": [str(each) for each in found.choices], "text": show(found.module)}


def report(found: Report) -> dict[str, Any]:
    from interp.apps.suite.report import as_dict

    return as_dict(found)


def outcomes(found: Report) -> Rows:
    """Return a row for each case of the suite."""
    cases: Rows = report(found)["cases"]
    return cases


def failures(found: Fuzzed) -> Rows:
    """Return a row for each program that fails."""
    return [
        {
            "seed": each.seed,
            "like": each.like,
            "verdict": each.answer.in_words,
            "detail": each.answer.detail,
            "reading": each.answer.reading,
        }
        for each in found.failures
    ]


def fuzz_fields(found: Fuzzed) -> dict[str, Any]:
    programs = [each.text for each in found.failures if each.like == each.seed]
    return {
        "counts": found.counts,
        "seed": found.seed,
        "next seed": found.next_seed,
        "programs": programs,
    }


def errata(found: Sequence[Erratum]) -> Rows:
    """Return the table of errata."""
    return [row._asdict() for row in found]
