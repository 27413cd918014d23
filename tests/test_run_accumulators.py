"""Runs whose sums are kept in other accumulators: against sums by hand, and against what they must equal."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from spec.accumulator import Accumulator
from tests.library.oracles.accumulators_by_hand import (
    BY_HAND,
    DOT,
    integers,
    left,
    products,
    saturating,
    wrapping,
)

SUM = """
func.func @main(%x: tensor<3x7x{source}>, %init: tensor<{sum}>) -> tensor<3x{sum}> {{
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [1]
    : (tensor<3x7x{source}>, tensor<{sum}>) -> tensor<3x{sum}>
    reducer(%a: tensor<{sum}>, %b: tensor<{sum}>) {{
      %1 = stablehlo.{op} %a, %b : tensor<{sum}>
      stablehlo.return %1 : tensor<{sum}>
    }}
  return %0 : tensor<3x{sum}>
}}"""
TWICE = """
func.func private @f(%x: tensor<2x6xi8>, %w: tensor<6x3xi8>) -> tensor<2x3xi32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x6xi8>, tensor<6x3xi8>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
func.func @main(%x: tensor<2x6xi8>, %w: tensor<6x3xi8>) -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %0 = call @f(%x, %w) : (tensor<2x6xi8>, tensor<6x3xi8>) -> tensor<2x3xi32>
  %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x6xi8>, tensor<6x3xi8>) -> tensor<2x3xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<2x3xi32>
}"""


@pytest.mark.parametrize("accumulator", BY_HAND)
def test_plain_integers_by_hand(accumulator: str) -> None:
    module = interp.load(DOT.format(left="i8", right="i8", result="i32"))
    differing = 0
    for seed in range(20):
        x, w = integers(seed, 2, 6), integers(100 + seed, 6, 3)
        (found,) = interp.run(module, x, w, accumulator=accumulator)
        expected = [[BY_HAND[accumulator](cell) for cell in row] for row in products(x, w)]
        assert found.storage.tolist() == expected
        differing += found.storage.tolist() != interp.run(module, x, w)[0].storage.tolist()
    assert differing or accumulator in ("i20 saturate", "maddubs")


def test_pairs_saturate_in_sixteen_bits() -> None:
    """Two products of -128 and -128 make 32,768."""
    module = interp.load(DOT.format(left="i8", right="i8", result="i32"))
    x, w = np.full((2, 6), -128, np.int8), np.full((6, 3), -128, np.int8)
    assert interp.run(module, x, w, accumulator="maddubs")[0].storage[0, 0] == 3 * 32767


def test_the_schedule_is_that_of_the_run() -> None:
    """((0 + 9) + (9 - 9)) + ... in 5 bits: balanced saturates elsewhere than left."""
    module = interp.load(DOT.format(left="i8", right="i8", result="i32"))
    x = np.int8([[9, 9, -9, 9, -9, -9], [0, 15, 15, -15, -15, 0]])
    w = np.ones((6, 3), np.int8)
    (by_left,) = interp.run(module, x, w, accumulator="i5 saturate")
    (balanced,) = interp.run(module, x, w, accumulator="i5 saturate", schedule="balanced")
    # left: 0 9 15 6 15 6 -3; 0 0 15 15 0 -15 -15
    assert by_left.storage[:, 0].tolist() == [-3, -15]
    # balanced: 9 0 0 -9, 9 -9, 0; 0 15 -16 0, 15 -16, -1
    assert balanced.storage[:, 0].tolist() == [0, -1]


@given(st.integers(0, 1 << 30), st.sampled_from(["left", "balanced", "blocks(2)", "random(3)"]))
@settings(max_examples=15, deadline=None)
def test_the_programs_own_accumulator_changes_nothing(seed: int, schedule: str) -> None:
    rng = np.random.default_rng(seed)
    whole = interp.load(DOT.format(left="i8", right="i8", result="i32"))
    real = interp.load(DOT.format(left="f32", right="f32", result="f32"))
    half = interp.load(SUM.format(source="f16", sum="f16", op="add"))
    wide = rng.standard_normal((2, 6)) * 2.0 ** rng.integers(-20, 20, (2, 6))
    cases: list[tuple[Any, list[np.ndarray], str]] = [
        (whole, [integers(seed, 2, 6), integers(seed + 1, 6, 3)], "i32"),
        (real, [wide.astype(np.float32), rng.standard_normal((6, 3)).astype(np.float32)], "f32"),
        (half, [(rng.standard_normal((3, 7)) * 1e4).astype(np.float16), np.float16(0.5)], "f16"),
    ]
    for module, args, own in cases:
        (expected,) = interp.run(module, *args, schedule=schedule)
        (found,) = interp.run(module, *args, schedule=schedule, accumulator=own)
        assert found.storage.tobytes() == expected.storage.tobytes()


def test_floats_in_half_precision_by_hand() -> None:
    """f16 has 11 bits: 2048 + 1 stays 2048, and bf16 has 8: 256 + 1 stays 256."""
    module = interp.load(DOT.format(left="f32", right="f32", result="f32"))
    x = np.float32([[2048, 1, 1, 1, 1, 1], [256, 1, 1, 1, 1, 1]])
    w = np.ones((6, 3), np.float32)
    assert interp.run(module, x, w, accumulator="f16")[0].storage[:, 0].tolist() == [2048, 261]
    assert interp.run(module, x, w, accumulator="bf16")[0].storage[:, 0].tolist() == [2048, 256]
    halves = interp.run(module, x, w, accumulator="f16 blocks(3) f32")[0].storage[:, 0]
    assert halves.tolist() == [2048 + 3, 261]


def test_a_product_is_rounded_once() -> None:
    """(1 + 2^-12)(1 + 2^-12) is just above the middle of two f16 numbers; in f32 it is the middle."""
    module = interp.load(DOT.format(left="f32", right="f32", result="f32"))
    x, w = np.zeros((2, 6), np.float32), np.zeros((6, 3), np.float32)
    x[0, 0], w[0, 0] = 1 + 2.0**-12, 1 + 2.0**-12
    assert interp.run(module, x, w, accumulator="f16")[0].storage[0, 0] == 1 + 2.0**-10


def test_infinite_sums_of_integers_saturate() -> None:
    module = interp.load(DOT.format(left="i8", right="i8", result="i32"))
    x, w = np.full((2, 6), 127, np.int8), np.full((6, 3), 127, np.int8)
    x[1] = -127
    (found,) = interp.run(module, x, w, accumulator="f16")
    assert found.storage[:, 0].tolist() == [2**31 - 1, -(2**31)]


QUANTIZED = {
    "left": "!quant.uniform<i8:f32, 0.5:3>",
    "right": "!quant.uniform<i8<-127:127>:f32, 0.25>",
    "result": "!quant.uniform<i8:f32, 64.0:-4>",
}


@pytest.mark.parametrize("accumulator", ["i16", "i16 saturate", "i24", "i16 blocks(4) i32", "maddubs"])
def test_quantized_contractions_by_hand(accumulator: str) -> None:
    """Scales are powers of two, so the quotient is exact; half goes to even, and the zero point is even."""
    module = interp.load(DOT.format(**QUANTIZED))
    by_hand = BY_HAND.get(accumulator) or (lambda x: left(wrapping(24), x))
    for seed in range(10):
        x, w = integers(seed, 2, 6), np.maximum(integers(50 + seed, 6, 3), -127)
        (found,) = interp.run(module, x, w, accumulator=accumulator)
        shifted = products(x.astype(int) - 3, w)
        sums = [[by_hand(cell) for cell in row] for row in shifted]
        stored = [[round(Fraction(s, 512)) - 4 for s in row] for row in sums]
        assert found.storage.tolist() == [[max(-128, min(q, 127)) for q in row] for row in stored]


@given(st.integers(0, 1 << 30))
@settings(max_examples=10, deadline=None)
def test_i32_is_the_integer_reading_where_scales_are_powers_of_two(seed: int) -> None:
    module = interp.load(DOT.format(**QUANTIZED))
    args = integers(seed, 2, 6), np.maximum(integers(seed + 1, 6, 3), -127)
    (found,) = interp.run(module, *args, accumulator="i32")
    assert found == interp.run(module, *args)[0] == interp.run(module, *args, reading="integer")[0]


@pytest.mark.parametrize("accumulator", ["i16 wrap", "i20 saturate", "f16", "bf16", "maddubs"])
def test_the_sums_are_those_of_the_matrix(accumulator: str) -> None:
    """The result is the accumulator: of the product's scale, and without a zero point."""
    module = interp.load(DOT.format(**{**QUANTIZED, "result": "!quant.uniform<i32:f32, 0.125>"}))
    x, w = integers(5, 2, 6), np.maximum(integers(6, 6, 3), -127)
    cell = interp.trace(module, x, w).matrix(types=accumulator).cell(accumulator)
    (found,) = interp.run(module, x, w, accumulator=accumulator, reading="integer")
    assert found.storage.tolist() == np.clip(cell.accumulators, -(2**31), 2**31 - 1).tolist()


