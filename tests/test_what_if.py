"""Contractions in other accumulators: against runs that have them, and against sums one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from tests.library.builders import contracting, convolution, single
from tests.library.oracles.products_by_hand import numbers, pairs, space

Q = "!quant.uniform<i8:f32, 0.5:3>"
W = "!quant.uniform<i8<-127:127>:f32, 0.25>"
QUANTIZED = single("dot_general", f"3x40x{Q}; 40x4x{W} -> 3x4x{Q}", **contracting(1))
WINDOWS = convolution(
    "2x6x4xi8; 3x2x6xi8 -> 2x7x6xi32", "b0f 0io b0f", padding=((1, 2),), feature_group_count=2
)
SCHEDULES = ["left", "balanced", "blocks(3)", "random(1)"]


def arguments(module: Module, *choices: int) -> list[np.ndarray]:
    rng, numbers = np.random.default_rng(2), choices or range(-127, 128)
    return [rng.choice(numbers, value.type.shape).astype(np.int8) for value in module.main.inputs]


@pytest.mark.parametrize("accumulator", ["i17 wrap", "i17 saturate", "i16 wrap", "i20 saturate"])
def test_sums_are_those_of_a_run_with_that_accumulator(accumulator: str) -> None:
    args = arguments(QUANTIZED)
    matrix = interp.trace(QUANTIZED, *args).matrix(types=accumulator, schedules=SCHEDULES)
    for schedule in SCHEDULES:
        options: dict[str, Any] = {"reading": "integer", "accumulator": accumulator, "schedule": schedule}
        ran = interp.trace(QUANTIZED, *args, **options).reductions["%0"]
        np.testing.assert_array_equal(matrix.cell(accumulator, schedule).accumulators, ran.accumulators[0])


def clamp(x: int, bits: int) -> int:
    return min(max(x, -(2 ** (bits - 1))), 2 ** (bits - 1) - 1)


def wrap(x: int, bits: int) -> int:
    return (x + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def maddubs(terms: list[int]) -> int:
    return sum(clamp(sum(terms[i : i + 2]), 16) for i in range(0, len(terms), 2))


def blocks(terms: list[int]) -> int:
    total = 0
    for i in range(0, len(terms), 3):
        part = 0
        for x in terms[i : i + 3]:
            part = wrap(part + x, 15)
        total = clamp(total + part, 16)
    return total


def split(terms: list[int]) -> int:
    parts = [0, 0, 0, 0]
    for k, x in enumerate(terms):
        parts[k % 4] = clamp(parts[k % 4] + x, 16)
    return sum(parts[: min(4, len(terms))])


def half(terms: list[int]) -> float:
    total = np.float16(0)
    for x in terms:
        total = np.float16(total + np.float16(x))
    return float(total)


def brain(terms: list[int]) -> float:
    dtype = np.dtype("bfloat16")
    total = dtype.type(0)
    for x in terms:
        total = dtype.type(float(total) + float(dtype.type(x)))
    return float(total)


MACHINES = {
    "maddubs": maddubs,
    "i15 wrap blocks(3) i16 saturate": blocks,
    "i16 saturate split(4) i32 wrap": split,
    "f16": half,
    "bf16": brain,
}


@pytest.mark.parametrize("machine", MACHINES)
def test_groups_and_floats_are_those_of_sums_one_after_the_other(machine: str) -> None:
    args = arguments(WINDOWS, -128, -128, -128, 127)
    with np.errstate(over="ignore"):
        matrix = interp.trace(WINDOWS, *args).matrix(types=machine, schedules="left")
        cell, op = matrix.cell(machine), WINDOWS.main.body.ops[0]
        for index in space(op.result.type.shape):
            terms = numbers(op, *args, index)
            assert cell.accumulators[index] == MACHINES[machine](terms)
            assert matrix.exact[index] == sum(terms)
            assert cell.errors[index] == cell.accumulators[index] - sum(terms)
    assert cell.wrong == np.count_nonzero(cell.errors) > 0
    assert f"({cell.wrong})" in repr(matrix)


def test_floats_are_compared_with_exact_sums() -> None:
    module = single("dot_general", "2x50xf32; 50x3xf32 -> 2x3xf32", **contracting(1))
    rng = np.random.default_rng(1)
    args = [rng.normal(size=value.type.shape).astype(np.float32) for value in module.main.inputs]
    trace = interp.trace(module, *args)
    matrix = trace.matrix(schedules=["left", "balanced"])
    for index in space((2, 3)):
        exact = sum(interp_fraction(args[0][i], args[1][j]) for i, j in pairs(module.main.body.ops[0], index))
        assert matrix.exact[index] == float(exact)
    assert matrix.cell("bf16").error > matrix.cell("f16").error > matrix.cell("f32").error > 0
    with pytest.raises(Unsupported, match="multiplies floats"):
        trace.matrix(types="i32")


def interp_fraction(a: Any, b: Any) -> Any:
    from fractions import Fraction

    return Fraction(float(a)) * Fraction(float(b))


def test_a_name_without_a_mode_means_both() -> None:
    trace = interp.trace(WINDOWS, *arguments(WINDOWS))
    assert [repr(m) for m in trace.matrix(types="i16").machines] == ["i16 wrap", "i16 saturate"]
    assert "maddubs" in repr(trace.matrix())
    with pytest.raises(Malformed, match="is not an accumulator"):
        trace.matrix(types="i16 in pairs")


def test_complex_products_are_refused() -> None:
    module = interp.load("""func.func @main(%x: tensor<2xcomplex<f32>>) -> tensor<complex<f32>> {
      %y = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
        : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
      return %y : tensor<complex<f32>>
    }""")
    with pytest.raises(Unsupported, match="multiplies complex numbers"):
        interp.trace(module, np.complex64([1j, 2])).matrix()
