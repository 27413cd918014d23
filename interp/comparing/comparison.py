"""How the results of a program differ from a float computation: numbers per result, and their table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from interp.namespace import NUMPY, fl
from interp.quant import spread
from interp.tensor import Tensor
from spec.types import QuantizedType, TensorType

Array = np.ndarray


@dataclass(frozen=True)
class ResultReport:
    """How one result differs from the float computation.

    Errors are absolute, in real units and in steps (scales of the result; None where it is not quantized);
    `sqnr` is in dB, infinite where nothing differs. For integers and booleans these are None.
    `disagreeing` elements differ at all; `not_finite` ones are infinite or NaN on one side only; `saturated`
    ones have a saturation in their past, and no bound. `bound` is the largest bound of the others, None where
    there is none (after a comparison or a selection). `beyond` elements are further off than their bound.
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

    @property
    def ok(self) -> bool:
        """No element is further off than its bound."""
        return self.beyond == 0

    def cells(self) -> list[str]:
        """The row of the report's table."""
        numbers = [self.largest_error, self.mean_error, self.largest_steps, self.mean_steps, self.sqnr]
        verdict = "no bound" if self.bound is None else "holds" if self.ok else f"FAILS at {self.beyond}"
        counts = [self.disagreeing, self.not_finite, self.saturated]
        return [*map(_number, numbers), *map(str, counts), _number(self.bound), verdict, repr(self.type)]


HEADINGS = [
    "result",
    "largest error",
    "mean",
    "in steps",
    "mean",
    "SQNR dB",
    "unequal",
    "not finite",
    "saturated",
    "bound",
    "",
    "type",
]


@dataclass(frozen=True)
class Comparison:
    """What `compare` found: a report per result, and the arrays that it is about.

    `bounds` has the bound of every element: infinite where there is none, NaN where something saturated.
    """

    results: tuple[ResultReport, ...]
    title: str
    outputs: tuple[Tensor, ...] = field(repr=False)
    reference: tuple[Array, ...] = field(repr=False)
    bounds: tuple[Array, ...] = field(repr=False)

    @property
    def ok(self) -> bool:
        """No bound fails."""
        return all(report.ok for report in self.results)

    def __repr__(self) -> str:
        rows = [HEADINGS, *([str(k), *report.cells()] for k, report in enumerate(self.results))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if k >= len(widths) - 2 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([self.title, *lines])


def _number(x: float | None) -> str:
    return "-" if x is None else f"{x:.4g}"


def report(output: Tensor, reference: Array, bound: Array) -> ResultReport:
    """One result beside its reference; `bound` per element, infinite where none, NaN where saturated."""
    ours = output.dequantize()
    saturated, known = np.isnan(bound), np.isfinite(bound)
    bound = np.where(known, bound * _SLACK, np.inf)
    numeric = output.type.is_quantized or output.type.storage_type.kind in ("float", "complex")
    error = _distance(ours, reference) if numeric else (ours != reference).astype(np.float64)
    finite = np.isfinite(error) & np.isfinite(reference)
    steps = error / _scales(output.type) if output.type.is_quantized else None
    return ResultReport(
        type=output.type,
        largest_error=float(error.max(initial=0)) if numeric else None,
        mean_error=_mean(error[finite]) if numeric else None,
        largest_steps=None if steps is None else float(steps.max(initial=0)),
        mean_steps=None if steps is None else _mean(steps[finite]),
        sqnr=_sqnr(_wide(reference)[finite], error[finite]) if numeric else None,
        disagreeing=int(np.count_nonzero(error)),
        not_finite=int(np.count_nonzero(np.isinf(error))),
        saturated=int(np.count_nonzero(saturated)),
        bound=float(bound[known].max(initial=0)) if known.any() or not bound.size else None,
        beyond=int(np.count_nonzero(error > bound)),
    )


_SLACK = 1 + 2.0**-30  # bounds are computed in f64


def _wide(x: Array) -> Array:
    """In f64, or complex."""
    return np.asarray(x).astype(np.complex128 if np.iscomplexobj(x) else np.float64)


def _distance(ours: Array, reference: Array) -> Array:
    """Absolute differences; 0 for the same infinity or NaN on both sides, infinite for one on one side."""
    ours, reference = _wide(ours), _wide(reference)
    same = (ours == reference) | (np.isnan(ours) & np.isnan(reference))
    with np.errstate(all="ignore"):
        error = np.abs(ours - reference)
    return np.where(same, 0, np.where(np.isnan(error), np.inf, error))


def _scales(type: TensorType) -> Array:
    element = type.element_type
    assert isinstance(element, QuantizedType)
    scales = tuple(fl(scale, element.expressed_type) for scale in element.scales)
    return np.asarray(spread(NUMPY, scales, np.float64, element, type.shape))


def _mean(x: Array) -> float:
    return float(x.mean()) if x.size else 0.0


def _sqnr(signal: Array, noise: Array) -> float:
    """`10 log10(sum signal^2 / sum noise^2)`."""
    powers = float((np.abs(signal) ** 2).sum()), float((noise**2).sum())
    return float("inf") if powers[1] == 0 else float(10 * (np.log10(powers[0]) - np.log10(powers[1])))
