"""Loops on tapes: `while` in one call has the bits of its rounds one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from interp.engine.work import Work
from interp.speed import taping
from interp.speed.tape import Tape
from spec.ir import Module
from tests.test_taping import plans_of_runs

pytest.importorskip("llvmlite", reason="it has no wheel here")
pytest.importorskip("interp.backends.machine_code")


@pytest.fixture(autouse=True)
def runs() -> Iterator[list[taping.Plan]]:
    """Make tapes at once, and give the plans that ran."""
    with plans_of_runs(SOON=0) as plans:
        yield plans


def agree(module: Module, *args: Any) -> list[np.ndarray]:
    """Return results, which are twice those of the steps that a listener sees."""
    expected = interp.run(module, *args, listeners=[Listener()])
    for _ in range(2):
        results = interp.run(module, *args)
        assert [x.storage.tobytes() for x in results] == [x.storage.tobytes() for x in expected]
    return [x.storage for x in results]


X, ROWS = "tensor<3x4xf32>", "tensor<6x3x4xf32>"


def loop(
    body: str,
    returned: str,
    count: str = "i64",
    first: int = 0,
    end: int = 6,
    step: int = 1,
    turn: str = "LT",
) -> Module:
    """Return a program that carries a counter, two matrices and rows of them.

    body: operations on %i, %a, %b, %rows, which may read %w, %zero of the counter's type and the argument %n.
    """
    n = f"tensor<{count}>"
    return interp.load(f"""
func.func @main(%x: {X}, %y: {X}, %r: {ROWS}, %n: tensor<i32>) -> (tensor<{count}>, {X}, {X}, {ROWS}) {{
  %zero = stablehlo.constant dense<0> : {n}
  %first = stablehlo.constant dense<{first}> : {n}
  %w = stablehlo.constant dense<0.75> : {X}
  %l:4 = stablehlo.while(%i = %first, %a = %x, %b = %y, %rows = %r) : {n}, {X}, {X}, {ROWS}
  cond {{
    %end = stablehlo.constant dense<{end}> : {n}
    %p = stablehlo.compare {turn}, %i, %end : ({n}, {n}) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %by = stablehlo.constant dense<{step}> : {n}
    %j = stablehlo.add %i, %by : {n}
    {body}
    stablehlo.return %j, {returned} : {n}, {X}, {X}, {ROWS}
  }}
  return %l#0, %l#1, %l#2, %l#3 : {n}, {X}, {X}, {ROWS}
}}""")


def slice_at(name: str, start: str, count: str) -> str:
    """Return the operations that read a matrix of the rows at an index."""
    n = f"tensor<{count}>"
    return f"""
    %{name}0 = stablehlo.dynamic_slice %rows, {start}, %zero, %zero, sizes = [1, 3, 4]
      : ({ROWS}, {n}, {n}, {n}) -> tensor<1x3x4xf32>
    %{name} = stablehlo.reshape %{name}0 : (tensor<1x3x4xf32>) -> {X}"""


def put_at(name: str, rows: str, x: str, start: str, count: str) -> str:
    """Return the operations that replace a matrix of rows at an index."""
    n = f"tensor<{count}>"
    return f"""
    %{name}0 = stablehlo.reshape {x} : ({X}) -> tensor<1x3x4xf32>
    %{name} = stablehlo.dynamic_update_slice {rows}, %{name}0, {start}, %zero, %zero
      : ({ROWS}, tensor<1x3x4xf32>, {n}, {n}, {n}) -> {ROWS}"""


def arguments(seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    x, y, rows = (rng.normal(size=shape).astype(np.float32) for shape in [(3, 4), (3, 4), (6, 3, 4)])
    return [x, y, rows, np.int32(seed)]


@given(data=st.data())
def test_a_loop_has_the_bits_of_its_rounds(data: st.DataObject) -> None:
    """Rows are read and replaced at indices inside and beyond, before and after each other."""
    pick = lambda *choices: data.draw(st.sampled_from(choices))
    count, lines, matrices, rows = pick("i32", "i64"), [], ["%a", "%b", "%x", "%w"], ["%rows", "%r"]
    for k in range(data.draw(st.integers(1, 5))):
        at = pick("%i", "%j", "%zero")
        what = pick("slice", "put", "tanh", "add", "multiply", "shift", "transpose")
        if what == "slice":
            lines.append(slice_at(f"v{k}", at, count).replace("%rows,", f"{pick(*rows)},"))
        elif what == "put":
            lines.append(put_at(f"r{k}", pick(*rows), pick(*matrices), at, count))
            rows.append(f"%r{k}")
            continue
        elif what == "shift":
            lines.append(
                f"%v{k}s = stablehlo.slice {pick(*matrices)} [0:3, 1:3] : ({X}) -> tensor<3x2xf32>\n"
                f"%v{k} = stablehlo.concatenate %v{k}s, %v{k}s, dim = 1"
                f" : (tensor<3x2xf32>, tensor<3x2xf32>) -> {X}"
            )
        elif what == "transpose":
            lines.append(
                f"%v{k}t = stablehlo.transpose {pick(*matrices)}, dims = [1, 0] : ({X}) -> tensor<4x3xf32>\n"
                f"%v{k} = stablehlo.reshape %v{k}t : (tensor<4x3xf32>) -> {X}"
            )
        elif what == "tanh":
            lines.append(f"%v{k} = stablehlo.tanh {pick(*matrices)} : {X}")
        else:
            lines.append(f"%v{k} = stablehlo.{what} {pick(*matrices)}, {pick(*matrices)} : {X}")
        matrices.append(f"%v{k}")
    first, step = data.draw(st.integers(-3, 7)), data.draw(st.integers(1, 3))
    end = data.draw(st.integers(first - 1, 9))
    returned = f"{pick(*matrices)}, {pick(*matrices)}, {pick(*rows)}"
    agree(loop("\n".join(lines), returned, count, first, end, step), *arguments(step))


@pytest.mark.parametrize("count", ["i32", "i64"])
def test_a_counted_loop_is_one_call(count: str, runs: list[taping.Plan]) -> None:
    body = (
        slice_at("v", "%i", count)
        + f"\n%s = stablehlo.add %v, %a : {X}"
        + put_at("q", "%rows", "%s", "%i", count)
    )
    i, a, _, rows = agree(loop(body, "%s, %b, %q", count), *arguments())
    assert len(runs) == 2
    sums = arguments()[0]
    for row, before in zip(rows, arguments()[2], strict=True):
        sums = before + sums
        assert (row == sums).all()
    assert i == 6
    assert (a == sums).all()


def test_rows_that_are_read_later_are_not_replaced_in_place() -> None:
    """The row is read from before the replacement, and both are returned in turns."""
    body = put_at("q", "%rows", "%w", "%i", "i64") + slice_at("v", "%i", "i64")
    _, a, _, rows = agree(loop(body, "%v, %a, %q"), *arguments())
    assert (a == arguments()[2][5]).all()
    assert (rows == np.float32(0.75)).all()


def test_padding_stays_where_a_padded_value_is_replaced(runs: list[taping.Plan]) -> None:
    """An edge that is written once holds no update of a round before."""
    module = interp.load("""
