"""Mistakes with a name, as replacements in the kernels: what implementations get wrong."""

from __future__ import annotations

from typing import NamedTuple

from mutation.operators import ROOT, Mutant


class Mistake(NamedTuple):
    name: str
    file: str
    before: str
    after: str


FOLD, QUANT, REDUCTION = "interp/engine/fold.py", "interp/engine/quant.py", "interp/ops/reduce.py"
WINDOWING, SELECTION = "interp/ops/reduce_window.py", "interp/ops/select_and_scatter.py"
FLOATS, NUMBER = "interp/ops/floats.py", "xp.where(xp.isnan(a), b, xp.where(xp.isnan(b), a, y))"
QUOTIENT = "xp.round_to(divide(x, scale), expressed)"
WHOLE = "xp.rint(xp.clip(scaled_and_moved(xp, x, type), low, high))"
WRAPPED = "(xp.rint(scaled_and_moved(xp, x, type)) - bounds[0]) % (bounds[1] - bounds[0] + 1) + bounds[0]"
CONVERTED = "to_destination_type(ctx.xp, x, source, arguments[k])"
SELECTED = "(first,) = select(lhs[:1], rhs[:1], node)"
EXACT = "x.astype(xp.float64) - _parameter(\n        xp, type.zero_points, xp.float64,"
RIGHT = (
    "lambda xp, body, init, leaves, schedule: _any_tree(xp, body, init, leaves, Schedule('tree', tuple("
    "(leaves.n + (init is not None) - 2 - k, leaves.n + (init is not None) - 1 + k)"
    " for k in range(leaves.n + (init is not None) - 1))))"
)

MISTAKES = (
    Mistake("zero point after rounding", QUANT, f"xp.add({QUOTIENT}", f"xp.add(xp.rint({QUOTIENT})"),
    Mistake("wrap for saturate", QUANT, WHOLE, WRAPPED),
    Mistake(
        "halves away from zero", QUANT, "xp.rint(", "(lambda v: xp.copysign(xp.floor(abs(v) + 0.5), v))("
    ),
    Mistake("zero point subtracted in storage", QUANT, EXACT, EXACT.replace("x.astype(xp.float64)", "x")),
    Mistake(
        "unsigned read as signed",
        QUANT,
        "x.astype(xp.float64) -",
        "x.view(f'i{x.itemsize}').astype(xp.float64) -",
    ),
    Mistake(
        "bits kept on promotion",
        QUANT,
        "if source is destination or source == destination:",
        "if isinstance(destination, QuantizedType):",
    ),
    Mistake("no conversion of init", REDUCTION, CONVERTED, f"x if 2 * k >= len(operands) else {CONVERTED}"),
    Mistake("no conversion of inputs", REDUCTION, CONVERTED, f"x if 2 * k < len(operands) else {CONVERTED}"),
    Mistake("padding with zero", WINDOWING, "xp.padded(x, i, edges)", "xp.padded(x, 0 * i, edges)"),
    Mistake("wrong tie in select", SELECTION, SELECTED, "first = ~select(rhs[:1], lhs[:1], node)[0]"),
    Mistake(
        "no init in scatter", SELECTION, "seed = (xp.broadcast_to(init,", "seed = (xp.broadcast_to(0 * init,"
    ),
    Mistake("right fold", FOLD, '"left": _left', f'"left": {RIGHT}'),
    Mistake("NaN lost in maximum", FLOATS, "xp.where(xp.isnan(a) | xp.isnan(b), xp.nan, y)", NUMBER),
    Mistake(
        "elements from last to first",
        FOLD,
        "leaves.at(i), Node(0 * i",
        "leaves.at(leaves.n - 1 - i), Node(0 * i",
    ),
)


def semantic() -> list[Mutant]:
    """The named mistakes as mutants. A text that is not there says that the kernels have moved on."""
    return [_mutant(mistake, (ROOT / mistake.file).read_bytes()) for mistake in MISTAKES]


def _mutant(mistake: Mistake, source: bytes) -> Mutant:
    start = source.find(mistake.before.encode())
    if start < 0:
        raise SystemExit(
            f"{mistake.file}: {mistake.name!r} replaces {mistake.before!r}, which is not there any more"
        )
    line, end = source.count(b"\n", 0, start) + 1, start + len(mistake.before.encode())
    return Mutant(mistake.file, line, "semantic", mistake.name, 0, start, end, mistake.after)
