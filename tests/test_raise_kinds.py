"""`raise_qdq`: functions that become tables, islands that stay in float, stored numbers between kernels."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import interp
from interp.apps.quantization.raise_qdq import Raised, raise_qdq
from interp.apps.quantization.region_kinds import KINDS, TABLE
from interp.apps.quantization.sums import is_exact, is_sum
from tests.library.strategies.qdq_programs import drawn, tensor

FLOWS = ["stablehlo", "codegen"]


def quantized(storage: str, scale: float, zero: int) -> str:
    return f"!quant.uniform<{storage}:f32, {scale}:{zero}>"


def unary(
    body: str, source: str, target: str, shape: tuple[int, ...], out: tuple[int, ...] | None = None
) -> str:
    """Return a program of a float function of one quantized argument; stored numbers go in and come out."""
    out, floats = out or shape, tensor(shape)
    return f"""func.func @main(%q: {tensor(shape, source)}) -> {tensor(out, target)} {{
      %x = stablehlo.uniform_dequantize %q : ({tensor(shape, source)}) -> {floats}
      {body.replace("$T", floats)}
      %r = stablehlo.uniform_quantize %y : ({tensor(out)}) -> {tensor(out, target)}
      return %r : {tensor(out, target)}
    }}"""


SILU = """%s = stablehlo.logistic %x : $T
      %y = stablehlo.multiply %x, %s : $T"""
HARD_SWISH = """%sixth = stablehlo.constant dense<0.16666667> : $T
      %half = stablehlo.constant dense<0.5> : $T
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %a = stablehlo.multiply %x, %sixth : $T
      %b = stablehlo.add %a, %half : $T
      %c = "stablehlo.clamp"(%zero, %b, %one) : (tensor<f32>, $T, tensor<f32>) -> $T
      %y = stablehlo.multiply %x, %c : $T"""
ELU = """%zero = stablehlo.constant dense<0.0> : $T
      %p = stablehlo.compare GT, %x, %zero : ($T, $T) -> tensor<16x16xi1>
      %e = stablehlo.exponential_minus_one %x : $T
      %y = stablehlo.select %p, %x, %e : tensor<16x16xi1>, $T"""
NAN = """%l = stablehlo.log %x : $T
      %y = stablehlo.multiply %l, %l : $T"""  # of numbers below 0


def names(raised: Raised) -> list[str]:
    return [op.name.rpartition(".")[2] for op in raised.module.main.body.ops]


@pytest.mark.parametrize("body", [SILU, HARD_SWISH, ELU, NAN], ids=["silu", "hard swish", "elu", "nan"])
@pytest.mark.parametrize("storage", ["i8", "u8", "i8<-127:127>", "u8<0:200>"])
@pytest.mark.parametrize("flow", FLOWS)
def test_a_function_of_eight_bits_is_a_table(body: str, storage: str, flow: str) -> None:
    """Every stored number is tried; the program has neither a float operation nor a number of its own."""
    source, target = quantized(storage, 0.05, 3), quantized("i8", 0.031, -7)
    module = interp.load(unary(body, source, target, (16, 16)))
    if flow == "codegen":  # whose arguments are plain: the pair stands around the program
        module = interp.load(around(unary(body, source, target, (16, 16)), source, target))
    raised = raise_qdq(module, flow=flow)
    (rewrite,) = [each for each in raised.rewrites if each.kernel.startswith(TABLE)]
    assert rewrite.steps == 0
    assert raised.left == ()
    if flow == "stablehlo":
        assert names(raised) == ["bitcast_convert", "constant", "gather", "return"]
    low, high = module_range(storage)
    numbers = np.clip(np.arange(256).reshape(16, 16) + (-128 if "i8" in storage else 0), low, high)
    x = numbers if flow == "stablehlo" else ((numbers - 3) * np.float32(0.05)).astype(np.float32)
    dtype = (np.uint8 if storage[0] == "u" else np.int8) if flow == "stablehlo" else np.float32
    (wanted,), (got,) = (interp.run(m, x.astype(dtype)) for m in (module, raised.module))
    np.testing.assert_array_equal(got.storage, wanted.storage)
    assert len(np.unique(wanted.storage)) > 20


def around(text: str, source: str, target: str) -> str:
    """Return the program on floats: what goes in is quantized, and what comes out dequantized."""
    floats = "tensor<16x16xf32>"
    _, _, rest = text.partition("{\n")
    body = rest.rpartition("return")[0]
    return f"""func.func @main(%f: {floats}) -> {floats} {{
      %q = stablehlo.uniform_quantize %f : ({floats}) -> {tensor((16, 16), source)}
      {body}
      %g = stablehlo.uniform_dequantize %r : ({tensor((16, 16), target)}) -> {floats}
      return %g : {floats}
    }}"""


def module_range(storage: str) -> tuple[int, int]:
    if "<" in storage:
        low, high = storage[:-1].partition("<")[2].split(":")
        return int(low), int(high)
    return (0, 255) if storage[0] == "u" else (-128, 127)


def test_movements_stay_around_a_table() -> None:
    """A transposition before and a reshape after: both move stored numbers."""
    body = f"""%t = stablehlo.transpose %x, dims = [1, 0] : ({tensor((2, 128))}) -> {tensor((128, 2))}
      %s = stablehlo.logistic %t : {tensor((128, 2))}
      %p = stablehlo.multiply %t, %s : {tensor((128, 2))}
      %y = stablehlo.reshape %p : ({tensor((128, 2))}) -> {tensor((4, 64))}"""
    source, target = quantized("i8", 0.05, 3), quantized("i8", 0.031, -7)
    module = interp.load(unary(body, source, target, (2, 128), (4, 64)))
    raised = raise_qdq(module)
    assert names(raised) == ["bitcast_convert", "constant", "gather", "transpose", "reshape", "return"]
    x = np.arange(-128, 128, dtype=np.int8).reshape(2, 128)
    assert interp.run(raised.module, x) == interp.run(module, x)


@pytest.mark.parametrize(
    ("body", "source", "left"),
    [
        (SILU, quantized("i16", 0.001, 3), ["elementwise"]),
        (SILU.replace("%x, %s", "%s, %k"), quantized("i8", 0.05, 3), None),
        (
            """%t = stablehlo.transpose %x, dims = [1, 0] : ($T) -> $T
      %s = stablehlo.logistic %x : $T
      %y = stablehlo.multiply %t, %s : $T""",
            quantized("i8", 0.05, 3),
            None,
        ),
    ],
    ids=["16 bits", "numbers by channel", "two movements"],
)
def test_beyond_one_number_of_eight_bits_there_is_no_table(body: str, source: str, left: Any) -> None:
    """What each element is computed of is another number, or one of more than 256."""
    if "%k" in body:
        row = ", ".join(str(1 + n / 8) for n in range(16))
        body = f"%k = stablehlo.constant dense<[{', '.join([f'[{row}]'] * 16)}]> : $T\n{body}"
    module = interp.load(unary(body, source, quantized("i8", 0.031, -7), (16, 16)))
    raised = raise_qdq(module)
    assert not [each for each in raised.rewrites if each.kernel.startswith(TABLE)]
    if left is not None:
        assert [each.operation for each in raised.left] == left
    storage = np.int16 if "i16" in source else np.int8
    x = np.random.default_rng(0).integers(-128, 128, (16, 16)).astype(storage)
    (got,), (wanted,) = (interp.run(m, x) for m in (raised.module, module))
    assert got == wanted


@pytest.mark.parametrize("kind", ["softmax", "layer norm"])
@pytest.mark.parametrize("flow", FLOWS)
def test_an_island_has_the_bits_of_the_program(kind: str, flow: str) -> None:
    for seed in range(20):
        text, args = drawn(Random(seed), kind)
        module = interp.load(text)
        raised = raise_qdq(module, flow=flow)
        assert [left.operation for left in raised.left] == [
            {"softmax": "softmax", "layer norm": "layer_normalization"}[kind]
        ]
        assert raised.left[0].reason.startswith("an island of ")
        assert {each.kind for each in raised.sums} == {"island"}
        assert (raised.contractions.total, raised.pools.total) == (0, 0)
        assert interp.run(raised.module, *args) == interp.run(module, *args)


def test_a_mean_that_is_not_spread_is_no_island() -> None:
    """Pooling and spreading differ by a broadcast alone: a pool is a sum of integers."""
    text, _ = drawn(Random(3), "mean")
    assert raise_qdq(interp.load(text)).pools == (1, 1, 1)
    text, _ = drawn(Random(3), "layer norm")
    assert raise_qdq(interp.load(text)).pools == (0, 0, 0)


def test_a_sum_that_is_spread_alone_is_a_pool() -> None:
    """Repeated along what was reduced, but not combined with it: the sum stays one of integers."""
    body = """%zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : ($T, tensor<f32>) -> tensor<16xf32>
      %y = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<16xf32>) -> $T"""
    module = interp.load(unary(body, quantized("i8", 0.5, 3), quantized("i8", 4.0, 0), (16, 16)))
    raised = raise_qdq(module)
    assert (raised.pools, raised.left) == ((1, 1, 1), ())
    shifted = body.replace("%y = ", "%b = ") + "\n%y = stablehlo.subtract %x, %b : $T"
    module = interp.load(unary(shifted, quantized("i8", 0.5, 3), quantized("i8", 4.0, 0), (16, 16)))
    raised = raise_qdq(module)
    assert (raised.pools.total, [left.operation for left in raised.left]) == (0, ["normalization"])


def test_stored_numbers_between_kernels_are_raised() -> None:
    """As in QOperator models: a dequantized argument, a mean, and a stored result that is reinterpreted."""
    source, target = quantized("u8", 0.5, 3), quantized("u8", 0.25, 9)
    text = f"""func.func @main(%q: {tensor((4, 8), source)}) -> {tensor((4,), "ui8")} {{
      %x = stablehlo.uniform_dequantize %q : ({tensor((4, 8), source)}) -> {tensor((4, 8))}
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : ({tensor((4, 8))}, tensor<f32>) -> {tensor((4,))}
      %n = stablehlo.constant dense<8.0> : {tensor((4,))}
      %y = stablehlo.divide %s, %n : {tensor((4,))}
      %r = stablehlo.uniform_quantize %y : ({tensor((4,))}) -> {tensor((4,), target)}
      %b = stablehlo.bitcast_convert %r : ({tensor((4,), target)}) -> {tensor((4,), "ui8")}
      return %b : {tensor((4,), "ui8")}
    }}"""
    module = interp.load(text)
    raised = raise_qdq(module)
    assert raised.left == ()
    assert raised.pools == (1, 1, 1)
    x = np.random.default_rng(1).integers(0, 256, (4, 8)).astype(np.uint8)
    exact = np.rint((x.astype(int) - 3).sum(1) * 0.5 / 8 / 0.25 + 9).clip(0, 255)
    assert interp.run(raised.module, x)[0].tolist() == exact.tolist()


def test_a_type_whose_numbers_change_is_not_stored_again() -> None:
    """In bf16, 127 steps of 0.3 come back as another number: a value of that type is quantized only once."""
    type = "!quant.uniform<i8:bf16, 0.3>"
    text = f"""func.func @main(%q: tensor<256x{type}>) -> tensor<256xi8> {{
      %x = stablehlo.uniform_dequantize %q : (tensor<256x{type}>) -> tensor<256xbf16>
      %s = stablehlo.negate %x : tensor<256xbf16>
      %r = stablehlo.uniform_quantize %s : (tensor<256xbf16>) -> tensor<256x{type}>
      %b = stablehlo.bitcast_convert %r : (tensor<256x{type}>) -> tensor<256xi8>
      return %b : tensor<256xi8>
    }}"""
    module = interp.load(text)
    x = np.arange(-128, 128, dtype=np.int8)
    assert interp.run(raise_qdq(module).module, x) == interp.run(module, x)
    kept = interp.load(text.replace("0.3", "0.5"))
    assert [op for op in names(raise_qdq(kept)) if op.startswith("uniform")] == []


def test_each_kind_is_a_row_with_a_name_of_its_own() -> None:
    assert len({(kind.form, kind.name) for kind in KINDS}) == len(KINDS)


ONNX = Path(__file__).resolve().parent.parent / "testdata" / "onnx"
EXPORTS = ONNX.parent / "exports"
COUNTS = {"convolutional": (4, 2), "residual": (6, 3), "transformer": (8, 0)}  # contractions and pools


@pytest.mark.parametrize("path", sorted(ONNX.glob("*.onnx")), ids=lambda path: path.stem)
def test_all_contractions_and_pools_of_onnx_models_are_integers(path: Path) -> None:
    """Of QDQ and QOperator models; softmax and layer normalization have sums of their own, in float."""
    pytest.importorskip("onnx")
    raised = raise_qdq(interp.load(path, dims={"N": 2} if "convolutional" in path.stem else None))
    contractions, pools = COUNTS[path.stem.partition("_")[0]]
    assert raised.contractions == (contractions, contractions, contractions)
    assert raised.pools == (pools, pools, pools)
    floats = [op for op in raised.module.ops() if is_sum(op) and not is_exact(op)]
    islands = [each for each in raised.sums if each.form == "float"]
    assert len(floats) == len(islands) == (6 if "transformer" in path.stem else 0)
    assert {each.kind for each in islands} <= {"island"}
    assert {each.value for each in islands} == {op.result.name for op in floats}
    assert f"{contractions} of {contractions} contractions" in repr(raised).splitlines()[1]


def test_unknown_sizes_are_refused() -> None:
    pytest.importorskip("onnx")
    with pytest.raises(interp.Unsupported, match="sizes are unknown") as raised:
        raise_qdq(interp.load(ONNX / "convolutional_qdq_u8.onnx"))
    assert "refine" in str(raised.value)


def test_operands_that_the_program_leaves_in_float_are_named() -> None:
    """PyTorch's dynamic quantization has weights of 8 bits, and activations whose scales the run decides."""
    raised = raise_qdq(interp.load(EXPORTS / "torch_mlp_dynamic_int8.mlirbc"))
    assert raised.contractions == (0, 0, 2)
    first, second = raised.sums
    assert first.unquantized == (
        "its operand %arg0 is a float: %arg0 is an argument, which has no quantized type"
    )
    assert second.unquantized.endswith("is the result of add, which has no quantized type")
    assert "0 of 0 contractions in integers; the program has 2 contractions of floats beside them" in repr(
        raised
    )


