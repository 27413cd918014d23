"""The sum of a program that probes look into: which element of which argument each of its leaves is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.backends.dtypes import numpy_dtype
from interp.engine.evaluate import Context, Listener
from interp.engine.fold import Leaves
from interp.engine.prepared import Operations, function_of
from interp.engine.processes import ProcessGrid
from interp.execute.along import is_contraction, is_sum
from interp.execute.refine import refine
from interp.execute.run import runnable, task
from interp.execute.unused import adds, called_functions
from interp.kernels import OPERATIONS
from interp.kernels.contraction import factor_types, geometry_of
from interp.kernels.product_fold import product_leaves
from interp.recorder.names import Named, find, operations
from interp.speed.exact_contraction import accumulation_type
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module, Op
from spec.schedule import LEFT
from spec.types import ElementType

LARGEST = 1 << 25  # leaves of all results that are looked at
DIGIT = 64  # places are written into arguments as digits of this base, or a smaller one
NOWHERE = -1  # the place of padding


class Side(NamedTuple):
    """The elements, or factors, that are added: `places` [results, leaves] in the argument of this number.

    scale: a leaf is so many times the argument's element, a power of two.
    """

    argument: int
    places: Array
    type: ElementType
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class Site:
    """A sum in a function of a program; its results are numbered in row-major order.

    sides: of a reduction its operand, of a contraction both. leaf, declared: the types of leaves and sums.
    """

    module: Module
    func: Func
    op: Op
    name: str
    sides: tuple[Side, ...]
    leaf: tuple[ElementType, ...]
    declared: ElementType

    @property
    def n(self) -> int:
        return int(self.sides[0].places.shape[1])

    @property
    def results(self) -> int:
        return int(self.sides[0].places.shape[0])

    @cached_property
    def output(self) -> int:
        """The number of the function's result that the sum becomes."""
        return _output(self)

    @cached_property
    def is_direct(self) -> bool:
        """Return whether the function returns the sum as it is."""
        return any(value.name == self.op.result.name for value in self.func.body.returns)

    @property
    def unseen_bits(self) -> str:
        """A sentence about bits of the sum that the type of the function's result does not have."""
        type = self.func.results[self.output].storage_type
        is_narrow = type.is_integer or type.precision < self.declared.precision
        if self.declared.is_integer or not is_narrow or not isinstance(type, ElementType):
            return ""
        return f"bits of the sums, which are {self.declared!r}, that their results in {type!r} do not have"

    def finish(self, sums: Array) -> Array:
        """Return what the program makes of sums [calls, results]: its flat results, as numbers."""
        dtype = numpy_dtype(self.op.result.type.storage_type)
        stored = sums.astype(dtype)
        if self.is_direct:
            return np.asarray(stored)
        shape = self.op.result.type.shape
        zeros = [np.zeros(v.type.shape, numpy_dtype(v.type.storage_type)) for v in self.func.inputs]
        rows = [_run(self, zeros, lambda *_, row=row: (row.reshape(shape),)) for row in stored]
        return np.stack([np.asarray(row[self.output]).reshape(-1) for row in rows])


