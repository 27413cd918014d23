"""Breakpoints of a walk: at an operation, at a kind of event, or where a number meets a condition."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from interp.answers.position import Visit
from interp.backends.dtypes import is_of_numpy
from interp.engine.markup import Display
from interp.engine.tensor import Tensor
from interp.recorder.accumulator import Accumulators
from interp.recorder.event import KINDS
from interp.recorder.names import Named, find
from spec.errors import Malformed
from spec.types import is_tensor

_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
_COMPARED = re.compile(rf"(value|stored)\s*({'|'.join(_COMPARISONS)})\s*(\S+)")
_PARTS = re.compile(r"\s*(?P<what>.*?)\s*(?:\bif\b\s*(?P<condition>.*?))?\s*")
FORMS = "break %4, break saturate, break %4 if nan, break %4 if value > 100, break if stored == 127"
Test = Callable[[Visit, int], bool]


@dataclass
class Breakpoint(Display):
    """Breakpoint number `number`, as it was typed; `hits` counts the stops at it."""

    number: int
    text: str
    test: Test
    hits: int = 0

    def __repr__(self) -> str:
        hits = f", hit {self.hits} time{'s' * (self.hits != 1)}" if self.hits else ""
        return f"breakpoint {self.number}: {self.text}{hits}"


def criterion(text: str, ran: Sequence[Named]) -> Test:
    """Return the test of a breakpoint: `OPERATION`, `KIND`, and `if CONDITION`, of which each may be absent.

    A condition is a kind of event, `nan` or `inf` (of any number there), or a comparison: `stored == 127` of
    stored numbers, `value > 100` of those that they represent.
    """
    match = _PARTS.fullmatch(text)
    assert match
    what, condition = match["what"], match["condition"]
    tests: list[Test] = []
    if what:
        tests.append(kinds_test([what]) if what in KINDS else operation_test(what, ran, condition is None))
    if condition is not None:
        tests.append(_condition(condition))
    if not tests:
        raise Malformed("a breakpoint needs an operation, a kind of event or a condition", FORMS)
    return lambda visit, moment: all(test(visit, moment) for test in tests)


def operation_test(name: Any, ran: Sequence[Named], first: bool = True) -> Test:
    """Return the test for an operation, in one run or in any; `Malformed` if none has the name.

    first: only the first moment of a visit meets it.
    """
    known = list({id(x.op): x._replace(run=None) for x in ran}.values())
    try:
        meant = find(name, known, "operation")
    except Malformed as error:
        raise Malformed(error.verdict, f"{error.evidence}\nor a kind: {', '.join(KINDS)}") from None
    wanted = {id(x) for x in ran if x.op is meant.op and meant.run in (None, x.run)}
    return lambda visit, moment: id(visit.named) in wanted and not (first and moment)


def kinds_test(kinds: Container[str]) -> Test:
    """Return the test for events of these kinds."""
    return lambda visit, moment: any(event.kind in kinds for event in visit.events(moment))


def _condition(text: str) -> Test:
    """Return the test of what stands after `if`."""
    if text in ("nan", "inf"):
        test = np.isnan if text == "nan" else np.isinf
        return lambda visit, moment: any(_any(test, x.dequantize()) for x in _tensors(visit, moment))
    if text in KINDS:
        return kinds_test([text])
    match = _COMPARED.fullmatch(text)
    try:
        number = float(match[3]) if match else None
    except ValueError:
        number = None
    if match is None or number is None:
        raise Malformed(f"{text!r} is not a condition", f"expected one of these forms: {FORMS}")
    compare, of = _COMPARISONS[match[2]], match[1]

    def holds(visit: Visit, moment: int) -> bool:
        arrays = (x.storage if of == "stored" else x.dequantize() for x in _tensors(visit, moment))
        return any(_any(lambda x: compare(x, number), x) for x in arrays)

    return holds


def _tensors(visit: Visit, moment: int) -> Sequence[Tensor]:
    """Return the accumulators at a moment within a reduction, else the results."""
    found = visit.accumulators(moment) if visit.op is not None else ()
    values = found.stored if isinstance(found, Accumulators) else found
    return [x for x in values if is_tensor(x.type)]


def _any(test: Callable[[Any], Any], x: np.ndarray) -> bool:
    """Return whether the test holds of any number; types that NumPy lacks are compared in f64."""
    plain = x if is_of_numpy(x.dtype) else x.astype(np.float64)
    with np.errstate(all="ignore"):
        return bool(np.any(test(plain)))
