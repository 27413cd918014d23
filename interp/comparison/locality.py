"""Errors by operation: the error that each adds to the results, and the error that it inherits.

Operations are switched from exact to actual one after another, in program order. Before its switch, an
operation gives the exact result for the numbers that reach it; afterwards, the numbers that its stored
results represent. The change of a program's result is the operation's part of the error, in the result's
own unit; these differences of neighbours sum to the total error.

After a switch only operations that depend on it run again, until nothing changes. That is at most the rest
of the program for each operation that is not exact; beyond `WORK`, several operations are switched together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from types import MappingProxyType

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import outline
from interp.engine.evaluate import Context, Listener, Place
from interp.engine.leaf_counts import window_of
from interp.engine.memo import once
from interp.engine.quant import in_f64
from interp.engine.storage import to_reals
from interp.engine.work import Covered, Progress, Work
from interp.kernels import OPERATIONS
from interp.recorder.event import heading
from interp.recorder.layers import layer_of
from interp.recorder.names import Qualifier
from interp.rewrite.float_reference import entry_module
from interp.rewrite.stages import exact_reference
from spec.ir import Module, Op, Value, reads
from spec.schedule import Schedule
from spec.types import QuantizedType, TensorType

# The difference of two programs' results: exact at every element, and summarized.

NumpyArray = np.ndarray


@dataclass(frozen=True, eq=False)
class Difference:
    """The difference `after - before`, f64 arrays in expressed units, of the elements in `counted`."""

    name: str
    before: NumpyArray = field(repr=False)
    after: NumpyArray = field(repr=False)
    counted: NumpyArray = field(repr=False)

    def at(self, index: tuple[int, ...]) -> Fraction:
        """Return the exact difference of one element, which is finite on both sides."""
        return Fraction(float(self.after[index])) - Fraction(float(self.before[index]))

    @cached_property
    def error(self) -> NumpyArray:
        """Return the differences rounded to f64; 0 where an element does not count."""
        with np.errstate(invalid="ignore", over="ignore"):
            return np.where(self.counted, self.after - self.before, 0.0)

    @property
    def largest(self) -> float:
        return float(np.abs(self.error).max(initial=0))

    @property
    def worst(self) -> tuple[int, ...] | None:
        """Return the index of the largest difference; None if no element counts."""
        if not self.counted.any():
            return None
        at = int(np.where(self.counted, np.abs(self.error), -1).argmax())
        return tuple(int(i) for i in np.unravel_index(at, self.error.shape))

    @property
    def mean(self) -> float:
        """Return the mean difference, with its sign, over the elements that count."""
        return float(self.error.sum() / max(1, np.count_nonzero(self.counted)))

    @property
    def count(self) -> int:
        """Return how many elements differ."""
        return int(np.count_nonzero(self.error))


def finite(*arrays: NumpyArray) -> NumpyArray:
    """Return where all arrays are finite."""
    return np.asarray(np.logical_and.reduce([np.isfinite(x) for x in arrays]))


WORK = 1 << 31  # elementary steps that the switches may take: about half a minute
CALL = 1 << 14  # elementary steps that entering an operation takes


@dataclass(frozen=True)
class Reals:
    """Engine that runs programs on carriers, in one schedule."""

    schedule: Schedule
    contractions: str

    def run(self, module: Module, args: Sequence[Array], *listeners: Listener) -> list[Array]:
        ctx = Context(NUMPY, module, self.schedule, OPERATIONS, listeners, self.contractions)
        with np.errstate(all="ignore"):
            return list(ctx.call(module.main.name, args))


@dataclass(frozen=True, eq=False)
class Operation:
    """The error of one numeric result of an operation, in that result's unit; `value` is its name.

    `inherited`: the exact operation on the numbers that its operands represent, minus the same on exact
    operands. `local`: its stored result minus the exact operation on the same operands. Their sum is its
    error.
    """

    op: Op
    value: str
    local: Difference
    inherited: Difference


@dataclass(frozen=True, eq=False)
class Switch:
    """Operations that became actual together: one or several in sequence; none stands for the arguments.

    `results`: the program's results afterwards, in f64, in expressed units. `headings`: the operations'
    names.
    """

    ops: tuple[Op, ...]
    results: tuple[Array, ...] = field(repr=False)
    headings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        if not self.ops:
            return "arguments"
        first, *_, last = self.headings * 2
        return first if len(self.ops) == 1 else f"{len(self.ops)} operations, {first} to {last}"


def is_real(type: TensorType) -> bool:
    """Return whether elements of a type represent real numbers."""
    return type.is_quantized or type.storage_type.kind == "float"


def real_numbers(x: Array, type: TensorType) -> Array:
    """Return the numbers of a stored array: `(q - zero_point) * scale` in f64, others in their carrier."""
    carried = NUMPY.decode(x, type.storage_type)
    element = type.element_type
    return to_reals(carried, in_f64(element) if isinstance(element, QuantizedType) else element)


def switch_operations(
    program: Module,
    engine: Reals,
    numbers: Sequence[Array],
    stored: Sequence[Array],
    work: int = WORK,
    progress: Progress = lambda what, done, total: None,
    names: Mapping[str, str] = MappingProxyType({}),
    long: Work | None = None,
) -> tuple[tuple[Array, ...], list[Switch], list[Operation]]:
    """Run the exact program on `numbers`, then after every switch, and also each operation on its own.

    `program` has calls only inside regions. The first switch is that of the arguments, from `numbers` to the
    `stored` ones; after the last switch the results are the program's own. `names` has the names to print for
    values, if these differ. After the deadline of `long`, the operations left are switched together.
    """
    long = long or Work()
    mixed = _Mixed(program, engine, numbers, stored, names)
    before, exact = mixed.real_results(), dict(mixed.reals)
    mixed.switch_arguments()
    switches, found, waiting = [Switch((), mixed.real_results())], list[Operation](), list[Op]()
    late, done = False, 0
    for k, op in enumerate(mixed.ops):
        progress(mixed.heading(op), k, len(mixed.ops))
        found += mixed.switch(k, exact)
        waiting.append(op)
        late = late or long.is_over
        done += not late
        if (mixed.spent * len(mixed.ops) <= work * (k + 1) and not late) or op is mixed.ops[-1]:
            mixed.settle_all(k + 1)
            switches.append(Switch(tuple(waiting), mixed.real_results(), tuple(map(mixed.heading, waiting))))
            waiting = []
    long.covered.append(Covered("operations alone", done, len(mixed.ops), long.seconds))
    return before, switches, found


class _Mixed:
    """A program whose first operations are actual, and the others exact on the numbers that reach them.

    `reals` are the numbers that its values represent, and `known` the program's own stored values. `changed`
    are values that have changed since the operations that read them were computed.
    """

    def __init__(
        self,
        program: Module,
        engine: Reals,
        numbers: Sequence[Array],
        stored: Sequence[Array],
        names: Mapping[str, str],
    ) -> None:
        self.names, self.program = names, program
        self.main, self.ops = program.main, program.main.body.ops[:-1]
        self.changed, self.actual, self.spent = set[str](), set[str](), 0
        keeper = _Keeper()
        carried = [
            NUMPY.decode(x, v.type.storage_type) for x, v in zip(stored, self.main.inputs, strict=True)
        ]
        engine.run(program, carried, keeper)
        inputs = [v.name for v in self.main.inputs]
        self.known = dict(zip(inputs, carried, strict=True)) | keeper.values
        self.references = [_reference_of(op, program, engine) for op in self.ops]
        self.reals = dict(zip(inputs, numbers, strict=True))
        for op, reference in zip(self.ops, self.references, strict=True):
            self.reals |= zip((v.name for v in op.results), reference(self.reals), strict=True)

    def heading(self, op: Op) -> str:
        results = tuple(Value(self.names.get(v.name, v.name), v.type) for v in op.results)
        return heading(replace(op, results=results), Qualifier(layer=layer_of(self.program, op)))

    def real_results(self) -> tuple[Array, ...]:
        """Return the results in f64: quantized ones dequantized as specified, others unchanged."""
        returned = zip(self.main.body.returns, self.main.results, strict=True)
        return tuple(self._real_result(v.name, type) for v, type in returned)

    def _real_result(self, name: str, type: TensorType) -> Array:
        x = to_reals(self.known[name], type.element_type) if name in self.actual else self.reals[name]
        return x.astype(np.float64) if is_real(type) else x

    def switch_arguments(self) -> None:
        for v in self.main.inputs:
            self._move(v.name, real_numbers(self.known[v.name], v.type))
            self.actual.add(v.name)
        self.settle_all(0)

    def switch(self, k: int, exact: Mapping[str, Array]) -> Iterator[Operation]:
        """Switch an operation from exact to actual; values that depend on it are not computed again yet."""
        self._settle(k)
        op = self.ops[k]
        for v in op.results:
            got = real_numbers(self.known[v.name], v.type)
            if is_real(v.type) and _reads(op):
                yield _operation(op, self.names.get(v.name, v.name), exact[v.name], self.reals[v.name], got)
            self._move(v.name, got)
            self.actual.add(v.name)

    def settle_all(self, first: int) -> None:
        """Recompute what depends on changed values, from operation `first` on; all before it are actual."""
        for k in range(first, len(self.ops)):
            self._settle(k)
        self.changed.clear()

    def _settle(self, k: int) -> None:
        op = self.ops[k]
        if self.changed.isdisjoint(_reads(op)):
            return
        self.spent += _work(op)
        for v, x in zip(op.results, self.references[k](self.reals), strict=True):
            self._move(v.name, x)

    def _move(self, name: str, x: Array) -> None:
        if not _same(self.reals[name], x):
            self.reals[name] = x
            self.changed.add(name)


class _Keeper(Listener):
    """Listener that keeps the values of a function by name."""

    sees_nodes = False

    def __init__(self) -> None:
        self.values: dict[str, Array] = {}

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None:
            self.values |= zip((v.name for v in op.results), results, strict=True)


@once
def _reads(op: Op) -> list[str]:
    """Return the names of an operation's operands, and of the values that its regions capture."""
    return [v.name for v in reads(op)]


