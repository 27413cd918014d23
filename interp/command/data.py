"""Answers of verbs as JSON and as CSV: for each verb a document, and the rows of a table.

Numbers that JSON lacks are strings: a fraction `"1/3"`, `"nan"`, `"inf"`, a complex number. docs/output.md
names the fields.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from interp.command import rows_of_programs as programs
from interp.command import rows_of_questions as questions
from interp.command import rows_of_runs as runs
from interp.engine.work import Partly
from interp.execute.unused import Unused
from spec.errors import Malformed

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
    "show": Form(programs.operations, programs.functions),
    "verify": Form(programs.findings),
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
    "lower": Form(programs.operations, programs.functions),
    "quantize": Form(programs.decisions, programs.quantize_fields),
    "raise-qdq": Form(programs.rewrites, programs.raise_fields),
    "permits": Form(runs.judgements, runs.permits_fields),
    "diagnose": Form(runs.trials, whole=_own),
    "blame": Form(lambda found: found.table(), whole=_own),
    "prove": Form(lambda found: found.to_dict()["rows"], whole=_own),
    "conformance": Form(programs.outcomes, whole=programs.report),
    "fuzz": Form(programs.failures, programs.fuzz_fields),
    "errata": Form(programs.errata),
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
