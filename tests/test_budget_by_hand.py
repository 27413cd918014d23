"""`budget` against exact fractions, element by element: what is clipped is saturation, the rest is rounding.

Except where a type's zero point is an end of its range, and a result is clipped there: that is what the
program means, so all programs of the chain clip there. Not in a sum, whose range is no activation.

Scales are powers of two, and numbers so small that f32 holds all of them: then an operation is exact
arithmetic, and quantizing is rounding half to even, and clamping.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import interp
from interp.comparison.budget import PARTS, Budget
from interp.comparison.witness import Witness
from interp.execute.xla_child import Answer
from spec.attributes import Dense
from spec.ir import Func, Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized
from tests.library.builders import reduce, value

Step = tuple[str, tuple[int, ...], QuantizedType]
N = 3  # elements
FORMULAS: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "maximum": max,
    "minimum": min,
    "negate": lambda a: -a,
    "uniform_quantize": lambda a: a,
}


class Case(NamedTuple):
    """A float argument that is quantized first, a quantized one, operations on them, and perhaps a sum."""

    first: QuantizedType
    second: QuantizedType
    steps: list[Step]
    total: QuantizedType | None
    floats: list[Fraction]
    stored: list[int]

    @property
    def activations(self) -> list[int]:
        """For each value before the sum: -1 where its type has no negative number, 1 no positive one, or 0.

        An argument and what merely rescales numbers of such a type to another such type have none.
        """
        signs = [sign(type) for type in self.types]
        sources = [0, 0, *(operands[0] for _, operands, _ in self.steps)]
        names = ["quantize a float", "argument", *(name for name, _, _ in self.steps)]
        for k, (name, source) in enumerate(zip(names, sources, strict=True)):
            if name == "argument" or (name == "uniform_quantize" and sign(self.types[source]) == signs[k]):
                signs[k] = 0
        return signs

    @property
    def types(self) -> list[QuantizedType]:
        return [self.first, self.second, *(type for _, _, type in self.steps)]

    def module(self) -> Module:
        values = [Value(f"%{k}", TensorType((N,), type)) for k, type in enumerate(self.types)]
        x = Value("%x", TensorType((N,), ELEMENT_TYPES["f32"]))
        ops = [Op("stablehlo.uniform_quantize", (x,), (values[0],))]
        for k, (name, operands, _) in enumerate(self.steps, 2):
            ops.append(Op(f"stablehlo.{name}", tuple(values[i] for i in operands), (values[k],)))
        last = values[-1]
        if self.total:
            ops += summed(last, self.total)
            last = ops[-1].result
        body = Region((x, values[1]), (*ops, Op("func.return", (last,), ())))
        return Module({"main": Func("main", body, (last.type,))})


def summed(x: Value, total: QuantizedType) -> list[Op]:
    """A sum from zero."""
    source = x.type.quantized_element_type
    init = value("i", source)
    zero = Dense(init.type, np.array(source.zero_point, np.int8).tobytes())
    sums = replace(
        reduce("add", source, total, x.type.shape), operands=(x, init), results=(value("s", total),)
    )
    return [Op("stablehlo.constant", (), (init,), {"value": zero}), sums]


def sign(type: QuantizedType) -> int:
    """Return at which end of its range the zero point of a type lies."""
    return (type.zero_point == type.storage_max) - (type.zero_point == type.storage_min)


def active(x: Fraction, activation: int) -> Fraction:
    """Return the number without its sign's part that an activation removes."""
    return max(x, Fraction(0)) if activation < 0 else min(x, Fraction(0)) if activation > 0 else x


def rne(x: Fraction) -> int:
    return round(x)


def number(q: int, type: QuantizedType) -> Fraction:
    return (q - type.zero_point) * Fraction(type.scale)


def held(x: Fraction, type: QuantizedType, clamped: bool) -> Fraction:
    q = rne(x / Fraction(type.scale) + type.zero_point)
    return number(min(max(q, type.storage_min), type.storage_max) if clamped else q, type)