@pytest.mark.parametrize(
    ("weights", "named"),
    [("%w", "%w is a constant"), ("%g", "%g is the result of negate")],
    ids=["constant", "computed"],
)
def test_one_float_operand_is_named(weights: str, named: str) -> None:
    """Movements and bounds between a value and the contraction are looked through."""
    text = f"""func.func @main(%q: {tensor((2, 2), quantized("i8", 0.5, 3))}) -> tensor<2x2xf32> {{
      %x = stablehlo.uniform_dequantize %q : ({tensor((2, 2), quantized("i8", 0.5, 3))}) -> tensor<2x2xf32>
      %w = stablehlo.constant dense<[[1.0, 0.3], [0.2, 7.1]]> : tensor<2x2xf32>
      %z = stablehlo.constant dense<0.0> : tensor<2x2xf32>
      %g = stablehlo.negate %x : tensor<2x2xf32>
      %r = stablehlo.maximum {weights}, %z : tensor<2x2xf32>
      %t = stablehlo.transpose %r, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %y = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0]
        : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      return %y : tensor<2x2xf32>
    }}"""
    raised = raise_qdq(interp.load(text))
    assert raised.contractions == (0, 0, 1)
    assert f"its operand %t is a float: {named}, which has no quantized type" in raised.sums[0].unquantized


def test_the_table_has_the_bits_that_are_proved() -> None:
    """8 numbers of u8 less a zero point of 3 sum to -24 to 2016: 12 bits with a sign."""
    body = """%zero = stablehlo.constant dense<0.0> : tensor<f32>
      %y = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : ($T, tensor<f32>) -> tensor<4xf32>"""
    module = interp.load(unary(body, quantized("u8", 0.5, 3), quantized("i8", 4.0, 0), (4, 8), (4,)))
    raised = raise_qdq(module)
    head, row = raised.table(interp.prove(raised.module)).splitlines()
    assert head.split() == ["kind", "operation", "form", "bits", "verdict", "value"]
    assert row.split() == ["pool", "reduce", "integers", "12", "proved", raised.sums[0].value]
    assert raised.table().splitlines()[1].split() == ["pool", "reduce", "integers", raised.sums[0].value]
