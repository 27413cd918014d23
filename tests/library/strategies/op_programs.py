"""Random single-operation programs: elementwise, conversions, shape operations, contractions."""

from __future__ import annotations

from hypothesis import strategies as st

from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized
from tests.library.builders import Element, operation
from tests.library.strategies.algebra_programs import ALGEBRA
from tests.library.strategies.programs import (
    FLOATS,
    INTEGERS,
    SHAPES,
    SIZES,
    Program,
    quantized_types,
    with_data,
)

UNARY = {
    "float": "abs ceil floor is_finite negate reduce_precision round_nearest_afz round_nearest_even "
    "sign sqrt",
    "integer": "abs count_leading_zeros negate not popcnt sign",
    "i1": "not",
    "complex": "abs negate real imag sign",
}
BINARY = {
    "float": "add divide maximum minimum multiply remainder subtract",
    "integer": "add and divide maximum minimum multiply or power remainder shift_left "
    "shift_right_arithmetic shift_right_logical subtract xor",
    "i1": "add and maximum minimum multiply or xor",
    "complex": "add divide maximum minimum multiply subtract",
}
TRANSCENDENTAL = (
    "cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine tan tanh atan2 power"
).split()
CONVERSIONS = (
    "convert bitcast_convert uniform_quantize uniform_dequantize quant.qcast quant.dcast quant.scast".split()
)
DIRECTIONS = ("EQ", "NE", "GE", "GT", "LE", "LT")


def program(
    draw: st.DrawFn, name: str, inputs: list[TensorType], result: TensorType, **attributes: object
) -> Program:
    return with_data(draw, operation(name, inputs, result, **attributes))


def plain_element(draw: st.DrawFn, kind: str) -> Element:
    names = {
        "float": FLOATS,
        "integer": INTEGERS,
        "i1": ("i1",),
        "complex": ("complex<f32>", "complex<f64>"),
    }[kind]
    return ELEMENT_TYPES[draw(st.sampled_from(names))]


def other_parameters(draw: st.DrawFn, type: QuantizedType) -> QuantizedType:
    """The same storage and expressed type with another scale and zero point."""
    scale = draw(st.sampled_from((0.5, 0.3, 1.0, 7.0)))
    zero_point = draw(st.integers(type.storage_min, type.storage_max))
    return make_quantized(
        type.spelling,
        type.expressed_type.name,
        scale,
        zero_point,
        storage_min=type.storage_min,
        storage_max=type.storage_max,
    )


def attributes(draw: st.DrawFn, name: str) -> dict[str, object]:
    """Draw the attributes of an elementwise operation."""
    if name != "reduce_precision":
        return {}
    return {"exponent_bits": draw(st.integers(2, 11)), "mantissa_bits": draw(st.integers(0, 52))}


@st.composite
def plain_elementwise(draw: st.DrawFn) -> Program:
    """Every operation on floats, integers, booleans and complex numbers that is exact or rounded once."""
    kind = draw(st.sampled_from(list(UNARY)))
    name = draw(st.sampled_from((UNARY[kind] + " " + BINARY[kind]).split()))
    element, shape = plain_element(draw, kind), draw(SHAPES)
    if name in ("abs", "sign", "negate") and kind == "integer" and element.kind == "unsigned":
        name = "not"
    if name in ("abs", "sign") and kind == "complex":
        element = ELEMENT_TYPES["complex<f32>"]  # the modulus of complex<f64> is a row of the Agreement table
    result = element
    if name == "is_finite":
        result = ELEMENT_TYPES["i1"]
    if name in ("real", "imag") or (name == "abs" and kind == "complex"):
        result = ELEMENT_TYPES[element.name[8:-1]]
    arity = 1 if name in UNARY[kind].split() else 2
    return program(
        draw, name, [TensorType(shape, element)] * arity, TensorType(shape, result), **attributes(draw, name)
    )


@st.composite
def quantized_elementwise(draw: st.DrawFn) -> Program:
    """The same on per-tensor quantized operands, each with parameters of its own."""
    name = draw(st.sampled_from((UNARY["float"] + " " + BINARY["float"] + " clamp").split()))
    base, shape = draw(quantized_types()), draw(SHAPES)
    arity = 3 if name == "clamp" else 1 if name in UNARY["float"].split() else 2
    inputs = [
        TensorType(shape, draw(st.sampled_from([base, other_parameters(draw, base)]))) for _ in range(arity)
    ]
    if name == "clamp" and draw(st.booleans()):
        inputs[0], inputs[2] = (TensorType((), t.element_type) for t in (inputs[0], inputs[2]))
    result = ELEMENT_TYPES["i1"] if name == "is_finite" else other_parameters(draw, base)
    return program(draw, name, inputs, TensorType(shape, result), **attributes(draw, name))


