"""Switches of XLA's compiler: its passes by name, and flags that change what a program computes.

XLA accepts unknown names of passes in silence. So the names come from a dump of the compilation itself, which
has a file for each pass that changed the program (`xla_process.passes_apart`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

DISABLED = "xla_disable_hlo_passes"
# Passes that make a program fit for code generation: without them there is no program to compare with.
NEEDED = frozenset(
    "pipeline-start call-inliner flatten-call-graph dce copy-insertion layout-assignment tuple-simplifier "
    "optimize-input-output-buffer-alias cpu-parallel-task-assigner sub-byte-size-setter "
    "adding_copies_to_resolve_interference removing_unnecessary_copies adding_special-case_copies "
    "spmd-partitioner sharding-remover sharding-propagation".split()
)
# Passes that often change numbers, the most frequent first; others are first switched off together.
USUAL = (
    "algsimp fusion dot-library-rewriter simplify-fp-conversions constant_folding tree_reduction_rewriter "
    "reduce-window-rewriter float-normalization-bf16"
).split()
LETHAL = "dot-library-rewriter"  # the pass of most programs that end XLA's process
# Passes that changed an export of testdata: where compiling a program ends the process, no dump tells them.
SEEN = (
    *USUAL,
    *"shape-canonicalizer simplification fusion-wrapper cse reshape-mover scatter_simplifier".split(),
    *"simplification_after_layout_assignment post_scatter_expansion_simplification".split(),
    *"gather_simplifier simplify-while-loops transpose-folding small-while-loop-hoisting".split(),
    *"while-loop-constant-sinking while-loop-invariant-code-motion batch-dot-simplification".split(),
)
FLAGS: dict[str, Any] = {"xla_allow_excess_precision": False}


@dataclass(frozen=True)
class Switch:
    """A pass that is switched off, or a flag with its value."""

    name: str
    is_pass: bool = True

    def __str__(self) -> str:
        return self.name if self.is_pass else f"{self.name}={FLAGS[self.name]}"


def options(base: Mapping[str, Any], off: Iterable[Switch]) -> dict[str, Any]:
    """Return options of XLA's compiler with switches added to those of `base`."""
    off = list(off)
    names = [name for name in str(base.get(DISABLED, "")).split(",") if name]
    names += [each.name for each in off if each.is_pass and each.name not in names]
    flags = {each.name: FLAGS[each.name] for each in off if not each.is_pass}
    passes = {DISABLED: ",".join(names)} if names else {}
    return {**base, **flags, **passes}
