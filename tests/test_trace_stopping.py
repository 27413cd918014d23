"""Breakpoints: where a run stops, and what can be seen there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from spec.schedule import parse
from tests.library.builders import contracting, conversion, quantized, reduction, single

I8 = quantized("i8:f32, 1.0")
SCHEDULES = ("left", "balanced", "blocks(2)", "random(5)")
ROWS = "dimensions = array<i64: 1>"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-128, 127), min_size=1, max_size=9), st.sampled_from(SCHEDULES))
def test_a_run_stops_at_the_first_node_that_saturates(leaves: list[int], schedule: str) -> None:
    """A run without such a node goes through to its results. The nodes are replayed on integers."""
    module = reduction("reduce", f"{len(leaves)}x{I8}", I8, I8, I8, "dimensions = array<i64: 0>")
    args = np.array(leaves, np.int8), np.int8(0)
    trace = interp.trace(module, *args, schedule=schedule, break_on="saturate")
    values, spans = [0, *leaves], [(i, i) for i in range(len(leaves) + 1)]
    for lhs, rhs in parse(schedule).steps(len(values), True):
        exact = values[lhs] + values[rhs]
        values.append(min(max(exact, -128), 127))
        spans.append((spans[lhs][0], spans[rhs][1]))
        if exact != values[-1]:
            break
    else:
        assert trace.stopped is None
        assert trace.results == interp.run(module, *args, schedule=schedule)
        return
    assert trace.stopped is not None
    assert trace.results == ()
    event = trace.stopped.event
    assert (event.leaves, event.operands, event.exact) == (spans[-1], (values[lhs], values[rhs]), exact)
    if schedule in ("left", "random(5)"):  # node by node
        stopped = trace.stopped
        assert stopped.leaves == spans[-1]
        seen = [x.item() for state in (stopped.lhs, stopped.rhs, stopped.accumulator) for x in state]
        assert seen == [values[lhs], values[rhs], values[-1]]
        assert trace.counts == {"saturate": 1}


def test_everything_computed_so_far_is_there() -> None:
    """Values are there by name, arguments and a called function's included; what comes later is not."""
    text = """
      func.func @main(%x: tensor<2x3xi8>) -> tensor<2xi8> {
        %a = stablehlo.add %x, %x : tensor<2x3xi8>
        %b = func.call @twice(%a) : (tensor<2x3xi8>) -> tensor<2x3xi8>
        %zero = stablehlo.constant dense<0> : tensor<i8>
        %c = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<2x3xi8>, tensor<i8>) -> tensor<2xi8>
        %d = stablehlo.negate %c : tensor<2xi8>
        return %d : tensor<2xi8>
      }
      func.func @twice(%y: tensor<2x3xi8>) -> tensor<2x3xi8> {
        %e = stablehlo.add %y, %y : tensor<2x3xi8>
        return %e : tensor<2x3xi8>
      }"""
    module = interp.load(text)
    x = np.array([[1, 2, 3], [10, 20, 30]], np.int8)
    trace = interp.trace(module, x, break_on=["wrap"])
    stopped = trace.stopped
    assert stopped is not None
    names = [op.results[0].name for op in module.main.body.ops[:3]]
    inner = module["twice"].body.ops[0].result.name
    assert [*stopped.values] == [module.main.inputs[0].name, names[0], inner, *names[1:]]
    doubled = stopped.values[names[0]]
    assert (doubled.storage == 2 * x).all()
    assert (stopped.values[inner].storage == 4 * x).all()
    assert (stopped.op, stopped.leaves) == (module.main.body.ops[3], (0, 3))
    assert [x[0].tolist() for x in (stopped.lhs, stopped.rhs, stopped.accumulator)] == [
        [12, 120],
        [12, 120],
        [24, -16],
    ]


def test_a_stop_outside_of_a_fold() -> None:
    """At a conversion there is no node; the event says which element."""
    module = conversion("stablehlo.convert", "3xi32", "3xui8")
    trace = interp.trace(module, np.array([255, 256, -1], np.int32), break_on="wrap")
    stopped = trace.stopped
    assert stopped is not None
    assert (stopped.place, stopped.leaves, stopped.lhs, stopped.accumulator) == (None, None, (), ())
    assert stopped.event is trace.events[0]
    assert stopped.event.index == (1,)


def test_several_kinds_and_kinds_that_do_not_happen() -> None:
    module = reduction("reduce", f"1x3x{I8}", I8, I8, f"1x{I8}", ROWS)
    args = np.array([[100, 50, 1]], np.int8), np.int8(5)
    first = interp.trace(module, *args, break_on=("saturate", "non_identity_init")).stopped
    assert first is not None
    assert first.event is not None
    assert first.event.kind == "non_identity_init"
    assert interp.trace(module, *args, break_on=("wrap", "nan")).stopped is None
    assert interp.trace(module, *args, break_on="saturate", kinds="nan").counts == {"saturate": 1}
    with pytest.raises(interp.Malformed, match="'overflow' is not a kind of event"):
        interp.trace(module, *args, break_on="overflow")


def test_floats_are_shown_as_they_are_stored() -> None:
    """bf16 is carried in f32 and stored in two bytes."""
    module = reduction("reduce", "3xbf16", "bf16", "bf16", "bf16", "dimensions = array<i64: 0>")
    ones = np.array([256, 1, 1]).astype("bfloat16")
    stopped = interp.trace(module, ones, np.zeros((), "bfloat16"), break_on="inexact").stopped
    assert stopped is not None
    assert [x[0].dtype.name for x in (stopped.lhs, stopped.rhs, stopped.accumulator)] == ["bfloat16"] * 3
    assert stopped.leaves == (0, 2)


def test_a_contraction_stops_too() -> None:
    x, m = np.array([8, 8, 3], np.int8), single("dot_general", "3xi8; 3xi8 -> i8", **contracting())
    stopped = interp.trace(m, x, x, break_on="wrap").stopped
    assert stopped is not None
    assert (stopped.leaves, stopped.lhs[0].item(), stopped.accumulator[0].item()) == ((0, 2), 64, -128)


def test_how_it_prints() -> None:
    module = reduction("reduce", f"2x3x{I8}", I8, I8, f"2x{I8}", ROWS)
    rows = np.array([[1, 2, 3], [100, 40, 90]], np.int8)
    trace = interp.trace(module, rows, np.int8(0), break_on="saturate")
    names = ", ".join(value.name for value in module.main.inputs)
    assert repr(trace).splitlines()[1:] == [
        "stopped at <text>:5:16 reduce %0: saturate at result (1,), leaves 0..2: 100 + 40 -> 127 (exact 140)",
        "  lhs          [  1, 100]",
        "  rhs          [ 2, 40]",
        "  accumulator  [  3, 127]",
        f"  values       {names}",
    ]
    assert trace.table()["exact"].tolist() == [140]
