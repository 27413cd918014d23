"""Numbers, integers and transcendental functions against NumPy, ml_dtypes, libm and facts of IEEE-754."""

from __future__ import annotations

import math
import operator
import warnings
from fractions import Fraction
from math import inf, nan

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.formats import largest, round_to
from spec.meaning import complexes, integers, numbers, transcendental
from spec.meaning.numbers import reduce_precision, rne
from spec.types import ELEMENT_TYPES, FLOATS, ElementType

F64, F32, F16, BF16 = (ELEMENT_TYPES[name] for name in ("f64", "f32", "f16", "bf16"))
NARROW = [type for type in FLOATS if type.bits <= 16]
IEEE = [F16, F32, F64]


def dtype(type: ElementType) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, type.numpy, type.numpy))


def values(type: ElementType) -> np.ndarray:
    """Every value of a narrow format, as f32."""
    codes = np.arange(1 << type.bits, dtype=np.uint8 if type.bits <= 8 else np.uint16)
    return codes.view(dtype(type)).astype(np.float32)


def same(x: float, y: float) -> bool:
    """The same number; zeros differ, NaNs do not."""
    return repr(float(x)) == repr(float(y))


@pytest.mark.parametrize("type", NARROW, ids=repr)
def test_round_to_is_the_identity_on_every_value_of_the_format(type: ElementType) -> None:
    assert all(same(round_to(float(x), type), x) for x in values(type)[:: max(1, type.bits - 7)])


@pytest.mark.parametrize("type", NARROW, ids=repr)
def test_round_to_agrees_with_ml_dtypes_at_and_beside_every_midpoint(type: ElementType) -> None:
    finite = np.unique(values(type)[np.isfinite(values(type))])
    if type.special == "fnu":
        finite = finite[finite >= 2.0**-126]  # ml_dtypes misrounds subnormal f32 to f8E8M0FNU
    finite = finite[:: 1 if type.bits <= 8 else 41]
    with np.errstate(over="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        middle = ((finite[1:].astype(np.float64) + finite[:-1]) / 2).astype(np.float32)
        points = np.concatenate([middle, np.nextafter(middle, np.float32(inf)), finite * np.float32(1.5)])
        points = np.concatenate([points, np.nextafter(middle, np.float32(-inf)), [inf, -inf, nan, 0.0, -0.0]])
        expected = points.astype(np.float32).astype(dtype(type)).astype(np.float64)
    for x, y in zip(points.astype(np.float32), expected, strict=True):
        assert same(round_to(float(x), type), y), float(x)


@pytest.mark.parametrize("type", FLOATS, ids=repr)
def test_largest_is_the_largest_value_of_the_format(type: ElementType) -> None:
    assert largest(type) == float(ml_dtypes.finfo(dtype(type)).max)


def test_round_to_rounds_an_integer_to_bf16_once() -> None:
    # 2**24 + 2**16 + 1 lies just above a midpoint; through f32 it would fall onto it and then to even.
    assert round_to(2**24 + 2**16 + 1, BF16) == 2**24 + 2**17


def test_round_to_takes_numbers_no_binary64_holds() -> None:
    assert round_to(Fraction(10) ** 400, F64) == inf
    assert same(round_to(-(Fraction(10) ** -400), F64), -0.0)
    assert round_to(Fraction(10) ** 400, ELEMENT_TYPES["f4E2M1FN"]) == 6.0
    assert round_to(Fraction(1, 3), F64) == 1 / 3


def test_rne_ties_to_even() -> None:
    assert [rne(x) for x in (0.5, 1.5, 2.5, -0.5, -1.5, Fraction(5, 2), 2.4)] == [0, 2, 2, 0, -2, 2, 2]


NUMPY = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "remainder": np.fmod,
}


@pytest.mark.parametrize("name", NUMPY)
@pytest.mark.parametrize("type", IEEE, ids=repr)
@given(data=st.data())
def test_arithmetic_is_ieee(name: str, type: ElementType, data: st.DataObject) -> None:
    floats = st.floats(width=type.bits)
    x, y = data.draw(floats), data.draw(floats)
    with np.errstate(all="ignore"):
        expected = NUMPY[name](dtype(type).type(x), dtype(type).type(y))
    assert same(getattr(numbers, name)(x, y, type), expected)


