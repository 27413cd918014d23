"""Kernels agree with the oracle on rarer programs, and tell listeners every leaf, node and result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import interp
from interp.backends import NUMPY, numpy_backend
from interp.engine.evaluate import Listener, Place
from interp.engine.fold import Leaves
from interp.engine.quant import to_destination_type
from interp.execute.compile import compile
from interp.kernels.reduce_window import window_leaves
from interp.loading.load import load
from spec.errors import Location, Unspecified, Unsupported
from spec.ir import Module, Op, Value
from spec.meaning import complexes, notation
from spec.meaning.evaluate import evaluate
from spec.schedule import LEFT, Schedule
from spec.types import ELEMENT_TYPES, FLOATS, TensorType, make_quantized
from tests.library.builders import (
    Element,
    contracting,
    module,
    operation,
    reduce,
    reduce_window,
    select_and_scatter,
    single,
)
from tests.library.strategies.kernel_programs import FAMILIES, special, tables
from tests.library.strategies.programs import Program
from tests.test_engine import RANDOM, SCHEDULES, agree, oracle_tensor, same, stored

I32 = ELEMENT_TYPES["i32"]
TREES = ("left", "balanced", "random(3)", "random(8)")


@pytest.mark.parametrize("family", FAMILIES)
def test_rarer_programs_equal_the_oracle(family: str) -> None:
    @settings(RANDOM)
    @given(FAMILIES[family], SCHEDULES)
    def check(program: Program, tree: Schedule) -> None:
        agree(program, tree)

    check()


@pytest.mark.parametrize("program", list(tables()))
def test_pairs_of_edge_values_equal_the_oracle(program: Program) -> None:
    is_the_oracles(program)


def is_the_oracles(program: Program) -> None:
    (ours,) = interp.run(program.module, *program.args)
    args = [oracle_tensor(x, v.type) for x, v in zip(program.args, program.module.main.inputs, strict=True)]
    (theirs,) = evaluate(program.module, args, LEFT)
    assert same(ours.storage, stored(theirs))


class Notes(Listener):
    """Everything that a listener is told, in order."""

    def __init__(self) -> None:
        self.folds: list[tuple[int, int]] = []
        self.columns: list[Any] = []
        self.converted: list[tuple[Any, ...]] = []
        self.results: list[tuple[Any, ...]] = []
        self.nodes: list[tuple[Place, Any, Any, Any]] = []
        self.empty: list[Any] = []
        self.closed: list[str] = []

    def on_fold(self, op: Op, region: int, init: Any, leaves: Leaves, columns: Any) -> None:
        self.folds.append((region, leaves.n))
        self.columns.append(columns if columns is None else columns.tolist())

    def on_convert(self, op: Op, operand: int, before: Any, after: Any) -> None:
        self.converted.append((operand, before.tolist(), after.tolist()))

    def on_result(self, op: Op, result: int, before: Any, after: Any) -> None:
        self.results.append((result, before.tolist(), after.tolist()))

    def on_node(self, place: Place, lhs: Any, rhs: Any, results: Any) -> None:
        self.nodes.append((place, lhs, rhs, results))

    def on_empty_window(self, op: Op, where: Any) -> None:
        self.empty.append(where.tolist())

    def on_fast_path(self, op: Op, theorem: str, why: str) -> None:
        self.closed.append(f"{op.name}: {theorem}: {why}")


class Blind(Notes):
    """Notes of a listener that sees no nodes, so that fast paths run."""

    sees_nodes = False


def noted(program: Module, *args: np.ndarray, schedule: str = "left") -> tuple[Notes, np.ndarray]:
    notes = Notes()
    return notes, interp.run(program, *args, schedule=schedule, listeners=[notes])[0].storage


def sum_of(n: int, source: Element, wide: Element, result: Element) -> Module:
    return module(reduce("add", source, wide, (n,), result=result))


def scattered(n: int, window: int, stride: int, low: int, high: int) -> Module:
    """select_and_scatter of i32 that selects the greatest and adds."""
    geometry = {"strides": (stride,), "padding": ((low, high),)}
    return module(select_and_scatter("add", I32, I32, (n,), (window,), **geometry))


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("tree", TREES)
def test_a_node_is_the_sum_of_the_leaves_it_names(tree: str, n: int) -> None:
    """Leaf k is 2**k: the leaves from `first` to `last` add up to 2**(last + 1) - 2**first, and nothing else
    does."""
    elements = np.array([2**k for k in range(1, n + 1)], np.int32)
    notes, total = noted(sum_of(n, I32, I32, I32), elements, np.int32(1), schedule=tree)
    assert total == 2 ** (n + 1) - 1
    assert notes.folds == [(0, n)]
    spans = []
    for place, _, _, (result,) in notes.nodes:
        first, last = (np.ravel(x).tolist() for x in (place.node.first, place.node.last))
        assert np.ravel(result).tolist() == [2 ** (b + 1) - 2**a for a, b in zip(first, last, strict=True)]
        assert place.node.stacked == (tree == "balanced")
        assert place.node.present is None
        assert (place.op.name, place.region, place.columns) == ("stablehlo.reduce", 0, None)
        spans += zip(first, last, strict=True)
    assert len(set(spans)) == n
    assert spans[-1] == (0, n)


@pytest.mark.parametrize(
    ("n", "tree", "total"),
    [
        (0, "tree()", 1),
        (1, "tree()", 2),
        (0, "tree(0 0, 0 1)", 3),
        (2, "tree(0 1, 0 2, 3 4)", 8),
        (2, "tree(1 2, 0 3, 0 4)", 8),
    ],
)
def test_a_tree_may_repeat_the_init(n: int, tree: str, total: int) -> None:
    """A tree may leave the init out as well. It is 1; the leaves are 2 and 4."""
    elements = np.array([2, 4][:n], np.int32)
    assert noted(sum_of(n, I32, I32, I32), elements, np.int32(1), schedule=tree)[1] == total


@pytest.mark.parametrize(
    ("n", "size", "expected"),
    [
        (4, 2, [([0, 0], [1, 3], None, [3, 9]), ([0, 0], [2, 4], None, [7, 25]), (0, 4, None, [32])]),
        (
            5,
            2,
            [
                ([0, 0, 0], [1, 3, 5], [True] * 3, [3, 9, 33]),
                ([0, 0, 0], [2, 4, 5], [True, True, False], [7, 25]),
                (0, 4, None, [32]),
                (0, 5, None, [65]),
            ],
        ),
        (
            6,
            3,
            [
                ([0, 0], [1, 4], None, [3, 17]),
                ([0, 0], [2, 5], None, [7, 49]),
                ([0, 0], [3, 6], None, [15, 113]),
                (0, 6, None, [128]),
            ],
        ),
    ],
)
def test_a_node_of_blocks_is_the_sum_of_the_leaves_it_names(n: int, size: int, expected: list[Any]) -> None:
    """Leaf k is 2**k: blocks go on side by side, each from the init 1, and then add up. A short last
    one has an absent leaf."""
    elements = np.array([2**k for k in range(1, n + 1)], np.int32)
    notes, _ = noted(sum_of(n, I32, I32, I32), elements, np.int32(1), schedule=f"blocks({size})")
    found = []
    for place, _, _, (sums,) in notes.nodes:
        first, last, present, stacked = place.node
        assert stacked == (np.ndim(last) == 1)
        there = np.ravel(sums) if present is None else sums[present]
        here = present if present is None else present.tolist()
        found.append((np.asarray(first).tolist(), np.asarray(last).tolist(), here, there.tolist()))
    assert found == expected


def test_blocks_larger_than_what_there_is_are_one() -> None:
    """No size is too large: it costs what the leaves do."""
    elements, size = np.array([1, 2, 3], np.int32), 10**30
    notes, _ = noted(sum_of(3, I32, I32, I32), elements, np.int32(4), schedule=f"blocks({size})")
    assert [int(sums[0]) for _, _, _, (sums,) in notes.nodes] == [5, 7, 10]


def test_nodes_of_blocks_without_init_name_their_leaves() -> None:
    """A window of five in blocks of two: the last is one leaf, which nothing is combined with."""
    program = scattered(5, 5, 1, 0, 0)
    notes, _ = noted(program, np.arange(5, dtype=np.int32), np.int32([7]), np.int32(0), schedule="blocks(2)")
    nodes = [place.node for place, _, _, _ in notes.nodes if place.region == 0]
    spans = [(np.asarray(node.first).tolist(), np.asarray(node.last).tolist()) for node in nodes]
    assert spans == [([0, 2, 4], [1, 3, 4]), (0, 3), (0, 4)]
    assert np.ravel(nodes[0].present).tolist() == [True, True, False]


def test_conversions_are_told_before_and_after() -> None:
    """2, 4 and init 2 in steps of 0.5 are 4, 8 and 4 in steps of 0.25; their sum 16 is 8 in steps of 0.5."""
    narrow, wide = make_quantized("i8", "f32", 0.5), make_quantized("i32", "f32", 0.25)
    program = sum_of(2, narrow, wide, make_quantized("i32", "f32", 0.5))
    notes, total = noted(program, np.array([2, 4], np.int8), np.int8(2))
    assert total == 8
    assert notes.converted == [(0, [2, 4], [4, 8]), (1, 2, 4)]
    assert notes.results == [(0, 16, 8)]


def test_each_result_is_told_by_its_number() -> None:
    op = reduce("add", I32, I32, (2,), arity=2)
    column = np.array([1, 2], np.int32)
    notes, _ = noted(module(op), column, 10 * column, np.int32(4), np.int32(5))
    assert notes.results == [(0, 7, 7), (1, 35, 35)]
    assert [number for number, _, _ in notes.converted] == [0, 1, 2, 3]


def test_a_window_that_chose_its_first_position_is_not_empty() -> None:
    operand, source = np.array([3, 1, 4, 1], np.int32), np.array([10, 20], np.int32)
    notes, out = noted(scattered(4, 2, 2, 0, 0), operand, source, np.int32(0))
    assert out.tolist() == [10, 0, 20, 0]
    assert notes.empty == [[False, False]]


@pytest.mark.parametrize("tree", TREES)
def test_masked_nodes_combine_as_often_as_there_are_pairs(tree: str) -> None:
    """Windows -1 to 1, 1 to 3, 3 to 5 of five elements hold 2, 3 and 2 of them: 1 + 2 + 1 comparisons. Each
    of three sources is added once."""
    operand, source = np.array([3, 1, 4, 1, 5], np.int32), np.array([10, 20, 40], np.int32)
    notes, out = noted(scattered(5, 3, 2, 1, 1), operand, source, np.int32(1), schedule=tree)
    assert out.tolist() == [11, 1, 21, 1, 41]
    assert notes.folds == [(0, 3), (1, 1), (1, 2)]  # elements by number of leaves
    assert notes.columns == [None, [0, 2, 4], [1, 3]]
    assert notes.empty == [[False] * 3]
    combined = dict.fromkeys((0, 1), 0)
    for place, _, _, _ in notes.nodes:
        combined[place.region] += int(np.sum(place.node.present))
    assert combined == {0: 4, 1: 3}
    assert [number for number, _, _ in notes.converted] == [1, 2]
    assert notes.results == [(0, out.tolist(), out.tolist())]


@pytest.mark.parametrize("tree", TREES)
def test_a_window_in_the_padding_is_told(tree: str) -> None:
    """The first of two windows lies before the operand: its source goes nowhere (erratum E8)."""
    args = np.array([7, 9], np.int32), np.array([10, 20], np.int32), np.int32(0)
    notes, out = noted(scattered(2, 2, 2, 2, 0), *args, schedule=tree)
    assert notes.empty == [[True, False]]
    assert out.tolist() == [0, 20]


@pytest.mark.parametrize("tree", TREES)
def test_contractions_tell_their_nodes(tree: str) -> None:
    """[2, 4, 8, 16] . [1, 1, 1, 1]: product k is 2**k, after the zero that is leaf 0. Quantized by 2."""
    one, two = (f"!quant.uniform<i32:f32, {scale}>" for scale in (1.0, 2.0))
    dot = single("dot_general", f"4x{one}; 4x{one} -> {two}", **contracting())
    notes, total = noted(dot, np.array([2, 4, 8, 16], np.int32), np.ones(4, np.int32), schedule=tree)
    assert total == 15
    assert notes.folds == [(0, 4)]
    assert [(number, np.ravel(x).tolist(), np.ravel(y).tolist()) for number, x, y in notes.results] == [
        (0, [30], [15])
    ]
    assert len(notes.nodes) == 4 or tree == "balanced"
    for place, lhs, rhs, (result,) in notes.nodes:
        spans = zip(np.ravel(place.node.first), np.ravel(place.node.last), strict=True)
        assert np.ravel(result).tolist() == [2 ** (b + 1) - 2 ** max(a, 1) for a, b in spans]
        assert np.array_equal(lhs[0] + rhs[0], result)
        assert np.all(lhs[0] < rhs[0])
        assert (place.op.name, place.region) == ("stablehlo.dot_general", 0)


def test_nodes_of_stored_integers_are_told_too() -> None:
    """Two windows of two: a sum that a theorem gives without nodes has them for a listener."""
    type = make_quantized("i8", "f32", 0.5)
    program = module(reduce_window("add", type, type, (3,), (2,)))
    notes, sums = noted(program, np.array([100, 20, 40], np.int8), np.int8(0))
    assert sums.tolist() == [120, 60]
    assert [np.ravel(result).tolist() for _, _, _, (result,) in notes.nodes] == [[100, 20], [120, 60]]


NARROW, WIDE = make_quantized("i8", "f32", 0.5, 1), make_quantized("i32", "f32", 0.5, 3)


def pairs_of(n: int, source: Element, init: Element, wide: Element, result: Element) -> Module:
    """The sums of neighbours: reduce_window of n elements, windows of two."""
    return module(reduce_window("add", source, wide, (n,), (2,), init=init, result=result))


def test_a_selection_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large it is."""
    monkeypatch.setattr(numpy_backend, "BOX", 1)
    column = np.array([1, 2, 4, 3, 6, 5], np.int32)
    notes, out = noted(scattered(6, 2, 2, 0, 0), column, np.array([10, 20, 40], np.int32), np.int32(0))
    assert out.tolist() == [0, 10, 20, 0, 40, 0]
    assert notes.folds == [(0, 2), (1, 1)]


