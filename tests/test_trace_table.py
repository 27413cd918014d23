"""Every event as a row: against arithmetic on integers, node by node, in whatever parts it is judged."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.recorder import batch
from spec.ir import Module
from spec.schedule import parse
from spec.types import ELEMENT_TYPES
from tests.library.builders import quantized, reduced, scattered

ROOT = Path(__file__).resolve().parent.parent
I8 = quantized("i8:f32, 1.0")
SCHEDULES = ("left", "balanced", "blocks(2)", "random(5)")


def sums(rows: int, columns: int, type: str = I8) -> Module:
    """Return the sum of each row."""
    return reduced(f"{rows}x{columns}x{type}", dimensions=(1,))


def expected(x: np.ndarray, init: int, schedule: str) -> list[tuple[Any, ...]]:
    """Saturations of an i8 sum of every row, from the schedule's own steps."""
    found = []
    for i, row in enumerate(x.tolist()):
        values, spans = [init, *row], [(k, k) for k in range(len(row) + 1)]
        for lhs, rhs in parse(schedule).steps(len(values), True):
            exact = values[lhs] + values[rhs]
            spans.append((spans[lhs][0], spans[rhs][1]))
            values.append(min(max(exact, -128), 127))
            if exact != values[-1]:
                found.append(((i,), *spans[-1], (values[lhs], values[rhs]), exact, values[-1]))
    return found


