"""`permits` against every tree: "permitted" is what some tree gives, "not permitted" is what none gives.

The trees are listed here, and their nodes are evaluated by the oracle's literal meaning of the body.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from spec import schedule
from spec.attributes import Dense
from spec.formats import round_to
from spec.ir import Module, Op, Region, Value
from spec.meaning.notation import fold
from spec.permitted import State
from spec.types import ELEMENT_TYPES, FLOATS, ElementType, QuantizedType, TensorType, make_quantized
from tests.library.builders import module, operands, results, value
from tests.library.oracles.trees import Brute, key

Element = ElementType | QuantizedType
I1, I8 = ELEMENT_TYPES["i1"], ELEMENT_TYPES["i8"]
BINARY = ("add", "add", "add", "maximum", "minimum", "multiply", "subtract", "divide")
SPECIAL = (nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 1e4, -1e4, 448.0, -448.0, 3e38, -3e38)
PLAIN = ("i8", "ui8", "i16", "i4", "f16", "bf16", "f32", "f8E4M3FN", "f8E5M2FNUZ", "f8E5M2")


def draw_type(r: random.Random, bits: Sequence[int] = (2, 4, 8, 8, 8, 12, 16)) -> QuantizedType:
    """A per-tensor type: any expressed type, odd storage bounds, scales at which sums overflow."""
    while True:
        storage, expressed = r.choice("iu") + str(r.choice(bits)), r.choice(FLOATS)
        plain = make_quantized(storage, "f32", 1.0)
        low, high = plain.storage_min, plain.storage_max
        if r.random() < 0.4:
            low, high = sorted(r.sample(range(low, high + 1), 2))
        zero_point = min(max(r.choice([0, 0, 1, r.randint(low, high)]), low), high)
        scale = r.choice([1.0, 2.0, 0.5, 0.1, 3.0, 20000.0, 65504.0, r.uniform(1e-3, 4.0), r.uniform(1, 1e3)])
        if 0 < round_to(scale, expressed) < inf:
            return make_quantized(
                storage, expressed.name, scale, zero_point, storage_min=low, storage_max=high
            )


def storage(type: Element) -> ElementType:
    return type.storage_type if isinstance(type, QuantizedType) else type


def bounds(type: Element) -> tuple[int, int]:
    ranged = type if isinstance(type, QuantizedType) else None
    held = storage(type)
    return (ranged.storage_min, ranged.storage_max) if ranged else (held.min_value, held.max_value)


def draw_element(r: random.Random, type: Element) -> Any:
    """A stored element: anywhere, at an end, or near the zero point; floats of any kind."""
    if storage(type).kind == "float":
        x = r.choice([r.choice(SPECIAL), float(r.randint(-4, 4)), r.gauss(0, 100)])
        return round_to(x, storage(type))
    low, high = bounds(type)
    zero = type.zero_point if isinstance(type, QuantizedType) else 0
    x = r.choice([r.randint(low, high), low, high, zero + r.randint(-2, 2), 0])
    return min(max(x, low), high)


def neutral(type: Element) -> Any:
    """Return the element that stands for zero."""
    if isinstance(type, QuantizedType):
        return type.zero_point
    return round_to(0.0, type) if type.kind == "float" else 0


class Builder:
    """The operations of a body, one after another."""

    def __init__(self, types: Sequence[Element]) -> None:
        self.lhs = [value(f"a{k}", type) for k, type in enumerate(types)]
        self.rhs = [value(f"b{k}", type) for k, type in enumerate(types)]
        self.ops: list[Op] = []

    def emit(self, name: str, type: Element, *operands: Value, **attributes: Any) -> Value:
        result = value(f"c{len(self.ops)}", type)
        self.ops.append(Op(f"stablehlo.{name}", operands, (result,), attributes))
        return result

    def constant(self, type: Element, x: Any) -> Value:
        data = np.array(x).astype(np.dtype(storage(type).numpy)).tobytes()
        return self.emit("constant", type, value=Dense(TensorType((), type), data))

    def select(self, direction: str, k: int = 0) -> list[Value]:
        """All operands of the side whose operand k compares so."""
        p = self.emit("compare", I1, self.lhs[k], self.rhs[k], comparison_direction=direction)
        pairs = zip(self.lhs, self.rhs, strict=True)
        return [self.emit("select", a.type.element_type, p, a, b) for a, b in pairs]

    def region(self, results: Sequence[Value]) -> Region:
        return Region((*self.lhs, *self.rhs), (*self.ops, Op("stablehlo.return", tuple(results), ())))


def composed(r: random.Random, b: Builder, k: int) -> Value:
    """One to three operations on operand k of both sides."""
    lhs, rhs = b.lhs[k], b.rhs[k]
    type = lhs.type.element_type
    x = b.emit(r.choice(BINARY), type, *r.sample([lhs, rhs], 2))
    for _ in range(r.choice([0, 0, 1, 2])):
        other = r.choice([lhs, rhs, x, b.constant(type, draw_element(r, type))])
        if r.random() < 0.2:
            x = b.emit("clamp", type, b.constant(type, draw_element(r, type)), x, other)
        else:
            x = b.emit(r.choice(BINARY), type, *r.sample([x, other], 2))
    return x


def moments(b: Builder) -> list[Value]:
    """The mean and the sum of squared deviations, beside the count: two samples made one."""
    (n, x, v), (m, y, w) = b.lhs, b.rhs
    type = n.type.element_type
    count, difference = b.emit("add", type, n, m), b.emit("subtract", type, y, x)
    part = b.emit("divide", type, m, count)
    mean = b.emit("add", type, x, b.emit("multiply", type, difference, part))
    squares = b.emit("multiply", type, b.emit("multiply", type, difference, difference), n)
    rest = b.emit("add", type, v, b.emit("add", type, w, b.emit("multiply", type, squares, part)))
    return [count, mean, rest]


def draw_body(r: random.Random) -> Region:
    """One operand and a composition, or several: independent, selected together, or a mean and variance."""
    draw = lambda: draw_type(r) if r.random() < 0.8 else ELEMENT_TYPES[r.choice(PLAIN)]
    kind = r.choice(["one"] * 5 + ["pair", "select", "least and greatest", "moments"])
    if kind == "one":
        b = Builder([draw()])
        return b.region([composed(r, b, 0)])
    type = draw()
    if kind == "moments":
        b = Builder([type] * 3)
        return b.region(moments(b))
    b = Builder([type, type if kind == "least and greatest" else r.choice([type, I8, draw()])])
    if kind == "select":
        return b.region(b.select(r.choice(["GT", "GE", "LT", "LE", "EQ", "NE"])))
    if kind == "pair":
        return b.region([composed(r, b, k) for k in range(2)])
    least = b.emit("minimum", type, b.lhs[0], b.rhs[0])
    return b.region([least, b.emit("maximum", type, b.lhs[1], b.rhs[1])])


def program(region: Region, rows: int, n: int) -> Module:
    """The reduction of each row."""
    types = [v.type.element_type for v in region.arguments[: len(region.arguments) // 2]]
    signature = operands((rows, n), types), results((rows,), types)
    return module(Op("stablehlo.reduce", *signature, {"dimensions": (1,)}, (region,)))


def stored(xs: Sequence[Any], type: Element, *shape: int) -> np.ndarray:
    return np.array(xs).astype(np.dtype(storage(type).numpy)).reshape(shape)


def candidates(r: random.Random, types: Sequence[Element], some: Sequence[State]) -> list[State]:
    """Results of trees; those of other trees in one operand; near ones; anything."""
    found = r.sample(some, min(len(some), 5))
    for _ in range(6):
        state = list(r.choice(some))
        k = r.randrange(len(types))
        near = state[k] + r.choice([-1, 1]) if isinstance(state[k], int) else draw_element(r, types[k])
        near = near if isinstance(near, float) else min(max(near, bounds(types[k])[0]), bounds(types[k])[1])
        state[k] = r.choice([near, r.choice(some)[k], draw_element(r, types[k])])
        found.append(tuple(state))
    return found


def replayed(brute: Brute, leaves: Sequence[State], order: str) -> State:
    half = len(leaves[0])
    body: Any = lambda *both: brute.body(both[:half], both[half:])
    return fold(body, leaves, [True] * len(leaves), schedule.parse(order), seeded=True)


def worst(judged: interp.Permits, index: Any) -> str:
    """The verdict on a tuple of results: refuted if one of them is, alone or together with the others."""
    kinds = {str(kinds[index]).removesuffix(" together") for kinds in judged.verdicts}
    return next(kind for kind in ("not permitted", "unknown", "permitted", "exact") if kind in kinds)


def check(seed: int) -> Counter[str]:
    """Judge some candidates for one random row, with one init or any number; count the verdicts."""
    r = random.Random(seed)
    region, inits = draw_body(r), r.choice(["one", "any"])
    half = len(region.arguments) // 2
    types = [v.type.element_type for v in region.arguments[:half]]
    n = r.randint(0, 6) if inits == "one" else r.randint(0, 3)
    leaves = [tuple(draw_element(r, type) for type in types) for _ in range(n + 1)]
    if inits == "any" and r.random() < 0.3:
        leaves[0] = tuple(map(neutral, types))
    brute = Brute(region)
    most = 3 if n < 3 else 2
    every = brute.results(leaves) if inits == "one" else brute.with_inits(leaves[0], leaves[1:], most)
    given = candidates(r, types, list(every.values()))
    repeated = [[s[k] for s in leaves[1:]] * len(given) for k in range(half)]
    rows = [stored(x, type, len(given), n) for x, type in zip(repeated, types, strict=True)]
    args = [*rows, *(stored(leaves[0][k], type) for k, type in enumerate(types))]
    outs = [stored([s[k] for s in given], type, len(given)) for k, type in enumerate(types)]
    judged = interp.permits(program(region, len(given), n), args, outs, inits=inits, limit=1 << 13)
    for j, state in enumerate(given):
        kind, order = worst(judged, j), str(judged.schedules[0][j])
        about = f"seed {seed}: {region!r} {leaves} gives {state}, inits {inits}: {kind}"
        if kind == "not permitted":
            assert key(state) not in every, about
        if kind in ("exact", "permitted") and order:
            assert key(replayed(brute, leaves, order)) == key(state), about
        if inits == "one":
            assert kind != "unknown", about
            assert (kind != "not permitted") == (key(state) in every), about
    return Counter(f"{inits} {worst(judged, j)}" for j in range(len(given)))


@pytest.mark.slow("enumerates trees")
@given(st.integers(0, 2**32))
def test_every_verdict_is_that_of_the_trees(seed: int) -> None:
    check(seed)
