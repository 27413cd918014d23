"""Legalization of chlo's operations and of StableHLO's deprecated ones at load, by jaxlib's own passes."""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _stablehlo

from interp.loading.bounded import settled
from interp.loading.deprecated import SUCCESSORS
from interp.loading.legacy import from_custom_call, is_legacy
from spec.ir import Module, Op

CUSTOM_CALL = "stablehlo.custom_call"
# Operations that we rewrite, if we can.
OURS = {**SUCCESSORS, "stablehlo.set_dimension_size": settled}
# Those that the pass rewrites; it leaves the deprecated operations that have no successor.
DEPRECATED = {
    f"stablehlo.{name}" for name in ("broadcast", "create_token", "cross-replica-sum", "dot", "unary_einsum")
}
PASSES = {
    "chlo": "func.func(chlo-legalize-to-stablehlo)",
    "deprecated": "func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false})",
}


def is_rewritten(module: Module) -> bool:
    """Return whether a program has operations that `legalize` rewrites."""
    names = DEPRECATED | OURS.keys()
    return any(op.name.startswith("chlo.") or op.name in names or _is_legacy(op) for op in module.ops())


def _is_legacy(op: Op) -> bool:
    return op.name == CUSTOM_CALL and is_legacy(op["call_target_name"])


def legalize(module: Any) -> None:
    """Replace chlo's and deprecated operations in a `builtin.module`, in place, by others of StableHLO."""
    _stablehlo.register_stablehlo_passes()
    for call in found(module, CUSTOM_CALL):
        if is_legacy(ir.StringAttr(call.attributes["call_target_name"]).value):
            from_custom_call(call)
    for scan in found(module, "chlo.scan"):
        run_forwards(scan)
    for family, passes in PASSES.items():  # chlo first: its expansions have deprecated operations
        if family in families(module):
            passmanager.PassManager.parse(f"builtin.module({passes})", module.context).run(module)
    for name, replace in OURS.items():  # last: the pass makes an einsum of a unary one
        for op in found(module, name):
            replace(op)


def found(module: Any, name: str) -> list[Any]:
    """Return the operations of this name."""
    operations = []

    def look(op: Any) -> Any:
        if op.name == name:
            operations.append(op)
        return ir.WalkResult.ADVANCE

    module.walk(look)
    return operations


def run_forwards(scan: Any) -> None:
    """Rewrite a reverse scan as a scan of reversed inputs: jaxlib's pass ignores that it is reverse."""
    if "is_reverse" not in scan.attributes or not ir.BoolAttr(scan.attributes["is_reverse"]).value:
        return
    dimension = ir.IntegerAttr(scan.attributes["dimension"]).value
    inputs, outputs = (
        ir.DenseI32ArrayAttr(scan.attributes[f"{kind}SegmentSizes"])[0] for kind in ("operand", "result")
    )
    reversal: dict[str, ir.Attribute] = {"dimensions": ir.DenseI64ArrayAttr.get([dimension], scan.context)}

    def reverse(value: Any) -> Any:
        return ir.Operation.create("stablehlo.reverse", [value.type], [value], reversal, loc=scan.location)

    with ir.InsertionPoint(scan):
        for k in range(inputs):
            scan.operands[k] = reverse(scan.operands[k]).result
    with ir.InsertionPoint.after(scan):
        for k in range(outputs):
            turned = reverse(scan.results[k])
            scan.results[k].replace_all_uses_except(turned.result, [turned])
    scan.attributes["is_reverse"] = ir.BoolAttr.get(False, scan.context)


def families(module: Any) -> set[str]:
    """Return the keys of `PASSES` for which a module has operations."""
    found = set()

    def look(op: Any) -> Any:
        name = op.name
        if name.startswith("chlo."):
            found.add("chlo")
        elif name in DEPRECATED:
            found.add("deprecated")
        return ir.WalkResult.ADVANCE

    module.walk(look)
    return found