def test_sums_of_floats_are_those_of_the_matrix() -> None:
    module = interp.load(DOT.format(left="f32", right="f32", result="f32"))
    rng = np.random.default_rng(1)
    x, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((2, 6), (6, 3)))
    for accumulator in ("f16", "bf16", "f32"):
        cell = interp.trace(module, x, w).matrix(types=accumulator).cell(accumulator)
        (found,) = interp.run(module, x, w, accumulator=accumulator)
        assert found.storage.tolist() == cell.accumulators.tolist()


def test_reductions_by_hand() -> None:
    """Quantized leaves are summed as `q - zero_point`, from the init value's."""
    plain = interp.load(SUM.format(source="i8", sum="i8", op="add"))
    x = integers(3, 3, 7)
    (found,) = interp.run(plain, x, np.int8(1), accumulator="i10 saturate")
    sums = [left(saturating(10), [int(v) for v in row], 1) for row in x]
    assert found.storage.tolist() == [(s + 128) % 256 - 128 for s in sums]
    type = "!quant.uniform<i8:f32, 0.5:3>"
    quantized = interp.load(SUM.format(source=type, sum=type, op="add"))
    (found,) = interp.run(quantized, x, np.int8(10), accumulator="i9 saturate")
    sums = [left(saturating(9), [int(v) - 3 for v in row], 7) for row in x]
    assert found.storage.tolist() == [max(-128, min(s + 3, 127)) for s in sums]


