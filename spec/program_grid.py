"""The attributes of `interpreter.run_parallel`, which name functions: `[[@a], [@b]]`."""

from __future__ import annotations

import re

from spec.ir import RUN_PARALLEL, Op, functions_in

__all__ = ["RUN_PARALLEL", "infeed", "programs"]


def programs(op: Op) -> list[list[str]]:
    """Return the function of each process: a row for each replica."""
    text = getattr(op["programs"], "text", "")
    return [functions_in(row) for row in re.findall(r"\[([^\[\]]*)\]", text)]


def infeed(op: Op) -> list[str]:
    """Return the functions whose results are the elements of the infeed, which all processes share."""
    return functions_in(getattr(op.attributes.get("infeed"), "text", ""))
