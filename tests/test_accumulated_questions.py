"""What a trace says of a sum along an accumulation: its nodes, what their types must hold, its verdict."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.questions.explanation import explanation
from interp.recorder.recorded import Reduction
from interp.theory.along import Held
from spec.accumulation import Accumulation
from spec.trees import ZERO, Arithmetic
from tests.library.oracles.accumulated_by_hand import CONVOLUTION, DOT, QDQ, REDUCE, SCATTER, SELECT, WINDOW
from tests.library.strategies.accumulations import DTYPES, float_accumulations, integer_accumulations, real

NARROW, RIGHT = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8:f32, 0.25>"
PROGRAMS = {
    "dot": (DOT.format(m=2, k=9, n=2, lhs="i8", rhs="i8", result="i32"), ((2, 9), (9, 2))),
    "quantized": (
        DOT.format(m=2, k=9, n=2, lhs=NARROW, rhs=RIGHT, result="!quant.uniform<i16:f32, 0.37:-4>"),
        ((2, 9), (9, 2)),
    ),
    "qdq": (QDQ.format(lhs=NARROW, rhs=RIGHT), ((2, 9), (9, 2))),
    "convolution": (CONVOLUTION.format(lhs=NARROW, rhs=RIGHT, result=NARROW), ((1, 6, 2), (3, 2, 2))),
    "reduce": (REDUCE.format(m=2, k=7, type="i16", op="add"), ((2, 7), ())),
    "quantized reduce": (REDUCE.format(m=2, k=7, type=NARROW, op="add"), ((2, 7), ())),
    "window": (WINDOW.format(k=5, type=NARROW), ((5,), ())),
    "select": (SELECT.format(type="i16"), ((9,), (9,), ())),
    "scatter": (SCATTER.format(type=NARROW), ((4,), (9, 1), (9,))),
}
READINGS = "dequantize", "integer"
load = cache(interp.load)


def whole(name: str, seed: int) -> tuple[Any, list[Any]]:
    """Return a program of integers, and arguments that overflow narrow accumulators."""
    text, shapes = PROGRAMS[name]
    rng, module = np.random.default_rng(seed), load(text)
    pairs = zip(shapes, module.main.inputs, strict=True)
    args = [rng.integers(-128, 128, shape).astype(v.type.storage_type.numpy) for shape, v in pairs]
    if name == "scatter":
        args[1] = rng.integers(0, 6, (9, 1)).astype(np.int32)
    return module, args


def trace_of(module: Any, args: Any, how: Any, reading: str = "dequantize") -> Any:
    """Return a trace of everything; what is not run, or not judged, is assumed away."""
    with np.errstate(all="ignore"):
        try:
            found = interp.trace(module, *args, kinds=KINDS, reading=reading, accumulator={"%0": how})
        except interp.Unsupported:
            assume(False)
    assume(not found.sums_not_judged)
    return found


KINDS = ("wrap", "saturate", "inexact", "inf", "nan")


def check_nodes(trace: Any) -> Reduction:
    """Assert that the nodes of all elements have the run's events, its root, and the exact sums of leaves."""
    (reduction,) = trace.reductions.values()
    marks = Counter[str]()
    for index in np.ndindex(*reduction.shape):
        element = reduction.element(index)
        nodes, known = element.replay(), explanation(element)
        marks.update(mark.kind for node in nodes for mark in node.marks)
        if nodes:
            sums = {k: leaf.exact_after[0] for k, leaf in enumerate(element.leaves)}
            for k, node in enumerate(nodes):
                sums[len(element.leaves) + k] = sum((sums[child] for child in node.children), Fraction(0))
            values = [x for x in sums.values() if isinstance(x, Fraction)]
            if len(values) == len(sums):
                assert known.exact == sums[len(sums) - 1]
    heard = Counter[str]()
    for group in trace.groups:
        if group.first.leaves is not None:
            heard[group.kind] += group.count
    assert marks == heard
    return reduction


