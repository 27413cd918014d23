"""Contractions and pools of a program: which of them `raise_qdq` made integers, and why others are floats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from interp.apps.quantization.constants import CONSTANTS
from interp.apps.quantization.kernels import DEQUANTIZE
from interp.engine.facts import facts
from interp.recorder.names import with_layer
from spec.ir import Op, Region, Value, nested_ops
from spec.types import is_tensor

CONTRACTION, POOL, ISLAND = "contraction", "pool", "island"
INTEGERS, FLOAT, WAITING = "integers", "float", "waiting"
TYPELESS = "which has no quantized type"
# Besides operations that move elements or set bounds, those through which a value keeps its quantized type.
TRANSPARENT = {"gather", "dynamic_slice", "dynamic_update_slice", "select", "convert", "optimization_barrier"}


class Form(NamedTuple):
    """Form of a sum: its operation's name; "integers", "float" or "waiting"; and if it is in an island."""

    name: str
    form: str
    in_island: bool


@dataclass(frozen=True)
class Sum:
    """A contraction, a pool, or a reduction of a float island; its name in the raised program, and its form.

    value: its result in the raised program. source: its result in the given program. kind: "contraction",
    "pool" or "island". form: "integers" or "float". reason: why it is not in integers. unquantized: the
    operand that the given program leaves in float, with the reason, or "". layer: the name of its layer.
    """

    value: str
    source: str
    operation: str
    kind: str
    form: str
    reason: str = ""
    unquantized: str = ""
    layer: str = ""

    @property
    def title(self) -> str:
        """Its name in the raised program, with that of its layer."""
        return with_layer(self.value, self.layer)

    def __str__(self) -> str:
        why = f": {self.unquantized or self.reason}" if self.form != INTEGERS else ""
        return f"{self.title} {self.operation} in {self.form}{why}"


class Tally(NamedTuple):
    """Numbers of sums: of integers, of quantized operands in the given program, and of all."""

    integers: int
    quantized: int
    total: int

    def __str__(self) -> str:
        return f"{self.integers} of {self.quantized}"


def tally(sums: Iterable[Sum], kind: str) -> Tally:
    """Count the sums of one kind."""
    own = [each for each in sums if each.kind == kind]
    quantized = [each for each in own if each.form == INTEGERS or not each.unquantized]
    return Tally(sum(each.form == INTEGERS for each in own), len(quantized), len(own))


def headline(sums: Sequence[Sum]) -> str:
    """Return how many contractions and pools are integers, and how many the given program leaves in float."""
    counts = [tally(sums, kind) for kind in (CONTRACTION, POOL)]
    pairs = zip(counts, (CONTRACTION, POOL), strict=True)
    parts = [f"{count} {kind}{'s' * (count.quantized != 1)}" for count, kind in pairs if count.total]
    if not parts:
        return ""
    rest = [count.total - count.quantized for count in counts]
    left = [f"{n} {kind}{'s' * (n != 1)}" for n, kind in zip(rest, (CONTRACTION, POOL), strict=True) if n]
    more = f"; the program has {' and '.join(left)} of floats beside them" if left else ""
    return f"{' and '.join(parts)} in integers{more}"


def lines(sums: Sequence[Sum], proof: Any = None) -> Iterator[str]:
    """Yield a table of sums: kind, operation, form, bits that `prove` finds, name, and the reason."""
    bits = {row.name: row for row in proof.rows} if proof is not None else {}
    head = ("kind", "operation", "form", *(["bits", "verdict"] if bits else []), "value")
    rows = [head]
    for each in sums:
        row = bits.get(each.value)
        proved = ("-" if row is None else str(row.judgement.bits or "-"), "-" if row is None else row.verdict)
        why = f" ({each.unquantized or each.reason})" if each.form != INTEGERS else ""
        rows.append((each.kind, each.operation, each.form, *(proved if bits else ()), each.title + why))
    widths = [max(len(row[k]) for row in rows) for k in range(len(head) - 1)]
    for row in rows:
        yield "  ".join([*(x.ljust(n) for x, n in zip(row, widths, strict=False)), row[-1]])


# Recognizing sums, and what they became


