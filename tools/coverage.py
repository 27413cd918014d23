#!/usr/bin/env python3
"""Prints the coverage table, every op by constraints, oracle, engine and compiled. `--write`: into README.md.

It is the difference of two dicts: `spec.ops.OPS` and `interp.ops.KERNELS`.
"""

from __future__ import annotations

import sys
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
sys.path.insert(0, str(README.parent))

from interp.agreement import AGREEMENT  # noqa: E402
from interp.ops import KERNELS  # noqa: E402
from spec.ops import OPS  # noqa: E402

BEGIN, END = "<!-- coverage -->", "<!-- /coverage -->"


def table() -> str:
    """Markdown, one row per op, in the oracle's order."""
    rows = [("op", "constraints", "oracle", "engine", "compiled"), ("---", "--:", "---", "---", "---")]
    rows += [row(name) for name in (*OPS, *(name for name in KERNELS if name not in OPS))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def row(name: str) -> tuple[str, ...]:
    spec, built = OPS.get(name), name in KERNELS
    constraints = str(len(spec.constraints)) if spec else ""
    return f"`{name}`", constraints, "yes" if spec else "no", "yes" if built else "no", compiled(name)


def compiled(name: str) -> str:
    """The engine's kernels run under jit too; where not bit for bit, how far off."""
    if name not in KERNELS:
        return "no"
    short = name.partition(".")[2]
    about = [a for a in AGREEMENT if a.left == "compile" and a.what.split()[0] == short and a.figure]
    return "; ".join(f"{a.what.split(maxsplit=1)[1]}: within {a.figure} {a.unit}" for a in about) or "equal"


def embedded(readme: str) -> str:
    """README.md with the table between its markers."""
    before, _, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"README.md lacks {BEGIN} ... {END}")
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        README.write_text(embedded(README.read_text()))
    else:
        print(table())
