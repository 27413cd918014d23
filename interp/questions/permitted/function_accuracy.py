"""Accuracy of functions such as `exponential`, of which the specification guarantees none.

StableHLO does not guarantee numerical accuracy (docs/spec.md, "Accuracy"); IEEE's basic operations, roots
among them, are taken as IEEE demands them. So no result of another function is refuted by its digits. What is
likely is what JAX documents for the platforms that XLA compiles for: the largest errors in units of the last
place, measured on all numbers of 8 and 16 bits and of f32, on some of f64 (docs.jax.dev, "Numerical
accuracy", reviewed 2026-09-18).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, max_finite
from interp.backends.functions import FUNCTIONS
from interp.engine.facts import facts
from interp.kernels.elementwise import prepare
from interp.questions.permitted.spans import flush
from interp.theory.ranges import has_extremes
from interp.theory.sums import Ends
from spec.ir import Op
from spec.op_attributes import expressed_element
from spec.types import ElementType


class Documented(NamedTuple):
    """The largest error in units of the last place: on x86 CPUs, GPUs of NVIDIA, and any TPU."""

    cpu: float
    gpu: float
    tpu: float

    @property
    def text(self) -> str:
        figures = ((self.cpu, "CPUs"), (self.gpu, "GPUs"), (self.tpu, "TPUs"))
        return ", ".join(f"{figure:,g} on {where}" for figure, where in figures if figure)


_NARROW, _ONE = Documented(0.5, 0.5, 0.5), Documented(1, 1, 1)
DOCUMENTED = {
    "f32": {
        "atan2": Documented(0.5, 3, 3.5),
        "cbrt": Documented(0.5, 1.5, 4.5),
        "cosine": Documented(0.5, 2, 3.5),
        "exponential": Documented(1.5, 2, 116),
        "exponential_minus_one": Documented(6.5, 1.5, 1772),
        "log": Documented(1.5, 1, 4030.5),
        "log_plus_one": Documented(3, 1, 4034),
        "logistic": Documented(2.5, 4, 243),
        "rsqrt": Documented(2, 2, 2.5),
        "sine": Documented(0.5, 1.5, 3.5),
        "tan": Documented(0.5, 3.5, 7),
        "tanh": Documented(5, 5.5, 1365.5),
    },
    "bf16": {
        "atan2": _ONE,
        "cbrt": _NARROW,
        "cosine": _NARROW,
        "exponential": Documented(0.5, 1, 1),
        "exponential_minus_one": Documented(0.5, 0.5, 1),
        "log": Documented(0.5, 0.5, 1),
        "log_plus_one": Documented(0.5, 0.5, 1),
        "logistic": Documented(2.5, 2.5, 63),
        "rsqrt": _NARROW,
        "sine": Documented(0.5, 0.5, 1),
        "tan": _NARROW,
        "tanh": _NARROW,
    },
    "f16": {
        "atan2": _ONE,
        "cbrt": _ONE,
        "cosine": _ONE,
        "exponential": _ONE,
        "exponential_minus_one": Documented(2.5, 1, 1),
        "log": _ONE,
        "log_plus_one": _ONE,
        "logistic": Documented(2, 2, 1),
        "rsqrt": _NARROW,
        "sine": _ONE,
        "tan": _ONE,
        "tanh": Documented(0.5, 0.5, 1),
    },
    "f64": {  # which no TPU has
        "atan2": Documented(0.5, 1.5, 0),
        "cbrt": Documented(0.5, 1.5, 0),
        "cosine": Documented(0.5, 1.5, 0),
        "exponential": Documented(2, 1.5, 0),
        "exponential_minus_one": Documented(4.5, 1.5, 0),
        "log": Documented(0.5, 1.5, 0),
        "log_plus_one": Documented(2, 1.5, 0),
        "logistic": Documented(3.5, 4.5, 0),
        "rsqrt": Documented(1.5, 1.5, 0),
        "sine": Documented(0.5, 2.5, 0),
        "tan": Documented(0.5, 2.5, 0),
        "tanh": Documented(7, 3.5, 0),
    },
}
COMPLEX = ("abs", "divide", "multiply", "sign", "sqrt")  # of which IEEE says nothing for complex numbers
OWN = 8  # units of the last place of f64 by which our own functions may be off, and more


def is_open(op: Op) -> bool:
    """Return whether an operation is a function of which the specification guarantees no accuracy.

    Powers of integers are exact; a complex product is several operations, which a device may fuse.
    """
    name = op.name.removeprefix("stablehlo.")
    if name in COMPLEX:
        return expressed_element(op.operands[0].type).kind == "complex"
    return name in FUNCTIONS and expressed_element(op.result.type).kind in ("float", "complex")


def known_errors(op: Op) -> Documented | None:
    """Return the largest errors that are documented for a function in the type that it is computed in."""
    return DOCUMENTED.get(expressed_element(op.result.type).name, {}).get(op.name.removeprefix("stablehlo."))


def units(type: ElementType, x: Array) -> Array:
    """Return the unit of the last place of a float type at each number, in f64; NaN if it is not finite."""
    _, exponents = np.frexp(np.where(np.isfinite(x), x, np.nan))
    exponents = np.where(x == 0, 1 - type.bias, np.maximum(exponents - 1, 1 - type.bias))
    return np.where(np.isfinite(x), np.ldexp(1.0, exponents - (type.precision - 1)), np.nan)


def function_span(op: Op, operands: Sequence[Ends]) -> Ends | None:
    """Return what a function is where errors are at most the documented ones; None if none are documented.

    operands: numbers in f64. The correctly rounded result is half a unit from the exact one, and its unit is
    at least that of the exact one; between the ends of an operand it lies between theirs, if the function
    grows or falls everywhere. Of another function, and where a result is not finite, nothing is known.
    """
    figures, type = known_errors(op), expressed_element(op.result.type)
    if figures is None or any(v.type.storage_type.kind == "complex" for v in op.operands):
        return None
    types = [expressed_element(v.type) for v in op.operands]
    function = prepare(NUMPY, op, types, type)
    with np.errstate(all="ignore"):
        ends = [np.asarray(function(*sides), np.float64) for sides in zip(*operands, strict=True)]
        low, high = np.minimum(*ends), np.maximum(*ends)
        by = max(figures) + 0.5 + (OWN if type.name == "f64" else 0)
        low, high = low - by * units(type, low), high + by * units(type, high)
    most = max_finite(type)  # beyond which a device may have an infinity
    known = (low >= -most) & (high <= most)
    known &= np.logical_and.reduce([x.finite | (x.least == x.greatest) for x in operands])  # else may be NaN
    if not has_extremes(facts(op)):
        known &= np.logical_and.reduce([x.least == x.greatest for x in operands])
    return flush(type, Ends(np.where(known, low, -np.inf), np.where(known, high, np.inf)))


def away(op: Op, result: float, given: float) -> str:
    """Return how far a device's result of a function is from the correctly rounded one."""
    type, figures = expressed_element(op.result.type), known_errors(op)
    name = op.name.removeprefix("stablehlo.")
    if isfinite(result) and isfinite(given):
        unit = float(units(type, np.float64(result)))
        off = f"{abs(given - result) / unit:,.6g} units of the last place from {result!r}"
    else:
        off = f"{given!r} for {result!r}"
    known = f"; JAX documents errors of up to {figures.text}" if figures else ""
    return f"{off}; the specification guarantees no accuracy of `{name}`{known}"