def is_sum(op: Op) -> bool:
    """Return whether an operation is a contraction, or folds with one addition, maximum or minimum."""
    if facts(op).family == "contraction":
        return True
    if op.name not in ("stablehlo.reduce", "stablehlo.reduce_window") or len(op.results) != 1:
        return False
    bodies = [inner.name.partition(".")[2] for inner in op.regions[0].ops[:-1]]
    return len(bodies) == 1 and bodies[0] in ("add", "maximum", "minimum")


def form_of(op: Op, written: Sequence[Op], in_island: bool) -> Form:
    """Return what a sum became, from the operations that were written for it; none yet for one that waits."""
    sums = [each for each in written if is_sum(each)]
    name = sums[-1].results[0].name if sums else op.results[0].name
    if not sums:
        return Form(name, WAITING, in_island)
    return Form(name, INTEGERS if all(map(is_exact, sums)) else FLOAT, in_island)


def is_exact(op: Op) -> bool:
    """Return whether the operands and results of an operation are stored integers."""
    values = [v for v in (*op.operands, *op.results) if is_tensor(v.type)]
    return all(v.type.is_quantized or v.type.tensor_element_type.is_integer for v in values)


def sums_of(simulated: Region, forms: Mapping[str, Form], reasons: Mapping[str, str]) -> tuple[Sum, ...]:
    """Return the sums of a program whose quantization is spelled as pairs, with what they became.

    reasons: why values are computed in float, by name. Sums in control flow are not raised.
    """
    made = {v.name: op for op in nested_ops(simulated) for v in op.results}
    carried = {v.name: op for op in made.values() for region in op.regions for v in region.arguments}
    found = []
    for op in nested_ops(simulated):
        if not is_sum(op):
            continue
        name = op.results[0].name
        became = forms.get(name) or Form(name, INTEGERS if is_exact(op) else FLOAT, False)
        form = became.form
        if form == WAITING:
            form = FLOAT if name in reasons else INTEGERS
        is_contraction = facts(op).family == "contraction"
        kind = ISLAND if became.in_island else CONTRACTION if is_contraction else POOL
        reason, plain = "", ""
        if form == FLOAT:
            reason = "a float island" if became.in_island else reasons.get(name, "it is not raised")
            plain = "" if became.in_island else _float_operand(op, made, carried)
        found.append(Sum(became.name, name, op.name.partition(".")[2], kind, form, reason, plain))
    return tuple(found)


def _float_operand(op: Op, made: Mapping[str, Op], carried: Mapping[str, Op]) -> str:
    """Return the operand of a sum that has no quantized type in the program, and its origin, or ""."""
    operands = op.operands if facts(op).family == "contraction" else op.operands[:1]
    for v in operands:
        if origin := _origin(v, made, carried, set()):
            return f"its operand {v.name} is a float: {origin}"
    return ""


def _origin(value: Value, made: Mapping[str, Op], carried: Mapping[str, Op], seen: set[str]) -> str:
    """Return where the numbers of a value come from that is not dequantized, or "".

    carried: by the names of arguments of regions, the operations that have the regions.
    """
    if value.name in seen or not is_tensor(value.type) or value.type.is_quantized:
        return ""
    seen.add(value.name)
    if value.type.tensor_element_type.kind != "float":
        return ""
    op = made.get(value.name)
    if op is None and value.name in carried:
        return f"{value.name} is a variable of a {_short(carried[value.name])}, {TYPELESS}"
    if op is None:
        return f"{value.name} is an argument, {TYPELESS}"
    if op.name == DEQUANTIZE:
        return ""
    if op.name in CONSTANTS:
        return f"{value.name} is a constant, {TYPELESS}"
    name = _short(op)
    if not (facts(op).moves or facts(op).clips or name in TRANSPARENT):
        return f"{value.name} is the result of {name}, {TYPELESS}"
    bounds = facts(op).clips or name in ("concatenate", "pad", "select")
    varying = [v for v in op.operands if not _is_constant(v, made)] if bounds else op.operands
    return next(filter(None, (_origin(v, made, carried, seen) for v in varying or op.operands)), "")


def _short(op: Op) -> str:
    return op.name.partition(".")[2]


def _is_constant(value: Value, made: Mapping[str, Op]) -> bool:
    op = made.get(value.name)
    if op is None:
        return False
    return op.name in CONSTANTS or (facts(op).moves and all(_is_constant(v, made) for v in op.operands))
