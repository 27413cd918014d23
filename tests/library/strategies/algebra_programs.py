"""Random programs of normalization, random numbers and linear algebra."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from spec.ir import Op, Value
from spec.types import ELEMENT_TYPES, TensorType
from tests.library.builders import Element
from tests.library.strategies.programs import FLOATS, SHAPES, Program, quantized_types, with_data


def several(
    draw: st.DrawFn, name: str, inputs: list[TensorType], results: list[TensorType], **attributes: object
) -> Program:
    """An operation with any number of results."""
    operands = tuple(Value(f"%arg{k}", type) for k, type in enumerate(inputs))
    made = tuple(Value(f"%{k}", type) for k, type in enumerate(results))
    return with_data(draw, Op(f"stablehlo.{name}", operands, made, attributes))


@st.composite
def batch_norms(draw: st.DrawFn) -> Program:
    """The three batch norms on floats and per-tensor quantized types, along any dimension."""
    name = draw(st.sampled_from(["training", "inference", "grad"]))
    quantized = draw(st.integers(0, 3)) == 0
    element: Element = draw(quantized_types()) if quantized else ELEMENT_TYPES[draw(st.sampled_from(FLOATS))]
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=3)))
    d = draw(st.integers(0, len(shape) - 1))
    whole, vector = TensorType(shape, element), TensorType((shape[d],), element)
    inputs = {
        "training": [whole, vector, vector],
        "inference": [whole, *[vector] * 4],
        "grad": [whole, vector, vector, vector, whole],
    }[name]
    results = [whole] if name == "inference" else [whole, vector, vector]
    epsilon = draw(st.sampled_from([0.0, 1e-3, 1.0]))
    return several(draw, f"batch_norm_{name}", inputs, results, epsilon=epsilon, feature_index=d)


COMPLEX = "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh"


@st.composite
def complex_functions(draw: st.DrawFn) -> Program:
    """Functions of complex<f32>; those of complex<f64> are rows of the Agreement table."""
    type = TensorType(draw(SHAPES), ELEMENT_TYPES["complex<f32>"])
    return several(draw, draw(st.sampled_from(COMPLEX.split())), [type], [type])


@st.composite
def random_bits(draw: st.DrawFn) -> Program:
    """rng_bit_generator of every algorithm, state, shape and type; NumPy hands over no odd one."""
    algorithm = draw(st.sampled_from(["THREE_FRY", "PHILOX", "DEFAULT"]))
    words = 2 if algorithm == "THREE_FRY" else draw(st.sampled_from([2, 3]))
    names = ("ui2", "i4", "ui8", "i8", "ui16", "f16", "bf16", "i32", "ui32", "f32", "i64", "ui64", "f64")
    element = ELEMENT_TYPES[draw(st.sampled_from(names))]
    state, output = TensorType((words,), ELEMENT_TYPES["ui64"]), TensorType(draw(SHAPES), element)
    return several(draw, "rng_bit_generator", [state], [state, output], rng_algorithm=algorithm)


@st.composite
def random_numbers(draw: st.DrawFn) -> Program:
    """rng on every kind of type, bounds in any order; normal f64 numbers are in the Agreement table."""
    distribution = draw(st.sampled_from(["UNIFORM", "NORMAL"]))
    names = (
        (*FLOATS, "i1", "i8", "ui8", "i32", "i64", "ui64") if distribution == "UNIFORM" else ("f16", "f32")
    )
    scalar, shape = TensorType((), ELEMENT_TYPES[draw(st.sampled_from(names))]), draw(SHAPES)
    inputs = [scalar, scalar, TensorType((len(shape),), ELEMENT_TYPES["i64"])]
    result = TensorType(shape, scalar.element_type)
    return several(draw, "rng", inputs, [result], rng_distribution=distribution)


def batched(draw: st.DrawFn, *shape: int) -> tuple[int, ...]:
    return (*draw(st.lists(st.integers(0, 2), max_size=2)), *shape)


def of_a_field(draw: st.DrawFn) -> Element:
    """A float, complex or per-tensor quantized type."""
    if draw(st.integers(0, 3)) == 0:
        return draw(quantized_types())
    return ELEMENT_TYPES[draw(st.sampled_from([*FLOATS, "complex<f32>", "complex<f64>"]))]


@st.composite
def triangular_solves(draw: st.DrawFn) -> Program:
    """Every side, triangle and transposition, of any batch."""
    element, (n, m) = of_a_field(draw), (draw(st.sampled_from([3, 2, 4, 1, 17, 0])), draw(st.integers(0, 3)))
    left = draw(st.booleans())
    batch = batched(draw)
    a = TensorType((*batch, n, n), element)
    b = TensorType((*batch, *((n, m) if left else (m, n))), element)
    attributes = {
        "left_side": left,
        "lower": draw(st.booleans()),
        "unit_diagonal": draw(st.booleans()),
        "transpose_a": draw(st.sampled_from(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])),
    }
    return several(draw, "triangular_solve", [a, b], [b], **attributes)


@st.composite
def choleskys(draw: st.DrawFn) -> Program:
    """Draw matrices, positive definite or not, whose other triangle is not read."""
    n = draw(st.sampled_from([3, 2, 4, 1, 17, 0]))
    a = TensorType(batched(draw, n, n), of_a_field(draw))
    program = several(draw, "cholesky", [a], [a], lower=draw(st.booleans()))
    (x,) = program.args
    if x.dtype.kind in "fc" and draw(st.booleans()):  # a diagonal that prevails
        x = (np.random.default_rng(n).uniform(-1, 1, x.shape) + 2 * n * np.eye(n)).astype(x.dtype)
    return Program(program.module, (x,))


ALGEBRA = {
    "triangular_solve": triangular_solves(),
    "cholesky": choleskys(),
    "random bits": random_bits(),
    "random numbers": random_numbers(),
    "complex": complex_functions(),
    "normalization": batch_norms(),
}
