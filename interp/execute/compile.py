"""`compile`: a program as a function under `jax.jit`, lowered to plain StableHLO; reports of its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from threading import RLock
from typing import Any, NamedTuple

import jax
import numpy as np

from interp.backends import Namespace, State
from interp.backends.jax_backend import devices, jax_namespace
from interp.backends.threaded import threaded_namespace
from interp.engine.arguments import accept_value, complete, decode, encode
from interp.engine.evaluate import Context, Listener
from interp.engine.fold import TRACEABLE
from interp.engine.limits import refuse_tables
from interp.engine.memo import once
from interp.engine.tensor import accept, check_range, jax_dtype, layout
from interp.execute.accumulating import NO_WAYS, Ways, ways_compiled
from interp.execute.checks import COUNT, INDEX, WHAT, Checks, Judge, Slot, slots
from interp.execute.parts import divide, join
from interp.execute.refine import refine
from interp.execute.refusals import manual_computations, refuse_bundles, refuse_processes
from interp.execute.run import contractions_named, operations_for, runnable
from interp.execute.unused import note_unused
from interp.recorder.event import heading, known_kinds
from interp.recorder.layers import inner_path
from interp.recorder.names import qualifier
from spec.accumulator import LITERAL, Reading, is_width, reading_named
from spec.errors import UNKNOWN, Finding, Location, Malformed, Unsupported
from spec.grid import ONE, manual
from spec.ir import Func, Module, Op, Value
from spec.schedule import Schedule, parse

# Callbacks of one checked program leave XLA a thread that copies their large arrays.
ONE_AT_A_TIME = RLock()


def compile(
    module: Module,
    *,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    contractions: str = "fold",
    reading: str | Reading = "dequantize",
    accumulator: Any = None,
    recipe: str | None = None,
    checks: str | Iterable[str] = (),
) -> Callable[..., tuple[jax.Array, ...]]:
    """Return a JAX function on storage arrays, with the bits of `run` except where `AGREEMENT` has a row.

    It can be jitted, vmapped, exported and sharded. Called with arrays of a CPU, it compiles the like layers
    of a large program once (`interp.execute.parts`). schedule: "left", "balanced" or "blocks(k)"; only `run`
    takes others. A program with unknown sizes is refined and compiled once for the sizes of its arguments.
    reading, accumulator, recipe: as for `run`. Of accumulations those are compiled that are one of these
    schedules, where the program's sums are all that it folds; and those of contractions of floats whose
    nodes add two numbers in one type, plain or fma.
    checks: kinds of events (`interp.recorder.event.KINDS`), such as "saturate", to count on the host. A call
    raises `Finding` if there are any; in code that is traced they are checks of `jax.experimental.checkify`:
    `err, out = checkify.checkify(jax.jit(f))(x)`.
    """
    kinds = known_kinds(checks)
    given, sums = accumulator, NO_WAYS
    if accumulator is not None and not is_width(accumulator):
        schedule, read, sums = ways_compiled(module, function, schedule, reading, accumulator, recipe)
    else:
        read = reading_named(reading, accumulator, recipe)
    if module.is_dynamic:
        options: dict[str, Any] = {"schedule": schedule, "mode": mode, "contractions": contractions}
        options |= {"reading": read, "checks": kinds, "accumulator": given if sums else None}
        compile_once = once(lambda refined: compile(refined, function=function, **options))
        return lambda *args: compile_once(refine(module, *args))(*args)
    func = runnable(module, function, mode, ONE, read)
    if not isinstance(reading, Reading):
        note_unused(module, func.name, read)
    refuse_tables(module, func)
    refuse_processes(module, func, meshes=True)
    _refuse_few_devices(module, func)
    ways = _tree(schedule), contractions_named(contractions), read
    if kinds and sums:
        raise Unsupported(
            f"checks of sums along {given!r} are not compiled", "expected no checks; `trace` has events"
        )
    if kinds:
        return _name_call(func, _compile_with_checks(module, func, ways, kinds))
    enter = partial(_context, module, *ways, xp=jax_namespace(), sums=sums)
    divided = cache(lambda: _divide(module, func, enter))
    return _name_call(func, _on_storage(func, traceable(module, func, *ways, sums=sums), divided))


def _divide(module: Module, func: Func, enter: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return a program in parts, of which like ones are compiled once; None if it is compiled as a whole."""
    name = partial(_scope, module)
    enter_part = lambda named: enter(scope=name if named else lambda op: "")
    return join(func, parts, enter_part, jax_namespace()) if (parts := divide(module, func)) else None