@pytest.mark.parametrize("window", [127, 128, 129])
def test_what_no_window_covers_stays_init(window: int) -> None:
    """A window whose last position is chosen may stand before it, whatever integers its number needs."""
    program, x = scattered(200, window, 100, 0, 0), np.arange(200, dtype=np.int32) % window
    args = x, np.array([5], np.int32), np.int32(0)
    (out,), (compiled_out,) = interp.run(program, *args), compile(program)(*args)
    assert out.storage.nonzero()[0].tolist() == [window - 1]
    assert np.array_equal(compiled_out, out.storage)


def test_a_window_in_the_padding_chose_nothing_of_what_no_window_covers() -> None:
    """Two windows of two rows and one column: column -1 is padding, column 1 is covered."""
    geometry = {"strides": (1, 2), "padding": ((0, 0), (1, 0))}
    program = module(select_and_scatter("add", I32, I32, (2, 3), (2, 1), **geometry))
    args = np.int32([[1, 2, 3], [4, 5, 6]]), np.int32([[10, 20]]), np.int32(0)
    expected = [[0, 0, 0], [0, 20, 0]]
    assert interp.run(program, *args)[0].storage.tolist() == expected
    assert np.asarray(compile(program)(*args)[0]).tolist() == expected


def test_windows_tell_what_they_convert_and_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, however large. Stored 3, 5, 7 and init 2 are 2, 4, 6 and 1 steps from the zero point."""
    monkeypatch.setattr(numpy_backend, "BOX", 1)
    column = np.array([3, 5, 7, 3, 5], np.int8)
    notes, sums = noted(pairs_of(5, NARROW, NARROW, WIDE, WIDE), column, np.int8(2))
    assert sums.tolist() == [10, 14, 12, 10]
    assert notes.folds == [(0, 2)]
    assert notes.converted == [(0, [3, 5, 7, 3, 5], [5, 7, 9, 5, 7]), (1, 2, 4)]
    assert notes.results == [(0, sums.tolist(), sums.tolist())]
    assert [(place.op.name, place.region) for place, *_ in notes.nodes] == [
        ("stablehlo.reduce_window", 0)
    ] * 2


def test_windows_in_fast_path_tell_the_theorem() -> None:
    """Nothing is converted then, and nothing folded."""
    notes = Blind()
    args = np.array([3, 5, 7], np.int8), np.int8(2)
    (sums,) = interp.run(pairs_of(3, NARROW, NARROW, WIDE, WIDE), *args, listeners=[notes])
    assert sums.storage.tolist() == [10, 14]
    (told,) = notes.closed
    name, theorem, why = told.split(": ", 2)
    assert (name, theorem) == ("stablehlo.reduce_window", "integer addition")
    assert len(why) > len(theorem)
    assert (notes.folds, notes.converted) == ([], [])


def test_windows_take_an_init_of_another_type() -> None:
    """Stored init 4 is 4 - 3 steps of 0.5, as 2 of the narrow type is 2 - 1."""
    args = np.array([3, 5, 7], np.int8), np.int32(4)
    (sums,) = interp.run(pairs_of(3, NARROW, WIDE, WIDE, WIDE), *args)
    assert sums.storage.tolist() == [10, 14]


def test_compiled_windows_of_many_positions_loop() -> None:
    """25 positions of a square, which floats add one by one: all sums are integers."""
    f32 = ELEMENT_TYPES["f32"]
    op = reduce_window("add", f32, f32, (6, 10), (5, 5), dilations=(1, 2))
    x = np.arange(60, dtype=np.float32).reshape(6, 10)
    expected = [[x[i : i + 5, j : j + 9 : 2].sum() for j in range(2)] for i in range(2)]
    assert np.asarray(compile(module(op))(x, np.float32(0))[0]).tolist() == expected


def test_the_leaves_of_windows_are_their_positions() -> None:
    """The padding is -1 on both sides of 5, 6, 7."""
    op = pairs_of(5, I32, I32, I32, I32).main.body.ops[0]
    op = replace(op, attributes={**op.attributes, "padding": ((1, 1),)})
    leaves = window_leaves(NUMPY, op, (np.array([5, 6, 7]),), (np.array(-1),))
    assert (leaves.n, leaves.at(0)[0].tolist()) == (2, [-1, 5, 6, 7])
    assert leaves.at(1)[0].tolist() == [5, 6, 7, -1]


def test_constants_calls_and_exporters_calls() -> None:
    """A splat, a list and a scalar; a function called; values quantized by steps of 0.5, read again."""
    text = """
      func.func @main(%x: tensor<3xf32>)
          -> (tensor<3xi8>, tensor<3xi8>, tensor<i8>, tensor<3xf32>, tensor<3xf32>) {
        %a = stablehlo.constant dense<7> : tensor<3xi8>
        %b = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi8>
        %c = stablehlo.constant dense<-1> : tensor<i8>
        %d = call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
        %q = stablehlo.custom_call @odml_torch.uniform_quantize(%x)
          {backend_config = "tensor<3x!quant.uniform<i8:f32, 0.5:1>>"} : (tensor<3xf32>) -> tensor<3xf32>
        %e = stablehlo.custom_call @odml_torch.uniform_dequantize(%q) : (tensor<3xf32>) -> tensor<3xf32>
        return %a, %b, %c, %d, %e : tensor<3xi8>, tensor<3xi8>, tensor<i8>, tensor<3xf32>, tensor<3xf32>
      }
      func.func @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
        %0 = stablehlo.add %x, %x : tensor<3xf32>
        return %0 : tensor<3xf32>
      }"""
    outs = interp.run(load(text), np.array([1.25, -4, 1e9], np.float32))
    assert [out.storage.tolist() for out in outs] == [
        [7, 7, 7],
        [1, 2, 3],
        -1,
        [2.5, -8, 2e9],
        [1.5, -4, 63],  # 1.25 is 3.5 steps from the zero point's -1, a tie
    ]


POWERS = 1, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64
BOUNDS = [sign * 2.0**k + step for k in POWERS for sign in (1, -1) for step in (-1, 0, 1)]
BOUNDS += [2.0**-127, 1.25 * 2.0**-127, 2.0**-130]  # the least power of two in f8E8M0FNU, and around it
ANY_TYPE = {
    **ELEMENT_TYPES,
    **{repr(type): type for type in (make_quantized("i8", "f32", 0.3, 3), make_quantized("u16", "f16", 0.3))},
    **{
        repr(type): type
        for type in (make_quantized("i32", "f64", 7.0), make_quantized("i4", "bf16", 0.5, -8))
    },
}


@pytest.mark.parametrize("source", ANY_TYPE)
def test_any_type_converts_to_any_other(source: str) -> None:
    """Edge values, bounds of formats and their neighbours, against the oracle's numbers."""
    type = TensorType((180,), ANY_TYPE[source])
    column = special(np.random.default_rng(5), type)
    if type.storage_type.kind == "float":
        with np.errstate(over="ignore", invalid="ignore"):
            column[: len(BOUNDS)] = np.array(BOUNDS).astype(column.dtype)
    theirs, ours = oracle_tensor(column, type), NUMPY.decode(column, type.storage_type)
    for element in ANY_TYPE.values():
        try:
            expected = stored(notation.to_destination_type(theirs, element))
        except Unspecified:
            continue
        with np.errstate(all="ignore"):
            result = to_destination_type(NUMPY, ours, type.element_type, element)
            storage = NUMPY.encode(result, TensorType(type.shape, element).storage_type)
        assert same(storage, expected), element


