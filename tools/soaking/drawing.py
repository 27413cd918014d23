"""Random valid programs: the strategies of the property tests, each driven by the bytes of a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from spec.elements import FLOATS
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Region, Value
from spec.rules.verify import verify
from spec.schedule import Schedule, parse
from spec.types import ElementType, QuantizedType, element_type_of
from tests.library.strategies import (
    dynamic_programs,
    indexing_programs,
    kernel_programs,
    op_programs,
    programs,
    scatter_programs,
    sorting_programs,
)
from tests.library.strategies.programs import Element, Program

BYTES = 1 << 13  # what one program is drawn from; none needs as many


@st.composite
def rows(draw: st.DrawFn) -> Program:
    """Draw two rows of a few elements, reduced: few enough for all trees, whose results often differ."""
    pairs = draw(st.lists(programs.reductions(), min_size=1, max_size=2))
    if draw(st.booleans()):
        pairs = [(wide, wide) for _, wide in pairs]
    inputs, wide = [a for a, _ in pairs], [b for _, b in pairs]
    operands = programs.operands((2, draw(st.integers(2, 5))), inputs)
    body = programs.body(draw, wide)
    results = programs.results((2,), wide)
    return programs.with_data(draw, Op("stablehlo.reduce", operands, results, {"dimensions": (1,)}, (body,)))


REDUCTIONS = {
    "rows": rows(),
    "reduce": programs.reduces(),
    "reduce_window": programs.reduce_windows(),
    "select_and_scatter": programs.select_and_scatters(),
}
FAMILIES: dict[str, SearchStrategy[Program]] = {
    **REDUCTIONS,
    **op_programs.FAMILIES,
    **kernel_programs.FAMILIES,
    "gather": indexing_programs.gathers(),
    "dynamic_slice": indexing_programs.dynamic_slices(),
    "dynamic_update_slice": scatter_programs.dynamic_update_slices(),
    "scatter": scatter_programs.scatters(),
    **sorting_programs.FAMILIES,
    **dynamic_programs.FAMILIES,
}
WEIGHTS = {
    "rows": 12,
    "reduce": 8,
    "reduce_window": 6,
    "select_and_scatter": 4,
    "dot": 2,
    "convolution": 2,
    "quantized": 2,
}
COMPILED = ("left", "balanced", "blocks(2)", "blocks(3)")
SCHEDULES = (*COMPILED, "left", "balanced", "blocks(1)", "windows(2)", "windows(3)", "random")
EXPRESSED = tuple(t for t in FLOATS if t.numpy and t.name not in programs.FLOATS)
COMBINING = ("add", "add", "add", "add", "maximum", "minimum")
SCALES = (2.0**-20, 1e-5, 448.0, 20000.0, 1e30)


class Trial(NamedTuple):
    """A program with its arguments, the family that it is drawn from, and the schedule to run it under."""

    family: str
    program: Program
    schedule: Schedule
    rng: Random

    @property
    def op(self) -> Op:
        """The operation that the program is made of."""
        return self.program.module.main.body.ops[0]


def trial(seed: int, number: int) -> Trial:
    """Return the program with this number: the same for the same seed, in every process."""
    rng = Random(f"soak {seed}, program {number}")
    (family,) = rng.choices(list(FAMILIES), [WEIGHTS.get(name, 1) for name in FAMILIES])
    program = next(filter(None, (drawn(family, rng.randbytes(BYTES)) for _ in range(100))))
    if family in REDUCTIONS and rng.random() < 0.6:
        program = combined(program, rng)
    if rng.random() < 0.3:
        program = retyped(program, rng)
    if family in REDUCTIONS and rng.random() < (0.7 if family == "rows" else 0.3):
        program = far(program, rng)
    name = rng.choice(SCHEDULES)
    return Trial(family, program, parse(f"random({rng.randrange(100)})" if name == "random" else name), rng)


def drawn(family: str, data: bytes) -> Program | None:
    """Return the program that these bytes stand for, or None where they stand for none."""
    found: list[Program] = []
    _target(family)(data, found.append)
    return found[0] if found else None


@cache
def _target(family: str) -> Callable[[bytes, Callable[[Program], None]], None]:
    receivers: list[Callable[[Program], None]] = []

    @settings(database=None, suppress_health_check=list(HealthCheck))
    @given(FAMILIES[family])
    def receive(program: Program) -> None:
        receivers[-1](program)

    fuzz = receive.hypothesis.fuzz_one_input  # type: ignore[attr-defined]

    def target(data: bytes, receiver: Callable[[Program], None]) -> None:
        receivers[:] = [receiver]
        fuzz(data)

    return target


def combined(program: Program, rng: Random) -> Program:
    """Return the same reduction with one operation for each operand in its body: mostly sums."""
    op = program.module.main.body.ops[0]
    *select, old = op.regions
    half = len(old.arguments) // 2
    pairs = list(zip(old.arguments[:half], old.arguments[half:], strict=True))
    results = tuple(Value(f"%b{k}", a.type) for k, (a, _) in enumerate(pairs))
    names = [f"stablehlo.{rng.choice(COMBINING)}" for _ in pairs]
    ops = [Op(name, pair, (r,)) for name, pair, r in zip(names, pairs, results, strict=True)]
    body = Region(old.arguments, (*ops, Op("stablehlo.return", results, ())))
    return Program(programs.module(replace(op, regions=(*select, body))), program.args)


def far(program: Program, rng: Random) -> Program:
    """Return the program with integers near both ends of their range: sums that the schedule decides."""
    args = []
    for x, value in zip(program.args, program.module.main.inputs, strict=True):
        type = value.type.element_type
        if not value.type.storage_type.is_integer:
            args.append(x)
            continue
        low, high = storage_ends(type)
        near = lambda low=low, high=high: rng.choice((low, high)) + rng.choice((0, 0, 1, 2, -1, -2))
        numbers = [min(max(near(), low), high) for _ in range(x.size)]
        args.append(np.array(numbers, object).astype(x.dtype).reshape(x.shape))
    return Program(program.module, tuple(args))


def storage_ends(type: Element) -> tuple[int, int]:
    """Return the least and the greatest stored integer."""
    if isinstance(type, QuantizedType):
        return type.storage_min, type.storage_max
    return type.min_value, type.max_value


def retyped(program: Program, rng: Random) -> Program:
    """Return the program with another expressed type or another scale throughout, where that is valid."""
    types = {repr(t): t for t in _types(program.module) if isinstance(t, QuantizedType)}
    if not types:
        return program
    old = rng.choice(list(types.values()))
    if rng.random() < 0.6:
        new = rng.choice(EXPRESSED)
        change = lambda t: _expressed(t, old.expressed_type, new)
    else:
        scale = rng.choice(SCALES)
        change = lambda t: replace(t, scales=(scale,) * len(t.scales)) if t == old else t
    module = mapped(program.module, change)
    if verify(module, "mlir") or not all(map(_is_read, _types(module))):
        return program
    values = np.random.default_rng(rng.getrandbits(32))
    inputs = zip(program.args, program.module.main.inputs, module.main.inputs, strict=True)
    fresh = (
        x if a.type.storage_type == b.type.storage_type else programs.stored(values, b.type)
        for x, a, b in inputs
    )
    return Program(module, tuple(fresh))


def _is_read(type: Element) -> bool:
    """Return whether jaxlib reads the text of a type: its scale lies within the expressed type."""
    try:
        return element_type_of(repr(type)) == type
    except Malformed:
        return False


def _expressed(type: Any, old: ElementType, new: ElementType) -> Any:
    if isinstance(type, QuantizedType):
        return replace(type, expressed_type=new) if type.expressed_type == old else type
    return new if type == old else type


def _types(module: Module) -> Iterator[Element]:
    """Yield the element types of the values of @main, in order."""
    for value in (*module.main.inputs, *(v for op in module.ops() for v in op.results)):
        yield value.type.element_type


def mapped(module: Module, change: Callable[[Any], Any]) -> Module:
    """Return the module of one function with every element type changed."""

    def value(v: Value) -> Value:
        return Value(v.name, replace(v.type, element_type=change(v.type.element_type)))

    def region(r: Region) -> Region:
        return Region(tuple(map(value, r.arguments)), tuple(map(operation, r.ops)))

    def operation(op: Op) -> Op:
        regions = tuple(map(region, op.regions))
        return replace(
            op,
            operands=tuple(map(value, op.operands)),
            results=tuple(map(value, op.results)),
            regions=regions,
        )

    body = region(module.main.body)
    return Module({"main": Func("main", body, tuple(v.type for v in body.returns))})