Hold = Callable[[int, Fraction, QuantizedType], Fraction]


def values(case: Case, second: Sequence[Fraction], hold: Hold) -> list[list[Fraction]]:
    """Every value of the program; `hold` makes of the exact result of operation k what it is."""
    activations = case.activations
    found = [[active(hold(0, x, case.first), activations[0]) for x in case.floats], list(second)]
    for k, (name, operands, type) in enumerate(case.steps, 2):
        columns = zip(*(found[i] for i in operands), strict=True)
        held = [hold(k, FORMULAS[name](*column), type) for column in columns]
        found.append([active(x, activations[k]) for x in held])
    if case.total:
        k, total = len(found), hold(len(found), Fraction(0), case.total)
        for x in found[-1]:
            total = hold(k, total + hold(k, x, case.total), case.total)
        found.append([total])
    return found


def exact(k: int, x: Fraction, type: QuantizedType) -> Fraction:
    return x


def rounded(k: int, x: Fraction, type: QuantizedType) -> Fraction:
    return held(x, type, clamped=False)


def clamped(k: int, x: Fraction, type: QuantizedType) -> Fraction:
    return held(x, type, clamped=True)


def first(n: int) -> Hold:
    """The first operations are the program's, the others exact."""
    return lambda k, x, type: clamped(k, x, type) if k <= n else x


# The cases


RANGES = st.tuples(st.sampled_from([-128, -128, -8, 0]), st.sampled_from([127, 127, 7, 6]))
DYADIC = st.sampled_from([0.25, 0.5, 1.0, 2.0])


def types(scales: st.SearchStrategy[float], ends: tuple[int, int]) -> st.SearchStrategy[QuantizedType]:
    """Types of one storage range, which elementwise operations want."""
    low, high = ends
    points = st.sampled_from([0, 0, 3, low, high])
    of = lambda scale, point: make_quantized("i8", "f32", scale, point, storage_min=low, storage_max=high)
    return st.builds(of, scales, points)


@st.composite
def cases(draw: st.DrawFn, scales: st.SearchStrategy[float] = DYADIC) -> Case:
    kinds = types(scales, draw(RANGES))
    known, steps = [draw(kinds), draw(kinds)], list[Step]()
    for _ in range(draw(st.integers(0, 4))):
        name = draw(st.sampled_from(sorted(FORMULAS)))
        arity = FORMULAS[name].__code__.co_argcount if name not in ("maximum", "minimum") else 2
        operands = tuple(draw(st.integers(0, len(known) - 1)) for _ in range(arity))
        known.append(draw(kinds))
        steps.append((name, operands, known[-1]))
    total = draw(st.one_of(st.none(), RANGES.flatmap(lambda ends: types(scales, ends))))
    floats = draw(st.lists(st.integers(-600, 600), min_size=N, max_size=N))
    stored = st.integers(known[1].storage_min, known[1].storage_max)
    return Case(
        *known[:2],
        steps,
        total,
        [Fraction(x, 8) for x in floats],
        draw(st.lists(stored, min_size=N, max_size=N)),
    )


def eagerly(module: Module, args: Sequence[Any]) -> Witness:
    """The float reference on our engine: XLA gives the same where f32 holds all numbers."""
    results = tuple(np.asarray(x) for x in interp.run(module, *args))
    return Witness(None, args, module.main.results, lambda: Answer(results, True))


def budget(case: Case, stored: Sequence[int], inputs: Any = None) -> Budget:
    x = np.array([float(x) for x in case.floats], np.float32)
    with patch("interp.comparison.budget.witness_of_program", eagerly):
        return interp.trace(case.module(), x, np.array(stored, np.int8)).budget(inputs)


def fits(*runs: list[list[Fraction]]) -> bool:
    """Return whether f32 holds every number of a chain's program; the least step of a product is 2^-8."""
    return all(abs(x) < 2**12 and (x * 2**8).denominator == 1 for run in runs for row in run for x in row)


