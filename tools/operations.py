#!/usr/bin/env python3
"""Coverage table: for every op, its constraints, and whether oracle, engine and compiled form have it.

It is the difference of two dicts: `spec.meaning.evaluate.MEANINGS` and `interp.kernels.KERNELS`.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from interp.execute.agreement import AGREEMENT
from interp.execute.refusals import EAGER
from interp.kernels import KERNELS
from interp.kernels.collectives import KERNELS as COLLECTIVES
from spec.meaning.evaluate import MEANINGS
from spec.rules.verify import CONSTRAINTS


def table() -> str:
    """Return the table in Markdown, one row per op, in the oracle's order."""
    rows = [("op", "constraints", "oracle", "engine", "compiled"), ("---", "--:", "---", "---", "---")]
    rows += [row(name) for name in (*MEANINGS, *(name for name in KERNELS if name not in MEANINGS))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def row(name: str) -> tuple[str, ...]:
    known, built = name in MEANINGS, name in KERNELS
    constraints = str(len(CONSTRAINTS[name])) if known else ""
    return f"`{name}`", constraints, "yes" if known else "no", "yes" if built else "no", compiled(name)


def compiled(name: str) -> str:
    """Return whether the kernel also runs under jit; if not bit for bit, with its largest difference."""
    if name not in KERNELS or name in EAGER:
        return "no"
    if name in COLLECTIVES:
        grids = "" if name == "stablehlo.collective_reduce" else " or in sdy.manual_computation"
        return f"equal, as one process{grids}"
    short = name.partition(".")[2]
    about = [a for a in AGREEMENT if a.left == "compile" and a.what.split()[0] == short and a.figure]
    return "; ".join(f"{a.what.split(maxsplit=1)[1]}: within {a.figure} {a.unit}" for a in about) or "equal"


if __name__ == "__main__":
    print(table())
