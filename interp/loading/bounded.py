"""Bounded dynamism before refinement: types without bounds, and set_dimension_size as a slice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxlib.mlir import ir

BOUNDS = "#stablehlo.bounds<"


def remove_bounds(module: Any) -> None:
    """Rewrite a `builtin.module` in place without bounds: jaxlib's passes do not refine types that have them.

    The shapes of the arguments have been checked against the bounds before.
    """
    with module.context, module.location:
        for op in _operations(module):
            if op.name in _REWRITES and _is_bounded(op):
                with ir.InsertionPoint(op), op.location:
                    _REWRITES[op.name](op)
        for value in _values(module):
            if BOUNDS in str(value.type):
                value.set_type(_without(value.type))
        for function in [op for op in _operations(module) if op.name == "func.func"]:
            signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
            types = [[*map(_without, part)] for part in (signature.inputs, signature.results)]
            function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*types))


def replace_idle_resize(op: Any) -> None:
    """Replace a set_dimension_size that sets the size its operand has already, as TensorFlow exports it."""
    operand, size = op.operands
    shape, dimension = (
        ir.RankedTensorType(operand.type).shape,
        ir.IntegerAttr(op.attributes["dimension"]).value,
    )
    definition = getattr(size.owner, "opview", size.owner)
    if operand.type != op.results[0].type or getattr(definition, "name", "") != "stablehlo.constant":
        return
    if str(definition.attributes["value"]).startswith(f"dense<{shape[dimension]}>"):
        op.results[0].replace_all_uses_with(operand)
        op.erase()


def _without(type: Any) -> Any:
    """Return a tensor type without bounds; any other type unchanged."""
    if BOUNDS not in str(type):
        return type
    ranked = ir.RankedTensorType(type)
    return ir.RankedTensorType.get(ranked.shape, ranked.element_type)


def _slice_to_size(op: Any) -> None:
    """Replace a set_dimension_size by the slice that keeps the given number of elements."""
    operand, size = op.operands
    rank, dimension = ir.RankedTensorType(operand.type).rank, ir.IntegerAttr(op.attributes["dimension"]).value
    sizes = [size if d == dimension else _size(operand, d) for d in range(rank)]
    _replace(op, _first(operand, sizes, op.results[0].type))


def _reshape_dynamically(op: Any) -> None:
    """Replace a reshape with an unknown size by a dynamic_reshape; the other sizes determine it."""
    (operand,), type = op.operands, ir.RankedTensorType(op.results[0].type)
    if type.has_static_shape:
        return
    count, others = _create_constant("dense<1> : tensor<i32>"), 1
    for d in range(ir.RankedTensorType(operand.type).rank):
        count = _create("multiply", count.type, [count, _size(operand, d)])
    for d in range(type.rank):
        others *= 1 if type.is_dynamic_dim(d) else type.get_dim_size(d)
    count = _create("divide", count.type, [count, _create_constant(f"dense<{others or 1}> : tensor<i32>")])
    sizes = [count if type.is_dynamic_dim(d) else _static_size(type, d) for d in range(type.rank)]
    _replace(op, _create("dynamic_reshape", type, [operand, _list(sizes)]))


def _broadcast(op: Any) -> None:
    """Replace a broadcast_in_dim to a size that only its operand knows by a dynamic_broadcast_in_dim."""
    (operand,), type = op.operands, ir.RankedTensorType(op.results[0].type)
    dimensions = list(ir.DenseI64ArrayAttr(op.attributes["broadcast_dimensions"]))
    unknown = [d for d in range(type.rank) if type.is_dynamic_dim(d)]
    if not unknown or not set(unknown) <= set(dimensions):
        return
    sizes = [
        _size(operand, dimensions.index(d)) if d in unknown else _static_size(type, d) for d in range(type.rank)
    ]
    attribute = {"broadcast_dimensions": str(op.attributes["broadcast_dimensions"])}
    _replace(op, _create("dynamic_broadcast_in_dim", type, [operand, _list(sizes)], **attribute))


def _elementwise(op: Any) -> None:
    """Cut an operand whose known size is only the bound of the others to their actual size."""
    types = [ir.RankedTensorType(value.type) for value in op.operands]
    whole = [k for k, type in enumerate(types) if type.has_static_shape and type.rank]
    partial = [k for k, type in enumerate(types) if not type.has_static_shape]
    if not whole or not partial:
        return
    like = op.operands[partial[0]]
    sizes = [_size(like, d) for d in range(types[partial[0]].rank)]
    for k in whole:
        type = ir.RankedTensorType.get(types[partial[0]].shape, types[k].element_type)
        op.operands[k] = _first(op.operands[k], sizes, type)


_BINARY = "add and atan2 compare complex divide maximum minimum multiply or power remainder subtract xor"
_SHIFTS = "shift_left shift_right_arithmetic shift_right_logical"
# What jaxlib's passes refuse, or leave, without bounds.
_REWRITES = {
    "stablehlo.set_dimension_size": _slice_to_size,
    "stablehlo.reshape": _reshape_dynamically,
    "stablehlo.broadcast_in_dim": _broadcast,
    **{f"stablehlo.{name}": _elementwise for name in f"{_BINARY} {_SHIFTS} clamp select".split()},
}


def _replace(op: Any, value: Any) -> None:
    op.results[0].replace_all_uses_with(value)
    op.erase()


def _first(operand: Any, sizes: list[Any], type: Any) -> Any:
    """Return the slice that keeps the first `sizes[d]` elements along each dimension d."""
    limits = _list(sizes)
    starts, strides = (_create_constant(f"dense<{n}> : {limits.type}") for n in (0, 1))
    return _create("real_dynamic_slice", type, [operand, starts, limits, strides])


def _list(sizes: list[Any]) -> Any:
    """Return a list of sizes, each a tensor<i32>, concatenated into one tensor."""
    parts = [_create("reshape", ir.Type.parse("tensor<1xi32>"), [size]) for size in sizes]
    return _create("concatenate", ir.Type.parse(f"tensor<{len(sizes)}xi32>"), parts, dimension="0 : i64")


def _static_size(type: Any, d: int) -> Any:
    return _create_constant(f"dense<{type.get_dim_size(d)}> : tensor<i32>")


def _create_constant(text: str) -> Any:
    return _create("constant", ir.Attribute.parse(text).type, [], value=text)


def _size(operand: Any, d: int) -> Any:
    return _create("get_dimension_size", ir.Type.parse("tensor<i32>"), [operand], dimension=f"{d} : i64")


def _create(name: str, type: Any, operands: list[Any], **attributes: str) -> Any:
    parsed = {key: ir.Attribute.parse(text) for key, text in attributes.items()}
    return ir.Operation.create(f"stablehlo.{name}", [type], operands, parsed).result


def _is_bounded(op: Any) -> bool:
    return any(BOUNDS in str(value.type) for value in (*op.operands, *op.results))


def _values(module: Any) -> Iterator[Any]:
    for op in _operations(module):
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def _operations(module: Any) -> list[Any]:
    operations: list[Any] = []

    def look(op: Any) -> Any:
        operations.append(op)
        return ir.WalkResult.ADVANCE

    module.walk(look)
    return operations