def site_of(module: Module, of: str | None, function: str = "main") -> Site:
    """Return the one sum of a function, or the one with a name; an error if it has none that is probed."""
    func = runnable(module, function, "mlir")
    named = _choose(module, func, of)
    op = named.op
    if not is_sum(op):
        kinds = "expected a contraction, or a reduce or reduce_window of one operand that adds"
        raise Unsupported(f"{named} is not probed: it is {op.name}", kinds, op.location)
    if any(value.type.is_quantized for value in (*op.operands, *op.results)):
        raise Unsupported(f"{named} is not probed: it is quantized", "expected plain numbers", op.location)
    own = [inner for inner in func.body.ops if inner is op]
    if not own:
        raise Unsupported(f"{named} is not probed: it is inside a call or a loop", "expected it in @main")
    leaf = factor_types(op) if is_contraction(op) else (_body_type(op),)
    declared = accumulation_type(op) if is_contraction(op) else _body_type(op)
    if declared.kind not in ("float", "signed", "unsigned"):
        raise Unsupported(f"{named} is not probed: it adds {declared!r}", "expected floats or integers")
    if any(0 in value.type.shape for value in (*op.operands, *op.results)):
        raise Unsupported(f"{named} is not probed: it adds no elements", "expected some", op.location)
    sides = (
        _sides_of_contraction(module, func, op)
        if is_contraction(op)
        else _side_of_reduction(module, func, op)
    )
    if declared.is_integer and any(not side.type.is_integer for side in sides):
        advice = "expected integers that are not made of floats"
        raise Unsupported(f"{named} is not probed: it adds {declared!r} of floats", advice, op.location)
    return Site(module, func, op, str(named), sides, tuple(leaf), declared)


def fill(module: Module, n: int, function: str = "main") -> Module:
    """Return a program whose unknown sizes are all n."""
    if not module.is_dynamic:
        raise Malformed("every size of the program is known", "expected one that is not: tensor<4x?xf32>")
    shapes = [
        [n if size is None else size for size in v.type.shape] for v in module.functions[function].inputs
    ]
    types = [numpy_dtype(v.type.storage_type) for v in module.functions[function].inputs]
    return refine(module, *map(np.zeros, shapes, types))


def sums_of(module: Module, function: str = "main") -> list[str]:
    """Return the names of the sums of a function."""
    return [str(each) for each in _sums(module, runnable(module, function, "mlir"))]


def _sums(module: Module, func: Func) -> list[Named]:
    reachable = called_functions(module, func)
    return [x for x in operations(module) if adds(module, x.op) and x.function in reachable]


def _choose(module: Module, func: Func, of: str | None) -> Named:
    known = _sums(module, func)
    if of is not None:
        return find(of, known, "sum")
    if len(known) != 1:
        names = ", ".join(map(str, known[:20])) or "none"
        raise Malformed(f"@{func.name} has {len(known)} sums", f"expected one, or its name in `of`: {names}")
    return known[0]


def _body_type(op: Op) -> ElementType:
    type = op.regions[-1].returns[0].type.element_type
    assert isinstance(type, ElementType)
    return type


# Places: arguments are filled with digits, and the leaves tell which they received.


class _Seen(Exception):
    """The leaves, which end the run."""

    def __init__(self, values: Sequence[Array]) -> None:
        self.values = values


class _FirstFold(Listener):
    """Listener that ends the run at the fold of an operation, with its leaves and the shape of its init."""

    def __init__(self, op: Op) -> None:
        self.op = op

    def on_fold(self, op: Op, region: int, init: State | None, leaves: Leaves, columns: Array | None) -> None:
        if op is self.op:
            if init is not None and any(np.any(np.asarray(x)) for x in init):
                advice = "expected an init that is a constant zero"
                raise Unsupported("the sum does not start from zero", advice, op.location)
            stacked = np.asarray(leaves.stack()[0])
            raise _Seen([stacked.reshape(leaves.n, -1).T.copy()])


def _side_of_reduction(module: Module, func: Func, op: Op) -> tuple[Side, ...]:
    def look(args: list[Array]) -> Sequence[Array]:
        ctx = _context(module, OPERATIONS, [_FirstFold(op)])
        try:
            task(ctx, func, args)
        except _Seen as seen:
            return seen.values
        raise Unsupported("the sum has no leaves", "expected a sum of two or more", op.location)

    return (_read_places(func, op, look, 0),)