@given(st.floats(width=32), st.floats(width=32))
def test_maximum_and_minimum_propagate_nan_and_order_zeros(x: float, y: float) -> None:
    lower, upper = numbers.minimum(x, y, F32), numbers.maximum(x, y, F32)
    if math.isnan(x) or math.isnan(y):
        assert math.isnan(lower)
        assert math.isnan(upper)
    else:
        assert sorted(map(repr, (lower, upper))) == sorted(map(repr, (x, y)))
        assert lower <= upper
        assert not (lower == upper == 0 and math.copysign(1, lower) > math.copysign(1, upper))


ROUNDINGS = {
    numbers.round_toward_negative: np.floor,
    numbers.round_toward_positive: np.ceil,
    numbers.round_ties_to_even: np.rint,
    numbers.round_ties_to_away: lambda x: np.copysign(np.trunc(np.abs(x) + 0.5), x),
}


@given(st.integers(-(2**30), 2**30).map(lambda n: n / 256) | st.sampled_from([inf, -inf, nan, -0.0, 2.0**60]))
def test_integral_roundings_keep_the_sign_of_zero(x: float) -> None:
    assert all(same(ours(x, F64), numpy(x)) for ours, numpy in ROUNDINGS.items())


def test_sign() -> None:
    assert [numbers.sign(x, F32) for x in (-3.0, inf, 0.5)] == [-1.0, 1.0, 1.0]
    assert same(numbers.sign(-0.0, F32), -0.0)
    assert math.isnan(numbers.sign(nan, F32))


def test_total_order() -> None:
    ascending = [-nan, -inf, -1.0, -0.0, 0.0, 1.0, inf, nan]
    keys = [numbers.total_order(x) for x in ascending]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@given(st.floats(width=32))
def test_reduce_precision_to_bf16_is_bf16_but_for_subnormals(x: float) -> None:
    rounded = round_to(x, BF16)
    assert same(reduce_precision(x, 8, 7, F32), rounded) or 0 < abs(rounded) <= 2.0**-126


def test_reduce_precision_leaves_the_range_of_the_exponent() -> None:
    # e5m2: largest 57344 (61440 is midway), least normal 2**-14; subnormals underflow to zero.
    cases = {
        57345.0: 57344.0,
        61440.0: inf,
        -1e9: -inf,
        2.0**-14: 2.0**-14,
        2.0**-15: 0.0,
        -(2.0**-20): -0.0,
        1.125: 1.0,
    }
    assert {x: repr(reduce_precision(x, 5, 2, F32)) for x in cases} == {x: repr(y) for x, y in cases.items()}
    assert reduce_precision(2.0**-149, 8, 23, F32) == 2.0**-149


WRAPPING = {
    integers.add: operator.add,
    integers.subtract: operator.sub,
    integers.multiply: operator.mul,
    integers.maximum: np.maximum,
    integers.minimum: np.minimum,
}


@pytest.mark.parametrize("name", ["i8", "ui8"])
def test_integer_arithmetic_wraps_as_in_numpy(name: str) -> None:
    type = ELEMENT_TYPES[name]
    x = np.arange(type.min_value, type.max_value + 1, 3, dtype=dtype(type))
    y = x[::5]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for ours, numpy in WRAPPING.items():
            expected = numpy(x[:, None], y)
            assert [[ours(int(a), int(b), type) for b in y] for a in x] == expected.tolist()


def test_integer_values_that_the_specification_leaves_open() -> None:
    i8, ui8, i4 = (ELEMENT_TYPES[name] for name in ("i8", "ui8", "i4"))
    assert [integers.divide(*xy, i8) for xy in ((7, -2), (-7, 2), (5, 0), (-128, -1))] == [-3, -3, -1, -128]
    assert integers.divide(5, 0, ui8) == 255
    assert [integers.remainder(*xy, i8) for xy in ((7, -2), (-7, 2), (5, 0), (-128, -1))] == [1, -1, 5, 0]
    assert [integers.shift_left(1, s, i8) for s in (0, 7, 8, -1)] == [1, -128, 0, 0]
    assert [integers.shift_right_logical(-1, s, i8) for s in (1, 7, 8, -1)] == [127, 1, 0, 0]
    assert [integers.shift_right_arithmetic(-128, s, i8) for s in (1, 7, 8, -1)] == [-64, -1, -1, -1]
    assert integers.shift_right_arithmetic(128, 1, ui8) == 0b11000000
    assert [integers.power(*xy, i8) for xy in ((3, 5), (2, -1), (-1, -3), (1, -9), (0, 0))] == [
        -13,
        0,
        -1,
        1,
        1,
    ]
    assert [integers.count_leading_zeros(x, i4) for x in (0, 1, -1)] == [4, 3, 0]
    assert [integers.popcnt(x, i8) for x in (0, -1, 5)] == [0, 8, 2]
    assert [integers.absolute(-128, i8), integers.negate(-128, i8), integers.negate(1, ui8)] == [
        -128,
        -128,
        255,
    ]
    assert [integers.complement(5, i8), integers.complement(5, ui8)] == [-6, 250]
    assert [integers.saturate(x, i8) for x in (nan, inf, -inf, 1e9, -1.9, 127.9)] == [
        0,
        127,
        -128,
        127,
        -1,
        127,
    ]


