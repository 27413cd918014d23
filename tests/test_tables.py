"""Operations on few stored bits are looked up, and f32 is quantized without a detour: no bit changes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import interp
from interp.backends import NUMPY
from interp.kernels.elementwise import _on_quantized
from interp.speed.tables import MANY, is_narrow, table, tabulate
from spec.types import QuantizedType, parse_type

I8 = "!quant.uniform<i8:f32, 0.061>"
ODD = "!quant.uniform<i8<-127:127>:f32, 0.0371:-5>"
U8 = "!quant.uniform<u8:f32, 0.5:128>"
NARROW = "!quant.uniform<i4:f32, 0.7:1>"
WIDE = "!quant.uniform<i16:f32, 0.001:7>"
BRAIN = "!quant.uniform<i8:bf16, 0.061>"
PAIRS = ((I8, I8, I8), (I8, ODD, U8), (U8, U8, ODD), (NARROW, I8, NARROW), (BRAIN, BRAIN, BRAIN))
BINARY = "add", "divide", "maximum", "multiply", "power", "subtract"
UNARY = "exponential", "negate", "tanh"


def quantized(text: str) -> QuantizedType:
    type = parse_type(f"tensor<{text}>").element_type
    assert isinstance(type, QuantizedType)
    return type


def stored(type: QuantizedType) -> np.ndarray:
    """Return all numbers that the storage's width can hold."""
    bits, signed = type.storage_type.bits, type.storage_type.kind == "signed"
    return (np.arange(1 << bits) - (signed << (bits - 1))).astype(type.storage_type.numpy)


def every_pair(lhs: QuantizedType, rhs: QuantizedType) -> list[np.ndarray]:
    """Return two arrays with all pairs of stored numbers, long enough to be looked up."""
    pairs = np.meshgrid(stored(lhs), stored(rhs))
    return [np.resize(x, max(MANY, x.size)) for x in pairs]


@pytest.mark.parametrize("name", BINARY)
def test_a_table_has_the_kernels_results_for_all_pairs(name):
    for texts in PAIRS:
        lhs, rhs, result = map(quantized, texts)
        x, y = every_pair(lhs, rhs)
        with np.errstate(all="ignore"):
            expected = _on_quantized(NUMPY, name, (lhs, rhs), result)(x, y)
            found = tabulate(NUMPY, _on_quantized, name, (lhs, rhs), result)(x, y)
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected), texts


def test_compiled_and_eager_programs_have_the_kernels_results():
    """All operations in one program, on all stored numbers: of pairs in 8 bits, and of one in 16 bits."""
    odd, wide = quantized(ODD), quantized(WIDE)
    operations = [(name, (odd, odd), odd) for name in BINARY] + [(name, (wide,), wide) for name in UNARY]
    x, y = (np.clip(numbers, -127, 127) for numbers in every_pair(odd, odd))
    args, text = (x, y, stored(wide)), {odd: f"tensor<{x.size}x{ODD}>", wide: f"tensor<{x.size}x{WIDE}>"}
    lines = []
    for k, (name, types, result) in enumerate(operations):
        values = "%a, %b" if len(types) == 2 else "%c"
        signature = f"({', '.join(text[type] for type in types)}) -> {text[result]}"
        lines.append(f'%{k} = "stablehlo.{name}"({values}) : {signature}')
    results = ", ".join(text[result] for *_, result in operations)
    lines.append(f"return {', '.join(f'%{k}' for k in range(len(operations)))} : {results}")
    head = f"func.func @main(%a: {text[odd]}, %b: {text[odd]}, %c: {text[wide]}) -> ({results})"
    module = interp.load("\n".join([head + " {", *lines, "}"]))
    found = zip(operations, interp.run(module, *args), interp.compile(module)(*args), strict=True)
    for (name, types, result), eager, compiled in found:
        with np.errstate(all="ignore"):
            expected = _on_quantized(NUMPY, name, types, result)(*(args[:2] if len(types) == 2 else args[2:]))
        assert np.array_equal(np.asarray(eager), expected), name
        assert np.array_equal(np.asarray(compiled), expected), name


def test_integers_replace_a_table_only_where_all_entries_agree():
    """bf16 rounds some sums of these numbers, and other zero points move them."""
    i8, u8, brain = map(quantized, (I8, U8, BRAIN))
    low, high = i8.storage_min, i8.storage_max
    x, y = (numbers.astype(np.int64) for numbers in every_pair(i8, i8))
    assert table(_on_quantized, "add", (i8, i8), i8).integers is not None
    assert table(_on_quantized, "maximum", (u8, u8), u8).integers is not None
    rounded = table(_on_quantized, "add", (brain, brain), brain)
    with np.errstate(all="ignore"):
        sums = _on_quantized(NUMPY, "add", (brain, brain), brain)(*every_pair(brain, brain))
    assert (sums != (x + y).clip(low, high)).any()
    assert rounded.integers is None
    assert table(_on_quantized, "add", (i8, i8), u8).integers is None