@st.composite
def choices(draw: st.DrawFn) -> Program:
    """compare, select and clamp."""
    kind = draw(st.sampled_from(["float", "integer", "i1", "quantized"]))
    element = draw(quantized_types()) if kind == "quantized" else plain_element(draw, kind)
    shape = draw(SHAPES)
    type, boolean = TensorType(shape, element), TensorType(shape, ELEMENT_TYPES["i1"])
    name = draw(st.sampled_from(["compare", "select", "clamp"]))
    if name == "compare":
        attributes = {"comparison_direction": draw(st.sampled_from(DIRECTIONS))}
        if kind == "float":
            attributes["compare_type"] = draw(st.sampled_from(["FLOAT", "TOTALORDER"]))
        return program(draw, name, [type, type], boolean, **attributes)
    small = draw(st.booleans())
    if name == "select":
        pred = TensorType((), ELEMENT_TYPES["i1"]) if small else boolean
        return program(draw, name, [pred, type, type], type)
    bound = TensorType((), element) if small else type
    return program(draw, name, [bound, type, bound], type)


@st.composite
def conversions(draw: st.DrawFn) -> Program:
    """convert between all plain kinds, bitcast_convert, uniform_quantize and uniform_dequantize."""
    name = draw(st.sampled_from(CONVERSIONS))
    shape = draw(SHAPES)
    if name == "convert":
        source, result = (plain_element(draw, draw(st.sampled_from(list(UNARY)))) for _ in range(2))
        return program(draw, name, [TensorType(shape, source)], TensorType(shape, result))
    if name == "bitcast_convert":
        return bitcast(draw, shape)
    type = draw(quantized_types())
    if draw(st.booleans()) and shape and all(shape):
        type = per_axis(draw, type, shape)
    plain = TensorType(shape, type.expressed_type)
    if name == "quant.scast":
        plain = TensorType(shape, ELEMENT_TYPES[f"i{type.storage_type.bits}"])
    if name in ("uniform_dequantize", "quant.dcast", "quant.scast"):
        return program(draw, name, [TensorType(shape, type)], plain)
    if name == "quant.qcast":
        return program(draw, name, [plain], TensorType(shape, type))
    source = draw(quantized_types(type.expressed_type.name)) if draw(st.booleans()) else type.expressed_type
    return program(draw, name, [TensorType(shape, source)], TensorType(shape, type))


