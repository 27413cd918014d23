"""Legalization at load, by jaxlib's own passes: the operations of chlo, and StableHLO's deprecated ones."""

from __future__ import annotations

from typing import Any

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _stablehlo

from spec.ir import Module

# Those that the pass rewrites; it leaves the deprecated operations that have no successor.
DEPRECATED = {"stablehlo.broadcast", "stablehlo.create_token", "stablehlo.cross-replica-sum", "stablehlo.dot"}
PASSES = {
    "chlo": "func.func(chlo-legalize-to-stablehlo)",
    "deprecated": "func.func(stablehlo-legalize-deprecated-ops{fail-on-unused=false})",
}


def is_rewritten(module: Module) -> bool:
    """Return whether a program has operations that `legalize` rewrites."""
    return any(op.name.startswith("chlo.") or op.name in DEPRECATED for op in module.ops())


def legalize(module: Any) -> None:
    """Rewrite, in place, the operations of a `builtin.module` that StableHLO expresses by others."""
    _stablehlo.register_stablehlo_passes()
    for family, passes in PASSES.items():  # chlo first: its expansions have deprecated operations
        if family in families(module):
            passmanager.PassManager.parse(f"builtin.module({passes})", module.context).run(module)


def families(module: Any) -> set[str]:
    """Return the families of operations, by their key in `PASSES`, that a module has."""
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