def _on_storage(
    func: Func, f: Callable[..., Any], divided: Callable[[], Callable[..., Any] | None] = lambda: None
) -> Callable[..., Any]:
    """Return a traceable function, compiled, on arguments that are checked first.

    divided: returns the same function to be called, not traced, with arrays of one CPU; None if `f` serves.
    """
    compiled = jax.jit(_without_gradient(f))
    types = [*(v.type for v in func.inputs), *func.results]
    is_wide = any(jax_dtype(t).itemsize > 4 for t in types)

    places = [(v, i, layout(v)) for i, v in enumerate(func.inputs)]

    def call(*args: Any) -> Any:
        args = tuple(complete(func, args))
        stored = [_to_storage(x, *place) for x, place in zip(args, places, strict=True)]
        if all(map(_may_be_divided, stored)) and (parts := divided()) is not None:
            with jax.enable_x64(True):
                return parts(*stored)
        if not is_wide:  # what is 64 bits wide inside is so in any case
            return compiled(*stored)
        with jax.enable_x64(True):
            return compiled(*stored)

    return call


def _compile_with_checks(
    module: Module, func: Func, ways: tuple[Schedule, str, Reading], kinds: frozenset[str]
) -> Callable[..., Any]:
    """Return a compiled program that reports events of these kinds."""
    found = slots(module, func, kinds)
    judge = Judge(module, *ways)

    def main(*args: Any) -> Any:
        with jax.enable_x64(True):
            xp = threaded_namespace(tuple(jax.numpy.zeros(slot.shape, "int64") for slot in found))
            results = traceable(module, func, *ways, xp=xp, listeners=(Checks(xp, judge, found),))(*args)
            return results, xp.carried

    compiled = _on_storage(func, main)

    def call(*args: Any) -> tuple[jax.Array, ...]:
        with ONE_AT_A_TIME:
            results, counts = compiled(*args)
            report(jax, module, found, counts)
        return tuple(results)

    return call


def _name_call(func: Func, call: Callable[..., Any]) -> Callable[..., Any]:
    call.__name__ = func.name
    call.__doc__ = "\n".join(["Storage arrays in, storage arrays out.", "", *map(repr, func.inputs)])
    return call


def lower_to_jax(
    module: Module,
    *,
    schedule: str | Schedule,
    function: str,
    mode: str,
    contractions: str,
    reading: Reading = LITERAL,
    scope: Callable[[Op], str] | None = None,
) -> jax.stages.Lowered:
    """Return the same function on JAX's own dtypes for storage, in which i4 differs from i8.

    scope: as for `traceable`.
    """
    func = runnable(module, function, mode, ONE, reading)
    refuse_bundles(func, "lowered")
    refuse_tables(module, func)
    refuse_processes(module, func)
    ways = _tree(schedule), contractions_named(contractions), reading
    contained = traceable(module, func, *ways, native=False, scope=scope)

    def f(*args: Any) -> tuple[jax.Array, ...]:
        wide = [x.astype(v.type.storage_type.numpy) for x, v in zip(args, func.inputs, strict=True)]
        return tuple(x.astype(jax_dtype(t)) for x, t in zip(contained(*wide), func.results, strict=True))

    with jax.enable_x64(True):
        return jax.jit(f, keep_unused=True).lower(
            *(jax.ShapeDtypeStruct(v.type.shape, jax_dtype(v.type)) for v in func.inputs)
        )


