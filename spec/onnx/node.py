"""A node of an ONNX graph: element types, signatures, granularity, shapes of products and windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spec.elements import ELEMENT_TYPES, ElementType
from spec.errors import UNKNOWN, Location, Malformed
from spec.ir import Value
from spec.types import TensorType

# ONNX's names and numbers of element types, and the version since which each operator takes a type.

# By ONNX's name: the number in TensorProto.DataType, and the element type.
_NUMBERED = {
    "float": (1, "f32"),
    "uint8": (2, "ui8"),
    "int8": (3, "i8"),
    "uint16": (4, "ui16"),
    "int16": (5, "i16"),
    "int32": (6, "i32"),
    "int64": (7, "i64"),
    "bool": (9, "i1"),
    "float16": (10, "f16"),
    "double": (11, "f64"),
    "uint32": (12, "ui32"),
    "uint64": (13, "ui64"),
    "bfloat16": (16, "bf16"),
    "float8e4m3fn": (17, "f8E4M3FN"),
    "float8e4m3fnuz": (18, "f8E4M3FNUZ"),
    "float8e5m2": (19, "f8E5M2"),
    "float8e5m2fnuz": (20, "f8E5M2FNUZ"),
    "uint4": (21, "ui4"),
    "int4": (22, "i4"),
    "float4e2m1": (23, "f4E2M1FN"),
    "float8e8m0": (24, "f8E8M0FNU"),
    "uint2": (25, "ui2"),
    "int2": (26, "i2"),
    "float6e2m3": (27, "f6E2M3FN"),
    "float6e3m2": (28, "f6E3M2FN"),
}
NUMBERS = {name: number for name, (number, _) in _NUMBERED.items()}
ONNX_NAMES = {element: name for name, (_, element) in _NUMBERED.items()}
BY_NUMBER = {number: ELEMENT_TYPES[element] for number, element in _NUMBERED.values()}

Since = Mapping[str, int]  # versions by the name of an element type

FLOAT8 = ("f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ")
INT8: Since = {"i8": 10, "ui8": 10}
QUANTIZED: Since = {
    **INT8,
    **dict.fromkeys(FLOAT8, 19),
    **dict.fromkeys(("i16", "ui16", "i4", "ui4"), 21),
    "f4E2M1FN": 23,
    **dict.fromkeys(("i2", "ui2"), 25),
    **dict.fromkeys(("f6E2M3FN", "f6E3M2FN"), 28),
}
REAL: Since = {"f32": 10, "f16": 19, "bf16": 19}
SCALE: Since = {**REAL, "f8E8M0FNU": 24}


def number_of(type: ElementType) -> int:
    """Return the number of an element type in TensorProto.DataType."""
    return NUMBERS[ONNX_NAMES[type.name]]


def type_number(given: int | str) -> int:
    """Return the number for a number, ONNX's name ("uint8") or an element type's ("ui8"); 0 is undefined."""
    if isinstance(given, int):
        return given
    name = ONNX_NAMES.get(given, given)
    if name not in NUMBERS:
        raise Malformed(f"{given!r} is not an element type of ONNX", f"expected one of {', '.join(NUMBERS)}")
    return NUMBERS[name]


def type_names(table: Since, version: int) -> tuple[str, ...]:
    """Return the names of the types that a version takes."""
    return tuple(name for name, since in table.items() if since <= version)


class Signature(NamedTuple):
    """The versions of an operator, its inputs (`optional` of them may be absent), outputs and attributes.

    An attribute has the version since which it exists, and its default.
    """

    versions: tuple[int, ...]
    inputs: tuple[str, ...]
    optional: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, tuple[int, Any]]


LINEAR = (10, 13, 19, 21, 23, 24, 25, 28)
WINDOW = {
    "auto_pad": (10, "NOTSET"),
    "dilations": (10, ()),
    "group": (10, 1),
    "kernel_shape": (10, ()),
    "pads": (10, ()),
    "strides": (10, ()),
}
SIGNATURES = {
    "QuantizeLinear": Signature(
        LINEAR,
        ("x", "y_scale", "y_zero_point"),
        ("y_zero_point",),
        ("y",),
        {
            "axis": (13, 1),
            "saturate": (19, 1),
            "block_size": (21, 0),
            "output_dtype": (21, 0),
            "precision": (23, 0),
        },
    ),
    "DequantizeLinear": Signature(
        LINEAR,
        ("x", "x_scale", "x_zero_point"),
        ("x_zero_point",),
        ("y",),
        {"axis": (13, 1), "block_size": (21, 0), "output_dtype": (23, 0)},
    ),
    "DynamicQuantizeLinear": Signature((11,), ("x",), (), ("y", "y_scale", "y_zero_point"), {}),
    "MatMulInteger": Signature(
        (10,), ("A", "B", "a_zero_point", "b_zero_point"), ("a_zero_point", "b_zero_point"), ("Y",), {}
    ),
    "ConvInteger": Signature(
        (10,), ("x", "w", "x_zero_point", "w_zero_point"), ("x_zero_point", "w_zero_point"), ("y",), WINDOW
    ),
    "QLinearMatMul": Signature(
        (10, 21),
        ("a", "a_scale", "a_zero_point", "b", "b_scale", "b_zero_point", "y_scale", "y_zero_point"),
        (),
        ("y",),
        {},
    ),
    "QLinearConv": Signature(
        (10,),
        ("x", "x_scale", "x_zero_point", "w", "w_scale", "w_zero_point", "y_scale", "y_zero_point", "B"),
        ("B",),
        ("y",),
        WINDOW,
    ),
}


def version_of(operator: str, opset: int) -> int:
    """Return the version of an operator that an operator set contains: the latest one up to its number."""
    versions = SIGNATURES[operator].versions
    if not isinstance(opset, int) or opset < versions[0]:
        listed = ", ".join(map(str, versions))
        raise Malformed(f"{operator} has no version for opset {opset}", f"its versions are {listed}")
    return max(v for v in versions if v <= opset)


@dataclass(frozen=True)
class Node:
    """A node: operator, version, and the types of its inputs by name; absent optional inputs are left out.

    `attributes` has those that are given; `node[name]` is the value of an input, or an attribute or its
    default. `known` has the elements of inputs that are known before the program runs.
    """

    operator: str
    version: int
    inputs: Mapping[str, TensorType]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    known: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    location: Location = field(default=UNKNOWN, compare=False)

    @property
    def signature(self) -> Signature:
        return SIGNATURES[self.operator]

    def __getitem__(self, name: str) -> Any:
        if name in self.inputs:
            return Value(name, self.inputs[name])
        if name in ("version", "attributes"):
            return getattr(self, name)
        if name in self.attributes or name not in self.signature.attributes:
            return self.attributes[name]
        return self.signature.attributes[name][1]

    def has(self, name: str) -> bool:
        """Return whether an optional input is given."""
        return name in self.inputs

    def element(self, name: str) -> ElementType:
        """Return the element type of an input."""
        return self.inputs[name].tensor_element_type

    def type_named(self, attribute: str) -> ElementType | None:
        """Return the element type that an attribute numbers, or None if it is 0."""
        return BY_NUMBER[self[attribute]] if self[attribute] else None


# Granularity of quantization: one scale, one for each slice along an axis, or blocks.


def is_per_tensor(scale: TensorType, node: Node) -> bool:
    """Return whether there is one scale: a scalar, or a vector of one element that is no block's."""
    return scale.rank == 0 or (scale.shape == (1,) and not node["block_size"])


