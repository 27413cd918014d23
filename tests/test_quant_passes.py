"""Passes of the quant dialect: they keep what `run` gives, and `upstream` has its listed errors."""

from __future__ import annotations

import re

import numpy as np
import pytest

import interp
from interp.backends.dtypes import numpy_dtype
from spec.ir import Op, Value
from spec.quantized import QuantizedType
from tests.library import builders

TYPES = [
    "i8:f32, 0.1:3",
    "u8:f32, 0.1:128",
    "i8<-127:100>:f32, 0.1:3",
    "u4:f16, 0.5:8",
    "i16:bf16, 0.3:7",
    "i32:f32, 0.001:5",
    "i32:f32, 1.0:2147483647",
    "i8<5:9>:f64, 0.1:7",
    "i8:f32:1, {0.1:3,0.2:-4,0.3,0.05:100}",
    "i8:f32:{1:2}, {{0.1:3,0.2:-1}}",
    "u8:f32:{0:3,1:2}, {{0.1:3,0.2:200},{0.5,0.25:255}}",
]


def cast(parameters: str, shape: str = "6x4x") -> interp.Module:
    """Return a program that quantizes and dequantizes."""
    expressed = re.search(r":(b?f\d+)", parameters)
    assert expressed
    real, held = f"tensor<{shape}{expressed[1]}>", f"tensor<{shape}!quant.uniform<{parameters}>>"
    return interp.load(
        f"func.func @main(%x: {real}) -> ({held}, {real}) {{\n"
        f'  %0 = "quant.qcast"(%x) : ({real}) -> {held}\n'
        f'  %1 = "quant.dcast"(%0) : ({held}) -> {real}\n'
        f"  return %0, %1 : {held}, {real}\n}}"
    )


def numbers(module: interp.Module) -> np.ndarray:
    """Return ties, fractions of both signs, large numbers, infinities and NaN."""
    x = np.random.default_rng(0).normal(size=(6, 4)) * 20
    x[0], x[1] = [np.nan, np.inf, -np.inf, 6e4], [0.05, 0.15, -0.05, -0.25]
    return x.astype(numpy_dtype(module.main.inputs[0].type.tensor_element_type))


def reread(module: interp.Module) -> interp.Module:
    """Return the module, which reads as it prints, jaxlib's verifier included, and satisfies every row."""
    assert interp.load(repr(module)) == module
    assert interp.verify(module) == []
    return module


@pytest.mark.parametrize("parameters", TYPES)
def test_lowering_to_nearest_has_the_bits_of_the_casts(parameters: str) -> None:
    module = cast(parameters)
    lowered = reread(interp.quant_pass(module, "lower-quant-ops"))
    assert {op.name for op in lowered.ops()}.isdisjoint({"quant.qcast", "quant.dcast"})
    x = numbers(module)
    for found, wanted in zip(interp.run(lowered, x), interp.run(module, x), strict=True):
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))


@pytest.mark.parametrize("parameters", TYPES[:4] + TYPES[-2:])
@pytest.mark.parametrize("mode", ["affine", "upstream"])
def test_the_other_modes_are_programs_too(parameters: str, mode: str) -> None:
    reread(interp.quant_pass(cast(parameters), "lower-quant-ops", mode))


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("nearest", [4, 2, 127, -128, 0]),
        ("affine", [3, 1, 127, -128, 3]),  # rne(0.5) = 0; -1.5 gives -2; NaN is 0, then moved
        ("upstream", [3, 1, 127, -128, 0]),
    ],
)
def test_rounding_of_each_mode(mode: str, expected: list[int]) -> None:
    """3.5, 1.5, 203 and -197 steps, and NaN."""
    module = interp.quant_pass(cast("i8:f32, 0.1:3", "5x"), "lower-quant-ops", mode)
    x = np.float32([0.05, -0.15, 20.0, -20.0, np.nan])
    assert interp.run(module, x)[0].tolist() == expected


def test_upstream_rounds_the_stored_number_before_it_subtracts() -> None:
    module = cast("i32:f32, 1.0:1", "1x")
    stored = Op("quant.dcast", (Value("%x", module.main.results[0]),), (Value("%y", module.main.results[1]),))
    for mode, expected in (("nearest", 2.0**24), ("upstream", 2.0**24 - 1)):
        lowered = interp.quant_pass(builders.module(stored), "lower-quant-ops", mode)
        assert interp.run(lowered, np.int32([2**24 + 1]))[0].item() == expected