def check(
    case: Case, found: Budget, given: Sequence[Fraction], free: Sequence[Fraction], stored: Sequence[Fraction]
) -> None:
    """`given` is what the second argument was rounded from, `free` that rounded and not clamped."""
    wanted, loose, got = (
        values(case, given, exact),
        values(case, free, rounded),
        values(case, stored, clamped),
    )
    mixed = [values(case, stored, first(k)) for k in range(-1, len(got))]
    assume(fits(wanted, loose, got, *mixed))
    (result,) = found.results
    on_grid = wanted == loose
    for i in range(len(got[-1])):
        index = () if case.total else (i,)
        assert result["saturation"].at(index) == got[-1][i] - loose[-1][i]
        parts = {name: result[name].at(index) for name in PARTS}
        assert sum(parts.values()) == result.total.at(index) == got[-1][i] - wanted[-1][i]
        if on_grid:
            assert not any(parts[name] for name in PARTS[:-1])
        chain = [wanted, mixed[0], mixed[1], *mixed[3:]]  # the arguments, operation 0, and 2 onward
        switches = zip(result.switches, found.switches, strict=True)
        rows = [row.at(index) for row, switch in switches if not is_constant(switch)]
        assert rows == [after[-1][i] - before[-1][i] for before, after in pairwise(chain)]


def is_constant(switch: Any) -> bool:
    return bool(switch.ops) and switch.ops[0].name == "stablehlo.constant"


@pytest.mark.slow("computes every stage of many programs")
@given(cases())
def test_every_part_and_every_row_by_hand(case: Case) -> None:
    numbers = [number(q, case.second) for q in case.stored]
    check(case, budget(case, case.stored), numbers, numbers, numbers)


@settings(max_examples=30, deadline=None)
@given(cases(), st.lists(st.integers(-3000, 3000), min_size=N, max_size=N))
def test_what_an_argument_lost_when_it_was_clipped_is_saturation(case: Case, eighths: list[int]) -> None:
    reals = [Fraction(x, 8) for x in eighths]
    free = [held(x, case.second, clamped=False) for x in reals]
    kept = [held(x, case.second, clamped=True) for x in reals]
    stored = [int(x / Fraction(case.second.scale)) + case.second.zero_point for x in kept]
    found = budget(case, stored, [None, [float(x) for x in reals]])
    check(case, found, reals, free, kept)


ANY = st.one_of(st.sampled_from([0.1, 0.05, 0.2, 0.3, 0.7, 1.0, 1.4]), st.floats(2.0**-6, 8.0))


@pytest.mark.slow("computes every stage of many programs")
@given(cases(ANY))
def test_without_a_saturate_event_nothing_is_saturation(case: Case) -> None:
    """Whatever the scales. Assumption: f32 is far more precise than a step of 8 bits."""
    case = case._replace(floats=[x / 64 for x in case.floats])  # most others saturate
    x = np.array([float(x) for x in case.floats], np.float32)
    t = interp.trace(case.module(), x, np.array(case.stored, np.int8))
    with patch("interp.comparison.budget.witness_of_program", eagerly):
        (result,) = t.budget().results
    assert t.has("saturate") or not result["saturation"].count
    assert result.not_finite == 0


def test_clipping_is_saturation_where_the_unclipped_number_leaves_the_expressed_type() -> None:
    """6876 / 0.01 is infinite in f16; both results and both references are finite."""
    type = "!quant.uniform<i4<6:7>:f16, 0.01:6>"
    m = interp.load(f"""func.func @main(%a: tensor<2xf16>) -> tensor<2x{type}> {{
      %0 = "stablehlo.uniform_quantize"(%a) : (tensor<2xf16>) -> tensor<2x{type}>
      return %0 : tensor<2x{type}>
    }}""")
    x = np.float16([6876, 8448])
    budget = interp.trace(m, x).budget()
    (result,) = budget.results
    saturation = result["saturation"]
    assert result.not_finite == 0
    assert saturation.count == 2
    assert 8448 - 0.02 < saturation.largest <= 8448
    assert abs(saturation.mean + (6876 + 8448) / 2) < 0.02  # 7 stands for 0.01
