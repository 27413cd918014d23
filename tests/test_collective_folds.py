"""Folds of large operands over processes: in boxes, in compiled loops, and once for all of a group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
from interp.backends import loops
from interp.backends.dtypes import numpy_dtype
from interp.backends.windows import boxes
from interp.engine.evaluate import Listener
from interp.engine.fold import TEMPORARY
from spec.grid import Grid
from spec.meaning.index import Tensor
from spec.schedule import parse
from tests.library.oracles.on_grid import Task, evaluate_parallel

SHAPE = (70, 301)  # more elements than a box of a fold has
SAMPLES = 40
ADD = "%s = stablehlo.add %a, %b : TYPE"
MAXIMUM = "%s = stablehlo.maximum %a, %b : TYPE"
SEVERAL = "%p = stablehlo.multiply %a, %a : TYPE\n    %s = stablehlo.subtract %p, %b : TYPE"
TYPES = ["f32", "f64", "bf16", "f16", "f8E4M3FN", "f8E8M0FNU", "i8", "ui32", "i64"]
TYPES += ["!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<u8:f32, 0.3:7>", "!quant.uniform<i16:bf16, 0.3:1>"]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-41, -3e-39, 3e38]


def program(name: str, element: str, body: str, shape: tuple[int, ...], count: int, d: int = 0) -> str:
    """Return a collective of `count` replicas, with operands of a shape."""
    result, more = list(shape), ""
    if name == "reduce_scatter":
        result[d] //= count
        more = f"scatter_dimension = {d} : i64, "
    whole, part = (f"tensor<{'x'.join(map(str, sizes))}x{element}>" for sizes in (shape, result))
    inner, group = f"tensor<{element}>", list(range(count))
    return f"""func.func @main(%x: {whole}) -> {part} {{
  %0 = "stablehlo.{name}"(%x) ({{
  ^bb0(%a: {inner}, %b: {inner}):
    {body.replace("TYPE", inner)}
    stablehlo.return %s : {inner}
  }}) {{{more}replica_groups = dense<[{group}]> : tensor<1x{count}xi64>}} : ({whole}) -> {part}
  return %0 : {part}
}}"""


def draw(module: Any, count: int, seed: int) -> list[np.ndarray]:
    """Return an operand of each process, as stored."""
    type, rng = module.main.inputs[0].type, np.random.default_rng(seed)
    storage = type.storage_type
    if storage.kind != "float":
        low, high = (max(min(end, 2**40), -(2**40)) for end in (storage.min_value, storage.max_value))
        drawn = [rng.integers(low, high + 1, type.shape) for _ in range(count)]
    else:
        drawn = [rng.standard_normal(type.shape) * 10 for _ in range(count)]
        for x in drawn:
            x.flat[rng.integers(0, x.size, 4000)] = rng.choice(SPECIAL, 4000)
    with np.errstate(all="ignore"):
        return [x.astype(numpy_dtype(storage)) for x in drawn]


def sample(module: Any, args: list[np.ndarray], at: np.ndarray, schedule: str) -> list[Any]:
    """Return what the oracle gives for a few elements alone."""
    type = module.main.inputs[0].type
    tasks = {
        (k, 0): Task("main", [Tensor(type, tuple(x.reshape(-1)[at].tolist()))]) for k, x in enumerate(args)
    }
    done = evaluate_parallel(module, Grid(len(args), 1), tasks, parse(schedule))
    return [results[0].elements for results, _ in done.values()]


def check(element: str, body: str, count: int, schedule: str, runs: int = 1) -> None:
    """Compare elements of a large fold, at the edges of boxes and elsewhere, with those the oracle folds."""
    whole = interp.load(program("all_reduce", element, body, SHAPE, count))
    few = interp.load(program("all_reduce", element, body, (SAMPLES,), count))
    args, size = draw(whole, count, count), int(np.prod(SHAPE))
    edge = 54 * SHAPE[1]  # where the second box begins
    at = np.r_[0, size - 1, edge - 1, edge, np.random.default_rng(5).integers(0, size, SAMPLES - 4)]
    expected = sample(few, args, at, schedule)
    for _ in range(runs):
        found = interp.run_parallel(whole, [[x] for x in args], num_replicas=count, schedule=schedule)
        stored = [tuple(result.storage.reshape(-1)[at].tolist()) for (result,) in found]
        assert repr(stored) == repr([tuple(x) for x in expected])


def test_the_samples_lie_in_two_boxes() -> None:
    first, second = boxes(SHAPE, [1, 1], 2**19 // TEMPORARY)
    assert (first[0].stop, second[0].stop) == (54, 70)


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("body", [ADD, MAXIMUM, SEVERAL], ids=["add", "maximum", "several"])
def test_a_large_fold_has_the_bits_of_its_elements(element: str, body: str) -> None:
    check(element, body, 3, "left")


@pytest.mark.parametrize("schedule", ["balanced", "blocks(2)", "random(3)", "left"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_any_schedule_and_number_of_processes(schedule: str, count: int) -> None:
    check("f32", ADD, count, schedule)
    check("!quant.uniform<i8:f32, 0.5:3>", ADD, count, schedule)


@pytest.mark.parametrize("element", ["f32", "bf16", "f8E4M3FN", "i8", "!quant.uniform<i16:bf16, 0.3:1>"])
def test_a_compiled_loop_has_the_same_bits(element: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="compiles the loops")
    monkeypatch.setattr(loops, "WORTH", 0)
    monkeypatch.setattr(loops, "NOTICED", 0)
    check(element, ADD, 3, "left")
    check(element, SEVERAL, 2, "left")


@pytest.mark.parametrize("d", [0, 1])
def test_reduce_scatter_gives_the_parts_of_all_reduce(d: int) -> None:
    shape, count = (70, 300), 5
    whole, parts = (
        interp.load(program(name, "f32", ADD, shape, count, d)) for name in ("all_reduce", "reduce_scatter")
    )
    args = [[x] for x in draw(whole, count, 9)]
    (total,), *_ = interp.run_parallel(whole, args, num_replicas=count)
    found = interp.run_parallel(parts, args, num_replicas=count)
    joined = np.concatenate([np.asarray(result.storage) for (result,) in found], axis=d)
    assert joined.tobytes() == np.ascontiguousarray(total.storage).tobytes()


def test_no_two_results_share_memory() -> None:
    module = interp.load(program("all_reduce", "i64", ADD, SHAPE, 3))
    args = [[x] for x in draw(module, 3, 0)]
    before = [x.copy() for (x,) in args]
    results = [result.storage for (result,) in interp.run_parallel(module, args, num_replicas=3)]
    for x in results:
        assert not any(np.shares_memory(x, y) for y in results if y is not x)
        assert not any(np.shares_memory(x, y) for (y,) in args)
        x[...] = 1
    assert all((x.tobytes() == y.tobytes()) for (x,), y in zip(args, before, strict=True))


def test_a_body_that_returns_an_operand_leaves_the_arguments_alone() -> None:
    module = interp.load(program("all_reduce", "f32", "%s = stablehlo.add %a, %a : TYPE", SHAPE, 3))
    first = interp.load(program("all_reduce", "f32", ADD, SHAPE, 3).replace("return %s", "return %a"))
    args = [[x] for x in draw(module, 3, 0)]
    for result in interp.run_parallel(first, args, num_replicas=3):
        assert result[0].storage.tobytes() == args[0][0].tobytes()
        result[0].storage[...] = 2
    assert all(x.flags.writeable for (x,) in args)
    for (result,) in interp.run_parallel(module, args, num_replicas=3):
        with np.errstate(all="ignore"):
            assert np.array_equal(result.storage, args[0][0] * 4, equal_nan=True)


def test_a_body_that_is_not_elementwise_is_run_element_by_element() -> None:
    body = """%v = stablehlo.broadcast_in_dim %b, dims = [] : (TYPE) -> tensor<2xi32>
    %t = stablehlo.reduce(%v init: %a) applies stablehlo.add across dimensions = [0] :
      (tensor<2xi32>, TYPE) -> TYPE
    %s = stablehlo.add %t, %a : TYPE"""
    module = interp.load(program("all_reduce", "i32", body, (2, 3), 3))
    a, b, c = (np.arange(6, dtype=np.int32).reshape(2, 3) + k for k in (0, 5, 9))
    for (result,) in interp.run_parallel(module, [[a], [b], [c]], num_replicas=3):
        assert (result.storage == 2 * (2 * a + 2 * b) + 2 * c).all()
    text = program("all_reduce", "i32", body, (2, 3), 3).replace("return %s", "return %a")
    for (result,) in interp.run_parallel(text, [[a], [b], [c]], num_replicas=3):
        assert not np.shares_memory(result.storage, a)
        assert (result.storage == a).all()
    assert a.flags.writeable


@pytest.mark.parametrize("element", TYPES[-3:])
@pytest.mark.parametrize("body", [ADD, MAXIMUM])
@pytest.mark.parametrize("reading", ["dequantize", "integer"])
def test_a_listener_hears_the_nodes_of_the_same_fold(element: str, body: str, reading: str) -> None:
    module = interp.load(program("all_reduce", element, body, (40,), 4))
    args = [[x] for x in draw(module, 4, 1)]
    ways = {"num_replicas": 4, "reading": reading}
    fast = interp.run_parallel(module, args, **ways)
    seen = interp.run_parallel(module, args, **ways, listeners=Listener())
    assert repr([row[0].storage.tolist() for row in fast]) == repr([row[0].storage.tolist() for row in seen])


T = "tensor<4xf32>"
GROUP = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
PAIRS = "source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>"
CHANNEL = (
    f"channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, is_host_transfer = false, {PAIRS}"
)
SENT = f"""%t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) {{{CHANNEL}}} : ({T}, !stablehlo.token) -> !stablehlo.token
  %0:2 = "stablehlo.recv"(%s) {{{CHANNEL}}} : (!stablehlo.token) -> ({T}, !stablehlo.token)"""
MOVES = {
    "permute": f'%0 = "stablehlo.collective_permute"(%x) {{{PAIRS}}} : ({T}) -> {T}',
    "broadcast": f'%0 = "stablehlo.collective_broadcast"(%x) {{{GROUP}}} : ({T}) -> {T}',
    "send": SENT,
}


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("line", ["", f"%x = stablehlo.negate %given : {T}"], ids=["argument", "computed"])
def test_what_a_process_receives_shares_no_memory_with_what_was_sent(move: str, line: str) -> None:
    name, result = "%x" if line else "%given", "%0#0" if move == "send" else "%0"
    body = MOVES[move].replace("%x", name)
    lines = f"func.func @main(%given: {T}) -> ({T}, {T}) {{", line, body
    text = "\n".join([*lines, f"return {result}, {name} : {T}, {T} }}"])
    args = [[np.arange(4, dtype=np.float32) + 9 * k] for k in range(2)]
    found = interp.run_parallel(text, args, num_replicas=2)
    arrays = [x.storage for row in found for x in row] + [x for (x,) in args]
    shared = [
        (i, j) for j, y in enumerate(arrays) for i, x in enumerate(arrays[:j]) if np.shares_memory(x, y)
    ]
    assert shared == []


def test_feeds_share_no_memory_with_values_of_the_program() -> None:
    text = f"""func.func @main(%x: {T}) -> ({T}, {T}) {{
  %t = stablehlo.create_token : !stablehlo.token
  %y = stablehlo.negate %x : {T}
  %s = "stablehlo.outfeed"(%x, %y, %t) {{outfeed_config = ""}}
    : ({T}, {T}, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.infeed"(%s) {{infeed_config = "", layout = [[0]]}}
    : (!stablehlo.token) -> ({T}, !stablehlo.token)
  return %r#0, %y : {T}, {T} }}"""
    x, fed = np.ones(4, np.float32), np.zeros(4, np.float32)
    found = interp.run_parallel(text, [[x]], infeeds=[[(fed,)]], num_replicas=1)
    arrays = [x, fed, *(y.storage for y in (*found.outfeeds[0][0], *found[0]))]
    shared = [
        (i, j) for j, y in enumerate(arrays) for i, x in enumerate(arrays[:j]) if np.shares_memory(x, y)
    ]
    assert shared == []