@pytest.mark.parametrize("parameters", ["i8:f32, 0.1:3", "u8:f32, 0.1:128"])
def test_stripped_functions_take_and_give_storage(parameters: str) -> None:
    held = f"tensor<2x!quant.uniform<{parameters}>>"
    module = interp.load(f"""func.func @main(%x: {held}) -> {held} {{
      %0 = call @twice(%x) : ({held}) -> {held}
      return %0 : {held}
    }}
    func.func private @twice(%a: {held}) -> {held} {{
      %0 = stablehlo.add %a, %a : {held}
      return %0 : {held}
    }}""")
    stripped = reread(interp.quant_pass(module, "strip-func-quant-types"))
    types = [v.type for f in stripped.functions.values() for v in f.inputs]
    assert [repr(type) for type in types] == ["tensor<2xi8>"] * 2
    x = np.array([5, 120])
    dtype = numpy_dtype(module.main.results[0].storage_type)
    (wanted,) = interp.run(module, x.astype(dtype))
    (found,) = interp.run(stripped, x.astype(np.int8))
    np.testing.assert_array_equal(np.asarray(found).view(dtype), np.asarray(wanted))


def element(text: str, mode: str = "nearest") -> QuantizedType:
    """Return a type normalized, as the argument of a function has it."""
    module = interp.load(f"func.func @main(%x: {text}) -> {text} {{\n  return %x : {text}\n}}")
    done = interp.quant_pass(module, "normalize-quant-types", mode)
    assert done.main.results == (done.main.inputs[0].type,)
    return done.main.inputs[0].type.quantized_element_type


def test_normalizing_keeps_the_meaning() -> None:
    single = element("tensor<4x2x!quant.uniform<u8:f32:{0:4}, {{2.0:200}}>>")
    assert repr(single) == "!quant.uniform<u8:f32, 2.000000e+00:200>"
    sliced = element("tensor<2x4x!quant.uniform<i8:f32:{0:1}, {{2.0:3},{3.0}}>>")
    assert repr(sliced) == "!quant.uniform<i8:f32:0, {2.000000e+00:3,3.000000e+00}>"
    blocks = "!quant.uniform<u8:f32:{0:2}, {{2.000000e+00:-56}, {3.000000e+00}}>"
    assert repr(element(f"tensor<4x4x{blocks}>")) == blocks


def test_upstream_ignores_the_block_size_and_the_sign() -> None:
    wrong = element("tensor<4x4x!quant.uniform<u8:f32:{0:2}, {{2.0:200},{3.0}}>>", "upstream")
    assert repr(wrong) == "!quant.uniform<u8:f32:0, {2.000000e+00:-56,3.000000e+00}>"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("min = -1.0 : f32, max = 1.0 : f32, num_bits = 8 : i64", f"u8:f32, {2 / 255!r}:128"),
        (
            "min = -1.0 : f32, max = 1.0 : f32, num_bits = 4 : i64, is_signed = true, narrow_range = true",
            f"i8<-127:127>:f32, {2 / 254!r}",
        ),
        ("min = 0.5 : f32, max = 1.5 : f32, num_bits = 8 : i64", f"u8:f32, {1 / 255!r}"),
        ("min = 0.0 : f32, max = 0.0 : f32, num_bits = 16 : i64, is_signed = true", "i16:f32, 1.0:-32768"),
    ],
)
def test_a_fake_quantization_becomes_casts(attributes: str, expected: str) -> None:
    module = interp.load(f"""func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = "quant.const_fake_quant"(%x) {{{attributes}}} : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }}""")
    done = reread(interp.quant_pass(module, "convert-simulated-quantization"))
    assert [op.name for op in done.ops()] == ["quant.qcast", "quant.dcast", "func.return"]
    wanted = interp.load(repr(cast(expected, "2x"))).main.results[0]
    assert done.main.body.ops[0].result.type == wanted


def test_slices_have_their_own_scales() -> None:
    module = interp.load("""func.func @main(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %0 = "quant.const_fake_quant_per_axis"(%x) {min = [-1.0 : f32, 0.0 : f32],
        max = [1.0 : f32, 255.0 : f32], axis = 1 : i64,
        num_bits = 8 : i64} : (tensor<3x2xf32>) -> tensor<3x2xf32>
      return %0 : tensor<3x2xf32>
    }""")
    done = reread(interp.quant_pass(module, "convert-simulated-quantization"))
    type = done.main.body.ops[0].result.type.quantized_element_type
    assert (type.quantization_dimension, type.zero_points) == (1, (128, 0))
    assert type.scales == (2 / 255, 1.0)


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(interp.Malformed, match="pass"):
        interp.quant_pass(cast("i8:f32, 0.1"), "canonicalize")
    with pytest.raises(interp.Malformed, match="mode of strip-func-quant-types"):
        interp.quant_pass(cast("i8:f32, 0.1"), "strip-func-quant-types", "upstream")
    for parameters in ("i5:f32, 0.1", "ui8:f32, 0.1"):
        with pytest.raises(interp.Unsupported, match="no StableHLO tensor holds the storage"):
            interp.quant_pass(cast(parameters), "lower-quant-ops")
