"""Options of a run that its operations do not use, and the notes about a run, issued as Python warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from interp.engine.bodies import body_ops
from interp.engine.facts import facts
from interp.engine.memo import once
from interp.engine.quant import Type
from interp.engine.registry import REGISTERED, gives_nothing
from interp.engine.storage import is_stored_as_integer
from interp.recorder.names import title_of
from interp.speed.exact_contraction import accumulation_type
from spec.accumulator import LITERAL, Reading, is_width, reading_named
from spec.errors import Unsupported
from spec.integer_reading import (
    has_equal_scales,
    has_products,
    reads_integers,
    sums_blocks,
    uses_accumulator,
)
from spec.ir import Func, Module, Op, callee_names, callees, nested_ops
from spec.readings import ANY, reading_of
from spec.recipes import QWIX

# Options of a run that its operations do not use: the accumulator, the recipe and the reading.
#
# The accumulator of the integer reading holds products of quantized numbers and their sums
# (`spec.integer_reading.uses_accumulator`). All other sums keep the type that the program gives them: those
# of floats, of plain integers, and of the body of a reduction. A verb says which ones these are, so that
# nobody takes its answer for one about the accumulator.

SHOWN = 4  # sums that a line names
RAISE = "only sums of quantized types use it: see raise_qdq, or run samples in the dequantize reading"
NO_SUMS = "the program has neither a sum nor a product of quantized numbers"
REWRITE = "with_accumulator gives the body another type"


class Sum(NamedTuple):
    """A sum that is not kept in the accumulator asked for: its name, its own type, and what to do."""

    name: str
    type: str
    advice: str


@dataclass(frozen=True)
class Unused:
    """Options of a run that its operations do not use.

    reading: that of the run. sums: those not kept in the accumulator that was asked for, of `total` sums.
    holds: whether the accumulator holds anything. others: a recipe and a reading that change nothing, each
    with the reason.
    """

    reading: Reading
    sums: tuple[Sum, ...] = ()
    total: int = 0
    holds: bool = True
    others: tuple[tuple[str, str], ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Return a sentence for each option that is not used everywhere."""
        asked = self.sums or (self.reading.is_asked and not self.holds)
        accumulator = [": ".join(self._accumulator())] if asked else []
        return (*accumulator, *(f"the {option} is not used: {why}" for option, why in self.others))

    @property
    def plain(self) -> list[dict[str, Any]]:
        """Return the same in plain Python values: an entry for each sum, and one for each other option."""
        asked = f"accumulator {self.reading.accumulator!r}"
        found: list[dict[str, Any]] = [
            {"option": asked, "op": s.name, "type": s.type, "why": s.advice} for s in self.sums
        ]
        if self.reading.is_asked and not (self.holds or self.sums):
            found = [{"option": asked, "op": None, "type": None, "why": NO_SUMS}]
        return [
            *found,
            *({"option": text, "op": None, "type": None, "why": why} for text, why in self.others),
        ]

    def refuse(self) -> None:
        """Raise `Unsupported` if an accumulator was asked for that holds nothing."""
        if self.reading.is_asked and not self.holds:
            raise Unsupported(*self._accumulator())

    def _accumulator(self) -> tuple[str, str]:
        asked = f"the accumulator {self.reading.accumulator!r} is not used"
        if not self.sums:
            return asked, NO_SUMS
        places = [f"{s.name} in {s.type}" for s in self.sums[:SHOWN]]
        more = [f"{len(self.sums) - SHOWN} more"] * (len(self.sums) > SHOWN)
        count = f"by {len(self.sums)} of {self.total} sum{'s' * (self.total != 1)}"
        advice = "; ".join(dict.fromkeys(s.advice for s in self.sums))
        return f"{asked} {count}", f"{', '.join([*places, *more])}; {advice}"


NOTHING = Unused(LITERAL)


class Both(NamedTuple):
    """Options that two programs beside each other do not use."""

    left: Unused = NOTHING
    right: Unused = NOTHING

    @property
    def lines(self) -> tuple[str, ...]:
        """Return a sentence for each program and option."""
        sides = zip(self._fields, self, strict=True)
        return tuple(f"{side}: {line}" for side, each in sides for line in each.lines)

    @property
    def plain(self) -> list[dict[str, Any]]:
        """Return the same in plain Python values."""
        sides = zip(self._fields, self, strict=True)
        return [{**entry, "side": side} for side, each in sides for entry in each.plain]

    def refuse(self) -> None:
        """Raise `Unsupported` if an accumulator was asked for that holds nothing in either program."""
        if not any(each.holds for each in self):
            self.left.refuse()


@once
def unused_options(module: Module, function: str, reading: Reading) -> Unused:
    """Return the options in `reading` that a function, with those that it calls, does not use."""
    if not reading.is_integer:
        return Unused(reading)
    ops = [op for name in called_functions(module, module[function]) for op in nested_ops(module[name].body)]
    others = (*_recipe(ops, reading), *_reading(module, function, reading))
    if not reading.is_asked:
        return Unused(reading, others=others)
    every = [op for op in ops if adds(module, op)]
    sums = (
        Sum(title_of(module, op), repr(type_of_sum(op)), _advice(op))
        for op in every
        if not has_accumulator(op, reading)
    )
    holds = any(uses_accumulator(op, reading) for op in ops)
    return Unused(reading, tuple(sums), len(every), holds, others)


