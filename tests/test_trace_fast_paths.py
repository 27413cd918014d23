"""Traces of fast paths: one that stands in for the nodes of a fold says what a trace of every node says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from interp.speed.order_free import Form
from spec.ir import Op
from tests.library.builders import quantized, reduced

ROOT = Path(__file__).resolve().parent.parent
TYPES = [
    ("i8", "i32"),
    ("i8", "i8"),
    ("ui8", "ui16"),
    ("i4", "i8"),
    (quantized("i8:f32, 1.0"), quantized("i16:f32, 1.0")),
    (quantized("i8:f32, 0.5:3"), quantized("i16:f32, 0.5:3")),
    (quantized("i8:f32, 0.5:3"), quantized("i32:f32, 0.5:-7")),
    (quantized("i8:f32, 0.5:3"), quantized("i8:f32, 0.5:3")),
    (quantized("u8:f32, 0.1:128"), quantized("u8:f32, 0.1:128")),
    (quantized("i8:f32, 0.3"), quantized("i16:f32, 0.2")),
    (quantized("i4:bf16, 0.3"), quantized("i8:bf16, 0.3")),
]
COMBINE = ("add", "maximum", "minimum")


class Nodes(Listener):
    """Wants to see every node, so that no fast path runs."""


class Closed(Listener):
    sees_nodes = False

    def __init__(self) -> None:
        self.theorems: list[str] = []

    def on_fast_path(self, op: Op, theorem: str, why: str) -> None:
        self.theorems.append(theorem)


@settings(max_examples=50, deadline=None)
@given(st.data(), st.sampled_from(TYPES), st.sampled_from(COMBINE), st.sampled_from(["left", "balanced"]))
def test_a_fast_path_hides_no_event(data: st.DataObject, types: Any, combine: str, schedule: str) -> None:
    source, wide = types
    n = data.draw(st.sampled_from([1, 2, 5, 40]))
    module = reduced(f"{n}x2x{source}", wide, combine)
    type = module.main.inputs[0].type
    low, high = type.storage_type.min_value, type.storage_type.max_value
    size = data.draw(st.sampled_from([1, 10, 300]))
    middle = data.draw(st.integers(low, high))
    numbers = st.integers(max(low, middle - size), min(high, middle + size))
    flat = data.draw(st.lists(numbers, min_size=2 * n + 1, max_size=2 * n + 1))
    x, init = np.array(flat[1:], type.storage_type.numpy).reshape(n, 2), np.array(flat[0])
    args = x, init.astype(x.dtype)
    plain = interp.trace(module, *args, schedule=schedule, listeners=[Nodes()])
    quick = interp.trace(module, *args, schedule=schedule)
    assert quick.results == plain.results
    assert repr(quick) == repr(plain)


@pytest.mark.parametrize(
    ("types", "combine", "most", "theorems"),
    [
        (TYPES[0], "add", 100, ["wrapping add"]),  # 1000 i8 fit into an i32 whatever they are
        (TYPES[1], "add", 1, []),  # not into an i8
        (TYPES[4], "add", 20, ["integer addition by data"]),
        (TYPES[4], "add", 100, []),  # it saturates
        (TYPES[5], "add", 20, ["integer addition by data"]),
        (TYPES[7], "maximum", 100, []),  # its least numbers, less the zero point, wrap (erratum E1)
        (TYPES[1], "maximum", 100, ["exact maximum"]),
    ],
)
def test_nodes_are_not_judged_where_a_theorem_says_all(
    types: Any, combine: str, most: int, theorems: list[str]
) -> None:
    source, wide = types
    module = reduced(f"1000x{source}", wide, combine)
    closed = Closed()
    interp.trace(module, np.full(1000, most, np.int8), np.int8(3), listeners=[closed])
    assert closed.theorems == theorems


def test_leaves_are_judged_though_nothing_folds() -> None:
    """-128 less the zero point 3 wraps in i8 (erratum E1), not in the accumulator's i16."""
    source, wide = TYPES[5]
    module = reduced(f"1000x{source}", wide)
    x, closed = np.full(1000, 20, np.int8), Closed()
    x[[7, 900]] = -128
    trace = interp.trace(module, x, np.int8(3), listeners=[closed])
    assert closed.theorems == ["integer addition by data"]
    assert trace.counts == {"erratum": 2}
    assert (trace.events[0].index, trace.events[0].exact, trace.events[0].stored) == ((7,), -131, -128)


def test_what_nobody_asks_for_needs_no_nodes() -> None:
    source, wide = TYPES[5]
    module = reduced(f"1000x{source}", wide)
    closed = Closed()
    interp.run(
        module, np.full(1000, 20, np.int8), np.int8(3), fail_on=["saturate", "inexact"], listeners=[closed]
    )
    assert closed.theorems == ["integer addition by data"]


def test_the_init_value_is_judged_though_nothing_folds() -> None:
    wide = quantized("i16:f32, 1.0")
    module = reduced(f"4x{quantized('i8:f32, 1.0')}", wide)
    trace = interp.trace(module, np.arange(4, dtype=np.int8), np.int8(7))
    assert trace.counts == {"non_identity_init": 1}


def test_a_listener_may_want_nodes_whatever_a_form_proves() -> None:
    assert Nodes().instead(Form("", "", None, "add", np.dtype("int8"))) is None  # type: ignore[arg-type]


SCALE = """
import resource, sys
import numpy as np, interp
from tests.library.builders import quantized, reduced
size, schedule = int(sys.argv[1]), sys.argv[2]
narrow, wide = quantized("i8:f32, 0.5:3"), quantized("i16:f32, 0.5:3")
module = reduced(f"{size}x{size}x{narrow}", wide, dimensions=(1,))
x = np.random.default_rng(0).integers(-60, 128, (size, size), np.int8)
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
trace = interp.trace(module, x, np.int8(3), schedule=schedule)
print(peak() - before, trace.counts["saturate"], len(trace.events))
"""


@pytest.mark.slow("long sums", rows=1)
@pytest.mark.parametrize("schedule", ["left", "balanced"])
def test_memory_is_a_few_bytes_for_each_leaf(schedule: str) -> None:
    """4 million of them, of a byte, in accumulators that saturate in part: 10^8 take less than 4 GiB."""
    size = 2000
    command = [sys.executable, "-c", SCALE, str(size), schedule]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    kibibytes, saturated, kept = map(int, told)
    assert kibibytes * 1024 < 24 * size**2 + 2**25
    assert saturated > 500
    assert 2 <= kept <= 6
