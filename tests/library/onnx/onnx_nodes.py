"""Random nodes of ONNX's quantization operators with their inputs, for the tests that compare meanings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from interp.apps.onnx.array_functions import module_of
from interp.backends import NUMPY
from interp.engine.tensor import Tensor as Given
from spec.elements import ELEMENT_TYPES, ElementType
from spec.formats import round_to
from spec.ir import Module
from spec.meaning.index import Tensor
from spec.onnx.node import FLOAT8, QUANTIZED, REAL, SCALE, Node, number_of, type_names, version_of
from spec.types import TensorType

VERSIONS = (10, 13, 19, 21, 23, 24, 25, 28)
REALS = (
    0.0,
    -0.0,
    0.5,
    1.5,
    -2.5,
    1e10,
    -3e9,
    65504.0,
    math.inf,
    -math.inf,
    math.nan,
    1e-40,
    2**31,
    464.0,
    480.0,
)
SCALES = (1.0, 0.5, 2.0, 0.1, 3e-5, 1e-40, 0.0, -0.25, 1e30, math.inf)
Drawn = tuple[Node, dict[str, Tensor]]


def numbers(draw: Any, type: ElementType, count: int, pool: tuple[float, ...] = REALS) -> tuple[Any, ...]:
    """Return elements of a type, edges among them."""
    if type.is_integer:
        ends = st.sampled_from((type.min_value, type.max_value, 0, 1))
        return tuple(draw(ends | st.integers(type.min_value, type.max_value)) for _ in range(count))
    drawn = st.sampled_from(pool) | st.floats(-40, 40, width=32) | st.integers(-600, 600).map(lambda k: k / 4)
    return tuple(round_to(float(draw(drawn)), type) for _ in range(count))


def tensor(draw: Any, shape: tuple[int, ...], type: ElementType, pool: tuple[float, ...] = REALS) -> Tensor:
    return Tensor(TensorType(shape, type), numbers(draw, type, math.prod(shape), pool))


def granularity(draw: Any, shape: tuple[int, ...], version: int) -> tuple[tuple[int, ...], dict[str, int]]:
    """Return the shape of a scale for x of a shape, with its attributes."""
    kinds = ["tensor", *["axis"] * (version >= 13), *["blocks"] * (version >= 21)] if shape else ["tensor"]
    kind = draw(st.sampled_from(kinds))
    if kind == "tensor":
        return draw(st.sampled_from([(), (1,)])), {}
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    if kind == "axis":
        return (shape[axis],), {"axis": axis}
    size, sizes = draw(st.integers(1, shape[axis] + 1)), list(shape)
    sizes[axis] = -(-shape[axis] // size)
    return tuple(sizes), {"axis": axis, "block_size": size}


def drawn_type(draw: Any, table: Mapping[str, int], version: int) -> ElementType:
    return ELEMENT_TYPES[draw(st.sampled_from(type_names(table, version)))]


@st.composite
def quantizing(draw: Any) -> Drawn:
    """Draw a QuantizeLinear of any version."""
    version = draw(st.sampled_from(VERSIONS))
    shape = tuple(draw(st.lists(st.integers(1, 3), max_size=3)))
    x = drawn_type(draw, {**REAL, "i32": 10}, version)
    scales = {**SCALE, "i32": 23}
    scale = (
        drawn_type(draw, scales, version) if version >= 23 else x if version >= 19 else ELEMENT_TYPES["f32"]
    )
    form, attributes = granularity(draw, shape, version)
    T = drawn_type(draw, QUANTIZED, version)
    inputs = {"x": tensor(draw, shape, x), "y_scale": tensor(draw, form, scale, SCALES)}
    if T.name != "ui8" and (version < 21 or draw(st.booleans())):
        zeros = Tensor(TensorType(form, T), (0.0,) * math.prod(form))
        finite = (0.0, 1.0, -1.5, 2.0)
        inputs["y_zero_point"] = zeros if T.name in FLOAT8 else tensor(draw, form, T, finite)
    elif T.name != "ui8":
        attributes["output_dtype"] = number_of(T)
    if version >= 19 and draw(st.booleans()):
        attributes["saturate"] = 0
    if version >= 23:
        attributes["precision"] = draw(st.sampled_from((0, 0, 1, 10, 16, 11)))
    return node("QuantizeLinear", version, inputs, attributes), inputs


@st.composite
def dequantizing(draw: Any) -> Drawn:
    """Draw a DequantizeLinear of any version."""
    version = draw(st.sampled_from(VERSIONS))
    shape = tuple(draw(st.lists(st.integers(1, 3), max_size=3)))
    x, scale = drawn_type(draw, {**QUANTIZED, "i32": 10}, version), drawn_type(draw, SCALE, version)
    form, attributes = granularity(draw, shape, version)
    inputs = {"x": tensor(draw, shape, x), "x_scale": tensor(draw, form, scale, SCALES)}
    if x.name not in (*FLOAT8, "i32") and draw(st.booleans()):
        inputs["x_zero_point"] = tensor(draw, form, x, (0.0, 1.0, -1.5, 2.0))
    if version >= 23 and (scale.name == "f8E8M0FNU" or draw(st.booleans())):
        attributes["output_dtype"] = draw(st.sampled_from((1, 10, 16)))
    return node("DequantizeLinear", version, inputs, attributes), inputs


@st.composite
def dynamic(draw: Any) -> Drawn:
    """Draw a DynamicQuantizeLinear."""
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    inputs = {"x": tensor(draw, shape, ELEMENT_TYPES["f32"])}
    return node("DynamicQuantizeLinear", 11, inputs, {}), inputs


def node(operator: str, version: int, inputs: Mapping[str, Tensor], attributes: Mapping[str, Any]) -> Node:
    return Node(
        operator, version_of(operator, version), {k: x.type for k, x in inputs.items()}, dict(attributes)
    )


def known(given: Node, inputs: Mapping[str, Tensor]) -> Node:
    """Return the node with scales and zero points known before the program runs."""
    names = [name for name in inputs if name.endswith(("scale", "zero_point"))]
    return replace(given, known={name: inputs[name].elements for name in names})


def program(given: Node) -> Module:
    return module_of(given)


def array(x: Tensor) -> np.ndarray:
    """Return the stored elements of a tensor of the oracle."""
    type = x.type.tensor_element_type
    carrier = np.array(x.elements, np.int64 if type.is_integer else np.float64).reshape(x.type.shape)
    return NUMPY.encode(carrier.astype(NUMPY.carrier(type)), type)


def given(x: Tensor) -> Given:
    return Given(x.type, array(x))