def test_windows() -> None:
    type, result = "tensor<6xi8>", "tensor<4xi8>"
    module = interp.load(
        f"func.func @main(%x: {type}) -> {result} {{\n  %z = stablehlo.constant dense<0> : tensor<i8>\n"
        '  %0 = "stablehlo.reduce_window"(%x, %z) ({\n  ^bb0(%a: tensor<i8>, %b: tensor<i8>):\n'
        "    %1 = stablehlo.add %a, %b : tensor<i8>\n    stablehlo.return %1 : tensor<i8>\n"
        f"  }}) {{window_dimensions = array<i64: 3>}} : ({type}, tensor<i8>) -> {result}\n"
        f"  return %0 : {result}\n}}"
    )
    x = np.int8([100, 100, -100, 100, 100, 100])
    assert interp.run(module, x)[0].tolist() == [100, 100, 100, 44]
    (found,) = interp.run(module, x, accumulator="i8 saturate")
    # 100 127 27; 100 0 100; -100 0 100; 100 127 127
    assert found.tolist() == [27, 100, 100, 127]


def test_by_name() -> None:
    module = interp.load(TWICE)
    x, w = np.full((2, 6), 127, np.int8), np.full((6, 3), 127, np.int8)
    exact, narrow = 6 * 127 * 127, 6 * 127 * 127 - 65536

    def first(**names: str) -> list[int]:
        kept = {name.replace("f_0", "@f/%0"): how for name, how in names.items()}
        return [int(found.storage[0, 0]) for found in interp.run(module, x, w, accumulator=kept)]

    assert first(f_0="i16 wrap") == [wrapping(16)(0, narrow), exact]
    assert first(**{"%1": "i16 saturate"}) == [exact, 32767]
    assert first(**{"1": "i16 saturate", "f_0": "i20"}) == [exact, 32767]
    assert [int(y.storage[0, 0]) for y in interp.run(module, x, w, accumulator="i16 saturate")] == [32767] * 2


def test_the_integer_reading_is_as_before() -> None:
    module = interp.load(DOT.format(**QUANTIZED))
    args = integers(7, 2, 6), np.maximum(integers(8, 6, 3), -127)
    ways: list[Any] = ["i14 saturate", Accumulator(14, True)]
    found = [interp.run(module, *args, reading="integer", accumulator=way)[0] for way in ways]
    assert found[0] == found[1]
    assert found[0] == interp.run(module, *args, accumulator=ways[0])[0]
    by_name = interp.run(module, *args, reading="integer", accumulator={"%0": "i14 saturate"})
    assert by_name == (found[0],)