def compiled(operations: str, type: str, x: np.ndarray) -> list[Any]:
    """Return XLA's result of lines on %x, the last of which gives %y of the same type."""
    text = f"func.func @main(%x: {type}) -> {type} {{\n{operations}\nreturn %y : {type} }}"
    return np.asarray(compile(load(text))(x)[0]).tolist()


def test_compiled_parts_of_complex_numbers_are_rounded() -> None:
    """There and back, so that the rounding of the result hides nothing."""
    wide, narrow = "tensor<2xcomplex<f64>>", "tensor<2xcomplex<f32>>"
    there_and_back = f"""
        %0 = stablehlo.convert %x : ({wide}) -> {narrow}
        %y = stablehlo.convert %0 : ({narrow}) -> {wide}"""
    x = np.array([0.1 + 0.2j, 1e9 - 1 / 3 * 1j])
    assert compiled(there_and_back, wide, x) == x.astype(np.complex64).astype(np.complex128).tolist()


def test_compiled_quotients_of_f64_are_quotients() -> None:
    """0.15 / 0.1 is less than 1.5, and 0.15 * 10 is not."""
    plain, type = "tensor<3xf64>", "tensor<3x!quant.uniform<i32:f64, 0.1>>"
    there_and_back = f"""
        %0 = stablehlo.uniform_quantize %x : ({plain}) -> {type}
        %y = stablehlo.uniform_dequantize %0 : ({type}) -> {plain}"""
    assert compiled(there_and_back, plain, np.array([0.15, 0.35, 0.25])) == [0.1, 3 * 0.1, 0.2]


