"""Refinement of a program with dynamic or bounded dimensions to static ones, by jaxlib's own passes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jaxlib.mlir import ir, passmanager

from spec.errors import Malformed

# Bounded dynamism before refinement: types without bounds, and set_dimension_size as a slice.

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
        _size(operand, dimensions.index(d)) if d in unknown else _static_size(type, d)
        for d in range(type.rank)
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


PASSES = "inline,stablehlo-refine-shapes,func.func(stablehlo-canonicalize-dynamism)"


def is_static(types: Any) -> bool:
    """Return whether all sizes of these MLIR types are known."""
    return not any("?" in str(type) or "*x" in str(type) for type in types)


def main_of(module: Any) -> Any | None:
    """Return @main, or the only public function, of a `builtin.module`; None if there is neither."""
    functions = [view.operation for view in module.regions[0].blocks[0].operations]
    functions = [op for op in functions if op.name == "func.func"]
    public = [op for op in functions if "sym_visibility" not in op.attributes]
    named = [op for op in functions if ir.StringAttr(op.attributes["sym_name"]).value == "main"]
    return next(iter(named or (public if len(public) == 1 else ())), None)


def refine(module: Any, types: Sequence[str], constants: Mapping[int, str]) -> Any:
    """Return the module for arguments of these static types, from which all other types follow.

    constants: values, by argument, on which sizes may depend, as attributes (`dense<3> : tensor<i64>`).
    Two ways are tried: jaxlib's passes keep functions and quantized types; the refinement that JAX itself
    runs inlines everything, and checks the assertions on shapes that JAX's exporter writes. Raises MLIRError,
    RuntimeError or ValueError if sizes remain unknown or an assertion fails.
    """
    ways = [_by_passes, _by_jax]
    errors: list[Exception] = []
    for way in reversed(ways) if has_assertions(module) else ways:
        try:
            return way(_with_types(module, types, constants))
        except (ir.MLIRError, RuntimeError, ValueError) as error:
            errors.append(error)
    raise next((error for error in reversed(errors) if "Cannot parse" not in str(error)), errors[-1])


def all_static(module: Any) -> bool:
    """Return whether all values of a module have known sizes."""
    found = True

    def look(op: Any) -> Any:
        nonlocal found
        values = [
            *op.results,
            *(x for region in op.regions for block in region.blocks for x in block.arguments),
        ]
        found = is_static(value.type for value in values)
        return ir.WalkResult.ADVANCE if found else ir.WalkResult.INTERRUPT

    module.walk(look)
    return found


def has_assertions(module: Any) -> bool:
    """Return whether JAX's exporter asserted anything about the shapes of the arguments."""
    found = False

    def look(op: Any) -> Any:
        nonlocal found
        found = op.name == "stablehlo.custom_call" and "shape_assertion" in str(
            op.attributes["call_target_name"]
        )
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    module.walk(look)
    return found


def _by_passes(module: Any) -> Any:
    passmanager.PassManager.parse(f"builtin.module({PASSES})", module.context).run(module)
    if not all_static(module):
        raise ValueError("sizes remain unknown")
    return module


def _by_jax(module: Any) -> Any:
    from jaxlib import _jax

    written = io.BytesIO()
    module.write_bytecode(written)
    with module.context:
        text = _jax.mlir.refine_polymorphic_shapes(
            mlir_module=written.getvalue(), enable_shape_assertions=True, validate_static_shapes=True
        )
        return ir.Module.parse(text).operation


def _with_types(module: Any, types: Sequence[str], constants: Mapping[int, str]) -> Any:
    """Return a copy of the module whose parameters have static types or are replaced by their known values.

    A custom call, which the passes remove again, converts a parameter to its old type within the function.
    """
    module = module.clone()
    remove_bounds(module)
    main = main_of(module)
    if main is None:
        raise Malformed("no function @main", "unknown sizes are refined only in @main")
    block = main.regions[0].blocks[0]
    with main.context, ir.InsertionPoint.at_block_begin(block), main.location:
        for k, (argument, text) in enumerate(zip(block.arguments, types, strict=True)):
            old, new = argument.type, ir.Type.parse(text)
            if k in constants:
                argument.replace_all_uses_with(_constant(constants[k]))
            if old != new:
                argument.set_type(new)
                _convert(argument, old, ir.RankedTensorType(new).shape)
        results = ir.FunctionType(ir.TypeAttr(main.attributes["function_type"]).value).results
        signature = ir.FunctionType.get([argument.type for argument in block.arguments], results)
        main.attributes["function_type"] = ir.TypeAttr.get(signature)
    return module


def _constant(text: str) -> Any:
    value = ir.Attribute.parse(text)
    return ir.Operation.create("stablehlo.constant", [value.type], attributes={"value": value}).result


def _convert(argument: Any, old: Any, shape: Sequence[int]) -> None:
    sizes = _constant(f"dense<{list(shape)}> : tensor<{len(shape)}xi64>")
    attributes = {
        "call_target_name": ir.StringAttr.get("stablehlo.shape_refinement_operand_wrapper"),
        "indices_of_shape_operands": ir.Attribute.parse("dense<1> : tensor<1xi64>"),
    }
    call = ir.Operation.create("stablehlo.custom_call", [old], [argument, sizes], attributes)
    argument.replace_all_uses_with(call.result)
    call.operands[0] = argument
