"""`verify`: all violated constraints of a program, as values, in program order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from spec.errors import Location, Malformed, Violation, one_of
from spec.ir import RUN_PARALLEL, Func, Module, Op, Region, Value, callee_names, callees
from spec.rules import (
    collectives,
    communication,
    contraction,
    control,
    conversion,
    dynamism,
    elementwise,
    indexing,
    quant_dialect,
    reduction,
    routines,
    structure,
)
from spec.rules.constraint import SHOWN, C, Constraint, violations
from spec.rules.control import COUNTS, types
from spec.rules.members import is_sub_channel
from spec.rules.quant_dialect import QUANTIZED_TYPE
from spec.types import TensorType, is_tensor

# The constraint rows of every operation by its name, and operations on other values than tensors.


CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    **elementwise.CONSTRAINTS,
    **elementwise.CHOICE_CONSTRAINTS,
    **structure.CONSTRAINTS,
    **structure.PLACEMENT_CONSTRAINTS,
    **conversion.CONSTRAINTS,
    **contraction.CONSTRAINTS,
    **contraction.CONVOLUTION_CONSTRAINTS,
    **indexing.CONSTRAINTS,
    **indexing.SCATTER_CONSTRAINTS,
    **reduction.CONSTRAINTS,
    **reduction.SELECTION_CONSTRAINTS,
    **routines.NORMALIZATION_CONSTRAINTS,
    **routines.RANDOM_CONSTRAINTS,
    **routines.CONSTRAINTS,
    **control.CONSTRAINTS,
    **control.TUPLE_CONSTRAINTS,
    **collectives.CONSTRAINTS,
    **communication.CONSTRAINTS,
    **control.MANUAL_CONSTRAINTS,
    **control.GRID_CONSTRAINTS,
    **dynamism.CONSTRAINTS,
    **quant_dialect.SIMULATION_CONSTRAINTS,
    **quant_dialect.FAKE_QUANT_CONSTRAINTS,
}
# Operations that may take or return tuples, tokens or futures.
BUNDLES = frozenset(
    {
        "func.call",
        "interpreter.run_parallel",
        "stablehlo.after_all",
        "stablehlo.async_done",
        "stablehlo.async_start",
        "stablehlo.case",
        "stablehlo.composite",
        "stablehlo.create_token",
        "stablehlo.custom_call",
        "stablehlo.get_tuple_element",
        "stablehlo.if",
        "stablehlo.infeed",
        "stablehlo.optimization_barrier",
        "stablehlo.outfeed",
        "stablehlo.recv",
        "stablehlo.send",
        "stablehlo.tuple",
        "stablehlo.while",
    }
)


# By op, the operands that are attributes of its static op: names and positions.
GEOMETRY = {name: row.geometry for name, row in dynamism.DYNAMIC.items()}
static = dynamism.static
without_geometry = dynamism.data

MODES = ("strict", "mlir")
RETURNS = ("func.return", "stablehlo.return", "sdy.return", "quant.return")

REGION = (
    C(
        1,
        "the last operation, and no other, returns",
        lambda region: [op.name in RETURNS for op in region.ops] == [False] * (len(region.ops) - 1) + [True],
    ),
)
FUNCTION = (
    C(
        1,
        "the body returns the results of the signature",
        lambda function: tuple(value.type for value in function.body.returns) == function.results,
    ),
)


def callee(op: Op, module: Module) -> Func:
    """Return the function that a call or a composite names; `LookupError` if it is missing or has no body."""
    (name,) = callee_names(op)
    function = module.functions[name]
    if not function.body.ops:
        raise LookupError(f"@{function.name} has no body")
    return function


# Of an operation that takes tensors alone.
TENSORS = (
    C(
        2,
        "the operands and results of an operation on tensors are tensors",
        lambda op: all(is_tensor(value.type) for value in (*op.operands, *op.results)),
        SHOWN,
    ),
)


def takes_operands(op: Op, module: Module) -> bool:
    return types(op.operands) == types(callee(op, module).inputs)


def gives_results(op: Op, module: Module) -> bool:
    return types(op.results) == [*callee(op, module).results]


# A call is judged together with its module.
CALL = (
    C(1, "callee is a function of the module", lambda call: bool(callee(*call))),
    C(
        2,
        "the operands and results have the types of the callee's signature",
        lambda call: takes_operands(*call) and gives_results(*call),
    ),
    C(
        3,
        "a function does not call itself",
        lambda call: callee(*call).name not in callees(call[1], callee(*call).name),
    ),
)
COMPOSITE = (
    C(
        2,
        "is_defined_in_parent_scope(decomposition)",
        lambda call: bool(callee(*call)) and callee(*call).name not in callees(call[1], callee(*call).name),
    ),
    C(3, "types(inputs...) == input_types(decomposition)", lambda call: takes_operands(*call)),
    C(4, "types(results...) == output_types(decomposition)", lambda call: gives_results(*call)),
)
IN_MODULE = {"stablehlo.composite": COMPOSITE, RUN_PARALLEL: COUNTS}


def has_sizes(op: Op) -> bool:
    """Return whether all sizes of operands and results are known; rows are only checked if they are."""
    return not any(None in value.type.shape for value in (*op.operands, *op.results))


def label(name: str) -> str:
    """Return the name of an operation in codes: `add_c1`, `sdy_reshard_c1`; `region_c1` is every region's."""
    whole = name.startswith("sdy.") or name == "quant.region"
    return name.replace(".", "_") if whole else name.rpartition(".")[2]


