"""Every recipe on all pairs of i8, judged by the integer reading and beside the dequantize reading.

A result is permitted in the integer reading if every rescaling goes to a neighbour of the exact quotient. The
neighbours are computed here in Python's integers, apart from the judge of `interp.permits`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import interp
from kernels.trials import Quantized, matrix_product, program
from spec.errors import Unspecified
from spec.recipes import RECIPES

EVERY = np.arange(-128, 128, dtype=np.int8)
PAIRS = np.repeat(EVERY, 256), np.tile(EVERY, 256)
WIDE = np.linspace(-(2**31), 2**31 - 1, 2**16).astype(np.int32)  # a sample, and not all
# Scales of two operands and the result, and of the result of a product. The second ones make ties.
SCALES = ((0.51, 0.3, 0.7, 19.3), (0.5, 0.25, 1.0, 16.0))
ENDS: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y[::-1],
    "maximum": np.maximum,
    "minimum": np.minimum,
    "abs": lambda x: np.sort(abs(x), 0),
    "negate": lambda x: -x[::-1],
    "uniform_quantize": lambda x: x,
}


class Case(NamedTuple):
    """An operation on all of its arguments, the least and greatest permitted results, and `dequantize`'s."""

    module: interp.Module
    args: Sequence[np.ndarray]
    low: np.ndarray
    high: np.ndarray
    dequantized: np.ndarray


class Judged(NamedTuple):
    """Results of a recipe: how many are not permitted, by how much, and how many `dequantize` lacks."""

    total: int = 0
    refused: int = 0
    by: int = 0
    others: int = 0

    def plus(self, other: Judged) -> Judged:
        sums = Judged(*(sum(pair) for pair in zip(self, other, strict=True)))
        return sums._replace(by=max(self.by, other.by))


@cache
def cases(name: str) -> list[Case]:
    """Return the cases of an operation, one for each of the scales."""
    return [case(name, [float(np.float32(scale)) for scale in scales]) for scales in SCALES]


def case(name: str, scales: Sequence[float]) -> Case:
    x, y, z = (Quantized("int8", (scale,), point) for scale, point in zip(scales, (3, 0, -5), strict=False))
    if name in ("multiply", "dot_general"):
        return product(name, x, y, z._replace(scales=(scales[3],)))
    if name == "uniform_quantize, i32 to i32":
        x, z = (type._replace(dtype="int32", zero_point=0) for type in (x, z))
        name, args = "uniform_quantize", [WIDE]
    else:
        args = [EVERY] if name in ("abs", "negate", "uniform_quantize") else list(PAIRS)
    types, shape = [x, y][: len(args)], args[0].shape
    ends = (neighbours(q, type, z.scale) for q, type in zip(args, types, strict=True))
    text = program(name, [type.text(shape) for type in types], z.text(shape))
    return made(text, args, *stored(ENDS[name](*ends), z))


def product(name: str, x: Quantized, y: Quantized, z: Quantized) -> Case:
    """Return the case of an operation that rescales products."""
    m = (PAIRS[0].astype(object) - x.zero_point) * PAIRS[1].astype(object)
    low, high = stored(_ends(m, Fraction(x.scale) * Fraction(y.scale) / Fraction(z.scale)), z)
    if name == "multiply":
        n = PAIRS[0].shape
        return made(program(name, [x.text(n), y.text(n)], z.text(n)), PAIRS, low, high)
    shapes, shape = (x.text((256, 1)), y.text((1, 256))), (256, 256)
    text = program(name, shapes, z.text(shape), matrix_product())
    return made(text, [EVERY[:, None], EVERY[None]], low.reshape(shape), high.reshape(shape))


def made(text: str, args: Sequence[np.ndarray], low: np.ndarray, high: np.ndarray) -> Case:
    module = interp.load(text)
    return Case(module, args, low, high, interp.run(module, *args)[0].storage)


def neighbours(q: np.ndarray, type: Quantized, scale: float) -> np.ndarray:
    """Return both neighbours of elements in units of a scale, the lower ones first."""
    return _ends(q.astype(object) - type.zero_point, Fraction(type.scale) / Fraction(scale))


def _ends(m: np.ndarray, ratio: Fraction) -> np.ndarray:
    low = m * ratio.numerator // ratio.denominator
    return np.stack([low, -(-m * ratio.numerator // ratio.denominator)]).astype(np.int64)


def stored(ends: np.ndarray, type: Quantized) -> tuple[np.ndarray, np.ndarray]:
    info = np.iinfo(type.dtype)
    low, high = np.clip(ends + type.zero_point, info.min, info.max)
    return low, high


def judged(name: str, recipe: str) -> Judged | None:
    """Return the verdict on all results of a recipe, or None if it does not define the operation."""
    found = Judged()
    for each in cases(name):
        try:
            (ours,) = interp.run(each.module, *each.args, reading="integer", recipe=recipe)
        except Unspecified:
            return None
        x = ours.storage.astype(np.int64)
        beyond = np.maximum(np.maximum(each.low - x, x - each.high), 0)
        refused, differ = (int(np.count_nonzero(y)) for y in (beyond, ours.storage != each.dequantized))
        found = found.plus(Judged(x.size, refused, int(beyond.max()), differ))
    return found


def table() -> str:
    """Return the table in Markdown: a row for each operation, a column for each recipe."""
    rows = [["operation", "results", *RECIPES], ["---", "--:", *["---"] * len(RECIPES)]]
    for name in (*ENDS, "multiply", "dot_general", "uniform_quantize, i32 to i32"):
        found = [judged(name, recipe) for recipe in RECIPES]
        total = max(each.total for each in found if each)
        rows.append([name, f"{total:,}", *map(cell, found)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def cell(found: Judged | None) -> str:
    """Return `permitted, 7`: the verdict, and how many results the dequantize reading does not give."""
    if found is None:
        return "not defined"
    verdict = f"{found.refused:,} off by up to {found.by}" if found.refused else "permitted"
    return f"{verdict}, {found.others:,}"