def _refuse_few_devices(module: Module, func: Func) -> None:
    """Raise `Unsupported` if JAX has fewer devices than a manual computation needs."""
    for op in manual_computations(module, func):
        try:
            devices(jax, manual(op).num_devices)
        except Unsupported as error:
            raise Unsupported(f"{op.name}: {error.verdict}", error.evidence, op.location) from None


def _tree(schedule: str | Schedule) -> Schedule:
    tree = parse(schedule)
    if tree.name not in TRACEABLE:
        what = "compile runs left, balanced and blocks(k); use interp.run for others"
        raise Unsupported(f"not supported: schedule {tree} under jit", what)
    return tree


def _without_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return f so that differentiation raises `Unsupported`: operations on bits have derivative zero."""

    def refuse(primals: Any, tangents: Any) -> Any:
        raise Unsupported("a compiled program has no gradient", "differentiate the float function instead")

    undifferentiable = jax.custom_jvp(f)
    undifferentiable.defjvp(refuse)
    return undifferentiable


def traceable(
    module: Module,
    func: Func,
    schedule: Schedule,
    contractions: str = "fold",
    reading: Reading = LITERAL,
    native: bool = True,
    xp: Namespace | None = None,
    listeners: tuple[Listener, ...] = (),
    scope: Callable[[Op], str] | None = None,
    sums: Ways = NO_WAYS,
) -> Callable[..., Any]:
    """Return the program as a function on JAX's storage arrays, to be called with 64-bit types enabled.

    sums: the ways of sums along accumulations.
    scope: returns the `jax.named_scope` of an operation; by default that of its layer. "" is none.
    """
    xp = xp or jax_namespace(native)
    name = scope or partial(_scope, module)

    def main(*args: Any) -> tuple[jax.Array, ...]:  # a name that is no layer
        ways = schedule, contractions, reading
        with _context(module, *ways, xp=xp, listeners=listeners, scope=name, sums=sums) as ctx:
            carried = [decode(xp, x, v.type) for x, v in zip(args, func.inputs, strict=True)]
            results = ctx.call(func.name, carried)
            return tuple(encode(xp, x, t) for x, t in zip(results, func.results, strict=True))

    return main


@contextmanager
def _context(
    module: Module,
    schedule: Schedule,
    contractions: str,
    reading: Reading,
    *,
    xp: Namespace,
    scope: Callable[[Op], str],
    listeners: tuple[Listener, ...] = (),
    sums: Ways = NO_WAYS,
) -> Iterator[Context]:
    """Enter the context in which a program is traced. Its parameters are those of `traceable`."""

    def around(op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        words = scope(op)
        return jax.named_scope(words)(function) if words else function

    with (
        jax.enable_x64(True),
        jax.numpy_dtype_promotion("standard"),
        jax.numpy_rank_promotion("allow"),
        operations_for(sums) as operations,
    ):
        ways = schedule, operations, listeners, contractions
        yield Context(xp, module, *ways, reading=reading, around=around)


def _scope(module: Module, op: Op) -> str:
    return "/".join(inner_path(module, op))


def _to_storage(x: Any, parameter: Value, position: int, layout: tuple[Any, ...]) -> Any:
    """Return an argument in stored form; a JAX array, even sharded or traced, of the type is unchanged."""
    if not isinstance(x, jax.Array):
        return accept_value(x, parameter, position)
    type, (shape, dtype, total), given = parameter.type, layout, x.aval
    fits = given.dtype == dtype and given.shape == shape
    if fits and (total or isinstance(x, jax.core.Tracer)):
        return x
    if isinstance(x, jax.core.Tracer):
        raise Malformed(
            f"argument {parameter.title} is traced as {x.dtype}{list(x.shape)}, its parameter is {type!r}",
            f"expected {dtype}{list(shape)}; 64-bit types need jax.enable_x64(True) around the trace",
        )
    if not fits:
        return accept(x, parameter, position)
    check_range(np.asarray(x) if _is_at_hand(x) else x, parameter)
    return x


def _may_be_divided(x: Any) -> bool:
    """Return whether a stored argument is no tracer, and where NumPy is or JAX on one CPU."""
    return isinstance(x, np.ndarray) or (
        isinstance(x, jax.Array) and not isinstance(x, jax.core.Tracer) and _is_at_hand(x)
    )


def _is_at_hand(x: jax.Array) -> bool:
    """Return whether NumPy reads the array where it is; of others JAX compiles a reduction for each shape."""
    return len(x.devices()) == 1 and next(iter(x.devices())).platform == "cpu"


# Reports of the events that a compiled program counted: an error, or checks of checkify.

MOST = 2**31 - 1  # what a check of checkify counts to: without 64-bit types JAX has no greater numbers


class Counted(NamedTuple):
    """Place of one kind of event at one operation in the counts of a slot."""

    slot: Slot
    named: int
    kind: int
    module: Module

    @property
    def location(self) -> Location:
        return self.slot.named[self.named].location

    @property
    def heading(self) -> str:
        """The operation and the kind: `model.mlir:12:8 uniform_quantize %q: saturate`."""
        op = self.slot.named[self.named]
        return f"{heading(op, qualifier(self.module, op))}: {self.slot.kinds[self.kind]}"

    def text(self, row: Sequence[Any]) -> str:
        """Return the line `model.mlir:12:8 add %q: saturate x 3, first at result (0, 2)` of counts."""
        what, rank = self.slot.places[int(row[WHAT])]
        index = "" if rank is None else f" {tuple(int(i) for i in row[INDEX : INDEX + rank])}"
        return f"{self.heading} x {int(row[COUNT]):,}, first at {what}{index}"

    def messages(self) -> Iterator[tuple[int, str, int]]:
        """Yield, for each tensor that the first event can be in, its number, checkify's message, its rank."""
        for number, (what, rank) in enumerate(self.slot.places):
            numbers = ", ".join(f"{{i{d}}}" for d in range(rank or 0))
            index = "" if rank is None else f" ({numbers}{',' * (rank == 1)})"
            head = self.heading.replace("{", "{{").replace("}", "}}")
            yield number, f"{head} x {{n}}, first at {what}{index}", rank or 0


