"""Questions to a traced scatter, held against every permutation of the updates of each element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import interp
from interp.engine.leaf_counts import landing as most_landing
from interp.engine.storage import storage_range
from interp.questions.bounds import bounds
from interp.questions.scatters import in_order
from interp.questions.shrink import case_events, event_text
from interp.questions.verdicts import verdicts
from interp.recorder.element import Element
from interp.recorder.recorded import Reduction
from spec import schedule
from spec.errors import Malformed, Unsupported
from spec.ir import Op, Region
from spec.meaning.index import Tensor, index_space
from spec.meaning.indexing import result_index
from spec.types import ELEMENT_TYPES, QuantizedType
from spec.types import make_quantized as quantized_type
from tests.library.builders import combining, module, reduce
from tests.library.strategies.programs import Program
from tests.library.strategies.scatter_programs import scattering, scatters
from tests.test_engine import SCHEDULES

MOST = 4  # updates of an element whose permutations are tried
OVERFLOWS = {"saturate", "wrap"}
STEP = quantized_type("i8", "f32", 0.5, 1)
NARROW = (
    STEP,
    quantized_type("i4", "f32", 1.0, 2, storage_min=-3, storage_max=7),
    quantized_type("u4", "bf16", 0.3, 5),
    ELEMENT_TYPES["i8"],
    ELEMENT_TYPES["ui4"],
)


def recorded(program: Program, tree: Any = "left") -> Reduction:
    with np.errstate(all="ignore"):  # signalling NaNs become quiet ones
        trace = interp.trace(program.module, *program.args, kinds=(), schedule=tree)
    return trace.reduction(program.module.main.body.ops[0])


def elements(reduction: Reduction) -> Iterator[tuple[tuple[int, ...], Element]]:
    for index in np.ndindex(reduction.shape):
        yield index, reduction.element(index)


def orders(element: Element) -> Iterator[Element]:
    """The element with its updates in every order."""
    for order in permutations(range(1, len(element.leaves))):
        yield in_order(element, (0, *order))


def vector(
    body: str | Region,
    element: Any,
    inputs: list[Any],
    places: list[int],
    updates: list[Any],
    **promises: bool,
) -> Program:
    """A scatter of numbers into a vector."""
    op = scattering(body if isinstance(body, str) else "add", element, (len(inputs),), len(updates))
    regions = op.regions if isinstance(body, str) else (body,)
    op = replace(op, attributes={**op.attributes, **promises}, regions=regions)
    dtype = np.dtype(op.operands[0].type.storage_type.numpy)
    indices = np.array(places, np.int32).reshape(-1, 1)
    return Program(module(op), (np.array(inputs, dtype), indices, np.array(updates, dtype)))


def last(element: Any) -> Region:
    """The body that returns the update."""
    arguments = combining("add", element).arguments
    return Region(arguments, (Op("stablehlo.return", arguments[1:], ()),))


@st.composite
def sums(draw: st.DrawFn) -> Program:
    """A sum of few numbers, of any of which the first ones are drawn close to the ends of their type."""
    type = draw(st.sampled_from(NARROW))
    low, high = storage_range(type)
    near = st.one_of(st.integers(low, high), st.integers(low, low + 2), st.integers(high - 2, high))
    updates = draw(st.lists(near, max_size=7))
    places = draw(st.lists(st.integers(0, 3), min_size=len(updates), max_size=len(updates)))
    return vector("add", type, draw(st.lists(near, min_size=3, max_size=3)), places, updates)


@given(scatters(), SCHEDULES)
def test_leaves_are_the_updates_that_land_in_ascending_order(
    program: Program, tree: schedule.Schedule
) -> None:
    """The oracle lets the same updates land; folding them gives the result of the run."""
    assume(program.module.main.results[0].size > 0)
    reduction = recorded(program, tree)
    op, n = reduction.op, len(reduction.op.results)
    indices = Tensor(op.operands[n].type, tuple(program.args[n].ravel().tolist()))
    landing: dict[tuple[int, ...], list[Any]] = {}
    for at in index_space(op.operands[n + 1].type.shape):
        landing.setdefault(tuple(result_index(op, indices, at)), []).append(tuple(at))
    for index, element in elements(reduction):
        assert [leaf.origin for leaf in element.leaves] == ["init", *landing.get(index, [])]
        assert len(element.leaves) - 1 <= most_landing(op).most
        given = tuple(x[index].item() for x in reduction.accumulators)
        assert repr(element.result()) == repr(given)
        starts = tuple(x[index].item() for x in reduction.init_before)
        assert repr(element.leaves[0].before) == repr(starts)


@settings(max_examples=100, deadline=None)
@given(st.one_of(scatters(), sums()))
def test_verdicts_against_every_permutation(program: Program) -> None:
    """Safe: no order overflows, or all agree. Inevitable: each overflows. Order-dependent: some do."""
    assume(program.module.main.results[0].size > 0)
    reduction = recorded(program)
    found = verdicts(reduction)
    for index, element in elements(reduction):
        kind = found.kinds[index]
        if len(element.leaves) > MOST + 1 or kind in ("unknown", "inexact"):
            continue
        tried = list(orders(element))
        results = {repr(each.result()) for each in tried}
        if found.total is None:
            assert kind in ("safe", "order-dependent")
            assert kind == "order-dependent" or len(results) == 1
            if len(tried) <= 2:  # more orders than the two that were compared may differ
                assert kind == "safe" or len(results) > 1
            continue
        overflowing = [_overflows(each) for each in tried]
        expected = {"safe": not any(overflowing), "inevitable": all(overflowing)}
        assert expected.get(kind, any(overflowing) and not all(overflowing))
        witness = found.witness(index)
        assert witness.kind == kind
        if kind == "order-dependent":
            fine, bad = (in_order(element, order) for order in witness.orders)  # type: ignore[union-attr]
            assert not _overflows(fine)
            assert _overflows(bad)
        assert (found.order(index) is None) == (kind == "inevitable")


def _overflows(element: Element) -> bool:
    return any(mark.kind in OVERFLOWS for node in element.replay() for mark in node.marks)


@given(sums(), st.sampled_from(("left", "balanced", "blocks(2)", "random(3)")))
def test_bounds_against_every_permutation(program: Program, tree: str) -> None:
    """Bounds by value are the extremes of all leaves and sums, to the bit; by schedule, of the one tree."""
    reduction = recorded(program, tree)
    given = bounds(reduction)
    assume(given.by_value is not None and reduction.is_sum)
    type = reduction.types[0]
    z = getattr(type, "zero_point", 0)
    least, greatest, own = [], [], []
    for _, element in elements(reduction):
        numbers = [x - z for x in element.values()]
        assume(len(numbers) <= MOST + 1)
        sums = [
            sum(numbers[:1]) + sum(order[:k])
            for order in permutations(numbers[1:])
            for k in range(len(numbers))
        ]
        least.append(min(sums + numbers))
        greatest.append(max(sums + numbers))
        own += [*numbers, *_nodes(numbers, element.schedule)]
    assert given.by_value is not None
    assert given.by_schedule is not None
    assert given.by_type is not None
    assert (given.by_value.least, given.by_value.greatest) == (min(least) + z, max(greatest) + z)
    assert (given.by_schedule.least, given.by_schedule.greatest) == (min(own) + z, max(own) + z)
    assert given.by_type.least <= given.by_value.least
    assert given.by_value.greatest <= given.by_type.greatest


def _nodes(numbers: list[int], tree: schedule.Schedule) -> list[int]:
    nodes = list(numbers)
    for lhs, rhs in tree.steps(len(numbers), False):
        nodes.append(nodes[lhs] + nodes[rhs])
    return nodes


def test_any_data_may_land_on_one_element() -> None:
    """Five updates of -129 steps on -129; a promise that they never meet leaves one."""
    program = vector("add", STEP, [0] * 4, [0, 1, 2, 3, 3], [0] * 5)
    by_type = bounds(recorded(program)).by_type
    assert by_type is not None
    assert (by_type.least, by_type.greatest) == (1 - 6 * 129, 1 + 6 * 126)
    alone = vector("add", STEP, [0] * 4, [0, 1, 2, 3, 4], [0] * 5, unique_indices=True)
    by_type = bounds(recorded(alone)).by_type
    assert by_type is not None
    assert (by_type.least, by_type.greatest) == (1 - 2 * 129, 1 + 2 * 126)


SUM = (STEP, [100, -5, 7, 120], [0, 0, 1, 3, 0], [60, -80, 3, 100, 20])


def test_verdicts_of_a_sum() -> None:
    """100 + 60 saturates, 100 - 80 + 60 + 20 does not; 120 + 100 does in any order."""
    found = verdicts(recorded(vector("add", *SUM)))
    assert found.kinds.tolist() == ["order-dependent", "safe", "safe", "inevitable"]
    assert found.wrong.tolist() == [True, False, False, True]
    assert found.order(0) == (0, 2, 1, 3)
    assert found.schedule(0) is None  # no schedule names that order
    assert found.schedule(1) == schedule.LEFT
    assert found.order(3) is None
    assert "first (0,): the init and leaves 1, 3 sum to 178, the total is 97" in repr(found)


def test_trees_that_combine_updates_are_not_judged() -> None:
    """100 + (60 - 80) never saturates; but updates meet only the operand, and 100 + 60 does."""
    program = vector("add", STEP, [121], [0, 0], [41, -119])
    found = verdicts(recorded(program, "tree(1 2, 0 3)"))
    assert not found.wrong.any()
    assert found.kinds.tolist() == ["order-dependent"]
    both_up = vector("add", STEP, [-100], [0, 0], [100, 100])
    assert verdicts(recorded(both_up)).kinds.tolist() == ["safe"]  # though 100 + 100 is beyond the storage
    assert verdicts(recorded(both_up, "balanced")).kinds.tolist() == ["safe"]


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("subtract", ["safe", "unknown", "unknown"]),
        ("multiply", ["safe", "unknown", "unknown"]),
        ("maximum", ["safe", "safe", "safe"]),
    ],
)
def test_verdicts_of_other_bodies(body: str, kinds: list[str]) -> None:
    program = vector(body, ELEMENT_TYPES["i32"], [1, 2, 3], [1, 2, 2], [5, 6, 7])
    assert verdicts(recorded(program)).kinds.tolist() == kinds


def test_order_matters_where_two_orders_differ() -> None:
    """2^-150 is lost in f32 before 2^100 comes, and not from the other end. One update has one order only."""
    floats = [2.0**-100, 2.0**-50, 2.0**100]
    program = vector("multiply", ELEMENT_TYPES["f32"], [1.0, 1.0], [0, 0, 0, 1], [*floats, 2.0])
    found = verdicts(recorded(program))
    ends = {
        np.float32(1.0) * np.float32(a) * np.float32(b) * np.float32(c) for a, b, c in (floats, floats[::-1])
    }
    assert len(ends) == 2
    assert found.kinds.tolist() == ["order-dependent", "unknown"]
    assert "updates in another order give different results" in repr(found)


def test_equal_updates_may_replace_in_any_order() -> None:
    element = ELEMENT_TYPES["f32"]
    places, updates = [0, 0, 1, 1, 2, 3, 3], [1.0, 2.0, 5.0, 5.0, 9.0, 0.0, -0.0]
    program = vector(last(element), element, [0.0] * 5, places, updates)
    found = verdicts(recorded(program))
    assert found.kinds.tolist() == ["order-dependent", "safe", "safe", "order-dependent", "safe"]
    nan = vector(last(element), element, [0.0], [0, 0], [np.nan, -np.nan])
    assert verdicts(recorded(nan)).kinds.tolist() == ["safe"]


def test_a_broken_promise_leaves_nothing_to_say() -> None:
    for promise in ("unique_indices", "indices_are_sorted"):
        found = recorded(vector("add", *SUM, **{promise: True}))
        assert set(verdicts(found).kinds.tolist()) == {"unknown"}
        assert "breaks a promise" in repr(verdicts(found))
        assert bounds(found).by_value is None
    kept = vector("add", STEP, [1] * 4, [0, 1, 1, 3], [2] * 4, indices_are_sorted=True)
    assert set(verdicts(recorded(kept)).kinds.tolist()) == {"safe"}


def test_updates_that_meet_against_a_promise_are_events() -> None:
    """Every update after the first on an element is an event; one out of bounds lands nowhere."""
    program = vector("add", STEP, [1] * 4, [0, 2, 0, 9, 9, 2, 0], [1] * 7, unique_indices=True)
    trace = interp.trace(program.module, *program.args, kinds="unspecified")
    (group,) = trace.groups
    assert group.count == 3
    assert group.first.index == (2,)
    assert "it lands where an earlier update does, and unique_indices is true" in repr(group.first)
    with pytest.raises(Unsupported, match="where the updates land"):
        trace.shrink()
    kept = vector("add", STEP, [1] * 4, [0, 2, 1, 9, 9], [1] * 5, unique_indices=True)
    assert not interp.trace(kept.module, *kept.args).has("unspecified")


@given(scatters())
def test_events_of_a_promise_are_those_of_the_oracle_s_places(program: Program) -> None:
    op = program.module.main.body.ops[0]
    n = len(op.results)
    op = replace(op, attributes={**op.attributes, "unique_indices": True})
    indices = Tensor(op.operands[n].type, tuple(program.args[n].ravel().tolist()))
    seen, again = set(), 0
    for at in index_space(op.operands[n + 1].type.shape):
        place = tuple(result_index(op, indices, at))
        if all(0 <= i < size for i, size in zip(place, op.results[0].type.shape, strict=True)):
            again += place in seen
            seen.add(place)
    with np.errstate(all="ignore"):
        trace = interp.trace(module(op), *program.args, kinds="unspecified")
    met = sum(g.count for g in trace.groups if g.first.inner.name == "stablehlo.scatter")
    assert met == again


def test_a_float_sum_is_safe_where_no_order_rounds() -> None:
    element = ELEMENT_TYPES["f16"]
    program = vector("add", element, [2048.0, 1024.0, 0.1], [0, 1], [1.0, 1.0])
    assert verdicts(recorded(program)).kinds.tolist() == ["inexact", "safe", "safe"]


def test_matrix_of_a_scatter() -> None:
    """Nothing saturates in storage of 16 bits. The only schedule is one that the specification permits."""
    program = vector("add", *SUM)
    trace = interp.trace(program.module, *program.args)
    table = trace.matrix()
    assert [repr(tree) for tree in table.schedules] == ["left"]
    own, wide = table.types[:2]
    (run,) = interp.run(program.module, *program.args)
    assert table.cell(own, "specification", "left").accumulators.tolist() == run.storage.tolist()
    assert table.error(own, "specification", "left") == 46  # 219 is stored as 127, 92 steps of 0.5 less
    assert table.error(wide, "specification", "left") == 0
    assert table.error(own, "exact", "left") == 0


def test_matrix_of_a_converted_operand() -> None:
    """Every element has an init value of its own, in the exact sum too."""
    a, b = quantized_type("i8", "f32", 0.5, 3), quantized_type("i16", "f32", 0.25, -1)
    op = scattering("add", a, (2,), 2)
    result = replace(op.results[0], type=replace(op.results[0].type, element_type=b))
    op = replace(op, results=(result,), regions=(combining("add", b),))
    args = np.array([5, 100], np.int8), np.array([[0], [1]], np.int32), np.array([7, 9], np.int8)
    table = interp.trace(module(op), *args).matrix(types=[b, a])
    assert table.cell(b, "exact", "left").accumulators.tolist() == [2 * (2 + 4) - 1, 2 * (97 + 6) - 1]
    assert table.error(b, "specification", "left") == 0
    assert table.cell(a, "exact", "left").accumulators.tolist() == [9, 106]
    assert table.error(a, "exact", "left") == 0


def test_an_event_shrinks_to_a_reduce(tmp_path: Path) -> None:
    """The leaves are those of the element: its own value, and the update that it saturates with."""
    program = vector("add", *SUM)
    small = interp.trace(program.module, *program.args).shrink(kind="saturate")
    assert [x.tolist() for x in small.args] == [[100], 120]
    path = small.save(tmp_path / "small.mlir")
    assert event_text(small.event) in map(event_text, case_events(path))
    blocks = interp.trace(program.module, *program.args, schedule="blocks(2)")
    with pytest.raises(Unsupported, match="a scatter under"):
        blocks.shrink(kind="saturate")


def test_stepping_and_explaining(tmp_path: Path) -> None:
    program = vector("add", *SUM)
    walk = interp.step(program.module, *program.args)
    walk.watch(0)
    walk.until("saturate")
    assert "(init . x0) inside (init..x0 . x1), x0 = %arg2 (0,)" in repr(walk.where())
    trace = interp.trace(program.module, *program.args)
    told = trace.explain(index=0)
    assert told.result == 65
    assert [row.leaf.origin for row in told.rows if row.leaf] == ["init", (0,), (1,), (4,)]
    assert "scatter" in repr(trace.summary())
    page = trace.report(tmp_path / "page.html")
    assert "order-dependent" in Path(page).read_text()
    op = reduce("add", STEP, STEP, (1, 3))
    other = interp.trace(module(op), np.zeros((1, 3), np.int8), np.int8(1)).verdict()
    with pytest.raises(Malformed, match="no order of updates"):
        other.order()


def test_quantized_verdicts_ask_for_integers() -> None:
    """256 + 1 is 256 in bf16: no theorem says what orders give."""
    type = quantized_type("i16", "bf16", 1.0)
    assert isinstance(type, QuantizedType)
    found = verdicts(recorded(vector("add", type, [256, 1], [0, 1], [1, 1])))
    assert found.kinds.tolist() == ["inexact", "safe"]
    assert found.witness(0).kind == "inexact"


def test_the_suggested_accumulator_overflows_nowhere() -> None:
    program = vector("add", *SUM)
    suggested = interp.trace(program.module, *program.args).bounds().suggested
    assert suggested is not None
    wide = interp.with_accumulator(program.module, program.module.main.body.ops[0], suggested)
    (group,) = interp.trace(wide, *program.args).groups
    assert repr(group.first.inner).startswith("%back0")  # only 219 as i8 again
    assert set(interp.trace(wide, *program.args).verdict("%0").kinds.tolist()) == {"safe"}


def test_an_event_of_a_scatter_with_two_results_has_its_index() -> None:
    program = interp.load("""func.func @main(%a: tensor<3xi8>, %b: tensor<3xi8>, %i: tensor<2x1xi32>,
    %u: tensor<2xi8>, %v: tensor<2xi8>) -> (tensor<3xi8>, tensor<3xi8>) {
  %0:2 = "stablehlo.scatter"(%a, %b, %i, %u, %v) ({
  ^bb0(%l0: tensor<i8>, %l1: tensor<i8>, %r0: tensor<i8>, %r1: tensor<i8>):
    %s = stablehlo.add %l0, %r0 : tensor<i8>
    %t = stablehlo.maximum %l1, %r1 : tensor<i8>
    stablehlo.return %s, %t : tensor<i8>, tensor<i8>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<3xi8>, tensor<3xi8>, tensor<2x1xi32>, tensor<2xi8>, tensor<2xi8>)
    -> (tensor<3xi8>, tensor<3xi8>)
  return %0#0, %0#1 : tensor<3xi8>, tensor<3xi8>
}""")
    x, updates = np.int8([100, 100, 100]), np.int8([1, 100])
    trace = interp.trace(program, x, x, np.int32([[0], [2]]), updates, updates)
    assert [(event.kind, event.index) for event in trace.events] == [("wrap", (2,))]
