"""`compare` of two programs: every pair of values that stand for the same number, and where they part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interp.backends import NUMPY, State
from interp.comparison.comparison import ResultReport, distance, report
from interp.comparison.landmarks import Landmark
from interp.comparison.matching import Pair, match_landmarks
from interp.engine.arguments import accept_arguments, check_count
from interp.engine.evaluate import Listener, Place, listening
from interp.engine.limits import Size, memory, refuse_size
from interp.engine.markup import Display, align, join_lines
from interp.engine.tensor import Tensor, jax_dtype, to_storage
from interp.execute.accumulating import Given
from interp.execute.run import run, runnable
from interp.execute.unused import Both, unused_options
from interp.execute.xla import lower_function
from interp.loading.load import load
from interp.recorder.event import short
from interp.recorder.layers import layer_of
from interp.recorder.names import with_layer
from interp.rewrite.float_reference import is_quantized
from interp.rewrite.float_reference_rules import plain
from interp.rewrite.inlining import inline_and_name
from spec.accumulator import Reading, reading_named
from spec.errors import UNKNOWN, Malformed, Unsupported
from spec.ir import Func, Module, Op, Value
from spec.schedule import Schedule
from spec.types import BundleType

SHOWN = 40  # rows that a table prints


@dataclass(frozen=True)
class Row:
    """A value of each program: their names, how they were matched, and what differs between them.

    `report` has the differences in real units, and in steps of the value that is not the reference, if that
    is quantized. `worst` is the index of the largest difference, where `values` are the two numbers; None if
    nothing differs. `layer` is the name of the right value's layer.
    """

    left: str
    right: str
    op: str
    how: str
    report: ResultReport
    worst: tuple[int, ...] | None
    values: tuple[Any, ...] | None
    layer: str = ""

    @property
    def title(self) -> str:
        """The name of the right value with that of its layer: `conv2 (%4)`."""
        return with_layer(self.right, self.layer)

    @property
    def equal(self) -> bool:
        """Return whether every element represents the same number on both sides."""
        return self.report.disagreeing == 0

    @property
    def badness(self) -> tuple[bool, float, float]:
        """Return what orders rows: infinities and NaN on one side, then noise, then the largest error."""
        noise = -np.inf if self.report.sqnr is None else -self.report.sqnr
        return self.report.not_finite > 0, noise, self.report.largest_error or 0.0

    def cells(self) -> list[str]:
        """Return the row of the table."""
        found = self.report
        numbers = [_number(x) for x in (found.largest_error, found.largest_steps, found.sqnr)]
        worst = "" if self.worst is None else "{} : {:.6g}, {:.6g}".format(self.worst, *self.values or ())
        unequal = f"{found.disagreeing} of {found.type.size}"
        return [self.left, self.title, self.op, self.how, *numbers, unequal, worst]


def _number(x: float | None) -> str:
    return "-" if x is None else f"{x:.4g}"


HEADINGS = ["left", "right", "operation", "by", "largest error", "steps", "SQNR dB", "unequal", "worst at"]


@dataclass(frozen=True, repr=False)
class SideBySide(Display):
    """Result of `compare` for two programs: a row for each pair of matched values, in program order.

    The last rows are the programs' results. `unmatched` has the names of values without a partner, left and
    right; `left_out` tells which of them stand at the same place, but do not mean the same, and why: (left,
    right, reason). `outputs` are the results of both programs. `reference` is the side that is the signal of
    every ratio: the left one, unless that alone is quantized.
    `unused_options` are the options that were asked for and that each does not use.
    """

    rows: tuple[Row, ...]
    title: str
    unmatched: tuple[tuple[str, ...], tuple[str, ...]]
    outputs: tuple[tuple[Tensor, ...], tuple[Tensor, ...]] = field(repr=False)
    left_out: tuple[tuple[str, str, str], ...] = ()
    reference: str = "left"
    unused: Both = field(default=Both(), repr=False)

    @property
    def ok(self) -> bool:
        """Return whether the programs' results represent the same numbers."""
        return all(row.equal for row in self.rows if row.how == "result")

    @property
    def first(self) -> Row | None:
        """The first row with a difference, in the right program's order; None if there is none."""
        return next((row for row in self.rows if not row.equal), None)

    @property
    def worst(self) -> Row | None:
        """The row that differs most: infinite or NaN on one side only, else with the least SQNR."""
        return max((row for row in self.rows if not row.equal), key=lambda row: row.badness, default=None)

    def _repr_text_(self) -> str:
        rows = [HEADINGS, *(row.cells() for row in self.rows[:SHOWN])]
        more = [f"... {len(self.rows) - SHOWN} more in .rows"] if len(self.rows) > SHOWN else []
        lines = [*self._finding_lines(), *align(rows, left=(0, 1, 2, 3, 8)), *more, *self.unused.lines]
        return join_lines([self.title, *lines])

    def _finding_lines(self) -> list[str]:
        """Return the lines on the first and the worst difference, and on what was not matched."""
        lines = [
            f"{what}: {row.op} {row.left} beside {row.title}, SQNR {_number(row.report.sqnr)} dB"
            for what, row in (("first difference", self.first), ("worst", self.worst))
            if row is not None
        ] or ["no difference in any pair"]
        counts = [len(side) for side in self.unmatched]
        lines += [f"not matched: {counts[0]} values left, {counts[1]} right"] if any(counts) else []
        pairs = [f"{left} beside {right}" for left, right, _ in self.left_out]
        reasons = ", ".join(dict.fromkeys(reason for _, _, reason in self.left_out))
        return lines + ([f"left out: {list_names(pairs)} ({reasons})"] if pairs else [])