def bitcast(draw: st.DrawFn, shape: tuple[int, ...]) -> Program:
    """Between any two types whose widths divide."""
    names = (*FLOATS, *INTEGERS)
    source = ELEMENT_TYPES[draw(st.sampled_from(names))]
    result = ELEMENT_TYPES[draw(st.sampled_from(names))]
    if source.bits > result.bits:
        return program(
            draw,
            "bitcast_convert",
            [TensorType(shape, source)],
            TensorType((*shape, source.bits // result.bits), result),
        )
    if source.bits < result.bits:
        return program(
            draw,
            "bitcast_convert",
            [TensorType((*shape, result.bits // source.bits), source)],
            TensorType(shape, result),
        )
    return program(draw, "bitcast_convert", [TensorType(shape, source)], TensorType(shape, result))


def per_axis(draw: st.DrawFn, type: QuantizedType, shape: tuple[int, ...]) -> QuantizedType:
    """A per-axis type of that storage: one scale and zero point per slice of a dimension."""
    d = draw(st.integers(0, len(shape) - 1))
    scales = [draw(st.sampled_from((0.5, 0.3, 1.0, 7.0))) for _ in range(shape[d])]
    points = [draw(st.integers(type.storage_min, type.storage_max)) for _ in range(shape[d])]
    return make_quantized(
        type.spelling,
        type.expressed_type.name,
        scales,
        points,
        storage_min=type.storage_min,
        storage_max=type.storage_max,
        quantization_dimension=d,
    )


@st.composite
def structures(draw: st.DrawFn) -> Program:
    """The operations that move elements."""
    element = draw(
        st.one_of(quantized_types(), st.sampled_from([ELEMENT_TYPES[n] for n in ("f32", "i8", "i1", "bf16")]))
    )
    shape = draw(SHAPES)
    type, rank = TensorType(shape, element), len(shape)
    name = draw(
        st.sampled_from(
            ["iota", "transpose", "reverse", "slice", "pad", "concatenate", "broadcast_in_dim", "reshape"]
        )
    )
    if name == "iota":
        element = ELEMENT_TYPES["ui8"] if element == ELEMENT_TYPES["i1"] else element
        longer = TensorType((draw(SIZES), *shape), element)
        return program(draw, name, [], longer, iota_dimension=draw(st.integers(0, rank)))
    if name == "transpose":
        order = tuple(draw(st.permutations(range(rank))))
        return program(
            draw, name, [type], TensorType(tuple(shape[d] for d in order), element), permutation=order
        )
    if name == "reverse":
        dims = tuple(draw(st.lists(st.sampled_from(range(rank)), unique=True))) if rank else ()
        return program(draw, name, [type], type, dimensions=dims)
    if name == "slice":
        start = tuple(draw(st.integers(0, n)) for n in shape)
        limit = tuple(draw(st.integers(s, n)) for s, n in zip(start, shape, strict=True))
        strides = tuple(draw(st.integers(1, 3)) for _ in shape)
        out = tuple(-(-(b - a) // s) for a, b, s in zip(start, limit, strides, strict=True))
        attributes = {"start_indices": start, "limit_indices": limit, "strides": strides}
        return program(draw, name, [type], TensorType(out, element), **attributes)
    if name == "pad":
        interior = tuple(draw(st.integers(0, 2)) for _ in shape)
        dilated = [n + max(n - 1, 0) * i for n, i in zip(shape, interior, strict=True)]
        low = tuple(draw(st.integers(-min(2, n), 2)) for n in dilated)
        high = tuple(draw(st.integers(-min(2, n + a), 2)) for n, a in zip(dilated, low, strict=True))
        out = tuple(n + a + b for n, a, b in zip(dilated, low, high, strict=True))
        attributes = {"edge_padding_low": low, "edge_padding_high": high, "interior_padding": interior}
        return program(draw, name, [type, TensorType((), element)], TensorType(out, element), **attributes)
    if name == "concatenate" and rank:
        d = draw(st.integers(0, rank - 1))
        sizes = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
        inputs = [TensorType((*shape[:d], n, *shape[d + 1 :]), element) for n in sizes]
        result = TensorType((*shape[:d], sum(sizes), *shape[d + 1 :]), element)
        return program(draw, name, inputs, result, dimension=d)
    if name == "reshape":
        flat = TensorType((type.size,), element)
        return program(draw, name, [type], flat)
    return broadcast(draw, type)


def broadcast(draw: st.DrawFn, type: TensorType) -> Program:
    """broadcast_in_dim into one more dimension, sizes of 1 expanded."""
    rank = type.rank + draw(st.integers(0, 1))
    dims = tuple(draw(st.permutations(range(rank))))[: type.rank]
    out = [draw(st.integers(0, 3)) for _ in range(rank)]
    for d, n in zip(dims, type.shape, strict=True):
        out[d] = draw(st.integers(0, 3)) if n == 1 else n
    result = TensorType(tuple(out), type.element_type)
    return program(draw, "broadcast_in_dim", [type], result, broadcast_dimensions=dims)


@st.composite
def contracted_types(
    draw: st.DrawFn, weight_shape: tuple[int, ...], axis: int
) -> tuple[Element, Element, Element]:
    """Element types of lhs, rhs and result: plain, quantized, hybrid, per-axis weights."""
    kind = draw(st.sampled_from(["float", "integer", "quantized", "hybrid"]))
    if kind in ("float", "integer"):
        element, other = plain_element(draw, kind), plain_element(draw, kind)
        mixed = kind == "integer" and element.kind == other.kind and element.bits < other.bits
        if kind == "integer" and element.bits <= 32 and draw(st.integers(0, 4)) == 0:
            return element, element, plain_element(draw, "float")
        return element, element, other if mixed or (kind == "float" and element.precision <= 24) else element
    lhs = draw(quantized_types())
    scales = [draw(st.sampled_from((0.5, 0.3, 1.0))) for _ in range(weight_shape[axis])]
    sliced = draw(st.booleans()) and bool(scales)
    rhs = make_quantized(
        lhs.spelling,
        lhs.expressed_type.name,
        scales if sliced else 0.3,
        0,
        quantization_dimension=axis if sliced else None,
    )
    result = draw(quantized_types(lhs.expressed_type.name))
    if kind == "hybrid":
        return lhs.expressed_type, rhs, lhs.expressed_type
    return lhs, rhs, result


@st.composite
def dots(draw: st.DrawFn) -> Program:
    """dot_general with batching and contracting dimensions in any place."""
    batch, free_l, free_r, contracted = (draw(st.lists(st.integers(0, 3), max_size=n)) for n in (1, 2, 1, 2))
    left = [("b", n) for n in batch] + [("c", n) for n in contracted] + [("l", n) for n in free_l]
    right = [("b", n) for n in batch] + [("c", n) for n in contracted] + [("r", n) for n in free_r]
    order_l, order_r = draw(st.permutations(range(len(left)))), draw(st.permutations(range(len(right))))
    lhs_shape, rhs_shape = tuple(left[i][1] for i in order_l), tuple(right[i][1] for i in order_r)
    nb, nc = len(batch), len(contracted)
    attributes = {
        "lhs_batching_dimensions": tuple(order_l.index(i) for i in range(nb)),
        "rhs_batching_dimensions": tuple(order_r.index(i) for i in range(nb)),
        "lhs_contracting_dimensions": tuple(order_l.index(nb + i) for i in range(nc)),
        "rhs_contracting_dimensions": tuple(order_r.index(nb + i) for i in range(nc)),
    }
    kept_l = [left[i][1] for i in order_l if left[i][0] == "l"]
    kept_r = [right[i][1] for i in order_r if right[i][0] == "r"]
    axis = order_r.index(len(right) - 1) if free_r else 0
    lhs, rhs, result = draw(contracted_types(rhs_shape if free_r else (0,), axis))
    out = TensorType((*batch, *kept_l, *kept_r), result)
    return program(
        draw, "dot_general", [TensorType(lhs_shape, lhs), TensorType(rhs_shape, rhs)], out, **attributes
    )


@st.composite
def convolutions(draw: st.DrawFn) -> Program:
    """convolution in up to two dimensions: strides, padding, dilations, reversal, groups, any layout."""
    n = draw(st.integers(0, 2))
    feature_groups, batch_groups = draw(st.sampled_from([(1, 1), (2, 1), (1, 2)]))
    inputs, outputs = draw(st.integers(1, 2)), draw(st.integers(1, 2)) * feature_groups * batch_groups
    batch = draw(st.integers(1, 2)) * batch_groups
    space = [draw(st.integers(1, 4)) for _ in range(n)]
    kernel = [draw(st.integers(1, 3)) for _ in range(n)]
    strides = tuple(draw(st.integers(1, 2)) for _ in range(n))
    pads = tuple((draw(st.integers(0, 1)), draw(st.integers(0, 1))) for _ in range(n))
    lhs_dilation = tuple(draw(st.integers(1, 2)) for _ in range(n))
    rhs_dilation = tuple(draw(st.integers(1, 2)) for _ in range(n))
    out = []
    for d in range(n):
        padded = (space[d] - 1) * lhs_dilation[d] + 1 + sum(pads[d])
        span = (kernel[d] - 1) * rhs_dilation[d] + 1
        out.append(0 if span > padded else (padded - span) // strides[d] + 1)
    places = [tuple(draw(st.permutations(range(n + 2)))) for _ in range(3)]
    (ib, i_f, *isp), (kif, kof, *ks), (ob, of, *os_) = places
    attributes = {
        "window_strides": strides,
        "padding": pads,
        "lhs_dilation": lhs_dilation,
        "rhs_dilation": rhs_dilation,
        "window_reversal": tuple(draw(st.booleans()) for _ in range(n)),
        "input_batch_dimension": ib,
        "input_feature_dimension": i_f,
        "input_spatial_dimensions": tuple(isp),
        "kernel_input_feature_dimension": kif,
        "kernel_output_feature_dimension": kof,
        "kernel_spatial_dimensions": tuple(ks),
        "output_batch_dimension": ob,
        "output_feature_dimension": of,
        "output_spatial_dimensions": tuple(os_),
        "feature_group_count": feature_groups,
        "batch_group_count": batch_groups,
    }
    lhs_shape = place((batch, inputs * feature_groups, *space), places[0])
    rhs_shape = place((inputs, outputs, *kernel), places[1])
    out_shape = place((batch // batch_groups, outputs, *out), places[2])
    lhs, rhs, result = draw(contracted_types(rhs_shape, kof))
    types = [TensorType(lhs_shape, lhs), TensorType(rhs_shape, rhs)]
    return program(draw, "convolution", types, TensorType(out_shape, result), **attributes)


def place(sizes: tuple[int, ...], places: tuple[int, ...]) -> tuple[int, ...]:
    """Dimension sizes put where a layout wants them."""
    shape = [0] * len(sizes)
    for size, d in zip(sizes, places, strict=True):
        shape[d] = size
    return tuple(shape)


@st.composite
def transcendentals(draw: st.DrawFn) -> Program:
    """The functions whose result is the correctly rounded one, on f16, bf16 and f32."""
    name = draw(st.sampled_from(TRANSCENDENTAL))
    type = TensorType(draw(SHAPES), ELEMENT_TYPES[draw(st.sampled_from(["f16", "bf16", "f32"]))])
    return program(draw, name, [type] * (2 if name in ("atan2", "power") else 1), type)


FAMILIES = {
    "plain": plain_elementwise(),
    "quantized": quantized_elementwise(),
    "choice": choices(),
    "conversion": conversions(),
    "structure": structures(),
    "dot": dots(),
    "convolution": convolutions(),
    "transcendental": transcendentals(),
    **ALGEBRA,
}