def test_only_few_bits_of_one_scale_are_looked_up():
    """Beyond 16 bits, per axis, or beside floats there is no table."""
    i8, i16, axis = (quantized(text) for text in (I8, WIDE, "!quant.uniform<i8:f32:0, {0.5}>"))
    plain = parse_type("tensor<f32>").element_type
    for types, result in (([i8, i8], i8), ([i16], i8), ([i8], i16)):
        assert is_narrow(types, result)
    for types, result in (
        ([i8, i16], i8),
        ([i8, i8, i8], i8),
        ([axis], i8),
        ([i8], plain),
        ([i8, plain], i8),
    ):
        assert not is_narrow(types, result)


def test_values_outside_a_restricted_storage_range_have_entries():
    """A traced argument is not checked, so -128 in <-127:127> is whatever the kernel makes of it."""
    odd = quantized(ODD)
    x = np.full(1 << 16, -128, np.int8)
    computed = _on_quantized(NUMPY, "maximum", (odd, odd), odd)
    found = tabulate(NUMPY, _on_quantized, "maximum", (odd, odd), odd)(x, x)
    assert np.array_equal(found, computed(x, x))
    assert (found == -127).all()


SCALES = 2.0**-120, 2.0**-121, 2.0**-126, 2.0**-127, 2.0**-149, 0.061, 1.0
RANGES = "i8:f32, {!r}", "i8<-127:127>:f32, {!r}:-5", "u8<3:255>:f32, {!r}:128", "i16:f32, {!r}:-7"


def awkward(scale: float) -> np.ndarray:
    """Return numbers of f32 at ties of a scale, subnormal ones, infinities and NaN."""
    least = 2.0**-149 * np.array([1, 2, 3, 2**22, 2**23 - 1, 2**23, 2**23 + 1])
    ties = np.float32(scale) * (np.arange(-300, 300) / 2)
    ties = np.concatenate([ties, np.float32(scale) * np.arange(-32768.5, 32768, 4096)]).astype(np.float32)
    near = [np.nextafter(ties, np.float32(end)) for end in (np.inf, -np.inf)]
    return np.concatenate([*near, ties, least, -least, [0, -0.0, np.inf, -np.inf, np.nan]]).astype(np.float32)


@pytest.mark.slow("compiles")
def test_quantize_from_f32_and_dequantize_in_f32_at_the_edges_of_their_theorems():
    """One program, held against exact numbers in f64: of 8, 16 and 24 bits their products are exact there."""
    cases = [(range.format(scale), awkward(scale)) for range, scale in product(RANGES, SCALES)]
    lines, ends, floats = [], [], []
    for k, (text, x) in enumerate(cases):
        real, type = f"tensor<{x.size}xf32>", f"tensor<{x.size}x!quant.uniform<{text}>>"
        floats.append(f"%x{k}: {real}")
        lines.append(f"%q{k} = stablehlo.uniform_quantize %x{k} : ({real}) -> {type}")
        lines.append(f"%r{k} = stablehlo.uniform_dequantize %q{k} : ({type}) -> {real}")
        ends += [(f"%q{k}", type), (f"%r{k}", real)]
    values, types = (", ".join(part) for part in zip(*ends, strict=True))
    head = f"func.func @main({', '.join(floats)}) -> ({types}) {{"
    module = interp.load("\n".join([head, *lines, f"return {values} : {types}", "}"]))
    args = [x for _, x in cases]
    eager, compiled = interp.run(module, *args), interp.compile(module)(*args)
    for k, (text, x) in enumerate(cases):
        type = quantized(f"!quant.uniform<{text}>")
        scale = np.float64(np.float32(type.scale))
        with np.errstate(all="ignore"):
            quotient = (x.astype(np.float64) / scale).astype(np.float32)
            moved = (quotient.astype(np.float64) + type.zero_point).astype(np.float32)
            whole = np.rint(np.clip(moved, type.storage_min, type.storage_max))
        stored = np.where(np.isnan(whole), max(0, type.storage_min), whole).astype(np.int64)
        real = ((stored - type.zero_point) * scale).astype(np.float32)
        for outputs in (eager, compiled):
            assert np.array_equal(np.asarray(outputs[2 * k]).astype(np.int64), stored), text
            assert np.array_equal(np.asarray(outputs[2 * k + 1]).view(np.int32), real.view(np.int32)), text
