"""LiteRT on the CPU: with the kernels of its default resolver, and with its reference kernels."""

from __future__ import annotations

from interp.apps.runtimes import litert_folds, litert_moves, litert_rules
from interp.apps.runtimes.litert_graph import LitertGraph, ReferenceGraph, versions
from interp.apps.runtimes.translation import Runtime

RULES = litert_rules.RULES | litert_moves.MOVES | litert_folds.FOLDS
RUNTIMES = {
    "litert": Runtime("litert", versions, LitertGraph, RULES),
    "litert-reference": Runtime("litert-reference", versions, ReferenceGraph, RULES),
}
