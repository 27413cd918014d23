"""`compile(m, checks=...)`: the events of a trace, counted in compiled code, and reported by checkify."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax.experimental import checkify

import interp
from interp.execute.run import run
from interp.recorder.event import KINDS, heading
from interp.recorder.names import qualifier
from interp.recorder.recorder import Recorder
from spec.accumulator import LITERAL
from spec.ir import Module
from spec.readings import reading_error
from tests.library.strategies.indexing_programs import gathers
from tests.library.strategies.op_programs import FAMILIES
from tests.library.strategies.programs import PROGRAMS, Program, joined
from tests.library.strategies.scatter_programs import scatters
from tests.test_compile import MeetsSubnormal, few
from tests.test_engine import RANDOM, READINGS

Q = "!quant.uniform<i8:f32, 0.5>"
NETWORK = f"""func.func private @relu(%v: tensor<2x4xf32>) -> tensor<2x4xf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %kept = stablehlo.maximum %v, %zero : tensor<2x4xf32>
  return %kept : tensor<2x4xf32>
}}
func.func @main(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>) -> tensor<2x4x{Q}> {{
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi8>
  %f = stablehlo.convert %y : (tensor<2x4xi8>) -> tensor<2x4xf32>
  %r = func.call @relu(%f) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %q = stablehlo.uniform_quantize %r : (tensor<2x4xf32>) -> tensor<2x4x{Q}>
  return %q : tensor<2x4x{Q}>
}}"""
X = np.int8([[1, 2, 3], [50, 50, 50]])
W = np.int8([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]])


def traced(module: Module, args: Any, kinds: Any = tuple(KINDS), **options: Any) -> list[str]:
    """Return the lines of a checked program's error, from the events of a run but for clips at zero."""
    recorder = Recorder(kinds)
    run(module, *args, listeners=[recorder], **options)
    counts: dict[tuple[int, str], int] = {}
    first: dict[tuple[int, str], Any] = {}
    for group in (group for group in recorder.groups.values() if not group.first.clips):
        key = id(group.first.op), group.kind
        counts[key] = counts.get(key, 0) + group.count
        first.setdefault(key, group.first)
    lines = []
    for (key, event), count in zip(first.items(), counts.values(), strict=True):
        head = heading(event.op, qualifier(module, event.op))
        index = "" if event.index is None else f" {event.index}"
        lines.append(f"{head}: {key[1]} x {count:,}, first at {event.what}{index}")
    return sorted(lines)


def checked(module: Module, args: Any, kinds: Any = tuple(KINDS), **options: Any) -> list[str]:
    """Return the lines of a checked program's error."""
    try:
        interp.compile(module, checks=kinds, **options)(*args)
    except interp.Finding as found:
        return sorted(found.evidence.splitlines())
    return []


# Random programs


def agree(programs: list[Program], **options: Any) -> None:
    """Compare events of programs side by side, without those whose results differ under XLA."""
    kept = []
    for module, args in programs:
        watch = MeetsSubnormal()
        if not reading_error(module, "main", options["reading"]):
            run(module, *args, listeners=[watch], **options)
            kept += [] if watch.met else [Program(module, args)]
    if kept:
        program = joined(kept)
        assert checked(*program, **options) == traced(*program, **options)


@pytest.mark.slow("compiles random programs")
@settings(RANDOM, max_examples=8)
@given(few(PROGRAMS), st.sampled_from(("left", "balanced", "blocks(2)")), READINGS)
def test_reductions_have_the_events_of_the_trace(programs: list[Program], tree: str, reading: Any) -> None:
    agree(programs, schedule=tree, reading=reading)


COMPUTED = st.one_of(*(FAMILIES[name] for name in FAMILIES if name not in ("structures", "algebra")))


@pytest.mark.slow("compiles random programs")
@settings(RANDOM, max_examples=12)
@given(few(COMPUTED), READINGS)
def test_operations_have_the_events_of_the_trace(programs: list[Program], reading: Any) -> None:
    agree(programs, reading=reading)


@pytest.mark.slow("compiles random programs")
@settings(RANDOM, max_examples=4)
@given(few(st.one_of(scatters(), gathers())))
def test_scatters_have_the_events_of_the_trace(programs: list[Program]) -> None:
    agree(programs, reading=LITERAL)


# By hand


