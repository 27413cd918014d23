"""Composites: a node on stored integers as one operation, beside the float function that it stands for.

What a node computes with plain integers, such as a softmax in fixed point or a table, does not tell what it
approximates. Such a node becomes the composite `litert.SOFTMAX`: its decomposition has the bits of the
kernel, and its `interp.float` is the same operator on expressed types, built from dequantized constants.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np

from interp.apps.litert.contents import NodeContent, Tensor
from interp.apps.litert.node import F32, Node, Result, Symbol, value_in
from interp.apps.litert.operators import TABLE
from interp.engine.tensor import Tensor as DequantizedTensor
from interp.loading.build import Folds
from interp.loading.writer import drop_unused, names_of
from interp.rewrite.integers_as_reals import BITCAST, reinterpretations
from spec.attributes import Opaque
from spec.attributes import Symbol as Name
from spec.errors import InterpError
from spec.ir import Func, Module, Op, Region, Value, reads
from spec.twins import NAME
from spec.types import QuantizedType, TensorType

FLOAT32 = 0  # the number of the element type
COMPOSED = ("BATCH_MATMUL",)  # which takes 14 operations of plain integers
# Contractions: the places of their operands, and of the bias, which counts in units of their scales' product.
CONTRACTIONS = {
    "CONV_2D": (0, 1, 2),
    "DEPTHWISE_CONV_2D": (0, 1, 2),
    "FULLY_CONNECTED": (0, 1, 2),
    "TRANSPOSE_CONV": (2, 1, 3),
}


@dataclass
class Composites:
    """The functions of the composites of a module; `taken` are the names of others."""

    taken: set[str]
    functions: dict[str, Func] = field(default_factory=dict)
    kinds: set[Hashable] = field(default_factory=set)  # of nodes that became composites

    def build(self, n: Node) -> Sequence[Result]:
        """Return the results of a node: its operations, or a composite where these reinterpret storage."""
        tensors = _tensors(n)
        keeps_state = any(tensor.is_variable for tensor in tensors)  # which a function of its own could not
        if keeps_state or not any(isinstance(tensor.element, QuantizedType) for tensor in tensors):
            return build_operations(n)
        if (kind := _kind(n)) in self.kinds:
            return self._compose(n)
        block, constants = n.b.inner(), [s for s in n.inputs if s is not None and s.value is None]
        results = build_operations(replace(n, b=block))
        is_composite = n.content.operator in COMPOSED or _is_hybrid(n) or _reinterprets(block, results)
        if not is_composite:
            n.b.ops += block.ops
            n.b.known.update(block.known)
            return results
        self.kinds.add(kind)
        n.b.taken -= names_of([Region((), tuple(block.ops))])
        for symbol in constants:
            symbol.value = None  # it was written into the block
        return self._compose(n)

    def _compose(self, n: Node) -> Sequence[Value]:
        """Return the results of a composite, after its functions were added."""
        operands = {id(s): value_in(n.b, s) for s in n.inputs if s is not None and s.array is None}
        places = {k: list(operands).index(id(s)) for k, s in enumerate(n.inputs) if id(s) in operands}
        types, values = [x.type for x in operands.values()], list(operands.values())
        name = self._fresh_name(n.content)
        self.functions[name] = own = _write_function(n, name, types, places)
        names: dict[str, Any] = {"name": f"litert.{n.content.operator}", "decomposition": Name(name)}
        if all(k in places for k, s in enumerate(n.inputs) if s is not None):  # else it has constants inside
            names["composite_attributes"] = _options(n)
        try:
            twin = _write_function(float_node(n), f"{name}.float", types, places)
        except InterpError:  # the operator has no float form
            twin = None
        if twin is not None:
            self.functions[twin.name] = twin
            names[NAME] = Name(twin.name)
        results = tuple(Value(n.b.fresh(), type) for type in own.results)
        n.b.ops.append(Op("stablehlo.composite", tuple(values), results, names, (), n.b.location))
        return results

    def _fresh_name(self, content: NodeContent) -> str:
        names = (f"{content.operator.lower()}_{content.place}{f'_{k}' * (k > 0)}" for k in count())
        return next(name for name in names if not {name, f"{name}.float"} & {*self.functions, *self.taken})


def build_operations(n: Node) -> Sequence[Result]:
    """Return the results of a node, whose operations its builder appends."""
    try:
        built = TABLE[n.content.operator](n)
    except InterpError:
        raise
    except (ValueError, IndexError, KeyError, AssertionError, OverflowError, ZeroDivisionError) as error:
        raise n.malformed_error("its tensors do not fit together", f"{error}") from None
    return [built] if isinstance(built, Value | np.ndarray) else list(built)


def _kind(n: Node) -> Hashable:
    """Return what tells nodes apart that may be composites or not: operator, element types and options."""
    options = sorted((name, repr(value)) for name, value in n.content.options.items())
    return n.content.operator, *(tensor.storage.name for tensor in _tensors(n)), *options


def _tensors(n: Node) -> list[Tensor]:
    """Return the tensors of a node that hold elements."""
    tensors = (*(s.tensor for s in n.inputs if s is not None), *n.outputs)
    return [tensor for tensor in tensors if not tensor.is_resource]


def _reinterprets(block: Folds, results: Sequence[Result]) -> bool:
    """Return whether the operations of a block, with the constants that they read, reinterpret storage."""
    if not any(op.name == BITCAST for op in block.ops):
        return False
    own = {v.name for op in block.ops for v in op.results}
    outer = {v.name: v for op in block.ops for v in reads(op) if v.name not in own}
    constants = [block.find(("maker", name)) for name in outer]
    for maker in constants:
        constants += [block.find(("maker", v.name)) for v in maker.operands] if _is_constant(maker) else []
    before = [maker for maker in reversed(constants) if _is_constant(maker)]
    end = Op("func.return", tuple(x for x in results if isinstance(x, Value)), ())
    func = Func("node", Region((), (*before, *block.ops, end)), ())
    return bool(reinterpretations(Module({func.name: func})))


def _is_constant(maker: Op | None) -> bool:
    return maker is not None and maker.name in ("stablehlo.constant", "stablehlo.broadcast_in_dim")


def _is_hybrid(n: Node) -> bool:
    """Return whether a node contracts floats with integers: it quantizes the floats while it runs."""
    operator = n.content.operator
    if operator not in CONTRACTIONS:
        return False
    x, w, _ = CONTRACTIONS[operator]
    return n.tensor(x).element == F32 and isinstance(n.tensor(w).element, QuantizedType)


def _write_function(n: Node, name: str, types: Sequence[TensorType], places: Mapping[int, int]) -> Func:
    """Return a node as a function of its inputs that are not constant: input k is argument `places[k]`."""
    b = Folds(set(), location=n.b.location, hint="x")
    elements = {number: n.tensor(k).element for k, number in places.items()}
    arguments = [Value(b.fresh(), replace(t, element_type=elements[k])) for k, t in enumerate(types)]
    inputs = [
        None if s is None else Symbol(s.tensor, arguments[places[k]] if k in places else None, s.array)
        for k, s in enumerate(n.inputs)
    ]
    b.hint = n.content.operator.lower()
    return _function(name, arguments, b, build_operations(replace(n, b=b, inputs=inputs)))


def _function(name: str, arguments: Sequence[Value], b: Folds, results: Sequence[Result]) -> Func:
    returned = tuple(x for x in results if isinstance(x, Value))
    body = drop_unused([*b.ops, Op("func.return", returned, ())])
    return Func(name, Region(tuple(arguments), body), tuple(v.type for v in returned), public=False)


def _options(n: Node) -> Opaque:
    """Return the options of a node as an attribute, from which `write` has them."""
    texts = []
    for name, value in sorted(n.content.options.items()):
        number = _float_text(value) if isinstance(value, float) else f"{value}".lower()
        kind = "" if isinstance(value, bool) else " : f32" if isinstance(value, float) else " : i64"
        texts.append(f"{name} = {number}{kind}")
    return Opaque(f"{{{', '.join(texts)}}}")


def _float_text(value: float) -> str:
    """Return an f32 as MLIR prints it, with six digits where these are the number."""
    short = f"{value:.6e}"
    return short if np.float32(short) == np.float32(value) else f"{value:.17e}"


def float_node(n: Node) -> Node:
    """Return the same node on expressed types: its constants are dequantized."""
    inputs = [None if s is None else _in_floats(s, _real_array(n, k, s)) for k, s in enumerate(n.inputs)]
    outputs = [_float_tensor(t) if isinstance(t.element, QuantizedType) else t for t in n.outputs]
    return replace(n, inputs=inputs, outputs=outputs)


def _in_floats(symbol: Symbol, array: np.ndarray | None) -> Symbol:
    is_real = array is not symbol.array or isinstance(symbol.tensor.element, QuantizedType)
    return Symbol(_float_tensor(symbol.tensor) if is_real else symbol.tensor, symbol.value, array)


def _float_tensor(tensor: Tensor) -> Tensor:
    return replace(tensor, number=FLOAT32, scales=(), zero_points=(), data=np.zeros(0, np.uint8))


def _real_array(n: Node, k: int, symbol: Symbol) -> np.ndarray | None:
    """Return a constant input as floats where it is quantized, or a bias of integers; else as it is."""
    array, type = symbol.array, symbol.tensor.element
    if array is None:
        return None
    if isinstance(type, QuantizedType):
        return np.asarray(DequantizedTensor(TensorType(array.shape, type), array).dequantize())
    x, w, bias = CONTRACTIONS.get(n.content.operator, (0, 0, None))
    if k != bias or array.dtype.kind != "i":
        return array
    units = n.tensor(x).scales[0] * np.asarray(n.tensor(w).scales, np.float64)
    return (array * units).astype(np.float32)
