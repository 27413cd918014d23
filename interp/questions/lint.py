"""`lint`: legal but suspicious properties of a reduction, as rows like those of `spec.rules.constraint`.

Each concerns one operand of a reduction: `inputs[k]` (for a select_and_scatter, `source`), its init value,
the accumulation type, and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from interp.engine.bodies import combining
from interp.engine.facts import facts
from interp.engine.leaf_counts import SCATTER, WINDOW, LeafCount, reduce_count, source_count, window_count
from interp.engine.quant import Type
from interp.engine.storage import (
    Stored,
    convert_leaves,
    identity,
    is_stored_as_integer,
    storage_range,
    zero_point,
)
from interp.execute.refusals import refuse_dynamic
from interp.questions.steps import clamped_ends, constant, losses
from interp.recorder.event import number
from interp.recorder.grids import factor_range
from interp.recorder.names import qualifier, qualify, with_layer
from interp.speed.exact_contraction import accumulation_type, sums_plain_integers
from interp.theory.contractions import Factor, bounded_factor, constant_factor, extreme_sums, most_products
from interp.theory.quantized_arithmetic import addition_is_integer
from spec.errors import InterpError, Location
from spec.ir import Func, Module, Op, Value, nested_ops
from spec.rules.verify import verify
from spec.types import ElementType, QuantizedType

# Proofs about the sums of any data in an accumulator that clamps or wraps.


class Side(NamedTuple):
    """One direction from the zero point: the largest element and init value, and the end of storage."""

    element: int
    init: int
    limit: int

    def reach(self, elements: int, inits: int) -> int:
        """Return a bound on the sums of contiguous leaves, with this many elements and inits."""
        return elements * max(0, self.element) + inits * max(0, self.init)


def sides(input: Type, init: Type, type: Type, known: int | None) -> tuple[Side, Side]:
    """Return the sides towards the greatest and, mirrored, the least number; `known` is a constant init."""
    z = zero_point(type)
    elements = clamped_ends(input, type)
    inits = clamped_ends(init, type) if known is None else (known - z,) * 2
    least, greatest = storage_range(type)
    return Side(elements[1], inits[1], greatest - z), Side(-elements[0], -inits[0], z - least)


def overflowing(op: str, leaves: LeafCount, top: Side, bottom: Side, type: Type) -> str:
    """Return evidence that a sum of contiguous leaves can pass an end of the storage, else "".

    ASSUMPTION for "safe": the body adds as integers, which is checked for sums of that many elements.
    """
    evidence = excess(op, leaves, top, type, 1) or excess(op, leaves, bottom, type, -1)
    if not evidence:
        return ""
    is_padded = op == WINDOW and leaves.padding
    one = " with one init value" if top.init or bottom.init else ""
    safe = "" if is_padded else f"proven safe up to {proven_count(type, top, bottom)} elements{one}; "
    return f"{evidence} ({safe}in steps from its zero point)"


def excess(op: str, leaves: LeafCount, side: Side, type: Type, sign: int) -> str:
    """Return evidence that elements, and init values at a window's other positions, can pass the limit.

    It says "may reach" if the total is only a bound: in a select_and_scatter, or if negative numbers are
    among the leaves.
    """
    fewest, most, positions = leaves
    counts = {n: positions - n + 1 if op == WINDOW else 1 for n in (fewest, most)}
    n = max(counts, key=lambda n: side.reach(n, counts[n]))
    inits, total = counts[n], side.reach(n, counts[n])
    if total <= side.limit:
        return ""
    fits = (side.element >= 0 or n == 0) and (side.init >= 0 or inits == 1)
    reach, bound = "reach" if fits and op != SCATTER else "may reach", "at most" if sign > 0 else "at least"
    return (
        f"{n} elements of {bound} {sign * side.element} and {inits} init values of {bound} "
        f"{sign * side.init} {reach} {sign * total}; {type!r} ends at {sign * side.limit}"
    )


def proven_count(type: Type, *sides: Side) -> int:
    """Return how many elements, with one init value, are proven not to overflow in any schedule."""
    rooms = [(side.limit - max(0, side.init)) // side.element for side in sides if side.element > 0]
    few, many = 0, max(0, min(rooms, default=0)) + 1
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if is_integer_sum(type, middle, *sides) else (few, middle)
    return few


def is_integer_sum(type: Type, elements: int, top: Side, bottom: Side) -> bool:
    """Return whether sums of this many elements and an init value are proven to be those of integers."""
    if not isinstance(type, QuantizedType):
        return True
    ends = type.zero_point - bottom.reach(elements, 1), type.zero_point + top.reach(elements, 1)
    return bool(addition_is_integer(type, *(np.array([end], object) for end in ends)).all())


# Suspicious products of plain integers: their sums, or they themselves, can be beyond the result's type.

Definitions = Mapping[str, Op]
NARROW = 16  # bits of integers that are hardly meant to wrap, as those of hashes and random numbers are


def contraction_overflow(op: Op, definitions: Definitions) -> str:
    """Return evidence that sums of a contraction can be beyond its type; constants are as they are."""
    if facts(op).family != "contraction" or not op.result.type.size or not sums_plain_integers(op):
        return ""
    lhs, rhs = (_factor(value, definitions) for value in op.operands)
    reached = extreme_sums(op, lhs, rhs).hull
    what = f"sums of {most_products(op)} products of {_text(lhs)} and {_text(rhs)}"
    return _beyond(what, accumulation_type(op), *map(int, reached))


def wrapping(op: Op, definitions: Definitions) -> str:
    """Return evidence that a product of narrow integers can be beyond its type."""
    type = op.result.type.element_type if op.name == "stablehlo.multiply" else None
    if not isinstance(type, ElementType) or not type.is_integer or type.bits > NARROW:
        return ""
    if not op.result.type.size:
        return ""
    factors = [_factor(value, definitions) for value in op.operands]
    found = list(map(prod, product(*map(_ends, factors))))
    return _beyond(f"products of {' and '.join(map(_text, factors))}", type, min(found), max(found))


def _beyond(what: str, type: ElementType, least: int, greatest: int) -> str:
    if type.min_value <= least and greatest <= type.max_value:
        return ""
    ends = f"from {type.min_value:,} to {type.max_value:,}"
    return f"{what} reach from {least:,} to {greatest:,}; {type!r} goes {ends}"


def _factor(value: Value, definitions: Definitions) -> Factor:
    known = constant(value, definitions)
    return (
        bounded_factor(factor_range(value.type.element_type), value.type.shape)
        if known is None
        else constant_factor(known)
    )


def _ends(factor: Factor) -> tuple[int, int]:
    return int(np.min(factor.least)), int(np.max(factor.greatest))


def _text(factor: Factor) -> str:
    return "..".join(map(str, _ends(factor)))


LEAVES: dict[str, Callable[[Op], LeafCount]] = {
    "stablehlo.reduce": reduce_count,
    WINDOW: window_count,
    SCATTER: source_count,
}


class Suspicion(InterpError):
    """A legal construct that is perhaps not intended. It is returned by `lint`, never raised.

    `code` is `lint_<row>`. `name` is that of the reduction: `%4`, `@pool/%4`; `title` has its `layer`, too.
    """

    def __init__(
        self, code: str, rule: str, evidence: str, where: Location, name: str = "", layer: str = ""
    ) -> None:
        self.title = with_layer(name, layer)
        super().__init__(f"{code}: {self.title and self.title + ': '}{rule}", evidence, where)
        self.args = (code, rule, evidence, where, name, layer)
        self.code, self.rule, self.name, self.layer = code, rule, name, layer


class Reduced(NamedTuple):
    """Operand k of a reduction, with the facts that rows use.

    `known` is the stored init value in the body's type, None if an argument decides it; `leaves` counts the
    elements that are folded, `windows` those of a window.
    """

    op: Op
    k: int
    input: Value
    init: Value
    type: Type
    result: Value
    combining: Op | None
    known: Stored | None
    leaves: LeafCount
    windows: LeafCount

    @property
    def body(self) -> str:
        return self.combining.name.removeprefix("stablehlo.") if self.combining else ""

    @property
    def identity(self) -> Stored | None:
        return identity(self.combining) if self.combining else None

    @property
    def changing(self) -> bool:
        """Return whether the init value is known and is not the identity."""
        return None not in (self.known, self.identity) and self.known != self.identity


class Lint(NamedTuple):
    """A row: a suspicious property, and a function that returns the evidence for it, or ""."""

    name: str
    rule: str
    evidence: Callable[[Reduced], str]


def init(self: Reduced) -> str:
    """Return evidence that the init value is not the identity: schedules may repeat it anywhere (E9)."""
    if not self.changing:
        return ""
    identity = f"the identity of {self.body} is {number(self.identity)}"
    return f"init_values[{self.k}] = {number(self.known)}, {identity}"


def promotion(self: Reduced) -> str:
    given, starts, E = self.input.type.element_type, self.init.type.element_type, self.type
    pairs = [(given, E), (starts, E), (E, self.result.type.element_type)]
    names = ["input", "init value", "result"] if starts != given else ["input", "", "result"]
    rows = zip(names, pairs, strict=True)
    return "\n".join(line for name, pair in rows if name for line in losses(name, *pair))


def overflow(self: Reduced) -> str:
    if self.body != "add" or not is_stored_as_integer(self.type):
        return ""
    starts = None if self.known is None else int(self.known)
    types = self.input.type.element_type, self.init.type.element_type, self.type
    return overflowing(self.op.name, self.leaves, *sides(*types, starts), self.type)


def padding(self: Reduced) -> str:
    counts = self.op.name == WINDOW and self.combining and facts(self.combining).counts
    if not (counts and self.changing and self.windows.padding):
        return ""
    return (
        f"up to {self.windows.padding} of {self.windows.positions} positions of a window are padding "
        f"or holes: init_values[{self.k}] = {number(self.known)}"
    )


def empty_window(self: Reduced) -> str:
    if self.windows.fewest:
        return ""
    return f"a window of {self.windows.positions} positions has no element"


class OfProducts(NamedTuple):
    """A row about a contraction or a multiplication."""

    name: str
    rule: str
    evidence: Callable[[Op, Mapping[str, Op]], str]


OVERFLOW = "sums of data in range can overflow the accumulator"
PRODUCTS = (
    OfProducts("overflow", OVERFLOW, contraction_overflow),
    OfProducts("wrap", "products of data in range can wrap", wrapping),
)
LINTS = (
    Lint("init", "an init value is not the identity of the body", init),
    Lint("promotion", "a conversion of the reduction loses values", promotion),
    Lint("overflow", OVERFLOW, overflow),
    Lint("padding", "padding is not the identity of the body", padding),
    Lint("empty_window", "a window has no element", empty_window),
)


def lint(module: Module) -> list[Suspicion]:
    """Return every suspicious property of the reductions and products of a module, in program order.

    The list is empty for a module that violates a constraint of `mlir` mode, to be corrected first. Raises
    `Unsupported` for unknown sizes: leaves cannot be counted before `interp.refine`.
    """
    if verify(module, "mlir"):
        return []
    refuse_dynamic(module)
    return [
        Suspicion(f"lint_{code}", rule, evidence, op.location, qualify(op.results[0].name, name), name.layer)
        for function in module.functions.values()
        for op, code, rule, evidence in _suspicious(function)
        for name in [qualifier(module, op)]
    ]


def _suspicious(function: Func) -> Iterator[tuple[Op, str, str, str]]:
    """Yield every operation with something suspicious: the name and the rule of the row, and the evidence."""
    definitions = {result.name: op for op in nested_ops(function.body) for result in op.results}
    for op in nested_ops(function.body):
        for row in PRODUCTS:
            if evidence := row.evidence(op, definitions):
                yield op, row.name, row.rule, evidence
        for operand in operands(op, definitions):
            for each in LINTS:
                if evidence := each.evidence(operand):
                    yield op, each.name, each.rule, evidence


def operands(op: Op, definitions: Mapping[str, Op]) -> list[Reduced]:
    """Return every operand of a reduction whose result has elements; none of other operations."""
    if op.name not in LEAVES or not op.results[0].type.size:
        return []
    return [reduction(op, k, definitions) for k in range(len(op.results))]


def reduction(op: Op, k: int, definitions: Mapping[str, Op]) -> Reduced:
    values = op.operands[1:] if op.name == SCATTER else op.operands[k :: len(op.results)]
    input, init = values
    E = op.regions[-1].returns[k].type.element_type
    value = constant(init, definitions)
    known = None if value is None else convert_leaves(value, init.type.element_type, E).item()
    count = LEAVES[op.name](op)
    windows = window_count(op) if op.name == SCATTER else count
    inner = combining(op.regions[-1], k)
    return Reduced(op, k, input, init, E, op.results[k], inner, known, count, windows)