def test_four_bits_of_a_byte_are_a_float() -> None:
    """The low half of 0xf2 is 0010, which is 1; the high half 1111, which is -6."""
    bits = single("bitcast_convert", "1xui8 -> 1x2xf4E2M1FN")
    assert interp.run(bits, np.array([0xF2], np.uint8))[0].storage.astype(float).tolist() == [[1, -6]]


@pytest.mark.parametrize("name", ["f16", "bf16", "f32", "f64"])
def test_a_format_reduced_to_its_own_precision_is_itself(name: str) -> None:
    """Subnormals and the largest numbers too."""
    type = TensorType((40,), ELEMENT_TYPES[name])
    bits = {"exponent_bits": type.element_type.exponent, "mantissa_bits": type.element_type.mantissa}
    op = operation("reduce_precision", [type], type, **bits)
    column = special(np.random.default_rng(5), type)
    tiny = np.nextafter(column.dtype.type(0), column.dtype.type(1))
    column[:2] = tiny, -3 * tiny
    assert same(interp.run(module(op), column)[0].storage, column)


@pytest.mark.parametrize(
    ("contractions", "name", "lhs", "total"),
    [
        ("library", "f16", [2048, 1, 1], 2050),
        ("fold", "f16", [2048, 1, 1], 2048),
        ("library", "i4", [7, 7, 0], -2),
        ("library", "i32", [2**31 - 1, 2, 0], -(2**31) + 1),
    ],
)
def test_a_library_sums_without_rounding_between(
    contractions: str, name: str, lhs: list[int], total: int
) -> None:
    """Two rows with a vector of ones: in f16, 2049 is no number, and 2048 + 1 is 2048."""
    element = ELEMENT_TYPES[name]
    dot = single("dot_general", f"2x3x{name}; 3x{name} -> 2x{name}", **contracting(1))
    rows, ones = (np.array(x).astype(element.numpy) for x in ([lhs, [1, 1, 1]], [1, 1, 1]))
    (sums,) = interp.run(dot, rows, ones, contractions=contractions)
    assert sums.storage.tolist() == [total, 3]


