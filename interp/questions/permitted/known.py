"""Accumulations that libraries and processors are known to have: one of them may give what no schedule gives.

Each was recovered by `reveal` from an implementation, or is a profile of `spec.hardware`. None is in the
specification's schedules: their orders are permuted, or their nodes are fused, wider or flushed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from interp.engine.arguments import function_named
from interp.engine.facts import facts
from interp.execute.along import is_sum, leaves
from interp.kernels import folds
from interp.questions.permitted.results import equal
from interp.speed.exact_contraction import accumulation_type
from spec.errors import Unsupported
from spec.hardware import PROFILES
from spec.ir import Module, Op
from spec.types import ElementType

PRODUCTS = (
    *("left fma", "lanes(16: left fma; balanced)", "lanes(8: left fma; balanced)"),
    *("lanes(4: left fma; balanced)", "vector(4: left fma; balanced)", "vector(8: left fma; balanced)"),
    *("vector(16: left fma; balanced)", "blocks(256: left fma; left) from zero"),
    *("blocks(384: left fma; left) from zero", "blocks(512: left fma; left) from zero"),
    *("left fma flush inputs flush", "lanes(4: left fma; balanced) flush inputs flush"),
)
SUMS = (
    *("pairwise", "strided", "lanes(4)", "lanes(8)", "lanes(16)", "lanes(8: left; balanced)"),
    *("lanes(16: left; balanced)", "vector(4: left; balanced)", "vector(8: left; balanced)", "right"),
    *("left flush inputs flush", "windows(32) flush inputs flush", "star exact"),
)
WIDER = {"f32": ("f64",), "f16": ("f32",), "bf16": ("f32",)}
IN_A_TYPE = ("left", "pairwise", "windows(32)", "left fma", "strided")
FLUSH = " flush inputs flush"
CHIPS = ("v100", "a100", "h100", "b200")
OPERANDS = {"f16": "f16", "bf16": "bf16", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
MOST = 1 << 21  # leaves of the results of all sums of a program of which every accumulation is tried


class Match(NamedTuple):
    """An accumulation, and where each result has its bits."""

    accumulation: str
    same: tuple[np.ndarray, ...]

    @property
    def number(self) -> int:
        return sum(int(np.count_nonzero(x)) for x in self.same)


Run = Callable[[str], Sequence[np.ndarray]]


def nearest(module: Module, function: str, given: Sequence[Any], run: Run) -> Match | None:
    """Return the known accumulation that gives most results; None if no sum of floats has any.

    run: returns the results along an accumulation. The first that gives all results is returned at once.
    """
    best, size = None, sum(x.size for x in given)
    for text in candidates(module, function):
        with suppress(Unsupported):
            match = Match(text, tuple(equal(x, y) for x, y in zip(given, run(text), strict=True)))
            if best is None or match.number > best.number:
                best = match
            if match.number == size:
                return match
    return best


def candidates(module: Module, function: str) -> Iterator[str]:
    """Yield the accumulations to try on the sums of a function, by the types of these; none if too large."""
    sums = [op for op in folds(module, function_named(module, function).body) if is_sum(op)]
    types = {type.name for op in sums if (type := _type(op)) is not None and type.kind == "float"}
    if not types or sum(leaves(op) * op.results[0].type.size for op in sums) > MOST:
        return
    contracts = any(facts(op).family == "contraction" for op in sums)
    yield from PRODUCTS * contracts
    yield from SUMS
    operands = {v.type.storage_type.name for op in sums for v in op.operands[:2]}
    for name in sorted({other for type in types | operands for other in WIDER.get(type, ())}):
        wide = [f"{text} in {name}" for text in IN_A_TYPE if contracts or "fma" not in text]
        yield from (*wide, *(text + FLUSH for text in wide))
    if contracts and "f32" in types:
        yield "left in f64 products in f32"
    kinds = [OPERANDS[name] for name in sorted(operands & OPERANDS.keys())] if contracts else []
    for kind in kinds:
        forms = [kind, f"{kind}.promoted", f"{kind}.mma", *([f"{kind}.f16"] if "f16" in types else [])]
        names = [f"nvidia.{chip}.{form}" for chip in CHIPS for form in forms]
        yield from (name for name in names if name in PROFILES)


def _type(op: Op) -> ElementType | None:
    """Return the declared type of a sum of plain numbers."""
    if facts(op).family == "contraction":
        return accumulation_type(op)
    type = op.regions[-1].returns[0].type.element_type
    return type if isinstance(type, ElementType) else None
