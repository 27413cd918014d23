"""`lint`: legal but suspicious properties of a reduction, as rows like those of `spec.rules.constraint`.

Each concerns one operand of a reduction: `inputs[k]` (for a select_and_scatter, `source`), its init value,
the accumulation type, and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from interp.engine.bodies import combining
from interp.engine.facts import facts
from interp.engine.identity import Stored, identity
from interp.engine.leaf_counts import SCATTER, WINDOW, LeafCount, reduce_count, source_count, window_count
from interp.engine.quant import Type
from interp.engine.stored import convert_leaves, is_stored_as_integer
from interp.execute.refine import refuse_dynamic
from interp.questions import lint_products
from interp.questions.constants import constant
from interp.questions.overflows import overflowing, sides
from interp.questions.type_range import losses
from interp.recorder.event import number
from interp.recorder.names import name_of
from spec.errors import InterpError, Location
from spec.ir import Func, Module, Op, Value, nested_ops
from spec.verify import verify

LEAVES: dict[str, Callable[[Op], LeafCount]] = {
    "stablehlo.reduce": reduce_count,
    WINDOW: window_count,
    SCATTER: source_count,
}


class Suspicion(InterpError):
    """A legal construct that is perhaps not intended. It is returned by `lint`, never raised.

    `code` is `lint_<row>`. `name` is the name of the reduction: `%4`, `@pool/%4`.
    """

    def __init__(self, code: str, rule: str, evidence: str, where: Location, name: str = "") -> None:
        super().__init__(f"{code}: {name and name + ': '}{rule}", evidence, where)
        self.args = (code, rule, evidence, where, name)
        self.code, self.rule, self.name = code, rule, name


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
    OfProducts("overflow", OVERFLOW, lint_products.contraction_overflow),
    OfProducts("wrap", "products of data in range can wrap", lint_products.wrapping),
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
        Suspicion(f"lint_{name}", rule, evidence, op.location, name_of(module, op))
        for function in module.functions.values()
        for op, name, rule, evidence in _suspicious(function)
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