@pytest.mark.parametrize(
    ("source", "result", "lhs", "rhs", "product"),
    [
        ("i32", "f32", 2**24 + 1, 3, 3 * 2**24 + 4),
        ("ui32", "f32", 2**32 - 1, 2**32 - 1, 2**64),
        ("f32", "f64", 1 + 2**-23, 1 + 2**-23, 1 + 2**-22 + 2**-46),
        ("f32", "f16", 1 + 2**-11, 1 + 2**-11, 1 + 2**-10),
    ],
)
def test_a_product_is_rounded_once(source: str, result: str, lhs: float, rhs: float, product: float) -> None:
    """The type of the sum rounds it: 3 * 2**24 + 3 is not a number of f32, nor is 2**24 + 1."""
    dot = single("dot_general", f"1x{source}; 1x{source} -> {result}", **contracting())
    args = (np.array([x], ELEMENT_TYPES[source].numpy) for x in (lhs, rhs))
    assert interp.run(dot, *args)[0].storage == product


def complex_edges(name: str, arity: int) -> Program:
    """Every pair or triple of a few values, zeros and NaNs among them."""
    parts = (0.0, -0.0, 1.0, -2.0, np.nan)
    values = np.array([complex(a, b) for a in parts for b in parts], np.complex64)
    columns = tuple(x.ravel() for x in np.meshgrid(*[values] * arity, indexing="ij"))
    type = TensorType(columns[0].shape, ELEMENT_TYPES["complex<f32>"])
    return Program(module(operation(name, [type] * arity, type)), columns)


