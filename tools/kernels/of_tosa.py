"""Trials of TOSA's reference model: RESCALE, and graphs to which operations of StableHLO are lowered."""

from __future__ import annotations

from functools import partial

import numpy as np

from kernels import tosa
from kernels.tosa import Rescale, Step
from kernels.trials import Draw, Kernel, Quantized, Trial, matrix_product, program
from spec.meaning.requantization import multiplier_and_shift
from spec.recipes import TOSA

NAMES = {"ADD": "add", "SUB": "subtract", "MAXIMUM": "maximum", "MINIMUM": "minimum"}


def rescale(
    source: str, result: str, dtype: str, reals: list[float], zero_points: tuple[int, int], wide: bool = False
) -> Rescale:
    pairs = [multiplier_and_shift(real, 15 if wide else 31) for real in reals]
    multipliers, shifts = ([pair[k] for pair in pairs] for k in (0, 1))
    return Rescale(source, result, dtype, multipliers, shifts, zero_points, not wide)


def ran(arguments: dict[str, np.ndarray], steps: list[Rescale | Step]) -> np.ndarray:
    found = tosa.run(arguments, steps)
    assert found.status == tosa.VALID, found.status
    return found.result


def requantize(source: str, target: str, draw: Draw, n: int) -> Trial:
    """RESCALE."""
    x = Quantized(source, (draw.scale(),), draw.zero_point(source))
    coarser = (3, 7) if source == "int32" else (-1, 1)
    y = Quantized(target, (draw.times(x.scale, *coarser),), draw.zero_point(target))
    arg = draw.elements(source, (n,), x.zero_point)
    step = rescale("x", "y", target, [x.scale / y.scale], (x.zero_point, y.zero_point))
    text = program("uniform_quantize", [x.text((n,))], y.text((n,)))
    return Trial(text, [arg], ran({"x": arg}, [step]))


def two_inputs(name: str, dtype: str, draw: Draw, n: int) -> Trial:
    """ADD, SUB, MAXIMUM and MINIMUM of finer units of the larger scale."""
    x, y = (Quantized(dtype, (draw.scale(),), draw.zero_point(dtype)) for _ in range(2))
    finer, unit = 20 if dtype == "int8" else 15, max(x.scale, y.scale) * (2 if name in ("ADD", "SUB") else 1)
    z = Quantized(dtype, (draw.times(max(x.scale, y.scale), -0.5, 1),), draw.zero_point(dtype))
    args = [draw.elements(dtype, (n,), type.zero_point) for type in (x, y)]
    steps: list[Rescale | Step] = [
        rescale("x", "a", "int32", [x.scale / unit * 2**finer], (x.zero_point, 0)),
        rescale("y", "b", "int32", [y.scale / unit * 2**finer], (y.zero_point, 0)),
        Step(name, ("a", "b"), "c", "int32", (n,)),
        rescale("c", "z", dtype, [unit / (z.scale * 2**finer)], (0, z.zero_point)),
    ]
    text = program(NAMES[name], [x.text((n,)), y.text((n,))], z.text((n,)))
    return Trial(text, args, ran(dict(zip("xy", args, strict=True)), steps))


def multiply(dtype: str, draw: Draw, n: int) -> Trial:
    """MUL of integers of 32 bits."""
    x, y = (Quantized(dtype, (draw.scale(),), draw.zero_point(dtype)) for _ in range(2))
    z = Quantized(dtype, (draw.times(x.scale * y.scale, 1, 4),), draw.zero_point(dtype))
    args = [draw.elements(dtype, (n,), type.zero_point) for type in (x, y)]
    steps: list[Rescale | Step] = [
        rescale("x", "a", "int32", [1.0], (x.zero_point, 0)),
        rescale("y", "b", "int32", [1.0], (y.zero_point, 0)),
        Step("MUL", ("a", "b"), "c", "int32", (n,), [("int8", 0)]),
        rescale("c", "z", dtype, [x.scale * y.scale / z.scale], (0, z.zero_point)),
    ]
    text = program("multiply", [x.text((n,)), y.text((n,))], z.text((n,)))
    return Trial(text, args, ran(dict(zip("xy", args, strict=True)), steps))


def absolute(dtype: str, draw: Draw, n: int) -> Trial:
    x = Quantized(dtype, (draw.scale(),), draw.zero_point(dtype))
    y = Quantized(dtype, (draw.times(x.scale, -0.5, 1),), draw.zero_point(dtype))
    arg = draw.elements(dtype, (n,), x.zero_point)
    steps: list[Rescale | Step] = [
        rescale("x", "a", "int32", [1.0], (x.zero_point, 0)),
        Step("ABS", ("a",), "b", "int32", (n,)),
        rescale("b", "y", dtype, [x.scale / y.scale], (0, y.zero_point)),
    ]
    return Trial(program("abs", [x.text((n,))], y.text((n,))), [arg], ran({"x": arg}, steps))


def matmul(dtype: str, per_channel: bool, draw: Draw, n: int) -> Trial:
    """MATMUL, into 32 bits for i8 and 48 for i16, then RESCALE."""
    depth, units, wide = 32, 16, dtype == "int16"
    rows = max(n // units, 1)
    x = Quantized(dtype, (draw.scale(),), draw.zero_point(dtype))
    w = Quantized(dtype, tuple(draw.scale(-2, 0) for _ in range(units if per_channel else 1)), 0, 1)
    y = Quantized(dtype, (draw.times(x.scale * max(w.scales), 1.5, 3 + 2 * wide),), draw.zero_point(dtype))
    args = [draw.elements(dtype, (rows, depth), x.zero_point), draw.elements(dtype, (depth, units))]
    reals = [x.scale * scale / y.scale for scale in w.scales]
    zero_points = [(dtype, x.zero_point), (dtype, 0)]
    steps: list[Rescale | Step] = [
        Step("MATMUL", ("x", "w"), "a", "int48" if wide else "int32", (1, rows, units), zero_points),
        rescale("a", "y", dtype, reals, (0, y.zero_point), wide),
    ]
    theirs = ran({"x": args[0][None], "w": args[1][None]}, steps)[0]
    types = [x.text((rows, depth)), w.text((depth, units))]
    return Trial(program("dot_general", types, y.text((rows, units)), matrix_product()), args, theirs)


def kernels() -> list[Kernel]:
    """Return the graphs to compare; none departs from the recipe."""
    pairs = [(a, b) for a in ("int8", "int16", "int32") for b in ("int8", "int16", "int32")]
    pairs = [pair for pair in pairs if pair != ("int32", "int32")]
    rows = [
        Kernel(f"RESCALE {source} to {target}", TOSA, partial(requantize, source, target))
        for source, target in [*pairs, ("int8", "uint8"), ("uint8", "int8")]
    ]
    rows += [Kernel(f"{name} int8", TOSA, partial(two_inputs, name, "int8")) for name in NAMES]
    rows += [Kernel(f"{name} int16", TOSA, partial(two_inputs, name, "int16")) for name in ("ADD", "SUB")]
    rows += [Kernel(f"MUL {dtype}", TOSA, partial(multiply, dtype)) for dtype in ("int8", "int16")]
    rows += [Kernel(f"ABS {dtype}", TOSA, partial(absolute, dtype)) for dtype in ("int8", "int16")]
    rows.append(Kernel("MATMUL int8", TOSA, partial(matmul, "int8", False)))
    rows.append(Kernel("MATMUL int8 per channel", TOSA, partial(matmul, "int8", True)))
    return [*rows, Kernel("MATMUL int16", TOSA, partial(matmul, "int16", False), "i48")]