LIBM = {
    "exponential": math.exp,
    "exponential_minus_one": math.expm1,
    "log": math.log,
    "log_plus_one": math.log1p,
    "logistic": lambda x: 1 / (1 + math.exp(-x)),
    "sine": math.sin,
    "cosine": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "sqrt": math.sqrt,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "cbrt": math.cbrt,
}
POSITIVE = ("log", "sqrt", "rsqrt")


@pytest.mark.parametrize("name", LIBM)
def test_narrow_functions_are_libm_rounded_once(name: str) -> None:
    """libm errs by an ulp of f64, far less than the distance of any of these values to a midpoint of f16."""
    points = [x for x in map(float, values(F16)[17::173]) if math.isfinite(x) and abs(x) < 600]
    for x in points:
        x = abs(x) if name in POSITIVE else max(x, -0.99) if name == "log_plus_one" else x
        expected = LIBM[name](x)
        with np.errstate(over="ignore"):
            assert same(getattr(transcendental, name)(x, F16), np.float16(expected)), x


@pytest.mark.parametrize("name", LIBM)
@given(x=st.floats(2.0**-60, 500.0))
def test_wide_functions_are_libm_within_four_ulps(name: str, x: float) -> None:
    ours, libm = getattr(transcendental, name)(x, F64), LIBM[name](x)
    assert abs(ours - libm) <= 4 * math.ulp(libm)


@given(st.floats(2.0**-1000, 2.0**1000), st.sampled_from([F32, F64]))
def test_roots_are_within_half_an_ulp(x: float, type: ElementType) -> None:
    x = min(max(round_to(x, type), 2.0**-100), 2.0**100)
    for root, n, radicand in (("sqrt", 2, x), ("cbrt", 3, x), ("rsqrt", 2, 1 / Fraction(x))):
        result = getattr(transcendental, root)(x, type)
        half = Fraction(2) ** (math.frexp(result)[1] - type.precision - 1)
        assert (Fraction(result) - half) ** n <= radicand <= (Fraction(result) + half) ** n


# Facts at infinities, zeros and poles, from IEEE-754's recommended operations.
SPECIAL = [
    ("exponential", (-inf,), 0.0),
    ("exponential", (0.0,), 1.0),
    ("exponential", (1e300,), inf),
    ("exponential_minus_one", (-0.0,), -0.0),
    ("exponential_minus_one", (-inf,), -1.0),
    ("log", (0.0,), -inf),
    ("log", (-0.0,), -inf),
    ("log", (1.0,), 0.0),
    ("log", (-1.0,), nan),
    ("log", (inf,), inf),
    ("log_plus_one", (-1.0,), -inf),
    ("log_plus_one", (-1.5,), nan),
    ("log_plus_one", (-0.0,), -0.0),
    ("logistic", (-inf,), 0.0),
    ("logistic", (0.0,), 0.5),
    ("tanh", (-inf,), -1.0),
    ("sine", (-0.0,), -0.0),
    ("cosine", (0.0,), 1.0),
    ("tan", (inf,), nan),
    ("sqrt", (-0.0,), -0.0),
    ("sqrt", (-1.0,), nan),
    ("rsqrt", (0.0,), inf),
    ("rsqrt", (inf,), 0.0),
    ("cbrt", (-27.0,), -3.0),
    ("cbrt", (-inf,), -inf),
    ("power", (nan, 0.0), 1.0),
    ("power", (1.0, nan), 1.0),
    ("power", (-1.0, inf), 1.0),
    ("power", (0.5, -inf), inf),
    ("power", (-0.0, -3.0), -inf),
    ("power", (-0.0, -2.0), inf),
    ("power", (-inf, 3.0), -inf),
    ("power", (-inf, -3.0), -0.0),
    ("power", (-8.0, 3.0), -512.0),
    ("power", (-8.0, 0.5), nan),
    ("power", (2.0, 1e9), inf),
    ("power", (2.0, -1e9), 0.0),
    ("power", (2.0, -1074.0), 5e-324),
    ("atan2", (0.0, -0.0), math.pi),
    ("atan2", (-0.0, 1.0), -0.0),
    ("atan2", (-0.0, -1.0), -math.pi),
    ("atan2", (1.0, -0.0), math.pi / 2),
    ("atan2", (inf, -inf), 3 * math.pi / 4),
    ("atan2", (-1.0, inf), -0.0),
    ("atan2", (nan, 1.0), nan),
]