@given(st.sampled_from(list(PROGRAMS)), integer_accumulations, st.sampled_from(READINGS), st.integers(0, 999))
@settings(max_examples=120)
def test_the_nodes_of_an_element_have_the_events_of_the_run(
    name: str, accumulation: str, reading: str, seed: int
) -> None:
    check_nodes(trace_of(*whole(name, seed), accumulation, reading))


@given(float_accumulations, st.sampled_from(["f32", "f16", "bf16"]), st.integers(0, 999))
@settings(max_examples=60)
def test_the_nodes_of_floats_have_the_events_of_the_run(accumulation: str, type: str, seed: int) -> None:
    rng, module = (
        np.random.default_rng(seed),
        load(DOT.format(m=1, k=7, n=2, lhs=type, rhs=type, result=type)),
    )
    args = [real(rng, shape, DTYPES[type]) for shape in ((1, 7), (7, 2))]
    trace = trace_of(module, args, accumulation)
    reduction = check_nodes(trace)
    for index in np.ndindex(*reduction.shape):
        nodes = reduction.element(index).replay()
        if not nodes:
            continue
        (total,), stored = nodes[-1].result, trace.results[0].storage[index]
        with np.errstate(all="ignore"):
            found = np.asarray(float(total)).astype(stored.dtype)
        assert np.array_equal(found, stored, equal_nan=True)


def exact_needs(reduction: Reduction, index: tuple[int, ...]) -> dict[Held, list[int]]:
    """Return the exact numbers that each type must hold for one element, by Python's integers."""
    assert reduction.along
    adding, element = reduction.along.adding, reduction.element(index)
    assert adding.declared
    leaves = {leaf.number: int(leaf.after[0]) for leaf in element.leaves}
    most = reduction.n if reduction.products else reduction.parts[reduction.place(index)[0]].n
    accumulation, has_init = adding.accumulation, not reduction.has_own_inits
    without = accumulation.without_init and has_init and most > 0
    first = int(without)
    has_init = has_init and not without
    tree = accumulation.tree(most + 1 - first, has_init)
    values: list[int | None] = [leaves.get(k + first) for k in range(tree.n)]
    found: dict[Held, list[int]] = {}
    for node in tree.nodes:
        here = [c for c in node.children if c == ZERO or values[c] is not None]
        numbers = [values[c] for c in here if c != ZERO]
        values.append(sum(x for x in numbers if x is not None) if numbers else None)
        type = node.arithmetic.element_type or adding.declared
        held = Held(type, node.arithmetic.saturates or (adding.saturates and not node.arithmetic.type))
        if len(here) < 2 or not numbers or not type.is_integer:
            continue
        found.setdefault(held, []).append(values[-1] or 0)
        for c in here:
            if c == 0 and has_init:
                found[held].append(values[0] or 0)
            elif node.arithmetic.product_type and has_init <= c < tree.n:
                found.setdefault(Held(node.arithmetic.product_type, held.saturates), []).append(
                    values[c] or 0
                )
    return found


@given(st.sampled_from(list(PROGRAMS)), integer_accumulations, st.sampled_from(READINGS), st.integers(0, 999))
@settings(max_examples=120)
def test_bounds_are_the_exact_sums_that_each_type_must_hold(
    name: str, accumulation: str, reading: str, seed: int
) -> None:
    """The bounds of these inputs are exact, those of the weights hold them, and those of any data these."""
    trace = trace_of(*whole(name, seed), accumulation, reading)
    (reduction,) = trace.reductions.values()
    assume(reduction.along is not None)
    found = trace.bounds()
    assume(found.is_known)
    expected: dict[Held, list[int]] = {}
    for index in np.ndindex(*reduction.shape):
        for held, numbers in exact_needs(reduction, index).items():
            ends = found.ranges["these inputs"][held]
            assert (ends.least[index], ends.greatest[index]) == (min(numbers), max(numbers))
            expected.setdefault(held, []).extend(numbers)
    inside = None
    for scope in ("these inputs", "any data, these weights", "any data"):
        if scope in found.ranges:
            hulls = {held: ends.hull for held, ends in found.ranges[scope].items()}
            for held, (least, greatest) in (inside or {}).items():
                assert hulls[held][0] <= least <= greatest <= hulls[held][1]
            inside = {held: hull for held, hull in hulls.items() if held in expected}