def test_one_and_minus_two_is_minus_one_whose_logarithm_has_no_negative_real_part() -> None:
    element = ELEMENT_TYPES["complex<f32>"]
    for y in (0.0, -0.0):
        expected = complexes.log(complex(-1, y), element)
        found = complexes.log_plus_one(complex(-2, y), element)
        assert repr(found) == repr(expected) == repr(complex(0.0, np.copysign(np.float32(np.pi), y)))


ROOTS = ("cbrt", "rsqrt", "sqrt")
ELEMENTARY = (
    "cosine",
    "exponential",
    "exponential_minus_one",
    "log",
    "log_plus_one",
    "logistic",
    "sine",
    "tan",
    "tanh",
)


@pytest.mark.parametrize(
    ("name", "arity"),
    [("sign", 1), ("clamp", 3), *((name, 1) for name in ROOTS + ELEMENTARY)],
)
def test_complex_edges_are_the_oracles(name: str, arity: int) -> None:
    is_the_oracles(complex_edges(name, arity))


def unbuilt(name: str, sources: str, result: str, **attributes: object) -> Op:
    types = [TensorType((2,), ELEMENT_TYPES[t]) for t in sources.split()]
    out = TensorType(() if name == "dot_general" else (2,), ELEMENT_TYPES[result])
    return replace(operation(name, types, out, **attributes), location=Location("m.mlir", 3, 5))