def test_a_direct_call_raises_and_counts() -> None:
    """Row 1 gives 50, 50, 50 and 150, which wraps; 50 is 100 steps of 0.5, which i8 holds; -106 becomes 0."""
    f = interp.compile(interp.load(NETWORK), checks=("wrap", "saturate"))
    with pytest.raises(interp.Finding) as caught:
        f(X, W)
    assert caught.value.verdict == "wrap x 1"
    assert caught.value.evidence == "<text>:7:8 dot_general %y: wrap x 1, first at result (1, 3)"
    with pytest.raises(
        interp.Finding, match=r"(?s)saturate x 3.*uniform_quantize %q: saturate x 3, first .* \(1, 0\)"
    ):
        f(X * [[1], [2]], W * np.int8([1, 1, 1, 0]))
    (out,) = f(X[:1].repeat(2, 0), W)
    assert out.tolist() == [[2, 4, 6, 12]] * 2


def test_traced_code_reports_through_checkify() -> None:
    m = interp.load(NETWORK)
    f = interp.compile(m, checks="wrap")
    expected = "<text>:7:8 dot_general %y: wrap x 1, first at result (1, 3) (`check` failed)"
    for way in (checkify.checkify(f), checkify.checkify(jax.jit(f)), jax.jit(checkify.checkify(f))):
        error, (out,) = way(X, W)
        assert error.get() == expected
        assert (out == interp.run(m, X, W)[0].storage).all()
        with pytest.raises(checkify.JaxRuntimeError, match="wrap x 1"):
            error.throw()
        error, _ = way(X * 0, W)
        error.throw()
    with pytest.raises(ValueError, match="functionalized"):
        jax.jit(f)(X, W)
    both = checkify.checkify(jax.vmap(f, in_axes=(0, None)))
    error, (out,) = both(np.stack([X * 0, X]), W)
    assert error.get() == expected
    assert (out[1] == interp.run(m, X, W)[0].storage).all()


