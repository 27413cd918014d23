"""Traced contractions: the loop that counts events names those that the fold, node by node, shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import interp
from interp.engine.evaluate import Listener
from interp.execute.plan import Seen
from interp.recorder.recorder import Recorder
from interp.speed import counted_sums, numpy_products
from interp.speed.counted_sums import IN_ORDER
from spec.ir import Module
from spec.schedule import LEFT
from tests.library.builders import contracting, convolution, single

pytest.importorskip("numba", reason="it has no wheel here")

REAL = "!quant.uniform<i8<-127:127>:f32, 0.3>"
FINE = "!quant.uniform<i8<-127:127>:f32, 0.0083>"
MOVED = "!quant.uniform<i8:f32, 0.25:3>"
BINARY = "!quant.uniform<i8<-127:127>:f32, 0.125>"
SATURATES = {"reading": "integer", "accumulator": "i14 saturate"}
WRAPS = {"reading": "integer", "accumulator": "i14"}


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """Count small contractions, too, in many tiles."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numpy_products, "MANY", 1)
        patch.setattr(counted_sums, "ORDERED_TILE", 1 << 10)
        patch.setattr(numpy_products, "ORDERED_TILE", 1 << 12)  # columns of 32
        yield


def dot(types: Sequence[str], m: int, k: int, n: int) -> Module:
    lhs, rhs, result = types
    return single("dot_general", f"{m}x{k}x{lhs}; {k}x{n}x{rhs} -> {m}x{n}x{result}", **contracting(1))


def windows(types: Sequence[str]) -> Module:
    """Return a convolution with holes, two groups, and a result whose features come first."""
    lhs, rhs, result = types
    attributes = {"padding": ((2, 3),), "lhs_dilation": (2,), "rhs_dilation": (3,), "window_strides": (1,)}
    shapes = f"2x9x6x{lhs}; 3x3x40x{rhs} -> 40x2x16x{result}"
    return convolution(shapes, "b0f 0io fb0", feature_group_count=2, window_reversal=(True,), **attributes)


def arguments(module: Module, seed: int = 0) -> list[np.ndarray]:
    rng, found = np.random.default_rng(seed), []
    for value in module.main.inputs:
        storage, numbers = value.type.storage_type, rng.normal(size=value.type.shape)
        numbers = np.rint(np.clip(60 * numbers, -127, 127)) if storage.is_integer else numbers
        found.append(numbers.astype(storage.numpy))
    return found


def events(module: Module, args: Sequence[Any], *others: Listener, **options: Any) -> Any:
    recorder = Recorder()
    (result,) = interp.run(module, *args, listeners=[recorder, *others], **options)
    groups = [(g.kind, g.count, repr(g.first), repr(g.worst), g.size) for g in recorder.groups.values()]
    return result.storage.tobytes(), groups


def theorems(module: Module, args: Sequence[Any], **options: Any) -> list[str]:
    seen = Seen(LEFT)
    interp.run(module, *args, listeners=[seen, Recorder()], **options)
    return [theorem for row in seen.rows for theorem, _ in row.tried]


KINDS: list[tuple[Sequence[str], dict[str, str], str]] = [
    (("f32",) * 3, {}, "inexact"),
    ((REAL, FINE, "!quant.uniform<i8:f32, 0.1:-2>"), {}, "inexact"),
    (("bf16",) * 3, {}, "inexact"),
    ((REAL, FINE, REAL), SATURATES, "saturate"),
    ((REAL, FINE, REAL), WRAPS, "wrap"),
]


@pytest.mark.parametrize(
    ("types", "options", "kind"),
    [*KINDS[:2], *(pytest.param(*row, marks=pytest.mark.slow("numba compiles loops")) for row in KINDS[2:])],
)
def test_counts_first_and_worst_are_those_of_the_nodes(
    types: Sequence[str], options: dict[str, str], kind: str
) -> None:
    for module in (dot(types, 21, 47, 40), dot(types, 21, 47, 3), windows(types)):
        args = arguments(module)
        assert theorems(module, args, **options) == ["compiled loop"]
        result, groups = events(module, args, **options)
        assert (result, groups) == events(module, args, Listener(), **options)
        assert kind in {group[0] for group in groups}