@settings(max_examples=40, deadline=None)
@given(st.data(), st.sampled_from(SCHEDULES), st.integers(1, 4), st.integers(1, 7))
def test_the_table_has_every_event(data: st.DataObject, schedule: str, rows: int, columns: int) -> None:
    elements = st.lists(st.integers(-128, 127), min_size=rows * columns, max_size=rows * columns)
    x = np.array(data.draw(elements), np.int8).reshape(rows, columns)
    init = data.draw(st.integers(-128, 127))
    wanted = expected(x, init, schedule)
    found = interp.trace(sums(rows, columns), x, np.int8(init), kinds="saturate", schedule=schedule)
    table = found.table()
    fields = ["index", "first", "last", "operands", "exact", "stored"]
    assert sorted(table[fields].tolist()) == sorted(wanted)
    assert set(table["kind"]) <= {"saturate"}
    assert set(table["op"]) <= {found.module.main.body.ops[0].result.name}


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("size", [1, 3, 7])
def test_parts_change_nothing(schedule: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first, the worst, all others and their places, for batches in memory order and for others."""
    x = np.random.default_rng(3).integers(-128, 128, (5, 9), np.int8)
    module, args = sums(5, 9), (x, np.int8(3))
    whole = interp.trace(module, *args, schedule=schedule)
    table = whole.table()
    assert len(table) == whole.counts.total() > 15
    monkeypatch.setattr(batch, "PART", size)
    cut = interp.trace(module, *args, schedule=schedule)
    assert repr(cut) == repr(whole)
    assert cut.table().tolist() == table.tolist()


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_parts_with_absent_leaves(schedule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of three, one step apart, pick their greatest: some elements get three sources, some none."""
    module = scattered("6xi8", (3,), padding=((1, 1),))
    args = np.array([1, 9, 2, 3, 8, 1], np.int8), np.array([100, 90, 80, 70, 60, 50], np.int8), np.int8(0)
    whole = interp.trace(module, *args, schedule=schedule)
    table = whole.table().tolist()
    assert whole.counts["wrap"] >= 2
    monkeypatch.setattr(batch, "PART", 2)
    assert interp.trace(module, *args, schedule=schedule).table().tolist() == table


def test_parts_of_a_conversion(monkeypatch: pytest.MonkeyPatch) -> None:
    coarse, fine = quantized("i8:f32, 3.0"), quantized("i8:f32, 2.0:-3")
    module = reduced(f"4x3x{coarse}", fine)
    x = np.arange(-97, 95, 16, np.int8).reshape(4, 3)
    known = interp.trace(module, x, np.int8(0)).table().tolist()
    assert {row[0] for row in known} >= {"lossy_convert", "saturate"}
    monkeypatch.setattr(batch, "PART", 4)
    cut = interp.trace(module, x, np.int8(0)).table().tolist()
    assert sorted(map(repr, cut)) == sorted(map(repr, known))


@pytest.mark.slow("draws for each type", rows=9)
@pytest.mark.parametrize("storage", ["i2", "u4", "i4", "i8", "u8", "i16", "u16", "i32", "u32"])
@pytest.mark.parametrize("name", ["add", "subtract", "maximum", "minimum"])
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_whole_steps_are_judged_as_integers(data: st.DataObject, storage: str, name: str) -> None:
    """All values have one type: the exact `a + b` is the stored number `a + b - zero_point`, and so on."""
    full = ELEMENT_TYPES[storage.replace("u", "ui")]
    stored = st.integers(full.min_value, full.max_value) | st.sampled_from([full.min_value, full.max_value])
    zero_point = data.draw(stored)
    type = quantized(f"{storage}:f64, 0.5:{zero_point}")
    module = reduced(f"1x{type}", body=name)
    a, b = data.draw(stored), data.draw(stored)
    kinds = "saturate", "inexact", "nan", "inf"
    trace = interp.trace(module, np.array([b], full.numpy), np.array(a, full.numpy), kinds=kinds)
    exact = {"add": a + b - zero_point, "subtract": a - b + zero_point}.get(name)
    if exact is None:
        exact = max(a, b) if name == "maximum" else min(a, b)
    clamped = min(max(exact, full.min_value), full.max_value)
    assert trace.results[0].storage == clamped
    events = [(event.kind, event.exact, event.stored) for event in trace.events]
    assert events == ([("saturate", exact, clamped)] if exact != clamped else [])


@pytest.mark.parametrize("type", ["i4", "ui4", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"])
@pytest.mark.parametrize("name", ["add", "subtract"])
def test_every_wrap_of_edge_values(type: str, name: str) -> None:
    element = ELEMENT_TYPES[type]
    ends = [element.min_value, element.min_value + 1, -1, 0, 1, element.max_value - 1, element.max_value]
    edges = [x for x in ends if element.min_value <= x <= element.max_value]
    module = reduced(f"1x7x{type}", body=name)
    for a in edges:
        row = np.array((edges * 3)[:7], element.numpy)
        found = interp.trace(module, row[None], np.array(a, element.numpy), kinds="wrap").table()
        exact = [a + b if name == "add" else a - b for b in row.tolist()]
        wrapped = [(k,) for k, x in enumerate(exact) if not element.min_value <= x <= element.max_value]
        assert found["index"].tolist() == wrapped
        assert found["exact"].tolist() == [exact[k] for (k,) in wrapped]


def test_a_conversion_by_table_says_what_fractions_say() -> None:
    """More elements than i8 has numbers, so that each is looked up; most in steps of 3 are none of 2."""
    coarse, fine = quantized("i8<-100:100>:f32, 3.0:5"), quantized("i16<-140:140>:f32, 2.0:-1")
    module = reduced(f"20x30x{coarse}", fine)
    x = np.random.default_rng(5).integers(-100, 101, (20, 30), np.int8)
    trace = interp.trace(module, x, np.int8(5), kinds=("saturate", "lossy_convert"))
    table = trace.table()
    wanted: dict[str, list[Any]] = {"saturate": [], "lossy_convert": []}
    for index in np.ndindex(x.shape):
        exact = Fraction((int(x[index]) - 5) * 3, 2) - 1
        if not -140 <= round(exact) <= 140:
            wanted["saturate"].append((index, exact, 140 if exact > 0 else -140))
        elif exact.denominator > 1:
            wanted["lossy_convert"].append((index, exact, round(exact)))
    assert min(map(len, wanted.values())) > 10
    leaves = table[table["first"] == -1]
    for kind, rows in wanted.items():
        assert leaves[leaves["kind"] == kind][["index", "exact", "stored"]].tolist() == rows


def test_a_limit_and_what_is_beyond() -> None:
    x = np.full((4, 30), 100, np.int8)
    trace = interp.trace(sums(4, 30), x, np.int8(0), keep=5)
    assert trace.counts["saturate"] == 4 * 29
    assert len(trace.kept) == 5
    assert trace.table(3).tolist() == trace.table().tolist()[:3]
    assert len(trace.table(10**6)) == 4 * 29
    assert trace.table(0).shape == (0,)
    with pytest.raises(interp.Malformed, match="-1 is not a valid number of rows"):
        trace.table(-1)


def test_a_million_events_are_not_made_a_table_by_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    from interp.answers import trace as table

    trace = interp.trace(sums(1, 9), np.full((1, 9), 100, np.int8), np.int8(0))
    monkeypatch.setattr(table, "MOST", 7)
    with pytest.raises(interp.Malformed, match=r"8 events\n  take the first ones"):
        trace.table()
    assert len(trace.table(8)) == 8


def test_events_outside_of_a_tree() -> None:
    """Leaves have an index and no node. In steps of 0.3 the leaf 1 is 3 1/3, and 3 is ten steps."""
    narrow, wide = quantized("i8:f32, 1.0"), quantized("i16:f32, 0.3")
    module = reduced(f"2x{narrow}", wide)
    trace = interp.trace(module, np.array([1, 3], np.int8), np.int8(0), kinds="lossy_convert")
    row = trace.table()[0]
    assert row[["index", "first", "last", "operands", "stored"]].tolist() == ((0,), -1, -1, (1,), 3)
    assert row["what"] == f"operand {trace.module.main.inputs[0].name}"


def test_a_quiet_trace_has_an_empty_table() -> None:
    trace = interp.trace(sums(1, 2), np.array([[1, 2]], np.int8), np.int8(0))
    assert trace.table().shape == (0,)
    assert trace.table()["exact"].tolist() == []


def test_the_frame_is_the_table() -> None:
    pandas = pytest.importorskip("pandas")
    trace = interp.trace(sums(2, 3), np.array([[1, 2, 3], [100, 40, 90]], np.int8), np.int8(0))
    frame = trace.frame()
    assert isinstance(frame, pandas.DataFrame)
    assert frame["exact"].tolist() == [140, 217]
    assert frame[frame.op == "%0"]["last"].tolist() == [2, 3]
    assert len(trace.frame(1)) == 1


def test_without_pandas_the_frame_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['pandas'] = None\n"
        "import numpy as np, interp\n"
        "m = interp.load('func.func @main(%x: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }')\n"
        "try: interp.trace(m, np.int8(1)).frame()\n"
        "except interp.Unsupported as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == "pandas is not installed\n  pip install 'stablehlo-interp[frame]'\n"