def retype(accumulation: Accumulation, widths: dict[Held, int]) -> Accumulation:
    def change(a: Arithmetic) -> Arithmetic:
        bits = widths.get(Held(a.element_type, a.saturates)) if a.element_type else None
        return Arithmetic(type=f"i{bits}", rounding=a.rounding) if bits else a

    return accumulation.change(change)


NAMED = [
    "left in i9 saturate",
    "balanced in i10",
    "lanes(3: left in i12; left in i16 saturate) from zero",
    "blocks(2: left in i9 saturate; left in i11) from zero",
    "maddubs",
    "left(2) in i8",
]


@given(st.sampled_from(list(PROGRAMS)), st.sampled_from(NAMED), st.integers(0, 999), st.data())
@settings(max_examples=80)
def test_the_widths_of_bounds_are_enough_and_one_bit_less_is_not(
    name: str, accumulation: str, seed: int, data: Any
) -> None:
    module, args = whole(name, seed)
    trace = trace_of(module, args, accumulation)
    (reduction,) = trace.reductions.values()
    assume(reduction.along is not None)  # an accumulator of the integer reading is judged as one
    known = trace.bounds().ranges["these inputs"]
    widths = {held: max(2, interp_bits(*ends.hull)) for held, ends in known.items()}
    own = Accumulation.of(accumulation)
    enough = trace_of(module, args, retype(own, widths))
    assert not {"wrap", "saturate"} & overflows(enough)
    held = data.draw(st.sampled_from(sorted(widths, key=repr)))
    assume(widths[held] > 2)
    assert overflows(trace_of(module, args, retype(own, {**widths, held: widths[held] - 1})))
    suggested = trace.bounds().suggested
    if suggested is not None:
        assert not overflows(trace_of(module, args, suggested))


def interp_bits(least: int, greatest: int) -> int:
    """Return the least width whose range has both numbers."""
    return next(b for b in range(1, 99) if -(1 << (b - 1)) <= least and greatest < 1 << (b - 1))


def overflows(trace: Any) -> set[str]:
    """Return the kinds of overflows of nodes."""
    return {g.kind for g in trace.groups if g.first.leaves is not None} & {"wrap", "saturate"}


@pytest.mark.parametrize("accumulation", ["left in i6", "blocks(2: left in i5; left in i8) from zero"])
@pytest.mark.parametrize("name", ["reduce", "dot"])
def test_bounds_of_any_data_are_attained(accumulation: str, name: str) -> None:
    """Brute force: every leaf at one of its ends."""
    texts = {
        "reduce": REDUCE.format(m=1, k=4, type="i4", op="add"),
        "dot": DOT.format(m=1, k=2, n=1, lhs="i4", rhs="i4", result="i32"),
    }
    module, corners = load(texts[name]), (-8, 7)
    shapes = [v.type.shape for v in module.main.inputs]
    sizes = [int(np.prod(shape)) for shape in shapes]
    ends: dict[Held, tuple[int, int]] = {}
    stated: Any = None
    for values in product(corners, repeat=sum(sizes)):
        parts = np.split(np.array(values), np.cumsum(sizes)[:-1])
        args = [x.reshape(shape) for x, shape in zip(parts, shapes, strict=True)]
        args = [x.astype(v.type.storage_type.numpy) for x, v in zip(args, module.main.inputs, strict=True)]
        trace = interp.trace(module, *args, accumulator=accumulation)
        (reduction,) = trace.reductions.values()
        stated = stated or trace.bounds().ranges["any data"]
        for held, numbers in exact_needs(reduction, (0,) * len(reduction.shape)).items():
            low, high = ends.get(held, (0, 0))
            ends[held] = min(low, *numbers), max(high, *numbers)
    assert {held: x.hull for held, x in stated.items()} == ends


