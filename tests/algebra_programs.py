"""Random programs of normalization, random numbers and linear algebra."""

from __future__ import annotations

from hypothesis import strategies as st

from spec.ir import Op, Value
from spec.types import ELEMENT_TYPES, TensorType
from tests.builders import Element
from tests.programs import FLOATS, SHAPES, Program, quantized_types, with_data


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


ALGEBRA = {
    "complex": complex_functions(),
    "normalization": batch_norms(),
}