func.func @main(%x: tensor<2xf32>, %at: tensor<i32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %y = stablehlo.negate %x : tensor<2xf32>
  %p = stablehlo.pad %y, %z, low = [1], high = [1], interior = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  %r = stablehlo.dynamic_update_slice %p, %x, %at
    : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}""")
    x = np.float32([1, 2])
    for at, expected in [(9, [0, -1, 1, 2]), (-1, [1, 2, -2, 0]), (1, [0, 1, 2, 0])]:
        (found,) = agree(module, x, np.int32(at))
        assert found.tolist() == expected
    assert runs


def test_what_a_loop_carries_changes_places_at_once() -> None:
    _, a, b, _ = agree(loop("", "%b, %a, %rows", end=5), *arguments())
    assert (a == arguments()[1]).all()
    assert (b == arguments()[0]).all()


@pytest.mark.parametrize(("first", "end"), [(0, 0), (6, 2)])
def test_a_loop_without_rounds(first: int, end: int) -> None:
    _, a, _, _ = agree(
        loop(f"%s = stablehlo.add %a, %b : {X}", "%s, %b, %rows", first=first, end=end), *arguments()
    )
    assert (a == arguments()[0]).all()


NESTED = """
func.func @main(%x: tensor<3xf32>, %n: tensor<i32>, %w: tensor<3x3xf32>) -> (tensor<i32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %l:3 = stablehlo.while(%i = %n, %a = %x, %v = %w) : tensor<i32>, tensor<3xf32>, tensor<3x3xf32>
  cond {
    %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %small = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %first = stablehlo.compare EQ, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %known = stablehlo.or %small, %first : tensor<i1>
    %q = stablehlo.and %p, %known : tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %m:2 = stablehlo.while(%k = %zero, %b = %a) : tensor<i32>, tensor<3xf32>
    cond {
      %p = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %k1 = stablehlo.add %k, %one : tensor<i32>
      %c = stablehlo.dot_general %v, %b, contracting_dims = [1] x [0]
        : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %d = stablehlo.logistic %c : tensor<3xf32>
      stablehlo.return %k1, %d : tensor<i32>, tensor<3xf32>
    }
    stablehlo.return %j, %m#1, %v : tensor<i32>, tensor<3xf32>, tensor<3x3xf32>
  }
  return %l#0, %l#1 : tensor<i32>, tensor<3xf32>
}"""


@pytest.mark.parametrize("n", [0, 1, 4, -3])
def test_a_loop_within_a_loop_whose_rounds_data_decide(n: int, runs: list[taping.Plan]) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=3).astype(np.float32), rng.normal(size=(3, 3)).astype(np.float32)
    i, _ = agree(interp.load(NESTED), x, np.int32(n), w)
    assert i == min(n, 0) or i == 0
    assert len(runs) == 2


def test_a_loop_that_goes_on_beyond_the_fuel_of_a_call() -> None:
    module = loop("", "%b, %a, %rows", count="i32", end=3 * 2**12 + 1)
    i, a, _, _ = agree(module, *arguments())
    assert i == 3 * 2**12 + 1
    assert (a == arguments()[1]).all()


def test_a_loop_without_end_ends_at_a_deadline() -> None:
    module, work = loop("", "%b, %a, %rows", count="i32", step=0), Work(0.2)
    assert work.attempt(lambda: interp.run(module, *arguments())) is None


def test_an_integer_that_may_wrap_or_is_wide_is_not_a_counter(runs: list[taping.Plan]) -> None:
    """i64 beyond 2^24 stays with NumPy, as does a counter whose steps leave its type."""
    wide = loop(f"%s = stablehlo.add %a, %b : {X}", "%s, %b, %rows", first=2**40, end=2**40 + 3)
    assert agree(wide, *arguments())[0] == 2**40 + 3
    assert not runs
    wraps = loop("", "%b, %a, %rows", count="i8", first=100, end=120, step=50)
    i = 100
    while i < 120:
        i = (i + 50 + 128) % 256 - 128
    assert agree(wraps, *arguments())[0] == i


def test_ties_in_a_loop_are_decided_in_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """exp(2^-24) = 1 + 2^-24 + 2^-49 + ... lies near the tie between two neighbouring numbers."""
    decided = []
    decide = Tape._decide
    monkeypatch.setattr(Tape, "_decide", lambda *args: (decided.append(args), decide(*args)))
    body = f"%e = stablehlo.exponential %a : {X}\n%s = stablehlo.multiply %e, %b : {X}"
    tiny = np.full((3, 4), 2.0**-24, np.float32)
    _, _, b, _ = agree(
        loop(body, "%a, %s, %rows", end=3), tiny, np.ones((3, 4), np.float32), *arguments()[2:]
    )
    assert (b > 1 + 2**-22).all()
    assert len(decided) == 2 * 3


def test_a_maximum_of_wide_integers_is_left_to_its_steps() -> None:
    """Beside operations that a tape computes: 2^40 + 1 is neither a word nor a number of f32."""
    module = interp.load("""