def _reference_of(op: Op, program: Module, engine: Reals) -> Callable[[Mapping[str, Array]], list[Array]]:
    """Return the exact form of an operation, on the real numbers that its operands represent."""
    whole = outline(op, "")
    reference = exact_reference(entry_module(Module({**program.functions, "": whole}), whole))
    return lambda reals: engine.run(reference, [reals[name] for name in _reads(op)])


def _same(x: Array, y: Array) -> bool:
    """Return whether all bits are equal."""
    return x is y or (x.dtype == y.dtype and x.tobytes() == y.tobytes())


def _operation(op: Op, name: str, *chain: Array) -> Operation:
    wanted, given, got = (x.astype(np.float64) for x in chain)
    counted = finite(wanted, given, got)
    local = Difference("local", given, got, counted)
    return Operation(op, name, local, Difference("inherited", wanted, given, counted))


def _work(op: Op) -> int:
    """Estimate how many elementary steps an operation takes."""
    sizes = sum(v.type.size for v in (*op.operands, *op.results))
    each = prod(window_of(op))
    if op.name == "stablehlo.dot_general":
        each = prod(op.operands[0].type.shape[d] for d in op["lhs_contracting_dimensions"])
    elif op.name == "stablehlo.convolution":
        each = op.operands[1].type.size // max(
            1, op.operands[1].type.shape[op["kernel_output_feature_dimension"]]
        )
    return CALL + sizes + each * op.results[0].type.size
