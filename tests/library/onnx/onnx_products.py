"""Random matrix products and convolutions of ONNX with their inputs, for the tests that compare meanings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from spec.elements import ELEMENT_TYPES, ElementType
from spec.meaning.index import Tensor
from spec.onnx.node import FLOAT8, INT8, windows
from spec.types import TensorType
from tests.library.onnx.onnx_nodes import Drawn, drawn_type, node, tensor

I32, F32 = ELEMENT_TYPES["i32"], ELEMENT_TYPES["f32"]
SCALES = (1.0, 0.5, 0.1, 3e-5, 7.3, 2e19, 0.0, 1e-40)
SMALL = st.integers(1, 3)


def unsigned(x: np.ndarray) -> np.ndarray:
    """Return i8 numbers moved by 128, as u8; moved both, weights and their zero point mean what they meant.

    onnxruntime multiplies u8 by i8 with the fastest instruction that the processor has. On x86 without VNNI
    that is `vpmaddubsw`, which saturates the sum of two products at 16 bits. Products of u8 by u8 are summed
    exactly on every processor.
    """
    assert x.dtype == np.int8
    return (x.astype(np.int16) + 128).astype(np.uint8)


def factors(draw: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shapes of two factors of numpy.matmul."""
    m, k, n, batch = (
        draw(SMALL),
        draw(st.integers(1, 5)),
        draw(SMALL),
        draw(st.sampled_from([(), (2,), (3, 1)])),
    )
    a = draw(st.sampled_from([(k,), (m, k), (*batch, m, k)]))
    return a, draw(st.sampled_from([(k,), (k, n), (*(2 if d == 1 else d for d in batch), k, n)]))


def rows_of(draw: Any, a: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape of parameters: one, or one for each row."""
    more = [(a[-2],), (*a[:-1], 1)] if len(a) > 1 else []
    return draw(st.sampled_from([(), (1,), *more]))


def columns_of(draw: Any, b: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape of parameters: one, or one for each column."""
    more = [(b[-1],), (*b[:-2], 1, b[-1])] if len(b) > 1 else []
    return draw(st.sampled_from([(), (1,), *more]))


@st.composite
def multiplying(draw: Any) -> Drawn:
    """Draw a MatMulInteger."""
    a, b = factors(draw)
    first, second = (drawn_type(draw, INT8, 10) for _ in range(2))
    inputs = {"A": tensor(draw, a, first), "B": tensor(draw, b, second)}
    if draw(st.booleans()):
        inputs["a_zero_point"] = tensor(draw, rows_of(draw, a), first)
    if draw(st.booleans()):
        inputs["b_zero_point"] = tensor(draw, columns_of(draw, b), second)
    return node("MatMulInteger", 10, inputs, {}), inputs


def points(draw: Any, shape: tuple[int, ...], type: ElementType) -> Tensor:
    """Return zero points; those of a float of 8 bits are 0."""
    zeros = (0.0,) * math.prod(shape)
    return Tensor(TensorType(shape, type), zeros) if type.name in FLOAT8 else tensor(draw, shape, type)


@st.composite
def qmultiplying(draw: Any) -> Drawn:
    """Draw a QLinearMatMul of either version."""
    version = draw(st.sampled_from((10, 21)))
    a, b = factors(draw)
    types = {**INT8, **dict.fromkeys(FLOAT8, 21)}
    first, second, third = (drawn_type(draw, types, version) for _ in range(3))
    scale = drawn_type(draw, {"f32": 10, "f16": 21, "bf16": 21}, version)
    per_row, per_column = rows_of(draw, a), columns_of(draw, b)
    inputs = {
        "a": tensor(draw, a, first),
        "a_scale": tensor(draw, per_row, scale, SCALES),
        "a_zero_point": points(draw, per_row, first),
        "b": tensor(draw, b, second),
        "b_scale": tensor(draw, per_column, scale, SCALES),
        "b_zero_point": points(draw, per_column, second),
        "y_scale": tensor(draw, (), scale, SCALES),
        "y_zero_point": points(draw, (), third),
    }
    return node("QLinearMatMul", version, inputs, {}), inputs


@st.composite
def convolving(draw: Any) -> Drawn:
    """Draw a ConvInteger or a QLinearConv of one or two spatial dimensions."""
    spatial, group = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    inner, outer = draw(st.integers(1, 2)), group * draw(st.integers(1, 2))
    sizes = lambda least, most: tuple(draw(st.integers(least, most)) for _ in range(spatial))
    x, w = (draw(SMALL), inner * group, *sizes(2, 5)), (outer, inner, *sizes(1, 2))
    attributes: dict[str, Any] = {"group": group}
    attributes |= {name: sizes(1, 2) for name in ("strides", "dilations") if draw(st.booleans())}
    attributes["auto_pad"] = draw(st.sampled_from(("NOTSET", "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID")))
    if attributes["auto_pad"] == "NOTSET" and draw(st.booleans()):
        attributes["pads"] = (*sizes(0, 2), *sizes(0, 2))
    first, second = (drawn_type(draw, INT8, 10) for _ in range(2))
    inputs = {"x": tensor(draw, x, first), "w": tensor(draw, w, second)}
    channels = draw(st.sampled_from([(), (1,), (outer,)]))
    name = draw(st.sampled_from(("ConvInteger", "QLinearConv")))
    if name == "QLinearConv":
        inputs = scaled(draw, inputs, channels)
    elif draw(st.booleans()):
        inputs |= {"x_zero_point": tensor(draw, (), first), "w_zero_point": tensor(draw, channels, second)}
    made = node(name, 10, inputs, attributes)
    return (made, inputs) if all(windows(made).sizes) else draw(convolving())


def scaled(draw: Any, inputs: dict[str, Tensor], channels: tuple[int, ...]) -> dict[str, Tensor]:
    """Return the inputs of a QLinearConv for x and w, in its order."""
    x, w = inputs["x"], inputs["w"]
    found = {
        "x": x,
        "x_scale": tensor(draw, (), F32, SCALES),
        "x_zero_point": tensor(draw, (), x.type.tensor_element_type),
        "w": w,
        "w_scale": tensor(draw, channels, F32, SCALES),
        "w_zero_point": tensor(draw, channels, w.type.tensor_element_type),
        "y_scale": tensor(draw, (), F32, SCALES),
        "y_zero_point": tensor(draw, (), drawn_type(draw, INT8, 10)),
    }
    if draw(st.booleans()):
        found["B"] = tensor(draw, w.type.shape[:1], I32)
    return found
