"""`invariant`: whether a row is added alike in batches of every size, by any number of shards.

THEOREM. Let two calls add the leaves of a row along accumulations that both were stated, so that each call
has the bits of its accumulation. Their bits agree for every row if the trees are equal, arithmetic included;
for one row they agree exactly if both accumulations give that row the same. The premise is that of
`reveal`: equality was seen on inputs of all kinds, and the order does not depend on data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from interp.apps.revealing.device import Function
from interp.apps.revealing.execution import NUMBER, draw, rerun
from interp.apps.revealing.reveal import CHECK, reveal
from interp.apps.revealing.revealed import Revealed, text
from interp.apps.revealing.site import Site, site_of
from interp.backends.dtypes import numpy_dtype
from interp.engine.markup import Display
from interp.execute.refine import refine
from interp.execute.run import run
from interp.loading.load import as_module
from interp.loading.models import is_function, jit
from interp.loading.models import program as lowered
from interp.questions.permitted.results import equal
from spec.accumulation import Accumulation
from spec.errors import Malformed, Unsupported, whole
from spec.ir import Module

SIZES = (1, 2, 4, 8, 16, 32, 64, 128)
TRIED = 256  # rows of each kind by which two accumulations are told apart
Axis = int | None | Sequence[int | None]


class Call(NamedTuple):
    """A call of so many rows, or by so many shards, with what was recovered of it.

    columns: for each result of a row that was compared, by its flat number, its accumulation; None where
    rows of one call are added in several ways.
    """

    name: str
    number: int
    revealed: Revealed
    columns: Mapping[int, Accumulation | None]


@dataclass(frozen=True, eq=False)
class Invariance(Display):
    """Result of `invariant`: whether every call adds a row alike.

    calls: each size of a batch, and number of shards, with its `Revealed`. change: the names of two calls
    that differ, the first that does and the nearest before it; accumulations: those of both. reason: why it
    is not known. `verdict` is "invariant", "not invariant" or "unknown".
    """

    calls: tuple[Call, ...]
    change: tuple[str, str] | None
    accumulations: tuple[Accumulation | None, Accumulation | None] | None
    reason: str
    module: Callable[[Sequence[Any]], Module]

    @property
    def ok(self) -> bool:
        """Return whether all calls are stated, and add a row alike."""
        return self.change is None and not self.reason

    @property
    def verdict(self) -> str:
        if self.change:
            return "not invariant"
        return "unknown" if self.reason else "invariant"

    @property
    def statement(self) -> str:
        """Return the answer in one line."""
        names = ", ".join(call.name for call in self.calls)
        if self.change and self.accumulations:
            first, second = (text(x) if x else "rows in several ways" for x in self.accumulations)
            return f"not invariant: {self.change[0]}: {first}; {self.change[1]}: {second}"
        if self.reason:
            return f"unknown: {self.reason}"
        checked = min(call.revealed.checked for call in self.calls)
        alike = next((x for call in self.calls for x in call.columns.values()), None)
        what = text(alike) if alike else "alike"
        return f"invariant: {what}; equal on {checked:,} inputs of each of {names}"

    def predict(self, *args: Any, numbers: tuple[int, int]) -> np.ndarray:
        """Return where the results for these arguments have the same bits in two calls, by their numbers.

        Both accumulations are executed. Raises `Unsupported` where a call is not stated as one accumulation.
        """
        module, outs = self.module(args), []
        for number in numbers:
            found = next((call.revealed for call in self.calls if call.number == number), None)
            if found is None or found.accumulation is None:
                what = ", ".join(str(call.number) for call in self.calls if call.revealed.ok)
                raise Unsupported(f"the call of {number} has no accumulation", f"expected one of {what}")
            outs.append(run(module, *args, accumulator=found.accumulation)[0].storage)
        return equal(*outs)

    def __repr__(self) -> str:
        rows = [f"  {call.name}: {call.revealed.statement}" for call in self.calls]
        return "\n".join([self.statement, *rows])

    def to_dict(self) -> dict[str, Any]:
        """Return the answer in plain Python values."""
        both = self.accumulations and [None if x is None else repr(x) for x in self.accumulations]
        return {
            "verdict": self.verdict,
            "change": self.change and list(self.change),
            "accumulations": both,
            "reason": self.reason,
            "calls": [{"call": call.name, **call.revealed.to_dict()} for call in self.calls],
        }

    def table(self) -> list[dict[str, Any]]:
        """Return a row for each call."""
        keys = ("accumulation", "equal", "checked", "reason")
        return [
            {"call": call.name, **{key: call.revealed.to_dict()[key] for key in keys}} for call in self.calls
        ]

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2)


def invariant(
    f: Any,
    *args: Any,
    axis: Axis = 0,
    sizes: Sequence[int] = SIZES,
    shards: Mapping[int, Function] | None = None,
    impl: Any = None,
    of: str | None = None,
    check: int = CHECK,
    seed: int = 0,
) -> Invariance:
    """Return whether the sum of a row is accumulated alike for every batch size and number of shards.

    f: a function of JAX, or a program of which some sizes are unknown (`tensor<?x64xf32>`): these are the
    batch. args: arrays whose shapes and dtypes count, and not their values; a program needs none. axis: the
    axis of the batch in each argument, None for an argument without one; an integer is that of the first
    argument. The results have the batch along axis 0. sizes: numbers of rows; after a change between two of
    them, those between are tried by halves. shards: by their number, functions that compute the same with so
    many shards, on arguments as given. impl: the implementation, as `reveal` takes it; by default `f` itself,
    or XLA. of, check, seed: as for `reveal`.

    Raises `Malformed` or `Unsupported` for a program whose sum is not probed, as `reveal` does.
    """
    sizes = [whole(size, "size") for size in sizes]
    if not sizes or min(sizes) < 1:
        raise Malformed("no sizes of a batch", f"expected numbers from 1, got {sizes}")
    batch = _Batch(f, args, axis)
    options: dict[str, Any] = {"of": of, "check": check, "seed": seed}
    search = _Search(batch, batch.implementation(impl), options)
    return search.answer(sorted(set(sizes)), shards or {})


class _Batch:
    """A function, or a program, at any size of its batch."""

    def __init__(self, f: Any, args: Sequence[Any], axis: Axis) -> None:
        self.is_function, self.given = is_function(f), args
        self.f: Any = f if self.is_function else as_module(f)
        self.axes: list[int | None] = []
        if self.is_function or args:
            self.axes = _axes(axis, len(args))
            self.shapes = [(np.shape(x), _dtype(x)) for x in args]
            self._refuse_shapes()

    def _refuse_shapes(self) -> None:
        if not self.given:
            raise Malformed("no arguments", "expected arrays, whose shapes are those of the function")
        for k, (axis, (shape, _)) in enumerate(zip(self.axes, self.shapes, strict=True)):
            if axis is not None and not 0 <= axis < len(shape):
                raise Malformed(f"argument {k} has no axis {axis}", f"its shape is {shape}")

    def implementation(self, impl: Any) -> Any:
        """Return the implementation that is asked for: the function itself, compiled, or XLA."""
        if impl is not None:
            return impl
        return jit(self.f) if self.is_function else "xla"

    def arguments(self, size: int) -> list[np.ndarray]:
        """Return arguments for so many rows."""
        if not self.axes:
            return [
                np.zeros([size if n is None else n for n in v.type.shape], numpy_dtype(v.type.storage_type))
                for v in self.f.main.inputs
            ]
        found = []
        for (shape, dtype), axis in zip(self.shapes, self.axes, strict=True):
            own = [size if k == axis else n for k, n in enumerate(shape)]
            found.append(np.zeros(own, dtype))
        return found

    def module(self, args: Sequence[Any]) -> Module:
        """Return the program for arguments of these shapes."""
        if self.is_function:
            return as_module(lowered(self.f, *args))
        found = refine(self.f, *args)
        if not self.f.is_dynamic:
            raise Malformed("every size of the program is known", "expected a batch: tensor<?x64xf32>")
        return found


def _axes(axis: Axis, number: int) -> list[int | None]:
    if axis is None or isinstance(axis, int):
        return [axis, *[None] * (number - 1)][:number]
    if len(axis) != number:
        raise Malformed(f"{len(axis)} axes for {number} arguments", "expected one for each, or None")
    return list(axis)


def _dtype(x: Any) -> Any:
    return x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype


class _Search:
    """The calls that were revealed, and what they say together."""

    def __init__(self, batch: _Batch, implementation: Any, options: dict[str, Any]) -> None:
        self.batch, self.implementation, self.options = batch, implementation, options
        self.rng = np.random.default_rng(options["seed"])
        self.site: Site | None = None

    def answer(self, sizes: Sequence[int], shards: Mapping[int, Function]) -> Invariance:
        calls = [self.reveal(size) for size in sizes]
        change = self.first_change(calls)
        if change:
            calls, change = self.narrow(calls, *change)
        calls += [self.reveal(number, function) for number, function in sorted(shards.items())]
        change = change or self.first_change(calls)
        reasons = [f"{c.name}: {c.revealed.reason}" for c in calls if not c.columns]
        reason = "" if change or not reasons else reasons[0]
        names = both = None
        if change:
            names, both = (change[0].name, change[1].name), self.differ(*change)
        return Invariance(tuple(calls), names, both, reason, self.batch.module)

    def reveal(self, number: int, function: Function | None = None) -> Call:
        """Return the call of so many rows, or by so many shards."""
        args = self.batch.given if function else self.batch.arguments(number)
        if function and not args:
            raise Malformed("shards without arguments", "expected arrays, whose shapes the functions take")
        module = self.batch.module(args)
        found = reveal(module, function or self.implementation, **self.options)
        self.site = self.site or site_of(module, self.options["of"], "main")
        result = module.main.results[0]
        width = result.size // max(result.shape[0], 1) if result.shape else 1
        columns = dict[int, Accumulation | None]()
        for group in found.groups:
            for column in (k % width for k in group.results):
                known = columns.setdefault(column, group.accumulation)
                if known is not None and not self.alike(known, group.accumulation):
                    columns[column] = None
        what = "shard" if function else "row"
        return Call(f"{number} {what}{'s' * (number != 1)}", number, found, columns)

    def first_change(self, calls: Sequence[Call]) -> tuple[Call, Call] | None:
        """Return the first call that adds a row otherwise, and the last one before it that is stated."""
        stated = [call for call in calls if call.columns]
        for call in stated:
            if None in call.columns.values():
                return call, call
        return next(((a, b) for a, b in pairwise(stated) if self.differ(a, b)), None)

    def differ(self, a: Call, b: Call) -> tuple[Accumulation | None, Accumulation | None] | None:
        """Return the accumulations of a result of a row that two calls add in two ways, or None."""
        if a is b:
            return None, None
        for column, first in a.columns.items():
            second = b.columns.get(column, first)
            if first is None or second is None or not self.alike(first, second):
                return first, second
        return None

    def narrow(self, calls: list[Call], a: Call, b: Call) -> tuple[list[Call], tuple[Call, Call]]:
        """Return the calls, and two neighbouring sizes between which a row is added otherwise."""
        while a is not b and b.number - a.number > 1:
            middle = self.reveal((a.number + b.number) // 2)
            if not middle.columns:
                break
            calls = sorted([*calls, middle], key=lambda call: call.number)
            if None in middle.columns.values():
                return calls, (middle, middle)
            a, b = (a, middle) if self.differ(a, middle) else (middle, b)
        return calls, (a, b)

    def alike(self, a: Accumulation, b: Accumulation) -> bool:
        """Return whether two accumulations are equal, or no input of many tells them apart."""
        site = self.site
        if a == b or site is None:
            return a == b
        trees = [x.tree(site.n + (not x.without_init)) for x in (a, b)]
        if (trees[0], a.flushes_inputs, a.start) == (trees[1], b.flushes_inputs, b.start):
            return True
        return all(equal(rerun(site, a, *x), rerun(site, b, *x)).all() for x in self.inputs(site))

    def inputs(self, site: Site) -> Iterator[list[np.ndarray]]:
        """Yield rows of leaves of each kind, of each side of a sum."""
        types = [side.type for side in site.sides]
        wide = np.int64 if types[0].is_integer else np.float64
        for kind in range(NUMBER):
            x, other = draw(kind, TRIED, site.n, types[0], types[1] if types[1:] else None, self.rng)
            sides = [x] if other is None else [x, np.broadcast_to(other, x.shape)]
            yield [side.astype(wide) for side in sides]
