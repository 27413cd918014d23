"""Shrinking: what is left shows the event and nothing of it can be left out; by brute force."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.apps.suite.cases import read_case
from interp.questions.shrink import Shrunk, case_events, event_text
from spec.schedule import parse
from tests.library.builders import quantized, reduction

PROGRAMS = Path(__file__).resolve().parent.parent / "testdata" / "programs"
I8 = quantized("i8:f32, 1.0")
SCHEDULES = ("left", "balanced", "blocks(2)", "random(5)")
ALL = "dimensions = array<i64: 0>"


def saturates(leaves: tuple[int, ...], init: int, schedule: str) -> bool:
    """Return whether an i8 sum leaves its range anywhere in the tree."""
    values = [init, *leaves]
    for lhs, rhs in parse(schedule).steps(len(values), True):
        exact = values[lhs] + values[rhs]
        values.append(min(max(exact, -128), 127))
        if exact != values[-1]:
            return True
    return False


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-128, 127), min_size=1, max_size=7), st.sampled_from(SCHEDULES))
def test_no_leaf_can_be_left_out(leaves: list[int], schedule: str) -> None:
    module = reduction("reduce", f"{len(leaves)}x{I8}", I8, I8, I8, ALL)
    trace = interp.trace(module, np.array(leaves, np.int8), np.int8(3), schedule=schedule, kinds="saturate")
    if not trace.groups:
        with pytest.raises(interp.Malformed, match="no saturate at %0"):
            trace.shrink(kind="saturate")
        return
    small = trace.shrink()
    kept = tuple(small.args[0].tolist())
    assert small.minimal
    assert kept in [c for n in range(len(leaves) + 1) for c in combinations(leaves, n)]  # in their order
    assert saturates(kept, 3, schedule)
    assert not any(saturates(fewer, 3, schedule) for fewer in combinations(kept, len(kept) - 1) if kept)
    assert shows_it(small)


def shows_it(small: Shrunk) -> bool:
    """Return whether the program shows the event as it is told."""
    found = interp.trace(small.module, *small.args, schedule=small.schedule, mode=small.mode)
    return event_text(small.event) in [event_text(group.first) for group in found.groups]


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(1, 60), min_size=4, max_size=12))
def test_of_leaves_of_one_sign_the_fewest_are_found(leaves: list[int]) -> None:
    """The k greatest leaves overflow, or no k leaves do."""
    module = reduction("reduce", f"{len(leaves)}x{I8}", I8, I8, I8, ALL)
    trace = interp.trace(module, np.array(leaves, np.int8), np.int8(0), kinds="saturate")
    if trace.groups:
        best = next(k for k in range(1, len(leaves) + 1) if sum(sorted(leaves)[-k:]) > 127)
        assert trace.shrink().leaves == best


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-128, 127), min_size=1, max_size=9), st.sampled_from(SCHEDULES))
def test_the_fewest_of_a_few_leaves_are_found(leaves: list[int], schedule: str) -> None:
    """None of them is superfluous, and no smaller part of the leaves saturates."""
    module = reduction("reduce", f"{len(leaves)}x{I8}", I8, I8, I8, ALL)
    trace = interp.trace(module, np.array(leaves, np.int8), np.int8(3), schedule=schedule, kinds="saturate")
    if trace.groups:
        small = trace.shrink()
        smaller = (part for n in range(small.leaves) for part in combinations(leaves, n))
        assert not any(saturates(part, 3, schedule) for part in smaller)
        assert small.fewest
        assert "// The fewest leaves of reduce %0, " in small.text


def test_many_leaves_are_not_said_to_be_the_fewest() -> None:
    """43 of them overflow, 40 threes and 4 twos; that none of 2^100 smaller parts does is not tried."""
    leaves = np.array([2] * 60 + [3] * 40, np.int8)
    module = reduction("reduce", f"{len(leaves)}x{I8}", I8, I8, I8, ALL)
    small = interp.trace(module, leaves, np.int8(0), kinds="saturate").shrink()
    assert (small.minimal, small.fewest) == (True, False)
    assert "// A few leaves of reduce %0, " in small.text
    assert "that show it, none of which can be left out." in " ".join(small.text.split("\n// "))


def test_the_event_keeps_its_kind_and_its_operation(tmp_path: Path) -> None:
    """Leaves that saturate when they are converted are no sums that do."""
    coarse, fine = quantized("i8:f32, 3.0"), quantized("i8:f32, 2.0")
    module = reduction("reduce", f"5x{coarse}", coarse, fine, fine, ALL)
    x = np.array([-40, 2, 1, 100, -30], np.int8)
    trace = interp.trace(module, x, np.int8(0))
    lossy = trace.shrink(kind="lossy_convert")
    assert lossy.args[0].tolist() == [1]
    assert (lossy.event.operands, lossy.event.stored) == ((1,), 2)
    converted = trace.shrink(kind="saturate")
    assert converted.args[0].tolist() == [100]
    summed = interp.trace(module, np.array([60, 40, 0, 0, 0], np.int8), np.int8(0)).shrink(kind="saturate")
    assert summed.args[0].tolist() == [60, 40]
    for small in (lossy, converted, summed):
        assert small.save(tmp_path / "case.mlir") == tmp_path / "case.mlir"


def test_an_init_value_alone() -> None:
    """Nothing but the init is needed to show that it is no identity."""
    module = reduction("reduce", f"3x{I8}", I8, I8, I8, ALL)
    small = interp.trace(module, np.array([1, 2, 3], np.int8), np.int8(7)).shrink()
    assert (small.leaves, small.event.kind, small.event.operands) == (0, "non_identity_init", (7,))


def test_a_result_that_is_converted() -> None:
    """The accumulator 200 becomes an i8 in the RFC's form: the sum does not saturate, the result does."""
    wide = quantized("i32:f32, 1.0")
    module = reduction("reduce", f"4x{I8}", I8, wide, I8, ALL, dialect="rfc")
    trace = interp.trace(module, np.array([60, 50, 40, 50], np.int8), np.int8(0))
    small = trace.shrink()
    assert (small.event.leaves, small.leaves, small.module.dialect) == (None, 3, "rfc")
    assert shows_it(small)


