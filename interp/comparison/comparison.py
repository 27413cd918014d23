"""Comparison of a program's results with a float computation: numbers per result, and their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import frexp, fsum, inf, isfinite, log10

import numpy as np

from interp.backends import NUMPY, Array, fl
from interp.engine.markup import Display, align, join_lines
from interp.engine.quant import spread
from interp.engine.tensor import Tensor
from interp.execute.unused import NOTHING, Unused
from spec.types import QuantizedType, TensorType

# The signal-to-noise ratio of a quantized value: one definition, for every answer.
#
# `10 log10(sum r^2 / sum (x - r)^2)` in dB, over elements in which both are finite. r is the reference,
# which is the signal: the ratio of x beside r is not that of r beside x. It is infinite where nothing
# differs, and minus infinity where only noise is left.

SMALL = 2.0**-900  # sums of squares that may have lost what underflows


def sqnr(signal: Fraction, noise: Fraction) -> float:
    """Return the ratio of two sums of squares in dB."""
    if not noise:
        return inf
    return decibels(signal / noise) if signal else -inf


def decibels(ratio: Fraction) -> float:
    """Return `10 log10(ratio)` of a positive fraction, whose parts may be beyond the range of floats."""
    shift = ratio.numerator.bit_length() - ratio.denominator.bit_length()
    return 10 * (log10(float(ratio / Fraction(2) ** shift)) + shift * log10(2))


def squares(x: Array) -> Sequence[float | Fraction]:
    """Return the sum of the squares of each row: that of f64, scaled where it leaves the range of f64."""
    x = np.abs(x)
    with np.errstate(over="ignore", under="ignore"):
        sums: list[float | Fraction] = np.einsum("ij,ij->i", x, x).tolist()
    for k, found in enumerate(sums):
        if not SMALL <= found < inf and x[k].any():
            power = frexp(float(x[k].max()))[1]
            scaled = np.ldexp(x[k], -power)
            sums[k] = Fraction(float(scaled @ scaled)) * Fraction(4) ** power
    return sums


def total(sums: Sequence[float | Fraction]) -> Fraction:
    """Return the sum of several sums, rounded once to f64 if that holds it."""
    if all(isinstance(x, float) for x in sums) and isfinite(rounded := fsum(map(float, sums))):
        return Fraction(rounded)
    return sum((Fraction(x) for x in sums), Fraction(0))


def power(x: Array) -> Fraction:
    """Return the sum of the squares of finite numbers."""
    return total(squares(np.reshape(x, (1, -1))))


NumpyArray = np.ndarray


@dataclass(frozen=True)
class ResultReport(Display):
    """Differences of one result from the float computation.

    Errors are absolute, in real units and in steps (scales of the result; None if it is not quantized);
    `sqnr` is in dB, infinite if nothing differs. For integers and booleans these are None. Means and `sqnr`
    are over the elements that are finite on both sides, None if there are none; `left_out` is the number of
    others. `disagreeing` elements differ at all; `not_finite` ones are infinite or NaN on one side only.

    `saturated` elements depend on a saturation, and have no bound; neither have elements that depend on a
    comparison or a selection. `bounded` is the number of elements with a bound; `bound` is the largest bound,
    or None, `bounded_error` is the largest error of these elements, and `beyond` counts those whose error
    exceeds their bound.
    """

    type: TensorType
    largest_error: float | None
    mean_error: float | None
    largest_steps: float | None
    mean_steps: float | None
    sqnr: float | None
    disagreeing: int
    not_finite: int
    saturated: int
    bound: float | None
    beyond: int
    bounded: int
    bounded_error: float | None
    left_out: int

    @property
    def ok(self) -> bool:
        """Return whether every error is within its bound."""
        return self.beyond == 0

    @property
    def verdict(self) -> str:
        """Return, in words, whether the bound holds and how many elements have one."""
        if not self.type.size:
            return "no elements"
        unbounded = self.type.size - self.bounded - self.saturated
        saturated = [f"{self.saturated} saturated"] if self.saturated else []
        if not self.bounded:
            return "; ".join(["no bound", *saturated])
        found = "holds for" if self.ok else f"FAILS at {self.beyond} of"
        others = [f"{unbounded} without a bound"] if unbounded else []
        return "; ".join([f"{found} {self.bounded}", *saturated, *others])

    def cells(self) -> list[str]:
        """Return the result's row of the table."""
        numbers = [self.largest_error, self.mean_error, self.largest_steps, self.mean_steps, self.sqnr]
        counts = [self.disagreeing, self.not_finite]
        bound = [self.bound, self.bounded_error] if self.bounded else [None, None]
        ends = [self.verdict, repr(self.type)]
        return [*map(_number, numbers), *map(str, counts), *map(_number, bound), *ends]


HEADINGS = [
    "result",
    "largest error",
    "mean",
    "in steps",
    "mean",
    "SQNR dB",
    "unequal",
    "not finite",
    "bound",
    "bounded error",
    "verdict",
    "type",
]