@pytest.mark.parametrize(("name", "operands", "expected"), SPECIAL)
def test_special_values(name: str, operands: tuple[float, ...], expected: float) -> None:
    assert same(getattr(transcendental, name)(*operands, F64), expected)


def test_hard_cases() -> None:
    # The binary64 nearest to a multiple of pi/2 (Kahan; Muller, Elementary Functions), and a large argument.
    nearest_to_a_multiple = 6381956970095103 * 2.0**797
    assert transcendental.cosine(nearest_to_a_multiple, F64) == -4.68716592425462761112e-19
    assert transcendental.sine(nearest_to_a_multiple, F64) == 1.0
    assert transcendental.sine(1e22, F64) == -0.8522008497671888
    # 4097**2 = 2**24 + 2**13 + 1 lies midway between two numbers of f32; the even one is below.
    assert transcendental.power(4097.0, 2.0, F32) == 2**24 + 2**13
    assert transcendental.power(4097.0**2, 0.5, F64) == 4097.0
    # exp(2**-53) = 1 + 2**-53 + 2**-107 + ... is above the midpoint of 1 and its successor.
    assert transcendental.exponential(2.0**-53, F64) == 1 + 2.0**-52
    assert transcendental.exponential(-(2.0**-54), F64) == 1.0
    assert transcendental.log_plus_one(5e-324, F64) == 5e-324
    assert transcendental.tanh(1e-310, F64) == 1e-310


@given(st.floats(2.0**-10, 2.0**10), st.floats(-60.0, 60.0))
def test_power_and_atan2_are_libm_within_two_ulps(x: float, y: float) -> None:
    assert abs(transcendental.power(x, y, F64) - x**y) <= 2 * math.ulp(x**y)
    assert abs(transcendental.atan2(y, x, F64) - math.atan2(y, x)) <= 2 * math.ulp(math.atan2(y, x))
    assert abs(transcendental.atan2(y, -x, F64) - math.atan2(y, -x)) <= 2 * math.ulp(math.atan2(y, -x))


def test_power_of_a_rational_root_is_exact() -> None:
    assert transcendental.power(2.25, 1.5, F64) == 3.375
    assert transcendental.power(16.0, -0.75, F64) == 0.125


C64 = ELEMENT_TYPES["complex<f32>"]
GAUSS = st.builds(complex, st.integers(-99, 99), st.integers(-99, 99))


@given(GAUSS, GAUSS)
def test_complex_arithmetic_on_gaussian_integers(x: complex, y: complex) -> None:
    assert complexes.add(x, y, C64) == x + y
    assert complexes.subtract(x, y, C64) == x - y
    assert complexes.multiply(x, y, C64) == x * y
    assert complexes.absolute(x, C64) == float(np.float32(abs(x)))
    if y:
        assert abs(complexes.divide(x, y, C64) - x / y) <= 1e-6 * abs(x / y)


def test_complex_sign_and_order() -> None:
    assert complexes.sign(3 + 4j, C64) == complex(np.float32(0.6), np.float32(0.8))
    assert complexes.sign(0j, C64) == 0j
    assert complexes.maximum(1 + 5j, 1 + 2j, C64) == 1 + 5j
    assert complexes.minimum(1 + 5j, 2 + 2j, C64) == 1 + 5j
    assert math.isnan(complexes.maximum(complex(nan, 0), 1j, C64).real)
