"""Bounds, suggestions and verdicts of one reduction, held against brute force in exact arithmetic.

The arithmetic is that of `exact_model`, by SEMANTICS alone. `tests/test_claims.py` and `tools/soak` draw the
reductions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

import interp
from interp.questions.bounds import Bound, Bounds, bounds
from interp.questions.scatters import SELECTED
from interp.questions.verdicts import Verdicts, verdicts
from interp.recorder.recorded import Reduction
from interp.rewrite.with_accumulator import with_accumulator
from spec.schedule import parse
from spec.types import ELEMENT_TYPES, QuantizedType, integer
from tests.library.oracles.exact_model import (
    Model,
    contiguous,
    finite,
    greatest_float,
    kind_of_trees,
    modelled,
    wrong_node,
)
from tests.library.strategies.sums_drawn import ABSENT, Drawn, number

SCHEDULES = ("left", "balanced", "random(3)", "blocks(2)", "blocks(3)", "windows(2)")
WRONG = ("saturate", "wrap", "inexact", "nan", "inf")
DATA = 4  # draws of other data
TRIED = 256  # numbers of a type of which all are converted
TREES = 7  # leaves, the init included, of which all trees are tried


def check_claims(draw: Drawn, found: Reduction, rng: Random) -> Bounds:
    """Check every claim about a recorded run of what was drawn; return its bounds."""
    claims, schedule = bounds(found), str(found.schedule)
    assert claims.is_known
    check_values(draw, claims, schedule)
    check_types(draw, claims, rng)
    check_suggestion(draw, claims, schedule, rng)
    check_verdicts(draw, verdicts(found))
    return claims


# Bounds


def unclamped(draw: Drawn, type: Any, values: list[int], init: int) -> tuple[list[Any], Any]:
    """Elements and init as the type would store them without an end; None where no number is left."""
    model, source, start = map(modelled, (type, draw.source, draw.start))
    return [model.unclamped(q, source) for q in values], model.unclamped(init, start)


def check_values(draw: Drawn, claims: Bounds, schedule: str) -> None:
    """Check that bounds by value, by order and by headroom are the ends of all nodes, and of one tree's."""
    z = modelled(draw.type).z
    values, init = unclamped(draw, draw.type, draw.values, draw.init)
    if draw.unordered and claims.missing[1] == SELECTED:
        assert claims.by_value is claims.headroom is None
        return
    if None in (*values, init):
        assert claims.by_value is claims.by_schedule is claims.headroom is None
        assert all(claims.missing[1:])
        return
    rows = draw.leaves(values, init)
    every = [sums(draw.body, row, z) for row in rows]
    if claims.by_value is None:
        assert may_saturate(draw)
        assert all(claims.missing[1:])
        return
    check_ends(draw, claims.by_value, [q for row in every for q in row])
    along = [tree_sums(draw.body, nodes, z, schedule) for nodes in candidates(draw, values, init)]
    check_ends(draw, claims.by_schedule, [q for row in along for q in row])
    if claims.headrooms is not None:
        low, high = modelled(draw.type).low - z, modelled(draw.type).high - z
        for room, row in zip(claims.headrooms.ravel(), every, strict=True):
            fits = [k for k in range(-63, 64) if all(low <= (q - z) * Fraction(2) ** k <= high for q in row)]
            assert room == min(63, max(fits, default=-63)), (room, row)


def may_saturate(draw: Drawn) -> bool:
    """Return whether a format on the way has neither infinity nor NaN: no number beyond it is known then."""
    types = [t for t in (draw.source, draw.start, draw.type) if isinstance(t, QuantizedType)]
    return any(t.expressed_type.special == "finite" for t in types)


def sums(body: str, row: list[int], z: int) -> list[int]:
    return list(contiguous(row, z).values()) if body == "add" else row


def candidates(draw: Drawn, values: list[int], init: int) -> list[list[int | None]]:
    """The leaves with those that are absent."""
    return [
        [init, *(None if k == ABSENT else init if k is None else values[k] for k in row)]
        for row in draw.windows
    ]


