"""Stochastic rounding: every pattern of random bits, added up exactly; in oracle, engine, and compiled."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import interp
from interp.backends.dtypes import numpy_dtype
from interp.quantization.stochastic import NAME, ROUNDINGS, with_random_bits
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from spec.meaning.evaluate import evaluate as in_oracle
from spec.meaning.index import Tensor
from spec.types import ELEMENT_TYPES, parse_type

FLOATS = ("bf16", "f16", "f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
NUMBERS = {
    "bf16": [1.0, 1.001, -1.0050354, 3.1415927, -2.5e-20, 7e37, 0.0, -0.0],
    "f16": [1.0, 1.0003, -1000.3, 65503.0, 3e-6, 5.9e-8, 2e-9, -0.0],
    "f8E4M3FN": [1.0, 1.03, -300.5, 447.9, 0.003, 0.0021, 1e-4, -0.0],
    "f8E5M2": [1.0, 1.03, -300.5, 57343.0, 2e-5, 3.1e-5, 1e-6, -0.0],
    "f6E2M3FN": [1.0, 1.03, -7.3, 0.3, 0.06, -0.01, 3.14, -0.0],
    "f6E3M2FN": [1.0, 1.03, -27.3, 0.3, 0.03, -0.01, 3.14, -0.0],
    "f4E2M1FN": [1.0, 1.03, -5.9, 0.3, 0.06, -0.01, 3.14, -0.0],
}


def program(type: str, rows: int, columns: int, rounding: str) -> Module:
    shape = f"{rows}x{columns}x"
    name = "uniform_quantize" if "quant" in type else "convert"
    text = f"""func.func @main(%x: tensor<{shape}f32>) -> tensor<{shape}{type}> {{
      %y = stablehlo.{name} %x : (tensor<{shape}f32>) -> tensor<{shape}{type}>
      return %y : tensor<{shape}{type}> }}"""
    return with_random_bits(interp.load(text), "%y", rounding)


def numbers_of(type: str) -> list[float]:
    """Return all finite numbers of a format of at most 16 bits, by the bits of NumPy's type, ascending."""
    element = ELEMENT_TYPES[type]
    word = np.arange(1 << element.bits, dtype=np.uint16 if element.bits == 16 else np.uint8)
    with np.errstate(invalid="ignore"):  # NaN
        every = word.view(numpy_dtype(element)).astype(np.float64)
    return sorted(set(every[np.isfinite(every)].tolist()))


def neighbours(x: float, known: list[float]) -> tuple[Fraction, Fraction]:
    """Return the numbers of a format on both sides of |x|; the same one twice if it is a number itself."""
    at = bisect_right(known, abs(x)) - 1
    return Fraction(known[at]), Fraction(known[at] if known[at] == abs(x) else known[at + 1])