def axis_of(node: Node) -> int:
    """Return the axis, counted from the front."""
    return int(node["axis"]) % node["x"].type.rank


# Shapes of matrix products as NumPy's matmul, and windows of ONNX's convolutions.

Shape = tuple[int, ...]


def broadcast(first: Sequence[int], second: Sequence[int]) -> Shape:
    """Return the common shape of two, as NumPy; ValueError if there is none."""
    rank = max(len(first), len(second))
    columns = zip(*((1,) * (rank - len(s)) + tuple(s) for s in (first, second)), strict=True)
    shape = []
    for a, b in columns:
        if a != b and 1 not in (a, b):
            raise ValueError(f"{tuple(first)} and {tuple(second)} do not broadcast")
        shape.append(b if a == 1 else a)
    return tuple(shape)


class Product(NamedTuple):
    """A matrix product: shapes of a (..., M, K) and b (..., K, N) with vectors made matrices; and of y."""

    a: Shape
    b: Shape
    batch: Shape
    y: Shape


def matmul(a: Shape, b: Shape) -> Product:
    """Return the shapes of NumPy's matmul; ValueError if it has none."""
    first = a if len(a) > 1 else (1, *a)
    second = b if len(b) > 1 else (*b, 1)
    if not a or not b or first[-1] != second[-2]:
        raise ValueError(f"no product of {a} and {b}")
    batch = broadcast(first[:-2], second[:-2])
    y = (*batch, *(first[-2:-1] if len(a) > 1 else ()), *(second[-1:] if len(b) > 1 else ()))
    return Product(first, second, batch, y)


class Windows(NamedTuple):
    """Kernel, strides, dilations and padding (before, after), per spatial dimension; the result's sizes."""

    kernel: Shape
    strides: Shape
    dilations: Shape
    padding: tuple[tuple[int, int], ...]
    sizes: Shape


def windows(node: Node) -> Windows:
    """Return the windows of a convolution of x by w."""
    spatial, kernel = node["x"].type.shape[2:], node["w"].type.shape[2:]
    ones = (1,) * len(spatial)
    strides, dilations = tuple(node["strides"]) or ones, tuple(node["dilations"]) or ones
    reach = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True))
    padding = window_padding(node, spatial, reach, strides)
    rows = zip(spatial, padding, reach, strides, strict=True)
    sizes = tuple(max(0, (n + sum(pair) - r) // s + 1) for n, pair, r, s in rows)
    return Windows(kernel, strides, dilations, padding, sizes)


def window_padding(node: Node, spatial: Shape, reach: Shape, strides: Shape) -> tuple[tuple[int, int], ...]:
    """Return the padding that `pads` gives, or `auto_pad` asks for."""
    rank, how = len(spatial), node["auto_pad"]
    if how in ("NOTSET", "VALID"):
        pads = tuple(node["pads"]) if how == "NOTSET" and node["pads"] else (0,) * (2 * rank)
        return tuple(zip(pads[:rank], pads[rank:], strict=True))
    found = []
    for n, r, s in zip(spatial, reach, strides, strict=True):
        total = max(0, (-(-n // s) - 1) * s + r - n)
        less = total // 2
        found.append((less, total - less) if how == "SAME_UPPER" else (total - less, less))
    return tuple(found)