def tree_sums(body: str, row: list[int | None], z: int, schedule: str) -> list[int]:
    """Return the sums of all nodes of one tree; a node with an absent child is its other child."""
    nodes = list(row)
    for lhs, rhs in parse(schedule).steps(len(row), True) if body == "add" else ():
        a, b = nodes[lhs], nodes[rhs]
        nodes.append(b if a is None else a if b is None else a + b - z)
    return [q for q in nodes if q is not None]


def check_ends(draw: Drawn, bound: Bound | None, nodes: list[int], tight: bool = True) -> None:
    assert bound is not None
    if not nodes:
        return
    least, greatest = min(nodes), max(nodes)
    assert bound.least <= least <= greatest <= bound.greatest
    assert not tight or (bound.least, bound.greatest) == (least, greatest), (bound, least, greatest)
    assert holds(bound, bound.bits) > holds(bound, bound.bits - 1), bound
    if draw.body == "add" and isinstance(draw.type, QuantizedType):
        check_exactness(draw.type, bound, nodes)


def holds(bound: Bound, bits: int) -> bool:
    low = -(2 ** (bits - 1)) if bound.signed else 0
    return bits > 0 and low <= bound.least and bound.greatest < low + 2**bits


def check_exactness(type: QuantizedType, bound: Bound, nodes: list[int]) -> None:
    """`exact` of this type, and `precision` of every other whose range and storage have these numbers."""
    bits = min(bound.bits, 60)
    element = integer(bits, bound.signed)
    wide = element.min_value, element.max_value
    for T in (type.expressed_type, *(ELEMENT_TYPES[name] for name in ("bf16", "f16", "f32", "f64"))):
        own = type.expressed_type == T
        if not (bound.exact if own else T.precision >= bound.precision):
            continue
        try:
            model = modelled(replaced(type, T, element, wide))
        except OverflowError:
            continue
        reach = model.scale * 2 ** (bound.precision + 1) if not own else 0
        if not own and (reach == 0 or model.scale < 2.0 ** (1 - T.bias) or not in_range(reach, T)):
            continue
        for a in nodes[:12]:
            for b in nodes[-12:]:
                total = a + b - model.z
                if bound.least <= total <= bound.greatest:
                    assert model.add(a, b) == total, (T, a, b, model.add(a, b))


def in_range(x: Any, T: Any) -> bool:
    return finite(x) and x <= greatest_float(T)


def replaced(type: QuantizedType, T: Any, storage: Any, ends: tuple[int, int]) -> QuantizedType:
    return replace(
        type, expressed_type=T, storage_type=storage, storage_min=ends[0], storage_max=ends[1], spelling=""
    )


def check_types(draw: Drawn, claims: Bounds, rng: Random) -> None:
    """Check that every node of all data is inside the bounds by type, and that the extremes reach them."""
    source, model = modelled(draw.source), modelled(draw.type)
    nodes: list[int] = []
    impossible = False
    for values, init in data(draw, rng):
        converted, first = unclamped(draw, draw.type, values, init)
        if None in (*converted, first):
            impossible = True
            continue
        nodes += [q for row in draw.leaves(converted, first) for q in sums(draw.body, row, model.z)]
    assert source.low <= source.high
    if claims.by_type is None:
        assert impossible or not draw.values or may_saturate(draw), claims
        assert claims.missing[0]
        return
    assert not impossible, claims
    check_ends(draw, claims.by_type, nodes, tight=not draw.selected)


def data(draw: Drawn, rng: Random) -> Iterator[tuple[list[int], int]]:
    """The drawn data, both extremes of elements and init value together, and other draws."""
    source, start, type = modelled(draw.source), modelled(draw.start), modelled(draw.type)
    n = len(draw.values)
    yield draw.values, draw.init
    for q in extremes(source, type):
        for first in (draw.init,) if draw.known else extremes(start, type):
            yield [q] * n, first
    for _ in range(DATA):
        init = draw.init if draw.known else number(rng, draw.start)
        yield [number(rng, draw.source) for _ in range(n)], init