def list_names(names: Sequence[str], most: int = 4) -> str:
    """Return the first few names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


@dataclass
class Kept(Listener):
    """Listener that keeps the values with some names of the function that runs."""

    wanted: dict[str, Value]
    found: dict[str, Tensor] = field(default_factory=dict)
    sees_nodes = False

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        for value, x in zip(op.results, results, strict=True):
            if self.wanted.get(value.name) is value:
                self.found[value.name] = Tensor(value.type, NUMPY.encode(x, value.type.storage_type))


def side_by_side(
    left: Module,
    right: Module,
    args: Sequence[Any],
    function: str = "main",
    mode: str = "mlir",
    schedule: str | Schedule = "left",
    reading: str | Reading = "dequantize",
    listeners: Iterable[Listener] = (),
    accumulator: Given | Mapping[Any, Given] | None = None,
) -> SideBySide:
    """Run two programs on the same arguments, and compare all values that stand for the same number.

    args: the arguments of `left`. Those of `right` are the same, quantized or dequantized where its
    parameters have another type. Values are matched by names that somebody chose, by the locations that an
    exporter gave, and by the alignment of both sequences of operations (see `matching`); a pair by structure
    is a good guess, not a proof. Values inside loops and branches are not matched, only their results.

    accumulator: that of all sums of both. Raises the errors of `run`, and `Malformed` if the programs take or
    give other shapes.
    """
    if isinstance(accumulator, Mapping):
        raise Unsupported("accumulators of the named sums of two programs", "expected one for all sums")
    funcs = [runnable(m, function, mode) for m in (left, right)]
    asked = reading_named(reading)
    said = Both(*(unused_options(m, func.name, asked) for m, func in zip((left, right), funcs, strict=True)))
    said.refuse()
    given = tensors(funcs[0], args)
    refuse_other_results(*funcs)
    flat, names = zip(*map(inline_and_name, (left, right), funcs), strict=True)
    matching = match_landmarks(*(m.main for m in flat))
    pairs = matching.pairs()
    _refuse_memory(pairs)
    kept = [Kept({p.left.last_value.name: p.left.last_value for p in pairs})]
    kept += [Kept({p.right.last_value.name: p.right.last_value for p in pairs})]
    outputs = tuple(
        run(
            m,
            *x,
            mode=mode,
            schedule=schedule,
            reading=asked._replace(is_asked=False),
            accumulator=accumulator,
            listeners=[*listening(listeners), k],
        )
        for m, x, k in zip(flat, (given, translate_arguments(given, funcs[1])), kept, strict=True)
    )
    matching.leave_out_units(lambda x, side: kept[side].found[x.last_value.name].dequantize())
    pairs = matching.pairs()
    reference = "right" if is_quantized(flat[0]) and not is_quantized(flat[1]) else "left"
    layers = [layer_of(flat[1], pair.right.op) for pair in pairs]
    rows = [replace(_row(p, names, kept, reference), layer=x) for p, x in zip(pairs, layers, strict=True)]
    ends = enumerate(zip(*outputs, strict=True))
    rows += [_result(k, x, y, reference) for k, (x, y) in ends if isinstance(x, Tensor)]
    alone = [tuple(_label(x, n) for x in side) for side, n in zip(matching.alone(), names, strict=True)]
    title = f"@{funcs[0].name} (left) beside @{funcs[1].name} (right): {len(pairs)} pairs of values"
    title += f", the {reference} one is the reference"
    apart = tuple((_label(x.left, names[0]), _label(x.right, names[1]), x.reason) for x in matching.left_out)
    sides = (alone[0], alone[1]), (outputs[0], outputs[1])
    return SideBySide(tuple(rows), title, sides[0], sides[1], apart, reference, said)


def tensors(func: Func, args: Sequence[Any]) -> list[Any]:
    """Return a function's arguments as tensors; tokens and tuples as they are."""
    pairs = zip(accept_arguments(func, args), func.inputs, strict=True)
    return [Tensor(v.type, x) if not isinstance(v.type, BundleType) else x for x, v in pairs]