@given(st.sampled_from([*NAMED, "star in f16", "balanced in bf16", "right in i20"]), st.integers(0, 999))
@settings(max_examples=40)
@pytest.mark.parametrize("name", ["reduce", "float reduce", "quantized reduce", "float dot"])
def test_verdicts_hold_in_every_schedule(name: str, accumulation: str, seed: int) -> None:
    """Brute force: all binary trees over the init and three leaves in order."""
    rng = np.random.default_rng(seed)
    texts = {
        "reduce": REDUCE.format(m=6, k=3, type="i8", op="add"),
        "float reduce": REDUCE.format(m=6, k=3, type="f32", op="add"),
        "quantized reduce": REDUCE.format(m=6, k=3, type=NARROW, op="add"),
        "float dot": DOT.format(m=6, k=3, n=1, lhs="f32", rhs="f32", result="f32"),
    }
    module = load(texts[name])
    spread = 2.0 ** rng.integers(0, 2 + 24 * (seed % 2), 6)[:, None]
    args = [rng.integers(-100, 100, v.type.shape) for v in module.main.inputs]
    if "float" in name:
        args[0] = args[0] * spread
    args = [
        np.asarray(x).astype(v.type.storage_type.numpy) for x, v in zip(args, module.main.inputs, strict=True)
    ]
    trace = trace_of(module, args, accumulation)
    (reduction,) = trace.reductions.values()
    assume(reduction.along is not None)
    kinds = trace.verdict().kinds.reshape(-1)
    every = [interp.run(module, *args, schedule=s)[0].storage.reshape(-1) for s in TREES]
    (result,) = (x.storage.reshape(-1) for x in trace.results)
    for k, kind in enumerate(kinds):
        if kind == "safe":
            assert all(x[k] == result[k] for x in every)
        elif kind == "different":
            assert all(x[k] != result[k] for x in every)
        else:
            assert kind == "unknown"


def trees(first: int, last: int) -> list[Any]:
    """Return all binary trees over neighbours, as nested pairs."""
    if first == last:
        return [first]
    return [(a, b) for k in range(first, last) for a in trees(first, k) for b in trees(k + 1, last)]


def steps(tree: Any, n: int) -> str:
    """Return the text of a schedule."""
    found: list[tuple[int, int]] = []

    def add(node: Any) -> int:
        if isinstance(node, int):
            return node
        found.append((add(node[0]), add(node[1])))
        return n + len(found) - 1

    add(tree)
    return f"tree({', '.join(f'{a} {b}' for a, b in found)})"


TREES = [steps(tree, 4) for tree in trees(0, 3)]