def extremes(source: Model, type: Model) -> set[int]:
    """Both bounds, and the numbers that conversion takes farthest, which may lie between them: by a NaN or a
    wrap."""
    wraps = {q for q in (-1, 0, source.high // 2, source.high // 2 + 1) if source.holds(q)}
    found = {source.low, source.high, *(() if source.quantized else wraps)}
    if source.quantized and source.high - source.low < TRIED:
        every = range(source.low, source.high + 1)
        found |= {end(every, key=lambda q: type.converted(q, source)) for end in (min, max)}
    return found


# What is suggested


def check_suggestion(draw: Drawn, claims: Bounds, schedule: str, rng: Random) -> None:
    """Check that nothing saturates in the suggested type, and that every node of every tree is exact."""
    type = claims.suggested
    if type is None:
        assert claims.suggestion.why
        return
    model, sources = modelled(type), (modelled(draw.source), modelled(draw.start))
    every = data(draw, rng) if claims.suggestion.scope == "any data" else [(draw.values, draw.init)]
    for values, init in every:
        wanted, first = unclamped(draw, type, values, init)
        converted = [model.converted(q, sources[0]) for q in values]
        assert (converted, model.converted(init, sources[1])) == (wanted, first), "a leaf saturates"
        for row in draw.leaves(wanted, first):
            assert not (wrong := wrong_node(model, draw.body, row)), wrong
        for row in candidates(draw, wanted, first):
            check_tree(model, draw.body, row, schedule)


def check_tree(model: Model, body: str, row: list[int | None], schedule: str) -> None:
    """The order of the run, which may have the init value several times."""
    nodes = list(row)
    for lhs, rhs in parse(schedule).steps(len(row), True):
        a, b = nodes[lhs], nodes[rhs]
        if a is None or b is None:
            nodes.append(b if a is None else a)
            continue
        exact = model.exact(body, a, b)
        assert model.combine(body, a, b) == exact
        assert model.holds(exact)
        nodes.append(exact)


def check_events(claims: Bounds, args: tuple[np.ndarray, ...], schedules: Iterable[str]) -> None:
    """Check by the engine itself that runs in the suggested type have no event of a wrong number."""
    name = claims.reduction.name
    if claims.suggested is None:
        return
    wide = with_accumulator(claims.reduction.module, name, claims.suggested)
    for schedule in schedules:
        trace = interp.trace(wide, *args, schedule=schedule, kinds=WRONG)
        events = [event for event in trace.events if event.op.result.name == name]
        assert not events, (schedule, claims.suggested, events)


def schedules_held(claims: Bounds) -> tuple[str, ...]:
    """Return schedules that a suggestion is about: those that repeat the init, too, if it changes no sum."""
    return SCHEDULES[:3] if claims.reduction.sums_inits else SCHEDULES


# Verdicts


def check_verdicts(draw: Drawn, found: Verdicts) -> None:
    """Check the verdict on every element against all trees of its stored leaves."""
    model, sources = modelled(draw.type), (modelled(draw.source), modelled(draw.start))
    values = [model.converted(q, sources[0]) for q in draw.values]
    rows = draw.leaves(values, model.converted(draw.init, sources[1]))
    indices = list(np.ndindex(found.kinds.shape)) if found.kinds.size else []
    for index, row in zip(indices, rows, strict=True):
        kind = found.kinds[index]
        assert not draw.unordered or kind == "unknown"
        if draw.body != "add":
            assert kind != "safe" or not wrong_node(model, draw.body, row)
            continue
        every = contiguous(row, model.z)
        assert (found.least[index], found.greatest[index]) == (min(every.values()), max(every.values()))
        assert found.total[index] == every[0, len(row)]
        if kind == "safe":
            assert not (wrong := wrong_node(model, "add", row)), wrong
        elif kind in ("inevitable", "order-dependent") and len(row) <= TREES:
            assert kind_of_trees(model, row) == kind
        if kind not in ("inexact", "unknown"):
            check_schedule(model, row, found, index, kind)


def check_schedule(model: Model, row: list[int], found: Verdicts, index: Any, kind: str) -> None:
    order = found.schedule(index)
    if kind == "inevitable":
        assert order is None
        return
    assert order is not None
    nodes = list(row)
    for lhs, rhs in order.steps(len(row), True):
        nodes.append(model.add(nodes[lhs], nodes[rhs]))
        assert nodes[-1] == nodes[lhs] + nodes[rhs] - model.z, "it overflows on the way"
    assert nodes[-1] == found.total[index]
