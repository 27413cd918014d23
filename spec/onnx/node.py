"""A node of an ONNX graph: operator, version, types of inputs, attributes; and each operator's signature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from spec.elements import ElementType
from spec.errors import UNKNOWN, Location, Malformed
from spec.ir import Value
from spec.onnx.types import BY_NUMBER
from spec.types import TensorType


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