def rest_of(x: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return how far |x| is from low, in steps."""
    return (abs(x) - low) / (high - low) if high > low else Fraction(0)


def every_pattern(type: str, rounding: str) -> tuple[Module, np.ndarray, np.ndarray, int]:
    bits = ROUNDINGS[rounding].bits
    x = np.array(NUMBERS[type], np.float32)
    patterns = np.arange(1 << bits).astype(np.uint8 if bits <= 8 else np.uint16)
    random = np.repeat(patterns[:, None], len(x), axis=1)
    return program(type, 1 << bits, len(x), rounding), np.tile(x, (1 << bits, 1)), random, bits


@pytest.mark.parametrize("type", FLOATS)
def test_every_pattern_of_eight_bits_is_as_defined_and_their_sum_is_exact(type: str) -> None:
    """The sum over all patterns is 2^8 * low + floor(f * 2^8) * (high - low), whatever the number is."""
    module, x, random, bits = every_pattern(type, "stochastic_8")
    found = np.asarray(interp.run(module, x, random)[0].tolist())
    known = numbers_of(type)
    for column, number in enumerate(x[0].tolist()):
        results = [Fraction(v) for v in found[:, column].tolist()]
        low, high = neighbours(number, known)
        f = rest_of(Fraction(number), low, high)
        sizes = [high if int(f * 2**bits) + r >= 2**bits else low for r in range(1 << bits)]
        assert results == [-y if number < 0 else y for y in sizes]
        assert abs(sum(results)) == 2**bits * low + int(f * 2**bits) * (high - low)
        bias = abs(Fraction(number)) * 2**bits - abs(sum(results))
        assert 0 <= bias < (high - low or 1)
        assert (bias == 0) == ((f * 2**bits).denominator == 1)


def test_sixteen_bits_are_unbiased_in_bf16() -> None:
    """All 65,536 patterns: the sum is the number times 65,536, exactly, for every normal result."""
    module, x, random, bits = every_pattern("bf16", "stochastic_16")
    found = np.asarray(interp.run(module, x, random)[0]).astype(np.float64)
    for column, number in enumerate(x[0].tolist()):
        values, counts = np.unique(found[:, column], return_counts=True)
        assert len(values) <= 2
        pairs = zip(values.tolist(), counts.tolist(), strict=True)
        assert sum(Fraction(v) * n for v, n in pairs) == Fraction(number) * 2**bits


Q = "!quant.uniform<i8:f32, 0.5:3>"
BLOCKED = "!quant.uniform<i8:f32:{1:2}, {{0.5:3, 0.25:-7}}>"


@pytest.mark.parametrize(
    "type", [Q, BLOCKED, "!quant.uniform<u8<10:200>:f32, 0.25:100>", "!quant.uniform<i4:f32, 1.0>"]
)
def test_quantization_rounds_the_quotient_with_its_zero_point(type: str) -> None:
    """A magnitude is rounded: what is stored is nearer to 0 or farther; beyond the range it saturates."""
    x = np.array([[0.6, -0.9, 1.3, 20.3], [1e9, -1e9, np.nan, -0.24]], np.float32)
    module = program(type, 2, 4, "stochastic_8")
    q = parse_type(f"tensor<2x4x{type}>").quantized_element_type
    for r in range(0, 256, 15):
        random = np.full((2, 4), r, np.uint8)
        found = interp.run(module, x, random)[0].storage
        for (i, j), number in np.ndenumerate(x):
            k = j // 2 if q.block_sizes else 0
            v = np.float32(np.float32(number) / np.float32(q.scales[k])) + np.float32(q.zero_points[k])
            if np.isnan(v):
                assert found[i, j] == min(max(0, q.storage_min), q.storage_max)
                continue
            v = Fraction(float(np.clip(v, q.storage_min, q.storage_max)))
            whole = int(abs(v))
            size = whole + (int((abs(v) - whole) * 256) + r >= 256)
            assert found[i, j] == (size if v >= 0 else -size)


@pytest.mark.parametrize("type", ["bf16", "f8E4M3FN", "f4E2M1FN", Q, BLOCKED])
def test_oracle_engine_and_compiled_agree(type: str) -> None:
    rng = np.random.default_rng(1)
    x = (rng.standard_normal((8, 4)) * 30).astype(np.float32)
    x[0] = np.inf, -np.inf, np.nan, 0
    random = rng.integers(0, 256, (8, 4)).astype(np.uint8)
    module = program(type, 8, 4, "stochastic_8")
    assert not interp.verify(module)
    assert interp.load(str(module)) == module
    ours = interp.run(module, x, random)[0].storage
    theirs = np.asarray(interp.compile(module)(x, random)[0])
    pairs = zip(module.main.inputs, (x, random), strict=True)
    tensors = [Tensor(v.type, tuple(a.ravel().tolist())) for v, a in pairs]
    oracle = in_oracle(module, tensors)[0].elements
    plain = lambda a: np.asarray(a).astype(np.float64).ravel()
    assert np.array_equal(plain(ours), plain(theirs), equal_nan=True)
    assert np.array_equal(plain(ours), np.array(oracle, np.float64), equal_nan=True)


def verdicts(module: Module, args: tuple[Any, ...], results: np.ndarray, **options: Any) -> list[str]:
    found = interp.permits(module, args, (results,), **options)
    return [str(v) for v in found.verdicts[0].ravel()]


def test_permits_knows_both_neighbours() -> None:
    """1.03125 lies between 1 and 1.125, 300 between 288 and 320; 1 is a number; 1 + 2^-12 needs ten bits."""
    module = program("f8E4M3FN", 1, 4, "stochastic_8")
    args = np.array([[1.03125, 300, 1, 1 + 2**-12]], np.float32), np.zeros((1, 4), np.uint8)
    of = lambda *x: np.array([x], numpy_dtype(ELEMENT_TYPES["f8E4M3FN"]))
    assert verdicts(module, args, of(1, 288, 1, 1)) == ["exact"] * 4
    assert verdicts(module, args, of(1.125, 320, 1, 1)) == ["permitted", "permitted", "exact", "exact"]
    wrong = interp.permits(module, args, (of(1.25, 256, 1.125, 1.125),))
    assert wrong.counts == {"not permitted": 4}
    assert "no random bits give it" in wrong.elements[0].reason
    assert verdicts(module, args, of(1.125, 288, 1, 1), only=True)[0] == "not permitted"
    more = program("f8E4M3FN", 1, 4, "stochastic")
    args = args[0], np.zeros((1, 4), np.uint32)
    assert verdicts(more, args, of(1, 288, 1, 1.125)) == ["exact", "exact", "exact", "permitted"]


def test_permits_is_unknown_after_a_sum_in_any_order() -> None:
    """What a schedule gives before the rounding is not looked for: the neighbours of one sum are not all."""
    text = """func.func @main(%x: tensor<3xf32>, %zero: tensor<f32>) -> tensor<f8E4M3FN> {
      %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      %y = stablehlo.convert %s : (tensor<f32>) -> tensor<f8E4M3FN>
      return %y : tensor<f8E4M3FN> }"""
    module = with_random_bits(interp.load(text), "%y", "stochastic_8")
    args = np.float32([1.03, 0.001, 0.002]), np.float32(0), np.uint8(0)
    of = lambda x: np.array(x, numpy_dtype(ELEMENT_TYPES["f8E4M3FN"]))
    assert verdicts(module, args, of(1)) == ["exact"]
    assert verdicts(module, args, of(1.125)) == ["permitted"]
    assert verdicts(module, args, of(1.25)) == ["unknown"]


def test_permits_is_unknown_where_several_roundings_meet() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xbf16> {
      %y = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
      %z = stablehlo.add %y, %y : tensor<2xbf16>
      return %z : tensor<2xbf16> }"""
    module = with_random_bits(interp.load(text), "%y", "stochastic_8")
    args = np.float32([1.003, 1]), np.zeros(2, np.uint8)
    low, high = (np.array(x, numpy_dtype(ELEMENT_TYPES["bf16"])) for x in ([2, 2], [2.015625, 2]))
    assert verdicts(module, args, low) == ["exact", "exact"]
    assert verdicts(module, args, high) == ["permitted", "exact"]  # the run with all bits set
    assert verdicts(module, args, low * 2) == ["unknown", "unknown"]


BRANCH = """%y = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
    %z = "stablehlo.if"(%p) ({
      %f = stablehlo.convert %y : (tensor<2xbf16>) -> tensor<2xf32>
      %r = stablehlo.reverse %f, dims = [0] : tensor<2xf32>
      %d = stablehlo.subtract %f, %r : tensor<2xf32>
      stablehlo.return %d : tensor<2xf32>
    }, {
      stablehlo.return %x : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>"""
JOINED = """%y = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
    %z = stablehlo.bitcast_convert %y : (tensor<2xbf16>) -> tensor<i32>"""


@pytest.mark.parametrize(("steps", "type"), [(BRANCH, "tensor<2xf32>"), (JOINED, "tensor<i32>")])
def test_permits_is_unknown_where_a_region_or_a_bit_pattern_joins_two_elements(steps: str, type: str) -> None:
    """The first element goes up and the second down: neither run of equal bits shows it, and it is right."""
    text = f"func.func @main(%x: tensor<2xf32>, %p: tensor<i1>) -> {type} {{ {steps}\n return %z : {type} }}"
    module = with_random_bits(interp.load(text), "%y", "stochastic_16")
    x, yes = np.full(2, 1 + 2**-9, np.float32), np.bool_(True)
    mixed = np.asarray(interp.run(module, x, yes, np.uint16([0xFFFF, 0]))[0])
    found = interp.permits(module, (x, yes, np.zeros(2, np.uint16)), (mixed,))
    assert set(found.counts) == {"unknown"}


def test_permits_is_unknown_where_a_called_function_rounds() -> None:
    """The sum of both elements is that of one that goes up and one that goes down."""
    rounds = program("bf16", 1, 2, "stochastic_16")
    inner = str(rounds).replace("@main", "@inner").replace("func.func @inner", "func.func private @inner")
    body = """func.func @main(%x: tensor<1x2xf32>, %r: tensor<1x2xui16>) -> tensor<1x2xbf16> {
      %y = func.call @inner(%x, %r) : (tensor<1x2xf32>, tensor<1x2xui16>) -> tensor<1x2xbf16>
      %back = stablehlo.reverse %y, dims = [1] : tensor<1x2xbf16>
      %z = stablehlo.subtract %y, %back : tensor<1x2xbf16>
      return %z : tensor<1x2xbf16> }"""
    start = inner.index("func.func")
    module = interp.load(f"{inner[:start]}{body}\n{inner[start:]}")
    x = np.full((1, 2), 1 + 2**-9, np.float32)
    mixed = np.asarray(interp.run(module, x, np.uint16([[0xFFFF, 0]]))[0])
    found = interp.permits(module, (x, np.zeros((1, 2), np.uint16)), (mixed,))
    assert set(found.counts) == {"unknown"}


def test_what_cannot_be_rounded_so_is_refused() -> None:
    text = """func.func @main(%x: tensor<2xf32>, %d: tensor<2xf64>)
      -> (tensor<2xi8>, tensor<2xf32>, tensor<2xbf16>) {
      %i = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
      %f = stablehlo.convert %d : (tensor<2xf64>) -> tensor<2xf32>
      %b = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
      return %i, %f, %b : tensor<2xi8>, tensor<2xf32>, tensor<2xbf16> }"""
    module = interp.load(text)
    with pytest.raises(Unsupported, match="rounding by random bits to another type"):
        with_random_bits(module, "%i")
    with pytest.raises(Unsupported, match="rounding by random bits of another type"):
        with_random_bits(module, "%f")
    with pytest.raises(Malformed, match="no conversion %c"):
        with_random_bits(module, "%c")
    with pytest.raises(Malformed, match="stochastic_8"):
        with_random_bits(module, "%b", "nearest")
    both = with_random_bits(module, "%b")
    assert [v.name for v in both.main.inputs] == ["%x", "%d", "%random"]
    assert any(op.attributes.get("name") == NAME for op in both.ops())