@dataclass(frozen=True, repr=False)
class Comparison(Display):
    """Result of `compare`: a report per result, and the arrays that were compared.

    `bounds` has the bound of every element: infinite if there is none, NaN if something saturated. `note`
    is the reason why nothing has a bound, if that is not the program. `reference_name` says what the float
    computation is, `clipped` how many numbers each value clipped at its zero point: they are no overflows.

    `witness` says who computed the reference: "XLA", whose results were checked against the bound of the
    float program itself; "XLA, unchecked" where that has none; or "this engine, schedule left" with the
    reason why not XLA: it died, refused the program, took too long, or gave results that are not possible.

    `unused` are the options that were asked for and that the program does not use. `bare` are the float
    results that the bounds are of: those of the program with its types stripped, where the reference is not.
    """

    results: tuple[ResultReport, ...]
    title: str
    outputs: tuple[Tensor, ...] = field(repr=False)
    reference: tuple[NumpyArray, ...] = field(repr=False)
    bounds: tuple[NumpyArray, ...] = field(repr=False)
    note: str = ""
    witness: str = "XLA"
    reference_name: str = ""
    clipped: Mapping[str, int] = field(default_factory=dict)
    unused: Unused = field(default=NOTHING, repr=False)
    bare: tuple[NumpyArray, ...] = field(default=(), repr=False)

    @property
    def ok(self) -> bool:
        """Return whether every error is within its bound, in all results."""
        return all(report.ok for report in self.results)

    def _repr_text_(self) -> str:
        rows = [HEADINGS, *([str(k), *report.cells()] for k, report in enumerate(self.results))]
        lines = align(rows, left=range(len(HEADINGS) - 2, len(HEADINGS)))
        notes = [_left_out(k, report) for k, report in enumerate(self.results)]
        witness = "" if self.witness == "XLA" else f"reference: {self.witness}"
        clips = [f"clipped at the zero point: {n:,} of {name}" for name, n in self.clipped.items()]
        notes = [witness, *notes, *clips, self.note, *self.unused.lines]
        return join_lines([self.title, *lines, *filter(None, notes)])


def _left_out(number: int, report: ResultReport) -> str:
    """Return a note on the elements that the mean and the SQNR leave out, or nothing."""
    if report.mean_error is None or not report.left_out:
        return ""
    kept = report.type.size - report.left_out
    return f"result {number}: mean and SQNR are of the {kept} finite elements; {report.left_out} are not"


def _number(x: float | None) -> str:
    return "-" if x is None else f"{x:.4g}"


def report(
    output: Tensor, reference: NumpyArray, bound: NumpyArray, bare: NumpyArray | None = None
) -> ResultReport:
    """Compare one result with its reference; a `bound` is infinite if there is none, NaN if saturated.

    bare: the float results that the bound is of, if they are others than the reference's.
    """
    ours = output.dequantize()
    saturated, known = np.isnan(bound), np.isfinite(bound)
    bound = np.where(known, bound * SLACK, np.inf)
    numeric = output.type.is_quantized or output.type.storage_type.kind in ("float", "complex")
    apart = lambda x: distance(ours, x) if numeric else (ours != x).astype(np.float64)
    error = apart(reference)
    judged = error if bare is None or bare is reference else apart(bare)
    finite = np.isfinite(error) & np.isfinite(reference)
    steps = error / _scales(output.type) if output.type.is_quantized else None
    return ResultReport(
        type=output.type,
        largest_error=float(error.max(initial=0)) if numeric else None,
        mean_error=_mean(error[finite]) if numeric else None,
        largest_steps=None if steps is None else float(steps.max(initial=0)),
        mean_steps=None if steps is None else _mean(steps[finite]),
        sqnr=sqnr(power(_wide(reference)[finite]), power(error[finite]))
        if numeric and finite.any()
        else None,
        disagreeing=int(np.count_nonzero(error)),
        not_finite=int(np.count_nonzero(np.isinf(error))),
        saturated=int(np.count_nonzero(saturated)),
        bound=float(bound[known].max(initial=0)) if known.any() or not bound.size else None,
        beyond=int(np.count_nonzero(judged > bound)),
        bounded=int(np.count_nonzero(known)),
        bounded_error=float(judged[known].max(initial=0)) if numeric and known.any() else None,
        left_out=int(np.count_nonzero(~finite)),
    )


SLACK = 1 + 2.0**-30  # bounds are computed in f64


def _wide(x: NumpyArray) -> NumpyArray:
    """Return the numbers in f64, or complex."""
    return np.asarray(x).astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def distance(ours: NumpyArray, reference: NumpyArray) -> NumpyArray:
    """Return absolute differences: 0 for the same infinity or NaN, infinite if it is on one side only."""
    ours, reference = _wide(ours), _wide(reference)
    same = (ours == reference) | (np.isnan(ours) & np.isnan(reference))
    with np.errstate(all="ignore"):
        error = np.abs(ours - reference)
    return np.where(same, 0, np.where(np.isnan(error), np.inf, error))


def _scales(type: TensorType) -> NumpyArray:
    element = type.element_type
    assert isinstance(element, QuantizedType)
    scales = tuple(fl(scale, element.expressed_type) for scale in element.scales)
    return np.asarray(spread(NUMPY, scales, np.float64, element, type.shape))


def _mean(x: NumpyArray) -> float | None:
    return float(x.mean()) if x.size else None