def _sides_of_contraction(module: Module, func: Func, op: Op) -> tuple[Side, ...]:
    def look(args: list[Array]) -> Sequence[Array]:
        def end(*operands: Array) -> State:
            raise _Seen([np.asarray(x) for x in operands[:2]])

        try:
            _execute(module, func, op, args, end)
        except _Seen as seen:
            return seen.values
        raise Unsupported("the contraction does not run", "", op.location)

    sides = [_read_places(func, op, look, k) for k in (0, 1)]
    numbers = [side.places + 1 for side in sides]
    first, second = (
        product_leaves(NUMPY, geometry_of(NUMPY, op), pick, *numbers) for pick in (_first, _second)
    )
    _refuse_size(op, first.n * int(np.prod(op.result.type.shape)))
    arranged = []
    geometry = geometry_of(NUMPY, op)
    for leaves in (first, second):
        rows = [
            geometry.result(np.broadcast_to(leaves.at(i), leaves.shape).reshape(leaves.result)).reshape(-1)
            for i in range(leaves.n)
        ]
        arranged.append(np.stack(rows, axis=1) - 1)
    hole = (arranged[0] < 0) | (arranged[1] < 0)
    arranged = [np.where(hole, NOWHERE, places) for places in arranged]
    return tuple(side._replace(places=places) for side, places in zip(sides, arranged, strict=True))


def _first(a: Array, b: Array) -> Array:
    return np.broadcast_arrays(a, b)[0]


def _second(a: Array, b: Array) -> Array:
    return np.broadcast_arrays(a, b)[1]


def _refuse_size(op: Op, size: int) -> None:
    if size > LARGEST:
        evidence = f"expected at most {LARGEST:,} leaves of all results, got {size:,}"
        raise Unsupported("the sum is too large to be probed", evidence, op.location)