def test_a_window_of_the_pool_becomes_a_file_that_shows_its_overflow(tmp_path: Path) -> None:
    module = interp.load(PROGRAMS / "overflowing_pool.mlir")
    args = np.load(PROGRAMS / "overflowing_pool.npz").values()
    trace = interp.trace(module, *args)
    small = trace.shrink(kind="saturate")
    assert small.minimal
    path = small.save(tmp_path / "pool.mlir")
    assert event_text(small.event) in map(event_text, case_events(path))
    case = read_case(path, tmp_path)
    assert case.args is not None
    (result,) = interp.run(interp.load(path), *case.args)
    assert result.storage == case.expect[0]
    again = interp.load(path)
    for k in range(small.leaves):  # each of them is needed
        fewer = np.delete(case.args[0], k)
        shorter = interp.load(repr(again).replace(f"tensor<{small.leaves}x", f"tensor<{small.leaves - 1}x"))
        assert not interp.trace(shorter, fewer, case.args[1]).has("saturate")
    path.write_text(path.read_text().replace("// event", "// no event"))
    with pytest.raises(interp.Malformed, match="names no event"):
        case_events(path)


def of_two(x: list[int], y: list[int]) -> interp.Trace:
    """The trace of a maximum of x beside a sum of y, which wraps."""
    text = """
      func.func @main(%x: tensor<Nxi8>, %y: tensor<Nxi8>) -> (tensor<i8>, tensor<i8>) {
        %zero = stablehlo.constant dense<0> : tensor<i8>
        %0:2 = "stablehlo.reduce"(%x, %y, %zero, %zero) ({
        ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<i8>, %d: tensor<i8>):
          %m = stablehlo.maximum %a, %c : tensor<i8>
          %s = stablehlo.add %b, %d : tensor<i8>
          stablehlo.return %m, %s : tensor<i8>, tensor<i8>
        }) {dimensions = array<i64: 0>}
          : (tensor<Nxi8>, tensor<Nxi8>, tensor<i8>, tensor<i8>) -> (tensor<i8>, tensor<i8>)
        return %0#0, %0#1 : tensor<i8>, tensor<i8>
      }"""
    return interp.trace(interp.load(text.replace("N", str(len(x)))), np.int8(x), np.int8(y))


def test_two_operands_shrink_together() -> None:
    """The body's second result wraps: 129 needs all of three; so would 128."""
    small = of_two([9, 8, 7, 6], [1, 100, 2, 27]).shrink()
    assert [arg.tolist() for arg in small.args] == [[8, 7, 6], [100, 2, 27], 0, 0]
    assert shows_it(small)


def test_single_leaves_are_left_out_where_no_neighbours_can_be() -> None:
    """The first operand tells nothing of which leaves count, and any two neighbours hold a 40, all needed."""
    small = of_two([0] * 7, [40, 0, 40, 0, 40, 0, 40]).shrink()
    assert (small.args[1].tolist(), small.minimal) == ([40, 40, 40, 40], True)


def test_what_cannot_be_shrunk_is_refused() -> None:
    text = """
      func.func @main(%x: tensor<2xi8>, %c: tensor<i8>) -> tensor<i8> {
        %0 = "stablehlo.reduce"(%x, %c) ({
        ^bb0(%a: tensor<i8>, %b: tensor<i8>):
          %s = stablehlo.add %b, %c : tensor<i8>
          stablehlo.return %s : tensor<i8>
        }) {dimensions = array<i64: 0>} : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
        return %0 : tensor<i8>
      }"""
    trace = interp.trace(interp.load(text), np.array([100, 100], np.int8), np.int8(100))
    with pytest.raises(interp.Unsupported, match="uses what is outside of it"):
        trace.shrink()
    with pytest.raises(interp.Malformed, match="no reduction %9"):
        trace.shrink("%9")
    with pytest.raises(interp.Malformed, match="no nan at %0"):
        trace.shrink(kind="nan")
