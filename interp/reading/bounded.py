"""Bounded dynamism before refinement: types without bounds, and set_dimension_size as a slice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxlib.mlir import ir

BOUNDS = "#stablehlo.bounds<"


def unbounded(module: Any) -> None:
    """Rewrite a `builtin.module`, in place, so that jaxlib's passes refine it: they keep types with bounds.

    The bounds of arguments were checked against the given shapes.
    """
    with module.context, module.location:
        for op in _operations(module, "stablehlo.set_dimension_size"):
            _as_slice(op)
        for value in _values(module):
            if BOUNDS in str(value.type):
                value.set_type(_without(value.type))
        for function in _operations(module, "func.func"):
            signature = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
            types = [[*map(_without, part)] for part in (signature.inputs, signature.results)]
            function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*types))


def settled(op: Any) -> None:
    """Replace a set_dimension_size that sets the size which its operand has, as TensorFlow writes them."""
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


def _as_slice(op: Any) -> None:
    """Replace a set_dimension_size by the slice that keeps so many elements."""
    operand, size = op.operands
    rank, dimension = ir.RankedTensorType(operand.type).rank, ir.IntegerAttr(op.attributes["dimension"]).value
    with ir.InsertionPoint(op), op.location:
        sizes = [size if d == dimension else _size(operand, d) for d in range(rank)]
        one = ir.Type.parse("tensor<1xi32>")
        parts = [_created("reshape", one, [n]) for n in sizes]
        limits = _created("concatenate", _list(rank), parts, dimension="0 : i64")
        starts, strides = (
            _created("constant", _list(rank), [], value=f"dense<{n}> : {_list(rank)}") for n in (0, 1)
        )
        slices = _created("real_dynamic_slice", op.results[0].type, [operand, starts, limits, strides])
    op.results[0].replace_all_uses_with(slices)
    op.erase()


def _list(rank: int) -> Any:
    return ir.Type.parse(f"tensor<{rank}xi32>")


def _size(operand: Any, d: int) -> Any:
    return _created("get_dimension_size", ir.Type.parse("tensor<i32>"), [operand], dimension=f"{d} : i64")


def _created(name: str, type: Any, operands: list[Any], **attributes: str) -> Any:
    parsed = {key: ir.Attribute.parse(text) for key, text in attributes.items()}
    return ir.Operation.create(f"stablehlo.{name}", [type], operands, parsed).result


def _operations(module: Any, name: str) -> list[Any]:
    return [op for op in _walked(module) if op.name == name]


def _values(module: Any) -> Iterator[Any]:
    for op in _walked(module):
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def _walked(module: Any) -> list[Any]:
    operations: list[Any] = []

    def look(op: Any) -> Any:
        operations.append(op)
        return ir.WalkResult.ADVANCE

    module.walk(look)
    return operations
