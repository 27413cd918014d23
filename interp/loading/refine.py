"""Refinement of a program with dynamic dimensions to static ones, by jaxlib's own passes."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from jaxlib.mlir import ir, passmanager

from interp.loading.bounded import remove_bounds
from spec.errors import Malformed

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