def test_within_a_function_of_the_users() -> None:
    f = interp.compile(interp.load(NETWORK), checks=("saturate",))

    @jax.jit
    @checkify.checkify
    def twice(x: Any) -> Any:
        (y,) = f(x, W)
        return f((y[:, :3] * 2).astype("int8"), W)[0]

    error, _ = twice(X)
    assert "uniform_quantize %q: saturate" in error.get()
    error, _ = twice(X // 50)
    assert error.get() is None


LOOP = """func.func private @grown(%a: tensor<2xi8>) -> tensor<2xi8> {
  %b = stablehlo.add %a, %a : tensor<2xi8>
  return %b : tensor<2xi8>
}
func.func @main(%x: tensor<2xi8>, %n: tensor<i32>, %p: tensor<i1>) -> tensor<2xi8> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%k = %zero, %v = %x) : tensor<i32>, tensor<2xi8>
    cond {
      %sum = stablehlo.add %v, %v : tensor<2xi8>
      %more = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %k, %one : tensor<i32>
      %u = func.call @grown(%v) : (tensor<2xi8>) -> tensor<2xi8>
      stablehlo.return %next, %u : tensor<i32>, tensor<2xi8>
    }
  %y = "stablehlo.if"(%p) ({
    %w = stablehlo.multiply %r#1, %r#1 : tensor<2xi8>
    stablehlo.return %w : tensor<2xi8>
  }, {
    %z = func.call @grown(%r#1) : (tensor<2xi8>) -> tensor<2xi8>
    stablehlo.return %z : tensor<2xi8>
  }) : (tensor<i1>) -> tensor<2xi8>
  return %y : tensor<2xi8>
}"""


@pytest.mark.parametrize(("n", "p"), [(0, True), (3, True), (3, False)])
def test_loops_branches_and_calls_count_every_run(n: int, p: bool) -> None:
    """40 doubles to 80, -96 and 64: a loop of 3 wraps once in the body, and once more in the condition."""
    m, args = interp.load(LOOP), (np.int8([3, 40]), np.int32(n), np.bool_(p))
    lines = checked(m, args)
    assert lines == traced(m, args)
    assert any("%sum: wrap" in line for line in lines) == (n == 3)
    assert any("%b: wrap" in line for line in lines) == (n == 3)
    assert any("multiply %w: wrap" in line for line in lines) == p


def test_a_map_is_heard_within() -> None:
    text = """func.func @main(%x: tensor<3xi8>, %y: tensor<3xi8>) -> tensor<3xi8> {
      %m = "stablehlo.map"(%x, %y) ({
        ^bb0(%a: tensor<i8>, %b: tensor<i8>):
        %c = stablehlo.add %a, %b : tensor<i8>
        %d = stablehlo.multiply %c, %c : tensor<i8>
        stablehlo.return %d : tensor<i8>
      }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
      return %m : tensor<3xi8>
    }"""
    m, args = interp.load(text), (np.int8([100, 1, 100]), np.int8([100, 1, 0]))
    lines = checked(m, args, "wrap")
    assert lines == traced(m, args, "wrap")
    assert [line.partition("x ")[2] for line in lines] == [
        "1, first at result (0,)",
        "2, first at result (0,)",
    ]


@pytest.mark.parametrize("type", ["i64", "f64", "ui64"])
def test_numbers_of_64_bits_are_judged_whole(type: str) -> None:
    m = interp.load(
        f"func.func @main(%x: tensor<3x{type}>) -> tensor<3x{type}> "
        f"{{ %y = stablehlo.multiply %x, %x : tensor<3x{type}> return %y : tensor<3x{type}> }}"
    )
    dtype = {"i64": np.int64, "f64": np.float64, "ui64": np.uint64}[type]
    x = np.array([2**31, 2**62, 3] if type != "f64" else [1e200, 3e38, 1], dtype)
    lines = checked(m, (x,))
    assert lines == traced(m, (x,))
    assert len(lines) == 1


def test_subnormal_numbers_are_judged_as_they_are() -> None:
    """2^-100 * 2^-30 is exact in f32, but not where subnormal numbers are flushed, as in callbacks of XLA."""
    m = interp.load("""func.func @main(%x: tensor<2xf32>, %one: tensor<f32>) -> tensor<f32> {
      %y = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [0]
        : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      return %y : tensor<f32>
    }""")
    args = np.float32([2.0**-100, 2.0**-30]), np.float32(1)
    assert traced(m, args) == checked(m, args) == []


# The interface


def test_without_checks_nothing_calls_back() -> None:
    m = interp.load(NETWORK)
    plain, again = (str(jax.make_jaxpr(interp.compile(m, **o))(X, W)) for o in ({}, {"checks": ()}))
    assert "callback" not in plain
    assert "callback" not in again
    watched = str(jax.make_jaxpr(checkify.checkify(interp.compile(m, checks="wrap")))(X, W))
    assert watched.count("pure_callback[") == 1


def test_what_cannot_be_checked() -> None:
    m = interp.load(NETWORK)
    with pytest.raises(interp.Malformed, match="kind of event"):
        interp.compile(m, checks="overflow")
    text = """func.func @main(%x: tensor<3xf32>, %z: tensor<f32>, %s: tensor<f32>) -> tensor<f32> {
      %m = "stablehlo.reduce"(%x, %z) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        %d = stablehlo.multiply %c, %s : tensor<f32>
        stablehlo.return %d : tensor<f32>
      }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
      return %m : tensor<f32>
    }"""
    with pytest.raises(interp.Unsupported, match="uses %s from outside\n  trace finds these events"):
        interp.compile(interp.load(text), checks="nan")
    assert interp.compile(interp.load(text), checks="saturate")  # of which floats have none


def test_a_program_of_unknown_sizes_is_checked_when_it_is_called() -> None:
    m = interp.load(
        "func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> "
        "{ %y = stablehlo.add %x, %x : tensor<?xi8> return %y : tensor<?xi8> }"
    )
    f = interp.compile(m, checks="wrap")
    assert f(np.int8([1, 2]))[0].tolist() == [2, 4]
    with pytest.raises(interp.Finding, match=r"add %y: wrap x 2, first at result \(1,\)"):
        f(np.int8([1, 100, 100]))


THREADS = """
import threading, numpy as np, interp
n = int(__import__("sys").argv[1])
m = interp.load(f'''func.func @main(%x: tensor<{n}xi8>) -> tensor<{n}xi8> {{
  %0 = stablehlo.add %x, %x : tensor<{n}xi8>
  %1 = stablehlo.add %0, %x : tensor<{n}xi8>
  return %1 : tensor<{n}xi8>
}}''')
f, found = interp.compile(m, checks="wrap"), []

def call():
    for _ in range(3):
        try:
            f(np.full(n, 43, np.int8))
        except interp.Finding as finding:
            found.append(finding.verdict)

threads = [threading.Thread(target=call) for _ in range(2 * (__import__("os").cpu_count() or 1) + 2)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found) == 3 * len(threads), set(found) == {f"wrap x {n:,}"})
"""


@pytest.mark.parametrize(
    "n", ["300000", pytest.param("5000000", marks=pytest.mark.slow("starts another process"))]
)
def test_several_threads_do_not_wait_for_each_other(n: str) -> None:
    """Each of XLA's threads may be in a callback: then none is left to copy a large array. 129 wraps."""
    ran = subprocess.run([sys.executable, "-c", THREADS, n], capture_output=True, text=True, timeout=100)
    assert ran.stdout == "True True\n", ran.stderr