@pytest.mark.parametrize("name", ["dot", "qdq", "quantized reduce", "select", "scatter"])
def test_every_other_answer_is_given_along_an_accumulation(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page, a walk, a matrix, a table; a smallest program has no accumulation, which is said."""
    module, args = whole(name, 5)
    how = "blocks(2: left in i8 saturate; left in i9) from zero"
    trace = interp.trace(module, *args, accumulator=how)
    assert "blocks(2" in trace.report(tmp_path / "page.html").read_text()
    plain = interp.trace(module, *args)
    assert repr(trace.matrix(types="i9 saturate")) == repr(plain.matrix(types="i9 saturate"))
    with pytest.raises(interp.Unsupported, match="%0 adds along blocks"):
        trace.shrink()
    walk = interp.step(module, *args, accumulator=how)
    walk.until("saturate")
    assert "saturate" in repr(walk.where())
    walk.finish()
    assert walk.where().index is not None
    (tmp_path / "p.mlir").write_text(PROGRAMS[name][0])
    np.savez(tmp_path / "p.npz", **{f"arg{k}": x for k, x in enumerate(args)})
    for verb in ("bounds", "verdict", "explain"):
        files = [verb, str(tmp_path / "p.mlir"), str(tmp_path / "p.npz"), "--accumulator", f"%0={how}"]
        assert main([*files, "--json", str(tmp_path / "j.json")]) in (0, 1)
        assert main(files) in (0, 1)
        assert "blocks(2" in capsys.readouterr().out


def test_collectives_are_judged_along_an_accumulation() -> None:
    text = """
    func.func @main(%x: tensor<3xi8>) -> tensor<3xi8> {
      %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
        ^bb0(%a: tensor<i8>, %b: tensor<i8>):
          %1 = stablehlo.add %a, %b : tensor<i8>
          stablehlo.return %1 : tensor<i8>
        }) : (tensor<3xi8>) -> tensor<3xi8>
      return %0 : tensor<3xi8>
    }"""
    rows = [np.int8([100, 1, 90]), np.int8([100, 2, 50]), np.int8([-100, 3, -90])]
    traces = interp.trace_parallel(
        interp.load(text), [[x] for x in rows], num_replicas=3, accumulator="left in i8 saturate"
    )
    for trace in traces:
        assert trace.verdict().kinds.tolist() == ["different", "safe", "different"]
        assert trace.bounds().suggested == Accumulation.parse("left in i9 saturate")  # 100 + 100
        assert [node.result for node in trace.reductions["%0"].element((0,)).replay()] == [(127,), (27,)]


INTEGERS = [
    *("left in i7 saturate", "left in i8", "balanced in i9", "blocks(2: left in i7; left in i9) from zero"),
    *("lanes(2: left in i6 saturate; left in i8)", "left(2) in i8", "left in i9 without init", "star in i10"),
    *("left in i9 products in i8", "right in i16", "i8 saturate"),
]
SMALL = {
    "reduce": REDUCE.format(m=1, k=3, type="i4", op="add"),
    "wide reduce": REDUCE.format(m=1, k=3, type="i8", op="add"),
    "quantized": REDUCE.format(m=1, k=3, type="!quant.uniform<i4:f32, 0.5:3>", op="add"),
    "dot": DOT.format(m=1, k=2, n=1, lhs="i4", rhs="i4", result="i32"),
    "quantized dot": DOT.format(
        m=1, k=2, n=1, lhs="!quant.uniform<i4:f32, 0.5:3>", rhs="!quant.uniform<i4:f32, 0.25>", result=NARROW
    ),
}


def ends_of(module: Any) -> list[list[np.ndarray]]:
    """Return all arguments whose elements are at the ends of their types."""
    parts = list[list[np.ndarray]]()
    for value in module.main.inputs:
        type, shape = value.type.storage_type, value.type.shape
        corners = product((type.min_value, type.max_value), repeat=value.type.size)
        parts.append([np.array(x).reshape(shape).astype(type.numpy) for x in corners])
    return [list(args) for args in product(*parts)]


@pytest.mark.parametrize("accumulation", INTEGERS)
@pytest.mark.parametrize("name", SMALL)
def test_a_sum_is_proved_if_and_only_if_no_input_overflows(name: str, accumulation: str) -> None:
    """Brute force over all inputs at their ends, at which extreme sums are attained."""
    module = load(SMALL[name])
    (row,) = interp.prove(module, accumulator={"%0": accumulation}).rows
    runs = [interp.trace(module, *args, accumulator={"%0": accumulation}) for args in ends_of(module)]
    if row.judgement.why.startswith("the type of the result"):
        assert row.verdict == "unknown"
        assert not any(map(overflows, runs))
        return
    assert row.verdict == ("refuted" if any(map(overflows, runs)) else "proved")
    if row.witness:
        assert overflows(interp.trace(module, *row.witness.args, accumulator={"%0": accumulation}))
    if along := runs[0].reductions["%0"].along:
        assert along.adding.accumulation == Accumulation.of(accumulation)
        stated = runs[0].bounds().ranges["any data"]
        proved, result = dict(row.judgement.nodes), Held(along.declared.types[0])  # it needs the root, too
        assert all(held == result or proved[held].hull == x.hull for held, x in stated.items())


@given(st.sampled_from(list(PROGRAMS)), integer_accumulations, st.integers(0, 999))
@settings(max_examples=60)
def test_proofs_of_known_arguments_are_the_bounds_of_these_inputs(
    name: str, accumulation: str, seed: int
) -> None:
    assume(name not in ("convolution", "select", "scatter", "window"))  # whose leaves vary
    module, args = whole(name, seed)
    trace = trace_of(module, args, accumulation)
    assume(trace.reductions["%0"].along is not None)
    found = trace.bounds()
    (row,) = interp.prove(module, dict(enumerate(args)), accumulator={"%0": accumulation}).rows
    if not found.is_known or row.verdict == "not judged":
        assert not found.suggested
        return
    proved, result = dict(row.judgement.nodes), Held(trace.reductions["%0"].along.declared.types[0])
    for held, ends in found.ranges["these inputs"].items():
        assert held == result or proved[held].hull == ends.hull
    assert (row.verdict == "refuted") == bool(overflows(trace))


@given(st.sampled_from(list(PROGRAMS)), integer_accumulations, st.sampled_from(READINGS), st.integers(0, 999))
@settings(max_examples=80)
def test_a_proof_holds_in_every_run(name: str, accumulation: str, reading: str, seed: int) -> None:
    """The range of the result, too: the next sum is proved on it."""
    module, args = whole(name, seed)
    trace = trace_of(module, args, accumulation, reading)
    proof = interp.prove(module, reading=reading, accumulator={"%0": accumulation}, runs=0)
    (row,) = proof.rows
    assert row.verdict in ("proved", "unknown", "not judged")
    if row.verdict == "proved":
        assert not overflows(trace)


CHAIN = """
func.func @main(%x: tensor<2x9x{lhs}>, %w: tensor<9x2x{rhs}>) -> tensor<2x{result}> {{
  %zero = stablehlo.constant() <{{value = dense<0> : tensor<{stored}>}}> : () -> tensor<{result}>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x9x{lhs}>, tensor<9x2x{rhs}>) -> tensor<2x2x{result}>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x2x{result}>, tensor<{result}>) -> tensor<2x{result}>
  return %1 : tensor<2x{result}>
}}"""


@given(
    st.sampled_from(["left in i20", "lanes(2: left in i18 saturate; left in i32)", "i19"]),
    st.integers(0, 999),
)
@settings(max_examples=30)
@pytest.mark.parametrize("types", [("i8", "i8", "i32"), (NARROW, RIGHT, "!quant.uniform<i16:f32, 5.0>")])
def test_the_range_of_a_result_holds_what_follows(types: Any, accumulation: str, seed: int) -> None:
    stored = "i32" if types[2] == "i32" else "i16"
    module = load(CHAIN.format(lhs=types[0], rhs=types[1], result=types[2], stored=stored))
    rng = np.random.default_rng(seed)
    args = [rng.choice(np.int8([-128, 127, 3]), shape) for shape in ((2, 9), (9, 2))]
    first, second = interp.prove(module, accumulator={"%0": accumulation}).rows
    assert first.verdict == second.verdict == "proved"
    ends = second.judgement.ends
    assert ends is not None
    element = interp.trace(module, *args, accumulator={"%0": accumulation}).reduction("%1").element((1,))
    least, greatest = ends.hull
    assert all(least <= node.result[0] <= greatest for node in element.replay())
    assert greatest == (2 * 9 * 2**14 if stored == "i32" else greatest) < 2**19
