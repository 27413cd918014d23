"""The discrete Fourier transform in f64, rounded to f32; exact enough for few numbers of similar size."""

from __future__ import annotations

import cmath
from math import prod
from typing import Any

from cases.exact.evaluate import Array, Index, Program, indices
from cases.exact.floats import Unknown, fl
from spec.ir import Op


def fft(p: Program, op: Op, x: Array) -> dict[Index, Any]:
    """Sum over all operands for each result; for IRFFT, also over the conjugates that are left out."""
    if "f64" in repr(op.result.type):
        raise Unknown("transforms of f64")
    L, inverse = len(op["fft_length"]), op["fft_type"] in ("IFFT", "IRFFT")
    real = op["fft_type"] == "IRFFT"
    sizes = (op.result if real else op.operands[0]).type.shape[-L:]
    found = {}
    for index in indices(op.result.type.shape):
        total = 0j
        for k in indices(sizes):
            turns = sum(a * b / n for a, b, n in zip(index[-L:], k, sizes, strict=True))
            factor = cmath.exp((2j if inverse else -2j) * cmath.pi * turns)
            total += operand(x, index[: len(index) - L], k, sizes) * factor
        total /= prod(sizes) if inverse else 1
        tiny = lambda v: 0.0 if abs(v) < 1e-13 else fl(v, "f32")
        found[index] = tiny(total.real) if real else (tiny(total.real), tiny(total.imag))
    return found


def operand(x: Array, batch: Index, k: Index, sizes: Index) -> complex:
    place = (*batch, *k)
    if place in x.at:
        value = x.at[place]
        return complex(*value) if isinstance(value, tuple) else complex(value)
    mirrored = (*batch, *((n - i) % n for i, n in zip(k, sizes, strict=True)))
    return complex(*x.at[mirrored]).conjugate()