@pytest.mark.parametrize(
    ("op", "text"),
    [
        (
            unbuilt("custom_call", "i1", "i1", call_target_name="f"),
            "m.mlir:3:5: custom_call @f is not known\n  give it a meaning: interp.register('f', function)",
        ),
        (
            unbuilt("remainder", "complex<f32> complex<f32>", "complex<f32>"),
            "m.mlir:3:5: stablehlo.remainder on complex<f32> is not built\n"
            "  complex operations: abs, add, atan2, cbrt, clamp, cosine, divide, exponential,"
            " exponential_minus_one, imag, log, log_plus_one, logistic, maximum, minimum, multiply, negate,"
            " power, real, rsqrt, sign, sine, sqrt, subtract, tan, tanh",
        ),
        (
            unbuilt("dot_general", "i64 i64", "f32", **contracting()),
            "m.mlir:3:5: stablehlo.dot_general of i64 to f32 is not built\n  convert the operands first",
        ),
        (
            unbuilt("dot_general", "f64 f64", "f32", **contracting()),
            "m.mlir:3:5: stablehlo.dot_general of f64 to f32 is not built\n  convert the operands first",
        ),
    ],
    ids=lambda value: value.name.removeprefix("stablehlo.") if isinstance(value, Op) else "",
)
def test_what_is_not_built_says_so(op: Op, text: str) -> None:
    """The error says where, which operation, and what there is instead."""
    with pytest.raises(Unsupported) as caught:
        interp.run(module(op), *(np.zeros(2, value.type.storage_type.numpy) for value in op.operands))
    assert str(caught.value) == text


@pytest.mark.parametrize(("source", "result"), [((3,), (3,)), ((3,), (3, 2)), ((2, 2), (2,)), ((0, 2), (0,))])
def test_complex_numbers_are_their_parts_in_memory(source: tuple[int, ...], result: tuple[int, ...]) -> None:
    """NumPy's view of the same memory, there being no integer of 128 bits to hold the bits of one."""
    f32, f64 = ELEMENT_TYPES["complex<f32>"], ELEMENT_TYPES["complex<f64>"]
    first = TensorType(source, f32 if len(result) < len(source) else f64)
    second = TensorType(result, f32 if len(result) > len(source) else f64)
    program = module(operation("bitcast_convert", [first], second))
    x = np.array([1.5 - 2j, 0j, complex(-0.0, 7.0), 3j], first.storage_type.numpy)
    x = np.resize(x, source)
    expected = np.ascontiguousarray(x).reshape(-1).view(second.storage_type.numpy).reshape(result)
    for ours in (interp.run(program, x)[0].storage, np.asarray(compile(program)(x)[0])):
        assert ours.tobytes() == expected.tobytes()


