"""Random programs that other families leave out: tables of edge values, recast results, captured values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
from hypothesis import strategies as st

from spec.ir import Op, Region, Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType
from tests.library.builders import Element, module, operation
from tests.library.strategies import op_programs
from tests.library.strategies.op_programs import DIRECTIONS, other_parameters, plain_element, program
from tests.library.strategies.programs import Program, quantized_types, reduces, with_data

SMALL = st.sampled_from((2, 3, 4, 6))


@st.composite
def blocked_types(draw: st.DrawFn, shape: tuple[int, ...], per_axis: bool) -> QuantizedType:
    """A type with a scale and a zero point for each block of some dimensions, or for each slice of one."""
    type = draw(quantized_types())
    axes = sorted(draw(st.sets(st.sampled_from(range(len(shape))), min_size=1)))
    sizes = {d: draw(st.sampled_from([n for n in range(1, shape[d] + 1) if shape[d] % n == 0])) for d in axes}
    parameters = tuple(n // sizes.get(d, n) for d, n in enumerate(shape))
    blocks: dict[str, object] = {"block_sizes": tuple(sizes.items()), "parameters_shape": parameters}
    if per_axis:
        parameters, blocks = (shape[axes[0]],), {"quantization_dimension": axes[0]}
    scales = tuple(draw(st.sampled_from((0.5, 0.3, 1.0, 7.0))) for _ in range(prod(parameters)))
    points = tuple(draw(st.integers(type.storage_min, type.storage_max)) for _ in scales)
    return replace(type, scales=scales, zero_points=points, **blocks)


@st.composite
def blocks(draw: st.DrawFn) -> Program:
    """Conversions on types with many parameters: per axis, and in the `quant` dialect per block."""
    name = draw(st.sampled_from(["uniform_quantize", "uniform_dequantize", "quant.dcast", "quant.qcast"]))
    shape = tuple(draw(SMALL) for _ in range(draw(st.integers(1, 3))))
    quantized = TensorType(shape, draw(blocked_types(shape, not name.startswith("quant."))))
    plain = TensorType(shape, quantized.quantized_element_type.expressed_type)
    source, result = (plain, quantized) if name in ("uniform_quantize", "quant.qcast") else (quantized, plain)
    return program(draw, name, [source], result)


@st.composite
def complexes(draw: st.DrawFn) -> Program:
    """Complex numbers made, compared, chosen, clamped, taken apart and converted."""
    shape = (draw(SMALL),)
    element = plain_element(draw, "complex")
    type, part = TensorType(shape, element), TensorType(shape, ELEMENT_TYPES[element.name[8:-1]])
    boolean = TensorType(shape, ELEMENT_TYPES["i1"])
    name = draw(
        st.sampled_from(["complex", "compare", "select", "clamp", "real", "imag", "convert", "divide"])
    )
    if name == "complex":
        return program(draw, name, [part, part], type)
    if name == "compare":
        direction = draw(st.sampled_from(DIRECTIONS))
        return program(
            draw, name, [type, type], boolean, comparison_direction=direction, compare_type="FLOAT"
        )
    if name == "select":
        return program(draw, name, [boolean, type, type], type)
    if name == "clamp":
        bound = TensorType((), element) if draw(st.booleans()) else type
        return program(draw, name, [bound, type, bound], type)
    if name == "convert":
        return program(draw, name, [type], TensorType(shape, plain_element(draw, "complex")))
    if name == "divide":
        return program(draw, name, [type, type], type)
    return program(draw, name, [draw(st.sampled_from([type, part]))], part)


@st.composite
def complex_bits(draw: st.DrawFn) -> Program:
    """bitcast_convert between complex numbers, of which the wider has no integer to hold its bits."""
    shape = (draw(SMALL),)
    narrow, wide = (ELEMENT_TYPES[f"complex<{part}>"] for part in ("f32", "f64"))
    pairs = [(TensorType((*shape, 2), narrow), TensorType(shape, wide))]
    pairs += [(second, first) for first, second in pairs]
    pairs += [(TensorType(shape, element),) * 2 for element in (narrow, wide)]
    source, result = draw(st.sampled_from(pairs))
    return program(draw, "bitcast_convert", [source], result)


@st.composite
def recast(draw: st.DrawFn) -> Program:
    """Reductions whose results have another scale and zero point than what the body returns (erratum E14)."""
    op = draw(reduces()).module.main.body.ops[0]
    types = []
    for value in op.results:
        element = value.type.element_type
        if isinstance(element, QuantizedType):
            element = other_parameters(draw, element)
        types.append(TensorType(value.type.shape, element))
    results = tuple(Value(v.name, t) for v, t in zip(op.results, types, strict=True))
    return with_data(draw, replace(op, results=results))


@st.composite
def captured(draw: st.DrawFn) -> Program:
    """A reduction whose body is not elementwise: it reshapes, so that it runs element by element."""
    op = draw(reduces()).module.main.body.ops[0]
    region = op.regions[0]
    first, *ops = region.ops
    moved = Value("%moved", first.result.type)
    ops = [
        Op("stablehlo.reshape", (first.result,), (moved,)),
        *(_renamed(o, first.result, moved) for o in ops),
    ]
    body = Region(region.arguments, (first, *ops))
    return with_data(draw, replace(op, regions=(body,)))


def _renamed(op: Op, old: Value, new: Value) -> Op:
    return replace(op, operands=tuple(new if v.name == old.name else v for v in op.operands))


EDGES = (
    0.0,
    -0.0,
    0.5,
    -1.5,
    2.5,
    1.0,
    -1.0,
    127.0,
    128.0,
    -129.0,
    255.5,
    2.0**31,
    -(2.0**63),
    2.0**64,
    1e-40,
)
FLOATS = np.array([*EDGES, np.nan, -np.nan, np.inf, -np.inf, 65504.0, 6e-8, 3.4e38])
INTEGERS = (-(2**63), -9, -3, -2, -1, 0, 1, 2, 3, 4, 7, 8, 9, 31, 32, 2**64 - 1)


def special(rng: np.random.Generator, type: TensorType) -> np.ndarray:
    """Elements at the edges of a type: zeros, infinities, NaNs, bounds, and the numbers beside them."""
    storage, element, dtype = type.storage_type, type.element_type, np.dtype(type.storage_type.numpy)
    if storage.kind == "complex":
        part = TensorType(type.shape, ELEMENT_TYPES[storage.name[8:-1]])
        return np.stack([special(rng, part), special(rng, part)], -1).view(dtype)[..., 0]
    if storage.kind == "float":
        with np.errstate(all="ignore"):
            return rng.choice(FLOATS, type.shape).astype(dtype)
    if storage.kind == "boolean":
        return rng.integers(0, 2, type.shape).astype(bool)
    low, high = storage.min_value, storage.max_value
    if isinstance(element, QuantizedType):
        low, high = element.storage_min, element.storage_max
    chosen = [min(max(INTEGERS[k], low), high) for k in rng.integers(0, len(INTEGERS), prod(type.shape))]
    return np.array(chosen, object).astype(dtype).reshape(type.shape)


def edges(type: TensorType) -> np.ndarray:
    """A few dozen special values, always the same."""
    return special(np.random.default_rng(5), type)


def table(name: str, element: Element, result: Element, **attributes: object) -> Program:
    """One operation on every pair of edge values of a type."""
    column = edges(TensorType((40,), element))
    pairs = np.repeat(column, 40).reshape(40, 40)
    type, out = TensorType((40, 40), element), TensorType((40, 40), result)
    return Program(module(operation(name, [type, type], out, **attributes)), (pairs, pairs.T.copy()))


def tables() -> Iterator[Program]:
    """Integer arithmetic, and comparisons of floats and complex numbers in every direction and order."""
    for element in map(ELEMENT_TYPES.__getitem__, ("i2", "i8", "i16", "i32", "i64", "ui4", "ui32", "ui64")):
        for name in op_programs.BINARY["integer"].split():
            yield table(name, element, element)
    for element in map(ELEMENT_TYPES.__getitem__, ("f16", "f32", "f64", "complex<f32>")):
        orders = ["FLOAT"] if element.kind == "complex" else ["FLOAT", "TOTALORDER"]
        for direction, order in product(DIRECTIONS, orders):
            attributes = {"comparison_direction": direction, "compare_type": order}
            yield table("compare", element, ELEMENT_TYPES["i1"], **attributes)


@st.composite
def specials(draw: st.DrawFn) -> Program:
    """Elementwise operations and conversions on special values."""
    families = [op_programs.FAMILIES[name] for name in ("plain", "quantized", "choice", "conversion")]
    module = draw(st.one_of(*families, complexes())).module
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Program(module, tuple(special(rng, v.type) for v in module.main.inputs))


FAMILIES = {
    "specials": specials(),
    "blocks": blocks(),
    "complexes": complexes(),
    "complex_bits": complex_bits(),
    "recast": recast(),
    "captured": captured(),
}
