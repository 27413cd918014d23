"""One operator as a program: built from the types of its inputs, kept by them, and run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from interp.apps.onnx.loading.build_folds import Folds
from interp.apps.onnx.loading.quantize import plain
from interp.apps.onnx.loading.quantized_operators import OPERATORS
from interp.backends.dtypes import numpy_dtype
from interp.engine.tensor import Tensor
from interp.execute.run import run
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Region, Value
from spec.onnx.node import Node, version_of
from spec.rules.onnx.verify import verify
from spec.types import ELEMENT_TYPES, ElementType, TensorType

NARROW = ("int2", "uint2", "int4", "uint4")  # ml_dtypes' integers, which are stored in 8 bits here
BY_DTYPE = {
    numpy_dtype(type): type
    for type in ELEMENT_TYPES.values()
    if type.bits >= 8 or type.kind in ("float", "boolean")
}


def to_tensor(given: Any, name: str, otherwise: ElementType) -> Tensor:
    """Return an input as a tensor; Python's numbers take the type `otherwise`."""
    if isinstance(given, Tensor):
        return given
    array = np.asarray(given)
    if not hasattr(given, "dtype"):
        return Tensor(TensorType(array.shape, otherwise), array.astype(numpy_dtype(otherwise)))
    if array.dtype.name in NARROW:
        narrow = ELEMENT_TYPES[array.dtype.name.replace("uint", "ui").replace("int", "i")]
        return Tensor(TensorType(array.shape, narrow), array.astype(numpy_dtype(narrow)))
    if array.dtype not in BY_DTYPE:
        raise Malformed(f"{name} is an array of {array.dtype}", "expected numbers of NumPy or ml_dtypes")
    return Tensor(TensorType(array.shape, BY_DTYPE[array.dtype]), array)


def call(
    operator: str, opset: int, inputs: Mapping[str, Tensor | None], attributes: Mapping[str, Any]
) -> tuple[Tensor, ...]:
    """Return the outputs of an operator; attributes that are given as their default may be later ones."""
    given = {name: x for name, x in inputs.items() if x is not None}
    node = node_of(operator, opset, given, attributes)
    for violation in verify(node):
        raise violation
    types = tuple((name, type) for name, type in node.inputs.items())
    module = program(operator, node.version, types, tuple(sorted(node.attributes.items())))
    return run(module, *given.values())


def node_of(operator: str, opset: int, inputs: Mapping[str, Tensor], attributes: Mapping[str, Any]) -> Node:
    """Return the node for an operator's inputs; zero points are known, to be checked."""
    version = version_of(operator, opset)
    types = {name: x.type for name, x in inputs.items()}
    bare = Node(operator, version, types)
    numbers = {k: int(x) if isinstance(x, bool | np.integer) else x for k, x in attributes.items()}
    chosen = {name: value for name, value in numbers.items() if value != bare[name]}
    points = {
        name: tuple(np.asarray(x).astype(float).ravel())
        for name, x in inputs.items()
        if "zero_point" in name and x.type.size <= 1 << 16
    }
    return Node(operator, version, types, chosen, points)


@lru_cache(maxsize=512)
def program(
    operator: str,
    version: int,
    types: tuple[tuple[str, TensorType], ...],
    attributes: tuple[tuple[str, Any], ...],
) -> Module:
    """Return a program of one operator, whose parameters are its inputs."""
    return module_of(Node(operator, version, dict(types), dict(attributes)))


def module_of(node: Node) -> Module:
    """Return a program of one node, whose parameters are its inputs."""
    inputs = {name: Value(f"%{name}", type) for name, type in node.inputs.items()}
    b = Folds({value.name for value in inputs.values()}, hint="y")
    outputs = tuple(plain(b, value) for value in OPERATORS[node.operator](b, node, inputs))
    body = Region(tuple(inputs.values()), (*b.ops, Op("func.return", outputs, ())))
    return Module({"main": Func("main", body, tuple(value.type for value in outputs))})
