"""scatter and dynamic_update_slice: engine, oracle, XLA, reference and JAX agree."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

import interp
from interp.apps.suite.cases import CASES, read_case
from interp.engine.bodies import alone
from interp.engine.evaluate import Listener
from spec import schedule
from spec.ir import Module, Op
from spec.types import ELEMENT_TYPES, make_quantized
from tests import test_compile, test_engine, test_reference
from tests.library.builders import combining, module
from tests.library.strategies.programs import Program
from tests.library.strategies.scatter_programs import dynamic_update_slices, scattering, scatters
from tests.test_engine import RANDOM, same

PLAIN = st.sampled_from([ELEMENT_TYPES[n] for n in ("i8", "i32", "i64", "ui8", "f16", "f32", "f64")])
reference = test_reference.reference
SCHEDULES = st.one_of(test_engine.SCHEDULES, st.just(schedule.windows(2)))


@settings(RANDOM, max_examples=150)
@given(scatters(), SCHEDULES)
def test_scatter_equals_the_oracle(program: Program, tree: schedule.Schedule) -> None:
    test_engine.agree(program, tree)


@settings(RANDOM)
@given(dynamic_update_slices())
def test_dynamic_update_slice_equals_the_oracle(program: Program) -> None:
    test_engine.agree(program, schedule.LEFT)


@pytest.mark.slow("compiles many programs")
@settings(RANDOM, max_examples=3)
@given(test_compile.few(scatters()), test_compile.SCHEDULES)
def test_compiled_scatter_equals_eager(programs: list[Program], tree: str) -> None:
    test_compile.agree(programs, tree)


@settings(RANDOM, max_examples=3)
@given(test_compile.few(dynamic_update_slices()))
def test_compiled_dynamic_update_slice_equals_eager(programs: list[Program]) -> None:
    test_compile.agree(programs, "left")


@settings(RANDOM, max_examples=40)
@given(program=st.one_of(scatters(PLAIN.map(lambda t: (t, t))), dynamic_update_slices()))
def test_plain_programs_equal_the_reference(reference: subprocess.Popen, program: Program) -> None:
    """It cannot be given empty tensors, bf16 or nibbles, and starts from 2^63 on are negative to it."""
    types = [v.type for v in program.module.main.inputs]
    assume(all(t.size and not t.is_quantized and t.storage_type.bits >= 8 for t in types))
    assume(all(t.storage_type.name != "bf16" for t in types))
    assume(not any((x.astype(np.uint64) >> 63).any() for x in program.args if x.dtype == np.uint64))
    ours = interp.run(program.module, *program.args)
    theirs = test_reference.ask(reference, program)
    for x, y in zip(ours, theirs, strict=True):
        note(f"engine    {x.storage!r}\nreference {y!r}")
        assert same(x.storage, y.astype(x.storage.dtype, copy=False))


class Looks(Listener):
    """A listener that sees nodes, so that no fast path runs."""


def with_body(draw: st.DataObject) -> Program:
    """A scatter of one type whose body is one operation, or returns the update."""
    name = draw.draw(st.sampled_from(["add", "multiply", "maximum", "minimum", "subtract", "last"]))
    element = ELEMENT_TYPES[
        draw.draw(st.sampled_from(["i4", "i8", "ui16", "i64", "f16", "bf16", "f32", "f64"]))
    ]
    program = draw.draw(scatters(st.just((element, element))))
    (op,) = (op for op in program.module.main.body.ops if op.name == "stablehlo.scatter")
    body = combining("add" if name == "last" else name, *[element] * len(op.results))
    if name == "last":
        body = replace(body, ops=(Op("stablehlo.return", body.arguments[len(op.results) :], ()),))
    return Program(module(replace(op, regions=(body,))), program.args)


@settings(RANDOM, max_examples=200)
@given(st.data(), SCHEDULES)
def test_fast_paths_change_no_bit(data: st.DataObject, tree: schedule.Schedule) -> None:
    program = with_body(data)
    fast = interp.run(program.module, *program.args, schedule=tree)
    slow = interp.run(program.module, *program.args, schedule=tree, listeners=[Looks()])
    for x, y in zip(fast, slow, strict=True):
        assert same(x.storage, y.storage)
    assert interp.plan(program.module, schedule=tree).rows[0].tried


@pytest.mark.parametrize(
    ("name", "element", "tree", "theorem"),
    [
        ("add", "f32", "left", "in turn"),
        ("add", "f32", "balanced", ""),
        ("add", "f16", "left", ""),
        ("maximum", "f32", "left", ""),
        ("add", "i32", "random(3)", "order-free"),
        ("maximum", "ui8", "balanced", "order-free"),
        ("add", "i4", "left", ""),
        ("subtract", "i32", "left", ""),
    ],
)
def test_the_plan_names_the_theorem(name: str, element: str, tree: str, theorem: str) -> None:
    type = ELEMENT_TYPES[element]
    program = module(scattering(name, type, (4,), 6))
    (row,) = interp.plan(program, schedule=tree).rows
    assert (row.tried[0][0] == theorem) or (not theorem and row.tried[0][0] == "plain fold")
    rng = np.random.default_rng(2)
    x, y = (rng.integers(0, 9, n).astype(type.numpy) for n in (4, 6))
    args = x, rng.integers(-1, 5, (6, 1)).astype(np.int32), y
    fast = interp.run(program, *args, schedule=tree)
    slow = interp.run(program, *args, schedule=tree, listeners=[Looks()])
    assert same(fast[0].storage, slow[0].storage)
    assert interp.plan(program, *args, schedule=tree).rows[0].tried[0][0] == row.tried[0][0]


# What JAX makes of its users' programs. Integers in any order, so that XLA's order does not matter.
INDEXED: dict[str, Callable[..., jax.Array]] = {
    "add": lambda x, i, y: x.at[i].add(y),
    "set_unique": lambda x, i, y: x.at[jnp.arange(len(i))].set(y),
    "multiply": lambda x, i, y: x.at[i].multiply(y),
    "min": lambda x, i, y: x.at[i].min(y),
    "max": lambda x, i, y: x.at[i].max(y),
    "apply": lambda x, i, y: x.at[i].apply(lambda v: v * 2 + 1),
    "promise": lambda x, i, y: x.at[i].add(y, mode="promise_in_bounds"),
    "column": lambda x, i, y: x.at[:, i % 3].add(y[:1, : len(i)].sum()),
    "element": lambda x, i, y: x.at[i, i % 3].add(y[:, 0]),
    "window": lambda x, i, y: x.at[2:5, 1:3].set(y[:3, :2]),
    "segment_sum": lambda x, i, y: jax.ops.segment_sum(y, i, num_segments=6),
    "update": lambda x, i, y: jax.lax.dynamic_update_slice(x, y[:2, :2], (i[0], i[1])),
}


@pytest.mark.slow("JAX traces each", rows=4)
@pytest.mark.parametrize("name", INDEXED)
def test_what_jax_indexes_is_what_the_engine_does(name: str) -> None:
    rng = np.random.default_rng(5)
    x, y = (rng.integers(-9, 9, (8, 3)).astype(np.int32) for _ in range(2))
    i = rng.integers(-2, 11, 8).astype(np.int32)
    if name == "promise":
        i = abs(i) % 8
    f = jax.jit(INDEXED[name], keep_unused=True)
    (ours,) = interp.run(interp.load(jax.export.export(f)(x, i, y)), x, i, y)
    assert same(ours.storage, np.asarray(f(x, i, y)))


def _embedding(table: jax.Array, i: jax.Array, y: jax.Array) -> jax.Array:
    return ((table[i] - y) ** 2).sum()


def _cross_entropy(logits: jax.Array, i: jax.Array, y: jax.Array) -> jax.Array:
    chosen = jnp.take_along_axis(logits, i[:, None] % 3, axis=1)
    return (chosen * y[:, :1]).sum()


@pytest.mark.slow("compiles gradients", rows=1)
@pytest.mark.parametrize("loss", [_embedding, _cross_entropy])
def test_gradients_of_indexing(loss: Callable[..., jax.Array]) -> None:
    """The numbers are small integers as floats, whose sums are exact in any order."""
    rng = np.random.default_rng(6)
    x, y = (rng.integers(-9, 9, (8, 3)).astype(np.float32) for _ in range(2))
    i = rng.integers(0, 8, 8).astype(np.int32)
    f = jax.jit(jax.grad(loss), keep_unused=True)
    module = interp.load(jax.export.export(f)(x, i, y))
    assert "stablehlo.scatter" in repr(module)
    (ours,) = interp.run(module, x, i, y)
    assert same(ours.storage, np.asarray(f(x, i, y)))
    assert same(np.asarray(interp.compile(module)(x, i, y)[0]), ours.storage)


def case(name: str) -> tuple[interp.Module, tuple[np.ndarray, ...]]:
    path = CASES / f"scatter/{name}.mlir"
    return interp.load(path), read_case(path, CASES).args or ()


@pytest.mark.parametrize("tree", ["left", "balanced", "blocks(2)", "random(1)"])
def test_events_know_element_and_leaves(tree: str) -> None:
    module, args = case("saturates_i8")
    trace = interp.trace(module, *args, schedule=tree, kinds="saturate")
    assert [x.storage.tobytes() for x in trace.results] == [
        x.storage.tobytes() for x in interp.run(module, *args, schedule=tree)
    ]
    if tree == "left":  # 120 + 10 in steps of a half with zero point 3: element 0, its first update
        (event,) = trace.events
        assert (event.index, event.leaves, event.exact, event.stored) == ((0,), (0, 1), 133, 127)


def test_conversions_of_inputs_and_updates_are_events_of_their_operands() -> None:
    module, args = case("wider_i32")
    trace = interp.trace(module, *args)
    assert trace.counts["erratum"] == 1  # -128 - 3 is beyond the storage type: in the updates alone
    assert trace.events[0].what == "operand %arg2"


def test_the_float_reference_accumulates_in_the_bodys_type() -> None:
    module, args = case("wider_f64")
    assert interp.compare(module, *args).results[0].disagreeing == 0


def test_a_permutation_is_not_called_wrong() -> None:
    """The specification permits any order of the updates: 1 + 1 + 1 + 2048 is 2052."""
    module, args = case("order_of_f16")
    given = np.array([2048, 2048], np.float16)
    assert interp.permits(module, args, [given]).counts == {"exact": 2}
    given = np.array([2048, 2052], np.float16)
    found = interp.permits(module, args, [given])
    assert found.counts == {"exact": 1, "permitted": 1}
    assert found.elements[0].reason == "its updates give it in the order 1, 0, 2"


def test_permits_calls_no_tree_over_updates_exact() -> None:
    """2048 + 1 + 1 is 2048 in f16, one after the other; no updates are combined with each other."""
    module = interp.load("""
    func.func @main(%x: tensor<1xf16>, %i: tensor<3x1xi32>, %u: tensor<3xf16>) -> tensor<1xf16> {
      %0 = "stablehlo.scatter"(%x, %i, %u) ({
      ^bb0(%a: tensor<f16>, %b: tensor<f16>):
        %c = stablehlo.add %a, %b : tensor<f16>
        stablehlo.return %c : tensor<f16>
      }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
        : (tensor<1xf16>, tensor<3x1xi32>, tensor<3xf16>) -> tensor<1xf16>
      return %0 : tensor<1xf16>
    }""")
    args = (np.float16([2048]), np.zeros((3, 1), np.int32), np.ones(3, np.float16))
    left, balanced = (interp.run(module, *args, schedule=name)[0].storage for name in ("left", "balanced"))
    assert (left.tolist(), balanced.tolist()) == ([2048], [2050])
    assert interp.permits(module, args, [left]).counts == {"exact": 1}
    found = interp.permits(module, args, [balanced])
    assert found.counts == {"not permitted": 1}
    assert found.elements[0].reason == "no schedule gives it, the permitted set is {2048.0}"


@pytest.mark.parametrize("seed", range(12))
def test_permits_knows_the_results_of_every_permutation(seed: int) -> None:
    """Against all permutations of the updates, run; and the neighbours of what they give."""
    rng = np.random.default_rng(seed)
    body = ("add", "subtract", "multiply", "maximum")[seed % 4]
    element = (make_quantized("i8", "f32", 0.3, 3), ELEMENT_TYPES["f16"], ELEMENT_TYPES["i8"])[seed % 3]
    is_float = seed % 3 == 1
    program = Module({"main": alone(scattering(body, element, (3,), 5))})
    where = rng.integers(-1, 3, (5, 1)).astype(np.int32)
    x, u = (rng.integers(-60, 60, n) * (33.7 if is_float else 1) for n in (3, 5))
    x, u = (a.astype(np.float16 if is_float else np.int8) for a in (x, u))
    orders = map(list, permutations(range(5)))
    runs = [interp.run(program, x, where[order], u[order])[0].storage for order in orders]
    reachable = [{run[k] for run in runs} for k in range(3)]
    beside = [np.nextafter(r, np.float16(0)) if is_float else r + np.int8(1) for r in runs[::40]]
    for observed in [*runs[::17], *beside]:
        verdicts = interp.permits(program, [x, where, u], [observed]).verdicts[0]
        assert "unknown" not in verdicts
        assert [v in ("exact", "permitted") for v in verdicts] == [
            y in results for y, results in zip(observed, reachable, strict=True)
        ]


def test_permits_refutes_nothing_where_the_data_breaks_a_promise() -> None:
    """Then the specification leaves the behavior undefined (erratum E37)."""
    op = scattering("add", ELEMENT_TYPES["i32"], (2,), 2)
    args, wrong = [np.int32([1, 2]), np.int32([[1], [1]]), np.int32([3, 4])], [np.int32([1, 5])]
    for promise, verdict in (("unique_indices", "unknown"), ("indices_are_sorted", "not permitted")):
        program = Module({"main": alone(replace(op, attributes={**op.attributes, promise: True}))})
        assert interp.permits(program, args, wrong).counts == {"exact": 1, verdict: 1}


def test_many_updates_have_too_many_orders() -> None:
    """Floats near the sum, 78, are unknown; those beyond the bound on every order are refuted."""
    cases = [("f16", 78.0625, "unknown"), ("f16", 1, "not permitted"), ("i32", 79, "not permitted")]
    for name, result, verdict in cases:
        program = Module({"main": alone(scattering("add", ELEMENT_TYPES[name], (1,), 13))})
        dtype = np.dtype({"f16": "f2", "i32": "i4"}[name])
        args = (np.zeros(1, dtype), np.zeros((13, 1), np.int32), np.arange(13).astype(dtype))
        assert interp.permits(program, args, [np.array([result], dtype)]).counts == {verdict: 1}