def enumerate_counts(module: Module, slots: Sequence[Slot]) -> Iterator[tuple[int, Counted]]:
    """Yield every count, with the number of its slot, in program order."""
    for k, slot in enumerate(slots):
        for named in range(len(slot.named)):
            for kind in range(len(slot.kinds)):
                yield k, Counted(slot, named, kind, module)


def report(jax: Any, module: Module, slots: Sequence[Slot], counts: State) -> None:
    """Raise a `Finding` if there were events; where these are traced, leave that to checkify's checks."""
    if any(isinstance(x, jax.core.Tracer) for x in counts):
        with jax.enable_x64(True):
            held = [jax.numpy.minimum(x, MOST).astype(np.int32) for x in counts]
        _check(module, slots, held)
    elif error := finding(module, slots, [np.asarray(x) for x in counts]):
        raise error


def finding(module: Module, slots: Sequence[Slot], counts: Sequence[np.ndarray]) -> Finding | None:
    """Return the error for all events, a line for each operation and kind; None if there were none."""
    totals, lines, where = Counter[str](), list[str](), UNKNOWN
    for k, each in enumerate_counts(module, slots):
        row = counts[k][each.named, each.kind]
        if row[COUNT]:
            totals[each.slot.kinds[each.kind]] += int(row[COUNT])
            where = where if lines else each.location
            lines.append(each.text(row))
    if not lines:
        return None
    return Finding(", ".join(f"{kind} x {n:,}" for kind, n in totals.items()), "\n".join(lines), where)


def _check(module: Module, slots: Sequence[Slot], counts: Sequence[Any]) -> None:
    """Check every count with checkify, the operations in program order: the first that fails is reported."""
    from jax.experimental import checkify

    for k, each in enumerate_counts(module, slots):
        row = counts[k][each.named, each.kind]
        for number, message, rank in each.messages():
            index = {f"i{d}": row[INDEX + d] for d in range(rank)}
            fine = (row[COUNT] == 0) | (row[WHAT] != number)
            checkify.check(fine, message, n=row[COUNT], **index)