HUGE = "!quant.uniform<i8<-127:127>:f32, 1.0e18>"


@pytest.mark.parametrize(
    ("types", "scale", "overflows"),
    [
        (("f32",) * 3, 1, False),
        (("f32",) * 3, 1e19, True),
        ((REAL, FINE, REAL), 1, False),
        ((HUGE, HUGE, HUGE), 1, True),
    ],
)
def test_roundings_are_counted_only_where_they_are_asked_for(
    types: Sequence[str], scale: float, overflows: bool
) -> None:
    """Each sum that may overflow is looked at."""
    module = windows(types)
    args = [(scale * x).astype(x.dtype) for x in arguments(module)]
    found = []
    for others in ((), (Listener(),)):
        recorder, seen = Recorder(["nan", "inf"]), Seen(LEFT)
        (result,) = interp.run(module, *args, listeners=[recorder, seen, *others])
        found.append((result.storage.tobytes(), recorder.counts, *map(repr, recorder.groups.values())))
        if not others:
            assert (IN_ORDER in {why for row in seen.rows for _, why in row.tried}) != overflows
            assert bool(recorder.counts) == overflows
    assert found[0] == found[1]


@pytest.mark.parametrize("types", [(BINARY, BINARY, BINARY), ("i8", "i8", "i32"), (MOVED, BINARY, BINARY)])
def test_a_theorem_that_excludes_events_is_used_while_traced(types: Sequence[str]) -> None:
    module = dot(types, 9, 30, 7)
    args = arguments(module)
    assert theorems(module, args) in (["exact sums"], ["integers, modulo their width"])
    assert events(module, args) == events(module, args, Listener())


@pytest.mark.slow("numba compiles another loop")
def test_integers_that_wrap_are_not_taken_for_a_ring() -> None:
    """At the edge: 127 * 258 is the largest sum that the data leave within i16."""
    module = dot(("i16", "i16", "i16"), 1, 2, 1)
    for last, kinds in ((129, []), (130, ["wrap"])):
        args = np.array([[127, 127]], np.int16), np.array([[129], [last]], np.int16)
        result, groups = events(module, args)
        assert (result, groups) == events(module, args, Listener())
        assert [group[0] for group in groups] == kinds


@pytest.mark.parametrize("number", [3e38, np.inf, np.nan])
def test_sums_that_may_overflow_are_seen_node_by_node(number: float) -> None:
    module = dot(("f32",) * 3, 3, 5, 4)
    args = arguments(module)
    args[0][1, 1] = number
    assert theorems(module, args) == ["plain fold"]
    assert events(module, args) == events(module, args, Listener())


def test_kept_events_and_other_schedules_need_the_nodes() -> None:
    module = dot(("f32",) * 3, 6, 9, 4)
    args = arguments(module)
    keeping = Recorder(keep=7)
    interp.run(module, *args, listeners=[keeping])
    assert len(keeping.kept) == 7
    assert events(module, args, schedule="balanced") == events(module, args, Listener(), schedule="balanced")


def test_a_recorder_of_other_kinds_needs_no_nodes() -> None:
    module = dot(("f32",) * 3, 3, 5, 4)
    recorder = Recorder("saturate")
    assert recorder.sums(next(op for op in module.ops() if op.name == "stablehlo.dot_general")).kinds == set()


def test_a_plan_names_the_loop_of_a_contraction() -> None:
    module = dot(("f32",) * 3, 3, 5, 4)
    loop, plain = interp.plan(module).rows[0].tried
    assert (loop[0], plain[0]) == ("compiled loop", "plain fold")
    ran, other = interp.plan(module, *arguments(module)), interp.plan(module, schedule="balanced")
    assert [theorem for theorem, _ in ran.rows[0].tried] == ["compiled loop"]
    assert [theorem for theorem, _ in other.rows[0].tried] == ["plain fold"]