def _read_places(func: Func, op: Op, look: Callable[[list[Array]], Sequence[Array]], side: int) -> Side:
    """Return the side whose numbers are one argument's elements, moved, converted or scaled."""
    blank = [np.zeros(v.type.shape, numpy_dtype(v.type.storage_type)) for v in func.inputs]
    for k, value in enumerate(func.inputs):
        type = value.type.element_type
        if not isinstance(type, ElementType) or type.kind not in ("float", "signed", "unsigned"):
            continue
        size, ones = blank[k].size, [*blank]
        if size == 0:
            continue
        ones[k] = np.ones_like(blank[k])
        scales = np.unique(look(ones)[side])
        scale = float(scales[-1])
        if scale == 0 or not set(scales.tolist()) <= {0.0, scale}:
            continue
        base, power = _base(type), 1
        digits = 1
        while power < size:
            power, digits = power * base, digits + 1
        places, power = np.zeros((1, 1), np.int64), 1
        for _ in range(digits):
            filled = [*blank]
            filled[k] = (np.arange(size) // power % base + 1).astype(blank[k].dtype).reshape(blank[k].shape)
            found = np.asarray(look(filled)[side], np.float64) / scale
            places, power = places + (np.rint(found).astype(np.int64) - 1) * power, power * base
            absent = found == 0
        mantissa, _ = np.frexp(scale)
        if not _is_moved(func, look, side, blank, (k, places, absent, scale, base)):
            break
        if mantissa != 0.5:
            raise Unsupported(
                f"the numbers that it adds are {scale:g} times those of an argument",
                "expected a power of two",
            )
        return Side(k, np.where(absent, NOWHERE, places), type, scale)
    name = op.operands[side].name
    advice = "expected elements of an argument, moved, converted or scaled; pass constants as an argument"
    raise Unsupported(
        f"the numbers of {name}, which are added, are not those of an argument", advice, op.location
    )


def _is_moved(
    func: Func,
    look: Callable[[list[Array]], Sequence[Array]],
    side: int,
    blank: Sequence[Array],
    read: tuple[int, Array, Array, float, int],
) -> bool:
    """Return whether numbers of either sign arrive at the places that were read, whatever others are."""
    argument, places, absent, scale, base = read
    rng, filled = np.random.default_rng(0), list[Array]()
    for x, value in zip(blank, func.inputs, strict=True):
        type = value.type.element_type
        most = min(base, _base(type)) if isinstance(type, ElementType) and type.kind != "bool" else 1
        signs = rng.choice([-1, 1] if x.dtype.kind != "u" and most > 1 else [1], x.shape)
        filled.append((rng.integers(0, most, x.shape) * signs).astype(x.dtype))
    own = filled[argument].astype(np.float64).reshape(-1)
    places = np.where(absent, 0, places)
    if places.min(initial=0) < 0 or places.max(initial=0) >= own.size:
        return False
    wanted = np.where(absent, 0, own[places] * scale)
    return bool(np.allclose(np.asarray(look(filled)[side], np.float64), wanted, rtol=0.2, atol=0))


def _base(type: ElementType) -> int:
    most = 2**type.precision if type.kind == "float" else type.max_value
    return int(min(DIGIT, most))


# Runs of the program in which another function computes the sum.

_REPLACED: ContextVar[tuple[Op, Callable[..., State]] | None] = ContextVar("_REPLACED", default=None)


def _kernel(ctx: Context, op: Op, *operands: Array) -> State:
    replaced = _REPLACED.get()
    if replaced is None or op is not replaced[0]:
        results: State = function_of(op, ctx.xp, OPERATIONS, ctx.reading)[0](ctx, op, *operands)
        return results
    return replaced[1](*operands)


_SUMS = ("stablehlo.dot_general", "stablehlo.convolution", "stablehlo.reduce", "stablehlo.reduce_window")
REPLACING = Operations(
    {**OPERATIONS.kernels, **dict.fromkeys(_SUMS, _kernel)},
    OPERATIONS.prepared,
    OPERATIONS.elementwise,
    OPERATIONS.in_integers,
)


@contextmanager
def _replacing(op: Op, function: Callable[..., State]) -> Iterator[None]:
    token = _REPLACED.set((op, function))
    try:
        yield
    finally:
        _REPLACED.reset(token)


def _context(module: Module, operations: Operations, listeners: Sequence[Listener]) -> Context:
    process = ProcessGrid().processes[0]
    return Context(NUMPY, module, LEFT, operations, tuple(listeners), "fold", process=process)


def _execute(
    module: Module, func: Func, op: Op, args: Sequence[Array], function: Callable[..., State]
) -> tuple[Any, ...]:
    with np.errstate(all="ignore"), _replacing(op, function):
        return task(_context(module, REPLACING, ()), func, args)


def _run(site: Site, args: Sequence[Array], function: Callable[..., State]) -> tuple[Array, ...]:
    """Return the results of the function, in which another one computes the sum."""
    return tuple(x.storage for x in _execute(site.module, site.func, site.op, args, function))


def _output(site: Site) -> int:
    """Return which result has the sum's elements, in their order."""
    for k, value in enumerate(site.func.body.returns):
        if value.name == site.op.result.name:
            return k
    shape, dtype = site.op.result.type.shape, numpy_dtype(site.op.result.type.storage_type)
    size = int(np.prod(shape))
    zeros = [np.zeros(v.type.shape, numpy_dtype(v.type.storage_type)) for v in site.func.inputs]
    at = [k for k, v in enumerate(site.func.results) if int(np.prod(v.shape)) == size]
    for place in {0, size // 2, size - 1}:
        one, none = np.zeros(size, dtype), np.zeros(size, dtype)
        one[place] = 64
        ran, before = (_run(site, zeros, lambda *_, x=x: (x.reshape(shape),)) for x in (one, none))
        at = [k for k in at if _differences(ran[k], before[k]) == [place]]
    if not at:
        raise Unsupported(
            f"no result of @{site.func.name} has the elements of {site.name}, each from one",
            "expected the sum alone, converted, scaled or divided",
        )
    return at[0]


def _differences(x: Array, y: Array) -> list[int]:
    different = np.asarray(x).reshape(-1) != np.asarray(y).reshape(-1)
    return [int(k) for k in np.flatnonzero(different)]
