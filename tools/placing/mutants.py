"""Mutants of right sums: which of them `permits` detects, by type, number of leaves and kind of mutant.

A mutant is detected where it is shown that no schedule gives it, or no accumulation at all. It is
undetectable where an accumulation was run that gives it, so that nobody could tell it from a right result: a
schedule of the specification, or one of another order or in a wider type. The rest is unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

import interp
from interp.backends.dtypes import numpy_dtype
from spec.ir import Module
from spec.types import ELEMENT_TYPES

Array = np.ndarray
SIZES = (4, 16, 64, 256, 4096)
EACH = 10  # results of a cell
TRIED = 50  # permutations
TYPES = {
    "f32": "f32",
    "f16": "f16",
    "bf16": "bf16",
    "f64": "f64",
    "i32": "i32",
    "i8 in i32, scale 0.1": "!quant.uniform<i32:f32, 0.1>",
    "i8, scale 0.1": "!quant.uniform<i8:f32, 0.1>",
}
MUTANTS = ("a leaf dropped", "a leaf doubled", "a leaf rounded to bf16", "one step or ulp more")
NARROW = {"i8 in i32, scale 0.1": "!quant.uniform<i8:f32, 0.1>"}


class Cell(NamedTuple):
    """Numbers of mutants that were detected, undetectable and unknown, and an accumulation that gives one."""

    counts: Counter[str]
    example: str


@cache
def program(type: str, n: int) -> Module:
    body, leaf = TYPES[type], NARROW.get(type, TYPES[type])
    zero = "0" if "i" in type else "0.0"
    init = f"%z: tensor<{body}>" if "quant" in body else ""
    shape = f"{EACH}x{n}x{leaf}"
    made = "" if init else f"%z = stablehlo.constant dense<{zero}> : tensor<{body}>"
    return interp.load(f"""func.func @main(%x: tensor<{shape}>{", " * bool(init)}{init})
        -> tensor<{EACH}x{body}> {{
      {made}
      %s = "stablehlo.reduce"(%x, %z) ({{
      ^bb0(%a: tensor<{body}>, %b: tensor<{body}>):
        %1 = stablehlo.add %a, %b : tensor<{body}>
        stablehlo.return %1 : tensor<{body}>
      }}) {{dimensions = array<i64: 1>}} : (tensor<{shape}>, tensor<{body}>) -> tensor<{EACH}x{body}>
      return %s : tensor<{EACH}x{body}>
    }}""")


def leaves(type: str, n: int, rng: np.random.Generator) -> list[Array]:
    """Return arguments: normal floats; integers up to 100, or so small that no order saturates."""
    if type in ELEMENT_TYPES and ELEMENT_TYPES[type].kind == "float":
        return [rng.standard_normal((EACH, n)).astype(numpy_dtype(ELEMENT_TYPES[type]))]
    most = 100 if type != "i8, scale 0.1" else max(1, 120 // n)
    x = rng.integers(-most, most + 1, (EACH, n))
    if type == "i32":
        return [x.astype(np.int32)]
    x = x.astype(np.int8)
    return [x, np.zeros((), np.int32 if type in NARROW else np.int8)]


def mutated(kind: str, x: Array, rng: np.random.Generator) -> Array | None:
    """Return the leaves of a mutant, or None where it cannot differ."""
    y, rows = x.copy(), np.arange(len(x))
    at = (
        np.abs(x.astype(np.float64)).argmax(1)
        if x.dtype.kind == "i"
        else rng.integers(x.shape[1], size=len(x))
    )
    if kind == "a leaf dropped":
        y[rows, at] = 0
    elif kind == "a leaf doubled":
        y[rows, at] = 2 * x[rows, at]
    elif kind == "a leaf rounded to bf16" and x.dtype.kind == "f" and x.dtype.name != "bfloat16":
        y[rows, at] = x[rows, at].astype(ml_dtypes.bfloat16).astype(x.dtype)
    else:
        return None
    return y


def cell(type: str, kind: str, n: int, seed: int = 0, **options: Any) -> Cell | None:
    """Return what `permits` says of mutants, which are summed as `left` sums; None where there are none."""
    rng = np.random.default_rng([seed, n, MUTANTS.index(kind), list(TYPES).index(type)])
    args, m = leaves(type, n, rng), program(type, n)
    (right,) = (out.storage for out in interp.run(m, *args))
    if kind == MUTANTS[-1]:
        given = right + 1 if right.dtype.kind == "i" else np.nextafter(right, np.array(np.inf, right.dtype))
    else:
        changed = mutated(kind, args[0], rng)
        if changed is None:
            return None
        (given,) = (out.storage for out in interp.run(m, changed, *args[1:]))
    found = interp.permits(m, tuple(args), (given,), most=EACH, limit=2000, **options)
    differs = given != right
    return _counted(args[0], given, found, differs, np.random.default_rng(seed))


def _counted(x: Array, given: Array, found: Any, differs: Array, rng: np.random.Generator) -> Cell:
    counts, example = Counter[str](), ""
    for k in np.flatnonzero(differs):
        kind, place = str(found.verdicts[0][k]), str(found.place[0][k])
        by = str(found.schedules[0][k])
        if place != "wrong" and x.dtype.kind != "i":
            by = by or next((name for name, result in others(x[k], rng) if result == given[k]), "")
        if by:
            counts["undetectable"] += 1
            example = example or (by if len(by) < 40 else "a tree in order")
        else:
            counts["detected" if place == "wrong" or kind.startswith("not") else "unknown"] += 1
    return Cell(counts, example)


def others(x: Array, rng: np.random.Generator) -> Iterator[tuple[str, Any]]:
    """Yield accumulations beyond the specification's schedules, with their results."""
    wide = x.astype(np.longdouble)
    yield "star exact", wide.sum().astype(x.dtype)
    by_size = np.argsort(np.abs(wide))
    orders = [by_size, by_size[::-1], np.arange(len(x))[::-1]]
    orders += [rng.permutation(len(x)) for _ in range(TRIED)]
    names = ["left, smallest leaf first", "left, largest leaf first", "right"]
    names += ["left, leaves permuted"] * TRIED
    yield from zip(names, _left(x[np.array(orders)]), strict=True)


def _left(rows: Array) -> Array:
    """Add rows from left to right, each sum rounded to their type."""
    narrow = (
        rows.dtype.itemsize == 2
    )  # f32 has more than twice as many bits, so that rounding twice is as once
    total = rows[:, 0]
    for k in range(1, rows.shape[1]):
        terms = (x.astype(np.float32) if narrow else x for x in (total, rows[:, k]))
        total = np.add(*terms).astype(rows.dtype)
    return total


def table(sizes: tuple[int, ...] = SIZES) -> str:
    """Return the table: in each cell, of how many, detected / undetectable / unknown."""
    lines = [f"| sum of | mutant | {' | '.join(f'n = {n:,}' for n in sizes)} | given by |"]
    lines += ["| " + " | ".join(["---"] * (len(sizes) + 3)) + " |"]
    for type in TYPES:
        for kind in MUTANTS:
            cells = [cell(type, kind, n) for n in sizes]
            if None in cells:
                continue
            texts = [
                " / ".join(str(c.counts[k]) for k in ("detected", "undetectable", "unknown"))
                for c in cells
                if c
            ]
            example = next((c.example for c in reversed(cells) if c and c.example), "")
            lines.append(f"| {type} | {kind} | {' | '.join(texts)} | {example and f'`{example}`'} |")
    return "\n".join(lines)
