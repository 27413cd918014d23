"""Answers of verbs as JSON and as CSV: for each verb a document, and the rows of a table.

Numbers that JSON lacks are strings: a fraction `"1/3"`, `"nan"`, `"inf"`, a complex number. docs/output.md
names the fields.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from interp.command import rows as questions
from interp.command import rows as runs
from interp.engine.work import Partly
from interp.execute.unused import Unused
from interp.recorder.layers import layer_of
from interp.recorder.names import name_of
from spec.errata import Erratum
from spec.errors import InterpError, Malformed
from spec.ir import Module, nested_ops, show

if TYPE_CHECKING:
    from interp.apps.checking.check import Check
    from interp.apps.quantization.quantize import Quantized
    from interp.apps.quantization.raise_qdq import Raised
    from interp.apps.suite.fuzz import Fuzzed
    from interp.apps.suite.report import Report


# Rows of answers about programs: operations, findings, decisions, and the outcomes of suites.

Rows = list[dict[str, Any]]


def operations(module: Module) -> Rows:
    """Return a row for each operation, those in regions included."""
    return [
        {
            "function": func.name,
            "name": name_of(module, op) if op.results else "",
            "layer": layer_of(module, op),
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
            "layer": each.layer,
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
        "masks": [str(each) for each in found.masks],
        "choices": [str(each) for each in found.choices],
        "seconds": found.seconds,
    }


def rewrites(found: Raised) -> Rows:
    """Return a row for each kernel that was made, and for each operation left in float."""
    made = [
        {
            "value": each.value,
            "layer": each.layer,
            "kernel": each.kernel,
            "merged": list(each.merged),
            "steps": each.steps,
            "reason": "",
        }
        for each in found.rewrites
    ]
    return made + [
        {
            "value": each.value,
            "layer": each.layer,
            "kernel": "",
            "merged": [each.operation],
            "steps": None,
            "reason": each.reason,
        }
        for each in found.left
    ]


def raise_fields(found: Raised) -> dict[str, Any]:
    counts = {"contractions": found.contractions, "pools": found.pools}
    return {
        **{kind: count._asdict() for kind, count in counts.items()},
        "sums": [asdict(each) for each in found.sums],
        "choices": [str(each) for each in found.choices],
        "text": show(found.module),
    }


def report(found: Report) -> dict[str, Any]:
    from interp.apps.suite.report import as_dict

    return as_dict(found)


def outcomes(found: Report) -> Rows:
    """Return a row for each case of the suite."""
    from interp.apps.suite.report import case_rows

    return case_rows(found)


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
    return [row.to_dict() for row in found]


def remarks(found: Mapping[str, Check]) -> Rows:
    """Return a row for each remark about each model."""
    return [
        {"model": model, **each._asdict(), "where": str(each.where)}
        for model, check in found.items()
        for each in check.remarks
    ]


def check_fields(found: Mapping[str, Check]) -> dict[str, Any]:
    models = {
        model: {"ok": check.ok, "stages": dict(check.stages), "ignored": dict(check.ignored)}
        for model, check in found.items()
    }
    return {"ok": all(check.ok for check in found.values()), "models": models}


Row = Mapping[str, Any]


class Form(NamedTuple):
    """The data of a verb's answer: fields beside the rows, and the rows; `whole` replaces both in JSON."""

    rows: Callable[[Any], Sequence[Row]]
    fields: Callable[[Any], Row] = lambda found: {}
    whole: Callable[[Any], Any] | None = None


def _own(found: Any) -> Any:
    """Return the answer's own JSON."""
    return json.loads(found.to_json())


FORMS = {
    "show": Form(operations, functions),
    "verify": Form(findings),
    "run": Form(runs.elements, whole=runs.results),
    "trace": Form(runs.groups, whole=_own),
    "explain": Form(questions.steps, questions.explain_fields),
    "verdict": Form(questions.verdicts, questions.verdict_fields),
    "bounds": Form(questions.bounds, questions.bounds_fields),
    "matrix": Form(questions.cells, questions.matrix_fields),
    "budget": Form(questions.parts, questions.budget_fields),
    "shrink": Form(questions.leaves, questions.shrink_fields),
    "compare": Form(runs.differences, runs.compare_fields),
    "survey": Form(lambda found: found.rows(), whole=_own),
    "lower": Form(operations, functions),
    "quantize": Form(decisions, quantize_fields),
    "raise-qdq": Form(rewrites, raise_fields),
    "permits": Form(runs.judgements, runs.permits_fields),
    "diagnose": Form(runs.trials, whole=_own),
    "judge": Form(lambda found: found.table(), lambda found: found.fields()),
    "blame": Form(lambda found: found.table(), whole=_own),
    "reveal": Form(lambda found: found.table(), whole=_own),
    "invariant": Form(lambda found: found.table(), whole=_own),
    "prove": Form(lambda found: found.to_dict()["rows"], whole=_own),
    "widths": Form(lambda found: found.table(), whole=_own),
    "check": Form(remarks, check_fields),
    "conformance": Form(outcomes, whole=report),
    "fuzz": Form(failures, fuzz_fields),
    "errata": Form(errata),
}


def as_json(verb: str, found: Any, unused: Unused | None = None) -> str:
    """Return the answer of a verb as JSON, with the options that the program does not use, if any can be."""
    form = FORMS[verb]
    said: Row = {} if unused is None else {"unused": unused.plain}
    if isinstance(found, Partly):
        covered = [{"what": each.what, "done": each.done, "total": each.total} for each in found.covered]
        said = {"partial": found.partial, "covered": covered, **said}
    own = form.whole(found) if form.whole else {**form.fields(found), **said, "rows": form.rows(found)}
    document = own if isinstance(own, list) else {**own, **said}
    return json.dumps(plain(document), indent=1, allow_nan=False) + "\n"


def as_csv(verb: str, found: Any) -> str:
    """Return the answer of a verb as comma-separated values, with a line of headings."""
    rows = [plain(row) for row in FORMS[verb].rows(found)]
    if not rows:
        raise Malformed(f"the answer of {verb} has no rows", "--json has what it found")
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _cell(x) for key, x in row.items()} for row in rows)
    return text.getvalue()


def plain(x: Any) -> Any:
    """Return a value as JSON has it; a value without a JSON form becomes text."""
    if isinstance(x, np.ndarray):
        return plain(x.tolist())
    if isinstance(x, np.generic):
        return plain(x.item())
    if x is None or isinstance(x, str | bool | int):
        return x
    if isinstance(x, Fraction):
        return x.numerator if x.denominator == 1 else str(x)
    if isinstance(x, float):
        return x if isfinite(x) else str(x)
    if isinstance(x, Mapping):
        return {str(key): plain(value) for key, value in x.items()}
    if isinstance(x, list | tuple):
        return [plain(each) for each in x]
    return str(x) if isinstance(x, complex) or hasattr(x, "line") else _number_or_text(x)


def _number_or_text(x: Any) -> Any:
    """Return a float of a type that NumPy lacks as a float, anything else as text."""
    return plain(float(x)) if type(x).__module__ == "ml_dtypes" else repr(x)


def _cell(x: Any) -> Any:
    return json.dumps(x) if isinstance(x, list | dict | bool) else x