def settle(module: Module, function: str, options: Mapping[str, Any]) -> tuple[Unused, dict[str, Any]]:
    """Return what a function does not use of a run's options, and these with one reading for all three of it.

    Raise `Unsupported` if an accumulator was asked for that holds nothing. Runs in the settled options, of
    other programs, too, need not use it. Options that only `run` has are left as they are.
    """
    name, accumulator = options.get("reading", LITERAL), options.get("accumulator")
    reading = reading_named(name, None, options.get("recipe"))
    if not reading.is_integer or not (accumulator is None or is_width(accumulator)):
        return NOTHING, dict(options)
    found = unused_options(module, function, reading_named(reading, accumulator))
    found.refuse()
    others = {key: x for key, x in options.items() if key not in ("accumulator", "recipe")}
    return found, {**others, "reading": found.reading._replace(is_asked=False)}


def refuse_accumulators(options: Mapping[str, Any], what: str) -> None:
    """Raise `Unsupported` for a run with sums in other accumulators, of which something is not known."""
    if (accumulator := options.get("accumulator")) is not None:  # a settled reading has its own
        raise Unsupported(f"{what} of a run in the accumulator {accumulator!r}", "trace it without that")


def has_accumulator(op: Op, reading: Reading) -> bool:
    """Return whether an operation, or its body, keeps products or their sums in the reading's accumulator."""
    inner = (each for region in op.regions for each in nested_ops(region))
    return any(uses_accumulator(each, reading) for each in (op, *inner))


def why_not_judged(op: Op) -> str:
    """Return the reason why nothing is said about the accumulator for an operation that does not use it."""
    return f"its sums are in {type_of_sum(op)!r}, the accumulator was not looked at; {_advice(op)}"


def _advice(op: Op) -> str:
    """Return what to do about a sum that does not use the accumulator."""
    type = type_of_sum(op)
    return REWRITE if op.regions and is_stored_as_integer(type) else RAISE


def type_of_sum(op: Op) -> Type:
    """Return the type in which the program sums: that of a body's value, or of a contraction's products."""
    return op.regions[-1].arguments[0].type.element_type if op.regions else accumulation_type(op)


def adds(module: Module, op: Op) -> bool:
    """Return whether an operation adds numbers: a contraction, or a reduction whose body adds."""
    if not facts(op).is_recorded:
        return False
    if facts(op).contracts:
        return True
    bodies = body_ops(module, op.regions[-1])
    own = [inner.name for inner in op.regions[-1].ops]
    return "stablehlo.add" in [*own, *(inner.name for inner in bodies if inner)]


def called_functions(module: Module, func: Func) -> list[str]:
    """Return the names of a function and of those that it calls, itself or through others."""
    names = [func.name]
    for name in names:
        for op in nested_ops(module[name].body):
            names += [other for other in dict.fromkeys(callee_names(op)) if other not in names]
    return names


def _recipe(ops: Sequence[Op], reading: Reading) -> list[tuple[str, str]]:
    """Return a chosen recipe, with the reason, if nothing rescales integers."""
    if not reading.chosen or any(_may_rescale(op, reading) for op in ops):
        return []
    return [(f"recipe {reading.chosen}", "no operation rescales integers")]


def _may_rescale(op: Op, reading: Reading) -> bool:
    """Return whether an operation may take integers of one scale to those of another."""
    if op.regions:
        values = (*op.operands, *op.results, *(v for region in op.regions for v in region.arguments))
        return len({value.type.element_type for value in values if value.type.is_quantized}) > 1
    if reading.chosen == QWIX and sums_blocks(op):
        return True
    if not reads_integers(op, reading) or op.name == "stablehlo.compare":
        return False
    return has_products(op) or op.name == "stablehlo.uniform_quantize" or not has_equal_scales(op)


def _reading(module: Module, function: str, reading: Reading) -> list[tuple[str, str]]:
    """Return the integer reading, with the reason, if all readings agree on a function."""
    by_blocks = any("interp.by_blocks" in op.attributes for op in module.ops())
    if by_blocks or reading_of(module, function, reading) != ANY:
        return []
    return [(f"reading {reading.name}", "no operation computes with quantized numbers alone")]


# Notes about a run, issued as Python warnings; a command prints them to its error output.

_SHOWN = 5  # places that a note lists


class Note(UserWarning):
    """A warning that a run leaves something out."""


def note_skipped(module: Module, func: Func) -> None:
    """Warn once if a function calls back Python functions without results, since those calls are skipped."""
    bodies = [module[name].body for name in (func.name, *sorted(callees(module, func.name)))]
    skipped = [op for body in bodies for op in nested_ops(body) if gives_nothing(op)]
    skipped = [op for op in skipped if op["call_target_name"] not in REGISTERED]
    if skipped:
        warnings.warn(_text(skipped), Note, stacklevel=_outside())


@once
def note_unused(module: Module, function: str, reading: Reading) -> None:
    """Warn once of options that a function does not use."""
    for line in unused_options(module, function, reading).lines:
        warnings.warn(line, Note, stacklevel=_outside())


def _text(skipped: list[Op]) -> str:
    count = len(skipped)
    what = "a call of a Python function is" if count == 1 else f"{count} calls of Python functions are"
    places = ", ".join(str(op.location) for op in skipped[:_SHOWN]) + ", ..." * (count > _SHOWN)
    return f"{what} skipped, without effect on the results, such as jax.debug.print: {places}"


def _outside() -> int:
    """Return the stack level, as `warnings.warn` counts it, of the nearest caller outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "interp":
        level, frame = level + 1, frame.f_back
    return level