def verify(module: Module, mode: str = "strict") -> list[Violation]:
    """Return all violations, in `strict` mode (the specification's text) or `mlir` mode (jaxlib's verifier).

    An operation with unknown sizes is checked when the program is refined for its arguments.
    A module in the dialect of the reduction RFC is checked by the RFC's own rows (erratum E7).
    """
    refuse_other(module)
    verifier = _Verifier(module, one_of(MODES, mode, "mode of verification"))
    return [v for function in module.functions.values() for v in verifier.function(function)]


def refuse_other(module: object) -> None:
    """Raise `Malformed` for anything but a module."""
    if not isinstance(module, Module):
        raise Malformed(f"not a module: {type(module).__name__}", "load it first: interp.load(source)")


class _Verifier(NamedTuple):
    """State that every check reads."""

    module: Module
    mode: str

    def function(self, function: Func) -> Iterator[Violation]:
        """Check the body of a function, and its results against its signature; skip declarations."""
        if not function.body.ops:
            return
        yield from self.region(function.body, {}, function.location)
        yield from self.rows(FUNCTION, function, "func", function.location)

    def region(
        self, region: Region, outer: Mapping[str, TensorType], where: Location, foreign: bool = False
    ) -> Iterator[Violation]:
        """Check the contents of a region; foreign operations have their own terminators and order."""
        known = {**outer, **_types(region.arguments)}
        if foreign:
            known |= _types(value for op in region.ops for value in op.results)
        yield from self.check_quantized(region.arguments, where)
        for op in region.ops:
            yield from self.op(op, known)
            known |= _types(op.results)
        if not foreign:
            yield from self.rows(REGION, region, "region", where)

    def op(self, op: Op, known: Mapping[str, TensorType]) -> Iterator[Violation]:
        for value in op.operands:
            if known.get(value.name) != value.type:
                evidence = f"operand = {value!r}"
                yield Violation("value_c1", "an operand is defined before its use", evidence, op.location)
        if op.name in CONSTRAINTS and op.name not in BUNDLES:
            yield from self.rows(TENSORS, op, "value", op.location)
        yield from self.check_quantized(op.results, op.location)
        if op.name == "func.call":
            yield from self.rows(CALL, (op, self.module), "call", op.location)
        if op.name in CONSTRAINTS and op.name != "func.call" and has_sizes(op):
            yield from self.own_rows(op)
        if op.name in IN_MODULE:
            yield from self.rows(IN_MODULE[op.name], (op, self.module), label(op.name), op.location)
        for inner in op.regions:
            yield from self.region(inner, known, op.location, foreign=op.name not in CONSTRAINTS)

    def own_rows(self, op: Op) -> list[Violation]:
        """Return violations of an operation's rows, and of those about blocks if it has such types."""
        if not any(map(is_sub_channel, (*op.operands, *op.results))):
            return self.rows(CONSTRAINTS[op.name], op, label(op.name), op.location)
        from spec.rules import blocks  # which few programs need

        if not blocks.uses_blocks(op):
            return self.rows(CONSTRAINTS[op.name], op, label(op.name), op.location)
        try:
            erased = blocks.without_parameters(op)
        except (LookupError, ValueError):  # operands or regions are missing, as the rows will say
            erased = op
        found = self.rows(CONSTRAINTS[op.name], erased, label(op.name), op.location)
        return found or blocks.block_violations(op, label(op.name))

    def check_quantized(self, values: Iterable[Value], where: Location) -> Iterator[Violation]:
        """Yield violations of the rows of quantized types, at the definitions of values."""
        for value in values:
            if value.type.is_quantized:
                yield from self.rows(QUANTIZED_TYPE, value.type, "quantized_type", where)

    def rows(
        self, rows: tuple[Constraint, ...], subject: object, name: str, where: Location
    ) -> list[Violation]:
        return violations(rows, subject, name, where, self.mode, self.module.dialect)


def _types(values: Iterable[Value]) -> dict[str, TensorType]:
    return {value.name: value.type for value in values}
