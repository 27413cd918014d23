"""`instrument`: a program with a `quant.stats_ref` on every value, and the one that returns these values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from interp.rewrite.float_reference import float_reference
from interp.rewrite.inlining import CALL, inline_calls
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Value, callees
from spec.types import is_tensor

STATS, STATS_REF, COUPLED_REF = "quant.stats", "quant.stats_ref", "quant.coupled_ref"
# Operations whose result does not depend on any argument.
CONSTANTS = {"stablehlo.constant", "stablehlo.iota"}
# Operations that hand a value on, which then has its statistics already.
OBSERVING = {STATS, STATS_REF, COUPLED_REF}


def instrument(module: Module) -> Module:
    """Return the program with a `quant.stats_ref` on every float value that depends on the arguments.

    The key is the value's name, and users of the value read the result of the `stats_ref`. Calls are replaced
    by what they call, so that every call has statistics of its own. Values inside of regions (bodies of
    reductions and loops) get none; neither do values that have statistics, or a reference to them.
    """
    whole = inline(module)
    body = whole.main.body
    inner = (v for op in whole.ops() for v in op.results)
    taken = {v.name for v in itertools.chain(body.arguments, inner)}
    body = Region(body.arguments, tuple(_operations(body, taken)))
    return replace(whole, functions={**whole.functions, "main": replace(whole.main, body=body)})


def inline(module: Module) -> Module:
    """Return the program as a `@main` without calls; one that has none is returned unchanged."""
    calls = any(op.name == CALL for op in module.main.body.ops)
    return inline_calls(module, module.main) if calls or module.main.name != "main" else module


def _operations(body: Region, taken: set[str]) -> Iterator[Op]:
    """Yield the operations of a function and its references; `taken` are the names in use."""
    known: dict[str, Value] = {}
    wanted = _varying_floats(body)
    for value in body.arguments:
        yield from _reference(value, wanted, known, taken)
    for op in body.ops:
        yield substitute(op, known)
        for value in op.results:
            yield from _reference(value, wanted, known, taken)


def _reference(value: Value, wanted: set[str], known: dict[str, Value], taken: set[str]) -> Iterator[Op]:
    """Yield the reference to a value, if it needs one, which is then read in its place."""
    if value.name in wanted:
        name = value.name.removeprefix("%").replace("#", "_")
        spellings = (f"%seen{k or ''}.{name}" for k in itertools.count())
        result = Value(next(name for name in spellings if name not in taken), value.type)
        taken.add(result.name)
        known[value.name] = result
        yield Op(STATS_REF, (value,), (result,), {"statsKey": value.name.removeprefix("%")})


def _varying_floats(body: Region) -> set[str]:
    """Return the names of float values that depend on an argument and have no statistics."""
    varying = {v.name for v in body.arguments}
    seen = {v.name for op in body.ops if op.name in OBSERVING for v in (*op.operands, *op.results)}
    values = list(body.arguments)
    for op in body.ops:
        read = {v.name for v in op.operands} | {v.name for inner in _inside(op) for v in inner.operands}
        if op.name not in CONSTANTS and (read & varying or not read):
            varying |= {v.name for v in op.results}
            values += op.results
    return {v.name for v in values if is_float(v) and v.name not in seen}


def _inside(op: Op) -> Iterator[Op]:
    for region in op.regions:
        for inner in region.ops:
            yield inner
            yield from _inside(inner)


def is_float(value: Value) -> bool:
    """Return whether a value is a tensor of plain floats with at least one element."""
    if not is_tensor(value.type) or value.type.is_quantized or 0 in value.type.shape:
        return False
    return value.type.storage_type.kind == "float"


def substitute(op: Op, known: Mapping[str, Value]) -> Op:
    """Return an operation that reads other values in place of the known ones, in its regions too."""
    regions = tuple(
        Region(region.arguments, tuple(substitute(inner, known) for inner in region.ops))
        for region in op.regions
    )
    return replace(op, operands=tuple(known.get(v.name, v) for v in op.operands), regions=regions)


# The float program that returns what a program's `quant.stats_ref` see, instead of its results.

# Operations that put the same numbers in another order, or repeat all of them equally often.
PERMUTING = {f"stablehlo.{name}" for name in ("reshape", "transpose", "reverse", "broadcast_in_dim")}
PerAxis = int | Mapping[str, int] | None


@dataclass(frozen=True)
class Observed:
    """A program that returns values, each once, and which of them every key sees.

    sees: pairs of a key and a result that it sees, both by number. axes: the first axis of each key's slices.
    arguments: the keys that see an argument.
    """

    program: Module
    keys: tuple[str, ...]
    axes: tuple[int | None, ...]
    sees: tuple[tuple[int, int], ...]
    arguments: frozenset[str]

    @property
    def slices(self) -> list[int]:
        """The number of slices of each key: the product of the sizes from its axis on, or 1."""
        results = self.program.main.results
        shapes = {key: results[result].shape for key, result in self.sees}
        return [1 if axis is None else prod(shapes[k][axis:]) for k, axis in enumerate(self.axes)]


def observe(module: Module, per_axis: PerAxis = None) -> Observed:
    """Return the float program that computes what the references of a program see.

    per_axis: the axis from which on slices have statistics of their own, of all values or by key.
    Raises `Malformed` if there are no references, and `Unsupported` for one inside of a region.
    """
    whole = inline(module)
    main = whole.main
    references = [op for op in main.body.ops if op.name == STATS_REF]
    if not references:
        raise Malformed("no quant.stats_ref in the program", "put some in: instrument(module)", main.location)
    _refuse_inner(whole, len(references))
    roots = _roots(main.body, per_axis is None)
    seen = [roots.get(op.operand.name, op.operand) for op in references]
    values = tuple(dict.fromkeys(seen))
    keys = tuple(dict.fromkeys(op["statsKey"] for op in references))
    pairs = {(keys.index(op["statsKey"]), values.index(v)) for op, v in zip(references, seen, strict=True)}
    body = Region(main.body.arguments, (*main.body.ops[:-1], replace(main.body.ops[-1], operands=values)))
    func = replace(main, body=body, results=tuple(v.type for v in values))
    arguments = {op["statsKey"] for op, v in zip(references, seen, strict=True) if v in main.inputs}
    axes = tuple(_axis(key, [values[v] for k, v in pairs if keys[k] == key], per_axis) for key in keys)
    return Observed(_plain(whole, func), keys, axes, tuple(sorted(pairs)), frozenset(arguments))


def _plain(whole: Module, func: Func) -> Module:
    module = replace(whole, functions={**whole.functions, "main": func})
    reached = {"main", *callees(module, "main")}
    return float_reference(Module({k: f for k, f in module.functions.items() if k in reached}))


def _refuse_inner(module: Module, outer: int) -> None:
    """Raise `Unsupported` for references inside of regions, and in functions that regions call."""
    found = [op for op in module.ops() if op.name == STATS_REF]
    if len(found) > outer:
        top = {id(op) for op in module.main.body.ops}
        inner = next(op for op in found if id(op) not in top)
        what_to_do = "statistics are collected of values at the top of a function"
        raise Unsupported("a quant.stats_ref inside of a region", what_to_do, inner.location)


def _roots(body: Region, permuted: bool) -> dict[str, Value]:
    """Return, by name, the original of each value that an operation passes on unchanged."""
    roots: dict[str, Value] = {}
    names = OBSERVING | (PERMUTING if permuted else set())
    for op in body.ops:
        if op.name in names:
            roots[op.result.name] = roots.get(op.operand.name, op.operand)
    return roots


def _axis(key: str, values: list[Value], per_axis: PerAxis) -> int | None:
    """Return the axis of a key, not negative; None if its values lack it."""
    axis = per_axis.get(key) if isinstance(per_axis, Mapping) else per_axis
    shapes = [v.type.shape for v in values]
    if axis is None or not all(-len(shape) <= axis < len(shape) for shape in shapes):
        if isinstance(per_axis, Mapping) and axis is not None:
            raise Malformed(f"{key} has no axis {axis}", f"its shape is {shapes[0]}")
        return None
    if len({shape[axis:] for shape in shapes}) > 1:
        raise Malformed(f"values of the key {key} have other slices", f"their shapes are {shapes}")
    return axis % len(shapes[0])


def references(module: Module) -> list[Op]:
    """Return the references of a program, those in regions and in called functions included."""
    return [op for op in module.ops() if op.name == STATS_REF]