@pytest.mark.slow("all numbers of a format", rows=1)
@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_reduced_precision_is_xlas_for_every_number(name: str) -> None:
    """But for ties and NaN without mantissa bits (errata E26 and E27), at every mantissa of the format."""
    import jax

    element, dtype = ELEMENT_TYPES[name], np.dtype(ELEMENT_TYPES[name].numpy)
    every = np.arange(1 << 16, dtype=np.uint16).view(dtype)
    pairs = [(e, m) for e in (1, 2, 4, element.exponent) for m in range(element.mantissa + 1)]
    theirs = jax.jit(lambda x: [jax.lax.reduce_precision(x, e, m) for e, m in pairs])(every)
    with np.errstate(invalid="ignore"):  # NaNs
        exact = every.astype(np.float64)
        ties = np.abs(np.frexp(exact)[0]) == 0.75  # 1.5 * 2^e
    subnormal = np.abs(exact) < 2.0 ** (1 - element.bias)
    for (e, m), x in zip(pairs, theirs, strict=True):
        program = single(
            "reduce_precision",
            f"{every.size}x{name} -> {every.size}x{name}",
            exponent_bits=e,
            mantissa_bits=m,
        )
        (ours,) = interp.run(program, every)
        judged = ~((ties & ~subnormal) | np.isnan(exact)) if m == 0 else np.ones(every.shape, bool)
        assert same(ours.storage[judged], np.asarray(x)[judged]), (e, m)


FAR = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-30, -1e-30, 0.4, -3.4e38, 449.0], np.float32)


@pytest.mark.slow("compiles each", rows=4)
@pytest.mark.parametrize("name", [type.name for type in FLOATS])
def test_what_a_format_makes_of_a_number_is_what_its_bits_say(name: str) -> None:
    """Formats without NaN, or with one zero: what is converted back is not the number before."""
    f32, narrow = (TensorType((len(FAR),), ELEMENT_TYPES[n]) for n in ("f32", name))
    x, between, y = Value("%x", f32), Value("%narrow", narrow), Value("%wide", f32)
    there, back = Op("stablehlo.convert", (x,), (between,)), Op("stablehlo.convert", (between,), (y,))
    program = module(there, back)
    (theirs,) = evaluate(program, [oracle_tensor(FAR, f32)], LEFT)
    assert same(interp.run(program, FAR)[0].storage, stored(theirs))
    assert same(np.asarray(compile(program)(FAR)[0]), stored(theirs))


@pytest.mark.parametrize("name", ["multiply", "divide"])
def test_products_below_every_f32_are_the_least_number_without_a_zero(name: str) -> None:
    """2^-254 lies below all of f32; f8E8M0FNU has no zero, so its nearest number is 2^-127."""
    type = ELEMENT_TYPES["f8E8M0FNU"]
    module = single(name, f"1x{type}; 1x{type} -> 1x{type}")
    x, y = (np.array([v], type.numpy) for v in (2.0**-127, 2.0**-127 if name == "multiply" else 2.0**127))
    assert interp.run(module, x, y)[0].storage.astype(float) == 2.0**-127


TAKES = (("2x4xi8", 1, (2, 4)), ("2x1x4xui64", 1, (2, 4)), ("1x2xi32", 0, (2,)), ("i64", 0, ()))


@pytest.mark.parametrize(("indices", "vector", "batch"), TAKES, ids=[row[0] for row in TAKES])
@pytest.mark.parametrize("axis", [0, 1])
def test_whole_slices_along_an_axis(indices: str, vector: int, batch: tuple[int, ...], axis: int) -> None:
    """Places beyond the ends are those at the ends, negative and very large ones too."""
    shape, vector = (3, 5), vector if indices.count("x") > len(batch) else len(batch)
    result = (*shape[:axis], *batch, *shape[axis + 1 :])
    offsets = [d for d in range(len(result)) if not axis <= d < axis + len(batch)]
    sizes, ends = [1 if d == axis else n for d, n in enumerate(shape)], "x".join(map(str, (*result, "f32")))
    attributes = f"offset_dims = {offsets}, collapsed_slice_dims = [{axis}], start_index_map = [{axis}]"
    type = f"(tensor<3x5xf32>, tensor<{indices}>) -> tensor<{ends}>"
    program = load(f"""func.func @main(%x: tensor<3x5xf32>, %i: tensor<{indices}>) -> tensor<{ends}> {{
      %0 = "stablehlo.gather"(%x, %i) {{slice_sizes = array<i64: {sizes[0]}, {sizes[1]}>,
        dimension_numbers = #stablehlo.gather<{attributes}, index_vector_dim = {vector}>}} : {type}
      return %0 : tensor<{ends}>
    }}""")
    x, places = np.arange(15, dtype=np.float32).reshape(shape), program.main.inputs[1].type
    largest = places.tensor_element_type.max_value
    numbers = [0, 2, largest, 4, 1, -1 if largest < 2**63 else 5, 3, largest - 1]
    given = np.array(numbers[: max(places.size, 1)], places.storage_type.numpy).reshape(places.shape)
    (theirs,) = evaluate(
        program,
        [oracle_tensor(v, t.type) for v, t in zip((x, given), program.main.inputs, strict=True)],
        LEFT,
    )
    assert same(interp.run(program, x, given)[0].storage, stored(theirs))
