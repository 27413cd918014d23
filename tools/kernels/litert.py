"""LiteRT: models of one operator, and their runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.apps.runtimes import litert_model
from interp.apps.runtimes.litert_model import Operator, Slot, one_operator
from interp.apps.runtimes.runtimes import missing

__all__ = ["Operator", "Slot", "available", "model", "run"]
Array = np.ndarray
model = one_operator


def available() -> str:
    """Return why LiteRT cannot run here, or "" if it can."""
    absent = missing("litert")
    return f"{' and '.join(absent)} not installed" if absent else ""


def run(content: bytes, args: Sequence[Array], resolver: str = "optimized") -> Array:
    """Return the result of a model by the kernels of a resolver."""
    (result,) = litert_model.run(content, args, resolver)
    return result
