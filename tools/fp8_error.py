#!/usr/bin/env python3
"""The error of products of matrices of 8-bit floats against their size: `tools/fp8_error.py [--most 131072]`.

Rows of 8 x K and K x 8, of f8E4M3FN, are added along profiles of `spec.hardware` and in f32. The error is
that of 64 results, as the root of the mean square, relative to that of the exact sums. Numbers are normal,
so that sums stay near 0, or their absolute values, so that sums grow with K.
"""

from __future__ import annotations

import argparse
import sys
from math import log10
from pathlib import Path

import ml_dtypes
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import interp

ROWS = 8
WAYS = ("nvidia.h100.e4m3", "nvidia.h100.e4m3.promoted", "nvidia.b200.e4m3", "left in f32")
DOT = """func.func @main(%x: tensor<{m}x{k}xf8E4M3FN>, %y: tensor<{k}x{m}xf8E4M3FN>) -> tensor<{m}x{m}xf32> {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<{m}x{k}xf8E4M3FN>, tensor<{k}x{m}xf8E4M3FN>) -> tensor<{m}x{m}xf32>
  return %0 : tensor<{m}x{m}xf32>
}}"""
MARKS, LEAST, MOST = "hpbf", 1e-8, 1.0  # a mark for each way, and the ends of the axis


def errors(k: int, positive: bool, rng: np.random.Generator) -> list[float]:
    """Return the relative error of each way for sums of k products."""
    x, y = rng.normal(size=(ROWS, k)), rng.normal(size=(k, ROWS))
    if positive:
        x, y = np.abs(x), np.abs(y)
    x, y = (z.astype(ml_dtypes.float8_e4m3fn) for z in (x, y))
    exact = x.astype(np.float64) @ y.astype(np.float64)  # products of 8 bits: f64 holds these sums
    module, size = interp.load(DOT.format(m=ROWS, k=k)), np.sqrt(np.mean(exact**2))
    sums = [interp.run(module, x, y, accumulator=way)[0].storage for way in WAYS]
    return [float(np.sqrt(np.mean((s - exact) ** 2)) / size) for s in sums]


def plot(rows: dict[int, list[float]]) -> list[str]:
    """Return a line for each K with the marks of its errors on a logarithmic axis."""
    width = round(6 * (log10(MOST) - log10(LEAST)))
    lines = []
    for k, row in rows.items():
        axis = [" "] * (width + 1)
        for mark, error in zip(MARKS, row, strict=True):
            at = round(6 * (log10(min(max(error, LEAST), MOST)) - log10(LEAST)))
            axis[at] = "*" if axis[at] != " " else mark
        lines.append(f"{k:>8,} |{''.join(axis).rstrip()}")
    powers = "".join(f"{'1e' + str(p):6}" for p in range(round(log10(LEAST)), round(log10(MOST)) + 1))
    return [*lines, f"{'K':>8}  {powers.rstrip()}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--most", type=int, default=1 << 17, help="the largest K (default: 131072)")
    options = parser.parse_args()
    for positive in (False, True):
        print("absolute values of normal numbers" if positive else "normal numbers")
        print(f"{'K':>8} " + " ".join(f"{way:>25}" for way in WAYS))
        rows, k, rng = dict[int, list[float]](), 128, np.random.default_rng(0)
        while k <= options.most:
            rows[k] = errors(k, positive, rng)
            print(f"{k:>8,} " + " ".join(f"{x:>25.1e}" for x in rows[k]), flush=True)
            k *= 4 if k >= 512 else 2
        named = ", ".join(f"{mark} {way}" for mark, way in zip(MARKS, WAYS, strict=True))
        print(f"relative error; {named}; * several", *plot(rows), "", sep="\n")


if __name__ == "__main__":
    main()
