"""`lint`: what is legal in a reduction and yet suspicious, as rows like those of `spec.constraint`.

Each is about one operand of a reduction: `inputs[k]` (of select_and_scatter: `source`), its init value, the
type that the body accumulates in, and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from interp.judging.premise import addition_is_integer
from interp.linting.ends import clamped_ends
from interp.linting.leaf_counts import LeafCount, reduced, scattered, windowed
from interp.linting.losses import bounds, converted, is_stored_as_integer, losses, zero_point
from interp.namespace import NUMPY
from interp.run import run
from interp.tracing.events import number
from interp.tracing.identity import Stored, Type, combining, identity
from spec.errors import InterpError, Location
from spec.ir import Func, Module, Op, Region, Value, walk
from spec.types import QuantizedType
from spec.verify import verify

SCATTER, WINDOW = "stablehlo.select_and_scatter", "stablehlo.reduce_window"
LEAVES: dict[str, Callable[[Op], LeafCount]] = {
    "stablehlo.reduce": reduced,
    WINDOW: windowed,
    SCATTER: scattered,
}


class Suspicion(InterpError):
    """Legal, and perhaps not what was meant. Returned by `lint`, never raised. `code` is `lint_<row>`."""

    def __init__(self, code: str, rule: str, evidence: str, where: Location) -> None:
        super().__init__(f"{code}: {rule}", evidence, where)
        self.args = (code, rule, evidence, where)
        self.code, self.rule = code, rule


class Reduced(NamedTuple):
    """Operand k of a reduction. `known` is the stored init value in the body's type, None where an argument
    decides; `leaves` counts what is folded, `windows` what a window holds."""

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
        """Whether the init value is known not to be the identity."""
        return None not in (self.known, self.identity) and self.known != self.identity


class Lint(NamedTuple):
    """A row: what is suspicious, and the evidence for it ("" for none)."""

    name: str
    rule: str
    evidence: Callable[[Reduced], str]


def init(self: Reduced) -> str:
    """Erratum E9: any number of init values may stand anywhere in the schedule."""
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
    """The greatest and the least sum of contiguous leaves, in steps from the accumulator's zero point.

    PREMISE of "safe": the body adds as integers, which is asked for every sum of so many elements.
    """
    if self.body != "add" or not is_stored_as_integer(self.type):
        return ""
    top, bottom = sides(self)
    evidence = exceeded(self, top, 1) or exceeded(self, bottom, -1)
    if not evidence:
        return ""
    is_padded = self.op.name == WINDOW and self.leaves.padding
    safe = "" if is_padded else f"proven safe up to {proven(self, top, bottom)} elements; "
    return f"{evidence} ({safe}in steps from its zero point)"


class Side(NamedTuple):
    """The largest element and init value in one direction from the zero point, and how far storage goes."""

    element: int
    init: int
    limit: int

    def reached(self, elements: int, inits: int) -> int:
        """No sum of contiguous leaves is larger."""
        return elements * max(0, self.element) + inits * max(0, self.init)


def sides(self: Reduced) -> tuple[Side, Side]:
    """Towards the greatest and, mirrored, towards the least stored number."""
    elements = clamped_ends(self.input.type.element_type, self.type)
    inits, z = clamped_ends(self.init.type.element_type, self.type), zero_point(self.type)
    if self.known is not None:
        inits = (int(self.known) - z,) * 2
    least, greatest = bounds(self.type)
    top = Side(elements[1], inits[1], greatest - z)
    return top, Side(-elements[0], -inits[0], z - least)


def exceeded(self: Reduced, side: Side, sign: int) -> str:
    """The evidence where elements and, at the other positions of a window, init values pass the limit.

    They reach that where nothing negative has to stand between them, and if so many windows select one
    element.
    """
    fewest, most, positions = self.leaves
    counts = {n: positions - n + 1 if self.op.name == WINDOW else 1 for n in (fewest, most)}
    n = max(counts, key=lambda n: side.reached(n, counts[n]))
    inits, total = counts[n], side.reached(n, counts[n])
    if total <= side.limit:
        return ""
    fits = (side.element >= 0 or n == 0) and (side.init >= 0 or inits == 1)
    is_reached = fits and self.op.name != SCATTER
    bound = "at most" if sign > 0 else "at least"
    leaves = f"{n} elements of {bound} {sign * side.element} and {inits} init values of {bound}"
    return (
        f"{leaves} {sign * side.init} {'' if is_reached else 'may '}reach {sign * total}; "
        f"{self.type!r} ends at {sign * side.limit}"
    )


def proven(self: Reduced, *sides: Side) -> int:
    """The most elements that, with one init value, are proven to overflow in no order, whatever they are."""
    rooms = [(side.limit - side.init) // side.element for side in sides if side.element > 0]
    few, many = 0, max(0, min(rooms, default=0)) + 1
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if is_integer_sum(self, middle, *sides) else (few, middle)
    return few


def is_integer_sum(self: Reduced, elements: int, top: Side, bottom: Side) -> bool:
    """Whether the sums of so many elements and an init value are proven to be those of integers."""
    if not isinstance(self.type, QuantizedType):
        return True
    z = zero_point(self.type)
    ends = z - bottom.reached(elements, 1), z + top.reached(elements, 1)
    return bool(addition_is_integer(self.type, *(np.array([end], object) for end in ends)).all())


def padding(self: Reduced) -> str:
    adds = self.op.name == WINDOW and self.body in ("add", "multiply")
    if not (adds and self.changing and self.windows.padding):
        return ""
    return (
        f"up to {self.windows.padding} of {self.windows.positions} positions of a window are padding "
        f"or holes: init_values[{self.k}] = {number(self.known)}"
    )


def empty_window(self: Reduced) -> str:
    if self.windows.fewest:
        return ""
    return f"a window of {self.windows.positions} positions has no element"


LINTS = (
    Lint("init", "an init value is not the identity of the body", init),
    Lint("promotion", "a conversion of the reduction loses values", promotion),
    Lint("overflow", "sums of data in range can overflow the accumulator", overflow),
    Lint("padding", "padding is not the identity of the body", padding),
    Lint("empty_window", "a window has no element", empty_window),
)


def lint(module: Module) -> list[Suspicion]:
    """Everything suspicious in the reductions of a module, in program order.

    Empty for a module that breaks a constraint of `mlir` mode: that is to be mended first.
    """
    if verify(module, "mlir"):
        return []
    return [
        Suspicion(f"lint_{row.name}", row.rule, evidence, operand.op.location)
        for operand in operands(module)
        for row in LINTS
        if (evidence := row.evidence(operand))
    ]


def operands(module: Module) -> Iterator[Reduced]:
    """Every operand of every reduction whose result has elements, also in regions."""
    for function in module.functions.values():
        definitions = {result.name: op for op in walk(function.body) for result in op.results}
        for op in walk(function.body):
            if op.name in LEAVES and op.results[0].type.size:
                yield from (reduction(op, k, definitions) for k in range(len(op.results)))


def reduction(op: Op, k: int, definitions: Mapping[str, Op]) -> Reduced:
    values = op.operands[1:] if op.name == SCATTER else op.operands[k :: len(op.results)]
    input, init = values
    E = op.regions[-1].returns[k].type.element_type
    value = constant(init, definitions)
    known = None if value is None else converted(value, init.type.element_type, E).item()
    count = LEAVES[op.name](op)
    windows = windowed(op) if op.name == SCATTER else count
    inner = combining(op.regions[-1], k)
    return Reduced(op, k, input, init, E, op.results[k], inner, known, count, windows)


def constant(value: Value, definitions: Mapping[str, Op]) -> np.ndarray | None:
    """The value, where it takes only constants, and operations that we know, to compute it."""
    needed: set[str] = set()
    todo = [value.name]
    while todo:
        name = todo.pop()
        op = definitions.get(name)
        if op is None or op.regions or op.name == "func.call":
            return None
        needed.add(name)
        todo += [operand.name for operand in op.operands]
    ops = tuple(op for name, op in definitions.items() if name in needed)
    body = Region((), (*ops, Op("func.return", (value,), ())))
    try:
        (result,) = run(Module({"main": Func("main", body, (value.type,))}))
    except InterpError:
        return None
    return NUMPY.decode(result.storage, value.type.storage_type)