def translate_arguments(given: Sequence[Any], func: Func) -> list[Any]:
    """Return arguments for another function: the same numbers in the types of its parameters."""
    check_count(func, given)
    return [_translate(x, v) for x, v in zip(given, func.inputs, strict=True)]


def _translate(x: Any, parameter: Value) -> Any:
    if not isinstance(x, Tensor) or x.type == parameter.type:
        return x
    if x.type.shape != parameter.type.shape:
        raise Malformed(
            f"the right program's argument {parameter.title} has another shape",
            f"expected {x.type.shape}, as in the left program\ngot {parameter.type.shape}",
        )
    return to_storage(x.dequantize(), parameter.type)


def real_arguments(inputs: Sequence[Tensor]) -> list[np.ndarray]:
    """Return arguments as real numbers, in the types of the float reference."""
    return [x.dequantize().astype(jax_dtype(plain(x.type))) for x in inputs]


def needs_wide_types(func: Func) -> bool:
    """Return whether JAX needs its 64-bit types for the float reference of a function."""
    return any(jax_dtype(plain(t)).itemsize > 4 for t in (*(v.type for v in func.inputs), *func.results))


def lower_reference(against: Any, func: Func, args: Sequence[Any]) -> Module:
    """Return a function or model of the real arguments of a program as a program that takes all of them."""
    lowered = lower_function(against, real_arguments(tensors(func, args)), needs_wide_types(func))
    return load(lowered)


def refuse_other_results(left: Func, right: Func) -> None:
    """Raise `Malformed` if two functions return results of different shapes."""
    shapes = [[getattr(t, "shape", t) for t in func.results] for func in (left, right)]
    if shapes[0] != shapes[1]:
        raise Malformed("the programs return other shapes", f"left {shapes[0]}\nright {shapes[1]}")


def _refuse_memory(pairs: Sequence[Pair]) -> None:
    """Raise `Unsupported` if the values that are kept of both runs are larger than the memory."""
    values = [x.last_value for pair in pairs for x in (pair.left, pair.right)]
    sizes = [Size(v.type.shape, NUMPY.carrier(v.type.storage_type).itemsize) for v in values]
    refuse_size(f"the values of {len(pairs)} pairs", sizes, memory(), UNKNOWN)


def _row(pair: Pair, names: Sequence[Any], kept: Sequence[Kept], reference: str) -> Row:
    values = [k.found[x.last_value.name] for k, x in zip(kept, (pair.left, pair.right), strict=True)]
    shown = [_label(x, n) for x, n in zip((pair.left, pair.right), names, strict=True)]
    ends = shown[0], shown[1], short(pair.right.op), pair.how
    return _compare(*ends, values[0], values[1], reference)


def _label(landmark: Landmark, names: Any) -> str:
    return str(names.get(landmark.value.name, landmark.value.name))


def _result(number: int, left: Tensor, right: Tensor, reference: str) -> Row:
    return _compare(f"result {number}", f"result {number}", "return", "result", left, right, reference)


def _compare(left: str, right: str, op: str, how: str, x: Tensor, y: Tensor, reference: str) -> Row:
    """Return the row of two values; the value on the side of the reference is the signal."""
    ours, other = (x, y) if reference == "right" else (y, x)
    found = report(ours, other.dequantize(), np.full(y.type.shape, np.inf))
    if not found.disagreeing:
        return Row(left, right, op, how, found, None, None)
    numbers = [x.dequantize(), y.dequantize()]
    worst = np.unravel_index(int(distance(*numbers).argmax()), x.shape)
    values = tuple(number[worst].item() for number in numbers)
    return Row(left, right, op, how, found, tuple(map(int, worst)), values)