@pytest.mark.parametrize(
    ("kinds", "accumulator", "message"),
    [
        (("f32", "f32"), "i16", "it sums floats that are not known"),
        (("i8", "i32"), "i7x", "'i7x' is not an accumulator"),
        (("i8", "i32"), {"%o": "i16"}, "no reduction %o"),
        (("i8", "i32"), {"%0#2": "i16"}, "one run of a reduction"),
        (("i8", "i32"), "f16 blocks(2) i32", "floats cannot be summed in integers"),
        (("i64", "i64"), "i16", "more than 32 bits"),
        (("i8", "i32"), "i64 saturate", "at most 63 bits"),
    ],
)
def test_what_cannot_be(kinds: tuple[str, str], accumulator: Any, message: str) -> None:
    module = interp.load(DOT.format(left=kinds[0], right=kinds[0], result=kinds[1]))
    args = np.ones((2, 6), np.dtype(_dtype(kinds[0]))), np.ones((6, 3), np.dtype(_dtype(kinds[0])))
    with pytest.raises(interp.InterpError, match=message):
        interp.run(module, *args, accumulator=accumulator)


def _dtype(name: str) -> str:
    return {"f32": "f4", "i8": "i1", "i64": "i8"}[name]


def test_only_sums_have_accumulators() -> None:
    greatest = interp.load(SUM.format(source="i32", sum="i32", op="maximum"))
    args = np.ones((3, 7), np.int32), np.int32(0)
    with pytest.raises(interp.Unsupported, match="whose body adds one operand"):
        interp.run(greatest, *args, accumulator={"%0": "i16"})
    with pytest.raises(interp.Unsupported, match="the accumulator i16 wrap is not used"):
        interp.run(greatest, *args, accumulator="i16")


@pytest.mark.parametrize("accumulator", ["i16", {"%0": "i16"}])
def test_no_sum_is_left_out_silently(accumulator: Any) -> None:
    """A body of two sums is no sum of one operand."""
    module = interp.load("""
    func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> (tensor<i32>, tensor<i32>) {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %0:2 = "stablehlo.reduce"(%x, %y, %z, %z) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
        %1 = stablehlo.add %a, %c : tensor<i32>
        %2 = stablehlo.add %b, %d : tensor<i32>
        stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
      }) {dimensions = array<i64: 0>}
        : (tensor<2xi32>, tensor<2xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
      return %0#0, %0#1 : tensor<i32>, tensor<i32>
    }""")
    if isinstance(accumulator, dict):
        accumulator = {module.main.body.ops[1].results[0].name: "i16"}
    with pytest.raises(interp.Unsupported, match=r"cannot be summed .* it is stablehlo\.reduce"):
        interp.run(module, *np.ones((2, 2), np.int32), accumulator=accumulator)


def test_no_name_is_ignored_silently() -> None:
    """A sum that does not run, one run of several, and a second accumulator for a sum have no meaning."""
    text = TWICE.replace("func.func private @f", "func.func @f")
    module = interp.load(text)
    args = integers(1, 2, 6), integers(2, 6, 3)
    with pytest.raises(interp.Malformed, match="it is in @main, which @f does not call"):
        interp.run(module, *args, function="f", accumulator={"%1": "i16"})
    with pytest.raises(interp.Malformed, match="%1#1 is one run of a reduction"):
        interp.run(module, *args, accumulator={"%1#1": "i16"})
    with pytest.raises(interp.Malformed, match="%1 and @main/%1 name the same sum"):
        interp.run(module, *args, accumulator={"%1": "i16", "@main/%1": "i32"})


@pytest.mark.parametrize("accumulator", ["i40", "i48 saturate", "i64", "i48 blocks(2) i40", "i33 saturate"])
def test_sums_of_dequantized_numbers_may_leave_32_bits(accumulator: str) -> None:
    """Four products of 2^30 - 2^16 + 1; i33 saturates at 2^32 - 1. The scale of the sum is 1/4."""
    narrow, wide = "tensor<4x!quant.uniform<i16:f32, 0.5>>", "tensor<4xf32>"
    module = interp.load(f"""func.func @main(%x: {narrow}) -> tensor<f32> {{
      %y = stablehlo.uniform_dequantize %x : ({narrow}) -> {wide}
      %0 = stablehlo.dot_general %y, %y, contracting_dims = [0] x [0] : ({wide}, {wide}) -> tensor<f32>
      return %0 : tensor<f32>
    }}""")
    total = 4 * 32767**2
    (found,) = interp.run(module, np.full(4, 32767, np.int16), accumulator=accumulator)
    assert total > 2**31
    assert found.storage == np.float32(min(total, 2**32 - 1) if "i33" in accumulator else total) / 4