func.func @main(%x: tensor<4xi64>, %y: tensor<4xf32>) -> (tensor<i64>, tensor<4xf32>) {
  %a = stablehlo.add %y, %y : tensor<4xf32>
  %b = stablehlo.multiply %a, %y : tensor<4xf32>
  %c = stablehlo.constant dense<-5> : tensor<i64>
  %r = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [0]
    : (tensor<4xi64>, tensor<i64>) -> tensor<i64>
  %d = stablehlo.tanh %b : tensor<4xf32>
  return %r, %d : tensor<i64>, tensor<4xf32>
}""")
    most, _ = agree(module, np.int64([1, 2**40 + 1, 3, 4]), np.float32([1, 2, 3, 4]))
    assert most == 2**40 + 1


def test_a_plan_says_what_runs_as_one_call() -> None:
    """In the schedule `left`: a loop with the operations of its regions, or those of its body."""
    body = slice_at("v", "%i", "i64") + put_at("q", "%rows", "%v", "%i", "i64")
    module = loop(body, "%a, %b, %q")
    (call,) = interp.plan(module).calls
    assert (call.first.name, call.operations) == ("stablehlo.while", 11)
    assert "one call where nothing listens: 11 operations" in repr(interp.plan(module))
    assert interp.plan(module, schedule="balanced").calls == ()
    sums = "\n".join(f"%s{k + 1} = stablehlo.add %s{k}, %a : {X}" for k in range(3)).replace("%s0", "%b")
    (call,) = interp.plan(loop(sums, "%s3, %b, %rows", first=2**40, end=2**40 + 3)).calls
    assert (call.first.name, call.operations) == ("stablehlo.add", 3)
