"""Rules of the error bound, one operation at a time: held against the corners of its operands' errors.

An operand x with the error e stands for every number from x - e to x + e. Each rule here is monotone in each
operand, so that the corners, in f64, have the largest distance from the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import pytest

import interp
from interp.backends import NUMPY
from interp.comparison.error_bound import bound_results
from interp.comparison.roundoff import Bounded, bound_conversion
from interp.engine.evaluate import Context
from interp.kernels import OPERATIONS
from spec.schedule import LEFT
from spec.types import ELEMENT_TYPES, make_quantized

F32 = ELEMENT_TYPES["f32"]
U = 2.0**-24  # the unit roundoff of f32
Array = np.ndarray
Operand = tuple[Sequence[float], Sequence[float]]  # values, errors


def bound(text: str, *operands: tuple[Array, Array]) -> tuple[Array, Array]:
    """Return the one result of a program in f64, and its bound."""
    m = interp.load(text)
    carriers = [
        Bounded(NUMPY.decode(np.asarray(x), v.type.storage_type), np.asarray(e, np.float64))
        for (x, e), v in zip(operands, m.main.inputs, strict=True)
    ]
    with np.errstate(all="ignore"):
        (result,) = bound_results(Context(NUMPY, m, LEFT, OPERATIONS), m.main.body, carriers)
    return np.asarray(result.value, np.float64), result.error


def elementwise(name: str, *operands: Operand, type: str = "f32") -> tuple[Array, Array]:
    n, inputs = len(operands[0][0]), ", ".join(f"%x{k}: tensor<?x{type}>" for k in range(len(operands)))
    text = f"""func.func @main({inputs}) -> tensor<?x{type}> {{
      %r = "stablehlo.{name}"({", ".join(f"%x{k}" for k in range(len(operands)))})
        : ({", ".join([f"tensor<?x{type}>"] * len(operands))}) -> tensor<?x{type}>
      return %r : tensor<?x{type}>
    }}""".replace("?", str(n))
    dtype = interp.load(text).main.inputs[0].type.storage_type.numpy
    return bound(text, *((np.array(x).astype(dtype), np.array(e)) for x, e in operands))


FUNCTIONS: dict[str, tuple[Callable[..., Array], int]] = {
    "add": (np.add, 2),
    "subtract": (np.subtract, 2),
    "multiply": (np.multiply, 2),
    "divide": (np.divide, 2),
    "sqrt": (np.sqrt, 1),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 1),
    "log": (np.log, 1),
    "exponential": (np.exp, 1),
    "exponential_minus_one": (np.expm1, 1),
    "power": (np.power, 2),
    "maximum": (np.maximum, 2),
    "minimum": (np.minimum, 2),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_rule_is_the_largest_distance_of_a_corner_and_few_roundings(name: str) -> None:
    f, arity = FUNCTIONS[name]
    rng = np.random.default_rng(5)
    xs = [np.float32(1.5 + rng.random(64)).astype(np.float64) for _ in range(arity)]
    small = 2.0**-6 if name == "power" else 1.0  # beyond, its bound is far from the corners
    es = [small * rng.random(64) * 2.0 ** rng.integers(-12, 1, 64) for _ in range(arity)]
    y, error = elementwise(name, *zip(xs, es, strict=True))
    corners = [
        f(*(x + s * e for x, e, s in zip(xs, es, signs, strict=True)))
        for signs in product((-1, 0, 1), repeat=arity)
    ]
    distance = np.max([abs(c - f(*xs)) for c in corners], axis=0)
    assert (distance <= error + 1e-14).all()
    assert abs(f(*xs) - y).max() <= 4 * U * abs(y).max()
    largest = np.maximum(*es) if name in ("maximum", "minimum") else distance
    spare = 0.1 if name == "power" else 1e-6
    roundings = 2.2 if name in ("add", "subtract", "multiply", "divide", "sqrt") else 40  # one on each side
    assert (error <= largest * (1 + spare) + roundings * U * (abs(y) + largest)).all()


@pytest.mark.parametrize(
    ("name", "operands", "infinite"),
    [
        ("divide", [([1.0], [0.0]), ([1.0], [1.0])], True),  # by 0, perhaps
        ("divide", [([1.0], [0.0]), ([1.0], [0.999])], False),
        ("sqrt", [([1.0], [1.001])], True),  # of a number below 0, perhaps
        ("sqrt", [([1.0], [0.999])], False),
        ("rsqrt", [([1.0], [1.0])], True),
        ("rsqrt", [([1.0], [0.999])], False),
        ("log", [([1.0], [1.0])], True),
        ("log", [([1.0], [0.999])], False),
        ("power", [([1.0], [1.0]), ([2.0], [0.0])], True),
        ("power", [([1.0], [0.999]), ([2.0], [0.0])], False),
        ("multiply", [([3e38], [1e38]), ([1.0], [0.0])], True),  # the reference may overflow
        ("add", [([np.inf], [0.0]), ([1.0], [0.0])], True),
    ],
)
def test_there_is_no_bound_where_the_reference_may_be_no_number(
    name: str, operands: list[Operand], infinite: bool
) -> None:
    _, error = elementwise(name, *operands)
    assert np.isinf(error).tolist() == [infinite]


@pytest.mark.parametrize("type", ["f16", "bf16", "f32", "f64"])
def test_what_xla_gives_for_exponential_minus_one_lies_within_the_bound(type: str) -> None:
    """Near zero, too, where `exp(x) - 1` would lose all digits."""
    jax = pytest.importorskip("jax")
    xs = np.concatenate([np.linspace(-12, 8, 400), 2.0 ** np.arange(-13, 0), -(2.0 ** np.arange(-13, 0))])
    y, error = elementwise("exponential_minus_one", (list(xs), [0.0] * len(xs)), type=type)
    with jax.enable_x64(True):
        theirs = jax.jit(jax.numpy.expm1)(
            jax.numpy.asarray(
                xs, {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}[type]
            )
        )
        assert (abs(np.asarray(theirs, np.float64) - y) <= error).all()
    assert (error <= 64 * 2.0 ** -ELEMENT_TYPES[type].precision * abs(y)).all()


def test_what_is_computed_alike_and_exactly_has_no_error() -> None:
    """0 times anything finite is 0; 1 + 1 and the root of 0 are exact in 8 bits, too."""
    assert elementwise("multiply", ([0.0, 3.0], [0.0, 0.5]), ([3.0, 0.0], [0.5, 0.0]))[1].tolist() == [0, 0]
    assert elementwise("add", ([1.0], [0.0]), ([1.0], [0.0]), type="f8E5M2")[1].tolist() == [0]
    assert elementwise("sqrt", ([0.0, 4.0], [0.0, 0.0]), type="f8E5M2")[1].tolist() == [0, 0]


def test_a_selection_has_the_error_of_what_it_selects() -> None:
    text = """func.func @main(%p: tensor<3xi1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %r = stablehlo.select %p, %x, %y : tensor<3xi1>, tensor<3xf32>
      return %r : tensor<3xf32>
    }"""
    x, errors = np.float32([1, 2, 3]), (np.array([0.5, 0.5, 0.5]), np.array([0.25, 0.25, 0.25]))
    p = np.array([True, False, True]), np.array([0, 0, np.inf])
    assert bound(text, p, (x, errors[0]), (x, errors[1]))[1].tolist() == [0.5, 0.25, np.inf]


DOT = """func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<f32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}"""


def test_a_contraction_has_the_errors_of_both_factors_and_their_product() -> None:
    x, e = np.float32([1, 2, 3]), np.array([0.5, 0.25, 1])
    _, error = bound(DOT, (x, e), (x, e))
    distance = sum((x + e) ** 2 - x**2)  # the farthest corner
    assert distance <= error <= distance * (1 + 1e-5)
    assert bound(DOT, (x, 0 * e), (x, 0 * e))[1] == 0  # integers, which every order adds exactly


def test_there_is_no_bound_on_a_contraction_that_another_order_overflows() -> None:
    ones, zeros = np.ones(3, np.float32), np.zeros(3)
    y, error = bound(DOT, (np.float32([2e38, -2e38, 2e38]), zeros), (ones, zeros))
    assert y == np.float32(2e38)
    assert np.isinf(error)
    assert np.isfinite(bound(DOT, (np.float32([1e38, -1e38, 1e38]), zeros), (ones, zeros))[1])


def test_only_the_reference_rounds_where_quantized_sums_are_sums_of_integers() -> None:
    """64 leaves: at most 63 roundings of the reference, one of each leaf, and one of our result."""
    q, w = "!quant.uniform<i8:f32, 0.1>", "!quant.uniform<i32:f32, 0.1>"
    text = f"""func.func @main(%x: tensor<64x{q}>, %z: tensor<{w}>) -> tensor<{w}> {{
      %s = "stablehlo.reduce"(%x, %z) ({{
      ^bb0(%a: tensor<{w}>, %b: tensor<{w}>):
        %1 = stablehlo.add %a, %b : tensor<{w}>
        stablehlo.return %1 : tensor<{w}>
      }}) {{dimensions = array<i64: 0>}} : (tensor<64x{q}>, tensor<{w}>) -> tensor<{w}>
      return %s : tensor<{w}>
    }}"""
    x = np.full(64, 127, np.int8)
    y, error = bound(text, (x, np.zeros(64)), (np.int32(0), np.zeros(())))
    assert y == 64 * 127
    reference = np.float32(0)
    for leaf in x:
        reference += np.float32(leaf) * np.float32(0.1)
    size, distance = 64 * 12.7, abs(float(reference) - 6400 * 1.27 * float(np.float32(0.1)))
    assert distance <= error <= 70 * U * size


@pytest.mark.parametrize(
    ("op", "index"),
    [
        (
            """"stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
            start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1>}
            : (tensor<3xf32>, tensor<1xi32>)""",
            [2],
        ),
        ("stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<3xf32>, tensor<i32>)", 2),
    ],
)
def test_an_element_takes_its_error_along(op: str, index: list[int] | int) -> None:
    """Where the index has an error itself, there is no bound."""
    shape = "1x" if isinstance(index, list) else ""
    result = "" if isinstance(index, list) else "1x"
    text = f"""func.func @main(%x: tensor<3xf32>, %i: tensor<{shape}i32>) -> tensor<{result}f32> {{
      %r = {op} -> tensor<{result}f32>
      return %r : tensor<{result}f32>
    }}"""
    x, at = (np.float32([1, 2, 4]), np.array([0.1, 0.2, 0.3])), np.int32(index)
    y, error = bound(text, x, (at, np.zeros(at.shape)))
    assert (y.item(), error.item()) == (4, 0.3)
    assert np.isinf(bound(text, x, (at, np.ones(at.shape)))[1]).all()


def test_bits_of_floats_are_known_where_the_float_is_and_is_not_zero() -> None:
    """The reference's zero may have another sign, and so other bits."""
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xi32> {
      %r = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }"""
    none = np.zeros(2)
    assert bound(text, (np.float32([1, 2]), none))[1].tolist() == [0, 0]
    assert np.isinf(bound(text, (np.float32([1, 0]), none))[1]).all()
    assert np.isinf(bound(text, (np.float32([1, 2]), np.array([0, 1e-9])))[1]).all()


def test_a_conversion_from_complex_numbers_has_no_bound() -> None:
    complex64, x = ELEMENT_TYPES["complex<f32>"], np.float32([1, 2, 3])
    error = bound_conversion(Bounded(x, np.zeros(3)), x.astype(np.complex64), F32, complex64)
    assert error.tolist() == [np.inf] * 3


def test_quantizing_a_wider_float_rounds_it_to_the_expressed_type_first() -> None:
    """1 + 2^-12 is 1 in f16; a step is 2^-10, and half of one is added where a number is no multiple."""
    wide, narrow = 1 + 2.0**-12, make_quantized("i16", "f16", 2.0**-10)
    x = Bounded(np.array([wide, 1.5]), np.array([0.0, 0.25]))
    error = bound_conversion(x, np.int16([1024, 1536]), ELEMENT_TYPES["f64"], narrow)
    assert (error >= [2.0**-12, 0.25]).all()
    assert (error <= np.array([2.0**-12, 0.25]) + 8 * 2.0**-11 + 2.0**-10).all()
